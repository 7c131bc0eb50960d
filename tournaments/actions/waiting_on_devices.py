"""What waits in browsers of people to be saved: noted, asked about before it comes too late, no longer expected."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from tournaments.declarations.results import FORGET_DEVICE
from tournaments.errors import NotSaved, Refusal
from tournaments.models import Section, User, WaitingOnDevice
from tournaments.queries.waiting_on_devices import waiting_on_devices
from tournaments.questions import Answer, ask

from .ledger import Actor, act

# Refusals
# `here`: [[kind, count, where]] on this device; devices: of others, [[round, person, count, when last heard]]
RESULTS_WAITING = Refusal("results_waiting", params=("here", "devices"), raises=NotSaved)


def note_waiting(*, user: User, device: str, rows: Iterable[WaitingOnDevice]) -> None:
    """Note all that waits in a browser of the person. rows: without the person, the browser and the time."""
    now, found = timezone.now(), []
    with transaction.atomic():
        for row in rows:
            kept, _made = WaitingOnDevice.objects.update_or_create(
                section_id=row.section_id,
                number=row.number,
                kind=row.kind,
                user=user,
                device=device,
                defaults={"round_id": row.round_id, "count": row.count, "heard_at": now},
            )
            found.append(kept.pk)
        WaitingOnDevice.objects.filter(user=user, device=device).exclude(pk__in=found).delete()


def ask_about_waiting(
    section: Section,
    answer: Answer,
    here: Sequence[Sequence[Any]] = (),
    asking: tuple[int, str] | None = None,
    *,
    but: WaitingOnDevice.Kind | None = None,
) -> None:
    """Ask before an action after which results and marks come too late, while devices hold what is not saved.

    here: kind, number and place of what waits on the device that asks. asking: its person and name. Of others the
    server knows what they last said. but: the kind about which it is not asked.
    Raises NotSaved("results_waiting").
    """
    devices = [
        [row.kind, row.number, row.user.label, row.count, row.heard_at]
        for found in waiting_on_devices(section, asking)
        for row in found
        if row.kind != but
    ]
    here = [each for each in here if each[0] != but]
    if here or devices:
        ask(RESULTS_WAITING.error(here=here, devices=devices), answer)


def forget_device(*, actor: Actor, section_id: int, waiting_id: int, count: int) -> None:
    """No longer wait for what a device last spoke of. If it comes back, it says again what waits there.

    waiting_id: one of its rows. count: all that the arbiter saw. If the device has said something else since, nothing
    changes.
    """
    with act(section_id=section_id, actor=actor, action=FORGET_DEVICE) as entry:
        devices = waiting_on_devices(entry.section)
        rows = next((found for found in devices if waiting_id in [row.pk for row in found]), [])
        if not rows or sum(row.count for row in rows) != count:
            entry.unchanged = True
            return
        entry.round_number = rows[0].number
        marked = [row.kind != WaitingOnDevice.Kind.RESULTS for row in rows]
        entry.after = {"count": count, "who": rows[0].user.label}
        if any(marked):
            entry.after["what"] = "marks" if all(marked) else "both"
        WaitingOnDevice.objects.filter(pk__in=[row.pk for row in rows]).delete()
