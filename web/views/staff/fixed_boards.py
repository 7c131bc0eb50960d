"""The fixed board of a player."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect

from tournaments.actions.fixed_boards import fix_board
from tournaments.models import Section
from web.context import section_url
from web.requests import PersonRequest

from .access import actor_of, section_page
from .entries import entry_of

NO_BOARD = 0
"""For what is not a number: the action refuses it."""


@section_page("POST")
def fixed_board(request: PersonRequest, section: Section, participant: int) -> HttpResponse:
    """Give the player a board for all rounds; an empty field takes it away."""
    entry = entry_of(section, participant)
    typed = request.POST.get("board", "").strip()
    board = None if not typed else int(typed) if typed.isdecimal() and len(typed) < 5 else NO_BOARD
    step_free = request.POST.get("step_free") == "on"
    fix_board(actor=actor_of(request), participant_id=entry.pk, board=board, step_free=step_free)
    return redirect(section_url("edit-entry", section, participant=entry.pk))
