"""Prepare the database for bench/public_pages.py: `python -m bench.public_pages_database PLAYERS ROUNDS`.

Migrates the database of DATABASE_URL, makes a section in which so many rounds are over and the next one is published,
and prints as JSON its path and its revision.
"""

from __future__ import annotations

import json
import sys

import django


def prepare(players: int, rounds: int) -> dict[str, object]:
    """Return the addresses and the revision of a new section. There are 20 other events."""
    from django.core.management import call_command

    from evenboard_engine import Result
    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, SectionFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.models import Game

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    actor = Actor.command()
    section = section_of(players, event=EventFactory(slug="hall"), slug="a", rounds=9)
    results = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
    for number in range(rounds + 1):
        draft = pair_next_round(actor=actor, section_id=section.pk, after_round=number, proceed=True)
        publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version)
        if number < rounds:
            games = list(Game.objects.filter(round=draft))
            for game in games:
                game.result = results[game.pk % 3]
            Game.objects.bulk_update(games, ["result"])
    for _ in range(20):
        SectionFactory()
    section.refresh_from_db()
    return {
        "event": f"/{section.event.slug}/",
        "path": f"/{section.event.slug}/{section.slug}/",
        "json": f"/api/v1/public/sections/{section.pk}/standings/",
        "revision": section.revision,
    }


if __name__ == "__main__":
    django.setup()
    print(json.dumps(prepare(int(sys.argv[1]), int(sys.argv[2]))))
