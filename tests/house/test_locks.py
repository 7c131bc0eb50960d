"""The locks have versions and hashes, and no addresses of the machine on which they were made."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

LOCKS = ("requirements.txt", "requirements-dev.txt")


def pinned(lock: Path) -> dict[str, str]:
    """Return the version of each package that a lock names."""
    return dict(re.findall(r"^([a-z0-9-]+)==(\S+)", lock.read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_has_hashes_for_every_package(root: Path, lock: str) -> None:
    packages = re.split(r"^(?=[a-z])", (root / lock).read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    assert [package.split()[0] for package in packages if "--hash=sha256:" not in package] == []
    assert len(packages) == len(pinned(root / lock)) > 10


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_names_no_index_url_or_path(root: Path, lock: str) -> None:
    assert (
        re.findall(r"https?:|file:|--\w*index|--find-links|\s/\w", (root / lock).read_text(encoding="utf-8"))
        == []
    )


def test_development_lock_has_the_application_s_packages_in_the_same_versions(root: Path) -> None:
    served, tested = (pinned(root / lock) for lock in LOCKS)
    assert {name: tested.get(name) for name in served} == served


def test_installed_packages_need_no_package_that_the_lock_lacks() -> None:
    """The lock is installed without what its packages ask for, so it must have all of that."""
    command = [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"]
    checked = subprocess.run(command, capture_output=True, text=True, check=False)
    assert checked.stdout.strip() == "No broken requirements found."


@pytest.mark.parametrize("source", ["requirements.in", "requirements-dev.in"])
def test_every_requirement_has_a_comment_that_says_why(root: Path, source: str) -> None:
    lines = (root / source).read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if re.match(r"[a-z]", line) and "  # " not in line] == []


def test_the_server_is_exactly_the_release_that_the_tests_prove(root: Path) -> None:
    """Its lanes depend on how waitress works inside (decision 41)."""
    [asked] = re.findall(
        r"^waitress(.*?)\s", (root / "requirements.in").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert asked == f"=={version('waitress')}"
