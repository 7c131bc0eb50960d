"""`manage.py make_demo`: make an open of 60 players in its fourth round, for trying the program.

The field is sixty invented players and their results, the same on every machine.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from evenboard_engine import ByeKind, Colour, Result
from pairing.rounds import draw_initial_colour, pair_next_round, publish_round
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import import_entries, withdraw_participant
from tournaments.actions.events import create_event
from tournaments.actions.ledger import Actor
from tournaments.actions.logins import random_password
from tournaments.actions.people import add_role
from tournaments.actions.rehearsal_players import field
from tournaments.actions.results import record_result
from tournaments.actions.sections import create_section
from tournaments.actions.site import has_site_owner, name_site_owner
from tournaments.entry_data import ImportRow
from tournaments.models import Event, EventRole, Participant, Round, Section, User
from tournaments.queries.rehearsals import result_by_chance

SEED = 20260201
EVENT = "Harvenmouth Open"
ROUNDS = 7
PLAYED = 3
# players by pairing number
HALF_POINT_BYES = {1: (17,), 2: (28, 46), 4: (26,)}
WITHDRAWS_AFTER = {2: 33}
FORFEITS = {2: 50}  # does not come to the game of that round


class Command(BaseCommand):
    help = "Make a demo event: 60 players, 7 rounds, 3 played, round 4 paired and not published. Works only once."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--credentials-file",
            type=Path,
            help="write the logins to this file, which only you can read, with one line `user password role` each; "
            "without this option they are printed",
        )

    def handle(self, *, credentials_file: str | Path | None = None, **options: Any) -> None:
        with transaction.atomic():
            if Event.objects.filter(name=EVENT).exists() or User.objects.filter(username__in=_USERS).exists():
                raise CommandError("The demo event or its users already exist.")
            lines = make_demo()
            if credentials_file is not None:
                _write_for_me_alone(Path(credentials_file), lines)
        if credentials_file is None:
            self.stdout.write("\n".join(lines))
        elif options["verbosity"] > 0:
            self.stdout.write(f"{EVENT} is made; the logins are in {credentials_file}.")


_USERS = {"organiser": EventRole.Role.OWNER, "arbiter": EventRole.Role.CHIEF}


def make_demo() -> list[str]:
    """Make the users and the event; return a line `user password role` for each user.

    The organiser becomes site owner if the installation has none yet.
    """
    passwords = {name: random_password() for name in _USERS}
    users = {name: User.objects.create_user(name, password=passwords[name]) for name in _USERS}
    if not has_site_owner():
        name_site_owner(actor=Actor.command(), username="organiser")
    organiser, arbiter = (Actor(users[name], "command") for name in _USERS)
    today = timezone.localdate()
    event = create_event(
        actor=organiser,
        name=EVENT,
        city="Harvenmouth",
        federation="ENG",
        start=today - timedelta(days=2),
        end=today + timedelta(days=3),
        chief_arbiter="IA Wren, Matilda",
        deputy_arbiters="FA Ilves, Karl\nNA Costa, Beatriz",
        time_control="90 minutes for 40 moves, 30 minutes for the rest, 30 seconds a move from move 1",
    )
    add_role(actor=organiser, event=event, username="arbiter", role=_USERS["arbiter"])
    section = create_section(actor=organiser, event=event, name="Open", rounds=ROUNDS)
    play(section, arbiter)
    return [f"{name} {passwords[name]} {role.value}" for name, role in _USERS.items()]


def play(section: Section, actor: Actor) -> None:
    """Enter the players, play three rounds and pair the fourth."""
    dice = Random(SEED)  # noqa: S311
    rows = [ImportRow(entry=entry) for entry in field(SEED)]
    import_entries(actor=actor, section_id=section.pk, rows=rows, source="entries.csv")
    people = {entry.tpn or 0: entry for entry in Participant.objects.filter(section=section)}
    for number, players in HALF_POINT_BYES.items():
        for tpn in players:
            request_bye(actor=actor, participant_id=people[tpn].pk, round_number=number, kind=ByeKind.HALF)
    draw_initial_colour(actor=actor, section_id=section.pk, colour=Colour.WHITE)
    for number in range(1, PLAYED + 1):
        row = pair_next_round(actor=actor, section_id=section.pk, after_round=number - 1)
        publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        _enter_results(row, people, actor, dice)
        if number in WITHDRAWS_AFTER:
            leaver = people[WITHDRAWS_AFTER[number]]
            withdraw_participant(actor=actor, participant_id=leaver.pk, reason="ill")
    pair_next_round(actor=actor, section_id=section.pk, after_round=PLAYED)


def _enter_results(row: Round, people: dict[int, Participant], actor: Actor, dice: Random) -> None:
    missing = people[FORFEITS[row.number]].pk if row.number in FORFEITS else None
    for game in row.games.select_related("white", "black").order_by("board"):
        score = result_by_chance(game.white.rating, game.black.rating, dice)
        if missing == game.white_id:
            score = Result.BLACK_WINS_BY_FORFEIT
        elif missing == game.black_id:
            score = Result.WHITE_WINS_BY_FORFEIT
        record_result(actor=actor, game_id=game.pk, result=score, seen_version=game.version)


def _write_for_me_alone(path: Path, lines: list[str]) -> None:
    """Write the file, replacing an older one; it has mode 600 from the moment it exists."""
    fresh = path.with_name(path.name + ".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")
    fresh.replace(path)
