"""All games, byes, forbidden pairs and the check-in as tables."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime

import pytest

from evenboard_engine import Result
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.files.results import byes_csv, check_in_csv, forbidden_pairs_csv, games_csv
from tournaments.models import Bye, CheckIn, ForbiddenPair, Game, Round

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@pytest.fixture
def made() -> MadeSection:
    return make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1801},
        "Anna 1-0 Bert; Carl U",
        "Carl 1/2 Anna; Bert H",
        "Bert . Carl; Anna U",
        planned=4,
        draft=True,
    )


def rows(data: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"))


def test_all_games_have_the_result_that_counts_and_the_one_for_rating(made: MadeSection) -> None:
    Game.objects.filter(pk=made.game(2, 1).pk).update(rating_result=Result.WHITE_WINS)
    head, *found = rows(games_csv(made.row))
    assert head[:3] + head[7:10] == ["Round", "Board", "White No", "Result", "Result for rating", "Black No"]
    assert found == [  # round 3 is a draft
        ["1", "1", "1", "Anna", "", "", "2000", "1–0", "", "2", "Bert", "", "", "1900"],
        ["2", "1", "3", "Carl", "", "", "1801", "½", "1–0", "1", "Anna", "", "", "2000"],
    ]


def test_byes_of_all_rounds_without_the_one_of_a_draft(made: MadeSection) -> None:
    add_bye(made, "Carl", 4, "Z")
    Bye.objects.filter(round_number=4).update(source=Bye.Source.ABSENT)
    assert [[row[0], *row[1:3], *row[6:]] for row in rows(byes_csv(made.row))[1:]] == [
        ["1", "3", "Carl", "pairing-allocated", "1", "by the pairing"],
        ["2", "2", "Bert", "half-point", "½", "asked for"],
        ["4", "3", "Carl", "zero-point", "0", "by the arbiter"],
    ]


def test_forbidden_pairs_by_pairing_number(made: MadeSection) -> None:
    first, second = sorted((made.people["Carl"], made.people["Bert"]), key=lambda entry: entry.pk)
    ForbiddenPair.objects.create(section=made.row, first=first, second=second, reason="=sisters")
    assert rows(forbidden_pairs_csv(made.row))[1:] == [["2", "Bert", "3", "Carl", "1", "4", "'=sisters"]]


def test_check_in_for_the_next_round(made: MadeSection) -> None:
    add_bye(made, "Bert", 4, "H")
    CheckIn.objects.create(
        participant=made.people["Anna"], round_number=4, at=datetime(2026, 10, 20, 12, 5, tzinfo=UTC)
    )
    found = rows(check_in_csv(made.row))[1:]
    assert [[row[0], row[2], *row[7:9]] for row in found] == [
        ["4", "Anna", "", "yes"],
        ["4", "Bert", "half-point", "no"],
        ["4", "Carl", "", "no"],
    ]
    assert found[0][9].startswith("2026-10-20 ")
    made.row.rounds = 3
    with pytest.raises(Round.DoesNotExist):
        check_in_csv(made.row)
