"""What waits in browsers: the cockpit names it, and pairing, publishing and closing ask about it first."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, UserFactory
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import check_in_all, open_check_in
from tournaments.models import Event, Game, Section, WaitingOnDevice

ACTOR = Actor.command()
DEVICE = "11-22-33-44"


@pytest.fixture
def all_in(section: Section) -> Section:
    """Every result of round 1 is in."""
    played(section)
    return section


def report(page: Client, section: Section, *lines: str, device: str = DEVICE) -> int:
    """Send what a browser says that waits there, results of round 1 as "results 5"."""
    key = section.played_rounds.get(number=1).pk
    texts = [each.replace("results ", f"results {key} 1 ") for each in lines]
    return page.post("/account/waiting/", {"device": device, "waiting": texts}).status_code


def cockpit(page: Client, section: Section) -> str:
    return page.get(address(section, "cockpit/")).content.decode()


def fields(html: str) -> dict[str, str]:
    """Return the values that the question sends back."""
    form = html.partition(" data-after-results")[2].partition("</form>")[0]
    return dict(re.findall(r'<input type="hidden" name="([a-z_]+)" value="([^"]*)">', form))


def test_cockpit_names_what_a_device_has_not_sent_until_it_has(page: Client, all_in: Section) -> None:
    report(page, all_in, "results 5")
    assert re.search(
        r"Round 1: 5 results wait on a device of ada \(last connection \d\d:\d\d\)\.", cockpit(page, all_in)
    )
    report(page, all_in, "results 1")
    assert "1 result waits on a device of ada" in cockpit(page, all_in)
    report(page, all_in)
    assert not WaitingOnDevice.objects.exists()


def test_people_who_only_look_read_it_too_and_forget_no_device(
    page: Client, all_in: Section, event: Event, log_in: LogIn
) -> None:
    report(page, all_in, "results 5")
    for role in ("viewer", "organiser"):
        html = cockpit(log_in(EventRoleFactory(event=event, role=role).user), all_in)
        assert "5 results wait on a device of ada" in html
        assert "This device will not come back" not in html


def test_an_open_cockpit_learns_of_each_report(page: Client, all_in: Section) -> None:
    def news() -> str:
        seen = re.search(r'data-seen="([^"]+)"', cockpit(page, all_in))
        assert seen is not None
        return seen[1]

    def asked(seen: str) -> int:
        return page.get(
            address(all_in, "cockpit/"), {"seen": seen}, headers={"HX-Request": "true"}
        ).status_code

    before = news()
    assert asked(before) == 204
    report(page, all_in, "results 6")
    assert asked(before) == 200
    six = news()
    assert asked(six) == 204
    report(page, all_in)
    assert (asked(six), asked(before)) == (200, 204)


def test_two_devices_and_two_people_are_counted_apart(
    page: Client, all_in: Section, event: Event, log_in: LogIn
) -> None:
    bo = log_in(EventRoleFactory(event=event, user=UserFactory(username="bo")).user)
    report(page, all_in, "results 5")
    report(page, all_in, "results 2", device="55-66-77-88")
    report(bo, all_in, "results 3")
    report(page, all_in)
    found = WaitingOnDevice.objects.order_by("pk").values_list("user__username", "count")
    assert list(found) == [("ada", 2), ("bo", 3)]


def test_results_kept_from_a_finished_round_are_named_on_its_pages_and_the_cockpit(
    page: Client, all_in: Section
) -> None:
    played(all_in)
    paired(all_in)
    report(page, all_in, "results 5")
    for rest in ("cockpit/", "round/1/results/", "round/1/corrections/"):
        html = page.get(address(all_in, rest)).content.decode()
        assert "Round 1: 5 results wait on a device of ada" in html, rest
    assert "wait on a device" not in page.get(address(all_in, "round/2/results/")).content.decode()
    report(page, all_in)
    for rest in ("cockpit/", "round/1/results/", "round/1/corrections/"):
        assert "wait on a device" not in page.get(address(all_in, rest)).content.decode(), rest


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        (["results 3"], "Round 1: 3 results on a device of ada are no longer expected"),
        (["here {} 2 3"], "Round 2: 3 marks on a device of ada are no longer expected"),
        (["results 1", "away {} 2 2"], "3 results and marks on a device of ada are no longer expected"),
    ],
)
def test_a_device_that_went_home_is_forgotten_with_one_press_until_it_reports_again(
    page: Client, all_in: Section, lines: list[str], shown: str
) -> None:
    def forget() -> None:
        found = re.search(
            r'action="([^"]+/device/\d+/forget/)".*?name="count" value="(\d+)"', html, re.DOTALL
        )
        assert found is not None
        page.post(found[1], {"count": found[2]})

    lines = [each.format(all_in.pk) for each in lines]
    report(page, all_in, "results 9")
    html = cockpit(page, all_in)
    report(page, all_in, *lines)
    forget()  # the device has said something else since
    assert WaitingOnDevice.objects.count() == len(lines)
    html = cockpit(page, all_in)
    forget()
    assert not WaitingOnDevice.objects.exists()
    html = cockpit(page, all_in)
    assert "on a device of ada (last" not in html
    assert shown in html  # the log
    report(page, all_in, *lines)
    html = cockpit(page, all_in)
    forget()
    assert page.post(address(all_in, "pair/"), {"after_round": 1}).status_code == 302


def test_what_no_browser_says_is_not_noted(page: Client, all_in: Section) -> None:
    for lines, device in [
        ("results x", DEVICE),
        ("results -1", DEVICE),
        ("results 10000", DEVICE),
        ("results 0", DEVICE),
        ("here 999999 2 1", DEVICE),
        ("desk 1 2 1", DEVICE),
        ("results 3", "<b>"),
        ("results 3", ""),
    ]:
        report(page, all_in, lines, device=device)
        assert not WaitingOnDevice.objects.exists(), lines


@pytest.mark.parametrize(
    ("role", "noted"),
    [("clerk", ["results"]), ("check-in", ["away", "here"]), ("viewer", []), (None, [])],
)
def test_a_device_counts_for_what_its_person_may_save(
    all_in: Section, event: Event, log_in: LogIn, role: str | None, noted: list[str]
) -> None:
    user = UserFactory(username="bo")
    if role:
        EventRoleFactory(event=event, user=user, role=role)
    lines = ["results 2", f"here {all_in.pk} 2 3", f"away {all_in.pk} 2 1"]
    assert report(log_in(user), all_in, *lines) == 200
    assert sorted(WaitingOnDevice.objects.values_list("kind", flat=True)) == noted


def test_what_somebody_else_typed_in_this_browser_is_not_reported(page: Client, all_in: Section) -> None:
    sent = {"device": DEVICE, "user": "0", "waiting": f"here {all_in.pk} 2 3"}
    assert page.post("/account/waiting/", sent).json() == {"code": "other_user"}
    assert not WaitingOnDevice.objects.exists()


def test_pairing_asks_about_other_devices_and_a_yes_counts_for_these_results_only(
    page: Client, all_in: Section
) -> None:
    report(page, all_in, "results 5")
    pair = address(all_in, "pair/")
    asked = page.post(pair, {"after_round": 1})
    assert (asked.status_code, all_in.played_rounds.count()) == (409, 1)
    assert "5 results wait on a device of ada" in asked.content.decode()
    assert "Pair anyway" in asked.content.decode()
    yes = fields(asked.content.decode())
    report(page, all_in, "results 4")
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


def test_the_device_that_asks_is_not_asked_about_as_another_one(page: Client, all_in: Section) -> None:
    report(page, all_in, "results 5")
    pair = address(all_in, "pair/")
    assert page.post(pair, {"after_round": 1, "device": "1-2-3-4"}).status_code == 409
    assert page.post(pair, {"after_round": 1, "device": DEVICE}).status_code == 302


def test_pairing_asks_about_marks_of_check_in_and_desk_on_this_device(page: Client, all_in: Section) -> None:
    pair, marks = address(all_in, "pair/"), ["here 3 Open, A", "away 1 Open, A", "desk 1 Open"]
    asked = page.post(pair, {"after_round": 1, "waiting": marks})
    html = asked.content.decode()
    assert (asked.status_code, all_in.played_rounds.count()) == (409, 1)
    assert "Open, A: 3 players are marked as here only on this device." in html
    assert "Open, A: 1 player is marked as not here only on this device." in html
    assert "Open: 1 payment or correction noted at the desk on this device is not saved." in html
    assert "<h1>Marks that are not saved</h1>" in html
    yes = fields(html)
    assert page.post(pair, {**yes, "waiting": ["results 1 Open, A", *marks]}).status_code == 409
    assert page.post(pair, {**yes, "waiting": marks}).status_code == 302


@pytest.mark.parametrize(
    ("kind", "sentence", "follows"),
    [
        ("here", "2 players are marked as here only on a device of ada", "still counts as absent"),
        ("away", "2 players are marked as not here only on a device of ada", "still counts as here"),
    ],
)
def test_pairing_publishing_and_closing_the_check_in_ask_about_marks_of_other_devices(
    page: Client, all_in: Section, kind: str, sentence: str, follows: str
) -> None:
    report(page, all_in, f"{kind} {all_in.pk} 2 2")
    assert f"Round 2: {sentence} (last connection" in cockpit(page, all_in)
    open_check_in(actor=ACTOR, section_id=all_in.pk, after_round=1)
    check_in_all(actor=ACTOR, section_id=all_in.pk, round_number=2)

    def asked_once(rest: str, sent: dict[str, object]) -> None:
        question = page.post(address(all_in, rest), sent)
        html = question.content.decode()
        assert (question.status_code, sentence in html, follows in html) == (409, True, True), rest
        assert html.count("still counts as") == 1, rest
        assert page.post(address(all_in, rest), fields(html)).status_code == 302, rest

    asked_once("check-in/close/", {})
    asked_once("pair/", {"after_round": 1})
    asked_once("round/2/publish/", {"version": all_in.played_rounds.get(number=2).version})
    for game in Game.objects.filter(round__section=all_in, round__number=2):
        enter(game, "1-0")
    assert sentence in cockpit(page, all_in)
    paired(all_in)  # marks of a round that is over decide nothing
    assert sentence not in cockpit(page, all_in)


def test_closing_the_check_in_does_not_ask_about_results(page: Client, all_in: Section) -> None:
    open_check_in(actor=ACTOR, section_id=all_in.pk, after_round=1)
    check_in_all(actor=ACTOR, section_id=all_in.pk, round_number=2)
    report(page, all_in, "results 5")
    sent = {"waiting": "results 6 Open, A"}
    assert page.post(address(all_in, "check-in/close/"), sent).status_code == 302


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
