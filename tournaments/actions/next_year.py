"""Next year's event: made from this one, without players, rounds and log, with the days of its rounds moved."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Any

from django.utils import timezone

from base.text import one_line
from tournaments.copy_format import EVENT, pack
from tournaments.files.copy_reading import EventCopy, read_any
from tournaments.files.copy_writing import event_content
from tournaments.hooks import takes_over_settings
from tournaments.models import Event

from .copies import load_event_copy
from .events import edit_event
from .ledger import Actor, transaction_or_busy
from .rehearsals import BEFORE_ROUND_1, IS_REHEARSAL, PLAYED_PARTS

A_YEAR = 364
"""Days: 52 weeks, so that each round falls on the same day of the week."""
YEAR = re.compile(r"\b(?:19|20|21)\d\d$")
_NOT_IN_COPIES = ("indexed", "contact", "embed_sites", "public_pgn", "sections_apart")


def next_name(name: str) -> str:
    """Return the name with the next year, if it ends with a year."""
    return YEAR.sub(lambda year: str(int(year[0]) + 1), name)


def make_next_year(
    *, actor: Actor, event: Event, name: str = "", days: int = A_YEAR, people: bool = False
) -> Event:
    """Make the next event like this one, as a draft that the actor owns.

    days: by how many all days move. people: those who work on this event get the same roles.
    Raises DomainError: is_rehearsal, and what `create_event` and `edit_event` raise.
    """
    if event.rehearsal:
        raise IS_REHEARSAL.error(event=event.name)
    shift = timedelta(days)
    content = event_content(event)
    content["event"] |= {
        "name": one_line(name) or next_name(event.name),
        "start": (event.start + shift).isoformat(),
        "end": (event.end + shift).isoformat(),
    }
    content |= {"log": [], "log_head": "", "people": [[] for _section in content["sections"]]}
    content["roles"] = [
        [*held[:3], _moved(held[3], shift), *held[4:]] for held in (content["roles"] if people else ())
    ]
    for section in content["sections"]:
        settings: dict[str, Any] = section["section"]
        settings |= BEFORE_ROUND_1 | {
            "schedule": [_moved(start, shift) for start in settings["schedule"]],
            "apart_rules": [{**rule, "players": [], "reason": ""} for rule in settings["apart_rules"]],
            "fide_mode": True,
            "fide_mode_left_in_round": None,
            "created_at": timezone.now().isoformat(),
        }
        parts = (*PLAYED_PARTS, "players", "participants", "byes", "forbidden_pairs")
        section |= {part: [] for part in parts} | {"revision": 0, "log_head": ""}
    copy = read_any(pack(content, timezone.now().isoformat(), kind=EVENT))
    assert isinstance(copy, EventCopy)
    with transaction_or_busy():
        made = load_event_copy(actor=actor, copy=copy, roles=people, source=event.name)
        made = edit_event(actor=actor, event=made, **{key: getattr(event, key) for key in _NOT_IN_COPIES})
        keys = [each.sections.order_by("pk").values_list("pk", flat=True) for each in (event, made)]
        for take_over in takes_over_settings:
            take_over(event, made, dict(zip(*keys, strict=True)), shift)
    return made


def _moved(day: str, shift: timedelta) -> str:
    """Return a day, which a time may follow, moved; "" stays."""
    return (date.fromisoformat(day[:10]) + shift).isoformat() + day[10:] if day else ""
