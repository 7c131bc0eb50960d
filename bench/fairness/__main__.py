"""Compare the Dubov System with two other pairings on random opens: how fair is the outcome?

    nice -n 15 python -m bench.fairness --minutes 21 [--opens 20000] [--data opens.jsonl] [--write docs/fairness.md]

Plays the opens of the seeds 1, 2, ... until the time is over, and keeps each in the data file. A later run with the
same file goes on from there; with --minutes 0 it plays none. Prints the page docs/fairness.md. --write writes the page
and two pictures beside it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from bench.peers.session import show_progress

from .play import go_on, played_before
from .report import page, pictures

NAMES = ("fairness-opposition.svg", "fairness-order.svg")


def main() -> int:
    """Play, print the page, and return the exit code."""
    options = _arguments()
    for row in go_on(options.data, options.opens, options.minutes):
        show_progress(f"open {row['seed']}")
    show_progress("")
    rows = played_before(options.data)
    if sum("systems" in row for row in rows) < options.least:
        print(f"fewer than {options.least} opens: play longer", file=sys.stderr)
        return 1
    text = page(
        rows, f"python -m bench.fairness --opens {len(rows)} --minutes 60 --write docs/fairness.md", NAMES
    )
    print(text)
    if options.write:
        options.write.write_text(text, encoding="utf-8")
        for name, picture in zip(NAMES, pictures(rows), strict=True):
            (options.write.parent / name).write_text(picture, encoding="utf-8")
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.fairness",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--opens", type=int, default=20_000, help="play at most this many")
    parser.add_argument("--minutes", type=float, default=21.0, help="begin no open after this many minutes")
    parser.add_argument("--least", type=int, default=200, help="opens that a page needs")
    parser.add_argument("--data", type=Path, default=Path("opens.jsonl"), help="the file of the opens")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="write the page to this file")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
