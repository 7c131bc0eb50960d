"""Results: the page on which they are typed, and what each key sends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.utils.formats import date_format
from django.utils.timezone import localtime

from tournaments.actions.results import record_result
from tournaments.errors import DomainError
from tournaments.models import Game, Round, Tournament
from tournaments.queries.pairings import BoardRow, RoundView, round_board_list
from tournaments.web.context import section_context, section_url
from tournaments.web.messages import explain
from tournaments.web.views.public.finding import find_key

from .access import actor_of, section_page
from .rounds import seen_number

MAX_RESULT = 8


@dataclass(frozen=True, slots=True)
class Line:
    """A board as the page shows it.

    chosen: what its menu shows. problem: why the choice was not taken. open: its result may change: in a finished
    round only that of an adjourned game.
    """

    row: BoardRow
    chosen: str
    open: bool
    problem: str = ""

    @property
    def key(self) -> str:
        """What the search looks through."""
        return find_key(self.row.white.name, self.row.black.name)


@section_page("GET", "HEAD", "POST")
def enter_results(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """All boards of a round. A script sends each key by itself; without one, the whole page is a form."""
    if request.method == "POST":
        return _save_all(request, tournament, _view(tournament, number))
    if request.headers.get("Accept", "").startswith("application/json"):
        return _state(request, tournament, number)
    return _page(request, tournament, _view(tournament, number), {})


def _view(tournament: Tournament, number: int) -> RoundView:
    try:
        return round_board_list(tournament, number, include_drafts=True)
    except Round.DoesNotExist as error:
        raise Http404 from error


def _state(request: HttpRequest, tournament: Tournament, number: int) -> HttpResponse:
    """What stands on every board, for a page that is open already; 204 while nothing has changed.

    token: another log-in has made the one of the page worthless.
    """
    if request.GET.get("seen") == str(tournament.revision):
        return HttpResponse(status=204)
    games = Game.objects.filter(round__tournament=tournament, round__number=number).select_related(
        "entered_by"
    )
    boards = [
        {
            "id": game.pk,
            "result": game.result,
            "version": game.version,
            "by": game.entered_by.label if game.entered_by else "",
        }
        for game in games.order_by("board")
    ]
    return JsonResponse({"revision": tournament.revision, "boards": boards, "token": get_token(request)})


def _page(
    request: HttpRequest,
    tournament: Tournament,
    view: RoundView,
    refused: Mapping[int, tuple[str, DomainError]],
) -> HttpResponse:
    """refused: by game, what was chosen and why it was not taken."""
    lines = []
    for row in view.boards:
        chosen, error = refused.get(row.game_id, (row.result or "", None))
        may_change = not tournament.is_closed and (view.is_published or (view.is_finished and row.adjourned))
        lines.append(Line(row, str(chosen), may_change, explain(error) if error else ""))
    shown = [line for line in lines if line.row.open] if request.GET.get("show") == "missing" else lines
    half = (len(shown) + 1) // 2
    context = {
        **section_context(request, tournament, "results", view.number),
        "round": view,
        "columns": [column for column in (shown[:half], shown[half:]) if column],
        "missing_only": request.GET.get("show") == "missing",
        "editable": any(line.open for line in lines),
        "refused": len(refused),
    }
    status = max((error.status for _chosen, error in refused.values()), default=200)
    return render(request, "staff/results.html", context, status=status)


def _save_all(request: HttpRequest, tournament: Tournament, view: RoundView) -> HttpResponse:
    """Record what the form changed, board by board; show again those that were refused."""
    refused: dict[int, tuple[str, DomainError]] = {}
    actor = actor_of(request)
    for row in view.boards:
        chosen = _changed(request.POST, row.game_id)
        if chosen is None:
            continue
        version = seen_number(request, f"version-{row.game_id}")
        try:
            record_result(actor=actor, game_id=row.game_id, result=chosen, seen_version=version)
        except DomainError as error:
            refused[row.game_id] = (chosen, error)
    if refused:
        tournament.refresh_from_db()
        return _page(request, tournament, _view(tournament, view.number), refused)
    return redirect(section_url("enter-results", tournament, number=view.number))


def _changed(sent: QueryDict, game: int) -> str | None:
    """The result chosen for a game, or None where the person left the menu as it was."""
    chosen, before = sent.get(f"result-{game}"), sent.get(f"was-{game}", "")
    return None if chosen is None or chosen == before else chosen[:MAX_RESULT]


@section_page("POST")
def record(request: HttpRequest, tournament: Tournament, game: int) -> HttpResponse:
    """One result, for the script: 200 with the new version, 409 with what stands there instead, 422."""
    if not Game.objects.filter(pk=game, round__tournament=tournament).exists():
        raise Http404
    chosen = request.POST.get("result", "")[:MAX_RESULT]
    version = seen_number(request, "version")
    try:
        row = record_result(actor=actor_of(request), game_id=game, result=chosen, seen_version=version)
    except DomainError as error:
        return JsonResponse(_refusal(error), status=error.status)
    return JsonResponse({"result": row.result, "version": row.version})


def _refusal(error: DomainError) -> dict[str, Any]:
    answer: dict[str, Any] = {"code": error.code, "sentence": explain(error)}
    if error.code == "stale_result":
        answer |= {name: error.params[name] for name in ("theirs", "version", "by")}
        answer["at"] = _clock(error.params["at"])
    return answer


def _clock(moment: str) -> str:
    """Hours and minutes on the clock of this installation."""
    return date_format(localtime(datetime.fromisoformat(moment)), "H:i") if moment else ""
