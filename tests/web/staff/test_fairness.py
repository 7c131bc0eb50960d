"""The page on which the fairness of the pairings is beside what other pairings would have given."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from evenboard_engine.comparing import compare as compared
from tests.factories import EventRoleFactory
from tests.queries.sections import MadeSection, make_section
from tests.queries.test_fairness import FOUR, ROUNDS
from tests.web.public.tables import rows
from tests.web.staff.conftest import address
from tests.workbooks import same_rows
from tournaments.models import ForbiddenPair, User
from tournaments.queries import fairness as queries
from web.views.staff import fairness, reports


@pytest.fixture
def made(arbiter: User) -> MadeSection:
    made = make_section(FOUR, *ROUNDS)
    EventRoleFactory(event=made.row.event, user=arbiter)
    return made


def opened(page: Client, made: MadeSection, rest: str = "fairness/compare/") -> str:
    answer = page.get(address(made.row, rest))
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_each_round_is_beside_the_upper_half_and_the_other_systems(page: Client, made: MadeSection) -> None:
    """Round 2: 1 meets 2 and 3 meets 4 in every system, so all AROs are 2250. In round 3 only 1-4 and 2-3 are left."""
    found = rows(page.get(address(made.row, "fairness/compare/")))
    assert found[0] == ["Letter", "Other pairing", "Beside these rounds"]
    assert found[1] == ["A", "Upper half against lower half", "It pairs every round."]
    assert sorted(row[1] for row in found[2:5]) == ["Dubov System of 1997", "Dutch System", "US Chess"]
    head = found.index(["Score group", "Players", "Before", "After", "A", "B", "C", "D"])
    assert found[head + 1 : head + 3] == [
        ["Rounds 2 to 3"],
        ["All", "8", "100 ±35", *["33 ±8"] * 5],
    ]
    assert found[head + 6 : head + 10] == [
        ["Round 2"],
        ["1 point", "2", "100 ±50", *["0 ±0"] * 5],
        ["0 points", "2", "100 ±50", *["0 ±0"] * 5],
        ["All", "4", "100 ±50", *["0 ±0"] * 5],
    ]


def test_head_says_which_pairing_has_the_smallest_spread(page: Client, made: MadeSection) -> None:
    """In rounds 2 and 3 all pairings are level. Then Anna (ARO 2100) and Bert (2200) have won: by hand both get 2150,
    but if they meet they get 2200 and 2300.
    """
    names = "Upper half against lower half in {0}, Dutch System in {0}, Dubov System of 1997 in {0} and US Chess in {0}"
    sentence = (
        "Of {} the smallest standard deviation is that of the section’s own pairing in {}, {}; pairings that"
    )
    assert sentence.format("2 rounds,", 2, names.format(2)) in opened(page, made)
    by_hand = make_section(FOUR, "Anna 1-0 Dora; Bert 1-0 Carl", "Carl 0-1 Anna; Dora 0-1 Bert")
    EventRoleFactory(event=by_hand.row.event, user=made.row.event.roles.get().user)
    assert sentence.format("1 round,", 1, names.format(0)) in opened(page, by_hand)


def test_another_pairing_has_its_own_spread(page: Client, made: MadeSection) -> None:
    """Round 1, upper half: 1-3 and 2-4. Dubov of 1997 and US Chess: the same pairs. A round by hand was 1-2 and 3-4:
    after it the AROs are 2300, 2400, 2100, 2200.
    """
    by_hand = make_section(FOUR, "Anna 1-0 Bert; Carl 1-0 Dora")
    EventRoleFactory(event=by_hand.row.event, user=made.row.event.roles.get().user)
    found = rows(page.get(address(by_hand.row, "fairness/compare/")))
    assert ["All", "4", "–", "300 ±112", *["300 ±112"] * 4] in found
    body = page.get(address(by_hand.row, "fairness/compare.json")).json()
    (group, _whole) = body["rounds"][0]["groups"]
    assert group["others"]["US Chess"] == {"width": 300, "deviation": 111.8}


def test_page_waits_and_keeps_what_is_ready(
    page: Client, made: MadeSection, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without time, each request works out one pairing of the twelve."""
    monkeypatch.setattr(fairness, "SECONDS", 0.0)
    waiting = opened(page, made)
    assert "1 of 12 pairings are worked out." in waiting
    assert '<meta http-equiv="refresh" content="2">' in waiting
    answer = page.get(address(made.row, "fairness/compare.csv"))
    assert (answer.status_code, answer.headers["Location"]) == (302, address(made.row, "fairness/compare/"))
    for done in range(3, 12):
        assert f"{done} of 12 pairings are worked out." in opened(page, made)
    waiting = opened(page, made)
    assert 'http-equiv="refresh"' not in waiting
    assert "Rounds 2 to 3" in waiting


def test_later_result_and_another_visit_pair_nothing_again(
    page: Client, arbiter: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = make_section(FOUR, *ROUNDS[:2], "Anna . Dora; Carl . Bert")
    EventRoleFactory(event=made.row.event, user=arbiter)
    opened(page, made)
    game = made.game(3, 1)
    game.result = "1-0"
    game.save()
    made.row.revision += 1
    made.row.save()
    paired: list[int] = []

    def counted(before, published, variants):
        paired.extend(before.round for _variant in variants)
        return compared(before, published, variants)

    monkeypatch.setattr(queries, "compare", counted)
    assert 'http-equiv="refresh"' not in opened(page, made)
    assert paired == []
    ForbiddenPair.objects.create(
        section=made.row, first=made.people["Anna"], second=made.people["Dora"], first_round=3
    )
    assert "In 1 round it has no pairing." in opened(page, made)
    assert paired == [3, 3, 3, 3]


def test_csv_has_a_column_for_each_pairing(page: Client, made: MadeSection) -> None:
    answer = page.get(address(made.row, "fairness/compare.csv"))
    head, *lines = answer.content.decode("utf-8-sig").splitlines()
    for name in ("Before", "After", "Upper half against lower half", "Dutch System", "US Chess"):
        assert f";{name}: width;{name}: standard deviation" in head
    assert "2;1;2;100;50;0;0;0;0;0;0;0;0;0;0" in lines
    same_rows(page, *(address(made.row, f"fairness/compare.{kind}") for kind in ("csv", "xlsx")))


def test_large_section_is_not_compared(
    page: Client, made: MadeSection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "MOST_PLAYERS", 3)
    assert "This page compares sections of up to 3 players." in opened(page, made)
    assert page.get(address(made.row, "fairness/compare.json")).status_code == 404


@pytest.mark.parametrize("rest", ["fairness/compare/", "fairness/compare.csv"])
def test_round_robin_has_nothing_to_compare(page: Client, arbiter: User, rest: str) -> None:
    table = make_section(FOUR, *ROUNDS, system="round-robin")
    EventRoleFactory(event=table.row.event, user=arbiter)
    assert page.get(address(table.row, rest)).status_code == 404


def test_section_without_rounds_has_nothing_to_compare(page: Client, arbiter: User) -> None:
    empty = make_section(FOUR)
    EventRoleFactory(event=empty.row.event, user=arbiter)
    assert "Nothing to measure yet." in opened(page, empty)


def test_unknown_kind_of_file(page: Client, made: MadeSection) -> None:
    assert page.get(address(made.row, "fairness/compare.xml")).status_code == 404


def test_sheet_has_the_other_pairings_by_score_group(
    page: Client, made: MadeSection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fairness, "SECONDS", 0.0)
    answer = page.get(address(made.row, "fairness/compare/print/"))
    assert (answer.status_code, answer.headers["Location"]) == (302, address(made.row, "fairness/compare/"))
    monkeypatch.undo()
    found = rows(page.get(address(made.row, "fairness/compare/print/")))
    assert ["A", "Upper half against lower half", "It pairs every round."] in found
    head = found.index(["Score group", "Players", "Before", "After", "A", "B", "C", "D"])
    assert found[head + 7] == ["1 point", "2", "100 ±50", *["0 ±0"] * 5]


@pytest.mark.parametrize("kind", ["", "?for=rating"])
def test_report_of_a_small_section_is_compared_at_once(page: Client, made: MadeSection, kind: str) -> None:
    made.row.rounds = 3
    made.row.save()
    answer = page.get(address(made.row, f"report.trf{kind}")).content.decode()
    assert answer.splitlines()[-1] == "### Fairness, other pairings: worked out for rounds 1 2 3"


def test_page_of_the_report_leads_to_the_comparison_of_a_large_section(
    page: Client, made: MadeSection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reports, "SMALL", 3)
    monkeypatch.setattr(fairness, "SECONDS", 0.0)
    made.row.rounds = 3
    made.row.save()
    for _visit in range(4):
        opened(page, made)
    link = 'href="{}"'.format(address(made.row, "documents/rating/"))
    assert link in opened(page, made, "documents/")
    body = opened(page, made, "documents/rating/")
    assert "The comparison with other pairings is worked out for 1 of 3 rounds." in body
    assert 'href="{}"'.format(address(made.row, "fairness/compare/")) in body
    lines = page.get(address(made.row, "report.trf?for=rating")).content.decode().splitlines()
    assert lines[-1] == "### Fairness, other pairings: worked out for rounds 1, not for 2 3"
    monkeypatch.undo()
    monkeypatch.setattr(reports, "SMALL", 3)
    opened(page, made)
    assert "The comparison with other pairings" not in opened(page, made, "documents/rating/")
