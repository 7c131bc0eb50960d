"""The readings of docs/uschess.md that docs/rules.md lists."""

from __future__ import annotations

from dataclasses import replace

from evenboard_engine import Bye, ByeKind, Colour, Player, Tournament
from evenboard_engine.model import PointSystem
from evenboard_engine.systems.uschess.bye import bye_key
from evenboard_engine.systems.uschess.field import read_round
from evenboard_engine.tests.systems.uschess.engine import engine_answer
from evenboard_engine.tests.systems.uschess.enumeration import Answer, Man, Rules
from evenboard_engine.tests.systems.uschess.reference import answer


def test_of_two_opponents_equally_near_the_lower_ranked_one_is_taken() -> None:
    """4.7: 1 has met 5 and takes 6. For 2, whose natural opponent is 6, 5 and 7 are equally near."""
    men = [Man(number, 1500, 0, met={1: {5: 1}, 5: {1: 1}}.get(number, {})) for number in range(1, 9)]
    found = engine_answer(men, Rules())
    assert found == answer(men, Rules())
    assert found is not None
    assert {frozenset(pair) for pair in found.boards} == {
        frozenset(pair) for pair in ((1, 6), (2, 7), (3, 8), (4, 5))
    }


def test_harkness_counts_places_among_the_natural_raised_players_alone() -> None:
    """4.6: the three at the top have met, so they are dropped to 4, 5 and 6, the natural raised players.

    7 is the natural dropped player, but has met 8. So 7 is raised, and 4, 5 or 6 is dropped to 8; all four have one
    rating, so that costs nothing. 5 is the middle one of the three. In the whole group, 5 and 6 would be equally near
    the middle, and 6, the lower ranked, would be dropped. Then the highest dropped player meets the highest opponent,
    and so on. Nobody has played, so White changes from board to board.
    """
    points = {1: 30, 2: 30, 3: 30, 4: 20, 5: 20, 6: 20, 7: 20, 8: 10}
    ratings = {1: 2000, 2: 1900, 3: 1800, 4: 1500, 5: 1500, 6: 1500, 7: 1500, 8: 1400}
    met = {1: (2, 3), 2: (1, 3), 3: (1, 2), 7: (8,), 8: (7,)}
    men = [
        Man(number, ratings[number], points[number], met=dict.fromkeys(met.get(number, ()), 1))
        for number in ratings
    ]
    rules = Rules(harkness=True)
    expected = Answer(
        ((1, 4), (6, 2), (3, 7), (8, 5)),
        None,
        frozenset({(1, 4, 0), (2, 6, 0), (3, 7, 0), (5, 8, 0)}),
        frozenset(),
    )
    assert engine_answer(men, rules) == expected
    assert answer(men, rules) == expected


def test_every_bye_of_the_arbiter_or_the_pairing_is_a_full_bye_whatever_it_is_worth() -> None:
    """2.1: also where a pairing-allocated bye is worth half a point."""
    for kind in (ByeKind.ALLOCATED, ByeKind.FULL):
        tournament = Tournament(
            rounds=4,
            round=2,
            players=tuple(Player(n, n, 2000 - n) for n in (1, 2, 3)),
            byes=(Bye(1, 3, kind),),
            initial_colour=Colour.WHITE,
            points=replace(PointSystem(), allocated_bye=5),
            system="uschess",
        )
        reading = read_round(tournament)
        levels = sorted(set(reading.field.points))
        keys = [bye_key(reading.field, reading.occasion, place, levels) for place in range(3)]
        assert {reading.ids[place]: key.unplayed for place, key in enumerate(keys)} == {1: 0, 2: 0, 3: 2}
