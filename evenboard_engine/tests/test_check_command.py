"""Test `-c` (check) of the command line."""

from __future__ import annotations

import io
from pathlib import Path

import pytest

import evenboard_engine.checking.rounds
from evenboard_engine import InternalError
from evenboard_engine.cli.command import main
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import comments_on_round, read_report, write_report

QUIET = GeneratorSettings(
    players=8, rounds=3, forfeits=0, unusual=0, half_byes=0, zero_byes=0, full_byes=0, retirements=0, late=0,
    forbidden=0, tie_breaks=("BH/C1", "TPN"),
)  # fmt: skip
BY_RULES = " (edition 2026, upfloats played)"


@pytest.fixture
def right(tmp_path: Path) -> Path:
    path = tmp_path / "right.trf"
    path.write_bytes(write_report(generate("cli", QUIET).report))
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """Write a file of the same eight players, with the opponents of 1 and 2 exchanged in round 1."""
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
    assert capsys.readouterr() == (
        f"{right}: 3 rounds checked, no difference; standings by PTS,BH/C1,TPN: no wrong place{BY_RULES}\n",
        "",
    )


def test_a_difference_is_exit_1_with_its_article(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", str(wrong), "-c"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{wrong}: round 1: 0.0 points: 1 plays 6, but the first legal order of G2 gives 5 (4.4)",
        f"{wrong}: 1 round checked, 1 difference in 1 round{BY_RULES}",
    ]
    assert err == ""


def test_a_single_round_can_be_checked(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--dubov", str(right), "-c", "2"]) == 0
    assert capsys.readouterr().out == f"{right}: 1 round checked, no difference{BY_RULES}\n"
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
    assert capsys.readouterr().out.splitlines()[-1] == (
        "2 files, 4 rounds checked, 1 difference in 1 round; 1 table checked, no wrong place"
    )
    assert main(["--dubov", *names[:3], "-c"]) == 3
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == (
        "3 files, 4 rounds checked, 1 difference in 1 round; 1 table checked, no wrong place; "
        "1 file could not be checked"
    )
    assert err.startswith(f"pairing: {broken}: line ")
    assert main(["--dubov", *names, "-c"]) == 5


def test_assumed_and_unusual_values_are_warnings(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line in right.read_text("utf-8").splitlines() if not line.startswith(("142", "XXR"))]
    right.write_text("\n".join(lines).replace("062 8", "062 9"), "utf-8")
    assert main(["--dubov", str(right), "-c"]) == 0
    assert capsys.readouterr().err.splitlines() == [
        "pairing: warning: line 2, column 5: the number of players is 9 here, but the file has 8",
        "pairing: warning: the number of rounds is missing; 3 rounds assumed",
    ]


@pytest.mark.parametrize(("error", "code"), [(InternalError("broken"), 2), (KeyboardInterrupt(), 130)])
def test_internal_errors_have_their_exit_codes(
    error: BaseException, code: int, right: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr(evenboard_engine.checking.rounds, "check_round", fail)
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
    assert capsys.readouterr().err == (
        "pairing: the initial-colour is missing; add a line '152 W' or '152 B' (or 'XXC white1' or 'XXC black1')\n"
    )


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_progress_is_shown_only_on_a_terminal(right: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    assert main(["--dubov", str(right), str(right), "-c"]) == 0
    assert "50%" in screen.getvalue()
    assert screen.getvalue().endswith("\r")


# --- standings


def re_ranked(path: Path, change: dict[int, int], **replaced: str) -> Path:
    """Change ranks of the file, by starting rank, and replace texts of header records."""
    lines = path.read_text("utf-8").splitlines()
    for at, line in enumerate(lines):
        if line.startswith("001") and (rank := change.get(int(line[4:8]))):
            lines[at] = f"{line[:85]}{rank:4}{line[89:]}"
        elif line[:3] in (known := {key.lstrip("_"): text for key, text in replaced.items()}):
            lines[at] = f"{line[:3]} {known[line[:3]]}"
    path.write_text("\n".join(lines), "utf-8")
    return path


def ranks(path: Path) -> dict[int, int]:
    return {player.starting_rank: player.rank or 0 for player in read_report(path.read_bytes()).players}


def test_a_wrong_rank_is_exit_1_with_its_tie_break(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of = {rank: player for player, rank in ranks(right).items()}
    re_ranked(right, {of[1]: 2, of[2]: 1})
    assert main(["--dubov", str(right), "-c"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines() == [
        f"{right}: standings: {of[2]} is before {of[1]} at rank 1, but {of[1]} has the better PTS: 3.0 against 2.0",
        f"{right}: 3 rounds checked, no difference; standings by PTS,BH/C1,TPN: 1 wrong place{BY_RULES}",
    ]
    assert err == ""


def test_a_rank_is_shared_only_after_all_tie_breaks(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    of = {rank: player for player, rank in ranks(right).items()}
    re_ranked(right, {of[2]: 1})
    assert main(["--dubov", str(right), "-c"]) == 1
    assert capsys.readouterr().out.splitlines()[0] == (
        f"{right}: standings: {of[2]} shares rank 1 with {of[1]}, but {of[1]} has the better PTS: 3.0 against 2.0"
    )


def test_points_by_decision_count_for_the_rounds_after_them(
    right: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A bonus of the last round changes the standings; the same bonus from the start, the rounds too (299)."""
    first = {rank: player for player, rank in ranks(right).items()}[1]
    lines = right.read_text("utf-8").splitlines()
    for number, (code, says) in {
        3: (0, "3 rounds checked, no difference; standings by PTS,BH/C1,TPN: no wrong place"),
        0: (1, "round 2"),
    }.items():
        given = [
            f"{line[:79]}{float(line[79:84]) + 5:5.1f}{line[84:]}"
            if line.startswith(f"001{first:5}")
            else line
            for line in lines
        ]
        right.write_text("\n".join((*given, f"299           5.0  {number:03}{first:5}")), "utf-8")
        assert main(["--dubov", str(right), "-c"]) == code
        assert says in capsys.readouterr().out


def test_check_of_a_single_round_does_not_check_the_standings(
    right: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    of = {rank: player for player, rank in ranks(right).items()}
    re_ranked(right, {of[1]: 2, of[2]: 1})
    assert main(["--dubov", str(right), "-c", "3"]) == 0
    assert " points) has rank 1, but player" in capsys.readouterr().err


def test_an_unknown_tie_break_is_a_warning(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    re_ranked(right, {}, _212="PTS,OTHER_LUCK,BH")
    assert main(["--dubov", str(right), "-c"]) == 0
    out, err = capsys.readouterr()
    assert out == f"{right}: 3 rounds checked, no difference; standings by PTS: no wrong place{BY_RULES}\n"
    assert err == (
        "pairing: warning: line 11: the tie-break 'OTHER_LUCK' is not known; standings are compared only up "
        "to it\n"
    )


# --- variants of the rules


def test_options_choose_the_rules_and_overrule_the_file(
    right: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with right.open("a", encoding="utf-8") as file:
        file.write("### C.04.4.1 Dubov System, edition of 2025\r\n### Upfloats of forfeited games: count\r\n")
    assert main(["--dubov", str(right), "-c", "1"]) == 0
    assert capsys.readouterr() == (
        f"{right}: 1 round checked, no difference (edition 2025, upfloats paired)\n",
        "",
    )
    assert main(["--dubov", str(right), "-c", "1", "--edition", "2018", "--upfloats", "played"]) == 0
    assert capsys.readouterr() == (
        f"{right}: 1 round checked, no difference (edition 2018, upfloats played)\n",
        (
            "pairing: warning: the file says edition 2025; edition 2018 is used\n"
            "pairing: warning: the file says upfloats paired; upfloats played is used\n"
        ),
    )


NOBODY_PLAYED = as_file(
    player_line("4 w +", "", starting_rank=1, rating=2300),
    player_line("5 w +", "", starting_rank=2, rating=2200),
    player_line("0000 - F", "", starting_rank=3, rating=2100),
    player_line("1 b -", "0000 - Z", starting_rank=4, rating=2000),
    player_line("2 b -", "0000 - Z", starting_rank=5, rating=1900),
    "142 3",
    "152 W",
)


@pytest.mark.parametrize(("edition", "code"), [("2018", 0), ("2025", 1), ("2026", 1), (None, 1)])
def test_the_edition_decides_who_may_have_the_bye(
    edition: str | None, code: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """C2: after a full-point bye there is no pairing-allocated bye, except in the edition of 2018 (C.2)."""
    path = tmp_path / "five.trf"
    path.write_bytes(NOBODY_PLAYED)
    option = ["--edition", edition] if edition else []
    assert main(["--dubov", str(path), "-p", *option]) == code
    assert capsys.readouterr().out.split() == (["2", "1", "2", "3", "0"] if code == 0 else [])
    assert main(["--dubov", str(path), "--explain", *option, "--upfloats", "paired"]) == code
    if code == 0:
        assert capsys.readouterr().out.startswith(
            "Round 2. Articles of C.04.4.1, edition of 2018. Upfloats are counted in all games that were paired.\n"
        )


def test_a_start_before_february_2026_means_the_edition_of_2018(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.trf"
    path.write_bytes(NOBODY_PLAYED + b"042 2026/01/31\r\n")
    assert main(["--dubov", str(path), "-p"]) == 0
    assert main(["--dubov", str(path), "-p", "--edition", "2026"]) == 1


@pytest.mark.parametrize("arguments", [["--edition", "2024"], ["--upfloats", "never"]])
def test_unknown_variants_are_exit_3(arguments: list[str]) -> None:
    assert main(["--dubov", "a.trf", "-p", *arguments]) == 3


@pytest.mark.parametrize(("edition", "article"), [("2018", "D.3"), ("2025", "4.4"), ("2026", "4.4")])
def test_articles_are_those_of_the_edition(
    edition: str, article: str, wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["--dubov", str(wrong), "-c", "--edition", edition]) == 1
    assert capsys.readouterr().out.splitlines() == [
        f"{wrong}: round 1: 0.0 points: 1 plays 6, but the first legal order of G2 gives 5 ({article})",
        f"{wrong}: 1 round checked, 1 difference in 1 round (edition {edition}, upfloats played)",
    ]


@pytest.mark.parametrize(
    ("edition", "cited"), [("2018", "C1, C.1"), ("2025", "C1, 3.1.1"), ("2026", "C1, 2.1.1")]
)
def test_a_rematch_has_the_article_of_the_edition(
    edition: str, cited: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "rematch.trf"
    lines = [
        player_line("2 w 1", "2 b 1", starting_rank=1, rating=2300),
        player_line("1 b 0", "1 w 0", starting_rank=2, rating=2200),
        player_line("4 w =", "4 b =", starting_rank=3, rating=2100),
        player_line("3 b =", "3 w =", starting_rank=4, rating=2000),
    ]
    path.write_bytes(as_file(*lines, "142 5", "152 W"))
    assert main(["--dubov", str(path), "-c", "--edition", edition]) == 1
    assert f"{path}: round 2: 2 and 1 have met before ({cited})" in capsys.readouterr().out.splitlines()


def test_a_forbidden_pair_is_reported_as_outside_the_rules_of_fide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "forbidden.trf"
    lines = [
        player_line("3 w 1", starting_rank=1, rating=2300),
        player_line("4 b 1", starting_rank=2, rating=2200),
        player_line("1 b 0", starting_rank=3, rating=2100),
        player_line("2 w 0", starting_rank=4, rating=2000),
    ]
    path.write_bytes(as_file(*lines, "142 5", "152 W", "XXP 1 3"))
    assert main(["--dubov", str(path), "-c"]) == 1
    out, err = capsys.readouterr()
    assert out.splitlines()[0] == (
        f"{path}: round 1: the file does not allow 1 and 3 to meet (260, XXP; outside FIDE's rules)"
    )
    assert "pairs that must not meet (260, XXP) are outside FIDE's rules" in err


@pytest.mark.parametrize(
    ("system", "article", "edition"), [("dubov", "5.2.1", BY_RULES), ("dutch", "5.2.5", " (edition 2026)")]
)
def test_counted_numbers_of_unpaired_players_are_one_line(
    system: str, article: str, edition: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """GHR 2.4: 2 has a bye in round 1, so 2 has no number in it. The file counts 2, so two boards differ."""
    entries = {1: "5 w 1", 2: "0000 - H", 3: "6 w 1", 4: "7 b 0", 5: "1 b 0", 6: "3 b 0", 7: "4 w 1"}
    points = {1: "1.0", 2: "0.5", 3: "1.0", 7: "1.0"}
    lines = [
        player_line(entry, starting_rank=rank, rating=2300 - rank, points=points.get(rank, "0.0"))
        for rank, entry in entries.items()
    ]
    path = tmp_path / "counted.trf"
    path.write_bytes(as_file("142 5", "152 W", *lines))
    assert main([f"--{system}", str(path), "-c"]) == 1
    doubt = "the file also counts players who were not paired in round 1 (2); they have no pairing number yet"
    assert capsys.readouterr().out.splitlines()[:2] == [
        f"{path}: round 1: opposite colours on 2 boards ({article}): {doubt} (GHR 2.4, reading D7)",
        f"{path}: 1 round checked, 2 differences in 1 round{edition}",
    ]


def test_comments_of_the_file_on_a_wrong_round_are_printed(
    wrong: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """FIDE's comments on pairing by hand and on corrections are printed, but not those of other rounds."""
    comments = (
        "### MPA @ Round 1: 1-5 3-7 => 1-6 3-7",
        "### MPA @ Round 2: 1-2",
        "### No round",
        "### FPB @ Round x: 1",
    )
    wrong.write_text("\n".join((*comments, wrong.read_text())))
    assert main(["--dubov", str(wrong), "-c"]) == 1
    assert capsys.readouterr().out.splitlines()[1:2] == [
        f"{wrong}: round 1: the file has this comment: MPA @ Round 1: 1-5 3-7 => 1-6 3-7"
    ]
    report = read_report(b"### Rating correction @ Round 2: 1\n### MPA @ Round 2\n" + wrong.read_bytes())
    assert comments_on_round(report, 3) == ("Rating correction @ Round 2: 1",)


def test_warnings_name_the_file_if_there_are_several(
    wrong: Path, right: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong.write_text(wrong.read_text() + "\nXXP 1 2")
    odd = "line 11, column 1: pairs that must not meet (260, XXP) are outside FIDE's rules"
    assert main(["--dubov", str(wrong), str(right), "-c"]) == 1
    assert capsys.readouterr().err.splitlines() == [f"pairing: warning: {wrong}: {odd}"]
    assert main(["--dubov", str(wrong), "-c"]) == 1
    assert capsys.readouterr().err.splitlines() == [f"pairing: warning: {odd}"]
