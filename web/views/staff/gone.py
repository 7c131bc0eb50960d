"""Lead from the page of a round that was unpaired to the cockpit, and say what happened."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from tournaments.models import Section
from tournaments.queries.log import LogRow, round_taken_back
from web.context import section_url
from web.requests import PersonRequest
from web.words.log_sentences import sentence_of
from web.words.values import actor_words

View = Callable[..., HttpResponse]


def leads_to_cockpit_if_gone(view: View) -> View:
    """Decorate a view: if its round no longer exists, browsers are led to the cockpit; scripts get the 404."""

    @wraps(view)
    def page(request: PersonRequest, section: Section, **parts: Any) -> HttpResponse:
        try:
            return view(request, section, **parts)
        except Http404:
            number, reads = parts.get("number"), request.method == "GET" and not request.htmx
            scripted = request.headers.get("Accept", "").startswith("application/json")
            row = round_taken_back(section, number) if number and reads and not scripted else None
            if row is None:
                raise
            messages.warning(request, _gone_sentence(row, number))
            sees = request.user.has_perm("tournaments.see_section", section)
            return redirect(section_url("cockpit" if sees else "section", section))

    return page


def _gone_sentence(row: LogRow, number: object) -> str:
    sentence = _("Round %(number)s is no longer paired. %(action)s (%(who)s, %(time)s).") % {
        "number": number,
        "action": sentence_of(row),
        "who": actor_words(row),
        "time": date_format(localtime(row.at), "H:i"),
    }
    return " ".join([sentence, _("Reason: %(reason)s") % {"reason": row.reason}]) if row.reason else sentence
