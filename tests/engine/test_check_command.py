"""`-c` and `-g` of the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import pairing.engine.checker
from pairing.__main__ import main
from pairing.engine import InternalError
from pairing.engine.generator import Settings, generate
from pairing.engine.trf import read_report, write_report

QUIET = Settings(
    players=8, rounds=3, forfeits=0, unusual=0, half_byes=0, zero_byes=0, full_byes=0, retirements=0, late=0
)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "right.trf"
    path.write_bytes(write_report(generate("cli", QUIET).report))
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """The same eight players, after a first round in which 1 and 2 changed their opponents."""
    lines = ["142 5", "152 W"]
    opponents = {1: (6, "w"), 5: (2, "w"), 3: (7, "w"), 8: (4, "w")}
    for white, (black, _) in list(opponents.items()):
        opponents[black] = (white, "b")
    for rank in range(1, 9):
        opponent, colour = opponents[rank]
        lines.append(f"001{rank:5}".ljust(48) + f"{2500 - rank}".ljust(43) + f"{opponent:4} {colour} =")
    path = tmp_path / "wrong.trf"
    path.write_text("\n".join(lines))
    return path


def test_a_file_that_agrees_is_exit_0(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", str(right), "-c"]) == 0
    assert capsys.readouterr() == (f"{right}: 3 rounds checked, no difference\n", "")


def test_a_difference_is_exit_1_with_its_article(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", str(wrong), "-c"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{wrong}: round 1: 0.0 points: 1 plays 6, but the first legal order of G2 gives 5 (4.4)",
        f"{wrong}: 1 round checked, 1 difference in 1 round",
    ]
    assert err == ""


def test_one_round_alone_can_be_checked(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", str(right), "-c", "2"]) == 0
    assert capsys.readouterr().out == f"{right}: 1 round checked, no difference\n"
    assert main(["--dubov", str(right), "-c", "4"]) == 3
    assert capsys.readouterr().err == "pairing: there is no round 4 to check; 3 rounds are paired\n"


def test_many_files_have_a_summary_and_the_worst_exit_code(
    right: Path, wrong: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = tmp_path / "broken.trf"
    broken.write_bytes(right.read_bytes().replace(b"XXR 3", b"XXR x"))
    none = tmp_path / "none.trf"
    names = [str(path) for path in (right, broken, wrong, none)]
    assert main(["--dubov", *names[:3:2], "-c"]) == 1
    assert capsys.readouterr().out.splitlines()[-1] == "2 files, 4 rounds checked, 1 difference in 1 round"
    assert main(["--dubov", *names[:3], "-c"]) == 3
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == (
        "3 files, 4 rounds checked, 1 difference in 1 round; 1 file could not be checked"
    )
    assert err.startswith(f"pairing: {broken}: line ")
    assert main(["--dubov", *names, "-c"]) == 5


def test_what_is_assumed_or_odd_is_a_warning(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in right.read_text("utf-8").splitlines() if not line.startswith(("142", "XXR"))]
    right.write_text("\n".join(lines).replace("062 8", "062 9"), "utf-8")
    assert main(["--dubov", str(right), "-c"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "pairing: warning: line 2, column 5: the number of players is 9 here, but the file has 8",
        "pairing: warning: the number of rounds is missing; 3 are taken",
    ]


@pytest.mark.parametrize(("error", "code"), [(InternalError("broken"), 2), (KeyboardInterrupt(), 130)])
def test_failures_inside_have_their_codes(
    error: BaseException, code: int, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(pairing.engine.checker, "check_round", fail)
    assert main(["--dubov", str(right), "-c"]) == code


def test_without_an_initial_colour_nothing_can_be_checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forfeits.trf"
    players = [
        f"001{rank:5}".ljust(48) + "2000".ljust(43) + f"{3 - rank:4} - {'+-'[rank - 1]}" for rank in (1, 2)
    ]
    path.write_text("\n".join(["142 3", *players]))
    assert main(["--dubov", str(path), "-c"]) == 3
    assert "initial_colour_missing" in capsys.readouterr().err


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_on_a_terminal_alone(right: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    assert main(["--dubov", str(right), str(right), "-c"]) == 0
    assert "50%" in screen.getvalue()
    assert screen.getvalue().endswith("\r")


# --- generating


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


def test_without_a_seed_every_file_is_another_one(tmp_path: Path) -> None:
    files = [tmp_path / f"{number}.trf" for number in range(2)]
    for path in files:
        assert main(["--dubov", "-g", "-o", str(path)]) == 0
    assert files[0].read_bytes() != files[1].read_bytes()


def test_many_are_numbered_and_each_can_be_made_alone(tmp_path: Path) -> None:
    assert main(["--dubov", "-g", "-o", str(tmp_path / "out.trf"), "-s", "7", "-n", "3"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "out-0001.trf",
        "out-0002.trf",
        "out-0003.trf",
    ]
    assert main(["--dubov", "-g", "-o", str(tmp_path / "one.trf"), "-s", "7-2"]) == 0
    assert (tmp_path / "one.trf").read_bytes() == (tmp_path / "out-0002.trf").read_bytes()


def test_a_tournament_that_ends_early_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "config.txt"
    config.write_text(
        "PlayersNumber=2\nRoundsNumber=5\nLateEntryRate=0\nHalfPointByeRate=0\nZeroPointByeRate=0\n"
    )
    assert main(["--dubov", "-g", str(config), "-o", str(tmp_path / "out.trf"), "-s", "1"]) == 0
    assert "of 5 rounds; the next one could not be paired" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("config", "message"),
    [
        (b"Players=4", "line 1: 'Players' is not a setting; these are: PlayersNumber RoundsNumber"),
        (b"PlayersNumber=4\n\nRoundsNumber=x", "line 3: RoundsNumber must be a number from 1 to 99, not 'x'"),
        (b"hello", "line 1: a setting looks like PlayersNumber=40, not 'hello'"),
        (b"LowestRating=2000\nHighestRating=1900", "these contradict each other: LowestRating HighestRating"),
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
        (("-c",), "the following arguments are required: input"),
        (("a.trf", "-c", "b.trf"), "argument -c: a round is a number, not 'b.trf'; files stand before -c"),
        (("a.trf", "-c", "-s", "1"), "-o, -s and -n are for -g"),
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


def test_missing_settings_and_places_are_exit_5(tmp_path: Path) -> None:
    assert main(["--dubov", "-g", str(tmp_path / "none"), "-o", str(tmp_path / "out.trf")]) == 5
    assert main(["--dubov", "-g", "-o", str(tmp_path / "none" / "out.trf")]) == 5
