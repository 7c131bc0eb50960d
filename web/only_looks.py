"""The page of a person who may look at it and not change what it shows: it has no forms that change that."""

from __future__ import annotations

import re

from django.http import HttpResponse

_form = re.compile(rb'<form\b(?![^>]*\bdata-other-right\b)[^>]*\bmethod="post"[^>]*>.*?</form>', re.DOTALL)
_main = re.compile(rb"(<main\b.*</main>)", re.DOTALL)


def leave_out_forms(answer: HttpResponse) -> None:
    """Remove the forms with which a page would change something. Those of its head, such as that to log out, stay.

    Forms that search stay too, and those with `data-other-right`: they need another right than the page, and the
    template shows them to nobody else. The server refuses the others anyway: so nobody sees a form that is of no use.
    """
    if not answer.get("Content-Type", "").startswith("text/html") or answer.streaming:
        return
    parts = _main.split(answer.content)
    at = 1 if len(parts) > 1 else 0  # a part of a page for htmx has no main part
    parts[at] = _form.sub(b"", parts[at])
    answer.content = b"".join(parts)
