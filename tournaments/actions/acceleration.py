"""Who is in GA of Baku Acceleration: decided when a player is first taken into account for a round, and then kept."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine import Player
from pairing.engine.acceleration import baku_group
from tournaments.models import Participant, Tournament

from .numbers import BATCH


def split_for_acceleration(tournament: Tournament, participants: Sequence[Participant], number: int) -> None:
    """Split the field before round 1, and put who joined since into a group before round `number` (C.04.7, 1).

    participants: all of the section, numbered. The last player of GA stays the same person: who comes in above is in
    GA, who comes in below is not. Those who are in a group keep it, whatever becomes of their number.
    """
    if tournament.acceleration != Tournament.Acceleration.BAKU:
        return
    here = [row for row in participants if row.first_round <= number and row.is_active]
    group = Participant.AccelerationGroup
    if number == 1:
        ga = baku_group([Player(id=row.pk, tpn=row.tpn or 0, rating=row.rating) for row in here])
        groups = dict.fromkeys(participants, group.NONE)
        groups |= {row: group.GA if row.pk in ga else group.GB for row in here}
    else:
        settled = {row for row in participants if row.acceleration_group and row.first_round < number}
        last = max((row.tpn or 0 for row in settled if row.acceleration_group == group.GA), default=0)
        groups = {row: group.GA if (row.tpn or 0) < last else group.GB for row in here if row not in settled}
    changed = [row for row in groups if row.acceleration_group != groups[row].value]
    for row in changed:
        row.acceleration_group = groups[row].value
    Participant.objects.bulk_update(changed, ["acceleration_group"], batch_size=BATCH)
