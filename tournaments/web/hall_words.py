"""What was done to the screens of the hall, as sentences of the log."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.queries.log import LogRow


def say_countdown(row: LogRow) -> str:
    to = row.after.get("countdown_to") if isinstance(row.after, dict) else None
    if not to:
        return _("Screens of the hall: countdown off")
    moment = localtime(datetime.fromisoformat(to))
    return _("Screens of the hall: countdown to %(time)s") % {"time": date_format(moment, "j M H:i:s")}


def say_message(row: LogRow) -> str:
    if not row.subject:
        return _("Screens of the hall: line taken away")
    return _("Screens of the hall: “%(text)s”") % {"text": row.subject}
