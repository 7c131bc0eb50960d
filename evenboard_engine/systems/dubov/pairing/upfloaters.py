"""Choose the players of lower scoregroups who join a bracket (C.04.4.1, 2.2.1, 2.2.2, 3.2, 3.3 and 4.2, edition 2025).

A bracket with its upfloaters, and the pairs of all other lower players, are together one perfect matching of residents
and lower players. The criteria C5 to C10 and the order of article 4.2 are costs of the edges between a resident and a
lower player (C7 also of the edges between residents). So a cheapest perfect matching gives the best set. Most brackets
do not need it, because a set reaches a bound that no set can pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

from evenboard_engine.matching import Kinds, Matching, bits, first_across, is_sparse

from .field import DubovEntrant, Lower, legal_graph, may_meet, pairable


def upfloater_order(player: DubovEntrant) -> tuple[int, int]:
    """Return a sort key for possible upfloaters: by score, then by initial ranking (4.2.2)."""
    return -player.score, player.rank


def choose_upfloaters(
    residents: Sequence[DubovEntrant], lower: Lower, *, last_round: bool
) -> list[DubovEntrant]:
    """Return the first of the best sets of upfloaters, sorted by 4.2; [] if the residents need none.

    lower: everyone below who is not yet paired. Together with the residents they must have a legal pairing.
    last_round: C8 to C10 do not count (3.3.4 to 3.3.6). If few of the lower players may meet each other, C4 is likely
    to matter and its graph is small, so C4 is part of the first matching.
    """
    graph = legal_graph(residents)
    inside = Matching(graph)
    least = inside.maximise()
    if least == 0 and (lower.surely_pairable() or pairable(lower.all())):
        return []
    if least == 1:
        single = _choose_one(residents, lower, inside, last_round=last_round)
        if single is not None:
            return [single]
    below = legal_graph(lower.all()) if not lower.surely_pairable(without=least) else None
    if least and (below is None or not is_sparse(below)):
        chosen = _cheapest_if_the_rest_allows(residents, lower, least, last_round=last_round)
        if chosen is not None:
            return chosen
    everybody = lower.all()
    costs = UpfloaterCosts(residents, everybody, last_round=last_round)
    return costs.cheapest(graph, legal_graph(everybody) if below is None else below)


# --- one upfloater: by bounds


def _choose_one(
    residents: Sequence[DubovEntrant], lower: Lower, inside: Matching, *, last_round: bool
) -> DubovEntrant | None:
    """Return the best single upfloater if bounds prove it, else None.

    One is the least number (C5), so C6 asks for the highest scoregroup with a possible upfloater. The colour due to the
    upfloater fixes a bound for C7: half the surplus of one colour. The bound is reached if no two players of the
    smaller side have to meet. A player who does not reach it exceeds it by at least two, and the bounds of the two
    colours differ by one. So the best player is the first by C7 to C10 and 4.2 among those who reach their bound.
    """
    willing = inside.dispensable()
    sides = {white: ColourBound(residents, upfloater_wants_white=white) for white in (True, False)}
    for group in _groups_that_can_spare_one(lower):
        possible = [player for player in group if any(may_meet(player, residents[i]) for i in bits(willing))]
        if not possible:
            continue
        return min(
            (player for player in possible if sides[player.wants_white].reaches_bound_with(player)),
            key=lambda player: (
                sides[player.wants_white].bound,
                *history_criteria(player, last_round=last_round),
                player.rank,
            ),
            default=None,
        )
    return None


class ColourBound:
    """Residents and an upfloater who is due a given colour: the bound of C7, and the upfloaters who reach it."""

    def __init__(self, residents: Sequence[DubovEntrant], *, upfloater_wants_white: bool) -> None:
        self.residents = residents
        whites = sum(player.wants_white for player in residents) + upfloater_wants_white
        blacks = len(residents) + 1 - whites
        self.bound = abs(whites - blacks) // 2
        self.smaller_is_white = whites < blacks
        self.exact = whites == blacks
        matching = Matching(self._without_pairs_inside_the_smaller())
        self.willing = matching.dispensable() if matching.maximise() == 1 else 0

    def _inside_the_smaller(self, one: DubovEntrant, other: DubovEntrant) -> bool:
        if one.wants_white is not other.wants_white:
            return False
        return self.exact or one.wants_white is self.smaller_is_white

    def _without_pairs_inside_the_smaller(self) -> list[int]:
        graph = legal_graph(self.residents)
        whites = sum(1 << i for i, player in enumerate(self.residents) if player.wants_white)
        for i, player in enumerate(self.residents):
            if self._inside_the_smaller(player, player):
                graph[i] &= ~whites if player.wants_white else whites
        return graph

    def reaches_bound_with(self, upfloater: DubovEntrant) -> bool:
        return any(
            may_meet(upfloater, self.residents[i])
            and not self._inside_the_smaller(upfloater, self.residents[i])
            for i in bits(self.willing)
        )


def _groups_that_can_spare_one(lower: Lower) -> Iterable[list[DubovEntrant]]:
    """Yield, by scoregroup from the highest, the players without whom all other lower players can be paired (C4)."""
    if lower.surely_pairable(without=1):
        reach = 0
        while reach < lower.count:
            players = lower.highest(reach + 1)
            yield players[reach:]
            reach = len(players)
        return
    players = lower.all()
    matching = Matching(legal_graph(players))
    spare = matching.dispensable() if matching.maximise() == 1 else 0
    for _score, group in groupby(bits(spare), key=lambda i: players[i].score):
        yield [players[i] for i in group]


def history_criteria(player: DubovEntrant, *, last_round: bool) -> tuple[int, int, int]:
    """Return what one upfloater adds to C8, C9 and C10 (3.3.4 to 3.3.6).

    Reading: C9 is the sum of how often each chosen maximum upfloater has been upfloated (D2).
    """
    if last_round:
        return 0, 0, 0
    return int(player.maximum), player.upfloats if player.maximum else 0, int(player.upfloated_last)


# --- any number: by cost


def _cheapest_if_the_rest_allows(
    residents: Sequence[DubovEntrant], lower: Lower, least: int, *, last_round: bool
) -> list[DubovEntrant] | None:
    """Return the best set without C4 if this set satisfies C4, else None.

    Only as many scoregroups count, from the highest, as are needed for `least` upfloaters: C6 prefers them to all lower
    ones.
    """
    if least == len(residents) and len({player.wants_white for player in residents}) == 1:
        chosen = one_for_each(
            residents, lower, lambda player: history_criteria(player, last_round=last_round)
        )
        return chosen if chosen is not None and _rest_pairable(lower, chosen) else None
    reach, wanted = 0, least
    while reach < lower.count:
        players = lower.highest(wanted)
        reach = len(players)
        candidates = _worth_considering(residents, players, last_round=last_round)
        chosen = UpfloaterCosts(residents, candidates, last_round=last_round).cheapest(
            legal_graph(residents), None
        )
        if len(chosen) == least or (reach == lower.count and chosen):
            return chosen if _rest_pairable(lower, chosen) else None
        wanted = 2 * reach
    return None


def _rest_pairable(lower: Lower, chosen: Sequence[DubovEntrant]) -> bool:
    """Return whether a set of upfloaters satisfies C4."""
    taken = {player.rank for player in chosen}
    return lower.surely_pairable(without=len(chosen)) or pairable(
        [player for player in lower.all() if player.rank not in taken]
    )


def _worth_considering(
    residents: Sequence[DubovEntrant], players: Sequence[DubovEntrant], *, last_round: bool
) -> list[DubovEntrant]:
    """Return the players whom the first best set can contain.

    Players who may meet every resident and who are equal for all criteria are interchangeable. The first ones in the
    order come before the later ones, and at most one for each resident is needed.
    """
    seen: dict[tuple[int, ...], int] = {}
    worth = []
    strict = {player.shape.absolute for player in residents}
    for player in players:
        if not (player.shape.absolute and player.shape.absolute in strict) and all(
            resident.rank not in player.met for resident in residents
        ):
            kind = (
                player.score,
                player.wants_white,
                player.shape.absolute,
                *history_criteria(player, last_round=last_round),
            )
            seen[kind] = seen.get(kind, 0) + 1
            if seen[kind] > len(residents):
                continue
        worth.append(player)
    return worth


class UpfloaterCosts:
    """Costs of edges: C5 to C10 in one integer, in which a higher criterion outweighs all lower ones.

    The kind of a resident is the due colour. The kind of a lower player is the due colour and the cost as an upfloater.
    """

    def __init__(
        self, residents: Sequence[DubovEntrant], lower: Sequence[DubovEntrant], *, last_round: bool
    ) -> None:
        self.residents, self.lower = residents, lower
        groups = sorted({player.score for player in lower}, reverse=True)
        level = {score: i for i, score in enumerate(groups)}
        many = (len(residents) + len(lower) + 1).bit_length()
        often = (sum(player.upfloats for player in lower) + 1).bit_length()
        c9 = many
        c8 = c9 + often
        c7 = c8 + many
        c6 = c7 + many
        c5 = c6 + many * len(groups)
        self.unpleasant = 1 << c7
        self.of_upfloater = []
        for player in lower:
            maximum, times, again = history_criteria(player, last_round=last_round)
            self.of_upfloater.append(
                (1 << c5) + (1 << c6 + many * level[player.score]) + (maximum << c8) + (times << c9) + again
            )

    def cheapest(self, inside: Sequence[int], below: Sequence[int] | None) -> list[DubovEntrant]:
        """Return the upfloaters of a cheapest matching that come first in the order of 4.2; [] if there is no matching.

        inside: who may meet whom among the residents. below: the same among the lower players, or None if they do not
        have to be paired (without C4).
        """
        count = len(self.residents)
        chosen = first_across(self._kinds(self._adjacency(inside, below)), (1 << count) - 1)
        return [self.lower[v - count] for v in chosen or ()]

    def _adjacency(self, inside: Sequence[int], below: Sequence[int] | None) -> list[int]:
        """Return the rows of the graph, residents first.

        Without C4 any two lower players may meet, and a vertex is added if needed, so that the number is even.
        """
        count = len(self.residents)
        near = (1 << count) - 1
        graph = legal_graph([*self.residents, *self.lower])
        if below is not None:
            others = [mask << count for mask in below]
        else:
            graph += [0] * (len(graph) % 2)
            far = (1 << len(graph)) - 1 & ~near
            others = [far ^ 1 << v for v in range(count, len(graph))]
        return [
            *(mask & ~near | within for mask, within in zip(graph[:count], inside, strict=True)),
            *(mask & near | with_others for mask, with_others in zip(graph[count:], others, strict=True)),
        ]

    def _kinds(self, adjacency: Sequence[int]) -> Kinds:
        """Return the kinds of all vertices, with starting prices.

        These prices make the slack 0 for all edges between residents, except inside the side with fewer residents.
        """
        numbers: dict[tuple[bool, int | None], int] = {}
        kind = [numbers.setdefault((player.wants_white, None), len(numbers)) for player in self.residents]
        for player, cost in zip(self.lower, self.of_upfloater, strict=True):
            kind.append(numbers.setdefault((player.wants_white, cost), len(numbers)))
        kind += [kind[-1]] * (len(adjacency) - len(kind))
        costs = [[0] * len(numbers) for _ in numbers]
        for (one_wants, resident), i in numbers.items():
            if resident is None:
                for (other_wants, added), j in numbers.items():
                    costs[i][j] = costs[j][i] = (added or 0) + self.unpleasant * (one_wants is other_wants)
        more_white = 2 * sum(player.wants_white for player in self.residents) >= len(self.residents)
        prices = [
            0 if cost is not None else self.unpleasant if wants is more_white else -self.unpleasant
            for wants, cost in numbers
        ]
        return Kinds(adjacency, kind, costs, prices)


# Choose the upfloaters if no two residents may meet and all are due the same colour (C.04.4.1, 2.2.2).
#
# Then every resident needs an upfloater. Source: the sets of players who can be given to residents, one to
# each, are the independent sets of a transversal matroid (J. Edmonds and D. R. Fulkerson, Transversals and
# matroid partition, 1965). So a greedy choice finds the first best set.


def one_for_each(
    residents: Sequence[DubovEntrant], lower: Lower, criteria: Callable[[DubovEntrant], tuple[int, ...]]
) -> list[DubovEntrant] | None:
    """Return the best set of as many upfloaters as residents, in the order of 4.2; None if there is no such set.

    C4 does not count here. criteria: what an upfloater adds to C8, C9 and C10. All residents are due one colour, so C7
    counts the upfloaters who are due this colour too. So every criterion is a sum over the upfloaters, and the greedy
    choice is the best by all of them.
    """
    seeker = residents[0].wants_white
    places = _Places(len(residents))
    chosen: list[DubovEntrant] = []
    seen = 0
    while seen < lower.count and len(chosen) < len(residents):
        players = lower.highest(seen + 1)
        for player in sorted(
            players[seen:], key=lambda player: (player.wants_white is seeker, *criteria(player), player.rank)
        ):
            if places.take(sum(1 << i for i, resident in enumerate(residents) if may_meet(player, resident))):
                chosen.append(player)
                if len(chosen) == len(residents):
                    break
        seen = len(players)
    if len(chosen) < len(residents):
        return None
    return sorted(chosen, key=lambda player: (-player.score, player.rank))


class _Places:
    """A matching of players with places (the residents), to which players are added one by one."""

    def __init__(self, count: int) -> None:
        self.free = (1 << count) - 1
        self.settled = 0
        self.holder = [-1] * count
        self.wishes: list[int] = []
        self.place_of: list[int] = []

    def take(self, wishes: int) -> bool:
        """Give a new player one of the places in the mask `wishes`, and move others if necessary. False if impossible.

        If a search fails, all places that it has seen keep their holders, so later searches leave them out.
        """
        self.wishes.append(wishes)
        self.place_of.append(-1)
        queue = [len(self.wishes) - 1]
        wanted_by: dict[int, int] = {}
        seen = self.settled
        for player in queue:
            reachable = self.wishes[player] & ~seen
            free = reachable & self.free
            if free:
                self._move(player, (free & -free).bit_length() - 1, wanted_by)
                return True
            seen |= reachable
            for place in bits(reachable):
                wanted_by[place] = player
                queue.append(self.holder[place])
        self.settled = seen
        return False

    def _move(self, player: int, place: int, wanted_by: dict[int, int]) -> None:
        self.free ^= 1 << place
        while place >= 0:
            left = self.place_of[player]
            self.holder[place], self.place_of[player] = player, place
            place, player = left, wanted_by.get(left, -1)
