"""What everybody may read below /api/v1/public/: found from the list of events, made once, the same as the pages."""

from __future__ import annotations

import re

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from api.v1.urls import for_everybody
from tests.web.public.conftest import MadeSection
from tests.web.public.conftest import six as six
from tournaments.models import Event

AT = "/api/v1/public/"


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
    Event.objects.filter(pk=six.row.event_id).update(public=False)
    assert [client.get(AT + path).status_code for path in paths] == [404] * len(paths)
    assert client.get(f"{AT}events/").json() == {"next": None, "previous": None, "results": []}


def test_scripts_of_any_site_may_read_all_of_it_and_nothing_else(six: MadeSection, client: Client):
    parts = {"event": six.row.event_id, "section": six.row.pk, "number": 2, "edition": 1}
    for pattern in for_everybody:
        route = re.sub(r"<int:(\w+)>", lambda found: str(parts[found[1]]), str(pattern.pattern))
        asked_first = client.options(f"/api/v1/{route}", headers={"Access-Control-Request-Method": "GET"})
        assert (asked_first.status_code, asked_first["Access-Control-Allow-Methods"]) == (204, "GET, HEAD")
        for answer in (asked_first, client.get(f"/api/v1/{route}")):
            assert answer["Access-Control-Allow-Origin"] == "*", (route, answer.status_code)
            assert "Access-Control-Allow-Credentials" not in answer
    for path in ("events/", f"sections/{six.row.pk}/", "token/"):
        for answer in (client.options(f"/api/v1/{path}"), client.get(f"/api/v1/{path}")):
            assert not [name for name in answer.headers if name.startswith("Access-Control")], path


def test_nothing_can_be_written_there(six: MadeSection, client: Client):
    assert len(for_everybody) > 10
    for verb in ("post", "put", "patch", "delete"):
        answer = getattr(client, verb)(f"{AT}sections/{six.row.pk}/standings/")
        assert (answer.status_code, answer["Content-Type"]) == (405, "application/problem+json")
