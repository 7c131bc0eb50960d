"""Prepare the database for bench/hall.py: 201 players, round 5 published without results. Runs in a separate process.

The number of players may be given, and that of a second section in which three games are open and somebody asked for
the next round. Prints as JSON what the load needs to know: addresses, the boards of round 5, and the session of an
arbiter. With "pressed" instead of the number it prints what players have pressed. With "ahead" it prepares the round of
the second section again and again until it is stopped, and prints a line each time.
"""

from __future__ import annotations

import json
import os
import random
import sys
from typing import Any

import django

ROUNDS_PLAYED, ROUNDS = 4, 9
FIRST_TIME = 500  # logins that have never been used


def prepare(players: int = 201, ahead: int = 0) -> dict[str, Any]:
    """Make the section and an arbiter with a session. ahead: the players of the second section, 0 for none."""
    from django.core.management import call_command

    from pairing.ahead import pair_ahead
    from tests.factories import EventFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.models import EventRole, User
    from tournaments.queries.player_results import player_links

    call_command("migrate", verbosity=0)
    call_command("collectstatic", interactive=False, verbosity=0)
    event = EventFactory(slug="hall")
    section = section_of(players, event=event, slug="a", rounds=ROUNDS, players_confirm="instead")
    games = play(section)
    if ahead:
        other = section_of(ahead, event=event, slug="b", rounds=ROUNDS)
        results_of(play(other)[3:])
        pair_ahead(actor=Actor.command(), section_id=other.pk, after_round=ROUNDS_PLAYED + 1)

    user, cookie = session_of("arbiter")
    EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
    _nobody, plain = session_of("without a role")
    password = "a password of the bench"  # noqa: S105 (of a database that is deleted)
    known = User.objects.create_user("known here", password=password)
    names = [f"first time {number}" for number in range(FIRST_TIME)]
    User.objects.bulk_create(User(username=name, password=known.password) for name in names)
    return {
        "path": "/hall/a/",
        "round": ROUNDS_PLAYED + 1,
        "games": [game.pk for game in games],
        "links": list(player_links(section, ROUNDS_PLAYED + 1).values()),
        "user": user.pk,
        "cookie": cookie,
        "plain": plain,
        "password": password,
        "first time": names,
    }


def play(section: Any) -> list[Any]:
    """Play all rounds but the last one that is published, and return its games in the order of boards."""
    from pairing.rounds import pair_next_round, publish_round
    from tournaments.actions.ledger import Actor

    for number in range(ROUNDS_PLAYED + 1):
        draft = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=number)
        publish_round(actor=Actor.command(), round_id=draft.pk, seen_version=draft.version)
        games = list(draft.games.order_by("board"))
        if number < ROUNDS_PLAYED:
            results_of(games)
    return games


def results_of(games: list[Any]) -> None:
    source = random.Random(len(games))
    for game in games:
        game.result = source.choice(["1-0", "1/2", "0-1"])
        game.save(update_fields=["result"])


def prepare_again_and_again() -> None:
    from pairing.ahead import prepare_all
    from tournaments.actions.chores import be_gentle
    from tournaments.models import PreparedRound

    be_gentle()
    while True:
        PreparedRound.objects.all().delete()
        print(prepare_all(), flush=True)


def pressed() -> dict[str, list[Any]]:
    """Return what the database has of each player who pressed, by the key of the game and the colour: what was pressed,
    and how many lines of the log say so.
    """
    from tournaments.declarations.results import AGREE_RESULT, PRESS_RESULT
    from tournaments.models import ActionLog, Game

    found: dict[str, list[Any]] = {}
    for key, *both in Game.objects.values_list("pk", "white_pressed", "black_pressed"):
        for colour, result in zip("wb", both, strict=True):
            if result:
                found[f"{key}{colour}"] = [result, 0]
    presses = ActionLog.objects.filter(action__in=[PRESS_RESULT.name, AGREE_RESULT.name])
    for after in presses.values_list("after", flat=True):
        found[f"{after['game']}{after['colour']}"][1] += 1
    return found


def session_of(name: str) -> tuple[Any, str]:
    """Make a login with a session; return the login and its cookie."""
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from tournaments.models import User

    user = User(username=name)
    user.set_unusable_password()
    user.save()
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return user, f"{settings.SESSION_COOKIE_NAME}={session.session_key}"


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if sys.argv[1:] == ["ahead"]:
        prepare_again_and_again()
    print(json.dumps(pressed() if sys.argv[1:] == ["pressed"] else prepare(*map(int, sys.argv[1:]))))
