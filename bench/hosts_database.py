"""Prepare the database for bench/hosts.py, and report what is in it afterwards. Runs in a separate process.

`python -m bench.hosts_database prepare BOARDS PEOPLE PORT` does what bench/arbiters_database.py does, and adds an event
that takes registrations, a person with a password, a webhook to this port, and phones that want notices. `... audit
SECTION` adds to the games and the log of a section where each game was played, and what was to be sent. Both print
JSON.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from typing import Any

import django

from bench import arbiters_database

FORMS_AN_HOUR = 5
NOTICES = 200  # phones that want a notice of each round
PASSWORD = "a password of the bench"  # noqa: S105 (of a database that is deleted)


def prepare(boards: int, people: int, port: int) -> dict[str, Any]:
    hall = arbiters_database.prepare(boards, people)

    from base.zones import today_in
    from bench.notices import subscribed
    from bench.registration_forms import event_for_forms
    from bench.webhooks import hook
    from registrations.models import EventRegistration
    from tournaments.models import Event, EventRole, Section, User

    section = Section.objects.get(pk=hall["section"])
    event = section.event
    Event.objects.filter(pk=event.pk).update(start=today_in(""), end=today_in(""))
    subscribed(section, NOTICES, told_round=1)
    made = hook(f"http://127.0.0.1:{port}/", 0)
    made.event, made.kinds = event, ["publication", "results"]
    made.save()
    forms = event_for_forms("crowd1")
    EventRegistration.objects.update(forms_an_hour=FORMS_AN_HOUR, address="http://127.0.0.1")
    person = User.objects.create_user("traveller", password=PASSWORD)
    User.objects.create_user("guarded", password=PASSWORD)
    EventRole.objects.create(event=event, user=person, role=EventRole.Role.ARBITER)
    return {**hall, "forms": forms, "password": PASSWORD}


def audit(section: int) -> dict[str, Any]:
    """mails, messages: what was queued, each with its state. registered: how often each mail address is there. notices:
    of which round each phone was told last.
    """
    from django.db.models import Count

    from registrations.models import Registration
    from registrations.models.mail import Mail
    from tournaments.models import Game, NoticeSubscription, WebhookMessage

    games = Game.objects.filter(round__section=section).values_list("pk", "round__number", "board")
    addresses = Registration.objects.values_list("email").annotate(times=Count("pk"))
    mails = Mail.objects.values_list("registration__email", "kind", "state")
    messages = WebhookMessage.objects.values_list("key", "kind", "state")
    return {
        **arbiters_database.audit(section),
        "boards": {key: [number, board] for key, number, board in games},
        "registered": dict(addresses.order_by()),
        "mails": list(mails),
        "notices": dict(NoticeSubscription.objects.values_list("endpoint", "told_round")),
        "messages": [[str(key), kind, state] for key, kind, state in messages],
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    jobs: dict[str, Callable[..., Any]] = {"prepare": prepare, "audit": audit}
    print(json.dumps(jobs[sys.argv[1]](*map(int, sys.argv[2:]))))
