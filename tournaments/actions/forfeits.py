"""The games of a player who leaves a section whose rounds are fixed (FIDE Handbook C.05, 6.6)."""

from __future__ import annotations

from django.db.models import Q, QuerySet
from django.utils import timezone

from evenboard_engine import RESULTS, Result
from tournaments.models import Game, Participant

from .ledger import Actor

_WON_ABSENT = {True: Result.WHITE_WINS_BY_FORFEIT, False: Result.BLACK_WINS_BY_FORFEIT}
"""The result that a player who did not leave got against one who had, by whether the player has White."""


def last_round_played(participant: Participant) -> int:
    """Return the number of the last round in which the player played a game; 0 for none."""
    rows = _games(participant).order_by("-round__number").values_list("round__number", "result")
    return next((number for number, result in rows if result and RESULTS[Result(result)].played), 0)


def forfeit_games(participant: Participant, actor: Actor) -> list[list[int]]:
    """Forfeit the games without a result, and return them as [round, board]. The participant has already left.

    A game that the player had won against somebody who left earlier, in a round of which no game has been played yet,
    is lost by both.
    """
    changed = []
    begun = _rounds_begun(participant)
    games = _games(participant).select_related("round", "white", "black").order_by("round__number", "board")
    for game in games:
        white = game.white_id == participant.pk
        other = game.black if white else game.white
        later = game.round.number not in begun
        if not game.result:
            result = _WON_ABSENT[not white] if other.is_active else Result.DOUBLE_FORFEIT
        elif later and not other.is_active and game.result == _WON_ABSENT[white]:
            result = Result.DOUBLE_FORFEIT
        else:
            continue
        game.result, game.version = result.value, game.version + 1
        game.entered_by, game.entered_at = actor.user, timezone.now()
        game.over_at, game.over_by = None, None
        game.save(update_fields=["result", "version", "entered_by", "entered_at", "over_at", "over_by"])
        changed.append([game.round.number, game.board])
    return changed


def _rounds_begun(participant: Participant) -> frozenset[int]:
    rows = Game.objects.filter(round__section=participant.section_id).exclude(result="")
    results = rows.values_list("round__number", "result")
    return frozenset(number for number, result in results if RESULTS[Result(result)].played)


def _games(participant: Participant) -> QuerySet[Game]:
    return Game.objects.filter(Q(white=participant) | Q(black=participant))
