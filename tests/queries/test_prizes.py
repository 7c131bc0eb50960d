"""Who may win in a category, and who wins."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from evenboard_engine.prizes import Method
from tests.queries.sections import MadeSection
from tournaments.files.lists import prizes_csv
from tournaments.models import Participant, Player, PrizeCategory, PrizePlan
from tournaments.queries.prizes import PrizeList, admits, prize_list
from web.words.prizes import prize_blocks

GENERAL = PrizeCategory("General", (30000, 20000, 10000))


def listed(section: MadeSection, *categories: PrizeCategory, **settings: Any) -> PrizeList:
    plan = PrizePlan(categories, **{"best_only": False, **settings})
    section.row.prizes = plan.stored
    section.row.save()
    return prize_list(section.row)


def amounts(section: MadeSection, found: PrizeList) -> list[dict[str, int]]:
    return [
        {section.name(winner.row.participant_id): winner.award.amount // 100 for winner in each.winners}
        for each in found.categories
    ]


@pytest.mark.one_database
@pytest.mark.parametrize(
    ("limits", "facts", "wins"),
    [
        ({}, {}, True),
        ({"rating_from": 1900, "rating_to": 1900}, {"rating": 1900}, True),
        ({"rating_to": 1899}, {"rating": 1900}, False),
        ({"rating_from": 1901}, {"rating": 1900}, False),
        ({"rating_to": 1899}, {"rating": 0}, True),
        ({"rating_to": 1899, "unrated": "not"}, {"rating": 0}, False),
        ({"rating_to": 1899, "unrated": "not"}, {"rating": 1500, "rating_source": "provisional"}, False),
        ({"unrated": "only"}, {"rating": 1500, "rating_source": "provisional"}, True),
        ({"unrated": "only"}, {"rating": 1500}, False),
        ({"sex": "w"}, {"sex": "w"}, True),
        ({"sex": "w"}, {"sex": "m"}, False),
        ({"sex": "w"}, {}, False),
        ({"born_from": 2008}, {"birth_date": "2008/01/01"}, True),
        ({"born_from": 2008}, {"birth_date": "2007"}, False),
        ({"born_from": 2008}, {}, False),
        ({"born_to": 1966}, {"birth_date": "1966/00/00"}, True),
        ({"born_to": 1966}, {"birth_date": "1967"}, False),
        ({"born_to": 1966}, {}, False),
        ({"club": "SC Höhe 1920"}, {"club": "sc hohe 1920"}, True),
        ({"club": "SC Höhe"}, {"club": ""}, False),
        ({"federations": ("NED", "BEL")}, {"federation": "BEL"}, True),
        ({"federations": ("NED",)}, {"federation": "BEL"}, False),
    ],
)
def test_category_admits_a_player(
    section: MadeSection, limits: dict[str, Any], facts: dict[str, Any], wins: bool
) -> None:
    entry = Participant.objects.select_related("player").get(pk=section.people["Anna"].pk)
    for name, value in facts.items():
        setattr(entry if hasattr(entry, name) else entry.player, name, value)
    assert admits(PrizeCategory("One", (100,), **limits), entry) is wins


def test_prizes_follow_the_standings_and_are_provisional(section: MadeSection) -> None:
    # after round 3: Anna and Bert 2, Eva and Dora 1½, Carl ½; Anna's game is open
    found = listed(section, GENERAL)
    assert amounts(section, found) == [{"Anna": 250, "Bert": 250, "Eva": 50, "Dora": 50}]
    assert (found.state.final, found.paid, found.left) == (False, 60000, 0)


def test_player_without_a_needed_fact_is_counted(section: MadeSection) -> None:
    found = listed(section, PrizeCategory("Women", (10000,), sex="w"))
    assert [(one.players, one.unknown, one.left) for one in found.categories] == [(0, 5, 10000)]


def test_withdrawn_player_wins_only_if_the_plan_says_so(section: MadeSection) -> None:
    anna = section.people["Anna"]
    anna.status, anna.left_after = Participant.Status.WITHDRAWN, 3
    anna.save()
    first = PrizeCategory("First", (10000,), Method.PLACE)
    assert amounts(section, listed(section, first)) == [{"Bert": 100}]
    assert amounts(section, listed(section, first, withdrawn=True)) == [{"Anna": 100}]


def test_nothing_is_won_before_a_round_is_published(section: MadeSection) -> None:
    section.row.played_rounds.all().delete()
    found = listed(section, GENERAL)
    assert (found.started, found.categories) == (False, ())


def test_csv_has_a_line_for_each_prize_and_says_what_is_missing(section: MadeSection) -> None:
    listed(section, replace(GENERAL, prizes=(10001,)), currency="EUR", unit=1)
    first, *lines, provisional, missing = prizes_csv(section.row).decode("utf-8-sig").splitlines()
    assert (
        first == "Category;Place;No;Name;Title;Federation;Points;Method;Amount;Currency;How the sum is made"
    )
    each = "Places 1 to 2, level on 2 points, share 100.01: 50\u00a01/200 each. 50\u00a01/200 is rounded to"
    assert lines == [
        f"General;1;1;Anna;;;2;Equal shares;50 01/100;EUR;{each} 50.01.",
        f"General;2;2;Bert;;;2;Equal shares;50;EUR;{each} 50.",
    ]
    assert (provisional, missing) == (
        "Provisional: the section is not finished",
        "Provisional, 1 result missing: round 3, board 1",
    )


@pytest.mark.parametrize("best_only", [True, False])
def test_a_tied_player_with_a_prize_elsewhere_is_named(section: MadeSection, best_only: bool) -> None:
    Player.objects.filter(pk=section.people["Bert"].player_id).update(sex="w")
    found = listed(section, GENERAL, PrizeCategory("Women", (50000,), sex="w"), best_only=best_only)
    (anna,) = (
        line
        for line in prize_blocks(found)[0].lines
        if line.row.name == section.name(section.people["Anna"].pk)
    )
    alone = (
        "Place 1: 300.",
        f"{section.name(section.people['Bert'].pk)} is also on 2 points, but has a prize in the category Women.",
    )
    assert anna.how == (
        alone if best_only else ("Places 1 to 2, level on 2 points, share 300 + 200: 250 each.",)
    )
    assert (alone[1] in prizes_csv(section.row).decode()) is best_only
    assert prize_blocks(found)[1].lines[0].how == ("Place 1: 500.",)
