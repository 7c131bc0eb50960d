"""The time zone of the computer on which the program runs."""

from __future__ import annotations

import warnings
from zoneinfo import ZoneInfo

from tzlocal import get_localzone_name


def computer_zone() -> str:
    """The name of the computer's time zone, such as Europe/Vienna; UTC where it has none that is known."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about odd configuration files: the answer below is all we need
            return ZoneInfo(get_localzone_name() or "UTC").key
    except (LookupError, ValueError, OSError):
        return "UTC"
