"""Why something was refused: undos, restores and copies that are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def undo_depends(params: Mapping[str, Any]) -> str:
    """Say how many later actions depend on the action; the page lists them."""
    count, elsewhere = len(params["revisions"]), params["elsewhere"]
    if not count:
        return _(
            "An action in another section of the event depends on this. Undo that action first. Nothing was undone."
        )
    return ngettext(
        "%(count)s later action depends on this. Nothing was undone.",
        "%(count)s later actions depend on this. Nothing was undone.",
        count,
    ) % {"count": count + elsewhere}
