"""The version is written in one place, and shown wherever somebody asks which Evenboard this is."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client

import run
from evenboard_engine import PROGRAM, VERSION
from evenboard_engine.cli.command import main as command
from server.main import main as serve
from tests.factories import section_of
from tournaments.actions.stored_copies import take_copy
from tournaments.copy_format import unpack
from tournaments.files.report_writing import tournament_report

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_the_version_is_on_pages_in_files_in_the_api_and_on_the_command_line(
    client: Client, capsys: pytest.CaptureFixture[str], settings: object, tmp_path: Path
) -> None:
    settings.BACKUP_DIR = str(tmp_path)  # type: ignore[attr-defined]
    assert f"Evenboard {VERSION}" == PROGRAM == run.program()
    for of_the_command_line in (run.main, command, serve):
        with pytest.raises(SystemExit, match=r"^0$"):
            of_the_command_line(["--version"])
        assert capsys.readouterr().out == f"{PROGRAM}\n"
    section = section_of(4)
    for page in ("/", f"/{section.event.slug}/{section.slug}/players/"):
        assert PROGRAM in client.get(page).content.decode()
    assert client.get("/readyz").json()["program"] == PROGRAM
    assert client.get("/api/v1/openapi.json").json()["info"]["x-program"] == PROGRAM
    assert f"182 {PROGRAM}\r\n" in tournament_report(section).decode()
    assert unpack(take_copy(section, "asked").read_bytes())["program"] == PROGRAM


def test_the_number_is_in_no_other_file_but_the_changelog(root: Path) -> None:
    """Files of packages and tests of other numbers are left out."""
    assert re.fullmatch(r"[0-9]+\.[0-9]+\.[0-9]+(rc[0-9]+)?", VERSION)
    short = VERSION.partition("rc")[0].removesuffix(".0")
    assert f"\n## {short} " in (root / "CHANGELOG.md").read_text("utf-8")
    where = [*root.glob("*.toml"), *root.glob("docker*"), *root.glob("Dockerfile"), *root.glob("*/*.py")]
    found = [
        str(file.relative_to(root)) for file in where if file.is_file() and VERSION in file.read_text("utf-8")
    ]
    assert found == [str(Path("evenboard_engine/__init__.py"))]
    assert json.dumps(VERSION) in (root / "evenboard_engine/__init__.py").read_text("utf-8")
