"""A published round is compared with the rules of the Dutch System, and a round by hand is judged."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from evenboard_engine import (
    SYSTEMS,
    Acceleration,
    Bye,
    ByeKind,
    NoLegalPairing,
    Result,
    RoundPairing,
    Tournament,
)
from evenboard_engine.findings import HandMadeDraft, Level, Published
from evenboard_engine.result import Relaxation, RelaxationKind
from evenboard_engine.systems import relaxing
from evenboard_engine.systems.dutch.checking import colours_of, compare, concerns
from evenboard_engine.systems.dutch.pairing import pair_round
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.tests.brute_force import BruteRound
from evenboard_engine.tests.random_rounds import random_rounds
from evenboard_engine.tests.rules.build import tournament
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.words.registry import words_of

WIN, DRAW, LOSS = Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS
CODES = {
    *("bye", "bye_score", "several_byes", "no_legal_round", "rest_unchecked", "rematch"),
    *("forbidden_pair", "same_absolute_preference", "floaters", "quality", "order", "colours"),
}


def propose_relaxations(given: Tournament) -> tuple[Relaxation, ...]:
    return relaxing.propose_relaxations(given, DutchField(given))


def rounds_of(seed: int) -> Iterator[tuple[Tournament, RoundPairing | None]]:
    asked: list[tuple[Tournament, RoundPairing | None]] = []

    def pair(given: Tournament) -> BruteRound | None:
        given = replace(given, options={})
        try:
            pairing = pair_round(given)
        except NoLegalPairing:
            asked.append((given, None))
            return None
        asked.append((given, pairing))
        return BruteRound(frozenset((pair.white, pair.black) for pair in pairing.pairs), pairing.bye)

    for _ in random_rounds(seed, pair):
        yield asked[-1]


def codes(given: Tournament, *pairs: tuple[int, int], byes: tuple[int, ...] = ()) -> list[tuple[str, str]]:
    try:
        pairing = pair_round(given)
    except NoLegalPairing:
        pairing = None
    found = compare(given, Published(given.round, pairs, byes), pairing)
    return [(difference.code, difference.rule.value) for difference in found]


@for_seeds(100)
def test_own_rounds_agree_and_others_differ(seed: int) -> None:
    """Two opponents change places: then there is a difference, and what the rules give is never worse or later."""
    rng = Random(seed)
    for given, pairing in rounds_of(seed):
        if pairing is None or not pairing.pairs:
            continue
        pairs = [(pair.white, pair.black) for pair in pairing.pairs]
        byes = () if pairing.bye is None else (pairing.bye,)
        assert compare(given, Published(given.round, tuple(pairs), byes), pairing) == ()
        one, other = rng.randrange(len(pairs)), rng.randrange(len(pairs))
        if one == other:
            pairs[one] = pairs[one][::-1]
            if byes and rng.random() < 0.5:
                pairs[one], byes = (pairs[one][0], byes[0]), pairs[one][1:]
        else:
            pairs[one], pairs[other] = (pairs[one][0], pairs[other][1]), (pairs[other][0], pairs[one][1])
        found = compare(given, Published(given.round, tuple(pairs), byes), pairing)
        assert found
        assert {difference.code for difference in found} <= CODES


ROUND_2 = tournament(4, (1, 1, 3, WIN), (1, 4, 2, DRAW))
"""Player 1 has a point, 2 and 4 have half a point, 3 has none."""


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        (((3, 1), (2, 4)), [("rematch", "C1"), ("rematch", "C1")]),
        (((2, 1), (3, 4)), []),
        (((1, 2), (3, 4)), [("colours", "5.2.1")]),
        (((4, 1), (2, 3)), [("quality", "C12")]),
    ],
)
def test_four_players(pairs: tuple[tuple[int, int], ...], expected: list[tuple[str, str]]) -> None:
    assert [one for one in codes(ROUND_2, *pairs) if one[0] != "rest_unchecked"][
        : len(expected) or None
    ] == expected


def test_first_round_is_compared_row_by_row() -> None:
    """C9 and the order: 5 of 5 players has the bye; 1 meets 3."""
    given = tournament(5, at=1)
    assert codes(given, (1, 3), (4, 2), byes=(5,)) == []
    assert codes(given, (1, 4), (3, 2), byes=(5,)) == [("order", "4.2")]
    assert codes(given, (1, 3), (2, 5), byes=(4,)) == [("order", "4.2"), ("colours", "5.2.5")]
    assert codes(given, (1, 2), (4, 3), byes=(5,)) == [("order", "4.3.1"), ("colours", "5.2.5")]
    assert codes(given, (1, 3), byes=(2, 4, 5))[0] == ("several_byes", "1.9")


def test_more_floaters_than_needed() -> None:
    given = tournament(4, byes=(Bye(1, 1, ByeKind.HALF), Bye(1, 2, ByeKind.HALF)), at=2)
    assert codes(given, (1, 3), (4, 2))[0] == ("floaters", "C6")
    assert codes(given, (1, 2), (3, 4)) == []


def test_bye_of_a_player_who_is_barred_or_has_too_many_points() -> None:
    given = tournament(3, (1, 1, 2, WIN), byes=(Bye(1, 3, ByeKind.ALLOCATED),))
    assert codes(given, (2, 1), byes=(3,))[:1] == [("bye", "C2")]
    assert codes(given, (2, 3), byes=(1,))[:1] == [("bye_score", "C5")]


def test_forbidden_pair_and_round_that_does_not_exist() -> None:
    given = tournament(4, at=1, forbidden=frozenset({(1, 2)}))
    assert codes(given, (1, 2), (3, 4))[0] == ("forbidden_pair", "C1")
    everybody = frozenset((one, other) for one in range(1, 5) for other in range(one + 1, 5))
    none = tournament(4, at=1, forbidden=everybody)
    assert codes(none, (1, 2), (3, 4))[0] == ("no_legal_round", "1.9.3")


@pytest.mark.parametrize("system", ["dutch", "dubov"])
def test_lines_say_which_virtual_points_are_in_their_scores(system: str) -> None:
    """Before round 1 nobody has a point: only by acceleration do 1 and 2 have a higher score than 3 to 5."""
    lent = (Acceleration(1, 2, 10, frozenset({1, 2})),)
    given = tournament(5, at=1, system=system, accelerations=lent)
    right = SYSTEMS[system].pair(given)
    for pairs, bye, shown in (
        (((2, 3), (4, 5)), 1, "1 (+1.0)"),
        (((1, 3), (4, 2)), 5, "1 (+1.0) and 2 (+1.0)"),
    ):
        found = SYSTEMS[system].compare(given, Published(1, pairs, (bye,)), right)
        lines = [words_of(system).difference(one) for one in found if one.lent]
        ending = f"; scores here include virtual points of the acceleration: {shown}"
        assert any(line.endswith(ending) for line in lines), lines
    large = tournament(
        40, at=1, system=system, accelerations=(Acceleration(1, 2, 10, frozenset(range(1, 21))),)
    )
    turned = Published(
        1, tuple((one, 21 - one) for one in range(1, 11)) + tuple((n, n + 10) for n in range(21, 31))
    )
    (first, *_) = SYSTEMS[system].compare(large, turned, SYSTEMS[system].pair(large))
    assert words_of(system).difference(first).endswith("8 (+1.0), and 12 more players")


def test_same_absolute_preference() -> None:
    given = tournament(6, (1, 1, 2, DRAW), (1, 3, 4, DRAW), (2, 1, 5, DRAW), (2, 3, 6, DRAW))
    assert codes(given, (1, 3), (2, 4), (5, 6))[0] == ("same_absolute_preference", "C3")


def judged(given: Tournament, *pairs: tuple[int, int], bye: int | None = None) -> list[tuple[str, Level]]:
    return [(one.code, one.level) for one in concerns(given, HandMadeDraft(pairs, bye))]


def test_concerns_about_pairs() -> None:
    given = tournament(
        4, (1, 1, 2, WIN), (1, 3, 4, DRAW), (2, 1, 4, WIN), (2, 3, 2, DRAW), forbidden=frozenset({(2, 4)})
    )
    assert judged(given, (1, 3))[:2] == [
        ("absolute_clash", Level.PROCEED),
        ("third_colour", Level.PROCEED),
    ]
    assert ("rematch", Level.PROCEED) in judged(given, (1, 2))
    assert ("forbidden", Level.PROCEED) in judged(given, (2, 4))
    assert ("colour_difference", Level.PROCEED) in judged(given, (1, 3))


def test_concerns_about_colours_and_floats() -> None:
    assert judged(ROUND_2, (1, 2)) == [("both_opposite", Level.ACKNOWLEDGE), ("float", Level.SHOW)]
    assert judged(ROUND_2, (1, 4)) == [("colours", Level.SHOW), ("float", Level.SHOW)]
    given = tournament(6, (1, 1, 2, WIN), (1, 3, 4, DRAW), (1, 5, 6, DRAW), (2, 3, 1, DRAW), (2, 2, 5, WIN))
    found = {one.code: one for one in concerns(given, HandMadeDraft(((1, 2), (4, 3))))}
    assert found["downfloat_again"].players == (1,)
    assert (found["downfloat_again"].rounds, found["downfloat_again"].articles) == ((2,), ("C14",))
    again = {one.code: one for one in concerns(given, HandMadeDraft(((1, 3),)))}
    assert (again["upfloat_again"].rounds, again["upfloat_again"].articles) == ((2,), ("C15",))


def test_concerns_about_the_bye() -> None:
    given = tournament(3, (1, 1, 2, WIN), byes=(Bye(1, 3, ByeKind.ALLOCATED),))
    assert judged(given, bye=3) == [("bye_had", Level.PROCEED), ("bye_score", Level.PROCEED)]
    assert judged(given, bye=1) == [("bye_score", Level.PROCEED)]
    assert judged(given, bye=2) == []
    nobody = tournament(1, byes=(Bye(1, 1, ByeKind.ALLOCATED),), at=2)
    assert judged(nobody, bye=1) == [("bye_had", Level.PROCEED)]


@pytest.mark.parametrize("system", ["dutch", "dubov"])
def test_only_colours_of_a_first_game_follow_from_the_pairing_number(system: str) -> None:
    """The check asks whether players who came later were counted (GHR 2.4)."""
    first = tournament(4, system=system)
    turned = Published(1, ((3, 1), (2, 4)))
    assert [one.by_number for one in SYSTEMS[system].compare(first, turned, SYSTEMS[system].pair(first))] == [
        True
    ] * 2
    second = tournament(4, (1, 1, 3, DRAW), (1, 4, 2, DRAW), system=system)
    pairing = SYSTEMS[system].pair(second)
    turned = Published(2, tuple((pair.black, pair.white) for pair in pairing.pairs))
    found = [(one.code, one.by_number) for one in SYSTEMS[system].compare(second, turned, pairing)]
    assert found == [("colours", False)] * 2


def test_colours_of_two_players() -> None:
    assert colours_of(ROUND_2, 1, 2)[:2] == (2, 1)


def test_least_to_relax_is_proposed_where_no_round_exists() -> None:
    """Two players: they have met, are kept apart, are due the same colour absolutely, or nobody may have the bye."""
    met = tournament(2, (1, 1, 2, DRAW))
    assert propose_relaxations(met) == (Relaxation(RelaxationKind.REMATCH, (1, 2)),)
    apart = tournament(2, at=1, forbidden=frozenset({(1, 2)}))
    assert propose_relaxations(apart) == (Relaxation(RelaxationKind.FORBIDDEN, (1, 2)),)
    same = tournament(4, (1, 1, 3, DRAW), (1, 2, 4, DRAW), (2, 1, 4, DRAW), (2, 2, 3, DRAW))
    assert propose_relaxations(replace(same, absent=frozenset({3, 4}))) == (
        Relaxation(RelaxationKind.SAME_COLOUR, (1, 2)),
    )
    alone = tournament(1, byes=(Bye(1, 1, ByeKind.ALLOCATED),), at=2)
    assert propose_relaxations(alone) == (Relaxation(RelaxationKind.SECOND_BYE, (1,)),)
    assert propose_relaxations(tournament(3, at=1)) == ()


def test_few_players_who_cannot_be_paired_are_asked_about_in_a_large_field(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """1 to 5 may only meet 6, and 7 may only meet 8."""
    monkeypatch.setattr(relaxing, "MAX_PLAYERS", 6)
    allowed = {*((one, 6) for one in range(1, 6)), (7, 8)}
    apart = {(one, other) for one in range(1, 9) for other in range(one + 1, 9)} - allowed
    given = tournament(8, at=1, forbidden=frozenset(apart))
    assert [one.kind for one in propose_relaxations(given)] == [RelaxationKind.FORBIDDEN] * 2
    monkeypatch.setattr(relaxing, "MAX_PLAYERS", 5)
    assert propose_relaxations(given) == ()
