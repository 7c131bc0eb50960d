"""Results of games: recorded, changed, cleared."""

from __future__ import annotations

from django.utils import timezone

from pairing.engine import RESULTS, Result
from tournaments.errors import DomainError, NotFound, Stale
from tournaments.models import Game, Integrity

from .ledger import Actor, act

_CHANGES_SCORES = frozenset(Result) - {Result.DRAW, Result.DRAW_UNRATED}


def record_result(*, actor: Actor, game_id: int, result: Result | str, seen_version: int) -> Game:
    """Record a result, or clear it (""). The result that stands already is not an error, whoever typed it.

    seen_version: the version of the game that the arbiter saw. In a finished round only an adjourned game waits for
    its result, which may come at any time (GHR 3.1; VCL4THP.13 Q162); it was played, so a forfeit is none.
    Raises NotFound; Stale("stale_result") with what somebody else has recorded; DomainError: unknown_result,
    round_not_published, round_finished, adjourned_was_played.
    """
    value = str(result)
    if value and value not in set(Result):
        raise DomainError("unknown_result", result=value)
    found = Game.objects.filter(pk=game_id).values_list("round__tournament_id", flat=True).first()
    if found is None:
        raise NotFound("not_found", kind="game", id=game_id)
    with act(tournament_id=found, actor=actor, action="record_result") as log:
        related = ("round", "white__player", "black__player", "entered_by")
        game = Game.objects.select_related(*related).filter(pk=game_id).first()
        if game is None:
            raise NotFound("not_found", kind="game", id=game_id)
        if game.round.is_draft:
            raise DomainError("round_not_published", round=game.round.number)
        if game.result == value:
            log.unchanged = True
            return game
        if game.version != seen_version:
            raise _stale(game)
        if game.round.is_finished:
            _refuse_in_finished_round(game, value)
            if value in _CHANGES_SCORES:
                log.integrity = Integrity.ADJOURNMENT
        log.subject = f"{game.board}: {game.white} - {game.black}"
        log.round_number = game.round.number
        log.before = {"result": game.result}
        log.after = {"result": value, "board": game.board, "game": game.pk}
        game.result = value
        game.version += 1
        game.entered_by, game.entered_at = actor.user, timezone.now()
        game.save(update_fields=["result", "version", "entered_by", "entered_at"])
    return game


def _stale(game: Game) -> Stale:
    return Stale(
        "stale_result",
        board=game.board,
        theirs=game.result,
        version=game.version,
        by=game.entered_by.label if game.entered_by else "",
        at=game.entered_at.isoformat() if game.entered_at else "",
    )


def _refuse_in_finished_round(game: Game, value: str) -> None:
    if not game.is_adjourned:
        raise DomainError("round_finished", round=game.round.number)
    if not value or not RESULTS[Result(value)].played:
        raise DomainError("adjourned_was_played", board=game.board, result=value)
