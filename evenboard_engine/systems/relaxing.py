"""The fewest broken rules with which everybody is paired, by the rules that any pairing system can name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from evenboard_engine.matching import cheapest_perfect_matching
from evenboard_engine.result import Relaxation, RelaxationKind

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
