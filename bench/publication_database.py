"""Prepare the database for bench/publication.py: `python -m bench.publication_database BOARDS`.

Section a has so many boards; two rounds are over, and the third is a draft. Section b has 150 boards without results,
which arbiters enter meanwhile, each a part of them. Prints as JSON what the load needs to know.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any

import django

OVER, BOARDS_B, ARBITERS = 2, 150, 3


def prepare(boards: int) -> dict[str, Any]:
    """Make both sections, and arbiters with a session each."""
    from django.core.management import call_command

    from bench.hall_database import session_of
    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, ParticipantFactory, SectionFactory
    from tournaments.actions.ledger import Actor
    from tournaments.models import EventRole, Game, Section, User

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    actor, source = Actor.command(), random.Random(1)
    event = EventFactory(slug="hall")

    def play(section: Section, rounds: int) -> Any:
        for number in range(rounds + 1):
            draft = pair_next_round(actor=actor, section_id=section.pk, after_round=number)
            if number < rounds:
                publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version, copy=False)
                games = list(draft.games.all())
                for game in games:
                    game.result = source.choice(["1-0", "1/2", "0-1"])
                Game.objects.bulk_update(games, ["result"])
        return draft

    def section(slug: str, boards: int) -> Section:
        made: Section = SectionFactory(event=event, slug=slug, rounds=9)
        for number in range(2 * boards):
            ParticipantFactory(section=made, rating=2700 - 2000 * number // (2 * boards))
        return made

    draft = play(section("a", boards), OVER)
    typed = play(section("b", BOARDS_B), 0)
    publish_round(actor=actor, round_id=typed.pk, seen_version=typed.version, copy=False)
    games = [game.pk for game in typed.games.order_by("board")]
    saves = []
    for number in range(ARBITERS):
        user, cookie = session_of(f"arbiter-{number}")
        assert isinstance(user, User)
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
        own = {"path": "/hall/b/", "games": games[number::ARBITERS], "user": user.pk, "cookie": cookie}
        saves.append(own)
    return {
        "path": "/hall/a/",
        "round": draft.number,
        "version": draft.version,
        "revision": Section.objects.values_list("revision", flat=True).get(event=event, slug="a"),
        "saves": saves,
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    print(json.dumps(prepare(int(sys.argv[1]))))
