"""What every public page begins with: the section, the visitor, and whether anything has changed."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, wraps
from typing import Any

from django.conf import settings
from django.contrib.messages import get_messages
from django.db.models import Sum
from django.forms.models import model_to_dict
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.utils.translation import get_language
from django.views.decorators.http import require_safe

from tournaments.models import Event, Round, Tournament
from tournaments.zones import use_zone


@dataclass(frozen=True)
class Visit:
    """A visitor in a section. staff: works on the event and sees drafts. me: a participant key, or None."""

    section: Tournament
    staff: bool
    me: int | None


View = Callable[..., HttpResponse]


def section_page(view: View) -> View:
    """Turn `view(request, visit, ...)` into a page of /<event>/<section>/ for everybody who may see the event.

    A page that does not exist is 404, and so is one that this visitor may not see: a private event does not
    tell that it exists. If the browser already has the current page, the answer is 304, and only the section is
    read.
    """

    @require_safe
    @wraps(view)
    def page(request: HttpRequest, event: str, section: str, **more: Any) -> HttpResponse:
        visit = visit_of(request, event, section)
        tag = None if has_session(request) else etag(request, visit.section.event, visit.me)
        unchanged = get_conditional_response(request, etag=tag) if tag else None
        if unchanged is not None:
            return cacheable(unchanged, tag)
        try:
            response = view(request, visit, **more)
        except Round.DoesNotExist as missing:
            raise Http404(str(missing)) from missing
        return cacheable(response, tag)

    return page


def visit_of(request: HttpRequest, event: str, section: str) -> Visit:
    """Return the section and the visitor. Raises Http404 if the section does not exist or is not for this
    visitor.
    """
    found = get_object_or_404(Tournament.objects.select_related("event"), event__slug=event, slug=section)
    if not request.user.has_perm("tournaments.view_tournament", found):
        raise Http404
    use_zone(found.event.time_zone)
    staff = request.user.has_perm("tournaments.run_tournament", found)
    return Visit(section=found, staff=staff, me=remembered(request, found))


def me_cookie(section: Tournament) -> str:
    return f"me-{section.pk}"


def remembered(request: HttpRequest, section: Tournament) -> int | None:
    """Return the participant that the visitor chose with "This is me". Only the yellow marks depend on it."""
    value = request.COOKIES.get(me_cookie(section), "")
    return int(value) if value.isascii() and value.isdigit() and len(value) < 16 else None


def has_session(request: HttpRequest) -> bool:
    """Tell whether the visitor is logged in or has a message waiting. Such a page is never cached."""
    return settings.SESSION_COOKIE_NAME in request.COOKIES or bool(len(get_messages(request)))


def etag(request: HttpRequest, event: Event, me: int | None) -> str:
    """Return a tag that changes whenever a page of the event may change. All sections count, because a player
    may be in several.
    """
    facts = (
        model_to_dict(event),
        event.tournaments.aggregate(total=Sum("revision"))["total"],
        me,
        get_language(),
        request.headers.get("HX-Request", ""),
        program_version(),
    )
    return f'"{hashlib.sha256(repr(facts).encode()).hexdigest()[:24]}"'


@cache
def program_version() -> int:
    """Return a number that every new version of the program changes, and that all processes of one installation
    share.
    """
    folders = (settings.BASE_DIR / name for name in ("templates", "static", "tournaments"))
    kinds = {".css", ".html", ".js", ".py"}
    files = (file for folder in folders for file in folder.rglob("*.*") if file.suffix in kinds)
    return max(file.stat().st_mtime_ns for file in files)


def cacheable(response: HttpResponse, tag: str | None) -> HttpResponse:
    """Let the browser keep the page but ask each time. Shared caches must not keep what one visitor sees."""
    if response.status_code in (200, 304):
        response["Cache-Control"] = "private, no-cache"
        if tag:
            response["ETag"] = tag
    patch_vary_headers(response, ["Cookie", "HX-Request"])
    return response
