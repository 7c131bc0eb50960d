"""The list of events, an event's page, the address of a section and the JSON are made once, as a section's pages."""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from datetime import date

import pytest
from django.conf import LazySettings
from django.core.cache import cache
from django.db import OperationalError
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import DjangoAssertNumQueries

from pairing.rounds import pair_next_round, publish_round, unpublish_round
from tests.factories import section_of
from tests.web.public.conftest import MadeSection, new_section
from tests.web.public.test_made_once import count
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import create_section, take_section_away
from tournaments.models import Section, User
from tournaments.queries.public_facts import public_facts_of_event, public_facts_of_first_page
from web import page_cache
from web.views import events

KINDS = ("home", "event", "section", "round", "standings")
WITH_CONTENT = ("home", "event", "round", "standings")
PROTECTION = ("Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy")


@pytest.fixture(autouse=True)
def _forget_earlier_requests() -> None:
    cache.clear()


@pytest.fixture
def section(db: None) -> Section:
    """Return a section of six entries; nothing is paired yet."""
    return section_of(6)


def address(kind: str, section: Section, number: int = 1) -> str:
    return {
        "home": "/",
        "event": f"/{section.event.slug}/",
        "section": f"/{section.event.slug}/{section.slug}/",
        "round": f"/api/v1/public/sections/{section.pk}/rounds/{number}/",
        "standings": f"/api/v1/public/sections/{section.pk}/standings/",
    }[kind]


def seen(kind: str, section: Section) -> str:
    """Return the page that a new visitor sees."""
    return Client().get(address(kind, section)).content.decode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_page_costs_one_query_after_it_has_been_made(six: MadeSection, client: Client, kind: str):
    first, cold = count(client, address(kind, six.row))
    again, warm = count(Client(), address(kind, six.row))
    status = 302 if kind == "section" else 200
    assert (first.status_code, again.status_code, warm, len(page_cache.store)) == (status, status, 1, 1)
    assert 1 < cold <= 8
    assert (again.content, dict(again.items())) == (first.content, dict(first.items()))
    assert {name: again[name] for name in PROTECTION} == {
        name: client.get("/healthz")[name] for name in PROTECTION
    }


@pytest.mark.parametrize("kind", WITH_CONTENT)
def test_a_page_that_the_browser_has_costs_one_query_in_every_process(
    six: MadeSection, client: Client, kind: str
):
    first = client.get(address(kind, six.row))
    page_cache.store.clear()
    again, queries = count(client, address(kind, six.row), **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, queries) == (304, b"", 1)
    assert first["Cache-Control"] == again["Cache-Control"] == page_cache.FOR_ALL


@pytest.mark.parametrize("kind", WITH_CONTENT)
def test_the_compressed_page_is_made_once_and_holds_the_same(six: MadeSection, client: Client, kind: str):
    packed = client.get(address(kind, six.row), headers={"Accept-Encoding": "gzip"})
    plain, queries = count(client, address(kind, six.row))
    assert (packed["Content-Encoding"], "Content-Encoding" in plain, queries) == ("gzip", False, 1)
    assert gzip.decompress(packed.content) == plain.content


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("first", ["HEAD", "GET"])
def test_head_has_the_headers_of_get_and_no_body(six: MadeSection, client: Client, kind: str, first: str):
    asked = [client.generic(method, address(kind, six.row)) for method in (first, "HEAD", "GET")]
    head, get = asked[1:]
    assert (head.status_code, head.content) == (get.status_code, b"")
    assert dict(head.items()) == dict(get.items())
    assert head["Content-Length"] == str(len(get.content))


@pytest.mark.parametrize("kind", ["home", "event"])
def test_each_language_has_its_own_page(six: MadeSection, client: Client, settings: LazySettings, kind: str):
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    english = client.get(address(kind, six.row))
    german = client.get(address(kind, six.row), headers={"Accept-Language": "de-AT,de;q=0.9"})
    assert [re.search(r'<html lang="(..)">', page.content.decode())[1] for page in (english, german)] == [
        "en",
        "de",
    ]
    assert (english["ETag"] != german["ETag"], len(page_cache.store)) == (True, 2)


def test_the_address_of_a_section_leads_everybody_to_the_right_page(section: Section):
    client, actor, link = Client(), Actor.command(), address("section", section)
    assert client.get(link)["Location"] == f"{link}players/"
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    assert client.get(link)["Location"] == f"{link}players/"
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    answer = client.get(link, headers={"If-None-Match": "*"})
    assert (answer.status_code, answer["Location"], "ETag" in answer) == (302, f"{link}pairings/", False)
    unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert client.get(link)["Location"] == f"{link}players/"


def test_people_who_are_logged_in_get_their_own_page(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 3, ""))
    public = {kind: client.get(address(kind, six.row)) for kind in KINDS}
    page_cache.store.clear()
    client.force_login(arbiter)
    own = {kind: client.get(address(kind, six.row)) for kind in KINDS}
    assert len(page_cache.store) == 0
    assert ("Your events" in own["home"].content.decode(), "round 3 of" in own["home"].content.decode()) == (
        True,
        True,
    )
    assert "round 3 of" in own["event"].content.decode()
    assert own["section"]["Location"] == f"{six.url}cockpit/"
    for kind in KINDS:
        assert Client().get(address(kind, six.row)).content == public[kind].content
        assert (b"csrf" in public[kind].content, public[kind].cookies) == (False, {})
    assert b"round 3" not in public["home"].content + public["event"].content


def test_a_session_that_this_process_has_served_is_not_looked_up_first(
    six: MadeSection, client: Client, arbiter: User
):
    client.force_login(arbiter)
    queries = [count(client, "/")[1] for _ in range(2)]
    assert queries[0] == queries[1] + 2  # whether the session exists, and whether the login works on an event
    client.session.delete()
    assert "Log in" in client.get("/").content.decode()  # made once more, for a session that has ended
    assert len(page_cache.store) == 0
    client.get("/")
    assert len(page_cache.store) == 1


def test_parameters_and_accepted_types_make_no_other_page(six: MadeSection, client: Client):
    for kind in KINDS:
        client.get(address(kind, six.row))
        _, queries = count(client, f"{address(kind, six.row)}?utm=1&format=xml&seen=0", Accept="text/plain")
        assert queries == 1
    assert len(page_cache.store) == len(KINDS)


def test_an_unusual_spelling_of_an_address_is_not_kept(six: MadeSection, client: Client):
    usual = f"/api/v1/public/sections/{six.row.pk}/standings/"
    assert client.get(f"/api/v1/public/sections/0{six.row.pk}/standings/")["Location"] == usual
    assert client.get(f"/api/v1/public/sections/{10**25}/standings/").status_code == 404
    assert client.get("/nowhere/").status_code == client.get("/nowhere/a/").status_code == 404
    assert len(page_cache.store) == 0


# What arbiters do takes effect at once -----------------------------------------------------------------------


def test_an_event_that_is_no_longer_public_disappears_at_once(section: Section, client: Client):
    actor, event = Actor.command(), section.event
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    first = {kind: client.get(address(kind, section)) for kind in KINDS}
    for public in (False, True, False):
        edit_event(actor=actor, event=event, state="public" if public else "draft")
        assert (event.name in seen("home", section)) is public
        for kind in KINDS[1:]:
            status = first[kind].status_code if public else 404
            tag = first[kind].headers.get("ETag", "*")
            assert Client().get(address(kind, section)).status_code == status
            assert (
                public
                or client.get(address(kind, section), headers={"If-None-Match": tag}).status_code == 404
            )
        again = client.get("/", headers={"If-None-Match": first["home"]["ETag"]})
        assert (again.status_code, event.name in again.content.decode()) == (200, public)
    assert len(page_cache.store) == 1


def test_an_event_that_was_public_for_a_moment_does_not_stay_in_the_list(
    section: Section, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """While the list is made, somebody makes an event public by mistake, and private again."""
    actor, event = Actor.command(), section.event
    edit_event(actor=actor, event=event, state="draft")
    found = events.first_events

    def in_between(user: object, **facts: object) -> object:
        edit_event(actor=actor, event=event, state="public")
        events = found(user, **facts)
        edit_event(actor=actor, event=event, state="draft")
        return events

    monkeypatch.setattr(events, "first_events", in_between)
    assert event.name in client.get("/").content.decode()
    monkeypatch.undo()
    assert event.name not in client.get("/").content.decode()


def test_a_hidden_section_disappears_at_once(section: Section):
    shown = [kind for kind in ("home", "event") if section.name in seen(kind, section)]
    take_section_away(actor=Actor.command(), section_id=section.pk)
    hidden = [kind for kind in ("home", "event") if section.name in seen(kind, section)]
    assert (shown, hidden) == (["home", "event"], [])
    assert [Client().get(address(kind, section)).status_code for kind in ("section", "standings")] == [
        404,
        404,
    ]
    take_section_away(actor=Actor.command(), section_id=section.pk, away=False)
    assert [kind for kind in ("home", "event") if section.name in seen(kind, section)] == shown


@pytest.mark.parametrize("kind", ["home", "event"])
def test_names_rounds_and_sections_are_up_to_date(section: Section, kind: str):
    actor, event = Actor.command(), section.event
    states = [seen(kind, section)]
    edit_event(actor=actor, event=event, name="Sea Open", city="Middelburg")
    states.append(seen(kind, section))
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    assert seen(kind, section) == states[-1]
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    states.append(seen(kind, section))
    create_section(actor=actor, event=event, name="Section Z", rounds=5)
    states.append(seen(kind, section))
    for position, words in enumerate(("Sea Open", "round 1 of", "Section Z")):
        assert [words in state for state in states] == [place > position for place in range(4)]


def test_a_new_event_is_listed_at_once_if_it_is_public(section: Section, arbiter: User):
    for public in (True, False):
        made = create_event(
            actor=Actor(user=arbiter),
            name=f"Spring {public}",
            start=date(2027, 4, 1),
            end=date(2027, 4, 2),
            state="public" if public else "draft",
        )
        assert ((made.name in seen("home", section)), f"/{made.slug}/" in seen("home", section)) == (
            public,
            public,
        )


def test_the_games_of_a_private_event_make_no_page_again(section: Section, client: Client):
    private = new_section(state="draft", slug="private").row
    client.get("/")
    create_section(actor=Actor.command(), event=private.event, name="Section Z", rounds=5)
    take_section_away(actor=Actor.command(), section_id=private.pk)
    answer, queries = count(client, "/")
    assert (private.event.name in answer.content.decode(), queries) == (False, 1)


def test_the_facts_are_read_in_one_query(section: Section, django_assert_num_queries: DjangoAssertNumQueries):
    for number in range(4):
        new_section(slug=f"other-{number}", state="public" if number != 3 else "draft")
    with django_assert_num_queries(1):
        facts = public_facts_of_first_page()
    assert (facts.public, len(facts.everything)) == (True, 5)
    with django_assert_num_queries(1):
        facts = public_facts_of_event("other-3")
    assert (facts.public, len(facts.everything)) == (False, 1)
    assert public_facts_of_event("nowhere") is None


# Every address ----------------------------------------------------------------------------------------------


def addresses_of(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield route
        else:
            yield from addresses_of(pattern, route)


def test_no_address_costs_a_stranger_more_than_one_query_twice(section: Section, client: Client):
    actor = Actor.command()
    Section.objects.update(explained_to=Section.ExplainedTo.EVERYBODY)  # so that each address shows something
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    parts = {
        "slug:event": section.event.slug,
        "slug:section": section.slug,
        "int:section": str(section.pk),
        "int:participant": str(section.participants.values_list("pk", flat=True)[0]),
        "slug:document": "standings",
        "token:token": "x" * 43,
    }
    asked = [
        re.sub(r"<([^>]+)>", lambda part: parts.get(part[1], "1"), route)
        for route in addresses_of(get_resolver())
    ]
    for each in asked:
        client.get(each)
    costs, invented = {}, {}
    for each in asked:
        answer, cost = count(client, each)
        # where a number names nothing, each visit has to look again: nobody can fill the memory with such addresses
        (invented if answer.status_code == 404 and re.search(r"/\d+/", each) else costs)[each] = cost
    assert len(costs) > 100
    assert {each: cost for each, cost in costs.items() if cost > 1} == {}
    assert {
        each: cost for each, cost in invented.items() if cost > 7
    } == {}  # the field, and whether it has a result


# Failures ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reason", ["database", "busy"])
def test_an_answer_without_a_page_has_the_headers_that_protect_every_page(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch, reason: str
):
    def fail(*_: object) -> None:
        raise OperationalError if reason == "database" else page_cache.CacheBusyError

    monkeypatch.setattr(page_cache.store, "page", fail)
    client.raise_request_exception = False
    answer = client.get(f"{six.url}pairings/")
    assert answer.status_code >= 500
    assert {name: answer[name] for name in PROTECTION} == {
        name: client.get("/healthz")[name] for name in PROTECTION
    }
