"""The order of the tournament pairing numbers (TPN): C.04.2 (General Handling Rules, 2026), articles 2.2 to 2.4.

Where numbers are drawn by lot (`by_lot`), `Participant.equal_order` has the lot: among entries without a rank of
their own, all are equals.
"""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.declarations.rounds import DRAW_LOTS, SET_LOTS
from tournaments.models import Participant, Section, Title

from .log import undone_in

# The order of the tournament pairing numbers (TPN): C.04.2 (General Handling Rules, 2026), articles 2.2 to
# 2.4.
#
# Where numbers are drawn by lot (`by_lot`), `Participant.equal_order` has the lot: among entries without a
# rank of their own, all are equals.

FROZEN_BY_ROUND = 4
"""No number changes because of wrong data once this round has been paired (2.3)."""

_TITLE_RANK = {title: rank for rank, title in enumerate(Title.values)}

DECIDING = frozenset({"rating", "title", "name", "birth_date"})
"""Values of an entry that the initial ranking may depend on (2.2). A change of other values moves no number."""

RankingKey = tuple[int, bool, int, int, bool, int, str, str, int]


def ranking_key(participant: Participant) -> RankingKey:
    """Return the key of the initial ranking: rating, the arbiter's order of equal ratings, title, the criterion of the
    section, name (2.2).

    A smaller key is a higher rank. Entries without a place in the arbiter's order come after those with one.
    Names are compared without accents and case, in the same way in every language; equal names by order of entry.
    """
    player = participant.player
    name = player.name.casefold()
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    place = participant.equal_order
    return (
        -participant.rating, place is None, place or 0, _TITLE_RANK[player.title],
        *_announced(participant), plain, name, participant.pk,
    )  # fmt: skip


def _announced(participant: Participant) -> tuple[bool, int]:
    """Return the key by the announced criterion for equal titles (VCL4THP.13 Q146). Unknown birth dates come last."""
    by = participant.section.equals_by
    if by == Section.EqualsBy.ENTRY:
        return False, participant.pk or 0
    if by == Section.EqualsBy.NAME:
        return False, 0
    digits = participant.player.birth_date.replace("/", "")
    day = int(digits.ljust(8, "0") or 0) if digits.strip("0") else 0
    return not day, -day if by == Section.EqualsBy.YOUNGER else day


def lot_key(participant: Participant) -> tuple[bool, int, RankingKey]:
    """Return the key of the order by lot. Entries without a lot come after those with one, in the initial ranking."""
    lot = participant.equal_order
    return lot is None, lot or 0, ranking_key(participant)


def lots_missing(participants: Iterable[Participant]) -> bool:
    """Return whether an entry still has to draw a number."""
    return any(participant.equal_order is None for participant in participants)


def equal_players(participants: Sequence[Participant]) -> list[list[Participant]]:
    """Return the groups of entries with the same rating, by rating, each group in the order of its numbers."""
    groups: dict[int, list[Participant]] = defaultdict(list)
    for participant in sorted(participants, key=lambda p: (p.tpn is None, p.tpn or 0, p.pk)):
        groups[participant.rating].append(participant)
    return [group for _rating, group in sorted(groups.items(), reverse=True) if len(group) > 1]


def _number_first(participant: Participant) -> tuple[bool, int, int]:
    return participant.tpn is None, participant.tpn or 0, participant.pk


def numbers_frozen(rounds_paired: int, *, by_lot: bool) -> bool:
    """Return whether no number changes any more. Numbers drawn by lot stand once round 1 is paired."""
    return rounds_paired >= (1 if by_lot else FROZEN_BY_ROUND)


def in_number_order(
    participants: Sequence[Participant], rounds_paired: int, *, by_lot: bool = False
) -> list[Participant]:
    """Return the entries of a section in the order of the numbers that a renumbering would give."""
    if by_lot:
        return sorted(participants, key=_number_first if rounds_paired else lot_key)
    keys = {participant: ranking_key(participant) for participant in participants}
    if rounds_paired < FROZEN_BY_ROUND:
        return sorted(participants, key=keys.__getitem__)
    order = sorted((p for p in participants if p.tpn is not None), key=lambda p: p.tpn or 0)
    for newcomer in sorted((p for p in participants if p.tpn is None), key=keys.__getitem__):
        key = keys[newcomer]
        place = next((i for i, other in enumerate(order) if keys[other] > key), len(order))
        order.insert(place, newcomer)
    return order


# The last drawing of lots of a section.


@dataclass(frozen=True, slots=True)
class LastDraw:
    """seed: repeats the draw; "" if the numbers were typed. restricted: federations were kept apart."""

    seed: str
    restricted: bool


def last_draw(section: Section) -> LastDraw | None:
    """Return the last draw that was not undone. Two queries."""
    rows = section.log.filter(action__in=(DRAW_LOTS.name, SET_LOTS.name)).order_by("-pk").defer("changes")
    undone = undone_in(section.pk)
    row = next((row for row in rows if row.revision not in undone), None)
    if row is None:
        return None
    return LastDraw(str(row.after.get("seed", "")), bool(row.after.get("restricted")))
