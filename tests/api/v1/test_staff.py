"""A token invites and ends roles as its maker may at this moment."""

from __future__ import annotations

from django.test import Client

from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import address
from tournaments.models import Event, EventRole, Section, User


def test_an_organisers_token_names_no_owner_and_ends_none(
    owner: User, event: Event, program: Program
) -> None:
    organiser = EventRoleFactory(event=event, user=UserFactory(), role=EventRole.Role.ORGANISER).user
    other = Program(organiser, event)
    roles, invitations = f"events/{event.pk}/roles/", f"events/{event.pk}/invitations/"
    held = {row["username"]: row["id"] for row in other.get(roles)["results"]}
    asked = {"username": "new", "role": "owner"}
    refused = other.send("POST", invitations, asked)
    assert (refused.status_code, refused.json()["code"]) == (422, "role_only_by_owner")
    assert other.send("DELETE", f"{roles}{held['olga']}/").status_code in (409, 422)
    assert (
        other.send("POST", invitations, {"username": organiser.username, "role": "chief"}).status_code >= 400
    )
    assert other.done("POST", invitations, {"username": "new", "role": "arbiter"}) == {"given": False}
    [row] = program.get(invitations)["results"]
    program.done("DELETE", f"{invitations}{row['id']}/")
    assert program.get(invitations)["results"][0]["state"] == "revoked"
    program.done("DELETE", f"{roles}{held[organiser.username]}/")
    assert other.send("GET", roles).status_code == 404
    assert EventRole.objects.get(event=event).user == owner


def test_programs_read_who_has_what_open(owner: User, section: Section, program: Program) -> None:
    page = Client()
    page.force_login(owner)
    assert program.get(f"events/{section.event_id}/open-pages/") == {"seats": []}
    page.get(address(section, "byes/"))
    [seat] = program.get(f"events/{section.event_id}/open-pages/")["seats"]
    assert seat.pop("at")
    assert seat == {"username": "olga", "page": "byes", "section": section.pk, "round": None}
