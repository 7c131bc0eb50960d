"""The screens in the hall: their countdown and message, and screens that arbiters control from elsewhere.

Making and removing a screen is in the log of the event. What a screen shows at the moment is not: it changes nothing
of the tournament, and is changed back with one tap (docs/decisions/0070-screens-and-other-sites.md).
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext_lazy

from base.text import one_line
from tournaments.declarations.events import MAKE_SCREEN, REMOVE_SCREEN
from tournaments.declarations.sections import SET_COUNTDOWN, SET_HALL_MESSAGE
from tournaments.errors import NAME_REQUIRED, NOT_FOUND, Refusal
from tournaments.models import Event, Screen, Section
from tournaments.models.hall import FEWEST_ROWS, FEWEST_SECONDS, MOST_PARTS, MOST_ROWS, MOST_SECONDS

from .ledger import Actor, act, act_on_event, assign_values, merged_values, transaction_or_busy

# Refusals
COUNTDOWN_OUT_OF_RANGE = Refusal(
    "countdown_out_of_range",
    ngettext_lazy(
        "The countdown must end within the next %(hours)s hour.",
        "The countdown must end within the next %(hours)s hours.",
        "hours",
    ),
    ("hours",),
)
MESSAGE_TOO_LONG = Refusal(
    "message_too_long",
    ngettext_lazy(
        "The message is longer than %(limit)s character.",
        "The message is longer than %(limit)s characters.",
        "limit",
    ),
    ("limit",),
)
SCREEN_NAME_TAKEN = Refusal("screen_name_taken", _("The event has a screen “%(name)s” already."))
TOO_MANY_SCREENS = Refusal(
    "too_many_screens",
    ngettext_lazy(
        "An event can have %(limit)s screen. Remove one first.",
        "An event can have %(limit)s screens. Remove one first.",
        "limit",
    ),
    ("limit",),
)


# The countdown and the message on the screens in the hall.

LONGEST_COUNTDOWN = timedelta(hours=24)
LONGEST_MESSAGE = 120


def set_countdown(*, actor: Actor, section_id: int, to: datetime | None) -> Section:
    """Let the screens count down to a moment; None ends the countdown.

    Raises DomainError("countdown_out_of_range") for a moment that is over or more than a day away.
    """
    with act(section_id=section_id, actor=actor, action=SET_COUNTDOWN, allow_closed=True) as entry:
        section = entry.section
        now = timezone.now()
        if to is not None and not now < to <= now + LONGEST_COUNTDOWN:
            raise COUNTDOWN_OUT_OF_RANGE.error(hours=LONGEST_COUNTDOWN // timedelta(hours=1))
        entry.before = {"countdown_to": _iso_text(section.countdown_to)}
        entry.after = {"countdown_to": _iso_text(to)}
        entry.unchanged = section.countdown_to == to
        section.countdown_to = to
        section.save(update_fields=["countdown_to"])
    return section


def set_hall_message(
    *, actor: Actor, section_id: int, message: str, seen: Mapping[str, Any] | None = None
) -> Section:
    """Set the message at the foot of the screens, such as "Phones off"; "" removes it.

    seen: what the form showed, as `message`.
    Raises Stale("overtaken"); DomainError("message_too_long").
    """
    line = one_line(message)
    with act(section_id=section_id, actor=actor, action=SET_HALL_MESSAGE, allow_closed=True) as entry:
        section = entry.section
        if len(line) > LONGEST_MESSAGE:
            raise MESSAGE_TOO_LONG.error(limit=LONGEST_MESSAGE)
        line = merged_values({"message": section.hall_message}, {"message": line}, seen)["message"]
        entry.before, entry.after = {"hall_message": section.hall_message}, {"hall_message": line}
        entry.subject = line
        entry.unchanged = section.hall_message == line
        section.hall_message = line
        section.save(update_fields=["hall_message"])
    return section


def _iso_text(moment: datetime | None) -> str:
    return moment.isoformat(timespec="seconds") if moment else ""


# Screens in the hall that arbiters control from elsewhere.
#
# Making and removing a screen is in the log of the event. What a screen shows at the moment is not: it
# changes nothing of the tournament, and is changed back with one tap (docs/decisions/0070-screens-and-other-
# sites.md).

LONGEST_NAME = 60
MOST_SCREENS = 50
SEEN_AGAIN = timedelta(seconds=10)
"""A screen asks every 2 seconds; its time is written less often."""

LIMITS: Mapping[str, tuple[int, int]] = {
    "rows": (FEWEST_ROWS, MOST_ROWS),
    "seconds": (FEWEST_SECONDS, MOST_SECONDS),
    "parts": (1, MOST_PARTS),
    "part": (1, MOST_PARTS),
}


def make_screen(
    *,
    actor: Actor,
    event: Event,
    name: str,
    section: Section | None = None,
    show: str = Screen.Show.BOARDS,
) -> Screen:
    """Make a screen, which shows this list of a section at first; without one of all sections.

    Raises DomainError: name_required, screen_name_taken, too_many_screens.
    """
    name = one_line(name)[:LONGEST_NAME]
    with act_on_event(event_id=event.pk, actor=actor, action=MAKE_SCREEN) as entry:
        if not name:
            raise NAME_REQUIRED.error()
        names = list(entry.event.screens.values_list("name", flat=True))
        if name in names:
            raise SCREEN_NAME_TAKEN.error(name=name)
        if len(names) >= MOST_SCREENS:
            raise TOO_MANY_SCREENS.error(limit=MOST_SCREENS)
        entry.subject = name
        sections = list(entry.event.sections.filter(taken_away=False)[:2])
        only = sections[0] if len(sections) == 1 else None
        return Screen.objects.create(event=entry.event, name=name, section=section or only, show=show)


def remove_screen(*, actor: Actor, event: Event, screen_id: int) -> None:
    """Remove a screen. Its address then shows nothing. Raises NotFound."""
    with act_on_event(event_id=event.pk, actor=actor, action=REMOVE_SCREEN) as entry:
        screen = _screen(event, screen_id)
        entry.subject = screen.name
        screen.delete()


def set_screen(*, event: Event, screen_id: int, **wanted: Any) -> Screen:
    """Change what a screen shows and how: section, show, theme, rows, seconds, part, parts, language, message, paused.

    section: its key, or None for all sections of the event. Numbers out of range become the nearest one that is
    allowed.
    Raises NotFound; DomainError: message_too_long, invalid_values.
    """
    with transaction_or_busy():
        screen = _screen(event, screen_id)
        if "section" in wanted:
            screen.section = _section(event, wanted.pop("section"))
        if len(one_line(wanted.get("message", ""))) > LONGEST_MESSAGE:
            raise MESSAGE_TOO_LONG.error(limit=LONGEST_MESSAGE)
        assign_values(screen, {name: _nearest(name, value) for name, value in wanted.items()})
        screen.part = min(screen.part, screen.parts)
        screen.version += 1
        screen.save(update_fields=["section", "part", "version", *wanted])
    return screen


def turn_screen(*, event: Event, screen_id: int, pages: int) -> None:
    """Turn a screen some pages further, or back. Raises NotFound."""
    changed = Screen.objects.filter(event=event, pk=screen_id).update(
        turned=F("turned") + pages, version=F("version") + 1
    )
    if not changed:
        raise NOT_FOUND.error(kind="screen", id=screen_id)


def note_screen(screen: Screen) -> None:
    """Note that a screen has asked for news. If the database is busy, the next question does it."""
    now = timezone.now()
    if screen.asked_at and now - screen.asked_at < SEEN_AGAIN:
        return
    try:
        with transaction.atomic():
            Screen.objects.filter(pk=screen.pk).update(asked_at=now)
    except DatabaseError:
        return
    screen.asked_at = now


def _screen(event: Event, screen_id: int) -> Screen:
    found = Screen.objects.select_for_update(of=("self",)).filter(event=event, pk=screen_id).first()
    if found is None:
        raise NOT_FOUND.error(kind="screen", id=screen_id)
    return found


def _section(event: Event, section_id: int | None) -> Section | None:
    if section_id is None:
        return None
    found = event.sections.filter(pk=section_id, taken_away=False).first()
    if found is None:
        raise NOT_FOUND.error(kind="section", id=section_id)
    return found


def _nearest(name: str, value: Any) -> Any:
    """Return a number within the limits of this setting, and any other value as it is."""
    if name not in LIMITS:
        return value
    least, most = LIMITS[name]
    return min(max(int(value), least), most)
