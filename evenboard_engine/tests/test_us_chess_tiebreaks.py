"""Modified median, Solkoff and cumulative (US Chess, 34E), against definitions of their own and by hand."""

from __future__ import annotations

from fractions import Fraction

from evenboard_engine import Bye, ByeKind, Game, Player, Result, Tournament
from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_definitions import Defined
from evenboard_engine.tiebreaks import ranking, read_list

CODES = "OTHER_MODMED,OTHER_SOLKOFF,OTHER_CUM"


def defined(tournament: Tournament, player: int) -> tuple[Fraction, Fraction, Fraction]:
    """Return the three values of a player in points, one round at a time."""
    of = Defined(tournament)

    def counted(other: int) -> Fraction:
        return sum((one.points if one.over_the_board else of.draw for one in of.rounds[other]), Fraction(0))

    opponents, running, score = [], Fraction(0), Fraction(0)
    for one in of.rounds[player]:
        opponents.append(counted(one.opponent) if one.over_the_board else Fraction(0))
        score += one.points
        running += score
        if not one.over_the_board and one.points >= of.win["w"]:
            running -= of.win["w"]
    left = sorted(opponents)
    share = score / (of.win["w"] * max(of.number, 1))
    for _ in range(2 if of.number >= 9 else 1):
        if share >= Fraction(1, 2) and left:
            left.pop(0)
        if share <= Fraction(1, 2) and left:
            left.pop()
    return sum(left, Fraction(0)), sum(opponents, Fraction(0)), running


@for_seeds(200, in_a_case=200)
def test_values_agree_with_the_definitions(seed: int) -> None:
    tournament = random_results(seed)
    found = ranking(tournament, read_list(CODES)).values
    assert {key: tuple(Fraction(value, 10) for value in values) for key, values in found.items()} == {
        player.id: defined(tournament, player.id) for player in tournament.players
    }


def test_values_computed_by_hand() -> None:
    """Players 1 to 4 in three rounds. 4 has a bye of a point in round 1 and did not come in round 2."""
    tournament = Tournament(
        rounds=3,
        round=4,
        players=tuple(Player(key, key, 2000 - key) for key in (1, 2, 3, 4)),
        games=(
            Game(1, 1, 2, Result.WHITE_WINS),
            Game(2, 3, 1, Result.DRAW),
            Game(2, 2, 4, Result.WHITE_WINS_BY_FORFEIT),
            Game(3, 1, 4, Result.WHITE_WINS),
            Game(3, 2, 3, Result.BLACK_WINS),
        ),
        byes=(Bye(1, 4, ByeKind.FULL), Bye(1, 3, ByeKind.HALF)),
    )
    # counted for opponents: 1 has 2½, 2 has 0 + ½ + 0, 3 has ½ + ½ + 1, 4 has ½ + ½ + 0
    assert ranking(tournament, read_list(CODES)).values == {
        1: (30, 35, 10 + 15 + 25),  # ½, 2 and 1: without the lowest 3
        2: (20, 45, 0 + 10 + 10 - 10),  # 2½, no game, 2: with less than half without the highest
        3: (30, 30, 5 + 10 + 20),  # no game, 2½, ½: without the lowest, which is 0
        4: (0, 25, 10 + 10 + 10 - 10),  # no game twice, and 2½: without the highest
    }
