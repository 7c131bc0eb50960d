"""What open pages ask that show no list of their own: whether another round is published, or their round no longer.

The answer is the same for everybody and has no content, so a crowd of open pages costs little. A page loads itself
again when its mark is no longer that of the answer. A player's card could ask for itself, but then each result would
make the cards of all players again.
"""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from tournaments.models import Event, Round
from tournaments.queries.current import mark_of, mark_of_event, unfinished_rounds
from tournaments.queries.public_facts import public_facts_of_event
from tournaments.web.views.public.visits import Visit, about_round, public_answer, visitor_page


@visitor_page(polled=True)
def news(_request: HttpRequest, visit: Visit, number: int | None = None) -> HttpResponse:
    """Answer by the mark of a round, or of the current one."""
    section = visit.section
    published = list(section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number"))
    unfinished = unfinished_rounds(section) if section.fixed_rounds else ()
    return about_round(HttpResponse(), mark_of(section, published, unfinished, number))


@public_answer(public_facts_of_event, "event", polled=True)
@require_safe
def event_news(request: HttpRequest, event: str) -> HttpResponse:
    """Answer by the mark of all rounds of an event."""
    found = get_object_or_404(Event, slug=event)
    if not request.user.has_perm("tournaments.view_section", found):
        raise Http404
    return about_round(HttpResponse(), mark_of_event(found.pk))
