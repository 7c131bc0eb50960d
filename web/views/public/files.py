"""The public lists as CSV and XLSX. A file holds no more than its page."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse

from tournaments.exports import end_csv, lists_csv
from tournaments.exports.fairness import fairness_csv
from tournaments.exports.published_csv import published_csv
from tournaments.exports.table_files import Write
from tournaments.models import Round
from tournaments.queries.fairness import fairness
from web.downloads import file_name, table_download
from web.views.public.aro import list_for, ordered
from web.views.public.pairings import latest_round
from web.views.public.published import table_for
from web.views.public.statistics import refuse_before_the_end
from web.views.public.visits import Visit, visitor_page


@visitor_page()
def list_file(
    request: HttpRequest, visit: Visit, document: str, number: int | None = None, kind: str = "csv"
) -> HttpResponse:
    """Send a list as CSV or XLSX, about round `number` or as it is now. Drafts are for arbiters only."""
    make = LISTS.get(document)
    if make is None:
        raise Http404
    ending = f"-{document}" if number is None else f"-{document}-{number}"
    return table_download(lambda write: make(visit, number, write), file_name(visit.section, ending), kind)


def _pairings(visit: Visit, number: int | None, write: Write) -> bytes:
    shown = latest_round(visit) if number is None else number
    if shown is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return lists_csv.pairings_csv(visit.section, shown, include_drafts=visit.staff, write=write)


def _aro(visit: Visit, number: int | None, write: Write, order: str = "") -> bytes:
    listed, about = list_for(visit, number)
    return lists_csv.aro_csv(
        listed, ordered=(lambda _rows: ordered(listed, order)) if order else tuple, about=about, write=write
    )


def _published(visit: Visit, number: int | None, write: Write) -> bytes:
    found = table_for(visit.section, number)
    rows = [
        (
            line.row,
            [f"{cell.opponent}{cell.colour.value if cell.colour else ''}{cell.sign}" for cell in line.cells],
        )
        for line in found.lines
    ]
    return published_csv(found.table, found.heads, rows, about=found.about, write=write)


def _fairness(visit: Visit, _number: int | None, write: Write) -> bytes:
    if visit.section.fixed_rounds:
        raise Http404
    return fairness_csv(fairness(visit.section), write=write)


def _of_the_end(make: Callable[..., bytes]) -> Callable[[Visit, int | None, Write], bytes]:
    """Return the maker of a table that visitors see when the section is closed."""

    def of_closed(visit: Visit, _number: int | None, write: Write) -> bytes:
        refuse_before_the_end(visit)
        return make(visit.section, write=write)

    return of_closed


def _all_rounds(visit: Visit, _number: int | None, write: Write) -> bytes:
    return lists_csv.all_rounds_csv(visit.section, include_drafts=visit.staff, write=write)


LISTS: dict[str, Callable[[Visit, int | None, Write], bytes]] = {
    "pairings": _pairings,
    "standings": lambda visit, number, write: lists_csv.standings_csv(visit.section, number, write=write),
    "crosstable": lambda visit, number, write: lists_csv.crosstable_csv(visit.section, number, write=write),
    "published": _published,
    "fairness": _fairness,
    "aro": _aro,
    "aro-names": lambda visit, number, write: _aro(visit, number, write, "name"),
    "aro-ranks": lambda visit, number, write: _aro(visit, number, write, "rank"),
    "all-rounds": _all_rounds,
    "statistics": _of_the_end(end_csv.statistics_csv),
    "rating-differences": _of_the_end(end_csv.differences_csv),
    "federations": _of_the_end(end_csv.federations_csv),
    "players": lambda visit, _number, write: lists_csv.players_csv(visit.section, write=write),
}
