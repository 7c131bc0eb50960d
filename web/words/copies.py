"""Words for copies: why one was made, and where a row of the log comes from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.reader import date_format
from tournaments.actions.stored_copies import StoredCopy
from tournaments.copy_format import CopyMark, CopyOrigin, main_mark, own_marks

PILLS = {
    CopyOrigin.OWN: gettext_lazy("from this server, copy of %(made)s"),
    CopyOrigin.CHANGED: gettext_lazy("from a changed copy of %(made)s"),
    CopyOrigin.OTHER: gettext_lazy("from another server, copy of %(made)s"),
    CopyOrigin.UNSEALED: gettext_lazy("from a copy without a seal, of %(made)s"),
}
PILLS_WITHOUT_TIME = {
    CopyOrigin.OWN: gettext_lazy("from a copy of this server"),
    CopyOrigin.CHANGED: gettext_lazy("from a changed copy"),
    CopyOrigin.OTHER: gettext_lazy("from a copy of another server"),
    CopyOrigin.UNSEALED: gettext_lazy("from a copy without a seal"),
}
SEALS = {
    CopyOrigin.OWN: gettext_lazy("This server made it, and nobody has changed it since."),
    CopyOrigin.CHANGED: gettext_lazy(
        "This server made it, and somebody changed it afterwards. Nobody can say which of its rows are true."
    ),
    CopyOrigin.OTHER: gettext_lazy(
        "Another server made it, or this server with an older key. So this server cannot say whether somebody changed "
        "it. Each row of its log gets a mark."
    ),
    CopyOrigin.UNSEALED: gettext_lazy(
        "It has no seal: an earlier version made it, or somebody removed the seal. So this server cannot say whether "
        "somebody changed it. Each row of its log gets a mark."
    ),
}
"""What the page says about a file before it is loaded."""


@dataclass(frozen=True, slots=True)
class Brought:
    """How a row came here. lines: each load, oldest first. trusted: the row is from this server and unchanged."""

    pill: str
    lines: tuple[str, ...]
    trusted: bool


def occasion_text(copy: StoredCopy) -> str:
    if copy.occasion == "restore":
        return _("before going back")
    if copy.occasion == "asked":
        return _("by hand")
    return _("round %(round)s published") % {"round": copy.round_number}


def brought_of(marks: Sequence[CopyMark]) -> Brought | None:
    """Say how a row came here; None if it was written here."""
    mark = main_mark(marks)
    if mark is None:
        return None
    own = own_marks(marks)
    lines = [_claimed(one) for one in marks[: len(marks) - len(own)]] + [_loaded(one) for one in own]
    return Brought(_pill(mark), tuple(lines), mark["origin"] == CopyOrigin.OWN)


def _pill(mark: CopyMark) -> str:
    origin, made = CopyOrigin(mark["origin"]), _time(mark["made"])
    return str(PILLS[origin] % {"made": made}) if made else str(PILLS_WITHOUT_TIME[origin])


def _loaded(mark: CopyMark) -> str:
    about = {"file": mark["file"] or _("a copy"), "who": mark["by"], "at": _time(mark["loaded"])}
    return _("%(origin)s: %(file)s, loaded by %(who)s on %(at)s") % {**about, "origin": _pill(mark)}


def _claimed(mark: CopyMark) -> str:
    """Say a mark that came with a file of which this server does not know whether it is true."""
    about = {"file": mark["file"] or _("a copy"), "who": mark["by"], "at": _time(mark["loaded"])}
    return _("the copy says: loaded before from %(file)s by %(who)s on %(at)s") % about


def _time(text: str) -> str:
    """Return a time of a mark in the zone of the page; "" if it is not known."""
    return date_format(localtime(datetime.fromisoformat(text)), "j M Y H:i") if text else ""


FAULTS = {
    "": gettext_lazy("test restore done, all data are the same"),
    "unreadable": gettext_lazy("the file cannot be read (%(detail)s)"),
    "damaged": gettext_lazy("the file is damaged or not complete"),
    "changed": gettext_lazy("somebody changed the file after this server made it"),
    "not_restored": gettext_lazy("it cannot be loaded (%(detail)s)"),
    "rows_differ": gettext_lazy("the restored section differs (%(detail)s)"),
    "log_differs": gettext_lazy("the log of the restored section does not match its seals"),
    "section_differs": gettext_lazy("the copy is not the section that was copied (%(detail)s)"),
    "report_differs": gettext_lazy("the restored section has other pairings, points or ranks"),
}


def fault_sentence(fault: str, detail: str) -> str:
    """Say the outcome of a test restore, as in `CopyProof`."""
    return str(FAULTS[fault]) % {"detail": detail}
