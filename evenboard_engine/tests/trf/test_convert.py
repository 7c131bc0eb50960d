from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evenboard_engine import Bye, ByeKind, Colour, Game, Player, PointSystem, Result, Tournament, pair_round
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import TrfErrors, read_report, rules_of, to_tournament

FILES = Path(__file__).parent / "files"
W, B = Colour.WHITE, Colour.BLACK


def rated(*entries: str, starting_rank: int, **fields: object) -> str:
    return player_line(*entries, **{"starting_rank": starting_rank, "rating": 2500 - starting_rank, **fields})


def tournament(*lines: str, **options: Any) -> Tournament:
    return to_tournament(read_report(as_file(*lines)), **options)


def errors(*lines: str, **options: Any) -> list[tuple[int, int, str]]:
    with pytest.raises(TrfErrors) as caught:
        tournament(*lines, **options)
    return [(error.line, error.column, error.code) for error in caught.value.errors]


PAIR = (rated("2 w 1", starting_rank=1), rated("1 b 0", starting_rank=2))
FOUR = tuple(rated(starting_rank=rank) for rank in (1, 2, 3, 4))


def test_file_becomes_the_tournament_before_the_next_round() -> None:
    report = read_report((FILES / "seven-after-round-2.trf").read_bytes())
    ratings = (2510, 2275, 2240, 2101, 1998, 1874, 1750)
    assert to_tournament(report) == Tournament(
        rounds=5,
        round=3,
        players=tuple(Player(rank, rank, rating) for rank, rating in enumerate(ratings, start=1)),
        games=(
            Game(1, 1, 4, Result.WHITE_WINS),
            Game(2, 2, 1, Result.BLACK_WINS),
            Game(1, 3, 6, Result.DRAW),
            Game(2, 4, 7, Result.WHITE_WINS_BY_FORFEIT),
            Game(1, 5, 2, Result.BLACK_WINS),
            Game(2, 6, 5, Result.DRAW),
        ),
        byes=(Bye(3, 2, ByeKind.HALF), Bye(2, 3, ByeKind.ALLOCATED)),
        absent=frozenset({7}),
        forbidden=frozenset({(1, 6), (3, 5)}),
        initial_colour=W,
        options={"edition": "2026", "upfloats": "played"},
    )


def test_file_can_be_paired() -> None:
    report = read_report((FILES / "seven-after-round-2.trf").read_bytes())
    pairing = pair_round(to_tournament(report))
    players = sorted([pairing.bye, *(side for pair in pairing.pairs for side in (pair.white, pair.black))])
    assert players == [1, 3, 4, 5, 6]


def test_earlier_round_is_the_tournament_as_it_was_then() -> None:
    report = read_report((FILES / "seven-after-round-2.trf").read_bytes())
    second = to_tournament(report, round=2)
    assert (second.round, {game.round for game in second.games}) == (2, {1})
    assert (second.byes, second.absent) == ((), frozenset())
    first = to_tournament(report, round=1)
    assert (first.round, first.games, first.byes, first.absent) == (1, (), (), frozenset({7}))


def test_byes_of_the_round_to_be_paired_come_from_columns_and_240() -> None:
    lines = (
        rated("2 w 1", starting_rank=1),
        rated("1 b 0", "0000 - Z", starting_rank=2),
        rated(starting_rank=3),
        rated("0000 - F", "0000 - H", "0000 - H", starting_rank=4),
    )
    result = tournament(*lines, "XXR 5", "240 H 002 0003 0004", "240 Z 004 0001", "XXZ 1")
    assert (result.round, result.absent) == (2, frozenset({1}))
    assert result.byes == (
        Bye(2, 2, ByeKind.ZERO),
        Bye(1, 4, ByeKind.FULL),
        Bye(2, 4, ByeKind.HALF),
        Bye(2, 3, ByeKind.HALF),
    )


def test_blank_rounds_leave_players_out_of_them() -> None:
    lines = (*PAIR, rated(starting_rank=3), rated("0000 - Z", starting_rank=4), "XXR 5")
    result = tournament(*lines)
    assert result.byes == (Bye(1, 4, ByeKind.ZERO),)
    assert result.absent == frozenset()
    assert tournament(*lines, round=1).absent == frozenset({3})


@pytest.mark.parametrize(
    ("symbols", "result"), [(("+", "-"), "+:-"), (("-", "+"), "-:+"), (("-", "-"), "-:-")]
)
def test_forfeit_without_colours_gives_white_to_the_smaller_starting_rank(
    symbols: tuple[str, str], result: str
) -> None:
    one = rated(f"2 - {symbols[0]}", starting_rank=1)
    two = rated(f"1 - {symbols[1]}", starting_rank=2)
    assert tournament(one, two, "XXR 5").games == (Game(1, 1, 2, Result(result)),)


def test_adjourned_game_stays_adjourned() -> None:
    lines = (
        rated("2 b ?", starting_rank=1, points="0.5"),
        rated("1 w ?", starting_rank=2, points="0.5"),
        "XXR 3",
    )
    assert tournament(*lines).games == (Game(1, 2, 1, Result.ADJOURNED),)


def test_prohibitions_hold_in_their_rounds() -> None:
    lines = (*FOUR, "XXR 9", "XXP 3 1 4", "260 001 001 0001 0002", "260 002 009 0002 0003")
    assert tournament(*lines).forbidden == frozenset({(1, 3), (1, 4), (3, 4), (1, 2)})


def test_xxc_rank_makes_the_place_in_the_file_the_pairing_number() -> None:
    lines = [rated(starting_rank=rank) for rank in (7, 3, 5)]
    assert tournament(*lines, "XXR 5").players == (Player(7, 7, 2493), Player(3, 3, 2497), Player(5, 5, 2495))
    ranked = tournament(*lines, "XXR 5", "XXC rank").players
    assert ranked == (Player(7, 1, 2493), Player(3, 2, 2497), Player(5, 3, 2495))


def test_point_system_is_read_from_the_file() -> None:
    assert tournament(*FOUR, "XXR 5", "XXS PAB=0.5").points == PointSystem(allocated_bye=5)


@pytest.mark.parametrize(
    ("lines", "colour"),
    [
        ((*FOUR, "152 B"), B),
        ((*FOUR, "XXC white1"), W),
        (FOUR, None),
        (PAIR, W),
        ((*PAIR, "XXC black1"), B),
        ((rated("2 b 1", starting_rank=1), rated("1 w 0", starting_rank=2)), B),
        ((rated("2 b +", starting_rank=1), rated("1 w -", starting_rank=2)), B),
        ((rated("2 - +", starting_rank=1), rated("1 - -", starting_rank=2)), None),
    ],
)
def test_initial_colour_is_as_written_or_as_given_in_round_1(
    lines: tuple[str, ...], colour: Colour | None
) -> None:
    assert tournament(*lines, "XXR 5").initial_colour is colour


def test_initial_colour_counts_only_the_players_taken_into_account_for_round_1() -> None:
    late = rated("0000 - H", starting_rank=1)
    pair = (rated("3 w 1", starting_rank=2), rated("2 b 0", starting_rank=3))
    assert tournament(late, *pair, "XXR 5").initial_colour is W
    allocated = rated("0000 - U", starting_rank=1)
    assert tournament(allocated, *pair, "XXR 5").initial_colour is B


@pytest.mark.parametrize(
    ("lines", "options", "expected"),
    [
        (FOUR, {}, [(0, 0, "rounds_missing")]),
        ((*PAIR, "XXR 1"), {}, [(0, 0, "all_rounds_paired")]),
        ((*PAIR, "XXR 5"), {"round": 3}, [(0, 0, "round_out_of_range")]),
        ((*PAIR, "XXR 5"), {"round": 0}, [(0, 0, "round_out_of_range")]),
        (
            (rated("2 w ", starting_rank=1), rated("1 b ", starting_rank=2), "XXR 5"),
            {},
            [(1, 99, "result_missing")],
        ),
        (
            (player_line(starting_rank=1), player_line(starting_rank=2, rating="0"), "XXR 5"),
            {"system": "dubov"},
            [(1, 49, "rating_missing"), (2, 49, "rating_missing")],
        ),
        ((*FOUR, "XXR 5", "XXA    1  1.0", "XXA    1  0.5"), {}, [(7, 5, "virtual_points_differ")]),
        ((*FOUR, "XXR 5", "192 FIDE_DUTCH_2026"), {"system": "dubov"}, [(6, 5, "other_system")]),
        ((*FOUR, "XXR 5", "XXW 7"), {}, [(6, 1, "unknown_extension")]),
    ],
)
def test_file_that_cannot_be_paired_is_refused(
    lines: tuple[str, ...], options: dict[str, Any], expected: list[tuple[int, int, str]]
) -> None:
    assert errors(*lines, **options) == expected


@pytest.mark.parametrize(
    ("lines", "system"),
    [
        ((), "dutch"),
        (("192 FIDE_DUBOV",), "dubov"),
        (("192 FIDE_DUTCH_BAKU",), "dutch"),
        (("### Pairing system: uschess",), "uschess"),
        (("092 Individual: Round-Robin (Berger)",), "round-robin"),
    ],
)
def test_file_names_its_system_and_without_one_it_is_of_the_dutch_system(
    lines: tuple[str, ...], system: str
) -> None:
    ranked = (
        rated("2 w 1", starting_rank=1, points="1.0", rank=1),
        rated("1 b 0", starting_rank=2, points="0.0", rank=2),
    )
    report = read_report(as_file(*ranked, "142 5", "152 W", *lines))
    assert to_tournament(report).system == system
    assert list(check_rounds(report)) == list(check_rounds(report, system=system))
    assert check_standings(report) == check_standings(report, system=system) is not None
    assert rules_of(report) == rules_of(report, system=system)
    assert to_tournament(read_report(as_file(*ranked, "142 5")), system="uschess").system == "uschess"


def test_missing_result_of_a_later_round_does_not_matter() -> None:
    lines = (rated("2 w ", starting_rank=1), rated("1 b ", starting_rank=2), "XXR 5")
    assert tournament(*lines, round=1).games == ()


def test_rating_for_the_unrated_can_be_given() -> None:
    lines = (
        player_line(starting_rank=1, rating=1800),
        player_line(starting_rank=2),
        "XXR 5",
        "192 fide_dubov",
    )
    assert tournament(*lines, unrated=1400).players == (Player(1, 1, 1800), Player(2, 2, 1400))


@pytest.mark.parametrize("points", ["162  W 3.0    D 1.0", "XXS W=3.0 D=1.0 PAB=3.0", "BBW 3.0"])
def test_scoregroups_use_the_point_system_of_the_file(points: str) -> None:
    """Players 1 and 2 won one game each, worth three points. Player 2 drew the other game."""
    scale = 1 if points.startswith("BBW") else 2
    lines = (
        rated("3 w 1", "2 b 0", starting_rank=1),
        rated("4 w =", "1 w 1", starting_rank=2),
        rated("1 b 0", "4 w =", starting_rank=3),
        rated("2 b =", "3 b =", starting_rank=4),
        points,
        *(("BBD 0.5",) if scale == 1 else ()),
        "XXR 5",
        "192 FIDE_DUBOV",
    )
    made = tournament(*lines)
    draw = 5 * scale
    assert [bracket.score for bracket in pair_round(made).brackets] == [30 + draw, 30]


@pytest.mark.parametrize(
    ("written", "white", "black"),
    [(("152 W",), 5, 6), (("152 B",), 6, 5), (("XXC black1",), 6, 5), ((), 5, 6)],
)
def test_late_entries_who_meet_get_the_initial_colour_by_their_number(
    written: tuple[str, ...], white: int, black: int
) -> None:
    """5 and 6 enter in round 2 and must meet. 5 counts as odd, unless player 8, first in the file, was in round 1."""
    lines = [
        rated("3 w 1", starting_rank=1),
        rated("4 b 1", starting_rank=2),
        rated("1 b 0", starting_rank=3),
        rated("2 w 0", starting_rank=4),
        rated(starting_rank=5),
        rated(starting_rank=6),
        "XXR 5",
        *(f"XXP {one} {other}" for one in (1, 2, 3, 4) for other in (5, 6)),
        *written,
    ]
    games = {(pair.white, pair.black) for pair in pair_round(tournament(*lines)).pairs}
    assert (white, black) in games
    first = [rated("0000 - U", starting_rank=8), *lines, "XXZ 8", "XXC rank"]
    games = {(pair.white, pair.black) for pair in pair_round(tournament(*first)).pairs}
    assert ((black, white) if written else (white, black)) in games
    never_here = [rated(starting_rank=8), *lines, "XXZ 8", "XXC rank"]
    games = {(pair.white, pair.black) for pair in pair_round(tournament(*never_here)).pairs}
    assert (white, black) in games
