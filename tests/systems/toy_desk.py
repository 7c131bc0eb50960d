"""The pages of a section in a test client. A new section has the ladder, the toy system of the tests."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy

from django.http import HttpResponse
from django.test import Client

from tests.answers import agreed
from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tournaments.models import EventRole, Section

FORM = {
    "name": "Open",
    "rounds": "5",
    "win_points": "1",
    "draw_points": "½",
    "loss_points": "0",
    "bye_points": "1",
    "dubov_edition": "",
    "dubov_upfloats": "played",
    "round-robin_cycles": "1",
    "round-robin_lots": "free",
}
"""The form of a new section without the values of the toy system."""
SETTINGS = {
    **FORM,
    "ladder_start": "bottom",
    "ladder_reach": "30",
    "ladder_far": "20",
    "ladder_gap": "",
    "system": "ladder",
}


class Desk:
    """The pages of a section in the browser of an organiser who is also a superuser."""

    def __init__(self, settings: Mapping[str, str] = SETTINGS) -> None:
        event = EventFactory(name="Rijswijk Open")
        self.organiser = EventRoleFactory(
            event=event, role=EventRole.Role.OWNER, user=UserFactory(is_superuser=True)
        ).user
        self.client = Client()
        self.client.force_login(self.organiser)
        self.new = f"/{event.slug}/-/new-section/"
        assert self.client.post(self.new, settings).status_code == 302
        self.section = event.sections.get()
        self.base = f"/{event.slug}/{self.section.slug}/"

    def again(self) -> Desk:
        """Return the pages of the same section in a new browser, for a test that shares its rows with others."""
        desk = copy(self)
        desk.section = Section.objects.get(pk=self.section.pk)
        desk.client = Client()
        desk.client.force_login(self.organiser)
        return desk

    def get(self, rest: str) -> str:
        answer = self.client.get(self.base + rest)
        assert answer.status_code == 200, rest
        return answer.content.decode()

    def post(self, rest: str, **fields: object) -> HttpResponse:
        return self.client.post(self.base + rest, fields)

    def done(self, rest: str, **fields: object) -> None:
        assert self.post(rest, **fields).status_code in (200, 204, 302), rest

    def enter(self, players: int) -> None:
        for number in range(players):
            entry = {"name": f"Surname{number}, A", "rating": 2400 - 50 * number}
            self.done("entries/add/", **entry, rating_source="typed", first_round="1")

    def pair(self) -> None:
        last = self.section.played_rounds.count()
        self.done("pair/", after_round=last)

    def publish(self) -> None:
        row = self.section.played_rounds.latest("number")
        self.done(f"round/{row.number}/publish/", version=row.version)

    def results(self, result: str = "1-0") -> None:
        row = self.section.played_rounds.latest("number")
        for game in row.games.order_by("board"):
            self.done(f"game/{game.pk}/result/", version=game.version, result=result)

    def boards(self) -> list[tuple[int, int]]:
        row = self.section.played_rounds.latest("number")
        return list(row.games.order_by("board").values_list("white__tpn", "black__tpn"))

    def by_hand(self, **fields: object) -> HttpResponse:
        """Change the last round by hand, and say yes to the question."""
        row = self.section.played_rounds.latest("number")
        path = f"{self.base}round/{row.number}/by-hand/"
        return agreed(self.client, path, {"version": row.version, **fields})

    def end_by_hand(self, number: int, reason: str = "") -> HttpResponse:
        """End it, and say yes to both questions."""
        version = self.section.played_rounds.get(number=number).version
        path = f"{self.base}round/{number}/by-hand/end/"
        return agreed(self.client, path, {"version": version, "reason": reason})

    def key(self, tpn: int) -> int:
        return self.section.participants.get(tpn=tpn).pk


OWN = {"start": "bottom", "reach": "30", "far": "20", "gap": ""}
