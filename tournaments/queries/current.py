"""The round that people are busy with."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from hashlib import sha256

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


def mark_of(
    section: Section, published: Sequence[Round], unfinished: Collection[int], number: int | None
) -> str:
    """Return the mark of a round, or of the current one without a number; "" if it is not published.

    It changes when the round is published again or changed by hand, and with the current round. A result does not
    change it. The mark of a numbered round also says whether visitors may read why it was paired so: pages about a
    round show this, or lead to it. published, unfinished: as for `current_of`.
    """
    if number is None:
        shown = current_of(section, published, unfinished)
    else:
        shown = next((row for row in published if row.number == number), None)
    if shown is None:
        return ""
    explained = "-why" if number is not None and section.is_explained else ""
    return f"{shown.number}-{shown.version}-{_second(shown.published_at)}{explained}"


def _second(at: datetime | None) -> int:
    """Return the second of a publication; a round that was paired again may have the former version. 0: imported."""
    return int(at.timestamp()) if at else 0


def mark_of_event(event_id: int) -> str:
    """Return the mark of all published rounds of an event. One query."""
    rounds = Round.objects.filter(section__event=event_id).exclude(state=Round.State.DRAFT)
    found = rounds.order_by("section_id", "number").values_list(
        "section_id", "number", "version", "published_at"
    )
    marks = [(section, number, version, _second(at)) for section, number, version, at in found]
    return sha256(repr(marks).encode()).hexdigest()[:16]
