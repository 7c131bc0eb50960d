"""How long the preview of hostile report files takes: `python -m bench.hostile_files [NAME ...]`.

Each file has about 2 MB, the most that a section takes. It repeats what costs most: lists of forbidden pairs, comments
that change results or numbers, header lines, many players. Prints seconds for reading, and for the whole preview.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date

RANKS = range(1, 202)
EVERYBODY = " ".join(f"{rank:04}" for rank in RANKS)
BYTES = 2_000_000
HEAD = ("012 Open", "042 2026/02/01", "142 11", "152 W")


def player(rank: int, entries: str = "") -> str:
    start = f"001{rank:5} m    {f'Player {rank}':33} {2600 - rank % 1_000:4} AUT"
    return f"{start:79}{'':5}{rank:5}{entries}"


def field(players: int, rounds: int) -> list[str]:
    """Return the lines of a field whose games follow the tables of a round robin."""
    ranks = list(range(1, players + players % 2 + 1))
    entries: dict[int, str] = dict.fromkeys(ranks, "")
    for number in range(rounds):
        turn = number % (len(ranks) - 1)
        order = [ranks[0], *ranks[1:][turn:], *ranks[1:][:turn]]
        for place in range(len(order) // 2):
            white, black = order[place], order[-1 - place]
            result = ("10", "01", "==")[(place * 7 + number * 3) % 3]
            for rank, opponent, colour, symbol in (
                (white, black, "w", result[0]),
                (black, white, "b", result[1]),
            ):
                game = f" {opponent:5} {colour} {symbol}"
                entries[rank] += game if opponent <= players else "  0000 - U"
    return [player(rank, entries[rank]) for rank in ranks if rank <= players]


def filled(line: str, rounds: int = 5) -> list[str]:
    lines = [*HEAD, *field(201, rounds)]
    room = BYTES - sum(len(one) + 1 for one in lines)
    return [*lines, *[line] * min(95_000, room // (len(line) + 1))]


FILES: dict[str, Callable[[], list[str]]] = {
    "no hostile line": lambda: [*HEAD, *field(201, 9)],
    "4,700 lines of 260, all players": lambda: [*HEAD, *field(201, 5), *[f"260 001 011 {EVERYBODY}"] * 4_700],
    "XXP, all players": lambda: filled(f"XXP {EVERYBODY}"),
    "240, all players": lambda: filled(f"240 H 007 {EVERYBODY}"),
    "250, all players": lambda: filled("250 1.0 009 009 0001 0201"),
    "tournament ratings": lambda: filled("### Tournament ratings: 1=2000"),
    "renumbering": lambda: filled("### Regeneration @ Round 3: 32=>31 31=>32"),
    "earlier results": lambda: filled("### Earlier result @ Round 1: 1-202: adj until round 2"),
    "plain comments": lambda: filled("### x"),
    "start dates": lambda: filled("042 2026/02/01"),
    "national records": lambda: filled("NAT 1"),
    "30 rounds": lambda: [*HEAD[:2], "142 30", "152 W", *field(201, 30)],
    "199 rounds": lambda: [*HEAD[:2], "142 199", "152 W", *field(201, 199)],
    "9,999 players, 5 rounds": lambda: [*HEAD, *field(9_999, 5)],
}


def main(names: list[str]) -> int:
    """Measure the files with these names, by default all."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with tempfile.TemporaryDirectory() as var_dir:
        os.environ["VAR_DIR"] = var_dir
        import django

        django.setup()
        from evenboard_engine.trf import TrfErrors, read_report
        from tournaments.imports.report_trf import ReportRefused
        from tournaments.models import Event
        from web.report_facts import report_facts

        event = Event(name="Open", slug="open", start=date(2026, 2, 1), end=date(2026, 2, 9), time_zone="UTC")
        for name in names or FILES:
            data = "\n".join(FILES[name]()).encode()
            began = time.perf_counter()
            reading, outcome = 0.0, "shown"
            try:
                report = read_report(data)
                reading = time.perf_counter() - began
                report_facts(report, event)
            except (TrfErrors, ReportRefused) as refused:
                outcome = f"refused: {refused.errors[0].code}"
            took = time.perf_counter() - began
            print(f"{name:34}{len(data) / 1e6:5.1f} MB{reading:7.2f} s{took:7.2f} s  {outcome}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
