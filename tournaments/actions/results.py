"""Results of games: recorded, changed, cleared; read from the slip a second time; a game seen to end without a slip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from django.utils import timezone

from pairing.engine import RESULTS, Result
from tournaments.errors import DomainError, NotFound, Stale
from tournaments.models import Game, Integrity, User

from .ledger import Actor, TournamentEntry, act
from .roster import rounds_paired

_CHANGES_SCORES = frozenset(Result) - {Result.DRAW, Result.DRAW_UNRATED}


def record_result(
    *, actor: Actor, game_id: int, result: Result | str, seen_version: int, confirmed: bool = False
) -> Game:
    """Record a result, or clear it (""). The result that stands already is not an error, whoever typed it.

    seen_version: the version of the game that the arbiter saw. In a finished round only an adjourned game waits for
    its result, which may come at any time (GHR 3.1; VCL4THP.13 Q162); it was played, so a forfeit is none. One other
    than a draw, as which it was paired on, is asked about first (level 3, Q163): confirmed says that it was.
    A second reading of the slip (`confirm_result`) stays where it says the same as the new result, which settles
    the difference; otherwise it was of another result, and goes.
    Raises NotFound; Stale("stale_result") with what somebody else has recorded; DomainError: unknown_result,
    round_not_published, round_finished, adjourned_was_played, adjourned_to_confirm.
    """
    value = _known(result)
    with _acting(actor, game_id, "record_result") as (log, game):
        if game.result == value:
            log.unchanged = True
            return game
        if game.version != seen_version:
            raise _stale(game, game.result, game.entered_by, game.entered_at)
        if game.round.is_finished:
            _refuse_in_finished_round(game, value, confirmed=confirmed)
            game.remember(rounds_paired(log.tournament))
            if value in _CHANGES_SCORES:
                log.integrity = Integrity.ADJOURNMENT
        log.before = {"result": game.result}
        log.after = {"result": value, "board": game.board, "game": game.pk}
        game.result = value
        game.version += 1
        game.entered_by, game.entered_at = actor.user, timezone.now()
        changed = ["result", "version", "entered_by", "entered_at", "earlier"]
        if game.second_result and game.second_result != value:
            log.before["second_result"], log.after["second_result"] = game.second_result, ""
            game.second_result, game.second_by, game.second_at = "", None, None
            changed += ["second_result", "second_by", "second_at"]
        if value and game.over_at:
            game.over_at, game.over_by = None, None
            changed += ["over_at", "over_by"]
        game.save(update_fields=changed)
    return game


def type_result(
    *, actor: Actor, game_id: int, result: Result | str, seen_version: int, confirmed: bool = False
) -> Game:
    """Record a result, as a person types it, so that no seat is left alone with a doubt.

    Where somebody else was faster with another one, this one is kept as a second reading of the slip before it is
    refused: everybody sees both, and the next round waits until somebody has decided.
    Raises as `record_result` does; Stale has the version that stands then.
    """
    try:
        return record_result(
            actor=actor, game_id=game_id, result=result, seen_version=seen_version, confirmed=confirmed
        )
    except Stale as stale:
        value = _known(result)
        if not value or not stale.params["theirs"]:
            raise
        game = _kept_as_reading(actor, game_id, value)
        if game is None:
            raise
        raise _stale(game, game.result, game.entered_by, game.entered_at) from stale


def _kept_as_reading(actor: Actor, game_id: int, value: str) -> Game | None:
    """The game with `value` as its second reading; None where a third one is in doubt already, or all has moved on."""
    found = Game.objects.filter(pk=game_id).values_list("result", "second_result", "version").first()
    if found is None or found[1] not in ("", found[0], value):
        return None
    with suppress(DomainError):
        return confirm_result(actor=actor, game_id=game_id, result=value, seen_version=found[2])
    return None


def confirm_result(*, actor: Actor, game_id: int, result: Result | str, seen_version: int) -> Game:
    """Note what the slip says when it is read a second time, or take that reading back ("").

    It never changes the result. The same: the game is verified. Another one: the game is in conflict, which keeps
    the next round from being paired until the result is changed or the slip is read again. Whoever entered the
    result may read it again; a reading by somebody else takes the place of an equal one of theirs.
    seen_version matters only to a reading that differs from what stands, because a slip says what it says.
    Raises NotFound; Stale("stale_result"); DomainError: unknown_result, round_not_published, nothing_to_confirm,
    reading_differs (the round is finished: the result changes as a correction only).
    """
    value = _known(result)
    with _acting(actor, game_id, "confirm_result") as (log, game):
        if not game.result:
            raise DomainError("nothing_to_confirm", board=game.board)
        if game.second_result == value and not _is_second_pair_of_eyes(game, actor.user):
            log.unchanged = True
            return game
        agrees = value == game.result and game.second_result in ("", value)
        if game.version != seen_version and not agrees:
            if game.second_result not in ("", game.result):
                raise _stale(game, game.second_result, game.second_by, game.second_at)
            raise _stale(game, game.result, game.entered_by, game.entered_at)
        if game.round.is_finished and value not in ("", game.result):
            raise DomainError("reading_differs", round=game.round.number, board=game.board, theirs=value)
        log.before = {"second_result": game.second_result}
        log.after = {"result": game.result, "second_result": value, "board": game.board, "game": game.pk}
        game.second_result = value
        game.second_by = actor.user if value else None
        game.second_at = timezone.now() if value else None
        game.version += 1
        game.save(update_fields=["second_result", "second_by", "second_at", "version"])
    return game


def mark_over(*, actor: Actor, game_id: int, over: bool, seen_version: int) -> Game:
    """Note that a game was seen to end whose slip is not in yet, or take that back. A result ends the note.

    Raises NotFound; Stale("stale_result"); DomainError: round_not_published, game_has_result.
    """
    with _acting(actor, game_id, "mark_over") as (log, game):
        if (game.over_at is not None) == over:
            log.unchanged = True
            return game
        if game.result:
            raise DomainError("game_has_result", board=game.board)
        if game.version != seen_version:
            raise _stale(game, game.result, game.entered_by, game.entered_at)
        log.before = {"over": not over}
        log.after = {"over": over, "board": game.board, "game": game.pk}
        game.over_at, game.over_by = (timezone.now(), actor.user) if over else (None, None)
        game.version += 1
        game.save(update_fields=["over_at", "over_by", "version"])
    return game


def _known(result: Result | str) -> str:
    value = str(result)
    if value and value not in set(Result):
        raise DomainError("unknown_result", result=value)
    return value


@contextmanager
def _acting(actor: Actor, game_id: int, action: str) -> Iterator[tuple[TournamentEntry, Game]]:
    """An action on a game of a round that is published or finished, as it is now that its section is locked."""
    found = Game.objects.filter(pk=game_id).values_list("round__tournament_id", flat=True).first()
    if found is None:
        raise NotFound("not_found", kind="game", id=game_id)
    with act(tournament_id=found, actor=actor, action=action) as log:
        related = ("round", "white__player", "black__player", "entered_by", "second_by")
        game = Game.objects.select_related(*related).filter(pk=game_id).first()
        if game is None:
            raise NotFound("not_found", kind="game", id=game_id)
        if game.round.is_draft:
            raise DomainError("round_not_published", round=game.round.number)
        log.subject = f"{game.board}: {game.white} - {game.black}"
        log.round_number = game.round.number
        yield log, game


def _is_second_pair_of_eyes(game: Game, user: User | None) -> bool:
    """Somebody else reads what one person had entered and read again alone."""
    return bool(game.second_result) and game.second_by == game.entered_by and user != game.second_by


def _stale(game: Game, theirs: str, by: User | None, at: datetime | None) -> Stale:
    """theirs: what stands in the way of the writer, entered by whom and when."""
    return Stale(
        "stale_result",
        board=game.board,
        theirs=theirs,
        version=game.version,
        by=by.label if by else "",
        at=at.isoformat() if at else "",
    )


def _refuse_in_finished_round(game: Game, value: str, *, confirmed: bool) -> None:
    if not game.is_adjourned:
        raise DomainError("round_finished", round=game.round.number)
    if not value or not RESULTS[Result(value)].played:
        raise DomainError("adjourned_was_played", board=game.board, result=value)
    if value in _CHANGES_SCORES and not confirmed:
        raise DomainError("adjourned_to_confirm", round=game.round.number, board=game.board, result=value)
