"""The command line takes the pairing system from the file where no option names it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from evenboard_engine import SYSTEMS
from evenboard_engine.cli.command import main
from evenboard_engine.cli.console import see_help
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.tests.commands import FOUR
from evenboard_engine.trf import write_report

ADD = f"add {' or '.join(f'--{code}' for code in SYSTEMS)}"


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Return a file of each system, with one round of six players."""
    folder = tmp_path_factory.mktemp("files")
    made = {}
    for code in SYSTEMS:
        settings = GeneratorSettings(system=code, players=6, rounds=1 if code != "round-robin" else 5)
        made[code] = folder / f"{code}.trf"
        report = generate("1", settings).report
        made[code].write_bytes(
            write_report(report).replace(b"142 1\r", b"142 5\r").replace(b"XXR 1\r", b"XXR 5\r")
        )
    return made


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("task", ["-c", "--standings", "--explain"])
def test_file_says_its_system(
    system: str, task: str, files: Mapping[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    code = main([str(files[system]), task])
    found = capsys.readouterr()
    assert main([f"--{system}", str(files[system]), task]) == code
    named = capsys.readouterr()
    assert (found.out, found.err) == (named.out, f"pairing: the file says --{system}\n{named.err}")


def test_files_of_several_systems_are_checked_each_by_its_own(
    files: Mapping[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*map(str, files.values()), "-c"]) == 0
    assert [line for line in capsys.readouterr().err.splitlines() if "warning" not in line] == [
        f"pairing: {path}: the file says --{code}" for code, path in files.items()
    ]


def test_option_is_checked_with_the_system_of_the_file(
    files: Mapping[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([str(files["uschess"]), "-p", "--option", "high=250"]) == 0
    assert capsys.readouterr().err == "pairing: the file says --uschess\n"
    assert main([str(files["uschess"]), "-p", "--edition", "2026"]) == 3
    assert "--uschess has no option edition; it has high, low" in capsys.readouterr().err


def test_option_of_another_system_is_refused(
    files: Mapping[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dubov-1997", str(files["dubov"]), "-p"]) == 3
    assert "the file names another pairing system" in capsys.readouterr().err


def test_a_file_without_a_system_is_taken_as_one_of_the_dutch_system(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    four = tmp_path / "four.trf"
    four.write_bytes(FOUR)
    assert main([str(four), "-p"]) == 0
    found = capsys.readouterr()
    assert found.err == f"pairing: the file names no pairing system (192): --dutch is assumed, or {ADD}\n"
    assert main(["--dutch", str(four), "-p"]) == 0
    assert capsys.readouterr().out == found.out


def test_somebody_must_name_the_system(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    four = tmp_path / "four.trf"
    four.write_bytes(FOUR + b"192 FIDE_BURSTEIN\r\n")
    see = f"pairing: {see_help()}"
    for arguments, sentence in (
        ([str(four), "-p"], "the file names a pairing system that is not known (192: FIDE_BURSTEIN)"),
        (["-g", "-o", str(tmp_path / "out.trf")], "-g needs a pairing system"),
    ):
        assert main(arguments) == 3
        assert capsys.readouterr().err.splitlines() == [f"pairing: {sentence}: {ADD}", see]
