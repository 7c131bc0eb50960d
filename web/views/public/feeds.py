"""What other programs follow: the rounds as a calendar, what was published as a feed, the boards of a round as PGN."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from base.reader import READER
from base.zones import use_zone
from tournaments.exports.boards_pgn import boards_pgn
from tournaments.exports.calendar import Labels, calendar
from tournaments.models import Event, Section
from tournaments.models.published_list import ARO
from tournaments.queries.log import last_change
from tournaments.queries.pairings import round_board_list
from tournaments.queries.public_facts import public_facts_of_event
from tournaments.queries.published import people_of
from web.context import section_url
from web.downloads import download, file_name
from web.qr import url_for_others
from web.views.public.visits import Visit, public_answer, visitor_page

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
    content = calendar(event, changed, Labels(round=_("Round %(number)s")), url, name=name)
    return download(content, file, CALENDAR)


@dataclass(frozen=True, slots=True)
class Item:
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
def feed(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Send what was published as an Atom feed, the newest first: rounds, lists, standings after each round."""
    section = visit.section
    made = f"{section.created_at:%Y-%m-%d}:{section.pk}"
    atom = DatedFeed(
        title=f"{section.event.name}, {section.name}",
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


def _items(section: Section) -> Iterator[Item]:
    for row in section.played_rounds.exclude(state="draft"):
        number = {"number": row.number}
        if row.published_at:
            page = section_url("pairings", section, number=row.number)
            updated = row.changed_at or row.published_at
            title = _("Pairings of round %(number)s") % number
            yield Item(f"round-{row.number}", title, page, row.published_at, updated)
        if row.finished_at:
            page = section_url("standings", section, number=row.number)
            title = _("Standings after round %(number)s") % number
            yield Item(f"standings-{row.number}", title, page, row.finished_at, row.finished_at)
    for made in section.published_lists.filter(kind=ARO, withdrawn_at=None).defer("content"):
        page = section_url("aro", section, number=made.before_round)
        title = _("ARO list before round %(number)s") % {"number": made.before_round}
        yield Item(f"aro-{made.after_round}-{made.edition}", title, page, made.made_at, made.made_at)


@visitor_page()
def boards(request: HttpRequest, visit: Visit, number: int) -> HttpResponse:
    """Send the boards of a published round as PGN, if the organiser allows it. 404 if not."""
    if not visit.section.event.public_pgn:
        raise Http404
    return pgn_of(visit.section, number, fide_ids=False)


def pgn_of(section: Section, number: int, *, fide_ids: bool) -> HttpResponse:
    """Return the boards of a published round as PGN. Raises Round.DoesNotExist."""
    shown = round_board_list(section, number)
    people = people_of(section) if fide_ids else {}
    return download(boards_pgn(section, shown, people), file_name(section, f"-{number}.pgn"), PGN)
