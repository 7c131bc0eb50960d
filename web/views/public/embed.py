"""Lists without anything around them, for a frame in the web site of the organiser."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from csp.utils import build_policy
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Screen
from tournaments.models.published_list import ARO
from tournaments.queries.pairings import round_board_list
from tournaments.queries.public_facts import PublicFacts
from tournaments.queries.shown_list import shown_aro, shown_list
from tournaments.queries.standings import standings_table
from web.context import section_url
from web.views.public.pairings import latest_round
from web.views.public.parts import WHOLE, cut, part_number
from web.views.public.visits import POLICY, Visit, about_round, one_of, visitor_page
from web.words.completeness import standings_heading


def framed_by_sites(facts: PublicFacts | None) -> Mapping[str, str]:
    """Allow the web sites that the organiser named to show the page in a frame, and no others."""
    sites = facts.embed_sites.split() if facts else []
    policy = build_policy(replace={"frame-ancestors": sites}) if sites else ""
    return {POLICY: policy} if policy else {}


@visitor_page(polled=True, headers=framed_by_sites, theme=one_of(*Screen.Theme.values), part=part_number)
def embed(request: HttpRequest, visit: Visit, document: str) -> HttpResponse:
    """Show the current pairings, standings or ARO list. ?theme= light or dark; else that of the browser."""
    make = LISTS.get(document)
    if make is None:
        raise Http404
    shown, rows, found = make(visit)
    context: dict[str, Any] = {
        "section": visit.section,
        "event": visit.section.event,
        "document": document,
        "theme": request.GET.get("theme", ""),
        "part": cut(request, rows, "theme", long=len(rows) > WHOLE),
        "shown": shown,
        "full": section_url("pairings" if document == "pairings" else document, visit.section),
        **found,
    }
    return about_round(render(request, "public/embed.html", context), shown)


Found = tuple[int | None, list[Any], dict[str, Any]]
"""The round, the rows, and what else the page needs."""


def _pairings(visit: Visit) -> Found:
    number = latest_round(visit)
    if number is None:
        return None, [], {}
    view = round_board_list(visit.section, number)
    return number, [*view.boards], {"round": view}


def _standings(visit: Visit) -> Found:
    table = standings_table(visit.section)
    return table.after_round, [*table.rows], {"heading": standings_heading(table), "columns": table.columns}


def _aro(visit: Visit) -> Found:
    listed, _former, _people = shown_aro(visit.section, shown_list(visit.section, ARO))
    if listed is None:
        return None, [], {}
    rows = [row for row in listed.rows if not row.withdrawn]
    return listed.before_round, rows, {"before_round": listed.before_round}


LISTS: dict[str, Callable[[Visit], Found]] = {"pairings": _pairings, "standings": _standings, "aro": _aro}
