"""Records of team events (013, 300 to 362) and of abnormal points (299): read, checked, written, renumbered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evenboard_engine import ByeKind
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    AbnormalPoints,
    AnnouncedBye,
    BoardColours,
    ForfeitedMatch,
    LineUp,
    MatchScoring,
    OfTeams,
    OldTeam,
    PlayerRecord,
    Prohibition,
    Record,
    Report,
    Team,
    TeamByes,
    TrfErrors,
    VirtualPoints,
    read_report,
    with_numbers,
    write_report,
)
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.trf.team_lines import ABNORMAL_KINDS
from evenboard_engine.words.report_problems import sentence

RANKS = (1, 2, 3, 4, 10_001)
PLAYERS = tuple(PlayerRecord(rank) for rank in RANKS)

letters = st.text(st.characters(categories=("L", "N"), max_codepoint=0x1FFFF), min_size=1, max_size=5)
names = st.lists(letters, min_size=1, max_size=5).map(lambda words: " ".join(words)[:28].strip())
number, points = st.integers(1, 999), st.none() | st.integers(0, 999)
places = st.lists(st.sampled_from((0, *RANKS)), max_size=9).map(tuple)
members = places.filter(
    lambda some: not some or some[-1]
)  # a blank place at the end of a line leaves no trace
team_records = st.one_of(
    st.builds(
        AbnormalPoints,
        st.sampled_from(("", *ABNORMAL_KINDS)),
        st.none() | st.integers(-999, 999),
        st.integers(-999, 999),
        st.integers(0, 999),
        st.lists(st.sampled_from(RANKS), max_size=5).map(tuple),
    ),
    st.builds(LineUp, number, number, number, places),
    st.builds(Team, number, names, letters, letters, points, points, st.none() | number, members),
    st.builds(OldTeam, names, members),
    st.builds(TeamByes, points, points, st.lists(st.integers(0, 999), max_size=6).map(tuple)),
    st.builds(ForfeitedMatch, st.sampled_from(("+-", "-+", "--")), number, number, number),
    st.builds(BoardColours, st.text("WB", min_size=1, max_size=8)),
    st.builds(
        MatchScoring,
        st.lists(st.tuples(st.sampled_from(("TW", "TD", "TL")), st.integers(0, 60)), min_size=1).map(tuple),
    ),
)
MATCHES = BoardColours("WBWB")


@given(st.lists(team_records, max_size=6))
def test_team_records_are_written_and_read_again(records: list[Record]) -> None:
    report = Report((MATCHES, *PLAYERS, *records))
    assert read_report(write_report(report)).records == report.records


@given(team_records, st.permutations(RANKS))
def test_other_numbers_and_back_leave_a_line_as_it_was(record: Record, order: list[int]) -> None:
    line = write_report(Report((record,)), newline="").decode()
    there = dict(zip(RANKS, order, strict=True))
    back = {new: old for old, new in there.items()}
    moved = with_numbers(line, there.get)
    assert moved is not None
    assert with_numbers(moved, back.get) == line


def placed(*fields: tuple[int, str]) -> str:
    """Return a line from texts and their first columns, as the specification counts them."""
    line = ""
    for column, text in fields:
        line = f"{line:{column - 1}}{text}"
    return line


TEAM = placed((1, "310"), (7, "1"), (9, "Weiß-Blau Allianz"), (42, "WBA"), (50, "2345"))
TEAM = placed((1, TEAM), (57, "13.0"), (64, "22.5"), (71, "1"), (77, "1"), (82, "3"), (87, "4"))


@pytest.mark.parametrize(
    ("line", "record"),
    [
        (TEAM, Team(1, "Weiß-Blau Allianz", "WBA", "2345", 130, 225, 1, (1, 3, 4))),
        (
            "013 Weiß-Blau Allianz                  1    3",
            OldTeam("Weiß-Blau Allianz", (1, 3)),
        ),
        ("300   2   1   3    4 0000    1", LineUp(2, 1, 3, (4, 0, 1))),
        ("320  1.0  2.0 000 012 003", TeamByes(10, 20, (0, 12, 3))),
        ("330 +-   3   1   2", ForfeitedMatch("+-", 3, 1, 2)),
        ("352 WBWB", BoardColours("WBWB")),
        ("362 TW 3.0   TD 1.0   TL 0.0", MatchScoring((("TW", 30), ("TD", 10), ("TL", 0)))),
        ("299    -1.0        003    1    2", AbnormalPoints("", -10, None, 3, (1, 2))),
        ("299 W   1.0   2.5  003    1", AbnormalPoints("W", 10, 25, 3, (1,))),
        ("299 -   0.0   1.5", AbnormalPoints("-", 0, 15)),
        ("240 H 003 0001 0002", OfTeams(AnnouncedBye(ByeKind.HALF, 3, (1, 2)))),
        ("250 01.0 02.0 001 003 0001 0090", OfTeams(VirtualPoints(20, 1, 3, 1, 90, 10))),
        ("260 001 002 0125 0180", OfTeams(Prohibition((125, 180), 1, 2))),
        ("XXP 1 2", Prohibition((1, 2))),
    ],
)
def test_record_of_a_team_event_is_read_and_written_in_its_columns(line: str, record: Record) -> None:
    data = as_file(*(player_line(starting_rank=rank) for rank in (1, 2, 3, 4)), "352 WBWB", line)
    report = read_report(data)
    assert report.records[-1] == record
    assert write_report(report) == data


@pytest.mark.parametrize(
    ("line", "record"),
    [
        ("299 +  2.0  2.5", AbnormalPoints("+", 20, 25)),  # as the example in TRF26 is printed
        ("299 W       -0,5  001    1", AbnormalPoints("W", None, -5, 1, (1,))),
        # programs that count the bytes of a name
        (
            placed((1, "310   1 Weiß-Blau"), (41, "WBA"), (76, "1    2")),
            Team(1, "Weiß-Blau", "WBA", players=(1, 2)),
        ),
        (placed((1, "013 Weiß-Blau"), (39, "1    2")), OldTeam("Weiß-Blau", (1, 2))),
    ],
)
def test_lines_beside_their_columns_are_read(line: str, record: Record) -> None:
    data = as_file(player_line(starting_rank=1), player_line(starting_rank=2), line)
    assert read_report(data).records[-1] == record


def test_contradictions_of_teams_are_warnings() -> None:
    lines = (
        *(player_line(starting_rank=rank) for rank in (1, 2, 3)),
        "082 3 (Teams)",
        f"{'310   1 One':72}    1    2    9",
        f"{'310   2 Two':72}    2    3",
        f"{'310   2 Two again':72}",
        "310 x",
        "352 WB",
        "300   1   1   7    1    3    2",
        "330 --   1   2   8",
        "240 H 002 0001 0005",
    )
    assert [sentence(one) for one in file_warnings(read_report(as_file(*lines)))] == [
        "line 5: player 9 of a team is not in the file and is left out",
        "line 6: player 2 is in two teams",
        "line 7, column 5: team number 2 is already used",
        "line 8, column 1: record 310 is not in its columns; the line is kept as it is",
        "line 10: team 7 is not in the file",
        "line 10: player 3 plays for team 1, but is not in that team",
        "line 10, column 17: the line-up has 3 boards, but record 352 has 2",
        "line 11: team 8 is not in the file",
        "line 12: team 5 is not in the file",
    ]


def test_match_points_in_a_tournament_of_players_are_refused() -> None:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(player_line(starting_rank=1), "250 01.0 02.0 001 003 0001 0001"))
    assert [(one.line, one.column, one.code) for one in caught.value.errors] == [(2, 5, "unexpected_text")]


@pytest.mark.parametrize(
    ("line", "column", "code"),
    [
        ("299 X         1.0  003    1", 5, "bad_value"),
        ("299 W", 7, "bad_points"),
        ("299 W       0001", 13, "bad_points"),
        ("299 W         1.0  003    x", 27, "not_a_number"),
        ("299 W         1.0  003    2", 27, "unknown_player"),
    ],
)
def test_wrong_abnormal_points_are_refused_with_their_place(line: str, column: int, code: str) -> None:
    with pytest.raises(TrfErrors) as caught:
        read_report(as_file(player_line(starting_rank=1), line))
    assert [(one.column, one.code) for one in caught.value.errors] == [(column, code)]


def test_removed_players_leave_empty_places() -> None:
    numbers = {1: 2, 2: None, 3: 1}
    assert with_numbers(f"{'013 Team':<36}   1    2    3", numbers.get) == f"{'013 Team':<36}   2         1"
    assert with_numbers("300   1   1   2    1    2    3", numbers.get) == "300   1   1   2    2 0000    1"
    assert with_numbers("299           1.0  001    2    3", numbers.get) == "299           1.0  001    1"
    assert with_numbers("299           1.0  001    2", numbers.get) is None
    assert (
        with_numbers("299           1.0  001    2", numbers.get, of_teams=True)
        == "299           1.0  001    2"
    )
