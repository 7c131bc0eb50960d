"""Fuzz everything that reads a report file: valid files are damaged as programs and people damage them.

    python -m bench.fuzz_trf [--seconds 120] [--seed 1]

For every file, the reader must return a report or raise `TrfErrors`; the engine must return a round or raise
`NoLegalPairing` or `InvalidTournament`; the checkers of rounds and standings must return differences or raise one of
these. Nothing may take long. If a file does something else, prints the file and exits 1.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random

from evenboard_engine import InvalidTournament, NoLegalPairing, pair_round
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.trf import TrfErrors, read_report, to_tournament, write_report
from evenboard_engine.trf.file_warnings import file_warnings
from evenboard_engine.words.report_problems import sentence

SLOW = 5.0
CHARACTERS = "0123456789 wb-+=HFUZ?WDL\t.#/\r\nXRZPSCABé٣\u2028\x00"

Lines = list[str]


def change_character(rng: Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    if lines[at]:
        place = rng.randrange(len(lines[at]))
        lines[at] = lines[at][:place] + rng.choice(CHARACTERS) + lines[at][place + 1 :]


def shift_line(rng: Random, lines: Lines) -> None:
    at = rng.randrange(len(lines))
    place = rng.randrange(len(lines[at]) + 1)
    lines[at] = lines[at][:place] + rng.choice(("", " ", "  ", "0")) + lines[at][place + rng.randrange(3) :]


def change_entry(rng: Random, lines: Lines) -> None:
    """Change opponent, colour or result in one round of one player."""
    at = rng.randrange(len(lines))
    rounds = (len(lines[at]) - 89) // 10
    if lines[at].startswith("001") and rounds > 0:
        start = 91 + 10 * rng.randrange(rounds)
        entry = f"{rng.randrange(40):4} {rng.choice('wb- ')} {rng.choice('10=+-HFUZWDL ')}"
        lines[at] = lines[at][:start] + entry + lines[at][start + 8 :]


def swap_entries(rng: Random, lines: Lines) -> None:
    """Exchange all rounds of two players."""
    one, other = rng.randrange(len(lines)), rng.randrange(len(lines))
    lines[one], lines[other] = lines[one][:91] + lines[other][91:], lines[other][:91] + lines[one][91:]


def drop_line(rng: Random, lines: Lines) -> None:
    if len(lines) > 1:
        del lines[rng.randrange(len(lines))]


def repeat_line(rng: Random, lines: Lines) -> None:
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))


def move_line(rng: Random, lines: Lines) -> None:
    lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))


def cut_file(rng: Random, lines: Lines) -> None:
    del lines[rng.randrange(1, len(lines) + 1) :]


def clear_points(_rng: Random, lines: Lines) -> None:
    """Remove points and ranks, so that wrong games are not found by their sum."""
    lines[:] = [line[:80] + " " * 9 + line[89:] if line.startswith("001") else line for line in lines]


def add_record(rng: Random, lines: Lines) -> None:
    numbers = " ".join(str(rng.randrange(30)) for _ in range(rng.randrange(6)))
    code = rng.choice(
        (
            "XXR",
            "142",
            "152",
            "XXC",
            "XXZ",
            "XXP",
            "XXS",
            "162",
            "240 H",
            "240 Z",
            "250",
            "260",
            "299",
            "XXA",
            "192",
        )
    )
    lines.insert(rng.randrange(len(lines) + 1), f"{code} {numbers}")


def erase_round(rng: Random, lines: Lines) -> None:
    start = 89 + 10 * rng.randrange(6)
    lines[:] = [
        line[:start] + " " * 10 + line[start + 10 :] if line.startswith("001") else line for line in lines
    ]


def exchange_opponents(rng: Random, lines: Lines) -> None:
    """Exchange the opponents of two games in the rows of all four players, so that the file stays consistent."""
    clear_points(rng, lines)
    start = 91 + 10 * rng.randrange(6)
    where = {line[4:8].strip(): at for at, line in enumerate(lines) if line.startswith("001")}
    whites = [at for at in where.values() if lines[at][start + 5 : start + 6] == "w"]
    if len(whites) < 2:
        return
    one, other = rng.sample(whites, 2)
    for white in (one, other):
        black = where.get(lines[white][start : start + 4].strip())
        if black is None:
            return
        rival = other if white == one else one
        lines[black] = lines[black][:start] + lines[rival][4:8] + lines[black][start + 4 :]
    mine, theirs = lines[one][start : start + 4], lines[other][start : start + 4]
    for white, opponent in ((one, theirs), (other, mine)):
        lines[white] = lines[white][:start] + opponent + " w =" + lines[white][start + 8 :]
        black = where[opponent.strip()]
        lines[black] = lines[black][: start + 4] + " b =" + lines[black][start + 8 :]


def forget_last_rounds(rng: Random, lines: Lines) -> None:
    end = 89 + 10 * rng.randrange(6)
    clear_points(rng, lines)
    lines[:] = [line[:end] if line.startswith("001") else line for line in lines]


DAMAGES: tuple[Callable[[Random, Lines], None], ...] = (
    change_character,
    shift_line,
    change_entry,
    change_entry,
    swap_entries,
    drop_line,
    repeat_line,
    move_line,
    cut_file,
    clear_points,
    add_record,
    erase_round,
    exchange_opponents,
    exchange_opponents,
    forget_last_rounds,
    forget_last_rounds,
)


def outcome(data: bytes) -> str:
    """Return what happens to a file; anything except the known answers is raised."""
    try:
        report = read_report(data)
        assert read_report(write_report(report)) == report
        assert all(sentence(doubt) for doubt in file_warnings(report))
    except TrfErrors as errors:
        _write_sentences(errors)
        return "refused by the reader"
    answer = "read"
    try:
        answer = _paired(data)
    except TrfErrors as errors:
        _write_sentences(errors)
        answer = "not a tournament that can be paired"
    try:
        answer += (
            ", checked"
            if not any(one.differences for one in check_rounds(report, unrated=1500))
            else ", differs"
        )
    except (TrfErrors, InvalidTournament):
        answer += ", cannot be checked"
    with suppress(TrfErrors):
        check_standings(report, unrated=1500)
    return answer


def _write_sentences(errors: TrfErrors) -> None:
    """Check that there is a message for every error."""
    assert all(sentence(error) for error in errors.errors)


def _paired(data: bytes) -> str:
    try:
        pair_round(to_tournament(read_report(data), unrated=1500))
    except NoLegalPairing:
        return "no legal pairing"
    except InvalidTournament:
        return "a contradiction"
    return "paired"


def main() -> int:
    options = _arguments()
    rng = Random(options.seed)
    counts: Counter[str] = Counter()
    slowest = 0.0
    begun = time.monotonic()
    while time.monotonic() - begun < options.seconds:
        settings = GeneratorSettings(
            players=rng.randint(2, 30), rounds=rng.randint(1, 7), half_byes=10, forfeits=8, late=8
        )
        whole = write_report(generate(f"fuzz-{rng.random()}", settings).report, newline="\n").decode()
        for _ in range(40):
            lines = whole.splitlines()
            for _ in range(rng.choice((0, 1, 1, 2, 4))):
                rng.choice(DAMAGES)(rng, lines)
                lines = lines or [""]
            data = "\n".join(lines).encode()
            started = time.process_time()
            try:
                counts[outcome(data)] += 1
            except Exception as error:  # noqa: BLE001 (any other error is what the fuzzer looks for)
                sys.stdout.buffer.write(data)
                print(f"\n{type(error).__name__}: {error}")
                return 1
            slowest = max(slowest, time.process_time() - started)
    for answer, count in counts.most_common():
        print(f"{count:8,}  {answer}")
    print(f"{sum(counts.values()):8,}  files in {options.seconds} s, the slowest in {slowest:.2f} s")
    return int(slowest > SLOW)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Fuzz the reader of report files.")
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
