"""Report files as other programs write them. Each test says which program has the layout.

The files are small ones of our own, after published files and manuals of the programs.
"""

from __future__ import annotations

import pytest

from evenboard_engine import Colour, pair_round
from evenboard_engine.trf import (
    KeptLine,
    OldTeam,
    Report,
    TrfErrors,
    group_of_baku,
    read_report,
    to_tournament,
    write_report,
)
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.report_problems import sentence

RULER = "".join(str(number % 10) for number in range(1, 100))
LEGEND = (
    "DDD SSSS sTTT NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNN RRRR FFF IIIIIIIIIII BBBB/BB/BB PPPP RRRR  1111 1 1 "
)

SWISS_MANAGER = f"""012 Frühjahrsopen 2026
022 Wien
032 AUT
042 2026/03/06
052 2026/03/08
062 4 (3)
072 3
082 0
092 Individual: Swiss-System
102 IA Müller,Käthe
112 Schmidt,Paul
122 90 min + 30 sec
132                                                                                        26/03/06  26/03/07
142 5

         1         2         3         4         5         6         7         8         9
{RULER}
{LEGEND}
001    1 m GM Huber,Jörg                        2510 AUT     1600001 1980/00/00  1.5    1     3 w 1     2 b =
001    2 fWIM Čermák,Žofie                      2301 CZE      300002 2001/05/17  1.5    2     4 w +     1 w =
001    3 m    Groß,Ömer                         0000 AUT           0 1975/00/00  0.0    4     1 b 0  0000 - Z
001    4 m    Li,Wei                            1900 CHN     8600004 1990/00/00  1.0    3     2 b -  0000 - U
"""

JAVAFO = """012 Autumn
XXR 5
XXC white1
XXS W=1.0 D=0.5 PAB=1.0
XXA    1  1.0
XXA    2  1.0
XXP 1 2
XXZ 4
001    1      One                               2400
001    2      Two                               2300
001    3      Three                             2200
001    4      Four                              2100
001    5      Five                              2000
"""

BBP = """012 AutoTest Tournament 4042
062 4
092 FIDE_DUTCH_2025
142 3
152 B
162  W 3.0    D 1.0    L 0.0    A 0.0    P 3.0
BBW  3.0
BBD  1.0
BBL  0.0
BBU  3.0
001    1      Test0001 Player0001               2720                             3.0    1     3 b 1
001    2      Test0002 Player0002               2650                             3.0    2     4 w 1
001    3      Test0003 Player0003               2600                             0.0    3     1 w 0
001    4      Test0004 Player0004               2500                             0.0    4     2 b 0
XXA    1  0.0  0.0
"""

DUBOV_CPP = """TNR 5
ACC true
001    1      One                               2400
001    2      Two                               2300
001    3      Three                             2200
001    4      Four                              2100
001    5      Five                              2000
BYE 3
FOR 1 2
"""


def read(text: str, encoding: str = "utf-8") -> Report:
    return read_report(text.replace("\n", "\r\n").encode(encoding))


def warnings(report: Report) -> list[str]:
    return [sentence(doubt) for doubt in file_warnings(report)]


def test_swiss_manager_has_rulers_a_legend_and_a_count_in_brackets() -> None:
    """Sex f, names without a blank after the comma, ratings 0000 and IDs 0 for none. 062 has the rated in brackets."""
    report = read(SWISS_MANAGER)
    assert warnings(report) == []
    assert [
        (player.name, player.sex, player.title, player.rating, player.fide_id) for player in report.players
    ] == [
        ("Huber,Jörg", "m", "GM", 2510, 1600001),
        ("Čermák,Žofie", "w", "WIM", 2301, 300002),
        ("Groß,Ömer", "m", "", None, None),
        ("Li,Wei", "m", "", 1900, 8600004),
    ]
    assert (report.rounds, report.round_dates, report.rounds_paired) == (5, ("26/03/06", "26/03/07"), 2)
    assert read_report(write_report(report)) == report


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (SWISS_MANAGER, "utf-8-sig"),
        (SWISS_MANAGER, "utf-16"),
        (SWISS_MANAGER.replace("\n", "   \n"), "utf-8"),
        (SWISS_MANAGER.replace("  1.5 ", "  1,5 ").replace("  1.0 ", "  1,0 "), "utf-8"),
    ],
    ids=["byte order mark", "UTF-16", "blanks at the end", "decimal comma"],
)
def test_swiss_manager_layouts_are_the_same_file(text: str, encoding: str) -> None:
    report = read(text, encoding)
    assert warnings(report) == []
    assert report.players == read(SWISS_MANAGER).players


def test_swiss_manager_has_the_points_before_a_round_that_is_still_open() -> None:
    """It counts the bye of player 4 only when the round is complete, but writes 0000 - U at once."""
    still_open = SWISS_MANAGER.replace("2 b =", "2 b  ").replace("1 w =", "1 w  ")
    still_open = still_open.replace("  1.5 ", "  1.0 ")
    before = still_open.replace("  1.0    3     2 b -", "  0.0    3     2 b -")
    assert read(still_open).rounds_paired == read(before).rounds_paired == 2
    with pytest.raises(TrfErrors):
        read(still_open.replace("  1.0    3     2 b -", "  0.5    3     2 b -"))


def test_swiss_manager_in_a_code_page_of_windows_is_read_with_a_warning() -> None:
    report = read(SWISS_MANAGER.replace("Č", "C"), "cp1252")
    assert [player.name for player in report.players] == ["Huber,Jörg", "Cermák,Žofie", "Groß,Ömer", "Li,Wei"]
    assert warnings(report) == [
        "the text is not UTF-8; its letters are read as those of Western Europe, so look at the names"
    ]


def test_swiss_manager_teams_have_byes_and_forfeits_without_an_opponent() -> None:
    """In the export of a team tournament a player who did not play has 0000 - -, and a forfeit win 0000 - +."""
    text = """082 2
092 Team Swiss System
001    1 m    Mueller,Kai                       1960 GER    12939455 1996/00/00  1.0    1  0000 - +
001    2 m    Li,Wei                            0000 GER           0 1990/00/00  0.0    2  0000 - -

013 SK Eins                            1
013 SK Zwei                            2
"""
    report = read(text)
    assert [(team.name, team.players) for team in report.of_type(OldTeam)] == [
        ("SK Eins", (1,)),
        ("SK Zwei", (2,)),
    ]
    assert [one.code for one in file_warnings(report)] == ["old_byes_full", "old_byes_zero"]


def test_javafo_extensions_are_read() -> None:
    report = read(JAVAFO)
    tournament = to_tournament(report)
    assert (report.rounds, tournament.initial_colour, tournament.absent) == (5, Colour.WHITE, {4})
    assert tournament.forbidden == {(1, 2)}
    assert {(one.first_round, one.points, one.players) for one in tournament.accelerations} == {
        (1, 10, frozenset({1, 2}))
    }
    assert {(pair.white, pair.black) for pair in pair_round(tournament).pairs} == {(1, 3), (5, 2)}


def test_bbp_pairings_writes_its_system_in_092_and_its_points_twice() -> None:
    """The generator writes 092 FIDE_DUTCH_2025, without 192; 092 is text, so the system of the section pairs."""
    report = read(BBP)
    assert (report.points.win, report.points.white_draw, report.initial_colour) == (30, 10, Colour.BLACK)
    assert warnings(report) == []
    assert len(pair_round(to_tournament(report)).pairs) == 2
    with pytest.raises(TrfErrors) as caught:
        read(BBP.replace("BBW  3.0", "BBW  2.0"))
    assert [one.code for one in caught.value.errors][:1] == ["point_systems_differ"]


def test_cpp_dubov_system_has_codes_of_its_own() -> None:
    """TNR: rounds. ACC: Baku Acceleration. BYE: not to be paired. FOR: two who must not meet."""
    report = read(DUBOV_CPP)
    tournament = to_tournament(report)
    assert (report.rounds, tournament.absent, tournament.forbidden) == (5, {3}, {(1, 2)})
    assert group_of_baku(report) == {1, 2}
    assert read_report(write_report(report)) == report
    assert to_tournament(read(DUBOV_CPP.replace("ACC true\n", ""))).accelerations == ()


def test_records_of_federations_that_look_like_codes_of_cpp_dubov_system_are_kept() -> None:
    line = f"{'FOR    1      One':<48}1800"
    assert read(JAVAFO + line).records[-1] == KeptLine(line)
