from __future__ import annotations

from hypothesis import given

from pairing.engine.trf import Report, read_report
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
