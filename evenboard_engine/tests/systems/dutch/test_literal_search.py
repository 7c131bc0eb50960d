"""The literal search gives the worked examples, and what follows from the text is true of its rounds."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from evenboard_engine.model import Game, Player, Result, Tournament
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.tests.seeds import for_seeds
from evenboard_engine.tests.systems.dutch.claims import below, places, sets_of_pairs, written_key
from evenboard_engine.tests.systems.dutch.dutch_rounds import dutch_rounds, literal_answer
from evenboard_engine.tests.systems.dutch.examples import Example, examples
from evenboard_engine.tests.systems.dutch.figures import figures_of
from evenboard_engine.tests.systems.dutch.literal_search import (
    LiteralRound,
    NoRound,
    Search,
    group_of,
    literal_round,
    members,
)

EXAMPLES = examples()


def parts_of(found: LiteralRound | None) -> object:
    return found and (found.pairs, found.bye)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_literal_search_pairs_the_worked_example(example: Example) -> None:
    expected = example.answer and (example.answer.pairs, example.answer.bye)
    assert parts_of(literal_answer(example.tournament)) == expected


def test_each_example_depends_on_the_rule_that_it_shows() -> None:
    """With the rule left out, the answer is another one, as the sources say."""
    for example in EXAMPLES:
        for rule, expected in example.without.items():
            assert expected != example.answer
            try:
                found = literal_round(example.tournament, frozenset((rule,)))
            except NoRound:
                assert expected is None, (example.name, rule)
                continue
            assert expected is not None, (example.name, rule)
            assert parts_of(found) == (expected.pairs, expected.bye), (example.name, rule)


def test_every_criterion_and_rule_is_shown_by_an_example() -> None:
    shown = {rule for example in EXAMPLES for rule in example.without}
    assert shown >= {f"C{number}" for number in (2, 3, 5, *range(7, 22))}
    assert shown >= {"4.3.1", "4.3.2", "4.3.3", "4.3.4", "4.4.2", "5.2.2", "5.2.3", "5.2.4_tpn", "tpn_fixed"}


@pytest.mark.parametrize("rounds", [6, 7, 8, 9, 10])
def test_limit_of_topscorers_is_not_rounded(rounds: int) -> None:
    """1.8: more than half of the points that could be made, in the last round only."""
    limit = 10 * (rounds - 1)
    for wins in range(rounds):
        games = tuple(
            Game(number, 1, 2, Result.WHITE_WINS if number <= wins else Result.BLACK_WINS)
            for number in range(1, rounds)
        )
        players = (Player(1, 1, 2000), Player(2, 2, 1900))
        for planned in (rounds, rounds + 1):
            given = Tournament(planned, rounds, players, games)
            men = {man.id: man for man in figures_of(given)}
            assert (0 in DutchField(given).topscorers) == men[1].topscorer
            assert men[1].topscorer == (planned == rounds and 2 * men[1].score > limit)
            assert men[1].score == 10 * wins


def searched(seed: int) -> Iterator[tuple[Search, LiteralRound]]:
    for tournament, found in dutch_rounds(seed):
        if found is not None:
            yield Search(tournament, figures_of(tournament), frozenset()), found


@for_seeds(80, in_a_case=80)
def test_no_two_floaters_meet_in_a_completion(seed: int) -> None:
    """So nothing is lost because two players who moved down together never meet in their bracket."""
    for search, found in searched(seed):
        for bracket in found.brackets:
            rest = below(search, bracket)
            floaters = places(search, bracket.floaters)
            for one, two in combinations(members(floaters), 2):
                meet = search.partners[one] >> two & 1
                assert not (meet and search.completable((floaters | rest) ^ group_of((one, two))))


@for_seeds(80, in_a_case=80)
def test_lowest_score_of_the_bye_is_the_same_in_every_bracket(seed: int) -> None:
    """C5 before the first bracket is C5 in each: the least score with which what is left can be completed."""
    for search, found in searched(seed):
        if search.bye_score is None:
            continue
        for bracket in found.brackets:
            left = places(search, bracket.moved) | places(search, bracket.residents) | below(search, bracket)
            able = [
                search.men[place].score
                for place in members(left)
                if not search.men[place].barred and search.whole(left ^ (1 << place))
            ]
            assert min(able) == search.bye_score


@for_seeds(50, in_a_case=50)
def test_chosen_pairs_are_first_by_the_written_key(seed: int) -> None:
    """All best sets of pairs, without an order: the first by the key is what the search in order finds."""
    for search, found in searched(seed):
        for bracket in found.brackets:
            moved, residents = places(search, bracket.moved), places(search, bracket.residents)
            if (moved | residents).bit_count() > 8:
                continue
            best = []
            for floaters in search.floaters(moved, residents, below(search, bracket)):
                if search.of_floaters(floaters, below(search, bracket)) == bracket.of_floaters:
                    for pairs in sets_of_pairs(search, (moved | residents) ^ floaters, moved):
                        cost = search.cost_of_floating(floaters, moved)
                        for one, two in pairs:
                            cost = cost.plus(search.cost_of_pair(one, two, moved))
                        assert cost >= bracket.cost
                        if cost == bracket.cost:
                            best.append(pairs)
            first = min(best, key=lambda pairs: written_key(pairs, moved, residents))
            ids = {frozenset((search.men[one].id, search.men[two].id)) for one, two in first}
            assert ids == set(map(frozenset, bracket.pairs))


def test_fields_of_nobody_one_and_two() -> None:
    one, two = Player(1, 1, 2000), Player(2, 2, 1900)
    assert parts_of(literal_answer(Tournament(3, 1, ()))) == (frozenset(), None)
    assert parts_of(literal_answer(Tournament(3, 1, (one,)))) == (frozenset(), 1)
    met = (Game(1, 1, 2, Result.DRAW),)
    assert literal_answer(Tournament(3, 2, (one, two), met)) is None
    barred = (Game(1, 1, 2, Result.WHITE_WINS_BY_FORFEIT),)
    assert literal_answer(Tournament(3, 2, (one, two), barred, absent=frozenset((2,)))) is None
