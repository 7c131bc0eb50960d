"""Find the time zone of the computer on which the program runs."""

from __future__ import annotations

import warnings
from zoneinfo import ZoneInfo

from tzlocal import get_localzone_name


def computer_zone() -> str:
    """Return the name of the computer's time zone, such as Europe/Vienna; UTC if the zone is unknown."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # warnings about unusual configuration files do not matter here
            return ZoneInfo(get_localzone_name() or "UTC").key
    except (LookupError, ValueError, OSError):
        return "UTC"
