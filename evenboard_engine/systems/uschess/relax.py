"""Which forbidden pairs to allow if the arbiter forbids so many that no round exists. Nothing else can prevent one."""

from __future__ import annotations

from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.matching import cheapest_perfect_matching
from evenboard_engine.model import Tournament
from evenboard_engine.result import Relaxation, RelaxationKind

from .pairing import work_on
from .reading import read


def propose_relaxations(tournament: Tournament) -> tuple[Relaxation, ...]:
    """Return the fewest forbidden pairs that must be allowed; () if a round exists."""
    reading = read(tournament)
    field = reading.field
    try:
        work_on(field, reading.occasion)
    except NoLegalPairing:
        pass
    else:
        return ()
    count = len(field.entrants)
    costs = [
        {other: field.never[place] >> other & 1 for other in range(count) if other != place}
        for place in range(count)
    ]
    if count % 2:  # one vertex more stands for the bye
        costs.append(dict.fromkeys(range(count), 0))
        for place in range(count):
            costs[place][count] = 0
    mate = cheapest_perfect_matching(costs)
    assert mate is not None, "everybody may meet everybody now"
    ids = reading.ids
    return tuple(
        Relaxation(RelaxationKind.FORBIDDEN, (ids[place], ids[mate[place]]))
        for place in range(count)
        if place < mate[place] < count and field.never[place] >> mate[place] & 1
    )
