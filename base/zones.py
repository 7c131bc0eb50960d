"""Time zones that an event may have: the names of the IANA database, such as Europe/Vienna."""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from datetime import date, datetime, time
from functools import cache, lru_cache
from zoneinfo import ZoneInfo, available_timezones

from django.utils import timezone

REGIONS = re.compile(
    r"(Africa|America|Antarctica|Arctic|Asia|Atlantic|Australia|Europe|Indian|Pacific)/[A-Za-z_/+-]+|UTC"
)


@cache
def zone_names() -> tuple[str, ...]:
    """Return the names by region and place, without old names such as CET and US/Central."""
    return tuple(sorted(name for name in available_timezones() if REGIONS.fullmatch(name)))


@lru_cache(maxsize=64)
def zone_called(text: str) -> str:
    """Return the name of a zone as the database writes it, "" if there is none.

    Capitals do not matter, and a space may replace an underscore.
    """
    wanted = text.strip().replace(" ", "_").casefold()
    return next((name for name in zone_names() if name.casefold() == wanted), "")


def zone_of_city(text: str) -> str:
    """Return the only zone that is named after this city, "" if there is none or more than one."""
    wanted = text.strip().replace(" ", "_").casefold()
    found = [name for name in zone_names() if name.rpartition("/")[2].casefold() == wanted]
    return found[0] if len(found) == 1 else ""


def today_in(name: str) -> date:
    """Return the day that it is now in this zone; in the zone of the server if the name is empty or unknown."""
    return timezone.localdate(
        timezone=ZoneInfo(name) if zone_called(name) else timezone.get_default_timezone()
    )


def start_of(day: date, name: str) -> datetime:
    """Return when the day begins in this zone; in the zone of the server if the name is empty or unknown."""
    zone = ZoneInfo(name) if zone_called(name) else timezone.get_default_timezone()
    return datetime.combine(day, time.min, zone)


def in_zone(name: str) -> AbstractContextManager[None]:
    """Return a context in which times are of this zone; of the server if the name is empty or unknown."""
    return timezone.override(ZoneInfo(name) if zone_called(name) else None)


def use_zone(name: str) -> None:
    """Show and read times in this zone until the request is answered. An unknown zone changes nothing."""
    if zone_called(name):
        timezone.activate(ZoneInfo(name))
