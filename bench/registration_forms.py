"""Measure registrations: `python -m bench.registration_forms [--registrations 5000] [--times 3] [--forms 25 50 100]`.

The organiser's queue, without `--forms`:

One event with four sections gets so many registrations that wait to be checked; one section has 500 accepted players.
Then the page of the queue is asked for, one registration is accepted into the section of 500, 500 are accepted at once,
and that is undone. 500 that are to be checked move to another section and back, and so do 500 accepted players.
Milliseconds are processor time of this process, so a busy machine changes them little; the database is SQLite in a new
folder, or that of DATABASE_URL. Prints the table of docs/performance.md.

With `--forms`, so many players register at the same moment from one address, on a server of its own: each opens the
form, sends it, and follows the answer. Prints how many were taken, how many answers were no 200 and no 302, and how
many registrations are missing in the database; seconds until the last one had the form and the page after it, and the
seconds for each form as a ratio to the first row.
"""

from __future__ import annotations

import argparse
import gc
import os
import re
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

if TYPE_CHECKING:
    from tournaments.models import Section

SECTIONS, PLAYERS, AT_ONCE = 4, 500, 500
TYPING = 2.5
"""Seconds between opening the form and sending it: quicker forms are taken for those of robots."""
LISTED = 250
"""Registrations in each list that is not of those to be checked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--registrations", type=int, default=5_000)
    parser.add_argument("--times", type=int, default=3)
    parser.add_argument("--forms", type=int, nargs="+", default=[])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "VAR_DIR": folder, "DEBUG": "off"}
        import django

        django.setup()
        from django.core.management import call_command

        call_command("collectstatic", interactive=False, verbosity=0)
        call_command("migrate", verbosity=0)
        if options.forms:
            crowds(options.forms)
            return
        sections = made(options.registrations)
        gc.collect()
        gc.freeze()  # as the server does: a look at all that is loaded takes 130 ms, now and then in a page
        print(f"{options.registrations} registrations, {PLAYERS} players in the first section")
        print(f"{'':44}{'median ms':>12}{'worst ms':>12}{'queries':>10}")
        for name, work in jobs(sections):
            show(name, [measured(work, number) for number in range(options.times)])


# Players who register at the same moment ---------------------------------------------------------------------


def crowds(sizes: list[int]) -> None:
    """Print what a crowd of each size meets. Each has an event of its own, as each school has its hour."""
    from registrations.models import Registration

    print(
        f"{'forms':>6}{'taken':>7}{'refused':>9}{'lost':>6}{'form s':>8}{'sent s':>8}{'ratio':>7}  first refusal"
    )
    first = 0.0
    with serving() as port:
        for size in sizes:
            section = event_for_forms(f"crowd{size}")
            gate = threading.Barrier(size)
            players = [RegisteringPlayer(port, section, number, gate) for number in range(size)]
            with ThreadPoolExecutor(size) as pool:
                list(pool.map(RegisteringPlayer.register, players))
            kept = set(Registration.objects.filter(section=section).values_list("email", flat=True))
            refused = [player for player in players if player.refusal]
            lost = sum(player.email not in kept for player in players if not player.refusal)
            longest = max(player.sent for player in players)
            first = first or longest / size
            print(
                f"{size:6}{len(kept):7}{len(refused):9}{lost:6}{max(player.opened for player in players):8.1f}"
                f"{longest:8.1f}{longest / size / first:7.2f}  {refused[0].refusal if refused else ''}",
                flush=True,
            )


def event_for_forms(slug: str) -> int:
    """Make an event that takes registrations; return the key of its section."""
    from registrations.models import EventRegistration, SectionRegistration
    from tournaments.models import Event, Section

    event = Event.objects.create(
        name=slug, slug=slug, start="2090-10-17", end="2090-10-25", state="public", time_zone="UTC"
    )
    EventRegistration.objects.create(event=event)
    section = Section.objects.create(event=event, name="A", slug="a", rounds=9)
    SectionRegistration.objects.create(section=section, capacity=1_000)
    return section.pk


@contextmanager
def serving() -> Iterator[int]:
    """Run the server as it is installed, on the database of this process; yield its port."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = int(probe.getsockname()[1])
    command = [sys.executable, "-m", "server.main", "--only-serve", f"--port={port}"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    try:
        end = time.monotonic() + 60
        while time.monotonic() < end and not _answers(port):
            time.sleep(0.2)
        yield port
    finally:
        process.terminate()
        process.wait(30)


def _answers(port: int) -> bool:
    try:
        connection = HTTPConnection("127.0.0.1", port, timeout=5)
        connection.request("GET", "/healthz")
        return connection.getresponse().status == 200
    except OSError:
        return False


@dataclass
class RegisteringPlayer:
    """A browser that registers. gate: all of a crowd pass it together. refusal: the first answer that was none."""

    port: int
    section: int
    number: int
    gate: threading.Barrier
    opened: float = 0.0
    sent: float = 0.0
    refusal: str = ""

    @property
    def email(self) -> str:
        return f"player{self.number}@crowd{self.gate.parties}.example.org"

    def register(self) -> None:
        page, cookies = f"/crowd{self.gate.parties}/-/register/", ""
        self.gate.wait()
        began = time.monotonic()
        status, headers, body = self._ask("GET", page)
        self.opened = time.monotonic() - began
        if status == 200:
            cookies = headers["Set-Cookie"].partition(";")[0]
        fields = dict(re.findall(r'name="(stamp|csrfmiddlewaretoken)" value="([^"]+)"', body))
        time.sleep(TYPING)
        self.gate.wait()
        began = time.monotonic()
        typed = {
            **fields,
            "section": self.section,
            "name": f"Player{self.number:03}, Ada",
            "email": self.email,
        }
        typed |= {"rating": 1800, "federation": "NED", "birth_date": "1990-02-03"}
        if not self.refusal:
            status, headers, body = self._ask("POST", page, urlencode(typed), cookies)
        if not self.refusal and status == 302:
            self._ask("GET", headers["Location"], cookies=cookies)
        self.sent = time.monotonic() - began

    def _ask(self, method: str, path: str, body: str = "", cookies: str = "") -> tuple[int, Any, str]:
        connection = HTTPConnection("127.0.0.1", self.port, timeout=300)
        headers = {
            "Cookie": cookies,
            "Content-Type": "application/x-www-form-urlencoded",
            "Host": "localhost",
        }
        try:
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            found = answer.status, answer.headers, answer.read().decode()
        except OSError as error:
            self.refusal = self.refusal or f"{method}: {error}"
            return 0, {}, ""
        finally:
            connection.close()
        if found[0] not in ((302,) if method == "POST" else (200,)):
            self.refusal = self.refusal or f"{method} {path}: {found[0]}"
        return found


# The organiser's queue ---------------------------------------------------------------------------------------


def made(count: int) -> list[Section]:
    """Make the event: each section has its share of registrations, most of them to check; 500 play in the first one."""
    from registrations.actions.event_lock import RegistrationActor
    from registrations.actions.transitions import move_many
    from registrations.models import EventRegistration, Registration, SectionRegistration
    from registrations.models.mail import Mail, MailKind
    from registrations.states import Hand, RegistrationState
    from tournaments.models import Event, Section

    event = Event.objects.create(
        name="Bench", slug="bench", start="2090-10-17", end="2090-10-25", state="public", time_zone="UTC"
    )
    EventRegistration.objects.create(event=event, confirm_by_mail=False)
    sections = [
        Section.objects.create(event=event, name=f"Section {letter}", slug=letter.lower(), rounds=9)
        for letter in "ABCD"[:SECTIONS]
    ]
    for section in sections:
        SectionRegistration.objects.create(section=section, capacity=6_000, fee=4_500)
    others: list[dict[str, Any]] = [
        {"state": RegistrationState.ACCEPTED, "proposed": {"club": "Bench"}, "balance": 4_500},
        {"state": RegistrationState.WAITING, "takes_place": False, "parked": True},
        {"state": RegistrationState.CORRECTION},
        {"state": RegistrationState.WITHDRAWN, "takes_place": False, "balance": -4_500},
    ]
    Registration.objects.bulk_create(
        Registration(
            event=event,
            section=sections[number % SECTIONS],
            name=f"Surname{number:05}, Given",
            search=f"surname{number:05}, given  player{number}@example.org",
            rating=1_000 + number * 7 % 1_500,
            federation="NED",
            birth_date=f"{1940 + number % 70}/02/03",
            email=f"player{number}@example.org",
            consent=True,
            **{"state": RegistrationState.PENDING, "takes_place": True}
            | (others[(count - 1 - number) // LISTED] if number >= count - len(others) * LISTED else {}),
        )
        for number in range(count)
    )
    Mail.objects.bulk_create(
        Mail(registration=one, kind=MailKind.WITHDRAWN, revision=0, state=Mail.State.FAILED)
        for one in Registration.objects.filter(event=event, state=RegistrationState.WITHDRAWN)
    )
    first = Registration.objects.filter(section=sections[0], state=RegistrationState.PENDING).order_by("pk")[
        :PLAYERS
    ]
    wanted = [(one.pk, one.revision) for one in first]
    move_many(
        event_id=event.pk, wanted=wanted, to=RegistrationState.ACCEPTED, by=RegistrationActor(Hand.ORGANISER)
    )
    return sections


def jobs(sections: list[Section]) -> list[tuple[str, Callable[[int], Any]]]:
    from django.contrib.auth import get_user_model
    from django.test import Client

    from registrations.actions.event_lock import RegistrationActor
    from registrations.actions.sections import move_many_to
    from registrations.actions.transitions import move_many, move_registration
    from registrations.actions.undo import undo_many
    from registrations.models import Registration
    from registrations.queries.queue import PILES
    from registrations.states import Hand, RegistrationState

    client, event = Client(HTTP_HOST="localhost"), sections[0].event
    client.force_login(get_user_model().objects.create_superuser("bench"))
    by = RegistrationActor(Hand.ORGANISER)
    accepted: list[list[int]] = []
    moved: list[list[int]] = []
    players: list[Registration] = []

    def waiting(section: Section) -> list[tuple[int, int]]:
        rows = Registration.objects.filter(section=section, state=RegistrationState.PENDING).order_by("pk")
        return list(rows.values_list("pk", "revision")[:AT_ONCE])

    def page(query: str) -> Callable[[int], Any]:
        return lambda _number: client.get(f"/{event.slug}/-/registration/{query}")

    def one(_number: int) -> None:
        move_registration(registration_id=waiting(sections[0])[0][0], to=RegistrationState.ACCEPTED, by=by)

    def many(number: int) -> None:
        wanted = waiting(sections[1 + number % 3])
        accepted.append([key for key, _revision in wanted])
        move_many(event_id=event.pk, wanted=wanted, to=RegistrationState.ACCEPTED, by=by)

    def back(number: int) -> None:
        undo_many(event_id=event.pk, keys=accepted[number], by=by)

    def there(number: int) -> None:
        wanted = waiting(sections[1 + number % 3])
        moved.append([key for key, _revision in wanted])
        to_section(moved[number], sections[0])

    def players_there(number: int) -> None:
        if number == 0:
            mine = Registration.objects.filter(section=sections[0], participant__isnull=False)
            players.extend(mine.order_by("pk")[:AT_ONCE])
        to_section([one.pk for one in players], sections[1 + number % 3])

    def to_section(keys: list[int], section: Section) -> None:
        seen = list(Registration.objects.filter(pk__in=keys).values_list("pk", "revision"))
        outcome = move_many_to(event_id=event.pk, wanted=seen, section_id=section.pk, by=by)
        assert len(outcome.moved) == AT_ONCE

    def from_there(keys: Callable[[int], list[int]]) -> Callable[[int], Any]:
        def undoing(number: int) -> None:
            assert len(undo_many(event_id=event.pk, keys=keys(number), by=by).moved) == AT_ONCE

        return undoing

    return [
        ("The page of the queue, 100 rows", page("")),
        ("All registrations, by rating, page 20", page("?pile=all&sort=rating&page=20")),
        ("A search", page("?pile=all&q=surname04")),
        *((f"The list {name}", page(f"?pile={name}")) for name in PILES),
        ("One is accepted, 500 play there", one),
        ("500 are accepted at once", many),
        ("Accepting 500 is undone", back),
        ("500 move to another section", there),
        ("Their move is undone", from_there(lambda number: moved[number])),
        ("500 accepted players move", players_there),
        ("Their move is undone", from_there(lambda _number: [one.pk for one in players])),
    ]


def measured(work: Callable[[int], Any], number: int) -> tuple[float, int]:
    """Return milliseconds of processor time, and how many queries were made."""
    from django.db import connection
    from django.test.utils import CaptureQueriesContext

    connection.force_debug_cursor = False
    counting = number == 0
    if counting:
        with CaptureQueriesContext(connection) as made_queries:
            work(number)
        return 0.0, len(made_queries)
    start = time.process_time()
    work(number)
    return (time.process_time() - start) * 1_000, 0


def show(name: str, runs: list[tuple[float, int]]) -> None:
    times = [milliseconds for milliseconds, _queries in runs[1:]] or [0.0]
    print(f"{name:44}{statistics.median(times):12.1f}{max(times):12.1f}{runs[0][1]:10}")


if __name__ == "__main__":
    main()
