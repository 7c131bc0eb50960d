"""The spare of this site: its key, when it last asked, and what to do if another machine has taken over."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib import messages
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import QuerySet
from django.forms.models import model_to_dict
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from base.networks import address_of
from tournaments.actions.spare import (
    answer_question,
    contact,
    end_spare_key,
    go_on_here,
    make_spare_key,
    term_row,
)
from tournaments.hooks import other_logs
from tournaments.models import ActionLog, SiteLog
from tournaments.models.spare import TAKEN_OVER, UNSURE, guard
from tournaments.queries.spare import MOST_SHOWN, only_here
from tournaments.spare_messages import CHALLENGE, LONGEST_QUESTION
from web.requests import PersonRequest
from web.words.log_sentences import sentence_of, site_sentence_of

from .access import actor_of, person_page
from .site import OWNERS

TOO_LARGE = 413
IN_A_GROUP = 4  # letters of a key


@csrf_exempt
@require_POST
@never_cache
def question(request: HttpRequest) -> HttpResponse:
    """Answer the other machine. It has no cookie and no login: each message is sealed with the key."""
    length = request.META.get("CONTENT_LENGTH") or ""
    if not length.isdecimal() or int(length) > LONGEST_QUESTION:
        return HttpResponse(status=TOO_LARGE)
    status, answer = answer_question(request.read(), request.headers.get(CHALLENGE, ""), address_of(request))
    return HttpResponse(answer, status=status, content_type="application/octet-stream")


@person_page("GET", "HEAD", "POST", permission=OWNERS)
def spare(request: PersonRequest) -> HttpResponse:
    """Show the spare. A POST makes a key, which only its answer shows, ends the key, or decides that this machine
    writes.
    """
    actor = actor_of(request)
    if "make" in request.POST:
        key = make_spare_key(actor=actor)
        groups = [key[place : place + IN_A_GROUP] for place in range(0, len(key), IN_A_GROUP)]
        return _spare(request, key="-".join(groups))
    if "end" in request.POST:
        end_spare_key(actor=actor)
        messages.info(request, _("The key no longer works. No spare receives this site any more."))
    if "here" in request.POST and guard.refused:
        go_on_here(actor=actor)
        messages.info(request, _("This server accepts changes again."))
    return redirect("tournaments:spare") if request.method == "POST" else _spare(request)


def _spare(request: PersonRequest, *, key: str = "") -> HttpResponse:
    rows, count = _lines(only_here())
    context: dict[str, Any] = {
        "key": key,
        "command": f"python3 run.py spare {request.build_absolute_uri('/').rstrip('/')}",
        "row": term_row(),
        "asked": parse_datetime(contact.at) if contact.at else None,
        "sqlite": connection.vendor == "sqlite",
        "folder": settings.BACKUP_TO,
        "taken": guard.refused == TAKEN_OVER,
        "unsure": guard.refused == UNSURE,
        "count": count,
        "rows": rows,
    }
    return render(request, "staff/spare.html", context)


@dataclass(frozen=True, slots=True)
class LineHere:
    """A row of a log that only this machine has, in words."""

    at: datetime
    place: str
    player: str
    what: str
    who: str


def _lines(found: Sequence[QuerySet[Any]]) -> tuple[list[LineHere], int]:
    """Return the first rows of all logs in the order of time, and how many there are."""
    lines = [_line(row) for rows in found for row in rows[:MOST_SHOWN]]
    return sorted(lines, key=lambda line: line.at)[:MOST_SHOWN], sum(rows.count() for rows in found)


def _line(row: Any) -> LineHere:
    if isinstance(row, ActionLog):
        return LineHere(row.at, str(row.section or row.event), "", sentence_of(row), row.who)
    if isinstance(row, SiteLog):
        return LineHere(row.at, _("Site"), "", site_sentence_of(row), row.who)
    words = next(words for log, words in other_logs if isinstance(row, log))
    return LineHere(row.at, *words(row))


@person_page("GET", "HEAD", permission=OWNERS)
def only_here_file(_request: PersonRequest) -> HttpResponse:
    """Send the rows of the logs that only this machine has, as JSON with every value."""
    values = [_values(row) for rows in only_here() for row in rows.iterator(1_000)]
    content = json.dumps(values, ensure_ascii=False, indent=1, cls=DjangoJSONEncoder)
    headers = {"Content-Disposition": 'attachment; filename="only-here.json"'}
    return HttpResponse(content, content_type="application/json", headers=headers)


def _values(row: Any) -> dict[str, Any]:
    """Return what a row says, and all that its log keeps of it."""
    line = _line(row)
    words = {"at": row.at, "section": line.place, "player": line.player, "what": line.what, "who": line.who}
    return {**model_to_dict(row, exclude=("id", "user", "event", "changes")), **words}
