"""Warnings of a report file, and rounds that do not follow the rules."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client

from evenboard_engine.tests.trf.contradictions import CONTRADICTIONS
from tests.factories import section_of
from tests.web.staff.conftest import address, played
from tests.web.staff.imports.conftest import confirm, lacking, shown, upload
from tournaments.files.report_writing import tournament_report
from tournaments.models import Bye, Event, Section


def test_warnings_are_distinguished_from_errors(page: Client, event: Event, odd: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), odd, "odd.trf")
    assert status == 200
    (warnings,) = re.findall(r'id="doubts">(.*?)</section>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", warnings) == [
        "Line 6, column 5: the number of players is 9 here, but the file has 6.",
        "Line 16, column 11: player 3: &#x27;XM&#x27; is not a FIDE title.",
    ]
    assert "The file cannot be read." not in html
    assert "Import into this section" in html


def departures(page: Client, section: Section, report: bytes) -> str:
    """Return what the preview of a report file says about rounds that do not follow the rules."""
    _status, html = upload(page, address(section, "entries/import/"), report, "odd.trf")
    (found,) = re.findall(r'id="departures">(.*?)</section>', html, re.DOTALL)
    return str(found)


def test_rounds_that_do_not_follow_the_rules_are_named_before_and_after(
    page: Client, event: Event, odd: bytes
) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    found = departures(page, empty, odd)
    assert "do not follow the rules.</b>" in found
    assert "<li>4 has White against 1, but 1 must have White (5.2.1).</li>" in found
    answer = confirm(page, address(empty, "entries/import/check/"))
    documents = page.get(answer.url).content.decode()
    assert "The report of the section says so." in documents
    comments = [line for line in tournament_report(empty).decode().splitlines() if "### Import" in line]
    assert comments[0].startswith("### Import @ Round 1: 1-4 ")


def test_round_that_the_file_says_was_paired_by_hand_is_called_so(
    page: Client, event: Event, odd: bytes
) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    by_hand = odd + b"\n### MPA @ Round 1: 1-4 5-2 => 4-1 2-5\n"
    found = departures(page, empty, by_hand)
    sentences = [re.findall("<li>(.*?)</li>", one)[0] for one in found.split("<details")[1:]]
    assert sentences[0] == "The file says that round 1 was paired by hand (MPA)."
    assert "by hand" not in sentences[1]


def test_teams_and_the_time_control_of_a_file_are_shown(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    team = f"{'310   1 <b>Wien</b>':<54}{'3.0':>6} {'2.5':>6} {'1':>3}     1    2"
    lines = f"\n222 40/6000+30:900+30\n{team}\n330 --   1   1   1\n352 WB\n362 TW 2.0"
    _status, html = upload(page, address(empty, "entries/import/"), report + lines.encode(), "teams.trf")
    (found,) = re.findall(r'id="teams">(.*?)</section>', html, re.DOTALL)
    cells = re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", found.partition("<tbody>")[2], re.DOTALL)
    assert [re.sub(r"</?i>", "", cell).strip() for cell in cells] == [
        *("1", "&lt;b&gt;Wien&lt;/b&gt;", "2", "3", "2½", "1")
    ]
    assert re.findall(r"<dt>([^<]*)</dt>\s*<dd>([^<]*)</dd>", found) == [
        ("Points for a won match", "2"),
        ("Colours of the boards", "WB"),
        ("Forfeited matches", "1"),
    ]
    assert "40/100 min + 30 s; 15 min + 30 s, standard" in html
    answer = confirm(page, address(empty, "entries/import/check/"))
    assert answer.status_code == 302
    assert team in tournament_report(Section.objects.get(pk=empty.pk)).decode()


def test_lines_that_are_not_used_are_shown(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    named = report + b"### Hall <2>\r\n### by hand\r\n"
    _status, html = upload(page, address(empty, "entries/import/"), named, "other.trf")
    assert "2 lines are not used here. They are kept and written back." in html
    (shown,) = re.findall(r'<details id="kept">(.*?)</details>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", shown) == ["### Hall &lt;2&gt;", "### by hand"]


@pytest.mark.parametrize(("edition", "cited"), [("2018", "E.0"), ("2025", "5.2.1"), ("2026", "5.2.1")])
def test_check_of_a_file_cites_the_article_of_colours_in_its_edition(
    page: Client, event: Event, edition: str, cited: str
) -> None:
    section = section_of(6, event=event, rounds=5, options={"edition": edition})
    played(section)
    lines = tournament_report(section).decode().splitlines()
    turned = {"w": "b", "b": "w"}
    data = "\n".join(f"{one[:96]}{turned[one[96]]}{one[97:]}" if one[:3] == "001" else one for one in lines)
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), data, "odd.trf")
    assert f"<li>4 has White against 1, but 1 must have White ({cited}).</li>" in html


@pytest.mark.parametrize(("edition", "cited"), [("2018", "A.8"), ("2025", "1.8.3"), ("2026", "1.9.3")])
def test_check_of_a_round_without_a_legal_pairing_cites_the_article_of_its_edition(
    page: Client, event: Event, edition: str, cited: str
) -> None:
    """Two players meet twice, which no pairing by the rules gives."""
    section = section_of(2, event=event, rounds=3, options={"edition": edition})
    played(section)
    lines = tournament_report(section).decode().splitlines()
    turned = {"w": "b", "b": "w"}
    for at, line in enumerate(lines):
        if line.startswith("001"):
            opponent, colour = line[91:95], line[96]
            lines[at] = f"{line[:80]} 1.0{line[84:91]}{opponent} {colour} =  {opponent} {turned[colour]} ="
    empty = section_of(0, event=event, name="Empty", slug="empty")
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "twice.trf")
    (departures_of,) = re.findall(r"<summary>Round 2</summary>(.*?)</details>", html, re.DOTALL)
    assert f"<li>No legal pairing exists for the players who are present ({cited}).</li>" in departures_of


@pytest.mark.parametrize(
    ("missing", "typed"),
    [({"rounds": True}, {"rounds": "5"}), ({"rating": True}, {"unrated": "1000"})],
    ids=["rounds", "rating"],
)
def test_rounds_found_with_what_is_typed_are_asked_about_before_anything_is_written(
    owners_page: Client, event: Event, odd: bytes, missing: dict[str, bool], typed: dict[str, str]
) -> None:
    """VCL4THP.13 Q55: the normal case of TRF16, which does not say how many rounds are planned."""
    here = f"/{event.slug}/-/report/"
    before = event.sections.count()
    _status, html = upload(owners_page, here, lacking(odd, **missing), "odd.trf")
    assert 'id="departures"' not in html
    asked = confirm(owners_page, f"{here}?preview", name="Brought in", **typed)
    html = asked.content.decode()
    assert (asked.status_code, event.sections.count()) == (422, before)
    assert "Rounds 1 and 2 do not follow the rules. Nothing is saved yet." in html
    assert "<li>4 has White against 1, but 1 must have White (5.2.1).</li>" in html
    answer = owners_page.post(here, {**shown(html), "name": "Brought in", **typed})
    assert answer.status_code == 302
    made = event.sections.get(name="Brought in")
    assert "### Import @ Round 1: 1-4 " in tournament_report(made).decode()


def test_rating_typed_for_an_empty_section_is_asked_about_too(page: Client, event: Event, odd: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    upload(page, address(empty, "entries/import/"), lacking(odd, rating=True), "odd.trf")
    check = address(empty, "entries/import/check/")
    asked = confirm(page, check, unrated="1000")
    assert (asked.status_code, empty.participants.count()) == (422, 0)
    html = asked.content.decode()
    assert "do not follow the rules. Nothing is saved yet." in html
    assert page.post(check, {**shown(html), "unrated": "1000"}).status_code == 302
    assert empty.participants.count() == 6


def test_no_question_where_the_typed_rounds_follow_the_rules(
    owners_page: Client, event: Event, report: bytes
) -> None:
    here = f"/{event.slug}/-/report/"
    upload(owners_page, here, lacking(report, rounds=True), "other.trf")
    assert confirm(owners_page, f"{here}?preview", name="Brought in", rounds="5").status_code == 302


def test_byes_of_an_older_file_are_among_what_is_changed(page: Client, event: Event) -> None:
    """VCL4THP.13 Q48."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    lines = ["012 Old", "XXR 3", "192 FIDE_DUBOV"]
    for rank, cell in enumerate(("   2 w 1", "   1 b 0", "0000 - +"), start=1):
        lines.append(f"001 {rank:>4} {'':5}{f'Player {rank}':<33} {2300 - rank:>4}".ljust(91) + cell)
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "old.trf")
    (found,) = re.findall(r'id="adjustments">(.*?)</section>', html, re.DOTALL)
    bye = "'+' without an opponent is taken as the pairing-allocated bye: player 3 in round 1."
    assert f"Line 6, column 99: {bye}" in unescape(found)
    assert 'id="doubts"' not in html
    confirm(page, address(empty, "entries/import/check/"))
    assert Bye.objects.get(participant__section=empty).kind == "U"


@pytest.mark.parametrize(("code", "article"), [("FIDE_DUBOV", "5.2.1"), ("FIDE_DUTCH", "5.2.5")])
def test_numbers_of_those_who_came_later_are_explained_in_one_sentence(
    page: Client, event: Event, code: str, article: str
) -> None:
    """GHR 2.4: players who were not paired in round 1 have no number in it. If a file counts them, colours differ."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    opponents = {1: "5 w 1", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    lines = ["012 Counted", "142 5", f"192 {code}", "XXC white1", "XXZ 4"]
    for rank in range(1, 8):
        cell = f"{opponents[rank]:>8}" if rank in opponents else "0000 - H"
        points = "1.0" if cell.endswith("1") else "0.5" if rank == 2 else "0.0"
        lines.append(
            f"001 {rank:>4}      {f'Player {rank}':<33} {2300 - rank:>4} {'':27}{points:>4} {rank:>4}  {cell:>8}"
        )
    _status, html = upload(page, address(empty, "entries/import/"), "\n".join(lines), "counted.trf")
    (sentence,) = re.findall(r'id="numbers">.*?<p>(.*?)</p>', html, re.DOTALL)
    assert sentence == (
        "2 boards have the opposite colours. In round 1, the file also counts players who were not paired (2). By our "
        "reading of GHR 2.4 they have no pairing number yet; without them, odd and even numbers change "
        f"({article}). You need not do anything: the colours stay as they were played."
    )
    assert re.findall(r"<dt>Not in round 2</dt><dd>(.*?)</dd>", html) == ["4 Player 4"]
    assert 'id="departures"' not in html
    confirm(page, address(empty, "entries/import/check/"))
    assert "### Import" not in tournament_report(empty).decode()


def test_a_file_of_an_older_edition_says_so_and_baku_needs_its_points(
    page: Client, event: Event, report: bytes
) -> None:
    """C.04.3 of 2017 is not there. C.04.7, 1.1: Baku Acceleration is for points where a win is two draws."""
    empty = section_of(0, event=event, name="Empty", slug="empty")
    older = report.replace(b"192 FIDE_DUBOV", b"192 FIDE_DUTCH_2017")
    status, html = upload(page, address(empty, "entries/import/"), older, "older.trf")
    assert status == 200
    began = "the tournament began under the edition of 2017 of the pairing rules"
    assert began in html
    response = confirm(page, address(empty, "entries/import/check/"))
    assert began in page.get(response.url).content.decode()
    log = page.get(address(empty, "log/")).content.decode()
    assert "<dt>edition at the beginning</dt><dd>– → 2017</dd>" in log
    for rules in ("rules/", "print/rules/"):
        shown = page.get(address(empty, rules)).content.decode()
        assert (
            "began under the edition of 2017 of these rules. All rounds here are checked by the edition of 2026."
            in shown
        )
    empty = section_of(0, event=event, name="Baku", slug="baku")
    players = [f"001 {rank:>4}      {f'Player {rank}':<33} {2300 - rank:>4}" for rank in range(1, 9)]
    three = "\n".join(["142 9", "192 FIDE_DUTCH_2026_BAKU", "152 W", "XXS W=3 D=1", *players])
    status, html = upload(page, address(empty, "entries/import/"), three, "baku.trf")
    assert status == 422
    assert "Baku Acceleration is only for points where a win is worth two draws" in html


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


def test_assumptions_are_listed(owners_page: Client, event: Event, report: bytes) -> None:
    """VCL4THP.13 Q50."""
    lines = [
        line for line in report.decode().splitlines() if not line.startswith(("XXR", "142", "152", "XXC"))
    ]
    lines = [f"{line[:48]}    {line[52:]}" if line.startswith("001    2") else line for line in lines]
    _status, html = upload(owners_page, f"/{event.slug}/-/report/", "\n".join(lines), "other.trf")
    (found,) = re.findall(r'id="adjustments">(.*?)</section>', html, re.DOTALL)
    assert "The file does not have the initial-colour (152). It follows from round 1: White." in found
    assert "provisional rating" in found
    assert "The rounds cannot be checked without the number of rounds." in html


def test_a_file_of_another_system_is_refused_with_its_line(page: Client, event: Event, report: bytes) -> None:
    empty = section_of(0, event=event, name="Empty", slug="empty")
    data = report.replace(b"192 FIDE_DUBOV", b"192 FIDE_BURSTEIN")
    status, html = upload(page, address(empty, "entries/import/"), data, "burstein.trf")
    assert status == 422
    assert "another pairing system" in html


def test_the_arbiter_chooses_the_system_of_a_file_that_names_none_before_its_rounds_are_checked(
    owners_page: Client, event: Event, odd: bytes
) -> None:
    """The files of other programs have no 192, and are mostly of the Dutch System."""
    data = b"".join(line for line in odd.splitlines(True) if line[:3] not in {b"192", b"092"})
    here = f"/{event.slug}/-/report/"
    _status, html = upload(owners_page, here, data, "other.trf")
    assert "It is read as a file of this system: Dutch System." in unescape(html)
    assert '<option value="dutch" selected>' in html
    assert ("Rounds checked" in html, 'id="departures"' in html) == (False, False)
    html = owners_page.get(f"{here}?preview&system=dubov").content.decode()
    assert "It is read as a file of this system: Dubov System." in unescape(html)
    assert 'id="departures"' in html
    sent = {**shown(html), "name": "Brought in"}
    assert "Which pairing system?" in owners_page.post(f"{here}?preview", sent).content.decode()
    assert not event.sections.filter(name="Brought in").exists()
    sent["system"] = "dubov"
    assert owners_page.post(f"{here}?preview", sent).status_code == 302
    assert event.sections.get(name="Brought in").system == "dubov"


def test_record_092_names_the_system_too(owners_page: Client, event: Event, odd: bytes) -> None:
    data = b"".join(line for line in odd.splitlines(True) if not line.startswith(b"192"))
    _status, html = upload(owners_page, f"/{event.slug}/-/report/", data, "dubov.trf")
    assert ("Which pairing system?" in html, 'id="departures"' in html) == (False, True)


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_a_contradiction_is_reported_with_its_place_and_nothing_is_imported(
    page: Client, event: Event, name: str
) -> None:
    data, lines = CONTRADICTIONS[name]
    empty = section_of(0, event=event, name="Empty", slug="empty")
    status, html = upload(page, address(empty, "entries/import/"), data, "broken.trf")
    (found,) = re.findall(r'id="problem">(.*?)</div>', html, re.DOTALL)
    assert status == 422
    assert [unescape(line) for line in re.findall("<li>(.*?)</li>", found)] == [
        f"{line[0].upper()}{line[1:]}." for line in lines
    ]
    assert empty.participants.count() == 0
