"""Erased personal data is gone from the bytes of the database's files, and only their owner can read them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.fixtures import Settings

from registrations.actions.erasing import erase_registration, forget_contacts
from server import database
from tests.factories import EventRoleFactory, section_of
from tests.registrations.factories import desk, sent
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.models import EventRole

SQLITE = pytest.mark.skipif(
    connection.vendor != "sqlite", reason="PostgreSQL removes former values by VACUUM"
)
SECRETS = {"email": "zqmail@example.org", "phone": "+43 660 9988776655", "message": "Zqmessage " * 400}


def found_in_files(*values: str) -> list[str]:
    """Return which values stand in the bytes of the file of the database, or of its log."""
    file = Path(str(connection.settings_dict["NAME"]))
    content = b"".join(path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
    return [value for value in values if value.encode() in content]


@SQLITE
@pytest.mark.django_db(transaction=True)
def test_contacts_that_were_deleted_are_in_no_file() -> None:
    into = desk()
    sent(into, **SECRETS)
    values = [SECRETS["email"], SECRETS["phone"], "Zqmessage"]
    assert found_in_files(*values) == values
    forget_contacts(into.event)
    assert found_in_files(*values) == []


@SQLITE
@pytest.mark.django_db(transaction=True)
def test_an_erased_registration_and_an_erased_player_are_in_no_file(
    tmp_path: Path, settings: Settings
) -> None:
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, ""
    one = sent(desk(), "Zqsurname, Ada", **SECRETS)
    assert found_in_files("Zqsurname") == ["Zqsurname"]
    erase_registration(registration_id=one.pk)
    assert found_in_files("Zqsurname", SECRETS["email"], "Zqmessage") == []
    section = section_of(4)
    player = section.participants.first().player
    player.name = "Zqfamily, Bob"
    player.save()
    owner = EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user
    assert found_in_files("Zqfamily") == ["Zqfamily"]
    erase_player(actor=Actor(owner), event=section.event, player_id=player.pk, typed=player.name)
    assert found_in_files("Zqfamily") == []


@pytest.mark.skipif(os.name == "nt", reason="Windows has other rights of files")
@pytest.mark.django_db
def test_a_start_lets_only_the_owner_read_the_database_and_the_copies(
    tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, ""
    kept = tmp_path / "backups" / "open" / "a"
    kept.mkdir(parents=True)
    files = [kept / "copy.json.gz", *(tmp_path / f"data.sqlite3{end}" for end in ("", "-wal", "-shm"))]
    for path in files:
        path.touch()
        path.chmod(0o644)
    kept.chmod(0o755)
    if connection.vendor == "sqlite":
        monkeypatch.setitem(connection.settings_dict, "NAME", str(tmp_path / "data.sqlite3"))
    else:
        files = files[:1]
    database.keep_private()
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}
    assert {path.stat().st_mode & 0o777 for path in (kept, kept.parent, kept.parent.parent)} == {0o700}
    written = tmp_path / "written"
    written.touch()
    assert written.stat().st_mode & 0o077 == 0
