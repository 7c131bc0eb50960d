"""Compare the engine with another program (a peer) on the same files, in one run.

    python -m bench.peers [--sizes 50 1000 9998] [--time-limit 100] [--write docs/performance.md]

Prints the page docs/performance.md: ratios, times, memory, growth, and the article that the peer breaks in each answer
that differs from ours. --write also draws the chart, in the same directory. The peer (py4swiss) is installed from PyPI
into an environment that is deleted after the run. Exits 1 if an answer of ours breaks the text of the handbook.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

from .chart import chart
from .report import page, series
from .session import LARGEST_FILE, RunPlan, run

SIZES = (50, 100, 200, 500, 1000, 2000, 5000, 9998)
SMALLEST = 20
HALL = "\n## A full hall\n"
CHART_TITLE = "Time to pair round 9 of 9"


def main() -> int:
    """Measure and compare as the arguments say, and return the exit code."""
    options = _arguments()
    plan = RunPlan(
        sizes=tuple(options.sizes),
        beyond=options.beyond,
        small=options.small,
        hard=options.hard,
        hard_large=options.hard_large,
        limit=options.time_limit,
        runs=options.runs,
        seed=options.seed,
        with_peer=not options.without_peer,
    )
    figures = run(plan)
    picture = options.write.with_suffix(".svg") if options.write else Path("performance.svg")
    text = page(figures, picture.name, shlex.join(("python", "-m", "bench.peers", *sys.argv[1:])))
    print(text)
    if options.write:
        options.write.write_text(text + kept(options.write), encoding="utf-8")
        picture.write_text(chart(CHART_TITLE, series(figures)), encoding="utf-8")
    for departure in figures.our_faults:
        print(f"our answer departs from {departure.article}: {departure.sentence}", file=sys.stderr)
    return 1 if figures.our_faults else 0


def kept(file: Path) -> str:
    """Return the part of the page that another measurement has written (bench/hall.py); nothing if there is none."""
    _ours, heading, theirs = (file.read_text(encoding="utf-8") if file.exists() else "").partition(HALL)
    return heading + theirs


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.peers",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--sizes",
        type=_size,
        nargs="+",
        default=SIZES,
        help=f"sizes of the fields, {SMALLEST} to {LARGEST_FILE}",
    )
    parser.add_argument(
        "--beyond", type=int, default=100_000, help="size of one field without a file; 0 for none"
    )
    parser.add_argument("--small", type=int, default=150, help="number of small tournaments to compare")
    parser.add_argument("--hard", type=int, default=300, help="size of the hard fields; 0 for none")
    parser.add_argument("--hard-large", type=int, default=2000, help="a second size of them; 0 for none")
    parser.add_argument("--time-limit", type=float, default=100.0, help="seconds of the peer for each file")
    parser.add_argument("--runs", type=int, default=7, help="how often we pair each file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--without-peer", action="store_true", help="measure only our engine")
    parser.add_argument(
        "--write", type=Path, metavar="PAGE", help="write the page to this file, the chart beside it"
    )
    return parser.parse_args()


def _size(text: str) -> int:
    size = int(text)
    if not SMALLEST <= size <= LARGEST_FILE:
        raise argparse.ArgumentTypeError(
            f"nine rounds need {SMALLEST} players, and a report file holds {LARGEST_FILE}"
        )
    return size


if __name__ == "__main__":
    sys.exit(main())
