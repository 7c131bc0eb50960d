"""Words for undone actions, and for the reasons why an action cannot be undone alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.queries.log import LogRow
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


def say_undo(row: LogRow, say: Callable[[LogRow], str]) -> str:
    """Say what an undo did. say: returns the sentence of the action that was undone."""
    if row.undone_row is None:
        return _("Action %(revision)s undone") % {"revision": row.undoes}
    former = row.undone_row
    if former.undoes is not None:
        about = {"revision": former.undoes, "subject": former.subject}
        if not former.subject:
            return _("Undo of action %(revision)s undone") % about
        return _("Undo of action %(revision)s undone: %(subject)s") % about
    if former.back_to is None:
        return _("Undone: %(action)s") % {"action": say(former)}
    count = _count(former.after)
    if former.action == "restore_before_round":
        return ngettext(
            "Going back to before round %(round)s undone: %(count)s action came back",
            "Going back to before round %(round)s undone: %(count)s actions came back",
            count,
        ) % {"round": former.round_number, "count": count}
    return ngettext(
        "%(count)s undone action came back",
        "%(count)s undone actions came back",
        count,
    ) % {"count": count}


def say_back(row: LogRow) -> str:
    count = _count(row.after)
    return ngettext(
        "%(count)s action undone, back to action %(revision)s",
        "%(count)s actions undone, back to action %(revision)s",
        count,
    ) % {"count": count, "revision": row.back_to}


def say_restored(row: LogRow) -> str:
    count = _count(row.after)
    return ngettext(
        "Section restored to before round %(round)s: %(count)s action undone",
        "Section restored to before round %(round)s: %(count)s actions undone",
        count,
    ) % {"count": count, "round": row.round_number}


def say_tally(tally: Tally) -> str:
    """Say what is undone or comes back, as one list."""
    parts = [
        _say_rounds(tally),
        ngettext("%(count)s entry of a result", "%(count)s entries of results", tally.results),
        ngettext("%(count)s entry of a player", "%(count)s entries of players", tally.entries),
        ngettext("%(count)s withdrawal", "%(count)s withdrawals", tally.withdrawals),
        ngettext("%(count)s bye", "%(count)s byes", tally.byes),
        ngettext("%(count)s other action", "%(count)s other actions", tally.others),
    ]
    counts = [1, tally.results, tally.entries, tally.withdrawals, tally.byes, tally.others]
    return ", ".join(
        part % {"count": count} if "%(count)s" in part else part
        for part, count in zip(parts, counts, strict=True)
        if part and count
    )


def _say_rounds(tally: Tally) -> str:
    """Say which rounds disappear or come back, and whether they were only paired, or published too."""
    if not tally.rounds:
        return ""
    said = _("round %(number)s") % {"number": tally.rounds[0]}
    if len(tally.rounds) > 1:
        said = _("rounds %(first)s to %(last)s") % {"first": tally.rounds[0], "last": tally.rounds[-1]}
    if tally.paired and tally.published:
        return _("%(rounds)s paired and published") % {"rounds": said}
    return _("%(rounds)s paired") % {"rounds": said} if tally.paired else said


def _count(after: object) -> int:
    return int(after.get("actions", 0)) if isinstance(after, Mapping) else 0
