"""Tokens for programs: made and ended by organisers, found by the API."""

from __future__ import annotations

import secrets
from collections.abc import Collection
from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from base.text import one_line
from tournaments.errors import DomainError, NotFound
from tournaments.models import AccessToken, Event, KeptAnswer, Scope, User
from tournaments.models.invitation import hash_of
from tournaments.queries.access_tokens import opened_by

from .invitations import revoke_invitation
from .ledger import Actor, act_on_event
from .site import act_on_site, note

MOST = 50
"""Tokens of an event, or of a person, that are in force."""
BEGINS = "evb_"
PREFIX = 12
GRAIN = timedelta(minutes=10)
LONGEST = timedelta(days=366)
KEPT = timedelta(hours=24)
"""For so long a request that is sent again gets the first answer."""
GONE = timedelta(days=30)
"""A token that ended is listed for so long."""


def make_token(
    *, actor: Actor, event: Event | None, name: str, scopes: Collection[str], expires_at: datetime
) -> tuple[AccessToken, str]:
    """Make a token for one event, or (None) for all events of which the actor is an organiser.

    Return it and its text, which is stored nowhere.
    Raises DomainError: name_required, too_many_access_tokens, access_token_scopes, access_token_end.
    """
    if actor.user is None:
        raise TypeError("a token has the rights of a login")
    name = one_line(name)[:60]
    if not name:
        raise DomainError("name_required")
    wanted = [scope for scope in Scope.values if scope in scopes]
    if not wanted or len(wanted) != len(set(scopes)):
        raise DomainError("access_token_scopes")
    if not timezone.now() < expires_at <= timezone.now() + LONGEST:
        raise DomainError("access_token_end", days=LONGEST.days)
    text = BEGINS + secrets.token_urlsafe(32)
    token = AccessToken(
        event=event,
        made_by=actor.user,
        name=name,
        prefix=text[:PREFIX],
        token_hash=hash_of(text),
        scopes=wanted,
        expires_at=expires_at,
    )
    after = {"scopes": wanted, "expires_at": expires_at.isoformat()}
    if event is None:
        with act_on_site():
            _refuse_too_many(Q(event=None, made_by=actor.user))
            token.save()
            note(actor, "make_access_token", subject=name, after=after)
    else:
        with act_on_event(event_id=event.pk, actor=actor, action="make_access_token") as entry:
            _refuse_too_many(Q(event=event))
            token.save()
            entry.subject, entry.after = name, after
    return token, text


def _refuse_too_many(whose: Q) -> None:
    valid = AccessToken.objects.filter(whose, ended_at=None, expires_at__gt=timezone.now())
    if valid.count() >= MOST:
        raise DomainError("too_many_access_tokens", limit=MOST)


def end_token(*, actor: Actor, event: Event | None, token_id: int) -> AccessToken:
    """End a token of the event, or (None) one of the actor's own. Raises NotFound."""
    if event is None:
        with act_on_site():
            token = _end(
                AccessToken.objects.filter(event=None, made_by=actor.user).filter(pk=token_id).first()
            )
            note(actor, "end_access_token", subject=token.name)
    else:
        with act_on_event(event_id=event.pk, actor=actor, action="end_access_token") as entry:
            token = _end(AccessToken.objects.filter(event=event, pk=token_id).first())
            entry.subject = token.name
    return token


def end_opened(*, actor: Actor, user: User) -> None:
    """End what a login has opened for others: access tokens, invitations that nobody has answered, and links with which
    others set a password. The logs of the events and of the site name each token and each invitation.
    """
    opened = opened_by(user)
    for token in list(opened.tokens):
        end_token(actor=actor, event=token.event, token_id=token.pk)
    for invitation in list(opened.invitations):
        revoke_invitation(actor=actor, event=invitation.event, invitation_id=invitation.pk)
    opened.links.delete()


def _end(token: AccessToken | None) -> AccessToken:
    if token is None or token.ended_at is not None:
        raise NotFound("not_found", kind="access_token", id=token.pk if token else 0)
    token.ended_at = timezone.now()
    token.save(update_fields=["ended_at"])
    return token


def token_of(text: str) -> AccessToken | None:
    """Return the valid token with this text. One query, and every ten minutes a second one that notes the use."""
    tokens = AccessToken.objects.select_related("made_by", "event")
    token = tokens.filter(token_hash=hash_of(text)).first()
    if token is None or not token.is_valid:
        return None
    now = timezone.now()
    if token.seen_at is None or now - token.seen_at >= GRAIN:
        AccessToken.objects.filter(pk=token.pk).update(seen_at=now)
    return token


def empty_answers(event: Event) -> None:
    """Empty the kept answers about an event, because somebody in it is erased. A request that is sent again still does
    nothing.
    """
    KeptAnswer.objects.filter(Q(token__event=event) | Q(token__event=None)).update(body="{}")


def forget_tokens(now: datetime) -> None:
    """Delete answers that nobody can ask for again, and tokens that ended long ago."""
    KeptAnswer.objects.filter(made_at__lt=now - KEPT).delete()
    AccessToken.objects.filter(Q(ended_at__lt=now - GONE) | Q(expires_at__lt=now - GONE)).delete()
