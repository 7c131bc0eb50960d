"""What was taken back, and what stands in the way of it, in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.queries.log import LogRow
from tournaments.queries.undo import Tally

REASONS = {
    "same": gettext_lazy("changed the same again"),
    "names": gettext_lazy("needs what this made"),
    "gone": gettext_lazy("removed what this needs"),
    "place": gettext_lazy("stands in the place of what would come back"),
    "paired": gettext_lazy("was paired from it"),
    "round": gettext_lazy("is in a round that would be a draft again"),
    "published": gettext_lazy("published the pairs that would change"),
    "changed": gettext_lazy("changed what the round that would come back was paired from"),
    "closed": gettext_lazy("closed the section"),
}


def say_undo(row: LogRow, say: Callable[[LogRow], str]) -> str:
    """say: gives the sentence of the action that was taken back."""
    if row.undone_row is None:
        return _("Action %(revision)s undone") % {"revision": row.undoes}
    former = row.undone_row
    if former.undoes is not None:
        about = {"revision": former.undoes, "subject": former.subject}
        if not former.subject:
            return _("Done again: action %(revision)s") % about
        return _("Done again: action %(revision)s, %(subject)s") % about
    if former.back_to is None:
        return _("Undone: %(action)s") % {"action": say(former)}
    count = _count(former.after)
    if former.action == "restore_before_round":
        return ngettext(
            "Round %(round)s is back: going back to before it was undone, %(count)s action stands again",
            "Round %(round)s is back: going back to before it was undone, %(count)s actions stand again",
            count,
        ) % {"round": former.round_number, "count": count}
    return ngettext(
        "%(count)s action that was undone stands again",
        "%(count)s actions that were undone stand again",
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
        "Section as it stood before round %(round)s: %(count)s action undone",
        "Section as it stood before round %(round)s: %(count)s actions undone",
        count,
    ) % {"count": count, "round": row.round_number}


def say_tally(tally: Tally) -> str:
    """What goes or comes back, in one list of words."""
    parts = [
        _("round %(number)s") % {"number": tally.rounds[0]} if len(tally.rounds) == 1 else "",
        _("rounds %(first)s to %(last)s") % {"first": tally.rounds[0], "last": tally.rounds[-1]}
        if len(tally.rounds) > 1
        else "",
        ngettext("%(count)s entry of a result", "%(count)s entries of results", tally.results),
        ngettext("%(count)s entry of a player", "%(count)s entries of players", tally.entries),
        ngettext("%(count)s withdrawal", "%(count)s withdrawals", tally.withdrawals),
        ngettext("%(count)s bye", "%(count)s byes", tally.byes),
        ngettext("%(count)s other action", "%(count)s other actions", tally.others),
    ]
    counts = [1, 1, tally.results, tally.entries, tally.withdrawals, tally.byes, tally.others]
    return ", ".join(
        part % {"count": count} if "%(count)s" in part else part
        for part, count in zip(parts, counts, strict=True)
        if part and count
    )


def _count(after: object) -> int:
    return int(after.get("actions", 0)) if isinstance(after, Mapping) else 0
