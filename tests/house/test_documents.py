"""Tests and linked files that the documents name exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def test_tests_that_prove_a_variant_exist() -> None:
    file, named = "", 0
    for path, name in re.findall(r"`([\w/.]*)::(test_\w+)`", (ROOT / "docs/rules.md").read_text()):
        file = path or file
        assert f"def {name}(" in (ROOT / "tests" / file).read_text(), (file, name)
        named += 1
    assert named > 20


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_linked_files_exist(document: Path) -> None:
    links = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", document.read_text())
    assert [link for link in links if not (document.parent / link).exists()] == []
