"""The screen of the hall: a list that turns its pages by itself, follows the section, and counts down to the
round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.models.published_list import ARO
from tournaments.queries.pairings import name_list, round_board_list
from tournaments.queries.shown_list import shown_aro, shown_list
from tournaments.queries.standings import standings_table
from tournaments.web.views.public.finding import by_name
from tournaments.web.views.public.pairings import latest_round
from tournaments.web.views.public.visits import Visit, between, one_of, visitor_page
from tournaments.web.words.completeness import standings_heading

FEWEST_ROWS, ROWS, MOST_ROWS = 6, 10, 12
MOST_TIE_BREAKS = 7
"""Columns of tie-breaks that can be read from ten metres beside the names. With more than one, a page has one list."""
FEWEST_SECONDS, SECONDS, MOST_SECONDS = 5, 12, 120
THEMES = ("light", "dark")

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of a screen. label: its place (1–10). title: the same in words. The rows are in columns."""

    label: str
    title: str
    columns: tuple[Sequence[Any], ...]


@visitor_page(
    polled=True,
    clock=True,
    show=lambda typed: typed if typed in SHOWS else "",
    rows=between(FEWEST_ROWS, MOST_ROWS),
    seconds=between(FEWEST_SECONDS, MOST_SECONDS),
    theme=one_of(*THEMES),
)
def screen(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show a list on a screen. ?show= boards, names, standings or aro; ?rows= on a page, ?seconds= a page,
    ?theme= light or dark.

    Drafts are never shown, even if an arbiter is logged in at the projector. An open screen asks with the
    revision that it shows, `seen`, and is answered 204 while this has not changed. X-Now is the server's time
    in milliseconds since 1970, X-Clock the same time as the hall's clock shows it.
    """
    return render(request, "public/screen.html", _context(request, replace(visit, staff=False)))


def _context(request: HttpRequest, visit: Visit) -> dict[str, Any]:
    section = visit.section
    show = request.GET.get("show", "boards")
    rows = int(request.GET.get("rows", ROWS))
    return {
        "section": section,
        "event": section.event,
        "show": show,
        "rows": rows,
        "theme": request.GET.get("theme", THEMES[0]),
        "seconds": int(request.GET.get("seconds", SECONDS)),
        "countdown": round(section.countdown_to.timestamp() * 1000) if section.countdown_to else "",
        **SHOWS[show](visit, rows),
    }


def _boards(visit: Visit, rows: int) -> dict[str, Any]:
    number = latest_round(visit)
    if number is None:
        return _nothing()
    shown = round_board_list(visit.section, number)
    boards = [_leaf(chunk, str(chunk[0].board), str(chunk[-1].board)) for chunk in chunks(shown.boards, rows)]
    byes = [Leaf(_("byes"), _("Byes"), (chunk,)) for chunk in chunks(shown.byes, rows)]
    if boards and byes and len(boards[-1].columns[0]) + len(shown.byes) <= rows:
        last = boards.pop()
        byes = [replace(last, columns=((*last.columns[0], *shown.byes),))]
    return _leaves_context(_round(number), number, [*boards, *byes], hundreds=shown.total > 99)


def _leaf(chunk: Sequence[Any], first: str, last: str) -> Leaf:
    where = {"first": first, "last": last}
    title = _("Board %(first)s") if first == last else _("Boards %(first)s to %(last)s")
    return Leaf(_range(first, last), title % where, (chunk,))


def _names(visit: Visit, rows: int) -> dict[str, Any]:
    number = latest_round(visit)
    if number is None:
        return _nothing()
    listed = by_name(name_list(visit.section, number).rows)
    leaves = []
    for chunk in chunks(listed, 2 * rows):
        label = _range(chunk[0].name[:3].strip(" ,"), chunk[-1].name[:3].strip(" ,"))
        leaves.append(Leaf(label, label, (chunk[:rows], chunk[rows:])))
    return _leaves_context(_round(number), number, leaves)


def _standings(visit: Visit, rows: int) -> dict[str, Any]:
    table = standings_table(visit.section)
    heading = standings_heading(table)
    columns = table.columns[:MOST_TIE_BREAKS]
    leaves = _places(table.rows, rows, lists=1 if len(columns) > 1 else 2)
    shown = _leaves_context(heading, table.after_round, leaves, hundreds=len(table.rows) > 99)
    return {**shown, "columns": columns}


def _aro(visit: Visit, rows: int) -> dict[str, Any]:
    shown = shown_list(visit.section, ARO)
    listed, _former, _people = shown_aro(visit.section, shown)
    if listed is None:
        return _leaves_context(_("No ARO list has been published yet"), 0, [])
    heading = _("ARO list before round %(number)s") % {"number": listed.before_round}
    playing = [row for row in listed.rows if not row.withdrawn]
    return _leaves_context(heading, listed.before_round, _places(playing, rows), hundreds=len(playing) > 99)


def _places(listed: Sequence[Any], rows: int, lists: int = 2) -> list[Leaf]:
    """Return the pages of a list by place. lists: beside each other on a page."""
    leaves = []
    for at, chunk in enumerate(chunks(listed, lists * rows)):
        label = _range(str(lists * rows * at + 1), str(lists * rows * at + len(chunk)))
        leaves.append(Leaf(label, label, (chunk[:rows], chunk[rows:])))
    return leaves


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}–{last}"


def _round(number: int) -> str:
    return _("Round %(number)s") % {"number": number}


def _nothing() -> dict[str, Any]:
    return _leaves_context(_("Before round 1"), 0, [])


def _leaves_context(
    heading: str, shown: int, leaves: list[Leaf], *, hundreds: bool = False
) -> dict[str, Any]:
    """Return the context of a screen. shown: the round, by which a screen notices a new one. hundreds: numbers
    have three digits and need room.
    """
    return {"heading": heading, "shown": shown, "leaves": leaves, "hundreds": hundreds}


def chunks(rows: Sequence[Row], size: int) -> list[Sequence[Row]]:
    """Split the rows into pieces of `size`. The last piece may be shorter."""
    return [rows[first : first + size] for first in range(0, len(rows), size)]


SHOWS: dict[str, Callable[[Visit, int], dict[str, Any]]] = {
    "boards": _boards,
    "names": _names,
    "standings": _standings,
    "aro": _aro,
}
