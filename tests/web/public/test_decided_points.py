"""Where the score is not the sum of the results, public pages say which decision of the arbiter made it so."""

from __future__ import annotations

from html import unescape

import pytest
from django.test import Client

from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.web.staff.conftest import address, played
from tournaments.actions.decided_points import decide_points
from tournaments.actions.ledger import Actor
from tournaments.models import Game, Section

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided() -> tuple[Section, Game]:
    """Return a section after two rounds and the game of round 2 of a player who lost half a point after round 1."""
    section = section_of(
        8, event=EventFactory(name="Rijswijk Open", slug="rijswijk"), slug="a", system="dubov"
    )
    played(section)
    winner = section.participants.get(tpn=1)
    decide_points(
        actor=Actor.command(),
        participant_id=winner.pk,
        round_number=1,
        points=-5,
        reason="mobile phone",
        confirmed=True,
    )
    played(section)
    games = Game.objects.filter(round__section=section, round__number=2)
    return section, next(game for game in games if winner.pk in (game.white_id, game.black_id))


@pytest.fixture
def page(decided: tuple[Section, Game]) -> Client:
    """The browser of an arbiter."""
    client = Client()
    client.force_login(EventRoleFactory(event=decided[0].event).user)
    return client


def read(client: Client, section: Section, rest: str) -> str:
    answer = client.get(address(section, rest))
    assert answer.status_code == 200, rest
    return unescape(answer.content.decode())


SENTENCE = "½ point taken away after round 1, by decision of the arbiter."


def test_aro_lists_name_the_decisions_in_their_points(
    client: Client, page: Client, decided: tuple[Section, Game]
) -> None:
    section, _game = decided
    for reader in (client, page):
        for order in ("", "?by=name", "?by=rank"):
            assert read(reader, section, f"aro/3/{order}").count(SENTENCE) == 1
    for paper in ("aro", "aro-names", "aro-ranks"):
        assert SENTENCE in read(client, section, f"print/{paper}/3/")
    assert "-½ after round 1" in client.get(address(section, "lists/3/aro.csv")).content.decode()


def test_why_a_pairing_names_the_decisions_in_the_scores_that_it_used(
    client: Client, page: Client, decided: tuple[Section, Game]
) -> None:
    section, game = decided
    other = next(one for one in (1, 2, 3, 4) if one != game.board)
    assert SENTENCE in read(client, section, "round/2/explained/")
    assert SENTENCE in read(client, section, f"round/2/explained/{game.board}/")
    assert SENTENCE not in read(client, section, f"round/2/explained/{other}/")
    assert SENTENCE not in read(client, section, "round/1/explained/")
    assert SENTENCE in read(client, section, "round/2/explained/work/1/")
    assert SENTENCE in read(page, section, "round/2/why/")
    assert SENTENCE in read(page, section, "round/2/why/1/")
