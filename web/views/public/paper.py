"""Documents on paper: for the wall, for the boards, for the federation, and about the end of a section."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, TypeVar

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenboard_engine import Colour, system_named
from tournaments.files.report_comments import comments
from tournaments.hooks import fees_of
from tournaments.models import Participant, Round, Section
from tournaments.models.entries import names_for_arbiters
from tournaments.models.rounds import rounds_paired
from tournaments.queries.ahead import round_ahead
from tournaments.queries.aro_list import AroGroup, AroRow, checklist
from tournaments.queries.certificates import certificates
from tournaments.queries.crosstables import crosstable, results_table
from tournaments.queries.entries import player_list
from tournaments.queries.fairness import fairness
from tournaments.queries.field import load_field
from tournaments.queries.incidents import incident_list
from tournaments.queries.log import last_change
from tournaments.queries.next_step_checks import FORFEITS
from tournaments.queries.player_results import player_links
from tournaments.queries.presence import presence_list
from tournaments.queries.prizes import prize_list
from tournaments.queries.rounds import (
    BoardRow,
    PlannedGame,
    PlannedRound,
    all_rounds,
    name_list,
    names_of_round,
    round_board_list,
)
from tournaments.queries.sections import deviations_of, older_edition_of
from tournaments.queries.standings import standings_table
from tournaments.rights import Right
from web.context import section_url
from web.qr import QrCodes, public_url, qr_svg, reaches_phones
from web.templatetags.lists import commas
from web.views.public.aro_list import list_for, ordered
from web.views.public.fairness import fairness_words
from web.views.public.hall import hall_map_of
from web.views.public.lists import by_name
from web.views.public.public_page import Visit, one_of, visitor_page
from web.views.public.published_lists import table_for
from web.views.public.rounds import latest_round
from web.views.public.rules import rules_parts
from web.views.public.standings import (
    STRIP_COLUMNS,
    crosstable_rows,
    number_rows,
    paper_layout,
    sums_on_paper,
)
from web.views.public.statistics import (
    changes_context,
    norms_context,
    refuse_before_the_end,
    statistics_context,
)
from web.words.prizes import money, plan_words, prize_blocks, receipt_lines
from web.words.standings import completeness_sentence, missing_sentence, order_words
from web.words.systems import rules_on_paper

# Sheets about the end of a section: statistics, rating changes, title norms, the final report.


def statistics_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    refuse_before_the_end(visit)
    return statistics_context(visit.section)


def changes_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return changes_context(visit.section)


def norms_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return norms_context(visit.section)


def certificates_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    section = visit.section
    return {"found": certificates(section), "system": system_named(section.system).report_name}


def final_report_sheet(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    """One document with everything that is kept of a section on paper."""
    section = visit.section
    field = load_field(section)
    table = standings_table(section)
    listed = prize_list(section) if section.prizes else None
    return {
        **statistics_context(section),
        "kind": _("Final report") if section.is_closed or table.state.final else _("Provisional report"),
        "table": table,
        "state": completeness_sentence(table.state),
        "order": order_words(section),
        "dates": [(row.number, section.start_of(row.number)) for row in field.rounds],
        "others": _others(section),
        "deputies": [line for line in section.event.deputy_arbiters.splitlines() if line.strip()],
        "departures": comments(field),
        "rows": incident_list(section),
        "blocks": prize_blocks(listed) if listed else (),
        "receipts": receipt_lines(listed) if listed else (),
        "paid": money(listed.paid, listed.plan.currency) if listed else "",
        "cross": {"template": "print/crosstable.html", **_crosstable(request, visit, number)},
    }


def _others(section: Section) -> list[Section]:
    """Return the other sections of the event, without hidden ones."""
    return list(section.event.sections.filter(taken_away=False).exclude(pk=section.pk))


# Documents on paper: for the wall, for the boards, and for the federation.

SLIPS_A_SHEET = 8
CARDS_A_SHEET = 4
ROUNDS_A_CROSSTABLE = 15
ROUNDS_BESIDE_MANY_TIE_BREAKS = 7
NARROW_CROSSTABLE = 7
LARGE_RESULTS_TABLE = 14
"""Players. With more of them, the table of all results has a smaller type, so that 24 are on one sheet, and the games
of all rounds are by number, a line for each round.
"""
ROUNDS_OF_A_LARGE_TABLE = 23
OF_ONE_SIZE = frozenset({"boards-large", "names-large", "cards", "slips", "wall", "wall-event"})
FOR_ARBITERS = frozenset({
    "slips", "cards", "check-in", "checklist", "prizes", "receipts", "wall", "wall-event", "rating-changes", "norms",
    "certificates", "final-report", "set-up", "incidents",
})  # fmt: skip
"""Requested byes are not public; addresses on paper are those that the arbiter's browser used."""

Thing = TypeVar("Thing")


@dataclass(frozen=True, slots=True)
class Slip:
    """A result slip. url: opens the board on an arbiter's phone. code: the same address as a QR code in SVG.

    white, black: the same for the phones of the players; None where players do not confirm results.
    """

    row: BoardRow
    url: str
    code: SafeString
    white: tuple[str, SafeString] | None = None
    black: tuple[str, SafeString] | None = None


@dataclass(frozen=True, slots=True)
class PlaceCard:
    """A place card. board and colour: only on cards for one round."""

    name: str
    title: str
    federation: str
    tpn: int | None = None
    board: int | None = None
    step_free: bool = False
    colour: Colour | None = None


@visitor_page(paper=one_of("a3", "large"))
def paper(request: HttpRequest, visit: Visit, document: str, number: int | None = None) -> HttpResponse:
    """Show a document about round `number` or the latest. Drafts and the documents FOR_ARBITERS are for
    arbiters only.

    ?paper=a3 takes larger sheets for the lists in large type. ?paper=large prints any list in large print.
    """
    if document not in DOCUMENTS:
        raise Http404
    if document in FOR_ARBITERS and not visit.staff:
        if request.user.is_authenticated:
            raise PermissionDenied
        return redirect_to_login(request.get_full_path())
    with names_for_arbiters() if document in FOR_ARBITERS else nullcontext():
        context = sheets_context(request, visit, document, number)
    return render(request, context.pop("template", f"print/{document}.html"), context)


def sheets_context(request: HttpRequest, visit: Visit, document: str, number: int | None) -> dict[str, Any]:
    """Return the context of a document: its own, and what all sheets show."""
    context = DOCUMENTS[document](request, visit, number)
    context |= {"section": visit.section, "event": visit.section.event, "document": document}
    context["rules"] = rules_on_paper(visit.section)
    # For everybody else the sheet is made once a revision: it says when the section last changed.
    context["printed"] = timezone.now() if visit.staff else last_change(visit.section)
    size = request.GET.get("paper")
    context["a3"] = document.endswith("-large") and _on_a3(request, document)
    context["has_large_print"] = document not in OF_ONE_SIZE
    context["large_print"] = context["has_large_print"] and size == "large"
    return context


def _shown(visit: Visit, number: int | None) -> int:
    shown = latest_round(visit) if number is None else number
    if shown is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return shown


def _boards(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    return {"round": round_board_list(visit.section, _shown(visit, number), include_drafts=visit.staff)}


def _names(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    listed = name_list(visit.section, _shown(visit, number), include_drafts=visit.staff)
    return {"round": listed.round, "rows": by_name(listed.rows)}


LARGE_SHEETS = {False: (186, 240), True: (273, 360)}
"""Width and height, in millimetres, that an A4 and an A3 sheet have for a list in large type."""
LARGE_BOARD, LARGE_NAME = (27, 6.5), (36, 5.9)
"""In millimetres, at the normal size: the width beside the name, the height of a line of names."""
LETTER, LARGE_ROW, LARGE_HEAD = 3, 7, 4
SMALLEST, LARGEST = 8, 20
"""In tenths of the normal size."""


def large_type(rows: Sequence[Sequence[str]], layout: tuple[float, float], *, a3: bool) -> str:
    """Return the classes with which a list in large type fills its sheets: one column or two, and the size in tenths.

    rows: the names in each row, one below the other. Names may take two lines, but no word is cut, and the list takes
    no more sheets than it needs in the normal size if each name takes one line.
    """
    (width, height), (beside, line) = LARGE_SHEETS[a3], layout
    words = [word for names in rows for name in names for word in name.replace("-", "- ").split()]
    longest = max(map(len, words), default=1)

    def sheets(tenths: int, columns: int, letters: int) -> int:
        free, filled, used = 10 * height / tenths - LARGE_HEAD, 1, 0.0
        for names in rows:
            tall = max(LARGE_ROW, line * sum(_lines_of(name, letters) for name in names) + 0.2)
            if used + tall > free:
                filled, used = filled + 1, 0
            used += tall
        return -(-filled // columns)

    most = sheets(10, 2, 1000)
    for tenths in range(LARGEST, SMALLEST, -1):
        for columns, css in ((1, "one "), (2, "")):
            letters = int((10 * (width / columns - 3) / tenths - beside) / LETTER)
            if letters >= longest and sheets(tenths, columns, letters) <= most:
                return f"{css}grow-{tenths}"
    return f"grow-{SMALLEST}"


def _on_a3(request: HttpRequest, document: str) -> bool:
    """Return whether a document in large type is printed on A3: alone, or with the other papers of a round."""
    asked = f"{document.removesuffix('-large')}-size"
    return "a3" in (request.GET.get("paper"), request.GET.get(asked))


def _lines_of(name: str, letters: int) -> int:
    """Return how many lines a name takes; a seventh of a line that is not the last stays empty."""
    return 1 if len(name) <= letters else -(-len(name) * 7 // (6 * letters))


def _boards_large(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    found = _boards(request, visit, number)
    shown = found["round"]
    names = [(row.white.name, row.black.name) for row in shown.boards]
    names += [(row.side.name, "") for row in shown.byes]
    return {**found, "grown": large_type(names, LARGE_BOARD, a3=_on_a3(request, "boards-large"))}


def _names_large(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    found = _names(request, visit, number)
    names = [(row.name,) for row in found["rows"]]
    return {**found, "grown": large_type(names, LARGE_NAME, a3=_on_a3(request, "names-large"))}


def _slips(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    shown = round_board_list(visit.section, _shown(visit, number), include_drafts=visit.staff)
    # A game that is forfeited before it begins needs no slip.
    to_play = [row for row in shown.boards if row.result not in FORFEITS]

    codes = QrCodes()

    def opens(name: str, **parts: object) -> tuple[str, SafeString]:
        url = public_url(request, section_url(name, visit.section, **parts))
        return url, codes.svg(url)

    def of_player(row: BoardRow, colour: Colour) -> tuple[str, SafeString] | None:
        return opens("player-result", link=links[row.game_id, colour]) if links else None

    links = player_links(visit.section, shown.number)
    slips = [
        Slip(
            row,
            *opens("board-result", number=shown.number, board=row.board),
            white=of_player(row, Colour.WHITE),
            black=of_player(row, Colour.BLACK),
        )
        for row in to_play
    ]
    sheets = cutting_order(slips, SLIPS_A_SHEET)
    return {"round": shown, "sheets": sheets, "reaches_phones": reaches_phones(request)}


def _wall(request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    # Not the front of the section: on a slow network its way to the pairings costs a second.
    return _address(request, section_url("pairings", visit.section))


def _wall_event(request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    address = _address(request, reverse("tournaments:event", args=(visit.section.event.slug,)))
    return address | {"template": "print/wall.html", "whole": True}


def _address(request: HttpRequest, path: str) -> dict[str, Any]:
    """Return a public address for people and as a code, without a code if no phone can reach it."""
    url = public_url(request, path)
    return {
        "address": re.findall("[^/]*/+|[^/]+", url),
        "code": qr_svg(url) if reaches_phones(request) else "",
    }


def _set_up(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    """Show the boards of the next round that do not depend on the open games."""
    found = round_ahead(load_field(visit.section, include_drafts=True))
    if found is None or not found.sure:
        raise Round.DoesNotExist("no board is sure")
    return {"ahead": found}


def _cards(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    """With a round: in the order of its boards, White first. Without: by name, without boards.

    ?player= takes only these entries, on the page of an arbiter.
    """
    if number is None:
        active = [row for row in player_list(visit.section) if row.status == Participant.Status.ACTIVE]
        if chosen := request.GET.getlist("player"):
            active = [row for row in active if str(row.participant_id) in chosen]
        cards = [PlaceCard(row.name, row.title, row.federation, tpn=row.tpn) for row in by_name(active)]
        return {"sheets": cutting_order(cards, CARDS_A_SHEET)}
    shown = round_board_list(visit.section, number, include_drafts=visit.staff)
    cards = [
        PlaceCard(
            side.name, side.title, side.federation, board=row.board, step_free=row.step_free, colour=colour
        )
        for row in shown.boards
        for side, colour in ((row.white, Colour.WHITE), (row.black, Colour.BLACK))
    ]
    return {"round": shown, "sheets": cutting_order(cards, CARDS_A_SHEET)}


def _aro(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    listed, about = list_for(visit, number)
    return {"list": listed, "state": " ".join([*about, completeness_sentence(listed.state)]).strip()}


def _checklist(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    return checklist_context(visit.section, number)


def checklist_context(section: Section, number: int | None) -> dict[str, Any]:
    """Return the checklist before a round, with its number of columns. Raises Round.DoesNotExist."""
    listed = checklist(section, number)
    width = 6 + listed.shows_due + listed.shows_floats + (not section.fixed_rounds)
    groups: list[tuple[AroGroup | None, tuple[AroRow, ...]]] = [
        (group, group.rows) for group in listed.groups
    ]
    if listed.unpaired:
        groups.append((None, listed.unpaired))
    return {"list": listed, "groups": groups, "width": width, "state": missing_sentence(listed.state)}


def _aro_names(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    return _aro_ordered(_aro(request, visit, number), "name", _("ARO list by name"))


def _aro_ranks(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    return _aro_ordered(_aro(request, visit, number), "rank", _("ARO list by rank"))


def _aro_ordered(found: dict[str, Any], order: str, kind: str) -> dict[str, Any]:
    return found | {"rows": ordered(found["list"], order), "order": order, "kind": kind}


def _starting_list(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    rows = [row for row in player_list(visit.section) if row.status != Participant.Status.EXPELLED]
    return {"rows": rows}


def fees_seen(request: HttpRequest, section: Section) -> dict[int, tuple[int, int, str]]:
    """Return the fees of the entries, as `fees_of` has them, for those who see fees at the desk; {} for others."""
    if not request.user.has_perm(Right.DESK.permission, section.event):
        return {}
    return {key: fee for hook in fees_of for key, fee in hook(section).items()}


def _check_in(request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    """Without a number: for the round that is paired next. Raises Round.DoesNotExist if no round is left.

    Those who see fees at the desk get what each player owes and has paid.
    """
    section = visit.section
    asked = rounds_paired(section) + 1 if number is None else number
    if not 1 <= asked <= section.rounds:
        raise Round.DoesNotExist(f"there is no round {asked}")
    people = presence_list(section, asked)
    fees = fees_seen(request, section)
    rows = [
        (row, *(Decimal(cents) / 100 for cents in fees.get(row.participant_id, (0, 0, ""))[:2]))
        for row in people.rows
    ]
    totals = (
        [sum(column) for column in zip(*(amounts for _row, *amounts in rows), strict=True)] if fees else []
    )
    return {
        "people": people,
        "rows": rows,
        "totals": totals,
        "currency": next((unit for _owed, _paid, unit in fees.values()), ""),
        "byes": len(people.rows) - people.expected,
    }


def _standings(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    found = crosstable(visit.section, number)
    table = found.standings
    return {
        "table": table,
        "rows": crosstable_rows(found),
        "rounds": found.rounds,
        "state": completeness_sentence(table.state),
        "order": order_words(visit.section),
        "layout": paper_layout(len(found.rounds), len(table.columns), len(table.rows)),
        "width": 7 + len(table.columns),
    }


def _sums(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    context = sums_on_paper(visit, number)
    return context | {"state": completeness_sentence(context["table"].state)}


def _published(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    found = table_for(visit.section, number)
    columns = len(found.heads)
    return {
        "table": found.table,
        "heads": found.heads,
        "lines": found.lines,
        "state": " ".join([*found.about, completeness_sentence(found.table.state)]).strip(),
        "width": 5 + columns + len(found.table.tie_breaks),
        "wide": columns + len(found.table.tie_breaks) > NARROW_CROSSTABLE,
        "small": columns > LARGE_RESULTS_TABLE,
    }


def _prizes(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    listed = prize_list(visit.section)
    final = listed.state.final
    return {
        "name": _("Prize list"),
        "kind": _("Prize list") if final else _("Provisional prize list"),
        "blocks": prize_blocks(listed),
        "about": plan_words(listed.plan),
        "state": completeness_sentence(listed.state),
    }


def _receipts(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    listed = prize_list(visit.section)
    final = listed.state.final
    return {
        "name": _("Receipt list"),
        "kind": _("Receipt list") if final else _("Provisional receipt list"),
        "lines": receipt_lines(listed),
        "total": money(listed.paid, listed.plan.currency),
        "state": completeness_sentence(listed.state),
    }


def _results_table(visit: Visit, number: int | None) -> dict[str, Any]:
    table = results_table(visit.section, number)
    return {
        "template": "print/results-table.html",
        "table": table,
        "state": completeness_sentence(table.state),
        "rows": number_rows(table),
        "wide": len(table.rows) > NARROW_CROSSTABLE,
        "small": len(table.rows) > LARGE_RESULTS_TABLE,
    }


def _by_board(played: PlannedRound, boards: Sequence[int]) -> list[PlannedGame | None]:
    """Return the game at each of these boards, None for a board without one."""
    games = {game.board: game for game in played.games}
    return [games.get(board) for board in boards]


def _all_rounds(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    found = all_rounds(visit.section, include_drafts=visit.staff)
    large = len(found.players) > LARGE_RESULTS_TABLE
    most = ROUNDS_OF_A_LARGE_TABLE if large else ROUNDS_A_CROSSTABLE
    blocks = [
        {
            "rounds": found.rounds[first : first + most],
            "rows": [(row.side, row.turns[first : first + most]) for row in found.players],
        }
        for first in range(0, len(found.rounds), most)
    ]
    boards = sorted({game.board for each in found.rounds for game in each.games})
    return {
        "rounds": found.rounds,
        "boards": boards,
        "by_board": [(each, _by_board(each, boards)) for each in found.rounds],
        "dated": any(each.start for each in found.rounds),
        "odd": any(each.free for each in found.rounds),
        "blocks": blocks,
        "large": large,
        "wide": len(found.rounds) > NARROW_CROSSTABLE,
    }


def _crosstable(_request: HttpRequest, visit: Visit, number: int | None) -> dict[str, Any]:
    if visit.section.fixed_rounds:
        return _results_table(visit, number)
    table = crosstable(visit.section, number)
    rows, dense = crosstable_rows(table), len(table.columns) > STRIP_COLUMNS
    most = ROUNDS_BESIDE_MANY_TIE_BREAKS if dense else ROUNDS_A_CROSSTABLE
    blocks = [
        {
            "rounds": table.rounds[first : first + most],
            "rows": [(standing, marks[first : first + most]) for standing, marks in rows],
            "width": 4 + len(table.rounds[first : first + most]) + len(table.columns),
        }
        for first in range(0, max(len(table.rounds), 1), most)
    ]
    return {
        "table": table,
        "state": completeness_sentence(table.state),
        "blocks": blocks,
        "wide": dense or len(table.rounds) > NARROW_CROSSTABLE,
        "dense": dense,
    }


def _fairness(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    if visit.section.fixed_rounds:
        raise Http404
    found = fairness(visit.section)
    words = fairness_words(visit.section, found)
    return {"found": found, "state": completeness_sentence(found.state), **words}


def _incidents(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return {"rows": incident_list(visit.section)}


def _hall_map(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return hall_map_of(visit.section)


def _rules(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return {
        "parts": rules_parts(visit.section, deviations_of(visit.section), older_edition_of(visit.section))
    }


DOCUMENTS: dict[str, Callable[[HttpRequest, Visit, int | None], dict[str, Any]]] = {
    "boards": _boards,
    "boards-large": _boards_large,
    "names": _names,
    "names-large": _names_large,
    "cards": _cards,
    "set-up": _set_up,
    "starting-list": _starting_list,
    "check-in": _check_in,
    "checklist": _checklist,
    "aro": _aro,
    "aro-names": _aro_names,
    "aro-ranks": _aro_ranks,
    "standings": _standings,
    "sums": _sums,
    "published": _published,
    "crosstable": _crosstable,
    "fairness": _fairness,
    "all-rounds": _all_rounds,
    "rules": _rules,
    "hall-map": _hall_map,
    "prizes": _prizes,
    "receipts": _receipts,
    "statistics": statistics_sheet,
    "rating-changes": changes_sheet,
    "norms": norms_sheet,
    "certificates": certificates_sheet,
    "final-report": final_report_sheet,
    "incidents": _incidents,
    "slips": _slips,
    "wall": _wall,
    "wall-event": _wall_event,
}


def cutting_order(slips: Sequence[Thing], places: int) -> list[list[Thing | None]]:
    """Lay slips out on sheets of `places` so that the cut pile is in order when its stacks are put on top of
    each other.

    Place p of sheet s holds slip p * sheets + s. None is a place that stays empty.
    """
    sheets = -(-len(slips) // places)
    return [
        [
            slips[place * sheets + sheet] if place * sheets + sheet < len(slips) else None
            for place in range(places)
        ]
        for sheet in range(sheets)
    ]


# The papers of a round that are printed together.

ROUND_PAPERS = ("boards", "names", "slips", "cards")
"""The papers of a round, in the order in which they come out of the printer."""


@dataclass(frozen=True, slots=True)
class RoundPaper:
    """A paper of the round. sizes: (value, label with the number of sheets). chosen: it is printed, in this size."""

    name: str
    label: str
    sizes: tuple[tuple[str, str], ...]
    size: str
    chosen: bool


LINES = {"boards": 35, "names": 68, "boards-large": 36, "names-large": 70, "boards-a3": 100, "names-a3": 200}
"""How many lines of a list one sheet has."""


def round_papers(section: Section, number: int) -> list[RoundPaper]:
    """Return the papers of a round as they were printed last in this section, with their sheets. Four queries."""
    shown = round_board_list(section, number, include_drafts=True)
    boards, named = len(shown.boards), len(names_of_round(shown).rows)
    lines = {"boards": boards + len(shown.byes), "names": named}
    slips = sum(row.result not in FORFEITS for row in shown.boards)
    last = section.round_papers or dict.fromkeys(ROUND_PAPERS[:3], "")

    def sheets(lines: int, on_one: int) -> str:
        count = -(-lines // on_one)
        return ngettext("%(count)s sheet", "%(count)s sheets", count) % {"count": count}

    def of_list(name: str) -> tuple[tuple[str, str], ...]:
        sizes = (("", "", "A4"), ("large", "-large", _("A4, large type")), ("a3", "-a3", _("A3, large type")))
        return tuple(
            (size, commas(label, sheets(lines[name], LINES[f"{name}{end}"]))) for size, end, label in sizes
        )

    found = (
        ("boards", _("Pairings by board"), of_list("boards")),
        ("names", _("Pairings by name"), of_list("names")),
        ("slips", _("Result slips"), (("", sheets(slips, SLIPS_A_SHEET)),)),
        ("cards", _("Place cards"), (("", sheets(2 * boards, CARDS_A_SHEET)),)),
    )
    return [
        RoundPaper(name, label, sizes, last.get(name, ""), chosen=name in last)
        for name, label, sizes in found
    ]
