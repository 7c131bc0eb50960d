from __future__ import annotations

import pytest
from hypothesis import given

from evenboard_engine.systems.dubov.options import Edition
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.tests.trf.reports import reports
from evenboard_engine.trf import Report, TrfErrors, read_report, rules_of, write_report
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.report_problems import sentence


def doubts_of(*lines: str) -> list[str]:
    return [sentence(doubt) for doubt in file_warnings(read_report(as_file(*lines)))]


def test_a_sound_file_has_no_warning() -> None:
    first = player_line("2 w 1", starting_rank=1, title="GM", rating=2500, points="1.0", rank=1)
    second = player_line("1 b 0", starting_rank=2, title="wf", points="0.0", rank=2)
    assert doubts_of("062 2 (1)", "072 1", "082 0", first, second) == []


def test_counts_that_do_not_fit_are_reported() -> None:
    assert doubts_of("062 3", "072 2", player_line(starting_rank=1, rating=2000)) == [
        "line 1, column 5: the number of players is 3 here, but the file has 1",
        "line 2, column 5: the number of rated players is 2 here, but the file has 1",
    ]
    assert doubts_of("062 many", "072", player_line(starting_rank=1)) == []


def test_ranks_that_contradict_points_are_reported_once() -> None:
    lines = [
        player_line("2 w 1", starting_rank=1, points="1.0", rank=3),
        player_line("1 b 0", starting_rank=2, points="0.0", rank=1),
        player_line("0000 - Z", starting_rank=3, points="0.0", rank=2),
    ]
    assert doubts_of(*lines) == [
        "line 2, column 86: player 2 (0 points) has rank 1, but player 1 (1 point) has rank 3"
    ]


def test_equal_points_may_have_any_ranks() -> None:
    lines = [
        player_line("0000 - H", starting_rank=i, points="0.5", rank=r) for i, r in ((1, 2), (2, 1), (3, 1))
    ]
    assert doubts_of(*lines, player_line(starting_rank=4, points="0.0", rank=4)) == []


def test_titles_that_fide_does_not_have_are_reported() -> None:
    assert doubts_of(player_line(starting_rank=1, title="XM")) == [
        "line 1, column 11: player 1: 'XM' is not a FIDE title"
    ]


def test_warnings_are_limited() -> None:
    report = read_report(as_file(*[player_line(starting_rank=i, title="XM") for i in range(1, 80)]))
    assert (len(file_warnings(report)), len(file_warnings(report, limit=3))) == (50, 3)


@given(reports())
def test_every_doubt_about_any_report_has_a_sentence(report: Report) -> None:
    assert all(sentence(doubt) for doubt in file_warnings(report))


def test_forbidden_pairs_are_reported_once() -> None:
    lines = [player_line(starting_rank=rank) for rank in (1, 2, 3)]
    assert doubts_of(*lines, "XXP 1 2", "260 001 002  001  003") == [
        "line 4, column 1: pairs that must not meet (260, XXP) are outside FIDE's rules"
    ]
    report = read_report(as_file(*lines, "XXP 1 2"))
    assert [len(file_warnings(report, system=system)) for system in ("uschess", "dubov")] == [0, 1]


@pytest.mark.parametrize("day", ["next May", "2026/13/01", "26/02/01", "2026/02"])
def test_start_that_is_not_a_date_is_reported_and_means_the_newest_edition(day: str) -> None:
    report = read_report(as_file(player_line(starting_rank=1), f"042 {day}"))
    assert doubts_of(player_line(starting_rank=1), f"042 {day}") == [
        (
            f"line 2, column 5: the start date must look like 2026/12/31, not {day!r}; "
            "the newest edition of the rules is taken"
        )
    ]
    assert rules_of(report, system="dubov") == {"edition": "2026", "upfloats": "played"}


@pytest.mark.parametrize(("day", "edition"), [("2026/1/31", Edition.E2018), ("2026.02.01", Edition.E2026)])
def test_dates_in_the_forms_of_other_programs_are_read(day: str, edition: Edition) -> None:
    report = read_report(as_file(player_line(starting_rank=1), f"042 {day}"))
    assert file_warnings(report) == ()
    assert rules_of(report, system="dubov")["edition"] == edition


def read(*lines: str) -> Report:
    return read_report(as_file(*lines))


@pytest.mark.parametrize(
    ("fields", "column", "sentence_of"),
    [
        ({"sex": "u"}, 10, "sex: 'u' is not possible; it is left out"),
        ({"sex": "*"}, 10, "sex: '*' is not possible; it is left out"),
        ({"birth_date": "03/12/1990"}, 70, "birth date: '03/12/1990' is not possible; it is left out"),
        ({"birth_date": "1990/13/01"}, 70, "birth date: '1990/13/01' is not possible; it is left out"),
        ({"birth_date": "1990/02/30"}, 70, "birth date: '1990/02/30' is not possible; it is left out"),
        ({"birth_date": "1990/12/32"}, 70, "birth date: '1990/12/32' is not possible; it is left out"),
        ({"birth_date": "spring"}, 70, "birth date: 'spring' is not possible; it is left out"),
        ({"rank": "1="}, 86, "rank: '1=' is not possible; it is left out"),
    ],
)
def test_wrong_field_that_affects_neither_pairing_nor_identity_is_left_out(
    fields: dict[str, str], column: int, sentence_of: str
) -> None:
    """The generator of FIDE's tie-break server writes the sex u in every line."""
    report = read(player_line(starting_rank=1, name="Ek, Ada", rating=2000, **fields))
    assert report == read(player_line(starting_rank=1, name="Ek, Ada", rating=2000))
    assert [sentence(one) for one in file_warnings(report)] == [
        f"line 1, column {column}: player 1: {sentence_of}"
    ]


@pytest.mark.parametrize(("symbols", "points"), [("QQ", "1.0"), ("x?", "0.5"), ("?*", "0.0"), ("QX", "0.5")])
def test_symbol_that_no_result_has_is_an_unknown_result(symbols: str, points: str) -> None:
    """VCL4THP.13 Q166. The points of both players are left out, because nobody knows what the file counts."""
    third, fourth = ("4 w 1", "4 w ="), ("3 b 0", "3 b =")
    lines = [
        player_line(f"2 w {symbols[0]}", "3 b =", starting_rank=1, points=points),
        player_line(f"1 b {symbols[1]}", "4 w =", starting_rank=2, points=points),
        player_line(third[0], "1 w =", starting_rank=3, points="1.5"),
        player_line(fourth[0], "2 b =", starting_rank=4, points="0.5"),
    ]
    report = read(*lines)
    assert [report.players[rank].entry(1).symbol for rank in (0, 1)] == ["?", "?"]
    assert [sentence(one) for one in file_warnings(report)] == [
        f"line {rank}, column 99: player {rank}: round 1: '{found}' is not a result; "
        "it is read as an unknown result (?), which counts as a draw until the result is entered"
        for rank, found in enumerate(symbols, start=1)
        if found != "?"
    ]
    assert read_report(write_report(report)) == report


def test_each_unknown_result_has_its_own_warning() -> None:
    white, black = ("2 w Q", "2 b 1", "2 w Q"), ("1 b Q", "1 w 0", "1 b Q")
    report = read(player_line(*white, starting_rank=1), player_line(*black, starting_rank=2))
    assert [(one.line, one.params["round"]) for one in file_warnings(report)] == [
        (1, 1),
        (1, 3),
        (2, 1),
        (2, 3),
    ]


@pytest.mark.parametrize("known", ["1", "=", "0", "+"])
def test_unknown_symbol_against_a_known_one_is_a_contradiction(known: str) -> None:
    lines = [player_line("2 w Q", starting_rank=1), player_line(f"1 b {known}", starting_rank=2)]
    with pytest.raises(TrfErrors) as caught:
        read(*lines)
    assert [error.code for error in caught.value.errors] == ["results_disagree"]


def test_points_of_players_with_known_results_are_still_compared() -> None:
    lines = [
        player_line("2 w Q", starting_rank=1, points="9.0"),
        player_line("1 b Q", starting_rank=2, points="9.0"),
        player_line("4 w 1", starting_rank=3, points="0.5"),
        player_line("3 b 0", starting_rank=4, points="0.0"),
    ]
    with pytest.raises(TrfErrors) as caught:
        read(*lines)
    assert [(error.code, error.line) for error in caught.value.errors] == [("points_differ", 3)]


def test_field_left_out_of_many_lines_is_reported_once_with_their_number() -> None:
    report = read(*(player_line(starting_rank=rank, sex="u", rank="-") for rank in range(1, 31)))
    assert [sentence(one) for one in file_warnings(report)] == [
        "line 1, column 10: player 1: sex: 'u' is not possible; it is left out",
        "line 1, column 86: player 1: rank: '-' is not possible; it is left out",
        "line 2, column 10: sex: left out in 30 lines in all",
        "line 2, column 86: rank: left out in 30 lines in all",
    ]


def test_birth_date_with_short_numbers_is_read() -> None:
    (player,) = read(player_line(starting_rank=1, birth_date="1990/1/5")).players
    assert player.birth_date == "1990/01/05"


def test_points_may_have_a_comma() -> None:
    (player,) = read(player_line("0000 - H", starting_rank=1, points="0,5")).players
    assert player.points == 5


@pytest.mark.parametrize(
    "text", ["012 O\x07pen", "### O\x07pen", "132 O\x07pen", "NED O\x07pen", "182 O\x07pen"]
)
def test_control_characters_in_lines_of_text_become_blanks(text: str) -> None:
    report = read(text, player_line(starting_rank=1))
    assert report == read(text.replace("\x07", " "), player_line(starting_rank=1))
    assert [sentence(one) for one in file_warnings(report)] == [
        "line 1, column 6: there is a character that cannot be printed, U+0007; it is left out"
    ]


# --- byes of TRF06, which has only the symbols + = - (VCL4THP.13 Q48)


def old(*rounds: tuple[str, ...]) -> Report:
    """Return a report of three players. rounds: for each round, the entries of players 1, 2 and 3."""
    return read(
        *(
            player_line(*entries, starting_rank=rank)
            for rank, entries in enumerate(zip(*rounds, strict=True), 1)
        )
    )


def symbols(report: Report) -> list[str]:
    """Return the symbols of the players in each round."""
    rounds = range(1, 1 + max(len(player.entries) for player in report.players))
    return ["".join(player.entry(number).symbol or "." for player in report.players) for number in rounds]


def test_a_lone_full_point_without_an_opponent_is_the_allocated_bye() -> None:
    report = old(("2 w 1", "1 b 0", "0000 - +"), ("0000 - +", "3 w 1", "2 b 0"))
    assert symbols(report) == ["10U", "U10"]
    assert report.rounds_paired == 2
    assert [sentence(one) for one in file_warnings(report)] == [
        (
            "line 1, column 109: '+' without an opponent is taken as the pairing-allocated bye: "
            "player 1 in round 2 and player 3 in round 1"
        )
    ]


@pytest.mark.parametrize(
    ("rounds", "expected"),
    [
        ([("2 w 1", "1 b 0", "0000 - +"), ("2 b 1", "1 w 0", "0000 - +")], ["10U", "10F"]),
        ([("2 w +", "1 b -", "0000 - U"), ("0000 - +", "3 b 0", "2 w 1")], ["+-U", "F01"]),
        ([("2 w 1", "1 b 0", "0000 - U"), ("2 b 1", "1 w 0", "0000 - +")], ["10U", "10F"]),
        ([("2 w 1", "1 b 0", "0000 - Z"), ("0000 - +", "0000 - -", "0000 - =")], ["10Z", "FZH"]),
        ([("0000 - +", "0000 - -", "0000 - =")], ["FZH"]),
    ],
)
def test_full_point_that_may_not_be_the_allocated_bye_is_a_full_point_bye(
    rounds: list[tuple[str, ...]], expected: list[str]
) -> None:
    """A second bye, a bye after a forfeit win, and byes of rounds that are not paired yet."""
    assert symbols(old(*rounds)) == expected


def test_two_full_points_in_one_round_are_full_point_byes() -> None:
    lines = ["2 w 1", "1 b 0", "0000 - +", "0000 - +"]
    report = read(*(player_line(entry, starting_rank=rank) for rank, entry in enumerate(lines, 1)))
    assert symbols(report) == ["10FF"]
    assert [sentence(one) for one in file_warnings(report)] == [
        (
            "line 3, column 99: '+' without an opponent is taken as a full-point bye, because it may not be the "
            "pairing-allocated bye of the round: player 3 in round 1 and player 4 in round 1"
        )
    ]


def test_old_half_and_zero_point_byes_are_reported_too() -> None:
    lines = ["2 w 1", "1 b 0", "0000 - =", *["0000 - -"] * 22]
    report = read(*(player_line(entry, starting_rank=rank) for rank, entry in enumerate(lines, 1)))
    half, zero = (sentence(one) for one in file_warnings(report))
    assert (
        half == "line 3, column 99: '=' without an opponent is taken as a half-point bye: player 3 in round 1"
    )
    assert zero.startswith(
        "line 4, column 99: '-' without an opponent is taken as a zero-point bye: player 4 in"
    )
    assert zero.endswith("player 23 in round 1 and 2 more")
