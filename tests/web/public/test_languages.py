"""The language of an answer: that of the address, else that of the login, else that of the browser."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.urls import get_script_prefix

from tests.factories import EventFactory
from tests.web.public.conftest import MadeSection
from tests.web.public.test_made_once import count
from tournaments.actions.events import create_event
from tournaments.actions.ledger import Actor
from tournaments.models import User
from web.languages import occupied

pytestmark = pytest.mark.django_db

GERMAN = {"Accept-Language": "xx, de-AT;q=0.9, fr;q=0.8"}
OWN_NAMES = ["Deutsch", "English", "Español", "Français", "Nederlands", "Polski", "Русский", "Українська"]


def language(answer: HttpResponse) -> tuple[str, str]:
    """Return the language that the page names, and the one that the headers name."""
    found = re.search(r'<html lang="(\w+)"', answer.content.decode())
    assert found
    return found[1], answer["Content-Language"]


def offered(answer: HttpResponse) -> list[tuple[str, str]]:
    """Return the addresses and the names in the choice of languages."""
    nav = answer.content.decode().partition('class="languages')[2].partition("</nav>")[0]
    return re.findall(r'href="([^"]*)"[^>]*>\s*([^<]*?)\s*</a>', nav)


def test_the_address_decides_before_the_browser(six: MadeSection, client: Client):
    french = client.get(f"/fr{six.url}pairings/", headers=GERMAN)
    german = client.get(f"{six.url}pairings/", headers=GERMAN)
    other = client.get(f"{six.url}pairings/", headers={"Accept-Language": "ja, xx;q=0.5"})
    assert [language(page) for page in (french, german, other)] == [("fr", "fr"), ("de", "de"), ("en", "en")]
    assert ["Accept-Language" in page["Vary"] for page in (french, german, other)] == [False, True, True]
    assert get_script_prefix() == "/"


def test_a_language_that_is_not_finished_is_nowhere(
    six: MadeSection, client: Client, arbiter: User, settings: LazySettings
):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français")]
    page = client.get(f"{six.url}pairings/", headers=GERMAN)  # German, then French
    assert language(page) == ("fr", "fr")
    assert [name for _url, name in offered(page)] == ["English", "Français"]
    assert re.findall(r'rel="alternate" hreflang="([^"]*)"', page.content.decode()) == [
        "x-default",
        "en",
        "fr",
    ]
    assert client.get(f"/de{six.url}pairings/").status_code == 404
    assert not re.search(r'<html lang="de"', client.get("/de/").content.decode())
    arbiter.language = "de"
    arbiter.save()
    client.force_login(arbiter)
    page = client.get("/account/language/")
    assert language(page) == ("en", "en")
    assert re.findall(r'name="language" value="(\w*)"', page.content.decode()) == ["", "en", "fr"]
    assert client.post("/account/language/", {"language": "de"}).status_code == 422


def test_a_language_without_the_pages_for_arbiters_says_so(
    client: Client, arbiter: User, settings: LazySettings
):
    settings.LANGUAGES = [("en", "English"), ("fr", "Français"), ("de", "Deutsch")]
    settings.PARTLY_ENGLISH = ["fr"]
    client.force_login(arbiter)
    form = client.get("/account/language/").content.decode().partition("<legend>")[2].partition("</form>")[0]
    labels = re.findall(r'<label class="tick">(.*?)</label>', form, re.DOTALL)
    words = [" ".join(re.sub("<[^>]*>", " ", label).split()) for label in labels]
    note = "Pages for arbiters are in English."
    assert words == ["The language of the browser", "English", f"Français {note}", "Deutsch"]


def test_a_cookie_chooses_no_language(six: MadeSection, client: Client, settings: LazySettings):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "de"
    assert language(client.get(f"{six.url}pairings/")) == ("en", "en")


def test_all_links_of_a_page_keep_the_language_of_its_address(six: MadeSection, client: Client):
    page = client.get(f"/fr{six.url}standings/").content.decode()
    body = page.partition('class="languages')[0].partition("<body")[2]
    links = re.findall(r'(?:href|action|hx-get)="(/[^"]*)"', body)
    assert len(links) > 10
    assert [link for link in links if not link.startswith("/fr/")] == []
    assert set(re.findall(r'(?:href|src)="(/[^"]*\.(?:css|js|png|svg))"', page)) == {
        link for link in re.findall(r'(?:href|src)="(/[^"]*)"', page) if link.startswith("/static/")
    }


def test_polls_files_and_texts_of_scripts_keep_the_language(six: MadeSection, client: Client):
    """A page asks for news at its own address, its files have their usual names, and its scripts get its texts."""
    page = client.get(f"/de{six.url}pairings/").content.decode()
    (poll,) = re.findall(r'hx-get="([^"]*)" data-poll', page)
    assert poll.startswith((f"/de{six.url}round/2/pairings/?seen=", f"/de{six.url}pairings/?seen="))
    assert client.get(poll.replace("&amp;", "&")).status_code == 204
    six.touch()
    news = client.get(poll.replace("&amp;", "&"))
    assert language(news) == ("de", "de")
    seats = re.findall(r'data-seat="([^"]*)"', client.get(f"/de/{six.row.event.slug}/").content.decode())
    assert seats == [f"/de{six.url}seat/0/"]
    of_script = {path: client.get(f"{path}{six.url}pairings/").content.decode() for path in ("", "/de")}
    plate = re.compile(r'<template id="plate-me">.*?</template>', re.DOTALL)
    plates = [plate.search(page)[0] for page in of_script.values()]
    assert ["You have White" in each for each in plates] == [True, False]
    files = [client.get(f"{path}{six.url}lists/1/standings.csv") for path in ("", "/de")]
    assert len({file["Content-Disposition"] for file in files}) == 1


def test_pages_are_made_once_for_each_language_and_kind_of_address(six: MadeSection, client: Client):
    first = client.get(f"/de{six.url}pairings/")
    plain = client.get(f"{six.url}pairings/", headers=GERMAN)
    again, queries = count(Client(), f"/de{six.url}pairings/", **{"Accept-Language": "ru"})
    assert queries == 1
    assert again.content == first.content != plain.content
    unchanged, queries = count(client, f"/de{six.url}pairings/", **{"If-None-Match": first["ETag"]})
    assert (unchanged.status_code, queries, "Accept-Language" in unchanged["Vary"]) == (304, 1, False)
    news = client.get(f"/de{six.url}pairings/?seen=7&round=2", headers={"HX-Request": "true"})
    assert language(news) == ("de", "de")


@pytest.mark.parametrize(
    ("path", "leads_to"),
    [
        ("", "pairings/"),
        ("standings/01/?by=name", "standings/1/?by=name"),
        ("cockpit", "cockpit/"),
        ("entries/", "?next=/fr{here}entries/"),
    ],
)
def test_redirects_keep_the_language(six: MadeSection, client: Client, path: str, leads_to: str):
    answer = client.get(f"/fr{six.url}{path}")
    here = "/fr/login/" if leads_to.startswith("?") else f"/fr{six.url}"
    assert answer.url == here + leads_to.format(here=six.url)


def test_failures_keep_the_language(six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch):
    missing = client.get("/nl/no-such-event/open/pairings/")
    assert (missing.status_code, language(missing)) == (404, ("nl", "nl"))
    monkeypatch.setattr("web.views.public.rounds.section_context", lambda *_: 1 / 0)
    client.raise_request_exception = False
    failed = client.get(f"/nl{six.url}pairings/")
    assert (failed.status_code, language(failed)) == (500, ("nl", "nl"))
    assert 'href="/nl/"' in failed.content.decode()


def test_every_page_for_visitors_offers_all_languages_by_their_own_names(six: MadeSection, client: Client):
    assert [name for _url, name in offered(client.get(f"{six.url}pairings/"))] == OWN_NAMES
    for path in ("/", f"/{six.row.event.slug}/", f"{six.url}screen/?show=aro", "/login/", "/none/at-all/"):
        pages = [client.get(path), client.get(f"/pl{path}")]
        codes = ("de", "en", "es", "fr", "nl", "pl", "ru", "uk")
        expected = [(f"/{code}{path}", name) for code, name in zip(codes, OWN_NAMES, strict=True)]
        assert [offered(page) for page in pages] == [expected, expected], path
        assert re.search(r'hreflang="pl"\s+aria-current="true"', pages[1].content.decode())


def test_public_pages_name_their_alternatives(six: MadeSection, client: Client, settings: LazySettings):
    settings.PUBLIC_URL = "https://chess.example"
    page = client.get(f"/es{six.url}aro/?by=name").content.decode()
    found = re.findall(r'<link rel="alternate" hreflang="([^"]*)" href="([^"]*)">', page)
    path = f"{six.url}aro/?by=name"
    assert found[:3] == [
        ("x-default", f"https://chess.example{path}"),
        ("de", f"https://chess.example/de{path}"),
        ("en", f"https://chess.example/en{path}"),
    ]
    assert len(found) == 9
    assert 'rel="alternate"' not in client.get("/login/").content.decode()


def test_a_person_who_is_logged_in_has_an_own_language(six: MadeSection, client: Client, arbiter: User):
    client.force_login(arbiter)
    page = client.get("/account/language/").content.decode()
    assert re.findall(r'type="radio" name="language" value="(\w*)"', page) == [
        "", "de", "en", "es", "fr", "nl", "pl", "ru", "uk",
    ]  # fmt: skip
    answer = client.post("/es/account/language/", {"language": "fr"})
    assert (answer.status_code, answer.url) == (302, "/account/")
    for path, expected in (
        ("/account/", "fr"),
        (f"{six.url}cockpit/", "fr"),
        (f"/de{six.url}cockpit/", "de"),
    ):
        assert language(client.get(path, headers={"Accept-Language": "ru"})) == (expected, expected)
    assert language(Client().get(f"{six.url}pairings/")) == ("en", "en")
    assert client.post("/account/language/", {"language": "xx"}).status_code == 422
    client.post("/account/language/", {"language": ""})
    assert language(client.get("/account/", headers={"Accept-Language": "de"})) == ("de", "de")


@pytest.mark.parametrize("way", ["address", "browser", "login"])
def test_pages_for_arbiters_are_wholly_english_in_a_language_without_their_texts(
    six: MadeSection, client: Client, arbiter: User, settings: LazySettings, way: str
):
    settings.PARTLY_ENGLISH = ["es"]
    arbiter.language = "es" if way == "login" else ""
    arbiter.save()
    client.force_login(arbiter)
    before = "/es" if way == "address" else ""
    headers = {"Accept-Language": "es"} if way == "browser" else {}
    for path in (
        f"{six.url}cockpit/",
        f"{six.url}entries/",
        f"{six.url}settings/",
        "/account/",
        "/nothing-here/",
    ):
        page = client.get(before + path, headers=headers, follow=True)
        assert language(page) == (("es", "es") if "nothing" in path else ("en", "en")), path
    text = client.get(f"{before}{six.url}cockpit/", headers=headers).content.decode()
    assert "Cockpit" in text
    assert not [word for word in ("Clasificación", "Ronda", "Tablero") if word in text]
    for path in ("/", f"{six.url}pairings/", f"{six.url}standings/"):
        assert language(client.get(before + path, headers=headers)) == ("es", "es"), path
    refused = client.post(f"{before}{six.url}pair/", headers=headers)
    assert refused.headers["Content-Language"] == "en"


def test_the_choice_is_not_shown_to_people_with_a_login(six: MadeSection, client: Client, arbiter: User):
    """They choose their language in their account."""
    assert len(offered(client.get(f"{six.url}pairings/"))) == 8
    client.force_login(arbiter)
    assert [offered(client.get(six.url + page)) for page in ("cockpit/", "pairings/")] == [[], []]


def test_new_events_do_not_take_the_address_of_a_language():
    day = date(2026, 11, 20)
    event = create_event(actor=Actor.command(), name="De", start=day, end=day, state="public")
    assert event.slug == "de-2"


def test_an_older_event_with_the_name_of_a_language_keeps_its_address(client: Client):
    EventFactory(slug="de", name="Old", state="public")
    EventFactory(slug="old", name="Other", state="public")
    occupied.clear()  # as at the start of the program
    assert "<h1>Old</h1>" in client.get("/de/").content.decode()
    page = client.get("/fr/de/")
    assert ("<h1>Old</h1>" in page.content.decode(), language(page)) == (True, ("fr", "fr"))
    assert [name for _url, name in offered(page)] == OWN_NAMES[1:]


def test_arbiters_choose_the_language_of_paper(six: MadeSection, client: Client, arbiter: User):
    client.force_login(arbiter)
    documents = client.get(f"{six.url}documents/?in=fr")
    assert language(documents) == ("en", "en")
    found = re.findall(r'href="([^"]*/print/standings/[^"#]*)#print"', documents.content.decode())
    assert found == [f"/fr{six.url}print/standings/"]
    assert language(client.get(found[0])) == ("fr", "fr")
    unknown = client.get(f"{six.url}documents/?in=xx").content.decode()
    assert f'href="{six.url}print/standings/#print"' in unknown
