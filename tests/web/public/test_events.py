"""The first page: events by their days, and a search over all of them."""

from __future__ import annotations

import json
import re
from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils.timezone import now

from base.zones import today_in
from tests.factories import EventFactory, EventRoleFactory
from tests.web.public.test_made_once import count
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.models import ActionLog, Event, Invitation, User
from tournaments.queries import events
from web import page_cache

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def captions(html: str) -> list[str]:
    return re.findall(r"<caption\s*>([^<]+)", html)


def names(html: str) -> list[str]:
    return re.findall(r'class="nm">\s*<a href="/[\w-]+/">([^<]+)</a>', html)


def test_visitors_see_what_is_on_what_comes_and_what_is_over(client: Client) -> None:
    today, day = today_in(""), timedelta(days=1)
    for name, start in (("Past Open", today - day), ("Next Open", today + day), ("Open of today", today)):
        EventFactory(name=name, start=start, end=start)
    html = client.get("/").text
    assert captions(html) == ["In progress", "Soon", "Past events"]
    assert names(html) == ["Open of today", "Next Open", "Past Open"]
    assert "show all" not in html


def test_a_visitor_finds_an_event_by_name_place_and_month(client: Client) -> None:
    EventFactory(name="Sea Open", city="Vlissingen", federation="NED", start="2026-05-30", end="2026-06-02")
    EventFactory(name="<b>Lake</b> Open", city="Bled", federation="SLO", start="2026-06-30", end="2026-06-30")
    EventFactory(name="Private Open", start="2026-06-30", end="2026-06-30", state="draft")
    assert names(client.get("/?q=open").text) == ["&lt;b&gt;Lake&lt;/b&gt; Open", "Sea Open"]
    for query in ("q=vlissingen", "q=ned", "federation=NED", "month=2026-05", "q=OPEN+Sea&month=2026-06"):
        assert names(client.get(f"/?{query}").text) == ["Sea Open"], query
    nothing = client.get("/?q=private").text
    assert (names(nothing), "No event is found." in nothing, 'value="private"' in nothing) == ([], True, True)
    for wrong in ("month=2026-13", "page=0", "page=x", "when=never", "federation=%00"):
        assert client.get(f"/?{wrong}").status_code == 200, wrong


def test_search_engines_find_the_events_that_want_to_be_found(client: Client) -> None:
    wanted = EventFactory(name="A </script> & B", indexed=True, city="Bled")
    EventFactory(indexed=False)
    private = EventFactory(indexed=True, state="draft")
    edit_event(actor=Actor.command(), event=wanted, federation="SLO")
    changed = ActionLog.objects.get(event=wanted).at.isoformat(timespec="seconds")

    def mapped() -> list[tuple[str, str]]:
        (part,) = re.findall(
            r"<loc>http://testserver(/sitemap-\d+\.xml)</loc>", client.get("/sitemap.xml").text
        )
        return re.findall(r"<loc>([^<]+)</loc><lastmod>([^<]+)</lastmod>", client.get(part).text)

    assert mapped() == [(f"http://testserver/{wanted.slug}/", changed)]
    edit_event(actor=Actor.command(), event=wanted, state="draft")
    assert mapped() == []
    edit_event(actor=Actor.command(), event=wanted, state="public")
    for wrong in (0, 2, 10**30):
        assert client.get(f"/sitemap-{wrong}.xml").status_code == 404
    (data,) = re.findall(
        r'<script type="application/ld\+json">(.*?)</script>', client.get(f"/{wanted.slug}/").text
    )
    assert "<" not in data
    found = json.loads(data)
    assert (found["@type"], found["name"], found["startDate"]) == ("SportsEvent", wanted.name, "2026-10-17")
    for other in Event.objects.exclude(pk=wanted.pk):
        assert "ld+json" not in client.get(f"/{other.slug}/").text
    assert private.slug not in client.get("/").text


def test_a_long_list_has_pages_that_keep_the_search(client: Client) -> None:
    own = Client()
    own.force_login(EventRoleFactory(event__name="Tour 99").user)
    for number in range(35):
        EventFactory(name=f"Tour {number}", start="2020-01-01", end="2020-01-01")
    first = client.get("/").text
    assert ('href="?when=past"' in first, len(names(first)) == 6) == (True, True)
    found = client.get("/?q=tour").text
    assert (len(names(found)), 'href="?q=tour&amp;page=2"' in found) == (25, True)
    rest = client.get("/?q=tour&page=2").text
    assert (len(names(rest)), 'rel="next"' in rest, 'href="?q=tour&amp;page=1"' in rest) == (11, False, True)
    assert names(own.get("/?when=own").text) == ["Tour 99"]
    assert len(names(client.get("/?when=own").text)) == 6  # a visitor has no events: the first page


def test_a_search_for_a_usual_word_that_only_old_events_have_goes_on_with_them(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "MOST_ENDS", 1)
    monkeypatch.setattr(events, "MOST_READ", 2)
    for year in range(2018, 2026):
        city = "Bled" if year < 2022 else "Split"
        EventFactory(name=f"Tour {year}", city=city, start=f"{year}-01-01", end=f"{year}-01-01")
    address, seen = "/?q=bled", []
    for _step in range(3):
        page = client.get(address).text
        seen.append((names(page), "No event is found yet." in page))
        (*_others, address) = re.findall(r'rel="next" href="([^"]+)"', page) or [""]
        address = f"/{address}".replace("&amp;", "&")
    assert seen == [([], True), (["Tour 2021", "Tour 2020"], False), (["Tour 2019", "Tour 2018"], False)]
    assert "as far as 1 January 2023." in client.get("/?q=bled").text
    found, address = [], "/api/v1/public/events/?search=bled&page=1"
    while address:
        answer = client.get(address).json()
        found += [row["name"] for row in answer["results"]]
        address = answer["next"]
    assert found == [f"Tour {year}" for year in (2021, 2020, 2019, 2018)]
    assert client.get("/?q=bled&beyond=x").status_code == 200


def test_programs_read_the_list_in_pages(client: Client) -> None:
    for number in range(51):
        EventFactory(name=f"Tour {number}", federation="NED", start="2020-01-01", end="2020-01-01")
    first = client.get("/api/v1/public/events/").json()
    second = client.get(first["next"]).json()
    assert (len(first["results"]), first["previous"], len(second["results"]), second["next"]) == (
        50,
        None,
        1,
        None,
    )
    assert client.get(second["previous"]).json()["results"] == first["results"]
    found = client.get("/api/v1/public/events/?search=tour+50&month=2020-01&federation=NED&when=past").json()
    assert [row["name"] for row in found["results"]] == ["Tour 50"]
    assert client.get("/api/v1/public/events/?month=2020").status_code == 422


def test_the_first_page_of_a_person_has_as_many_queries_for_forty_events_as_for_one(client: Client) -> None:
    """They are: the session, the login, the roles, the lists, the sections, and what else the page depends on."""
    person, owner = Client(), Client()
    user = EventRoleFactory(role="owner").user
    person.force_login(user)
    owner.force_login(User.objects.create_superuser("root"))
    for each in (person, owner):
        each.get("/")  # the first visit of a session is noted
    for more in (0, 40):
        for number in range(more):
            made = EventFactory(start=date(2020 + number, 1, 1), end=date(2020 + number, 1, 1))
            made.sections.create(name="A", slug="a", rounds=5)
            EventRoleFactory(event=made if number % 2 else EventFactory(), user=user)
        for who, most in ((client, 4), (person, 6), (owner, 6)):
            page_cache.store.clear()
            answer, queries = count(who, "/")
            assert (answer.status_code, queries, len(answer.content) < 60_000) == (200, most, True)
    assert len(names(person.get("/").text)) > 20
    Invitation.objects.create(
        event=EventFactory(),
        role="arbiter",
        user=user,
        username=user.username,
        expires_at=now() + timedelta(1),
    )
    assert count(person, "/")[1] == 8
