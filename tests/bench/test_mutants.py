"""The changes that the mutation run makes: each one changes the program, and only one place of it."""

from __future__ import annotations

import ast
import json
from collections import Counter
from importlib import import_module
from pathlib import Path

import pytest

from bench.mutants.__main__ import Verdicts, counts, equivalents, score
from bench.mutants.changes import Mutant, mutants, mutated, watched

pytestmark = pytest.mark.one_database

SOURCE = '''"""A module."""

LIMIT = 3


def chosen(players: list[int], last: bool = False) -> int | None:
    """Return a player."""
    if not players or len(players) > LIMIT:
        raise ValueError("wrong", players)
    for player in players:
        if player == 7 and last:
            return min(player, LIMIT)
    return None
'''


def found() -> list[Mutant]:
    return mutants("a.py", SOURCE)


def test_changes_are_those_that_a_slip_would_make() -> None:
    assert [(one.before, one.after) for one in found() if one.function == "chosen" and one.block >= 0] == [
        ("not players or len(players) > LIMIT", "not players and len(players) > LIMIT"),
        ("not players or len(players) > LIMIT", "not (not players or len(players) > LIMIT)"),
        ("not players", "players"),
        ("len(players) > LIMIT", "len(players) >= LIMIT"),
        ("raise ValueError('wrong', players)", "pass"),
        ("ValueError('wrong', players)", "ValueError(players, 'wrong')"),
        ("player == 7 and last", "player == 7 or last"),
        ("player == 7 and last", "not (player == 7 and last)"),
        ("player == 7", "player != 7"),
        ("7", "8"),
        ("return min(player, LIMIT)", "return"),
        ("min(player, LIMIT)", "max(player, LIMIT)"),
    ]
    assert [(one.before, one.after) for one in found() if one.block < 0] == [("3", "4"), ("False", "True")]


def test_each_change_is_made_once_and_every_number_is_another_program() -> None:
    programs = {ast.unparse(mutated(SOURCE, one.number)) for one in found()}
    assert len(programs) == len(found()) == 14
    assert ast.unparse(ast.parse(SOURCE)) not in programs


def test_notes_say_which_blocks_were_run() -> None:
    tree, after = watched(SOURCE, 10)
    hits = bytearray(20)
    space = {"__hits__": hits}
    exec(compile(tree, "a.py", "exec"), space)  # noqa: S102  # the source above
    assert space["chosen"]([7], last=True) == 3
    blocks = {one.block + 10 for one in found() if one.before in ("min(player, LIMIT)", "not players")}
    assert {number for number, hit in enumerate(hits) if hit} >= blocks
    assert [hits[one.block + 10] for one in found() if one.before.startswith("raise")] == [0]
    assert after == 14


def test_verdict_counts_until_the_function_changes(tmp_path: Path) -> None:
    file = tmp_path / "verdicts.jsonl"
    one, *others = found()
    lines = [{"key": each.key, "digest": each.digest, "word": "killed"} for each in others]
    lines.append({"key": one.key, "digest": "another", "word": "survived"})
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    verdicts = Verdicts(file)
    assert verdicts.word(one) is None
    assert counts(found(), verdicts) == Counter(possible=14, run=13, killed=13)


def test_change_has_no_verdict_if_a_test_of_its_place_fails_without_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "plan.json").write_text("{}")
    monkeypatch.setenv("MUTANTS_PLAN", str(tmp_path / "plan.json"))
    kind = import_module("bench.mutants.judge").MutantJudge
    judge = kind.__new__(kind)
    judge.items, judge.kills = {"fails": None, "passes": None}, Counter()
    monkeypatch.setattr(judge, "_in_child", lambda *_args, **_options: ("survived", ""))
    words = []
    for judge.sound in ({"fails": False}, {}):
        words.append(judge.verdict({"path": "x.py", "tests": ["fails", "passes"], "seconds": 1})[0])
    assert words == ["unsound", "survived"]


def test_score_leaves_out_what_changes_nothing() -> None:
    assert score(Counter(run=10, killed=6, timeout=1, survived=1, equivalent=2)) == "87.5 %"
    assert score(Counter()) == "-"


def test_changes_that_change_nothing_exist_and_have_a_reason(root: Path) -> None:
    """A line for a function that has changed since is taken out, or looked at again."""
    for key, reason in equivalents().items():
        path = key.split(" ")[0]
        assert key in {one.key for one in mutants(path, (root / path).read_text(encoding="utf-8"))}
        assert reason.endswith(".")
