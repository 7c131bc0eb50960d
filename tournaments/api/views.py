"""What programs may read without a key: the pairings of a published round, and the standings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

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
from tournaments.networks import network_of
from tournaments.queries.fairness import fairness
from tournaments.queries.pairings import round_board_list
from tournaments.queries.public_facts import PublicFacts, public_facts_by_key
from tournaments.queries.published import people_of
from tournaments.queries.shown_list import shown_list
from tournaments.queries.standings import standings_table
from tournaments.web.explained import explained
from tournaments.web.views.public.visits import public_answer
from tournaments.zones import use_zone


class NetworkThrottle(SimpleRateThrottle):
    """Limits the requests of one network. A program with a whole /64 of addresses is one program."""

    def get_cache_key(self, request: Request, view: APIView) -> str:  # noqa: ARG002
        return self.cache_format % {"scope": self.scope, "ident": network_of(request)}


class ReaderThrottle(NetworkThrottle):
    """Limits how many answers are made for one network per minute: enough for a hall, too few for a crawler.

    A finished answer costs no more than a page, so it does not count.
    """

    scope = "reader"
    rate = "120/min"


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
    return Response(round_values(public_section(section), number))


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def round_explained(request: Request, section: int, number: int) -> Response:  # noqa: ARG001
    """Return why the boards of a published round were paired in this way, if the section explains it to everybody."""
    return Response(explained_values(public_section(section), number))


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def section_standings(request: Request, section: int) -> Response:  # noqa: ARG001
    """Return the standings as they are now."""
    return Response(standings_values(public_section(section)))


@public_answer(public_facts_by_key, "section", headers=for_scripts)
@api_view(["GET", "HEAD"])
@authentication_classes([])
@permission_classes([AllowAny])
@throttle_classes([ReaderThrottle])
def section_fairness(request: Request, section: int) -> Response:  # noqa: ARG001
    """Return how fair the pairings were. Where all rounds are fixed, there is nothing to measure: 404."""
    return Response(spread_values(public_section(section)))


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
    return Response(published_values(public_section(section), number, edition))


# What the answers say, also below /api/v1/public/ ------------------------------------------------------------


def round_values(section: Section, number: int) -> dict[str, Any]:
    """Return the boards of a published round. Raises Http404."""
    try:
        shown = round_board_list(section, number)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    return {"revision": section.revision, **RoundSerializer(shown).data}


def explained_values(section: Section, number: int) -> dict[str, Any]:
    """Return why the boards were paired in this way. Raises Http404 if the section does not explain it to everybody."""
    if not section.is_explained_to_everybody:
        raise Http404
    try:
        shown = explained(section, number)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    return {"revision": section.revision, "number": number, **explanation_values(shown)}


def standings_values(section: Section) -> dict[str, Any]:
    table = standings_table(section)
    shown = StandingsSerializer(table, context={"lists": section.lists}).data
    return {"revision": section.revision, **shown}


def spread_values(section: Section) -> dict[str, Any]:
    """Return how fair the pairings were. Raises Http404 where all rounds are fixed."""
    if section.fixed_rounds:
        raise Http404
    return {"revision": section.revision, **fairness_values(fairness(section))}


def published_values(section: Section, number: int | None, edition: int | None) -> dict[str, Any]:
    """Return the list that was published after a round, None: the newest one. Raises Http404 if there is none."""
    if not section.lists:
        raise Http404
    try:
        shown = shown_list(section, section.lists[0], None if number is None else number + 1, edition)
    except Round.DoesNotExist as missing:
        raise Http404 from missing
    if shown.published is None:
        raise Http404
    return {"revision": section.revision, **list_values(shown.published, people_of(section))}


def public_section(section: int) -> Section:
    """Return a section that everybody may see, in the time zone of its event. Raises Http404."""
    sections = Section.objects.select_related("event").filter(event__public=True, taken_away=False)
    found = get_object_or_404(sections, pk=section)
    use_zone(found.event.time_zone)
    return found
