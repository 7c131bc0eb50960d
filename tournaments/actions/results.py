"""Results of games: recorded, changed, cleared; read from the slip a second time; a game seen to end without a slip."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from evenboard_engine import RESULTS, Result
from tournaments.declarations import Action
from tournaments.declarations.results import CONFIRM_RESULT, MARK_OVER, RECORD_RESULT
from tournaments.errors import ROUND_FINISHED, UNKNOWN_RESULT, DomainError, Refusal, Stale
from tournaments.models import Game, Integrity, Section, User
from tournaments.models.events import OwnBoards, are_own
from tournaments.models.rounds import rounds_paired
from tournaments.questions import Answer, ask

from .ledger import Actor, SectionEntry, act, found_row, section_found

# Refusals
STALE_RESULT = Refusal(
    "stale_result",
    _("Board %(board)s: %(by)s entered %(theirs)s first."),
    params=("version", "at"),
    raises=Stale,
)
ROUND_NOT_PUBLISHED = Refusal(
    "round_not_published", _("Round %(round)s is a draft. Publish it before you enter results.")
)
NOT_OWN_BOARD = Refusal("not_own_board", params=("board", "boards"))
ADJOURNED_WAS_PLAYED = Refusal(
    "adjourned_was_played",
    _("The adjourned game on board %(board)s has begun, so its result cannot be %(result)s."),
)
ADJOURNED_TO_CONFIRM = Refusal(
    "adjourned_to_confirm",
    _(
        "Board %(board)s was adjourned in round %(round)s and has counted as a draw in every pairing since then. "
        "%(result)s counts from now on and changes no round that is already paired. The report file records this."
    ),
)
NOTHING_TO_CONFIRM = Refusal(
    "nothing_to_confirm", _("Board %(board)s has no result yet, so there is nothing to confirm.")
)
READING_DIFFERS = Refusal(
    "reading_differs",
    _(
        "Board %(board)s: the slip says %(theirs)s. Round %(round)s is finished, so its result changes as "
        "a correction."
    ),
)
GAME_HAS_RESULT = Refusal("game_has_result", _("Board %(board)s already has a result."))


_CHANGES_SCORES = frozenset(Result) - {Result.DRAW, Result.DRAW_UNRATED}


def record_result(
    *,
    actor: Actor,
    game_id: int,
    result: Result | str,
    seen_version: int,
    confirmed: Answer = False,
    typed: bool = False,
) -> Game:
    """Record a result, or clear it (""). The stored result again is no error, whoever typed it.

    seen_version: the version of the game that the arbiter saw. In a finished round only an adjourned game can get its
    result, at any time (GHR 3.1; VCL4THP.13 Q162). The game was played, so a forfeit is refused. Later rounds were
    paired as if the game was drawn; any other result must be `confirmed` first (level 3, Q163).
    A second reading of the slip (`confirm_result`) stays if it equals the new result. Otherwise it is removed.
    What both players have pressed on their phones becomes the second reading of the first result that is entered.
    typed: a person read the result from a slip. If somebody else was faster with another result, this one is kept as a
    second reading before it is refused. Everybody sees both results, and the next round waits until somebody decides.
    Raises NotFound; Stale("stale_result") with what somebody else has recorded, and the version after that;
    DomainError: unknown_result, round_not_published, round_finished, adjourned_was_played, adjourned_to_confirm.
    """
    value = _known(result)
    try:
        return _record(actor, game_id, value, seen_version, confirmed=confirmed)
    except Stale as stale:
        keeps = typed and value and stale.params["theirs"]
        game = _kept_as_reading(actor, game_id, value) if keeps else None
        if game is None:
            raise
        raise _stale(game, game.result, game.entered_by, game.entered_at) from stale


def _record(actor: Actor, game_id: int, value: str, seen_version: int, *, confirmed: Answer) -> Game:
    with act_on_game(actor, game_id, RECORD_RESULT) as (log, game):
        write_result(log, game, actor, value, seen_version, confirmed=confirmed)
    return game


def write_result(
    log: SectionEntry, game: Game, actor: Actor, value: str, seen_version: int, *, confirmed: Answer = False
) -> None:
    """Give a game of a locked section its result, as `record_result` does. Raises the same."""
    log.before = {"result": game.result}
    log.after = {"result": value, "board": game.board, "game": game.pk}
    if game.result == value:
        log.unchanged = True
        return
    if game.round.is_finished and not game.is_adjourned:
        raise ROUND_FINISHED.error(round=game.round.number)
    if game.version != seen_version:
        raise _stale(game, game.result, game.entered_by, game.entered_at)
    if game.round.is_finished:
        _refuse_for_adjourned(game, value, confirmed=confirmed)
        game.remember(rounds_paired(log.section))
        if value in _CHANGES_SCORES:
            log.integrity = Integrity.ADJOURNMENT
    first, game.result = not game.result, value
    game.version += 1
    game.entered_by, game.entered_at = actor.user, timezone.now()
    changed = ["result", "version", "entered_by", "entered_at", "earlier"]
    if first and game.pressed and log.section.players_confirm != Section.PlayersConfirm.OFF:
        log.after["second_result"] = game.second_result = game.pressed
        game.second_by, game.second_at = None, game.entered_at
        changed += ["second_result", "second_by", "second_at"]
    elif game.second_result and game.second_result != value:
        log.before["second_result"], log.after["second_result"] = game.second_result, ""
        game.second_result, game.second_by, game.second_at = "", None, None
        changed += ["second_result", "second_by", "second_at"]
    if not value:
        game.white_pressed = game.black_pressed = ""
        changed += ["white_pressed", "black_pressed"]
    if value and game.over_at:
        game.over_at, game.over_by = None, None
        changed += ["over_at", "over_by"]
    game.save(update_fields=changed)


def _kept_as_reading(actor: Actor, game_id: int, value: str) -> Game | None:
    """Return the game with `value` as its second reading; None if it already has two results, or has changed again."""
    stored = Game.objects.filter(pk=game_id).values_list("result", "second_result", "version").first()
    if stored is None or stored[1] not in ("", stored[0], value):
        return None
    with suppress(DomainError):
        return confirm_result(actor=actor, game_id=game_id, result=value, seen_version=stored[2])
    return None


def confirm_result(*, actor: Actor, game_id: int, result: Result | str, seen_version: int) -> Game:
    """Record the second reading of a slip, or remove that reading (""). The result itself never changes.

    If the reading equals the result, the game is verified. Otherwise the game is in conflict, and the next round cannot
    be paired until the result is changed or the slip is read again. The person who entered the result may also read the
    slip again; a reading by somebody else then replaces an equal one.
    seen_version matters only if the reading differs from the stored result.
    Raises NotFound; Stale("stale_result"); DomainError: unknown_result, round_not_published, nothing_to_confirm,
    reading_differs (the round is finished: the result changes as a correction only).
    """
    value = _known(result)
    with act_on_game(actor, game_id, CONFIRM_RESULT) as (log, game):
        if not game.result:
            raise NOTHING_TO_CONFIRM.error(board=game.board)
        if game.second_result == value and not _is_second_pair_of_eyes(game, actor.user):
            log.unchanged = True
            return game
        if game.round.is_finished and value not in ("", game.result):
            raise READING_DIFFERS.error(round=game.round.number, board=game.board, theirs=value)
        agrees = value == game.result and game.second_result in ("", value)
        if game.version != seen_version and not agrees:
            if game.second_result not in ("", game.result):
                raise _stale(game, game.second_result, game.second_by, game.second_at)
            raise _stale(game, game.result, game.entered_by, game.entered_at)
        log.before = {"second_result": game.second_result}
        log.after = {"result": game.result, "second_result": value, "board": game.board, "game": game.pk}
        game.second_result = value
        game.second_by = actor.user if value else None
        game.second_at = timezone.now() if value else None
        game.version += 1
        game.save(update_fields=["second_result", "second_by", "second_at", "version"])
    return game


def mark_over(*, actor: Actor, game_id: int, over: bool, seen_version: int) -> Game:
    """Mark a game as over although its slip is not in yet, or remove that mark. A result removes it too.

    Raises NotFound; Stale("stale_result"); DomainError: round_not_published, game_has_result.
    """
    with act_on_game(actor, game_id, MARK_OVER) as (log, game):
        if (game.over_at is not None) == over:
            log.unchanged = True
            return game
        if game.result:
            raise GAME_HAS_RESULT.error(board=game.board)
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
        raise UNKNOWN_RESULT.error(result=value)
    return value


@contextmanager
def act_on_game(actor: Actor, game_id: int, action: Action) -> Iterator[tuple[SectionEntry, Game]]:
    """Begin an action on a game of a published or finished round. The game is read after the lock.

    Raises DomainError: round_not_published, not_own_board.
    """
    section_id = section_found(Game.objects, "game", game_id, by="round__section_id")
    with act(section_id=section_id, actor=actor, action=action) as log:
        related = ("round", "white__player", "black__player")
        game = found_row(Game.objects.select_related(*related), "game", game_id)
        if game.round.is_draft:
            raise ROUND_NOT_PUBLISHED.error(round=game.round.number)
        if not are_own(game.board, actor.boards):
            raise not_own(game.board, actor.boards)
        log.subject = f"{game.board}: {game.white} - {game.black}"
        log.round_number = game.round.number
        yield log, game


def not_own(board: int, own: OwnBoards) -> DomainError:
    return NOT_OWN_BOARD.error(board=board, boards=[str(each) for each in own or ()])


def _is_second_pair_of_eyes(game: Game, user: User | None) -> bool:
    """Whether somebody else reads a slip that one person alone had entered and read again."""
    return bool(game.second_result) and game.second_by == game.entered_by and user != game.second_by


def _stale(game: Game, theirs: str, by: User | None, at: datetime | None) -> DomainError:
    """theirs: the stored value that the writer did not know, entered by whom and when."""
    return STALE_RESULT.error(
        board=game.board,
        theirs=theirs,
        version=game.version,
        by=by.label if by else "",
        at=at,
    )


def _refuse_for_adjourned(game: Game, value: str, *, confirmed: Answer) -> None:
    if not value or not RESULTS[Result(value)].played:
        raise ADJOURNED_WAS_PLAYED.error(board=game.board, result=value)
    if value in _CHANGES_SCORES:
        number, board = game.round.number, game.board
        ask(ADJOURNED_TO_CONFIRM.error(round=number, board=board, result=value), confirmed)
