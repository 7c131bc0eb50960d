"""Finish a round, or make it published again; say when rounds begin; publish the lists of a round by hand; keep which
papers of a round were printed.

`pairing/rounds.py` has the other states of a round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournaments.declarations.rounds import PUBLISH_LISTS
from tournaments.declarations.sections import SET_ROUND_STARTS
from tournaments.errors import (
    MANUAL_PHASE_OPEN,
    RESULTS_MISSING,
    ROUND_IS_DRAFT,
    ROUND_OUT_OF_RANGE,
    Refusal,
)
from tournaments.models import Game, PublishedList, Round, RoundStart, Section
from tournaments.models.sections import PAPER_SIZES
from tournaments.queries.published_lists import newest_editions, played_results

from .due_lists import publish_list
from .ledger import Actor, act, refuse_overtaken

# Refusals
ROUNDS_OUT_OF_ORDER = Refusal(
    "rounds_out_of_order", _("Round %(later)s cannot begin before round %(earlier)s.")
)
RESULTS_IN_CONFLICT = Refusal("results_in_conflict", params=("round", "boards"))
LIST_NOT_DUE = Refusal(
    "list_not_due",
    _(
        "The list after round %(round)s cannot be published now: a result was removed, or the next round is paired. "
        "This page shows how it is now."
    ),
)
LIST_IN_CONFLICT = Refusal(
    "list_in_conflict",
    _(
        "The list after round %(round)s cannot be published yet, because a slip was read in two ways. Decide about the "
        "result first."
    ),
)


# Finish a round, or make it published again; `pairing/rounds.py` has the other states of a round.


def refuse_unfinished(last: Round) -> None:
    """Refuse to continue after a round that is a draft, lacks results, or has slips with two different readings.

    Raises DomainError: round_is_draft, results_missing, results_in_conflict.
    """
    if last.is_draft:
        raise ROUND_IS_DRAFT.error(round=last.number)
    refuse_open_phase(last)
    if boards := list(last.games.filter(result="").order_by("board").values_list("board", flat=True)):
        raise RESULTS_MISSING.error(round=last.number, boards=boards)
    read_twice = last.games.exclude(second_result="").exclude(second_result=F("result"))
    if boards := list(read_twice.order_by("board").values_list("board", flat=True)):
        raise RESULTS_IN_CONFLICT.error(round=last.number, boards=boards)


def refuse_open_phase(row: Round) -> None:
    """Refuse while the round is being paired by hand. Raises DomainError."""
    if row.manual_phase:
        raise MANUAL_PHASE_OPEN.error(round=row.number)


def finish_round(last: Round) -> None:
    """Finish a round, because the next one is paired or the section is closed."""
    _forget_rounds_after(last)
    last.state = Round.State.FINISHED
    last.finished_at = timezone.now()
    last.save(update_fields=["state", "finished_at"])


def unfinish_round(last: Round) -> None:
    """Make a finished round published again, because it is the last one again."""
    last.state = Round.State.PUBLISHED
    last.finished_at = None
    last.save(update_fields=["state", "finished_at"])


def _forget_rounds_after(last: Round) -> None:
    """Cut `Game.earlier` at the last round: later rounds that were paired with such a result are unpaired."""
    games = Game.objects.select_related("round").filter(round__section=last.section_id)
    for game in games.exclude(earlier=[]):
        kept = game.earlier_until(last.number)
        if kept != game.earlier:
            game.earlier = kept
            game.save(update_fields=["earlier"])


# When the rounds of a section begin.


def set_round_starts(
    *,
    actor: Actor,
    section_id: int,
    starts: Mapping[int, RoundStart | None],
    seen: Mapping[int, str] | None = None,
) -> Section:
    """Set when rounds begin; None: not known. Rounds that are not in `starts` do not change.

    seen: what the form showed, by round, "" for nothing.
    Raises Stale("overtaken") with rounds as names; DomainError: round_out_of_range; rounds_out_of_order
    if a round would begin before an earlier one.
    """
    with act(section_id=section_id, actor=actor, action=SET_ROUND_STARTS) as entry:
        section = entry.section
        for number in starts:
            if not 1 <= number <= section.rounds:
                raise ROUND_OUT_OF_RANGE.error(round=number, rounds=section.rounds)
        numbers = range(1, section.rounds + 1)
        former = {number: section.start_of(number) for number in numbers}
        _refuse_overtaken(former, starts, seen)
        wanted = {**former, **starts}
        known = [(number, start) for number in numbers if (start := wanted[number])]
        refuse_disorder(known)
        changed = [number for number in numbers if wanted[number] != former[number]]
        entry.before = {"schedule": {str(number): str(former[number] or "") for number in changed}}
        entry.after = {"schedule": {str(number): str(wanted[number] or "") for number in changed}}
        entry.unchanged = not changed
        if changed:
            section.schedule = [str(wanted[number] or "") for number in numbers]
            section.save(update_fields=["schedule"])
    return section


def refuse_disorder(known: Sequence[tuple[int, RoundStart]]) -> None:
    """Raise DomainError("rounds_out_of_order") if a round would begin before an earlier one. known: by number."""
    for (earlier, first), (later, second) in pairwise(known):
        if second.is_before(first):
            raise ROUNDS_OUT_OF_ORDER.error(earlier=earlier, later=later)


def _refuse_overtaken(
    former: Mapping[int, RoundStart | None],
    starts: Mapping[int, RoundStart | None],
    seen: Mapping[int, str] | None,
) -> None:
    """Raises Stale("overtaken")."""
    stands = {str(number): str(start or "") for number, start in former.items()}
    wanted = {str(number): str(start or "") for number, start in starts.items()}
    shown = {str(number): text for number, text in seen.items()} if seen is not None else None
    refuse_overtaken(stands, wanted, shown)


# Publish the lists of a section after a round: for arbiters who do not let them be published by themselves.


def publish_lists(*, actor: Actor, section_id: int, after_round: int) -> tuple[PublishedList, ...]:
    """Publish the lists of the pairing system after a round, or a new edition of those that have changed since.

    after_round: the round that the page showed. An undo withdraws the lists.
    Raises NotFound; DomainError: list_not_due, list_in_conflict.
    """
    with act(section_id=section_id, actor=actor, action=PUBLISH_LISTS, allow_closed=True) as entry:
        section = entry.section
        now = played_results(section)
        if not section.lists or after_round != now.after_round or not now.is_next(section):
            raise LIST_NOT_DUE.error(round=after_round)
        if now.in_conflict:
            raise LIST_IN_CONFLICT.error(round=after_round)
        newest = newest_editions(section, since=after_round)
        made = [
            publish_list(
                section,
                kind,
                after_round,
                newest.get((kind, after_round)),
                revision=section.revision + 1,
                who=actor.name[:150],
            )
            for kind in section.lists
        ]
        found = tuple(one for one in made if one is not None)
        entry.unchanged = not found
        entry.round_number = after_round
        entry.after = {
            "lists": [one.kind for one in found],
            "edition": max((one.edition for one in found), default=0),
        }
    return found


def note_round_papers(section: Section, papers: Mapping[str, str]) -> None:
    """Keep which papers of a round were printed, and in which sizes. If the database is busy, the former ones stay."""
    if section.round_papers != papers and set(papers.values()) <= PAPER_SIZES:
        with suppress(DatabaseError), transaction.atomic():
            Section.objects.filter(pk=section.pk).update(round_papers=papers)
