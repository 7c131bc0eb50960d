"""Prizes of money: who wins how much in which category.

Amounts are whole numbers of the smallest unit of the money (cents). What somebody is due before rounding is an exact
fraction. docs/rules.md has the definitions and their sources.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from fractions import Fraction
from itertools import groupby

Span = tuple[int, int]
"""The first and the last place of players who are level."""


class Method(Enum):
    """How players who are level on points divide the prizes of their places."""

    EQUAL = "equal"
    """Each gets the same part."""
    PLACE = "place"
    """Each gets the prize of the place; tie-breaks decide. Only players on the same place share."""
    HORT = "hort"
    """Half of each prize goes to the player on its place, the other halves are shared as by EQUAL."""


@dataclass(frozen=True, slots=True)
class PrizeCandidate:
    """A player in the standings. place: players with the same one share it. points: in tenths."""

    player: int
    place: int
    points: int


@dataclass(frozen=True, slots=True)
class Category:
    """Prizes for some of the players. prizes: from the first place on, none larger than the one before it."""

    prizes: tuple[int, ...]
    method: Method
    players: Collection[int]

    @property
    def fund(self) -> int:
        return sum(self.prizes)


@dataclass(frozen=True, slots=True)
class Award:
    """What a player wins in a category.

    same: the places, counted in the category, of all who share the player's place. level: those of all who have as many
    points. exact: before rounding.
    """

    player: int
    points: int
    same: Span
    level: Span
    exact: Fraction
    amount: int


@dataclass(frozen=True, slots=True)
class Distribution:
    """awards: of each category, from the first place on. left: what is not paid in each category."""

    awards: tuple[tuple[Award, ...], ...]
    left: tuple[int, ...]


def distribute(
    standings: Sequence[PrizeCandidate],
    categories: Sequence[Category],
    *,
    unit: int = 1,
    best_only: bool = True,
    rest_to_best: bool = True,
) -> Distribution:
    """Return who wins what. standings: from the first place on.

    unit: each sum is a multiple of it; so must be the prizes. best_only: a player wins in one category, where the sum
    is largest. rest_to_best: what is left by rounding goes, one unit each, to the best placed of those whose sum was
    rounded down; otherwise nobody gets it.
    """
    fields = [[one for one in standings if one.player in category.players] for category in categories]
    if best_only:
        fields = _one_prize_each(categories, fields)
    awards = tuple(
        tuple(_rounded(_shares(category, field), category.method, unit, rest_to_best=rest_to_best))
        for category, field in zip(categories, fields, strict=True)
    )
    left = tuple(
        category.fund - sum(award.amount for award in found)
        for category, found in zip(categories, awards, strict=True)
    )
    return Distribution(awards, left)


def _one_prize_each(
    categories: Sequence[Category], fields: list[list[PrizeCandidate]]
) -> list[list[PrizeCandidate]]:
    """Return the fields after each winner has left all categories except one.

    The largest sum is given first. Its winner leaves the other categories, where the players below move up, and the
    next largest sum is found. Of equal sums, the one of the earlier category is given first, then the one of the better
    place.
    """
    gone: list[set[int]] = [set() for _ in categories]
    shares = [_shares(category, field) for category, field in zip(categories, fields, strict=True)]
    done: set[int] = set()
    while offers := [
        (-award.exact, number, at, award.player)
        for number, found in enumerate(shares)
        for at, award in enumerate(found)
        if award.player not in done
    ]:
        _sum, chosen, _at, winner = min(offers)
        done.add(winner)
        for number, category in enumerate(categories):
            if number != chosen and winner in category.players:
                gone[number].add(winner)
                shares[number] = _shares(category, _without(fields[number], gone[number]))
    return [list(_without(field, out)) for field, out in zip(fields, gone, strict=True)]


def _without(field: Iterable[PrizeCandidate], out: Collection[int]) -> Iterator[PrizeCandidate]:
    return (one for one in field if one.player not in out)


def _shares(category: Category, field: Iterable[PrizeCandidate]) -> list[Award]:
    """Return what each winner is due before rounding."""
    awards = []
    at = 0
    for _points, group in groupby(field, key=lambda one: one.points):
        level = list(group)
        if at >= len(category.prizes):
            break
        whole = (at + 1, at + len(level))
        for _place, tied in groupby(level, key=lambda one: one.place):
            same = list(tied)
            span = (at + 1, at + len(same))
            due = _due(category, span, whole)
            if due:
                awards += [Award(one.player, one.points, span, whole, due, 0) for one in same]
            at += len(same)
    return awards


def _due(category: Category, same: Span, level: Span) -> Fraction:
    if category.method is Method.PLACE:
        return _mean(category.prizes, same)
    shared = _mean(category.prizes, level)
    return shared if category.method is Method.EQUAL else (_mean(category.prizes, same) + shared) / 2


def prizes_of(prizes: Sequence[int], span: Span) -> tuple[int, ...]:
    """Return the prizes of these places, as far as there are any."""
    first, last = span
    return tuple(prizes[first - 1 : last])


def _mean(prizes: Sequence[int], span: Span) -> Fraction:
    first, last = span
    return Fraction(sum(prizes_of(prizes, span)), last - first + 1)


def _rounded(shares: Sequence[Award], method: Method, unit: int, *, rest_to_best: bool) -> Iterator[Award]:
    """Yield the awards, rounded down, with what is left for those who share."""
    together = groupby(shares, key=lambda award: award.same if method is Method.PLACE else award.level)
    for _span, group in together:
        awards = list(group)
        amounts = [int(award.exact // unit) * unit for award in awards]
        left = sum(award.exact for award in awards) - sum(amounts)
        extra = int(left // unit) if rest_to_best else 0
        for award, amount in zip(awards, amounts, strict=True):
            more = extra > 0 and award.exact != amount
            extra -= more
            yield replace(award, amount=amount + unit * more)
