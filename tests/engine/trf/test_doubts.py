from __future__ import annotations

import pytest
from hypothesis import given

from pairing.engine import Edition, UpfloatCount
from pairing.engine.trf import Report, read_report, rules_of
from pairing.engine.trf.doubts import doubts
from pairing.engine.trf.messages import sentence
from tests.engine.trf.columns import as_file, player_line
from tests.engine.trf.reports import reports


def told(*lines: str) -> list[str]:
    return [sentence(doubt) for doubt in doubts(read_report(as_file(*lines)))]


def test_a_sound_file_has_no_warning() -> None:
    first = player_line("2 w 1", starting_rank=1, title="GM", rating=2500, points="1.0", rank=1)
    second = player_line("1 b 0", starting_rank=2, title="wf", points="0.0", rank=2)
    assert told("062 2 (1)", "072 1", "082 0", first, second) == []


def test_counts_that_do_not_fit_are_told() -> None:
    assert told("062 3", "072 2", player_line(starting_rank=1, rating=2000)) == [
        "line 1, column 5: the number of players is 3 here, but the file has 1",
        "line 2, column 5: the number of rated players is 2 here, but the file has 1",
    ]
    assert told("062 many", "072", player_line(starting_rank=1)) == []


def test_ranks_that_contradict_points_are_told_once() -> None:
    lines = [
        player_line("2 w 1", starting_rank=1, points="1.0", rank=3),
        player_line("1 b 0", starting_rank=2, points="0.0", rank=1),
        player_line("0000 - Z", starting_rank=3, points="0.0", rank=2),
    ]
    assert told(*lines) == [
        "line 2, column 86: player 2 has rank 1, before player 1 with more points, who has 3"
    ]


def test_equal_points_may_have_any_ranks() -> None:
    lines = [
        player_line("0000 - H", starting_rank=i, points="0.5", rank=r) for i, r in ((1, 2), (2, 1), (3, 1))
    ]
    assert told(*lines, player_line(starting_rank=4, points="0.0", rank=4)) == []


def test_titles_that_fide_does_not_have_are_told() -> None:
    assert told(player_line(starting_rank=1, title="XM")) == [
        "line 1, column 11: player 1: 'XM' is no title of FIDE"
    ]


def test_warnings_are_limited() -> None:
    report = read_report(as_file(*[player_line(starting_rank=i, title="XM") for i in range(1, 80)]))
    assert (len(doubts(report)), len(doubts(report, limit=3))) == (50, 3)


@given(reports())
def test_any_report_can_be_doubted(report: Report) -> None:
    assert all(sentence(doubt) for doubt in doubts(report))


def test_pairs_that_must_not_meet_are_told_once() -> None:
    lines = [player_line(starting_rank=rank) for rank in (1, 2, 3)]
    assert told(*lines, "XXP 1 2", "260 001 002  001  003") == [
        "line 4, column 1: pairs that must not meet (260, XXP) are outside FIDE's rules"
    ]


@pytest.mark.parametrize("day", ["next May", "2026/13/01", "26/02/01", "2026/02"])
def test_a_start_that_is_no_date_is_told_and_means_the_newest_edition(day: str) -> None:
    report = read_report(as_file(player_line(starting_rank=1), f"042 {day}"))
    assert told(player_line(starting_rank=1), f"042 {day}") == [
        (
            f"line 2, column 5: the start date must look like 2026/12/31, not {day!r}; "
            "the newest edition of the rules is taken"
        )
    ]
    assert rules_of(report) == (Edition.E2026, UpfloatCount.PLAYED)


@pytest.mark.parametrize(("day", "edition"), [("2026/1/31", Edition.E2018), ("2026.02.01", Edition.E2026)])
def test_dates_of_other_programs_are_understood(day: str, edition: Edition) -> None:
    report = read_report(as_file(player_line(starting_rank=1), f"042 {day}"))
    assert doubts(report) == ()
    assert rules_of(report)[0] is edition
