"""JSON for static/js/results: what single keys send, and what an open Results page asks for."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any
from urllib.parse import urlencode

from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse, JsonResponse
from django.utils.timezone import localtime

from base.reader import date_format
from tournaments.actions.results import confirm_result, mark_over, record_result
from tournaments.boards import OwnBoards, are_own
from tournaments.errors import DomainError
from tournaments.models import Game, Section
from tournaments.queries.kept_rows import rows_of
from tournaments.rights import Right
from web.context import section_url
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import RESULTS, actor_of, answers_of, login_state, other_login, section_page
from .rounds import seen_number

MAX_RESULT = 8
WAITS = frozenset({"stale_result", "adjourned_to_confirm"})
"""Refusals that the person answers. The page shows the typed result beside the stored one until then."""
FINISHED = frozenset({"round_finished", "reading_differs", "section_closed"})
"""Refusals of what came too late: only a correction can change the result."""


def games_of(section: Section, number: int, own: OwnBoards) -> QuerySet[Game]:
    """Return the games of a round by board, with the people that the answers name. One query. own: the boards of the
    person.
    """
    games = Game.objects.filter(round__section=section, round__number=number)
    if own is not None:
        games = games.filter(reduce(or_, (Q(board__range=(each.first, each.last)) for each in own)))
    return games.select_related("entered_by", "second_by", "over_by").order_by("board")


def game_json(game: Game) -> dict[str, Any]:
    """Return what a page shows of a game: who entered what, who read the slip again, whether the game is over."""
    return {
        "id": game.pk,
        "board": game.board,
        "result": game.result,
        "version": game.version,
        "by": game.entered_by.label if game.entered_by else "",
        "at": clock(game.entered_at),
        "second": game.second_result,
        "second_by": game.second_by.label if game.second_by else "",
        "second_at": clock(game.second_at),
        "over": game.over_at is not None,
        "over_by": game.over_by.label if game.over_by else "",
        "over_at": clock(game.over_at),
    }


def short_states(section: Section, round_id: int, own: OwnBoards) -> list[dict[str, Any]]:
    """Return the games of a long round as `game_json`, by board, without what is empty. own: as in `games_of`."""
    games = [game for game in rows_of(section).games_of.get(round_id, ()) if are_own(game.board, own)]
    return [{name: value for name, value in game_json(game).items() if value} for game in games]


def state(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Return the results of the person's boards for an open page; 204 if nothing has changed.

    token: another log-in has made the one of the page worthless. user: who is logged in now; what somebody else
    typed is not for this session.
    """
    if request.GET.get("seen") == str(section.revision):
        return HttpResponse(status=204)
    return JsonResponse(
        {
            "revision": section.revision,
            "boards": [game_json(game) for game in games_of(section, number, request.boards)],
            **login_state(request),
        }
    )


def _move(act: Callable[[PersonRequest, int], Game]) -> Callable[..., HttpResponse]:
    """Return a view that does one thing to a game: 200 with the game, 409 with what is stored instead, 422, 403.

    user: by whom it was typed. A browser that several people use may send it when another one has logged in; it is
    refused then, for nobody's result goes into the log under another name.
    """

    @section_page("POST", permission=RESULTS)
    def view(request: PersonRequest, section: Section, game: int) -> HttpResponse:
        here = Game.objects.filter(pk=game, round__section=section)
        if not here.exists():
            raise Http404
        if refusal := other_login(request):
            return refusal
        try:
            row = act(request, game)
        except DomainError as error:
            answer: dict[str, Any] = {"code": error.code, "sentence": explain(error), "answer": error.answer}
            if error.code == "stale_result":
                answer |= {name: error.params[name] for name in ("theirs", "version", "by")}
                answer["at"] = clock(error.params["at"])
            if error.code in FINISHED and Right.DIRECT in request.rights:
                answer["correct"] = _correction(request, section, here.select_related("round").get())
            if error.code in WAITS:
                stands = here.select_related("entered_by", "second_by", "over_by").first()
                answer["stands"] = game_json(stands) if stands else None
            return JsonResponse(answer, status=error.status)
        return JsonResponse(game_json(row))

    return view


def _correction(request: PersonRequest, section: Section, game: Game) -> str:
    """Return the address of the correction of a game, with the typed result."""
    address = section_url("correct", section, number=game.round.number, board=game.board)
    return f"{address}?{urlencode({'result': _chosen(request)})}"


def _chosen(request: PersonRequest) -> str:
    return request.POST.get("result", "")[:MAX_RESULT]


record = _move(
    lambda request, game: record_result(
        actor=actor_of(request),
        game_id=game,
        result=_chosen(request),
        seen_version=seen_number(request, "version"),
        confirmed=answers_of(request, game, _chosen(request)),
        typed=True,
    )
)
confirm = _move(
    lambda request, game: confirm_result(
        actor=actor_of(request),
        game_id=game,
        result=_chosen(request),
        seen_version=seen_number(request, "version"),
    )
)
over = _move(
    lambda request, game: mark_over(
        actor=actor_of(request),
        game_id=game,
        over=request.POST.get("result") == "over",
        seen_version=seen_number(request, "version"),
    )
)


def clock(moment: datetime | None) -> str:
    """Hours and minutes on the clock of this installation."""
    return date_format(localtime(moment), "H:i") if moment else ""
