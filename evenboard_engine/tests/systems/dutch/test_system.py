"""The Dutch System as a pairing system: codes of files, preferences, and answers that are no pairing."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine import (
    SYSTEMS,
    Colour,
    InternalError,
    InvalidTournament,
    NoLegalPairing,
    Result,
    pair_round,
)
from evenboard_engine.history import Histories
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.systems.dutch.pairing.field import DutchField
from evenboard_engine.systems.field import check_pairs
from evenboard_engine.tests.rules.build import tournament
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import TrfErrors, group_of_baku, read_report, to_tournament
from evenboard_engine.trf.file_warnings import file_warnings

DUTCH = SYSTEMS["dutch"]
DRAW = Result.DRAW


@pytest.mark.parametrize(
    "code", ["FIDE_DUTCH", "FIDE_DUTCH_2025", "FIDE_DUTCH_2026", "FIDE_DUTCH_BAKU", "FIDE_DUTCH_2026_BAKU"]
)
def test_codes_of_the_editions_of_2025_and_2026_are_read(code: str) -> None:
    assert DUTCH.decoded(code) == {}


def test_code_of_another_system_is_not_read() -> None:
    assert [DUTCH.decoded(code) for code in ("FIDE_DUTCH_2018", "FIDE_DUBOV", "")] == [None] * 3
    assert (DUTCH.coded({}), DUTCH.coded({}, accelerated=True)) == ("FIDE_DUTCH", "FIDE_DUTCH_BAKU")


@pytest.mark.parametrize(
    ("code", "day", "older"),
    [
        ("FIDE_DUTCH_2017", "", "192 FIDE_DUTCH_2017"),
        ("FIDE_DUTCH_2017_BAKU", "2026/03/01", "192 FIDE_DUTCH_2017_BAKU"),
        ("FIDE_DUTCH", "2026/01/31", "042 2026/01/31"),
        ("FIDE_DUTCH", "2026/02/01", ""),
        ("FIDE_DUTCH_2025", "2025/08/01", ""),
        ("", "2019/08/01", "042 2019/08/01"),
    ],
)
def test_a_file_of_an_older_edition_is_read_with_a_warning_at_its_line(
    code: str, day: str, older: str
) -> None:
    players = [player_line(starting_rank=rank, rating=2000 - rank) for rank in range(1, 5)]
    heads = [line for line in (f"192 {code}", f"042 {day}") if len(line) > 4]
    lines = [*heads, "XXR 5", "152 W", *players]
    report = read_report(as_file(*lines))
    assert to_tournament(report, system="dutch").options == {"edition": "2026"}
    warnings = [one for one in file_warnings(report, system="dutch") if one.code == "older_edition"]
    assert [lines[one.line - 1] for one in warnings] == ([older] if older else [])
    named = read_report(as_file(*lines, "### Pairing option edition: 2026"))
    assert "older_edition" not in [one.code for one in file_warnings(named, system="dutch")]
    # A section that took in rounds of the older edition names its own, and what differs.
    exported = read_report(
        as_file(*lines, "### Pairing option edition: 2026", "### Import @ Round 1: 1-3 => 1-4")
    )
    found = [one.code for one in file_warnings(exported, system="dutch")]
    assert ("older_edition" in found) == bool(older)


@pytest.mark.parametrize("code", ["FIDE_DUTCH_BAKU", "FIDE_DUTCH_2026_BAKU", "FIDE_DUTCH_2017_BAKU"])
def test_baku_of_every_edition_gives_virtual_points_and_other_point_systems_are_refused(code: str) -> None:
    """C.04.7, 1.1: a win is worth two draws, and a loss nothing. Half of three points is no result."""
    players = [player_line(starting_rank=rank, rating=2000 - rank) for rank in range(1, 9)]
    lines = [f"192 {code}", "XXR 9", "152 W", *players]
    (first, second) = to_tournament(read_report(as_file(*lines)), system="dutch").accelerations
    assert (first.points, second.points, first.players) == (10, 5, {1, 2, 3, 4})
    with pytest.raises(TrfErrors) as caught:
        to_tournament(read_report(as_file(*lines, "XXS W=3 D=1")), system="dutch")
    assert [(one.line, one.code) for one in caught.value.errors] == [(1, "acceleration_points")]
    given = read_report(
        as_file("192 FIDE_DUTCH", *lines[1:], "XXS W=3 D=1", "250      3.0 001 002 0001 0004")
    )
    assert [one.points for one in to_tournament(given, system="dutch").accelerations] == [30]
    assert group_of_baku(given) is None


def test_preference_of_a_player_without_a_game_is_none() -> None:
    past = Histories(tournament(4, (1, 1, 2, DRAW)), DUTCH.history_rules(tournament(2)))
    found = [DUTCH.preference(past[player]) for player in (1, 2, 3)]
    assert found == [
        Preference(Colour.BLACK, Strength.STRONG),
        Preference(Colour.WHITE, Strength.STRONG),
        None,
    ]


def test_rules_have_an_address_and_a_proposal_where_no_round_exists() -> None:
    assert DUTCH.handbook({}).endswith("C0403202602")
    met = tournament(2, (1, 1, 2, DRAW), system="dutch")
    with pytest.raises(NoLegalPairing):
        pair_round(met)
    assert [one.kind.value for one in DUTCH.relaxations(met)] == ["C1"]


def test_initial_colour_is_asked_for_when_two_without_a_game_meet() -> None:
    with pytest.raises(InvalidTournament, match="initial_colour_missing"):
        pair_round(replace(tournament(2, at=1, system="dutch"), initial_colour=None))


def test_nobody_and_one_player() -> None:
    assert pair_round(tournament(0, at=1, system="dutch")).pairs == ()
    assert pair_round(tournament(1, at=1, system="dutch")).bye == 1


@pytest.mark.parametrize(
    ("pairs", "left_over", "code"),
    [
        ([(0, 2)], [1, 3], "not_everyone_once"),
        ([(0, 2), (1, 2)], [], "not_everyone_once"),
        ([(0, 1), (2, 3)], [], "may_not_meet"),
    ],
)
def test_round_that_breaks_the_rules_is_not_returned(
    pairs: list[tuple[int, int]], left_over: list[int], code: str
) -> None:
    field = DutchField(tournament(4, (1, 1, 2, DRAW)))
    with pytest.raises(InternalError, match=code):
        check_pairs(field, pairs, left_over)


def test_second_bye_is_not_returned() -> None:
    field = DutchField(tournament(3, (1, 1, 3, Result.WHITE_WINS_BY_FORFEIT)))
    with pytest.raises(InternalError, match="bye_barred"):
        check_pairs(field, [(1, 2)], [0])
