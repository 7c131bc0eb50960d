"""The screens of the hall: lists in pages that turn by themselves, follow the section, and count down to the round.

Several screens share one list.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from base.consistent_read import consistent_read
from base.zones import use_zone
from tournaments.actions.hall import note_screen
from tournaments.models import Screen, Section
from tournaments.models.entries import names_for_visitors
from tournaments.models.hall import (
    FEWEST_ROWS,
    FEWEST_SECONDS,
    MOST_PARTS,
    MOST_ROWS,
    MOST_SECONDS,
    ROWS,
    SECONDS,
)
from tournaments.models.published_lists import ARO
from tournaments.queries.published_lists import shown_aro, shown_list
from tournaments.queries.rounds import name_list, round_board_list
from tournaments.queries.standings import standings_table
from web.context import section_context
from web.views.public.lists import by_name
from web.views.public.public_page import (
    Visit,
    between,
    nothing_new,
    one_of,
    program_version,
    send_time,
    visitor_page,
)
from web.views.public.rounds import latest_round, latest_with_results, newest_first
from web.words.standings import standings_heading

# What screens in the hall show: lists in pages, and how several screens share them.

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
class ScreenSheet:
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
class ScreenShare:
    """How a screen shows a list: rows on a page, and which part of the list if several screens share it."""

    rows: int
    part: int = 1
    parts: int = 1


def shared(sheets: Sequence[ScreenSheet], share: ScreenShare) -> list[ScreenSheet]:
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


def boards_sheet(visit: Visit, rows: int) -> ScreenSheet:
    number = latest_round(visit)
    if number is None:
        return _nothing(visit, "boards")
    shown = round_board_list(visit.section, number)
    boards = [_boards_leaf(chunk) for chunk in chunks(shown.boards, rows)]
    byes = [Leaf(_("byes"), _("Byes"), (chunk,)) for chunk in chunks(shown.byes, rows)]
    if boards and byes and len(boards[-1].columns[0]) + len(shown.byes) <= rows:
        last = boards.pop()
        byes = [replace(last, columns=((*last.columns[0], *shown.byes),))]
    return ScreenSheet(visit.section, "boards", _round(number), number, (*boards, *byes), longest=shown.total)


def results_sheet(visit: Visit, rows: int) -> ScreenSheet:
    """Return the boards of the round in play with their results; of the round before until there is one."""
    number = latest_with_results(visit)
    if number is None:
        return _nothing(visit, "results")
    shown = round_board_list(visit.section, number)
    leaves = tuple(_boards_leaf(chunk) for chunk in chunks(shown.boards, rows))
    return ScreenSheet(visit.section, "results", _results(number), number, leaves, longest=shown.total)


def newest_sheet(visit: Visit, rows: int) -> ScreenSheet:
    """Return one page with the results that came last."""
    number = latest_with_results(visit)
    if number is None:
        return _nothing(visit, "newest")
    shown = round_board_list(visit.section, number)
    newest = newest_first(shown.boards)[:rows]
    leaves = (Leaf(_("the newest"), _("The newest results"), (newest,)),) if newest else ()
    return ScreenSheet(visit.section, "newest", _results(number), number, leaves, longest=shown.total)


def _boards_leaf(chunk: Sequence[Any]) -> Leaf:
    first, last = str(chunk[0].board), str(chunk[-1].board)
    title = _("Board %(first)s") if first == last else _("Boards %(first)s to %(last)s")
    return Leaf(_range(first, last), title % {"first": first, "last": last}, (chunk,))


def names_sheet(visit: Visit, rows: int) -> ScreenSheet:
    number = latest_round(visit)
    if number is None:
        return _nothing(visit, "names")
    listed = by_name(name_list(visit.section, number).rows)
    leaves = []
    for chunk in chunks(listed, 2 * rows):
        label = _range(chunk[0].name[:3].strip(" ,"), chunk[-1].name[:3].strip(" ,"))
        leaves.append(Leaf(label, label, (chunk[:rows], chunk[rows:])))
    boards = max((row.board or 0 for row in listed), default=0)
    return ScreenSheet(visit.section, "names", _round(number), number, tuple(leaves), longest=boards)


def standings_sheet(visit: Visit, rows: int) -> ScreenSheet:
    table = standings_table(visit.section)
    columns = table.columns[:MOST_TIE_BREAKS]
    return ScreenSheet(
        visit.section,
        "standings",
        standings_heading(table),
        table.after_round,
        _places(table.rows, rows, lists=1 if len(columns) > 1 else 2),
        longest=len(table.rows),
        columns=columns,
    )


def aro_sheet(visit: Visit, rows: int) -> ScreenSheet:
    listed, _former, _people = shown_aro(visit.section, shown_list(visit.section, ARO))
    if listed is None:
        return ScreenSheet(visit.section, "aro", _("No ARO list has been published yet"), 0)
    heading = _("ARO list before round %(number)s") % {"number": listed.before_round}
    playing = [row for row in listed.rows if not row.withdrawn]
    return ScreenSheet(
        visit.section,
        "aro",
        heading,
        listed.before_round,
        _places(playing, rows),
        longest=len(playing),
    )


def clock_sheet(visit: Visit, _rows: int) -> ScreenSheet:
    return ScreenSheet(None, "clock", visit.section.event.name, 0, (Leaf("", "", ()),))


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


def _nothing(visit: Visit, show: str) -> ScreenSheet:
    return ScreenSheet(visit.section, show, _("Before round 1"), 0)


def chunks(rows: Sequence[Row], size: int) -> list[Sequence[Row]]:
    """Split the rows into pieces of `size`. The last piece may be shorter."""
    return [rows[first : first + size] for first in range(0, len(rows), size)]


SHEETS: dict[str, Callable[[Visit, int], ScreenSheet]] = {
    "boards": boards_sheet,
    "names": names_sheet,
    "results": results_sheet,
    "newest": newest_sheet,
    "standings": standings_sheet,
    "aro": aro_sheet,
    "clock": clock_sheet,
}


@dataclass(frozen=True, slots=True)
class ClockStart:
    """The beginning of a round for the clock. at: in milliseconds since 1970. words: what stands above the time."""

    at: int
    words: str


def starts(section: Section) -> list[ClockStart]:
    """Return when the rounds of a section begin, as far as the schedule says the time."""
    found = []
    for number in range(1, section.rounds + 1):
        start = section.start_of(number)
        if start and start.time:
            moment = timezone.make_aware(datetime.combine(start.day, start.time))
            words = _("Round %(number)s begins in") % {"number": number}
            found.append(ClockStart(milliseconds(moment), words))
    return found


def milliseconds(moment: datetime) -> int:
    """Return a moment as scripts count it."""
    return round(moment.timestamp() * 1000)


# The screens of the hall: a list that turns its pages by itself, follows the section, and counts down to the
# round. The address says what a screen shows, or an arbiter controls it from elsewhere.

THEMES = tuple(Screen.Theme.values)
NEWS = 5_000  # milliseconds between two questions of a screen
NEWS_OF_NAMED = 2_000  # the arbiter who changes it looks at it


@visitor_page(
    polled=True,
    clock=True,
    show=one_of(*SHEETS),
    rows=between(FEWEST_ROWS, MOST_ROWS),
    seconds=between(FEWEST_SECONDS, MOST_SECONDS),
    theme=one_of(*THEMES),
    part=between(1, MOST_PARTS),
    of=between(1, MOST_PARTS),
)
def screen(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show a list on a screen. ?show= boards, names, results, newest, standings, aro or clock; ?rows= on a page,
    ?seconds= a page, ?theme= light or dark, ?part=2&of=3 the second of three screens that share the list.

    Drafts are never shown, even if an arbiter is logged in at the projector. An open screen asks with the
    revision that it shows, `seen`, and is answered 204 while this has not changed. X-Now is the server's time
    in milliseconds since 1970, X-Clock the same time as the hall's clock shows it.
    """
    section, asked = visit.section, request.GET
    parts = int(asked.get("of", 1))
    share = ScreenShare(int(asked.get("rows", ROWS)), min(int(asked.get("part", 1)), parts), parts)
    show = asked.get("show", "boards")
    if show == Screen.Show.ARO and ARO not in section.lists:
        raise Http404
    context = {
        **_context([section], show, share),
        "event": section.event,
        "place": section.name,
        "seen": section.revision,
        "theme": asked.get("theme", THEMES[0]),
        "seconds": int(asked.get("seconds", SECONDS)),
        "news": NEWS,
        "message": section.hall_message,
    }
    return render(request, "public/hall_screen.html", context)


@require_safe
@never_cache
def named_screen(request: HttpRequest, code: str) -> HttpResponse:
    """Show what arbiters have chosen for the screen with this code.

    It asks as `screen` does. What it has seen is the version of the screen and the revisions of its sections.
    """
    with consistent_read(), names_for_visitors():
        found = get_object_or_404(Screen.objects.select_related("event"), code=code)
        if not request.user.has_perm("tournaments.view_section", found.event):
            raise Http404
        use_zone(found.event.time_zone)
        sections = list(found.event.sections.filter(taken_away=False))
        for section in sections:
            section.event = found.event
        if found.section_id is not None:
            sections = [section for section in sections if section.pk == found.section_id]
        seen = f"{found.version}.{sum(section.revision + 1 for section in sections)}"
        if request.GET.get("seen") == seen:
            answer = nothing_new()
        else:
            answer = _named_page(request, found, sections, seen)
    note_screen(found)
    send_time(answer)
    return answer


def _named_page(request: HttpRequest, named: Screen, sections: list[Section], seen: str) -> HttpResponse:
    language = named.language or get_language() or ""
    with override(language):
        context = {
            **_context(sections, named.show, ScreenShare(named.rows, named.part, named.parts), named.message),
            "named": named,
            "event": named.event,
            "place": sections[0].name if len(sections) == 1 else named.name,
            "seen": seen,
            "theme": named.theme,
            "seconds": named.seconds,
            "news": NEWS_OF_NAMED,
            "page": f"{language} {program_version()}",
            "blank": named.show == Screen.Show.BLANK,
        }
        if not named.message or named.show == Screen.Show.MESSAGE:
            context["message"] = next((row.hall_message for row in sections if row.hall_message), "")
        answer = render(request, "public/hall_screen.html", context)
    answer["Content-Language"] = language
    return answer


def _context(sections: Sequence[Section], show: str, share: ScreenShare, message: str = "") -> dict[str, Any]:
    sheets = _sheets(sections, show, share, message)
    kept = shared(sheets, share)
    heading = kept[0].heading if kept else sheets[0].heading if sheets else ""
    countdowns = [section.countdown_to for section in sections if section.countdown_to]
    begins = sorted((start for section in sections for start in starts(section)), key=lambda start: start.at)
    return {
        "show": show,
        "rows": share.rows,
        "sheets": kept,
        "heading": heading,
        "shown": " ".join(
            [show, *(f"{sheet.section.pk if sheet.section else ''}:{sheet.shown}" for sheet in kept)]
        ),
        "countdown": milliseconds(min(countdowns)) if countdowns else "",
        "starts": json.dumps([asdict(start) for start in begins]) if show == "clock" else "",
        "message": message,
    }


def _sheets(sections: Sequence[Section], show: str, share: ScreenShare, message: str) -> list[ScreenSheet]:
    if show == Screen.Show.BLANK:
        return []
    if show == Screen.Show.MESSAGE:
        return [ScreenSheet(None, show, message, 0, (Leaf("", "", ()),))] if message else []
    if show == Screen.Show.CLOCK:
        sections = sections[:1]
    if show == Screen.Show.ARO:
        sections = [section for section in sections if ARO in section.lists]
    return [SHEETS[show](Visit(section=section, staff=False), share.rows) for section in sections]


# The map of the hall.


@visitor_page()
def hall_map(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show the rooms with their boards. The part #board-12 of the address marks a board."""
    context = section_context(request, visit.section, "hall-map")
    return render(request, "public/hall_map.html", context | hall_map_of(visit.section))


def hall_map_of(section: Section) -> dict[str, Any]:
    """Return the rooms, and the boards that are step-free because a player keeps them. Raises Http404 without rooms.
    One query.
    """
    if not section.rooms:
        raise Http404
    kept = section.participants.filter(step_free=True, fixed_board__isnull=False)
    return {"rooms": section.rooms, "step_free": set(kept.values_list("fixed_board", flat=True))}
