"""Who is in GA of Baku Acceleration: decided when a player is first taken into account for a round, and then kept."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine import Player
from pairing.engine.acceleration import baku_group
from tournaments.models import Bye, Game, Participant, Section

from .numbers import BATCH


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
