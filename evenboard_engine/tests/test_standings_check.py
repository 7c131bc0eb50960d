"""The standings of report files compared with the tie-breaks that they declare."""

from __future__ import annotations

import pytest

from evenboard_engine.checking.standings import StandingsCheck, check_standings
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import read_report

ROUND_1 = ("2 w 1", "1 b 0", "4 w 1", "3 b 0")


def check(
    ranks: tuple[int | None, ...], *records: str, entries: tuple[str, ...] = ROUND_1
) -> StandingsCheck | None:
    lines = [
        player_line(entry, starting_rank=number, rating=2400 - number, rank=rank or "")
        for number, (entry, rank) in enumerate(zip(entries, ranks, strict=True), start=1)
    ]
    return check_standings(read_report(as_file(*lines, "142 5", *records)))


def misplaced_of(found: StandingsCheck | None) -> list[tuple[int, int, str]]:
    assert found is not None
    return [(one.player, one.other, one.tie_break) for one in found.misplaced]


def test_full_ties_may_be_in_any_order() -> None:
    assert misplaced_of(check((2, 3, 1, 4))) == []
    assert misplaced_of(check((1, 3, 1, 3))) == []
    assert misplaced_of(check((10, 40, 20, 30))) == []


def test_points_come_first_with_any_declared_tie_breaks() -> None:
    assert misplaced_of(check((1, 2, 3, 4))) == [(2, 3, "PTS")]


@pytest.mark.parametrize("record", ["202 TPN", "212 PTS,TPN"])
def test_the_declared_tie_breaks_are_compared(record: str) -> None:
    assert misplaced_of(check((1, 3, 2, 4), record)) == []
    assert misplaced_of(check((2, 3, 1, 4), record)) == [(3, 1, "TPN")]
    assert misplaced_of(check((1, 3, 1, 4), record)) == [(3, 1, "TPN")]


def test_212_is_used_instead_of_202() -> None:
    found = check((4, 3, 2, 1), "202 TPN", "212 TPN/R")
    assert found is not None
    assert (found.tie_breaks, found.misplaced, found.line) == (("TPN/R",), (), 7)


def test_players_without_a_rank_are_left_out() -> None:
    found = check((1, None, None, 2))
    assert found is not None
    assert (found.players, found.misplaced) == (2, ())


@pytest.mark.parametrize(
    "entries", [("", "", "", ""), ("2 w ", "1 b ", "4 w 1", "3 b 0"), ("2 w ?", "1 b ?", "4 w 1", "3 b 0")]
)
def test_standings_of_an_unfinished_round_are_not_checked(entries: tuple[str, ...]) -> None:
    assert check((4, 3, 2, 1), entries=entries) is None


def test_without_ranks_there_is_nothing_to_check() -> None:
    assert check((None, None, None, None)) is None


def test_points_with_byes_of_later_rounds_are_not_checked() -> None:
    lines = (
        player_line("2 w 1", starting_rank=1, rating=2400, rank=2),
        player_line("1 b 0", "0000 - H", starting_rank=2, rating=2300, rank=1, points="0.5"),
        "142 5",
    )
    assert check_standings(read_report(as_file(*lines))) is None


@pytest.mark.parametrize(("day", "first"), [("2026/02/28", 1), ("2026/03/01", 3), ("", 3)])
def test_edition_of_c07_follows_the_first_day(day: str, first: int) -> None:
    """For a forfeit win, the dummy had the player's own score (1.5) until February 2026; now the opponent's (0)."""
    entries = (("2 w +", "3 b ="), ("1 b -", "4 w 0"), ("4 w 1", "1 w ="), ("3 b 0", "2 b 1"))
    lines = [
        player_line(*rounds, starting_rank=number, rating=2400 - number, rank=rank)
        for number, (rounds, rank) in enumerate(zip(entries, (1, 4, 2, 3), strict=True), start=1)
    ]
    found = check_standings(read_report(as_file(*lines, "142 5", "212 PTS,BH", f"042 {day}")))
    assert misplaced_of(found) == ([] if first == 1 else [(1, 3, "BH")])
