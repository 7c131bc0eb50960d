"""Second readings of slips: conflicts block the next round; games that ended without a slip are marked."""

from __future__ import annotations

import pytest

from evenboard_engine import Result
from pairing.rounds import pair_next_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import GameFactory, UserFactory, section_of
from tests.web.staff.conftest import paired
from tournaments.actions.ledger import Actor
from tournaments.actions.results import confirm_result, mark_over, record_result
from tournaments.errors import Stale
from tournaments.models import Game, Round, Section, User

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(actor: Actor) -> Game:
    """A game with a result: White wins, entered by `actor`, version 1."""
    return record_result(actor=actor, game_id=GameFactory().pk, result="1-0", seen_version=0)


@pytest.fixture
def other() -> Actor:
    return Actor(user=UserFactory(username="bo"))


def row(game: Game) -> tuple[str, str, User | None, int]:
    game.refresh_from_db()
    return game.result, game.second_result, game.second_by, game.version


def test_same_reading_verifies_the_game(other: Actor, game: Game) -> None:
    with one_step(game.round.section, "confirm_result") as logged:
        confirm_result(actor=other, game_id=game.pk, result="1-0", seen_version=1)
    assert row(game) == ("1-0", "1-0", other.user, 2)
    assert (game.is_verified, game.is_in_conflict, game.second_at is None) == (True, False, False)
    assert logged[0].before == {"second_result": ""}
    assert logged[0].after == {"result": "1-0", "second_result": "1-0", "board": 1, "game": game.pk}


def test_same_person_may_read_the_slip_again_and_is_named(actor: Actor, game: Game) -> None:
    confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=1)
    assert row(game) == ("1-0", "1-0", actor.user, 2)


def test_reading_by_another_person_replaces_that_of_the_person_who_entered(
    actor: Actor, other: Actor, game: Game
) -> None:
    confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=1)
    confirm_result(actor=other, game_id=game.pk, result="1-0", seen_version=1)
    assert row(game) == ("1-0", "1-0", other.user, 3)
    with unchanged():
        assert confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=3) == game


def test_other_reading_is_a_conflict_that_changes_no_result(other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    assert row(game) == ("1-0", "1/2", other.user, 2)
    assert (game.is_verified, game.is_in_conflict) == (False, True)


def test_accepting_the_second_reading_settles_the_conflict(actor: Actor, other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    record_result(actor=actor, game_id=game.pk, result="1/2", seen_version=2)
    assert row(game) == ("1/2", "1/2", other.user, 3)
    assert game.is_verified


def test_reading_the_first_result_again_settles_the_conflict(actor: Actor, other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=2)
    assert row(game) == ("1-0", "1-0", actor.user, 3)


@pytest.mark.parametrize("value", ["0-1", ""])
def test_changed_result_is_no_longer_verified(actor: Actor, other: Actor, game: Game, value: str) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1-0", seen_version=1)
    with one_step(game.round.section, "record_result") as logged:
        record_result(actor=actor, game_id=game.pk, result=value, seen_version=2)
    assert row(game) == (value, "", None, 3)
    assert logged[0].before == {"result": "1-0", "second_result": "1-0"}
    assert logged[0].after == {"result": value, "board": 1, "game": game.pk, "second_result": ""}


def test_second_reading_is_removed(other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    confirm_result(actor=other, game_id=game.pk, result="", seen_version=2)
    assert row(game) == ("1-0", "", None, 3)
    assert game.second_at is None


def test_reading_that_agrees_needs_no_fresh_page(other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1-0", seen_version=0)
    assert row(game)[1] == "1-0"


def test_different_reading_from_a_stale_page_gets_the_current_result(other: Actor, game: Game) -> None:
    at = game.entered_at
    with refused("stale_result", board=1, theirs="1-0", version=1, by=game.entered_by.label, at=at):
        confirm_result(actor=other, game_id=game.pk, result="0-1", seen_version=0)


def test_two_people_with_different_readings_each_get_the_reading_of_the_other(
    actor: Actor, other: Actor, game: Game
) -> None:
    read = confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    at = read.second_at
    for result in ("0-1", "1-0"):
        with refused("stale_result", board=1, theirs="1/2", version=2, by="bo", at=at):
            confirm_result(actor=actor, game_id=game.pk, result=result, seen_version=1)


def test_game_without_a_result_is_not_read_again(actor: Actor) -> None:
    game = GameFactory()
    with refused("nothing_to_confirm", board=1):
        confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=0)


def test_draft_is_not_read_again(actor: Actor) -> None:
    game = GameFactory(round__state=Round.State.DRAFT)
    with refused("round_not_published", round=1):
        confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=0)
    with refused("round_not_published", round=1):
        mark_over(actor=actor, game_id=game.pk, over=True, seen_version=0)


@pytest.mark.parametrize("wrong", ["2-0", "x"])
def test_reading_outside_the_list_is_refused(actor: Actor, game: Game, wrong: str) -> None:
    with refused("unknown_result", result=wrong):
        confirm_result(actor=actor, game_id=game.pk, result=wrong, seen_version=1)


def test_finished_round_may_be_read_again_but_a_difference_is_a_correction(actor: Actor) -> None:
    game = GameFactory(round__state=Round.State.FINISHED, result=Result.DRAW)
    confirm_result(actor=actor, game_id=game.pk, result="1/2", seen_version=0)
    assert row(game)[1] == "1/2"
    with refused("reading_differs", round=1, board=1, theirs="1-0"):
        confirm_result(actor=actor, game_id=game.pk, result="1-0", seen_version=1)


@pytest.fixture
def section() -> Section:
    """A round of two boards, all drawn."""
    section = section_of(4)
    for game in paired(section).games.all():
        record_result(actor=Actor.command(), game_id=game.pk, result="1/2", seen_version=0)
    return section


def test_difference_keeps_the_next_round_from_being_paired(actor: Actor, section: Section) -> None:
    game = Game.objects.get(round__section=section, board=2)
    confirm_result(actor=actor, game_id=game.pk, result="0-1", seen_version=1)
    with refused("results_in_conflict", round=1, boards=[2]):
        pair_next_round(actor=actor, section_id=section.pk, after_round=1)
    record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=2)
    assert pair_next_round(actor=actor, section_id=section.pk, after_round=1).number == 2


def test_verified_and_unverified_games_let_the_next_round_be_paired(actor: Actor, section: Section) -> None:
    game = Game.objects.get(round__section=section, board=1)
    confirm_result(actor=actor, game_id=game.pk, result="1/2", seen_version=1)
    assert pair_next_round(actor=actor, section_id=section.pk, after_round=1).number == 2


def test_ended_game_waits_for_its_slip(actor: Actor) -> None:
    game = GameFactory()
    with one_step(game.round.section, "mark_over") as logged:
        mark_over(actor=actor, game_id=game.pk, over=True, seen_version=0)
    game.refresh_from_db()
    assert (game.over_at is None, game.over_by, game.version, game.result) == (False, actor.user, 1, "")
    assert (logged[0].before, logged[0].after["over"]) == ({"over": False}, True)
    with unchanged():
        assert mark_over(actor=actor, game_id=game.pk, over=True, seen_version=0) == game
    record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=1)
    game.refresh_from_db()
    assert (game.over_at, game.over_by) == (None, None)


def test_mark_of_an_ended_game_is_removed(actor: Actor) -> None:
    game = GameFactory()
    mark_over(actor=actor, game_id=game.pk, over=True, seen_version=0)
    mark_over(actor=actor, game_id=game.pk, over=False, seen_version=1)
    game.refresh_from_db()
    assert (game.over_at, game.over_by, game.version) == (None, None, 2)


def test_game_with_a_result_is_not_marked(actor: Actor, game: Game) -> None:
    with refused("game_has_result", board=1):
        mark_over(actor=actor, game_id=game.pk, over=True, seen_version=1)


def test_mark_from_a_stale_page_is_refused(actor: Actor) -> None:
    game = GameFactory(version=3)
    with refused("stale_result", board=1, theirs="", version=3, by="", at=None):
        mark_over(actor=actor, game_id=game.pk, over=True, seen_version=0)


@pytest.mark.parametrize("missing", [0, 10**30])
def test_missing_game_is_refused(actor: Actor, missing: int) -> None:
    with refused("not_found", kind="game", id=missing):
        confirm_result(actor=actor, game_id=missing, result="1-0", seen_version=0)
    with refused("not_found", kind="game", id=missing):
        mark_over(actor=actor, game_id=missing, over=True, seen_version=0)


def test_later_result_is_kept_as_a_second_reading(actor: Actor, other: Actor, game: Game) -> None:
    with pytest.raises(Stale) as caught:
        record_result(actor=other, game_id=game.pk, result="1/2", seen_version=0, typed=True)
    assert (caught.value.params["theirs"], caught.value.params["version"]) == ("1-0", 2)
    assert row(game) == ("1-0", "1/2", other.user, 2)
    with pytest.raises(Stale):  # sent again because the answer was lost
        record_result(actor=other, game_id=game.pk, result="1/2", seen_version=0, typed=True)
    assert row(game)[3] == 2
    record_result(actor=other, game_id=game.pk, result="1/2", seen_version=2, typed=True)
    assert row(game)[:2] == ("1/2", "1/2")


def test_third_result_changes_none_of_two_different_results(actor: Actor, other: Actor, game: Game) -> None:
    confirm_result(actor=other, game_id=game.pk, result="1/2", seen_version=1)
    with refused("stale_result", theirs="1-0", version=2):
        record_result(actor=actor, game_id=game.pk, result="0-1", seen_version=0, typed=True)


def test_late_clearing_and_a_result_after_clearing_are_refused(
    actor: Actor, other: Actor, game: Game
) -> None:
    with refused("stale_result", theirs="1-0"):
        record_result(actor=other, game_id=game.pk, result="", seen_version=0, typed=True)
    record_result(actor=actor, game_id=game.pk, result="", seen_version=1)
    with refused("stale_result", theirs=""):
        record_result(actor=other, game_id=game.pk, result="1/2", seen_version=0, typed=True)
