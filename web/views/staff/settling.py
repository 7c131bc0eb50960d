"""Boards without a clear result: one of two readings is chosen, or a player is absent."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.absences import forfeit_absent
from tournaments.actions.ledger import steps_taken
from tournaments.actions.results import confirm_result, record_result
from tournaments.errors import DomainError
from tournaments.models import Game, Section
from tournaments.queries.leaving import leaving
from web.context import section_context, section_url
from web.requests import PersonRequest
from web.toasts import offer_undo
from web.words.refusals import explain

from .access import actor_of, section_page
from .cockpit import cockpit_page
from .rounds import seen_number


def _game(section: Section, key: int) -> Game:
    related = ("round", "white__player", "black__player")
    game = Game.objects.select_related(*related).filter(pk=key, round__section=section).first()
    if game is None:
        raise Http404
    return game


@section_page("POST")
def settle(request: PersonRequest, section: Section, game: int) -> HttpResponse:
    """Choose one of two readings of a slip. The chosen one becomes the result and counts as read twice."""
    row = _game(section, game)
    chosen = request.POST.get("result", "")[:8]
    choose = confirm_result if chosen == row.result else record_result
    try:
        choose(
            actor=actor_of(request),
            game_id=row.pk,
            result=chosen,
            seen_version=seen_number(request, "version"),
        )
    except DomainError as error:
        section.refresh_from_db()
        return cockpit_page(request, section, problem=explain(error), status=error.status)
    return redirect(section_url("cockpit", section))


@section_page("GET", "HEAD", "POST")
def absent(request: PersonRequest, section: Section, game: int) -> HttpResponse:
    """A player is absent: the game is forfeited, and the player is withdrawn as well if the arbiter chooses so."""
    row = _game(section, game)
    if request.method == "POST":
        try:
            with steps_taken() as steps:
                forfeit_absent(
                    actor=actor_of(request),
                    game_id=row.pk,
                    absent=request.POST.get("absent", "")[:8],
                    seen_version=seen_number(request, "version"),
                    withdraw=request.POST.get("withdraw") == "yes",
                    reason=_("absent in round %(round)s") % {"round": row.round.number},
                )
        except DomainError as error:
            row.refresh_from_db()
            return _absent(request, section, row, problem=explain(error), status=error.status)
        offer_undo(request, steps, silent=frozenset())
        return redirect(section_url("cockpit", section))
    return _absent(request, section, row)


def _absent(
    request: PersonRequest, section: Section, game: Game, *, problem: str = "", status: int = 200
) -> HttpResponse:
    is_open = game.round.is_published and not game.result
    context = {
        **section_context(request, section, "results", game.round.number),
        "game": game,
        "round": game.round,
        "open": is_open,
        "white_leaves": leaving(section, game.white) if is_open else None,
        "black_leaves": leaving(section, game.black) if is_open else None,
        # Where rounds are fixed, games of other rounds can still be open, and a withdrawal decides which games count.
        "last": game.round.number >= section.rounds and not section.fixed_rounds,
        "problem": problem,
    }
    return render(request, "staff/absent.html", context, status=status)
