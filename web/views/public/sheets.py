"""What screens in the hall show: lists in pages, and how several screens share them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from django.utils import timezone
from django.utils.translation import gettext as _

from tournaments.models import Section
from tournaments.models.published_list import ARO
from tournaments.queries.pairings import name_list, round_board_list
from tournaments.queries.shown_list import shown_aro, shown_list
from tournaments.queries.standings import standings_table
from web.views.public.finding import by_name
from web.views.public.pairings import latest_round
from web.views.public.results import latest_with_results, newest_first
from web.views.public.visits import Visit
from web.words.completeness import standings_heading

MOST_TIE_BREAKS = 7
"""Columns of tie-breaks that can be read from ten metres beside the names. With more than one, a page has one list."""

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class Leaf:
    """One page of a screen. label: its place (1–10). title: the same in words. The rows are in columns."""

    label: str
    title: str
    columns: tuple[Sequence[Any], ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """The pages of one list of one section.

    section: None for what is not of one section. show: which list. shown: the round, by which a screen notices a new
    one. longest: the largest number of a board or place, which needs room. columns: the tie-breaks.
    """

    section: Section | None
    show: str
    heading: str
    shown: int
    leaves: tuple[Leaf, ...] = ()
    longest: int = 0
    columns: Sequence[Any] = field(default=())

    @property
    def classes(self) -> str:
        """Return the classes of its pages for the style sheet."""
        found = {
            self.show: True,
            "single": len(self.columns) > 1,
            "hundreds": self.longest > 99,
            "thousands": self.longest > 999,
        }
        return " ".join(name for name, holds in found.items() if holds)


@dataclass(frozen=True, slots=True)
class Share:
    """How a screen shows a list: rows on a page, and which part of the list if several screens share it."""

    rows: int
    part: int = 1
    parts: int = 1


def sheet_of(section: Section, show: str, share: Share) -> Sheet:
    """Return a list in pages; never of a draft."""
    return SHEETS[show](Visit(section=section, staff=False), share.rows)


def shared(sheets: Sequence[Sheet], share: Share) -> list[Sheet]:
    """Return what this screen shows of lists that several screens share.

    Each screen has as many pages as any other, or one more, and they follow each other. So a board is on the same
    screen for the whole round. If there are fewer pages than screens, several screens show the same page.
    """
    total = sum(len(sheet.leaves) for sheet in sheets)
    first, last = total * (share.part - 1) // share.parts, total * share.part // share.parts
    if 0 < total < share.parts:
        first = (share.part - 1) % total
        last = first + 1
    found, at = [], 0
    for sheet in sheets:
        until = at + len(sheet.leaves)
        kept = sheet.leaves[max(0, first - at) : max(0, last - at)]
        if kept:
            found.append(replace(sheet, leaves=kept))
        at = until
    return found


def boards_sheet(visit: Visit, rows: int) -> Sheet:
    number = latest_round(visit)
    if number is None:
        return _nothing(visit, "boards")
    shown = round_board_list(visit.section, number)
    boards = [_boards_leaf(chunk) for chunk in chunks(shown.boards, rows)]
    byes = [Leaf(_("byes"), _("Byes"), (chunk,)) for chunk in chunks(shown.byes, rows)]
    if boards and byes and len(boards[-1].columns[0]) + len(shown.byes) <= rows:
        last = boards.pop()
        byes = [replace(last, columns=((*last.columns[0], *shown.byes),))]
    return Sheet(visit.section, "boards", _round(number), number, (*boards, *byes), longest=shown.total)


def results_sheet(visit: Visit, rows: int) -> Sheet:
    """Return the boards of the round in play with their results; of the round before until there is one."""
    number = latest_with_results(visit)
    if number is None:
        return _nothing(visit, "results")
    shown = round_board_list(visit.section, number)
    leaves = tuple(_boards_leaf(chunk) for chunk in chunks(shown.boards, rows))
    return Sheet(visit.section, "results", _results(number), number, leaves, longest=shown.total)


def newest_sheet(visit: Visit, rows: int) -> Sheet:
    """Return one page with the results that came last."""
    number = latest_with_results(visit)
    if number is None:
        return _nothing(visit, "newest")
    shown = round_board_list(visit.section, number)
    newest = newest_first(shown.boards)[:rows]
    leaves = (Leaf(_("the newest"), _("The newest results"), (newest,)),) if newest else ()
    return Sheet(visit.section, "newest", _results(number), number, leaves, longest=shown.total)


def _boards_leaf(chunk: Sequence[Any]) -> Leaf:
    first, last = str(chunk[0].board), str(chunk[-1].board)
    title = _("Board %(first)s") if first == last else _("Boards %(first)s to %(last)s")
    return Leaf(_range(first, last), title % {"first": first, "last": last}, (chunk,))


def names_sheet(visit: Visit, rows: int) -> Sheet:
    number = latest_round(visit)
    if number is None:
        return _nothing(visit, "names")
    listed = by_name(name_list(visit.section, number).rows)
    leaves = []
    for chunk in chunks(listed, 2 * rows):
        label = _range(chunk[0].name[:3].strip(" ,"), chunk[-1].name[:3].strip(" ,"))
        leaves.append(Leaf(label, label, (chunk[:rows], chunk[rows:])))
    boards = max((row.board or 0 for row in listed), default=0)
    return Sheet(visit.section, "names", _round(number), number, tuple(leaves), longest=boards)


def standings_sheet(visit: Visit, rows: int) -> Sheet:
    table = standings_table(visit.section)
    columns = table.columns[:MOST_TIE_BREAKS]
    return Sheet(
        visit.section,
        "standings",
        standings_heading(table),
        table.after_round,
        _places(table.rows, rows, lists=1 if len(columns) > 1 else 2),
        longest=len(table.rows),
        columns=columns,
    )


def aro_sheet(visit: Visit, rows: int) -> Sheet:
    listed, _former, _people = shown_aro(visit.section, shown_list(visit.section, ARO))
    if listed is None:
        return Sheet(visit.section, "aro", _("No ARO list has been published yet"), 0)
    heading = _("ARO list before round %(number)s") % {"number": listed.before_round}
    playing = [row for row in listed.rows if not row.withdrawn]
    return Sheet(
        visit.section,
        "aro",
        heading,
        listed.before_round,
        _places(playing, rows),
        longest=len(playing),
    )


def clock_sheet(visit: Visit, _rows: int) -> Sheet:
    return Sheet(None, "clock", visit.section.event.name, 0, (Leaf("", "", ()),))


def _places(listed: Sequence[Any], rows: int, lists: int = 2) -> tuple[Leaf, ...]:
    """Return the pages of a list by place. lists: beside each other on a page."""
    leaves = []
    for at, chunk in enumerate(chunks(listed, lists * rows)):
        label = _range(str(lists * rows * at + 1), str(lists * rows * at + len(chunk)))
        leaves.append(Leaf(label, label, (chunk[:rows], chunk[rows:])))
    return tuple(leaves)


def _range(first: str, last: str) -> str:
    return first if first == last else f"{first}–{last}"


def _round(number: int) -> str:
    return _("Round %(number)s") % {"number": number}


def _results(number: int) -> str:
    return _("Results of round %(number)s") % {"number": number}


def _nothing(visit: Visit, show: str) -> Sheet:
    return Sheet(visit.section, show, _("Before round 1"), 0)


def chunks(rows: Sequence[Row], size: int) -> list[Sequence[Row]]:
    """Split the rows into pieces of `size`. The last piece may be shorter."""
    return [rows[first : first + size] for first in range(0, len(rows), size)]


SHEETS: dict[str, Callable[[Visit, int], Sheet]] = {
    "boards": boards_sheet,
    "names": names_sheet,
    "results": results_sheet,
    "newest": newest_sheet,
    "standings": standings_sheet,
    "aro": aro_sheet,
    "clock": clock_sheet,
}


@dataclass(frozen=True, slots=True)
class Start:
    """The beginning of a round for the clock. at: in milliseconds since 1970. words: what stands above the time."""

    at: int
    words: str


def starts(section: Section) -> list[Start]:
    """Return when the rounds of a section begin, as far as the schedule says the time."""
    found = []
    for number in range(1, section.rounds + 1):
        start = section.start_of(number)
        if start and start.time:
            moment = timezone.make_aware(datetime.combine(start.day, start.time))
            words = _("Round %(number)s begins in") % {"number": number}
            found.append(Start(milliseconds(moment), words))
    return found


def milliseconds(moment: datetime) -> int:
    """Return a moment as scripts count it."""
    return round(moment.timestamp() * 1000)
