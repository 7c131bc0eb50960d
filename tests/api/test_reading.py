from __future__ import annotations

import datetime as dt

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.reading import ReaderThrottle
from tests.web.public.conftest import MadeSection, crowd, new_section
from tests.web.public.conftest import six as six


@pytest.fixture(autouse=True)
def _forget_earlier_requests() -> None:
    cache.clear()


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
    private = new_section(public=False, slug="private")
    key = six.row.pk
    addresses = (
        f"/api/v1/public/sections/{key}/rounds/3/",
        f"/api/v1/public/sections/{key}/rounds/0/",
        f"/api/v1/public/sections/{private.row.pk}/standings/",
        "/api/v1/public/sections/99999999999999999999/standings/",
    )
    assert [client.get(address).status_code for address in addresses] == [404] * 4


def test_nothing_can_be_written(six: MadeSection, client: Client):
    address = f"/api/v1/public/sections/{six.row.pk}/standings/"
    assert [getattr(client, verb)(address).status_code for verb in ("post", "put", "patch", "delete")] == [
        405
    ] * 4


def test_a_crawler_is_slowed_down(six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(ReaderThrottle, "rate", "2/min")
    addresses = [
        f"/api/v1/public/sections/{six.row.pk}/{page}" for page in ("standings/", "rounds/1/", "rounds/2/")
    ]
    answers = [client.get(address) for address in addresses]
    assert [one.status_code for one in answers] == [200, 200, 429]
    assert {one["RateLimit-Policy"] for one in answers} == {'"reader";q=2;w=60'}
    assert [one["RateLimit"].partition(";t=")[0] for one in answers] == [f'"reader";r={r}' for r in (1, 0, 0)]
    assert [client.get(address).status_code for address in addresses] == [200, 200, 429]  # finished: no limit


def test_a_finished_answer_says_what_is_left_to_each_visitor(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """What is left for one network is not said to another one, nor to a cache that gives the answer to others."""
    monkeypatch.setattr(ReaderThrottle, "rate", "3/min")
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
    monkeypatch.setattr(ReaderThrottle, "rate", "1/min")
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
