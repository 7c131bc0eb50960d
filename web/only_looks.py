"""The page of a person who may look at it and not change what it shows: it has no forms that change that."""

from __future__ import annotations

import re

from django.http import HttpResponse

_form = re.compile(
    rb'<form\b(?![^>]*\bdata-other-right\b)([^>]*\bmethod="post"[^>]*)>(.*?)</form>', re.DOTALL
)
_address = re.compile(rb' (?:method|action)="[^"]*"')
_pressed = re.compile(rb'<button\b.*?</button>|<input\b[^>]*\btype="hidden"[^>]*>', re.DOTALL)
_filled = re.compile(rb"<(input|select|textarea)\b(?![^>]* disabled\b)")
_main = re.compile(rb"(<main\b.*</main>)", re.DOTALL)


def leave_out_forms(answer: HttpResponse) -> None:
    """Remove the forms with which a page would change something. Those of its head, such as that to log out, stay.

    Forms that search stay too, and those with `data-other-right`: they need another right than the page, and the
    template shows them to nobody else. What those with `data-readable` show stays: lists, and fields that nobody can
    fill in. The server refuses the others anyway: so nobody sees a form that is of no use.
    """
    if not answer.get("Content-Type", "").startswith("text/html") or answer.streaming:
        return
    parts = _main.split(answer.content)
    at = 1 if len(parts) > 1 else 0  # a part of a page for htmx has no main part
    parts[at] = _form.sub(_shown, parts[at])
    answer.content = b"".join(parts)


def _shown(form: re.Match[bytes]) -> bytes:
    """Return what stays of a form."""
    begin, inside = form.groups()
    if b" data-readable" not in begin:
        return b""
    inside = _filled.sub(rb"<\1 disabled", _pressed.sub(b"", inside))
    return b"<div" + _address.sub(b"", begin) + b">" + inside + b"</div>"
