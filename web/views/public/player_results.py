"""The board of a player on a phone, opened by the link on the slip, without a login."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from base.networks import counted, network_of
from evenboard_engine import Colour, Result
from tournaments.actions.player_results import press_result
from tournaments.errors import DomainError, NotFound
from tournaments.models import Game, Section
from tournaments.models.entries import names_for_visitors
from tournaments.models.rounds import PRESSED
from tournaments.queries.player_results import game_of_link
from web.context import section_url
from web.views.staff.access import RESULTS
from web.words.refusals import explain

from .public_page import PRIVATE

MINUTE, TEN_MINUTES = 60, 600
UNKNOWN = 600
"""Links without a board that one network may open in a minute before the answers have no page. A hall shares one
address, so nothing counts the links that open a board.
"""
PRESSES = 20
"""Of one link in ten minutes: each press is a row of the log."""


@require_http_methods(["GET", "HEAD", "POST"])
def player_result(request: HttpRequest, event: str, section: str, link: str) -> HttpResponse:
    """Show the board that the link opens, or note the result that the player pressed.

    Whoever may enter the results of the board is led to the page for arbiters: the phone of an arbiter scanned the code
    of a player. The link opens a board of a private event too. A press is answered with the page at once: a redirect
    would send the phone through the crowd a second time (static/js/page.js lets the page load again without a press).
    """
    with names_for_visitors():
        answer = _answer(request, event, section, link)
    for name, value in PRIVATE.items():
        answer[name] = value
    return answer


def _answer(request: HttpRequest, event: str, section: str, link: str) -> HttpResponse:
    found = game_of_link(event, section, link)
    if found is None or found[0].round.section.taken_away:
        return _unknown(request)
    game, colour = found
    here = game.round.section
    if request.user.has_perm(RESULTS, here):
        return redirect(section_url("board-result", here, number=game.round.number, board=game.board))
    if request.method != "POST":
        return _page(request, game, colour)
    if counted(f"player-press:{game.pk}{colour}", TEN_MINUTES) > PRESSES:
        problem = _("You pressed too often. Wait ten minutes, or call an arbiter.")
        return _page(request, game, colour, problem=problem, status=429)
    try:
        press_result(game_id=game.pk, colour=colour, link=link, result=request.POST.get("result", ""))
        problem, status = "", 200
    except NotFound:
        return _unknown(request)
    except DomainError as error:
        problem, status = explain(error), error.status
    found = game_of_link(event, section, link)
    return _page(request, *found, problem=problem, status=status) if found else _unknown(request)


def _unknown(request: HttpRequest) -> HttpResponse:
    """Answer the same for a link that was invented, and for one that an arbiter made worthless."""
    if counted(f"player-links:{network_of(request)}", MINUTE) > UNKNOWN:
        return HttpResponse(status=429, headers={"Retry-After": str(MINUTE)})
    return render(request, "public/player_results.html", {"state": "unknown"}, status=404)


def _page(
    request: HttpRequest, game: Game, colour: Colour, *, problem: str = "", status: int = 200
) -> HttpResponse:
    white = colour is Colour.WHITE
    own, theirs = (game.white_pressed, game.black_pressed)[:: 1 if white else -1]
    section = game.round.section
    context: dict[str, Any] = {
        "game": game,
        "round": game.round,
        "section": section,
        "event": section.event,
        "colour": colour,
        "own": own,
        "theirs": theirs if own else "",  # nobody copies what the opponent pressed
        "results": [Result(value) for value in PRESSED],
        "state": _state(game),
        "way": section.players_confirm,
        "visits": request.user.has_perm("tournaments.view_section", section),
        "problem": problem,
    }
    return render(request, "public/player_results.html", context, status=status)


def _state(game: Game) -> str:
    """Return what the page is about: the result that stands, or why nothing can be pressed; "open" if it can."""
    section = game.round.section
    if game.round.is_draft:
        return "draft"
    if game.result:
        return "stands"
    if game.round.is_finished or section.is_closed:
        return "over"
    if section.players_confirm == Section.PlayersConfirm.OFF:
        return "off"
    beside = section.players_confirm == Section.PlayersConfirm.BESIDE
    return "agreed" if beside and game.pressed else "open"
