"""Tournament pairing numbers (TPN): C.04.2 (General Handling Rules, 2026), articles 2.2 to 2.5."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Sequence

from tournaments.models import Participant, Title

FROZEN_BY_ROUND = 4
"""No number changes because of wrong data once this round has been paired (2.3)."""

BATCH = 500
"""Rows an UPDATE: one that names thousands takes a time that grows with their square."""

_TITLE_RANK = {title: rank for rank, title in enumerate(Title.values)}

RankingKey = tuple[int, bool, int, int, str, str, int]


def ranking_key(participant: Participant) -> RankingKey:
    """The initial ranking: rating, then the order that the arbiter gave those who are equal, then title, name (2.2).

    The smaller key is the higher rank. Without a place of their own, entries come behind those that have one.
    Names are compared without accents and without regard to case, the same in every language; equal names by entry.
    """
    player = participant.player
    name = player.name.casefold()
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    place = participant.equal_order
    return (
        -participant.rating, place is None, place or 0, _TITLE_RANK[player.title], plain, name, participant.pk
    )  # fmt: skip


def equals(participants: Sequence[Participant]) -> list[list[Participant]]:
    """Those who share a rating with somebody, by rating, each group in the order of its numbers."""
    groups: dict[int, list[Participant]] = defaultdict(list)
    for participant in sorted(participants, key=lambda p: (p.tpn is None, p.tpn or 0, p.pk)):
        groups[participant.rating].append(participant)
    return [group for _rating, group in sorted(groups.items(), reverse=True) if len(group) > 1]


def renumber(participants: Sequence[Participant], *, rounds_paired: int) -> list[tuple[int, int]]:
    """Give all entries of a section their numbers, 1 to n; return (old, new) of those that had another one.

    Before round 4 is paired everybody is ranked anew. After that the order stands: who is new gets the place that
    the rating earns (VCL4THP.13 Q156), and those below move down. Numbers before the change are kept in
    `former_tpn` until the next one. The rows must be saved but for their numbers; these are saved here.
    """
    changed = {p: tpn for tpn, p in enumerate(in_order(participants, rounds_paired), start=1) if p.tpn != tpn}
    if not changed:
        return []
    moved = [(p.tpn, tpn) for p, tpn in changed.items() if p.tpn is not None]
    of_section = Participant.objects.filter(tournament=participants[0].tournament_id)
    if moved:
        of_section.filter(former_tpn__isnull=False).update(former_tpn=None)
        # a number is free before it is given again: SQLite has no constraint that waits for the commit
        lowest, highest = min(old for old, _ in moved), max(old for old, _ in moved)
        of_section.filter(tpn__range=(lowest, highest)).update(tpn=None)
        touched = [
            p for p in participants if p in changed or (p.tpn is not None and lowest <= p.tpn <= highest)
        ]
        for participant in participants:
            participant.former_tpn = participant.tpn if participant in changed else None
    else:
        touched = list(changed)
    for participant, tpn in changed.items():
        participant.tpn = tpn
    Participant.objects.bulk_update(touched, ["tpn", "former_tpn"], batch_size=BATCH)
    return moved


def in_order(participants: Sequence[Participant], rounds_paired: int) -> list[Participant]:
    """The entries of a section in the order of the numbers that `renumber` would give them."""
    keys = {participant: ranking_key(participant) for participant in participants}
    if rounds_paired < FROZEN_BY_ROUND:
        return sorted(participants, key=keys.__getitem__)
    order = sorted((p for p in participants if p.tpn is not None), key=lambda p: p.tpn)
    for newcomer in sorted((p for p in participants if p.tpn is None), key=keys.__getitem__):
        key = keys[newcomer]
        place = next((i for i, other in enumerate(order) if keys[other] > key), len(order))
        order.insert(place, newcomer)
    return order
