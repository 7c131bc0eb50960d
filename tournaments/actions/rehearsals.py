"""Rehearsals: made from an event, their clock set, ended and deleted with all that they were."""

from __future__ import annotations

import logging
from collections.abc import Collection
from datetime import date
from random import Random
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from base.zones import today_in
from tournaments.copy_format import EVENT, pack
from tournaments.declarations.events import SET_REHEARSAL
from tournaments.entry_data import ImportRow
from tournaments.errors import Busy, Refusal
from tournaments.files.copy_reading import EventCopy, read_any
from tournaments.files.copy_writing import event_content
from tournaments.models import (
    Event,
    RehearsalClock,
    Section,
)
from tournaments.models.rehearsals import new_seed
from tournaments.questions import Answer, ask

from .copies import load_event_copy
from .entry_lists import import_entries
from .event_life import delete_wholly
from .events import rehearsal_name
from .ledger import Actor, act_on_event, assign_values, transaction_or_busy
from .rehearsal_players import InventedNames, invented_field

# Refusals
NO_REHEARSAL = Refusal("no_rehearsal", _("%(event)s is not a rehearsal. Nothing was done."))
IS_REHEARSAL = Refusal("is_rehearsal", _("%(event)s is a rehearsal already. Rehearse the event itself."))
NOTHING_TO_REHEARSE = Refusal(
    "nothing_to_rehearse",
    _("%(event)s has no section. Make its sections first, so that they can be rehearsed."),
)
END_REHEARSAL_TO_CONFIRM = Refusal(
    "end_rehearsal_to_confirm",
    _(
        "%(event)s ends. Its sections, players, results, incidents and its log are deleted, and so are its copies on "
        "this server. This cannot be undone. Save the report first if you need it."
    ),
)
NETWORK_CUT = Refusal(
    "network_cut",
    _(
        "The network is dead, as the rehearsal wants it. Nothing was saved. What you typed on Results waits here."
    ),
    raises=Busy,
)

logger = logging.getLogger(__name__)
MOST_PLAYERS = 1_000
"""Invented players of a section."""
_OF_PERSON = frozenset({"sex", "title", "federation"})
_OF_ENTRY = frozenset({
    "player_id", "rating", "rating_source", "official_rating", "national_rating", "period_ratings", "virtual_points",
    "tpn", "equal_order", "club", "team", "pairing_flags", "fixed_board", "step_free", "half_bye_allowed",
})  # fmt: skip
"""What a copy of the real players keeps. Nothing else of them is in the rehearsal."""
PLAYED_PARTS = ("rounds", "games", "check_ins", "published_lists", "round_files", "incidents", "log")
BEFORE_ROUND_1: dict[str, Any] = {
    "status": Section.Status.OPEN.value,
    "initial_colour": "",
    "check_in_round": None,
    "countdown_to": None,
    "hall_message": "",
    "report_records": [],
    "left_notices": [],
    "schedule": [],
    "ahead": {},
}


def rehearse(
    *,
    actor: Actor,
    event: Event,
    players: int = 0,
    seed: int | None = None,
    speed: int = 0,
    share: int = 100,
    parts: Collection[str] = (),
) -> Event:
    """Make a rehearsal of the event: the same sections before round 1, and the same people who work there.

    players: so many invented ones in each section; 0: those of the event under other names. seed, speed, share, parts:
    as in `RehearsalClock`. Raises DomainError: is_rehearsal, nothing_to_rehearse, invalid_values.
    """
    if event.rehearsal:
        raise IS_REHEARSAL.error(event=event.name)
    seed = seed or new_seed()
    content = event_content(event)
    if not content["sections"]:
        raise NOTHING_TO_REHEARSE.error(event=event.name)
    counts = [players or len(section["players"]) for section in content["sections"]]
    names = InventedNames(seed, sum(counts))
    copy = read_any(pack(_before_round_1(content, names, players), timezone.now().isoformat(), kind=EVENT))
    assert isinstance(copy, EventCopy)
    with transaction_or_busy():
        made = load_event_copy(actor=actor, copy=copy, roles=True, source=event.name)
        dice = Random(seed)  # noqa: S311
        for section in made.sections.order_by("pk") if players else ():
            rows = [ImportRow(entry=entry) for entry in invented_field(players, names, dice)]
            import_entries(actor=actor, section_id=section.pk, rows=rows, proceed=True, asked=True, both=True)
        set_rehearsal(actor=actor, event=made, seed=seed, speed=speed, share=share, parts=parts)
    return made


def _before_round_1(content: dict[str, Any], names: InventedNames, players: int) -> dict[str, Any]:
    """Return the content of a copy without its rounds, its log and what says who plays. players: as for `rehearse`."""
    event, today = content["event"], today_in(content["event"]["time_zone"])
    length = date.fromisoformat(event["end"]) - date.fromisoformat(event["start"])
    people: dict[int, str] = {}
    for section, numbers in zip(content["sections"], content["people"], strict=True):
        section["section"] |= BEFORE_ROUND_1
        section |= {part: [] for part in PLAYED_PARTS} | {"revision": 0, "log_head": ""}
        for rule in section["section"]["apart_rules"]:
            rule["reason"] = ""
            rule["players"] = [] if players else rule["players"]
        if players:
            section |= {part: [] for part in ("players", "participants", "byes", "forbidden_pairs")}
            numbers.clear()
            continue
        for number, row in zip(numbers, section["players"], strict=True):
            if number not in people:
                people[number] = names.next(row.get("sex", ""), len(row["name"]))[0]
        section["players"] = [
            {"name": people[number], **_kept(row, _OF_PERSON)}
            for number, row in zip(numbers, section["players"], strict=True)
        ]
        section["participants"] = [_kept(row, _OF_ENTRY) for row in section["participants"]]
        section["forbidden_pairs"] = [{**row, "reason": ""} for row in section["forbidden_pairs"]]
        # a bye that players asked for has the default source, which a copy leaves out
        section["byes"] = [row for row in section["byes"] if "source" not in row]
    days = {"start": today.isoformat(), "end": (today + length).isoformat()}
    name = rehearsal_name(event["name"])
    return {**content, "event": {**event, **days, "name": name, "rehearsal": True}, "log": [], "log_head": ""}


def _kept(row: dict[str, Any], columns: Collection[str]) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name in columns}


def set_rehearsal(*, actor: Actor, event: Event, **values: Any) -> RehearsalClock:
    """Set the clock of a rehearsal, such as its `speed`; a rehearsal from a copy gets one.

    Raises DomainError: no_rehearsal, invalid_values.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=SET_REHEARSAL) as entry:
        if not entry.event.rehearsal:
            raise NO_REHEARSAL.error(event=event.name)
        clock = RehearsalClock.objects.filter(event=event).first() or RehearsalClock(event=entry.event)
        now = timezone.now()
        clock.passed, clock.since = clock.minutes(now) * 60, now
        entry.before, entry.after = assign_values(clock, values)
        entry.subject = entry.event.name
        entry.after["speed"] = clock.speed
        if clock.pk is None:
            clock.save()
        else:  # the clock itself writes the other columns
            clock.save(update_fields=["passed", "since", *values])
    return clock


def refuse_in_cut(event: Event, address: str) -> None:
    """Refuse to save while the clock of a rehearsal has cut the network, and note whose request waits.

    Raises Busy("network_cut").
    """
    with transaction.atomic():
        clock = (
            RehearsalClock.objects.select_for_update()
            .filter(event=event, cut_until__gt=timezone.now())
            .first()
        )
        if clock is not None and address not in clock.waited:
            clock.waited.append(address)
            clock.save(update_fields=["waited"])
    if clock is not None:
        raise NETWORK_CUT.error()


def end_rehearsal(*, actor: Actor, event: Event, sure: Answer = False) -> None:
    """Delete a rehearsal with its log and its copies. It is not for other events: the database keeps the mark of an
    event as it was made. actor: who ends it; no log is left that could say so.

    Raises DomainError: no_rehearsal; unless `sure`, end_rehearsal_to_confirm.
    """
    with transaction_or_busy():
        locked = Event.objects.select_for_update().get(pk=event.pk)
        if not locked.rehearsal:
            raise NO_REHEARSAL.error(event=locked.name)
        ask(END_REHEARSAL_TO_CONFIRM.error(event=locked.name), sure)
        delete_wholly(locked)
    logger.info("%s ended the rehearsal %s", actor.name, locked.slug)
