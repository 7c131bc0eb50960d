"""Who else has which registration open: beside each row of the queue, and on the page of one registration."""

from __future__ import annotations

from hashlib import sha256

from django.http import HttpResponse, JsonResponse
from django.utils.translation import ngettext

from base.reader import READER
from registrations.queries.conditions import is_key
from registrations.queries.looking import Looking, looking
from tournaments.models import Event
from web.requests import PersonRequest
from web.views.public.visits import nothing_new


def note_row(request: PersonRequest) -> None:
    """Note on which row of the queue the person works, for the others."""
    typed = request.GET.get("row", "")
    request.row_at_hand = int(typed) if is_key(typed) else None


def words_of(found: Looking) -> dict[int, str]:
    """Return for each registration who else has it open, in words."""
    return {
        key: ngettext("%(names)s has it open", "%(names)s have it open", len(names))
        % {"names": READER.listed(names)}
        for key, names in found.items()
    }


def news(request: PersonRequest, event: Event) -> HttpResponse:
    """Answer an open page: who else has which registration open, by its key. 204 if the page shows that already."""
    words = words_of(looking(event, request.user))
    mark = sha256(repr(sorted(words.items())).encode()).hexdigest()[:12]
    if request.GET.get("seen") == mark:
        return nothing_new()
    return JsonResponse({"mark": mark, "rows": words})
