from __future__ import annotations

import pytest

from tests.queries.sections import MadeSection, make_section
from tournaments.models import ActionLog
from tournaments.queries.log import PAGE_SIZE, LogFilter, log_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def section() -> MadeSection:
    made = make_section({"Anna": 2000, "Bert": 1900})
    for number in range(1, PAGE_SIZE + 11):
        ActionLog.objects.create(
            event=made.row.event,
            section=made.row,
            who="olga" if number % 2 else "carl",
            action="record_result",
            subject=f"{number}: 1 Anna - 2 Bert",
            round_number=number % 3,
            reason="clock" if number == 7 else "",
            revision=number,
        )
    return made


def test_pages_are_newest_first(section: MadeSection) -> None:
    page = log_page(section.row)
    assert (page.rows[0].revision, len(page.rows), page.page, page.pages, page.total) == (60, 50, 1, 2, 60)
    assert (page.has_newer, page.has_older) == (False, True)
    assert [row.revision for row in log_page(section.row, 2).rows] == list(range(10, 0, -1))


@pytest.mark.parametrize(("asked", "given"), [(0, 2), (99, 2), ("x", 1), ("2", 2), ("", 1)])
def test_a_page_that_does_not_exist_gives_one_that_does(
    section: MadeSection, asked: int | str, given: int
) -> None:
    assert log_page(section.row, asked).page == given


def test_all_words_of_a_search_must_be_there(section: MadeSection) -> None:
    assert [row.revision for row in log_page(section.row, search="CLOCK olga").rows] == [7]
    assert log_page(section.row, search="clock carl").total == 0


def test_a_command_is_found_by_the_words_of_the_page_alone(section: MadeSection) -> None:
    for revision, who, origin in (
        (101, "olga", "command"),
        (102, "command", "command"),
        (103, "olga", "192.0.2.1"),
    ):
        ActionLog.objects.create(
            event=section.row.event,
            section=section.row,
            who=who,
            origin=origin,
            action="open_check_in",
            revision=revision,
        )
    found = {
        words: [
            row.revision for row in log_page(section.row, wanted=LogFilter(words, commands=("befehl",))).rows
        ]
        for words in ("befehl", "command", "befehl olga")
    }
    assert found == {"befehl": [102, 101], "command": [], "befehl olga": [101]}


@pytest.mark.parametrize(
    ("search", "found"),
    [("%", 0), ("_", 60), ("'; --", 0), ("x" * 500, 0), ("\x00", 60), ("²", 0)],
)
def test_special_characters_of_a_search_are_plain_text(section: MadeSection, search: str, found: int) -> None:
    page = log_page(section.row, search=search)
    assert (page.total, len(page.search) <= 80) == (found, True)


def test_another_section_has_its_own_log(section: MadeSection) -> None:
    assert log_page(make_section({}).row).total == 0
