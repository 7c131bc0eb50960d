"""What to relax when no legal round exists: a proposal to the arbiter, who decides (C.04.4.1, 1.8.3, edition 2025).

Nothing is applied here, and `pair_round` never uses it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from pairing.engine.matching import Matching, bits, cheapest_perfect_matching
from pairing.engine.model import Tournament

from .field import Entrant, Field, legal_graph


class RelaxationKind(StrEnum):
    """The rule that a relaxation breaks."""

    REMATCH = "C1"
    SECOND_BYE = "C2"
    SAME_COLOUR = "C3"
    FORBIDDEN = "forbidden"


@dataclass(frozen=True, slots=True)
class Relaxation:
    """players: ids; the two who would meet, the higher in the initial ranking first, or the one who gets the bye."""

    kind: RelaxationKind
    players: tuple[int, ...]


MAX_PLAYERS = 400
"""Beyond it only those who can be left over are weighed: the cost grows with the third power of the field."""

GRAVEST_FIRST = (
    RelaxationKind.REMATCH,
    RelaxationKind.SECOND_BYE,
    RelaxationKind.SAME_COLOUR,
    RelaxationKind.FORBIDDEN,
)
"""In this order each is needed as rarely as possible, before the next is looked at.

A second meeting (C1) is against the Basic Rules without exception (C.04.1, 2). So is a second bye (C2; C.04.1, 4), but
it takes nothing from an opponent. For a third colour (C3) the Basic Rules let systems have exceptions (6 and 7).
Forbidden pairs are no rule of FIDE.
"""


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """The rules to break so that a round exists, gravest first; empty where one exists, or the field is too large.

    The answer is one cheapest perfect matching of everybody with everybody, and with the bye in an odd field. Cost: how
    often each rule is broken, gravest first; then the differences in points inside the pairs that break one, then their
    points, so that the choice falls on equals and on the bottom of the table. All other pairs are legal.
    Of more than MAX_PLAYERS only those whom some largest legal pairing leaves over are weighed, with those whom they
    may meet: that is enough for a round, but a lighter set may exist.
    Raises InvalidTournament.
    """
    field = Field(tournament)
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


def _with_bye(players: Sequence[Entrant]) -> list[int]:
    """Who may meet whom; for an odd number the last vertex is the bye."""
    graph = legal_graph(players)
    if len(players) % 2:
        bye = len(players)
        free = sum(1 << i for i, player in enumerate(players) if not player.bye_barred)
        graph = [mask | (free >> i & 1) << bye for i, mask in enumerate(graph)]
        graph.append(free)
    return graph


def _cheapest(
    tournament: Tournament, field: Field, players: Sequence[Entrant], chosen: Sequence[int]
) -> tuple[Relaxation, ...]:
    met = [set(field.past.opponents(place)) for place in field.present]
    apart = {(min(pair), max(pair)) for pair in tournament.forbidden}
    many = (len(chosen) + 1).bit_length()
    points = (sum(player.score for player in players) + 1).bit_length() + many

    def broken(i: int, j: int) -> tuple[RelaxationKind, ...]:
        """By the vertices i < j."""
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

    def cost(i: int, j: int) -> int:
        kinds = broken(i, j)
        if not kinds:
            return 0
        scores = [players[k].score for k in (i, j) if k < len(players)]
        total = max(scores) - min(scores) << points | sum(scores)
        for place, kind in enumerate(reversed(GRAVEST_FIRST)):
            total += (kind in kinds) << 2 * points + many * place
        return total

    costs: list[dict[int, int]] = [{} for _ in chosen]
    for a, i in enumerate(chosen):
        for b in range(a + 1, len(chosen)):
            costs[a][b] = costs[b][a] = cost(i, chosen[b])
    mate = cheapest_perfect_matching(costs)
    assert mate is not None, "everybody may be paired with everybody"
    found = [
        (
            GRAVEST_FIRST.index(kind),
            i,
            Relaxation(kind, tuple(players[k].id for k in (i, j) if k < len(players))),
        )
        for i, j in ((chosen[a], chosen[b]) for a, b in enumerate(mate) if a < b)
        for kind in broken(i, j)
    ]
    return tuple(relaxation for _, _, relaxation in sorted(found, key=lambda entry: entry[:2]))
