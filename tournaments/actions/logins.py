"""Logins for the people of an event, with random passwords."""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction

from base.text import one_line
from tournaments.errors import DomainError
from tournaments.models import Event, EventRole, Invitation, ResultKeys, User

from .fields import assign
from .invitations import claim_invitation
from .ledger import Actor, act_on_event, transaction_or_busy
from .site import act_on_site, note

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def create_login(*, actor: Actor, event: Event, username: str, full_name: str = "") -> tuple[User, str]:
    """Make a login for a new arbiter of the event; return it with its password, which is stored nowhere.

    For a person who already has a login, call `invite_by_name` instead. People who may make logins are told that a
    name is taken: site owners trust them (docs/decisions/0043).
    Raises DomainError: user_taken, invalid_values.
    """
    password = random_password()
    user = _prepared(username, full_name, password)
    with act_on_event(event_id=event.pk, actor=actor, action="create_login") as entry:
        _save_new(user)
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
        entry.subject = user.username
        entry.after = {"name": user.get_full_name(), "role": EventRole.Role.ARBITER.value}
    return user, password


def create_site_login(
    *, actor: Actor, username: str, full_name: str = "", makes_events: bool = False
) -> tuple[User, str]:
    """Make a login that works on no event yet; return it with its password, which is stored nowhere.

    Raises DomainError: user_taken, invalid_values.
    """
    password = random_password()
    user = _prepared(username, full_name, password)
    user.makes_events = makes_events
    with act_on_site():
        _save_new(user)
        after = {"name": user.get_full_name()} | ({"makes_events": True} if makes_events else {})
        note(actor, "create_login", subject=user.username, after=after)
    return user, password


def sign_up(
    *, username: str, full_name: str, password: str, origin: str, invitation: Invitation | None = None
) -> User:
    """Make the login of a person who chose name and password: from an invitation by link, or by open registration.

    It gives no rights. The invitation is then reserved for this login, which must still accept it. The caller has
    checked the password and that the person may sign up.
    Raises DomainError: user_name_used, invalid_values; NotFound if the invitation is no longer open.
    """
    user = _prepared(username, full_name, password)
    with transaction_or_busy():
        try:
            _save_new(user)
        except DomainError as error:
            raise DomainError("user_name_used", username=user.username) from error
        if invitation is not None:
            claim_invitation(invitation=invitation, user=user)
        after = {"by_invitation": True} if invitation is not None else {}
        note(Actor(user, origin), "sign_up", subject=user.username, after=after)
    return user


def _prepared(username: str, full_name: str, password: str) -> User:
    """Return a login that is not saved yet. Hashing is slow, so it is done before any lock."""
    given, _, surname = one_line(full_name).rpartition(" ")
    user = User()
    username = User.normalize_username(one_line(username))
    assign(user, {"username": username, "first_name": given, "last_name": surname})
    user.set_password(password)
    return user


def _save_new(user: User) -> None:
    if User.objects.filter(username__iexact=user.username).exists():
        raise DomainError("user_taken", username=user.username)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # somebody else has just made the same name
        raise DomainError("user_taken", username=user.username) from error


def choose_language(*, user: User, language: str) -> None:
    """Choose the language in which a person reads all pages, "" for the one that the browser asks for."""
    user.language = language
    user.save(update_fields=["language"])


def choose_result_keys(*, user: User, keys: ResultKeys | str) -> None:
    """Set the keys that enter results for this person. They belong to no event, so no log has them."""
    user.result_keys = ResultKeys(keys).value
    user.save(update_fields=["result_keys"])


def choose_mail(*, user: User, address: str) -> None:
    """Set the e-mail address of this person; "" for none. It belongs to no event, so no log has it."""
    user.email = address
    user.save(update_fields=["email"])


def random_password() -> str:
    """Return fifteen letters and digits, in groups of three, without characters that look alike: 75 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(3)) for _ in range(5))
