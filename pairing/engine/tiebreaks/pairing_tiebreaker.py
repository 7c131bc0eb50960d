"""The Pairing Tiebreaker of Robert Jasiek: how well placed the opponents were whom the pairing gave a player.

It is no tie-break of FIDE. docs/rules.md has the definition, and what its text leaves open.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from pairing.engine.history import rounded_half_up
from pairing.engine.systems.registry import system_named

from .cards import PLAYED, Card, Kind, Table

ARO, ARO_1997, BUCHHOLZ, RATING = "aro", "aro97", "buchholz", "rating"
ROUNDS_LEFT_OUT = {ARO: 1, ARO_1997: 1, BUCHHOLZ: 2, RATING: 0}
"""The orders of a score group, and the first rounds in which the order cannot separate players with equal points."""
_Value = int | Fraction


@dataclass(frozen=True, slots=True)
class Term:
    """One round. size: of the score group of the opponent. place: of the opponent in it; the smallest, if shared."""

    round: int
    opponent: int
    size: int
    place: int

    @property
    def value(self) -> Fraction:
        return Fraction(self.round * self.size, self.place)


@dataclass(frozen=True, slots=True)
class PairingTiebreaker:
    """The terms of a player, their sum V, and the sum W of their rounds."""

    terms: tuple[Term, ...]

    @property
    def v(self) -> Fraction:
        return sum((term.value for term in self.terms), Fraction(0))

    @property
    def w(self) -> int:
        return sum(term.round for term in self.terms)

    @property
    def value(self) -> Fraction | None:
        """PT = V / W: higher is better. None without a term."""
        return self.v / self.w if self.terms else None


def order_of(system: str) -> str:
    """Return the order of score groups in the pairing system with this code; "" if all its rounds are fixed."""
    found = system_named(system)
    if found.fixed_rounds:
        return ""
    if "aro" in found.lists:
        return ARO if found.rounds_aro else ARO_1997
    return RATING


def pairing_tiebreakers(known: Table, order: str) -> dict[int, PairingTiebreaker]:
    """Return the Pairing Tiebreaker of each player. order: one of ROUNDS_LEFT_OUT; "" gives no terms.

    The field of a round are its pairs, forfeited ones too, and the player with the pairing-allocated bye. Cost: n log n
    for each round.
    """
    terms: dict[int, list[Term]] = {key: [] for key in known.cards}
    rounds = max((len(card.turns) for card in known.cards.values()), default=0)
    first = ROUNDS_LEFT_OUT[order] + 1 if order else rounds + 1
    for number, placed in enumerate(_placed(known, order, first, rounds), start=first):
        for key, card in known.cards.items():
            opponent = card.turns[number - 1].opponent
            if opponent is not None:
                size, place = placed[opponent]
                terms[key].append(Term(number, opponent, size, place))
    return {key: PairingTiebreaker(tuple(found)) for key, found in terms.items()}


def quality(known: Table, order: str) -> Fraction | None:
    """Return how unevenly the pairing treated players who finished level: 0 is even, smaller is better, under 2.

    The differences from the mean of those with the same points, added up, divided by the sum of all values. None if
    nobody has a value.
    """
    level: dict[int, list[Fraction]] = {}
    for key, found in pairing_tiebreakers(known, order).items():
        if found.value is not None:
            level.setdefault(known.cards[key].score, []).append(found.value)
    whole = sum((sum(values) for values in level.values()), Fraction(0))
    if not whole:
        return None
    return sum((_differences(values) for values in level.values()), Fraction(0)) / whole


def _differences(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum((abs(value - mean) for value in values), Fraction(0))


def _placed(known: Table, order: str, first: int, rounds: int) -> Iterator[dict[int, tuple[int, int]]]:
    """Yield for each round from the first on the size of the score group and the place of each player in the field."""
    cards = known.cards
    scores = {key: sum([turn.points for turn in card.turns[: first - 1]]) for key, card in cards.items()}
    for number in range(first, rounds + 1):
        worth = _worth(known, order, number, scores)
        groups: dict[int, list[tuple[_Value, int]]] = {}
        for key, card in cards.items():
            turn = card.turns[number - 1]
            if turn.opponent is not None or turn.kind is Kind.ALLOCATED:
                groups.setdefault(scores[key], []).append((worth(card), key))
        placed: dict[int, tuple[int, int]] = {}
        for group in groups.values():
            group.sort(reverse=True)
            place = 0
            for at, (value, key) in enumerate(group, start=1):
                if at == 1 or value != group[at - 2][0]:
                    place = at
                placed[key] = len(group), place
        yield placed
        for key, card in cards.items():
            scores[key] += card.turns[number - 1].points


def _worth(known: Table, order: str, number: int, scores: Mapping[int, int]) -> Callable[[Card], _Value]:
    """Return what places a player in the score group before a round; greater is better."""
    cards = known.cards
    if order == RATING:
        return lambda card: card.rating

    def met(card: Card) -> list[int]:
        before = card.turns[: number - 1]
        return [turn.opponent for turn in before if turn.kind is PLAYED and turn.opponent is not None]

    if order == BUCHHOLZ:
        return lambda card: sum([scores[other] for other in met(card)])

    def average(card: Card) -> _Value:
        ratings = [cards[other].rating for other in met(card)]
        if order == ARO:
            return rounded_half_up(sum(ratings), len(ratings))
        return Fraction(sum(ratings), len(ratings)) if ratings else 0

    return average
