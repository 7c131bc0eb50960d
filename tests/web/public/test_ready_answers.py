"""The door sends answers for visitors again without Django, and each is the one that Django would give."""

from __future__ import annotations

import gzip
from time import monotonic
from typing import Any

import pytest
from django.conf import LazySettings
from django.core.wsgi import get_wsgi_application
from django.db import OperationalError
from django.test import Client, RequestFactory

from pairing.rounds import pair_next_round, publish_round, unpublish_round
from server.dispatch import Door
from server.priority_queues import PAGES, PUBLIC
from tests.factories import section_of
from tests.web.public.conftest import MadeSection
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.models import User
from web import page_cache
from web.response_cache import ReadyAnswers, ready

pytestmark = pytest.mark.django_db
Answer = tuple[str, list[tuple[str, str]], bytes]


@pytest.fixture(autouse=True)
def signals_keep_the_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    # Between tests the database goes back to what it was, which it never does otherwise. Django's signals would close
    # the connection of the test.
    monkeypatch.setattr("django.core.handlers.wsgi.signals.request_started.send", lambda **_: [])
    monkeypatch.setattr("django.http.response.signals.request_finished.send", lambda **_: [])


class Served:
    """Asks the door as the server does, and counts what comes to Django."""

    def __init__(self) -> None:
        self.by_django = 0
        self.application = get_wsgi_application()
        self.door = Door(self.count)

    def count(self, environ: dict[str, Any], start_response: Any) -> Any:
        self.by_django += 1
        return self.application(environ, start_response)

    def ask(self, address: str, *, method: str = "GET", task: str = PUBLIC, **headers: str) -> Answer:
        names = {f"HTTP_{name.upper()}": value for name, value in headers.items()}
        environ = RequestFactory().generic(method, address, **names).environ
        sent: list[Any] = []
        moved: list[bool] = []

        def door(task: str, move: object) -> Any:
            of_server = {"evenboard.task": task, "evenboard.lane": "visitors", "evenboard.came": monotonic()}
            asked = {**environ, **of_server, "evenboard.move": move}
            return self.door(asked, lambda *what: sent.extend(what[:2]))

        answer = door(task, (lambda: moved.append(True)) if task == PUBLIC else None)
        if moved:
            assert (list(answer), sent) == ([], [])
            answer = door(PAGES, None)
        headers = [header for header in sorted(sent[1]) if header[0] != "X-Request-ID"]
        return sent[0], headers, b"".join(answer)


ASKED = (
    ("pairings/", {}),
    ("pairings/", {"accept_encoding": "gzip"}),
    ("pairings/", {"accept_encoding": "gzip", "via": "1.1 cache"}),
    ("pairings/", {"accept_language": "de"}),
    ("standings/?by=x", {"if_none_match": '"other"', "accept_encoding": "br, gzip"}),
    ("pairings/?seen=0&round=2", {"hx_request": "true"}),
    ("pairings/?seen=7&round=2", {"accept_encoding": "gzip"}),
    ("pairings/?seen=7&round=1", {"accept_encoding": "gzip"}),
    ("", {}),
    ("lists/players.csv", {"accept_encoding": "gzip"}),
)


@pytest.mark.parametrize("prefix", ["", "/de"])
def test_an_answer_that_is_sent_again_is_the_one_of_django(six: MadeSection, prefix: str):
    for page, headers in ASKED:
        served = Served()
        address = f"{prefix}{six.url}{page}"
        first = served.ask(address, **headers)
        again = served.ask(address, **headers)
        compressed = "accept_encoding" in headers or not first[2]
        assert (again, served.by_django) == (first, 1 if compressed else 2), (page, headers)


def test_a_browser_that_has_the_page_gets_304_again(six: MadeSection):
    served = Served()
    tag = dict(served.ask(f"{six.url}pairings/")[1])["ETag"]
    answers = [served.ask(f"{six.url}pairings/", if_none_match=tag) for _ in range(3)]
    assert answers == [answers[0]] * 3
    assert (answers[0][0], answers[0][2], served.by_django) == ("304 Not Modified", b"", 2)


@pytest.mark.parametrize(
    ("page", "more"),
    [
        ("pairings/?q=adams", {}),
        ("screen/", {}),
        ("players/99/", {}),
        ("print/slips/", {}),
        ("pairings/", {"method": "HEAD"}),
        ("pairings/", {"task": "other"}),
        ("pairings/", {"cookie": "a=1; sessionid=x"}),
        ("pairings/", {"cookie": "messages=x"}),
        ("pairings/?" + "x" * 700, {}),
    ],
)
def test_what_may_differ_is_made_by_django_each_time(six: MadeSection, page: str, more: dict[str, str]):
    served = Served()
    for _ in range(2):
        served.ask(six.url + page, accept_encoding="gzip", **more)
    assert served.by_django == 2


def test_people_who_are_logged_in_never_get_what_was_sent_to_visitors(
    six: MadeSection, client: Client, arbiter: User, settings: LazySettings
):
    served = Served()
    visitors = served.ask(f"{six.url}pairings/", accept_encoding="gzip")
    client.force_login(arbiter)
    cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
    own = served.ask(f"{six.url}pairings/", accept_encoding="gzip", cookie=cookie)
    assert (own[2] != visitors[2], dict(own[1])["Cache-Control"]) == (True, "private, no-cache")
    assert served.ask(f"{six.url}pairings/", accept_encoding="gzip") == visitors


def test_a_round_that_is_unpublished_and_an_event_that_is_private_disappear_at_once():
    section = section_of(6)
    actor, served = Actor.command(), Served()
    address = f"/{section.event.slug}/{section.slug}/pairings/"

    def shows() -> bool:
        answers = [served.ask(address, accept_encoding="gzip") for _ in range(3)]
        assert answers == [answers[0]] * 3
        return b"Surname0000" in gzip.decompress(answers[0][2])

    assert not shows()
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    assert not shows()
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert shows()
    unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert not shows()
    edit_event(actor=actor, event=section.event, state="draft")
    assert served.ask(address)[0] == "404 Not Found"


def test_django_answers_if_the_page_was_dropped_or_the_database_fails(
    six: MadeSection, monkeypatch: pytest.MonkeyPatch
):
    served = Served()
    address = f"{six.url}pairings/"
    first = served.ask(address, accept_encoding="gzip")
    page_cache.store.clear()
    assert served.ask(address, accept_encoding="gzip") == first
    assert served.by_django == 2

    def fail(*_: object) -> None:
        raise OperationalError

    environ = RequestFactory().get(address, headers={"accept-encoding": "gzip"}).environ
    assert ready.find(environ) is not None
    monkeypatch.setattr(page_cache.store, "facts", fail)
    assert ready.find(environ) is None


def test_an_answer_that_is_sent_again_says_what_is_left_to_its_own_reader(six: MadeSection):
    served = Served()
    address = f"/api/v1/public/sections/{six.row.pk}/standings/"

    def left(address: str) -> list[str]:
        _status, headers, _body = served.ask(address, accept_encoding="gzip")
        return [value.partition(";t=")[0] for name, value in headers if name == "RateLimit"]

    assert [left(address), left(address)] == [['"reader";r=119']] * 2
    assert served.by_django == 1
    left(f"/api/v1/public/sections/{six.row.pk}/rounds/1/")
    assert left(address) == ['"reader";r=118']
    assert served.by_django == 2


def test_no_more_answers_are_kept_than_allowed(six: MadeSection, monkeypatch: pytest.MonkeyPatch):
    kept = ReadyAnswers(most=3)
    monkeypatch.setattr("server.dispatch.ready", kept)
    served = Served()
    for number in range(8):
        served.ask(f"{six.url}pairings/?x={number}", accept_encoding="gzip")
        assert len(kept) <= 3
