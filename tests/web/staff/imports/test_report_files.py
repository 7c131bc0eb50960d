"""Report files that become a section or fill one."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from tests.factories import section_of
from tests.web.staff.conftest import address
from tests.web.staff.imports.conftest import CSV, confirm, token, upload
from tournaments.models import Event, Player, Section


def test_report_file_becomes_a_new_section(owners_page: Client, event: Event, report: bytes) -> None:
    here = f"/{event.slug}/-/report/"
    status, html = upload(owners_page, here, report, "other.trf")
    assert status == 200
    assert "6 players" in html
    assert "2 of 5" in html
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    made = event.sections.get(name="Brought in")
    assert (answer.status_code, answer.url) == (302, address(made, "cockpit/"))
    assert (made.participants.count(), made.played_rounds.count(), made.rounds) == (6, 2, 5)


def test_unknown_tie_breaks_of_a_file_are_named_before_anything_is_written(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    kept = [line for line in report.decode().splitlines() if not line.startswith(("202", "212"))]
    sections = set(event.sections.values_list("pk", flat=True))
    shown = upload(owners_page, here, "\n".join([*kept, "212 PTS,BH,LUCK,OTHER_FATE"]), "other.trf")[1]
    assert "The program does not know these tie-breaks of the file: LUCK and OTHER_FATE." in unescape(shown)
    assert set(event.sections.values_list("pk", flat=True)) == sections
    assert confirm(owners_page, f"{here}?preview", name="Brought in").status_code == 302
    assert event.sections.get(name="Brought in").tie_breaks == ["BH", "LUCK", "OTHER_FATE"]


def test_rounds_of_a_report_file_do_not_get_the_time_of_the_import(
    owners_page: Client, event: Event, report: bytes
) -> None:
    """Nobody knows when these rounds were paired and published."""
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, report, "other.trf")
    confirm(owners_page, f"{here}?preview", name="Brought in")
    made = event.sections.get(name="Brought in")
    assert set(made.played_rounds.values_list("published_at", "finished_at")) == {(None, None)}
    cockpit = owners_page.get(address(made, "cockpit/")).content.decode()
    facts = cockpit[cockpit.index("<h1>") : cockpit.index("</p>", cockpit.index("<h1>"))]
    assert facts.split("<p>")[1].strip() == "From a report file"
    stops = cockpit[cockpit.index('<ol class="line"') :].split("</ol>")[0]
    assert re.findall(r"\d\d:\d\d", stops) == []
    paper = owners_page.get(address(made, "round/2/print/boards/")).content.decode()
    assert ("DRAFT" in paper, "Published" in paper) == (False, False)


def test_page_for_a_report_file_asks_for_a_file_when_it_is_opened_again(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, report, "other.trf")
    assert f'<a class="btn" href="{here}" data-key="Escape">Choose another file <kbd' in html
    assert token(owners_page.get(f"{here}?preview").content.decode())
    again = owners_page.get(here).content.decode()
    assert ('type="file"' in again, token(again)) == (True, "")


def test_rounds_outside_the_dates_of_the_event_are_a_warning(
    owners_page: Client, event: Event, report: bytes
) -> None:
    lines = [line for line in report.decode().splitlines() if not line.startswith(("132", "042", "052"))]
    here = f"/{event.slug}/-/report/"
    for first, last, offered in (
        ("2026/10/17", "2026/10/25", False),
        ("2026/10/16", "2026/10/25", True),
        ("2026/10/18", "2026/10/26", True),
    ):
        days = f"132 {first} 2026/10/18 {last}"  # of the rounds
        dated = "\n".join(["042 " + first, "052 " + last, days, *lines])
        html = upload(owners_page, here, dated, "other.trf")[1]
        assert ("Correct the dates of the event" in html) is offered, first
    assert (
        "The rounds are from 18 Oct 2026 to 26 Oct 2026, but the event is from 17 Oct 2026 to 25 Oct 2026. The report "
        "of the section has dates that include all rounds (042, 052)."
    ) in html


def test_report_file_with_the_name_of_another_section_is_reported(
    owners_page: Client, event: Event, report: bytes, section: Section
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, report, "other.trf")
    answer = confirm(owners_page, f"{here}?preview", name=section.name)
    assert answer.status_code == 422
    assert "This event already has a section Section A." in answer.content.decode()


def test_file_that_is_no_report_makes_no_section(owners_page: Client, event: Event) -> None:
    for data in [b"", b"nothing of the kind", b"001 one\n", b"\xff\xfe\x00", CSV.encode()]:
        status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "x.trf")
        assert status == 422, data
        assert "The file cannot be read." in html, data
        assert event.sections.count() == 0, data


@pytest.mark.parametrize("own_section", [True, False])
def test_fide_id_of_another_person_is_reported_with_its_line_before_the_section_is_made(
    page: Client, owners_page: Client, event: Event, report: bytes, own_section: bool
) -> None:
    player = event.players.order_by("pk").first()
    lines = report.decode().splitlines()
    (line,) = (
        number for number, text in enumerate(lines, 1) if text.startswith("001") and player.name in text
    )
    text = lines[line - 1]
    lines[line - 1] = text[:57] + f"{990010437:>11}" + text[68:]
    Player.objects.filter(pk=player.pk).update(fide_id=990010437, name="Ozoliņa, Dženifera")
    data = "\r\n".join(lines) + "\r\n"
    if own_section:
        empty = section_of(0, event=event, slug="empty")
        _status, html = upload(page, address(empty, "entries/import/"), data, "b.trf")
    else:
        _status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "b.trf")
    (conflicts,) = re.findall(
        r'<div class="note bad stack" id="conflicts".*?</div>', unescape(html), re.DOTALL
    )
    assert "One FIDE ID of the file belongs to another name in " + event.name in conflicts
    assert re.findall("<li>(.*?)</li>", conflicts) == [
        f"Line {line}, FIDE ID 990010437: {player.name} in the file, Ozoliņa, Dženifera in the event"
    ]
    assert 'class="btn go"' not in html.partition("<main")[2]
    Player.objects.filter(pk=player.pk).update(name=player.name.upper())
    shown_again = (page if own_section else owners_page).get(
        address(empty, "entries/import/check/") if own_section else f"/{event.slug}/-/report/?preview"
    )
    assert 'id="conflicts"' not in shown_again.content.decode()


def test_report_file_fills_an_empty_section(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), report, "other.trf")
    assert status == 200
    assert "Import into this section" in html
    answer = confirm(page, address(empty, "entries/import/check/"))
    assert (answer.status_code, answer.url) == (302, address(empty, "cockpit/"))
    assert (empty.participants.count(), empty.played_rounds.count()) == (6, 2)


def test_report_file_for_a_section_with_entries_is_refused(
    page: Client, section: Section, report: bytes
) -> None:
    _status, html = upload(page, address(section, "entries/import/"), report, "other.trf")
    assert "into an empty section" in html
    answer = confirm(page, address(section, "entries/import/check/"))
    assert answer.status_code == 422
    assert section.participants.count() == 2


def test_number_of_rounds_must_be_entered_if_the_report_file_lacks_it(
    owners_page: Client, event: Event, report: bytes
) -> None:
    lines = [line for line in report.decode().splitlines() if not line.startswith(("XXR", "142"))]
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, "\n".join(lines), "other.trf")
    (label,) = re.findall(r'<label for="id_rounds">(.*?)</label>', html)
    assert label == "Rounds"
    answer = confirm(owners_page, f"{here}?preview", name="Brought in")
    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()
