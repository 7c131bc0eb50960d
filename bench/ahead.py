"""Measure "Pair ahead", and compare its drafts with usual pairing: `python -m bench.ahead`.

    --players 200 1000   of each section
    --systems ...        codes of pairing systems; by default all whose rounds depend on results
    --rounds 6           rounds that are played before
    --times 5            how often each time is measured; the median counts
    --walks 0            sections of 9 to 20 players in each system that are played with random events in random order
    --postgres           on a private PostgreSQL in a temporary directory, deleted at the end

Before: the last result, a press of "Pair round", the cockpit with the draft. After: the last result, and the cockpit
with the draft. Times are processor time of the server for these requests: without the network, other programs, and the
time until the arbiter presses. Prints a table. A walk ends with an error if a draft is not the one that pairing without
preparation gives.
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import tempfile
from collections import Counter
from contextlib import ExitStack
from datetime import date
from http import HTTPStatus
from statistics import median
from time import process_time
from typing import Any

import django

OPEN = 3
DRAWS = 0.3
HEAD = "| system | players | result alone | before | after | 27 combinations | boards that do not depend |"


def main() -> None:
    options = parse()
    with ExitStack() as ends:
        folder = ends.enter_context(tempfile.TemporaryDirectory())
        os.environ |= {
            "VAR_DIR": folder,
            "DJANGO_SETTINGS_MODULE": "config.settings",
            "ALLOWED_HOSTS": "testserver",
        }
        if options.postgres:
            from tests.machine import find_postgres, private_postgres

            programs = find_postgres()
            assert programs, "PostgreSQL is not on this machine"
            os.environ["DATABASE_URL"] = ends.enter_context(private_postgres(programs))
        django.setup()
        from django.core.management import call_command
        from django.test.utils import setup_test_environment

        setup_test_environment()
        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        walks(options)
        print(
            f"Measured on {date.today():%d %B %Y} with Python {platform.python_version()}"  # noqa: DTZ011
            f" (load before: {os.getloadavg()[0]:.1f}); round {options.rounds + 1}, {OPEN} games open.\n"
        )
        print(f"{HEAD}\n|---|---:|---:|---:|---:|---:|---:|")
        for system in options.systems or swiss():
            for players in options.players:
                print(row(system, players, options.rounds, options.times), flush=True)


def swiss() -> list[str]:
    from evenboard_engine import SYSTEMS, system_named

    return [code for code in SYSTEMS if not system_named(code).fixed_rounds]


def walks(options: argparse.Namespace) -> None:
    from tests.ahead_walk import AheadWalk
    from tests.factories import UserFactory
    from tournaments.actions.ledger import Actor

    if not options.walks:
        return
    counted = Counter[str]()
    actor = Actor(UserFactory(username="walker", is_superuser=True), "192.0.2.1")
    for system in options.systems or swiss():
        for seed in range(options.walks):
            walk = AheadWalk(seed, system, actor, players=9 + seed % 12, rounds=6)
            walk.play()
            counted += walk.counted
    print(f"{options.walks} sections in each system: {dict(sorted(counted.items()))}\n")


class Hall:
    """A section in which all results of a round are in but `OPEN`, and an arbiter at a browser."""

    def __init__(self, system: str, players: int, rounds: int) -> None:
        from django.test import Client

        from base.cache import clear_caches
        from tests.factories import ParticipantFactory, PlayerFactory, SectionFactory, UserFactory
        from tournaments.actions.ledger import Actor
        from tournaments.models import Participant, Player

        self.source, self.rounds = random.Random(f"{system} {players}"), rounds
        user, self.client = UserFactory(is_superuser=True), Client()
        self.client.force_login(user)
        self.actor, self.section = Actor(user), SectionFactory(system=system, rounds=rounds + 2)
        people = Player.objects.bulk_create(PlayerFactory.build_batch(players, event=self.section.event))
        Participant.objects.bulk_create(
            ParticipantFactory.build(section=self.section, player=player, tpn=tpn, rating=2600 - tpn)
            for tpn, player in enumerate(people, 1)
        )
        self.address = f"/{self.section.event.slug}/{self.section.slug}"
        for number in range(rounds):
            self.still_open = self._play(number)
        clear_caches()  # these results are in no log

    def _play(self, number: int) -> list[Any]:
        from pairing.rounds import pair_next_round, publish_round
        from tournaments.models import Game

        made = pair_next_round(actor=self.actor, section_id=self.section.pk, after_round=number)
        publish_round(actor=self.actor, round_id=made.pk, seen_version=made.version, copy=False)
        games = list(made.games.select_related("white", "black"))
        for game in games:
            lead = game.white.rating - game.black.rating + self.source.gauss(0, 300)
            game.result = "1/2" if self.source.random() < DRAWS else "1-0" if lead > 0 else "0-1"
        still_open = self.source.sample(games, OPEN) if number == self.rounds - 1 else []
        for game in still_open:
            game.result = ""
        Game.objects.bulk_update(games, ["result"])
        return still_open

    def enter(self, game: Any, result: str) -> None:
        from tournaments.actions.results import record_result

        game.refresh_from_db()
        record_result(actor=self.actor, game_id=game.pk, result=result, seen_version=game.version)

    def all_but_the_last(self, result: str) -> None:
        for game in self.still_open[:-1]:
            self.enter(game, result)

    def last_result(self) -> None:
        game = self.still_open[-1]
        game.refresh_from_db()
        self.sent(f"game/{game.pk}/result/", result="1-0", version=game.version)

    def sent(self, path: str, **form: Any) -> None:
        answer = self.client.post(f"{self.address}/{path}", form)
        assert answer.status_code < HTTPStatus.BAD_REQUEST, (path, answer.status_code, answer.content[:500])

    def shown(self) -> None:
        page = self.client.get(f"{self.address}/cockpit/").content.decode()
        assert f"/round/{self.rounds + 1}/publish/" in page, "the draft"

    def again(self) -> None:
        from pairing.rounds import unpair_round

        draft = self.section.played_rounds.get(number=self.rounds + 1)
        unpair_round(actor=self.actor, round_id=draft.pk, seen_version=draft.version)
        self.enter(self.still_open[-1], "")


def row(system: str, players: int, rounds: int, times: int) -> str:
    """Return the line of the table for one section."""
    from pairing.ahead import pair_ahead, prepare
    from tournaments.models import Section
    from tournaments.queries.ahead import round_ahead
    from tournaments.queries.field import load_field

    hall = Hall(system, players, rounds)
    hall.all_but_the_last("1/2")
    alone, before, after = list[float](), list[float](), list[float]()
    for _time in range(times + 1):
        began = process_time()
        hall.last_result()
        alone.append(process_time() - began)
        hall.sent("pair/", after_round=rounds)
        hall.shown()
        before.append(process_time() - began)
        hall.again()
    hall.all_but_the_last("")
    pair_ahead(actor=hall.actor, section_id=hall.section.pk, after_round=rounds)
    began = process_time()
    prepare(hall.section.pk)
    prepared = process_time() - began
    state = round_ahead(load_field(Section.objects.get(pk=hall.section.pk), include_drafts=True))
    assert state is not None
    assert state.is_complete
    hall.all_but_the_last("1/2")
    for _time in range(times + 1):
        began = process_time()
        hall.last_result()
        hall.shown()
        after.append(process_time() - began)
        hall.again()
    times_ms = (f"{1000 * median(found[1:]):.0f} ms" for found in (alone, before, after))
    sure = f"{len(state.sure)} of {state.boards}"
    return f"| {system} | {players:,} | {' | '.join(times_ms)} | {prepared:.1f} s | {sure} |"


def parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Measure Pair ahead.")
    parser.add_argument("--players", type=int, nargs="+", default=[200, 1000])
    parser.add_argument("--systems", nargs="*")
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--walks", type=int, default=0)
    parser.add_argument("--postgres", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
