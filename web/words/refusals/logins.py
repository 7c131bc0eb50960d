"""Why something was refused: logins, rights and invitations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

MOST_SECONDS = 90
"""A longer wait is shown in minutes."""


def _wait(params: Mapping[str, Any]) -> str:
    seconds = int(params["seconds"])
    if seconds <= MOST_SECONDS:
        time = ngettext("%(count)s second", "%(count)s seconds", seconds) % {"count": seconds}
    else:
        minutes = -(-seconds // 60)
        time = ngettext("%(count)s minute", "%(count)s minutes", minutes) % {"count": minutes}
    return _("Too many attempts have failed. Nothing was checked. Try again in %(time)s.") % {"time": time}


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "wait": _wait,
}
"""Those whose parameters are put into words together."""
