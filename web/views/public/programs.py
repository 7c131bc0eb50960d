"""What other programs and web sites take of the public lists: CSV and XLSX, frames, a calendar, a feed, PGN.

A file holds no more than its page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from csp.utils import build_policy
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from base.reader import READER
from base.zones import use_zone
from tournaments.files import lists, statistics
from tournaments.files.calendar import CalendarLabels, calendar
from tournaments.files.fairness import fairness_csv
from tournaments.files.lists import published_csv
from tournaments.files.results import boards_pgn
from tournaments.files.table_files import Write
from tournaments.models import Event, Round, Screen, Section
from tournaments.models.published_lists import ARO
from tournaments.queries.fairness import fairness
from tournaments.queries.log import last_change
from tournaments.queries.public_facts import PublicFacts, public_facts_of_event
from tournaments.queries.published_lists import published_people, shown_aro, shown_list
from tournaments.queries.rounds import round_board_list
from tournaments.queries.standings import standings_table
from web.context import section_url
from web.files import file_name, file_response, table_response
from web.qr import url_for_others
from web.views.public.aro_list import list_for, ordered
from web.views.public.lists import WHOLE, cut, part_number
from web.views.public.public_page import POLICY, Visit, about_round, one_of, public_answer, visitor_page
from web.views.public.published_lists import table_for
from web.views.public.rounds import latest_round
from web.views.public.statistics import refuse_before_the_end
from web.words.standings import standings_heading

# What other programs follow: the rounds as a calendar, what was published as a feed, the boards of a round as
# PGN.

CALENDAR = "text/calendar; charset=utf-8"
PGN = "application/vnd.chess-pgn; charset=utf-8"


@visitor_page(absolute=True)
def section_calendar(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Send the rounds of a section as a calendar to which programs can subscribe."""
    event, section = visit.section.event, visit.section
    name = READER.listed([event.name, section.name], "comma")
    return _calendar(request, event, [section], file_name(section, ".ics"), name)


@public_answer(public_facts_of_event, "event", absolute=True)
@require_safe
def event_calendar(request: HttpRequest, event: str) -> HttpResponse:
    """Send the rounds of all sections of an event as a calendar."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    use_zone(found.time_zone)
    return _calendar(
        request, found, list(found.sections.filter(taken_away=False)), f"{found.slug}.ics", found.name
    )


def _calendar(
    request: HttpRequest, event: Event, sections: list[Section], file: str, name: str
) -> HttpResponse:
    changed = [(section, last_change(section)) for section in sections]
    url = url_for_others(request, f"/{event.slug}/")
    content = calendar(event, changed, CalendarLabels(round=_("Round %(number)s")), url, name=name)
    return file_response(content, file, CALENDAR)


@dataclass(frozen=True, slots=True)
class FeedItem:
    """What was published. key: stays the same when it is changed. path: its page."""

    key: str
    title: str
    path: str
    published: datetime
    updated: datetime


class DatedFeed(Atom1Feed):
    """A feed that has a date although it is empty. Django would write the time of the request."""

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else self.feed["made"]


@visitor_page(absolute=True)
def published_feed(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Send what was published as an Atom feed, the newest first: rounds, lists, standings after each round."""
    section = visit.section
    made = f"{section.created_at:%Y-%m-%d}:{section.pk}"
    atom = DatedFeed(
        title=str(section),
        link=url_for_others(request, section_url("section", section)),
        feed_url=url_for_others(request, section_url("feed", section)),
        feed_guid=f"tag:evenboard,{made}",
        description="",
        language=get_language(),
        made=section.created_at,
    )
    for item in sorted(_items(section), key=lambda item: item.published, reverse=True):
        atom.add_item(
            title=item.title,
            link=url_for_others(request, item.path),
            description=item.title,
            unique_id=f"tag:evenboard,{made}/{item.key}",
            pubdate=item.published,
            updateddate=item.updated,
        )
    return HttpResponse(atom.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8")


def _items(section: Section) -> Iterator[FeedItem]:
    for row in section.played_rounds.exclude(state="draft"):
        number = {"number": row.number}
        if row.published_at:
            page = section_url("pairings", section, number=row.number)
            updated = row.changed_at or row.published_at
            title = _("Pairings of round %(number)s") % number
            yield FeedItem(f"round-{row.number}", title, page, row.published_at, updated)
        if row.finished_at:
            page = section_url("standings", section, number=row.number)
            title = _("Standings after round %(number)s") % number
            yield FeedItem(f"standings-{row.number}", title, page, row.finished_at, row.finished_at)
    for made in section.published_lists.filter(kind=ARO, withdrawn_at=None).defer("content"):
        page = section_url("aro", section, number=made.before_round)
        title = _("ARO list before round %(number)s") % {"number": made.before_round}
        yield FeedItem(f"aro-{made.after_round}-{made.edition}", title, page, made.made_at, made.made_at)


@visitor_page()
def boards_as_pgn(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Send the boards of a published round as PGN, if the organiser allows it. 404 if not."""
    if not visit.section.event.public_pgn:
        raise Http404
    return pgn_of(visit.section, number, fide_ids=False)


def pgn_of(section: Section, number: int, *, fide_ids: bool) -> HttpResponse:
    """Return the boards of a published round as PGN. Raises Round.DoesNotExist."""
    shown = round_board_list(section, number)
    people = published_people(section) if fide_ids else {}
    return file_response(boards_pgn(section, shown, people), file_name(section, f"-{number}.pgn"), PGN)


# Lists without anything around them, for a frame in the web site of the organiser.


def framed_by_sites(facts: PublicFacts | None) -> Mapping[str, str]:
    """Allow the web sites that the organiser named to show the page in a frame, and no others."""
    sites = facts.embed_sites.split() if facts else []
    policy = build_policy(replace={"frame-ancestors": sites}) if sites else ""
    return {POLICY: policy} if policy else {}


@visitor_page(polled=True, headers=framed_by_sites, theme=one_of(*Screen.Theme.values), part=part_number)
def framed_list(request: HttpRequest, visit: Visit, document: str) -> HttpResponse:
    """Show the current pairings, standings or ARO list. ?theme= light or dark; else that of the browser."""
    make = FRAMED_LISTS.get(document)
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
    return about_round(render(request, "public/programs_embed.html", context), shown)


Found = tuple[int | None, list[Any], dict[str, Any]]
"""The round, the rows, and what else the page needs."""


def _embed_pairings(visit: Visit) -> Found:
    number = latest_round(visit)
    if number is None:
        return None, [], {}
    view = round_board_list(visit.section, number)
    return number, [*view.boards], {"round": view}


def _standings(visit: Visit) -> Found:
    table = standings_table(visit.section)
    return table.after_round, [*table.rows], {"heading": standings_heading(table), "columns": table.columns}


def _embed_aro(visit: Visit) -> Found:
    listed, _former, _people = shown_aro(visit.section, shown_list(visit.section, ARO))
    if listed is None:
        return None, [], {}
    rows = [row for row in listed.rows if not row.withdrawn]
    return listed.before_round, rows, {"before_round": listed.before_round}


FRAMED_LISTS: dict[str, Callable[[Visit], Found]] = {
    "pairings": _embed_pairings,
    "standings": _standings,
    "aro": _embed_aro,
}


# The public lists as CSV and XLSX. A file holds no more than its page.


@visitor_page()
def list_file(
    request: HttpRequest, visit: Visit, document: str, number: int | None = None, kind: str = "csv"
) -> HttpResponse:
    """Send a list as CSV or XLSX, about round `number` or as it is now. Drafts are for arbiters only."""
    make = LIST_FILES.get(document)
    if make is None:
        raise Http404
    ending = f"-{document}" if number is None else f"-{document}-{number}"
    return table_response(lambda write: make(visit, number, write), file_name(visit.section, ending), kind)


def _files_pairings(visit: Visit, number: int | None, write: Write) -> bytes:
    shown = latest_round(visit) if number is None else number
    if shown is None:
        raise Round.DoesNotExist("no round has been paired yet")
    return lists.pairings_csv(visit.section, shown, include_drafts=visit.staff, write=write)


def _files_aro(visit: Visit, number: int | None, write: Write, order: str = "") -> bytes:
    listed, about = list_for(visit, number)
    return lists.aro_csv(
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
    return lists.all_rounds_csv(visit.section, include_drafts=visit.staff, write=write)


LIST_FILES: dict[str, Callable[[Visit, int | None, Write], bytes]] = {
    "pairings": _files_pairings,
    "standings": lambda visit, number, write: lists.standings_csv(visit.section, number, write=write),
    "crosstable": lambda visit, number, write: lists.crosstable_csv(visit.section, number, write=write),
    "published": _published,
    "fairness": _fairness,
    "aro": _files_aro,
    "aro-names": lambda visit, number, write: _files_aro(visit, number, write, "name"),
    "aro-ranks": lambda visit, number, write: _files_aro(visit, number, write, "rank"),
    "all-rounds": _all_rounds,
    "statistics": _of_the_end(statistics.statistics_csv),
    "rating-differences": _of_the_end(statistics.differences_csv),
    "federations": _of_the_end(statistics.federations_csv),
    "players": lambda visit, _number, write: lists.players_csv(visit.section, write=write),
}
