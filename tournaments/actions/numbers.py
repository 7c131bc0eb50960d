"""What the initial ranking gives: pairing numbers (TPN; C.04.2, General Handling Rules, 2026, articles 2.2 to 2.5), and
the groups of Baku Acceleration (C.04.7), which are decided when a player first counts for a round, and then kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from evenboard_engine import Player, system_named
from evenboard_engine.acceleration import baku_group
from tournaments.errors import DomainError
from tournaments.models import Bye, Game, Participant, Section
from tournaments.queries.numbers import equals, in_order, lots_missing, ranking_key

from .ledger import SectionEntry

BATCH = 500
"""Rows in one UPDATE: the time of an UPDATE of thousands of rows grows with the square of their number."""


def keep_order_of_equals(participants: Sequence[Participant], *, by_lot: bool = False) -> None:
    """Give a place in the order to equal ratings whose numbers are not by title and name. Nothing is saved.

    by_lot: all numbers were drawn, so each is the place of its entry.

    The numbers are from a report file: its arbiter announced another criterion (2.2), and a renumbering keeps it.
    """
    if by_lot:
        for participant in participants:
            participant.equal_order = participant.tpn
        return
    for group in equals(participants):
        keys = [ranking_key(participant)[:-1] for participant in group]
        if any(key >= following for key, following in pairwise(keys)):
            for place, participant in enumerate(group, start=1):
                participant.equal_order = place


def rounds_of_table(section: Section, players: int) -> int:
    """Return how many rounds the table of this many players has. Raises DomainError("lots_too_many")."""
    system = system_named(section.system)
    rounds = system.rounds_for(players, section.all_options) or 0
    if rounds > system.most_rounds:
        raise DomainError("lots_too_many", players=players, rounds=rounds, limit=system.most_rounds)
    return rounds


def follow_table(entry: SectionEntry) -> None:
    """Set the number of rounds after a change of players or options before round 1, if all players have their lots.

    Raises DomainError("lots_too_many").
    """
    section = entry.section
    if not section.fixed_rounds or not (drawn := list(section.participants.all())) or lots_missing(drawn):
        return
    rounds = rounds_of_table(section, len(drawn))
    if rounds != section.rounds and not section.played_rounds.exists():
        entry.before["rounds"], entry.after["rounds"] = section.rounds, rounds
        section.rounds = rounds
        section.save(update_fields=["rounds"])


def renumber(
    participants: Sequence[Participant], *, rounds_paired: int, by_lot: bool = False
) -> list[tuple[int, int]]:
    """Give all entries of a section their numbers, 1 to n; return (old, new) for each number that changed.

    Until round 4 is paired, everybody is ranked again. After that the order is fixed: a late entry gets the place by
    rating (VCL4THP.13 Q156), and all below move down. `former_tpn` keeps the numbers before this change until the
    next one, but none that no round had. by_lot: the numbers follow the lots, and stand once round 1 is paired.

    Except for the numbers, which are saved here, the rows must be saved before.
    """
    ordered = in_order(participants, rounds_paired, by_lot=by_lot)
    changed = {p: tpn for tpn, p in enumerate(ordered, start=1) if p.tpn != tpn}
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
    Participant.objects.update_each(touched, ["tpn", "former_tpn"])
    return moved


def split_for_acceleration(section: Section, participants: Sequence[Participant], number: int) -> None:
    """Split the field before round 1; before a later round, put the players who join in it into a group (C.04.7, 1).

    participants: all of the section, numbered. Players with a bye in round 1 are not in the split; they get a group on
    arrival, like late entries (GHR 2.4; D7). The last player of GA stays the same person: a player who arrives above is
    in GA, a player who arrives below is not. A player who was in a round keeps the group, even when the number changes.
    Three queries, none without acceleration.
    """
    if section.acceleration != Section.Acceleration.BAKU:
        return
    group = Participant.AccelerationGroup
    byes = Bye.objects.filter(participant__section=section)
    away = set(byes.filter(round_number=number).values_list("participant_id", flat=True))
    here = [row for row in participants if row.first_round <= number and row.is_active and row.pk not in away]
    if number == 1:
        ga = baku_group([Player(id=row.pk, tpn=row.tpn or 0, rating=row.rating) for row in here])
        settled: set[Participant] = set()
        groups = {row: group.GA if row.pk in ga else group.GB for row in here}
    else:
        paired = set(
            byes.filter(round_number__lt=number, source=Bye.Source.ALLOCATED).values_list(
                "participant_id", flat=True
            )
        )
        games = Game.objects.filter(round__section=section, round__number__lt=number)
        paired.update(key for pair in games.values_list("white_id", "black_id") for key in pair)
        settled = {row for row in participants if row.acceleration_group and row.pk in paired}
        last = max((row.tpn or 0 for row in settled if row.acceleration_group == group.GA), default=0)
        groups = {row: group.GA if (row.tpn or 0) < last else group.GB for row in here if row not in settled}
    groups = {row: group.NONE for row in participants if row not in settled} | groups
    changed = [row for row in groups if row.acceleration_group != groups[row].value]
    for row in changed:
        row.acceleration_group = groups[row].value
    Participant.objects.bulk_update(changed, ["acceleration_group"], batch_size=BATCH)
