"""Sentences of the log about the hall screens."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from tournaments.queries.log import LogRow


def say_countdown(row: LogRow) -> str:
    to = row.after.get("countdown_to") if isinstance(row.after, dict) else None
    if not to:
        return _("Hall screens: countdown off")
    moment = localtime(datetime.fromisoformat(to))
    return _("Hall screens: countdown to %(time)s") % {"time": date_format(moment, "j M H:i:s")}


def say_message(row: LogRow) -> str:
    if not row.subject:
        return _("Hall screens: message removed")
    return _("Hall screens: “%(text)s”") % {"text": row.subject}
