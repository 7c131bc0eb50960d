"""Correct results that are found to be wrong after the next round was paired (C.04.2, 4.3; VCL4THP.13 Q189 to Q193)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.text import one_line
from evenboard_engine import Result
from tournaments.declarations import Action
from tournaments.declarations.results import CORRECT_FOR_RATING, CORRECT_RESULT
from tournaments.errors import REASON_REQUIRED, STALE_VERSION, UNKNOWN_RESULT, Refusal
from tournaments.models import Game, Integrity
from tournaments.models.rounds import rounds_paired
from tournaments.queries.corrections import correction_preview
from tournaments.questions import Answer, ask

from .ledger import Actor, SectionEntry, act, found_row, section_found

# Refusals
CORRECTION_NOT_NEEDED = Refusal(
    "correction_not_needed", _("Round %(round)s is not finished. Change its results on the page Results.")
)
CORRECTION_TOO_LATE = Refusal(
    "correction_too_late",
    _(
        "Round %(round)s is too old, or the section is closed. Its results can be corrected for rating "
        "only%(article)s."
    ),
    article="GHR 4.3",
)
CORRECTION_ADJOURNED = Refusal(
    "correction_adjourned", _("Board %(board)s is adjourned. Enter its result on the page Results.")
)
CORRECTION_SAME = Refusal("correction_same", _("Board %(board)s already has this result."))
# `changes`: what the page shows of the standings and the next round; () for the rating alone
CORRECTION_UNCONFIRMED = Refusal(
    "correction_unconfirmed",
    _("Round %(round)s, board %(board)s: look at the changes below, then confirm the correction."),
    params=("changes",),
)


CORRECT = frozenset(Result) - {Result.ADJOURNED}
"""Results that a correction may enter. The result of an adjourned game is entered with `record_result`."""


def correct_result(
    *,
    actor: Actor,
    game_id: int,
    result: Result | str,
    seen_version: int,
    turned: bool = False,
    reason: str,
    confirmed: Answer = False,
) -> Game:
    """Correct a game of the round before the last one. It counts for the standings and from the next pairing on.

    Outside FIDE mode, a game of an earlier round can be corrected too, if its result was reported in time but not
    entered (GHR 4.3). In FIDE mode no program may do that (VCL4THP.13 Q191).
    result: with the colours as they really were. turned: the colours in the database are the wrong way round. In the
    last round, and wherever all rounds are fixed, only the colours are corrected here. The game keeps the result that
    the last round was paired with.
    confirmed: the arbiter has seen what changes (level 3). If it would change something else now, it is asked again.
    Raises NotFound; Stale("stale_version"); DomainError: unknown_result, correction_too_late, correction_not_needed,
    correction_adjourned, correction_same, reason_required, correction_unconfirmed.
    """
    value = _correct(result)
    with _acting(actor, game_id, CORRECT_RESULT, seen_version) as (log, game):
        number, last = game.round.number, rounds_paired(log.section)
        is_open = number == last or log.section.fixed_rounds
        if log.section.is_closed or (not is_open and number < last - 1 and log.section.in_fide_mode):
            raise CORRECTION_TOO_LATE.error(round=number)
        if is_open and (not turned or not game.result):
            raise CORRECTION_NOT_NEEDED.error(round=number)
        if game.result == value and not turned:
            raise CORRECTION_SAME.error(board=game.board)
        _asked(log, game, reason)
        changes = correction_preview(log.section, game, result=value, turned=turned).plain
        _ask(game, changes, confirmed)
        log.integrity = Integrity.CORRECTION
        log.before = {"result": game.result}
        log.after = {"result": value, "board": game.board, "game": game.pk, "turned": turned}
        game.remember(last, turned=turned)
        game.result = value
        game.version += 1
        game.entered_by, game.entered_at = actor.user, timezone.now()
        game.second_result, game.second_by, game.second_at = "", None, None
        if turned:
            _save_turned(game)
        else:
            game.save()
    return game


def correct_for_rating(
    *,
    actor: Actor,
    game_id: int,
    result: Result | str,
    seen_version: int,
    reason: str,
    confirmed: Answer = False,
) -> Game:
    """Correct the result in the report for rating. Pairings and standings do not change. Works in a closed section.

    To enter the game's own result removes the correction.
    Raises NotFound; Stale("stale_version"); DomainError: unknown_result, correction_not_needed,
    correction_adjourned, correction_same, reason_required, correction_unconfirmed.
    """
    value = _correct(result)
    with _acting(actor, game_id, CORRECT_FOR_RATING, seen_version) as (log, game):
        if not game.round.is_finished:
            raise CORRECTION_NOT_NEEDED.error(round=game.round.number)
        if (game.rating_result or game.result) == value:
            raise CORRECTION_SAME.error(board=game.board)
        _asked(log, game, reason)
        _ask(game, [], confirmed)
        log.integrity = Integrity.RATING_CORRECTION
        log.before = {"result": game.rating_result or game.result}
        log.after = {"result": value, "board": game.board, "game": game.pk}
        game.rating_result = "" if value == game.result else value
        game.version += 1
        game.save(update_fields=["rating_result", "version"])
    return game


def _correct(result: Result | str) -> str:
    value = str(result)
    if value not in CORRECT:
        raise UNKNOWN_RESULT.error(result=value)
    return value


@contextmanager
def _acting(
    actor: Actor, game_id: int, action: Action, seen_version: int
) -> Iterator[tuple[SectionEntry, Game]]:
    """Run an action on a game, which is read after its section is locked."""
    section_id = section_found(Game.objects, "game", game_id, by="round__section_id")
    with act(section_id=section_id, actor=actor, action=action, allow_closed=True) as log:
        related = ("round", "white__player", "black__player")
        game = found_row(Game.objects.select_related(*related), "game", game_id)
        if game.version != seen_version:
            raise STALE_VERSION.error(round=game.round.number, version=game.version)
        log.subject = f"{game.board}: {game.white} - {game.black}"
        log.round_number = game.round.number
        yield log, game


def _asked(log: SectionEntry, game: Game, reason: str) -> None:
    if game.is_adjourned:
        raise CORRECTION_ADJOURNED.error(board=game.board)
    log.reason = one_line(reason)
    if not log.reason:
        raise REASON_REQUIRED.error()


def _ask(game: Game, changes: list[list[int]], confirmed: Answer) -> None:
    question = CORRECTION_UNCONFIRMED.error(round=game.round.number, board=game.board, changes=changes)
    ask(question, confirmed)


def _save_turned(game: Game) -> None:
    """Delete the game and insert it with turned colours: an update would break a constraint of the database."""
    Game.objects.filter(pk=game.pk).delete()
    game.white, game.black = game.black, game.white
    game.save(force_insert=True)
