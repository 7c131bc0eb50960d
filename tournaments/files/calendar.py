"""The rounds of a section or an event as a calendar (iCalendar, RFC 5545).

Times are written in UTC, so no description of a time zone is needed, and no library for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from django.utils import timezone

from evenboard_engine import PROGRAM
from tournaments.models import Event, Section

LONGEST = 75  # bytes of a line (RFC 5545, 3.1)
LASTS = timedelta(hours=4)


@dataclass(frozen=True, slots=True)
class CalendarLabels:
    """The words of a calendar. round: with the placeholder %(number)s."""

    round: str


def calendar(
    event: Event, sections: Iterable[tuple[Section, datetime]], labels: CalendarLabels, url: str, *, name: str
) -> bytes:
    """Return the rounds that have a day. sections: each with the time of its last change. name: what
    programs call the calendar.

    A round has the same UID in each version of the calendar, and a higher SEQUENCE after each change of its section: a
    calendar program that has subscribed moves the round. A round without a time is one for the whole day.
    """
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        f"PRODID:-//Evenboard//{PROGRAM}//EN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{ical_escaped(name)}",
    ]
    for section, changed in sections:
        lines += _rounds(event, section, changed, labels, url)
    lines.append("END:VCALENDAR")
    return "".join(f"{folded}\r\n" for line in lines for folded in ical_folded(line)).encode()


def _rounds(
    event: Event, section: Section, changed: datetime, labels: CalendarLabels, url: str
) -> Iterator[str]:
    made = section.created_at.astimezone(UTC)
    for number in range(1, section.rounds + 1):
        start = section.start_of(number)
        if start is None:
            continue
        yield "BEGIN:VEVENT"
        yield f"UID:{made:%Y%m%dT%H%M%S}-{section.pk}-{number}@evenboard"
        yield f"SEQUENCE:{section.revision}"
        yield f"DTSTAMP:{_utc(changed)}"
        if start.time:
            moment = timezone.make_aware(datetime.combine(start.day, start.time))
            yield f"DTSTART:{_utc(moment)}"
            yield f"DTEND:{_utc(moment + LASTS)}"
        else:
            yield f"DTSTART;VALUE=DATE:{start.day:%Y%m%d}"
        round_name = labels.round % {"number": number}
        yield f"SUMMARY:{ical_escaped(f'{section}: {round_name}')}"
        if event.city:
            yield f"LOCATION:{ical_escaped(event.city)}"
        if url:
            yield f"URL:{url}"
        yield "END:VEVENT"


def _utc(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def ical_escaped(text: str) -> str:
    """Return a text as a value (RFC 5545, 3.3.11)."""
    for sign in ("\\", ";", ","):
        text = text.replace(sign, f"\\{sign}")
    return text.replace("\n", "\\n")


def ical_folded(line: str) -> Iterator[str]:
    """Yield a line in pieces of at most 75 bytes; no letter is divided."""
    piece, size = "", 0
    for letter in line:
        length = len(letter.encode())
        if size + length > LONGEST:
            yield piece
            piece, size = " ", 1
        piece += letter
        size += length
    yield piece
