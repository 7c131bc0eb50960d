"""The secret key is made once, and only its owner can read it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from config.secret_key import secret_key


def test_secret_key_is_kept(tmp_path: Path) -> None:
    first = secret_key(tmp_path / "var" / "secret-key")
    assert len(first) >= 50
    assert secret_key(tmp_path / "var" / "secret-key") == first


@pytest.mark.skipif(os.name == "nt", reason="Windows has no file modes")
def test_secret_key_is_readable_only_by_its_owner(tmp_path: Path) -> None:
    secret_key(tmp_path / "secret-key")
    assert (tmp_path / "secret-key").stat().st_mode & 0o777 == 0o600


def test_secret_key_is_the_same_for_processes_that_start_at_once(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    with ThreadPoolExecutor(16) as pool:
        keys = set(pool.map(secret_key, [path] * 64))
    assert keys == {path.read_text().strip()}
    assert [file.name for file in tmp_path.iterdir()] == ["secret-key"]


def test_secret_key_replaces_an_empty_file(tmp_path: Path) -> None:
    path = tmp_path / "secret-key"
    path.touch()
    assert len(secret_key(path)) >= 50


def test_secret_key_is_made_without_hard_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError("no hard links on this file system")

    monkeypatch.setattr(os, "link", refuse)
    path = tmp_path / "secret-key"
    assert secret_key(path) == secret_key(path)
