"""Propose to the arbiter which rules to relax if no legal round exists (C.04.3, 1.9.3, edition of 2026).

The arbiter decides. Nothing is applied here, and `pair_round` never uses it.
"""

from __future__ import annotations

from evenboard_engine.matching import Matching, bits
from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind
from evenboard_engine.systems.relaxing import MAX_PLAYERS, cheapest_relaxations

from .pairing.field import DutchField


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the rules to break so that a round exists, most serious first; () if one exists or the field is too large.

    What is cheapest says `cheapest_relaxations`. All other pairs are legal.
    If there are more than MAX_PLAYERS, only these count: players whom some largest legal pairing leaves over, and the
    players whom they may meet. This is enough for a round, but a less serious proposal may exist.
    Raises InvalidTournament.
    """
    field = DutchField(tournament)
    graph = _with_bye(field)
    matching = Matching(graph)
    if matching.maximise() == 0:
        return ()
    chosen = list(range(len(graph)))
    if len(field.present) > MAX_PLAYERS:
        reach = loose = matching.dispensable()
        for i in bits(loose):
            reach |= graph[i]
        chosen = list(bits(reach))
        if len(chosen) > MAX_PLAYERS:
            return ()
    places = field.present
    met = [set(field.past.opponents(place)) for place in places]
    apart = {frozenset(pair) for pair in tournament.forbidden}
    ids = [field.ids[place] for place in places]

    def broken(i: int, j: int) -> tuple[RelaxationKind, ...]:
        """Return the rules that a pair of the vertices i < j breaks."""
        if j == len(places):
            return (RelaxationKind.SECOND_BYE,) if places[i] in field.past.barred else ()
        kinds = []
        if places[j] in met[i]:
            kinds.append(RelaxationKind.REMATCH)
        absolute = field.absolute[places[i]]
        if absolute and absolute == field.absolute[places[j]]:
            kinds.append(RelaxationKind.SAME_COLOUR)
        if {ids[i], ids[j]} in apart:
            kinds.append(RelaxationKind.FORBIDDEN)
        return tuple(kinds)

    return cheapest_relaxations(ids, [field.score[place] for place in places], broken, chosen)


def _with_bye(field: DutchField) -> list[int]:
    """Return who may meet whom, as masks. If the number of players is odd, the last vertex is the bye."""
    graph = field.graph(field.present)
    if len(graph) % 2:
        bye = len(graph)
        free = sum(1 << i for i, place in enumerate(field.present) if place not in field.past.barred)
        graph = [mask | (free >> i & 1) << bye for i, mask in enumerate(graph)]
        graph.append(free)
    return graph
