"""Documents and files."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from evenboard_engine.trf import read_report
from tests.factories import EventRoleFactory, UserFactory, entry_data
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tests.workbooks import same_rows
from tournaments.actions.entries import edit_participant
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Player, Section


def test_every_link_of_the_documents_works(page: Client, section: Section) -> None:
    played(section)
    html = page.get(address(section, "documents/")).content.decode()
    lists = html.partition('id="t-paper"')[2]
    links = re.findall(r'<span class="row"><a href="([^"#]+)(?:#print)?"', lists)
    assert len(links) == 40
    papers = re.findall(r'href="([^"#]+)#print"', lists)
    assert (len(papers) > 10, re.findall(r'href="([^"#]+)#pdf">PDF', lists)) == (True, papers)
    assert [re.sub(r"<[^>]+>", "", each) for each in re.findall("<h4.*?</h4>", lists)] == [
        "Lists of players, rounds and standings",
        "For the federation",
        "For other programs, and to keep",
    ]
    assert {link: page.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_rounds_without_a_date_are_named_beside_the_file_for_rating(page: Client, section: Section) -> None:
    html = page.get(address(section, "documents/")).content.decode()
    assert "no date" not in html
    played(section)
    section.refresh_from_db()
    section.schedule = ["2026-10-17"]
    section.save()
    paired(section)
    html = page.get(address(section, "documents/")).content.decode()
    assert "1 round has no date" in html


def test_rounds_outside_the_dates_of_the_event_are_named_beside_the_report(
    page: Client, owners_page: Client, section: Section
) -> None:
    warning = (
        "The rounds are on 26 Oct 2026, but the event is from 17 Oct 2026 to 25 Oct 2026. The report of the "
        "section has dates that include all rounds (042, 052)."
    )
    for schedule, warned in ((["2026-10-17", "2026-10-25"], False), (["2026-10-26"], True)):
        Section.objects.update(schedule=schedule)
        html = page.get(address(section, "documents/")).content.decode()
        assert (warning in html) is warned
    assert "Correct the dates of the event" not in html
    assert warning in page.get(address(section, "documents/rating/")).content.decode()
    html = owners_page.get(address(section, "documents/")).content.decode()
    assert f'<a href="/{section.event.slug}/-/edit/">Correct the dates of the event</a>' in html


def test_before_round_1_there_are_no_pairings_to_print(page: Client, section: Section) -> None:
    html = page.get(address(section, "documents/")).content.decode()
    assert "Result slips" not in html
    assert page.get(address(section, "csv/pairings/")).status_code == 404


def test_check_in_is_offered_until_the_last_round_is_paired(page: Client, section: Section) -> None:
    assert "print/check-in/" in page.get(address(section, "documents/")).content.decode()
    section.rounds = 1
    section.save()
    paired(section)
    assert "print/check-in/" not in page.get(address(section, "documents/")).content.decode()


def test_report_file_is_sent_under_a_name_of_its_own(page: Client, section: Section) -> None:
    played(section)
    answer = page.get(address(section, "report.trf"))
    assert answer["Content-Disposition"] == 'attachment; filename="rijswijk-a.trf"'
    assert len(read_report(answer.content).players) == 8


def test_report_for_rating_has_a_file_name_of_its_own(page: Client, section: Section) -> None:
    played(section)
    Section.objects.update(rounds=1)
    answer = page.get(address(section, "report.trf?for=rating"))
    assert answer["Content-Disposition"] == 'attachment; filename="rijswijk-a-rating.trf"'


def rating_link(page: Client, section: Section) -> str:
    """The link of the documents, as it is written."""
    html = page.get(address(section, "documents/")).content.decode()
    return re.search(r'<a ([^>]+)>TRF<span class="sr">, Report for rating', html)[1]


def test_report_for_rating_is_refused_in_the_section_while_a_game_is_open(
    page: Client, section: Section
) -> None:
    """The page gives the reason once, and has the tabs of the section."""
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    assert rating_link(page, section) == f'href="{address(section, "documents/rating/")}"'
    for path, status in (("report.trf?for=rating", 422), ("documents/rating/", 200)):
        answer = page.get(address(section, path))
        html = answer.content.decode()
        assert answer.status_code == status
        assert html.count("Round 1: 3 boards have no result (2, 3 and 4).") == 1
        assert f'href="{address(section, "entries/")}"' in html
        assert f'href="{address(section, "round/1/results/")}" data-key="Enter">Results of round 1 <' in html
        assert "Download" not in html


def test_report_for_rating_of_an_unfinished_section_says_so_before_it_is_sent(
    page: Client, section: Section
) -> None:
    played(section)
    assert rating_link(page, section) == f'href="{address(section, "documents/rating/")}"'
    for path in ("documents/rating/", "report.trf?for=rating"):
        answer = page.get(address(section, path))
        assert "Content-Disposition" not in answer
        html = answer.content.decode()
        assert "The section is not finished." in html
        assert "Download the report of 1 round<" in html
    file = address(section, "report.trf?for=rating&unfinished=yes")
    assert f'href="{file.replace("&", "&amp;")}"' in html
    assert read_report(page.get(file).content).rounds_paired == 1


@pytest.mark.parametrize("how", ["closed early", "all rounds"])
def test_report_for_rating_of_a_finished_section_is_sent_at_once(
    page: Client, section: Section, how: str
) -> None:
    played(section)
    if how == "all rounds":
        Section.objects.update(rounds=1)
    else:
        Section.objects.update(status="closed")
    file = address(section, "report.trf?for=rating")
    assert rating_link(page, section) == f'href="{file}" download'
    assert read_report(page.get(file).content).rounds_paired == 1
    about = address(section, "documents/rating/")
    assert "The section is not finished" not in page.get(about).content.decode()
    Player.objects.filter(entries__section=section, entries__tpn=1).update(name="A" * 34)
    assert rating_link(page, section) == f'href="{about}"'


def notes_of(page: Client, section: Section) -> list[str]:
    """Return what the page of the report for rating says that the file lacks, without links."""
    html = page.get(address(section, "documents/rating/")).content.decode()
    found = re.search(r'<ul class="[^"]*" id="lacks">(.*?)</ul>', html, re.DOTALL)
    items = re.findall(r"<li[^>]*>(.*?)</li>", found[1], re.DOTALL) if found else []
    return [" ".join(re.sub(r"<a .*?</a>", "", item, flags=re.DOTALL).split()) for item in items]


def test_report_for_rating_says_beside_the_button_what_it_lacks(page: Client, section: Section) -> None:
    everyone = section.participants.order_by("tpn")
    for entry in everyone.select_related("player"):
        entry.player.fide_id = 100 + entry.tpn
        entry.player.save()
        section.participants.filter(pk=entry.pk).update(official_rating=entry.rating)
    played(section)
    Section.objects.update(rounds=1, schedule=["2026-10-17"])
    assert notes_of(page, section) == []
    Section.objects.update(schedule=[])
    first, second = everyone.select_related("player")[:2]
    first.player.fide_id = None
    first.player.name = "Wolfeschlegelsteinhausenberger, Hubert"
    first.player.save()
    section.participants.filter(pk=first.pk).update(official_rating=1990)
    section.participants.filter(pk=second.pk).update(official_rating=None)
    assert notes_of(page, section) == [
        "1 round has no date. A report for rating should have the date of every round.",
        "1 player has no FIDE ID.",
        "1 player has no official rating, only a tournament rating.",
        f"The official rating of {first.player.name} is not the tournament rating. The report has the official rating.",
        f"The report has 33 characters for a name, and cuts the name of {first.player.name}.",
    ]
    html = page.get(address(section, "documents/rating/")).text
    for entry in (first, second):
        assert re.search(rf'href="{address(section, f"entries/{entry.pk}/")}">\s*{entry.player.name}', html)
    assert "?for=rating" in html
    assert 'data-key="Enter"' not in html.partition("<main")[2]  # the incomplete file is no default


def test_there_is_no_report_for_rating_before_round_1(page: Client, section: Section) -> None:
    html = page.get(address(section, "documents/rating/")).content.decode()
    assert "There is no game to rate yet." in html
    assert "Download" not in html


def test_lists_are_sent_as_csv(page: Client, section: Section) -> None:
    played(section)
    for document in ["entries", "standings", "crosstable", "aro", "pairings"]:
        answer = page.get(address(section, f"csv/{document}/"))
        assert answer["Content-Type"] == "text/csv; charset=utf-8", document
        assert answer["Content-Disposition"] == f'attachment; filename="rijswijk-a-{document}.csv"', document


def test_each_csv_on_the_documents_has_a_workbook_with_the_same_rows(page: Client, section: Section) -> None:
    played(section)
    html = page.get(address(section, "documents/")).content.decode()
    tables = re.findall(r'href="([^"]+/csv/[^"]+|[^"]+\.csv)"', html)
    workbooks = re.findall(r'href="([^"]+)" download>XLSX', html)
    assert len(tables) == len(workbooks) == 13
    for table, workbook in zip(tables, workbooks, strict=True):
        assert workbook == table.replace("csv", "xlsx")
        same_rows(page, table, workbook)


def test_log_has_a_workbook_with_the_same_rows(page: Client, section: Section) -> None:
    played(section)
    assert len(same_rows(page, *(address(section, f"log/file/{kind}/") for kind in ("csv", "xlsx")))) > 1


def test_unknown_list_is_not_found(page: Client, section: Section) -> None:
    for kind in ("csv", "xlsx"):
        assert page.get(address(section, f"{kind}/passwords/")).status_code == 404


@pytest.mark.parametrize("edition", ["16", "06"])
def test_page_says_what_an_older_format_cannot_hold_before_the_file(
    page: Client, section: Section, edition: str
) -> None:
    html = page.get(address(section, f"documents/trf/{edition}/")).content.decode()
    assert "The number of rounds." in html
    assert "Which rating gave the pairing numbers." in html
    file = page.get(address(section, f"documents/trf/{edition}/?file=yes"))
    assert {line[:3] for line in file.content.decode().splitlines()} <= {
        *("012", "022", "032", "042", "052", "062", "072", "092", "102", "122", "132", "001"),
    }
    assert page.get(address(section, "documents/trf/26/")).status_code == 404


def test_a_viewer_gets_no_birth_date_and_no_note(section: Section, log_in: LogIn) -> None:
    """They were given to be paired, and a viewer only looks (decision 78)."""
    viewer = log_in(EventRoleFactory(event=section.event, role="viewer", user=UserFactory()).user)
    entry = section.participants.get(tpn=1)
    typed = entry_data(entry.player.name, birth_date="1987/06/05", note="Asthma")
    edit_participant(actor=Actor.command(), participant_id=entry.pk, entry=typed, asked=True)
    section.refresh_from_db()
    listed = viewer.get(address(section, "entries/"))
    assert entry.player.name in listed.text
    assert f"entries/{entry.pk}/" not in listed.text
    assert "csv/standings/" in (documents := viewer.get(address(section, "documents/")).text)
    assert "csv/entries/" not in documents
    logged = [viewer.get(address(section, path)).text for path in ("log/", "log/file/json/", "log/file/csv/")]
    assert [
        text for text in logged if "1987" in text or "Asthma" in text or f"{section.revision}/undo/" in text
    ] == []
    for path in (f"entries/{entry.pk}/", "csv/entries/", "xlsx/entries/", f"log/{section.revision}/undo/"):
        answer = viewer.get(address(section, path))
        assert (answer.status_code, "1987" in answer.text) == (403, False), path
    EventRole.objects.update(role="arbiter")
    for path in ("csv/entries/", "log/", "log/file/json/"):
        assert "1987" in viewer.get(address(section, path)).text
