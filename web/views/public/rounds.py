"""The lists of a round: pairings by board and by name, results by board or newest first; a player's seat and card."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db.models import Max, Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from tournaments.models import Participant, Round
from tournaments.queries.field import current_round_of, unfinished_rounds
from tournaments.queries.persons_page import page_of_entry
from tournaments.queries.player_card import player_card
from tournaments.queries.player_card import public_seat as seat_of
from tournaments.queries.rounds import BoardRow, NameRow, RoundPairings, names_of_round, round_board_list
from web.context import section_context
from web.views.public.lists import (
    Keyed,
    by_name,
    find_key,
    keep_found,
    keyed,
    pairing_number,
    part_number,
    part_of,
    search_of,
    worked_out,
)
from web.views.public.public_page import Visit, about_round, any_text, one_of, poll_query, visitor_page
from web.views.public.standings import sign_of, words_of

# The pairings of a round by board, with the results entered so far, and by name.


@visitor_page(polled=True, part=part_number, q=any_text)
def pairings(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by board; without a number the latest round."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "pairings", shown)
    context["search"] = search_of(request)
    if shown is None:
        return about_round(render(request, "public/rounds_none.html", context), None)
    view, boards = boards_of(visit, shown)
    part = part_of(request, boards)
    asks = number is None or view.is_published
    context |= {"round": view, "part": part}
    context["poll"] = poll_query(visit.section, shown, part.shown) if asks else ""
    context |= without_a_board(view, context["search"]) if part.is_last else {}
    return about_round(render(request, "public/rounds_pairings.html", context), shown)


def boards_of(
    visit: Visit, number: int, *, drafts: bool = True
) -> tuple[RoundPairings, Sequence[Keyed[BoardRow]]]:
    """Return a round and its boards, each with its key. drafts: also of a draft, if the visitor may see it."""

    drafts = visit.staff and drafts

    def make() -> tuple[RoundPairings, Sequence[Keyed[BoardRow]]]:
        view = round_board_list(visit.section, number, include_drafts=drafts)
        return view, keyed(view.boards, lambda row: find_key(row.board, row.white.name, row.black.name))

    return worked_out(visit, ("boards", number, drafts), make, lambda found: len(found[1]))


def without_a_board(view: RoundPairings, search: str) -> dict[str, Any]:
    """Return the players with a bye and those who are out, without those who have withdrawn."""
    out = [row for row in view.out if not row.withdrawn]
    return {
        "byes": keep_found([(row, find_key(row.side.name)) for row in view.byes], search),
        "out": keep_found([(row, find_key(row.side.name)) for row in out], search),
    }


@visitor_page(part=part_number, player=pairing_number, q=any_text)
def names(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Show a round by name. A player who looks for a board first looks for a name."""
    shown = latest_round(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "names", shown)
    context["search"] = search_of(request)
    if shown is None:
        return render(request, "public/rounds_none.html", context)

    view, _boards = boards_of(visit, shown)

    def make() -> Sequence[Keyed[NameRow]]:
        return keyed(by_name(names_of_round(view).rows), lambda row: find_key(row.name, row.board))

    listed = worked_out(visit, ("names", shown), make, len)
    context |= {"round": view, "part": part_of(request, listed, number_of=lambda row: row.tpn)}
    return render(request, "public/rounds_names.html", context)


def latest_round(visit: Visit) -> int | None:
    """Return the number of the round that the visitor looks for, None without one. One query; two for fixed rounds."""
    rounds = visit.section.played_rounds.all()
    if not visit.staff:
        rounds = rounds.exclude(state=Round.State.DRAFT)
    if visit.section.fixed_rounds:
        current = current_round_of(
            visit.section, list(rounds.order_by("number")), unfinished_rounds(visit.section)
        )
        return current.number if current else None
    latest: int | None = rounds.aggregate(latest=Max("number"))["latest"]
    return latest


# The results of a round for everybody: by board, or the newest first.

NEWEST = 5  # results at the head of the list while the round is played


@visitor_page(polled=True, by=one_of("newest"), part=part_number, q=any_text)
def results(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Results by board, or newest first (?by=newest); never of a draft.

    Without a number: the latest round that has a result. A round that is over therefore stays until the first
    result of the next one.
    """
    shown = latest_with_results(visit) if number is None else number
    context: dict[str, Any] = section_context(request, visit.section, "results", shown)
    context["search"] = search_of(request)
    if shown is None:
        return about_round(render(request, "public/rounds_none.html", context | {"of_results": True}), None)
    view, by_board = boards_of(visit, shown, drafts=False)
    order = "newest" if request.GET.get("by") == "newest" else ""
    newest = newest_first(view.boards)
    boards = _newest_keyed(newest, by_board) if order else by_board
    part = part_of(request, boards, "by")
    asks = number is None or view.is_published
    playing = view.missing > 0 and not order and not context["search"] and part.number == 1
    context |= {
        "round": view,
        "part": part,
        "byes": without_a_board(view, context["search"])["byes"] if part.is_last else [],
        "newest": newest[:NEWEST] if playing else [],
        "order": order,
        "poll": poll_query(visit.section, shown, part.shown) if asks else "",
        "later": _later_round(context["latest_round"], shown),
        "numbered": number is not None,
    }
    return about_round(render(request, "public/results.html", context), shown)


def _newest_keyed(newest: Iterable[BoardRow], boards: Sequence[Keyed[BoardRow]]) -> list[Keyed[BoardRow]]:
    """Return the newest results and then the open boards, each with its key."""
    keyed = {row.board: (row, key) for row, key in boards}
    return [*(keyed[row.board] for row in newest), *(each for each in boards if each[0].open)]


def latest_with_results(visit: Visit) -> int | None:
    """Number of the last published round with a result; without any result, of the last one. One query."""
    rounds = visit.section.played_rounds.exclude(state=Round.State.DRAFT)
    found = rounds.aggregate(latest=Max("number"), with_results=Max("number", filter=Q(games__result__gt="")))
    latest: int | None = found["with_results"] or found["latest"]
    return latest


def newest_first(boards: Iterable[BoardRow]) -> list[BoardRow]:
    """The boards with a result: those entered last come first, those without a time (imported) last, by board."""
    entered = [row for row in boards if not row.open]
    return sorted(entered, key=lambda row: (-row.entered_at.timestamp() if row.entered_at else 0, row.board))


def _later_round(latest: Round | None, shown: int) -> Round | None:
    """The latest round, if it comes after the one shown and is published."""
    return latest if latest is not None and latest.number > shown and not latest.is_draft else None


# One player: the card, and the row of a round.


@visitor_page()
def player_page(request: HttpRequest, visit: Visit, tpn: int) -> HttpResponse:
    """Show games, points, ARO and colours of one player."""
    entries = visit.section.participants.select_related("player__joined")
    participant = get_object_or_404(entries, tpn=tpn)
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
        "across": page_of_entry(participant),
        "room": visit.section.room_of(current.turn.board) if current and current.turn.board else None,
    }
    return render(request, "public/player_card.html", context)


@visitor_page()
def seat_page(
    request: HttpRequest, visit: Visit, participant: int, number: int | None = None
) -> HttpResponse:
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
    return render(request, "public/rounds_seat.html", context)
