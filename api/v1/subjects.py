"""What a request is about: the rows that its address names, and whether the token may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from base.zones import today_in
from tournaments.models import (
    AccessToken,
    ActionLog,
    Bye,
    Event,
    EventRole,
    ForbiddenPair,
    Game,
    Incident,
    Participant,
    Round,
    Scope,
    Screen,
    Section,
    User,
)
from tournaments.models.events import EventState
from tournaments.rights import OF_WHOLE_EVENT, Right
from tournaments.rules import Held, held_in, rights_in
from web.views.staff.log import undone_actions

from .operations import TO_UNDO, Operation
from .problems import REALM, Problem

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
    if "incident" in parts:
        return _in_section(Incident.objects.select_related("section__event").filter(pk=parts["incident"]))
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


def allow(token: AccessToken, operation: Operation, subject: Subject) -> Held:
    """Check that the token is for this, and that its maker may do it now. Return what the maker may do there.

    Raises Http404 for what the maker does not work on; Problem("scope_missing"); PermissionDenied.
    """
    held = _held(token, subject) if subject.event is not None else Held()
    if operation.scope is not None:
        needs(token, operation.scope)
    if operation.permission and not token.made_by.has_perm(
        operation.permission, subject.section or subject.event
    ):
        raise PermissionDenied
    return held


def needs(token: AccessToken, scope: Scope) -> None:
    """Raise Problem("scope_missing") if the token does not have this scope."""
    if scope not in token.scopes:
        problem = Problem(
            403,
            "scope_missing",
            _("This request needs a token with the scope %(scope)s.") % {"scope": scope.value},
            scope=scope.value,
        )
        problem.headers["WWW-Authenticate"] = f'{REALM}, error="insufficient_scope", scope="{scope.value}"'
        raise problem


def needs_to_undo(token: AccessToken, section: Section, rows: QuerySet[ActionLog]) -> None:
    """Raise Problem("scope_missing") if the token could not do all these actions of a section."""
    for name in sorted(undone_actions(section, rows)):
        needs(token, TO_UNDO.get(name, Scope.ROUNDS_WRITE))


def _held(token: AccessToken, subject: Subject) -> Held:
    """Return what the maker may do there. Raises Http404 unless the maker works on it, and for a draft that the maker
    does not see: a result clerk.
    """
    event, maker = subject.event, token.made_by
    assert event is not None
    found = held_in(maker, subject.section or event)
    held = found.rights
    if token.event_id is None:
        works = Right.MANAGE in (held if subject.section is None else rights_in(maker, event))
    else:
        works = token.event_id == event.pk and Right.VIEW in held
    if not works or (_is_draft(subject.row) and Right.SEE not in held):
        raise Http404
    return found


def _is_draft(row: Any) -> bool:
    found = row.round if isinstance(row, Game) else row
    return isinstance(found, Round) and found.is_draft


def events_of(token: AccessToken) -> QuerySet[Event]:
    """Return the events that a token sees: none on which its maker does not work any more."""
    maker: User = token.made_by
    found = Event.objects.exclude(state=EventState.DELETED)
    found = found if token.event_id is None else found.filter(pk=token.event_id)
    if maker.is_superuser:
        return found
    rows = EventRole.objects.filter(user=maker, event__in=found).select_related("event")
    if token.event_id is None:
        rows = rows.filter(role__in=OF_WHOLE_EVENT)
    return found.filter(pk__in=[row.event_id for row in rows if row.counts_on(today_in(row.event.time_zone))])
