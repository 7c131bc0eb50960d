"""What waits in browsers of people to be saved, as far as the server knows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby

from django.db.models import Exists, OuterRef, Q

from tournaments.models import Round, Section, WaitingOnDevice


def waiting_on_devices(
    section: Section, asking: tuple[int, str] | None = None
) -> Sequence[Sequence[WaitingOnDevice]]:
    """Return what browsers last said of what waits there, by browser. One query.

    Marks of a round count until the round after it is paired; results always, because a correction can still save
    them. A browser without a network cannot say what was typed since. asking: person and browser that are left out.
    """
    devices = waiting_in([section]).get(section.pk, [])
    return [found for found in devices if found[0].of_device != asking]


def waiting_in(sections: Iterable[Section]) -> Mapping[int, Sequence[Sequence[WaitingOnDevice]]]:
    """Return what waits, by the key of the section. One query."""
    later = Round.objects.filter(section=OuterRef("section"), number__gt=OuterRef("number"))
    rows = WaitingOnDevice.objects.filter(
        Q(kind=WaitingOnDevice.Kind.RESULTS) | ~Exists(later), section__in=list(sections)
    ).select_related("user")
    devices: dict[int, list[list[WaitingOnDevice]]] = {}
    ordered = rows.order_by("section", "user", "device", "number", "-kind")
    for (section, *_device), found in groupby(ordered, key=lambda row: (row.section_id, *row.of_device)):
        devices.setdefault(section, []).append(list(found))
    return devices


def results_on_devices(section: Section, number: int) -> Sequence[Sequence[WaitingOnDevice]]:
    """Return what browsers last said of results of a round, each browser in a list of its own. One query."""
    rows = WaitingOnDevice.objects.filter(section=section, round__number=number).select_related("user")
    return [[row] for row in rows.order_by("user", "device")]


def waiting_mark(devices: Sequence[Sequence[WaitingOnDevice]]) -> str:
    """Return what changes whenever one of these browsers says something else."""
    return "".join(f"-{row.pk}.{row.count}.{row.heard_at:%H%M}" for found in devices for row in found)
