"""Public pages are made once a revision and given to all visitors who are not logged in."""

from __future__ import annotations

import gzip
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier, Event

import pytest
from django.conf import LazySettings
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.waiting import LONG
from tests.web.public.conftest import MadeSection, crowd
from tests.web.public.test_visits import LISTS
from tournaments.models import User
from tournaments.queries.public_facts import public_facts
from web import page_cache
from web.views.public import rounds

PAGES = (*LISTS, "screen/", "screen/?show=standings&rows=12", "players/?by=name", "results/?by=newest")
POLL = {"HX-Request": "true"}


def kept_by_caches(page: str) -> str:
    """Return what a page says to shared caches. Answers to screens have the server's time, so none may keep them."""
    return page_cache.FOR_ONE if page.startswith("screen/") else page_cache.FOR_ALL


def count(client: Client, address: str, **headers: str) -> tuple[HttpResponse, int]:
    """Return the answer and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address, headers=headers)
    return answer, len(queries)


@pytest.mark.parametrize("page", PAGES)
def test_a_page_costs_one_query_after_it_has_been_made(six: MadeSection, client: Client, page: str):
    first, cold = count(client, six.url + page)
    again, warm = count(Client(), six.url + page)
    assert (first.status_code, again.status_code, warm) == (200, 200, 1)
    assert 1 < cold <= 13
    assert again.content == first.content
    changing = ("X-Now", "X-Clock")
    assert {name: value for name, value in again.items() if name not in changing} == {
        name: value for name, value in first.items() if name not in changing
    }


@pytest.mark.parametrize("page", PAGES)
def test_a_page_that_the_browser_has_costs_one_query_in_every_process(
    six: MadeSection, client: Client, page: str
):
    first = client.get(six.url + page)
    page_cache.store.clear()  # another process has other pages in its memory
    again, queries = count(client, six.url + page, **{"If-None-Match": first["ETag"]})
    assert (again.status_code, again.content, queries) == (304, b"", 1)
    names = ("ETag", "Cache-Control", "Vary")
    assert {name: again[name] for name in names} == {name: first[name] for name in names}


@pytest.mark.parametrize("page", ["pairings/", "results/", "screen/"])
def test_a_question_without_news_costs_one_query_and_makes_nothing(
    six: MadeSection, client: Client, page: str
):
    address = f"{six.url}{page}?seen={six.row.revision}&round=2"
    answer, queries = count(client, address, **POLL)
    assert (answer.status_code, answer.content, queries) == (204, b"", 1)
    assert (answer["Cache-Control"], len(page_cache.store)) == (kept_by_caches(page), 0)


@pytest.mark.parametrize("page", ["pairings/", "results/", "screen/"])
def test_news_are_the_page_that_was_made_for_all(six: MadeSection, client: Client, page: str):
    whole = client.get(six.url + page)
    six.touch()
    news = client.get(f"{six.url}{page}?seen=0&round={'' if page == 'screen/' else 2}", headers=POLL)
    again, queries = count(client, six.url + page)
    assert (news.status_code, news["Cache-Control"], news["ETag"]) == (
        200,
        kept_by_caches(page),
        again["ETag"],
    )
    assert (again.content, queries, again["ETag"] != whole["ETag"]) == (news.content, 1, True)
    assert len(page_cache.store) == 1


@pytest.mark.parametrize("page", ["pairings/", "results/", "screen/"])
def test_the_address_alone_makes_a_question(six: MadeSection, client: Client, page: str):
    """A shared cache looks at the address. It would mix answers up that differ by another header."""
    question = f"{six.url}{page}?seen={{}}&round={'' if page == 'screen/' else 2}"
    for seen, status in ((six.row.revision, 204), (six.row.revision - 1, 200)):
        answers = [client.get(question.format(seen), headers=headers) for headers in (POLL, {})]
        assert [answer.status_code for answer in answers] == [status, status]
        assert answers[0].content == answers[1].content


def test_the_compressed_page_is_made_once_and_holds_the_same(six: MadeSection, client: Client):
    plain = client.get(f"{six.url}pairings/")
    packed, queries = count(client, f"{six.url}pairings/", **{"Accept-Encoding": "br, gzip;q=0.8"})
    assert (packed["Content-Encoding"], queries) == ("gzip", 1)
    assert packed["Content-Length"] == str(len(packed.content))
    assert len(packed.content) < len(plain.content) // 3
    assert gzip.decompress(packed.content) == plain.content
    assert "Content-Encoding" not in plain.headers
    assert "Accept-Encoding" in plain["Vary"]
    again = client.get(f"{six.url}pairings/", headers={"Accept-Encoding": "gzip"})
    assert again.content == packed.content


def test_a_page_first_asked_for_by_a_phone_is_compressed_too(six: MadeSection, client: Client):
    first = client.get(f"{six.url}pairings/", headers={"Accept-Encoding": "gzip"})
    assert first["Content-Encoding"] == "gzip"
    assert gzip.decompress(first.content) == client.get(f"{six.url}pairings/").content


@pytest.mark.parametrize("first", ["HEAD", "GET"])
def test_head_has_the_headers_of_get_and_no_body(six: MadeSection, client: Client, first: str):
    asked = [client.generic(method, f"{six.url}pairings/") for method in (first, "HEAD", "GET")]
    head, get = asked[1:]
    assert (head.status_code, head.content) == (200, b"")
    assert dict(head.items()) == dict(get.items())
    assert head["Content-Length"] == str(len(get.content))


def test_each_language_has_its_own_page(six: MadeSection, client: Client, settings: LazySettings):
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    english = client.get(f"{six.url}pairings/")
    german = client.get(f"{six.url}pairings/", headers={"Accept-Language": "de-AT,de;q=0.9"})
    assert (
        '<html lang="en">' in english.content.decode(),
        '<html lang="de">' in german.content.decode(),
    ) == (
        True,
        True,
    )
    assert (german["Content-Language"], english["ETag"] != german["ETag"]) == ("de", True)
    asked = {"Accept-Language": "de", "If-None-Match": english["ETag"]}
    changed = client.get(f"{six.url}pairings/", headers=asked)
    assert (changed.status_code, changed.content, len(page_cache.store)) == (200, german.content, 2)


def test_headers_of_security_are_those_of_every_page(six: MadeSection, client: Client):
    client.get(f"{six.url}pairings/")
    stored, queries = count(client, f"{six.url}pairings/")
    other = client.get("/")
    names = ("Content-Security-Policy", "X-Frame-Options", "X-Content-Type-Options", "Referrer-Policy")
    assert queries == 1
    assert {name: stored[name] for name in names} == {name: other[name] for name in names}


def test_people_who_are_logged_in_get_their_own_page(six: MadeSection, client: Client, arbiter: User):
    six.play(3, "draft", (1, 3, ""))
    public = client.get(f"{six.url}pairings/")
    client.force_login(arbiter)
    own = client.get(f"{six.url}pairings/")
    assert ("Only arbiters see this round." in own.content.decode(), "ETag" in own) == (True, False)
    assert own["Cache-Control"] == "private, no-cache"
    assert Client().get(f"{six.url}pairings/").content == public.content
    assert ">ada<" not in public.content.decode()


def test_page_that_an_arbiter_opened_first_is_not_given_to_others(
    six: MadeSection, client: Client, arbiter: User
):
    six.play(3, "draft", (1, 3, ""))
    client.force_login(arbiter)
    client.get(f"{six.url}pairings/")
    assert len(page_cache.store) == 0
    assert "Draft" not in Client().get(f"{six.url}pairings/").content.decode()


def test_an_invented_session_has_no_page_made(six: MadeSection, client: Client, settings: LazySettings):
    client.get(f"{six.url}pairings/")
    client.cookies[settings.SESSION_COOKIE_NAME] = "x" * 32
    answer, queries = count(client, f"{six.url}pairings/")
    assert (answer.status_code, queries) == (200, 2)


def test_a_page_is_made_without_anything_that_the_visitor_sent(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    asked: list[object] = []
    found = rounds.section_context

    def watch(request: object, *arguments: object) -> object:
        asked.append(request)
        return found(request, *arguments)

    monkeypatch.setattr(rounds, "section_context", watch)
    client.cookies["me-1"] = "7"
    sent = {"User-Agent": "spy", "Referer": "https://example.org/", "X-Forwarded-For": "192.0.2.7"}
    client.get(f"{six.url}pairings/?utm=1&by=name", headers=sent)
    (request,) = asked
    assert (request.COOKIES, dict(request.GET), request.get_full_path()) == ({}, {}, f"{six.url}pairings/")
    assert set(request.headers) <= {"Host", "Accept-Language", "Content-Length", "Content-Type"}


@pytest.mark.parametrize("query", ["?utm_source=mail", "?by=nonsense", "?by=", "?page=2&seen=x", "?q="])
def test_parameters_that_a_page_does_not_read_make_no_other_page(
    six: MadeSection, client: Client, query: str
):
    client.get(f"{six.url}aro/")
    _, queries = count(client, f"{six.url}aro/{query}")
    assert (queries, len(page_cache.store)) == (1, 1)


def test_a_search_is_answered_but_not_kept(six: MadeSection, client: Client):
    found = client.get(f"{six.url}pairings/", {"q": "adams"})
    assert "Dvořák" not in found.content.decode()
    assert len(page_cache.store) == 0
    again = client.get(f"{six.url}pairings/", {"q": "adams"}, headers={"If-None-Match": found["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    ("written", "usual"),
    [("round/002/pairings/", "round/2/pairings/"), ("players/01/?x=%2F1", "players/1/?x=%2F1")],
)
def test_an_unusual_spelling_of_an_address_leads_to_the_usual_one_without_a_query(
    six: MadeSection, client: Client, written: str, usual: str
):
    answer, queries = count(client, six.url + written)
    assert (answer.status_code, answer["Location"], queries) == (301, six.url + usual, 0)
    assert (client.get(answer["Location"]).status_code, len(page_cache.store)) == (200, 1)
    assert client.get(six.url + written, headers={"Host": "evil.example"}).status_code == 400


@pytest.mark.parametrize("cookie", ["", "x", "W10:1wMZ:xxxx"])
def test_an_invented_message_has_no_page_made(six: MadeSection, client: Client, cookie: str):
    client.get(f"{six.url}pairings/")
    client.cookies["messages"] = cookie
    answer, queries = count(client, f"{six.url}pairings/")
    assert (answer.status_code, queries) == (200, 1)


@pytest.mark.parametrize(
    ("page", "status"), [("round/9/pairings/", 404), ("print/slips/", 302), ("aro/", 200)]
)
def test_a_star_for_any_tag_is_not_taken_for_a_page_that_the_browser_has(
    six: MadeSection, client: Client, page: str, status: int
):
    assert client.get(six.url + page, headers={"If-None-Match": "*"}).status_code == status


def test_missing_pages_are_not_kept(six: MadeSection, client: Client):
    for page in ("round/9/pairings/", "players/99/", "print/nothing/", "print/slips/"):
        assert client.get(six.url + page).status_code in (302, 404)
    assert client.get("/nowhere/a/pairings/").status_code == 404
    assert len(page_cache.store) == 0


@pytest.mark.parametrize(
    ("page", "query", "found"),
    [
        ("pairings/", "", True),
        ("pairings/", "q=adams", False),
        ("aro/", "by=name", True),
        ("players/1/", "", True),
        ("players/99/", "", False),
        ("print/slips/", "", False),
    ],
)
def test_an_address_is_shared_after_a_page_for_all_was_found_there(
    six: MadeSection, client: Client, page: str, query: str, found: bool
):
    assert not page_cache.is_shared(six.url + page, query)
    client.get(f"{six.url}{page}?{query}")
    assert page_cache.is_shared(six.url + page, query) == found


def test_documents_for_arbiters_ask_for_a_login_and_lead_back(six: MadeSection, client: Client):
    answer = client.get(f"{six.url}print/slips/")
    assert answer["Location"] == f"/login/?next={six.url}print/slips/"


def test_a_host_that_is_not_ours_gets_nothing(six: MadeSection, client: Client):
    client.get(f"{six.url}pairings/")
    assert client.get(f"{six.url}pairings/", headers={"Host": "evil.example"}).status_code == 400


def test_a_page_over_http_is_not_the_one_over_https(six: MadeSection, settings: LazySettings):
    settings.SECURE_SSL_REDIRECT = True
    client = Client()
    assert client.get(f"{six.url}pairings/", secure=True).status_code == 200
    plain = client.get(f"{six.url}pairings/")
    assert (plain.status_code, plain["Location"]) == (301, f"https://testserver{six.url}pairings/")


def test_the_facts_are_read_in_one_query(six: MadeSection):
    section = six.row
    with CaptureQueriesContext(connection) as queries:
        facts = public_facts(section.event.slug, section.slug)
    assert len(queries) == 1
    assert (facts.revision, facts.public, facts.time_zone) == (section.revision, True, "")
    assert public_facts("nowhere", "a") is None


def test_every_answer_to_a_screen_has_the_time_of_the_hall(six: MadeSection, client: Client):
    six.row.event.time_zone = "Asia/Tokyo"
    six.row.event.save()
    first, again = (client.get(f"{six.url}screen/") for _ in range(2))
    assert int(first["X-Now"]) <= int(again["X-Now"])
    question = client.get(f"{six.url}screen/?seen={six.row.revision}", headers=POLL)
    assert int(again["X-Now"]) <= int(question["X-Now"])
    for answer in (first, again, question):
        minutes = int(answer["X-Now"]) // 60_000 + 9 * 60
        assert answer["X-Clock"] == f"{minutes // 60 % 24:02}:{minutes % 60:02}"


@pytest.mark.django_db(transaction=True)
def test_visitors_who_come_together_have_a_page_made_once(monkeypatch: pytest.MonkeyPatch):
    """When a round is published, a hundred phones load it in the same second."""
    section = crowd(20)
    made, inside, go, start = [], Event(), Event(), Barrier(8, timeout=LONG)
    real = rounds.round_board_list

    def slow(*arguments: object, **more: object) -> object:
        made.append(1)
        inside.set()
        assert go.wait(LONG)
        return real(*arguments, **more)

    monkeypatch.setattr(rounds, "round_board_list", slow)

    def visit(_: int) -> HttpResponse:
        start.wait()
        try:
            return Client().get(f"{section.url}pairings/")
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as pool:
        asked = [pool.submit(visit, number) for number in range(8)]
        assert inside.wait(LONG)
        go.set()
        answers = [each.result(LONG) for each in asked]
    assert len(made) == 1
    assert {(answer.status_code, answer.content) for answer in answers} == {(200, answers[0].content)}


def test_a_visitor_whose_page_is_not_ready_in_time_is_asked_to_come_back(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch
):
    def busy(*_: object) -> None:
        raise page_cache.CacheBusyError

    monkeypatch.setattr(page_cache.store, "page", busy)
    answer = client.get(f"{six.url}pairings/")
    assert (answer.status_code, answer["Retry-After"], answer["Cache-Control"]) == (503, "5", "no-store")
