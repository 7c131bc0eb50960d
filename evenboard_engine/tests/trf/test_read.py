from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine import Colour
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import (
    PlayerRecord,
    Report,
    RoundEntry,
    TextRecord,
    TrfErrors,
    read_report,
)

EXAMPLE = (
    "001    1      Test0001 Player0001               2720                             1.0    1     2 w 1"
)
FILES = Path(__file__).parent / "files"
W, B = Colour.WHITE, Colour.BLACK


def one_player(line: str) -> PlayerRecord:
    (player,) = read_report(as_file(line)).players
    return player


def test_example_of_the_specification_is_read() -> None:
    opponent = player_line("1 b 0", starting_rank=2, points="0.0")
    assert read_report(as_file(EXAMPLE, opponent)).players[0] == PlayerRecord(
        starting_rank=1,
        name="Test0001 Player0001",
        rating=2720,
        points=10,
        rank=1,
        entries=(RoundEntry(2, W, "1"),),
    )


def test_every_column_of_a_player_is_read() -> None:
    line = (
        "001   12 wWGM Müller-Núñez, Ana María           2455 ESP    12345678 1990/12/31  0.5   23  0000 - H"
    )
    assert one_player(line) == PlayerRecord(
        starting_rank=12,
        name="Müller-Núñez, Ana María",
        sex="w",
        title="WGM",
        rating=2455,
        federation="ESP",
        fide_id=12345678,
        birth_date="1990/12/31",
        points=5,
        rank=23,
        entries=(RoundEntry(symbol="H"),),
    )


@pytest.mark.parametrize(
    ("first", "text", "field", "value"),
    [
        (10, "w", "sex", "w"),
        (10, "M", "sex", "m"),
        (11, "WIM", "title", "WIM"),
        (11, " GM", "title", "GM"),
        (15, "N" * 33, "name", "N" * 33),
        (49, "2882", "rating", 2882),
        (49, " 900", "rating", 900),
        (54, "NED", "federation", "NED"),
        (58, "12345678901", "fide_id", 12345678901),
        (70, "2001/02/03", "birth_date", "2001/02/03"),
        (70, "2001/00/00", "birth_date", "2001/00/00"),
        (70, "2001", "birth_date", "2001"),
        (70, "2001.02.03", "birth_date", "2001/02/03"),
        (86, "4321", "rank", 4321),
    ],
)
def test_column_of_a_player_is_read(first: int, text: str, field: str, value: object) -> None:
    line = "001    1".ljust(first - 1) + text
    assert one_player(line) == PlayerRecord(**{"starting_rank": 1, field: value})


@pytest.mark.parametrize(("line", "rank"), [("001    1", 1), ("001 1234", 1234), ("00112345", 12345)])
def test_starting_rank_is_read(line: str, rank: int) -> None:
    assert one_player(line) == PlayerRecord(rank)


@pytest.mark.parametrize(
    ("text", "points"), [(" 4.5", 45), ("17.0", 170), ("  .5", 5), ("   4", 40), ("4.  ", 40), ("99.9", 999)]
)
def test_points_are_read_in_tenths(text: str, points: int) -> None:
    line = player_line(starting_rank=1, points=text)
    report = read_report(as_file("299         " + text + "  000    1", line))
    assert report.players[0].points == points


@pytest.mark.parametrize("blank", ["", "0"])
def test_zero_or_blank_numbers_mean_none(blank: str) -> None:
    player = one_player(player_line(starting_rank=1, rating=blank, fide_id=blank))
    assert (player.rating, player.fide_id, player.points, player.rank) == (None, None, None, None)


@pytest.mark.parametrize(
    ("found", "title"),
    [
        *[(title, title) for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")],
        *[("g", "GM"), ("m", "IM"), ("f", "FM"), ("c", "CM")],
        *[("wg", "WGM"), ("wm", "WIM"), ("wf", "WFM"), ("wc", "WCM")],
        *[("gf", "WGM"), ("mf", "WIM"), ("ff", "WFM"), ("cf", "WCM")],
        *[("NM", "NM"), ("AGM", "AGM"), ("", "")],
    ],
)
def test_title_is_read_in_every_spelling(found: str, title: str) -> None:
    assert one_player(player_line(starting_rank=1, title=found)).title == title


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        *[("1", "0"), ("=", "="), ("0", "1"), ("+", "-"), ("-", "+"), ("-", "-"), ("?", "?")],
        *[("=", "0"), ("0", "="), ("0", "0"), ("W", "L"), ("D", "D"), ("L", "W"), ("w", "l"), ("d", "d")],
    ],
)
@pytest.mark.parametrize(("my_colour", "their_colour"), [("w", "b"), ("b", "w"), ("W", "B")])
def test_result_of_a_game_is_read(mine: str, theirs: str, my_colour: str, their_colour: str) -> None:
    one = player_line(f"2 {my_colour} {mine}", starting_rank=1)
    two = player_line(f"1 {their_colour} {theirs}", starting_rank=2)
    first, second = read_report(as_file(one, two)).players
    assert first.entries == (RoundEntry(2, Colour(my_colour.lower()), mine.upper()),)
    assert second.entries == (RoundEntry(1, Colour(their_colour.lower()), theirs.upper()),)


@pytest.mark.parametrize("opponent", ["0000", "   0", ""])
@pytest.mark.parametrize("colour", ["-", ""])
@pytest.mark.parametrize("symbol", ["H", "F", "U", "Z", "h", "f", "u", "z"])
def test_bye_is_read(opponent: str, colour: str, symbol: str) -> None:
    line = player_line(starting_rank=1).ljust(91) + f"{opponent:4} {colour:1} {symbol}"
    assert one_player(line).entries == (RoundEntry(symbol=symbol.upper()),)


@pytest.mark.parametrize(("found", "symbol"), [("+", "F"), ("=", "H"), ("-", "Z")])
def test_bye_of_an_older_file_is_read_as_the_letter_of_today(found: str, symbol: str) -> None:
    line = player_line(f"0000 - {found}", starting_rank=1)
    assert one_player(line).entries == (RoundEntry(symbol=symbol),)


def test_game_without_a_result_yet_is_read() -> None:
    report = read_report(as_file(player_line("2 w ", starting_rank=1), player_line("1 b ", starting_rank=2)))
    assert [player.entries for player in report.players] == [(RoundEntry(2, W),), (RoundEntry(1, B),)]


def test_forfeit_without_colours_is_read() -> None:
    report = read_report(
        as_file(player_line("2 - +", starting_rank=1), player_line("1 - -", starting_rank=2))
    )
    assert [player.entries for player in report.players] == [
        (RoundEntry(2, None, "+"),),
        (RoundEntry(1, None, "-"),),
    ]


def test_blank_round_keeps_its_place() -> None:
    one = player_line("", "2 w 1", starting_rank=1)
    two = player_line("0000 - Z", "1 b 0", "0000 - ", starting_rank=2)
    first, second = read_report(as_file(one, two)).players
    assert first.entries == (RoundEntry(), RoundEntry(2, W, "1"))
    assert second.entries == (RoundEntry(symbol="Z"), RoundEntry(1, B, "0"))
    assert (first.entry(2), first.entry(3)) == (RoundEntry(2, W, "1"), RoundEntry())


def test_starting_ranks_of_five_digits_are_read() -> None:
    one = "001    1".ljust(90) + "10000 w 1"
    two = "00110000".ljust(91) + "   1 b 0"
    assert [player.entries[0].opponent for player in read_report(as_file(one, two)).players] == [10000, 1]


@pytest.mark.parametrize("newline", ["\r", "\n", "\r\n"])
def test_every_line_end_is_read(newline: str) -> None:
    lines = ("012 Open", player_line(starting_rank=1), player_line(starting_rank=2), "XXR 5")
    report = read_report(as_file(*lines, newline=newline))
    assert report == read_report(as_file(*lines))
    assert [player.line for player in report.players] == [2, 3]
    assert read_report(newline.join(lines).encode()) == report


def test_mixed_line_ends_and_empty_lines_are_read() -> None:
    data = b"012 Open\r\r\n001    1\n\n \r001    2\r\n\x1a"
    report = read_report(data)
    assert report.records == (TextRecord("012", "Open"), PlayerRecord(1), PlayerRecord(2))
    assert [player.line for player in report.players] == [3, 6]


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("utf-8", "Dąbrowska, Łucja"),
        ("utf-8-sig", "Dąbrowska, Łucja"),
        ("latin-1", "Núñez, Íñigo Müller"),
        ("cp1252", "Škoda, Žofie Œuvré"),
    ],
)
def test_every_encoding_is_read(encoding: str, name: str) -> None:
    line = player_line(starting_rank=1, name=name, rating=2000, federation="NED")
    player = read_report(f"{line}\r012 Café\r".encode(encoding)).players[0]
    assert (player.name, player.rating, player.federation) == (name, 2000, "NED")


def test_name_padded_by_bytes_is_read() -> None:
    name = "Dąbrowska, Łucja"
    right = player_line(starting_rank=1, name=name, rating=2000, federation="POL", fide_id=7)
    assert len(name.encode()) - len(name) == 2
    shifted = right[:45] + right[47:]
    assert one_player(shifted) == one_player(right)


def test_rounds_paired_are_those_with_games_and_those_of_byes_in_which_nobody_is_left() -> None:
    report = read_report((FILES / "seven-after-round-2.trf").read_bytes())
    assert report.rounds_paired == 2
    assert Report(report.players[:0]).rounds_paired == 0
    only_byes = as_file(player_line("0000 - H", starting_rank=1), player_line("0000 - Z", starting_rank=2))
    assert read_report(only_byes).rounds_paired == 0
    allocated = as_file(player_line("0000 - H", starting_rank=1), player_line("0000 - U", starting_rank=2))
    assert read_report(allocated).rounds_paired == 1
    waits = as_file(*allocated.decode().splitlines(), player_line(starting_rank=3))
    assert read_report(waits).rounds_paired == 0


SHIFTED = [
    line[:79] + " " + line[79:]
    for line in (
        player_line("2 w 1", "0000 - H", starting_rank=1, points="1.5"),
        player_line("1 b 0", starting_rank=2, points="0.0"),
        player_line(starting_rank=3, points="0.0"),
    )
]


def test_points_and_rounds_of_all_players_may_stand_one_column_too_far_to_the_right() -> None:
    report = read_report(as_file(*SHIFTED))
    assert [(player.points, len(player.entries)) for player in report.players] == [(15, 2), (0, 1), (0, 0)]
    assert [(one.code, one.line) for one in report.odd] == [("columns_shifted", 1)]


def test_one_shifted_line_among_others_is_an_error() -> None:
    right = player_line("1 b 0", starting_rank=2, points="0.0")
    with pytest.raises(TrfErrors, match="column_not_blank"):
        read_report(as_file(SHIFTED[0], right))


def test_ten_thousand_players_are_read() -> None:
    lines = []
    for rank in range(1, 10001):
        opponent = rank + 1 if rank % 2 else rank - 1
        colour, result = ("w", "1") if rank % 2 else ("b", "0")
        lines.append(f"001{rank:5}".ljust(89) + f" {opponent:5} {colour} {result}" * 9)
    players = read_report(as_file(*lines)).players
    assert (len(players), players[-1].starting_rank, players[-1].entries[8].opponent) == (10000, 10000, 9999)
