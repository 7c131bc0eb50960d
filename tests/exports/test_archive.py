"""The archive of a section."""

from __future__ import annotations

import io
import re
import zipfile
from hashlib import sha256

import pytest

from evenboard_engine.trf import read_report
from tests.actions.refusals import refused
from tests.queries.sections import make_section
from tournaments.files import archives
from tournaments.files.archives import write_archive
from tournaments.files.copy_reading import read_copy
from tournaments.files.report_writing import tournament_report
from tournaments.models import Section
from web.words.log_sentences import sentence_of

pytestmark = pytest.mark.django_db


def archive_of(section: Section) -> io.BytesIO:
    out = io.BytesIO()
    write_archive(section, out, sentence_of)
    return out


def test_archive_that_is_too_large_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    made = make_section({"Ann": 2000, "Bea": 1900}, "Ann 1-0 Bea")
    monkeypatch.setattr(archives, "MB", 10)
    with refused("archive_too_large", limit=200):
        archive_of(Section.objects.select_related("event").get(pk=made.row.pk))


def test_archive_has_lists_rounds_reports_and_a_copy() -> None:
    made = make_section({"Ann": 2000, "Bea": 1900}, "Ann 1-0 Bea", "Bea 1/2 Ann")
    section = Section.objects.select_related("event").get(pk=made.row.pk)
    with zipfile.ZipFile(archive_of(section)) as file:
        found = {name: file.read(name) for name in file.namelist()}
    reports = ["report-trf06.trf", "report-trf16.trf", "report.trf"]
    rounds = [f"round-0{number}.{kind}" for number in (1, 2) for kind in ("csv", "html", "pgn")]
    standings = ["standings-01.html", "standings-02.html"]
    lists = ["aro", "crosstable", "entries", "fairness", "players", "standings"]
    lists += ["byes", "results", "log"]
    lists += ["statistics", "rating-differences", "federations", "rating-changes", "norms"]
    tables = [f"{name}.csv" for name in lists]
    assert sorted(found) == sorted(
        [
            "README.txt",
            "SHA256SUMS.txt",
            "copy.json",
            "crosstable.html",
            *reports,
            *rounds,
            *standings,
            *tables,
        ]
    )
    assert [len(read_report(found[name]).players) for name in reports] == [2, 2, 2]
    assert read_copy(found["copy.json"]).results == 2
    readme = found["README.txt"].decode()
    assert [name for name in found if name not in readme] == ["README.txt"]
    event = section.event
    facts = (
        event.name,
        section.name,
        event.city,
        f"{event.start} to {event.end}",
        f"{section.rounds} rounds, ",
    )
    assert [fact for fact in facts if fact not in readme] == []
    sums = dict(line.split("  ")[::-1] for line in found.pop("SHA256SUMS.txt").decode().splitlines())
    assert sums == {name: sha256(content).hexdigest() for name, content in found.items()}


def test_archive_of_a_finished_section_has_the_report_for_rating() -> None:
    made = make_section({"Ann": 2000, "Bea": 1900}, "Ann 1-0 Bea", "Bea . Ann", planned=2)
    name = "report-for-rating.trf"

    def found() -> dict[str, bytes]:
        section = Section.objects.select_related("event").get(pk=made.row.pk)
        with zipfile.ZipFile(archive_of(section)) as file:
            return {name: file.read(name) for name in file.namelist()}

    assert name not in found()  # a game is open
    made.row.played_rounds.get(number=2).games.update(result="1/2")
    assert found()[name] == tournament_report(made.row, for_rating=True)


def test_pages_of_an_archive_need_nothing_and_run_nothing() -> None:
    made = make_section({"<script>x</script>": 2000, "Bea": 1900}, "<script>x</script> 1-0 Bea")
    section = Section.objects.select_related("event").get(pk=made.row.pk)
    with zipfile.ZipFile(archive_of(section)) as file:
        pages = {name: file.read(name).decode() for name in file.namelist() if name.endswith(".html")}
    assert sorted(pages) == ["crosstable.html", "round-01.html", "standings-01.html"]
    for page in pages.values():
        assert page.startswith("<!doctype html>")
        assert "<td>&lt;script&gt;x&lt;/script&gt;</td>" in page
        assert re.findall(r"<script|\bsrc=|\bhref=|url\(|@import", page) == []
