"""The archive of a section."""

from __future__ import annotations

import io
import zipfile

import pytest

from pairing.engine.trf import read_report
from tests.queries.sections import make_section
from tournaments.exports.archive import archive_zip
from tournaments.imports.section_copy import read_copy
from tournaments.models import Section

pytestmark = pytest.mark.django_db


def test_archive_has_lists_rounds_reports_and_a_copy() -> None:
    made = make_section({"Ann": 2000, "Bea": 1900}, "Ann 1-0 Bea", "Bea 1/2 Ann")
    section = Section.objects.select_related("event").get(pk=made.row.pk)
    with zipfile.ZipFile(io.BytesIO(archive_zip(section))) as file:
        found = {name: file.read(name) for name in file.namelist()}
    reports = ["report-trf06.trf", "report-trf16.trf", "report.trf"]
    rounds = [f"round-0{number}.{kind}" for number in (1, 2) for kind in ("csv", "pgn")]
    lists = ["copy.json", "crosstable.csv", "entries.csv", "standings.csv"]
    assert sorted(found) == sorted(["README.txt", *reports, *rounds, *lists])
    assert [len(read_report(found[name]).players) for name in reports] == [2, 2, 2]
    assert read_copy(found["copy.json"]).results == 2
    readme = found["README.txt"].decode()
    assert [name for name in found if name not in readme] == ["README.txt"]
