"""Refusals of what takes actions back, restores and loads, in words; `messages.py` says the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

SENTENCES = {
    "undone_already": gettext_lazy("Action %(revision)s is undone already."),
    "undo_beginning": gettext_lazy("This action began the section, so it cannot be undone."),
    "undo_elsewhere": gettext_lazy(
        "This follows a change in another section of the event, and is undone with it there."
    ),
    "undo_not_kept": gettext_lazy("What this action wrote was not kept, so it cannot be undone."),
    "undo_for_good": gettext_lazy("FIDE mode was left for good; nothing brings it back."),
    "undo_differs": gettext_lazy(
        "A row is not what the log says (%(table)s %(row)s): it was changed by something else. Nothing was undone."
    ),
    "undo_clash": gettext_lazy(
        "What would come back does not fit with what is there now. Nothing was undone."
    ),
    "restore_unknown": gettext_lazy(
        "The log does not hold the pairing of round %(round)s, so the section cannot go back to before it."
    ),
    "copy_unknown": gettext_lazy("This file is no copy of a section."),
    "copy_newer": gettext_lazy(
        "This copy was made by a newer Evenboard (version %(version)s of the format; this one reads up to %(known)s)."
    ),
    "copy_damaged": gettext_lazy(
        "This copy is damaged or was changed: it is not what was written. Nothing was loaded; take an older copy."
    ),
    "copy_too_big": gettext_lazy("A copy holds at most %(limit)s MB; this file is larger."),
    "copy_not_written": gettext_lazy(
        "No copy of the section could be written first (%(reason)s), so nothing was done."
    ),
}


def undo_depends(params: Mapping[str, Any]) -> str:
    """How many actions stand in the way; the page lists them."""
    count, elsewhere = len(params["revisions"]), params["elsewhere"]
    if not count:
        return _(
            "Something in another section of the event rests on this. Undo that first; nothing was undone."
        )
    return ngettext(
        "%(count)s later action rests on this. Nothing was undone.",
        "%(count)s later actions rest on this. Nothing was undone.",
        count,
    ) % {"count": count + elsewhere}
