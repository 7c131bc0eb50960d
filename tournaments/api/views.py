"""What programs may read without a key: the pairings of a published round, and the standings."""

from __future__ import annotations

from collections.abc import Mapping

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.decorators import api_view, authentication_classes, permission_classes, throttle_classes
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from tournaments.api.explanations import explanation_values
from tournaments.api.serializers import RoundSerializer, StandingsSerializer
from tournaments.exports.fairness import fairness_values
from tournaments.exports.published_list import list_values
from tournaments.models import Round, Section
from tournaments.queries.fairness import fairness
from tournaments.queries.pairings import round_board_list
from tournaments.queries.public_facts import PublicFacts, public_facts_by_key
from tournaments.queries.published import people_of
from tournaments.queries.shown_list import shown_list
from tournaments.queries.standings import standings_table
from tournaments.web.explained import explained
from tournaments.web.views.public.visits import public_answer
from tournaments.zones import use_zone


class ReaderThrottle(SimpleRateThrottle):
    """Limits how many answers are made for one address per minute: enough for a hall, too few for a crawler.

    A finished answer costs no more than a page, so it does not count.
    """

    scope = "reader"
    rate = "120/min"

    def get_cache_key(self, request: Request, view: APIView) -> str:  # noqa: ARG002
        return self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}


ANY_SITE = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Expose-Headers": "ETag, Retry-After",
}


def for_scripts(_facts: PublicFacts | None) -> Mapping[str, str]:
    """Let scripts of any web site read the answer. They send no cookies, and the answer is the same for everybody."""
    return ANY_SITE


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def round_pairings(request: Request, section: int, number: int) -> Response:  # noqa: ARG001
    """Return the boards of a published round with their results, and its byes. A draft is 404."""
    found = _public_section(section)
    try:
        shown = round_board_list(found, number)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    return Response({"revision": found.revision, **RoundSerializer(shown).data})


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def round_explained(request: Request, section: int, number: int) -> Response:  # noqa: ARG001
    """Return why the boards of a published round were paired in this way, if the section explains it to everybody."""
    found = _public_section(section)
    if not found.is_explained_to_everybody:
        raise Http404
    try:
        shown = explained(found, number)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    return Response({"revision": found.revision, "number": number, **explanation_values(shown)})


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def section_standings(request: Request, section: int) -> Response:  # noqa: ARG001
    """Return the standings as they are now."""
    found = _public_section(section)
    table = standings_table(found)
    return Response(
        {"revision": found.revision, **StandingsSerializer(table, context={"lists": found.lists}).data}
    )


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def section_fairness(request: Request, section: int) -> Response:  # noqa: ARG001
    """Return how fair the pairings were. Where all rounds are fixed, there is nothing to measure: 404."""
    found = _public_section(section)
    if found.fixed_rounds:
        raise Http404
    return Response({"revision": found.revision, **fairness_values(fairness(found))})


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def section_list(
    request: Request,  # noqa: ARG001
    section: int,
    number: int | None = None,
    edition: int | None = None,
) -> Response:
    """Return the list that was published after a round, by default the newest one. 404 if there is none."""
    found = _public_section(section)
    if not found.lists:
        raise Http404
    try:
        shown = shown_list(found, found.lists[0], None if number is None else number + 1, edition)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    if shown.published is None:
        raise Http404
    return Response({"revision": found.revision, **list_values(shown.published, people_of(found))})


def _public_section(section: int) -> Section:
    sections = Section.objects.select_related("event").filter(event__public=True, taken_away=False)
    found = get_object_or_404(sections, pk=section)
    use_zone(found.event.time_zone)
    return found
