from __future__ import annotations

import pytest
from hypothesis import given

from evenboard_engine import PointSystem
from evenboard_engine.tests.trf.reports import point_systems
from evenboard_engine.trf import Record, Report, Scoring, read_report, scoring_records, write_report
from evenboard_engine.trf.scoring import point_system

USUAL = PointSystem()
THREE_ONE = PointSystem(30, 30, 10, 10, 0, 0, forfeit_win=30, allocated_bye=30, full_bye=30, half_bye=10)


def points_of(*lines: str) -> PointSystem:
    return read_report("\n".join((*lines, "001    1")).encode()).points


def line_of(record: Record) -> str:
    return write_report(Report((record,)), newline="").decode()


def test_usual_points_need_no_record() -> None:
    assert points_of() == USUAL
    assert scoring_records(USUAL) == ()


@pytest.mark.parametrize(
    "lines",
    [
        ("XXS PAB=3 D=1 W=3",),
        ("XXS W=3", "XXS D=1 PAB=3.0"),
        ("162  W 3.0    D 1.0",),
        ("162  P 3.0    W 3.0    D 1.0    L 0.0    A 0.0    X 1.0",),
        ("BBW  3.0", "BBD  1.0"),
        ("BBW  3.0", "BBD  1.0", "BBL  0.0", "BBZ  0.0", "BBF  0.0", "BBU  3.0"),
        ("162  W 3.0    D 1.0", "XXS W=3 D=1 PAB=3"),
    ],
)
def test_three_points_for_a_win_are_read(lines: tuple[str, ...]) -> None:
    assert points_of(*lines) == THREE_ONE


@pytest.mark.parametrize(
    ("word", "field"),
    [
        ("WW", "white_win"),
        ("BW", "black_win"),
        ("WD", "white_draw"),
        ("BD", "black_draw"),
        ("WL", "white_loss"),
        ("BL", "black_loss"),
        ("ZPB", "zero_bye"),
        ("HPB", "half_bye"),
        ("FPB", "full_bye"),
        ("PAB", "allocated_bye"),
        ("FW", "forfeit_win"),
        ("FL", "forfeit_loss"),
    ],
)
def test_every_word_of_xxs_sets_its_field(word: str, field: str) -> None:
    assert points_of(f"XXS {word}=0.7") == PointSystem(**{field: 7})


def test_later_word_of_xxs_wins() -> None:
    assert points_of("XXS W=3 FPB=0").full_bye == 0
    assert points_of("XXS FPB=0 W=3").full_bye == 30
    assert points_of("XXS FPB=0", "XXS W=3").full_bye == 30


def test_xxs_word_without_a_colour_leaves_other_results_unchanged() -> None:
    assert points_of("XXS W=3") == PointSystem(30, 30, forfeit_win=30, full_bye=30)
    assert points_of("XXS D=1") == PointSystem(white_draw=10, black_draw=10, half_bye=10)
    assert points_of("XXS L=0.1") == PointSystem(white_loss=1, black_loss=1)


def test_allocated_bye_is_worth_a_win_of_162_but_not_of_xxs() -> None:
    assert points_of("162  W 3.0").allocated_bye == 30
    assert points_of("BBW 3.0").allocated_bye == 30
    assert points_of("162  W 3.0    P 2.0").allocated_bye == 20
    assert points_of("XXS W=3").allocated_bye == 10


def test_absence_of_162_covers_byes_and_forfeits() -> None:
    assert points_of("162  A 0.5") == PointSystem(zero_bye=5, forfeit_loss=5)


@given(point_systems)
def test_written_point_system_is_read_again(points: PointSystem) -> None:
    records = scoring_records(points)
    assert points_of(*map(line_of, records)) == points
    assert {line_of(record)[:3] for record in records} <= {"162", "299", "XXS"}


def test_162_is_written_only_if_it_can_say_the_whole_point_system() -> None:
    assert [record.code for record in scoring_records(THREE_ONE)] == ["162", "XXS"]
    lines = [line_of(record).rstrip() for record in scoring_records(PointSystem(half_bye=0))]
    assert [line[:3] for line in lines] == ["162", "299", "XXS"]
    assert lines[1] == "299 H         0.0"
    assert points_of(*lines[:2]) == PointSystem(half_bye=0)
    assert [line_of(record)[:3] for record in scoring_records(PointSystem(black_win=20))] == ["XXS"]


def test_contradiction_names_the_record_and_the_field() -> None:
    records = (Scoring("XXS", (("W", 30),)), Scoring("162", (("W", 20),)))
    assert point_system(records)[1] == (records[1], "white_win")
