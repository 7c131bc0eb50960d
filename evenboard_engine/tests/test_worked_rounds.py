"""Rounds worked out on paper from the rule text: the oracle and the engine must both find them.

Each tests an article that random rounds rarely reach, or that both could get wrong in the same way.
"""

from __future__ import annotations

import pytest

from evenboard_engine.model import Bye, ByeKind, Colour, Game, Player, Result, Tournament
from evenboard_engine.tests.worked import Answer, Pairs, by_oracle_and_engine, field, pairs_of, players

pytestmark = by_oracle_and_engine


# Brackets in which nobody has played, and the colours of 5.2.1


@pytest.mark.parametrize(
    ("initial", "pairs"),
    [(Colour.WHITE, {(1, 4), (5, 2), (3, 6)}), (Colour.BLACK, {(4, 1), (2, 5), (6, 3)})],
)
def test_first_round_pairs_the_halves_and_alternates(answer: Answer, initial: Colour, pairs: Pairs) -> None:
    tournament = Tournament(rounds=5, round=1, players=field(6), initial_colour=initial)
    assert pairs_of(answer(tournament)) == pairs


def test_first_round_of_an_odd_field_leaves_out_the_last(answer: Answer) -> None:
    tournament = Tournament(rounds=5, round=1, players=field(7), initial_colour=Colour.WHITE)
    found = answer(tournament)
    assert found is not None
    assert (set(found.pairs), found.bye) == ({(1, 4), (5, 2), (3, 6)}, 7)


def test_first_round_numbers_only_present_players(answer: Answer) -> None:
    """2 is late: 3, 4 and 5 are numbered 2, 3 and 4 until 2 arrives."""
    tournament = Tournament(
        rounds=5, round=1, players=field(5), absent=frozenset({2}), initial_colour=Colour.WHITE
    )
    assert pairs_of(answer(tournament)) == {(1, 4), (5, 3)}


def test_first_round_shifts_from_the_middle_if_a_half_has_an_unavoidable_pair(answer: Answer) -> None:
    """1 and 2 may meet only each other. The first of 2, 1, 3 (G1) is shifted, and the first of 5, 4, 6 (G2)."""
    forbidden = frozenset((one, two) for one in (1, 2) for two in (3, 4, 5, 6))
    tournament = Tournament(
        rounds=5, round=1, players=field(6), forbidden=forbidden, initial_colour=Colour.WHITE
    )
    found = answer(tournament)
    assert pairs_of(found) == {(1, 2), (3, 4), (5, 6)}
    assert found is not None
    assert [(b.first_shift, b.second_shift, b.s1, b.t2) for b in found.brackets] == [
        ((2,), (5,), (1, 3, 5), (2, 4, 6))
    ]


# Later rounds


def test_second_round_of_four(answer: Answer) -> None:
    """Round 1: 1-3 and 4-2, won by 1 and 2. 2 and 3 had Black and are due White, so all preferences are granted."""
    tournament = Tournament(
        rounds=3,
        round=2,
        players=field(4),
        games=(Game(1, 1, 3, Result.WHITE_WINS), Game(1, 4, 2, Result.BLACK_WINS)),
    )
    assert pairs_of(answer(tournament)) == {(2, 1), (3, 4)}


def test_third_round_of_four_has_the_only_pairs_left(answer: Answer) -> None:
    """1 (WB) won twice, 2 and 3 have one point, 4 none. 1 has met 2 and 3, so 4 floats up past both.

    1 (WB) and 4 (WB) are both due White, mildly, with equal histories: the higher ranked gets it (5.2.5).
    2 (BW) is due Black, 3 (BW) too: the same.
    """
    tournament = Tournament(
        rounds=3,
        round=3,
        players=field(4),
        games=(
            Game(1, 1, 3, Result.WHITE_WINS),
            Game(1, 4, 2, Result.BLACK_WINS),
            Game(2, 2, 1, Result.BLACK_WINS),
            Game(2, 3, 4, Result.WHITE_WINS),
        ),
    )
    assert pairs_of(answer(tournament)) == {(1, 4), (3, 2)}


def test_low_aro_meets_high_ranking(answer: Answer) -> None:
    """1 to 4 had Black, 5 to 8 had White, all have half a point: S1 is in order of ARO."""
    draws = [(9, 1), (10, 2), (11, 3), (12, 4), (5, 13), (6, 14), (7, 15), (8, 16)]
    ratings = [2400, 2380, 2360, 2340, 2320, 2300, 2280, 2260, 2100, 1900, 2000, 1900, 1500, 1500, 1500, 1500]
    tournament = Tournament(
        rounds=5,
        round=2,
        players=players(*ratings),
        games=tuple(Game(1, white, black, Result.DRAW) for white, black in draws),
        absent=frozenset(range(9, 17)),
    )
    assert pairs_of(answer(tournament)) == {(2, 5), (4, 6), (3, 7), (1, 8)}


def test_shifts_of_both_kinds(answer: Answer) -> None:
    """1, 2, 3 are due White and 4 to 10 Black; 1 and 2 can only meet each other.

    One player due White is shifted: 2, the middle of 1, 2, 3. Then three of 4 to 10, from the middle: 7, 6, 8 (2 has no
    number there, reading D5). S1 by ARO: 1, 3, 6, 7, 8. T2: 2, 4, 5, 9, 10. Pairs due the same colour: 5.2.5.
    """
    absent = range(11, 21)
    games = [Game(1, 10 + number, number, Result.DRAW) for number in (1, 2, 3)]
    games += [Game(1, number, 10 + number, Result.DRAW) for number in range(4, 11)]
    everyone = [Player(number, number, 2000 + number if number > 10 else 2500) for number in range(1, 21)]
    tournament = Tournament(
        rounds=7,
        round=2,
        players=tuple(everyone),
        games=tuple(games),
        absent=frozenset(absent),
        forbidden=frozenset((one, two) for one in (1, 2) for two in range(3, 11)),
    )
    found = answer(tournament)
    assert found is not None
    assert [(b.first_shift, b.second_shift, b.s1, b.t2) for b in found.brackets] == [
        ((2,), (7, 6, 8), (1, 3, 6, 7, 8), (2, 4, 5, 9, 10))
    ]
    assert set(found.pairs) == {(1, 2), (3, 4), (6, 5), (9, 7), (10, 8)}


# Colours


def colour_history(rounds: dict[int, str]) -> Tournament:
    """Return the next round of players whose earlier rounds are given by W, B or h (half-point bye); all games drawn.

    Their opponents were other players, who have withdrawn.
    """
    length = len(rounds[1])
    opponent = len(rounds)
    games, byes = [], []
    for player, letters in rounds.items():
        for number, letter in enumerate(letters, start=1):
            opponent += 1
            if letter == "h":
                byes.append(Bye(number, player, ByeKind.HALF))
            else:
                white, black = (player, opponent) if letter == "W" else (opponent, player)
                games.append(Game(number, white, black, Result.DRAW))
    return Tournament(
        rounds=length + 1,
        round=length + 1,
        players=players(*[2000] * opponent),
        games=tuple(games),
        byes=tuple(byes),
        absent=frozenset(range(len(rounds) + 1, opponent + 1)),
    )


@pytest.mark.parametrize(
    ("first", "second", "pair"),
    [
        ("WB", "BW", (1, 2)),
        ("WBW", "hBW", (2, 1)),
        ("hBW", "WBW", (1, 2)),
        ("BWB", "WBB", (2, 1)),
        ("WhB", "BWB", (2, 1)),
        ("hWBBW", "BWBhW", (1, 2)),
        ("hBW", "hBW", (2, 1)),
        ("hWB", "hWB", (1, 2)),
        ("hhh", "hBW", (2, 1)),
    ],
    ids=[
        "5.2.2 both",
        "5.2.3 strong before mild, higher ranked",
        "5.2.3 strong before mild, lower ranked",
        "5.2.3 absolute before strong",
        "5.2.3 strong before mild, White",
        "5.2.4 compressed: the third game from the end differs",
        "5.2.5 Black to the higher ranked",
        "5.2.5 White to the higher ranked",
        "5.2.5 no games to compare, because one has not played",
    ],
)
def test_colours_of_a_pair(answer: Answer, first: str, second: str, pair: tuple[int, int]) -> None:
    assert pairs_of(answer(colour_history({1: first, 2: second}))) == {pair}


def test_c3_keeps_two_absolute_preferences_apart(answer: Answer) -> None:
    assert answer(colour_history({1: "WW", 2: "WW"})) is None
