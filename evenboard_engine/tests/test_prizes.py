"""Prizes: the worked example of the Hort system, a definition written apart from the program, and what always holds."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from fractions import Fraction

import pytest

from evenboard_engine.prizes import Category, Distribution, Method, PrizeCandidate, distribute


def table(*points: int, places: Sequence[int] = ()) -> list[PrizeCandidate]:
    """Return standings of players 1, 2, ... with these points. places: by default nobody shares one."""
    places = places or range(1, len(points) + 1)
    return [
        PrizeCandidate(number, place, 10 * found)
        for number, (found, place) in enumerate(zip(points, places, strict=True), 1)
    ]


def everybody(*prizes: int, method: Method = Method.EQUAL) -> Category:
    return Category(prizes, method, range(1, 10_000))


def paid(found: Distribution) -> list[dict[int, int]]:
    return [{award.player: award.amount for award in awards} for awards in found.awards]


def test_worked_example_of_the_hort_system() -> None:
    # de.wikipedia.org, Hort-System. There 32, 22 and 17 are paid for 31⅔, 21⅔ and 16⅔: one more than the fund has.
    standings = table(80, 80, 75, 70, 70, 70)
    found = distribute(standings, [everybody(100, 80, 60, 40, 20, 10, method=Method.HORT)])
    assert [award.exact for award in found.awards[0]] == [
        *(95, 85, 60),
        *(Fraction(95, 3), Fraction(65, 3), Fraction(50, 3)),
    ]
    assert paid(found) == [{1: 95, 2: 85, 3: 60, 4: 32, 5: 22, 6: 16}]


@pytest.mark.parametrize(
    ("method", "amounts"),
    [
        (Method.EQUAL, {1: 500, 2: 200, 3: 200, 4: 200}),
        (Method.PLACE, {1: 500, 2: 300, 3: 200, 4: 100}),
        (Method.HORT, {1: 500, 2: 250, 3: 200, 4: 150}),
    ],
)
def test_each_method_divides_the_prizes_of_three_players_who_are_level(
    method: Method, amounts: dict[int, int]
) -> None:
    assert paid(distribute(table(5, 4, 4, 4, 3), [everybody(500, 300, 200, 100, method=method)])) == [amounts]


def test_players_on_the_same_place_share_its_prizes_by_every_method() -> None:
    standings = table(5, 4, 4, 4, places=(1, 2, 2, 4))
    category = everybody(500, 300, 200, 100, method=Method.PLACE)
    assert paid(distribute(standings, [category])) == [{1: 500, 2: 250, 3: 250, 4: 100}]
    hort = everybody(500, 300, 200, 100, method=Method.HORT)
    assert paid(distribute(standings, [hort])) == [{1: 500, 2: 225, 3: 225, 4: 150}]


def test_places_without_a_prize_share_too_if_they_are_level() -> None:
    assert paid(distribute(table(4, 4, 4, 4), [everybody(300, 100)])) == [dict.fromkeys((1, 2, 3, 4), 100)]


@pytest.mark.parametrize(
    ("rest_to_best", "amounts", "left"),
    [(True, {1: 40, 2: 30, 3: 30}, 0), (False, {1: 30, 2: 30, 3: 30}, 10)],
)
def test_rest_of_rounding_goes_to_the_best_placed_or_to_nobody(
    rest_to_best: bool, amounts: dict[int, int], left: int
) -> None:
    found = distribute(table(3, 3, 3), [everybody(60, 40)], unit=10, rest_to_best=rest_to_best)
    assert (paid(found), found.left) == ([amounts], (left,))


def test_prize_that_nobody_can_win_is_left() -> None:
    assert distribute(table(3, 2), [everybody(60, 40, 20)]).left == (20,)


def test_player_takes_the_best_prize_and_the_others_move_up() -> None:
    women = Category((550, 50), Method.EQUAL, {2, 4})
    standings = table(5, 5, 4, 3)
    several = distribute(standings, [everybody(600, 400, 100), women], best_only=False)
    assert paid(several) == [{1: 500, 2: 500, 3: 100}, {2: 550, 4: 50}]
    once = distribute(standings, [everybody(600, 400, 100), women])
    assert paid(once) == [{1: 600, 3: 400, 4: 100}, {2: 550}]
    assert once.left == (0, 50)


def test_of_equal_prizes_a_player_takes_the_one_of_the_earlier_category() -> None:
    first, second = Category((100,), Method.PLACE, {1, 2}), Category((100,), Method.PLACE, {1, 3})
    assert paid(distribute(table(3, 2, 1), [first, second])) == [{1: 100}, {3: 100}]


# -- a definition written apart from the program: one loop for each place, no groups --


def due(category: Category, standings: Sequence[PrizeCandidate], player: int) -> Fraction:
    field = [one for one in standings if one.player in category.players]
    me = next((one for one in field if one.player == player), None)
    if me is None:
        return Fraction(0)

    def part(level: Sequence[bool]) -> Fraction:
        prizes = [category.prizes[at] if at < len(category.prizes) else 0 for at in range(len(field))]
        return Fraction(sum(prize for prize, one in zip(prizes, level, strict=True) if one), sum(level))

    by_points = part([one.points == me.points for one in field])
    by_place = part([one.place == me.place for one in field])
    return {Method.EQUAL: by_points, Method.PLACE: by_place, Method.HORT: by_points / 2 + by_place / 2}[
        category.method
    ]


def by_definition(
    standings: Sequence[PrizeCandidate], categories: Sequence[Category]
) -> list[dict[int, Fraction]]:
    """Return what everybody is due if a player wins one prize: the largest sum is fixed, then all is counted again."""
    out: set[tuple[int, int]] = set()
    fixed: set[int] = set()

    def without(number: int) -> Category:
        kept = {
            one.player
            for one in standings
            if one.player in categories[number].players and (one.player, number) not in out
        }
        return Category(categories[number].prizes, categories[number].method, kept)

    while True:
        best = None
        for number in range(len(categories)):
            for one in standings:
                amount = due(without(number), standings, one.player)
                if one.player not in fixed and amount and (best is None or amount > best[0]):
                    best = (amount, number, one.player)
        if best is None:
            break
        _amount, chosen, winner = best
        fixed.add(winner)
        out |= {(winner, number) for number in range(len(categories)) if number != chosen}
    sums = [
        {one.player: due(without(number), standings, one.player) for one in standings}
        for number in range(len(categories))
    ]
    return [{player: amount for player, amount in one.items() if amount} for one in sums]


def random_events(seed: int, most: int) -> Iterator[tuple[list[PrizeCandidate], list[Category], int]]:
    """Yield standings with shared places, categories that overlap, and the unit of rounding."""
    draw = random.Random(seed)
    for _ in range(most):
        number = draw.randint(1, 9)
        points = sorted((draw.randint(0, 4) for _ in range(number)), reverse=True)
        places: list[int] = []
        for at in range(number):
            same = at and points[at] == points[at - 1] and draw.random() < 0.3
            places.append(places[-1] if same else at + 1)
        players = draw.sample(range(1, 50), number)
        standings = [
            PrizeCandidate(*one) for one in zip(players, places, (10 * each for each in points), strict=True)
        ]
        unit = draw.choice([1, 1, 5, 100])
        categories = [
            Category(
                tuple(sorted((unit * draw.randint(1, 9) for _ in range(draw.randint(1, 5))), reverse=True)),
                draw.choice([*Method]),
                frozenset(player for player in players if draw.random() < 0.6),
            )
            for _ in range(draw.randint(1, 4))
        ]
        yield standings, categories, unit


@pytest.mark.parametrize("seed", range(4))
def test_sums_are_those_of_the_definition(seed: int) -> None:
    for standings, categories, unit in random_events(seed, 150):
        several = distribute(standings, categories, unit=unit, best_only=False)
        assert [{one.player: one.exact for one in awards} for awards in several.awards] == [
            {one.player: amount for one in standings if (amount := due(category, standings, one.player)) > 0}
            for category in categories
        ]
        once = distribute(standings, categories, unit=unit)
        found = [{one.player: one.exact for one in awards} for awards in once.awards]
        assert found == by_definition(standings, categories)


@pytest.mark.parametrize("best_only", [True, False])
@pytest.mark.parametrize("rest_to_best", [True, False])
def test_what_always_holds(best_only: bool, rest_to_best: bool) -> None:
    for standings, categories, unit in random_events(7, 400):
        found = distribute(standings, categories, unit=unit, best_only=best_only, rest_to_best=rest_to_best)
        for category, awards, left in zip(categories, found.awards, found.left, strict=True):
            amounts = [award.amount for award in awards]
            assert sum(amounts) + left == category.fund
            assert left >= 0
            assert amounts == sorted(amounts, reverse=True), "nobody gets less for a better place"
            assert all(amount % unit == 0 for amount in amounts)
            assert all(abs(award.amount - award.exact) < unit for award in awards)
            assert {award.player for award in awards} <= set(category.players)
            if rest_to_best and awards and len(awards) >= len(category.prizes):
                assert left == 0, "the whole fund is paid"
        winners = [award.player for awards in found.awards for award in awards]
        if best_only:
            assert len(winners) == len(set(winners))


def test_order_in_which_players_of_a_category_are_given_does_not_matter() -> None:
    for standings, categories, unit in random_events(11, 200):
        turned = [
            Category(category.prizes, category.method, sorted(category.players, reverse=True))
            for category in categories
        ]
        assert distribute(standings, categories, unit=unit) == distribute(standings, turned, unit=unit)
