"""Undo: back to before a round and forward again; an action that others depend on; the log, searched and downloaded."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Seat
from tests.browser.made import made_once
from tests.browser.results import fits
from tests.factories import EventFactory, UserFactory, section_of
from tests.web.staff.conftest import address, enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.models import Section


def one_round_drawn() -> Section:
    """Eight players, round 1 drawn on all boards."""
    made = section_of(8, event=EventFactory(slug="rijswijk"), slug="a")
    played(made)
    return made


@pytest.fixture
def section(server: str) -> Section:
    return made_once(one_round_drawn)


def results(section: Section, number: int) -> list[str]:
    return list(
        section.played_rounds.get(number=number).games.order_by("board").values_list("result", flat=True)
    )


def test_restore_to_before_a_round_is_undone(section: Section, seat: Seat) -> None:
    row = paired(section)
    enter(row.games.get(board=2), "0-1")
    pairs = list(row.games.order_by("board").values_list("white__tpn", "black__tpn"))
    page = seat(section, "log/")
    page.get_by_text("Go back to before a round").click()
    page.get_by_role("link", name="Before round 2").click()
    expect(page.locator(".note.warn")).to_contain_text("3 actions will be undone")
    expect(page.locator(".note.warn")).to_contain_text("You can undo this step in the log")
    page.get_by_label("Reason").fill("paired without the late entries")
    page.get_by_role("button", name="Go back to before round 2").click()
    expect(page.locator(".head .btn.go")).to_contain_text("Pair round 2")
    assert section.played_rounds.count() == 1

    page.get_by_role("link", name="Whole log, undo").click()
    page.get_by_role("link", name=re.compile("^Undo ?: Section restored to before round 2")).press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Undo")
    page.get_by_role("button", name="Undo this action").press("Enter")
    expect(page.get_by_text("Going back to before round 2 undone").first).to_be_visible()
    back = section.played_rounds.get(number=2)
    assert list(back.games.order_by("board").values_list("white__tpn", "black__tpn")) == pairs
    assert results(section, 2) == ["", "0-1", "", ""]
    page.goto(address(section, "cockpit/"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Round 2")
    expect(page.locator(".head .btn.go")).to_contain_text("Enter results")


def test_refused_undo_lists_the_actions_that_depend_on_it(section: Section, seat: Seat) -> None:
    paired(section)
    result = section.log.filter(action="record_result").order_by("revision").first()
    page = seat(section, f"log/{result.revision}/undo/", viewport={"width": 360, "height": 740})
    expect(page.get_by_role("heading", level=1)).to_have_text("Later actions depend on this")
    expect(page.get_by_role("button", name="Undo this action")).to_have_count(0)
    expect(page.locator(".resting")).to_contain_text("Round 2")
    assert fits(page)
    first = page.get_by_role("link", name="Undo this first").first
    path = first.get_attribute("href")
    first.click()
    page.wait_for_url(f"**{path}")
    page.goto(address(section, f"log/{result.revision}/undo/"))
    page.get_by_label("Reason").fill("the wrong list")
    page.get_by_role("button", name=re.compile(r"^Undo \d+ actions$")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Log")
    assert section.played_rounds.count() == 1
    assert results(section, 1) == ["", "", "", ""]


def test_undo_is_refused_if_an_action_meanwhile_depends_on_it(section: Section, seat: Seat) -> None:
    result = section.log.filter(action="record_result").latest("revision")
    page = seat(section, f"log/{result.revision}/undo/")
    expect(page.get_by_role("button", name="Undo this action")).to_be_visible()
    paired(section)
    page.get_by_role("button", name="Undo this action").click()
    expect(page.locator("#problem")).to_contain_text("Nothing was undone.")
    expect(page.get_by_role("heading", level=1)).to_have_text("Later actions depend on this")
    assert "" not in results(section, 1)


def test_toast_undoes_the_last_action(section: Section, seat: Seat) -> None:
    entry = section.participants.get(tpn=3)
    page = seat(section, "byes/")
    page.get_by_label("Player").select_option(str(entry.pk))
    page.get_by_role("textbox", name="Rounds").fill("3")
    page.get_by_role("button", name="Give the bye").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    expect(page.get_by_label("Player")).not_to_be_focused()  # U is a key
    page.goto(address(section, "byes/"))
    expect(page.get_by_label("Player")).to_be_focused()  # the offer is known
    page.locator(".toast").get_by_role("button", name="Undo").click()
    expect(page.get_by_text("No byes requested.")).to_be_visible()
    assert not entry.byes.exists()


@pytest.fixture
def busy(section: Section) -> Section:
    """Zoe has withdrawn somebody and given a bye."""
    zoe = Actor(user=UserFactory(username="zoe"), origin="192.0.2.7")
    first, second = (section.participants.get(tpn=tpn) for tpn in (3, 4))
    withdraw_participant(actor=zoe, participant_id=first.pk, reason="ill since Friday")
    request_bye(actor=zoe, participant_id=second.pk, round_number=3, kind="H")
    return section


def found(page: Page, count: int) -> None:
    expect(page.locator(".log-list tbody td.when")).to_have_count(count)


def test_log_is_searched_during_typing_and_its_rows_are_downloaded(
    busy: Section, seat: Seat, tmp_path: Path
) -> None:
    page = seat(busy, "log/")
    found(page, 8)
    page.get_by_label("Search the log").press_sequentially("friday")
    found(page, 1)
    expect(page.locator(".log-list")).to_contain_text("Reason: ill since Friday")
    page.get_by_label("Search the log").fill("")
    found(page, 8)
    page.get_by_label("Who").select_option("zoe")
    found(page, 2)
    files = []
    page.get_by_text("Files", exact=True).click()
    for kind in ("CSV", "JSON"):
        with page.expect_download() as started:
            page.get_by_role("link", name=kind, exact=True).click()
        files.append(tmp_path / started.value.suggested_filename)
        started.value.save_as(files[-1])
    table = list(csv.reader(files[0].read_text("utf-8-sig").splitlines(), delimiter=";"))
    assert [(line[2], line[4]) for line in table[1:]] == [
        ("zoe", "request_bye"),
        ("zoe", "withdraw_participant"),
    ]
    rows = json.loads(files[1].read_text("utf-8"))
    assert [row["reason"] for row in rows] == ["", "ill since Friday"]
    page.keyboard.press("Escape")
    page.get_by_label("Action").select_option("withdraw_participant")
    found(page, 1)
    expect(page).to_have_url(re.compile("who=zoe.*action=withdraw_participant"))
    page.get_by_text(re.compile(r"^No\. \d+: before and after$")).click()
    expect(page.get_by_text("from 192.0.2.7")).to_be_visible()
    assert fits(page)
