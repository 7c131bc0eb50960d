"""Decisions of arbiters take effect at once in public pages that are made once, in every process."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.test import Client

from evenboard_engine import Result
from pairing.rounds import pair_next_round, publish_round, unpublish_round
from tests.factories import ParticipantFactory, entry_data, section_of
from tests.web.public.test_made_once import POLL
from tournaments.actions.entries import edit_participant
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.results import record_result
from tournaments.actions.sections import take_section_away
from tournaments.actions.undo import undo
from tournaments.models import Section
from web import page_cache
from web.page_cache import PageStore


@pytest.fixture
def section(db: None) -> Section:
    """Return a section of six entries; nothing is paired yet."""
    return section_of(6)


def url(section: Section, page: str = "pairings/") -> str:
    return f"/{section.event.slug}/{section.slug}/{page}"


def test_a_round_is_seen_while_it_is_published_and_no_longer(
    section: Section, client: Client, monkeypatch: pytest.MonkeyPatch
):
    """Two processes, with a store each, and only the database between them."""
    here, there = page_cache.store, PageStore(lambda: 1024**2)

    def states() -> set[bool]:
        seen = set()
        for store in (here, there, here, there):
            monkeypatch.setattr(page_cache, "store", store)
            for page in ("pairings/", "names/", "round/1/pairings/", "screen/?show=names", "print/boards/"):
                seen.add("Surname0000" in client.get(url(section, page)).content.decode())
            seen.add("1;" in client.get(url(section, "lists/pairings.csv")).content.decode())
        return seen

    actor = Actor.command()
    assert states() == {False}
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    assert states() == {False}
    row = publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert states() == {True}
    row = unpublish_round(actor=actor, round_id=row.pk, seen_version=row.version)
    assert states() == {False}


def test_an_event_that_is_no_longer_public_disappears_at_once(section: Section, client: Client):
    actor, address = Actor.command(), url(section, "players/")
    tag = client.get(address)["ETag"]
    for public, status in ((False, 404), (True, 304), (False, 404)):
        edit_event(actor=actor, event=section.event, state="public" if public else "draft")
        assert client.get(address, headers={"If-None-Match": tag}).status_code == status
        assert client.get(f"{address}?seen=0", headers=POLL).status_code == (200 if public else 404)
        news = client.get(f"{url(section, 'pairings/')}?seen=0", headers=POLL)
        assert ("HX-Refresh" in news.headers, b"Surname" in news.content) == (not public, False)
        assert len(page_cache.store) == public


def test_a_hidden_section_disappears_at_once(section: Section, client: Client):
    address = url(section, "players/")
    assert client.get(address).status_code == 200
    take_section_away(actor=Actor.command(), section_id=section.pk)
    assert (client.get(address).status_code, len(page_cache.store)) == (404, 0)
    take_section_away(actor=Actor.command(), section_id=section.pk, away=False)
    assert client.get(address).status_code == 200


def test_an_action_in_another_section_makes_pages_again_only_if_it_changes_players(
    section: Section, client: Client
):
    """While rounds are played, a result is saved in one of the sections of an event every second or so."""
    actor, event, other = Actor.command(), section.event, section_of(4, event=section.event)
    row = pair_next_round(actor=actor, section_id=other.pk, after_round=0)
    game = publish_round(actor=actor, round_id=row.pk, seen_version=row.version).games.get(board=1)
    person = section.participants.get(tpn=1).player
    twin = ParticipantFactory(section=other, player=person, rating=1000)

    def renamed() -> None:
        edit_participant(actor=actor, participant_id=twin.pk, entry=entry_data("New, Nora", 1000))

    def undone() -> None:
        revision = Section.objects.get(pk=other.pk).revision
        undo(actor=actor, section_id=other.pk, revision=revision)

    def erased() -> None:
        erase_player(actor=actor, event=event, player_id=person.pk, typed=person.name)

    def makes_pages_again(step: Callable[[], object]) -> bool:
        tag = client.get(url(section, "players/"))["ETag"]
        step()
        return client.get(url(section, "players/"), headers={"If-None-Match": tag}).status_code == 200

    steps = {
        "result": partial(record_result, actor=actor, game_id=game.pk, result=Result.DRAW, seen_version=0),
        "undo of the result": undone,
        "name": renamed,
        "undo of the name": undone,
        "erased": erased,
    }
    assert {name: makes_pages_again(step) for name, step in steps.items()} == {
        "result": False,
        "undo of the result": False,
        "name": True,
        "undo of the name": True,
        "erased": True,
    }
