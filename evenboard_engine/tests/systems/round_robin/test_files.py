"""The round robin on the command line, in random tournaments and in report files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.cli.command import main
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.trf import read_report, to_tournament, write_report
from evenboard_engine.trf.pairing_comments import system_named_in

SYSTEM = "round-robin"


def generated(players: int, seed: str = "one", **options: str) -> bytes:
    return write_report(
        generate(seed, GeneratorSettings(players=players, system=SYSTEM, options=options)).report
    )


@pytest.mark.parametrize(
    ("options", "code", "rounds"),
    [
        ({}, "BERGER_ROUNDROBIN", 7),
        ({"cycles": "2"}, "FIDE_DOUBLEROUNDROBIN", 14),
        ({"cycles": "2", "swap": "off"}, "BERGER_DOUBLEROUNDROBIN", 14),
    ],
)
def test_report_carries_the_options_and_is_read_back(options: dict[str, str], code: str, rounds: int) -> None:
    data = generated(7, **options)
    report = read_report(data)
    assert (report.text("192"), report.rounds, system_named_in(report)) == (code, rounds, SYSTEM)
    without = read_report(re.sub(rb"### Pairing option[^\r\n]*\r?\n", b"", data))
    for one in (report, without):
        read = to_tournament(one, round=2, system=SYSTEM).options
        assert {name: read[name] for name in options} == options
    assert [check.differences for check in check_rounds(report, system=SYSTEM)] == [()] * rounds


@pytest.mark.parametrize("code", ["FIDE_ROUNDROBIN", "BERGER_ROUNDROBIN_G2"])
def test_other_codes_of_the_tables_are_read(code: str) -> None:
    report = read_report(generated(4).replace(b"BERGER_ROUNDROBIN", code.encode()))
    assert system_named_in(report) == SYSTEM


def test_random_tournaments_agree_with_the_checker() -> None:
    for seed in range(60):
        made = generate(str(seed), GeneratorSettings(system=SYSTEM, options={"cycles": "12"[seed % 2]}))
        assert made.rounds == made.planned
        assert {one.differences for one in check_rounds(made.report, system=SYSTEM)} == {()}


def test_tie_breaks_that_the_system_does_not_allow_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config, file = tmp_path / "config", tmp_path / "out.trf"
    for tie_breaks, status in (("BH,DE,PT", 3), ("DE,SB", 0)):
        config.write_text(f"PlayersNumber=4\nTieBreaks={tie_breaks}\n")
        assert main([f"--{SYSTEM}", "-g", str(config), "-o", str(file)]) == status
    assert "must not use these tie-breaks: BH PT" in capsys.readouterr().err


def test_free_player_gets_no_points() -> None:
    report = read_report(generated(5))
    entries = [player.entry(number).symbol for player in report.players for number in range(1, 6)]
    assert (entries.count("U"), report.points.allocated_bye) == (5, 0)


def test_command_line_pairs_checks_and_explains(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.trf"
    file.write_bytes(generated(5, cycles="2").replace(b"142 10", b"142 11").replace(b"XXR 10", b"XXR 11"))
    assert main([f"--{SYSTEM}", str(file), "-c"]) == 0
    capsys.readouterr()
    assert main([f"--{SYSTEM}", str(file), "-p"]) == 1
    begun = tmp_path / "begun.trf"
    begun.write_bytes(
        b"012 Club\r\n142 3\r\n192 BERGER_ROUNDROBIN\r\n"
        b"001    1      One                               2000\r\n"
        b"001    2      Two                               1900\r\n"
        b"001    3      Three                             1800\r\n"
    )
    assert main([f"--{SYSTEM}", str(begun), "-p"]) == 0
    assert capsys.readouterr().out.split("\n")[:3] == ["2", "2 3", "1 0"]
    assert main([f"--{SYSTEM}", str(begun), "--explain"]) == 0
    output = capsys.readouterr().out
    assert "Berger tables of FIDE C.05, Annex 1. Everybody meets everybody once." in output
    assert "Bracket" not in output
    assert "Round 1 is row 1 of the Berger table for 4 numbers. [Annex 1]" in output
    assert main([f"--{SYSTEM}", str(begun), "--explain", "--player", "2", "--why-not", "1"]) == 0
    assert "meet in round 2." in capsys.readouterr().out


def test_file_that_departs_from_the_table_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.trf"
    file.write_bytes(generated(4))
    swapped = read_report(file.read_bytes())
    text = file.read_bytes().decode().splitlines(keepends=True)
    assert len(swapped.players) == 4
    rows = [line for line in text if line.startswith("001")]
    for line in rows:  # rounds 1 and 2 change places
        moved = line[:91] + line[101:111] + line[91:101] + line[111:]
        text[text.index(line)] = moved
    file.write_text("".join(text), newline="")
    assert main([f"--{SYSTEM}", str(file), "-c"]) != 0
    assert "by the table they meet in round" in capsys.readouterr().out


def test_players_need_no_rating(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "club.trf"
    lines = [
        b"142 3",
        b"192 BERGER_ROUNDROBIN",
        *(b"001    %d      Player %d" % (one, one) for one in (1, 2, 3)),
    ]
    file.write_bytes(b"\r\n".join([b"012 Club", *lines, b""]))
    assert main([f"--{SYSTEM}", str(file), "-p"]) == 0
    assert capsys.readouterr().out.split("\n")[:3] == ["2", "2 3", "1 0"]
