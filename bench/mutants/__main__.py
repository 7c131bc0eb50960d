"""Change the program a little, at random, and see whether a test fails: each change that no test notices is a gap.

    python -m bench.mutants [--paths pairing ...] [--seconds 600] [--seed 1] [--processes 1] [--again]
                            [--only TEXT] [--tests actions engine ...] [--var DIRECTORY] [--write]

A copy of the tree is made. The tests of the folders run in it once, with notes of which blocks of functions each of
them runs (kept in DIRECTORY, by default var/mutants, until a file changes). Then changes are made one at a time, in
an order that the seed decides, and the tests that run the block of the change are run: first those that noticed
changes in the same file, then the quickest. The verdicts are added to those of earlier runs. A verdict counts until
its function is changed.

--again: only changes that survived so far. --only: only changes whose line in the list of survivors has this text.
--write: write the verdicts into docs/mutants.md. At most --processes changes are tried at the same time.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path
from random import Random
from typing import Any

from bench.mutants.changes import Mutant, mutants

# The verdicts of all runs, and what docs/mutants.md says about them.

EQUIVALENT = Path(__file__).parent / "equivalent.txt"
"""A line for each change after which the program does the same: the key of the mutant, " | ", and the reason."""
BEGINS = "<!-- The rest of this file is written by `python -m bench.mutants --write`. -->"
WORDS = ("killed", "timeout", "survived", "no test")


class Verdicts:
    """What became of each mutant, in a file with one line of JSON for each verdict. The last one counts."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.verdicts: dict[tuple[str, str], str] = {}
        self.read_again()

    def read_again(self) -> None:
        if self.file.exists():
            for line in self.file.read_text(encoding="utf-8").splitlines():
                verdict = json.loads(line)
                self.verdicts[verdict["key"], verdict["digest"]] = verdict["word"]

    def word(self, mutant: Mutant) -> str | None:
        """Return the verdict, or None if the mutant was not run since its function changed."""
        return self.verdicts.get((mutant.key, mutant.digest))


def equivalents() -> dict[str, str]:
    """Return the reasons by the keys of the mutants."""
    lines = EQUIVALENT.read_text(encoding="utf-8").splitlines()
    return dict(line.rsplit(" | ", 1) for line in lines if line and not line.startswith("#"))


def counts(mutants: list[Mutant], verdicts: Verdicts) -> Counter[str]:
    known = equivalents()
    found: Counter[str] = Counter(possible=len(mutants))
    for mutant in mutants:
        if word := verdicts.word(mutant):
            same = word in ("survived", "no test") and mutant.key in known
            found["equivalent" if same else word] += 1
    found["run"] = sum(found[word] for word in (*WORDS, "equivalent"))
    return found


def score(found: Counter[str]) -> str:
    """Return how many of the mutants that change something were noticed."""
    different = found["run"] - found["equivalent"]
    return f"{100 * (found['killed'] + found['timeout']) / different:.1f} %" if different else "-"


def summary(mutants: dict[str, list[Mutant]], paths: tuple[str, ...], verdicts: Verdicts) -> str:
    """Return the table of the rooms, the survivors by file, and the mutants that change nothing."""
    lines = [
        "| room | possible | run | killed | too long | survived | no test | change nothing | score |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for path in paths:
        found = counts([one for file in mutants if file.startswith(path) for one in mutants[file]], verdicts)
        figures = ("possible", "run", *WORDS, "equivalent")
        lines.append(
            f"| `{path}` | " + " | ".join(str(found[name]) for name in figures) + f" | {score(found)} |"
        )
    known = equivalents()
    left: dict[str, list[str]] = defaultdict(list)
    same = []
    for file, of_file in mutants.items():
        for one in of_file:
            if verdicts.word(one) in ("survived", "no test"):
                if one.key in known:
                    same.append(f"- `{one.key}`: {known[one.key]}")
                else:
                    note = " (no test runs it)" if verdicts.word(one) == "no test" else ""
                    left[file].append(f"- line {one.line}, `{one.key.removeprefix(file).strip()}`{note}")
    lines += ["", "## Survivors"]
    for file, survivors in left.items():
        lines += ["", f"`{file}`", "", *survivors]
    return "\n".join([*lines, "", "## Changes that change nothing", "", *same, ""])


def write(file: Path, text: str) -> None:
    """Replace the part of the document that is written by the program."""
    head = file.read_text(encoding="utf-8").partition(BEGINS)[0]
    file.write_text(f"{head}{BEGINS}\n\n{text}", encoding="utf-8")


# The run.


ROOT = Path(__file__).resolve().parent.parent.parent
PATHS = ("evenboard_engine/systems", "pairing", "tournaments/actions")
TESTS = ("actions", "api", "engine", "exports", "imports", "models", "queries", "systems", "web")
"""The folders of tests/ that mutants meet: those without a browser, a server or a clock."""
MOST_SECONDS = 8.0
"""How much processor time the tests of one mutant may take in a run without it; the slower ones are left out."""


def main() -> None:
    asked = _arguments()
    asked.var.mkdir(parents=True, exist_ok=True)
    files = [path for path in _tracked() if path.endswith(".py") and path.startswith(tuple(asked.paths))]
    everything = {path: mutants(path, (ROOT / path).read_text(encoding="utf-8")) for path in files}
    verdicts = Verdicts(asked.var / "verdicts.jsonl")
    with tempfile.TemporaryDirectory(prefix="mutants-") as directory:
        tree = Path(directory) / "tree"
        _copy(tree)
        known = _map(tree, _files_of(PATHS), asked)
        chosen = _chosen(everything, verdicts, asked)
        print(f"{sum(map(len, everything.values()))} possible changes, {len(chosen)} to try", flush=True)
        _judge_all(chosen, known, tree, asked)
    verdicts.read_again()
    text = summary(everything, tuple(asked.paths), verdicts)
    print(text)
    if asked.write:
        write(ROOT / "docs/mutants.md", text)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.mutants")
    parser.add_argument("--paths", nargs="+", default=PATHS)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--only", default="")
    parser.add_argument("--tests", nargs="+", default=TESTS)
    parser.add_argument("--var", type=Path, default=ROOT / "var/mutants")
    return parser.parse_args()


def _tracked() -> list[str]:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    return sorted(path for path in listed.stdout.splitlines() if (ROOT / path).is_file())


def _files_of(paths: tuple[str, ...]) -> list[str]:
    return [path for path in _tracked() if path.endswith(".py") and path.startswith(paths)]


def _copy(tree: Path) -> None:
    for path in _tracked():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, tree / path)


def _map(tree: Path, files: list[str], asked: argparse.Namespace) -> dict[str, Any]:
    """Return which test runs which block. An earlier run counts if no watched file and no test is different."""
    whole: dict[str, Any] = {"first": {}, "tests": {}, "modules": {}}
    for folder in asked.tests:
        digest = hashlib.sha256()
        for path in _tracked():
            if path in files or (path.startswith(f"tests/{folder}/") and path.endswith(".py")):
                digest.update(path.encode() + (ROOT / path).read_bytes())
        kept = asked.var / f"map-{folder}-{digest.hexdigest()[:16]}.json"
        if not kept.exists():
            print(f"Running every test of tests/{folder} once, to see what it runs", flush=True)
            plan = {"files": files, "map": str(kept), "folders": [folder]}
            _pytest(tree, "bench.mutants.hits", plan, asked.var / f"map-{folder}.txt").wait()
        found = json.loads(kept.read_text())
        whole["first"] = found["first"]
        whole["tests"] |= found["tests"]
        whole["modules"] |= found["modules"]
    return whole


def _pytest(tree: Path, plugin: str, plan: dict[str, Any], output: Path) -> subprocess.Popen[bytes]:
    number = len(list(tree.parent.glob("plan-*.json")))
    file = tree.parent / f"plan-{number}.json"
    file.write_text(json.dumps(plan))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        plugin,
        "-p",
        "no:randomly",
        "-p",
        "no:cacheprovider",
    ]
    command += ["-p", "no:xdist", *(f"tests/{name}" for name in plan["folders"])]
    environment = {**os.environ, "MUTANTS_PLAN": str(file), "VAR_DIR": str(tree.parent / f"var-{number}")}
    with output.open("w") as out:
        return subprocess.Popen(command, cwd=tree, env=environment, stdout=out, stderr=subprocess.STDOUT)


def _chosen(
    everything: dict[str, list[Mutant]], verdicts: Verdicts, asked: argparse.Namespace
) -> list[Mutant]:
    found = [one for mutants_of_file in everything.values() for one in mutants_of_file]
    if asked.again:
        found = [one for one in found if verdicts.word(one) in ("survived", "no test")]
    else:
        found = [one for one in found if verdicts.word(one) is None]
    found = [one for one in found if asked.only in one.key]
    Random(asked.seed).shuffle(found)
    return found


class _Covering:
    """The tests that run each block, and how long each of them took."""

    def __init__(self, known: dict[str, Any]) -> None:
        self.first: dict[str, int] = known["first"]
        self.seconds = {test: of_test["seconds"] for test, of_test in known["tests"].items()}
        self.direct: dict[int, set[str]] = defaultdict(set)
        self.by_fixture: dict[int, set[str]] = defaultdict(set)
        of_module: dict[str, set[str]] = defaultdict(set)
        for test, of_test in known["tests"].items():
            of_module[test.split("::")[0]].add(test)
            for number in of_test["called"]:
                self.direct[number].add(test)
        for module, numbers in known["modules"].items():
            for number in numbers:
                self.by_fixture[number] |= of_module[module]

    def tests_of(self, mutant: Mutant) -> tuple[list[str], float]:
        """Return the tests that run the block of the mutant, the quickest first, and how long they took.

        After them come the other tests of modules whose fixtures run it. Outside of functions: the tests that run any
        block of the file.
        """
        first = self.first[mutant.path]
        after = min([value for value in self.first.values() if value > first], default=10**6)
        blocks = [first + mutant.block] if mutant.block >= 0 else range(first, after)
        direct = set().union(*(self.direct.get(number, ()) for number in blocks))
        others = set().union(*(self.by_fixture.get(number, ()) for number in blocks)) - direct
        tests, seconds = [], 0.0
        for of_kind in (direct, others):
            for test in sorted(of_kind, key=lambda test: (self.seconds[test], test)):
                if seconds + self.seconds[test] <= MOST_SECONDS:
                    tests.append(test)
                    seconds += self.seconds[test]
        return tests, seconds


def _judge_all(chosen: list[Mutant], known: dict[str, Any], tree: Path, asked: argparse.Namespace) -> None:
    results = asked.var / "verdicts.jsonl"
    ends = time.time() + asked.seconds
    orders: list[dict[str, Any]] = []
    covering = _Covering(known)
    with results.open("a") as out:
        for mutant in chosen:
            tests, seconds = covering.tests_of(mutant)
            order = {
                "key": mutant.key,
                "digest": mutant.digest,
                "path": mutant.path,
                "number": mutant.number,
                "tests": tests,
            }
            order |= {"seconds": 10 + 3 * seconds, "loaded": mutant.block < 0}
            if tests:
                orders.append(order)
            elif set(asked.tests) == set(TESTS):
                verdict = {"key": mutant.key, "digest": mutant.digest, "word": "no test"}
                out.write(json.dumps(verdict) + "\n")
    plan: dict[str, Any] = {
        "files": _files_of(PATHS),
        "ends": ends,
        "results": str(results),
        "folders": asked.tests,
    }
    in_functions = [order for order in orders if not order["loaded"]]
    running = [
        _pytest(
            tree,
            "bench.mutants.judge",
            {**plan, "mutants": in_functions[number :: asked.processes]},
            asked.var / f"judge-{number}.txt",
        )
        for number in range(asked.processes)
    ]
    for process in running:
        process.wait()
    for order in orders:
        if order["loaded"] and time.time() < ends:
            _pytest(
                tree,
                "bench.mutants.judge",
                {**plan, "mutants": [order], "loaded": order},
                asked.var / "judge-loaded.txt",
            ).wait()


if __name__ == "__main__":
    main()
