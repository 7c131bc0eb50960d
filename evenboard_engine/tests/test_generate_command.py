"""Test `-g` (generate) of the command line, and what both commands refuse."""

from __future__ import annotations

from pathlib import Path

import pytest

from evenboard_engine.cli.command import main
from evenboard_engine.trf import read_report


def test_a_generated_file_is_written_and_checks(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config, out = tmp_path / "config.txt", tmp_path / "out.trf"
    config.write_text("PlayersNumber=12\nRoundsNumber=4\nRetiredRate=0\nForbiddenPairs=0\n")
    assert main(["--dubov", "-g", str(config), "-o", str(out), "-s", "42"]) == 0
    first = out.read_bytes()
    assert read_report(first).text("012") == "Random tournament, seed 42"
    assert len(read_report(first).players) == 12
    assert main(["--dubov", "-g", str(config), "-o", str(out), "-s", "42"]) == 0
    assert out.read_bytes() == first
    assert main(["--dubov", str(out), "-c"]) == 0
    assert capsys.readouterr().err == ""


def test_without_a_seed_every_file_is_different(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.trf" for number in range(2)]
    for path in files:
        assert main(["--dubov", "-g", "-o", str(path)]) == 0
    assert files[0].read_bytes() != files[1].read_bytes()


def test_many_files_are_numbered_and_each_can_be_made_again(tmp_path: Path) -> None:
    assert main(["--dubov", "-g", "-o", str(tmp_path / "out.trf"), "-s", "7", "-n", "3"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out-0001.trf",
        "out-0002.trf",
        "out-0003.trf",
    ]
    assert main(["--dubov", "-g", "-o", str(tmp_path / "one.trf"), "-s", "7-2"]) == 0
    assert (tmp_path / "one.trf").read_bytes() == (tmp_path / "out-0002.trf").read_bytes()


def test_a_tournament_that_ends_early_has_a_message(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = tmp_path / "config.txt"
    config.write_text(
        "PlayersNumber=2\nRoundsNumber=5\nLateEntryRate=0\nHalfPointByeRate=0\nZeroPointByeRate=0\n"
    )
    assert main(["--dubov", "-g", str(config), "-o", str(tmp_path / "out.trf"), "-s", "1"]) == 0
    assert "of 5 rounds, because round 2 could not be paired" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (b"Players=4", "line 1: 'Players' is not a setting; the settings are: PlayersNumber RoundsNumber"),
        (b"PlayersNumber=4\n\nRoundsNumber=x", "line 3: RoundsNumber must be a number from 1 to 99, not 'x'"),
        (
            b"ForfeitRate=x",
            "line 1: ForfeitRate must be a rate: N for one in N (at most 1000000), or a percentage such as 5%, not 'x'",
        ),
        (b"PointsForWin=a", "line 1: PointsForWin must be a number of points such as 0.5, not 'a'"),
        (b"hello", "line 1: a setting looks like PlayersNumber=40, not 'hello'"),
        (
            b"LowestRating=2000\nHighestRating=1900",
            "these settings contradict each other: LowestRating HighestRating",
        ),
        (b"\xff\xfe", "the settings must be UTF-8 text"),
    ],
)
def test_wrong_settings_are_exit_3(
    config: bytes, message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "config.txt"
    path.write_bytes(config)
    assert main(["--dubov", "-g", str(path), "-o", str(tmp_path / "out.trf")]) == 3
    assert capsys.readouterr().err.startswith(f"pairing: {path}: {message}")
    assert not (tmp_path / "out.trf").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("-g",), "-g needs -o, the file to be written"),
        (("a.trf", "-g", "-o", "b"), "-g reads no report: a.trf"),
        (("-c",), "the name of a report file is missing"),
        (("a.trf", "-c", "b.trf"), "argument -c: a round is a number, not 'b.trf'; file names go before it"),
        (("a.trf", "-c", "-s", "1"), "-o, -s and -n need -g"),
        (
            ("-g", "-o", "b", "-s", "a b"),
            "argument -s: a seed is made of digits, letters, - and _, not 'a b'",
        ),
        (("-g", "-o", "b", "-n", "0"), "argument -n: a count is a number from 1 to 999999, not '0'"),
    ],
)
def test_wrong_arguments_are_exit_3(
    arguments: tuple[str, ...], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dubov", *arguments]) == 3
    assert capsys.readouterr().err.splitlines()[0] == f"pairing: {message}"


def test_missing_settings_and_folders_are_exit_5(tmp_path: Path) -> None:
    assert main(["--dubov", "-g", str(tmp_path / "none"), "-o", str(tmp_path / "out.trf")]) == 5
    assert main(["--dubov", "-g", "-o", str(tmp_path / "none" / "out.trf")]) == 5


def test_generated_files_name_the_rules_that_were_chosen(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.trf"
    assert (
        main(["--dubov", "-g", "-o", str(out), "-s", "1", "--edition", "2018", "--upfloats", "paired"]) == 0
    )
    assert capsys.readouterr().err.splitlines()[-1] == "pairing: paired by edition 2018, upfloats paired"
    assert out.read_text("utf-8").splitlines().count("### C.04.4.1 Dubov System, edition of 2018") == 1
    assert main(["--dubov", str(out), "-c"]) == 0
    assert capsys.readouterr().out.endswith("no wrong place (edition 2018, upfloats paired)\n")
