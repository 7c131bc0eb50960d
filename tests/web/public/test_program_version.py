"""Phones ask whether a page has changed: a new version of the program changes each page, whichever file is new."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings
from django.test import override_settings

from web.views.public.public_page import program_version

PROGRAM = tuple(
    name
    for name in tomllib.loads((settings.BASE_DIR / "pyproject.toml").read_text("utf-8"))["tool"][
        "importlinter"
    ]["root_packages"]
    if name != "evenboard_client"  # a program of its own
)
FILES = [
    *(f"{name}/new.py" for name in PROGRAM),
    "templates/new.html",
    "static/new.js",
    "static/new.css",
    "locale/de/LC_MESSAGES/django.po",
    "manual/chapters/de/new.md",
]


@pytest.fixture
def installation(tmp_path: Path) -> Iterator[Path]:
    """An installation with the packages of this one."""
    for name in PROGRAM:
        assert (settings.BASE_DIR / name / "__init__.py").exists()
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
    for file in FILES:
        (tmp_path / file).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / file).write_text("old", "utf-8")
    with override_settings(BASE_DIR=tmp_path):
        yield tmp_path


@pytest.mark.parametrize("file", FILES)
def test_each_file_that_can_change_a_page_changes_the_version(installation: Path, file: str) -> None:
    before = program_version.__wrapped__()
    assert program_version.__wrapped__() == before
    (installation / file).write_text("new", "utf-8")
    os.utime(
        installation / file, (1_000_000, 1_000_000)
    )  # an older release that is installed again counts too
    assert program_version.__wrapped__() != before
