"""The list of tie-breaks is put in order by the mouse and by the keyboard."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page, expect

from tests.web.staff.conftest import address
from tournaments.models import Section


def codes(page: Page) -> list[str]:
    return page.locator('#order input[name="code"]').evaluate_all("all => all.map(one => one.value)")


def test_tie_breaks_are_moved_by_keyboard_and_mouse_and_saved(
    section: Section, opened: Callable[..., Page]
) -> None:
    Section.objects.filter(pk=section.pk).update(tie_breaks=["BH/C1", "SB", "DE"])
    section.played_rounds.update(state="draft")
    page = opened()
    page.goto(address(section, "tie-breaks/"))
    item = page.locator('li[data-code="DE"]')
    item.get_by_role("button", name="Move Direct encounter up").focus()
    with page.expect_navigation():
        page.keyboard.press("Alt+ArrowUp")
    assert codes(page) == ["BH/C1", "DE", "SB"]
    expect(item.get_by_role("button", name="Move Direct encounter up")).to_be_focused()
    with page.expect_navigation():
        page.locator('li[data-code="SB"]').drag_to(
            page.locator('li[data-code="BH/C1"]'), target_position={"x": 9, "y": 3}
        )
    assert codes(page) == ["SB", "BH/C1", "DE"]
    page.get_by_role("button", name="Save the tie-breaks").click()
    expect(page.locator("[data-toast]")).to_be_visible()
    section.refresh_from_db()
    assert section.tie_breaks == ["SB", "BH/C1", "DE"]
