"""One player: the card, and the row of a round."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.models import Participant, Round
from tournaments.queries.player_card import player_card
from tournaments.queries.seat import seat as seat_of
from web.context import section_context
from web.views.public.cells import sign_of, words_of
from web.views.public.pairings import latest_round
from web.views.public.visits import Visit, visitor_page


@visitor_page()
def player(request: HttpRequest, visit: Visit, tpn: int) -> HttpResponse:
    """Show games, points, ARO and colours of one player."""
    participant = get_object_or_404(visit.section.participants.select_related("player"), tpn=tpn)
    participant.section = visit.section
    card = player_card(participant, include_drafts=visit.staff)
    context: dict[str, Any] = section_context(request, visit.section, "players", None)
    current = next((row for row in card.rows if row.turn.open), None)
    free = visit.section.fixed_rounds
    drafts = visit.section.played_rounds.filter(state=Round.State.DRAFT) if visit.staff else None
    context |= {
        "drafts": [row.number for row in drafts or ()],
        "card": card,
        "rows": [
            (row, sign_of(row.turn), words_of(row.turn, row.opponent.name if row.opponent else "", free=free))
            for row in card.rows
        ],
        "current": current,
    }
    return render(request, "public/player.html", context)


@visitor_page()
def seat(request: HttpRequest, visit: Visit, participant: int, number: int | None = None) -> HttpResponse:
    """Show one player's row of a round, as the list of the round has it; without a number of the latest round.

    me.js asks for it on pages that do not hold the row.
    """
    shown = latest_round(Visit(visit.section, staff=False)) if number is None else number
    if shown is None:
        raise Http404
    try:
        found = seat_of(visit.section, shown, participant)
    except Participant.DoesNotExist as missing:
        raise Http404 from missing
    context = {"event": visit.section.event, "section": visit.section, "seat": found, "number": shown}
    return render(request, "public/seat.html", context)
