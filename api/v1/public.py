"""What everybody may read without a token: the answers are made once and given to all, as those of pages are."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import wraps
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.utils.urls import remove_query_param, replace_query_param

from base.zones import use_zone
from tournaments.files.fairness import fairness_values
from tournaments.models import Event, Participant, Round, Section
from tournaments.models.events import LISTED
from tournaments.player_fields import PUBLIC_PLAIN
from tournaments.queries.entries import player_list
from tournaments.queries.events import (
    EVENTS_OF_ANSWER,
    EventRow,
    EventSearch,
    When,
    event_overview,
    found_events,
    public_among,
    public_events_after,
)
from tournaments.queries.fairness import fairness
from tournaments.queries.programs import changed_in_log
from tournaments.queries.public_facts import (
    PublicFacts,
    public_facts_by_key,
    public_facts_of_event_by_key,
    public_facts_of_log,
    public_facts_of_newest_events,
)
from tournaments.queries.published_lists import list_values, published_people, shown_list
from tournaments.queries.rounds import round_board_list
from tournaments.queries.standings import StandingRow, StandingsTable, standings_table
from web.context import section_url
from web.views.public.public_page import View, any_text, public_answer
from web.why import explained

from .bodies import BodySerializer, checked_query
from .operations import Operation, reads
from .problems import handle, mark_refused
from .shapes import ListShape, PublicSideShape, PublishedShape, Shape, public_plain
from .subjects import BIGGEST
from .view import AnyAnswer, Limited, Method, ReaderThrottle, encoded, what_is_left
from .why import ExplainedShape, FairnessShape, explained_boards


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
    """Public events, newest first, fifty on a page."""

    results = PublicEventShape(many=True)


class PublicEventsQuery(BodySerializer):
    """search: each word is a part of the name or of the place, or the federation. player: the beginning of the name
    of a player, or a FIDE ID; players who are shown under initials are not found. month: of one of the days, such as
    2026-11. when: in progress, later, or over. beyond: a day; `next` has it where a search has read several thousand
    events. Then a page may have fewer results than fifty, or none, before the last one.
    """

    search = serializers.CharField(max_length=80, required=False)
    player = serializers.CharField(max_length=80, required=False)
    federation = serializers.RegexField(r"^[A-Z]{3}$", required=False)
    month = serializers.DateField(input_formats=["%Y-%m"], required=False)
    when = serializers.ChoiceField(choices=[When.NOW, When.SOON, When.PAST], required=False)
    beyond = serializers.DateField(required=False)
    page = serializers.IntegerField(min_value=1, max_value=9_999, required=False)


class PublicChangesShape(ListShape):
    """Public events by their keys, fifty on a page. mark: to be sent as the next `changed_since`; of several pages,
    that of the first one. gone: the `id` of each event that changed and is not public now, on the first page.
    """

    mark = serializers.CharField()
    gone = serializers.ListField(child=serializers.IntegerField())
    results = PublicEventShape(many=True)


class PublicChangesQuery(BodySerializer):
    """changed_since: empty for the first time, then the `mark` of the answer before: only events in which something has
    changed since, with their sections. after: the `id` of the last event of the page before.
    """

    changed_since = serializers.CharField(required=False, max_length=60, allow_blank=True, default="")
    after = serializers.IntegerField(required=False, min_value=0, max_value=BIGGEST, default=0)


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
    vars().update(public_plain(PUBLIC_PLAIN))
    status = serializers.ChoiceField(choices=Participant.Status.values)
    first_round = serializers.IntegerField()


class PublicEntriesShape(ListShape):
    revision = serializers.IntegerField()
    results = PublicEntryShape(many=True)


class PublicBoardShape(Shape):
    board = serializers.IntegerField()
    step_free = serializers.BooleanField()
    white = PublicSideShape()
    black = PublicSideShape()
    result = serializers.CharField(allow_null=True)


class PublicByeShape(Shape):
    player = PublicSideShape(source="side")
    kind = serializers.CharField()


class PublicRoundShape(Shape):
    """The boards of a published round and its byes. Points are in tenths, before the round."""

    revision = serializers.IntegerField(read_only=True)
    number = serializers.IntegerField()
    state = serializers.CharField()
    published_at = serializers.DateTimeField(allow_null=True)
    boards = PublicBoardShape(many=True)
    byes = PublicByeShape(many=True)


class PublicStandingShape(Shape):
    """A row of the standings. place: shared by players who are level in everything; null before the first result.

    aro: 0 if the player has no game; left out where the system has no list of ARO. tie_breaks: the values in the order
    of the list's `tie_breaks`; null where a tie-break has no value.
    """

    place = serializers.IntegerField(allow_null=True)
    tpn = serializers.IntegerField()
    name = serializers.CharField()
    title = serializers.CharField()
    federation = serializers.CharField()
    rating = serializers.IntegerField()
    points = serializers.IntegerField()
    aro = serializers.IntegerField(required=False)
    games = serializers.IntegerField()
    withdrawn = serializers.BooleanField()
    tie_breaks = serializers.SerializerMethodField()

    def get_tie_breaks(self, row: StandingRow) -> list[float | None]:
        return [None if value is None else _number(value) for value in row.values]

    def get_fields(self) -> dict[str, Any]:
        fields: dict[str, Any] = super().get_fields()
        if "aro" not in self.context.get("lists", ("aro",)):
            del fields["aro"]
        return fields


def _number(value: Fraction) -> int | float:
    return value.numerator if value.denominator == 1 else round(float(value), 3)


class PublicStandingsShape(ListShape):
    """The standings as they are now, points in tenths. tie_breaks: the codes after the points, in order. provisional:
    results are missing or games adjourned.
    """

    revision = serializers.IntegerField(read_only=True)
    after_round = serializers.IntegerField(source="state.complete_round")
    final = serializers.BooleanField()
    provisional = serializers.BooleanField(source="state.provisional")
    tie_breaks = serializers.SerializerMethodField()
    results = PublicStandingShape(many=True, source="rows")

    def get_tie_breaks(self, table: StandingsTable) -> list[str]:
        return [rule.text for rule in table.tie_breaks]


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


class PublicView(Limited):
    """The same for everybody: it asks for no token and looks at no cookie."""

    authentication_classes = []
    permission_classes = [AllowAny]
    throttle_classes = [ReaderThrottle]
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
        for name, value in ANY_SITE.items():
            found.headers[name] = value
        return found

    def answered(self, operation: Operation, method: Method, request: Request) -> HttpResponse:
        self.asked = checked_query(operation.query, request.query_params)
        return HttpResponse(encoded(method(self)), content_type="application/json")

    @property
    def section(self) -> Section:
        """Return the section of the address, in the time zone of its event. Raises Http404."""
        sections = Section.objects.select_related("event").filter(event__listed=True, taken_away=False)
        found = get_object_or_404(sections, pk=self.kwargs["section"])
        use_zone(found.event.time_zone)
        return found


class PublicEventsView(PublicView):
    @reads("List the public events", None, answer=PublicEventsShape, query=PublicEventsQuery)
    def get(self) -> Any:
        asked, page = self.asked, self.asked.get("page", 1)
        search = EventSearch(
            asked.get("search", ""),
            asked.get("player", ""),
            asked.get("federation", ""),
            asked.get("month"),
            When(asked.get("when", "")),
            asked.get("beyond"),
        )
        found = found_events(AnonymousUser(), search, page, EVENTS_OF_ANSWER)
        here = self.request.build_absolute_uri()
        beside = {"next": page + 1 if found.more else 0, "previous": page - 1}
        addresses = {
            name: replace_query_param(here, "page", number) if number else None
            for name, number in beside.items()
        }
        if found.reached and not found.more:
            addresses["next"] = replace_query_param(remove_query_param(here, "page"), "beyond", found.reached)
        return PublicEventsShape({"results": found.events, **addresses}).data


class PublicChangesView(PublicView):
    @reads("Read which public events have changed", None, answer=PublicChangesShape, query=PublicChangesQuery)
    def get(self) -> Any:
        asked = self.asked
        changed = changed_in_log(asked["changed_since"], "event_id") if asked["changed_since"] else None
        if asked["changed_since"] and changed is None:
            raise mark_refused(asked["changed_since"])
        rows, more = public_events_after(asked["after"], changed)
        gone = [] if asked["after"] or changed is None else sorted(changed - public_among(changed))
        (mark,) = self.request.public_facts.everything  # type: ignore[attr-defined]  # of the request of Django
        after = (
            replace_query_param(self.request.build_absolute_uri(), "after", rows[-1].event_id)
            if more
            else None
        )
        return PublicChangesShape(
            {"results": rows, "next": after, "previous": None, "mark": mark, "gone": gone}
        ).data


class PublicEventView(PublicView):
    @reads("Read a public event with its sections", None, answer=PublicEventShape)
    def get(self) -> Any:
        found = Event.objects.filter(LISTED, pk=min(self.kwargs["event"], BIGGEST)).first()
        if found is None:
            raise Http404
        return PublicEventShape(event_overview(found, AnonymousUser())).data


class PublicSectionView(PublicView):
    @reads("Read a public section and which rounds are published", None, answer=PublicSectionShape)
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
    @reads("List the players of a public section", None, answer=PublicEntriesShape)
    def get(self) -> Any:
        section = self.section
        rows = [row for row in player_list(section) if row.status != Participant.Status.EXPELLED]
        return PublicEntriesShape({"revision": section.revision, "results": rows}).data


class PublicRoundView(PublicView):
    @reads("Read the boards of a published round", None, answer=PublicRoundShape)
    def get(self) -> Any:
        section = self.section
        try:
            shown = round_board_list(section, self.kwargs["number"])
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        return {"revision": section.revision, **PublicRoundShape(shown).data}


class PublicExplainedView(PublicView):
    @reads("Read why a published round was paired in this way", None, answer=ExplainedShape)
    def get(self) -> Any:
        section, number = self.section, self.kwargs["number"]
        if not section.is_explained_to_everybody:
            raise Http404
        try:
            shown = explained(section, number)
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        file = {
            "url": section_url("round-file", section, number=shown.found.field.before_round),
            "sha256": shown.checksum,
            "program": f"Evenboard {shown.version}",
            "engine": section_url("round-engine", section, number=number),
            "rules": shown.rules,
        }
        boards = explained_boards(shown.found)
        return {"revision": section.revision, "number": number, **boards, "file": file}


class PublicStandingsView(PublicView):
    @reads("Read the standings of a public section", None, answer=PublicStandingsShape)
    def get(self) -> Any:
        section = self.section
        shown = PublicStandingsShape(standings_table(section), context={"lists": section.lists}).data
        return {"revision": section.revision, **shown}


class PublicFairnessView(PublicView):
    @reads("Read how fair the pairings of a public section were", None, answer=FairnessShape)
    def get(self) -> Any:
        section = self.section
        if section.fixed_rounds:
            raise Http404
        return {"revision": section.revision, **fairness_values(fairness(section))}


class PublicListView(PublicView):
    @reads("Read the newest list that was published after a round", None, answer=PublishedShape)
    def get(self) -> Any:
        return self.published()

    def published(self, number: int | None = None, edition: int | None = None) -> dict[str, Any]:
        """Return the list that was published after a round, None: the newest one. Raises Http404 if there is none."""
        section = self.section
        if not section.lists:
            raise Http404
        try:
            shown = shown_list(section, section.lists[0], None if number is None else number + 1, edition)
        except Round.DoesNotExist as missing:
            raise Http404 from missing
        if shown.published is None:
            raise Http404
        return {"revision": section.revision, **list_values(shown.published, published_people(section))}


class PublicFormerListView(PublicListView):
    @reads("Read a list as it was published after a round", None, answer=PublishedShape)
    def get(self) -> Any:
        return self.published(self.kwargs["number"])


class PublicEditionView(PublicListView):
    @reads("Read one of several editions of a list", None, answer=PublishedShape)
    def get(self) -> Any:
        return self.published(self.kwargs["number"], self.kwargs["edition"])


def with_mark(view: View) -> View:
    """Read the mark before the transaction that reads the rows, if the page is not made for all visitors."""

    @wraps(view)
    def answer(request: HttpRequest, **parts: Any) -> HttpResponse:
        if not hasattr(request, "public_facts"):
            request.public_facts = public_facts_of_log()  # type: ignore[attr-defined]
        return view(request, **parts)

    return answer


OF_ALL: dict[str, Any] = {"headers": for_scripts, "of_visitor": what_is_left}
SEARCHED: dict[str, Any] = dict.fromkeys(
    ("search", "player", "federation", "month", "when", "beyond", "page"), any_text
)
of_all = public_answer(public_facts_of_newest_events, absolute=True, **OF_ALL, **SEARCHED)
of_log = public_answer(public_facts_of_log, absolute=True, **OF_ALL, changed_since=any_text, after=any_text)
of_event = public_answer(public_facts_of_event_by_key, "event", **OF_ALL)
of_section = public_answer(public_facts_by_key, "section", **OF_ALL)
SECTION = "public/sections/<int:section>/"
ROUND = f"{SECTION}rounds/<int:number>/"

public_operations = [
    path("public/events/", of_all(PublicEventsView.as_view()), name="public-events"),
    path("public/events/changes/", with_mark(of_log(PublicChangesView.as_view())), name="public-changes"),
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
