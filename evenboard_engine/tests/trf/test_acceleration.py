"""Virtual points and editions in report files."""

from __future__ import annotations

import pytest

from evenboard_engine import Acceleration, Tournament, pair_round
from evenboard_engine.acceleration import baku
from evenboard_engine.systems.dubov.options import Edition, UpfloatCount, edition_of
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    Report,
    TrfErrors,
    VirtualPoints,
    VirtualPointsOfOne,
    acceleration_records,
    group_of_baku,
    read_report,
    reading_lines,
    readings,
    rules_of,
    to_tournament,
    virtual_points,
    write_report,
)
from evenboard_engine.words.report_problems import sentence

EIGHT = tuple(player_line(starting_rank=rank, rating=2500 - rank) for rank in range(1, 9))
BAKU_OF_9 = baku(range(1, 5), rounds=9, win=10)


def report(*lines: str) -> Report:
    return read_report(as_file(*EIGHT, "XXR 9", *lines))


def tournament(*lines: str, round: int | None = None) -> Tournament:  # noqa: A002
    return to_tournament(report(*lines), round=round)


def errors(*lines: str) -> list[tuple[int, int, str]]:
    with pytest.raises(TrfErrors) as caught:
        tournament(*lines)
    return [(error.line, error.column, error.code) for error in caught.value.errors]


def test_record_250_is_read_and_written_in_its_columns() -> None:
    line = "250      01.0 001 003 0001 0082"
    (record,) = read_report(as_file(*EIGHT, player_line(starting_rank=82), line)).of_type(VirtualPoints)
    assert record == VirtualPoints(10, 1, 3, 1, 82)
    assert write_report(Report((record,)), newline="\n").decode() == line + "\n"


def test_match_points_of_250_must_be_none() -> None:
    (record,) = report("250 00.0 00.5 004 005 0001 0004").of_type(VirtualPoints)
    assert record == VirtualPoints(5, 4, 5, 1, 4)
    assert errors("250 02.0 00.5 004 005 0001 0004") == [(10, 5, "unexpected_text")]


def test_xxa_is_read_and_written_in_its_columns() -> None:
    line = "XXA    4  1.0  1.0  0.5"
    (record,) = report(line).of_type(VirtualPointsOfOne)
    assert record == VirtualPointsOfOne(4, (10, 10, 5))
    assert write_report(Report((record,)), newline="\n").decode() == line + "\n"
    (gap,) = report("XXA    4       1.0").of_type(VirtualPointsOfOne)
    assert gap.points == (0, 10)
    (wide,) = report("XXA    4 10.0").of_type(VirtualPointsOfOne)
    assert wide.points == (100,)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("XXA    9  1.0", (10, 8, "unknown_player")),
        ("XXA    1  1.0 x", (10, 15, "bad_points")),
        ("XXA    1" + "  1.0" * 1000, (10, 5005, "too_many_rounds")),
        ("XXA    1  1.01.0", (10, 14, "column_not_blank")),
        ("250      01.0 001", (10, 19, "number_missing")),
        ("250      x.0 001 003 0001 0004", (10, 10, "bad_points")),
        ("250      01.0 001 003 0001 0009", (10, 28, "unknown_player")),
        ("250      01.0 001 003 0001 0004 1 2", (10, 33, "unexpected_text")),
    ],
)
def test_wrong_records_are_refused_with_their_place(line: str, expected: tuple[int, int, str]) -> None:
    with pytest.raises(TrfErrors) as caught:
        report(line)
    assert [(error.line, error.column, error.code) for error in caught.value.errors] == [expected]


def test_both_records_may_say_the_same() -> None:
    read = tournament("250      01.0 001 001 0001 0004", "XXA    1  1.0", "XXA    2  1.0", "XXA    7  0.0")
    assert read.accelerations == (Acceleration(1, 1, 10, frozenset({1, 2, 3, 4})),)


def test_records_that_differ_are_refused() -> None:
    lines = ("250      01.0 001 001 0001 0004", "XXA    4  0.5")
    assert errors(*lines) == [(11, 5, "virtual_points_differ")]
    with pytest.raises(TrfErrors) as caught:
        tournament(*lines)
    assert sentence(caught.value.errors[0]) == (
        "line 11, column 5: player 4 has 0.5 virtual points in round 1 here, but 1.0 in an earlier line"
    )
    assert errors("250      01.0 001 001 0001 0004", "250      00.5 001 002 0004 0008") == [
        (11, 5, "virtual_points_differ")
    ]


def test_system_with_baku_accelerates_by_the_rule() -> None:
    assert tournament("192 FIDE_DUBOV_BAKU").accelerations == BAKU_OF_9
    assert tournament("192 FIDE_DUBOV").accelerations == ()
    pairs = [
        (pair.white, pair.black) for pair in pair_round(tournament("192 fide_dubov_baku", "152 W")).pairs
    ]
    assert pairs == [(1, 3), (4, 2), (5, 7), (8, 6)]


def test_split_by_the_rule_leaves_out_players_who_are_not_in_round_1() -> None:
    """Five players are in round 1. Player 6, the fourth of them, is the last of GA. 2 and 3 are above 6 and join GA."""
    lines = [
        player_line("5 w 1", starting_rank=1, rating=2400),
        player_line(starting_rank=2, rating=2400),
        player_line("0000 - H", starting_rank=3, rating=2400),
        player_line("6 w 1", starting_rank=4, rating=2400),
        player_line("1 b 0", starting_rank=5, rating=2400),
        player_line("4 b 0", starting_rank=6, rating=2400),
        player_line("0000 - Z", starting_rank=7, rating=2400),
        player_line("0000 - U", starting_rank=8, rating=2400),
        player_line("0000 - F", starting_rank=9, rating=2400),
        "XXR 9",
        "192 FIDE_DUBOV_BAKU",
    ]
    made = to_tournament(read_report(as_file(*lines)))
    assert made.accelerations == baku({1, 2, 3, 4, 5, 6}, rounds=9, win=10)


@pytest.mark.parametrize(
    "lines",
    [
        ("240 H 001 0001",),
        ("240 Z 001 0001", "240 F 002 0002"),
        ("XXZ 1",),
    ],
)
def test_split_before_round_1_leaves_out_players_with_an_announced_bye(lines: tuple[str, ...]) -> None:
    """VCL4THP.13 Q111: one of nine players is not in round 1. Of eight, 2 to 5 are GA. Player 1 is above them."""
    nine = player_line(starting_rank=9, rating=2000)
    report = read_report(as_file(*EIGHT, nine, "XXR 9", "192 FIDE_DUBOV_BAKU", *lines))
    assert group_of_baku(report) == {1, 2, 3, 4, 5}
    low = read_report(as_file(*EIGHT, nine, "XXR 9", "192 FIDE_DUBOV_BAKU", "240 H 001 0009"))
    assert group_of_baku(low) == {1, 2, 3, 4}
    column = player_line("0000 - H", starting_rank=9, rating=2000)
    assert group_of_baku(read_report(as_file(*EIGHT, column, "XXR 9", "192 FIDE_DUBOV_BAKU"))) == {1, 2, 3, 4}


def test_records_override_the_rule() -> None:
    read = tournament("192 FIDE_DUBOV_BAKU", "250      00.5 001 009 0008 0008")
    assert read.accelerations == (Acceleration(1, 1, 5, frozenset({8})),)


def test_written_acceleration_is_read_again() -> None:
    ranks = range(1, 9)
    given = (*BAKU_OF_9, Acceleration(6, 6, 20, frozenset({1, 2, 7})))
    records = tuple(acceleration_records(given, ranks, 9))
    assert [record for record in records if isinstance(record, VirtualPoints)] == [
        VirtualPoints(10, 1, 3, 1, 4),
        VirtualPoints(5, 4, 5, 1, 4),
        VirtualPoints(20, 6, 6, 1, 2),
        VirtualPoints(20, 6, 6, 7, 7),
    ]
    assert records[-1] == VirtualPointsOfOne(7, (0, 0, 0, 0, 0, 20, 0, 0, 0))
    both = Report((*report().records, *records))
    played = to_tournament(read_report(write_report(both)))
    assert played.accelerations == (Acceleration(1, 1, 10, frozenset({1, 2, 3, 4})),)


def test_ranges_of_250_skip_no_player_of_the_file() -> None:
    """Starting ranks may have gaps: 5 comes directly after 2 here."""
    given = (Acceleration(1, 2, 10, frozenset({1, 2, 5})),)
    records = acceleration_records(given, (1, 2, 5, 9), 0)
    assert [record for record in records if isinstance(record, VirtualPoints)] == [
        VirtualPoints(10, 1, 2, 1, 5)
    ]


def test_group_of_baku_is_found_in_either_record() -> None:
    assert group_of_baku(report()) == frozenset()
    assert group_of_baku(report("192 FIDE_DUBOV_BAKU")) == {1, 2, 3, 4}
    assert group_of_baku(report("250      01.0 001 003 0001 0004")) == {1, 2, 3, 4}
    assert group_of_baku(report(*(f"XXA    {rank}  1.0" for rank in (1, 2, 3, 4)))) == {1, 2, 3, 4}


def test_group_of_baku_is_that_of_the_file_once_round_1_is_paired() -> None:
    """Player 3 may have been above player 1 before a rating was corrected."""
    pair = (
        player_line("2 w 1", starting_rank=1, rating=2400),
        player_line("1 b 0", starting_rank=2, rating=2300),
    )
    rest = [player_line("0000 - Z", starting_rank=rank, rating=2000) for rank in (3, 4)]
    lines = ("XXR 5", "XXA    1  0.0", "XXA    2  1.0  1.0", "XXA    3  1.0  1.0")
    assert group_of_baku(read_report(as_file(*pair, *rest, *lines))) == {2, 3}
    assert group_of_baku(report("XXA    2  1.0", "XXA    3  1.0")) is None


def test_five_digits_move_the_columns_of_xxa() -> None:
    line = "XXA 10004  1.0  0.5"
    one = player_line(starting_rank=1)
    (record,) = read_report(as_file(one, one.replace("    1", "10004", 1), line)).of_type(VirtualPointsOfOne)
    assert record == VirtualPointsOfOne(10004, (10, 5))
    assert write_report(Report((record,)), newline="\n").decode() == line + "\n"


def test_other_virtual_points_are_not_those_of_baku() -> None:
    for line, points in (("250      00.5 001 003 0001 0004", {1: 5, 4: 5}), ("XXA    2  2.0", {2: 20})):
        found = report(line)
        assert group_of_baku(found) is None
        given = virtual_points(found)
        assert {one.points for one in given} == set(points.values())
        assert points.keys() <= given[0].players


def test_virtual_points_have_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("evenboard_engine.trf.acceleration.MAX_VIRTUAL_POINTS", 7)
    assert errors("250      00.5 001 001 0001 0008") == [(10, 5, "too_many_virtual")]


@pytest.mark.parametrize(
    ("start", "edition"),
    [
        ("042 2019/05/01", Edition.E2018),
        ("042 2026/01/31", Edition.E2018),
        ("042 2026/02/01", Edition.E2026),
        ("042 2026-01-31", Edition.E2018),
        ("012 Open", Edition.E2026),
    ],
)
def test_edition_is_the_one_in_force_on_the_first_day(start: str, edition: Edition) -> None:
    assert edition_of(rules_of(report(start, "192 FIDE_DUBOV"))) is edition


def test_comments_name_the_edition_and_the_reading_of_upfloats() -> None:
    for edition in Edition:
        for upfloats in UpfloatCount:
            carried = reading_lines("dubov", {"edition": edition, "upfloats": upfloats})
            read = tournament("042 2019/05/01", "192 FIDE_DUBOV", *carried)
            assert read.options == {"edition": edition, "upfloats": upfloats}


def test_unknown_edition_or_reading_in_a_comment_is_ignored() -> None:
    lines = (
        "### C.04.4.1 Dubov System, edition of 1997",
        "### Upfloats of forfeited games: perhaps",
        "### x",
    )
    read = tournament(*lines, "192 FIDE_DUBOV")
    assert read.options == {"edition": "2026", "upfloats": "played"}
    assert readings(report(*lines)) == {}


def test_edition_given_by_the_caller_replaces_that_of_the_file() -> None:
    asked = to_tournament(report("042 2019/05/01"), system="dubov", options={"edition": "2025"})
    assert asked.options["edition"] == "2025"


def test_group_of_baku_uses_the_place_in_the_file_if_xxc_rank_says_so() -> None:
    turned = read_report(as_file(*EIGHT[::-1], "XXR 9", "XXC rank", "192 FIDE_DUBOV_BAKU"))
    assert group_of_baku(turned) == {5, 6, 7, 8}


def test_acceleration_without_players_has_no_record() -> None:
    assert tuple(acceleration_records((Acceleration(1, 2, 10, frozenset()),), (1, 2), 2)) == ()
