"""Tournament pairing numbers (TPN): C.04.2 (General Handling Rules, 2026), articles 2.2 to 2.5."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from tournaments.models import Participant
from tournaments.queries.numbers import equals, in_order, ranking_key

BATCH = 500
"""Rows in one UPDATE: the time of an UPDATE of thousands of rows grows with the square of their number."""


def keep_order_of_equals(participants: Sequence[Participant]) -> None:
    """Give a place in the order to equal ratings whose numbers are not by title and name. Nothing is saved.

    The numbers are from a report file: its arbiter announced another criterion (2.2), and a renumbering keeps it.
    """
    for group in equals(participants):
        keys = [ranking_key(participant)[:-1] for participant in group]
        if any(key >= following for key, following in pairwise(keys)):
            for place, participant in enumerate(group, start=1):
                participant.equal_order = place


def renumber(participants: Sequence[Participant], *, rounds_paired: int) -> list[tuple[int, int]]:
    """Give all entries of a section their numbers, 1 to n; return (old, new) for each number that changed.

    Until round 4 is paired, everybody is ranked again. After that the order is fixed: a late entry gets the place by
    rating (VCL4THP.13 Q156), and all below move down. `former_tpn` keeps the numbers before this change until the
    next one, but none that no round had. Except for the numbers, which are saved here, the rows must be saved before.
    """
    changed = {p: tpn for tpn, p in enumerate(in_order(participants, rounds_paired), start=1) if p.tpn != tpn}
    if not changed:
        return []
    moved = [(p.tpn, tpn) for p, tpn in changed.items() if p.tpn is not None]
    of_section = Participant.objects.filter(section=participants[0].section_id)
    if moved:
        of_section.filter(former_tpn__isnull=False).update(former_tpn=None)
        # old numbers go first, because SQLite has no unique constraint that is checked at the commit
        lowest, highest = min(old for old, _ in moved), max(old for old, _ in moved)
        of_section.filter(tpn__range=(lowest, highest)).update(tpn=None)
        touched = [
            p for p in participants if p in changed or (p.tpn is not None and lowest <= p.tpn <= highest)
        ]
        for participant in participants:
            had_it = rounds_paired > 0 and participant in changed
            participant.former_tpn = participant.tpn if had_it else None
    else:
        touched = list(changed)
    for participant, tpn in changed.items():
        participant.tpn = tpn
    Participant.objects.bulk_update(touched, ["tpn", "former_tpn"], batch_size=BATCH)
    return moved
