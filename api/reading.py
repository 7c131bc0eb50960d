"""What programs may read without a token: how often, from which sites, and what the answers say."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle
from rest_framework.views import APIView

from api.explanations import explanation_values
from api.serializers import RoundSerializer, StandingsSerializer
from base.networks import network_in, network_of
from base.zones import use_zone
from tournaments.exports.fairness import fairness_values
from tournaments.exports.published_list import list_values
from tournaments.models import Round, Section
from tournaments.queries.fairness import fairness
from tournaments.queries.pairings import round_board_list
from tournaments.queries.public_facts import PublicFacts
from tournaments.queries.published import people_of
from tournaments.queries.shown_list import shown_list
from tournaments.queries.standings import standings_table
from web.explained import explained


class Limit(SimpleRateThrottle):
    """Limits how often somebody asks. The headers of the answer say so (draft-ietf-httpapi-ratelimit-headers)."""

    num_requests: int
    duration: int  # seconds

    def headers(self) -> dict[str, str]:
        """Return the limit, and what is left of it once it has counted a request."""
        policy = {"RateLimit-Policy": f'"{self.scope}";q={self.num_requests};w={self.duration}'}
        if getattr(self, "key", None) is None:
            return policy
        left = max(0, self.num_requests - len(self.history))
        until = self.duration - (self.now - self.history[-1]) if self.history else self.duration
        return {**policy, "RateLimit": f'"{self.scope}";r={left};t={max(1, ceil(until))}'}

    def uncounted(self, ident: str) -> dict[str, str]:
        """Return the limit and what is left of it for an answer that does not count."""
        self.key = self.cache_format % {"scope": self.scope, "ident": ident}
        self.now = self.timer()
        self.history = [at for at in self.cache.get(self.key, []) if at > self.now - self.duration]
        return self.headers()


class Limited(APIView):
    """Names its limits in each answer."""

    def get_throttles(self) -> list[Any]:
        self.limits = super().get_throttles()
        return self.limits

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        for limit in getattr(self, "limits", ()):
            for name, value in limit.headers().items():
                found.headers[name] = value
        return found


class NetworkThrottle(Limit):
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
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "If-None-Match",
    "Access-Control-Expose-Headers": "ETag, RateLimit, RateLimit-Policy, Retry-After",
    "Access-Control-Max-Age": "86400",
}


def for_scripts(_facts: PublicFacts | None) -> Mapping[str, str]:
    """Let scripts of any web site read the answer. They send no cookies, and the answer is the same for everybody."""
    return ANY_SITE


def what_is_left(environ: Mapping[str, Any]) -> Mapping[str, str]:
    """Return the limit of a visitor's network, for an answer that was made for all."""
    return ReaderThrottle().uncounted(network_in(environ))


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
