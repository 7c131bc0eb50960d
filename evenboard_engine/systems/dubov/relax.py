"""Propose to the arbiter which rules to relax if no legal round exists (C.04.4.1, 1.8.3, edition 2025).

The arbiter decides. Nothing is applied here, and `pair_round` never uses it.
"""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.matching import Matching, bits
from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind
from evenboard_engine.systems.dubov.pairing.field import DubovEntrant, DubovField, legal_graph
from evenboard_engine.systems.relaxing import MAX_PLAYERS, cheapest_relaxations


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the rules to break so that a round exists, most serious first; () if one exists or the field is too large.

    What is cheapest says `cheapest_relaxations`. All other pairs are legal.
    If there are more than MAX_PLAYERS, only these count: players whom some largest legal pairing leaves over, and the
    players whom they may meet. This is enough for a round, but a less serious proposal may exist.
    Raises InvalidTournament.
    """
    field = DubovField(tournament)
    players = [field.entrant(place) for place in field.present]
    graph = _with_bye(players)
    matching = Matching(graph)
    if matching.maximise() == 0:
        return ()
    chosen = list(range(len(graph)))
    if len(players) > MAX_PLAYERS:
        loose = matching.dispensable()
        reach = loose
        for i in bits(loose):
            reach |= graph[i]
        chosen = list(bits(reach))
        if len(chosen) > MAX_PLAYERS:
            return ()
    return _cheapest(tournament, field, players, chosen)


def _with_bye(players: Sequence[DubovEntrant]) -> list[int]:
    """Return who may meet whom, as masks. If the number of players is odd, the last vertex is the bye."""
    graph = legal_graph(players)
    if len(players) % 2:
        bye = len(players)
        free = sum(1 << i for i, player in enumerate(players) if not player.bye_barred)
        graph = [mask | (free >> i & 1) << bye for i, mask in enumerate(graph)]
        graph.append(free)
    return graph


def _cheapest(
    tournament: Tournament, field: DubovField, players: Sequence[DubovEntrant], chosen: Sequence[int]
) -> tuple[Relaxation, ...]:
    met = [set(field.past.opponents(place)) for place in field.present]
    apart = {(min(pair), max(pair)) for pair in tournament.forbidden}

    def broken(i: int, j: int) -> tuple[RelaxationKind, ...]:
        """Return the rules that a pair of the vertices i < j breaks."""
        one = players[i]
        if j == len(players):
            return (RelaxationKind.SECOND_BYE,) if one.bye_barred else ()
        other = players[j]
        kinds = []
        if other.rank in met[i]:
            kinds.append(RelaxationKind.REMATCH)
        if one.shape.absolute and one.shape.absolute == other.shape.absolute:
            kinds.append(RelaxationKind.SAME_COLOUR)
        if (min(one.id, other.id), max(one.id, other.id)) in apart:
            kinds.append(RelaxationKind.FORBIDDEN)
        return tuple(kinds)

    ids, scores = [player.id for player in players], [player.score for player in players]
    return cheapest_relaxations(ids, scores, broken, chosen)
