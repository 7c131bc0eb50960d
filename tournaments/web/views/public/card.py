"""One player's card, and a visitor who is this player."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from tournaments.models import Participant
from tournaments.queries.player_card import player_card
from tournaments.web.context import section_context, section_url
from tournaments.web.next_page import own_page
from tournaments.web.views.public.cells import sign_of, words_of
from tournaments.web.views.public.visits import Visit, me_cookie, visit_of, visitor_page

REMEMBERED_FOR = 60 * 60 * 24 * 30


@visitor_page()
def player(request: HttpRequest, visit: Visit, tpn: int) -> HttpResponse:
    """Show games, points, ARO and colours of one player."""
    participant = get_object_or_404(visit.section.participants.select_related("player"), tpn=tpn)
    participant.section = visit.section
    card = player_card(participant, include_drafts=visit.staff)
    context: dict[str, Any] = section_context(request, visit.section, "players", None)
    current = next((row for row in card.rows if row.turn.open), None)
    free = visit.section.fixed_rounds
    context |= {
        "card": card,
        "rows": [
            (row, sign_of(row.turn), words_of(row.turn, row.opponent.name if row.opponent else "", free=free))
            for row in card.rows
        ],
        "current": current,
    }
    return render(request, "public/player.html", context)


@csrf_exempt  # It only marks rows in this browser, and a token would make every page differ from all others
@require_POST
def this_is_me(request: HttpRequest, event: str, section: str) -> HttpResponse:
    """Remember on this device which player the visitor is (`player`, a participant key). Without a player:
    forget it.
    """
    if not from_our_pages(request):
        raise PermissionDenied
    visit = visit_of(request, event, section)
    response = redirect(own_page(request.POST.get("next", ""), section_url("pairings", visit.section)))
    wanted = request.POST.get("player", "")
    if wanted.isascii() and wanted.isdigit() and len(wanted) < 16:
        participant = get_object_or_404(Participant, pk=int(wanted), section=visit.section)
        response.set_cookie(
            me_cookie(visit.section),
            str(participant.pk),
            max_age=REMEMBERED_FOR,
            secure=request.is_secure(),
            httponly=False,  # me.js reads it, so that the page itself is the same for everybody
            samesite="Lax",
        )
    else:
        response.delete_cookie(me_cookie(visit.section), samesite="Lax")
    return response


def from_our_pages(request: HttpRequest) -> bool:
    """Return whether a page of this server sent the form, as the browser says. Old browsers and programs do not."""
    if site := request.headers.get("Sec-Fetch-Site"):
        return site in ("same-origin", "none")
    origin = request.headers.get("Origin")
    return origin is None or origin == f"{request.scheme}://{request.get_host()}"
