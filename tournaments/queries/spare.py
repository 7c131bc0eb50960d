"""What a spare holds, and which actions only a machine has that another one has replaced."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, Max, Q, QuerySet

from tournaments.hooks import other_logs
from tournaments.models import ActionLog, Game, Round, Section, SiteLog
from tournaments.models.log import AppendOnlyRow
from tournaments.models.spare import guard

MOST_SHOWN = 100


@dataclass(frozen=True, slots=True)
class HeldRound:
    """The latest round of a section. results: how many of its `games` have one. open_boards: the boards without one."""

    section: Section
    number: int
    results: int
    games: int
    open_boards: Sequence[int]


def held_rounds() -> list[HeldRound]:
    """Return the latest round of each section that is not closed, hidden or empty. Two queries."""
    latest = (
        Round.objects.filter(section__status=Section.Status.OPEN, section__taken_away=False)
        .values("section")
        .annotate(number=Max("number"))
        .values_list("section", "number")
    )
    wanted = Q(pk__in=[])
    for section, number in latest:
        wanted |= Q(section=section, number=number)
    rounds = (
        Round.objects.filter(wanted)
        .select_related("section__event")
        .order_by("section__event__slug", "section__slug")
    )
    missing: dict[int, list[int]] = {}
    for round_id, board in (
        Game.objects.filter(round__in=rounds, result="").values_list("round_id", "board").order_by("board")
    ):
        missing.setdefault(round_id, []).append(board)
    return [
        HeldRound(row.section, row.number, row.games_count - len(left), row.games_count, left)
        for row in rounds.annotate(games_count=Count("games"))
        for left in [missing.get(row.pk, [])]
    ]


def last_action() -> datetime | None:
    """Return when somebody last did something in any event. One query."""
    return ActionLog.objects.order_by("-pk").values_list("at", flat=True).first()


def logs() -> list[type[AppendOnlyRow]]:
    """Return the logs of this site: of events, of the site, and those of applications above this one."""
    return [ActionLog, SiteLog, *(log for log, _words in other_logs)]


def newest_log_keys() -> list[int]:
    """Return the key of the newest row of each log. One query for each."""
    return [log.objects.aggregate(newest=Max("pk"))["newest"] or 0 for log in logs()]


def only_here() -> list[QuerySet[Any]]:
    """Return the rows of each log, oldest first, that the machine which writes now does not have."""
    common = guard.term.common(guard.heard) if guard.heard > guard.term else None
    if common is None:
        return []
    return [
        log.objects.filter(pk__gt=key)
        .order_by("pk")
        .select_related(*(["event", "section"] if log is ActionLog else []))
        for log, key in zip(logs(), common, strict=False)
    ]
