"""The page, the sheet and the files on how fair the pairings were. Values are worked out in queries/test_fairness."""

from __future__ import annotations

import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.queries.sections import MadeSection, make_section
from tests.queries.test_fairness import FOUR, ROUNDS
from tests.web.public.tables import rows

pytestmark = pytest.mark.django_db

RUNNING = (*ROUNDS[:2], "Anna 1-0 Dora; Carl . Bert")


def shown(client: Client, made: MadeSection, rest: str = "fairness/") -> str:
    answer = client.get(f"/{made.row.event.slug}/open/{rest}")
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def test_page_shows_the_measures_and_the_spread_of_each_score_group(client: Client) -> None:
    made = make_section(FOUR, *ROUNDS)
    found = rows(client.get(f"/{made.row.event.slug}/open/fairness/"))
    assert [row[:2] for row in found[:4]] == [
        ["Measure", "Value"],
        ["Agreement of points and performance", "100.0 %"],
        ["Unevenness of the pairing by ARO", "6.7 %"],
        ["Unevenness of the pairing by Buchholz", "0.0 %"],
    ]
    assert found[4:] == [
        ["Score group", "Players", "Before", "After"],
        ["Round 1"],
        ["0 points", "4", "–", "300 ±112"],
        ["All", "4", "–", "300 ±112"],
        ["Round 2"],
        ["1 point", "2", "100 ±50", "0 ±0"],
        ["0 points", "2", "100 ±50", "0 ±0"],
        ["All", "4", "100 ±50", "0 ±0"],
        ["Round 3"],
        ["2 points", "1", "0 ±0", "0 ±0"],
        ["1 point", "2", "0 ±0", "33 ±17"],
        ["0 points", "1", "0 ±0", "0 ±0"],
        ["All", "4", "0 ±0", "33 ±12"],
    ]


def test_sentences_say_what_the_numbers_mean(client: Client) -> None:
    page = shown(client, make_section(FOUR, *ROUNDS))
    assert "Dubov System: players with the same points get opponents who bring their AROs" in page
    assert (
        "In 1 of 2 rounds the pairing brought the AROs inside the score groups closer together. In round 3 their "
        "standard deviation is 0.0 Elo before the pairing and 11.8 with its games."
    ) in page
    assert "Of 5 pairs of players with different points, the player with more points has the higher" in page
    assert "What this does not show" in page


def test_picture_has_a_line_for_each_round_and_words(client: Client) -> None:
    page = shown(client, make_section(FOUR, *ROUNDS))
    (picture,) = re.findall(r'<svg class="spread fair".*?</svg>', page)
    assert re.findall(r'<text class="k"[^>]*>(\d+)</text>', picture) == ["1", "2", "3"]
    assert (picture.count('class="before"'), picture.count('class="after"')) == (2, 3)
    assert 'role="img" aria-label="Spread of ARO inside the score groups' in picture
    assert "style=" not in picture


def test_running_round_has_its_spread_and_says_what_is_missing(client: Client) -> None:
    page = shown(client, make_section(FOUR, *RUNNING))
    assert "All rounds together, after round 2" in page
    assert "<b>Round 3</b>" in page
    assert "One result is missing: board 2." in page


def test_page_of_another_system_speaks_of_that_system(client: Client) -> None:
    page = shown(client, make_section(FOUR, *ROUNDS, system="uschess"))
    assert "US Chess: this system does not look at the ratings of earlier opponents." in page
    assert "Unevenness of the pairing by rating" in page
    assert "Dubov" not in page


@pytest.mark.parametrize("rounds", [(), ("Anna . Carl; Dora . Bert",)])
def test_page_before_anything_is_over(client: Client, rounds: tuple[str, ...]) -> None:
    page = shown(client, make_section(FOUR, *rounds))
    assert ("Nothing to measure yet." in page) is not rounds
    assert "All rounds together" not in page
    assert "svg class" in page or not rounds


@pytest.mark.parametrize("rest", ["fairness/", "print/fairness/", "lists/fairness.csv"])
def test_round_robin_has_nothing_to_measure(client: Client, rest: str) -> None:
    made = make_section(FOUR, *ROUNDS, system="round-robin")
    assert client.get(f"/{made.row.event.slug}/open/{rest}").status_code == 404
    assert "/fairness/" not in shown(client, made, "standings/")
    assert client.get(f"/api/v1/public/sections/{made.row.pk}/fairness/").status_code == 404


def test_views_of_the_standings_lead_to_the_page_and_only_arbiters_to_the_comparison(client: Client) -> None:
    made = make_section(FOUR, *ROUNDS)
    assert f'href="/{made.row.event.slug}/open/fairness/"' in shown(client, made, "standings/")
    assert "fairness/compare/" not in shown(client, made)


def test_sheet_has_the_same_values(client: Client) -> None:
    page = shown(client, make_section(FOUR, *RUNNING), "print/fairness/")
    for part in (
        "After round 2",
        "One result is missing: board 2.",
        "Unevenness of the pairing by ARO",
        "±112",
    ):
        assert part in page


def test_csv_has_whole_numbers_and_percent(client: Client) -> None:
    """PT by ARO after round 2: 1, 2, 1, 2. Bert (2) and Carl (1) are level: 2 x 1/2 of a sum of 6."""
    made = make_section(FOUR, *ROUNDS[:2])
    text = client.get(f"/{made.row.event.slug}/open/lists/fairness.csv").content.decode("utf-8-sig")
    assert text.splitlines() == [
        "Round;Score group;Players;Before: width;Before: standard deviation;After: width;After: standard deviation",
        "1;0;4;;;300;112",
        "1;all;4;;;300;112",
        "2;1;2;100;50;0;0",
        "2;0;2;100;50;0;0",
        "2;all;4;100;50;0;0",
        "After round 2",
        "Agreement of points and performance;100.0 %",
        "Unevenness of the pairing by OTHER_PT/ARO;16.7 %",
        "Unevenness of the pairing by OTHER_PT/BH;",
    ]


def test_json_has_the_same_values(client: Client) -> None:
    cache.clear()
    made = make_section(FOUR, *ROUNDS)
    body = client.get(f"/api/v1/public/sections/{made.row.pk}/fairness/").json()
    assert {key: body[key] for key in ("revision", "measured_after", "agreement", "pairs", "quality")} == {
        "revision": 0,
        "measured_after": 3,
        "agreement": 1.0,
        "pairs": 5,
        "quality": {"OTHER_PT/ARO": 0.0667, "OTHER_PT/BH": 0.0},
    }
    first, _second, third = body["rounds"]
    assert first["groups"][0] == {
        "points": 0,
        "players": 4,
        "before": None,
        "after": {"width": 300, "deviation": 111.8},
    }
    assert third["groups"][-1] == {
        "points": None,
        "players": 4,
        "before": {"width": 0, "deviation": 0},
        "after": {"width": 33.3, "deviation": 11.8},
    }


def test_halves_are_rounded_alike_on_page_paper_and_in_the_file(client: Client) -> None:
    """AROs of 2303 and 2400 are 97 apart, ± 48½."""
    made = make_section({"Anna": 2400, "Bert": 2303}, "Anna 1/2 Bert")
    for rest in ("fairness/", "print/fairness/"):
        assert "±49<" in shown(client, made, rest)
    assert "1;all;2;;;97;49" in shown(client, made, "lists/fairness.csv")


def test_agreement_and_unevenness_are_in_percent_and_say_by_which_order(client: Client) -> None:
    page = shown(client, make_section(FOUR, *ROUNDS))
    assert "100 % is agreement in all pairs, 0 % in half of them." in page
    assert "Each score group is in the order of ARO. 0 % means" in page
    assert "Smaller is more even." in page
    assert "The same, with each score group in the order of Buchholz." in page
    assert "All: the largest width of the groups, ± the standard deviation of all players" in page
