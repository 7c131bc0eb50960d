"""The verdicts of all runs, and what docs/mutants.md says about them."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

from bench.mutants.changes import Mutant

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
