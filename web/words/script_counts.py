"""Counted texts that scripts fill in, with all forms that the language has. static/js/texts.js chooses the form."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache

from django.utils.functional import Promise
from django.utils.translation import get_language, ngettext_lazy

RESULTS: Mapping[str, Promise] = {
    "sending": ngettext_lazy("%(n)s not saved yet, sending", "%(n)s not saved yet, sending", "count"),
    "waiting": ngettext_lazy(
        "%(n)s kept only in this browser; the server does not answer",
        "%(n)s kept only in this browser; the server does not answer",
        "count",
    ),
    "failing": ngettext_lazy(
        "%(n)s kept only in this browser; the server says: %(why)s",
        "%(n)s kept only in this browser; the server says: %(why)s",
        "count",
    ),
    "volatile": ngettext_lazy(
        "%(n)s not saved yet; the server does not answer. Leave the page open",
        "%(n)s not saved yet; the server does not answer. Leave the page open",
        "count",
    ),
    "kept": ngettext_lazy("%(n)s not saved", "%(n)s not saved", "count"),
    "left": ngettext_lazy("%(n)s missing", "%(n)s missing", "count"),
    "unread": ngettext_lazy("%(n)s to verify", "%(n)s to verify", "count"),
    "tosettle": ngettext_lazy("%(n)s to decide", "%(n)s to decide", "count"),
    "fullexcept": ngettext_lazy(
        "%(entered)s of %(total)s in, %(n)s adjourned",
        "%(entered)s of %(total)s in, %(n)s adjourned",
        "count",
    ),
}
WAITING: Mapping[str, Promise] = {
    "plate": ngettext_lazy("%(n)s result not saved", "%(n)s results not saved", "count"),
    "count": ngettext_lazy("%(n)s not saved", "%(n)s not saved", "count"),
    "unsaved": ngettext_lazy(
        "%(n)s result typed on this device is not saved.",
        "%(n)s results typed on this device are not saved.",
        "count",
    ),
    "onmap": ngettext_lazy(
        "%(saved)s saved, %(n)s only on this device", "%(saved)s saved, %(n)s only on this device", "count"
    ),
    "decide": ngettext_lazy(
        "%(n)s result typed on this device needs your decision on the page Results.",
        "%(n)s results typed on this device need your decision on the page Results.",
        "count",
    ),
    "others": ngettext_lazy(
        "%(n)s result that %(who)s typed on this device is not saved. It is sent when %(who)s logs in here again.",
        "%(n)s results that %(who)s typed on this device are not saved. They are sent when %(who)s logs in here again.",
        "count",
    ),
    "forget": ngettext_lazy("Delete %(n)s result for good", "Delete %(n)s results for good", "count"),
    "marksunsaved": ngettext_lazy(
        "%(n)s mark made on this device is not saved.",
        "%(n)s marks made on this device are not saved.",
        "count",
    ),
    "marksdecide": ngettext_lazy(
        "%(n)s mark made on this device needs your decision at the desk.",
        "%(n)s marks made on this device need your decision at the desk.",
        "count",
    ),
    "marksothers": ngettext_lazy(
        "%(n)s mark that %(who)s made on this device is not saved. It is sent when %(who)s logs in here again.",
        "%(n)s marks that %(who)s made on this device are not saved. They are sent when %(who)s logs in here again.",
        "count",
    ),
    "marksforget": ngettext_lazy("Delete %(n)s mark for good", "Delete %(n)s marks for good", "count"),
}
MARKS: Mapping[str, Promise] = {
    "waiting": ngettext_lazy(
        "%(n)s mark waits on this device and is sent when the server answers.",
        "%(n)s marks wait on this device and are sent when the server answers.",
        "count",
    ),
    "volatile": ngettext_lazy(
        "%(n)s mark is not sent yet. It is sent when the server answers. Leave the page open.",
        "%(n)s marks are not sent yet. They are sent when the server answers. Leave the page open.",
        "count",
    ),
}
KEPT: Mapping[str, Promise] = {
    "minutes": ngettext_lazy(
        "No connection to the server. This page is from %(time)s (%(n)s minute old).",
        "No connection to the server. This page is from %(time)s (%(n)s minutes old).",
        "count",
    ),
    "hours": ngettext_lazy(
        "No connection to the server. This page is from %(time)s (%(n)s hour old).",
        "No connection to the server. This page is from %(time)s (%(n)s hours old).",
        "count",
    ),
    "days": ngettext_lazy(
        "No connection to the server. This page is from %(time)s (%(n)s day old).",
        "No connection to the server. This page is from %(time)s (%(n)s days old).",
        "count",
    ),
}
TEXTS = {"results": RESULTS, "waiting": WAITING, "marks": MARKS, "kept": KEPT}
_NUMBERS = range(200)
"""Every language repeats its forms after a hundred, and some begin to do so only there: 1 is not as 101 in English."""


class _Braces(dict[str, object]):
    """Writes {name} for every placeholder but the number that chooses the form, which no text shows."""

    def __missing__(self, name: str) -> str:
        return f"{{{name}}}"


def script_counts(page: str) -> Mapping[str, str]:
    """Return the counted texts of the scripts of the page in the language of the reader, each as JSON.

    The JSON is [forms, starts]. starts: (number, form), the numbers from which on a form is right.
    """
    return _in_language(page, get_language())


@cache
def _in_language(page: str, _language: str | None) -> Mapping[str, str]:
    return {name: _forms(text) for name, text in TEXTS[page].items()}


def _forms(text: Promise) -> str:
    written = [str(text % _Braces(count=number)) for number in _NUMBERS]
    texts = list(dict.fromkeys(written))
    starts = [
        (number, texts.index(form))
        for number, form in enumerate(written)
        if number == 0 or form != written[number - 1]
    ]
    return json.dumps([texts, starts], ensure_ascii=False, separators=(",", ":"))
