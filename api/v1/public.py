"""What everybody may read without a token: the answers are made once and given to all, as those of pages are."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponse
from django.urls import path, reverse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from api import reading
from api.serializers import ListShape, RoundSerializer, StandingsSerializer
from tournaments.models import Event, Participant, Round, Section
from tournaments.queries.entries import player_list
from tournaments.queries.home import EventRow, event_overview, public_events
from tournaments.queries.public_facts import (
    public_facts_by_key,
    public_facts_of_all_events,
    public_facts_of_event_by_key,
)
from web.views.public.visits import public_answer

from .bodies import checked_query
from .operations import Operation, reads
from .problems import handle
from .shapes import PublishedShape, Shape
from .subjects import BIGGEST
from .view import AnyAnswer, Method, encoded
from .whys import ExplainedShape, FairnessShape


class PublicSectionRow(Shape):
    """A section of an event. round: the latest published one, 0 before the first."""

    id = serializers.IntegerField(source="section_id")
    name = serializers.CharField()
    rounds = serializers.IntegerField()
    players = serializers.IntegerField()
    closed = serializers.BooleanField()
    round = serializers.IntegerField(source="round_number")


class PublicEventShape(Shape):
    """An event with its sections. page: the address of its page on this server."""

    id = serializers.IntegerField(source="event_id")
    name = serializers.CharField()
    city = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    start = serializers.DateField()
    end = serializers.DateField()
    chief_arbiter = serializers.CharField(allow_blank=True)
    deputy_arbiters = serializers.ListField(child=serializers.CharField())
    time_control = serializers.CharField(allow_blank=True)
    page = serializers.SerializerMethodField()
    sections = PublicSectionRow(many=True)

    def get_page(self, row: EventRow) -> str:
        return reverse("tournaments:event", args=[row.slug])


class PublicEventsShape(ListShape):
    """All public events, newest first."""

    results = PublicEventShape(many=True)


class PublishedRoundShape(Shape):
    number = serializers.IntegerField()
    state = serializers.CharField()
    published_at = serializers.DateTimeField(allow_null=True)


class PublicSectionShape(Shape):
    """A section with its published rounds. schedule: the day, or day and time, of each round, "" if it is not known."""

    revision = serializers.IntegerField()
    id = serializers.IntegerField()
    event = serializers.IntegerField()
    name = serializers.CharField()
    page = serializers.CharField()
    system = serializers.CharField()
    rounds = serializers.IntegerField()
    tie_breaks = serializers.ListField(child=serializers.CharField())
    schedule = serializers.ListField(child=serializers.CharField(allow_blank=True))
    closed = serializers.BooleanField()
    published = PublishedRoundShape(many=True)


class PublicEntryShape(Shape):
    """tpn: the pairing number, null until there is one."""

    tpn = serializers.IntegerField(allow_null=True)
    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    rating = serializers.IntegerField()
    club = serializers.CharField(allow_blank=True)
    status = serializers.ChoiceField(choices=Participant.Status.values)
    first_round = serializers.IntegerField()


class PublicEntriesShape(ListShape):
    revision = serializers.IntegerField()
    results = PublicEntryShape(many=True)


class PublicRoundShape(RoundSerializer):
    """The boards of a published round and its byes. Points are in tenths, before the round."""

    revision = serializers.IntegerField()


class PublicStandingsShape(StandingsSerializer):
    """The standings as they are now. Points are in tenths."""

    revision = serializers.IntegerField()


class PublicView(reading.Limited):
    """The same for everybody: it asks for no token and looks at no cookie."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [reading.ReaderThrottle]
    renderer_classes = [JSONRenderer]
    content_negotiation_class = AnyAnswer
    http_method_names = ["get", "head", "options"]
    asked: dict[str, Any]

    def get_exception_handler(self) -> Any:
        return handle

    def get_throttles(self) -> list[Any]:
        return [] if self.request.method == "OPTIONS" else super().get_throttles()

    def options(self, request: Any, *_args: Any, **_parts: Any) -> Any:  # noqa: ARG002
        """Answer a browser that asks whether a script of another site may read this."""
        return HttpResponse(status=204)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        found = super().finalize_response(request, response, *args, **kwargs)
        for name, value in reading.ANY_SITE.items():
            found.headers[name] = value
        return found

    def answered(self, operation: Operation, method: Method, request: Request) -> HttpResponse:
        self.asked = checked_query(operation.query, request.query_params)
        return HttpResponse(encoded(method(self)), content_type="application/json")

    @property
    def section(self) -> Section:
        """Return the section of the address. Raises Http404."""
        return reading.public_section(self.kwargs["section"])


class PublicEventsView(PublicView):
    @reads("List the public events", scope=None, answer=PublicEventsShape)
    def get(self) -> Any:
        return PublicEventsShape({"results": public_events(AnonymousUser())}).data


class PublicEventView(PublicView):
    @reads("Read a public event with its sections", scope=None, answer=PublicEventShape)
    def get(self) -> Any:
        found = Event.objects.filter(pk=min(self.kwargs["event"], BIGGEST), public=True).first()
        if found is None:
            raise Http404
        return PublicEventShape(event_overview(found, AnonymousUser())).data


class PublicSectionView(PublicView):
    @reads("Read a public section and which rounds are published", scope=None, answer=PublicSectionShape)
    def get(self) -> Any:
        section = self.section
        published = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("number")
        shown = {
            name: getattr(section, name)
            for name in ("revision", "id", "name", "system", "rounds", "tie_breaks", "schedule")
        }
        page = reverse("tournaments:section", args=[section.event.slug, section.slug])
        more = {"event": section.event_id, "closed": section.is_closed, "published": published, "page": page}
        return PublicSectionShape({**shown, **more}).data


class PublicEntriesView(PublicView):
    @reads("List the players of a public section", scope=None, answer=PublicEntriesShape)
    def get(self) -> Any:
        section = self.section
        rows = [row for row in player_list(section) if row.status != Participant.Status.EXPELLED]
        return PublicEntriesShape({"revision": section.revision, "results": rows}).data


class PublicRoundView(PublicView):
    @reads("Read the boards of a published round", scope=None, answer=PublicRoundShape)
    def get(self) -> Any:
        return reading.round_values(self.section, self.kwargs["number"])


class PublicExplainedView(PublicView):
    @reads("Read why a published round was paired in this way", scope=None, answer=ExplainedShape)
    def get(self) -> Any:
        return reading.explained_values(self.section, self.kwargs["number"])


class PublicStandingsView(PublicView):
    @reads("Read the standings of a public section", scope=None, answer=PublicStandingsShape)
    def get(self) -> Any:
        return reading.standings_values(self.section)


class PublicFairnessView(PublicView):
    @reads("Read how fair the pairings of a public section were", scope=None, answer=FairnessShape)
    def get(self) -> Any:
        return reading.spread_values(self.section)


class PublicListView(PublicView):
    @reads("Read the newest list that was published after a round", scope=None, answer=PublishedShape)
    def get(self) -> Any:
        return reading.published_values(self.section, None, None)


class PublicFormerListView(PublicView):
    @reads("Read a list as it was published after a round", scope=None, answer=PublishedShape)
    def get(self) -> Any:
        return reading.published_values(self.section, self.kwargs["number"], None)


class PublicEditionView(PublicView):
    @reads("Read one of several editions of a list", scope=None, answer=PublishedShape)
    def get(self) -> Any:
        return reading.published_values(self.section, self.kwargs["number"], self.kwargs["edition"])


OF_ALL: dict[str, Any] = {"headers": reading.for_scripts, "of_visitor": reading.what_is_left}
of_all = public_answer(public_facts_of_all_events, **OF_ALL)
of_event = public_answer(public_facts_of_event_by_key, "event", **OF_ALL)
of_section = public_answer(public_facts_by_key, "section", **OF_ALL)
SECTION = "public/sections/<int:section>/"
ROUND = f"{SECTION}rounds/<int:number>/"

public_operations = [
    path("public/events/", of_all(PublicEventsView.as_view()), name="public-events"),
    path("public/events/<int:event>/", of_event(PublicEventView.as_view()), name="public-event"),
    path(SECTION, of_section(PublicSectionView.as_view()), name="public-section"),
    path(f"{SECTION}entries/", of_section(PublicEntriesView.as_view()), name="public-entries"),
    path(ROUND, of_section(PublicRoundView.as_view()), name="public-round"),
    path(f"{ROUND}explained/", of_section(PublicExplainedView.as_view()), name="public-explained"),
    path(f"{SECTION}standings/", of_section(PublicStandingsView.as_view()), name="public-standings"),
    path(f"{SECTION}fairness/", of_section(PublicFairnessView.as_view()), name="public-fairness"),
    path(f"{SECTION}list/", of_section(PublicListView.as_view()), name="public-list"),
    path(
        f"{SECTION}list/<int:number>/", of_section(PublicFormerListView.as_view()), name="public-former-list"
    ),
    path(
        f"{SECTION}list/<int:number>/<int:edition>/",
        of_section(PublicEditionView.as_view()),
        name="public-edition",
    ),
]
