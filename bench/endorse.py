"""Run the endorsement protocol: random tournaments, with every round checked in more than one way.

    python -m bench.endorse [--tournaments 50000] [--workers 2] [--state FILE] [--report docs/endorsement.md]

docs/endorsement.md says what is checked and what this proves. The run can be stopped at any time and continues where it
stopped. A state file from before a change of the engine is refused. Exits 1 if there is any discrepancy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import sys
import time
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

from bench.endorse_tournament import check_tournament

ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "evenboard_engine"
CHUNK = 20
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
SHOWN = 20


@dataclass
class State:
    """The progress of a run. engine: a digest of its sources. chunks: numbers of the chunks done, CHUNK seeds each."""

    engine: str
    chunks: list[int] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    discrepancies: list[str] = field(default_factory=list)
    seconds: float = 0.0


def main() -> int:
    options = _arguments()
    state = _load(options.state)
    started, before = time.monotonic(), state.seconds
    wanted = set(range(-(-options.tournaments // CHUNK))) - set(state.chunks)
    with ProcessPoolExecutor(options.workers) as workers:
        waiting: set[Future[tuple[int, Counter[str], list[str]]]] = set()
        left = iter(sorted(wanted))
        while wanted:  # chunks still to be done
            for number in islice(left, 2 * options.workers - len(waiting)):
                waiting.add(workers.submit(_chunk, number))
            finished, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for future in finished:
                number, figures, discrepancies = future.result()
                wanted.discard(number)
                state.chunks.append(number)
                state.figures.update(figures)
                state.discrepancies += discrepancies
            state.seconds = before + time.monotonic() - started
            _save(state, options.state)
            _progress(state, len(wanted), before)
    print(file=sys.stderr)
    text = _report(state)
    print(text)
    for discrepancy in state.discrepancies[:SHOWN]:
        print(discrepancy)
    if options.report:
        put_into(options.report, text)
    return 1 if state.discrepancies else 0


def _chunk(number: int) -> tuple[int, Counter[str], list[str]]:
    figures: Counter[str] = Counter()
    discrepancies: list[str] = []
    for seed in range(number * CHUNK, (number + 1) * CHUNK):
        figures.update(check_tournament(seed, discrepancies))
    return number, figures, discrepancies


def _load(path: Path) -> State:
    engine = engine_digest()
    if not path.exists():
        return State(engine)
    kept = json.loads(path.read_text("utf-8"))
    state = State(**{**kept, "figures": Counter(kept["figures"])})
    if state.engine != engine:
        sys.exit(f"{path}: the engine has changed since; delete the file to start again")
    return state


def _save(state: State, path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(f".{os.getpid()}.tmp")
    draft.write_text(json.dumps({**vars(state), "figures": dict(state.figures)}), "utf-8")
    draft.replace(path)


def engine_digest(*parts: str) -> str:
    """Return a digest of the engine's sources. parts: directories in the engine; all if there are none."""
    digest = hashlib.sha256()
    for path in sorted(path for part in parts or ("",) for path in (ENGINE / part).rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def _progress(state: State, left: int, before: float) -> None:
    done = len(state.chunks)
    share = done / (done + left)
    pace = (state.seconds - before) / max(1, done)
    line = (
        f"[{'#' * round(30 * share):.<30}] {done * CHUNK} tournaments, {len(state.discrepancies)} discrepancies, "
        f"{pace * left / 60:.0f} min left"
    )
    if sys.stderr.isatty():
        print(f"\r{line:<100}", end="", file=sys.stderr, flush=True)
    elif done % 25 == 0:
        print(line, file=sys.stderr, flush=True)


def _report(state: State) -> str:
    figures = state.figures
    minutes = state.seconds / 60
    rows = [
        ("tournaments", figures["tournaments"]),
        (
            "tournaments that ended early, because a round had no legal pairing or nobody was left",
            figures["ended early"],
        ),
        ("players", figures["players"]),
        (
            "players in the largest field",
            max((int(k.split()[1]) for k in figures if k.startswith("size ")), default=0),
        ),
        ("rounds paired", figures["rounds"]),
        ("rounds without a legal pairing, by both methods", figures["rounds without a legal pairing"]),
        ("pairs", figures["pairs"]),
        *((name, figures[name]) for name in KINDS),
        ("rounds also paired by the brute force (up to 14 players)", figures["rounds by brute force"]),
        ("rounds also paired by the exact method only (more players)", figures["rounds by the exact way"]),
        ("rounds compared with the invariants", figures["rounds by invariants"]),
        ("rounds read back from a file and checked by the checker", figures["rounds by the checker"]),
        *_tables(figures),
        ("**discrepancies**", len(state.discrepancies)),
    ]
    table = "\n".join(f"| {name} | {value:,} |" for name, value in rows)
    return f"| | |\n|---|---:|\n{table}\n\nTime: {minutes:.0f} minutes."


def _tables(figures: Counter[str]) -> list[tuple[str, int]]:
    name = "tables by the checker"
    return (
        [("standings compared with their tie-breaks by the checker", figures[name])] if figures[name] else []
    )


KINDS = (
    "games played",
    "games with an unusual result",
    "forfeits by one side",
    "forfeits by both",
    "pairing-allocated byes",
    "half-point byes",
    "full-point byes",
    "zero-point byes",
    "rounds missed by players who came late or left",
    "forbidden pairs",
    "tournaments with Baku Acceleration",
)


def put_into(path: Path, text: str, begin: str = BEGIN, end: str = END) -> None:
    """Put the text between two lines of a page."""
    document = path.read_text("utf-8")
    head, _, rest = document.partition(begin)
    _, _, tail = rest.partition(end)
    path.write_text(f"{head}{begin}\n\n{text}\n\n{end}{tail}", "utf-8")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Check random tournaments in more than one way (docs/endorsement.md)."
    )
    parser.add_argument("--tournaments", type=int, default=50_000)
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument(
        "--state", type=Path, default=ROOT / "var/endorse.json", help="the file that keeps the progress"
    )
    parser.add_argument("--report", type=Path, help="a page with the marks between which the figures go")
    options = parser.parse_args()
    if options.report and (not options.report.is_file() or BEGIN not in options.report.read_text("utf-8")):
        parser.error(f"{options.report} has no place for the figures: the line {BEGIN} is missing")
    return options


if __name__ == "__main__":
    sys.exit(main())
