"""The preview of a report file is worked out once an upload, and large files are refused."""

from __future__ import annotations

import re
from datetime import timedelta
from html import unescape
from importlib import import_module
from itertools import combinations
from typing import Any

import pytest
from django.test import Client

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import Report
from tests.factories import section_of
from tests.web.staff.conftest import address
from tests.web.staff.imports.conftest import confirm, lacking, shown, upload
from tournaments.models import Event, Section
from web.words import reports


@pytest.fixture
def previews(monkeypatch: pytest.MonkeyPatch) -> list[Report]:
    """The reports whose preview was worked out, in order."""
    made: list[Report] = []

    def counted(report: Report, *args: Any, **options: Any) -> dict[str, Any]:
        made.append(report)
        return facts_of(report, *args, **options)

    facts_of = reports.report_facts
    monkeypatch.setattr(reports, "report_facts", counted)
    return made


def test_preview_of_a_report_file_is_worked_out_once_an_upload(
    page: Client, event: Event, odd: bytes, previews: list[Report]
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    upload(page, address(empty, "entries/import/"), odd + b"### once\n", "open.trf")
    check = address(empty, "entries/import/check/")
    first = page.get(check).content
    assert page.get(check).content.count(b"<tr") == first.count(b"<tr")
    assert len(previews) == 1
    upload(page, address(empty, "entries/import/"), odd + b"### once\n", "the same again.trf")
    assert len(previews) == 1
    page.get(check + "?unrated=1500")
    assert len(previews) == 2


@pytest.mark.parametrize(
    ("missing", "typed"),
    [({"rounds": True}, {"rounds": "5"}), ({"rating": True}, {"unrated": "1000"})],
    ids=["rounds", "rating"],
)
def test_what_is_typed_for_a_new_section_needs_one_preview(
    owners_page: Client,
    event: Event,
    odd: bytes,
    missing: dict[str, bool],
    typed: dict[str, str],
    previews: list[Report],
) -> None:
    """The server may have started again since the page was shown; then no answer is kept."""
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, lacking(odd, **missing) + "\n### one\n", "odd.trf")
    reports._previews.clear()
    previews.clear()
    assert owners_page.post(here, {**shown(html), "name": "Brought in", **typed}).status_code == 422
    assert len(previews) == 1


def test_new_section_needs_the_rounds_that_its_file_does_not_say(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, lacking(report, rounds=True), "other.trf")
    page = owners_page.get(f"{here}?preview").content.decode()
    assert re.findall(r'<input type="number" name="rounds"[^>]*required', page)
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    errors = re.findall(r'<span class="err" id="id_rounds_error">(.*?)</span>', answer.content.decode())
    assert (answer.status_code, errors) == (422, ["This field is required."])


def test_preview_is_worked_out_again_when_the_event_or_the_section_changes(
    page: Client, event: Event, odd: bytes, previews: list[Report]
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    upload(page, address(empty, "entries/import/"), odd + b"### changes\n", "open.trf")
    check = address(empty, "entries/import/check/")
    for change, worked_out in (
        (lambda: Event.objects.update(end=event.end + timedelta(days=1)), 2),
        (lambda: Section.objects.filter(pk=empty.pk).update(rounds=empty.rounds + 1), 3),
        (lambda: Section.objects.filter(pk=empty.pk).update(options={"upfloats": "paired"}), 4),
    ):
        change()
        page.get(check)
        page.get(check)
        assert len(previews) == worked_out


def test_report_file_that_forbids_all_pairs_a_thousand_times_has_its_preview_at_once(
    page: Client, event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[object] = []
    monkeypatch.setattr(
        import_module("evenboard_engine.trf.reported_rounds"),
        "combinations",
        lambda players, size: made.append(players) or combinations(players, size),
    )
    empty = section_of(0, event=event, name="B", slug="b")
    ranks = range(1, 102)
    everybody = " ".join(f"{rank:04}" for rank in ranks)
    players = [player_line(starting_rank=rank, rating=2500 - rank) for rank in ranks]
    lines = [f"260 001 009 {everybody}"] * 1_000
    status, html = upload(
        page, address(empty, "entries/import/"), as_file("142 9", "152 W", *players, *lines), "all.trf"
    )
    assert (status, html.count('id="doubts"')) == (200, 1)
    assert len(made) == 1


def test_report_file_with_more_than_a_section_can_hold_is_refused_with_its_line(
    page: Client, event: Event
) -> None:
    empty = section_of(0, event=event, name="B", slug="b")
    everybody = " ".join(str(rank) for rank in range(1, 318))
    players = [player_line(starting_rank=rank, rating=2500 - rank) for rank in range(1, 318)]
    pairs = as_file("142 9", "152 W", *players, f"XXP {everybody}")
    status, html = upload(page, address(empty, "entries/import/"), pairs, "all.trf")
    assert status == 422
    assert "Line 320, column 5: with this line there are more than 50000 forbidden pairs" in unescape(html)
    status, html = upload(page, address(empty, "entries/import/"), as_file("142 31", *players), "long.trf")
    assert (status, "Line 1: more than 30 rounds" in unescape(html)) == (422, True)
