"""Organisers give programs access, see who has it, and end it."""

from __future__ import annotations

import re

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tournaments.models import AccessToken, Event, User

RIGHT = "a long password"
PAGE = "/rijswijk/-/programs/"
SENT = {
    "name": "club.example",
    "scopes": ["lists:read", "results:write"],
    "last_day": "2099-01-01",
    "password": RIGHT,
}


def later(client: Client) -> dict[str, object]:
    """The form with the day that it proposes."""
    day = re.search(r'name="last_day" value="([-0-9]+)"', client.get(PAGE).content.decode())
    assert day
    return {**SENT, "last_day": day[1]}


def test_a_token_is_shown_once_and_can_be_ended(owners_page: Client, event: Event, client: Client):
    made = owners_page.post(PAGE, later(owners_page))
    text = re.search(r"evb_[-_\w]{43}", made.content.decode())
    assert (made.status_code, bool(text)) == (200, True)
    asked = {"headers": {"Authorization": f"Bearer {text[0]}"}}
    assert client.get("/api/v1/token/", **asked).json()["scopes"] == ["lists:read", "results:write"]
    listed = owners_page.get(PAGE).content.decode()
    assert text[0] not in listed
    assert "club.example" in listed
    token = AccessToken.objects.get()
    assert text[0] not in str(vars(token))
    ended = owners_page.post(PAGE, {"end": token.pk})
    assert ended.status_code == 302
    assert "club.example" not in owners_page.get(PAGE).content.decode().replace("token of club.example", "")
    assert client.get("/api/v1/token/", **asked).status_code == 401
    assert list(event.log.values_list("action", flat=True)) == ["end_access_token", "make_access_token"]
    again = owners_page.post(PAGE, {"end": token.pk})
    assert (again.status_code, owners_page.post(PAGE, {"end": "x"}).status_code) == (404, 404)


def test_wrong_values_are_said_at_their_fields(owners_page: Client):
    refused = owners_page.post(PAGE, SENT)
    assert refused.status_code == 422
    assert "days from now" in refused.content.decode()
    for name in SENT:
        assert owners_page.post(PAGE, {**later(owners_page), name: ""}).status_code == 422


def test_own_tokens_are_for_all_events(owners_page: Client, owner: User, client: Client):
    made = owners_page.post("/account/programs/", later(owners_page))
    text = re.search(r"evb_[-_\w]{43}", made.content.decode())
    assert text
    asked = {"headers": {"Authorization": f"Bearer {text[0]}"}}
    found = client.get("/api/v1/events/", **asked).json()["results"]
    assert [event["address"] for event in found] == ["rijswijk"]
    assert "/account/programs/" in owners_page.get("/account/").content.decode()


def test_the_page_makes_few_queries(owners_page: Client):
    owners_page.post(PAGE, later(owners_page))
    counts = []
    for _ in range(2):
        with CaptureQueriesContext(connection) as made:
            owners_page.get(PAGE)
        counts.append(len(made))
        for _ in range(3):
            owners_page.post(PAGE, later(owners_page))
    assert counts[0] == counts[1] <= 10
