"""The public lists as CSV. A file holds no more than its page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse

from tournaments.exports import lists_csv
from tournaments.exports.fairness import fairness_csv
from tournaments.exports.published_csv import published_csv
from tournaments.models import Round
from tournaments.queries.fairness import fairness
from tournaments.web.downloads import CSV, download, file_name
from tournaments.web.views.public.aro import list_for, ordered
from tournaments.web.views.public.pairings import latest_round
from tournaments.web.views.public.published import table_for
from tournaments.web.views.public.visits import Visit, visitor_page


@visitor_page()
def list_csv(request: HttpRequest, visit: Visit, document: str, number: int | None = None) -> HttpResponse:
    """Send a list as CSV, about round `number` or as it is now. Drafts are for arbiters only."""
    make = LISTS.get(document)
    if make is None:
        raise Http404
    content = make(visit, number)
    ending = f"-{document}.csv" if number is None else f"-{document}-{number}.csv"
    return download(content, file_name(visit.section, ending), CSV)


def _pairings(visit: Visit, number: int | None) -> bytes:
    shown = latest_round(visit) if number is None else number
    if shown is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return lists_csv.pairings_csv(visit.section, shown, include_drafts=visit.staff)


def _aro(visit: Visit, number: int | None, order: str = "") -> bytes:
    listed, about = list_for(visit, number)
    return lists_csv.aro_csv(
        listed, ordered=(lambda _rows: ordered(listed, order)) if order else tuple, about=about
    )


def _published(visit: Visit, number: int | None) -> bytes:
    found = table_for(visit.section, number)
    rows = [
        (
            line.row,
            [f"{cell.opponent}{cell.colour.value if cell.colour else ''}{cell.sign}" for cell in line.cells],
        )
        for line in found.lines
    ]
    return published_csv(found.table, found.heads, rows, about=found.about)


def _fairness(visit: Visit, _number: int | None) -> bytes:
    if visit.section.fixed_rounds:
        raise Http404
    return fairness_csv(fairness(visit.section))


def _all_rounds(visit: Visit, _number: int | None) -> bytes:
    return lists_csv.all_rounds_csv(visit.section, include_drafts=visit.staff)


LISTS: dict[str, Callable[[Visit, int | None], bytes]] = {
    "pairings": _pairings,
    "standings": lambda visit, number: lists_csv.standings_csv(visit.section, number),
    "crosstable": lambda visit, number: lists_csv.crosstable_csv(visit.section, number),
    "published": _published,
    "fairness": _fairness,
    "aro": _aro,
    "aro-names": lambda visit, number: _aro(visit, number, "name"),
    "aro-ranks": lambda visit, number: _aro(visit, number, "rank"),
    "all-rounds": _all_rounds,
    "players": lambda visit, _number: lists_csv.players_csv(visit.section),
}
