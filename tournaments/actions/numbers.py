"""Tournament pairing numbers (TPN): C.04.2 (General Handling Rules, 2026), articles 2.2 to 2.5."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from tournaments.models import Participant, Title

FROZEN_BY_ROUND = 4
"""No number changes because of wrong data once this round has been paired (2.3)."""

BATCH = 500
"""Rows in one UPDATE: the time of an UPDATE of thousands of rows grows with the square of their number."""

_TITLE_RANK = {title: rank for rank, title in enumerate(Title.values)}

DECIDING = frozenset({"rating", "title", "name"})
"""Values of an entry that the initial ranking depends on (2.2). A change of other values moves no number."""

RankingKey = tuple[int, bool, int, int, str, str, int]


def ranking_key(participant: Participant) -> RankingKey:
    """Return the key of the initial ranking: rating, the arbiter's order of equal ratings, title, name (2.2).

    A smaller key is a higher rank. Entries without a place in the arbiter's order come after those with one.
    Names are compared without accents and case, in the same way in every language; equal names by order of entry.
    """
    player = participant.player
    name = player.name.casefold()
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    place = participant.equal_order
    return (
        -participant.rating, place is None, place or 0, _TITLE_RANK[player.title], plain, name, participant.pk
    )  # fmt: skip


def equals(participants: Sequence[Participant]) -> list[list[Participant]]:
    """Return the groups of entries with the same rating, by rating, each group in the order of its numbers."""
    groups: dict[int, list[Participant]] = defaultdict(list)
    for participant in sorted(participants, key=lambda p: (p.tpn is None, p.tpn or 0, p.pk)):
        groups[participant.rating].append(participant)
    return [group for _rating, group in sorted(groups.items(), reverse=True) if len(group) > 1]


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


def in_order(participants: Sequence[Participant], rounds_paired: int) -> list[Participant]:
    """Return the entries of a section in the order of the numbers that `renumber` would give."""
    keys = {participant: ranking_key(participant) for participant in participants}
    if rounds_paired < FROZEN_BY_ROUND:
        return sorted(participants, key=keys.__getitem__)
    order = sorted((p for p in participants if p.tpn is not None), key=lambda p: p.tpn)
    for newcomer in sorted((p for p in participants if p.tpn is None), key=keys.__getitem__):
        key = keys[newcomer]
        place = next((i for i, other in enumerate(order) if keys[other] > key), len(order))
        order.insert(place, newcomer)
    return order
