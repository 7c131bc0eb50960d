"""Logins for the people of an event, and links that are used once: for a new password, for a new phone.

The token of a link is shown to one person and stored nowhere, only its hash.

Somebody who guesses a person's password without a pause keeps browsers out that the person has never used. A device
link makes such a browser one that the person has used (tournaments/actions/logins/attempts.py). It opens nothing: the
browser still needs the password, and a code if the second factor is on.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import date, timedelta
from hashlib import sha256
from typing import TypeVar

from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from tournaments.actions.ledger import Actor, act_on_event, assign_values, transaction_or_busy
from tournaments.actions.people import (
    checked_scope,
    claim_invitation,
    grant,
    refuse_beyond,
    refuse_boards,
    role_scope,
)
from tournaments.actions.programs import end_opened
from tournaments.actions.site import act_on_site, note
from tournaments.declarations.events import CREATE_LOGIN, MAKE_PASSWORD_LINK, USE_PASSWORD_LINK
from tournaments.declarations.site import MAKE_DEVICE_LINK, SIGN_UP, SITE_CREATE_LOGIN, USE_DEVICE_LINK
from tournaments.errors import NOT_FOUND, DomainError, Refusal
from tournaments.models import (
    DeviceLink,
    Event,
    EventRole,
    Invitation,
    OneTimeLink,
    PasswordLink,
    ResultKeys,
    User,
)
from tournaments.models.events import Boards
from tournaments.rules import may_make_password_link
from tournaments.who_may_appoint import EVERYTHING, MayAppoint

from .sessions import end_sessions

# Refusals
USER_TAKEN = Refusal(
    "user_taken",
    _("The login name %(username)s is taken. If this is the same person, invite the existing login."),
)
USER_NAME_USED = Refusal("user_name_used", _("The login name %(username)s is taken. Choose another one."))
LINK_GONE = Refusal("link_gone", _("This link was used already, or it is too old. Ask for a new one."))
LINK_NOT_ALLOWED = Refusal(
    "link_not_allowed",
    _(
        "You cannot make a link for %(username)s, because this person also has rights that you do not have. "
        "Somebody with more rights, or a person at the server, can do it."
    ),
)
TOO_MANY_DEVICE_LINKS = Refusal(
    "too_many_device_links",
    _(
        "You have made %(limit)s links for a new phone since this time yesterday. Make the next one tomorrow, or "
        "ask an owner of your event for a link for a new password."
    ),
)


# Logins for the people of an event, with random passwords.

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def create_login(
    *,
    actor: Actor,
    event: Event,
    username: str,
    role: str,
    full_name: str = "",
    sections: Iterable[int] = (),
    until: date | None = None,
    boards: Boards | None = None,
    naming: MayAppoint = EVERYTHING,
) -> tuple[User, str]:
    """Make a login with a role in the event; return it with its password, which is stored nowhere.

    For a person who already has a login, call `invite_by_name` instead. People who may make logins are told that a
    name is taken: site owners trust them (docs/decisions/0043). sections, until, boards, naming: as in `give_role`.
    Raises DomainError: user_taken, invalid_values, role_unknown, role_of_whole_event, role_end_past, and those of
    `refuse_boards` and `refuse_beyond`.
    """
    password = random_password()
    user = _prepared(username, full_name, password)
    with act_on_event(event_id=event.pk, actor=actor, action=CREATE_LOGIN) as entry:
        chosen = checked_scope(entry.event, role, sections, until)
        refuse_boards(role, boards)
        refuse_beyond(naming, role, chosen, until)
        _save_new(user)
        grant(entry.event, user, role, chosen, until, boards)
        entry.subject = user.username
        entry.after = {"name": user.get_full_name(), **role_scope(role, chosen, until, boards)}
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
        note(actor, SITE_CREATE_LOGIN, subject=user.username, after=after)
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
            raise USER_NAME_USED.error(username=user.username) from error
        if invitation is not None:
            claim_invitation(invitation=invitation, user=user)
        after = {"by_invitation": True} if invitation is not None else {}
        note(Actor(user, origin), SIGN_UP, subject=user.username, after=after)
    return user


def _prepared(username: str, full_name: str, password: str) -> User:
    """Return a login that is not saved yet. Hashing is slow, so it is done before any lock."""
    given, _, surname = one_line(full_name).rpartition(" ")
    user = User()
    username = User.normalize_username(one_line(username))
    assign_values(user, {"username": username, "first_name": given, "last_name": surname})
    user.set_password(password)
    return user


def _save_new(user: User) -> None:
    if User.objects.filter(username__iexact=user.username).exists():
        raise USER_TAKEN.error(username=user.username)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # somebody else has just made the same name
        raise USER_TAKEN.error(username=user.username) from error


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


# Links that are used once. A token is shown to one person and stored nowhere, only its hash.

Link = TypeVar("Link", bound=OneTimeLink)


def new_token() -> str:
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return the hash under which a token is stored. A token has 256 random bits, so it needs no slow hash."""
    return sha256(token.encode()).hexdigest()


def find_link(links: QuerySet[Link], token: str) -> Link:
    """Return the link with this token. Raises DomainError("link_gone") if it was used, is too old, or never was."""
    found = links.filter(
        digest=digest_of(token), used_at=None, expires_at__gt=timezone.now(), user__is_active=True
    ).first()
    if found is None:
        raise LINK_GONE.error()
    return found


def claim_link(links: QuerySet[Link], link: Link) -> None:
    """Use up a link. Raises DomainError("link_gone") if somebody else has just done so."""
    if not links.filter(pk=link.pk, used_at=None).update(used_at=timezone.now()):
        raise LINK_GONE.error()


# Links with which a person who has forgotten the password sets a new one, once.

BY_HAND = timedelta(hours=24)
BY_MAIL = timedelta(hours=1)


def make_link(*, actor: Actor, event: Event, username: str) -> tuple[User, str]:
    """Make a link for a person of the event; return the person and the token, which is stored nowhere.

    Earlier links of this person end. Raises NotFound; DomainError("link_not_allowed").
    """
    username = one_line(username)
    with act_on_event(event_id=event.pk, actor=actor, action=MAKE_PASSWORD_LINK) as entry:
        held = (
            EventRole.objects.filter(event=event, user__username=username, user__is_active=True)
            .select_related("user")
            .first()
        )
        if held is None:
            raise NOT_FOUND.error(kind="role", id=username)
        if actor.user is None or not may_make_password_link(actor.user, held.user):
            raise LINK_NOT_ALLOWED.error(username=username)
        entry.subject = username
        PasswordLink.objects.filter(user=held.user, used_at=None).delete()
        token = _new_link(held.user, BY_HAND, made_by=actor.user, event=event)
    return held.user, token


def make_mail_link(user: User) -> str:
    """Make a link that goes to the person's mail; return its token.

    Earlier links stay as they were: anybody can ask for a mail, and must not end the link that the person waits for.
    `attempts.MAIL` limits their number.
    """
    with transaction.atomic():
        PasswordLink.objects.filter(user=user, used_at=None, expires_at__lte=timezone.now()).delete()
        return _new_link(user, BY_MAIL)


def link_of(token: str) -> PasswordLink:
    """Return the link with this token. Raises DomainError("link_gone") if it was used, is too old, or never was."""
    return find_link(PasswordLink.objects.select_related("user", "event"), token)


def use_link(*, token: str, user: User, origin: str, keep: bool = False) -> None:
    """Save the password that `user` carries, use up the link, and end all sessions of the person. What the
    login has opened for others ends too, unless the person keeps it.

    user: the person of the link, with the new password already hashed, because hashing is slow.
    The log of the event says so if an organiser made the link. Raises DomainError("link_gone").
    """
    with transaction.atomic():
        User.objects.select_for_update().get(
            pk=user.pk
        )  # two links of one person may be used at the same moment
        link = link_of(token)
        claim_link(PasswordLink.objects.all(), link)
        if link.user_id != user.pk:
            raise LINK_GONE.error()
        if link.event is not None:
            actor = Actor(user, origin)
            with act_on_event(event_id=link.event.pk, actor=actor, action=USE_PASSWORD_LINK) as entry:
                entry.subject = user.username
        user.save(update_fields=["password"])
        PasswordLink.objects.filter(user=user).exclude(pk=link.pk).delete()
        DeviceLink.objects.filter(user=user).delete()
        end_sessions(user=user)
        if not keep:
            end_opened(actor=Actor(user, origin), user=user)


def end_links(user: User) -> None:
    """End all links of a person, because the password has changed in another way."""
    PasswordLink.objects.filter(user=user).delete()
    DeviceLink.objects.filter(user=user).delete()


def end_open_links(user: User) -> None:
    """End the links of a person that nobody has used."""
    PasswordLink.objects.filter(user=user, used_at=None).delete()
    DeviceLink.objects.filter(user=user, used_at=None).delete()


def end_other_access(*, actor: Actor, user: User, session: str, keep: bool) -> None:
    """End all sessions of a person except one, links that nobody has used, and what the login has opened for others,
    unless the person keeps it.
    """
    with transaction.atomic():
        end_open_links(user)
        end_sessions(user=user, except_for=session)
        if not keep:
            end_opened(actor=actor, user=user)


def end_all_access(*, actor: Actor, user: User, keep: bool) -> None:
    """End all links and sessions of a person, and what the login has opened for others, unless the person keeps it."""
    with transaction.atomic():
        end_links(user)
        end_other_access(actor=actor, user=user, session="", keep=keep)


def password_made_by(user: User) -> PasswordLink | None:
    """Return the organiser's link with which the current password was set, or None."""
    used = PasswordLink.objects.filter(user=user, used_at__isnull=False, made_by__isnull=False)
    return used.select_related("made_by").first()


def _new_link(
    user: User, lifetime: timedelta, *, made_by: User | None = None, event: Event | None = None
) -> str:
    token = new_token()
    now = timezone.now()
    PasswordLink.objects.create(
        user=user,
        digest=digest_of(token),
        made_by=made_by,
        event=event,
        made_at=now,
        expires_at=now + lifetime,
    )
    return token


# Links with which a person who is logged in lets a new phone, or another new browser, log in without a wait.
#
# Somebody who guesses a person's password without a pause keeps browsers out that the person has never used.
# A link makes such a browser one that the person has used (tournaments/actions/logins/attempts.py). It opens
# nothing: the browser still needs the password, and a code if the second factor is on.

DEVICE_LINK_LIFETIME = timedelta(minutes=10)
A_DAY = timedelta(days=1)
MOST_DEVICE_LINKS_A_DAY = 10
"""Each new browser has free attempts of its own, so a stolen session must not make links without end."""


def make_device_link(*, actor: Actor, user: User) -> str:
    """Make a link for a new browser of this person; return its token. An earlier link ends.

    Raises DomainError("too_many_device_links").
    """
    with transaction_or_busy():
        User.objects.select_for_update().get(pk=user.pk)
        now = timezone.now()
        links = DeviceLink.objects.filter(user=user)
        links.filter(made_at__lt=now - A_DAY).delete()
        if links.count() >= MOST_DEVICE_LINKS_A_DAY:
            raise TOO_MANY_DEVICE_LINKS.error(limit=MOST_DEVICE_LINKS_A_DAY)
        links.filter(used_at=None).update(used_at=now)
        token = new_token()
        DeviceLink.objects.create(
            user=user, digest=digest_of(token), made_at=now, expires_at=now + DEVICE_LINK_LIFETIME
        )
        note(actor, MAKE_DEVICE_LINK, subject=user.username)
    return token


def device_link_of(token: str) -> DeviceLink:
    """Return the link with this token. Raises DomainError("link_gone") if it was used, is too old, or never was."""
    return find_link(DeviceLink.objects.select_related("user"), token)


def use_device_link(*, token: str, origin: str) -> None:
    """Use up the link. The caller lets the browser keep that it is known. Raises DomainError("link_gone")."""
    with transaction_or_busy():
        link = device_link_of(token)
        claim_link(DeviceLink.objects.all(), link)
        note(Actor(link.user, origin), USE_DEVICE_LINK, subject=link.user.username)
