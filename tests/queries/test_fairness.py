"""How equal the opposition was. All values are worked out by hand."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evenboard_engine.fairness import Agreement
from tests.queries.sections import MadeSection, make_section
from tournaments.queries.fairness import Fairness, fairness

pytestmark = pytest.mark.django_db

FOUR = {"Anna": 2400, "Bert": 2300, "Carl": 2200, "Dora": 2100}
ROUNDS = ("Anna 1-0 Carl; Dora 0-1 Bert", "Bert 0-1 Anna; Carl 1-0 Dora", "Anna 1-0 Dora; Carl 1/2 Bert")


def spreads(found: Fairness) -> list[tuple[int, list[tuple[int | None, int, str, str]]]]:
    """Return by round, for each score group and for all: points, players with an ARO before, ± before and after."""
    return [
        (
            one.number,
            [
                (before.score, before.players, f"{before.deviation:.1f}", f"{after.deviation:.1f}")
                for before, after in (*one.groups, one.whole)
            ],
        )
        for one in found.rounds
    ]


def test_spread_of_each_score_group_before_and_after_a_pairing() -> None:
    """Round 1: AROs 2200, 2100, 2400, 2300 after it. Before round 2: 2200 and 2100, 2400 and 2300; after it all 2250.
    After round 3: 2200, 2233.3, 2266.7, 2300.
    """
    found = fairness(make_section(FOUR, *ROUNDS).row)
    assert spreads(found) == [
        (1, [(0, 0, "0.0", "111.8"), (None, 0, "0.0", "111.8")]),
        (2, [(10, 2, "50.0", "0.0"), (0, 2, "50.0", "0.0"), (None, 4, "50.0", "0.0")]),
        (
            3,
            [
                (20, 1, "0.0", "0.0"),
                (10, 2, "0.0", "16.7"),
                (0, 1, "0.0", "0.0"),
                (None, 4, "0.0", "11.8"),
            ],
        ),
    ]
    assert [(before.width, after.width) for before, after in found.rounds[1].groups] == [(100, 0), (100, 0)]


def test_agreement_and_qualities_after_the_last_round() -> None:
    """Points 3, 1.5, 1.5, 0; performances 3000, 2233, 2267, 1500. The qualities are those of the worked examples of the
    Pairing Tiebreaker.
    """
    found = fairness(make_section(FOUR, *ROUNDS).row)
    assert found.measured_after == 3
    assert found.measures is not None
    assert found.measures.agreement == Agreement(pairs=5, agree=5, contradict=0)
    assert found.measures.qualities == (("aro", Fraction(1, 15)), ("buchholz", Fraction(0)))


@pytest.mark.parametrize(
    ("system", "orders"),
    [("dubov-1997", ["aro97", "buchholz"]), ("uschess", ["rating", "aro", "buchholz"])],
)
def test_order_of_the_own_system_comes_first(system: str, orders: list[str]) -> None:
    found = fairness(make_section(FOUR, *ROUNDS, system=system).row)
    assert found.measures is not None
    assert [order for order, _value in found.measures.qualities] == orders


def test_round_with_an_open_game_has_its_spread_and_measures_stop_before_it() -> None:
    """The spread needs no results of the round. Agreement and qualities do."""
    running = fairness(make_section(FOUR, *ROUNDS[:2], "Anna 1-0 Dora; Carl . Bert").row)
    over = fairness(make_section(FOUR, *ROUNDS[:2]).row)
    whole = fairness(make_section(FOUR, *ROUNDS).row)
    assert spreads(running) == spreads(whole)
    assert (running.measured_after, running.measures) == (2, over.measures)


def test_forfeited_game_gives_nobody_an_opponent_for_later_rounds() -> None:
    made = make_section(FOUR, "Anna +:- Carl; Dora 0-1 Bert", "Bert 0-1 Anna; Carl 1-0 Dora")
    (_first, second) = fairness(made.row).rounds
    assert [(before.score, before.players) for before, _after in second.groups] == [(10, 1), (0, 1)]


def test_bye_keeps_the_aro_of_the_round_before() -> None:
    """Round 2: Anna has 2200 before it and after it; Bert gets 2350 from 2300 and 2400."""
    names = dict(list(FOUR.items())[:3])
    made = make_section(names, "Anna 1-0 Carl; Bert U", "Carl 0-1 Bert; Anna U")
    (_first, second) = fairness(made.row).rounds
    assert [(before.score, before.players, after.width) for before, after in second.groups] == [
        (10, 1, 0),
        (0, 1, 0),
    ]


@pytest.mark.parametrize(
    "made",
    [
        lambda: make_section(FOUR),
        lambda: make_section(FOUR, ROUNDS[0], draft=True),
        lambda: make_section(FOUR, *ROUNDS, system="round-robin"),
    ],
    ids=["nothing paired", "draft", "fixed rounds"],
)
def test_nothing_is_measured(made: object) -> None:
    section: MadeSection = made()  # type: ignore[operator]
    found = fairness(section.row)
    assert (found.rounds, found.measures) == ((), None)
