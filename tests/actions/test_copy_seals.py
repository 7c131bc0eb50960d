"""The seal of a copy says where it comes from, and each row of a loaded log says how it came here."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import override_settings

from tests.actions.refusals import refused
from tests.factories import EventFactory, section_of
from tests.web.staff.conftest import enter, paired, played
from tournaments.actions.copies import load_copy, load_copy_as_event, load_event_copy
from tournaments.actions.ledger import Actor
from tournaments.copy_format import (
    CopyMark,
    CopyOrigin,
    canonical,
    checksum,
    key_name,
    main_mark,
    own_marks,
    pack,
)
from tournaments.files.copy_reading import read_any, read_copy
from tournaments.files.copy_writing import copy_content, copy_file, event_file
from tournaments.files.log import log_csv, log_json
from tournaments.models import Section
from tournaments.queries.log import LogFilter, log_rows
from web.words.copies import brought_of

pytestmark = pytest.mark.django_db
HERE = override_settings(SECRET_KEY="the key of this server")
ELSEWHERE = override_settings(SECRET_KEY="the key of another server")


@pytest.fixture
def section(actor: Actor) -> Section:
    section = section_of(6)
    played(section)
    return section


def origin(data: bytes) -> CopyOrigin:
    return read_any(data).origin


def changed(data: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Return the copy as a person changes it who does not have the key: with a right checksum."""
    file = json.loads(data)
    change(file)
    file["checksum"] = checksum(canonical(file["content"]))
    return json.dumps(file).encode()


def test_copy_is_from_here_from_elsewhere_or_of_an_older_key(section: Section) -> None:
    with HERE:
        data = copy_file(section, compressed=True)
        assert origin(data) is CopyOrigin.OWN
    with ELSEWHERE:
        assert origin(data) is CopyOrigin.OTHER
    with override_settings(SECRET_KEY="a newer key", SECRET_KEY_FALLBACKS=["x", "the key of this server"]):
        assert origin(data) is CopyOrigin.OWN
        assert read_any(data).key == key_name("the key of this server")
    with override_settings(SECRET_KEY="a newer key"):
        assert origin(data) is CopyOrigin.OTHER


CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "result": lambda file: file["content"]["games"][0].update(result="1-0"),
    "player": lambda file: file["content"]["players"][0].update(name="Somebody, Else"),
    "settings": lambda file: file["content"]["section"].update(rounds=9),
    "event": lambda file: file["content"]["event"].update(city="Delft"),
    "who": lambda file: file["content"]["log"][2].update(who="olga"),
    "row left out": lambda file: file["content"]["log"].pop(),
    "marks": lambda file: file["content"]["log"][0].update(brought=[]),
    "seal of the log": lambda file: file["content"].update(log_head="0" * 64),
    "made_at": lambda file: file.update(made_at="2026-01-01T00:00:00+00:00"),
    "state": lambda file: file.update(state="0" * 64),
    "hmac": lambda file: file["seal"].update(hmac="0" * 64),
}


@pytest.mark.parametrize("name", CHANGES)
def test_copy_of_this_server_that_was_changed_is_loaded_only_if_asked(
    actor: Actor, section: Section, name: str
) -> None:
    copy = read_copy(changed(copy_file(section), CHANGES[name]))
    assert copy.origin is CopyOrigin.CHANGED
    with refused("copy_changed"):
        load_copy_as_event(actor=actor, copy=copy)
    event = EventFactory()
    with refused("copy_changed"):
        load_copy(actor=actor, event=event, copy=copy, name="again")
    loaded = load_copy(actor=actor, event=event, copy=copy, name="again", changed=True)
    marks = {row.brought[-1]["origin"] for row in loaded.log.exclude(action="load_copy")}
    assert marks == {"changed"}


def test_copy_of_an_event_that_was_changed_is_loaded_only_if_asked(actor: Actor, section: Section) -> None:
    copy = read_any(
        changed(event_file(section.event), lambda file: file["content"]["event"].update(city="X"))
    )
    with refused("copy_changed"):
        load_event_copy(actor=actor, copy=copy, roles=True)
    load_event_copy(actor=actor, copy=copy, roles=True, changed=True)


def as_version_1(file: dict[str, Any]) -> None:
    file["version"] = 1
    del file["seal"], file["state"], file["content"]["log_head"]


@pytest.mark.parametrize("without", [as_version_1, lambda file: file.pop("seal")], ids=["old", "removed"])
def test_copy_of_an_earlier_version_or_whose_seal_was_removed_is_loaded_as_unsealed(
    actor: Actor, section: Section, without: Callable[[dict[str, Any]], object]
) -> None:
    copy = read_copy(changed(copy_file(section), without))
    assert (copy.origin, copy.key) == (CopyOrigin.UNSEALED, "")
    loaded = load_copy_as_event(actor=actor, copy=copy, source="old.json")
    assert {row.brought[0]["origin"] for row in loaded.log.exclude(action="load_copy")} == {"unsealed"}


DAMAGED: dict[str, Callable[[dict[str, Any]], object]] = {
    "a seal of nothing": lambda file: file.update(seal=None),
    "no seal and more than a head": lambda file: file.update(note=file.pop("seal")),
    "a seal of text": lambda file: file.update(seal="x"),
    "a seal without a key": lambda file: file["seal"].pop("key"),
    "a seal of numbers": lambda file: file["seal"].update(hmac=3),
    "a seal of other letters": lambda file: file["seal"].update(hmac="é"),
    "a seal in version 1": lambda file: file.update(version=1),
    "more than a head": lambda file: file.update(note="x"),
    "a log head that is none": lambda file: file["content"].update(log_head="x"),
    "marks that are none": lambda file: file["content"]["log"][0].update(brought=[3]),
    "a mark of nothing": lambda file: file["content"]["log"][0].update(brought=[{}]),
    "a mark of an unknown origin": lambda file: file["content"]["log"][0].update(
        brought=[dict.fromkeys(CopyMark.__annotations__, "")]
    ),
}


@pytest.mark.one_database
@pytest.mark.parametrize("name", DAMAGED)
def test_head_that_no_program_writes_is_refused(section: Section, name: str) -> None:
    with refused("copy_damaged"):
        read_any(changed(copy_file(section), DAMAGED[name]))


def test_every_row_is_marked_and_a_later_copy_keeps_the_marks(actor: Actor, section: Section) -> None:
    with ELSEWHERE:
        data = copy_file(section)
    with HERE:
        copy = read_copy(data)
        loaded = load_copy(actor=actor, event=EventFactory(), copy=copy, name="B", source="stick.json")
        enter(paired(loaded).games.get(board=1), "1-0")
        came = section.log.count()
        marks = list(loaded.log.order_by("revision").values_list("brought", flat=True))
        assert [len(found) for found in marks] == [1] * came + [0] * (len(marks) - came)
        mark = marks[0][0]
        row = loaded.log.get(action="load_copy")
        assert {**mark, "loaded": ""} == {
            "file": "stick.json",
            "made": copy.made_at.isoformat(),
            "loaded": "",
            "by": "arbiter",
            "origin": "other",
            "key": key_name("the key of another server"),
        }
        again = load_copy(
            actor=actor, event=EventFactory(), copy=read_copy(copy_file(loaded)), name="C", source="c.json"
        )
        twice = list(again.log.order_by("revision").values_list("brought", flat=True))
    assert [[mark["file"] for mark in found] for found in twice] == (
        [["stick.json", "c.json"]] * came + [["c.json"]] * (len(marks) - came) + [[]]
    )
    assert (twice[0][0], twice[0][1]["origin"]) == (mark, "own")
    assert row.brought == []


def test_row_of_an_event_is_marked_too(actor: Actor, section: Section) -> None:
    with ELSEWHERE:
        made = load_event_copy(actor=actor, copy=read_any(event_file(section.event)), roles=False)
        data = event_file(made)
    loaded = load_event_copy(actor=actor, copy=read_any(data), roles=False)
    own = loaded.log.filter(section=None).order_by("pk").values_list("action", "brought")
    assert [(action, [mark["origin"] for mark in found]) for action, found in own] == [
        ("create_event", []),
        ("create_event", ["other"]),
    ]


def mark(origin: str, file: str = "f", made: str = "2026-10-17T14:03:00+00:00") -> CopyMark:
    return CopyMark(
        file=file, made=made, loaded="2026-10-18T09:00:00+00:00", by="olga", origin=origin, key=""
    )


@pytest.mark.parametrize(
    ("origins", "own", "main"),
    [
        ([], [], None),
        (["own"], ["own"], 0),
        (["own", "own"], ["own", "own"], 1),
        (["other", "own"], ["other", "own"], 0),
        (["own", "other"], ["other"], 1),
        (["own", "other", "own"], ["other", "own"], 1),
        (["own", "changed"], ["changed"], 1),
        (["own", "unsealed", "own", "own"], ["unsealed", "own", "own"], 1),
    ],
)
def test_marks_that_came_with_a_strange_file_are_only_claims(
    origins: list[str], own: list[str], main: int | None
) -> None:
    marks = [mark(one, str(place)) for place, one in enumerate(origins)]
    assert [one["origin"] for one in own_marks(marks)] == own
    assert main_mark(marks) == (None if main is None else marks[main])


def test_marks_are_written_as_sentences() -> None:
    assert brought_of([]) is None
    brought = brought_of([mark("own", "a.json"), mark("other", "b.json"), mark("own", "c.json")])
    assert (brought.pill, brought.trusted) == ("from another server, copy of 17 Oct 2026 14:03", False)
    assert brought.lines == (
        "the copy says: loaded before from a.json by olga on 18 Oct 2026 09:00",
        "from another server, copy of 17 Oct 2026 14:03: b.json, loaded by olga on 18 Oct 2026 09:00",
        "from this server, copy of 17 Oct 2026 14:03: c.json, loaded by olga on 18 Oct 2026 09:00",
    )
    own = brought_of([mark("own")])
    assert (own.pill, own.trusted) == ("from this server, copy of 17 Oct 2026 14:03", True)
    assert brought_of([mark("unsealed", made="")]).pill == "from a copy without a seal"


def test_log_files_have_the_marks_and_the_seals(actor: Actor, section: Section) -> None:
    with ELSEWHERE:
        data = copy_file(section)
    loaded = load_copy(actor=actor, event=EventFactory(), copy=read_copy(data), name="B", source="stick.json")
    found = list(log_rows(loaded, LogFilter()))
    newest, oldest = json.loads(log_json(found, str))[:: len(found) - 1]
    assert (newest["from_copy"], newest["copy_file"], newest["brought"]) == ("", "", [])
    assert (oldest["from_copy"], oldest["copy_file"], oldest["loaded_by"]) == (
        "other",
        "stick.json",
        "arbiter",
    )
    assert [row["seal"] for row in (newest, oldest)] == [
        loaded.log.get(revision=row["number"]).seal for row in (newest, oldest)
    ]
    head, *lines = log_csv(found, str).decode().splitlines()
    assert head.endswith("Undone by;From copy;Copy file;Copy made;Loaded;Loaded by;Seal")
    assert ";other;stick.json;" in lines[-1]
    assert ";other;" not in lines[0]


def test_command_says_where_a_copy_comes_from_and_refuses_a_changed_one(
    section: Section, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "copy.json"
    path.write_bytes(copy_file(section))
    call_command("load_copy", path, "--check")
    assert "This server made it, and nobody has changed it since." in capsys.readouterr().out
    path.write_bytes(changed(copy_file(section), CHANGES["result"]))
    with pytest.raises(CommandError, match="somebody changed it afterwards"):
        call_command("load_copy", path)
    call_command("load_copy", path, "--changed")
    assert Section.objects.count() == 2
    with ELSEWHERE:
        path.write_bytes(gzip.compress(copy_file(section)))
    call_command("load_copy", path)
    assert "Another server made it" in capsys.readouterr().out


def test_seal_does_not_depend_on_how_the_file_is_written(section: Section) -> None:
    content = copy_content(section)
    data = pack(content, "2026-10-17T14:03:12+00:00")
    assert origin(json.dumps(json.loads(data), indent=2, sort_keys=True).encode()) is CopyOrigin.OWN
