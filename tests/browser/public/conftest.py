"""A section that is running, and its public pages."""

from __future__ import annotations

import pytest

from evenboard_engine import Result
from pairing.rounds import pair_next_round, publish_round
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tournaments.actions.ledger import Actor
from tournaments.actions.results import record_result
from tournaments.models import Game, Round, Section

PHONE = {"width": 360, "height": 740}

RESULTS = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def play_round(section: Section, number: int) -> Round:
    """Pair and publish round `number`."""
    actor = Actor.command()
    made = pair_next_round(actor=actor, section_id=section.pk, after_round=number - 1)
    return publish_round(actor=actor, round_id=made.pk, seen_version=made.version)


def enter(game: Game, result: Result) -> None:
    record_result(actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version)


def running() -> Section:
    """Twenty-five people, round 1 over, round 2 published with two results."""
    made = section_of_people()
    for number, results in ((1, None), (2, 2)):
        for game in play_round(made, number).games.order_by("board")[:results]:
            enter(game, RESULTS[game.board % 3])
    made.refresh_from_db()
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(running)


def address(section: Section) -> str:
    return f"/{section.event.slug}/{section.slug}/"
