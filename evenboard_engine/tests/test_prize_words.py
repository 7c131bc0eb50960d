"""How the sum of each prize is made, in words."""

from __future__ import annotations

from fractions import Fraction

import pytest

from evenboard_engine.prizes import Award, Category, Method, PrizeCandidate, distribute
from evenboard_engine.words.catalogue import Language
from evenboard_engine.words.prizes import award_sentences, money_text

PRIZES = (50000, 30000, 20000, 10000)


def sentences(method: Method, *places: int, unit: int = 1) -> list[str]:
    """Return the sentences for players with 5, 4, 4, 4 and 3 points on these places."""
    points = (50, 40, 40, 40, 30)
    standings = [PrizeCandidate(at, place, points[at]) for at, place in enumerate(places)]
    found = distribute(standings, [Category(PRIZES, method, range(9))], unit=unit)
    return [" ".join(award_sentences(award, method, PRIZES)) for award in found.awards[0]]


HALVES = "Places 2 to 4, level on 4 points, share the other halves of 300 + 200 + 100: 100 each."
SHARED = "Places 2 to 4, level on 4 points, share 300 + 200 + 100: 200 each."


@pytest.mark.parametrize(
    ("method", "second", "third"),
    [
        (Method.EQUAL, SHARED, SHARED),
        (Method.PLACE, "Place 2: 300.", "Place 3: 200."),
        (Method.HORT, f"Half of 300 for place 2: 150. {HALVES}", f"Half of 200 for place 3: 100. {HALVES}"),
    ],
)
def test_each_method_says_how_the_sum_is_made(method: Method, second: str, third: str) -> None:
    assert sentences(method, 1, 2, 3, 4, 5)[:3] == ["Place 1: 500.", second, third]


def test_shared_places_are_named() -> None:
    assert sentences(Method.PLACE, 1, 2, 2, 4, 5)[1] == (
        "Places 2 to 3 are level in all tie-breaks and share 300 + 200: 250 each."
    )
    assert sentences(Method.HORT, 1, 2, 2, 4, 5)[1] == (
        f"Places 2 to 3 are level in all tie-breaks and share half of 300 + 200: 125 each. {HALVES}"
    )


def test_rounding_and_a_place_without_a_prize_are_named() -> None:
    standings = [PrizeCandidate(at, at + 1, 5) for at in range(3)]
    found = distribute(standings, [Category((10000, 3000), Method.HORT, range(3))], unit=100)
    each = "Places 1 to 3, level on ½ point, share the other halves of 100 + 30: 21\u00a02/3 each."
    assert [" ".join(award_sentences(one, Method.HORT, (10000, 3000))) for one in found.awards[0]] == [
        f"Half of 100 for place 1: 50. {each} 71\u00a02/3 is rounded to 72.",
        f"Half of 30 for place 2: 15. {each} 36\u00a02/3 is rounded to 37.",
        f"Place 3 has no prize of its own. {each} 21\u00a02/3 is rounded to 21.",
    ]


@pytest.mark.parametrize(
    ("hundredths", "text"),
    [
        *((0, "0"), (30000, "300"), (3350, "33.50"), (5, "0.05")),
        *((Fraction(10000, 3), "33\u00a01/3"), (Fraction(1, 3), "1/300"), (Fraction(50, 1), "0.50")),
    ],
)
def test_amounts_are_exact(hundredths: int | Fraction, text: str) -> None:
    assert money_text(hundredths) == text


def test_amounts_have_the_decimal_mark_of_the_language() -> None:
    german = Language(mark=lambda: ",")
    assert money_text(3350, german) == "33,50"
    sentences = award_sentences(
        Award(player=1, amount=2100, exact=Fraction(2150), points=30, same=(1, 1), level=(1, 1)),
        Method.PLACE,
        [2150],
        language=german,
    )
    assert sentences == ("Place 1: 21,50.", "21,50 is rounded to 21.")
