"""The round that people are busy with."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from django.db.models import F, Q

from tournaments.models import Game, Round, Section


def current_of(section: Section, rounds: Sequence[Round], unfinished: Collection[int]) -> Round | None:
    """Return the latest round; where all rounds are fixed, the first that is a draft or lacks a result, if one does.

    rounds: those that the reader may see, in order. unfinished: the keys of rounds that lack results.
    """
    latest = rounds[-1] if rounds else None
    if not section.fixed_rounds:
        return latest
    return next((row for row in rounds if row.is_draft or row.pk in unfinished), latest)


def unfinished_rounds(section: Section) -> frozenset[int]:
    """Return the keys of the rounds that lack a result, or have a slip that was read in two ways. One query."""
    differ = Q(second_result__gt="") & ~Q(second_result=F("result"))
    games = Game.objects.filter(Q(result="") | differ, round__section=section)
    return frozenset(games.values_list("round_id", flat=True))
