"""The first pages: all events, one event, and the bare address of a section."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.html import escape
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from base.reader import READER
from base.zones import use_zone
from tournaments.models import Event, EventRole, Round, Section
from tournaments.queries.entries import event_players
from tournaments.queries.event_life import was_deleted
from tournaments.queries.events import (
    EventSearch,
    When,
    event_overview,
    first_events,
    found_events,
)
from tournaments.queries.field import round_mark_of_event
from tournaments.queries.log import last_change_in
from tournaments.queries.people import first_page_facts, invitations_for
from tournaments.queries.public_facts import (
    public_facts,
    public_facts_of_event,
    public_facts_of_first_page,
    public_facts_of_site_map,
)
from tournaments.queries.site_map import part_of_map, parts_of_map
from tournaments.rights import Right
from tournaments.rules import rights_in
from web.context import section_url
from web.middleware import allow_in_search_engines, wants_to_be_found
from web.qr import url_for_others
from web.requests import is_of_person
from web.views.public.lists import WHOLE, find_key, found_or_similar, kept_lists, search_of
from web.views.public.public_page import any_text, between, one_of, public_answer
from web.views.staff.events import overview_of
from web.words.systems import system_names

MOST_PAGES = 9_999
MONTH = re.compile(r"([12][0-9]{3})-(0[1-9]|1[0-2])")
CAPTIONS = {
    When.OWN: _("Your events"),
    When.NOW: _("In progress"),
    When.SOON: _("Soon"),
    When.PAST: _("Past events"),
}


@public_answer(
    public_facts_of_first_page,
    q=any_text,
    player=any_text,
    federation=any_text,
    month=any_text,
    when=any_text,
    beyond=any_text,
    page=any_text,
)
@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the person's invitations and events, then public events by their days. ?q=, ?player=, ?federation=, ?month=,
    ?when=, ?page= search all of them; ?beyond= goes on where a search has stopped.
    """
    search, typed = _search_of(request)
    page = int(between(1, MOST_PAGES)(request.GET.get("page", "")) or 1)
    facts = first_page_facts(request.user)
    lists = (
        (found_events(request.user, search, page),)
        if typed
        else first_events(request.user, works_in_many=facts.works_in_many)
    )
    reached = next((each.reached for each in lists if not each.more), None)
    own = [event for each in lists if each.when == When.OWN for event in each.events]
    owns_one = any(EventRole.Role.OWNER in event.roles for event in own)
    context = {
        "systems": READER.listed(system_names(), "comma"),
        "lists": [(each, CAPTIONS.get(each.when, _("Events found"))) for each in lists],
        "search": typed,
        "page": page,
        "before": urlencode({**typed, "page": page - 1}) if page > 1 else "",
        "after": urlencode({**typed, "page": page + 1}) if typed and lists[0].more else "",
        "reached": reached,
        "further": urlencode({**typed, "beyond": reached}) if reached else "",
        "invitations": invitations_for(request.user) if facts.invited and is_of_person(request) else [],
        "deleted": facts.deleted,
        "makes_events": facts.makes_events,
        "loads_copies": facts.makes_events or owns_one,
        "manages_lists": request.user.has_perm("tournaments.manage_lists"),
        "owns_site": request.user.has_perm("tournaments.manage_site"),
    }
    return render(request, "home.html", context)


def _search_of(request: HttpRequest) -> tuple[EventSearch, dict[str, str]]:
    """Return what to search for, and the parameters that say so. A month or day that cannot be read counts as none."""
    month = MONTH.fullmatch(request.GET.get("month", ""))
    try:
        beyond = date.fromisoformat(request.GET.get("beyond", ""))
    except ValueError:
        beyond = None
    when = When(one_of(*When)(request.GET.get("when", "")))
    search = EventSearch(
        words=search_of(request),
        player=request.GET.get("player", "").replace("\x00", "").strip()[:80],
        federation=request.GET.get("federation", "").replace("\x00", "").strip().upper()[:3],
        month=date(int(month[1]), int(month[2]), 1) if month else None,
        when=when if when != When.OWN or request.user.is_authenticated else When.ANY,
        beyond=beyond,
    )
    typed = {
        "q": search.words,
        "player": search.player,
        "federation": search.federation,
        "month": month[0] if month else "",
        "when": search.when,
        "beyond": search.beyond.isoformat() if search.beyond else "",
    }
    return search, {name: value for name, value in typed.items() if value}


# What search engines ask for: the site map, and the facts of an event as structured data.

XML = "application/xml; charset=utf-8"
MAP = "http://www.sitemaps.org/schemas/sitemap/0.9"


@public_answer(public_facts_of_site_map, absolute=True)
@require_safe
def site_map(request: HttpRequest) -> HttpResponse:
    """Name the parts of the site map."""
    parts = (
        url_for_others(request, reverse("tournaments:site-map-part", args=[part]))
        for part in range(1, parts_of_map() + 1)
    )
    return _map("sitemapindex", (f"<sitemap><loc>{escape(part)}</loc></sitemap>" for part in parts))


@public_answer(public_facts_of_site_map, "part", absolute=True)
@require_safe
def site_map_part(request: HttpRequest, part: int) -> HttpResponse:
    """Name the pages of the events that want to be found, with their last change."""
    if not 1 <= part <= parts_of_map():
        raise Http404
    root = escape(url_for_others(request, reverse("home")))
    return _map(
        "urlset",
        (
            f"<url><loc>{root}{slug}/</loc><lastmod>{changed.isoformat(timespec='seconds')}</lastmod></url>"
            for slug, changed in part_of_map(part)
        ),
    )


def _map(kind: str, rows: Iterable[str]) -> HttpResponse:
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return HttpResponse(f'{head}<{kind} xmlns="{MAP}">{"".join(rows)}</{kind}>', content_type=XML)


def _structured(event: Event) -> dict[str, Any]:
    """Return what search engines learn about an event (schema.org SportsEvent)."""
    place = {"@type": "Place", "name": event.city, "address": event.city}
    return {
        "@context": "https://schema.org",
        "@type": "SportsEvent",
        "name": event.name,
        "sport": "Chess",
        "startDate": event.start.isoformat(),
        "endDate": event.end.isoformat(),
        "eventStatus": "https://schema.org/EventScheduled",
        "eventAttendanceMode": "https://schema.org/OfflineEventAttendanceMode",
        **({"location": place} if event.city else {}),
    }


MOST_FOUND = 30
"""Players that the page of an event shows for a search."""


@public_answer(
    public_facts_of_event, "event", q=any_text, day=any_text, public=lambda text: "1" if text else ""
)
@require_safe
def event(request: HttpRequest, event: str) -> HttpResponse:
    """Show an event with its sections, and the players whom a search (?q=) finds in all of them. People who work on it
    see what the sections wait for, with the plan of ?day=, and the page of visitors with ?public=.
    """
    found = Event.objects.select_related("registration").filter(slug=event).first()
    if found is None and is_of_person(request) and was_deleted(request.user, event):
        return redirect("tournaments:deleted-events")
    if found is None:
        raise Http404
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    use_zone(found.time_zone)
    rights = rights_in(request.user, found)
    event_url = reverse("tournaments:event-news", args=[found.slug])
    context = {
        "event": event_overview(found, request.user),
        "held_rights": rights,
        "manages": Right.MANAGE in rights,
        "archives": Right.ARCHIVE in rights,
        "loads_copies": Right.MANAGE in rights and request.user.has_perm("tournaments.load_copy"),
        "last_change": last_change_in(found),
        "news": f"{event_url}?seen=shown&round={round_mark_of_event(found.pk)}",
        "takes_forms": _takes_forms(found),
        "structured": _structured(found) if wants_to_be_found(found) else None,
        "search": search_of(request),
        **_found_players(found, search_of(request)),
        **(
            {}
            if request.GET.get("public")
            else overview_of(found, request.user, rights, request.GET.get("day", ""))
        ),
    }
    return allow_in_search_engines(render(request, "event.html", context), found)


def _takes_forms(event: Event) -> bool:
    """Return whether visitors find something behind "Register": a form, or who plays. They do not where registrations
    only wait for an arbiter after round 1. One query at most.
    """
    found = getattr(event, "registration", None)
    if found is None or found.closes_at is None or found.shown != "numbers":
        return found is not None
    return bool(event.sections.filter(registration__open=True).exists())


def _found_players(event: Event, search: str) -> dict[str, Any]:
    """Return the first players whom the search finds, and how many there are."""
    if not search:
        return {}
    facts = public_facts_of_event(event.slug)
    listed = kept_lists.make(
        ("event", event.pk),
        lambda: [(row, find_key(row.name, row.tpn)) for row in event_players(event)],
        basis=facts.everything if facts else (),
        keep=lambda made: len(made) > WHOLE,
    )
    found, similar = found_or_similar(listed, search)
    shown = [row for row, _key in found[:MOST_FOUND]]
    return {"found": shown, "unshown": max(0, len(found) - MOST_FOUND), "similar": similar}


@public_answer(public_facts, "event", "section", leads=True)
@require_safe
def section(request: HttpRequest, event: str, section: str) -> HttpResponse:
    """Lead people who work on the section to their page, and others to the pairings, or to the players before
    round 1.
    """
    sections = Section.objects.select_related("event")
    found = get_object_or_404(sections, event__slug=event, slug=section)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    rights = rights_in(request.user, found)
    if Right.SEE in rights:
        return redirect(section_url("cockpit", found))
    if Right.SEE_PRESENCE in rights:
        return redirect(section_url("check-in", found))
    latest = found.played_rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
    if latest is None:
        return redirect(section_url("players", found))
    if Right.RESULTS in rights:
        return redirect(section_url("enter-results", found, number=latest.number))
    return redirect(section_url("pairings", found))
