"""What open pages ask that show no list of their own: whether another round is published, or their round no longer.

The answer is the same for everybody and has no content, or one sentence, so a crowd of open pages costs little. A page
loads itself again when its mark is no longer that of the answer. A player's card could ask for itself, but then each
result would make the cards of all players again.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from tournaments.models import Event, Round, Section
from tournaments.queries.current import mark_of, mark_of_event, unfinished_rounds
from tournaments.queries.public_facts import public_facts_of_event
from web.context import news_address
from web.views.public.visits import Visit, about_round, public_answer, visitor_page


@visitor_page(polled=True)
def news(request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Answer by the mark of a round, or of the current one."""
    section = visit.section
    published = list(section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number"))
    unfinished = unfinished_rounds(section) if section.fixed_rounds else ()
    answer = HttpResponse() if number is None else _later(request, section, published, number)
    return about_round(answer, mark_of(section, published, unfinished, number))


def _later(request: HttpRequest, section: Section, published: list[Round], number: int) -> HttpResponse:
    """Say that a round has come out since, and let the page ask on. Where all rounds are fixed, they came together."""
    out = bool(published) and published[-1].number > number and not section.fixed_rounds
    context = {
        "event": section.event,
        "section": section,
        "stays": True,
        "later": published[-1] if out else None,
        "news": news_address(section, number, mark_of(section, published, (), number)),
    }
    return render(request, "components/news.html", context)


@public_answer(public_facts_of_event, "event", polled=True)
@require_safe
def event_news(request: HttpRequest, event: str) -> HttpResponse:
    """Answer by the mark of all rounds of an event."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    return about_round(HttpResponse(), mark_of_event(found.pk))
