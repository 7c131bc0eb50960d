"""The fewest broken rules with which everybody is paired, by the rules that any pairing system can name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenboard_engine.matching import Matching, bits, cheapest_perfect_matching
from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind

from .field import RoundField

MAX_PLAYERS = 400
"""More players are too many: the time grows with the third power of the field."""

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


def propose_relaxations(tournament: Tournament, field: RoundField) -> tuple[Relaxation, ...]:
    """Propose to the arbiter which rules of a Swiss system of FIDE to relax (C1 to C3), most serious first.

    Nothing is applied here, and `pair_round` never uses it. () if a round exists or the field is too large. What is
    cheapest says `cheapest_relaxations`. All other pairs are legal. If there are more than MAX_PLAYERS, only these
    count: players whom some largest legal pairing leaves over, and the players whom they may meet. This is enough for a
    round, but a less serious proposal may exist.
    """
    places = field.present
    graph = _with_bye(field)
    matching = Matching(graph)
    if matching.maximise() == 0:
        return ()
    chosen = list(range(len(graph)))
    if len(places) > MAX_PLAYERS:
        reach = loose = matching.dispensable()
        for i in bits(loose):
            reach |= graph[i]
        chosen = list(bits(reach))
        if len(chosen) > MAX_PLAYERS:
            return ()
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


def _with_bye(field: RoundField) -> list[int]:
    """Return who may meet whom, as masks. If the number of players is odd, the last vertex is the bye."""
    graph = field.graph(field.present)
    if len(graph) % 2:
        bye = len(graph)
        free = sum(1 << i for i, place in enumerate(field.present) if place not in field.past.barred)
        graph = [mask | (free >> i & 1) << bye for i, mask in enumerate(graph)]
        graph.append(free)
    return graph


def cheapest_relaxations(
    ids: Sequence[int],
    scores: Sequence[int],
    broken: Callable[[int, int], Sequence[RelaxationKind]],
    chosen: Sequence[int],
) -> tuple[Relaxation, ...]:
    """Return the rules to break so that all the chosen players are paired, most serious first.

    ids, scores: by place. chosen: places in ascending order; the last one is len(ids) if somebody gets the bye.
    broken: the rules that a pair of the places i < j breaks.
    The answer is a cheapest perfect matching in which everybody may meet everybody. The cost counts how often each
    rule is broken, most serious first. Then it counts the differences in points inside the pairs that break a rule,
    then their points, so that players with equal points and at the bottom of the table come first.
    """
    many = (len(chosen) + 1).bit_length()
    points = (sum(scores) + 1).bit_length() + many

    def cost(i: int, j: int) -> int:
        kinds = broken(i, j)
        if not kinds:
            return 0
        both = [scores[k] for k in (i, j) if k < len(ids)]
        total = max(both) - min(both) << points | sum(both)
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
        (GRAVEST_FIRST.index(kind), i, Relaxation(kind, tuple(ids[k] for k in (i, j) if k < len(ids))))
        for i, j in ((chosen[a], chosen[b]) for a, b in enumerate(mate) if a < b)
        for kind in broken(i, j)
    ]
    return tuple(relaxation for _, _, relaxation in sorted(found, key=lambda entry: entry[:2]))
