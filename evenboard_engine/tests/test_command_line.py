from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import evenboard_engine
from evenboard_engine import InternalError, trf
from evenboard_engine.cli.command import main
from evenboard_engine.tests.commands import FIVE, FOUR, LONG, MET, ROOT, field, run
from evenboard_engine.tests.trf.columns import as_file, player_line

SEVEN = ROOT / "evenboard_engine/tests/trf/files/seven-after-round-2.trf"
REPLY_TO_FOUR = "2\n1 3\n4 2\n"


@pytest.fixture
def four(tmp_path: Path) -> Path:
    path = tmp_path / "four.trf"
    path.write_bytes(FOUR)
    return path


def test_pairs_go_to_standard_output(four: Path) -> None:
    done = run("--dubov", four, "-p")
    assert (done.returncode, done.stdout.decode().splitlines(), done.stderr) == (0, ["2", "1 3", "4 2"], b"")


def test_bye_comes_last_with_a_zero(tmp_path: Path) -> None:
    path = tmp_path / "five.trf"
    path.write_bytes(FIVE)
    assert run("--dubov", path, "-p").stdout.decode().splitlines() == ["3", "3 1", "2 4", "5 0"]


def test_output_name_without_a_folder_is_beside_the_input(four: Path) -> None:
    done = run("--dubov", four, "-p", "reply.txt")
    assert (done.returncode, done.stdout) == (0, b"")
    assert (four.parent / "reply.txt").read_bytes() == REPLY_TO_FOUR.encode()
    assert sorted(path.name for path in four.parent.iterdir()) == ["four.trf", "reply.txt"]


def test_output_path_with_a_folder_is_used_unchanged(four: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    assert run("--dubov", four, "-p", tmp_path / "out" / "reply.txt").returncode == 0
    assert run("--dubov", "../four.trf", "-p", "./other.txt", cwd=tmp_path / "out").returncode == 0
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["other.txt", "reply.txt"]


def test_options_may_come_in_any_order(four: Path) -> None:
    assert run("-p", "-", "--dubov", four).stdout.split() == b"2 1 3 4 2".split()
    assert run("-p", "a.txt", four, "--dubov").returncode == 0
    assert (four.parent / "a.txt").read_text() == REPLY_TO_FOUR


@pytest.mark.parametrize("newline", [b"\r", b"\n", b"\r\n"])
def test_standard_input_is_read(newline: bytes) -> None:
    done = run("--dubov", "-", "-p", stdin=FOUR.replace(b"\r\n", newline))
    assert (done.returncode, done.stdout.split()) == (0, b"2 1 3 4 2".split())


def test_round_with_history_byes_and_prohibitions_is_paired() -> None:
    done = run("--dubov", SEVEN, "-p")
    lines = [line.split() for line in done.stdout.decode().splitlines()]
    assert (done.returncode, lines[0], lines[-1][1]) == (0, ["3"], "0")
    assert sorted(side for line in lines[1:] for side in line) == ["0", "1", "3", "4", "5", "6"]


def test_no_legal_pairing_is_exit_1_and_names_the_players(tmp_path: Path) -> None:
    done = run("--dubov", "-", "-p", tmp_path / "reply.txt", stdin=MET)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.decode().splitlines() == [
        "pairing: no legal pairing exists: the players cannot all be paired",
        "pairing: these players cannot be placed: 1 2",
        "pairing: a pairing exists if the arbiter allows that 1 and 2 meet again (against C1)",
    ]
    assert list(tmp_path.iterdir()) == []


def test_no_player_for_the_bye_is_exit_1() -> None:
    lines = (
        player_line("0000 - U", starting_rank=1, rating=2000),
        player_line("3 w 1", "0000 - Z", starting_rank=2, rating=1900),
        player_line("2 b 0", "0000 - Z", starting_rank=3, rating=1800),
        "XXR 5",
    )
    done = run("--dubov", "-", "-p", stdin=as_file(*lines))
    assert done.returncode == 1
    assert done.stderr.decode().splitlines() == [
        "pairing: no legal pairing exists: the number of players is odd, and nobody may get the bye",
        "pairing: one of these players would have to get the bye: 1",
        "pairing: a pairing exists if the arbiter allows that 1 gets the bye (against C2)",
    ]


def test_every_rule_that_could_be_relaxed_is_named() -> None:
    """1 and 2 have had White twice. 3 and 4 have had Black twice and have met 1 and 2. 5 has had the bye."""
    lines = (
        player_line("3 w =", "4 w =", starting_rank=1, rating=2100),
        player_line("4 w =", "3 w =", starting_rank=2, rating=2000),
        player_line("1 b =", "2 b =", starting_rank=3, rating=1900),
        player_line("2 b =", "1 b =", starting_rank=4, rating=1800),
    )
    done = run("--dubov", "-", "-p", stdin=as_file(*lines, "XXR 5", "XXP 3 4"))
    errors = done.stderr.decode().splitlines()
    assert errors[0] == (
        "pairing: warning: line 6, column 1: pairs that must not meet (260, XXP) are outside FIDE's rules"
    )
    assert (done.returncode, errors[3:]) == (
        1,
        [
            f"pairing: a pairing exists if the arbiter allows that {what}"
            for what in (
                "1 and 2 meet, one of them in the wrong colour (against C3)",
                "3 and 4 meet, one of them in the wrong colour (against C3)",
                "3 and 4 meet, although they are a forbidden pair",
            )
        ],
    )


@pytest.mark.parametrize(
    ("error", "code", "message"),
    [
        (
            InternalError("no_legal_transposition"),
            2,
            "internal error, please report it: no_legal_transposition()",
        ),
        (RuntimeError("boom"), 2, "internal error, please report it: RuntimeError: boom"),
        (RecursionError("deep"), 2, "internal error, please report it: RecursionError: deep"),
        (MemoryError(), 4, "not enough memory for this tournament"),
        (KeyboardInterrupt(), 130, None),
    ],
)
def test_internal_error_has_a_message_without_a_traceback(
    error: BaseException,
    code: int,
    message: str | None,
    four: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def fail(_tournament: object) -> None:
        raise error

    monkeypatch.setattr(evenboard_engine, "pair_round", fail)
    assert main(["--dubov", str(four), "-p"]) == code
    assert capsys.readouterr().err == (f"pairing: {message}\n" if message else "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "one of the arguments -p -c -g --explain --compare --standings is required"),
        (("--dubov", "-p"), "the name of a report file is missing"),
        (
            ("--dubov", "four.trf"),
            "one of the arguments -p -c -g --explain --compare --standings is required",
        ),
        (("--dubov", "a", "b", "-p"), "only one file can be paired at a time"),
        (("-x",), "there is no option -x"),
        (("-x", "four.trf"), "there is no option -x"),
        (("--lim", "--dubov", "a", "-p"), "there is no option --lim"),
        (
            ("--dubov", "a", "-p", "--unrated", "x"),
            "argument --unrated: a rating is a number from 1 to 9999, not 'x'",
        ),
        (
            ("--dubov", "a", "-p", "--unrated", "0"),
            "argument --unrated: a rating is a number from 1 to 9999, not '0'",
        ),
    ],
)
def test_wrong_arguments_are_exit_3(arguments: tuple[str, ...], message: str) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode().splitlines() == [
        f"pairing: {message}",
        "pairing: try: python -m evenboard_engine --help",
    ]


@pytest.mark.parametrize(
    ("data", "messages"),
    [
        (
            as_file(*field(3), "XXR x", "XXZ 9"),
            [
                "line 4, column 5: number of rounds: 'x' is not a number",
                "line 5, column 5: player 9 is not in the file",
            ],
        ),
        (as_file(*field(4)), ["the number of rounds is missing; add a line such as '142 9' or 'XXR 9'"]),
        (
            as_file(*field(4), "XXR 5"),
            [
                "the initial-colour is missing; add a line '152 W' or '152 B' (or 'XXC white1' or 'XXC black1')"
            ],
        ),
        (
            as_file(player_line(starting_rank=1), "XXR 5"),
            ["line 1, column 49: player 1 has no rating; the Dubov System needs one (or use --unrated)"],
        ),
        (
            b"\x89PNG\r\n\x1a\n",
            ["there is no player (a line that begins with 001); is this a tournament report file?"],
        ),
    ],
)
def test_wrong_file_is_exit_3_with_every_reason(data: bytes, messages: list[str]) -> None:
    done = run("--dubov", "-", "-p", stdin=data)
    assert (done.returncode, done.stdout) == (3, b"")
    assert done.stderr.decode().splitlines() == [f"pairing: {message}" for message in messages]


def test_number_of_further_errors_is_mentioned() -> None:
    done = run("--dubov", "-", "-p", stdin=as_file(*field(1), *["wrong"] * 60))
    lines = done.stderr.decode().splitlines()
    assert (done.returncode, len(lines)) == (3, 51)
    assert lines[-1] == "pairing: there are more errors; only the first ones are shown"


def test_unrated_players_get_the_rating_of_the_option() -> None:
    lines = [player_line(starting_rank=rank) for rank in (1, 2)]
    done = run("--dubov", "-", "-p", "--unrated", "1400", stdin=as_file(*lines, "XXR 5", "152 W"))
    assert (done.returncode, done.stdout.split()) == (0, b"1 1 2".split())


def test_file_that_is_too_large_is_exit_4() -> None:
    done = run("--dubov", "-", "-p", stdin=b"### comment\n" * 500_000)
    assert (done.returncode, done.stdout) == (4, b"")
    assert done.stderr.decode() == (
        "pairing: the file has 5000001 bytes; 5000000 is the most that is read\n".replace("\n", os.linesep)
    )


def test_input_that_cannot_be_read_is_exit_5(tmp_path: Path) -> None:
    for name in (tmp_path / "none.trf", tmp_path):
        done = run("--dubov", name, "-p")
        assert (done.returncode, done.stdout) == (5, b"")
        assert done.stderr.decode().startswith(f"pairing: cannot read {name}: ")


def test_output_that_cannot_be_written_is_exit_5(four: Path, tmp_path: Path) -> None:
    for name in (tmp_path / "none" / "reply.txt", tmp_path):
        done = run("--dubov", four, "-p", name)
        assert (done.returncode, done.stdout) == (5, b"")
        assert done.stderr.decode().startswith(f"pairing: cannot write {name}: ")
    assert [path.name for path in tmp_path.iterdir()] == ["four.trf"]


def test_output_is_replaced_at_once_and_kept_if_the_pairing_fails(four: Path, tmp_path: Path) -> None:
    reply = tmp_path / "reply.txt"
    reply.write_text("old and longer than the new reply\n" * 10)
    assert run("--dubov", "-", "-p", reply, stdin=MET).returncode == 1
    assert reply.read_text().startswith("old")
    assert run("--dubov", four, "-p", reply).returncode == 0
    assert reply.read_text() == REPLY_TO_FOUR


@pytest.mark.skipif(not Path("/dev/stdout").exists(), reason="needs /dev/stdout")
def test_output_can_be_a_device(four: Path) -> None:
    assert run("--dubov", four, "-p", "/dev/stdout").stdout.decode() == REPLY_TO_FOUR


def test_help_and_version_are_printed() -> None:
    assert run("--version").stdout.decode().split()[0] == "Evenboard"
    done = run("--help")
    usage, options = done.stdout.decode().split("\n\n", 1)
    for option in (
        "[--edition value]",
        "[--upfloats value]",
        "[--dubov | --dutch | --dubov-1997 | --uschess | --round-robin]",
    ):
        assert option in usage
    assert "input ..." in usage
    assert "the pairing system (C.04.4.1); without it, the one that the file names" in " ".join(
        options.split()
    )
    assert (done.returncode, done.stdout.decode().split()[:4]) == (
        0,
        ["usage:", "python", "-m", "evenboard_engine"],
    )


def modules_after(code: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys\n{code}\nprint(*sys.modules)"],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=LONG,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_start_imports_only_what_it_needs() -> None:
    found = modules_after("import evenboard_engine.__main__")
    parts = {name.split(".")[1] for name in found if name.startswith("evenboard_engine.")}
    assert (
        parts & {"checking", "comparing", "fairness", "generating", "matching", "tiebreaks", "trf", "words"}
        == set()
    )


@pytest.mark.parametrize("more", [b"", b"\n192 FIDE_DUBOV\n"], ids=["no code", "code of the system"])
def test_pairing_imports_neither_django_nor_other_systems_nor_words(more: bytes, four: Path) -> None:
    four.write_bytes(FOUR.rstrip() + more)
    modules = modules_after(
        f"from evenboard_engine.cli.command import main\nmain(['--dubov', {str(four)!r}, '-p'])"
    )
    tops = {name.partition(".")[0] for name in modules}
    others = ("dubov1997", "round_robin", "uschess")
    assert not any(
        name.startswith((f"evenboard_engine.systems.{other}", "evenboard_engine.words"))
        for name in modules
        for other in others
    )
    assert "evenboard_engine.systems.dubov.pairing" in modules
    rare = {"before_round", "older_formats", "section_comments", "time_controls", "write"}
    assert modules & {"calendar", "shutil", *(f"evenboard_engine.trf.{name}" for name in rare)} == set()
    assert tops & {"django", "config", "tournaments", "rest_framework"} == set()


def test_public_names_of_report_files_are_loaded_when_they_are_asked_for() -> None:
    asked = "[getattr(trf, name) for name in trf.__all__]"
    modules = modules_after(
        f"from evenboard_engine import trf\nassert all(one is not None for one in {asked})"
    )
    assert "evenboard_engine.trf.older_formats" in modules
    with pytest.raises(AttributeError, match="no attribute 'oldest'"):
        trf.oldest  # noqa: B018


def test_example_in_the_manual_is_the_real_output(tmp_path: Path) -> None:
    manual = (ROOT / "docs/command-line.md").read_text("utf-8")
    wrong = tmp_path / "wrong.trf"
    wrong.write_bytes(SEVEN.read_bytes().replace(b"2510", b"25l0").replace(b"XXZ 7", b"XXZ 17"))
    good, bad = run("--dubov", SEVEN, "-p"), run("--dubov", wrong, "-p", "reply.txt")
    for lines in (good.stdout, bad.stderr):
        assert "".join(f"    {line}\n" for line in lines.decode().splitlines()) in manual
        assert lines
    assert (good.returncode, bad.returncode) == (0, 3)
