"""A copy holds everything, and a section loaded from it equals the section that was copied."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections

from tests.actions.refusals import refused
from tests.actions.test_random_walk import Walk
from tests.factories import (
    EventFactory,
    ForbiddenPairFactory,
    ParticipantFactory,
    PlayerFactory,
    SectionFactory,
    section_of,
)
from tests.shared_rows import made_without_rows
from tests.waiting import LONG
from tests.web.staff.conftest import enter, paired, played
from tournaments import copy_format
from tournaments.actions.copies import free_name, load_copy, load_copy_as_event
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import leave_fide_mode
from tournaments.actions.undo import undo
from tournaments.copy_format import VERSION, canonical, checksum, pack, unpack
from tournaments.files import copy_writing
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_content, copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import CheckIn, Game, Player, Round, Section

pytestmark = pytest.mark.django_db


def content(section: Section) -> dict[str, Any]:
    """Return a copy without the values that differ by design: the names of the section and its event."""
    found = copy_content(section)
    return {
        **found,
        "event": None,
        "revision": None,
        "section": {key: value for key, value in found["section"].items() if key != "name"},
        "log_head": None,
        "log": [{**row, "brought": []} for row in found["log"] if row["action"] != "load_copy"],
    }


def again(actor: Actor, section: Section, **options: Any) -> Section:
    event = options.pop("event", None) or EventFactory()
    copy = read_copy(copy_file(section, **options))
    name = free_name(event, copy.name)
    return load_copy(actor=actor, event=event, copy=copy, name=name, source="copy.json", both=True)


@pytest.mark.parametrize("seed", range(2))
def test_loaded_copy_equals_the_section_that_was_copied(actor: Actor, seed: int) -> None:
    walk = Walk(400 + seed, section_of(9, initial_colour=""), actor)
    for _ in range(80):
        walk.step()
    section = walk.section
    section.refresh_from_db()
    people = list(section.participants.order_by("pk"))
    ForbiddenPairFactory(section=section, first=people[0], second=people[1])
    CheckIn.objects.create(participant=people[2], round_number=2, by=actor.user)
    loaded = again(actor, section, compressed=bool(seed))
    assert content(loaded) == content(section)
    assert tournament_report(loaded).splitlines()[5:] == tournament_report(section).splitlines()[5:]
    row = loaded.log.latest("revision")
    assert (row.action, row.subject, row.who) == ("load_copy", "copy.json", "arbiter")


def test_loaded_section_can_be_continued(actor: Actor) -> None:
    section = section_of(8)
    played(section)
    loaded = again(actor, section, event=section.event)
    assert loaded.name == f"{section.name} (2)"
    enter(paired(loaded).games.get(board=1), "1-0")
    undo(actor=actor, section_id=loaded.pk, revision=loaded.log.latest("revision").revision)
    assert loaded.played_rounds.count() == 2
    assert section.played_rounds.count() == 1
    assert Round.objects.filter(section=loaded, number=1).get().engine_pairing != {}
    with refused("undo_not_kept"):
        undo(actor=actor, section_id=loaded.pk, revision=1)
    with refused("undo_beginning"):
        undo(actor=actor, section_id=loaded.pk, revision=section_revision(section) + 1)


def section_revision(section: Section) -> int:
    return Section.objects.get(pk=section.pk).revision


def test_people_of_the_event_are_recognised(actor: Actor) -> None:
    section = section_of(4)
    player = PlayerFactory(event=section.event, fide_id=1023456, name="Ek, Ada")
    ParticipantFactory(section=section, player=player)
    count = Player.objects.count()
    loaded = again(actor, section, event=section.event)
    assert Player.objects.count() == count
    assert loaded.participants.filter(player=player).exists()
    other = EventFactory()
    PlayerFactory(event=other, fide_id=1023456, name="Somebody, Else")
    with refused("fide_id_taken"):
        again(actor, section, event=other)


def test_copy_becomes_an_event(actor: Actor) -> None:
    section = section_of(4, event__name="Herfsttoernooi", event__city="Delft")
    made = load_copy_as_event(actor=actor, copy=read_copy(copy_file(section)), source="x")
    assert (made.event.name, made.event.city, made.event.public, made.name) == (
        "Herfsttoernooi",
        "Delft",
        False,
        section.name,
    )
    assert made.event_id != section.event_id


def test_log_of_a_loaded_section_names_the_file_and_when_it_was_made(actor: Actor) -> None:
    section = section_of(2)
    set_hall_message(actor=actor, section_id=section.pk, message="Phones off.")
    copy = read_copy(copy_file(section))
    loaded = load_copy(actor=actor, event=section.event, copy=copy, name="New", source="x" * 300)
    first, last = loaded.log.order_by("revision")
    assert copy.made_at is not None
    assert last.after["copied"] == copy.made_at.isoformat()
    assert [mark["file"] for mark in first.brought] == ["x" * 200]


def test_section_that_left_fide_mode_stays_out_of_it_in_every_copy(actor: Actor) -> None:
    section = section_of(6)
    played(section)
    before = copy_file(section)
    leave_fide_mode(actor=actor, section_id=section.pk, reason="odd points", asked=True)
    for data in (before, copy_file(section)):
        event = EventFactory()
        loaded = load_copy(actor=actor, event=event, copy=read_copy(data), name="again")
        assert (loaded.fide_mode, loaded.fide_mode_left_in_round) == (False, 1)
        assert b"### FIDE mode exited @ Round 1" in tournament_report(loaded)


def changed(data: bytes, change: Callable[[dict[str, Any]], None], *, seal: bool = True) -> bytes:
    """Return the copy with a change in it; with `seal`, its checksum and its seal are right again."""
    file = json.loads(data)
    change(file)
    if seal:
        file["checksum"] = checksum(canonical(file["content"]))
        file["seal"] = copy_format.seal_of_copy(file)
    return json.dumps(file).encode()


def copy_of_six() -> bytes:
    section = section_of(6)
    played(section)
    return copy_file(section)


@pytest.fixture
def data(db: None) -> bytes:
    return made_without_rows(copy_of_six)


def test_copy_that_was_changed_is_refused(data: bytes) -> None:
    def cheat(file: dict[str, Any]) -> None:
        file["content"]["games"][0]["result"] = "1-0"

    with refused("copy_damaged"):
        read_copy(changed(data, cheat, seal=False))
    assert read_copy(changed(data, cheat)).rows["games"][0]["result"] == "1-0"
    with refused("copy_damaged"):
        read_copy(data[: len(data) // 2])
    with refused("copy_damaged"):
        read_copy(gzip.compress(data)[:-20])


@pytest.mark.one_database
@pytest.mark.parametrize(
    "junk",
    [b"", b"{}", b"[]", b"\x1f\x8b", b"\xff\xfe\x00", b'{"format": 3}', b"012 Open\r\n", b"[" * 100_000],
)
def test_file_that_is_not_a_copy_is_refused(junk: bytes) -> None:
    with refused("copy_damaged" if junk[:2] == b"\x1f\x8b" else "copy_unknown"):
        read_copy(junk)


def test_copy_of_a_newer_program_is_refused(data: bytes) -> None:
    with refused("copy_newer", version=VERSION + 1, known=VERSION):
        read_copy(changed(data, lambda file: file.update(version=VERSION + 1)))


def test_copy_that_is_too_large_when_uncompressed_is_refused(
    monkeypatch: pytest.MonkeyPatch, data: bytes
) -> None:
    monkeypatch.setattr("tournaments.copy_format.MOST_BYTES", len(data) - 1)
    for file in (data, gzip.compress(data)):
        with refused("copy_too_big"):
            read_copy(file)


def put(*path: str | int, value: Any) -> Callable[[dict[str, Any]], None]:
    def change(file: dict[str, Any]) -> None:
        place: Any = file["content"]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return change


HOSTILE = {
    "no part": put("games", value=None),
    "a row that is none": put("games", 0, value=[1]),
    "a column that is none": put("games", 0, "id", value=3),
    "a key that is none": put("games", 0, "white_id", value=99),
    "a key that is text": put("games", 0, "white_id", value="1"),
    "a result that is none": put("games", 0, "result", value="9-9"),
    "a board that is none": put("games", 0, "board", value=-1),
    "a number too large": put("games", 0, "board", value=10**12),
    "a name too long": put("players", 0, "name", value="x" * 500),
    "a name of NUL": put("players", 0, "name", value="a\x00b"),
    "a name of lists": put("players", 0, "name", value=["a"]),
    "a rating of nothing": put("participants", 0, "rating", value=None),
    "a number twice": put("participants", 0, "tpn", value=2),
    "a person twice": put("participants", 0, "player_id", value=2),
    "a status that is none": put("participants", 0, "status", value="gone"),
    "a day that is none": put("section", "schedule", value=["2026-13-01"]),
    "a schedule of numbers": put("section", "schedule", value=[3]),
    "too few rounds": put("section", "rounds", value=0),
    "no name": put("section", "name", value=""),
    "a round left out": put("rounds", 0, "number", value=2),
    "a time that is none": put("rounds", 0, "paired_at", value="yesterday"),
    "pairs that are none": put("rounds", 0, "engine_pairing", value={"pairs": [[1]]}),
    "games earlier that are none": put("games", 0, "earlier", value=[3]),
    "a result earlier that is none": put(
        "games", 0, "earlier", value=[{"until": 1, "result": "９", "turned": False}]
    ),
    "a name of nothing but controls": put("players", 0, "name", value="\n\u202e"),
    "a log that is none": put("log", 0, "after", value=[]),
    "a log of entries that are none": put("log", 0, "after", "entries", value="９"),
    "a log of departures that are none": put("log", 0, "after", "departures", value=[{"round": 1}]),
    "a log of a rating that is none": put("log", 0, "after", "rating", value=10**6),
    "a log of a number too large": put("log", 0, "after", "here", value=10**30),
    "a log of lists in lists": put("log", 0, "after", "here", value=[[[[[[[[[[[[[]]]]]]]]]]]]]),
    "a log without an action": lambda file: file["content"]["log"][0].pop("action"),
    "a log of the year 1": put("log", 0, "at", value="0001-01-01T00:00:00+00:00"),
    "a time of nowhere": put("log", 0, "at", value="2026-10-17T08:00:00"),
    "an undo of no number": put("log", 1, "undoes", value=""),
    "a FIDE ID of no number": put("players", 0, "fide_id", value=""),
    "an undo of a later action": put("log", 1, "undoes", value=3),
    "a return to a later action": put("log", 1, "back_to", value=2),
    "a revision that is none": put("log", 0, "revision", value=10**6),
    "a revision twice": put("log", 0, "revision", value=2),
    "a revision of text": put("revision", value="x"),
    "an event that is none": put("event", value=3),
}


@pytest.mark.one_database
@pytest.mark.parametrize("name", HOSTILE)
def test_copy_of_an_impossible_section_is_refused(data: bytes, name: str) -> None:
    with refused("copy_damaged"):
        read_copy(changed(data, HOSTILE[name]))


def test_texts_of_a_copy_are_cleaned_as_those_of_forms(data: bytes) -> None:
    def change(file: dict[str, Any]) -> None:
        file["content"]["players"][0]["name"] = "\n=Anna\u202e,\r\nB\u00a0\u00a0C"
        file["content"]["event"]["deputy_arbiters"] = "\tAda\n\nBo\u2028Cy"
        file["content"]["log"][0] |= {"who": "ad\na", "subject": "cut at a space "}

    copy = read_copy(changed(data, change))
    assert copy.rows["players"][0]["name"] == "=Anna , B C"
    assert copy.event["deputy_arbiters"] == "Ada\nBo\nCy"
    assert (copy.log[0]["who"], copy.log[0]["subject"]) == ("ad a", "cut at a space ")


CLASHING = {
    "a player twice in a round": put("games", 0, "white_id", value=1),
    "two games on a board": put("games", 1, "board", value=1),
    "points that are unsound": put("section", "draw_points", value=90),
    "FIDE mode half left": put("section", "fide_mode", value=False),
}


@pytest.mark.parametrize("name", CLASHING)
def test_copy_that_the_database_refuses_leaves_nothing(actor: Actor, data: bytes, name: str) -> None:
    event = EventFactory()

    def twice(file: dict[str, Any]) -> None:
        CLASHING[name](file)
        if name.startswith("a player"):
            file["content"]["games"][0]["black_id"] = file["content"]["games"][1]["white_id"]

    copy = read_copy(changed(data, twice))
    with refused("copy_damaged"):
        load_copy(actor=actor, event=event, copy=copy, name="x")


def test_section_needs_a_free_name(actor: Actor, data: bytes) -> None:
    event = SectionFactory(name="Open").event
    with refused("section_name_taken"):
        load_copy(actor=actor, event=event, copy=read_copy(data), name="Open")
    with refused("name_required"):
        load_copy(actor=actor, event=event, copy=read_copy(data), name="  ")


def test_packing_does_not_depend_on_the_order_of_keys() -> None:
    one, other = {"b": [1, "é"], "a": None}, {"a": None, "b": [1, "é"]}
    assert pack(one, "2026-01-01") == pack(other, "2026-01-01")
    assert unpack(pack(one, "2026-01-01", compressed=True))["content"] == one


def test_loaded_section_is_sound(actor: Actor) -> None:
    walk = Walk(77, section_of(9, initial_colour=""), actor)
    for _ in range(80):
        walk.step()
    copy = read_copy(copy_file(walk.section))
    Game.objects.all().delete()
    walk.section.played_rounds.all().delete()
    assert copy.results >= 0
    loaded = load_copy(actor=actor, event=EventFactory(), copy=copy, name="again")
    assert Section.objects.get(pk=loaded.pk).revision == copy.revision + 1
    assert [row.number for row in loaded.played_rounds.order_by("number")] == list(
        range(1, loaded.played_rounds.count() + 1)
    )


@pytest.mark.parametrize(
    ("zone", "loaded"), [("Pacific/Auckland", "Pacific/Auckland"), ("Mars/Olympus_Mons", "")]
)
def test_copy_keeps_the_time_zone_if_this_computer_knows_it(actor: Actor, zone: str, loaded: str) -> None:
    section = section_of(4)
    section.event.time_zone = zone
    section.event.save()
    made = load_copy_as_event(actor=actor, copy=read_copy(copy_file(section)))
    assert made.event.time_zone == loaded


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_result_does_not_wait_for_a_copy_and_is_in_it_completely_or_not_at_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    section = section_of(4)
    game = paired(section).games.get(board=1)
    real = copy_writing._log

    def slow(*arguments: Any) -> Any:
        """Enter a result, in another thread, while the copy is being read."""
        with ThreadPoolExecutor(1) as pool:
            pool.submit(_enter_alone, game).result(timeout=LONG)
        return real(*arguments)

    monkeypatch.setattr(copy_writing, "_log", slow)
    found = copy_content(section)
    game.refresh_from_db()
    assert game.result == "1-0"
    assert ([row.get("result", "") for row in found["games"]], found["revision"]) == (["", ""], 2)
    assert [row["revision"] for row in found["log"]] == [1, 2]


def _enter_alone(game: Game) -> None:
    try:
        enter(game, "1-0")
    finally:
        connections.close_all()
