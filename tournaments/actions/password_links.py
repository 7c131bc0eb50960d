"""Links with which a person who has forgotten the password sets a new one, once."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from base.text import one_line
from tournaments.errors import DomainError, NotFound
from tournaments.models import DeviceLink, Event, EventRole, PasswordLink, User
from tournaments.rules import may_make_password_link

from .access_tokens import end_opened
from .ledger import Actor, act_on_event
from .login_sessions import end_sessions
from .one_time_links import claim_link, digest_of, find_link, new_token

BY_HAND = timedelta(hours=24)
BY_MAIL = timedelta(hours=1)


def make_link(*, actor: Actor, event: Event, username: str) -> tuple[User, str]:
    """Make a link for a person of the event; return the person and the token, which is stored nowhere.

    Earlier links of this person end. Raises NotFound; DomainError("link_not_allowed").
    """
    username = one_line(username)
    with act_on_event(event_id=event.pk, actor=actor, action="make_password_link") as entry:
        held = (
            EventRole.objects.filter(event=event, user__username=username, user__is_active=True)
            .select_related("user")
            .first()
        )
        if held is None:
            raise NotFound("not_found", kind="role", id=username)
        if actor.user is None or not may_make_password_link(actor.user, held.user):
            raise DomainError("link_not_allowed", username=username)
        entry.subject = username
        PasswordLink.objects.filter(user=held.user, used_at=None).delete()
        token = _new_link(held.user, BY_HAND, made_by=actor.user, event=event)
    return held.user, token


def make_mail_link(user: User) -> str:
    """Make a link that goes to the person's mail; return its token.

    Earlier links stay as they were: anybody can ask for a mail, and must not end the link that the person waits for.
    `login_trials.MAIL` limits their number.
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
            raise DomainError("link_gone")
        if link.event is not None:
            actor = Actor(user, origin)
            with act_on_event(event_id=link.event.pk, actor=actor, action="use_password_link") as entry:
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
