"""Say each row of the log: its sentence, what changed, where it comes from, its seal, and what an undo changes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from tournaments.declarations import ACTIONS, names_of
from tournaments.hash_chain import LogCheck, LogFault, shown_digits
from tournaments.queries.log import LogRow
from tournaments.queries.undo_preview import Tally
from web.words.copies import Brought, brought_of
from web.words.log_sentences import in_order, is_setting, name_of, sentence_of, title_of, value_text
from web.words.values import actor_words, name_words, origin_words

# Say each row of the log: its sentence, what changed, and where it comes from.


@dataclass(frozen=True, slots=True)
class Value:
    """A value that changed; "" before or after means nothing."""

    name: str
    before: str
    after: str


@dataclass(frozen=True, slots=True)
class LogLine:
    """A row in words. values: what changed, if the sentence does not say it all."""

    at: datetime
    who: str
    origin: str
    sentence: str
    values: tuple[Value, ...]
    reason: str
    integrity: str
    revision: int
    undone_by: int | None = None
    undone_who: str = ""
    undoable: bool = False
    details: tuple[Value, ...] = ()
    brought: Brought | None = None
    seal: str = ""


def log_line_of(row: LogRow) -> LogLine:
    return LogLine(
        at=row.at,
        who=actor_words(row),
        origin=origin_words(row),
        sentence=sentence_of(row),
        values=_values(row) if row.action in SHOW_VALUES else (),
        reason=row.reason,
        integrity=row.integrity_label,
        revision=row.revision,
        undone_by=row.undone_by,
        undone_who=name_words(row.undone_who, row.undone_origin),
        undoable=row.undoable,
        details=_details(row),
        brought=brought_of(row.brought),
        seal=shown_digits(row.seal),
    )


SHOW_VALUES = names_of(action for action in ACTIONS.values() if action.shows_values)
KEYS = frozenset({
    "participant", "game", "changed", "revision", "actions", "board", "turned", "move", "round", "version", "ranks",
})  # fmt: skip
"""Values that the details leave out: keys of rows, and what the sentence says (board, round, kind of move)."""


def _values(row: LogRow) -> tuple[Value, ...]:
    before, after = _mapping(row.before), _mapping(row.after)
    return tuple(
        Value(name_of(name), value_text(name, before.get(name)), value_text(name, after.get(name)))
        for name in in_order({**before, **after})
        if is_setting(name)
    )


def _details(row: LogRow) -> tuple[Value, ...]:
    """Return all values that the log keeps, except those that are nothing before and after."""
    before, after = _mapping(row.before), _mapping(row.after)
    hidden = KEYS if row.back_to is None else {*before, *after}  # the sentence about going back says it all
    if (row.undone_row or row).action == "confirm_result":
        hidden = {*hidden, "result"}  # a second reading changes no result
    values = (
        Value(
            name_of(name),
            value_text(name, before.get(name), people=row.people, of=before),
            value_text(name, after.get(name), people=row.people, of=after),
        )
        for name in in_order({**before, **after})
        if name not in hidden
    )
    return tuple(value for value in values if value.before or value.after)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


# Words for the check of a log.


@dataclass(frozen=True, slots=True)
class CheckWords:
    """The check of one log in words. head, whole: the newest seal that matches, short and complete."""

    title: str
    fits: bool
    result: str
    meaning: str
    head: str
    whole: str


FAULTS = {
    "changed": gettext_lazy("%(row)s does not match its seal."),
    "unsealed": gettext_lazy("%(row)s has no seal."),
    "missing": gettext_lazy("No. %(number)s is missing."),
    "end": gettext_lazy("%(row)s is the newest row, and it is not the row that was written last."),
    "nothing": gettext_lazy("All rows are missing."),
}
MEANINGS = {
    "changed": gettext_lazy(
        "Somebody changed this row, or added or removed one before it, outside the program. The rows before it are as "
        "they were written."
    ),
    "unsealed": gettext_lazy(
        "Somebody added it outside the program. The rows before it are as they were written."
    ),
    "missing": gettext_lazy(
        "Somebody removed it outside the program. The rows before it are as they were written."
    ),
    "end": gettext_lazy(
        "Somebody removed the rows after it outside the program. The rows up to it are as they were written."
    ),
    "nothing": gettext_lazy("Somebody removed them outside the program."),
}


def check_words(checked: LogCheck, title: str) -> CheckWords:
    fault = checked.fault
    if fault is None:
        result = (
            ngettext("%(count)s row matches its seal.", "All %(count)s rows match their seals.", checked.rows)
            % {"count": checked.rows}
            if checked.rows
            else _("There is no row yet.")
        )
        return CheckWords(title, True, result, "", shown_digits(checked.head), checked.head)
    kind = "nothing" if fault.kind == "end" and fault.at is None else fault.kind
    result = str(FAULTS[kind]) % {"row": _row(fault), "number": fault.revision}
    return CheckWords(title, False, result, str(MEANINGS[kind]), shown_digits(checked.head), checked.head)


def _row(fault: LogFault) -> str:
    if fault.at is None:
        return ""
    about = {
        "number": fault.revision,
        "action": title_of(fault.action),
        "who": actor_words(fault),
        "at": date_format(localtime(fault.at), "j M Y H:i:s"),
    }
    if fault.revision:
        return _("No. %(number)s (%(action)s, %(who)s, %(at)s)") % about
    return _("The row “%(action)s” (%(who)s, %(at)s)") % about


# Words for what an undo changes, and for the reasons why an action cannot be undone alone.

REASONS = {
    "in_round": gettext_lazy("it belongs to this round"),
    "made": gettext_lazy("it changed something that this action made"),
    "same": gettext_lazy("it changed the same data"),
    "names": gettext_lazy("it needs something that this action made"),
    "gone": gettext_lazy("it removed something that the undo needs"),
    "place": gettext_lazy("it uses a number, name or board that the undo needs"),
    "paired": gettext_lazy("it paired a round with what this action changed"),
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
