"""Every error, with the line and the column that it points at."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import TrfErrors, read_report

ONE = player_line(starting_rank=1)
TWO = player_line(starting_rank=2)


def errors(*lines: str, **options: int) -> list[tuple[int, int, str]]:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(*lines), **options)
    return [(error.line, error.column, error.code) for error in caught.value.errors]


def params(*lines: str) -> dict[str, object]:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(*lines))
    (error,) = caught.value.errors
    return error.params


def with_text(first: int, text: str, line: str = ONE) -> str:
    line = line.ljust(first - 1)
    return line[: first - 1] + text + line[first - 1 + len(text) :]


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        ("001", 5, "number_missing"),
        ("001    0", 5, "number_missing"),
        ("001   x1", 7, "not_a_number"),
        ("001 1 2", 5, "not_a_number"),
        ("001   -1", 7, "not_a_number"),
        ("001    ²", 8, "not_a_number"),
        ("001    ٣", 8, "not_a_number"),
        (with_text(9, "x"), 9, "column_not_blank"),
        (with_text(14, "x"), 14, "column_not_blank"),
        (with_text(48, "x"), 48, "column_not_blank"),
        (with_text(49, "24x2"), 49, "not_a_number"),
        (with_text(49, " -12"), 50, "not_a_number"),
        (with_text(53, "x"), 53, "column_not_blank"),
        (with_text(57, "x"), 57, "column_not_blank"),
        (with_text(58, "12.5"), 58, "not_a_number"),
        (with_text(69, "x"), 69, "column_not_blank"),
        (with_text(80, "--1.0"), 81, "bad_points"),
        (with_text(81, "4.55"), 81, "bad_points"),
        (with_text(81, "   ."), 81, "bad_points"),
        (with_text(90, "x"), 90, "column_not_blank"),
        (with_text(92, "   x w 1"), 92, "not_a_number"),
        (with_text(92, "   2xw 1"), 96, "column_not_blank"),
        (with_text(92, "   2 x 1"), 97, "bad_value"),
        (with_text(92, "   2 wx1"), 98, "column_not_blank"),
        (with_text(92, "0000 - x"), 99, "unknown_result"),
        (with_text(92, "       ß"), 99, "unknown_result"),
        (with_text(92, "   2 w U"), 99, "bye_with_opponent"),
        (with_text(92, "   2 - 1"), 97, "colour_missing"),
        (with_text(92, "   2    "), 97, "colour_missing"),
        (with_text(92, "0000 - 1"), 99, "result_without_opponent"),
        (with_text(92, "     - 0"), 99, "result_without_opponent"),
        (with_text(92, "0000 - ?"), 99, "result_without_opponent"),
        (with_text(92, "0000 w +"), 97, "colour_without_opponent"),
        (with_text(92, "0000 w Z"), 97, "colour_without_opponent"),
        (with_text(92, "0000 w  "), 97, "colour_without_opponent"),
        (with_text(102, "   x w 1"), 102, "not_a_number"),
        (with_text(112, "0000 - x"), 119, "unknown_result"),
        ("001    1\tName", 9, "control_character"),
        ("001    1 \x00", 10, "control_character"),
        ("001    1      N\x85", 16, "control_character"),
        (ONE.ljust(90 + 9990) + "1", 10080, "too_many_rounds"),
    ],
)
def test_wrong_player_line_is_an_error(line: str, column: int, code: str) -> None:
    assert errors("012 Open", TWO, line, "XXR 9") == [(3, column, code)]


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        ("142", 5, "number_missing"),
        ("142 x", 5, "not_a_number"),
        ("142 9.0", 5, "not_a_number"),
        ("142 ٩", 5, "not_a_number"),
        ("142 0", 5, "out_of_range"),
        ("142 1000", 5, "out_of_range"),
        ("142 " + "9" * 5000, 5, "not_a_number"),
        ("142 9 10", 7, "unexpected_text"),
        ("XXR   nine", 7, "not_a_number"),
        ("152", 5, "number_missing"),
        ("152 white", 5, "bad_value"),
        ("152 W B", 7, "unexpected_text"),
        ("162  W x", 6, "bad_value"),
        ("162  W 1.0    Q 1.0", 15, "bad_value"),
        ("162  W1..0", 7, "bad_points"),
        ("162  W 1.0    D0.55", 16, "bad_points"),
        ("240", 5, "number_missing"),
        ("240 U 003 0001", 5, "bad_value"),
        ("240 H", 7, "number_missing"),
        ("240 H x 0001", 7, "not_a_number"),
        ("240 H 003 0001 0009", 16, "unknown_player"),
        ("240 H 003 0001 000x", 16, "not_a_number"),
        ("240 H 003 0000", 11, "out_of_range"),
        ("260 001 009 0001 0009", 18, "unknown_player"),
        ("260 001", 9, "number_missing"),
        ("XXC rank green", 10, "bad_value"),
        ("XXP 1 2 3", 9, "unknown_player"),
        ("XXS W=3 WIN=3", 9, "bad_value"),
        ("XXS W=3 D", 9, "bad_value"),
        ("XXS W=3 D=-1", 9, "bad_value"),
        ("XXS W=3 D=1.25", 11, "bad_points"),
        ("XXS W=3 D=" + "1" * 5000, 11, "bad_points"),
        ("XXZ 1 99", 7, "unknown_player"),
        ("XXZ 1 2,", 7, "not_a_number"),
        ("BBW", 5, "number_missing"),
        ("BBW x", 5, "bad_points"),
        ("BBW 3.0 1", 9, "unexpected_text"),
        ("12 Open", 1, "not_a_record"),
        ("xxr 9", 1, "not_a_record"),
        ("0123 Open", 1, "not_a_record"),
        ("1429", 1, "not_a_record"),
        (" 142 x", 1, "not_a_record"),
        ("no record at all", 1, "not_a_record"),
        ("142 9\x07", 6, "control_character"),
        ("192 FIDE\x07DUBOV", 9, "control_character"),
        ("XXZ 1\x07", 6, "control_character"),
        ("299 x\x07", 6, "control_character"),
        ("no\x07 record", 3, "control_character"),
        ("### " + "x" * 100_000, 100_001, "line_too_long"),
    ],
)
def test_wrong_record_is_an_error(line: str, column: int, code: str) -> None:
    assert errors(ONE, TWO, line) == [(3, column, code)]


@pytest.mark.parametrize(
    ("one", "two", "expected"),
    [
        ("3 w 1", "", (1, 92, "unknown_opponent")),
        ("1 w 1", "", (1, 92, "own_opponent")),
        ("1 - -", "", (1, 92, "own_opponent")),
        ("2 w 1", "", (1, 92, "opponent_disagrees")),
        ("2 w 1", "0000 - Z", (1, 92, "opponent_disagrees")),
        ("2 w 1", "1 w 0", (2, 97, "colours_disagree")),
        ("2 - -", "1 b -", (2, 97, "colours_disagree")),
        ("2 w +", "1 - -", (2, 97, "colours_disagree")),
        ("2 w 1", "1 b 1", (2, 99, "results_disagree")),
        ("2 w 1", "1 b =", (2, 99, "results_disagree")),
        ("2 w 1", "1 b -", (2, 99, "results_disagree")),
        ("2 w 1", "1 b ", (2, 99, "results_disagree")),
        ("2 w ?", "1 b =", (2, 99, "results_disagree")),
        ("2 w +", "1 b +", (2, 99, "results_disagree")),
        ("2 w +", "1 b 0", (2, 99, "results_disagree")),
        ("2 w W", "1 b 0", (2, 99, "results_disagree")),
        ("2 w L", "1 b L", (2, 99, "results_disagree")),
        ("2 b 1", "1 w 1", (2, 99, "results_disagree")),
    ],
)
def test_game_that_two_players_report_differently_is_one_error(
    one: str, two: str, expected: tuple[int, int, str]
) -> None:
    assert errors(player_line(one, starting_rank=1), player_line(two, starting_rank=2)) == [expected]


def test_third_player_who_claims_a_game_is_an_error() -> None:
    lines = [
        player_line("0000 - Z", "2 w 1", starting_rank=1),
        player_line("0000 - Z", "3 w 1", starting_rank=2),
        player_line("0000 - Z", "2 b 0", starting_rank=3),
    ]
    assert errors(*lines) == [(1, 102, "opponent_disagrees")]
    assert params(*lines) == {"player": 1, "opponent": 2, "found": 3, "other_line": 2, "round": 2}


def test_starting_rank_given_twice_is_an_error() -> None:
    assert errors(ONE, TWO, player_line(starting_rank=1, name="Other")) == [(3, 5, "duplicate_player")]
    assert params(ONE, TWO, ONE) == {"player": 1, "first_line": 1}


@pytest.mark.parametrize(
    ("points", "entries", "scoring", "expected"),
    [
        ("1.5", ("2 w 1",), "", {"found": 15, "expected": 10}),
        ("0.5", ("2 w 1",), "", {"found": 5, "expected": 10}),
        ("1.0", ("2 w 1",), "XXS W=3", {"found": 10, "expected": 30}),
        ("1.0", ("2 w 1",), "162  W 3.0", {"found": 10, "expected": 30}),
        ("1.0", ("2 w 1",), "BBW 3.0", {"found": 10, "expected": 30}),
        ("2.0", ("2 w 1", "0000 - H"), "", {"found": 20, "expected": 10}),
    ],
)
def test_points_that_are_not_the_sum_are_an_error(
    points: str, entries: tuple[str, ...], scoring: str, expected: dict[str, int]
) -> None:
    lines = [player_line(*entries, starting_rank=1, points=points), player_line("1 b 0", starting_rank=2)]
    lines += [scoring] if scoring else []
    assert errors(*lines) == [(1, 81, "points_differ")]
    assert params(*lines) == {"player": 1, **expected}


@pytest.mark.parametrize("points", ["1.0", "1.5", ""])
def test_byes_of_the_next_round_may_be_counted_or_not(points: str) -> None:
    lines = [
        player_line("2 w 1", "0000 - H", starting_rank=1, points=points),
        player_line("1 b 0", starting_rank=2),
    ]
    assert len(read_report(as_file(*lines)).players) == 2


@pytest.mark.parametrize(
    ("record", "points"),
    [
        ("299         -0.5  001    1", "0.5"),
        ("299         -0.5           ", "0.5"),
        ("299         -1.5  000    1", "-0.5"),
        ("299         -0.5  002    1", "1.0"),
        ("299 W        0.3  001    1", "0.3"),
        ("299 W        0.3  001     ", "0.3"),
        ("299 W        0.3           ", "0.3"),
        ("299 D        0.3  001    1", "1.0"),
        ("299 W        0.3  001    2", "1.0"),
    ],
)
def test_points_are_those_of_the_results_and_of_decisions(record: str, points: str) -> None:
    """A bonus counts from its round on; of all rounds, from the start. A result is worth what the arbiter decided."""
    lines = [player_line("2 w 1", starting_rank=1, points=points), player_line("1 b 0", starting_rank=2)]
    assert read_report(as_file(*lines, record)).players[0].points is not None
    wrong = [player_line("2 w 1", starting_rank=1, points="0.9"), lines[1]]
    assert errors(*wrong, record) == [(1, 81, "points_differ")]


def test_record_299_of_players_needs_their_points() -> None:
    lines = [player_line("2 w 1", starting_rank=1), player_line("1 b 0", starting_rank=2)]
    assert errors(*lines, "299 W   2.0        001    1") == [(3, 14, "bad_points")]


def test_late_entry_scores_zero_point_byes() -> None:
    lines = [
        player_line("2 w 1", "2 b 0", starting_rank=1, points="1.0"),
        player_line("1 b 0", "1 w 1", starting_rank=2, points="1.0"),
        player_line("", "0000 - U", starting_rank=3, points="1.5"),
        player_line(starting_rank=4, points="1.0"),
    ]
    assert len(read_report(as_file("XXS ZPB=0.5", *lines)).players) == 4


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (("142 9", "XXR 8"), (5, 5, "rounds_differ")),
        (("142 9", "XXR 9", "142 8"), (6, 5, "rounds_differ")),
        (("152 W", "XXC black1"), (5, 5, "initial_colours_differ")),
        (("XXC white1", "XXC rank black1"), (5, 5, "initial_colours_differ")),
        (("XXS W=3", "162  W 2.0"), (5, 5, "point_systems_differ")),
        (("162  W 2.0", "### x", "BBW 3.0"), (6, 5, "point_systems_differ")),
        (("162  X 0.0",), (4, 5, "adjourned_points")),
        (("240 H 001    1",), (4, 5, "bye_disagrees")),
        (("240 H 002    3",), (4, 5, "bye_disagrees")),
    ],
)
def test_settings_that_contradict_each_other_are_an_error(
    lines: tuple[str, ...], expected: tuple[int, int, str]
) -> None:
    one = player_line("2 w 1", starting_rank=1)
    two = player_line("1 b 0", starting_rank=2)
    three = player_line("0000 - H", "0000 - Z", starting_rank=3)
    assert errors(one, two, three, *lines) == [expected]


def test_round_after_the_last_is_an_error() -> None:
    lines = [player_line("2 w 1", "2 b 1", starting_rank=1), player_line("1 b 0", "1 w 0", starting_rank=2)]
    assert errors(*lines, "XXR 1") == [(1, 102, "round_beyond")]


def test_round_without_any_player_is_an_error() -> None:
    lines = [ONE, player_line("", "2 w 1", starting_rank=3), player_line("", "3 b 0", starting_rank=2)]
    assert errors(*lines) == [(2, 92, "round_empty")]


def test_several_errors_come_in_the_order_of_the_lines() -> None:
    line = with_text(10, "x", with_text(49, "rate", with_text(92, "0000 - x")))
    assert errors("xx", line, "142 x") == [
        (1, 1, "not_a_record"),
        (2, 49, "not_a_number"),
        (2, 99, "unknown_result"),
        (3, 5, "not_a_number"),
    ]


def test_errors_end_at_the_limit() -> None:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(ONE, *["wrong"] * 80))
    assert (len(caught.value.errors), caught.value.more) == (50, True)
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(ONE, *["wrong"] * 3))
    assert (len(caught.value.errors), caught.value.more) == (3, False)


def test_params_say_what_was_expected_and_found() -> None:
    assert params(with_text(49, "24x2")) == {"field": "rating", "found": "24x2", "player": 1}
    assert params("152 white", ONE) == {"field": "initial_colour", "found": "white", "allowed": ("W", "B")}
    assert params(ONE, "142 1000") == {"field": "rounds", "found": 1000, "low": 1, "high": 999}
    assert params(with_text(102, "   2 w U")) == {"found": "U", "opponent": 2, "round": 2, "player": 1}


def test_file_without_players_or_too_large_is_an_error() -> None:
    assert errors("012 Open", "Last name;First name") == [(0, 0, "no_players")]
    assert errors("") == [(0, 0, "no_players")]
    assert errors(ONE, max_bytes=5) == [(0, 0, "file_too_large")]
    assert errors(*["001"] * 100_001) == [(0, 0, "too_many_lines")]


def test_error_can_be_shown_for_debugging() -> None:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(ONE, "XXZ 9"))
    assert str(caught.value) == "2:5: unknown_player(player=9)"
