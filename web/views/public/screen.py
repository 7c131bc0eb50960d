"""The screens of the hall: a list that turns its pages by itself, follows the section, and counts down to the
round. The address says what a screen shows, or an arbiter controls it from elsewhere.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import get_language, override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from base.consistent_read import consistent_read
from base.zones import use_zone
from tournaments.actions.screens import note_screen
from tournaments.models import Screen, Section
from tournaments.models.published_list import ARO
from tournaments.models.screen import (
    FEWEST_ROWS,
    FEWEST_SECONDS,
    MOST_PARTS,
    MOST_ROWS,
    MOST_SECONDS,
    ROWS,
    SECONDS,
)
from tournaments.shown_names import names_for_visitors
from web.views.public.sheets import (
    SHEETS,
    Leaf,
    Share,
    Sheet,
    milliseconds,
    shared,
    sheet_of,
    starts,
)
from web.views.public.visits import (
    Visit,
    between,
    nothing_new,
    one_of,
    program_version,
    send_time,
    visitor_page,
)

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
    share = Share(int(asked.get("rows", ROWS)), min(int(asked.get("part", 1)), parts), parts)
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
    return render(request, "public/screen.html", context)


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
            **_context(sections, named.show, Share(named.rows, named.part, named.parts), named.message),
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
        answer = render(request, "public/screen.html", context)
    answer["Content-Language"] = language
    return answer


def _context(sections: Sequence[Section], show: str, share: Share, message: str = "") -> dict[str, Any]:
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


def _sheets(sections: Sequence[Section], show: str, share: Share, message: str) -> list[Sheet]:
    if show == Screen.Show.BLANK:
        return []
    if show == Screen.Show.MESSAGE:
        return [Sheet(None, show, message, 0, (Leaf("", "", ()),))] if message else []
    if show == Screen.Show.CLOCK:
        sections = sections[:1]
    if show == Screen.Show.ARO:
        sections = [section for section in sections if ARO in section.lists]
    return [sheet_of(section, show, share) for section in sections]
