"""Logins for the people of an event, with random passwords."""

from __future__ import annotations

import secrets

from django.db import IntegrityError, transaction

from tournaments.errors import DomainError
from tournaments.models import Event, EventRole, ResultKeys, User

from .fields import assign
from .ledger import Actor, act_on_event
from .text import one_line

_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"


def create_login(*, actor: Actor, event: Event, username: str, full_name: str = "") -> tuple[User, str]:
    """Make a login for a new arbiter of the event; return it with its password, which is stored nowhere.

    For a person who already has a login, call `add_role` instead.
    Raises DomainError: user_taken, invalid_values.
    """
    username = User.normalize_username(one_line(username))
    given, _, surname = one_line(full_name).rpartition(" ")
    password = random_password()
    user = User()
    assign(user, {"username": username, "first_name": given, "last_name": surname})
    user.set_password(password)  # hashing is slow, so before the lock
    with act_on_event(event_id=event.pk, actor=actor, action="create_login") as entry:
        if User.objects.filter(username__iexact=username).exists():
            raise DomainError("user_taken", username=username)
        try:
            with transaction.atomic():
                user.save()
        except IntegrityError as error:  # another event has just made the same name
            raise DomainError("user_taken", username=username) from error
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
        entry.subject = username
        entry.after = {"name": user.get_full_name(), "role": EventRole.Role.ARBITER.value}
    return user, password


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
