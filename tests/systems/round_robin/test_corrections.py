"""Results of a round robin change on the page Results until the section is closed, whatever round they are of."""

from __future__ import annotations

import re
from itertools import product

import pytest
from django.test import Client

from evenboard_engine import Result
from tests.answers import agreed
from tests.factories import EventRoleFactory, UserFactory
from tests.systems.round_robin.test_pages import words_on
from tests.systems.round_robin.test_section import DESK, all_published, enter, play
from tournaments.actions.corrections import correct_result
from tournaments.actions.sections import close_section
from tournaments.errors import DomainError
from tournaments.models import Game, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

OPEN = (
    "Results can be changed on the page Results until the section is closed. "
    "Here you can only correct wrong colours."
)
NEITHER = re.compile("too late|for rating|being played|next pairing|already paired|FIDE mode")


@pytest.fixture
def played() -> Section:
    """Six players, and the results of all five rounds."""
    section = all_published(6)
    for number in range(1, 6):
        play(section, number)
    return section


@pytest.fixture
def desk(played: Section) -> Client:
    olga = UserFactory(is_superuser=True)
    EventRoleFactory(event=played.event, user=olga)
    client = Client()
    client.force_login(olga)
    return client


def game_of(section: Section, number: int) -> Game:
    return Game.objects.get(round__section=section, round__number=number, board=1)


def shown(client: Client, section: Section, number: int, board: str = "") -> str:
    answer = client.get(f"/{section.event.slug}/{section.slug}/round/{number}/corrections/{board}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_each_round_leads_to_its_results(played: Section, desk: Client) -> None:
    for number, board in product((1, 2, 4, 5), ("", "1/")):
        html = shown(desk, played, number, board)
        text = " ".join(words_on(html).split())
        assert (number, OPEN in text, NEITHER.findall(text)) == (number, True, [])
        assert f"/round/{number}/results/" in html
    for number in (1, 2, 4, 5):
        enter(game_of(played, number), Result.WHITE_WINS)
        assert game_of(played, number).result == "1-0", number


@pytest.mark.parametrize("number", [1, 4, 5])
def test_wrong_colours_are_corrected_in_each_round(played: Section, desk: Client, number: int) -> None:
    game = game_of(played, number)
    path = f"/{played.event.slug}/{played.slug}/round/{number}/corrections/1/"
    values = {
        "version": game.version,
        "reason": "Both",
        "effect": "next",
        "result": "1/2",
        "turned": "on",
    }
    text = " ".join(words_on(desk.post(path, values).content.decode()).split())
    assert "No points and no places change." in text
    assert "The correction counts for the standings. The report file has a line about the correction." in text
    assert NEITHER.findall(text) == []
    assert agreed(desk, path, values).status_code == 302
    turned = game_of(played, number)
    assert (turned.white_id, turned.black_id) == (game.black_id, game.white_id)
    why = desk.get(f"/{played.event.slug}/{played.slug}/round/5/why/")
    assert (why.status_code, "Corrected since" in why.content.decode()) == (200, False)


@pytest.mark.parametrize("number", [1, 4, 5])
def test_a_result_alone_is_no_correction(played: Section, number: int) -> None:
    game = game_of(played, number)
    with pytest.raises(DomainError, match="correction_not_needed"):
        correct_result(
            actor=DESK,
            game_id=game.pk,
            result="1-0",
            seen_version=game.version,
            reason="slip",
            confirmed=True,
        )


def test_closed_section_is_corrected_for_rating_only(played: Section, desk: Client) -> None:
    played.refresh_from_db()
    close_section(actor=DESK, section_id=played.pk)
    for number in (1, 5):
        text = " ".join(words_on(shown(desk, played, number, "1/")).split())
        closed = f"The section is closed. Results of round {number} can be corrected for rating only."
        assert (closed in text, "pairings" in text) == (True, False)
