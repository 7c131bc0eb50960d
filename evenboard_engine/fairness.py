"""Measure what a pairing is for: equal opposition in each score group, and points that agree with performance.

"The Dubov Swiss Pairing System is designed to maximise the fair treatment of the players. This means that a player
having more points than another player during a tournament should have a higher performance rating as well." (C.04.4.1,
before article 1.) `agreement` says how far this aim was reached.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import groupby

from .comparing import UPPER_HALF, Variant, default_options, other_systems
from .findings import Published
from .model import BYES, ByeKind, Tournament
from .tiebreaks import order_of, quality, ranking, read_list, table
from .tiebreaks.pairing_tiebreaker import ARO, ARO_1997, BUCHHOLZ


def round_of(tournament: Tournament, number: int) -> tuple[Tournament, Published]:
    """Return the tournament before an earlier round, and the round as it was paired.

    Players who were not paired and had no bye are absent. Byes that were requested for this round or a later one stay.
    """
    pairs = tuple((game.white, game.black) for game in tournament.games if game.round == number)
    here = [bye for bye in tournament.byes if bye.round == number]
    allocated = tuple(bye.player for bye in here if bye.kind is ByeKind.ALLOCATED)
    present = {player for pair in pairs for player in pair} | {bye.player for bye in here}
    before = replace(
        tournament,
        round=number,
        games=tuple(game for game in tournament.games if game.round < number),
        byes=tuple(bye for bye in tournament.byes if bye.round < number or BYES[bye.kind].requested),
        absent=frozenset(player.id for player in tournament.players) - present,
    )
    return before, Published(number, pairs, allocated)


@dataclass(frozen=True, slots=True)
class Agreement:
    """How well the order by points agrees with the order by performance.

    pairs: of two players with different points. agree: those in which the player with more points has the higher
    performance. contradict: those in which this player has the lower one.
    """

    pairs: int
    agree: int
    contradict: int

    @property
    def value(self) -> Fraction | None:
        """Somers' D of performance on points: 1 if all pairs agree, -1 if all contradict; None without a pair.

        Source: R. H. Somers, A new asymmetric measure of association for ordinal variables, 1962.
        """
        return Fraction(self.agree - self.contradict, self.pairs) if self.pairs else None


def agreement(tournament: Tournament) -> Agreement:
    """Return how well points agree with performance after the rounds before `tournament.round`.

    The performance is TPR (C.07, 10.2). Players without a performance above 0 are left out: they have no game over the
    board, or no opponent with a rating.
    """
    found = ranking(tournament, read_list("PTS,TPR")).values.values()
    return agreement_of([(int(points), int(performance)) for points, performance in found if performance > 0])


def agreement_of(values: Sequence[tuple[int, int]]) -> Agreement:
    """Return how well points agree with performance. values: points and performance of each player.

    Cost: n log n comparisons.
    """
    lower: list[int] = []
    pairs = agree = contradict = 0
    for _points, group in groupby(sorted(values), key=lambda value: value[0]):
        performances = [performance for _, performance in group]
        for performance in performances:
            pairs += len(lower)
            agree += bisect_left(lower, performance)
            contradict += len(lower) - bisect_right(lower, performance)
        for performance in performances:
            insort(lower, performance)
    return Agreement(pairs, agree, contradict)


@dataclass(frozen=True, slots=True)
class Measures:
    """What a whole tournament reached after the rounds before `Tournament.round`.

    qualities: of the pairing by the Pairing Tiebreaker, for each of `quality_orders`; None if nobody has a value.
    """

    agreement: Agreement
    qualities: tuple[tuple[str, Fraction | None], ...]


def measures(tournament: Tournament) -> Measures:
    """Return the agreement of points with performance, and the qualities of the pairing.

    Cost: 0.2 s for 1,000 players and 9 rounds.
    """
    known = table(tournament)
    qualities = tuple((order, quality(known, order)) for order in quality_orders(tournament.system))
    return Measures(agreement(tournament), qualities)


def quality_orders(system: str) -> tuple[str, ...]:
    """Return the orders of score groups by which the pairing of this system is measured: its own, ARO, and Buchholz.

    Where ARO is not rounded, that is the only ARO. () if all rounds are fixed.
    """
    own = order_of(system)
    if not own:
        return ()
    return tuple(dict.fromkeys((own, *(() if own == ARO_1997 else (ARO,)), BUCHHOLZ)))


def other_pairings(system: str, day: str = "") -> tuple[Variant, ...]:
    """Return the pairings with which the rounds of this system are compared: upper half against lower half, and the
    other systems with their default options. () if all rounds are fixed. day: the first day of the tournament.
    """
    others = (Variant(one.code, default_options(one.code, day)) for one in other_systems(system))
    return () if not order_of(system) else (UPPER_HALF, *others)
