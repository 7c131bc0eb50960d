"""How pages grow with players: `python -m bench.growth [--players 200 1000 5000] [--only TEXT] [--times 3]`.

For each size one section is made whose first five rounds are played by chance and whose sixth is published with half of
its results. Each page is then asked for as visitors and arbiters ask, in one process, without a server: first with
nothing kept in the process, then after a result was saved, then with the long list worked out, as for its next part,
then the same address again. Questions of open pages and fragments are among the pages. Milliseconds are processor time,
bytes are compressed as a browser gets them. Prints the tables of docs/performance.md.
"""

from __future__ import annotations

import argparse
import gc
import gzip
import os
import random
import statistics
import tempfile
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpResponse

if TYPE_CHECKING:
    from django.test import Client

    from tournaments.models import Section

PLAYED, ROUNDS = 5, 9
GIVEN = ("Anna", "Boris", "Chiara", "Dmitri", "Eva", "Farid", "Grete", "Hugo", "Ines", "Jan", "Klára", "Léon")
SYLLABLES = (
    "ba",
    "chev",
    "dor",
    "er",
    "fi",
    "gan",
    "hol",
    "is",
    "jan",
    "kov",
    "lin",
    "mar",
    "nie",
    "os",
    "pet",
    "ski",
)
PUBLIC = (
    "pairings/",
    "names/",
    "results/",
    "standings/",
    "crosstable/",
    "aro/",
    "aro/?by=name",
    "players/",
    "players/?by=name",
    "fairness/",
)
OPEN = (
    "pairings/?seen={revision}&round=6",
    "results/?seen={revision}&round=6",
    "standings/?seen={revision}&round=6",
    "pairings/?seen=0&round=6",
    "standings/?seen=0&round=6",
    "seat/{player}/",
    "players/1/",
    "embed/pairings/",
    "embed/standings/",
    "screen/",
)
"""Questions of open pages without and with news, and fragments."""
STAFF = (
    "cockpit/",
    "round/6/results/",
    "entries/",
    "byes/",
    "check-in/",
    "documents/",
)
PAPER = (
    "print/boards/",
    "print/names/",
    "print/standings/",
    "print/crosstable/",
    "print/aro/",
    "print/starting-list/",
    "print/slips/",
    "print/cards/6/",
    "print/check-in/",
)


@dataclass(frozen=True)
class Measured:
    """One page. Milliseconds of processor time, bytes compressed. first: nothing is kept. cold: a result was saved
    since the last time. part: the list is worked out, and the page is not made. warm: the same address again.
    """

    page: str
    status: int
    first: float
    cold: float
    part: float
    warm: float
    size: int


def main() -> None:
    """Make the sections and print a table for each size."""
    parser = argparse.ArgumentParser(description="Measure how pages grow with players.")
    parser.add_argument("--players", type=int, nargs="+", default=[200, 1000, 5000])
    parser.add_argument("--only", default="", help="pages whose address contains this")
    parser.add_argument(
        "--times", type=int, default=3, help="cold and warm measurements; the middle one counts"
    )
    parser.add_argument("--keep", default="", help="a folder for the database, used again if it is there")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
        os.environ["VAR_DIR"] = options.keep or folder
        import django

        django.setup()
        from django.core.management import call_command

        from server.main import calm_collector

        call_command("migrate", verbosity=0)
        call_command("collectstatic", interactive=False, verbosity=0)
        for players in options.players:
            section = section_with(players)
            calm_collector()
            show(
                players,
                [
                    each
                    for page in (*PUBLIC, *OPEN, *STAFF, *PAPER)
                    if options.only in page
                    for each in [measure(section, page, options.times)]
                ],
            )


def section_with(players: int) -> Section:
    """Return the section of this size; make it if the database has none."""
    from pairing.rounds import pair_next_round, publish_round
    from tests.factories import EventFactory, section_of
    from tournaments.actions.ledger import Actor
    from tournaments.models import EventRole, Game, Participant, Player, Section, User

    found = Section.objects.filter(event__slug=f"growth-{players}").select_related("event").first()
    if found is not None:
        return found
    source = random.Random(players)
    event = EventFactory(slug=f"growth-{players}")
    section = section_of(0, event=event, slug="a", rounds=ROUNDS)
    names = (
        f"{''.join(source.choice(SYLLABLES) for _ in range(3)).title()}{number:04}, {source.choice(GIVEN)}"
        for number in range(players)
    )
    people = [
        Player(event=event, name=name, federation=source.choice(["NED", "FRA", "UKR", "POL", "GER"]))
        for name in names
    ]
    for person in people:
        person.title = source.choice(["", "", "", "FM", "IM", "WGM"])
    Player.objects.bulk_create(people)
    Participant.objects.bulk_create(
        Participant(
            section=section,
            player=person,
            tpn=at + 1,
            rating=2700 - at * 1500 // players,
            rating_source="standard",
        )
        for at, person in enumerate(people)
    )
    actor = Actor.command()
    for number in range(PLAYED + 1):
        draft = pair_next_round(actor=actor, section_id=section.pk, after_round=number, proceed=True)
        publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version, copy=False)
        games = list(Game.objects.filter(round=draft))
        for game in games[:: 1 if number < PLAYED else 2]:
            game.result = source.choice(("1-0", "1/2", "0-1"))
        Game.objects.bulk_update(games, ["result"])
    user, _made = User.objects.get_or_create(username="arbiter")
    EventRole.objects.create(event=event, user=user, role=EventRole.Role.OWNER)
    return Section.objects.select_related("event").get(pk=section.pk)


def measure(section: Section, page: str, times: int) -> Measured:
    """Ask for a page, first with nothing kept, then after a saved result, then with the list alone, then again."""
    from django.test import Client

    from tournaments.models import User
    from tournaments.queries.row_cache import row_cache
    from web.page_cache import store
    from web.views.public.lists import kept_lists

    client = Client(headers={"Accept-Encoding": "gzip"}, SERVER_NAME="localhost")
    if page in STAFF or page.split("/")[1] in ("slips", "cards", "check-in"):
        client.force_login(User.objects.get(username="arbiter"))
    first, cold, part, warm = [], [], [], []
    ask(client, address(section, page))  # templates are read
    for _ in range(times):
        for kept in (store, kept_lists, row_cache):
            kept.clear()
        first.append(ask(client, address(section, page))[0])
        save_a_result(section)
        path = address(section, page)
        cold.append(ask(client, path)[0])
        store.clear()
        part.append(ask(client, path)[0])
        took, response = ask(client, path)
        warm.append(took)
    body = response.content
    size = len(body) if response.get("Content-Encoding") == "gzip" or not body else len(gzip.compress(body))
    middle = statistics.median
    return Measured(page, response.status_code, middle(first), middle(cold), middle(part), middle(warm), size)


def address(section: Section, page: str) -> str:
    section.refresh_from_db(fields=["revision"])
    player = section.participants.values_list("pk", flat=True).first()
    return f"/{section.event.slug}/{section.slug}/{page.format(revision=section.revision, player=player)}"


def save_a_result(section: Section) -> None:
    """Save another result of a game of the last round, as an arbiter does."""
    from tournaments.actions.ledger import Actor
    from tournaments.actions.results import record_result
    from tournaments.models import Game

    game = Game.objects.filter(round__section=section, round__number=PLAYED + 1).latest("board")
    result = "1/2" if game.result != "1/2" else "1-0"
    record_result(actor=Actor.command(), game_id=game.pk, result=result, seen_version=game.version)


def ask(client: Client, path: str) -> tuple[float, HttpResponse]:
    """Return milliseconds of processor time, and the answer."""
    gc.collect()
    began = time.process_time()
    response = client.get(path)
    took = time.process_time() - began
    assert isinstance(response, HttpResponse)
    return took * 1e3, response


def show(players: int, rows: list[Measured]) -> None:
    print(f"\n{players:,} players\n")
    print("| Page | Bytes | Nothing kept, ms | After a result, ms | List kept, ms | Page kept, ms |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        status = "" if row.status == 200 else f" ({row.status})"
        times = f"{row.first:.0f} | {row.cold:.0f} | {row.part:.0f} | {row.warm:.1f}"
        print(f"| {row.page}{status} | {row.size:,} | {times} |")


if __name__ == "__main__":
    main()
