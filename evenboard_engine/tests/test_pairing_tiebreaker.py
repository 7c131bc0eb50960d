"""The Pairing Tiebreaker: worked examples, and a definition written apart from the engine on random tournaments."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evenboard_engine import ByeKind, Tournament
from evenboard_engine.tests.crosstables import crosstable
from evenboard_engine.tests.random_results import random_results
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_definitions import Defined
from evenboard_engine.tiebreaks import (
    order_of,
    pairing_tiebreakers,
    quality,
    ranking,
    read_list,
    shown,
    standings,
    table,
)
from evenboard_engine.tiebreaks.pairing_tiebreaker import ROUNDS_LEFT_OUT

NOBODY_MISSES = """
1 2400 | 3w1 2b1 4w1
2 2300 | 4b1 1w0 3b=
3 2200 | 1b0 4w1 2w=
4 2100 | 2w0 3b0 1b0
"""
DRAWS = """
1 2500 | 4w1 3b= 2w=
2 2400 | 5b= 4w1 1b=
3 2300 | 6w1 1w= 5b1
4 2200 | 1b0 2b0 6w1
5 2100 | 2w= 6b1 3w0
6 2000 | 3b0 5w0 4b0
"""
A_BYE_A_ROUND = """
1 2400 | 3w1 2b0 4b=
2 2300 | 4b1 1w1 5w1
3 2200 | 1b0 5b1 U
4 2100 | 2w0 U 1w=
5 2000 | U 3w0 2b0
"""
LATE_BYE_AND_FORFEIT = """
1 2400 | 4w1 2b1 3w= 5w1
2 2350 | 5b1 1w0 6b1 3w=
3 2300 | 6w= 7w1 1b= 2b=
4 2250 | 1b0 5w+ 5b0 7w=
5 2200 | 2w0 4b- 4w1 1b0
6 2150 | 3b= H 2w0 U
7 2100 | Z 3b0 U 4b=
"""


@pytest.mark.parametrize(
    ("text", "order", "expected", "uneven"),
    [
        (NOBODY_MISSES, "aro", "5@5 10@5 8@5 7@5", "1/15"),
        (NOBODY_MISSES, "buchholz", "3@3 6@3 6@3 3@3", "0"),
        (DRAWS, "aro", "5@5 16@5 8@5 5@5 14@5 10@5", "11/58"),
        (DRAWS, "buchholz", "12@3 12@3 12@3 6@3 12@3 6@3", "0"),
        (A_BYE_A_ROUND, "aro", "15@5 10@5 2@2 6@3 7@5", "5/47"),
        (LATE_BYE_AND_FORFEIT, "buchholz", "25/3@7 11@7 11@7 7@7 13@7 9@3 8@4", "21/256"),
    ],
    ids=["aro", "buchholz", "draws aro", "draws buchholz", "byes", "late, bye and forfeit"],
)
def test_worked_examples(text: str, order: str, expected: str, uneven: str) -> None:
    known = table(crosstable(text))
    found = pairing_tiebreakers(known, order)
    assert [f"{one.v}@{one.w}" for one in found.values()] == expected.split()
    assert quality(known, order) == Fraction(uneven)


def test_terms_name_the_place_of_each_opponent() -> None:
    """4 met 2, who was alone with the best ARO of the second score group; in round 3 the leader was alone."""
    four = pairing_tiebreakers(table(crosstable(NOBODY_MISSES)), "aro")[4]
    assert [(term.round, term.opponent, term.size, term.place) for term in four.terms] == [
        (2, 3, 2, 1),
        (3, 1, 1, 1),
    ]
    assert (four.v, four.w, four.value) == (7, 5, Fraction(7, 5))


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("PT", "1.000 2.000 1.600 1.400"),
        ("OTHER_PT", "1.000 2.000 1.600 1.400"),
        ("pt/aro", "1.000 2.000 1.600 1.400"),
        ("PT/BH", "1.000 2.000 2.000 1.000"),
        ("PT/ARO97", "1.000 2.000 1.600 1.400"),
        ("PT/RTNG", "1.056 1.333 2.000 1.500"),
    ],
)
def test_codes_choose_the_order(code: str, expected: str) -> None:
    (rule,) = read_list(code)
    found = ranking(crosstable(NOBODY_MISSES), (rule,))
    assert [shown(rule, found.values[player][0]) for player in range(1, 5)] == expected.split()


@pytest.mark.parametrize("code", ["PT/", "PT/C1", "PT/ARO/C1", "PT/aro 97", "OTHER_PTS", "OTHER_PT/X"])
def test_other_texts_are_no_pairing_tiebreaker(code: str) -> None:
    assert [rule.name for rule in read_list(code)] == [""]


def test_order_is_that_of_the_pairing_system() -> None:
    systems = ("dubov", "dubov-1997", "uschess", "round-robin")
    assert [order_of(system) for system in systems] == ["aro", "aro97", "rating", ""]
    fixed = crosstable(NOBODY_MISSES, system="round-robin")
    assert quality(table(fixed), order_of("round-robin")) is None
    assert ranking(fixed, read_list("PT")).groups == ((1, 2, 3, 4),)


def test_player_without_a_term_is_last_among_level_players() -> None:
    played = crosstable("""
        1 2200 | 2w1   H   H
        2 2300 | 1b0 3w1 4w1
        3 2400 |   H 2b0   H
        4 2100 |   H   H 2b0
    """)
    (rule,) = read_list("PT")
    found = ranking(played, read_list("PTS,PT"))
    assert found.groups[0] == (2,)
    assert found.groups[1] == (1,)
    assert shown(rule, found.values[1][1]) == "-"
    rows = standings(played, (rule,))
    assert [(row.player, row.values) for row in rows if row.player in (1, 2)] == [
        (2, (1,)),
        (1, (None,)),
    ]


# --- a definition written apart


class Plain:
    """The definition, in fractions of a point, from the rounds of evenboard_engine/tests/tiebreak_definitions.py."""

    def __init__(self, tournament: Tournament, order: str) -> None:
        self.of = Defined(tournament)
        self.order = order
        self.bye_of_the_pairing = {
            (bye.round, bye.player) for bye in tournament.byes if bye.kind is ByeKind.ALLOCATED
        }

    def opponent(self, player: int, number: int) -> int | None:
        return self.of.rounds[player][number - 1].opponent

    def in_field(self, player: int, number: int) -> bool:
        return self.opponent(player, number) is not None or (number, player) in self.bye_of_the_pairing

    def criterion(self, player: int, number: int) -> Fraction | int:
        before = [one for one in self.of.rounds[player][: number - 1] if one.over_the_board]
        if self.order == "rating":
            return self.of.rating[player]
        if self.order == "buchholz":
            return sum(self.of.score(one.opponent, number - 1) for one in before)
        if not before:
            return 0
        exact = Fraction(sum(self.of.rating[one.opponent] for one in before), len(before))
        return exact if self.order == "aro97" else int(exact + Fraction(1, 2))

    def term(self, player: int, number: int) -> Fraction | None:
        opponent = self.opponent(player, number)
        if opponent is None or number <= {"aro": 1, "aro97": 1, "buchholz": 2, "rating": 0}[self.order]:
            return None
        group = [
            other
            for other in self.of.rounds
            if self.in_field(other, number)
            and self.of.score(other, number - 1) == self.of.score(opponent, number - 1)
        ]
        mine = self.criterion(opponent, number)
        place = 1 + sum(self.criterion(other, number) > mine for other in group)
        return Fraction(number * len(group), place)

    def value(self, player: int) -> Fraction | None:
        terms = {number: self.term(player, number) for number in range(1, self.of.number + 1)}
        weight = sum(number for number, term in terms.items() if term is not None)
        return sum(term for term in terms.values() if term is not None) / weight if weight else None

    def quality(self) -> Fraction | None:
        values = {player: value for player in self.of.rounds if (value := self.value(player)) is not None}
        if not values:
            return None
        uneven = Fraction(0)
        for player, value in values.items():
            level = [values[other] for other in values if self.of.score(other) == self.of.score(player)]
            uneven += abs(value - Fraction(sum(level), len(level)))
        return uneven / sum(values.values())


@for_seeds(150, in_a_case=150)
def test_random_tournaments_agree_with_the_definition(seed: int) -> None:
    tournament = random_results(seed)
    known = table(tournament)
    for order in ROUNDS_LEFT_OUT:
        plain = Plain(tournament, order)
        found = pairing_tiebreakers(known, order)
        assert {key: one.value for key, one in found.items()} == {key: plain.value(key) for key in found}
        assert quality(known, order) == plain.quality()


@for_seeds(100, in_a_case=100)
def test_quality_is_from_0_to_under_2(seed: int) -> None:
    for order in ROUNDS_LEFT_OUT:
        uneven = quality(table(random_results(seed)), order)
        assert uneven is None or 0 <= uneven < 2
