"""Documents for A4: what hangs on the wall, lies on the boards, or goes to the federation."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Round
from tournaments.queries.aro_list import aro_list
from tournaments.queries.crosstable import crosstable
from tournaments.queries.pairings import name_list, round_board_list
from tournaments.queries.standings import standings_table
from tournaments.web.views.public.cells import crosstable_rows
from tournaments.web.views.public.pairings import by_name, latest_round
from tournaments.web.views.public.visits import Visit, section_page

SLIPS_A_SHEET = 8
ROUNDS_A_CROSSTABLE = 15
NARROW_CROSSTABLE = 7

Thing = TypeVar("Thing")


@section_page
def paper(request: HttpRequest, visit: Visit, document: str, number: int | None = None) -> HttpResponse:
    """A document, about round `number` or the latest; of a draft round, and slips, for arbiters only."""
    make = DOCUMENTS.get(document)
    if make is None:
        raise Http404
    if document == "slips" and not visit.staff:
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.get_full_path())
    context = make(visit, number)
    context |= {"tournament": visit.section, "event": visit.section.event, "document": document}
    return render(request, f"print/{document}.html", context)


def _shown(visit: Visit, number: int | None) -> int:
    shown = latest_round(visit) if number is None else number
    if shown is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return shown


def _boards(visit: Visit, number: int | None) -> dict[str, Any]:
    return {"round": round_board_list(visit.section, _shown(visit, number), include_drafts=visit.staff)}


def _names(visit: Visit, number: int | None) -> dict[str, Any]:
    listed = name_list(visit.section, _shown(visit, number), include_drafts=visit.staff)
    return {"round": listed.round, "rows": by_name(listed.rows)}


def _slips(visit: Visit, number: int | None) -> dict[str, Any]:
    shown = round_board_list(visit.section, _shown(visit, number), include_drafts=visit.staff)
    return {"round": shown, "sheets": cutting_order(shown.boards, SLIPS_A_SHEET)}


def _aro(visit: Visit, number: int | None) -> dict[str, Any]:
    return {"list": aro_list(visit.section, number, include_drafts=visit.staff)}


def _standings(visit: Visit, number: int | None) -> dict[str, Any]:
    return {"table": standings_table(visit.section, number)}


def _crosstable(visit: Visit, number: int | None) -> dict[str, Any]:
    table = crosstable(visit.section, number)
    rows = crosstable_rows(table)
    blocks = [
        {
            "rounds": table.rounds[first : first + ROUNDS_A_CROSSTABLE],
            "rows": [(standing, marks[first : first + ROUNDS_A_CROSSTABLE]) for standing, marks in rows],
        }
        for first in range(0, max(len(table.rounds), 1), ROUNDS_A_CROSSTABLE)
    ]
    return {"table": table, "blocks": blocks, "wide": len(table.rounds) > NARROW_CROSSTABLE}


DOCUMENTS: dict[str, Callable[[Visit, int | None], dict[str, Any]]] = {
    "boards": _boards,
    "names": _names,
    "aro": _aro,
    "standings": _standings,
    "crosstable": _crosstable,
    "slips": _slips,
}


def cutting_order(slips: Sequence[Thing], places: int) -> list[list[Thing | None]]:
    """Lay slips out on sheets of `places` so that the cut pile, put place on place, runs 1, 2, 3 ...

    Place p of sheet s holds slip p * sheets + s; None stands for a place that stays empty.
    """
    sheets = -(-len(slips) // places)
    return [
        [
            slips[place * sheets + sheet] if place * sheets + sheet < len(slips) else None
            for place in range(places)
        ]
        for sheet in range(sheets)
    ]
