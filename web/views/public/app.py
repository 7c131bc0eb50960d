"""What a browser needs to show an event as an app, its pages without a network, notices of published rounds, and news.

Open pages that show no list of their own ask whether another round is published, or their round no longer is.
"""

from __future__ import annotations

import json

from django.conf import settings
from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import get_language, get_language_bidi
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from base.networks import counted, network_of
from tournaments.actions.notices import NotABrowserError, TooManyNoticesError, subscribe, unsubscribe
from tournaments.models import Event, Round, Section
from tournaments.queries.field import round_mark_of, round_mark_of_event, unfinished_rounds
from tournaments.queries.public_facts import PublicFacts, public_facts_of_event
from web.context import news_address
from web.views.public.public_page import Visit, about_round, program_version, public_answer, visitor_page

# What a browser needs to show an event as an app, its pages without a network, and notices of published
# rounds.
#
# docs/decisions/0068-pages-without-a-network.md

ICONS = (
    ("img/icon-192.png", 192, "any"),
    ("img/icon-512.png", 512, "any"),
    ("img/icon-512-maskable.png", 512, "maskable"),
)
HEADER = (
    "#ffffff"  # --paper and --ground of static/css/tokens.css in light colours: a manifest has no dark ones
)
GROUND = "#f2f4f3"

MOST_A_MINUTE = 200
"""Requests for notices from one network. A hall shares one address, and each phone asks once."""


@public_answer(public_facts_of_event, "event")
@require_safe
def manifest(request: HttpRequest, event: str) -> HttpResponse:
    """Describe an event as an app that begins at the page of the event, in the language of the address."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    start = reverse("tournaments:event", args=[event])
    return JsonResponse(
        {
            "id": f"/{event}/",  # the same app in every language
            "name": found.name,
            "short_name": found.name,
            "lang": get_language(),
            "dir": "rtl" if get_language_bidi() else "ltr",
            "start_url": start,
            "scope": "/",
            "display": "minimal-ui",
            "theme_color": HEADER,
            "background_color": GROUND,
            "icons": [
                {"src": static(path), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
                for path, size, purpose in ICONS
            ],
        },
        content_type="application/manifest+json",
    )


def program_facts() -> PublicFacts:
    """Return the facts of an answer that follows from the program alone."""
    return PublicFacts(revision=0, public=True, time_zone="", everything=())


@public_answer(program_facts)
@require_safe
def worker(_request: HttpRequest) -> HttpResponse:
    """Send the service worker: a module that calls ours with the version of all static files.

    Another version is another text, so the browser replaces the worker. Switched off, it removes itself.
    """
    version = getattr(staticfiles_storage, "manifest_hash", "") or program_version()
    name, call = (
        ("serve", f"serve(self, {json.dumps(version)})")
        if settings.OFFLINE_PAGES
        else ("leave", "leave(self)")
    )
    script = f'import {{ {name} }} from "{static("js/worker/run.js")}";\n{call};\n'
    return HttpResponse(script, content_type="text/javascript; charset=utf-8")


@csrf_exempt  # it has no login and no cookie, so there is nothing that a forged form could misuse
@require_http_methods(["POST", "DELETE"])
def notices(request: HttpRequest, event: str, section: str) -> HttpResponse:
    """Note or remove a browser that wants notices: JSON with `endpoint`, and to note it `point`, `secret` and
    `language`.
    """
    public = Section.objects.filter(event__public=True, taken_away=False)
    found = get_object_or_404(public, event__slug=event, slug=section)
    if counted(f"notices:{network_of(request)}", 60) > MOST_A_MINUTE:
        return HttpResponse(status=429)
    if request.content_type != "application/json":
        return HttpResponse(status=415)
    try:
        sent = json.loads(request.body)
    except (ValueError, RecursionError):  # a text that is not UTF-8 is a ValueError too
        return HttpResponse(status=400)
    sent = sent if isinstance(sent, dict) else {}
    endpoint, point, secret, language = (
        str(sent.get(name, "")) for name in ("endpoint", "point", "secret", "language")
    )
    if request.method == "DELETE":
        unsubscribe(section=found, endpoint=endpoint)
        return HttpResponse(status=204)
    known = language if language in dict(settings.LANGUAGES) else ""
    network = network_of(request)
    try:
        subscribe(
            section=found, endpoint=endpoint, point=point, secret=secret, language=known, network=network
        )
    except NotABrowserError:
        return HttpResponse(status=422)
    except TooManyNoticesError:
        return HttpResponse(status=409)
    return HttpResponse(status=204)


# What open pages ask that show no list of their own: whether another round is published, or their round no
# longer.
#
# The answer is the same for everybody and has no content, or one sentence, so a crowd of open pages costs
# little. A page loads itself again when its mark is no longer that of the answer. A player's card could ask
# for itself, but then each result would make the cards of all players again.


@visitor_page(polled=True)
def round_news(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Answer by the mark of a round, or of the current one."""
    section = visit.section
    published = list(section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number"))
    unfinished = unfinished_rounds(section) if section.fixed_rounds else ()
    answer = HttpResponse() if number is None else _later(request, section, published, number)
    return about_round(answer, round_mark_of(section, published, unfinished, number))


def _later(request: HttpRequest, section: Section, published: list[Round], number: int) -> HttpResponse:
    """Say that a round has come out since, and let the page ask on. Where all rounds are fixed, they came together."""
    out = bool(published) and published[-1].number > number and not section.fixed_rounds
    context = {
        "event": section.event,
        "section": section,
        "stays": True,
        "later": published[-1] if out else None,
        "news": news_address(section, number, round_mark_of(section, published, (), number)),
    }
    return render(request, "components/news.html", context)


@public_answer(public_facts_of_event, "event", polled=True)
@require_safe
def event_news(request: HttpRequest, event: str) -> HttpResponse:
    """Answer by the mark of all rounds of an event."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    return about_round(HttpResponse(), round_mark_of_event(found.pk))
