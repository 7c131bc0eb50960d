"""Words for the check of a log."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import date_format
from tournaments.log_seal import Checked, Fault, shown
from web.words.log_sentences import title_of
from web.words.values import actor_words


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


def check_words(checked: Checked, title: str) -> CheckWords:
    fault = checked.fault
    if fault is None:
        result = (
            ngettext("%(count)s row matches its seal.", "All %(count)s rows match their seals.", checked.rows)
            % {"count": checked.rows}
            if checked.rows
            else _("There is no row yet.")
        )
        return CheckWords(title, True, result, "", shown(checked.head), checked.head)
    kind = "nothing" if fault.kind == "end" and fault.at is None else fault.kind
    result = str(FAULTS[kind]) % {"row": _row(fault), "number": fault.revision}
    return CheckWords(title, False, result, str(MEANINGS[kind]), shown(checked.head), checked.head)


def _row(fault: Fault) -> str:
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
