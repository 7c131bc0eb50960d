"""The page on which a round is beside what other systems would pair."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.test import Client

from evenboard_engine import Tournament
from evenboard_engine.tests.systems.toy import LADDER
from evenboard_engine.tests.systems.two_systems import two_systems_known
from pairing.by_hand import SeatingStep, SeatMove, begin_manual_phase, change_by_hand
from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.actions.ledger import Actor
from tournaments.models import Event, Section
from web.views.staff import fairness


@pytest.fixture(autouse=True)
def two_systems() -> Iterator[None]:
    """Leave two systems: the one with editions, and the ladder of the tests."""
    with two_systems_known():
        yield


@pytest.fixture
def seven(event: Event) -> Section:
    """Round 1 of seven players is drawn on all boards, and round 2 is a draft."""
    section = section_of(7, event=event, slug="seven")
    played(section)
    paired(section, published=False)
    return section


def shown(page: Client, section: Section, rest: str = "round/2/compare/") -> str:
    answer = page.get(address(section, rest))
    assert answer.status_code == 200
    return answer.content.decode().partition("<main")[2].partition("</main>")[0]


def words(html: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]*>", " ", html)).strip()


def tables(html: str) -> list[list[list[str]]]:
    """Return the text of all cells, by table and row, with numbers alone for the players."""
    html = re.sub(r"(?:\s|&nbsp;|</span>|<a [^>]*>)*Surname\w+(?:, Given)?", "", html)
    return [
        [[words(cell) for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)] for row in rows]
        for table in re.findall(r"<table.*?</table>", html, re.DOTALL)
        for rows in [re.findall(r"<tr.*?</tr>", table, re.DOTALL)]
    ]


def test_round_is_beside_the_editions_and_the_other_systems(page: Client, seven: Section) -> None:
    systems, spreads, seats = tables(shown(page, seven))
    agreement = "1 of 3 pairs is the same. 1 of them has the colours the other way round."
    assert systems == [
        ["Letter", "System", "Beside this round"],
        ["", "Dubov System (1 July 2025)", "The system of this round."],
        ["A", "Dubov System (2018, in force until 31 January 2026)", "It pairs the same round."],
        ["B", "Dubov System (1 February 2026)", "It pairs the same round."],
        ["C", "Ladder System", f"{agreement} With its default options."],
    ]
    assert spreads == [
        ["Score group", "This round", "C Ladder System"],
        ["1 point", "0 ±0", "C 0 ±0"],
        ["½ point", "30 ±11", "C 25 ±9"],
        ["All score groups", "30 ±10", "C 25 ±8"],
    ]
    another, turned = "C ≠ Another opponent:", "C ↔ The other colour:"
    assert seats == [
        ["Player", "This round", "C Ladder System"],
        ["1 point"],
        ["7", "Black 2", f"{another} Black 1"],
        ["½ point"],
        ["1", "Black 3", f"{another} White 7"],
        ["2", "White 7", f"{another} Black 3"],
        ["3", "White 1", f"{another} White 2"],
        ["4", "White 5", f"{turned} Black 5"],
        ["5", "Black 4", f"{turned} White 4"],
        ["6", "bye", "C bye"],
    ]


CHOSEN = "options=chosen&ladder_start=top&ladder_turned=on&ladder_reach=30&ladder_gap="


def test_arbiter_chooses_the_options_of_other_systems(page: Client, seven: Section) -> None:
    html = shown(page, seven, f"round/2/compare/?{CHOSEN}&ladder_far=20")
    systems, *_others = tables(html)
    assert systems[4][2].endswith("Turn the colours: yes; Reach: 30")
    assert re.search(r'name="ladder_turned"[^>]* checked', html)
    asked = CHOSEN.replace("ladder_gap=", "ladder_gap=none") + "&ladder_far=20"
    differences = re.search(r'href="\?show=different&amp;([^"]*)"', html)
    assert differences
    assert set(unescape(differences[1]).split("&")) == set(asked.split("&"))


def test_options_that_contradict_each_other_are_refused(page: Client, seven: Section) -> None:
    html = shown(page, seven, f"round/2/compare/?{CHOSEN}&ladder_far=40")
    assert "40 is too much for “far”: “reach” is only 30." in html
    assert tables(html)[0][4][2].endswith("With its default options.")
    summary = html.partition("autofocus>")[2].partition("<table")[0]
    assert re.findall(r'<a href="#([^"]+)">', summary) == ["id_ladder_far"]
    assert "The options were not used. This is the comparison with the default options." in summary


def test_options_that_an_address_leaves_out_have_their_defaults(page: Client, seven: Section) -> None:
    html = shown(page, seven, "round/2/compare/?options=chosen&ladder_far=100")
    summary = html.partition("autofocus>")[2].partition("<table")[0]
    assert re.findall(r'<a href="#([^"]+)">', summary) == ["id_ladder_far"]
    assert "This field is required" not in html


def test_other_systems_know_the_clubs_of_all_players(
    page: Client, seven: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = seven.participants.get(tpn=1)
    one.team, one.club, one.pairing_flags = "Falken", "SK Bern", "keep"
    one.save()
    asked: list[Tournament] = []
    rule = fairness.compare
    monkeypatch.setattr(
        fairness, "compare", lambda before, *facts: asked.append(before) or rule(before, *facts)
    )
    shown(page, seven)
    (player,) = [player for player in asked[0].players if player.id == one.pk]
    assert (player.team, player.club, player.flags) == ("Falken", "SK Bern", {"keep"})


def test_only_differences_leave_out_who_sits_the_same(page: Client, seven: Section) -> None:
    *_others, seats = tables(shown(page, seven, "round/2/compare/?show=different"))
    assert [row[0] for row in seats[1:]] == [
        "1 point", "7", "½ point", *"12345"
    ]  # fmt: skip


def test_round_that_all_systems_pair_the_same_has_one_column(page: Client, event: Event) -> None:
    section = section_of(2, event=event)
    paired(section)
    html = shown(page, section, "round/1/compare/")
    assert tables(html)[1] == [
        ["Score group", "This round"], ["0 points", "10 ±5"], ["All score groups", "10 ±5"]
    ]  # fmt: skip
    assert "All systems that can pair this round pair it in the same way." in html


def test_round_changed_by_hand_is_beside_the_one_of_its_own_rules(page: Client, seven: Section) -> None:
    row = seven.played_rounds.get(number=2)
    row = begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    one, other = (seven.participants.get(tpn=tpn).pk for tpn in (2, 3))
    step = SeatingStep(SeatMove.SWAP, one, other)
    change_by_hand(
        actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )
    systems = tables(shown(page, seven))[0]
    assert systems[2] == ["A", "Dubov System (1 July 2025)", "1 of 3 pairs is the same."]
    assert len(systems) == 6


def test_round_without_pairs_says_so(page: Client, event: Event) -> None:
    section = section_of(2, event=event)
    row = paired(section, published=False)
    row = begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    step = SeatingStep(SeatMove.UNPAIR, row.games.get().white_id)
    change_by_hand(
        actor=Actor.command(), round_id=row.pk, seen_version=row.version, step=step, confirmed=True
    )
    page_shown = shown(page, section, "round/1/compare/")
    assert "2 players are not paired yet." in page_shown
    assert "The round can be compared when everybody has an opponent or a bye." in page_shown


def test_system_that_cannot_pair_says_why_and_has_no_column(page: Client, seven: Section) -> None:
    Section.objects.filter(pk=seven.pk).update(system="ladder", options={})
    seven.participants.filter(tpn=4).update(rating=0)
    systems, spreads, *_others = tables(shown(page, seven))
    assert systems[3] == [
        "B",
        "Dubov System (1 February 2026)",
        "It takes no unrated players, and 4 has no rating.",
    ]
    assert spreads[0] == ["Score group", "This round", "A Ladder System"]


def test_page_of_a_large_round_refers_to_the_command_line(
    page: Client, seven: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "MOST_PLAYERS", 7)
    assert len(tables(shown(page, seven))) == 3
    monkeypatch.setattr(fairness, "MOST_PLAYERS", 6)
    text = words(shown(page, seven))
    assert "This round has 7 players. This page compares rounds of up to 6 players." in text
    assert tables(shown(page, seven)) == []


def test_comparison_is_worked_out_once_for_the_same_data(
    page: Client, seven: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    compared: list[object] = []
    rule = fairness.compare
    monkeypatch.setattr(fairness, "compare", lambda *facts: compared.append(facts) or rule(*facts))
    for rest in ("round/2/compare/", "round/2/compare/?utm=1", "round/2/compare/"):
        shown(page, seven, rest)
    assert len(compared) == 1
    row = seven.played_rounds.get(number=2)
    begin_manual_phase(actor=Actor.command(), round_id=row.pk, seen_version=row.version)
    shown(page, seven)
    assert len(compared) == 2


def test_round_and_its_reasons_lead_to_the_comparison(page: Client, seven: Section) -> None:
    link = f'href="{address(seven, "round/2/compare/")}"'
    assert [link in shown(page, seven, rest) for rest in ("round/2/pairings/", "round/2/why/")] == [True] * 2


def test_round_that_was_fixed_from_the_start_is_not_compared(
    page: Client, seven: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    Section.objects.filter(pk=seven.pk).update(system="ladder", options={})
    monkeypatch.setattr(type(LADDER), "fixed_rounds", True)
    assert page.get(address(seven, "round/2/compare/")).status_code == 404
    assert "/compare/" not in shown(page, seven, "round/2/pairings/") + shown(page, seven, "round/2/why/")


def test_unknown_round_is_not_found(page: Client, seven: Section) -> None:
    assert page.get(address(seven, "round/3/compare/")).status_code == 404
