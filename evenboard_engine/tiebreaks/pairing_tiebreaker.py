"""The Pairing Tiebreaker of Robert Jasiek: how well placed the opponents were whom the pairing gave a player.

It is no tie-break of FIDE. docs/rules.md has the definition, and what its text leaves open.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from evenboard_engine.history import rounded_half_up
from evenboard_engine.systems.registry import system_named

from .cards import PLAYED, CardTable, RoundKind, RoundsCard

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


def pairing_tiebreakers(known: CardTable, order: str) -> dict[int, PairingTiebreaker]:
    """Return the Pairing Tiebreaker of each player. order: one of ROUNDS_LEFT_OUT; "" gives no terms.

    The field of a round are its pairs, forfeited ones too, and the player with the pairing-allocated bye. Cost: n log n
    for each round.
    """
    terms: dict[int, list[Term]] = {key: [] for key in known.cards}
    for number, key, opponent, (size, place) in _opponents_placed(known, order):
        terms[key].append(Term(number, opponent, size, place))
    return {key: PairingTiebreaker(tuple(found)) for key, found in terms.items()}


def pairing_tiebreaker_values(known: CardTable, order: str) -> dict[int, Fraction | int]:
    """Return PT of each player, 0 without a term: quicker than the terms."""
    above, below = dict.fromkeys(known.cards, 0), dict.fromkeys(known.cards, 1)
    weights = dict.fromkeys(known.cards, 0)
    for number, key, _opponent, (size, place) in _opponents_placed(known, order):
        above[key] = above[key] * place + number * size * below[key]
        below[key] *= place
        weights[key] += number
    return {
        key: Fraction(above[key], below[key] * weight) if weight else 0 for key, weight in weights.items()
    }


def quality(known: CardTable, order: str) -> Fraction | None:
    """Return how unevenly the pairing treated players who finished level: 0 is even, smaller is better, under 2.

    The differences from the mean of those with the same points, added up, divided by the sum of all values. None if
    nobody has a value.
    """
    level: dict[int, list[Fraction]] = {}
    for key, value in pairing_tiebreaker_values(known, order).items():
        if value:
            level.setdefault(known.cards[key].score, []).append(Fraction(value))
    whole = sum((sum(values) for values in level.values()), Fraction(0))
    if not whole:
        return None
    return sum((_differences(values) for values in level.values()), Fraction(0)) / whole


def _differences(values: Sequence[Fraction]) -> Fraction:
    mean = sum(values, Fraction(0)) / len(values)
    return sum((abs(value - mean) for value in values), Fraction(0))


def _opponents_placed(known: CardTable, order: str) -> Iterator[tuple[int, int, int, tuple[int, int]]]:
    """Yield for each term: round, player, opponent, and the size of the opponent's score group with the place in it."""
    cards = known.cards
    rounds = max((len(card.turns) for card in cards.values()), default=0)
    scores, ratings = {key: card.added_in(0) for key, card in cards.items()}, dict.fromkeys(cards, 0)
    met: dict[int, list[int]] = {key: [] for key in cards}
    for number in range(1, rounds + 1 if order else 0):
        turns = {key: card.turns[number - 1] for key, card in cards.items()}
        if number > ROUNDS_LEFT_OUT[order]:
            groups: dict[int, list[int]] = {}
            for key, turn in turns.items():
                if turn.opponent is not None or turn.kind is RoundKind.ALLOCATED:
                    groups.setdefault(scores[key], []).append(key)
            placed: dict[int, tuple[int, int]] = {}
            for group in groups.values():
                _place(
                    group,
                    [_worth(cards[key], order, met[key], ratings[key], scores) for key in group],
                    placed,
                )
            for key, turn in turns.items():
                if turn.opponent is not None:
                    yield number, key, turn.opponent, placed[turn.opponent]
        for key, turn in turns.items():
            scores[key] += turn.points + (cards[key].added_in(number) if cards[key].added else 0)
            if turn.kind is PLAYED and turn.opponent is not None:
                met[key].append(turn.opponent)
                ratings[key] += cards[turn.opponent].rating


def _place(group: Sequence[int], worths: Sequence[_Value], placed: dict[int, tuple[int, int]]) -> None:
    """Note the size and the place of each player of a score group; those with equal values share the smallest place."""
    first: dict[_Value, int] = {}
    for at, worth in enumerate(sorted(worths, reverse=True), start=1):
        first.setdefault(worth, at)
    for key, worth in zip(group, worths, strict=True):
        placed[key] = len(group), first[worth]


def _worth(
    card: RoundsCard, order: str, met: Sequence[int], ratings: int, scores: Mapping[int, int]
) -> _Value:
    """Return what places a player in the score group; greater is better.

    met: the opponents of games so far. ratings: the sum of their ratings. scores: of all players, before the round.
    """
    if order == BUCHHOLZ:
        return sum([scores[other] for other in met])
    if order == RATING:
        return card.rating
    if order == ARO:
        return rounded_half_up(ratings, len(met))
    return Fraction(ratings, len(met)) if met else 0
