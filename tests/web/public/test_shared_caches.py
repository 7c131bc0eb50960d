"""What shared caches may keep of public pages, and that nobody sees a page between two states."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.conf import LazySettings
from django.db import connections
from django.test import Client

from pairing.rounds import pair_next_round, publish_round, unpublish_round
from tests.factories import section_of
from tests.waiting import LONG
from tests.web.public.conftest import MadeSection, new_section
from tournaments.actions.ledger import Actor
from tournaments.models import Game, User
from web.page_cache import FOR_ALL, FOR_ONE
from web.views.public import rounds

PUBLIC = {
    "pairings/": 200,
    "": 302,
    "results/1/": 200,
    "players/1/": 200,
    "lists/standings.csv": 200,
    "print/boards/": 200,
    "pairings/?seen=9&round=1": 200,
    "pairings/?seen=9&round=2": 200,
}


def kept(client: Client, address: str, **headers: str) -> tuple[int, str, set[str]]:
    """Return the status, what caches may do with the answer, and which headers of a request make a difference."""
    answer = client.get(address, headers=headers)
    vary = {name.strip() for name in answer.get("Vary", "").split(",")}
    return answer.status_code, answer["Cache-Control"], vary


@pytest.mark.one_database
@pytest.mark.parametrize("page", PUBLIC)
def test_shared_caches_may_keep_public_answers(six: MadeSection, client: Client, page: str):
    for _ in range(2):
        assert kept(client, six.url + page) == (PUBLIC[page], FOR_ALL, {"Accept-Language", "Accept-Encoding"})
        assert kept(client, f"/en{six.url}{page}") == (PUBLIC[page], FOR_ALL, {"Accept-Encoding"})


def test_shared_caches_may_keep_what_says_that_nothing_is_new(six: MadeSection, client: Client):
    vary = {"Accept-Language", "Accept-Encoding"}
    tag = client.get(f"{six.url}pairings/")["ETag"]
    question = f"{six.url}pairings/?seen={six.row.revision}&round=2"
    assert kept(client, question) == (204, FOR_ALL, vary)
    assert kept(client, f"{six.url}pairings/", **{"If-None-Match": tag}) == (304, FOR_ALL, vary)


def test_only_a_cache_gives_the_former_answer_while_it_asks(six: MadeSection, client: Client):
    for page in ("pairings/", f"pairings/?seen={six.row.revision}"):
        assert kept(client, six.url + page, Via="1.1 proxy")[1] == f"{FOR_ALL}, stale-while-revalidate=1"
        assert kept(client, six.url + page)[1] == FOR_ALL
    assert kept(client, f"{six.url}screen/", Via="1.1 proxy")[1] == FOR_ONE


def test_visitors_get_the_same_answer_with_any_cookies(
    six: MadeSection, client: Client, settings: LazySettings
):
    settings.LANGUAGES = [("en", "English"), ("de", "Deutsch")]
    first = client.get(f"{six.url}pairings/")
    for name in (
        settings.LANGUAGE_COOKIE_NAME,
        settings.SESSION_COOKIE_NAME,
        settings.CSRF_COOKIE_NAME,
        "me-1",
    ):
        client.cookies[name] = "de"
    again = client.get(f"{six.url}pairings/")
    assert (again.content, dict(again.items())) == (first.content, dict(first.items()))


@pytest.mark.parametrize("page", ["pairings/", "pairings/?seen=9&round=2", "pairings/?q=ad"])
def test_what_people_get_who_are_logged_in_is_kept_by_no_shared_cache(
    six: MadeSection, client: Client, arbiter: User, page: str
):
    client.force_login(arbiter)
    status, caches, vary = kept(client, six.url + page)
    assert (status, caches, "Cookie" in vary) == (200, FOR_ONE, True)


@pytest.mark.parametrize("page", ["pairings/?q=adams", "screen/", "round/9/pairings/", "print/nothing/"])
def test_answers_for_one_visitor_are_kept_by_no_shared_cache(six: MadeSection, client: Client, page: str):
    assert client.get(six.url + page)["Cache-Control"] == FOR_ONE


@pytest.mark.one_database
@pytest.mark.parametrize("page", ["pairings/", "players/", "players/?seen=9", "", "print/boards/"])
def test_a_private_section_is_kept_by_no_shared_cache(db: None, client: Client, page: str):
    section = new_section(state="draft")
    assert kept(client, section.url + page)[:2] == (404, FOR_ONE)
    assert kept(client, f"/{section.row.event.slug}/")[:2] == (404, FOR_ONE)


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_a_page_is_from_one_moment_if_a_round_is_published_while_it_is_made(monkeypatch: pytest.MonkeyPatch):
    """The visitor's page is held in the middle, after it has found out which round is shown."""
    section = section_of(6)
    actor = Actor.command()
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    inside, go = Event(), Event()
    real = rounds.round_board_list

    def held(*arguments: object, **more: object) -> object:
        inside.set()
        assert go.wait(LONG)
        return real(*arguments, **more)

    monkeypatch.setattr(rounds, "round_board_list", held)
    url = f"/{section.event.slug}/{section.slug}/pairings/"

    def visit() -> str:
        try:
            return Client().get(url).content.decode()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(visit)
        assert inside.wait(LONG)
        try:
            unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        finally:
            go.set()
        torn = asked.result(LONG)
    assert "Surname0000" in torn  # the page of the moment in which it was begun, whole
    assert "Surname0000" not in Client().get(url).content.decode()


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_nobody_sees_half_a_round_or_one_that_was_unpublished_before_the_question():
    """An arbiter publishes and unpublishes a round again and again, while visitors ask for its pages."""
    section = section_of(12)
    actor = Actor.command()
    url = f"/{section.event.slug}/{section.slug}/"
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    moments: list[bool | None] = [False]  # whether the round is shown; None while it changes; the last is now
    over, wrong = Event(), []
    names = sorted(Game.objects.values_list("white__player__name", flat=True))

    def watch(page: str) -> int:
        client, asked = Client(), 0
        try:
            while not (asked and over.is_set()):
                before = len(moments)
                answer = client.get(url + page)
                during = moments[before - 1 :]  # more than one if the round changed, even if it changed back
                asked += 1
                if answer.status_code == 503:  # come back later: a slow machine, and nothing of a round
                    continue
                found = sum(name in answer.content.decode() for name in names)
                certain = len(during) == 1 and during[0] is not None
                if found not in (0, len(names)) or (certain and found != during[0] * len(names)):
                    wrong.append((page, during, found))
            return asked
        finally:
            connections.close_all()

    with ThreadPoolExecutor(3) as pool:
        watching = [pool.submit(watch, page) for page in ("pairings/", "names/", "round/1/pairings/")]
        try:
            for _ in range(6):
                for act, becomes in ((publish_round, True), (unpublish_round, False)):
                    moments.append(None)
                    row = act(actor=actor, round_id=row.pk, seen_version=row.version)
                    moments.append(becomes)
                    over.wait(0.02)
        finally:
            over.set()
        assert all(each.result(LONG) for each in watching)
    assert wrong == []
