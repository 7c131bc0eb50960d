"""Articles 2.2, 4.2, 4.3 and 4.4, with the examples of the text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, permutations
from random import Random

import pytest

from evenboard_engine import Colour, InternalError
from evenboard_engine.preference import Strength
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, Lower
from evenboard_engine.systems.dubov.pairing.shifters import recompose, shifter_sequence
from evenboard_engine.systems.dubov.pairing.transposition import first_transposition
from evenboard_engine.systems.dubov.pairing.upfloaters import UpfloaterCosts, choose_upfloaters, one_for_each
from evenboard_engine.tests.rules.build import BLACK, WHITE, entrant
from evenboard_engine.tests.seeds import for_seeds


def transposition(s1: Sequence[DubovEntrant], g2: Sequence[DubovEntrant]) -> list[int] | None:
    players = {player.rank: player for player in (*s1, *g2)}
    met = {rank: player.met for rank, player in players.items()}
    absolute = {rank: player.shape.absolute for rank, player in players.items()}
    return first_transposition([player.rank for player in s1], [player.rank for player in g2], met, absolute)


def ranks(players: object) -> list[int]:
    return [player.rank for player in players]  # type: ignore[attr-defined]


# 4.3.3: seven players A to G are numbered D, C, E, B, F, A, G
@pytest.mark.parametrize(
    ("count", "expected"),
    [(7, [4, 3, 5, 2, 6, 1, 7]), (4, [2, 3, 1, 4]), (6, [3, 4, 2, 5, 1, 6]), (1, [1]), (2, [1, 2])],
)
def test_shifters_are_numbered_from_the_middle(count: int, expected: list[int]) -> None:
    assert ranks(shifter_sequence([entrant(rank) for rank in range(1, count + 1)])) == expected


def test_white_seekers_are_numbered_by_aro_then_rank() -> None:
    seekers = [entrant(1, WHITE, aro=2000), entrant(2, WHITE, aro=1900), entrant(3, WHITE, aro=1900)]
    assert ranks(shifter_sequence(seekers)) == [3, 2, 1]


# 4.4.2: the transpositions of A, B, C are ABC ACB BAC BCA CAB CBA, in that order
def test_transpositions_come_in_lexicographic_order() -> None:
    """Each of the six is the first legal one if bans rule out those before it."""
    order = ["ABC", "ACB", "BAC", "BCA", "CAB", "CBA"]
    bans = {"ABC": "", "ACB": "2B", "BAC": "1A", "BCA": "1A 2A", "CAB": "1A 1B", "CBA": "1A 1B 2A"}
    assert [first_legal(bans[expected].split()) for expected in order] == order


def first_legal(bans: list[str]) -> str:
    """Return T2 of A, B, C. The ban 2B means that the second player of S1 has met B."""
    s1 = [
        entrant(i, WHITE, met=tuple(10 + "ABC".index(ban[1]) for ban in bans if int(ban[0]) == i))
        for i in (1, 2, 3)
    ]
    g2 = [entrant(10 + i, met=tuple(int(ban[0]) for ban in bans if ban[1] == "ABC"[i])) for i in (0, 1, 2)]
    return "".join("ABC"[rank - 10] for rank in transposition(s1, g2) or ())


@pytest.mark.parametrize("count", [4, 6, 8, 10])
def test_transposition_is_the_first_legal_one_of_all_enumerated(count: int) -> None:
    """Compared with plain enumeration, from few bans to almost only bans."""
    rng = Random(count)
    everyone = [(s, g) for s in (1, 2, 3, 4) for g in (11, 12, 13, 14)]
    for _ in range(300):
        bans = rng.sample(everyone, count)
        legal = [
            order
            for order in permutations((11, 12, 13, 14))
            if not any((place + 1, rank) in bans for place, rank in enumerate(order))
        ]
        s1 = [entrant(s, WHITE, met=tuple(g for t, g in bans if t == s)) for s in (1, 2, 3, 4)]
        g2 = [entrant(g, met=tuple(s for s, h in bans if h == g)) for g in (11, 12, 13, 14)]
        assert transposition(s1, g2) == (list(legal[0]) if legal else None)


@for_seeds(80)
def test_first_transposition_of_a_long_column_is_the_greedy_one(seed: int) -> None:
    """Each row has the first player with whom the rest can still be paired, checked again for every choice."""
    rng = Random(seed)
    size, density = rng.randint(5, 16), rng.choice((0.2, 0.4, 0.6))
    bans = {(s, 100 + g) for s in range(size) for g in range(size) if rng.random() < density}
    s1 = [entrant(s, WHITE, met=tuple(g for t, g in bans if t == s)) for s in range(size)]
    g2 = [entrant(100 + g, met=tuple(s for s, h in bans if h == 100 + g)) for g in range(size)]
    expected: list[int] = []
    free = [player.rank for player in g2]
    if can_be_served(range(size), free, bans):
        for s in range(size):
            chosen = next(
                rank
                for rank in free
                if (s, rank) not in bans
                and can_be_served(range(s + 1, size), [other for other in free if other != rank], bans)
            )
            expected.append(chosen)
            free.remove(chosen)
    assert transposition(s1, g2) == (expected or None)


def can_be_served(rows: range, columns: list[int], bans: set[tuple[int, int]]) -> bool:
    """Return whether every row can have its own column, by plain alternating paths."""
    served: dict[int, int] = {}

    def serve(row: int, tried: set[int]) -> bool:
        for column in columns:
            if (row, column) not in bans and column not in tried:
                tried.add(column)
                if column not in served or serve(served[column], tried):
                    served[column] = row
                    return True
        return False

    return all(serve(row, set()) for row in rows)


# 4.2.3: #1 to #3 have 3 points, #4 and #5 2.5, #6 1.5, and two upfloaters are needed
CONTAINERS = (
    [(1, 2), (1, 3), (2, 3)],
    [(1, 4), (1, 5), (2, 4), (2, 5), (3, 4), (3, 5)],
    [(1, 6), (2, 6), (3, 6)],
    [(4, 5)],
    [(4, 6), (5, 6)],
)


def test_sets_of_upfloaters_come_container_by_container() -> None:
    """The containers come in the order 3 3, 3 2.5, 2.5 2.5, 3 1.5, 2.5 1.5 (C6), sets in each by sequence numbers."""
    lower = [entrant(rank, score=score) for rank, score in enumerate((30, 30, 30, 25, 25, 15), start=1)]
    cost = UpfloaterCosts(
        [entrant(101, score=40), entrant(102, score=40)], lower, last_round=False
    ).of_upfloater
    sets = sorted(combinations(range(1, 7), 2), key=lambda pair: cost[pair[0] - 1] + cost[pair[1] - 1])
    assert sets == [pair for i in (0, 1, 3, 2, 4) for pair in CONTAINERS[i]]


def choose(residents: list[object], lower: list[object], *, last_round: bool = False) -> list[int]:
    return ranks(choose_upfloaters(residents, Lower.of(lower), last_round=last_round))  # type: ignore[arg-type]


def test_two_upfloaters_prefer_the_higher_lowest_score() -> None:
    """C6 compares the lowest scores first: {2.5, 2.5} goes before {3, 1.5}, whatever the sequence numbers."""
    residents = [entrant(101, WHITE, score=40, met=(102, 1)), entrant(102, WHITE, score=40, met=(101, 1))]
    lower = [
        entrant(1, score=30, met=(101, 102)),
        entrant(4, score=25),
        entrant(5, score=25),
        entrant(6, score=15),
    ]
    assert choose(residents, lower) == [4, 5]


def test_single_upfloater_is_chosen_by_c7_before_4_2() -> None:
    """C7: the residents are due White, White and Black; with an upfloater due Black nobody misses a due colour."""
    residents = [entrant(1, WHITE, score=20), entrant(2, WHITE, score=20), entrant(3, BLACK, score=20)]
    assert choose(
        residents, [entrant(4, WHITE, score=10), entrant(5, BLACK, score=10), entrant(6, score=10)]
    ) == [5]


def test_maximum_upfloater_is_spared_but_not_in_the_last_round() -> None:
    """C8, dropped in the last round (3.3.4)."""
    residents = [entrant(1, WHITE, score=20)]
    lower = [entrant(2, score=10, upfloats=3, maximum=True), entrant(3, score=10), entrant(4, score=10)]
    assert choose(residents, lower) == [3]
    assert choose(residents, lower, last_round=True) == [2]


def test_upfloater_of_the_previous_round_is_spared_but_not_in_the_last_round() -> None:
    """C10, dropped in the last round (3.3.6)."""
    residents = [entrant(1, WHITE, score=20)]
    lower = [
        entrant(2, score=10, upfloats=1, upfloated_last=True),
        entrant(3, score=10),
        entrant(4, score=10),
    ]
    assert choose(residents, lower) == [3]
    assert choose(residents, lower, last_round=True) == [2]


def test_of_maximum_upfloaters_the_one_with_fewer_upfloats_is_chosen() -> None:
    """C9: all possible upfloaters are maximum upfloaters; the number of times decides."""
    residents = [entrant(1, WHITE, score=20)]
    lower = [
        entrant(2, score=10, upfloats=4, maximum=True),
        entrant(3, score=10, upfloats=3, maximum=True),
        entrant(4, score=10, upfloats=4, maximum=True),
    ]
    assert choose(residents, lower) == [3]


def test_upfloater_must_leave_a_pairing_for_the_rest() -> None:
    """C4: without 4 or without 5 the others below have all met, so 3 cannot go up."""
    residents = [entrant(1, WHITE, score=20)]
    lower = [entrant(3, score=10), entrant(4, score=10, met=(5,)), entrant(5, score=10, met=(4,))]
    assert choose(residents, lower) == [4]


def test_more_upfloaters_than_the_residents_need_if_the_rest_needs_it() -> None:
    """C4 comes before C5: the two residents could meet, but the two players below have met each other."""
    residents = [entrant(1, WHITE, score=20), entrant(2, BLACK, score=20)]
    lower = [entrant(3, score=10, met=(4,)), entrant(4, score=10, met=(3,))]
    assert choose(residents, lower) == [3, 4]


def test_second_shift_takes_players_due_black_from_the_middle() -> None:
    """Three players are due White and seven, p to v, due Black: {s, r} are shifted."""
    whites = [entrant(rank, WHITE, aro=1900 + rank) for rank in (1, 2, 3)]
    blacks = [entrant(rank) for rank in range(11, 18)]
    groups = recompose([*whites, *blacks])
    assert (ranks(groups.first), ranks(groups.second)) == ([], [14, 13])
    assert (sorted(ranks(groups.g1)), sorted(ranks(groups.g2))) == ([1, 2, 3, 13, 14], [11, 12, 15, 16, 17])


def test_second_shift_skips_sets_that_cannot_be_paired() -> None:
    """As in the test above, but s has met every player who could stay in G2 after s is shifted, except r."""
    whites = [entrant(rank, WHITE, aro=1900 + rank) for rank in (1, 2, 3)]
    s_met = (11, 12, 15, 16, 17)
    blacks = [entrant(r, met=s_met if r == 14 else (14,) if r in s_met else ()) for r in range(11, 18)]
    assert ranks(recompose([*whites, *blacks]).second) == [14, 15]


def test_first_shift_moves_one_player_of_an_unavoidable_pair() -> None:
    """a and b can meet only each other: a, first from the middle, is shifted; then three players due Black are."""
    others = tuple(range(11, 18))
    whites = [
        entrant(1, WHITE, aro=1901, met=(3, *others)),
        entrant(2, WHITE, aro=1902, met=(3, *others)),
        entrant(3, WHITE, aro=1903, met=(1, 2)),
    ]
    blacks = [entrant(rank, met=(1, 2)) for rank in others]
    groups = recompose([*whites, *blacks])
    assert ranks(groups.first) == [2]
    assert ranks(groups.second) == [14, 13, 15]


def test_bracket_in_which_nobody_has_played_is_split_in_halves() -> None:
    groups = recompose([entrant(rank, games=0) for rank in (5, 3, 1, 2, 4, 6)])
    assert (ranks(groups.g1), ranks(groups.g2)) == ([1, 2, 3], [4, 5, 6])


def test_absolute_preferences_of_one_colour_do_not_meet() -> None:
    """C3: 1, 2 and 3 are absolutely due White, so each of them meets one of the others."""
    strengths = [Strength.ABSOLUTE] * 3 + [Strength.MILD] * 3
    groups = recompose(
        [entrant(rank, WHITE, strength=s, aro=2000) for rank, s in enumerate(strengths, start=1)]
    )
    absolute = {player.rank: player.due.absolute for player in (*groups.g1, *groups.g2)}
    t2 = transposition(groups.g1, sorted(groups.g2, key=lambda player: player.rank))
    assert t2 is not None
    assert [absolute[one.rank] + absolute[other] for one, other in zip(groups.g1, t2, strict=True)] == [
        1,
        1,
        1,
    ]


def test_wants_white_is_the_due_colour() -> None:
    assert [entrant(1, colour).wants_white for colour in Colour] == [True, False]


def test_odd_number_is_never_surely_pairable() -> None:
    lower = Lower.of([entrant(rank) for rank in range(1, 8)])
    assert (lower.surely_pairable(), lower.surely_pairable(without=1)) == (False, True)


def test_residents_who_cannot_meet_need_one_upfloater_each() -> None:
    """1 may meet 11 or 12, 2 only 11: the first in sequence, but everybody gets an opponent."""
    residents = [entrant(1, WHITE, score=20, met=(2,)), entrant(2, WHITE, score=20, met=(1, 12))]
    lower = [entrant(11, score=10), entrant(12, score=10, met=(2,))]
    assert ranks(one_for_each(residents, Lower.of(lower), lambda _player: (0,)) or []) == [11, 12]
    assert one_for_each(residents, Lower.of(lower[1:]), lambda _player: (0,)) is None


def test_bracket_that_cannot_be_paired_is_an_internal_error() -> None:
    with pytest.raises(InternalError, match="bracket_without_legal_pairing"):
        recompose([entrant(1, WHITE, met=(2,)), entrant(2, WHITE, met=(1,))])


@pytest.mark.parametrize("count", [1, 3])
def test_residents_who_may_meet_nobody_below_get_no_upfloaters(count: int) -> None:
    """The engine refuses such a round earlier; this calls the next step directly, and it finds no bracket."""
    above, below = tuple(range(1, count + 1)), tuple(range(11, 26))
    residents = [entrant(rank, WHITE, score=20, met=below) for rank in above]
    lower = Lower.of([entrant(rank, score=10, met=above) for rank in below])
    assert lower.surely_pairable(without=1)
    assert choose_upfloaters(residents, lower, last_round=False) == []
    with pytest.raises(InternalError, match="bracket_without_legal_pairing"):
        recompose(residents)
