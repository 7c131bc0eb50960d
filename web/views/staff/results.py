"""Results: the page of a round on which they are typed, the page of one board, and boards without a clear result.

The pages are plain forms as well; static/js/results sends single keys and asks for the state as JSON.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial, reduce
from operator import or_
from typing import Any
from urllib.parse import urlencode

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from base.reader import date_format
from evenboard_engine import Colour, Result
from tournaments.actions.ledger import steps_taken
from tournaments.actions.player_results import renew_player_link
from tournaments.actions.presence import forfeit_absent
from tournaments.actions.results import confirm_result, mark_over, not_own, record_result
from tournaments.errors import DomainError
from tournaments.models import Game, ResultKeys, Round, Section
from tournaments.models.events import OwnBoards, are_own
from tournaments.queries.entries import leaving
from tournaments.queries.field import PlayerCell
from tournaments.queries.player_results import player_links
from tournaments.queries.rounds import BoardRow, RoundPairings, round_board_list
from tournaments.queries.row_cache import cached_rows_of
from tournaments.queries.waiting_on_devices import results_on_devices
from tournaments.rights import Right
from web.context import section_context, section_url
from web.qr import public_url, qr_svg
from web.requests import PersonRequest
from web.views.public.lists import PART, WHOLE, cut, find_key, part_number
from web.views.staff.access import offer_undo
from web.words.next_step_checks import device_words
from web.words.refusals import explain
from web.words.values import disputed_words, reader_words

from .access import RESULTS, actor_of, answers_of, came_from, login_state, other_login, section_page
from .cockpit import cockpit_page
from .rounds import seen_number

# JSON for static/js/results: what single keys send, and what an open Results page asks for.

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
        "by": reader_words(game.entered_by.label if game.entered_by else "", game.result, game.pressed),
        "at": clock(game.entered_at),
        "second": game.second_result,
        "second_by": reader_words(
            game.second_by.label if game.second_by else "", game.second_result, game.pressed
        ),
        "second_at": clock(game.second_at),
        "over": game.over_at is not None,
        "over_by": game.over_by.label if game.over_by else "",
        "over_at": clock(game.over_at),
        "disputed": disputed_words(game) if game.is_disputed else "",
    }


def short_states(section: Section, round_id: int, own: OwnBoards) -> list[dict[str, Any]]:
    """Return the games of a long round as `game_json`, by board, without what is empty. own: as in `games_of`."""
    games = [game for game in cached_rows_of(section).games_of.get(round_id, ()) if are_own(game.board, own)]
    return [{name: value for name, value in game_json(game).items() if value} for game in games]


def results_state(request: PersonRequest, section: Section, number: int) -> HttpResponse:
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


record_result_key = _move(
    lambda request, game: record_result(
        actor=actor_of(request),
        game_id=game,
        result=_chosen(request),
        seen_version=seen_number(request, "version"),
        confirmed=answers_of(request, game, _chosen(request)),
        typed=True,
    )
)
confirm_result_key = _move(
    lambda request, game: confirm_result(
        actor=actor_of(request),
        game_id=game,
        result=_chosen(request),
        seen_version=seen_number(request, "version"),
    )
)
mark_over_key = _move(
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


# Results: the page of a round on which they are typed, and the page of one board. Both are plain forms as
# well.

Refusals = Mapping[int, tuple[str, DomainError]]  # by game, what was chosen and why it was not taken


OF_ENTRY = re.compile(r"/round/\d+/(?:results|board/\d+)/")
"""Pages of entry, between which the page of a board has links of its own."""


@dataclass(frozen=True, slots=True)
class BoardLine:
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
        return results_state(request, section, number)
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
    view, row = board_of(request, section, number, board)
    back = came_from(request, section)
    back = "" if OF_ENTRY.search(back) else back
    refused: Refusals = {}
    if request.method == "POST":
        refused = _save(request, [row])
        if not refused:
            return redirect(back or section_url("board-result", section, number=number, board=board))
        section.refresh_from_db()
        view, row = board_of(request, section, number, board)
    boards = [each.board for each in view.boards]
    place = boards.index(board)
    context = {
        **_context(request, section, view, [row], refused),
        "row": row,
        "back": back,
        "untouched": _as_the_rules_paired(view, row),
        "phones": _phones(request, section, view, row) if row.open and view.is_published else (),
        "before": boards[place - 1] if place else None,
        "after": boards[place + 1] if place + 1 < len(boards) else None,
    }
    return render(request, "staff/results_board.html", context, status=_status(refused))


@dataclass(frozen=True, slots=True)
class PlayersPhone:
    """The link of a player to the board. code: the same address as a QR code. pressed: the result, None before that."""

    colour: Colour
    side: PlayerCell
    pressed: Result | None
    url: str
    code: SafeString


def _phones(
    request: PersonRequest, section: Section, view: RoundPairings, row: BoardRow
) -> list[PlayersPhone]:
    """Return the links of both players of a board; none where players do not confirm results. One query."""
    links = player_links(section, view.number)
    found = []
    for colour, side, pressed in (
        (Colour.WHITE, row.white, row.white_pressed),
        (Colour.BLACK, row.black, row.black_pressed),
    ):
        if link := links.get((row.game_id, colour)):
            url = public_url(request, section_url("player-result", section, link=link))
            found.append(PlayersPhone(colour, side, pressed, url, qr_svg(url)))
    return found


@section_page("POST", permission=RESULTS)
def new_player_link(request: PersonRequest, section: Section, game: int) -> HttpResponse:
    """Make the link of a player worthless, and lead back to the board, which shows the new one."""
    row = _game(section, game)
    colour = Colour.BLACK if request.POST.get("colour") == Colour.BLACK else Colour.WHITE
    renew_player_link(actor=actor_of(request), game_id=row.pk, colour=colour)
    board = section_url("board-result", section, number=row.round.number, board=row.board)
    return redirect(f"{board}?code={colour}#phones")


def _view(request: PersonRequest, section: Section, number: int) -> RoundPairings:
    """Return the boards of a round that are the person's. A draft is for those who see the section, not for a result
    clerk.
    """
    try:
        found = round_board_list(section, number, include_drafts=Right.SEE in request.rights)
    except Round.DoesNotExist as error:
        raise Http404 from error
    return found.only(request.boards)


def board_of(
    request: PersonRequest, section: Section, number: int, board: int
) -> tuple[RoundPairings, BoardRow]:
    """Return a round and one of its boards. Raises Http404; PermissionDenied for a board that is not the person's."""
    view = _view(request, section, number)
    for row in view.boards:
        if row.board == board:
            return view, row
    if are_own(board, request.boards):
        raise Http404
    raise PermissionDenied(explain(not_own(board, request.boards)))


def _as_the_rules_paired(view: RoundPairings, row: BoardRow) -> bool:
    """Whether a board of a round that was paired by hand is as the engine would have had it."""
    if not view.manual or view.manual_phase:
        return False
    pairing = Round.objects.values_list("engine_pairing", flat=True).get(pk=view.round_id)
    return [row.white.participant_id, row.black.participant_id] in pairing.get("pairs", [])


def _page(request: PersonRequest, section: Section, view: RoundPairings, refused: Refusals) -> HttpResponse:
    show = request.GET.get("show", "")
    rows = {"missing": view.open, "clashes": view.to_settle}.get(show, view.boards)
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


def _in_parts(view: RoundPairings) -> bool:
    """Return whether the page shows the boards in parts. The results of games that were adjourned are entered on the
    whole page when the round is finished: its script has the boards alone that can change.
    """
    return view.total > WHOLE and not (view.is_finished and view.adjourned)


def _rows(request: PersonRequest, section: Section, view: RoundPairings) -> HttpResponse:
    """Return a part of the boards alone, from which static/js/results/names.js takes names and points."""
    number = int(part_number(request.GET["rows"]) or "1")
    context = _context(request, section, view, view.boards[(number - 1) * PART : number * PART], {})
    return render(request, "staff/results_rows.html", context)


def _context(
    request: PersonRequest, section: Section, view: RoundPairings, rows: Sequence[BoardRow], refused: Refusals
) -> dict[str, Any]:
    lines = []
    at_rest = section.is_closed or section.event.is_archived
    enters = Right.RESULTS in request.rights and not at_rest
    for row in rows:
        chosen, error = refused.get(row.game_id, (row.result or "", None))
        may_change = enters and (view.is_published or (view.is_finished and row.adjourned))
        answer = error.answer if error is not None else ""
        lines.append(BoardLine(row, str(chosen), may_change, explain(error) if error else "", answer))
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
            stays = chosen if chosen in tuple(Result) else str(row.result or "")  # the menu has no other
            refused[row.game_id] = (stays, error)
    return refused


def _changed(sent: QueryDict, game: int) -> str | None:
    """The result chosen for a game, or None where the person left the menu as it was."""
    chosen, before = sent.get(f"result-{game}"), sent.get(f"was-{game}", "")
    return None if chosen is None or chosen == before else chosen[:MAX_RESULT]


# Boards without a clear result: one of two readings is chosen, or a player is absent.


def _game(section: Section, key: int) -> Game:
    related = ("round", "white__player", "black__player")
    game = Game.objects.select_related(*related).filter(pk=key, round__section=section).first()
    if game is None:
        raise Http404
    return game


@section_page("POST")
def settle_game(request: PersonRequest, section: Section, game: int) -> HttpResponse:
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
def mark_absent(request: PersonRequest, section: Section, game: int) -> HttpResponse:
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
    return render(request, "staff/results_absent.html", context, status=status)
