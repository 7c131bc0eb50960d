"""What a pairing is for: spreads of AROs round by round, the plain upper-half pairing, points against performance."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from fractions import Fraction
from itertools import combinations
from math import sqrt
from random import Random

import pytest

from evenboard_engine import Bye, ByeKind, Colour, Game, Player, Result, Tournament
from evenboard_engine.comparing import UPPER_HALF, SystemComparison, compare, own_variant, variants_of
from evenboard_engine.errors import InvalidTournament, NoLegalPairing
from evenboard_engine.fairness import (
    Agreement,
    agreement,
    agreement_of,
    other_pairings,
    quality_orders,
    round_of,
)
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.systems.registry import histories
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.tiebreak_definitions import Defined
from evenboard_engine.upper_half import pair_upper_half

SMALL = GeneratorSettings(players=8, rounds=5, late=0, retirements=0, accelerated=False)
Pairs = tuple[tuple[int, int], ...]


def compared_rounds(tournament: Tournament, day: str = "") -> Iterator[tuple[int, SystemComparison]]:
    """Yield each round before `tournament.round` that has a pair: its number, and how far the AROs lay apart."""
    variants = variants_of(tournament, day)
    for number in range(1, tournament.round):
        before, paired = round_of(tournament, number)
        if paired.pairs:
            yield number, compare(before, paired, (*variants, UPPER_HALF) if variants else ())


def field(size: int, **more: object) -> Tournament:
    """Return round 1 of players 1, 2, ... with the ratings 2400, 2300, ..."""
    players = tuple(Player(number, number, 2500 - 100 * number) for number in range(1, size + 1))
    return Tournament(rounds=5, round=1, players=players, initial_colour=Colour.WHITE, **more)  # type: ignore[arg-type]


def opponents(tournament: Tournament) -> set[tuple[int, int]]:
    """Return who meets whom in the plain pairing, smaller id first."""
    return {
        (min(one.white, one.black), max(one.white, one.black)) for one in pair_upper_half(tournament).pairs
    }


def test_first_of_the_upper_half_meets_the_first_of_the_lower_half() -> None:
    assert opponents(field(8)) == {(1, 5), (2, 6), (3, 7), (4, 8)}


def test_lowest_player_has_the_bye_and_does_not_get_another() -> None:
    first = pair_upper_half(field(5))
    assert first.bye == 5
    again = replace(field(5), round=2, byes=(Bye(1, 5, ByeKind.ALLOCATED),))
    assert pair_upper_half(again).bye == 4


def test_last_of_an_odd_group_floats_to_the_first_of_the_next_one() -> None:
    """1, 2 and 3 have won: 1 meets 2, and 3 floats to 4."""
    games = tuple(Game(1, one, one + 3, Result.WHITE_WINS) for one in (1, 2, 3))
    tournament = replace(field(6), round=2, games=games)
    assert opponents(tournament) == {(1, 2), (3, 4), (5, 6)}


def test_colours_are_those_of_the_first_round_and_no_third_in_a_row() -> None:
    first = pair_upper_half(field(4))
    assert {(one.white, one.black) for one in first.pairs} == {(1, 3), (4, 2)}
    games = (*_games(1, (1, 3), (2, 4)), *_games(2, (1, 4), (2, 3)))
    with pytest.raises(
        NoLegalPairing
    ):  # 1 and 2, and 3 and 4, are all that is left, and all are due the same colour
        pair_upper_half(replace(field(4), round=3, games=games))


def test_without_the_initial_colour_nobody_has_a_colour() -> None:
    with pytest.raises(InvalidTournament, match="initial_colour_missing"):
        pair_upper_half(replace(field(4), initial_colour=None))


def _games(number: int, *pairs: tuple[int, int]) -> tuple[Game, ...]:
    return tuple(Game(number, white, black, Result.DRAW) for white, black in pairs)


@for_seeds(40)
def test_plain_pairing_is_the_cheapest_legal_one(seed: int) -> None:
    """All legal rounds are listed, and the one with the least squares is among them."""
    tournament = generate(str(seed), SMALL).tournament
    for number in range(2, tournament.round):
        before, _paired = round_of(tournament, number)
        listed = dict(_legal_rounds(before))
        if not listed:
            with pytest.raises(NoLegalPairing):
                pair_upper_half(before)
            continue
        found = pair_upper_half(before)
        byes = [bye for bye in _ranked(before) if any(bye == one for one, _ in listed)] or [None]
        assert found.bye == byes[-1]
        pairs = frozenset(frozenset((one.white, one.black)) for one in found.pairs)
        least = min(cost for (bye, _), cost in listed.items() if bye == found.bye)
        assert listed[found.bye, pairs] == least


def _ranked(tournament: Tournament) -> list[int]:
    past = histories(tournament)
    here = {player.id for player in tournament.players} - tournament.absent
    here -= {bye.player for bye in tournament.byes if bye.round == tournament.round}
    return sorted(here, key=lambda key: (-past[key].pairing_score, key))


def _legal_rounds(
    tournament: Tournament,
) -> Iterator[tuple[tuple[int | None, frozenset[frozenset[int]]], tuple[int, int]]]:
    past, ranked = histories(tournament), _ranked(tournament)
    legal = {pair for pair in combinations(ranked, 2) if _may_meet(tournament, *pair)}
    score = {key: past[key].pairing_score for key in ranked}
    for bye in [key for key in ranked if not past[key].bye_barred] if len(ranked) % 2 else [None]:
        field = [key for key in ranked if key != bye]
        for pairs in _rounds(field):
            if legal.issuperset(pairs):
                apart = sum((score[one] - score[other]) ** 2 for one, other in pairs)
                distance = 0
                for one, other in pairs:
                    group = [key for key in field if score[key] == score[one]]
                    natural = len(group) // 2 if other in group else 1
                    distance += (field.index(other) - field.index(one) - natural) ** 2
                yield (bye, frozenset(map(frozenset, pairs))), (apart, distance)


def _rounds(field: Sequence[int]) -> Iterator[Pairs]:
    if not field:
        yield ()
    for other in field[1:]:
        for rest in _rounds([key for key in field[1:] if key != other]):
            yield ((field[0], other), *rest)


def _may_meet(tournament: Tournament, one: int, other: int) -> bool:
    past = histories(tournament)
    if other in past[one].opponents or (min(one, other), max(one, other)) in tournament.forbidden:
        return False
    due = {_absolute_colour(past[key].colours) for key in (one, other)}
    return due == {None} or len(due) == 2


def _absolute_colour(colours: Sequence[Colour]) -> Colour | None:
    difference = colours.count(Colour.WHITE) - colours.count(Colour.BLACK)
    if abs(difference) > 1:
        return Colour.BLACK if difference > 0 else Colour.WHITE
    return colours[-1].opposite if len(colours) > 1 and colours[-1] == colours[-2] else None


def test_round_is_what_was_known_before_it() -> None:
    byes = (
        Bye(1, 5, ByeKind.ALLOCATED),
        Bye(2, 4, ByeKind.ALLOCATED),
        Bye(2, 3, ByeKind.HALF),
        Bye(3, 3, ByeKind.HALF),
        Bye(3, 2, ByeKind.ALLOCATED),
    )
    games = (*_games(1, (1, 3), (4, 2)), *_games(2, (5, 1)), *_games(3, (1, 4)))
    before, paired = round_of(replace(field(6), round=4, games=games, byes=byes), 2)
    assert (paired.round, paired.pairs, paired.byes) == (2, ((5, 1),), (4,))
    assert before == replace(
        field(6), round=2, games=games[:2], byes=(byes[0], byes[2], byes[3]), absent=frozenset({2, 6})
    )


@for_seeds(15)
def test_spreads_before_and_after_each_round_are_those_of_the_definition(seed: int) -> None:
    tournament = generate(str(seed), replace(SMALL, players=12)).tournament
    for number, found in compared_rounds(tournament):
        before, paired = round_of(tournament, number)
        assert list(map(astuple, found.before)) == _spreads(before, paired.pairs, paired.byes, played=False)
        assert list(map(astuple, found.round.spreads)) == _spreads(
            before, paired.pairs, paired.byes, played=True
        )
        plain = next(one for one in found.others if one.variant == UPPER_HALF)
        if plain.failure is None:
            pairing = pair_upper_half(before)
            pairs = tuple((one.white, one.black) for one in pairing.pairs)
            byes = () if pairing.bye is None else (pairing.bye,)
            assert list(map(astuple, plain.spreads)) == _spreads(before, pairs, byes, played=True)


def _spreads(before: Tournament, pairs: Pairs, byes: Sequence[int], *, played: bool) -> list[object]:
    past, rating = histories(before), {player.id: player.rating for player in before.players}
    partner = {one: other for pair in pairs for one, other in (pair, pair[::-1])}
    aros: dict[int, list[float]] = {}
    for key in (*partner, *byes):
        met = [rating[other] for other in past[key].opponents]
        if played and key in partner:
            met.append(rating[partner[key]])
        group = aros.setdefault(past[key].pairing_score, [])
        group += [sum(met) / len(met)] if met else []
    squares: list[float] = []
    found: list[tuple[int | None, int, float, float]] = []
    for score in sorted(aros, reverse=True):
        mean = sum(aros[score]) / max(1, len(aros[score]))
        own = [(aro - mean) ** 2 for aro in aros[score]]
        squares += own
        width = max(aros[score], default=0.0) - min(aros[score], default=0.0)
        found.append((score, len(own), width, sqrt(sum(own) / max(1, len(own)))))
    found.append(
        (None, len(squares), max(one[2] for one in found), sqrt(sum(squares) / max(1, len(squares))))
    )
    return [pytest.approx(spread, abs=1e-6) for spread in found]


def test_other_systems_and_the_plain_pairing_are_beside_each_round() -> None:
    tournament = generate("1", replace(SMALL, players=12, unusual=0, forbidden=0)).tournament
    for _number, found in compared_rounds(tournament):
        assert [one.variant for one in found.others] == [*variants_of(tournament)[1:], UPPER_HALF]
        assert found.round.variant == own_variant(tournament)


def test_rounds_of_a_table_are_not_compared() -> None:
    tournament = generate(
        "1", GeneratorSettings(system="round-robin", players=6, rounds=5, retirements=0)
    ).tournament
    assert [(number, found.others) for number, found in compared_rounds(tournament)] == [
        (number, ()) for number in range(1, 6)
    ]


def test_more_points_and_a_higher_performance_agree() -> None:
    assert agreement_of([(30, 2300), (20, 2200), (20, 2250), (0, 2200)]) == Agreement(5, 4, 0)
    found = agreement_of([(30, 2100), (20, 2200), (10, 2000)])
    assert (found, found.value) == (Agreement(3, 2, 1), Fraction(1, 3))
    assert agreement_of([(20, 2100), (20, 2200)]).value is None


@for_seeds(60)
def test_agreement_is_that_of_the_definition(seed: int) -> None:
    """Every two players are looked at; performance and points are those of the plain definitions of C.07."""
    tournament = generate(
        str(seed), GeneratorSettings(players=Random(seed).randint(5, 20), rounds=5)
    ).tournament
    defined = Defined(tournament)
    known = [player.id for player in tournament.players if histories(tournament)[player.id].opponents]
    agree = contradict = pairs = 0
    for one, other in combinations(known, 2):
        points = defined.score(one) - defined.score(other)
        performance = defined.performance(one) - defined.performance(other)
        pairs += points != 0
        agree += points * performance > 0
        contradict += points * performance < 0
    assert agreement(tournament) == Agreement(pairs, agree, contradict)


def test_rounds_are_compared_with_the_plain_pairing_and_the_other_systems() -> None:
    found = other_pairings("dubov", "2026-10-17")
    assert found[0] == UPPER_HALF
    assert {one.system for one in found[1:]} == {"dutch", "dubov-1997", "uschess"}


def test_fixed_rounds_have_no_other_pairing_and_no_order() -> None:
    assert (other_pairings("round-robin"), quality_orders("round-robin")) == ((), ())
