"""A file is short enough to be read in one go."""

from __future__ import annotations

from pathlib import Path

MOST_LINES = 400
FOLDERS = (
    "bench",
    "config",
    "entering",
    "manual",
    "pairing",
    "ratings",
    "static",
    "templates",
    "tests",
    "tournaments",
)
ENDINGS = {".css", ".html", ".js", ".py"}


def test_no_file_has_more_than_400_lines(root: Path) -> None:
    files = [file for folder in FOLDERS for file in (root / folder).rglob("*") if file.suffix in ENDINGS]
    ours = [file for file in files if "vendor" not in file.parts]
    lengths = {file.relative_to(root).as_posix(): len(file.read_text("utf-8").splitlines()) for file in ours}
    assert len(lengths) > 1000
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}
