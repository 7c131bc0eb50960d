from __future__ import annotations

import pytest

from evenboard_engine import RESULTS, Result
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import GameFactory, RoundFactory, UserFactory
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Game, Integrity, Round

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return GameFactory()


@pytest.mark.parametrize("result", list(Result))
def test_every_result_can_be_recorded(actor: Actor, game: Game, result: Result) -> None:
    with one_step(game.round.section, "record_result") as logged:
        record_result(actor=actor, game_id=game.pk, result=result, seen_version=0)
    game.refresh_from_db()
    assert (game.outcome, game.version, game.entered_by, game.entered_at is None) == (
        result,
        1,
        actor.user,
        False,
    )
    assert (logged[0].before, logged[0].round_number, logged[0].integrity) == ({"result": ""}, 1, "")
    assert logged[0].after == {"result": result.value, "board": 1, "game": game.pk}
    assert logged[0].subject == f"1: {game.white} - {game.black}"


def test_result_is_changed_and_cleared(actor: Actor, game: Game) -> None:
    record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=0)
    record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=1)
    with one_step(game.round.section, "record_result") as logged:
        record_result(actor=actor, game_id=game.pk, result="", seen_version=2)
    game.refresh_from_db()
    assert (game.result, game.version) == ("", 3)
    assert (logged[0].before["result"], logged[0].after["result"]) == ("0-1", "")


@pytest.mark.one_database
@pytest.mark.parametrize("wrong", ["1-1", "1/2-1/2F", "+:=", "x", " ", "1-0 "])
def test_result_outside_the_list_is_refused(actor: Actor, game: Game, wrong: str) -> None:
    with refused("unknown_result", result=wrong):
        record_result(actor=actor, game_id=game.pk, result=wrong, seen_version=0)


def test_refusal_of_a_stale_page_names_the_current_result(actor: Actor, game: Game) -> None:
    other = Actor(user=UserFactory(username="deputy"))
    record_result(actor=other, game_id=game.pk, result="1-0", seen_version=0)
    game.refresh_from_db()
    with refused("stale_result", board=1, theirs="1-0", version=1, by="deputy", at=game.entered_at):
        record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=0)


def test_same_result_from_a_stale_page_is_no_error(actor: Actor, game: Game) -> None:
    record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=0)
    with unchanged():
        again = record_result(actor=actor, game_id=game.pk, result=Result.WHITE_WINS, seen_version=0)
    assert again.version == 1


def test_draft_takes_no_result(actor: Actor) -> None:
    game = GameFactory(round__state=Round.State.DRAFT)
    with refused("round_not_published", round=1):
        record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=0)


def test_finished_round_takes_no_result(actor: Actor) -> None:
    game = GameFactory(round__state=Round.State.FINISHED, result=Result.DRAW)
    RoundFactory(section=game.round.section)
    for result in ("1-0", "", "adj"):
        with refused("round_finished", round=1):
            record_result(actor=actor, game_id=game.pk, result=result, seen_version=0)


@pytest.mark.parametrize("result", [r for r in Result if RESULTS[r].played and r is not Result.ADJOURNED])
def test_adjourned_game_of_a_finished_round_gets_its_result(actor: Actor, result: Result) -> None:
    game = GameFactory(round__state=Round.State.FINISHED, result=Result.ADJOURNED)
    drawn = result in {Result.DRAW, Result.DRAW_UNRATED}
    if not drawn:
        with refused("adjourned_to_confirm", round=1, board=1, result=result):
            record_result(actor=actor, game_id=game.pk, result=result, seen_version=0)
    with one_step(game.round.section, "record_result") as logged:
        record_result(actor=actor, game_id=game.pk, result=result, seen_version=0, confirmed=not drawn)
    assert logged[0].integrity == (Integrity.NONE if drawn else Integrity.ADJOURNMENT)
    with refused("round_finished"):
        record_result(
            actor=actor, game_id=game.pk, result="0-0" if result != "0-0" else "1-0", seen_version=1
        )


@pytest.mark.parametrize("result", ["", *(r for r in Result if not RESULTS[r].played)])
def test_adjourned_game_of_a_finished_round_gets_only_a_played_result(actor: Actor, result: str) -> None:
    game = GameFactory(round__state=Round.State.FINISHED, result=Result.ADJOURNED)
    with refused("adjourned_was_played", board=1, result=result):
        record_result(actor=actor, game_id=game.pk, result=result, seen_version=0)


@pytest.mark.parametrize("missing", [0, 10**30])
def test_unknown_game_is_not_found(actor: Actor, missing: int) -> None:
    with refused("not_found", kind="game", id=missing):
        record_result(actor=actor, game_id=missing, result="1-0", seen_version=0)
