"""Prepare the database for bench/arbiters.py, and report what is in it afterwards. Runs in a separate process.

`python -m bench.arbiters_database prepare BOARDS PEOPLE` migrates the database of DATABASE_URL and prints as JSON a
section whose first round is published, and a session for each person. `... audit SECTION` prints its games and log.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import django


def prepare(boards: int, people: int) -> dict[str, Any]:
    """Make a section with `boards` boards in its published round 1, an empty one, and `people` arbiters with a session
    each.
    """
    from django.conf import settings
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore
    from django.core.management import call_command

    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.models import EventRole, User

    call_command("migrate", verbosity=0)
    event = EventFactory(slug="hall")
    section = section_of(2 * boards, event=event, slug="a", rounds=9)
    empty = section_of(0, event=event, slug="b")
    draft = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=0)
    publish_round(actor=Actor.command(), round_id=draft.pk, seen_version=draft.version)
    sessions = []
    for number in range(people):
        user = User(username=f"arbiter-{number}")
        user.set_unusable_password()
        user.save()
        EventRole.objects.create(event=event, user=user, role=EventRole.Role.ARBITER)
        session = SessionStore()
        session[SESSION_KEY] = str(user.pk)
        session[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        session[HASH_SESSION_KEY] = user.get_session_auth_hash()
        session.save()
        sessions.append({"user": user.pk, "name": user.username, "session": session.session_key})
    section.refresh_from_db()
    return {
        "section": section.pk,
        "path": f"/{event.slug}/{section.slug}/",
        "empty": f"/{event.slug}/{empty.slug}/",
        "cookie": settings.SESSION_COOKIE_NAME,
        "games": list(draft.games.order_by("board").values_list("pk", flat=True)),
        "people": sessions,
        "revision": section.revision,
    }


def audit(section: int) -> dict[str, Any]:
    """Return the games of the section and all rows of its log about them, in the order of the revisions."""
    from tournaments.models import ActionLog, Game, Section

    log = ActionLog.objects.filter(section=section).order_by("revision", "pk")
    return {
        "revision": Section.objects.get(pk=section).revision,
        "games": {
            game.pk: [game.result, game.second_result, game.version]
            for game in Game.objects.filter(round__section=section)
        },
        "log": [
            {
                "revision": row.revision,
                "action": row.action,
                "who": row.who,
                "undoes": row.undoes,
                "before": row.before,
                "after": row.after,
            }
            for row in log
        ],
    }


def spare_key() -> str:
    """Make the key of a spare, for bench/spare.py, and the arbiters site owners, who may open the page Spare."""
    from tournaments.actions.ledger import Actor
    from tournaments.actions.spare import make_spare_key
    from tournaments.models import User

    User.objects.update(site_owner=True)
    return make_spare_key(actor=Actor.command())


def main(command: str, *arguments: str) -> None:
    """Run one of the jobs and print its answer as JSON."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    jobs: dict[str, Callable[..., Any]] = {"prepare": prepare, "audit": audit, "spare_key": spare_key}
    job = jobs[command]
    print(json.dumps(job(*map(int, arguments))))


if __name__ == "__main__":
    main(*sys.argv[1:])
