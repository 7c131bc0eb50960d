"""After the last round the cockpit is a list of steps: each has its state, a fact and a button; the next is black."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import LogIn, address, enter, paired, played
from tests.web.staff.test_cockpit import black_button, cockpit
from tournaments.actions.ledger import Actor
from tournaments.actions.prizes import set_prizes
from tournaments.actions.sections import close_section
from tournaments.models import Event, Player, PrizeCategory, PrizePlan, Section

STEPS = ["results", "standings", "ties", "prizes", "norms", "report", "paper", "archive", "close"]


@pytest.fixture
def ended(event: Event) -> Section:
    """Four players after their only round, all draws, with prizes and tie-breaks that leave places shared."""
    section = section_of(4, event=event, rounds=1, tie_breaks=["PTS"])
    played(section)
    plan = PrizePlan((PrizeCategory("Main", (20000, 10000)),), "€")
    set_prizes(actor=Actor.command(), section_id=section.pk, plan=plan)
    return section


def steps(html: str) -> dict[str, str]:
    """Return the pill and the sentence of each step, in the order of the page."""
    rows = re.findall(r'<li id="step-(\w+)".*?</li>', html, re.DOTALL)
    texts = {
        row: re.search(rf'id="step-{row}".*?class="pill[^>]*>(.*?)</span>.*?<p>(.*?)</p>', html, re.DOTALL)
        for row in rows
    }
    return {row: ": ".join(found.groups()) for row, found in texts.items() if found}


def take(page: Client, section: Section, step: str) -> str:
    answer = page.post(address(section, f"last-step/{step}/"))
    assert answer.status_code == 302
    return str(answer["Location"])


def test_steps_are_taken_with_the_black_button_until_the_section_is_closed(
    page: Client, ended: Section
) -> None:
    html = cockpit(page, ended)
    assert "After the last round" in html
    shown = steps(html)
    assert list(shown) == STEPS
    assert shown["results"].startswith("Done: All 2 results")
    assert shown["ties"] == "Open: Places 1 to 4 are equal after points."
    assert shown["prizes"] == "Open: 2 prizes, 300 €. Nobody wins two prizes. Shared places affect them."
    assert shown["norms"].startswith("Not needed: No player has reached")
    assert shown["paper"].startswith("Not printed: Standings, crosstable, prizes and receipts")
    assert "Still open: Ties for places, Prizes, " in shown["close"]
    assert black_button(html) == "Decide about shared places"
    assert "Leave the places shared" in page.get(address(ended, "tie-breaks/")).content.decode()
    assert take(page, ended, "ties") == address(ended, "cockpit/")
    assert black_button(cockpit(page, ended)) == "Look through the prizes"
    assert take(page, ended, "prizes") == address(ended, "prizes/")
    assert steps(cockpit(page, ended))["prizes"].startswith(
        "Done: 2 prizes, 300 €. Nobody wins two prizes. Opened "
    )
    html = cockpit(page, ended)
    assert black_button(html) == "Fill in what the report lacks"
    # Nobody is sent there for ever: what is still missing then stays in the sentence of the step.
    assert html.count(f'action="{address(ended, "last-step/report/")}"') == 2
    for step, page_of_it in (
        ("report", "documents/rating/"),
        ("paper", "print/final-report/"),
        ("archive", "documents/archive.zip"),
    ):
        assert take(page, ended, step) == address(ended, page_of_it)
    html = cockpit(page, ended)
    assert (black_button(html), "9 of 9" in html) == ("Close the section", False)
    closing = page.get(address(ended, "close/")).content.decode()
    assert list(steps(closing)) == STEPS[:-1]
    assert "last-step" not in closing
    assert "After closing, a correction needs the section to be reopened." in closing
    close_section(actor=Actor.command(), section_id=ended.pk)
    html = cockpit(page, ended)
    assert "The section is closed" in html
    assert "Nothing to do" not in html
    assert steps(html)["close"].startswith("Closed: Nothing in the section can change. Done ")
    assert "done. Only the last step waits" not in html
    assert 'class="btn go"' not in html


def test_a_change_opens_the_steps_again_that_depend_on_it(page: Client, ended: Section) -> None:
    for step in ("ties", "prizes", "report", "paper", "archive"):
        take(page, ended, step)
    html = cockpit(page, ended)
    taken = steps(html)
    assert re.search(r'href="[^"]*/archive.zip">\s*Download', html)
    assert re.search(r"^Done: .* Opened \d+ \w+ \d\d:\d\d by ", taken["paper"])
    assert re.search(r"^Done: .* Made \d+ \w+ \d\d:\d\d by ", taken["archive"])
    entry = ended.participants.first()
    assert entry is not None
    sent = {"name": "Abel, Ada", "rating": entry.rating, "rating_source": "typed", "first_round": 1}
    assert page.post(address(ended, f"entries/{entry.pk}/"), sent).status_code == 302
    states = {step: words.partition(":")[0] for step, words in steps(cockpit(page, ended)).items()}
    assert (states["ties"], states["prizes"], states["paper"], states["archive"]) == (
        "Done", "Done", "Not printed", "Open",
    )  # fmt: skip
    assert "Something has changed since the last archive." in steps(cockpit(page, ended))["archive"]
    enter(ended.played_rounds.get().games.get(board=1), "1-0")
    states = {step: words.partition(":")[0] for step, words in steps(cockpit(page, ended)).items()}
    assert (states["ties"], states["prizes"]) == ("Open", "Open")


def test_what_does_not_apply_is_not_needed(page: Client, event: Event) -> None:
    section = section_of(4, event=event, rounds=1)
    played(section)
    shown = steps(cockpit(page, section))
    assert shown["ties"] == "Not needed: No two players share a place."
    assert shown["prizes"] == "Not needed: No prizes are announced."


def test_report_says_which_rounds_and_players_it_lacks_before_the_section_is_closed(
    page: Client, event: Event
) -> None:
    section = section_of(2, event=event, rounds=1, schedule=[])
    section.participants.update(official_rating=2000)
    names = sorted(entry.player.name for entry in section.participants.select_related("player"))
    enter(paired(section).games.get(), "1-0")
    sentence = steps(cockpit(page, section))["report"]
    assert "Round 1 has no date." in sentence
    assert all(name in sentence for name in names)
    section.participants.update(rating=0)
    Player.objects.filter(pk=section.participants.values("player")[:1]).update(fide_id=4_100_018)
    html = cockpit(page, section)
    assert steps(html)["report"].startswith("2 missing: ")  # the round and the player
    assert "Fill in 2<" in html
    close_section(actor=Actor.command(), section_id=section.pk)
    assert black_button(cockpit(page, section)) == "Make the report for rating"
    take(page, section, "report")
    assert steps(cockpit(page, section))["report"].startswith("Done: No FIDE ID: ")
    entry = page.get(address(section, f"entries/{section.participants.first().pk}/")).text
    assert re.search(r"<dt>Name</dt>\s*<dd>\s*<bdi>", entry)
    assert 'name="name"' not in entry
    assert "The section is closed." in entry


@pytest.mark.parametrize("system", ["round-robin", "uschess", "dubov-1997"])
def test_each_system_ends_with_the_steps(page: Client, event: Event, system: str) -> None:
    rounds = 3 if system == "round-robin" else 1
    section = section_of(4, event=event, rounds=rounds, system=system)
    for number, entry in enumerate(section.participants.all(), start=1):
        section.participants.filter(pk=entry.pk).update(tpn=number, equal_order=number)
    for _round in range(rounds):
        played(section)
    assert list(steps(cockpit(page, section))) == STEPS


def test_a_viewer_sees_the_steps_without_their_forms(ended: Section, log_in: LogIn) -> None:
    viewer = log_in(EventRoleFactory(event=ended.event, role="viewer").user)
    html = viewer.get(address(ended, "cockpit/")).content.decode()
    assert list(steps(html)) == STEPS
    assert "last-step" not in html
    assert viewer.post(address(ended, "last-step/ties/")).status_code == 403


def test_an_unknown_step_is_not_found(page: Client, ended: Section) -> None:
    assert page.post(address(ended, "last-step/party/")).status_code == 404
