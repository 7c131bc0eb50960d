"""The pages of a round are made before it is published."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from pairing.rounds import pair_next_round
from tests.factories import EventFactory, UserFactory, section_of
from tests.web.public.test_made_once import count
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Round, Section
from web import page_cache, prewarm

pytestmark = pytest.mark.django_db


@pytest.fixture
def draft() -> Round:
    """Return the draft of round 1 of six players."""
    return pair_next_round(actor=Actor.command(), section_id=section_of(6).pk, after_round=0)


@pytest.fixture
def desk(draft: Round) -> Client:
    """Return the browser of an arbiter of the draft."""
    user = UserFactory()
    EventRole.objects.create(event=draft.section.event, user=user, role=EventRole.Role.ARBITER)
    client = Client()
    client.force_login(user)
    return client


def url(section: Section, page: str = "") -> str:
    return f"/{section.event.slug}/{section.slug}/{page}"


def press(desk: Client, row: Round, button: str) -> int:
    row.refresh_from_db()
    form = {"version": row.version}
    return desk.post(url(row.section, f"round/{row.number}/{button}/"), form).status_code


def test_pages_of_sections_that_are_played_are_made_after_the_start(settings: LazySettings, client: Client):
    settings.ALLOWED_HOSTS = ["testserver"]
    today = timezone.localdate()
    section = section_of(6, event=EventFactory(start=today, end=today))
    other = section_of(6, event=EventFactory(start=today - timedelta(9), end=today - timedelta(8)))
    for row in (section, other):
        pair_next_round(actor=Actor.command(), section_id=row.pk, after_round=0)
    prewarm.first_pages()
    assert count(client, url(section, "standings/"))[1] == 1
    assert count(client, url(other, "standings/"))[1] > 1


def test_pages_are_ready_when_the_round_is_published(
    desk: Client,
    draft: Round,
    client: Client,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr(prewarm, "LONGEST", 60)  # also where other tests make the machine slow
    card, boards, names = (url(draft.section, page) for page in ("players/1/", "pairings/", "names/"))
    client.get(card)
    for button, seen in (("publish", True), ("unpublish", False)):
        with django_capture_on_commit_callbacks() as ended:
            assert press(desk, draft, button) == 302
        ended[0]()  # gives the pages to visitors; the second one makes a copy of the section
        for page in (card, boards, names):
            answer, queries = count(Client(), page)
            shown = "Surname0000" in answer.content.decode()
            assert (answer.status_code, queries, shown) == (200, 1, seen or page == card), (button, page)


def test_nobody_gets_prepared_pages_of_a_round_that_is_not_published(
    desk: Client, draft: Round, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """The visitor asks in the middle of the preparation, in which the round is published for the arbiter only."""
    page = url(draft.section, "pairings/")
    client.get(page)
    held = dict(page_cache.store._pages.items())
    real, during = prewarm._make, []

    def make(*arguments: object) -> None:
        real(*arguments)
        during.append(dict(page_cache.store._pages.items()))
        raise RuntimeError("the preparation fails")

    monkeypatch.setattr(prewarm, "_make", make)
    assert press(desk, draft, "publish") == 302
    assert during == [held]
    draft.refresh_from_db()
    assert draft.state == Round.State.PUBLISHED
    assert "Surname0000" in client.get(page).content.decode()


def test_a_refused_publication_prepares_nothing(desk: Client, draft: Round, client: Client):
    client.get(url(draft.section, "pairings/"))
    stale = desk.post(url(draft.section, "round/1/publish/"), {"version": 99})
    assert stale.status_code == 409
    assert "Surname0000" not in client.get(url(draft.section, "pairings/")).content.decode()
    assert not connection.needs_rollback


def test_boards_and_names_come_first(draft: Round, client: Client):
    """Every phone in the hall asks for them in the next seconds, and there is little time to make pages."""
    boards, names, card = (url(draft.section, page) for page in ("pairings/", "names/", "players/1/"))
    client.get(f"/de{boards}")
    client.get(card)
    assert [(each.path, each.language) for each in prewarm.wanted(draft.section)] == [
        (f"/de{boards}", "de"),
        (boards, ""),
        (names, ""),
        (card, "en"),
    ]


def test_preparing_ends_after_a_time(desk: Client, draft: Round, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(prewarm, "LONGEST", -1)
    assert press(desk, draft, "publish") == 302
    assert len(page_cache.store) == 0
