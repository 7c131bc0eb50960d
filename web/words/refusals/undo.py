"""Why something was refused: undos, restores and copies that are loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

SENTENCES = {
    "undone_already": gettext_lazy("Action %(revision)s is already undone."),
    "undo_beginning": gettext_lazy("This action made the section, so it cannot be undone."),
    "undo_elsewhere": gettext_lazy(
        "This change was made in another section of the event. Undo it in the log of that section."
    ),
    "undo_not_kept": gettext_lazy("The log does not hold the data to undo this action."),
    "undo_erased": gettext_lazy("Erased personal data cannot be brought back."),
    "undo_for_good": gettext_lazy("A section that has left FIDE mode cannot return to it."),
    "undo_differs": gettext_lazy(
        "The database differs from the log (%(table)s %(row)s): it was changed outside the program. Nothing was undone."
    ),
    "undo_to_confirm": gettext_lazy(
        "Nothing was undone: it now changes other actions than this page said. Look at them, and undo again."
    ),
    "undo_clash": gettext_lazy(
        "The old values no longer match the other data, so this cannot be undone. Nothing was changed."
    ),
    "restore_unknown": gettext_lazy(
        "The log does not hold the pairing of round %(round)s, so the section cannot go back to before that round."
    ),
    "copy_unknown": gettext_lazy("This file is not a copy of a section or an event."),
    "copy_newer": gettext_lazy(
        "A newer Evenboard made this copy: its format has version %(version)s, and this program reads versions up to "
        "%(known)s."
    ),
    "copy_damaged": gettext_lazy(
        "This copy is damaged or was changed after it was made. Nothing was loaded. Use another copy."
    ),
    "copy_changed": gettext_lazy(
        "This server made this copy, and somebody changed it afterwards. Nothing was loaded. Use another copy."
    ),
    "copy_too_big": gettext_lazy("The file is larger than %(limit)s MB, the most that can be loaded."),
    "copy_not_written": gettext_lazy(
        "The section is copied first, but the copy could not be written (%(reason)s). Nothing was done."
    ),
}


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
