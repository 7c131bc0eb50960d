"""A file holds one subject, and reads from top to bottom: over 700 lines, it holds two."""

from __future__ import annotations

from pathlib import Path

from tests.house.packages import PACKAGES

MOST_LINES = 700
FOLDERS = (*PACKAGES, "bench", "static", "templates", "tests")
ENDINGS = {".css", ".html", ".js", ".py"}


def test_no_file_has_more_than_700_lines(root: Path) -> None:
    files = [file for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in ENDINGS]
    ours = [file for file in files if not {"vendor", "migrations"} & {*file.parts}]
    lengths = {file.relative_to(root).as_posix(): len(file.read_text("utf-8").splitlines()) for file in ours}
    assert len(lengths) > 1000
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
