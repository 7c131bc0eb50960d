"""Results that wait in a browser: the cockpit names them, and pairing, publishing and closing ask about them first."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import LogIn, address, paired, played
from tournaments.models import Event, Game, Section, WaitingResults

DEVICE = "11-22-33-44"


@pytest.fixture
def all_in(section: Section) -> Section:
    """Every result of round 1 is in."""
    played(section)
    return section


def send_from(
    page: Client, section: Section, waiting: object, device: str = DEVICE, result: str = "1-0"
) -> None:
    """Send a result from a browser that says how many more wait there."""
    game = Game.objects.get(round__section=section, round__number=1, board=1)
    sent = {"result": result, "version": game.version, "device": device, "waiting": waiting}
    answer = page.post(
        address(section, f"game/{game.pk}/result/"), sent, headers={"Accept": "application/json"}
    )
    assert answer.status_code == 200


def fields(html: str) -> dict[str, str]:
    """Return the values that the question sends back."""
    form = html.partition(" data-after-results")[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', form))


def test_cockpit_names_what_a_device_has_not_sent_until_it_has(page: Client, all_in: Section) -> None:
    send_from(page, all_in, 5)
    html = page.get(address(all_in, "desk/")).content.decode()
    assert re.search(r"Round 1: 5 results wait on a device of ada, last heard \d\d:\d\d\.", html)
    send_from(page, all_in, 1, result="0-1")
    assert "1 result waits on a device of ada" in page.get(address(all_in, "desk/")).content.decode()
    send_from(page, all_in, 0, result="1/2")
    assert not WaitingResults.objects.exists()


def test_two_devices_and_two_people_are_counted_apart(
    page: Client, all_in: Section, event: Event, log_in: LogIn
) -> None:
    bo = log_in(EventRoleFactory(event=event, user=UserFactory(username="bo")).user)
    send_from(page, all_in, 5)
    send_from(page, all_in, 2, device="55-66-77-88", result="0-1")
    send_from(bo, all_in, 3, result="1/2")
    send_from(page, all_in, 0, result="1-0")
    found = WaitingResults.objects.order_by("pk").values_list("user__username", "count")
    assert list(found) == [("ada", 2), ("bo", 3)]


def test_a_device_that_went_home_is_forgotten_with_one_press_until_it_reports_again(
    page: Client, all_in: Section
) -> None:
    send_from(page, all_in, 5)
    html = page.get(address(all_in, "desk/")).content.decode()
    found = re.search(r'action="([^"]+/device/\d+/forget/)".*?name="count" value="(\d+)"', html, re.DOTALL)
    assert found is not None
    send_from(page, all_in, 4, result="0-1")
    page.post(found[1], {"count": found[2]})  # the device has said something else since
    assert WaitingResults.objects.get().count == 4
    page.post(found[1], {"count": 4})
    assert not WaitingResults.objects.exists()
    html = page.get(address(all_in, "desk/")).content.decode()
    assert "results wait on a device" not in html
    assert "4 results on a device of ada are no longer expected" in html  # the log
    send_from(page, all_in, 4, result="1/2")
    assert WaitingResults.objects.get().count == 4
    page.post(found[1].replace(found[1].split("/")[-3], str(WaitingResults.objects.get().pk)), {"count": 4})
    assert page.post(address(all_in, "pair/"), {"after_round": 1}).status_code == 302


@pytest.mark.parametrize(
    ("waiting", "device"), [("x", DEVICE), (-1, DEVICE), (10_000, DEVICE), (3, "<b>"), (3, "")]
)
def test_what_no_browser_says_is_not_noted(
    page: Client, all_in: Section, waiting: object, device: str
) -> None:
    send_from(page, all_in, waiting, device)
    assert not WaitingResults.objects.exists()


def test_pairing_asks_about_other_devices_and_a_yes_counts_for_these_results_only(
    page: Client, all_in: Section
) -> None:
    send_from(page, all_in, 5)
    pair = address(all_in, "pair/")
    asked = page.post(pair, {"after_round": 1})
    assert (asked.status_code, all_in.played_rounds.count()) == (409, 1)
    assert "5 results wait on a device of ada" in asked.content.decode()
    assert "Pair without them" in asked.content.decode()
    yes = fields(asked.content.decode())
    send_from(page, all_in, 4, result="0-1")
    again = page.post(pair, yes)
    assert (again.status_code, all_in.played_rounds.count()) == (409, 1)
    assert page.post(pair, {**yes, "after_round": "0"}).status_code == 409
    assert page.post(pair, fields(again.content.decode())).status_code == 302
    assert all_in.played_rounds.count() == 2


def test_pairing_asks_about_this_device(page: Client, all_in: Section) -> None:
    pair, six = address(all_in, "pair/"), ["results 6 Open, A", "results 1 Open, U1800", "results", "x 3 A"]
    asked = page.post(pair, {"after_round": 1, "waiting": six})
    html = asked.content.decode()
    assert "Open, A: 6 results typed on this device are not saved." in html
    assert "Open, U1800: 1 result typed on this device is not saved." in html
    yes = fields(asked.content.decode())
    assert yes["after_round"] == "1"
    assert page.post(pair, {**yes, "waiting": "results 7 Open, A"}).status_code == 409
    assert all_in.played_rounds.count() == 1
    assert page.post(pair, {**yes, "waiting": six}).status_code == 302
    assert page.post(pair, {**yes, "waiting": six}).status_code == 409  # another round


def test_pairing_asks_about_marks_of_check_in_and_desk_on_this_device(page: Client, all_in: Section) -> None:
    pair, marks = address(all_in, "pair/"), ["marks 3 Open, A", "marks 1 Open"]
    asked = page.post(pair, {"after_round": 1, "waiting": marks})
    html = asked.content.decode()
    assert (asked.status_code, all_in.played_rounds.count()) == (409, 1)
    assert "Open, A: 3 marks made on this device, of the check-in or the desk, are not saved." in html
    assert "Open: 1 mark made on this device, of the check-in or the desk, is not saved." in html
    assert "<h1>Marks that are not saved</h1>" in html
    yes = fields(html)
    assert page.post(pair, {**yes, "waiting": ["results 1 Open, A", *marks]}).status_code == 409
    assert page.post(pair, {**yes, "waiting": marks}).status_code == 302


def test_publishing_and_closing_ask_too(page: Client, all_in: Section) -> None:
    row = paired(all_in, published=False)
    for rest, sent in (("round/2/publish/", {"version": row.version}), ("close/", {})):
        asked = page.post(address(all_in, rest), {**sent, "waiting": "results 1 Open, A"})
        assert (asked.status_code, "1 result typed on this device is" in asked.content.decode()) == (
            409,
            True,
        )
    row.refresh_from_db()
    assert row.is_draft
    yes = fields(
        page.post(
            address(all_in, "round/2/publish/"), {"version": row.version, "waiting": "results 1 Open, A"}
        ).content.decode()
    )
    assert (
        page.post(address(all_in, "round/2/publish/"), {**yes, "waiting": "results 1 Open, A"}).status_code
        == 302
    )
    row.refresh_from_db()
    assert row.is_published
