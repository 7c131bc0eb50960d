"""Players press results on their phones: a help beside the slips or in place of them, and never against an arbiter."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from django.conf import LazySettings

from evenboard_engine import Colour
from pairing.by_hand import begin_manual_phase, change_by_hand
from pairing.rounds import pair_next_round, publish_round, unpair_round, unpublish_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.actions.test_concurrency import at_once
from tests.factories import UserFactory, section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.player_results import press_result, renew_player_link
from tournaments.actions.results import record_result
from tournaments.actions.sections import edit_section
from tournaments.actions.undo import undo
from tournaments.errors import DomainError
from tournaments.models import Game, Section
from tournaments.queries.field import load_field
from tournaments.queries.player_results import game_of_link, player_links
from tournaments.queries.rounds import floor_of, round_pairings
from tournaments.seating import SeatingStep, SeatMove
from web.words.log_sentences import sentence_of

WHITE, BLACK = Colour.WHITE, Colour.BLACK
OFF, BESIDE, INSTEAD = Section.PlayersConfirm

pytestmark = pytest.mark.django_db


@dataclass
class Board:
    """A board of a running round, with the links as they were printed."""

    game: Game

    def __post_init__(self) -> None:
        section = self.game.round.section
        links = player_links(section, self.game.round.number)
        self.links = {colour: links[self.game.pk, colour] for colour in Colour}

    @property
    def section(self) -> Section:
        return Section.objects.get(pk=self.game.round.section_id)

    def press(self, colour: Colour, result: str) -> Game:
        return press_result(game_id=self.game.pk, colour=colour, link=self.links[colour], result=result)

    @property
    def row(self) -> tuple[str, str, str, str, int]:
        game = Game.objects.get(pk=self.game.pk)
        return game.result, game.second_result, game.white_pressed, game.black_pressed, game.version

    def opens(self, link: str, section: Section | None = None) -> bool:
        here = section or self.section
        return game_of_link(here.event.slug, here.slug, link) is not None


def board(way: str, players: int = 4) -> Board:
    section = section_of(players, players_confirm=way)
    return Board(paired(section).games.select_related("round__section").get(board=1))


def sentences(section: Section) -> list[str]:
    return [sentence_of(row) for row in section.log.order_by("revision")]


def test_beside_the_slips_equal_presses_are_the_second_reading_of_the_slip() -> None:
    one = board(BESIDE)
    with one_step(one.section, "press_result") as logged:
        one.press(WHITE, "1-0")
    assert (logged[0].user, logged[0].who, logged[0].origin) == (None, "player", "player")
    assert one.row == ("", "", "1-0", "", 0)  # the arbiter's open form is not refused
    with unchanged():
        one.press(WHITE, "1-0")
    one.press(BLACK, "1-0")
    assert one.row == ("", "", "1-0", "1-0", 0)
    with refused("players_agreed", stands="1-0"):
        one.press(BLACK, "1/2")
    assert sentences(one.section)[-1].endswith("Black pressed 1–0 on a phone, as White had done")
    record_result(actor=Actor(UserFactory()), game_id=one.game.pk, result="1-0", seen_version=0)
    assert one.row == ("1-0", "1-0", "1-0", "1-0", 1)
    game = Game.objects.get(pk=one.game.pk)
    assert (game.is_verified, game.by_players) == (True, False)


def test_a_slip_that_says_something_else_waits_for_a_decision_with_both_values() -> None:
    one = board(BESIDE)
    one.press(WHITE, "1/2")
    one.press(BLACK, "1/2")
    arbiter = Actor(UserFactory(), "192.0.2.1")
    record_result(actor=arbiter, game_id=one.game.pk, result="1-0", seen_version=0, typed=True)
    game = Game.objects.get(pk=one.game.pk)
    assert (game.result, game.second_result, game.second_by, game.is_in_conflict) == (
        "1-0",
        "1/2",
        None,
        True,
    )
    enter(Game.objects.get(round=game.round, board=2), "1-0")
    with refused("results_in_conflict"):
        pair_next_round(actor=arbiter, section_id=one.section.pk, after_round=1)
    enter(game, "1/2")
    assert Game.objects.get(pk=game.pk).is_verified


def test_in_place_of_the_slips_equal_presses_are_the_result_read_twice() -> None:
    one = board(INSTEAD)
    one.press(BLACK, "0-1")
    assert one.row == ("", "", "", "0-1", 0)  # silence changes nothing
    with one_step(one.section, "agree_result"):
        one.press(WHITE, "0-1")
    assert one.row == ("0-1", "0-1", "0-1", "0-1", 1)
    game = Game.objects.get(pk=one.game.pk)
    assert (game.is_verified, game.by_players, game.entered_at is None) == (True, True, False)
    names = f"{game.white} – {game.black}"
    assert [sentence.replace(names, "…") for sentence in sentences(one.section)[-2:]] == [
        "Round 1, board 1: …: Black pressed 0–1 on a phone",
        "Round 1, board 1: …: 0–1, because White pressed the same result as Black on a phone",
    ]
    undo(actor=Actor.command(), section_id=one.section.pk, revision=one.section.revision)
    assert one.row == ("", "", "", "0-1", 2)
    one.press(WHITE, "0-1")
    for other in Game.objects.filter(round=game.round, result=""):
        enter(other, "1-0")
    assert pair_next_round(actor=Actor.command(), section_id=one.section.pk, after_round=1).number == 2


def test_different_presses_wait_for_an_arbiter_until_one_player_presses_again() -> None:
    one = board(INSTEAD)
    one.press(WHITE, "1-0")
    one.press(BLACK, "1/2")
    assert one.row == ("", "", "1-0", "1/2", 0)
    field = load_field(one.section)
    floor = floor_of(field, round_pairings(field, 1))
    assert [(row.board, row.pressed_by_each) for row in floor.disputed] == [(1, ("1-0", "1/2"))]
    assert (floor.to_settle, floor.first_to_settle, [row.board for row in floor.in_play]) == (1, 1, [2])
    assert "but White had pressed 1–0" in sentences(one.section)[-1]
    one.press(WHITE, "1/2")
    assert one.row[0] == "1/2"


@pytest.mark.parametrize("way", [BESIDE, INSTEAD])
def test_no_player_changes_what_an_arbiter_entered(way: str) -> None:
    one = board(way)
    one.press(WHITE, "1/2")
    enter(one.game, "1-0")
    stood = one.row
    for colour in Colour:
        with refused("result_stands", stands="1-0"):
            one.press(colour, "0-1")
    assert one.row == stood
    enter(one.game, "")  # the arbiter clears the result, and the presses with it
    assert one.row == ("", "", "", "", 2)
    one.press(BLACK, "0-1")
    assert one.row[3] == "0-1"


def test_where_players_do_not_confirm_nothing_is_taken() -> None:
    one = board(INSTEAD)
    edit_section(actor=Actor.command(), section_id=one.section.pk, players_confirm=OFF)
    with refused("players_confirm_nothing"):
        one.press(WHITE, "1-0")
    assert player_links(one.section, 1) == {}
    edit_section(actor=Actor.command(), section_id=one.section.pk, players_confirm=BESIDE)
    for result in ("+:-", "adj", "1/2-0", "", "W-L", "x"):
        with refused("unknown_result"):
            one.press(WHITE, result)
    one.press(WHITE, "1-0")
    one.press(BLACK, "1-0")
    edit_section(actor=Actor.command(), section_id=one.section.pk, players_confirm=INSTEAD)
    assert one.row[0] == ""  # a setting makes no result
    one.press(BLACK, "1-0")
    assert one.row[0] == "1-0"


def test_link_opens_its_board_alone_and_only_for_its_player() -> None:
    one, elsewhere = board(INSTEAD, players=6), board(INSTEAD)
    link = one.links[WHITE]
    assert one.opens(link)
    assert not one.opens(link, elsewhere.section)
    other = Board(Game.objects.select_related("round__section").get(round=one.game.round, board=2))
    assert len({*one.links.values(), *other.links.values()}) == 4
    key, proof = f"{one.game.pk}w", link.partition("w")[2]
    forged = [
        f"{one.game.pk}b{proof}",
        f"{other.game.pk}w{proof}",
        f"{key}{proof[:-1]}{'A' if proof[-1] != 'A' else 'B'}",
        f"{key}{proof.swapcase()}",
        f"0{link}",
        f"999999w{proof}",
        key,
        "",
    ]
    assert [text for text in forged if one.opens(text)] == []
    for text in (forged[0], other.links[WHITE], one.links[BLACK]):
        with refused("not_found"):
            press_result(game_id=one.game.pk, colour=WHITE, link=text, result="1-0")


def test_link_ends_when_an_arbiter_makes_it_worthless_and_undo_does_not_bring_it_back() -> None:
    one = board(INSTEAD)
    one.press(WHITE, "1-0")
    with one_step(one.section, "renew_player_link"):
        renew_player_link(actor=Actor.command(), game_id=one.game.pk, colour=WHITE)
    lost = one.links[WHITE]
    assert (one.row[2], one.opens(lost), one.opens(one.links[BLACK])) == ("", False, True)
    with refused("not_found"):
        one.press(WHITE, "1-0")
    one.press(BLACK, "1-0")
    assert one.row[0] == ""  # what the lost phone pressed does not count
    one.links = Board(Game.objects.select_related("round__section").get(pk=one.game.pk)).links
    renewed = one.section.log.get(action="renew_player_link").revision
    undo(actor=Actor.command(), section_id=one.section.pk, revision=renewed)
    assert (one.row[2], one.opens(lost), one.opens(one.links[WHITE])) == ("1-0", False, True)
    paired_row = one.game.round
    unpublish_round(actor=Actor.command(), round_id=paired_row.pk, seen_version=paired_row.version)
    with refused("round_not_published"):
        one.press(WHITE, "1-0")
    paired_row.refresh_from_db()
    unpair_round(actor=Actor.command(), round_id=paired_row.pk, seen_version=paired_row.version)
    assert not one.opens(one.links[WHITE])
    undo(actor=Actor.command(), section_id=one.section.pk, revision=one.section.revision)
    assert (one.opens(lost), one.opens(one.links[WHITE])) == (False, True)
    paired_row.refresh_from_db()
    publish_round(actor=Actor.command(), round_id=paired_row.pk, seen_version=paired_row.version)
    enter(one.game, "1-0")
    with refused("result_stands"):
        renew_player_link(actor=Actor.command(), game_id=one.game.pk, colour=WHITE)


def test_link_ends_when_other_players_sit_at_the_board() -> None:
    one = board(INSTEAD)
    one.press(WHITE, "1-0")
    row = begin_manual_phase(
        actor=Actor.command(), round_id=one.game.round_id, seen_version=one.game.round.version, public=True
    )
    step = SeatingStep(SeatMove.COLOURS, one.game.white_id)
    change_by_hand(
        actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )
    turned = Game.objects.get(pk=one.game.pk)
    assert (turned.white_id, turned.white_pressed) == (one.game.black_id, "")
    assert [one.opens(link) for link in one.links.values()] == [False, False]


def test_link_ends_with_the_round_and_lives_through_a_new_secret_key(settings: LazySettings) -> None:
    one = board(INSTEAD)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "the next key", [settings.SECRET_KEY]
    one.press(WHITE, "1-0")
    settings.SECRET_KEY_FALLBACKS = []
    assert not one.opens(one.links[WHITE])
    one.links = Board(one.game).links
    for game in Game.objects.filter(round=one.game.round):
        enter(game, "1-0")
    paired(one.section)
    with pytest.raises(DomainError) as caught:
        one.press(WHITE, "0-1")
    assert (caught.value.code, one.row[0]) == ("result_stands", "1-0")


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_both_players_and_an_arbiter_at_the_same_moment() -> None:
    one = board(INSTEAD)
    assert at_once(lambda: one.press(WHITE, "1-0"), lambda: one.press(BLACK, "1-0")) == ["done", "done"]
    assert one.row == ("1-0", "1-0", "1-0", "1-0", 1)
    two = board(INSTEAD)
    two.press(WHITE, "1-0")
    outcomes = at_once(
        lambda: two.press(BLACK, "1-0"),
        lambda: record_result(
            actor=Actor.command(), game_id=two.game.pk, result="0-1", seen_version=0, typed=True
        ),
    )
    if outcomes == ["result_stands", "done"]:
        assert two.row == ("0-1", "", "1-0", "", 1)
    else:  # the arbiter's slip is the other reading, and somebody decides
        assert outcomes == ["done", "stale_result"]
        assert two.row == ("1-0", "0-1", "1-0", "1-0", 2)
