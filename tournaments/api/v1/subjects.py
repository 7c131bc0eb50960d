"""What a request is about: the rows that its address names, and whether the token may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from tournaments.models import (
    AccessToken,
    Bye,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Participant,
    Round,
    Scope,
    Screen,
    Section,
    User,
)

from .operations import MANAGE, SEE, Operation
from .problems import Problem

BIGGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Subject:
    """event, section: those of the row. row: what the address names; None for all events."""

    row: Any = None
    event: Event | None = None
    section: Section | None = None


def subject_of(parts: dict[str, Any]) -> Subject:
    """Return what an address is about. Raises Http404."""
    if any(isinstance(value, int) and value > BIGGEST for value in parts.values()):
        raise Http404
    if "event" in parts:
        event = _one(Event.objects.filter(pk=parts["event"]))
        return Subject(event, event)
    if "section" in parts:
        section = _one(Section.objects.select_related("event").filter(pk=parts["section"]))
        if "number" not in parts:
            return Subject(section, section.event, section)
        row = _one(Round.objects.filter(section=section, number=min(parts["number"], 10_000)))
        row.section = section
        return Subject(row, section.event, section)
    if "forbidden" in parts:
        return _in_section(
            ForbiddenPair.objects.select_related("section__event").filter(pk=parts["forbidden"])
        )
    if "screen" in parts:
        screen = _one(Screen.objects.select_related("event").filter(pk=parts["screen"]))
        return Subject(screen, screen.event)
    if "entry" in parts:
        related = ("section__event", "player")
        return _in_section(Participant.objects.select_related(*related).filter(pk=parts["entry"]))
    if "game" in parts:
        games = games_with_players().select_related("round__section__event")
        game = _one(games.filter(pk=parts["game"]))
        return Subject(game, game.round.section.event, game.round.section)
    if "bye" in parts:
        byes = Bye.objects.select_related("participant__section__event", "participant__player")
        bye = _one(byes.filter(pk=parts["bye"]))
        return Subject(bye, bye.participant.section.event, bye.participant.section)
    return Subject()


def games_with_players() -> QuerySet[Game]:
    return Game.objects.select_related("round", "white__player", "black__player")


def _in_section(rows: QuerySet[Any]) -> Subject:
    row = _one(rows)
    return Subject(row, row.section.event, row.section)


def _one(rows: QuerySet[Any]) -> Any:
    found = rows.first()
    if found is None:
        raise Http404
    return found


def allow(token: AccessToken, operation: Operation, subject: Subject) -> None:
    """Check that the token is for this, and that its maker may do it now.

    Raises Http404 for what the maker does not work on; Problem("scope_missing"); PermissionDenied.
    """
    if subject.event is not None:
        _see(token, subject)
    if operation.scope is not None:
        needs(token, operation.scope)
    if operation.permission and not token.made_by.has_perm(
        operation.permission, subject.section or subject.event
    ):
        raise PermissionDenied


def needs(token: AccessToken, scope: Scope) -> None:
    """Raise Problem("scope_missing") if the token does not have this scope."""
    if scope not in token.scopes:
        raise Problem(
            403,
            "scope_missing",
            _("This token is not for this. It needs the scope %(scope)s.") % {"scope": scope.value},
            scope=scope.value,
        )


def _see(token: AccessToken, subject: Subject) -> None:
    event, maker = subject.event, token.made_by
    if token.event_id is not None and event is not None and token.event_id != event.pk:
        raise Http404
    if not maker.has_perm(SEE if token.event_id else MANAGE, event):
        raise Http404


def events_of(token: AccessToken) -> QuerySet[Event]:
    """Return the events that a token sees."""
    if token.event_id is not None:
        return Event.objects.filter(pk=token.event_id)
    maker: User = token.made_by
    if maker.is_superuser:
        return Event.objects.all()
    return Event.objects.filter(roles__user=maker, roles__role=EventRole.Role.OWNER)
