"""Words for what an undo changes, and for the reasons why an action cannot be undone alone."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER
from tournaments.queries.undo_preview import Tally

REASONS = {
    "in_round": gettext_lazy("it belongs to this round"),
    "made": gettext_lazy("it changed something that this action made"),
    "same": gettext_lazy("it changed the same data"),
    "names": gettext_lazy("it needs something that this action made"),
    "gone": gettext_lazy("it removed something that the undo needs"),
    "place": gettext_lazy("it uses a number, name or board that the undo needs"),
    "paired": gettext_lazy("it paired a round from this"),
    "round": gettext_lazy("its round would be a draft again"),
    "published": gettext_lazy("it published pairs that would change"),
    "changed": gettext_lazy("it changed the data from which the returning round was paired"),
    "closed": gettext_lazy("it closed the section"),
}

ROUNDS = {
    ("", False): gettext_lazy("round %(first)s"),
    ("", True): gettext_lazy("rounds %(first)s to %(last)s"),
    ("paired", False): gettext_lazy("round %(first)s paired"),
    ("paired", True): gettext_lazy("rounds %(first)s to %(last)s paired"),
    ("published", False): gettext_lazy("round %(first)s paired and published"),
    ("published", True): gettext_lazy("rounds %(first)s to %(last)s paired and published"),
}
"""What happened to rounds that disappear or come back, and whether there are several."""


def tally_text(tally: Tally) -> str:
    """Say what is undone or comes back, as one list."""
    parts = [
        _rounds_text(tally),
        ngettext("%(count)s entry of a result", "%(count)s entries of results", tally.results),
        ngettext("%(count)s entry of a player", "%(count)s entries of players", tally.entries),
        ngettext("%(count)s withdrawal", "%(count)s withdrawals", tally.withdrawals),
        ngettext("%(count)s bye", "%(count)s byes", tally.byes),
        ngettext("%(count)s other action", "%(count)s other actions", tally.others),
    ]
    counts = [1, tally.results, tally.entries, tally.withdrawals, tally.byes, tally.others]
    shown = (
        part % {"count": count} if "%(count)s" in part else part
        for part, count in zip(parts, counts, strict=True)
        if part and count
    )
    return READER.listed(shown, "comma")


def _rounds_text(tally: Tally) -> str:
    """Say which rounds disappear or come back, and whether they were only paired, or published too."""
    if not tally.rounds:
        return ""
    about = {"first": tally.rounds[0], "last": tally.rounds[-1]}
    what = "published" if tally.paired and tally.published else "paired" if tally.paired else ""
    return str(ROUNDS[what, len(tally.rounds) > 1] % about)
