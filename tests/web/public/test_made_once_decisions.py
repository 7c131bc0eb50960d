"""Decisions of arbiters take effect at once in public pages that are made once, in every process."""

from __future__ import annotations

import pytest
from django.test import Client

from pairing.rounds.actions import pair_next_round, publish_round, unpublish_round
from tests.factories import section_of
from tests.web.public.test_made_once import POLL
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import take_section_away
from tournaments.models import Section
from tournaments.web import made_once
from tournaments.web.page_store import PageStore


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
    here, there = made_once.store, PageStore(lambda: 1024**2)

    def states() -> set[bool]:
        seen = set()
        for store in (here, there, here, there):
            monkeypatch.setattr(made_once, "store", store)
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
        edit_event(actor=actor, event=section.event, public=public)
        assert client.get(address, headers={"If-None-Match": tag}).status_code == status
        assert client.get(f"{address}?seen=0", headers=POLL).status_code == (200 if public else 404)
        assert len(made_once.store) == public


def test_a_hidden_section_disappears_at_once(section: Section, client: Client):
    address = url(section, "players/")
    assert client.get(address).status_code == 200
    take_section_away(actor=Actor.command(), section_id=section.pk)
    assert (client.get(address).status_code, len(made_once.store)) == (404, 0)
    take_section_away(actor=Actor.command(), section_id=section.pk, away=False)
    assert client.get(address).status_code == 200
