"""Each stored copy is proved by a test restore, and a copy that cannot be restored is found."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import override_settings

from evenboard_engine.trf import Report, TextRecord
from tests.actions.test_random_walk import Walk
from tests.factories import ParticipantFactory, SectionFactory, section_of
from tests.web.staff.conftest import enter, paired, played
from tournaments import copy_format
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.restore_tests import (
    FAULTS,
    all_unproved,
    prove_copy,
    prove_event_copy,
    scratch_database,
    unproved,
)
from tournaments.actions.round_files import keep_round_file
from tournaments.actions.stored_copies import stored_copies, take_copy
from tournaments.copy_format import canonical, checksum
from tournaments.files.copy_writing import event_file
from tournaments.models import CopyProof, Event, Game, PublishedList, Section

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def directory(tmp_path: Path) -> Iterator[Path]:
    with override_settings(BACKUP_DIR=str(tmp_path / "backups")):
        yield tmp_path / "backups"


@pytest.fixture
def section(actor: Actor) -> Section:
    section = section_of(8)
    played(section)
    return section


def proof(section: Section) -> tuple[str, str, bool]:
    """Prove the newest copy. Return the fault, its detail, and whether it was compared with the section."""
    found = prove_copy(section, stored_copies(section)[0])
    return found.fault, found.detail, found.with_section


@pytest.mark.parametrize("seed", range(2))
def test_copy_of_a_long_section_is_restored_and_equals_the_section(actor: Actor, seed: int) -> None:
    walk = Walk(600 + seed, section_of(9, initial_colour=""), actor)
    for _ in range(80):
        walk.step()
    take_copy(walk.section, "asked")
    before = (Section.objects.count(), Event.objects.count(), connection.settings_dict["NAME"])
    assert proof(walk.section) == ("", "", True)
    assert (Section.objects.count(), Event.objects.count(), connection.settings_dict["NAME"]) == before


def test_copy_of_one_of_two_sections_is_restored(actor: Actor, section: Section) -> None:
    section_of(4, event=section.event, name="Juniors")
    take_copy(section, "asked")
    assert proof(section) == ("", "", True)


def test_section_that_moved_on_is_proved_by_the_file_alone(actor: Actor, section: Section) -> None:
    take_copy(section, "asked")
    edit_event(actor=actor, event=section.event, city="Delft")
    assert proof(section) == ("", "", False)
    enter(paired(section).games.get(board=1), "1-0")
    assert proof(section) == ("", "", False)


def test_a_file_of_a_round_that_was_kept_after_the_copy_is_no_difference_and_a_changed_one_is(
    section: Section,
) -> None:
    keep_round_file(section.pk, 1)
    take_copy(section, "asked")
    keep_round_file(section.pk, 1)
    assert proof(section) == ("", "", True)
    rewritten(
        stored_copies(section)[0].path, lambda file: file["content"]["round_files"][0].update(report="012")
    )
    assert proof(section)[:2] == ("section_differs", "round_files: 1, 1")


def rewritten(path: Path, change: Callable[[dict[str, Any]], object], *, sealed: bool = True) -> None:
    file = json.loads(gzip.decompress(path.read_bytes()))
    change(file)
    file["checksum"] = checksum(canonical(file["content"]))
    if sealed:
        file["seal"] = copy_format.seal_of_copy(file)
    path.write_bytes(gzip.compress(json.dumps(file).encode()))


def _by_an_older_version(file: dict[str, Any]) -> None:
    """Remove what versions before published lists did not write, and the columns that came after them."""
    content = file["content"]
    for one in content.get("sections", [content]):
        del one["published_lists"]
        for column in ("lists_by_hand", "explained_to", "unrated_left_out"):
            del one["section"][column]
    del content["event"]["time_zone"]


def test_copy_of_before_an_upgrade_has_the_defaults_of_newer_columns(
    actor: Actor, section: Section, tmp_path: Path
) -> None:
    PublishedList.objects.all().delete()
    take_copy(section, "asked")
    rewritten(stored_copies(section)[0].path, _by_an_older_version)
    assert proof(section) == ("", "", True)
    path = tmp_path / "event.json.gz"
    path.write_bytes(event_file(section.event, compressed=True))
    rewritten(path, _by_an_older_version)
    assert prove_event_copy(path) == ("", "")


def test_players_who_were_typed_into_two_sections_in_turn_are_proved(
    section: Section, tmp_path: Path
) -> None:
    other = section_of(2, event=section.event, name="Juniors")
    for each in (section, other, section):
        ParticipantFactory(section=each, player__event=section.event)
    path = tmp_path / "event.json.gz"
    path.write_bytes(event_file(section.event, compressed=True))
    assert prove_event_copy(path) == ("", "")


def test_copy_without_a_column_that_has_another_value_now_differs(section: Section) -> None:
    PublishedList.objects.all().delete()
    Section.objects.update(explained_to="nobody")
    take_copy(section, "asked")
    rewritten(stored_copies(section)[0].path, _by_an_older_version)
    assert proof(section) == ("section_differs", "section", False)


BROKEN: dict[str, tuple[Callable[[Path], object], tuple[str, str]]] = {
    "cut off": (lambda path: path.write_bytes(path.read_bytes()[:-200]), ("damaged", "")),
    "a flipped bit": (
        lambda path: path.write_bytes(path.read_bytes()[:300] + b"\x00" + path.read_bytes()[301:]),
        ("damaged", ""),
    ),
    "empty": (lambda path: path.write_bytes(b""), ("damaged", "")),
    "changed": (
        lambda path: rewritten(path, lambda file: file["content"]["games"].pop(), sealed=False),
        ("changed", ""),
    ),
    "a game of the section left out": (
        lambda path: rewritten(path, lambda file: file["content"]["games"].pop()),
        ("section_differs", "games: 3, 4"),
    ),
    "a player twice in a round": (
        lambda path: rewritten(path, _twice_and_older),
        ("not_restored", "copy_damaged"),
    ),
}


def _twice_and_older(file: dict[str, Any]) -> None:
    games = file["content"]["games"]
    games[0]["black_id"] = games[1]["white_id"]
    file["content"]["revision"] += 1  # another revision: only the file counts


@pytest.mark.parametrize("name", BROKEN)
def test_copy_that_cannot_be_restored_is_found(section: Section, name: str) -> None:
    take_copy(section, "asked")
    change, expected = BROKEN[name]
    change(stored_copies(section)[0].path)
    assert proof(section) == (*expected, False)
    assert CopyProof.objects.get().fault in FAULTS


def test_restore_that_loses_a_row_is_found(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    take_copy(section, "asked")
    monkeypatch.setattr("tournaments.actions.restore_tests.load_copy", _losing("games"))
    assert proof(section) == ("rows_differ", "games: 4, 3", False)


def test_restore_with_other_points_is_found(section: Section, monkeypatch: pytest.MonkeyPatch) -> None:
    take_copy(section, "asked")
    reports = iter([Report((TextRecord("022", "as it was"),)), Report((TextRecord("022", "as it is"),))])
    monkeypatch.setattr("tournaments.actions.restore_tests.section_report", lambda _: next(reports))
    assert proof(section) == ("report_differs", "", False)


def _losing(part: str) -> Callable[..., Section]:
    from tournaments.actions.copies import load_copy

    def load(**options: Any) -> Section:
        options["copy"].rows[part].pop()
        return load_copy(**options)

    return load


def test_file_that_cannot_be_read_is_found(section: Section) -> None:
    take_copy(section, "asked")
    copy = stored_copies(section)[0]
    copy.path.unlink()
    copy.path.mkdir()
    assert prove_copy(section, copy).fault == "unreadable"


def test_copies_are_proved_once_and_again_if_the_file_changes(
    section: Section, django_assert_num_queries: Any
) -> None:
    take_copy(section, "asked")
    ((found, copy),) = all_unproved()
    assert (found, copy) == (section, stored_copies(section)[0])
    assert proof(section)[0] == ""
    assert unproved(section) == []
    rewritten(copy.path, dict.copy)
    assert [one.name for one in unproved(section)] == [copy.name]
    SectionFactory.create_batch(3)
    with django_assert_num_queries(3):  # however many sections there are
        assert len(list(all_unproved())) == 1
    call_command("prove_copies", verbosity=0)
    assert unproved(section) == []


def test_outcome_of_a_deleted_copy_is_forgotten(section: Section) -> None:
    take_copy(section, "asked")
    proof(section)
    stored_copies(section)[0].path.unlink()
    enter(paired(section).games.get(board=1), "1-0")
    take_copy(section, "publish")
    proof(section)
    assert [row.name for row in CopyProof.objects.all()] == [stored_copies(section)[0].name]


def test_scratch_database_is_empty_and_refuses_what_the_real_one_refuses(section: Section) -> None:
    with scratch_database():
        assert connection.vendor == "sqlite"
        assert Section.objects.count() == 0
        with connection.cursor() as cursor:
            cursor.execute("SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'")
            assert cursor.fetchone()[0] > 10
    assert Game.objects.count() == 4
