"""Automatic copies: when and where they are written, that they are complete, and which are kept."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.test import override_settings

from pairing.rounds import pair_next_round, publish_round
from tests.actions.refusals import refused
from tests.factories import section_of
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.ledger import Actor
from tournaments.actions.stored_copies import (
    StoredCopy,
    directory_of,
    stored_copies,
    stored_copy,
    take_copy,
    to_let_go,
    write_whole,
)
from tournaments.actions.undo import restore_before_round
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_content
from tournaments.models import Section

NOW = datetime(2026, 10, 20, 12, tzinfo=UTC)


@pytest.fixture(autouse=True)
def directory(tmp_path: Path) -> Iterator[Path]:
    with override_settings(BACKUP_DIR=str(tmp_path / "backups")):
        yield tmp_path / "backups"


def publish(section: Section, actor: Actor) -> None:
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=row.pk, seen_version=0)


@pytest.mark.django_db(transaction=True)
def test_publishing_keeps_a_copy(actor: Actor, directory: Path) -> None:
    section = section_of(6)
    publish(section, actor)
    (copy,) = stored_copies(section)
    assert (copy.revision, copy.round_number, copy.occasion) == (2, 1, "publish")
    assert copy.path.parent == directory / section.event.slug / section.slug
    assert [path.stat().st_mode & 0o777 for path in (copy.path, copy.path.parent)] == [0o600, 0o700]
    assert [path.name for path in copy.path.parent.iterdir()] == [copy.name]
    read = read_copy(copy.path.read_bytes())
    assert (read.revision, len(read.rows["games"])) == (2, 3)


@pytest.mark.django_db(transaction=True)
def test_copy_that_cannot_be_written_is_logged_and_stops_nothing(actor: Actor, directory: Path) -> None:
    directory.write_text("a file where the directory should be")
    section = section_of(6)
    publish(section, actor)
    assert section.played_rounds.get().is_published
    row = section.log.latest("revision")
    assert (row.action, row.round_number, row.reason) == ("backup_failed", 1, "Not a directory")


@pytest.mark.django_db
def test_restore_keeps_a_copy_first_or_does_nothing(actor: Actor, directory: Path) -> None:
    section = section_of(6)
    played(section)
    section.refresh_from_db()
    before = copy_content(section)

    def back() -> None:
        restore_before_round(
            actor=actor, section_id=section.pk, number=1, seen_revision=section.revision, reason="why"
        )

    directory.write_text("no directory")
    with refused("copy_not_written", reason="Not a directory"):
        back()
    directory.unlink()
    back()
    (copy,) = stored_copies(section)
    assert copy.occasion == "restore"
    assert read_copy(copy.path.read_bytes()).revision == before["revision"]
    assert section.played_rounds.count() == 0


@pytest.mark.django_db
def test_only_copies_of_the_section_can_be_downloaded(directory: Path) -> None:
    section = section_of(2)
    path = take_copy(section, "asked")
    (path.parent / "secret.txt").write_text("no")
    other = take_copy(section_of(2), "asked")
    found = stored_copy(section, path.name)
    assert found is not None
    assert found.path == path
    for name in ("secret.txt", "../" + other.name, f"../../{section.event.slug}/{path.name}", str(path), ""):
        assert stored_copy(section, name) is None


def stored(age: timedelta, number: int, revision: int = 1) -> StoredCopy:
    return StoredCopy(Path(f"{age}-{number}"), NOW - age, revision, number, "publish", 1)


def test_newest_and_newest_of_each_round_are_kept_for_some_days() -> None:
    hour, day = timedelta(hours=1), timedelta(days=1)
    copies = [
        stored(hour, 3),
        stored(2 * hour, 3),
        stored(3 * hour, 3),
        stored(4 * hour, 2),
        stored(5 * hour, 2),
        stored(40 * day, 1),
        stored(100 * day, 0),
    ]
    assert to_let_go(copies, NOW, keep=2, days=90) == [copies[2], copies[4], copies[6]]
    assert to_let_go(copies, NOW, keep=50, days=90) == [copies[6]]
    assert to_let_go(copies, NOW, keep=0, days=0) == copies[1:]
    assert to_let_go([stored(400 * day, 9)], NOW, keep=0, days=1) == []
    assert to_let_go([], NOW, keep=1, days=1) == []


def test_copies_that_a_wrong_clock_has_dated_in_the_future_do_not_push_out_newer_ones() -> None:
    hour, day = timedelta(hours=1), timedelta(days=1)
    copies = [stored(-120 * day, 3), stored(-119 * day, 3), stored(hour, 3), stored(2 * hour, 3)]
    assert to_let_go(copies, NOW, keep=2, days=90) == [copies[0], copies[1]]


def test_copies_keep_their_days_while_the_time_is_in_doubt() -> None:
    day = timedelta(days=1)
    copies = [stored(timedelta(0), 3), stored(120 * day, 2), stored(130 * day, 1)]
    assert to_let_go(copies, NOW, keep=5, days=90) == copies[1:]
    assert to_let_go(copies, NOW, keep=5, days=90, sure=NOW - 120 * day) == []


@pytest.mark.django_db
def test_new_copy_deletes_those_above_the_limit(directory: Path) -> None:
    section = section_of(2)
    old = directory_of(section)
    for second in range(5):
        write_whole(old / f"20261017T14031{second}Z-rev00001-round0-publish.json.gz", b"old")
    with override_settings(BACKUP_KEEP=2, BACKUP_DAYS=100_000):
        path = take_copy(section, "asked")
    assert sorted(found.name for found in old.iterdir()) == [
        "20261017T140314Z-rev00001-round0-publish.json.gz",
        path.name,
    ]


def test_file_is_never_incomplete(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_whole(tmp_path / "a" / "copy", b"one")

    def full(_descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_whole(tmp_path / "a" / "copy", b"two")
    assert [(path.name, path.read_bytes()) for path in (tmp_path / "a").iterdir()] == [("copy", b"one")]


KILLED = """
import os, sys
from pathlib import Path
import django
django.setup()
from tournaments.actions.stored_copies import write_whole
os.fsync = lambda descriptor: os.kill(os.getpid(), 9)
write_whole(Path(sys.argv[1]), b"two" * 100_000)
"""


@pytest.mark.skipif(os.name != "posix", reason="kills as POSIX does")
def test_program_killed_while_it_writes_leaves_the_old_file(tmp_path: Path, root: Path) -> None:
    path = write_whole(tmp_path / "copy", b"one")
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "VAR_DIR": str(tmp_path / "var"),
    }
    done = subprocess.run([sys.executable, "-c", KILLED, str(path)], cwd=root, env=environment, check=False)
    assert done.returncode == -9
    assert path.read_bytes() == b"one"
    (partly,) = tmp_path.glob(".*")
    write_whole(path, b"three")
    assert partly.exists(), "somebody may be writing it"
    os.utime(partly, (0, 0))
    write_whole(path, b"four")
    assert [found.name for found in tmp_path.iterdir() if found.is_file()] == ["copy"]
