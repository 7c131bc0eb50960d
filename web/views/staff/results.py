"""Results: the page of a round on which they are typed, and the page of one board. Both are plain forms as well."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect, render

from tournaments.actions.results import confirm_result, not_own, record_result
from tournaments.boards import are_own
from tournaments.errors import DomainError
from tournaments.models import Game, ResultKeys, Round, Section
from tournaments.queries.pairings import BoardRow, RoundView, round_board_list
from tournaments.queries.waiting_on_devices import results_on_devices
from tournaments.rights import Right
from web.context import section_context, section_url
from web.matters import device_words
from web.requests import PersonRequest
from web.views.public.finding import find_key
from web.views.public.parts import PART, WHOLE, cut, part_number
from web.words.refusals import explain

from .access import RESULTS, actor_of, answers_of, section_page
from .result_moves import MAX_RESULT, game_json, games_of, short_states, state
from .rounds import seen_number

Refusals = Mapping[int, tuple[str, DomainError]]  # by game, what was chosen and why it was not taken


@dataclass(frozen=True, slots=True)
class Line:
    """A board as the page shows it.

    chosen: what its menu shows. problem: why the choice was not taken; with the answer it is, when it is sent again.
    open: its result may change: in a finished round only that of an adjourned game.
    """

    row: BoardRow
    chosen: str
    open: bool
    problem: str = ""
    answer: str = ""

    @property
    def key(self) -> str:
        """What the search looks through."""
        return find_key(self.row.white.name, self.row.black.name)


@section_page("GET", "HEAD", "POST", permission=RESULTS)
def enter_results(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """All boards of a round. A script sends each key by itself; without one, the whole page is a form."""
    if request.method != "POST" and Right.RESULTS not in request.rights:
        return redirect(section_url("results", section, number=number))
    if request.method == "POST":
        view = _view(request, section, number)
        refused = _save(request, view.boards)
        if refused:
            section.refresh_from_db()
            return _page(request, section, _view(request, section, number), refused)
        place = section_url("enter-results", section, number=number)
        return redirect(f"{place}?{request.GET.urlencode()}" if _in_parts(view) and request.GET else place)
    if request.headers.get("Accept", "").startswith("application/json"):
        return state(request, section, number)
    view = _view(request, section, number)
    if "rows" in request.GET:
        return _rows(request, section, view)
    wanted = request.GET.get("board", "")
    if wanted and wanted in {str(row.board) for row in view.boards}:  # the field of a board's page
        return redirect(section_url("board-result", section, number=number, board=int(wanted)))
    return _page(request, section, view, {})


@section_page("GET", "HEAD", "POST", permission=RESULTS)
def board_result(request: PersonRequest, section: Section, number: int, board: int) -> HttpResponse:
    """One board: where the code on its slip leads, for an arbiter's phone."""
    view, row = _board(request, section, number, board)
    refused: Refusals = {}
    if request.method == "POST":
        refused = _save(request, [row])
        if not refused:
            return redirect(section_url("board-result", section, number=number, board=board))
        section.refresh_from_db()
        view, row = _board(request, section, number, board)
    boards = [each.board for each in view.boards]
    place = boards.index(board)
    context = {
        **_context(request, section, view, [row], refused),
        "row": row,
        "untouched": _as_the_rules_paired(view, row),
        "before": boards[place - 1] if place else None,
        "after": boards[place + 1] if place + 1 < len(boards) else None,
    }
    return render(request, "staff/board.html", context, status=_status(refused))


def _view(request: PersonRequest, section: Section, number: int) -> RoundView:
    """Return the boards of a round that are the person's. A draft is for those who see the section, not for a result
    clerk.
    """
    try:
        found = round_board_list(section, number, include_drafts=Right.SEE in request.rights)
    except Round.DoesNotExist as error:
        raise Http404 from error
    return found.only(request.boards)


def _board(request: PersonRequest, section: Section, number: int, board: int) -> tuple[RoundView, BoardRow]:
    view = _view(request, section, number)
    for row in view.boards:
        if row.board == board:
            return view, row
    if are_own(board, request.boards):
        raise Http404
    raise PermissionDenied(explain(not_own(board, request.boards)))


def _as_the_rules_paired(view: RoundView, row: BoardRow) -> bool:
    """Whether a board of a round that was paired by hand is as the engine would have had it."""
    if not view.manual or view.manual_phase:
        return False
    pairing = Round.objects.values_list("engine_pairing", flat=True).get(pk=view.round_id)
    return [row.white.participant_id, row.black.participant_id] in pairing.get("pairs", [])


def _page(request: PersonRequest, section: Section, view: RoundView, refused: Refusals) -> HttpResponse:
    show = request.GET.get("show", "")
    rows = {"missing": view.open, "clashes": view.in_conflict}.get(show, view.boards)
    part = cut(request, rows, "show", long=_in_parts(view))
    context = _context(request, section, view, part.rows, refused)
    lines = context["lines"]
    half = (len(lines) + 1) // 2
    if part.long and not context["editable"]:
        half = len(lines)  # the script of lists in parts adds rows to one table
    context |= {
        "columns": [column for column in (lines[:half], lines[half:]) if column],
        "show": show if show in {"missing", "clashes"} else "all",
        "part": part,
        "waiting_elsewhere": device_words(results_on_devices(section, view.number)),
    }
    if part.long and context["editable"]:
        context |= {"states": short_states(section, view.round_id, request.boards), "part_rows": PART}
    return render(request, "staff/results.html", context, status=_status(refused))


def _in_parts(view: RoundView) -> bool:
    """Return whether the page shows the boards in parts. The results of games that were adjourned are entered on the
    whole page when the round is finished: its script has the boards alone that can change.
    """
    return view.total > WHOLE and not (view.is_finished and view.adjourned)


def _rows(request: PersonRequest, section: Section, view: RoundView) -> HttpResponse:
    """Return a part of the boards alone, from which static/js/results/names.js takes names and points."""
    number = int(part_number(request.GET["rows"]) or "1")
    context = _context(request, section, view, view.boards[(number - 1) * PART : number * PART], {})
    return render(request, "staff/results_rows.html", context)


def _context(
    request: PersonRequest, section: Section, view: RoundView, rows: Sequence[BoardRow], refused: Refusals
) -> dict[str, Any]:
    lines = []
    enters = Right.RESULTS in request.rights and not section.is_closed
    for row in rows:
        chosen, error = refused.get(row.game_id, (row.result or "", None))
        may_change = enters and (view.is_published or (view.is_finished and row.adjourned))
        answer = error.answer if error is not None else ""
        lines.append(Line(row, str(chosen), may_change, explain(error) if error else "", answer))
    games = games_of(section, view.number, request.boards)
    if len(rows) < view.total:
        games = games.filter(pk__in=[row.game_id for row in rows])
    return {
        **section_context(request, section, "results", view.number),
        "round": view,
        "lines": lines,
        "states": [game_json(game) for game in games],
        "editable": any(line.open for line in lines),
        "refused": len(refused),
        "schemes": ResultKeys.choices,
        "own_boards": [str(each) for each in request.boards or ()],
    }


def _status(refused: Refusals) -> int:
    return max((error.status for _chosen, error in refused.values()), default=200)


def _save(request: PersonRequest, rows: Sequence[BoardRow]) -> dict[int, tuple[str, DomainError]]:
    """Record what the form changed, board by board, or settle the difference that its button names.

    Return those that were refused.
    """
    refused: dict[int, tuple[str, DomainError]] = {}
    actor = actor_of(request)
    for row in rows:
        chosen = _changed(request.POST, row.game_id)
        answers = answers_of(request, row.game_id, chosen)
        action: Callable[..., Game] = partial(record_result, confirmed=answers, typed=True)
        if request.POST.get("keep") == str(row.game_id):
            action, chosen = confirm_result, str(row.result or "")
        elif request.POST.get("take") == str(row.game_id):
            chosen = str(row.second or "")
        if chosen is None:
            continue
        version = seen_number(request, f"version-{row.game_id}")
        try:
            action(actor=actor, game_id=row.game_id, result=chosen, seen_version=version)
        except DomainError as error:
            refused[row.game_id] = (chosen, error)
    return refused


def _changed(sent: QueryDict, game: int) -> str | None:
    """The result chosen for a game, or None where the person left the menu as it was."""
    chosen, before = sent.get(f"result-{game}"), sent.get(f"was-{game}", "")
    return None if chosen is None or chosen == before else chosen[:MAX_RESULT]
