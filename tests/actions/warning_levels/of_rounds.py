"""Actions about rounds, pairs and results."""

from __future__ import annotations

from collections.abc import Callable

from pairing.by_hand import begin_manual_phase, change_by_hand, end_manual_phase
from pairing.rounds import pair_next_round, publish_round, unpair_round, unpublish_round
from tests.actions.warning_levels.known import Warnings, action, last
from tests.web.staff.conftest import enter
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.decided_points import decide_points
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import open_check_in
from tournaments.actions.results import record_result
from tournaments.actions.sections import leave_fide_mode
from tournaments.models import Round, Section
from tournaments.questions import Answer
from tournaments.seating import SeatingStep, SeatMove


@action("pair a round while results are missing")
def pair(section: Section, actor: Actor, answers: Answer) -> Warnings:
    pair_next_round(actor=actor, section_id=section.pk, after_round=last(section).number)
    return []


@action("pair a round while a check-in is open")
def pair_unseen(section: Section, actor: Actor, answers: Answer) -> Warnings:
    open_check_in(actor=actor, section_id=section.pk, after_round=1)
    return pair(section, actor, answers)


@action("pair a round while a game before the last round is adjourned")
def pair_with_adjourned(section: Section, actor: Actor, answers: Answer) -> Warnings:
    number = last(section).number
    pair_next_round(actor=actor, section_id=section.pk, after_round=number, proceed=answers)
    return []


@action("unpublish a round")
@action("unpublish a round with a result")
def unpublish(section: Section, actor: Actor, answers: Answer) -> Warnings:
    unpublish_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


@action("unpair a round")
def unpair(section: Section, actor: Actor, answers: Answer) -> Warnings:
    unpair_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


@action("publish while pairing by hand is open")
def publish(section: Section, actor: Actor, answers: Answer) -> Warnings:
    publish_round(actor=actor, round_id=last(section).pk, seen_version=last(section).version)
    return []


def _begin(row: Round, actor: Actor, answers: Answer) -> Warnings:
    begin_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, public=answers)
    return []


@action("pair by hand")
@action("pair by hand, published")
def begin(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _begin(last(section), actor, answers)


@action("pair by hand, finished")
def begin_again(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _begin(section.played_rounds.get(number=1), actor, answers)


def _change(section: Section, actor: Actor, answers: Answer, move: SeatMove, *players: int) -> Warnings:
    row = last(section)
    _, warnings = change_by_hand(
        actor=actor,
        round_id=row.pk,
        seen_version=row.version,
        step=SeatingStep(move, *players),
        confirmed=answers,
    )
    return [concern.code for concern in warnings if concern.level > 1]


@action("by hand: nothing against it")
def take_apart(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _change(section, actor, answers, SeatMove.UNPAIR, last(section).games.get(board=1).white_id)


@action("by hand: both against their colours")
def turn(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _change(section, actor, answers, SeatMove.COLOURS, last(section).games.get(board=1).white_id)


def _together(section: Section, actor: Actor, answers: Answer, one: int, other: int) -> Warnings:
    """Put `other` in the place of the opponent of `one`."""
    game = next(game for game in last(section).games.all() if one in (game.white_id, game.black_id))
    opponent = game.black_id if game.white_id == one else game.white_id
    return _change(section, actor, answers, SeatMove.SWAP, opponent, other)


@action("by hand: a rematch")
def rematch(section: Section, actor: Actor, answers: Answer) -> Warnings:
    former = section.played_rounds.get(number=1).games.get(board=1)
    return _together(section, actor, answers, former.white_id, former.black_id)


@action("by hand: a forbidden pair")
def forbidden(section: Section, actor: Actor, answers: Answer) -> Warnings:
    met = {
        frozenset(pair)
        for row in section.played_rounds.all()
        for pair in row.games.values_list("white", "black")
    }
    there = [key for pair in last(section).games.values_list("white", "black") for key in pair]
    one, other = next(
        (one, other) for one in there for other in there if one < other and frozenset((one, other)) not in met
    )
    section.forbidden_pairs.create(first_id=one, second_id=other, first_round=1, reason="one family")
    return _together(section, actor, answers, one, other)


@action("by hand: a second bye")
def second_bye(section: Section, actor: Actor, answers: Answer) -> Warnings:
    had = section.participants.get(byes__round_number=1, byes__kind="U")
    return _change(section, actor, answers, SeatMove.BYE, had.pk)


@action("by hand: a second half-point bye")
def second_half_point_bye(section: Section, actor: Actor, answers: Answer) -> Warnings:
    player = last(section).games.get(board=1).white
    player.byes.create(round_number=7, kind="H", source="requested")
    return _change(section, actor, answers, SeatMove.HALF, player.pk)


@action("by hand: a board with a result")
def locked_board(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _change(section, actor, answers, SeatMove.COLOURS, last(section).games.get(board=1).white_id)


@action("end pairing by hand as the rules pair")
@action("end pairing by hand otherwise")
def end(section: Section, actor: Actor, answers: Answer) -> Warnings:
    row = last(section)
    reason = "as the jury wants it"
    end_manual_phase(actor=actor, round_id=row.pk, seen_version=row.version, reason=reason, confirmed=answers)
    return []


@action("change a result")
def change_result(section: Section, actor: Actor, answers: Answer) -> Warnings:
    game = enter(last(section).games.get(board=1), "1-0")
    record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=game.version)
    return []


def _finish(section: Section, actor: Actor, answers: Answer, result: str) -> Warnings:
    game = section.played_rounds.get(number=1).games.get(board=1)
    version = game.version
    record_result(actor=actor, game_id=game.pk, result=result, seen_version=version, confirmed=answers)
    return []


@action("result of an adjourned game, a draw")
def finish_drawn(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _finish(section, actor, answers, "1/2")


@action("result of an adjourned game, not a draw")
def finish(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _finish(section, actor, answers, "1-0")


def _correct(do: Callable[..., object], section: Section, actor: Actor, answers: Answer) -> Warnings:
    game = section.played_rounds.get(number=1).games.get(board=1)
    do(
        actor=actor,
        game_id=game.pk,
        result="1-0",
        seen_version=game.version,
        reason="both players said so",
        confirmed=answers,
    )
    return []


@action("change the points of a player")
def decide(section: Section, actor: Actor, answers: Answer) -> Warnings:
    decide_points(
        actor=actor,
        participant_id=section.participants.get(tpn=1).pk,
        round_number=1,
        points=5,
        reason="protest upheld",
        confirmed=answers,
    )
    return []


@action("correct a result")
def correct(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _correct(correct_result, section, actor, answers)


@action("correct a result, outside FIDE mode")
def correct_outside(section: Section, actor: Actor, answers: Answer) -> Warnings:
    leave_fide_mode(actor=actor, section_id=section.pk, reason="rules of the club", asked=True)
    return correct(section, actor, answers)


@action("correct a result for rating only")
def correct_rating(section: Section, actor: Actor, answers: Answer) -> Warnings:
    return _correct(correct_for_rating, section, actor, answers)
