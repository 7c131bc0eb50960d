"""Forms whose answer takes more than a second with two hundred players say what the server is doing."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

SLOW = {
    "by_hand_end.html": 1,
    "copies.html": 1,
    "correction.html": 1,
    "correction_preview.html": 1,
    "cockpit_pair.html": 2,
    "cockpit_step.html": 7,
    "entry_lists.html": 1,
    "entry_lists_check.html": 1,
    "entries_leave.html": 1,
    "copies_load.html": 1,
    "copies_load_check.html": 1,
    "report_check.html": 1,
    "report_name.html": 1,
    "report_upload.html": 1,
    "undo_restore.html": 1,
    "undo.html": 2,
}


@pytest.mark.parametrize("name", SLOW)
def test_slow_forms_say_what_the_server_does(root: Path, name: str) -> None:
    staff = root / "templates" / "staff"
    assert " progress=progress %}" in (staff / "rounds_form.html").read_text()
    page = (staff / name).read_text()
    notes = re.findall(r'<form(?:(?!<form).)*? data-progress="(\{\{ \w+ \}\}|\{% .+?)"\s*>', page, re.DOTALL)
    notes += re.findall(r'\{% form [^%]*progress=_\("([^"]+)"\)', page)
    names = re.findall(r"\{\{ (\w+) \}\}", " ".join(notes))
    names += re.findall(r"\{% form [^%]*progress=([a-z]\w*)", page)
    for values in re.findall(r'\{% include "staff/rounds_form.html" with (.*?) %\}', page):
        passed = re.search(r"progress=(\w+)", values)
        names.append(passed[1] if passed else "progress")
    for name_of_note in names:
        given = re.search(rf"asvar {name_of_note} (.*?)\{{% endblocktranslate", page, re.DOTALL)
        notes.append(given[1] if given else "")
    sentences = [note for note in notes if "…" in note]
    assert len(sentences) == SLOW[name]
