"""Documents as Chromium prints them: sheets, headings, rows that are not cut, page numbers."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.auth import get_user_model
from playwright.sync_api import Page, expect
from pypdf import PdfReader

from evenboard_engine import Result
from evenboard_engine.prizes import Method
from pairing.rounds import pair_next_round
from tests.browser.conftest import LogIn, PageMaker
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tests.browser.public.conftest import address, enter, play_round
from tournaments.actions.byes import request_bye
from tournaments.actions.ledger import Actor
from tournaments.models import EventRole, Participant, PrizeCategory, PrizePlan, Section, User
from tournaments.queries.aro_list import aro_list
from web.words.values import points_text

A4 = (595, 842)
PLAYERS = 90


def ninety_players() -> Section:
    """Ninety players, two rounds played, the third published: each list needs more than one sheet."""
    made = section_of_people(PLAYERS)
    for number in (1, 2):
        for game in play_round(made, number).games.all():
            enter(game, (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)[game.board % 3])
    play_round(made, 3)
    made.refresh_from_db()
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(ninety_players)


@pytest.fixture
def ada(section: Section) -> User:
    user = get_user_model().objects.create_user("ada")
    EventRole.objects.create(event=section.event, user=user, role=EventRole.Role.OWNER)
    return user


def printed(page: Page, path: str) -> list[str]:
    """Return the text of each sheet, with single spaces."""
    answer = page.goto(path)
    assert answer is not None
    assert answer.status == 200
    pdf = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True)))
    sizes = {tuple(sorted(round(side) for side in sheet.mediabox[2:])) for sheet in pdf.pages}
    assert sizes == {A4}
    return [" ".join(sheet.extract_text().split()) for sheet in pdf.pages]


def numbered(sheets: list[str]) -> bool:
    return all(f"{number} / {len(sheets)}" in text for number, text in enumerate(sheets, 1))


def test_prize_list_needs_two_sheets_and_both_have_the_heads(
    section: Section, ada: User, new_page: PageMaker, log_in: LogIn
) -> None:
    section.prizes = PrizePlan((PrizeCategory("General", (100,) * 60, Method.PLACE),), unit=1).stored
    section.save()
    page = new_page()
    log_in(page, ada)
    sheets = printed(page, f"{address(section)}print/prizes/")
    assert len(sheets) == 2
    assert [text.count("How the sum is made") for text in sheets] == [1, 1]
    assert sum(len(re.findall(r"Place \d+: 1\.", text)) for text in sheets) == 60


def sheets_of(sheets: list[str], text: str) -> list[int]:
    return [number for number, sheet in enumerate(sheets, 1) if text in sheet]


def whole_rows(sheets: list[str], participant: Participant) -> list[int]:
    """Return the sheets with the name and its rating in one row.

    Between two lines of a name there may be a board number, and no space.
    """
    name = r"( \d+)? ?".join(re.escape(word) for word in participant.player.name.split())
    row = rf"{name}( \d+)?[A-Z ]*{participant.rating}( |$)"
    return [number for number, sheet in enumerate(sheets, 1) if re.search(row, sheet)]


def names(section: Section) -> list[str]:
    return list(section.participants.values_list("player__name", flat=True))


def test_boards_on_paper(new_page: PageMaker, section: Section) -> None:
    sheets = printed(new_page(), f"{address(section)}print/boards/")
    assert len(sheets) == 2
    assert numbered(sheets)
    assert sheets_of(sheets, "Herfsttoernooi") == [1, 2]
    assert sheets_of(sheets, "Round 3") == [1, 2]
    assert sheets_of(sheets, "Bd White Rating Pts Result Black Rating Pts") == [1, 2]
    for game in section.played_rounds.get(number=3).games.select_related("white__player", "black__player"):
        assert len(whole_rows(sheets, game.white)) == 1
        assert whole_rows(sheets, game.white) == whole_rows(sheets, game.black)


def test_every_sheet_of_boards_has_a_board(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    page.goto(f"{address(section)}print/boards/")
    body = page.locator(".board-list tbody")
    body.evaluate(
        """(body) => {
            body.rows[0].cells[1].textContent = "Everybody"
            body.replaceChildren(...Array.from({ length: 110 }, () => body.rows[0].cloneNode(true)))
        }"""
    )
    for boards in range(110, 98, -1):
        expect(body.locator("tr")).to_have_count(boards)
        sheets = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
        boards_on = [sheet.extract_text().count("Everybody") for sheet in sheets]
        assert (sum(boards_on), 0 in boards_on) == (boards, False)
        body.locator("tr").last.evaluate("(row) => row.remove()")


def test_names_on_paper_are_in_two_columns(new_page: PageMaker, section: Section) -> None:
    sheets = printed(new_page(), f"{address(section)}print/names/")
    assert len(sheets) == 2
    assert numbered(sheets)
    assert [sheet.count("Name Board Colour") for sheet in sheets] == [2, 2]
    assert sheets_of(sheets, "Round 3") == [1, 2]
    federations = dict(section.participants.values_list("player__name", "player__federation"))
    for name in names(section):
        row = rf"{re.escape(name)} {federations[name]} \d+ (White|Black)"
        assert len([sheet for sheet in sheets if re.search(row, sheet)]) == 1, row


def test_a_very_long_name_stays_on_the_sheet(new_page: PageMaker, section: Section) -> None:
    player = section.participants.get(tpn=2).player
    player.name = "Wolfeschlegelsteinhausenbergerdorff" * 3
    player.save()
    width = 703  # 186 mm: A4 without its margins
    page = new_page(viewport={"width": width, "height": 1000})
    page.emulate_media(media="print")
    for document in ("boards", "names", "starting-list", "standings", "aro", "aro-names"):
        page.goto(f"{address(section)}print/{document}/")
        rights = page.locator("td").evaluate_all(
            "(all) => all.map((one) => one.getBoundingClientRect().right)"
        )
        assert max(rights) <= width + 1, document


def test_check_in_list_on_paper(new_page: PageMaker, log_in: LogIn, section: Section, ada: User) -> None:
    entry = section.participants.get(tpn=7)
    request_bye(actor=Actor.command(), participant_id=entry.pk, round_number=4, kind="H")
    page = new_page()
    log_in(page, ada)
    sheets = printed(page, f"{address(section)}print/check-in/")
    assert len(sheets) == 2
    assert numbered(sheets)
    assert [sheet.count("Name Fed Rating") for sheet in sheets] == [2, 2]
    for heading in (
        section.event.name,
        section.name,
        "Round 4",
        "Check-in by name, 89 players expected, one with a bye",
    ):
        assert sheets_of(sheets, heading) == [1, 2], heading
    assert sum(sheet.count("half-point bye") for sheet in sheets) == 1
    names_alone = [sheet.replace("half-point bye ", "") for sheet in sheets]
    for player in section.participants.select_related("player"):
        assert len(whole_rows(names_alone, player)) == 1
    boxes = page.locator(".tick-doc .box").evaluate_all(
        "(all) => all.map((one) => one.getBoundingClientRect().width > 12)"
    )
    assert boxes == [True] * PLAYERS


def test_lists_on_paper(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    people = section.participants.select_related("player")
    for document in ("starting-list", "standings", "aro", "aro-names", "crosstable"):
        sheets = printed(page, f"{address(section)}print/{document}/")
        assert len(sheets) in (3, 4), document
        assert numbered(sheets), document
        every = list(range(1, len(sheets) + 1))
        assert sheets_of(sheets, "Herfsttoernooi Open.") == every, document
        assert sheets_of(sheets, "Name") == every, document
        assert [one.tpn for one in people if len(whole_rows(sheets, one)) != 1] == [], document


def test_a_score_group_over_two_sheets_is_named_on_both(new_page: PageMaker, section: Section) -> None:
    """No sheet ends with the heading of a group."""
    listed = aro_list(section)
    page = new_page()
    sheets = printed(page, f"{address(section)}print/aro/")
    assert [sheet for sheet in sheets if re.search(r"due Black (Evenboard )?\d / \d$", sheet)] == []
    on = {
        row.name: number
        for row in listed.rows
        for number in whole_rows(sheets, section.participants.get(pk=row.participant_id))
    }
    for group in listed.groups:
        over = sorted({on[row.name] for row in group.rows})
        named = [number for number in over if f"{points_text(group.points)} point" in sheets[number - 1]]
        assert named == over
        covered = page.locator(".aro-doc .aro-doc").nth(listed.groups.index(group))
        first, continued = covered.locator(".first div"), covered.locator("thead .band")
        assert abs(first.bounding_box()["y"] - continued.bounding_box()["y"]) < 2


def test_a_crosstable_of_many_rounds_is_in_landscape(new_page: PageMaker, server: str) -> None:
    made = section_of_people(12, rounds=9)
    for number in range(1, 9):
        for game in play_round(made, number).games.all():
            enter(game, Result.DRAW)
    page = new_page()
    page.goto(f"{address(made)}print/crosstable/")
    (sheet,) = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    assert sheet.mediabox.width > sheet.mediabox.height


def test_slips_on_paper_are_eight_a_sheet_in_cutting_order(
    new_page: PageMaker, log_in: LogIn, section: Section, ada: User
) -> None:
    page = new_page()
    log_in(page, ada)
    sheets = printed(page, f"{address(section)}print/slips/")
    boards = [[int(number) for number in re.findall(r"round 3 (\d+)", sheet)] for sheet in sheets]
    assert [len(sheet) for sheet in boards] == [8, 8, 8, 7, 7, 7]
    pile = [sheet[place] for place in range(8) for sheet in boards if place < len(sheet)]
    assert pile == list(range(1, 46))


def test_a_draft_on_paper_says_so_on_every_sheet(
    new_page: PageMaker, log_in: LogIn, section: Section, ada: User
) -> None:
    for game in section.played_rounds.get(number=3).games.all():
        enter(game, Result.DRAW)
    pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=3)
    page = new_page()
    log_in(page, ada)
    sheets = printed(page, f"{address(section)}print/boards/4/")
    assert sheets_of(sheets, "DRAFT, not published") == [1, 2]


def test_list_pages_print_as_they_are(new_page: PageMaker, section: Section) -> None:
    page = new_page()
    for path in ("pairings/", "aro/", "crosstable/"):
        sheets = printed(page, address(section) + path)
        assert numbered(sheets)
        assert sheets_of(sheets, "Find a name") == []
        text = "".join(sheets).replace(" ", "")
        assert [name for name in names(section) if name.replace(" ", "") not in text] == [], path


def test_columns_of_the_aro_list_hold_the_longest_words(section: Section, browser_page: Page) -> None:
    browser_page.emulate_media(media="print")
    browser_page.goto(f"{address(section)}print/aro/3/")
    wider = browser_page.locator(".aro-doc tbody td.nowrap.small").evaluate_all(
        """(cells) => cells.map((cell) => {
            const word = document.createElement("b");
            word.textContent = "■ White, absolute";
            cell.replaceChildren(word);
            return word.getBoundingClientRect().right - cell.getBoundingClientRect().right;
        }).filter((over) => over > 0)"""
    )
    assert browser_page.locator(".aro-doc tbody td.nowrap.small").count() > 40
    assert wider == []


def test_columns_of_the_aro_list_hold_three_decimals(server: str, browser_page: Page) -> None:
    made = section_of_people(8, system="dubov-1997")
    for number in (1, 2, 3):
        for game in play_round(made, number).games.all():
            enter(game, Result.DRAW)
    for document in ("aro", "aro-names"):
        browser_page.goto(f"{address(made)}print/{document}/")
        numbers = browser_page.locator(".aro-doc td.num")
        assert any(len(text) == 8 for text in numbers.all_inner_texts()), document
        wider = numbers.evaluate_all(
            "cells => cells.filter(e => e.scrollWidth > e.clientWidth).map(e => e.innerText)"
        )
        assert wider == [], document
