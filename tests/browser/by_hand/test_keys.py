"""Pairing by hand in a real browser: with keys."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.by_hand.conftest import Open, boards, player, shot
from tournaments.models import Bye, Round


def test_second_half_point_bye_asks_for_confirmation(opened: Open, draft: Round) -> None:
    white = boards(draft)[0][0]
    entry = draft.section.participants.get(tpn=white)
    Bye.objects.create(participant=entry, round_number=3, kind="H", source=Bye.Source.REQUESTED)
    page = opened()
    player(page, white, draft).focus()
    page.keyboard.press("h")
    expect(page.locator("#ask")).to_contain_text("would have 2 half-point byes")
    shot(page, "by-hand-second-half-point-bye")
    expect(page.locator("#cancel")).to_be_focused()
    page.keyboard.press("y")
    expect(page.locator("#ask")).to_have_count(0)
    expect(page.locator(".rests")).to_contain_text("half-point bye")
    page.locator(".rests .pick").focus()
    acts = page.locator("#acts")
    for name in ("Exchange colours", "Give the bye", "Half-point bye", "Zero-point bye"):
        expect(acts.get_by_role("button", name=name)).to_be_disabled()
    expect(page.locator("#impossible")).to_have_text("To change anything else, cancel the bye first.")
    for width in (1366, 360):
        page.set_viewport_size({"width": width, "height": 768})
        shot(page, f"by-hand-bye-{width}")
    page.set_viewport_size({"width": 1366, "height": 768})
    version = Round.objects.get(pk=draft.pk).version
    page.keyboard.press("Enter")
    page.locator("tr[data-board='2'] .pick").first.click()  # picks this player, and no change is sent
    expect(page.locator("#picked-words")).to_contain_text("is picked. Pick the other player, or:")
    expect(page.locator("#impossible")).to_be_empty()
    page.keyboard.press("Escape")
    assert Round.objects.get(pk=draft.pk).version == version
    page.locator(".rests .pick").focus()
    expect(acts.get_by_role("button", name="Cancel the bye")).to_be_enabled()
    page.keyboard.press("x")
    expect(page.locator(".rests")).to_have_count(0)
    page.locator(f"#p-{entry.pk}").focus()
    expect(page.locator("#impossible")).to_have_text("Not on a board yet.")
    expect(acts.get_by_role("button", name="Unpair")).to_be_disabled()
    expect(acts.get_by_role("button", name="Zero-point bye")).to_be_enabled()


def test_everything_by_keys(opened: Open, draft: Round) -> None:
    page = opened()
    (white, black), (_second, second_black) = boards(draft)[:2]
    page.keyboard.press("ArrowDown")
    expect(player(page, white, draft)).to_be_focused()
    page.keyboard.press("ArrowRight")
    expect(player(page, black, draft)).to_be_focused()
    page.keyboard.press("w")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(black))
    expect(page.locator("#new-concerns")).to_contain_text("but both get the opposite")
    page.keyboard.press("u")
    expect(page.locator("tr[data-board='1'] .pick").first).to_contain_text(str(white))
    expect(page.locator("#new-concerns")).to_have_count(0)
    expect(player(page, black, draft)).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")
    expect(player(page, second_black, draft)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='2'] .pick").nth(1)).to_contain_text(str(black))
    assert boards(draft)[:2][1][1] == black
    page.keyboard.press("x")
    expect(page.locator(".pool .pick")).to_have_count(3)
    assert draft.games.count() == 11
    # The search finds boards, numbers and names.
    page.keyboard.press("7")  # a result in Results, and nothing here
    expect(page.locator("#find")).not_to_be_focused()
    page.keyboard.press("b")
    expect(page.locator("#find")).to_be_focused()
    page.keyboard.press("7")
    page.keyboard.press("Enter")
    expect(page.locator("tr[data-board='7'] .pick").first).to_be_focused()
    page.keyboard.press("/")
    page.keyboard.type("zmij")
    page.keyboard.press("Enter")
    expect(page.locator(":focus")).to_contain_text("Żmijewski")
    page.keyboard.press("/")
    page.keyboard.type("nobody at all")
    expect(page.locator("#found")).to_be_visible()


def test_bye_goes_to_another_player_and_a_player_gets_a_zero_point_bye(opened: Open, draft: Round) -> None:
    """Number 25 had the bye in round 1, number 24 has it now."""
    page = opened()
    (first, second), *_others = boards(draft)
    other = first if second == 25 else second
    player(page, 25, draft).focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_contain_text("25 Fernández Núñez, Ángel had the bye in round 1")
    expect(page.locator("#ask")).to_contain_text("C2 3.1.2")
    question, answer = (page.locator(which).bounding_box() for which in ("#ask-what", "#cancel"))
    assert answer["y"] - question["y"] - question["height"] >= 8  # the ring of the focus is outside the text
    shot(page, "by-hand-asked")
    expect(page.locator("#cancel")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator("#ask")).to_have_count(0)
    player(page, 25, draft).focus()
    page.keyboard.press("r")
    expect(page.locator("#ask")).to_be_visible()
    page.keyboard.press("y")
    expect(page.locator("#ask")).to_have_count(0)
    assert Bye.objects.get(kind="U", round_number=2).participant.tpn == 25
    player(page, 24, draft).focus()
    page.keyboard.press("x")
    expect(page.locator(".pool .pick")).to_have_count(3)
    player(page, other, draft).focus()
    page.keyboard.press("z")
    expect(page.get_by_text("zero-point bye", exact=True)).to_be_visible()
