"""Files brought in: what is shown first, what is written after, and files that are none."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from tests.engine.trf.contradictions import CONTRADICTIONS
from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.exports.report_trf import tournament_report
from tournaments.models import Event, Tournament

CSV = """Name;Rating;Federation;Title
Novák, Jan;2010;CZE;FM
Lindqvist, Åke;;SWE;
Surname0001, Given;2555;NED;
"""


@pytest.fixture(autouse=True)
def var_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR = tmp_path
    return tmp_path


@pytest.fixture
def section(event: Event) -> Tournament:
    """Two players whose names the list above knows."""
    tournament = section_of(2, event=event, name="Section A", slug="a")
    for entry in tournament.participants.select_related("player"):
        entry.player.name = f"Surname000{entry.tpn}, Given"
        entry.player.save()
    return tournament


def upload(page: Client, url: str, data: bytes | str, name: str = "entries.csv") -> tuple[int, str]:
    content = data.encode() if isinstance(data, str) else data
    answer = page.post(url, {"file": SimpleUploadedFile(name, content)}, follow=True)
    return answer.status_code, answer.content.decode()


def confirm(page: Client, url: str, **fields: object) -> HttpResponse:
    """Press the button of the preview that stands at this address."""
    return page.post(url, {"upload": token(page.get(url).content.decode()), **fields})


def token(html: str) -> str:
    """The file that a preview shows."""
    return "".join(re.findall(r'name="upload" value="(\w+)"', html))


def test_upload_shows_what_the_list_would_do(page: Client, section: Tournament) -> None:
    status, html = upload(page, address(section, "entries/import/"), CSV)
    assert status == 200
    assert "1 refused" in html
    assert "There is no rating." in html
    assert "1 changed" in html
    assert "rating <del>2490</del> <ins>2555</ins>" in html
    assert "1 added" in html
    assert "Take 2 rows, leave 1" in html
    assert section.participants.count() == 2


def test_confirmation_writes_what_was_shown(page: Client, section: Tournament, var_dir: Path) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    section.refresh_from_db()
    answer = confirm(page, address(section, "entries/import/check/"), revision=section.revision)
    assert (answer.status_code, answer.url) == (302, address(section, "entries/"))
    ratings = dict(section.participants.values_list("player__name", "rating"))
    assert ratings == {"Surname0001, Given": 2555, "Surname0002, Given": 2480, "Novák, Jan": 2010}
    assert list((var_dir / "uploads").iterdir()) == []
    told = page.get(address(section, "entries/")).content.decode()
    assert "2 rows taken. 1 row left out." in told


def test_provisional_rating_takes_players_without_one(page: Client, section: Tournament) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    check = address(section, "entries/import/check/")
    assert "Take 3 rows" in page.get(f"{check}?unrated=1000").content.decode()
    confirm(page, check, revision=section.revision, unrated="1000")
    assert section.participants.get(player__name="Lindqvist, Åke").rating == 1000


@pytest.mark.parametrize(
    "options", ["unrated=none", "unrated=-1", "encoding=klingon", "unrated=" + "9" * 400]
)
def test_options_that_cannot_be_are_refused(page: Client, section: Tournament, options: str) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    assert page.get(address(section, f"entries/import/check/?{options}")).status_code == 422


def test_confirmation_of_a_section_that_changed_is_refused_and_shown_anew(
    page: Client, section: Tournament
) -> None:
    upload(page, address(section, "entries/import/"), CSV)
    check = address(section, "entries/import/check/")
    entry = {"name": "Novák, Jan", "rating": "2010", "rating_source": "typed", "first_round": "1"}
    page.post(address(section, "entries/add/"), entry)
    answer = confirm(page, check, revision=0)
    html = answer.content.decode()
    section.refresh_from_db()
    assert answer.status_code == 409
    assert "2 changed" in html
    assert f'name="revision" value="{section.revision}"' in html
    assert confirm(page, check, revision=section.revision).status_code == 302


def test_confirmation_without_a_file_goes_back_to_the_choice(page: Client, section: Tournament) -> None:
    answer = page.post(address(section, "entries/import/check/"), {"revision": 0})
    assert (answer.status_code, answer.url) == (302, address(section, "entries/import/"))
    assert "The file is not kept any more." in page.get(answer.url).content.decode()


def test_take_in_the_tab_of_an_earlier_file_takes_nothing(page: Client, section: Tournament) -> None:
    check = address(section, "entries/import/check/")
    _status, first = upload(page, address(section, "entries/import/"), CSV, "a.csv")
    upload(page, address(section, "entries/import/"), "Name;Rating\nVrba, Ota;1900\n", "b.csv")
    section.refresh_from_db()
    answer = page.post(check, {"upload": token(first), "revision": section.revision})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Another file was looked at since, b.csv." in html
    assert "Vrba, Ota" in html
    assert section.participants.count() == 2
    assert page.post(check, {"upload": token(html), "revision": section.revision}).status_code == 302
    assert section.participants.filter(player__name="Vrba, Ota").exists()


def test_section_is_not_made_from_a_file_that_the_page_did_not_show(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    _status, first = upload(owners_page, here, report, "a.trf")
    _status, second = upload(owners_page, here, report, "b.trf")
    count = event.tournaments.count()
    answer = owners_page.post(here, {"upload": token(first), "name": "Brought in"})
    assert answer.status_code == 409
    assert "Another file was looked at since, b.trf." in answer.content.decode()
    assert event.tournaments.count() == count
    assert owners_page.post(here, {"upload": token(second), "name": "Brought in"}).status_code == 302


def test_file_of_one_section_is_not_taken_for_another(
    page: Client, section: Tournament, event: Event
) -> None:
    other = section_of(0, event=event)
    upload(page, address(section, "entries/import/"), CSV)
    answer = page.get(address(other, "entries/import/check/"))
    assert (answer.status_code, answer.url) == (302, address(other, "entries/import/"))


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "The file holds no rows."),
        (b"\x00\x01\x02\x03" * 50, "not a text file"),
        (b"PK\x03\x04" + b"x" * 500, "spreadsheet workbook"),
        (b"Rating;Club\n2000;West\n", "No column with names was found."),
        (b'Name;Rating\n"Novak;2000\n', "quotation mark"),
        (b"Name;Rating\n" + b"A;2000\n" * 6_000, "more than 5000 rows"),
        (b"x" * (1024 * 1024 + 1), "larger than 1024 kB"),
        (b"012 Open\n001 one\n", "Line 2"),
    ],
)
def test_file_that_cannot_be_taken_is_refused_with_the_reason(
    page: Client, section: Tournament, data: bytes, sentence: str
) -> None:
    status, html = upload(page, address(section, "entries/import/"), data)
    assert status == 422
    assert sentence in html
    assert section.participants.count() == 2


def test_file_that_is_too_large_is_refused_before_it_is_read(page: Client, section: Tournament) -> None:
    status, html = upload(page, address(section, "entries/import/"), b"x" * 5_000_001)
    assert status == 422
    assert "The file is larger than 5 MB." in html


def test_no_file_is_told_under_the_field(page: Client, section: Tournament) -> None:
    answer = page.post(address(section, "entries/import/"), {})
    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()


@pytest.fixture
def report(event: Event) -> bytes:
    """The report file of another section: six players, one round played, one running."""
    tournament = section_of(6, event=event, rounds=5)
    played(tournament)
    paired(tournament)
    return tournament_report(tournament)


def test_report_file_becomes_a_new_section(owners_page: Client, event: Event, report: bytes) -> None:
    here = f"/{event.slug}/-/report/"
    status, html = upload(owners_page, here, report, "other.trf")
    assert status == 200
    assert "6 players" in html
    assert "2 of 5" in html
    answer = confirm(owners_page, here, name="Brought in")
    made = event.tournaments.get(name="Brought in")
    assert (answer.status_code, answer.url) == (302, address(made, "desk/"))
    assert (made.participants.count(), made.played_rounds.count(), made.rounds) == (6, 2, 5)


def test_report_file_with_the_name_of_another_section_is_told(
    owners_page: Client, event: Event, report: bytes, section: Tournament
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, report, "other.trf")
    answer = confirm(owners_page, here, name=section.name)
    assert answer.status_code == 422
    assert "This event already has a section Section A." in answer.content.decode()


@pytest.mark.parametrize("data", [b"", b"nothing of the kind", b"001 one\n", b"\xff\xfe\x00", CSV.encode()])
def test_file_that_is_no_report_makes_no_section(owners_page: Client, event: Event, data: bytes) -> None:
    status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "x.trf")
    assert status == 422
    assert "The file cannot be taken." in html
    assert event.tournaments.count() == 0


def test_report_file_fills_an_empty_section(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), report, "other.trf")
    assert status == 200
    assert "Fill the section" in html
    answer = confirm(page, address(empty, "entries/import/check/"))
    assert (answer.status_code, answer.url) == (302, address(empty, "desk/"))
    assert (empty.participants.count(), empty.played_rounds.count()) == (6, 2)


def test_report_file_for_a_section_with_entries_is_refused(
    page: Client, section: Tournament, report: bytes
) -> None:
    _status, html = upload(page, address(section, "entries/import/"), report, "other.trf")
    assert "into an empty section" in html
    answer = confirm(page, address(section, "entries/import/check/"))
    assert answer.status_code == 422
    assert section.participants.count() == 2


def test_rounds_must_be_said_where_the_report_file_does_not(
    owners_page: Client, event: Event, report: bytes
) -> None:
    lines = [line for line in report.decode().splitlines() if not line.startswith(("XXR", "142"))]
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, "\n".join(lines), "other.trf")
    (label,) = re.findall(r'<label for="id_rounds">(.*?)</label>', html)
    assert label == "Rounds"
    answer = confirm(owners_page, here, name="Brought in")
    assert answer.status_code == 422
    assert "This field is required." in answer.content.decode()


# --- warnings, and rounds that do not follow the rules


@pytest.fixture
def odd(report: bytes) -> bytes:
    """The same with a title and a number of players that are none, and White and Black of round 1 exchanged."""
    lines = report.decode().splitlines()
    for at, line in enumerate(lines):
        if line.startswith("001    3"):
            line = f"{line[:10]} XM{line[13:]}"
        if line.startswith("001"):
            line = f"{line[:96]}{'b' if line[96] == 'w' else 'w'}{line[97:]}"
        lines[at] = "062 9" if line.startswith("062") else line
    return "\n".join(lines).encode()


def test_warnings_are_told_apart_from_errors(page: Client, event: Event, odd: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), odd, "odd.trf")
    assert status == 200
    (warnings,) = re.findall(r'id="doubts">(.*?)</section>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", warnings) == [
        "Line 6, column 5: the number of players is 9 here, but the file has 6.",
        "Line 15, column 11: player 3: &#x27;XM&#x27; is no title of FIDE.",
    ]
    assert "The file cannot be taken." not in html
    assert "Fill the section" in html


def test_rounds_that_do_not_follow_the_rules_are_told_before_and_after(
    page: Client, event: Event, odd: bytes
) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), odd, "odd.trf")
    (found,) = re.findall(r'id="departures">(.*?)</section>', html, re.DOTALL)
    assert "do not follow the rules.</b>" in found
    assert "<li>4 has White against 1, but 1 must have it (5.2.1).</li>" in found
    answer = confirm(page, address(empty, "entries/import/check/"))
    told = page.get(answer.url).content.decode()
    assert "the report of the section says so." in told
    comments = [line for line in tournament_report(empty).decode().splitlines() if "### Import" in line]
    assert comments[0].startswith("### Import @ Round 1: 1-4 ")


def test_numbers_of_those_who_came_later_are_told_in_one_sentence(page: Client, event: Event) -> None:
    """GHR 2.4: who was not paired in round 1 has no number in it; a file that counts them turns colours (5.2.1)."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    opponents = {1: "5 w 1", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    lines = ["012 Counted", "142 5", "XXC white1", "XXZ 4"]
    for rank in range(1, 8):
        cell = f"{opponents[rank]:>8}" if rank in opponents else "0000 - H"
        points = "1.0" if cell.endswith("1") else "0.5" if rank == 2 else "0.0"
        lines.append(
            f"001 {rank:>4}      {f'Player {rank}':<33} {2300 - rank:>4} {'':27}{points:>4} {rank:>4}  {cell:>8}"
        )
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "counted.trf")
    (said,) = re.findall(r'id="numbers">.*?<p>(.*?)</p>', html, re.DOTALL)
    assert said == (
        "2 boards have the other colours. The file counts the numbers of those who were not paired in this round (2); "
        "as we read GHR 2.4 they have none in it, so an even number may count as odd in 5.2.1. Nothing needs to be "
        "done: colours that were played stay."
    )
    assert re.findall(r"<dt>Out of round 2</dt><dd>(.*?)</dd>", html) == ["1: 4 Player 4"]
    assert 'id="departures"' not in html
    confirm(page, address(empty, "entries/import/check/"))
    assert "### Import" not in tournament_report(empty).decode()


def test_a_question_ends_without_a_full_stop(page: Client, event: Event) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), "012 Nobody", "nobody.trf")
    assert "is this a tournament report file?" in html
    assert "file?." not in html


def test_a_file_that_follows_the_rules_says_so(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), report, "other.trf")
    assert "2, all follow the rules" in html
    assert 'id="departures"' not in html
    assert 'id="doubts"' not in html


def test_what_is_assumed_is_listed(owners_page: Client, event: Event, report: bytes) -> None:
    """VCL4THP.13 Q50."""
    lines = [
        line for line in report.decode().splitlines() if not line.startswith(("XXR", "142", "152", "XXC"))
    ]
    lines = [f"{line[:48]}    {line[52:]}" if line.startswith("001    2") else line for line in lines]
    _status, html = upload(owners_page, f"/{event.slug}/-/report/", "\n".join(lines), "other.trf")
    (found,) = re.findall(r'id="adjustments">(.*?)</section>', html, re.DOTALL)
    assert "The initial-colour is not in the file; it follows from round 1: White." in found
    assert "provisional rating" in found
    assert "The rounds are checked when the number of rounds is known." in html


def test_a_file_of_another_system_is_refused_with_its_line(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    data = report.replace(b"192 FIDE_DUBOV", b"192 FIDE_DUTCH")
    status, html = upload(page, address(empty, "entries/import/"), data, "dutch.trf")
    assert status == 422
    assert "another pairing system" in html


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_told_with_its_place_and_nothing_is_taken(
    page: Client, event: Event, name: str
) -> None:
    data, told = CONTRADICTIONS[name]
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), data, "broken.trf")
    (found,) = re.findall(r'id="problem">(.*?)</div>', html, re.DOTALL)
    assert status == 422
    assert [unescape(line) for line in re.findall("<li>(.*?)</li>", found)] == [
        f"{line[0].upper()}{line[1:]}." for line in told
    ]
    assert empty.participants.count() == 0
