"""Documents and files."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from pairing.engine.trf import read_report
from tests.web.staff.conftest import address, enter, paired, played
from tournaments.models import Tournament


def test_every_link_of_the_documents_leads_somewhere(page: Client, section: Tournament) -> None:
    played(section)
    html = page.get(address(section, "documents/")).content.decode()
    links = re.findall(r'<th scope="row" class="nm"><a href="([^"]+)"', html)
    assert len(links) == 19
    assert {link: page.get(link).status_code for link in links} == dict.fromkeys(links, 200)


def test_rounds_without_a_date_are_told_beside_the_file_for_rating(page: Client, section: Tournament) -> None:
    html = page.get(address(section, "documents/")).content.decode()
    assert "no date" not in html
    played(section)
    section.refresh_from_db()
    section.schedule = ["2026-10-17"]
    section.save()
    paired(section)
    html = page.get(address(section, "documents/")).content.decode()
    assert "1 round has no date" in html


def test_before_round_1_there_are_no_pairings_to_print(page: Client, section: Tournament) -> None:
    html = page.get(address(section, "documents/")).content.decode()
    assert "Result slips" not in html
    assert page.get(address(section, "csv/pairings/")).status_code == 404


def test_report_file_is_sent_under_a_name_of_its_own(page: Client, section: Tournament) -> None:
    played(section)
    answer = page.get(address(section, "report.trf"))
    assert answer["Content-Disposition"] == 'attachment; filename="rijswijk-a.trf"'
    assert len(read_report(answer.content).players) == 8


def test_report_for_rating_has_a_file_name_of_its_own(page: Client, section: Tournament) -> None:
    played(section)
    answer = page.get(address(section, "report.trf?for=rating"))
    assert answer["Content-Disposition"] == 'attachment; filename="rijswijk-a-rating.trf"'


def test_report_for_rating_is_refused_while_a_game_is_open(page: Client, section: Tournament) -> None:
    row = paired(section)
    enter(row.games.get(board=1), "1-0")
    answer = page.get(address(section, "report.trf?for=rating"))
    assert answer.status_code == 422
    assert "Round 1: 3 boards have no result (2, 3 and 4)." in answer.content.decode()


@pytest.mark.parametrize("document", ["entries", "standings", "aro", "pairings"])
def test_lists_are_sent_as_csv(page: Client, section: Tournament, document: str) -> None:
    played(section)
    answer = page.get(address(section, f"csv/{document}/"))
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="rijswijk-a-{document}.csv"'


def test_list_that_is_none_is_not_found(page: Client, section: Tournament) -> None:
    assert page.get(address(section, "csv/passwords/")).status_code == 404
