"""What everybody may read about registrations: how many places are taken, and who is accepted."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from django.urls import path
from django.utils import timezone
from rest_framework import serializers

from api.v1.bodies import BodySerializer
from api.v1.operations import reads
from api.v1.public import PublicView
from api.v1.shapes import ListShape, Shape, public_plain
from api.v1.subjects import BIGGEST
from base.zones import use_zone
from registrations.models import EventRegistration
from registrations.queries.places import PUBLIC_REGISTERED, places_of, public_rows

LONGEST = 500
"""Rows of one page, as on the page of the list."""


class OpenPlacesShape(Shape):
    """A section that takes registrations. closed: why nobody can register now, "" if everybody can. free: null without
    a limit.
    """

    section = serializers.IntegerField()
    name = serializers.CharField()
    accepted = serializers.IntegerField()
    taken = serializers.IntegerField()
    free = serializers.IntegerField(allow_null=True)
    waiting = serializers.IntegerField()
    closed = serializers.CharField(allow_blank=True)


class PublicPlacesShape(ListShape):
    opens_at = serializers.DateTimeField(allow_null=True)
    closes_at = serializers.DateTimeField(allow_null=True)
    results = OpenPlacesShape(many=True)


class RegisteredShape(Shape):
    """An accepted player: initials and no club for one who did not agree to the list."""

    name = serializers.CharField()
    title = serializers.CharField(allow_blank=True)
    federation = serializers.CharField(allow_blank=True)
    rating = serializers.IntegerField(allow_null=True)
    vars().update(public_plain(PUBLIC_REGISTERED))


class AllRegisteredShape(ListShape):
    """The accepted players."""

    results = RegisteredShape(many=True)


class NumberQuery(BodySerializer):
    page = serializers.IntegerField(min_value=1, max_value=1_000, required=False, default=1)


class PublicPlacesView(PublicView):
    @reads("Read how many places the sections of a public event have", None, answer=PublicPlacesShape)
    def get(self) -> Any:
        event = min(self.kwargs["event"], BIGGEST)
        form = (
            EventRegistration.objects.select_related("event").filter(event=event, event__listed=True).first()
        )
        if form is None:
            raise Http404
        use_zone(form.event.time_zone)
        now = timezone.now()
        sections = [
            {
                "section": found.section.pk,
                "name": found.section.name,
                **{name: getattr(found, name) for name in ("accepted", "taken", "free", "waiting")},
                "closed": found.closed_because(form, now),
            }
            for found in places_of(form.event).values()
            if not found.section.taken_away
        ]
        shown = {"opens_at": form.opens_at, "closes_at": form.closes_at, "results": sections}
        return PublicPlacesShape(shown).data


class RegisteredView(PublicView):
    @reads(
        "List the accepted registrations of a public section",
        None,
        answer=AllRegisteredShape,
        query=NumberQuery,
    )
    def get(self) -> Any:
        section, page = self.section, self.asked["page"]
        form = EventRegistration.objects.filter(event=section.event_id).first()
        if form is None or form.shown != form.Shown.ACCEPTED:
            raise Http404
        rows = public_rows(section, start=(page - 1) * LONGEST, most=LONGEST + 1)
        following = page + 1 if len(rows) > LONGEST else 0
        beside = {"next": self._page(following), "previous": self._page(page - 1)}
        return AllRegisteredShape({**beside, "results": rows[:LONGEST]}).data

    def _page(self, number: int) -> str | None:
        """Return the address of a page, None for 0."""
        return f"{self.request.build_absolute_uri(self.request.path)}?page={number}" if number else None


public_operations = [
    path("public/events/<int:event>/places/", PublicPlacesView.as_view(), name="public-places"),
    path("public/sections/<int:section>/registered/", RegisteredView.as_view(), name="public-registered"),
]
