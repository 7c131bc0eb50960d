"""Copies by commands: written completely, deleted by a rule, loaded, and taken to the other database and back."""

from __future__ import annotations

import gzip
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.actions.test_random_walk import Walk
from tests.factories import (
    EventFactory,
    EventRoleFactory,
    PlayerFactory,
    SectionFactory,
    UserFactory,
    section_of,
)
from tests.shared_rows import made_without_rows
from tests.web.staff.conftest import enter, paired, played
from tournaments import copy_format
from tournaments.actions.event_life import archive_event
from tournaments.actions.ledger import Actor
from tournaments.actions.restore_tests import prove_event_copy
from tournaments.actions.stored_copies import copies_of
from tournaments.copy_format import CopyOrigin, canonical, checksum, state_in_head
from tournaments.errors import DomainError
from tournaments.files.copy_reading import EventCopy, SectionCopy, read_any
from tournaments.files.copy_writing import copy_file, event_content, event_file
from tournaments.models import Event, EventRole, Participant, Player

pytestmark = pytest.mark.django_db

SEVERAL = """
import json, os, sys
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
from django.core.management import execute_from_command_line
for command in json.loads(sys.argv[1]):
    execute_from_command_line(["manage.py", *command])
"""
"""Commands as manage.py runs them, in one process: each process needs a second to begin."""


def run(command: str, *arguments: object, **options: Any) -> str:
    out = StringIO()
    call_command(command, *map(str, arguments), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def names(directory: Path) -> list[str]:
    """Return what is in the directory, without copies of the site."""
    return sorted(path.name for path in directory.iterdir() if not path.name.startswith("evenboard-site-"))


@pytest.fixture
def event(actor: Actor) -> Event:
    return two_sections(actor)


def two_sections(actor: Actor) -> Event:
    """Two sections, one after a random walk. One player is in both; two people without a FIDE ID have the same data."""
    event = EventFactory(name="Herfst", slug="herfst")
    EventRoleFactory(event=event, user=actor.user, role=EventRole.Role.OWNER)
    EventRoleFactory(event=event, user=UserFactory(username="ada"))
    walk = Walk(500, section_of(9, event=event, initial_colour="", name="A", slug="a"), actor)
    for _ in range(60):
        walk.step()
    other = section_of(5, event=event, name="B", slug="b")
    both = walk.section.participants.order_by("pk").first()
    Participant.objects.create(section=other, player=both.player, rating=1999, tpn=6)
    twins = [PlayerFactory(event=event, name="Twin, T", fide_id=None, birth_date="") for _ in range(2)]
    for place, player in enumerate(twins):
        Participant.objects.create(section=other, player=player, rating=1500, tpn=7 + place)
    enter(paired(other).games.get(board=1), "1-0")
    return event


def bare(content: dict[str, Any]) -> dict[str, Any]:
    """Return a copy without the values that differ by design: the details of the event, and rows added by loading."""
    sections = [
        {
            **section,
            "event": None,
            "revision": None,
            "log_head": None,
            "log": [{**row, "brought": []} for row in section["log"] if row["action"] != "load_copy"],
        }
        for section in content["sections"]
    ]
    return {"sections": sections, "people": content["people"]}


def test_every_event_is_copied_once_until_it_changes(actor: Actor, event: Event, tmp_path: Path) -> None:
    EventFactory(slug="empty")
    assert "herfst-2" in run("copy_tournaments", tmp_path / "copies")
    first = names(tmp_path / "copies")
    assert [name.split("-")[0] for name in first] == ["empty", "herfst"]
    assert "herfst: not changed since herfst-2" in run("copy_tournaments", tmp_path / "copies")
    assert names(tmp_path / "copies") == first
    enter(event.sections.get(name="B").played_rounds.get().games.get(board=2), "0-1")
    run("copy_tournaments", tmp_path / "copies")
    assert [name.split("-")[0] for name in names(tmp_path / "copies")] == ["empty", "herfst", "herfst"]
    run("copy_tournaments", tmp_path / "one", "--event", "empty")
    assert [name.split("-")[0] for name in names(tmp_path / "one")] == ["empty"]


def test_newest_copies_of_each_event_and_all_other_files_are_kept(tmp_path: Path) -> None:
    EventFactory(slug="open")
    EventFactory(slug="open-2026")
    for name in ("notes.txt", "open-20260101T000000000000Z.json", "opened-20260101T000000000000Z.json.gz"):
        (tmp_path / name).write_text("mine")
    for day in range(1, 4):
        (tmp_path / f"open-2026010{day}T000000000000Z.json.gz").write_bytes(b"old")
    unfinished = tmp_path / ".open-20260104T000000000000Z.json.gz.0.part"
    unfinished.touch()
    os.utime(unfinished, (0, 0))
    run("copy_tournaments", tmp_path, "--keep", 2)
    kept = [name for name in names(tmp_path) if not name.startswith("open-2026-")]
    assert [name[:13] for name in kept] == [
        "notes.txt",
        "open-20260101",
        "open-20260103",
        f"open-{timezone.now():%Y%m%d}",
        "opened-202601",
    ]
    # A copy that a wrong clock has dated in the future counts as the oldest, so it is the first to go.
    (tmp_path / "open-20990101T000000000000Z.json.gz").write_bytes(b"from the future")
    dated = [path.name[5:13] for path in copies_of(tmp_path, Event.objects.get(slug="open"))]
    assert dated == [f"{timezone.now():%Y%m%d}", "20260103", "20990101"]
    with pytest.raises(CommandError, match="1 or more"):
        run("copy_tournaments", tmp_path, "--keep", 0)
    with pytest.raises(CommandError, match="No such event: gone"):
        run("copy_tournaments", tmp_path, "--event", "gone")


def test_an_event_that_has_not_changed_costs_no_query(tmp_path: Path, actor: Actor) -> None:
    def again() -> int:
        run("copy_tournaments", tmp_path)
        with CaptureQueriesContext(connection) as queries:
            out = run("copy_tournaments", tmp_path)
        assert out.count("not changed since") == Event.objects.count()
        return len(queries)

    for event in (EventFactory(slug="open"), EventFactory(slug="open-2")):
        SectionFactory(event=event)
    few = again()
    for event in (EventFactory(slug=f"cup-{number}") for number in range(4)):
        SectionFactory(event=event)
        archive_event(actor=actor, event=event)
    assert again() == few
    archive_event(actor=actor, event=event, archived=False)
    assert run("copy_tournaments", tmp_path).count("not changed since") == 5


def test_directory_that_cannot_be_written_is_an_error_and_leaves_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    EventFactory(slug="open")
    (tmp_path / "file").write_text("no directory")
    with pytest.raises(CommandError, match="1 of 1 events could not be copied"):
        run("copy_tournaments", tmp_path / "file")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(CommandError):
        run("copy_tournaments", tmp_path / "new")
    assert names(tmp_path / "new") == []


def test_copy_of_an_event_is_loaded_with_its_roles(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "herfst.json.gz"
    path.write_bytes(event_file(event, compressed=True))
    people, players = event.roles.count(), Player.objects.filter(event=event).count()
    assert "A: " in run("load_copy", path, "--check")
    assert Event.objects.count() == 1
    output = run("load_copy", path, "--owner", "ada")
    assert output.endswith("Loaded: /herfst-2/\n")
    loaded = Event.objects.get(slug="herfst-2")
    assert bare(event_content(loaded)) == bare(event_content(event))
    assert (loaded.public, loaded.roles.count(), loaded.roles.get(user__username="ada").role) == (
        False,
        people,
        "owner",
    )
    assert Player.objects.filter(event=loaded).count() <= players
    run("load_copy", path, "--no-roles")
    assert Event.objects.get(slug="herfst-3").roles.count() == 0
    with pytest.raises(CommandError, match="without --into"):
        run("load_copy", path, "--into", "herfst")


def test_sections_with_one_name_get_different_names(tmp_path: Path) -> None:
    """A section that was taken away may have the name of another one."""
    open_section = section_of(2, name="A", event__slug="two")
    SectionFactory(event=open_section.event, name="A", taken_away=True)
    path = tmp_path / "two.json"
    path.write_bytes(event_file(open_section.event))
    loaded = Event.objects.get(slug=run("load_copy", path).rsplit("/", 2)[1])
    assert [section.name for section in loaded.sections.order_by("pk")] == ["A", "A (2)"]


def test_people_without_a_login_here_are_listed(event: Event, tmp_path: Path) -> None:
    path = tmp_path / "herfst.json.gz"
    path.write_bytes(event_file(event))
    event.roles.get(user__username="ada").user.delete()
    assert "without a login here: ada" in run("load_copy", path)


def test_section_is_loaded_into_an_event_or_into_a_new_one(actor: Actor, tmp_path: Path) -> None:
    section = section_of(6, event__slug="open", name="A", slug="a")
    played(section)
    path = tmp_path / "a.json"
    path.write_bytes(copy_file(section))
    assert run("load_copy", path, "--into", "open").endswith("Loaded: /open/a-2/\n")
    assert run("load_copy", path, "--into", "open", "--name", "C").endswith("Loaded: /open/c/\n")
    assert run("load_copy", path).rsplit("/", 2)[1] == "a"
    with pytest.raises(CommandError, match="No such event: nowhere"):
        run("load_copy", path, "--into", "nowhere")
    with pytest.raises(CommandError, match="No such login: nobody"):
        run("load_copy", path, "--owner", "nobody")


DAMAGE: dict[str, Callable[[bytes], bytes]] = {
    "truncated": lambda data: data[: len(data) * 2 // 3],
    "nothing": lambda data: data[:0],
    "trailing": lambda data: data + b"x",
    "another kind": lambda data: gzip.compress(gzip.decompress(data).replace(b'"event"', b'"club"', 1)),
    "kind of a section": lambda data: gzip.compress(
        gzip.decompress(data).replace(b'"kind": "event"', b'"kind": "section"', 1)
    ),
}


def sound_copy() -> bytes:
    arbiter = UserFactory(is_superuser=True)
    return event_file(two_sections(Actor(user=arbiter)), compressed=True)


@pytest.mark.parametrize("name", DAMAGE)
def test_damaged_copy_loads_nothing(name: str, tmp_path: Path) -> None:
    path = tmp_path / "copy.json.gz"
    path.write_bytes(DAMAGE[name](made_without_rows(sound_copy)))
    with pytest.raises(CommandError, match="copy"):
        run("load_copy", path)
    assert not Event.objects.exists()
    with pytest.raises(CommandError, match="No such file"):
        run("load_copy", tmp_path / "none")


def read_or_refused(data: bytes) -> SectionCopy | EventCopy | None:
    try:
        return read_any(data)
    except DomainError:
        return None


def test_every_flipped_bit_of_the_content_is_detected(event: Event) -> None:
    """Every bit of the content counts. A flipped bit in the head may not change the content, but the seal shows it."""
    data = event_file(event)
    begin = data.index(b'"content"')
    content = read_any(data)
    assert content.origin is CopyOrigin.OWN
    for place in [*range(begin), *range(begin, len(data) - 1, len(data) // 80)]:
        for bit in (0, 4):
            read = read_or_refused(bytes([*data[:place], data[place] ^ 1 << bit, *data[place + 1 :]]))
            if read is not None:
                assert place < begin
                assert read.origin in {CopyOrigin.CHANGED, CopyOrigin.OTHER}
                bare_head = {"made_at": None, "origin": CopyOrigin.OWN, "key": ""}
                parts = [replace(part, **bare_head) for part in read.sections]
                assert replace(read, **bare_head, sections=()) == replace(content, **bare_head, sections=())
                assert parts == [replace(part, **bare_head) for part in content.sections]


@pytest.mark.postgres
@pytest.mark.one_database  # both directions are in it
def test_event_is_copied_to_the_other_database_and_back(
    event: Event, tmp_path: Path, request: pytest.FixtureRequest, root: Path
) -> None:
    """From SQLite to PostgreSQL and back, or from PostgreSQL to SQLite and back; every row is compared."""
    if connection.vendor == "postgresql":
        url = f"sqlite:///{tmp_path / 'other.sqlite3'}"
    else:
        url = request.getfixturevalue("postgres_url")

    def there(*commands: tuple[object, ...]) -> str:
        texts = [[*map(str, command)] for command in commands]
        environment = {**os.environ, "DATABASE_URL": url, "VAR_DIR": str(tmp_path / "var")}
        done = subprocess.run(
            [sys.executable, "-c", SEVERAL, json.dumps(texts)],
            cwd=root,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    before = event_content(event)
    (tmp_path / "out.json.gz").write_bytes(event_file(event, compressed=True))
    printed = there(
        ("migrate", "--verbosity", 0),
        ("createsuperuser", "--noinput", "--username=arbiter", "--email=a@example.org"),
        ("load_copy", tmp_path / "out.json.gz"),
        ("copy_tournaments", tmp_path / "back"),
    )
    assert "Loaded: /herfst" in printed
    (back,) = (tmp_path / "back").glob("*.gz")
    carried = read_any(back.read_bytes())
    assert isinstance(carried, EventCopy)
    run("load_copy", back)
    loaded = Event.objects.get(slug="herfst-2")
    assert bare(event_content(loaded)) == bare(before)
    section = loaded.sections.get(name="B")
    enter(section.played_rounds.get().games.get(board=2), "1/2")  # the loaded section can be continued
    assert carried.origin is CopyOrigin.OTHER
    assert {mark["origin"] for row in loaded.log.all() for mark in row.brought} == {"other"}
    assert state_in_head(back.read_bytes()) != state_in_head(event_file(event))


def test_copies_in_another_place_are_proved_and_need_their_directory(
    event: Event, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(CommandError, match="stick does not exist"):
        run("copy_tournaments", tmp_path / "stick", "--must-exist")
    (tmp_path / "stick").mkdir()
    run("copy_tournaments", tmp_path / "stick", "--must-exist", "--prove")
    (path,) = (tmp_path / "stick").glob("*.gz")
    assert prove_event_copy(path) == ("", "")
    assert Event.objects.count() == 1
    enter(event.sections.get(name="B").played_rounds.get().games.get(board=2), "0-1")
    monkeypatch.setattr(
        "tournaments.actions.stored_copies.event_file", lambda *_, **__: path.read_bytes()[:-99]
    )
    with pytest.raises(CommandError, match="1 of 1 events could not be copied"):
        run("copy_tournaments", tmp_path / "stick", "--prove")


BROKEN: dict[str, tuple[Callable[[dict[str, Any]], object], tuple[str, str]]] = {
    "unsealed change": (lambda content: content["event"].update(city="X"), ("changed", "")),
    "a player twice in a round": (
        lambda content: content["sections"][1]["games"][0].update(
            black_id=content["sections"][1]["games"][1]["white_id"]
        ),
        ("not_restored", "copy_damaged"),
    ),
}


@pytest.mark.parametrize("name", BROKEN)
def test_copy_of_an_event_that_cannot_be_restored_is_found(event: Event, tmp_path: Path, name: str) -> None:
    change, expected = BROKEN[name]
    file = json.loads(event_file(event))
    change(file["content"])
    file["checksum"] = checksum(canonical(file["content"]))
    if expected[0] != "changed":
        file["seal"] = copy_format.seal_of_copy(file)
    path = tmp_path / "copy.json"
    path.write_text(json.dumps(file))
    assert prove_event_copy(path) == expected
    path.write_bytes(copy_file(event.sections.get(name="B")))
    assert prove_event_copy(path) == ("damaged", "")
    assert prove_event_copy(tmp_path / "none") == ("unreadable", "No such file or directory")
