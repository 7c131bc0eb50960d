"""A draft that is open for changes, and its page."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from pairing.by_hand import begin_manual_phase
from tests.browser.conftest import LogIn, PageMaker
from tests.browser.made import made_once
from tests.browser.people import section_of_people
from tests.factories import EventRoleFactory
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.ledger import Actor
from tournaments.models import Round, Section

Open = Callable[..., Page]


def shot(page: Page, name: str) -> None:
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=Path(folder) / f"{name}.png", full_page=True, caret="initial")


def boards(row: Round) -> list[tuple[int, int]]:
    return list(row.games.order_by("board").values_list("white__tpn", "black__tpn"))


def with_a_draft() -> Section:
    """Round 2 of twenty-five people, a draft that is open for changes."""
    section: Section = section_of_people(initial_colour="w", rounds=7)
    played(section)
    row = paired(section, published=False)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    return section


@pytest.fixture
def draft(server: str) -> Round:
    return made_once(with_a_draft).played_rounds.get(number=2)


@pytest.fixture
def opened(draft: Round, new_page: PageMaker, log_in: LogIn) -> Open:
    """Return a function that opens the page of the draft; its options are those of `new_page`."""

    def opened(**options: object) -> Page:
        page = new_page(**options)
        log_in(page, EventRoleFactory(event=draft.section.event).user)
        page.goto(address(draft.section, "round/2/by-hand/"))
        return page

    return opened


def player(page: Page, tpn: int, row: Round) -> Locator:
    return page.locator(f"#p-{row.section.participants.get(tpn=tpn).pk}")
