"""Why something was refused: players and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext_lazy

from base.reader import READER

SHOWN_NUMBERS = 4

NUMBERS_TO_CONFIRM = ngettext_lazy(
    "%(count)s pairing number of %(section)s changes (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "%(count)s pairing numbers of %(section)s change (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "count",
)


def _two_sections(params: Mapping[str, Any]) -> str:
    names = READER.listed(params["names"], longest=SHOWN_NUMBERS)
    return _(
        "Already entered in another section (%(sections)s): %(names)s. Nobody can play in two sections at once."
    ) % {"names": names, "sections": READER.listed(params["sections"], "comma")}


def _equals_to_confirm(params: Mapping[str, Any]) -> str:
    """What new numbers of players with one rating affect. The table beside it shows who gets which."""
    if not params["round"]:
        return _("Round 1 will be paired with the new numbers.")
    return _(
        "Round %(round)s is paired and keeps its boards. The new numbers apply from the next pairing on. "
        "The report file records this."
    ) % {"round": params["round"]}


def _numbers_to_confirm(params: Mapping[str, Any]) -> str:
    """Whose pairing numbers would change, and what that affects."""
    moved = params["numbers"]
    shown = READER.listed((f"{old} → {new}" for old, new in moved), "comma", longest=SHOWN_NUMBERS)
    return NUMBERS_TO_CONFIRM % {**params, "count": len(moved), "shown": shown}


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "numbers_to_confirm": _numbers_to_confirm,
    "two_sections_to_confirm": _two_sections,
    "equals_to_confirm": _equals_to_confirm,
}
"""Those whose parameters are put into words together."""
