"""Copies and archives that earlier versions made are still read, checked and loaded.

In files/, "of-0016" are from a version in which a section was a tournament: six players, round 1 with results, round 2
with one result. The archive is from the last version before the first release: two sections of different systems with
three rounds, lists that were published, a withdrawal, a forbidden pair, an undo, and registrations with fees.
"""

from __future__ import annotations

import csv
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.conf import LazySettings

from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.copies import load_copy_as_event, load_event_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.restore_tests import prove_event_copy
from tournaments.copy_format import CopyOrigin, canonical, checksum, pack
from tournaments.errors import DomainError
from tournaments.files.copy_reading import read_any, read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.hash_chain import check_event, check_section
from tournaments.models import Game, User

FILES = Path(__file__).parent / "files"
ARCHIVE = FILES / "archive-of-november-2026.zip"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def same_server(settings: LazySettings) -> None:
    """The server that wrote the copies, after changes of its key."""
    settings.SECRET_KEY_FALLBACKS = ["an earlier key", "a key of before"]


@pytest.fixture
def actor() -> Actor:
    return Actor(user=User.objects.create(username="arbiter", makes_events=True))


def archived(name: str) -> bytes:
    with zipfile.ZipFile(ARCHIVE) as file:
        return file.read(name)


def test_copy_of_a_section_of_before_is_loaded(actor: Actor) -> None:
    copy = read_copy((FILES / "section-copy-of-0016.json").read_bytes())
    assert copy.origin is CopyOrigin.OWN
    section = load_copy_as_event(actor=actor, copy=copy)
    assert (section.participants.count(), section.played_rounds.count(), section.log.count()) == (6, 2, 23)
    assert section.options == {"edition": "2026", "upfloats": "played"}
    assert check_section(section).fault is None
    enter(Game.objects.get(round__section=section, round__number=2, board=2), "0-1")


def test_copy_of_an_event_of_before_is_loaded(actor: Actor) -> None:
    copy = read_any((FILES / "event-copy-of-0016.json").read_bytes())
    assert copy.origin is CopyOrigin.OWN
    event = load_event_copy(actor=actor, copy=copy)
    assert [section.name for section in event.sections.all()] == ["Section A"]
    assert check_event(event).fault is None
    assert prove_event_copy(FILES / "event-copy-of-0016.json") == ("", "")


def test_event_in_an_archive_of_before_the_first_release_is_loaded_and_goes_on(
    actor: Actor, tmp_path: Path
) -> None:
    copy = read_any(archived("event.json"))
    assert copy.origin is CopyOrigin.OWN
    event = load_event_copy(actor=actor, copy=copy, roles=False)
    one, other = event.sections.order_by("name")
    assert [(each.name, each.system, each.participants.count()) for each in (one, other)] == [
        ("A", "dubov", 14),
        ("B", "uschess", 6),
    ]
    assert one.options == {"edition": "2026", "upfloats": "played"}
    assert (other.options["high"], other.options["bye_28L5"]) == ("200", "off")
    assert [each.played_rounds.count() for each in (one, other)] == [3, 3]
    assert [check_section(each).fault for each in (one, other)] == [None, None]
    assert check_event(event).fault is None
    for game in Game.objects.filter(round__section=one, round__number=3, result=""):
        enter(game, "1/2")
    assert [paired(each).number for each in (one, other)] == [4, 4]
    whole = tmp_path / "event.json"
    whole.write_bytes(archived("event.json"))
    assert prove_event_copy(whole) == ("", "")


@pytest.mark.parametrize(("name", "rows"), [("a", 40), ("b", 23)])
def test_section_in_an_archive_of_before_the_first_release_is_loaded(
    actor: Actor, name: str, rows: int
) -> None:
    section = load_copy_as_event(actor=actor, copy=read_copy(archived(f"{name}/copy.json")))
    assert section.log.count() == rows + 1
    assert check_section(section).fault is None
    assert section.log.filter(action="undo").exists() is (name == "a")


def test_registrations_in_an_archive_of_before_are_a_table_that_any_program_reads() -> None:
    table = csv.DictReader(io.StringIO(archived("registrations.csv").decode("utf-8-sig")), delimiter=";")
    assert [(row["Name"], row["Section"], row["State"]) for row in table] == [
        ("Maas, Mia", "A", "accepted"),
        ("Noor, Nils", "A", "accepted"),
        ("Otte, Olga", "B", "to check"),
    ]


def of_version_2(settings: dict[str, Any]) -> bytes:
    """Return a copy as version 2 wrote it, with these settings in place of its options."""
    file = json.loads(copy_file(section_of(2)))
    del file["content"]["section"]["options"]
    file["content"]["section"] |= settings
    head = {name: value for name, value in file.items() if name not in {"seal", "content"}}
    head |= {"version": 2, "checksum": checksum(canonical(file["content"]))}
    return json.dumps({**head, "content": file["content"]}).encode()


def test_options_that_stand_beside_the_settings_are_read(actor: Actor) -> None:
    data = of_version_2({"edition": "2018", "upfloats": "paired"})
    assert load_copy_as_event(actor=actor, copy=read_copy(data)).options == {
        "edition": "2018",
        "upfloats": "paired",
    }


@pytest.mark.parametrize("wrong", [{"edition": "1997"}, {"options.start": "top"}, {"edition": 4}])
def test_copy_of_version_2_with_unknown_options_is_damaged(wrong: dict[str, Any]) -> None:
    with pytest.raises(DomainError, match="copy_damaged"):
        read_copy(of_version_2(wrong))


@pytest.mark.parametrize(
    "wrong",
    [{"options": {"edition": "1997"}}, {"options": {"start": "top"}}, {"options": ["top"]}, {"system": "?"}],
)
def test_copy_with_unknown_options_is_damaged(wrong: dict[str, Any]) -> None:
    file = json.loads(copy_file(section_of(2)))
    file["content"]["section"] |= wrong
    with pytest.raises(DomainError, match="copy_damaged"):
        read_copy(pack(file["content"], file["made_at"]))


@pytest.mark.parametrize("content", [{"section": None}, {"section": 3}, {}])
def test_head_of_version_2_over_no_settings_is_damaged(content: dict[str, Any]) -> None:
    file = json.loads(of_version_2({}))
    head = {name: value for name, value in file.items() if name != "content"}
    head["checksum"] = checksum(canonical(content))
    with pytest.raises(DomainError, match="copy_damaged"):
        read_any(json.dumps({**head, "content": content}).encode())
