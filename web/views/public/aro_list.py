"""The ARO list: visitors see the published one, arbiters also the running one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from evenboard_engine import Colour
from tournaments.models import Round
from tournaments.models.published_lists import ARO
from tournaments.queries.aro_list import AroGroup, AroList, AroRow, aro_list
from tournaments.queries.published_lists import PublishedPeople, ShownList, list_due, shown_aro, shown_list
from tournaments.queries.row_cache import LazyRows
from web.charts import AroMark, ChartedScoreGroup, aro_spread
from web.context import section_context
from web.views.public.lists import (
    Keyed,
    by_name,
    find_key,
    keyed,
    pairing_number,
    part_number,
    part_of,
    search_of,
    worked_out,
)
from web.views.public.public_page import Visit, about_round, any_text, one_of, poll_query, visitor_page
from web.words.published_lists import (
    changes_sentences,
    notes,
    published_sentence,
    waiting_sentence,
    withdrawn_sentence,
)
from web.words.standings import missing_sentence
from web.words.systems import aro_list_sentences
from web.words.values import points_text

ORDERS = ("name", "rank")


@dataclass(frozen=True, slots=True)
class ShownAroRow:
    """A row of the list. was: the row of the edition before, if another value is in it. new: it was in no row.

    linked: the player has a card under this number.
    """

    row: AroRow
    was: AroRow | None = None
    new: bool = False
    linked: bool = True


@dataclass(frozen=True, slots=True)
class AroRows:
    """A list with its rows in the order that was asked for, each with its group and the words by which it is found.

    former: the rows of the edition before.
    """

    listed: AroList
    keyed: Sequence[Keyed[tuple[AroGroup | None, ShownAroRow]]]
    former: Mapping[int, AroRow]

    @classmethod
    def of(
        cls, listed: AroList, order: str, former: Mapping[int, AroRow], people: PublishedPeople
    ) -> AroRows:
        parts: list[tuple[AroGroup | None, Iterable[AroRow]]] = (
            [(None, ordered(listed, order))] if order else [(group, group.rows) for group in listed.groups]
        )
        lines = [(group, row) for group, rows in parts for row in rows]
        shown = LazyRows(lines, lambda line: (line[0], _shown(line[1], former, people)))
        return cls(listed, keyed(shown, lambda line: find_key(line[1].row.name, line[1].row.tpn)), former)


@visitor_page(polled=True, by=one_of(*ORDERS), part=part_number, player=pairing_number, q=any_text)
def aro(
    request: HttpRequest, visit: Visit, number: int | None = None, edition: int | None = None
) -> HttpResponse:
    """Show the published ARO list before a round; without a number the newest one. Arbiters see the running list.

    By score group and ascending ARO, by name (?by=name) or by pairing number (?by=rank). edition: an earlier one,
    as it was published.
    """
    if visit.staff and edition is None:
        return _running(request, visit, number)
    order = _order(request)

    def make() -> tuple[ShownList, AroRows | None]:
        shown = shown_list(visit.section, ARO, number, edition)
        listed, former, people = shown_aro(visit.section, shown)
        return shown, AroRows.of(listed, order, former, people) if listed else None

    shown, found = worked_out(
        visit,
        ("published aro", number, edition, order),
        make,
        lambda made: len(made[1].keyed) if made[1] else 0,
    )
    context = _context(request, visit, found)
    live = number is None or (edition is None and shown.waits is not None and found is None)
    context |= {
        "shown": shown,
        "published": published_sentence(shown.published) if shown.published else "",
        "notes": notes(shown),
        "withdrawn": withdrawn_sentence(shown),
        "waiting": waiting_sentence(shown) if number is None or found is None else "",
        "changes": changes_sentences(found.listed.rows, found.former) if found else [],
        "number": shown.before_round,
    }
    if live:
        asked = context["part"].shown if found else {}
        context["poll"] = poll_query(visit.section, shown.mark, asked)
    page = "public/aro_list.html" if found else "public/aro_list_awaited.html"
    return about_round(render(request, page, context), shown.mark)


def _running(request: HttpRequest, visit: Visit, number: int | None) -> HttpResponse:
    """Show arbiters the list as it is now, and what visitors see."""
    order = _order(request)

    def make() -> AroRows:
        return AroRows.of(aro_list(visit.section, number, include_drafts=True), order, {}, {})

    found = worked_out(visit, ("aro", number, order), make, lambda made: len(made.keyed))
    due = list_due(visit.section)
    before = found.listed.before_round
    last = next((one for one in reversed(due.editions) if one.before_round == before), None)
    context = _context(request, visit, found)
    context |= {
        "running": True,
        "last": last,
        "published": published_sentence(last) if last else "",
        "due": due if due.by_hand and due.after_round == before - 1 else None,
    }
    return render(request, "public/aro_list.html", context)


def list_for(visit: Visit, number: int | None) -> tuple[AroList, list[str]]:
    """Return the list for paper and files, and what they say about it: arbiters get the running list.

    Raises Round.DoesNotExist for a list that is not published.
    """
    if visit.staff:
        return aro_list(visit.section, number, include_drafts=True), []
    shown = shown_list(visit.section, ARO, number)
    listed, _former, _people = shown_aro(visit.section, shown)
    if listed is None:
        raise Round.DoesNotExist("no list has been published yet")
    about = [published_sentence(shown.published)] if shown.published else []
    return listed, [*about, *notes(shown)]


def _context(request: HttpRequest, visit: Visit, found: AroRows | None) -> dict[str, Any]:
    """Return the context of the tabs, and of the list if there is one."""
    if found is None:
        return section_context(request, visit.section, "aro", None)
    listed = found.listed
    part = part_of(request, found.keyed, "by", number_of=lambda row: row[1].row.tpn)
    groups = groupby(part.rows, key=lambda each: each[0][0])
    return section_context(request, visit.section, "aro", listed.before_round) | {
        "list": listed,
        "state": missing_sentence(listed.state),
        "groups": [(group, [(line, key) for (_group, line), key in rows]) for group, rows in groups],
        "part": part,
        "order": _order(request),
        "picture": "" if part.long else spread_picture(listed),
        "rule_sentences": aro_list_sentences(visit.section, listed.max_upfloats),
        "search": search_of(request),
    }


def _order(request: HttpRequest) -> str:
    return request.GET.get("by", "")


def ordered(listed: AroList, order: str) -> list[AroRow]:
    """Return the rows by name or by pairing number."""
    if order == "rank":
        return sorted(listed.rows, key=lambda row: (row.tpn is None, row.tpn or 0))
    return by_name(listed.rows)


def _shown(row: AroRow, former: Mapping[int, AroRow], people: PublishedPeople) -> ShownAroRow:
    was = former.get(row.participant_id)
    entry = people.get(row.participant_id)
    return ShownAroRow(
        row=row,
        was=was if was != row else None,
        new=bool(former) and was is None,
        linked=not people or (entry is not None and entry.tpn == row.tpn),
    )


def spread_picture(listed: AroList) -> str:
    """Draw the spread of ARO in each scoregroup as SVG. Returns "" before anybody has played."""
    rows = [
        ChartedScoreGroup(
            label=points_text(group.points),
            count=group.players,
            marks=tuple(
                AroMark(round(row.aro), white=row.due is not None and row.due.colour is Colour.WHITE)
                for row in group.rows
                if row.games and not row.withdrawn
            ),
        )
        for group in listed.groups
        if group.players
    ]
    title = _(
        "ARO of every player, a line for each score group; squares above it are due White, below it Black"
    )
    return aro_spread(rows, title=title)
