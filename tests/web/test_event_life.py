"""Each state of an event at every address: who sees it, nobody writes in the archive, a deleted event is gone."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache
from django.db import connection, transaction
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from evenboard_engine import Colour
from server.chores import Chores
from tests.api.v1.program import Program
from tests.factories import EventFactory, UserFactory
from tests.web.test_access import (
    Address,
    Site,
    addresses,
    browser,
    logins,
    nothing_drawn,
    section,
    working_on,
)
from tournaments.actions.event_life import GRACE, archive_event, delete_event
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.people import invite_by_link
from tournaments.models import ActionLog, Event, Section
from tournaments.queries.events import EventSearch, When, first_events, found_events
from tournaments.queries.player_results import player_link
from web import page_cache
from web.middleware import HEADER

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
SENT = {"version": "0", "after_round": "2", "result": "1-0", "username": "arbiter", "rating": "2400"}
NOT_OF_THE_EVENT = {"next-year", "rehearse"}
"""Forms that make another event."""
BESIDE = re.compile(
    r"session|attempt|trial|cache|waiting|noticesubscription|screen\b|loginsession|keptupload"
)
"""Tables that the event does not have, and what open pages say about themselves."""


@pytest.fixture
def site() -> Site:
    here = section(EventFactory(slug="rijswijk", public_pgn=True))
    found = addresses(here)
    return Site(here, found, logins(here.event), ActionLog.objects.count())


def readers(site: Site) -> dict[str, Client]:
    return {person: site.browser(person) for person in ("visitor", "owner", "superuser")}


def inside(site: Site) -> list[Address]:
    return [each for each in site.addresses if each.path.startswith("/rijswijk/")]


def answered(client: Client, method: str, path: str) -> tuple[int, str]:
    """Send a request, undo what it did, and return the status and where it leads."""
    with transaction.atomic(), nothing_drawn():
        answer = client.get(path) if method == "GET" else client.post(path, SENT)
        transaction.set_rollback(True)
    return answer.status_code, answer.headers.get("Location", "")


@pytest.mark.slow
def test_a_deleted_event_answers_as_an_address_that_never_was(site: Site) -> None:
    event = site.section.event
    people = readers(site)
    token = Program(site.logins["owner"], event)
    _link, invitation = invite_by_link(actor=Actor.command(), event=event, role="arbiter")
    delete_event(actor=Actor.command(), event=event, typed=event.name)
    differing = {}
    for person, client in people.items():
        for address in inside(site):
            for method in ("GET", "POST"):
                never = answered(client, method, address.path.replace("/rijswijk/", "/nowhere/"))
                found = answered(client, method, address.path)
                same = (found[0], found[1].replace("rijswijk", "nowhere"))
                if address.name == "event" and method == "GET" and person != "visitor":
                    never = (302, "/deleted/")
                if same != never:
                    differing[person, method, address.name] = (same, never)
    assert differing == {}
    paths = [path.removeprefix("/api/v1/") for path in api_addresses(site.section)]
    asked = {path: token.send("GET", path).status_code for path in paths}
    assert len(asked) > 40
    assert {path: status for path, status in asked.items() if status not in (404, 405)} == {}
    assert {Client().get(path).status_code for path in api_addresses(site.section, "public/")} == {404}
    assert b"Event" not in Client().get(f"/invitation/{invitation}/").content.split(b"<main")[1]
    assert event.name not in people["superuser"].get("/").content.decode().split("<main")[1]


def api_addresses(section: Section, part: str = "") -> Iterator[str]:
    """Yield the addresses of the API that name the event or the section by its key."""
    values = {"event": section.event_id, "section": section.pk, "number": 1, "kind": "aro", "after_round": 1}
    for path in _api(get_resolver().url_patterns, "/"):
        if not path.startswith("/api/v1/" + part) or (not part and path.startswith("/api/v1/public/")):
            continue
        names = set(re.findall(r"{(\w+)}", path))
        if names & {"event", "section"} and names <= {*values}:
            yield path.format_map(values)


def _api(patterns: list[Any], base: str) -> Iterator[str]:
    for pattern in patterns:
        path = base + re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(pattern.pattern))
        if hasattr(pattern, "url_patterns"):
            yield from _api(pattern.url_patterns, path)
        else:
            yield path


@pytest.mark.slow
def test_nobody_writes_in_the_archive_and_everybody_reads_as_before(site: Site) -> None:
    event = site.section.event
    owner, people = site.browser("owner"), (("visitor", Client()), ("clerk", working_on(event, "clerk")))
    before = [answered(client, "GET", each.path) for each in inside(site) for _person, client in people]
    archive_event(actor=Actor.command(), event=event)
    assert [
        answered(client, "GET", each.path) for each in inside(site) for _person, client in people
    ] == before
    written: dict[tuple[str, str], set[str]] = {}
    for person, client in (*people, ("owner", owner)):
        for each in inside(site):
            with tables() as seen:
                answered(client, "POST", each.path)
            if seen and each.name not in NOT_OF_THE_EVENT:
                written[person, each.name] = seen
    assert written == {}
    answer = owner.post("/rijswijk/-/people/", {"username": "new", "role": "viewer", "how": "link"})
    assert (answer.status_code, "bring it back from the archive" in answer.content.decode()) == (422, True)
    game = site.section.played_rounds.get(number=2).games.get(board=1)
    link = f"/rijswijk/a/result/{player_link(game, Colour.WHITE)}/"
    assert "archived" in Client().post(link, {"result": "1-0"}).content.decode() or not game.white_pressed
    page = owner.get("/rijswijk/a/settings/").content.decode()
    assert "Nobody changes it until" in page
    for path in ("/rijswijk/", "/rijswijk/a/cockpit/"):
        assert "data-rests" in owner.get(path).content.decode()
    page_cache.store.clear()  # it has the pages of the walk, which are not drawn
    assert "data-rests" in Client().get("/rijswijk/a/pairings/").content.decode()


@contextmanager
def tables() -> Iterator[set[str]]:
    """Collect the tables that statements write."""
    seen: set[str] = set()

    def note(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        match = re.match(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', sql)
        if match and not BESIDE.search(match[1]):
            seen.add(match[1])
        return execute(sql, params, many, context)

    with connection.execute_wrapper(note):
        yield seen


def lists_of(user: Any) -> set[str]:
    rows = [row for each in first_events(user) for row in each.events]
    return {row.name for row in (*rows, *found_events(user, EventSearch(), 1).events)}


def test_lists_name_an_event_by_its_state(site: Site) -> None:
    event, owner = site.section.event, site.logins["owner"]
    assert owner is not None
    edit_event(actor=Actor.command(), event=event, indexed=True)
    public = "/api/v1/public/events/"
    expected = {
        # who sees the page, whom lists name it to, search engines
        "draft": (False, False, "noindex"),
        "unlisted": (True, False, "noindex"),
        "public": (True, True, "all"),
    }
    for state, (seen, listed, engines) in expected.items():
        edit_event(actor=Actor.command(), event=event, state=state)
        cache.clear()
        page = Client().get("/rijswijk/a/pairings/")
        assert (page.status_code == 200, page.headers.get(HEADER, "")) == (
            seen,
            engines if seen else "noindex",
        )
        assert (event.name in lists_of(AnonymousUser())) is listed
        assert (event.name in Client().get("/").content.decode()) is listed
        assert (str(event.pk) in str([row["id"] for row in Client().get(public).json()["results"]])) is listed
        assert (Client().get(f"{public}{event.pk}/").status_code == 200) is listed
        assert (Client().get(f"/api/v1/public/sections/{site.section.pk}/").status_code == 200) is listed
        assert event.name in lists_of(owner)
        archived = archive_event(actor=Actor.command(), event=event)
        assert (archived.public, archived.listed) == (seen, listed)
        assert (Client().get("/rijswijk/").status_code == 200) is seen
        assert (event.name in lists_of(AnonymousUser())) is listed
        own = [each for each in first_events(owner) if each.when == When.OWN]
        assert own == []
        assert event.name in [row.name for row in found_events(owner, EventSearch(when=When.OWN), 1).events]
        archive_event(actor=Actor.command(), event=event, archived=False)


def test_an_owner_deletes_brings_back_archives_and_copies(
    site: Site, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    event = site.section.event
    client = site.browser("owner")
    with django_assert_max_num_queries(25):
        page = client.get("/rijswijk/-/life/delete/").content.decode()
    for words in ("2 sections", "players with names", "1 registration with address", "rating list"):
        assert words in page
    wrong = client.post("/rijswijk/-/life/delete/", {"name": "Rijswijk"})
    assert (
        wrong.status_code,
        wrong.content.decode().count('autofocus aria-invalid="true" aria-describedby="wrong"'),
    ) == (422, 1)
    answer = client.post("/rijswijk/-/life/delete/", {"name": event.name})
    assert (answer.status_code, answer.url) == (302, "/deleted/")
    until = timezone.localtime(timezone.now() + GRACE)
    with django_assert_max_num_queries(8):
        listed = client.get("/deleted/").content.decode()
    assert (event.name in listed, f"{until:%B %Y}" in listed) == (True, True)
    assert "/deleted/" in client.get("/").content.decode()
    for other in ("chief", "login", "site owner"):
        assert event.name not in site.browser(other).get("/deleted/").content.decode()
        site.browser(other).post("/deleted/", {"event": event.pk})
    event.refresh_from_db()
    assert event.is_deleted
    assert client.post("/deleted/", {"event": "x"}).status_code == 302
    assert client.post("/deleted/", {"event": event.pk}).url == "/rijswijk/"
    client.post("/rijswijk/-/life/archive/")
    assert "Bring back from the archive" in client.get("/rijswijk/-/life/").content.decode()
    way_back = 'href="/rijswijk/-/life/">Bring back from the archive'
    for page in ("/rijswijk/", "/rijswijk/a/settings/"):
        seen = [way_back in site.browser(who).get(page).content.decode() for who in ("owner", "login")]
        assert seen == [True, False], page
    client.post("/rijswijk/-/life/archive/", {"back": "1"})
    event.refresh_from_db()
    assert event.state == "public"
    assert client.get("/rijswijk/-/life/next-year/").status_code == 403
    site.logins["owner"].makes_events = True
    site.logins["owner"].save()
    form = client.get("/rijswijk/-/life/next-year/").context["form"].initial
    assert form["days"] == 364
    assert client.post("/rijswijk/-/life/next-year/", {"name": "Next", "days": "x"}).status_code == 422
    answer = client.post("/rijswijk/-/life/next-year/", {"name": "Next", "days": "364", "people": "on"})
    made = Event.objects.get(name="Next")
    assert (answer.url, made.state, made.roles.count()) == ("/next/-/edit/", "draft", event.roles.count())


def test_the_server_deletes_by_itself_when_the_time_is_over(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    event = delete_event(actor=Actor.command(), event=site.section.event, typed=site.section.event.name)
    monkeypatch.setattr(Chores, "_do", lambda *_work: None)
    monkeypatch.setattr("server.chores.pages.check", lambda _stop: None)
    for days, left in ((29, True), (31, False)):
        later = event.state_since + timedelta(days)
        monkeypatch.setattr("server.chores.sure_now", lambda later=later: later)
        Chores().look()
        assert Event.objects.filter(pk=event.pk).exists() is left


def test_a_program_archives_an_event(site: Site) -> None:
    event = site.section.event
    program = Program(site.logins["owner"], event)
    for archived, state in ((True, "archived"), (False, "public")):
        answer = program.send("PUT", f"events/{event.pk}/archived/", {"archived": archived})
        assert (answer.status_code, answer.json()["state"]) == (200, state)
    assert program.send("PATCH", f"events/{event.pk}/", {"state": "deleted"}, seen="*").status_code == 422
    assert browser(UserFactory()).get("/rijswijk/").status_code == 200
