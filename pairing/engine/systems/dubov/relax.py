"""Propose to the arbiter which rules to relax if no legal round exists (C.04.4.1, 1.8.3, edition 2025).

The arbiter decides. Nothing is applied here, and `pair_round` never uses it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.matching import Matching, bits, cheapest_perfect_matching
from pairing.engine.model import Tournament
from pairing.engine.result import Relaxation, RelaxationKind
from pairing.engine.systems.dubov.pairing.field import Entrant, Field, legal_graph

MAX_PLAYERS = 400
"""In a larger field only players who can be left over count: the time grows with the third power of the field."""

GRAVEST_FIRST = (
    RelaxationKind.REMATCH,
    RelaxationKind.SECOND_BYE,
    RelaxationKind.SAME_COLOUR,
    RelaxationKind.FORBIDDEN,
)
"""The rules in the order of importance: each is broken as rarely as possible, before the next one counts.

The Basic Rules forbid a second meeting (C1) without exception (C.04.1, 2). They also forbid a second bye (C2; C.04.1,
4), but it harms no opponent. They let a system make exceptions for the same colour three times (C3; C.04.1, 6 and 7).
Forbidden pairs are not a rule of FIDE.
"""


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the rules to break so that a round exists, most serious first; () if one exists or the field is too large.

    The answer is a cheapest perfect matching in which everybody may meet everybody, and the bye if the number is odd.
    The cost counts how often each rule is broken, most serious first. Then it counts the differences in points inside
    the pairs that break a rule, then their points, so that players with equal points and at the bottom of the table
    come first. All other pairs are legal.
    If there are more than MAX_PLAYERS, only these count: players whom some largest legal pairing leaves over, and the
    players whom they may meet. This is enough for a round, but a less serious proposal may exist.
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
    """Return who may meet whom, as masks. If the number of players is odd, the last vertex is the bye."""
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
