"""What everybody may read below /api/v1/public/: found from the list of events, made once, the same as the pages."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.v1.urls import for_everybody
from api.v1.view import ReaderThrottle
from tests.web.public.conftest import MadeSection, crowd, new_section
from tests.web.public.conftest import six as six
from tournaments.models import Event, Incident, Section

pytestmark = pytest.mark.one_database

AT = "/api/v1/public/"


@pytest.fixture(autouse=True)
def _forget_earlier_requests() -> None:
    cache.clear()


def test_everything_is_found_from_the_list_of_events(six: MadeSection, client: Client):
    six.play(3, "draft", (1, 6, ""))
    [event] = client.get(f"{AT}events/").json()["results"]
    assert client.get(f"{AT}events/{event['id']}/").json() == event
    [row] = event["sections"]
    assert (row["id"], row["players"], row["round"]) == (six.row.pk, 6, 2)
    assert client.get(event["page"]).status_code == 200
    at = f"{AT}sections/{row['id']}/"
    section = client.get(at).json()
    assert [one["number"] for one in section["published"]] == [1, 2]
    assert [one["tpn"] for one in client.get(f"{at}entries/").json()["results"]] == [1, 2, 3, 4, 5, 6]
    for page in ("rounds/2/", "standings/", "fairness/"):
        assert client.get(f"{at}{page}").json()["revision"] == section["revision"], page
    for page in ("rounds/3/", "rounds/9/", "list/", "list/1/", f"rounds/{10**20}/"):
        answer = client.get(f"{at}{page}")
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json"), page


def test_answers_are_made_once_and_go_with_the_event(six: MadeSection, client: Client):
    key = six.row.pk
    paths = [
        f"events/{six.row.event_id}/",
        *(f"sections/{key}/{page}" for page in ("", "entries/", "standings/")),
    ]
    for path in ("events/", *paths):
        first = client.get(AT + path, headers={"Authorization": "Bearer evb_nothing"})
        assert (first.status_code, first["Access-Control-Allow-Origin"]) == (200, "*")
        assert "public" in first["Cache-Control"]
        with CaptureQueriesContext(connection) as queries:
            again = client.get(AT + path, headers={"If-None-Match": first["ETag"]})
            assert client.get(AT + path).content == first.content
        assert (again.status_code, len(queries)) == (304, 2), path
    Event.objects.filter(pk=six.row.event_id).update(state="draft")
    assert [client.get(AT + path).status_code for path in paths] == [404] * len(paths)
    assert client.get(f"{AT}events/").json() == {"next": None, "previous": None, "results": []}


def test_scripts_of_any_site_may_read_all_of_it_and_nothing_else(six: MadeSection, client: Client):
    parts = {"event": six.row.event_id, "section": six.row.pk, "number": 2, "edition": 1}
    entry = six.row.participants.get(tpn=1)
    Incident.objects.create(
        section=six.row, round_number=1, participant=entry, kind="phone", note="secret note"
    )
    for pattern in for_everybody:
        route = re.sub(r"<int:(\w+)>", lambda found: str(parts[found[1]]), str(pattern.pattern))
        asked_first = client.options(f"/api/v1/{route}", headers={"Access-Control-Request-Method": "GET"})
        assert (asked_first.status_code, asked_first["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
        for answer in (asked_first, client.get(f"/api/v1/{route}")):
            assert answer["Access-Control-Allow-Origin"] == "*", (route, answer.status_code)
            assert "Access-Control-Allow-Credentials" not in answer
            assert b"secret note" not in answer.getvalue()
    for path in ("events/", f"sections/{six.row.pk}/", "token/"):
        for answer in (client.options(f"/api/v1/{path}"), client.get(f"/api/v1/{path}")):
            assert not [name for name in answer.headers if name.startswith("Access-Control")], path


def test_nothing_can_be_written_there(six: MadeSection, client: Client):
    assert len(for_everybody) > 10
    for verb in ("post", "put", "patch", "delete"):
        answer = getattr(client, verb)(f"{AT}sections/{six.row.pk}/standings/")
        assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")


# What the answers hold, and how many are made --------------------------------------------------------------


def test_round_gives_boards_results_and_byes(six: MadeSection, client: Client):
    response = client.get(f"/api/v1/public/sections/{six.row.pk}/rounds/2/")
    body = response.json()
    adams = {
        "tpn": 1,
        "name": "Adams, Ann",
        "title": "GM",
        "federation": "ENG",
        "rating": 2400,
        "points": 10,
    }
    assert (response.status_code, response.headers["Content-Type"]) == (200, "application/json")
    assert {key: body[key] for key in ("revision", "number", "state")} == {
        "revision": 0,
        "number": 2,
        "state": "published",
    }
    assert dt.datetime.fromisoformat(body["published_at"]) == dt.datetime(2026, 11, 20, 14, 52, tzinfo=dt.UTC)
    assert [
        (row["board"], row["white"]["tpn"], row["black"]["tpn"], row["result"]) for row in body["boards"]
    ] == [
        (1, 2, 1, "1/2"),
        (2, 4, 3, None),
    ]
    assert body["boards"][0]["black"] == adams
    assert [(row["player"]["tpn"], row["kind"]) for row in body["byes"]] == [(6, "H")]


def test_standings_give_points_in_tenths(six: MadeSection, client: Client):
    body = client.get(f"/api/v1/public/sections/{six.row.pk}/standings/").json()
    assert (body["after_round"], body["final"]) == (2, False)
    assert [
        (row["place"], row["tpn"], row["points"], row["aro"], row["withdrawn"]) for row in body["results"]
    ] == [
        (1, 1, 15, 2200, False),
        (2, 2, 15, 2200, False),
        (3, 6, 10, 2200, False),
        (4, 3, 5, 1900, False),
        (5, 4, 0, 2400, False),
        (6, 5, 0, 2300, True),
    ]


def test_standings_have_the_values_of_the_list(six: MadeSection, client: Client):
    six.row.tie_breaks = ["BH/C1", "DE"]
    six.row.save()
    body = client.get(f"/api/v1/public/sections/{six.row.pk}/standings/").json()
    assert body["tie_breaks"] == ["BH/C1", "DE"]
    assert [(row["place"], row["tie_breaks"]) for row in body["results"]] == [
        (1, [1.5, None]),
        (1, [1.5, None]),
        (3, [0.5, None]),
        (4, [0, None]),
        (5, [1.5, None]),
        (6, [0, None]),
    ]


def test_drafts_private_events_and_missing_rounds_are_404(six: MadeSection, client: Client):
    six.play(3, "draft", (1, 6, ""))
    private = new_section(state="draft", slug="private")
    key = six.row.pk
    addresses = (
        f"/api/v1/public/sections/{key}/rounds/3/",
        f"/api/v1/public/sections/{key}/rounds/0/",
        f"/api/v1/public/sections/{private.row.pk}/standings/",
        "/api/v1/public/sections/99999999999999999999/standings/",
    )
    assert [client.get(address).status_code for address in addresses] == [404] * 4


def test_a_crawler_is_slowed_down(six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ReaderThrottle, "rate", "2/day")
    addresses = [
        f"/api/v1/public/sections/{six.row.pk}/{page}" for page in ("standings/", "rounds/1/", "rounds/2/")
    ]
    answers = [client.get(address) for address in addresses]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert {one["RateLimit-Policy"] for one in answers} == {'"reader";q=2;w=86400'}
    assert [one["RateLimit"].partition(";t=")[0] for one in answers] == [f'"reader";r={r}' for r in (1, 0, 0)]
    assert [client.get(address).status_code for address in addresses] == [200, 200, 429]  # finished: no limit


def test_a_finished_answer_says_what_is_left_to_each_visitor(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """What is left for one network is not said to another one, nor to a cache that gives the answer to others."""
    monkeypatch.setattr(ReaderThrottle, "rate", "3/day")
    address = f"/api/v1/public/sections/{six.row.pk}/standings/"
    client.get(address)
    client.get(f"/api/v1/public/sections/{six.row.pk}/rounds/1/")

    def left(**asked: str) -> str:
        return client.get(address, **asked).headers.get("RateLimit", "").partition(";t=")[0]

    assert [left(), left(), left(REMOTE_ADDR="192.0.2.9")] == ['"reader";r=1', '"reader";r=1', '"reader";r=3']
    tag = client.get(address)["ETag"]
    unchanged = client.get(address, HTTP_IF_NONE_MATCH=tag)
    assert (unchanged.status_code, unchanged["RateLimit"].partition(";t=")[0]) == (304, '"reader";r=1')
    assert left(HTTP_VIA="1.1 cache") == ""


def test_a_crawler_cannot_invent_other_addresses_of_its_own(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(ReaderThrottle, "rate", "1/day")
    asked = [
        client.get(
            f"/api/v1/public/sections/{six.row.pk}/{page}", headers={"X-Forwarded-For": address}
        ).status_code
        for page, address in (("standings/", "192.0.2.1"), ("rounds/1/", "192.0.2.2"))
    ]
    assert asked == [200, 429]


@pytest.mark.parametrize("page", ["rounds/1/", "standings/"])
def test_queries_do_not_depend_on_the_number_of_players(db: None, client: Client, page: str):
    counts = []
    for size in (6, 60):
        section = crowd(size)
        with CaptureQueriesContext(connection) as queries:
            assert client.get(f"/api/v1/public/sections/{section.row.pk}/{page}").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_pages_link_to_the_json_of_their_content(six: MadeSection, client: Client):
    for page, address in (("pairings/", "rounds/2/"), ("standings/", "standings/")):
        content = client.get(six.url + page).content.decode()
        assert f'type="application/json" href="/api/v1/public/sections/{six.row.pk}/{address}"' in content


def test_an_address_without_a_version_leads_to_the_one_that_gives_the_same(six: MadeSection, client: Client):
    six.row.explained_to = Section.ExplainedTo.EVERYBODY
    six.row.save()
    key = six.row.pk
    for page in (
        "rounds/2/",
        "rounds/2/explained/",
        "standings/",
        "fairness/",
        "list/",
        "list/1/",
        "list/1/1/",
    ):
        answer = client.get(f"/api/sections/{key}/{page}")
        assert (answer.status_code, answer["Location"]) == (301, f"{AT}sections/{key}/{page}")
        assert answer["Access-Control-Allow-Origin"] == "*"  # so that a script of another site may follow
        sent = client.post(answer.request["PATH_INFO"], follow=True)
        assert (sent.status_code, sent["Content-Type"]) == (405, "application/problem+json")
    assert client.get(f"/de/api/sections/{key}/standings/")["Location"] == f"/de{AT}sections/{key}/standings/"
    assert client.get(f"/api/sections/{key}/standings/", follow=True).json()["after_round"] == 2


@pytest.mark.parametrize(
    "path", ["/api/", "/api/sections/1/", "/api/sections/1/notices/", "/api/v2/", "/api/x"]
)
def test_where_there_is_nothing_programs_get_a_problem(db: None, client: Client, path: str):
    for answer in (client.get(path), client.post(path)):
        assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")
