"""Pages without a list that asks for news: each loads itself again when its round, or the current one, is another."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from pairing.rounds import pair_next_round, publish_round, unpublish_round
from tests.factories import UserFactory, section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.models import Player, Round, Section

pytestmark = pytest.mark.django_db
LATEST = ("names/", "players/", "crosstable/")
OF_ROUND = ("round/1/names/", "round/1/explained/", "standings/1/", "players/1/")


@pytest.fixture
def section() -> Section:
    """After round 1."""
    section = section_of(6, slug="a", event__slug="open", explained_to="everybody")
    for game in paired(section).games.all():
        enter(game, "1/2")
    return section


def asks(client: Client, page: str) -> str:
    """Return the address at which the open page asks."""
    (address,) = re.findall(r'hx-get="([^"]+\?seen=[^"]+)"', client.get(page).content.decode())
    return str(address).replace("&amp;", "&")


def reloads(client: Client, address: str) -> bool:
    answer = client.get(address, headers={"HX-Request": "true"})
    assert (answer.status_code in (200, 204), len(answer.content) < 1000) == (True, True)
    assert "HX-Refresh" not in answer.headers or not answer.content
    return "HX-Refresh" in answer.headers


def test_pages_follow_the_current_round_and_pages_of_a_round_this_round(
    section: Section, client: Client
) -> None:
    base = "/open/a/"
    latest = {asks(client, base + page) for page in LATEST}
    of_round = {asks(client, base + page) for page in OF_ROUND}
    assert (len(latest), len(of_round)) == (1, 1), "one answer for all who ask"
    event = asks(client, "/open/")
    assert [reloads(client, address) for address in (*latest, *of_round, event)] == [False] * 3
    enter(Round.objects.get().games.first(), "1-0")
    assert [reloads(client, address) for address in (*latest, *of_round, event)] == [False] * 3, "a result"
    paired(section)
    assert [reloads(client, address) for address in (*latest, *of_round, event)] == [True, False, True]
    sentence = client.get(*of_round).content.decode()
    assert " ".join(re.sub(r"<[^>]*>", " ", sentence).split()) == "Round 2 is published. Show the pairings"
    assert 'href="/open/a/pairings/"' in sentence
    again = unescape(re.findall(r'hx-get="([^"]*)"', sentence)[0])
    assert client.get(again).status_code == 204, "and it asks on"


def test_unpublished_round_disappears_from_open_pages(section: Section, client: Client) -> None:
    second = paired(section)
    pages = ["/open/a/players/1/", "/open/a/round/2/names/", "/open/a/round/2/explained/", "/open/"]
    asked = [asks(client, page) for page in pages]
    boards = asks(client, "/open/a/round/2/pairings/")
    unpublish_round(actor=Actor.command(), round_id=second.pk, seen_version=second.version)
    assert [reloads(client, address) for address in asked] == [True] * 4
    assert [client.get(page).status_code for page in pages] == [200, 404, 404, 200]
    missing = client.get(pages[1]).content.decode()
    assert "This page has not been published, or the arbiters have withdrawn it." in missing
    assert [name for name in Player.objects.values_list("name", flat=True) if name in missing] == []
    assert reloads(client, boards)
    client.force_login(UserFactory())
    assert reloads(client, boards), "also of somebody who is logged in"


def test_arbiters_page_of_a_draft_waits_for_its_publication(section: Section, client: Client) -> None:
    client.force_login(UserFactory(is_superuser=True))
    draft = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=1)
    asked = asks(client, "/open/a/round/2/names/")
    assert not reloads(client, asked)
    publish_round(actor=Actor.command(), round_id=draft.pk, seen_version=draft.version)
    assert reloads(client, asked)


def test_round_that_was_paired_again_is_another_one(section: Section, client: Client) -> None:
    """A phone may sleep while a round is unpublished, paired again and published: its version is the same then."""
    row = paired(section)
    asked = [asks(client, page) for page in ("/open/a/names/", "/open/a/players/1/", "/open/")]
    Round.objects.filter(pk=row.pk).update(published_at=timezone.now() + timedelta(minutes=5))
    enter(row.games.first(), "1-0")
    assert [reloads(client, address) for address in asked] == [True] * 3


def test_event_that_is_no_longer_public_leaves_each_open_page(section: Section, client: Client) -> None:
    pages = ("a/pairings/", "a/names/", "a/players/1/", "a/standings/", "a/aro/", "")
    asked = {page: asks(client, f"/open/{page}") for page in pages}
    edit_event(actor=Actor.command(), event=section.event, state="draft")
    for page in pages:
        answer = client.get(asked[page])
        found = (answer.status_code, answer.headers.get("HX-Refresh"), answer.content)
        assert found == (200, "true", b""), page
        assert "private" in answer.headers["Cache-Control"], page
        assert client.get(f"/open/{page}").status_code == 404, page


def test_open_explanations_go_when_the_arbiter_switches_them_off(section: Section, client: Client) -> None:
    asked = asks(client, "/open/a/round/1/explained/")
    assert not reloads(client, asked)
    Section.objects.filter(pk=section.pk).update(explained_to="nobody", revision=section.revision + 50)
    assert reloads(client, asked)
    assert client.get("/open/a/round/1/explained/").status_code == 404
