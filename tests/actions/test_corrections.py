"""Corrections of results after the next round was paired (GHR 4.3)."""

from __future__ import annotations

import pytest

from evenboard_engine import Result
from pairing.rounds import unpair_round, unpublish_round
from tests.actions.refusals import one_step, refused
from tests.factories import section_of
from tests.queries.sections import MadeSection, make_section
from tests.web.staff.conftest import enter, paired, played
from tournaments.actions.corrections import correct_for_rating, correct_result
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.actions.sections import leave_fide_mode
from tournaments.files.report_writing import tournament_report
from tournaments.models import Game, Section
from tournaments.queries.standings import standings_table
from tournaments.queries.why import explain_round

pytestmark = pytest.mark.django_db


def correct(actor: Actor, game: Game, result: str, **options: object) -> Game:
    values = {"reason": "Both players said so", "confirmed": True, **options}
    return correct_result(actor=actor, game_id=game.pk, result=result, seen_version=game.version, **values)


def for_rating(actor: Actor, game: Game, result: str, **options: object) -> Game:
    values = {"reason": "Found in the scoresheets", "confirmed": True, **options}
    return correct_for_rating(
        actor=actor, game_id=game.pk, result=result, seen_version=game.version, **values
    )


def game_of(section: Section, number: int, board: int = 1) -> Game:
    return Game.objects.get(round__section=section, round__number=number, board=board)


def comments(section: Section, **options: object) -> list[str]:
    lines = tournament_report(section, **options).decode().splitlines()
    return [line for line in lines if line.startswith(("### Corr", "### Rating"))]


@pytest.fixture
def under_way() -> Section:
    """Eight players: round 1 drawn on all boards, round 2 being played."""
    section = section_of(8)
    played(section)
    paired(section)
    return section


@pytest.fixture
def three_rounds() -> Section:
    """Rounds 1 and 2 drawn on all boards, round 3 being played."""
    section = section_of(8)
    played(section)
    played(section)
    paired(section)
    return section


def test_corrected_result_of_the_round_before_counts_from_the_next_pairing_on(
    actor: Actor, under_way: Section
) -> None:
    game = game_of(under_way, 1)
    assert not explain_round(under_way, 2).differs
    with one_step(under_way, "correct_result") as logged:
        game = correct(actor, game, "0-1")
    assert (game.result, game.version, game.earlier) == (
        "0-1",
        2,
        [{"until": 2, "result": "1/2", "turned": False}],
    )
    assert (logged[0].integrity, logged[0].round_number, logged[0].reason) == (
        "correction",
        1,
        "Both players said so",
    )
    assert comments(under_way) == ["### Correction @ Round 1: 1-5: 1/2 => 0-1"]
    points = {row.tpn: row.points for row in standings_table(under_way, 1).rows}
    assert (points[1], points[5]) == (0, 10)
    explained = explain_round(under_way, 2)
    assert (explained.differs, explained.corrected) == (False, ((1, 1),))
    assert {explained.field.histories[key].score for key in explained.field.participants} == {5}
    for open_game in game_of(under_way, 2).round.games.all():
        enter(open_game, "1/2")
    row = paired(under_way)
    assert explain_round(under_way, 3).corrected == ()
    assert explain_round(under_way, 3).field.histories[game.black_id].score == 15
    assert not explain_round(under_way, row.number).differs


def test_second_correction_keeps_the_result_that_the_round_was_paired_with(
    actor: Actor, under_way: Section
) -> None:
    game = correct(actor, game_of(under_way, 1), "0-1")
    game = correct(actor, game, "1-0")
    assert game.earlier == [{"until": 2, "result": "1/2", "turned": False}]
    assert comments(under_way) == [
        "### Correction @ Round 1: 1-5: 1/2 => 0-1",
        "### Correction @ Round 1: 1-5: 0-1 => 1-0",
    ]


def test_colours_and_result_are_corrected_together(actor: Actor, under_way: Section) -> None:
    game = game_of(under_way, 1)
    white, black = game.white_id, game.black_id
    game = correct(actor, game, "0-1", turned=True)
    game.refresh_from_db()
    assert (game.white_id, game.black_id, game.result) == (black, white, "0-1")
    assert comments(under_way) == ["### Correction @ Round 1: 1-5: 1/2 => 5-1: 0-1"]
    then = game.as_of(2)
    assert (then.white_id, then.black_id, then.result) == (white, black, "1/2")
    assert not explain_round(under_way, 1).differs
    assert not explain_round(under_way, 2).differs
    again = correct(actor, game, "1/2", turned=True)
    then = again.as_of(2)
    assert (then.white_id, then.black_id, then.result) == (white, black, "1/2")


def test_colours_of_the_running_round_count_for_the_next_pairing(actor: Actor) -> None:
    section = section_of(4)
    played(section)
    game = game_of(section, 1)
    with refused("correction_not_needed", round=1):
        correct(actor, game, "1-0")
    correct(actor, game, "1-0", turned=True)
    assert not explain_round(section, 1).differs


def test_correction_needs_a_confirmation_and_a_reason(actor: Actor, under_way: Section) -> None:
    game = game_of(under_way, 1)
    with refused("reason_required"):
        correct(actor, game, "1-0", reason=" ")
    with refused("correction_unconfirmed", round=1, board=1):
        correct(actor, game, "1-0", confirmed=False)
    with refused("correction_same", board=1):
        correct(actor, game, "1/2")
    for nonsense in ("", "adj", "1-1"):
        with refused("unknown_result", result=nonsense):
            correct(actor, game, nonsense)
    with refused("stale_version"):
        correct_result(actor=actor, game_id=game.pk, result="1-0", seen_version=9, reason="x", confirmed=True)


def test_rounds_before_the_last_but_one_cannot_be_corrected(actor: Actor, three_rounds: Section) -> None:
    with refused("correction_too_late", round=1):
        correct(actor, game_of(three_rounds, 1), "1-0")
    correct(actor, game_of(three_rounds, 2), "1-0")


def test_round_that_is_paired_again_is_explained_by_the_corrected_result(
    actor: Actor, under_way: Section
) -> None:
    game = correct(actor, game_of(under_way, 1), "1-0")
    assert game.earlier != []
    last = under_way.played_rounds.get(number=2)
    last = unpublish_round(actor=actor, round_id=last.pk, seen_version=last.version)
    unpair_round(actor=actor, round_id=last.pk, seen_version=last.version)
    paired(under_way)
    game.refresh_from_db()
    assert game.earlier == []
    assert not explain_round(under_way, 2).differs


def test_late_correction_counts_for_rating_only(actor: Actor, three_rounds: Section) -> None:
    game = game_of(three_rounds, 1)
    before = standings_table(three_rounds)
    with one_step(three_rounds, "correct_for_rating") as logged:
        game = for_rating(actor, game, "1-0")
    assert (game.result, game.rating_result, logged[0].integrity) == ("1/2", "1-0", "rating-correction")
    assert (logged[0].before, logged[0].after) == (
        {"result": "1/2"},
        {"result": "1-0", "board": 1, "game": game.pk},
    )
    assert (logged[0].subject, logged[0].round_number) == (f"1: {game.white} - {game.black}", 1)
    assert standings_table(three_rounds) == before
    assert comments(three_rounds) == ["### Rating correction @ Round 1: 1-5: 1/2 => 1-0"]
    for number in (2, 3):
        assert not explain_round(three_rounds, number).differs


def test_report_for_rating_has_the_corrected_result_and_the_points_of_the_standings(actor: Actor) -> None:
    made: MadeSection = make_section(
        {"Anna": 2400, "Bert": 2300}, "Anna 1/2 Bert", "Bert 1/2 Anna", planned=2
    )
    section = made.row
    for_rating(actor, made.game(1, 1), "1-0")

    def line(*, rating: bool) -> str:
        lines = tournament_report(section, for_rating=rating).decode().splitlines()
        return next(line for line in lines if line.startswith("001    1"))

    assert line(rating=True)[80:84].strip() == line(rating=False)[80:84].strip() == "1.0"
    assert (line(rating=True)[91:99].split(), line(rating=False)[91:99].split()) == (
        ["2", "w", "1"],
        ["2", "w", "="],
    )


def test_entering_the_old_result_removes_a_correction_for_rating(actor: Actor, three_rounds: Section) -> None:
    game = for_rating(actor, game_of(three_rounds, 1), "1-0")
    with refused("correction_same"):
        for_rating(actor, game, "1-0")
    with one_step(three_rounds, "correct_for_rating") as logged:
        game = for_rating(actor, game, "1/2")
    assert game.rating_result == ""
    assert (logged[0].before["result"], logged[0].after["result"]) == ("1-0", "1/2")


def test_running_round_needs_no_correction_for_rating(actor: Actor, under_way: Section) -> None:
    with refused("correction_not_needed", round=2):
        for_rating(actor, game_of(under_way, 2), "1-0")


def test_closed_section_takes_only_corrections_for_rating(actor: Actor) -> None:
    section = make_section({"Anna": 2400, "Bert": 2300}, "Anna 1/2 Bert", planned=1)
    Section.objects.update(status="closed")
    section.row.played_rounds.update(state="finished")
    with refused("correction_too_late"):
        correct(actor, section.game(1, 1), "1-0")
    assert for_rating(actor, section.game(1, 1), "1-0").rating_result == "1-0"


def test_adjourned_game_is_not_corrected_and_was_a_draw_for_the_pairing(actor: Actor) -> None:
    section = section_of(8)
    row = paired(section)
    for game in row.games.all():
        enter(game, "adj" if game.board == 1 else "1/2")
    paired(section)
    game = game_of(section, 1)
    with refused("correction_adjourned", board=1):
        correct(actor, game, "1-0")
    game = record_result(
        actor=actor, game_id=game.pk, result=Result.WHITE_WINS, seen_version=game.version, confirmed=True
    )
    assert game.earlier == [{"until": 2, "result": "adj", "turned": False}]
    explained = explain_round(section, 2)
    assert (explained.differs, explained.corrected, explained.finished) == (False, (), ((1, 1),))


def test_correction_reported_in_time_but_not_entered_counts_outside_fide_mode(
    actor: Actor, three_rounds: Section
) -> None:
    with refused("correction_too_late", round=1):
        correct(actor, game_of(three_rounds, 1), "0-1")
    leave_fide_mode(actor=actor, section_id=three_rounds.pk, reason="rules of the club", asked=True)
    former = [explain_round(three_rounds, number).differs for number in (2, 3)]
    game = correct(actor, game_of(three_rounds, 1), "0-1")
    assert game.earlier == [{"until": 3, "result": "1/2", "turned": False}]
    assert comments(three_rounds) == ["### Correction @ Round 1: 1-5: 1/2 => 0-1"]
    points = {row.tpn: row.points for row in standings_table(three_rounds, 2).rows}
    assert (points[1], points[5]) == (5, 15)
    assert [explain_round(three_rounds, number).differs for number in (2, 3)] == former == [False, False]
    for open_game in game_of(three_rounds, 3).round.games.all():
        enter(open_game, "1/2")
    paired(three_rounds)
    assert explain_round(three_rounds, 4).field.histories[game.black_id].score == 20
