"""Slips, cards and large type as Chromium prints them: the stacks of a cut pile are in the order of the boards."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator

import pytest
from django.db.models import F
from playwright.sync_api import Page
from pypdf import PageObject, PdfReader

from tests.browser.conftest import LogIn, PageMaker
from tests.factories import EventRoleFactory, UserFactory, section_of
from tournaments.models import Game, Round, Section

POINT = 25.4 / 72  # in millimetres


def section_with_boards(boards: int) -> Section:
    """Return a section whose round 1 is running: number 1 meets 2, 3 meets 4, and so on."""
    section = section_of(2 * boards, slug="a")
    players = list(section.participants.order_by("tpn"))
    shown = Round.objects.create(section=section, number=1, state=Round.State.PUBLISHED)
    Game.objects.bulk_create(
        Game(round=shown, board=board, white=white, black=black)
        for board, (white, black) in enumerate(zip(players[::2], players[1::2], strict=True), 1)
    )
    return section


def sheets(page: Page, section: Section, document: str) -> list[PageObject]:
    answer = page.goto(f"/{section.event.slug}/{section.slug}/print/{document}")
    assert answer is not None
    assert answer.status == 200
    return list(PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages)


def placed(sheet: PageObject) -> Iterator[tuple[float, float, float, str]]:
    """Yield x and y of each text, in millimetres from the top left corner, the size of its letters, and the text."""
    found: list[tuple[float, float, float, str]] = []
    height = float(sheet.mediabox.height)

    def visit(text: str, cm: list[float], tm: list[float], _font: object, size: float) -> None:
        x = cm[0] * tm[4] + cm[2] * tm[5] + cm[4]
        y = cm[1] * tm[4] + cm[3] * tm[5] + cm[5]
        if text.strip():
            scale = abs(cm[3] * tm[3]) or 1
            found.append((x * POINT, (height - y) * POINT, size * scale, text.strip()))

    sheet.extract_text(visitor_text=visit)
    yield from found


def boards_by_place(sheet: PageObject, rows: int, columns: int) -> dict[int, int]:
    """Return the large number in each place between the cuts. Places count from left to right, then down."""
    width, height = (float(side) * POINT for side in (sheet.mediabox.width, sheet.mediabox.height))
    numbers = [item for item in placed(sheet) if re.fullmatch(r"\d+", item[3])]
    largest = max(size for _, _, size, _ in numbers)
    return {
        int(y // (height / rows)) * columns + int(x // (width / columns)): int(text)
        for x, y, size, text in numbers
        if size == largest
    }


@pytest.fixture
def page(new_page: PageMaker) -> Page:
    return new_page()


def test_stacks_of_a_cut_pile_are_in_the_order_of_the_boards(page: Page, log_in: LogIn, server: str) -> None:
    arbiter = UserFactory()
    log_in(page, arbiter)
    for boards in (1, 8, 9, 30, 101):
        section = section_with_boards(boards)
        EventRoleFactory(event=section.event, user=arbiter)
        pile = [boards_by_place(sheet, rows=4, columns=2) for sheet in sheets(page, section, "slips/")]
        stacks = [[sheet[place] for sheet in pile if place in sheet] for place in range(8)]
        assert [board for stack in stacks for board in stack] == list(range(1, boards + 1))
        assert len(pile) == -(-boards // 8)
        assert all(len(stack) == len(pile) for stack in stacks[: boards // len(pile)]), boards


def test_slip_of_a_step_free_board_fits(page: Page, log_in: LogIn, server: str) -> None:
    section = section_with_boards(2)
    section.participants.filter(tpn=1).update(fixed_board=1, step_free=True)
    log_in(page, EventRoleFactory(event=section.event).user)
    for way in Section.PlayersConfirm:
        Section.objects.filter(pk=section.pk).update(players_confirm=way, revision=F("revision") + 1)
        page.goto(f"/{section.event.slug}/{section.slug}/print/slips/")
        assert page.locator(".slip .step-free").count() == 1
        higher = "all => all.map((one) => one.scrollHeight - one.clientHeight)"
        assert max(page.locator(".slip").evaluate_all(higher)) <= 1, way


def test_place_cards_are_four_a_sheet_and_fit_it(page: Page, log_in: LogIn, server: str) -> None:
    section = section_with_boards(5)
    log_in(page, EventRoleFactory(event=section.event).user)
    printed = sheets(page, section, "cards/1/")
    texts = [" ".join(sheet.extract_text().split()) for sheet in printed]
    assert len(printed) == 3
    assert {(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in printed} == {(842, 595)}
    assert [len(re.findall(r"Board \d+", text)) for text in texts] == [8, 6, 6]


LARGE = (
    ("names-large/", 3, (595, 842)),
    ("names-large/?paper=a3", 2, (842, 1191)),
    ("boards-large/", 3, (595, 842)),
    ("boards-large/?paper=a3", 2, (842, 1191)),
)
"""Documents in large type, with their sheets at most and the size of each."""


def test_two_hundred_players_in_large_type_take_few_sheets(page: Page, server: str) -> None:
    section = section_with_boards(100)
    names = section.participants.values_list("player__name", flat=True)
    for document, most, size in LARGE:
        printed = sheets(page, section, document)
        text = " ".join(" ".join(sheet.extract_text().split()) for sheet in printed)
        sizes = {(round(sheet.mediabox.width), round(sheet.mediabox.height)) for sheet in printed}
        assert (len(printed) <= most, sizes) == (True, {size}), document
        assert [name for name in names if text.count(name) != 1] == [], document
