"""Finish a round, or make it published again; `pairing/actions.py` has the other states of a round."""

from __future__ import annotations

from django.db.models import F
from django.utils import timezone

from tournaments.errors import DomainError
from tournaments.models import Game, Round


def refuse_unfinished(last: Round) -> None:
    """Refuse to continue after a round that is a draft, lacks results, or has slips with two different readings.

    Raises DomainError: round_is_draft, results_missing, results_in_conflict.
    """
    if last.is_draft:
        raise DomainError("round_is_draft", round=last.number)
    refuse_open_phase(last)
    if boards := list(last.games.filter(result="").order_by("board").values_list("board", flat=True)):
        raise DomainError("results_missing", round=last.number, boards=boards)
    read_twice = last.games.exclude(second_result="").exclude(second_result=F("result"))
    if boards := list(read_twice.order_by("board").values_list("board", flat=True)):
        raise DomainError("results_in_conflict", round=last.number, boards=boards)


def refuse_open_phase(row: Round) -> None:
    """Refuse while the round is being paired by hand. Raises DomainError."""
    if row.manual_phase:
        raise DomainError("manual_phase_open", round=row.number)


def finish(last: Round) -> None:
    """Finish a round, because the next one is paired or the section is closed."""
    _forget_rounds_after(last)
    last.state = Round.State.FINISHED
    last.finished_at = timezone.now()
    last.save(update_fields=["state", "finished_at"])


def unfinish(last: Round) -> None:
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
