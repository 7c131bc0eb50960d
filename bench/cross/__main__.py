"""Ask another program to pair every round of generated tournaments, and attribute each difference to an article.

    python -m bench.cross [--tournaments 50000] [--workers 1] [--state FILE] [--write docs/endorsement.md]

docs/endorsement.md says what is done. The other program (py4swiss) is installed from PyPI into a directory beside the
state file. The run can be stopped at any time and continues where it stopped. --tournaments 0 plays none and shows the
figures so far. --example SEED ROUND prints the report file of one round. Exits 1 if our answer departs from an article
or the brute force contradicts it.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path

from bench.endorse import ROOT, engine_digest, put_into
from bench.peers.histories import report_file
from bench.peers.peer import PACKAGE, install

from .chunk import CHUNK, NOT, STEP, WHOLE, WRONG, CrossFindings, Example, compare_chunk, tournament_of

# Show the results of the cross-test as a part of docs/endorsement.md.

BEGIN, END = "<!-- cross-test -->", "<!-- end of the cross-test -->"
ARTICLE = "article "


def report(found: CrossFindings) -> str:
    """Return the totals, the differences by article with the smallest example of each, and the time."""
    figures = found.figures
    rows = [
        ("tournaments", figures["tournaments"]),
        ("rounds asked of both programs", figures["rounds"]),
        ("pairs", figures["pairs"]),
        ("rounds without a legal pairing, by both", figures["impossible for both"]),
        ("rounds in which the peer was stopped without an answer", figures["unanswered"]),
        ("rounds with the same answer", figures["rounds"] - figures["differing"]),
        ("rounds with another answer", figures["differing"]),
        ("of these, paired as we do by the brute force, the whole round", figures[f"differing, {WHOLE}"]),
        (
            "of these, paired as we do by the brute force, the step that differs",
            figures[f"differing, {STEP}"],
        ),
        ("of these, too large for the brute force", figures[f"differing, {NOT}"]),
        ("of these, **paired otherwise by the brute force**", figures[f"differing, {WRONG}"]),
        ("**differences in which our answer departs from the article**", len(found.faults)),
    ]
    totals = "\n".join(f"| {name} | {value:,} |" for name, value in rows)
    pace = figures["tournaments"] / found.seconds if found.seconds else 0.0
    return (
        f"| | |\n|---|---:|\n{totals}\n\n"
        "| Where the peer departs | Rounds | Proved: whole round, step, not | The smallest example |\n"
        f"|---|---:|---:|---|\n{_articles(found)}\n\n"
        f"Processor time of both programs: {found.seconds / 60:.1f} minutes, {pace:.2f} tournaments a second."
    )


def _articles(found: CrossFindings) -> str:
    figures = found.figures
    order = sorted(found.examples, key=lambda article: (-figures[ARTICLE + article], article))
    lines = []
    for article in order:
        example = found.examples[article]
        proved = ", ".join(f"{figures[f'{ARTICLE}{article}, {kind}']:,}" for kind in (WHOLE, STEP, NOT))
        where = f"{example.players} players, seed {example.seed}, round {example.round}"
        lines.append(
            f"| {article} | {figures[ARTICLE + article]:,} | {proved} | {where}: {example.sentence} |"
        )
    return "\n".join(lines)


# The run.


PARTS = ("systems/dubov/pairing", "matching")


@dataclass(slots=True)
class CrossTestState:
    """The progress. engine: a digest of PARTS, its sources. peer: the other program. chunks: those done."""

    engine: str
    peer: str
    chunks: list[int] = field(default_factory=list)
    found: CrossFindings = field(default_factory=CrossFindings)


def main() -> int:
    options = _arguments()
    if options.example:
        sys.stdout.buffer.write(report_file(tournament_of(*options.example)))
        return 0
    state = load(options.state, str(options.peer or PACKAGE))
    wanted = sorted(set(range(-(-options.tournaments // CHUNK))) - set(state.chunks))
    if wanted:
        python = options.peer or _installed(options.state.with_suffix("") / "peer")
        with ProcessPoolExecutor(options.workers) as workers:
            found = workers.map(partial(compare_chunk, python=python), wanted)
            for number, part in zip(wanted, found, strict=True):
                state.chunks.append(number)
                state.found.add(part)
                save(state, options.state)
                _progress(state)
    text = report(state.found)
    print(text)
    for fault in state.found.faults:
        print(fault, file=sys.stderr)
    if options.write:
        put_into(options.write, text, BEGIN, END)
    return 1 if state.found.faults else 0


def load(path: Path, peer: str = PACKAGE) -> CrossTestState:
    """Return the state that is kept, or a new one. Refuses one of another engine or peer."""
    new = CrossTestState(engine_digest(*PARTS), peer)
    if not path.exists():
        return new
    kept = json.loads(path.read_text("utf-8"))
    if (kept["engine"], kept["peer"]) != (new.engine, new.peer):
        sys.exit(f"{path}: the engine or the other program has changed since; delete the file to start again")
    found = kept["found"]
    examples = {article: Example(**example) for article, example in found["examples"].items()}
    new.found = CrossFindings(Counter(found["figures"]), examples, found["faults"], found["seconds"])
    new.chunks = kept["chunks"]
    return new


def save(state: CrossTestState, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    found = state.found
    examples = {article: asdict(example) for article, example in found.examples.items()}
    kept = {
        "engine": state.engine,
        "peer": state.peer,
        "chunks": state.chunks,
        "found": {
            "figures": dict(found.figures),
            "examples": examples,
            "faults": found.faults,
            "seconds": found.seconds,
        },
    }
    draft.write_text(json.dumps(kept), "utf-8")
    draft.replace(path)


def _installed(directory: Path) -> Path:
    python = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    done = directory / PACKAGE
    if not done.exists():
        python = install(directory)
        done.touch()
    return python


def _progress(state: CrossTestState) -> None:
    figures, seconds = state.found.figures, state.found.seconds
    print(
        f"{figures['tournaments']} tournaments, {figures['rounds']} rounds, {figures['differing']} differ, "
        f"{len(state.found.faults)} faults of ours, {figures['tournaments'] / seconds:.2f} tournaments a second of "
        "processor time",
        file=sys.stderr,
        flush=True,
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cross",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tournaments", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=1, help="processes")
    parser.add_argument(
        "--state", type=Path, default=ROOT / "var/cross.json", help="the file that keeps the progress"
    )
    parser.add_argument("--peer", type=Path, help="a Python that has py4swiss, instead of the one from PyPI")
    parser.add_argument("--write", type=Path, help="a page with the marks between which the figures go")
    parser.add_argument("--example", type=int, nargs=2, metavar=("SEED", "ROUND"), help="print a report file")
    options = parser.parse_args()
    if options.write and (not options.write.is_file() or BEGIN not in options.write.read_text("utf-8")):
        parser.error(f"{options.write} has no place for the figures: the line {BEGIN} is missing")
    return options


if __name__ == "__main__":
    sys.exit(main())
