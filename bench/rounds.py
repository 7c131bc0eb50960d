"""Measure how long a round takes: in ordinary fields of growing size, and in fields that are made hard to pair.

    python -m bench.rounds [--system dutch] [--players 300] [--sizes 50 100 ...] [--seed 1] [--memory]
        [--bbp bbpPairings]

Each field is played with random results, and the processor time of each round is taken. Ratios compare the slowest
round of a field with that of the ordinary field of the same size in the same run, so they are valid on any machine.
--memory: the most memory that a round takes beyond its input, instead of its time.
--bbp: a program built from the source of bbpPairings. It and we pair the last round of each ordinary field from one
report file; nothing else is measured.
"""

from __future__ import annotations

import argparse
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import combinations
from os import times
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory
from time import process_time

from bench.cross.dutch import ask_bbp
from bench.peers.histories import report_file
from evenboard_engine import (
    Bye,
    ByeKind,
    Colour,
    Game,
    NoLegalPairing,
    Player,
    Result,
    RoundPairing,
    Tournament,
    pair_round,
)
from evenboard_engine.systems.registry import DEFAULT_SYSTEM, SYSTEMS
from evenboard_engine.trf import read_report, to_tournament

Scorer = Callable[[Random, int, int, int], Result]
Field = tuple[str, frozenset[tuple[int, int]], Scorer, int]


def by_strength(rng: Random, white: int, black: int, size: int) -> Result:
    if rng.random() < 0.3:
        return Result.DRAW
    return Result.WHITE_WINS if rng.random() < 0.5 + (black - white) / size / 2 else Result.BLACK_WINS


def white_wins(_rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.WHITE_WINS


def all_draw(_rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.DRAW


def nearly_all_forfeit(rng: Random, _white: int, _black: int, _size: int) -> Result:
    return Result.WHITE_WINS_BY_FORFEIT if rng.random() < 0.9 else Result.DRAW


ORDINARY: Field = ("ordinary", frozenset(), by_strength, 9)


def fields(size: int, rng: Random) -> Iterator[Field]:
    everyone = range(1, size + 1)
    pairs = list(combinations(everyone, 2))
    yield ORDINARY
    yield "ordinary, 15 rounds", frozenset(), by_strength, 15
    yield "White always wins", frozenset(), white_wins, 15
    yield "all draw", frozenset(), all_draw, 15
    yield "nearly all forfeit", frozenset(), nearly_all_forfeit, 12
    yield (
        "no pairs between the halves",
        frozenset((a, b) for a, b in pairs if a <= size // 2 < b),
        by_strength,
        12,
    )
    yield "no pairs between odd and even", frozenset((a, b) for a, b in pairs if (a + b) % 2), by_strength, 12
    yield (
        "no pairs within the last 5 %",
        frozenset((a, b) for a, b in pairs if a > size * 0.95),
        by_strength,
        12,
    )
    yield (
        "no pairs within the last third",
        frozenset((a, b) for a, b in pairs if a > size * 2 / 3),
        by_strength,
        12,
    )
    yield (
        "no pairs within the last 45 %",
        frozenset((a, b) for a, b in pairs if a > size * 0.55),
        by_strength,
        12,
    )
    yield (
        "no pairs within the first 45 %",
        frozenset((a, b) for a, b in pairs if b <= size * 0.45),
        by_strength,
        12,
    )
    yield "90 % of the pairs forbidden", frozenset(p for p in pairs if rng.random() < 0.9), by_strength, 12
    yield (
        "twenty possible opponents each, at random",
        frozenset(p for p in pairs if rng.random() < 1 - 20 / size),
        by_strength,
        9,
    )
    yield (
        "only pairs far apart in the ranking",
        frozenset((a, b) for a, b in pairs if b - a < 0.495 * size),
        by_strength,
        9,
    )
    clubs = [rng.randrange(20) for _ in range(size + 1)]
    yield (
        "twenty clubs, few pairs between them",
        frozenset((a, b) for a, b in pairs if rng.random() < (0.5 if clubs[a] == clubs[b] else 0.95)),
        by_strength,
        9,
    )
    yield (
        "groups of nine, all draw",
        frozenset((a, b) for a, b in pairs if a // 9 != b // 9 and rng.random() < 1 - 4 / size),
        all_draw,
        6,
    )
    yield HALF_ABSENT, frozenset(), by_strength, 12


HALF_ABSENT = "half of the players absent"
NEARLY_ALL_MET = "nearly everybody has met"
LONGEST = 299
"""Rounds in which nearly everybody has met; larger fields have played as many."""


Pair = Callable[[Tournament], RoundPairing]


def play(size: int, field: Field, seed: int, system: str, pair: Pair) -> None:
    """Play the rounds of a field, as long as they can be paired."""
    name, forbidden, score, rounds = field
    rng = Random(seed)
    given = Tournament(
        rounds=rounds,
        round=1,
        players=tuple(Player(i, i, max(1000, 2600 - 5 * i)) for i in range(1, size + 1)),
        forbidden=forbidden,
        initial_colour=Colour.WHITE,
        system=system,
    )
    for number in range(1, rounds + 1):
        away = {one for one in range(1, size + 1) if name == HALF_ABSENT and rng.random() < 0.5}
        given = replace(given, round=number, absent=frozenset(away))
        pairing = pair(given)
        games = tuple(
            Game(number, pair.white, pair.black, score(rng, pair.white, pair.black, size))
            for pair in pairing.pairs
        )
        byes = () if pairing.bye is None else (Bye(number, pairing.bye, ByeKind.ALLOCATED),)
        given = replace(given, games=given.games + games, byes=given.byes + byes)


def nearly_all_met(size: int, seed: int, system: str) -> Tournament:
    """Return the round before the last of an event in which, until then, everybody met the others in turn."""
    rng = Random(seed)
    circle = rng.sample(range(2, size + 1), size - 1)
    rounds = min(size - 2 - size // 20, LONGEST)
    games: list[Game] = []
    whites = [0] * (size + 1)
    for number in range(1, rounds):
        turned = [1, *circle[number:], *circle[:number]]
        for one, other in zip(turned[: size // 2], reversed(turned), strict=False):
            white, black = (one, other) if whites[one] < whites[other] else (other, one)
            whites[white] += 1
            games.append(Game(number, white, black, by_strength(rng, white, black, size)))
    return Tournament(
        rounds=rounds + 1,
        round=rounds,
        players=tuple(Player(i, i, max(1000, 2600 - 5 * i)) for i in range(1, size + 1)),
        games=tuple(games),
        initial_colour=Colour.WHITE,
        system=system,
    )


def measured(given: Callable[[Pair], object], *, memory: bool) -> list[float]:
    """Return the seconds of each round that can be paired, or with `memory` the kilobytes. given: pairs its rounds."""
    found = []

    def pair(tournament: Tournament) -> RoundPairing:
        if memory:
            tracemalloc.start()
        start = process_time()
        try:
            pairing = pair_round(tournament)
            found.append(tracemalloc.get_traced_memory()[1] / 1024 if memory else process_time() - start)
        finally:
            tracemalloc.stop()
        return pairing

    with suppress(NoLegalPairing):
        given(pair)
    return found


def beside(program: Path, size: int, seed: int) -> None:
    """Print how long another program and we take for the last round of an ordinary field, from the same report file."""
    rounds: list[Tournament] = []

    def pair(tournament: Tournament) -> RoundPairing:
        rounds.append(tournament)
        return pair_round(tournament)

    play(size, ORDINARY, seed, "dutch", pair)
    with TemporaryDirectory() as name:
        file = Path(name, "round.trf")
        file.write_bytes(report_file(rounds[-1]))
        begin = times()
        theirs = ask_bbp(program, rounds[-1], file)
        end = times()
        whole = process_time()
        given = to_tournament(read_report(file.read_bytes()))
        alone = process_time()
        ours = pair_round(given)
        done = process_time()
    taken = end.children_user + end.children_system - begin.children_user - begin.children_system
    same = theirs == (frozenset((one.white, one.black) for one in ours.pairs), ours.bye)
    print(
        f"{size:>6} players, round {given.round}: it {taken:.3f} s, we {done - whole:.4f} s (pairing alone "
        f"{done - alone:.4f} s), ratio {taken / (done - whole):,.1f} ({taken / (done - alone):,.1f}), "
        f"{'the same pairs' if same else 'OTHER PAIRS'}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--system", choices=list(SYSTEMS), default=DEFAULT_SYSTEM)
    parser.add_argument("--players", type=int, default=300, help="in the hard fields; 0: leave them out")
    parser.add_argument("--sizes", type=int, nargs="*", default=(50, 100, 200, 400, 800, 1600))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--bbp", type=Path, help="the program bbpPairings, to pair beside us")
    options = parser.parse_args()
    if options.bbp:
        for size in options.sizes:
            beside(options.bbp, size, options.seed)
        return
    unit, scale = ("KB", 1.0) if options.memory else ("ms", 1000.0)

    def of_field(size: int, field: Field) -> list[float]:
        return measured(
            lambda pair: play(size, field, options.seed, options.system, pair), memory=options.memory
        )

    def show(name: object, taken: list[float], base: float) -> None:
        slowest, middle, last = (scale * one for one in (max(taken), median(taken), taken[-1]))
        print(
            f"{name!s:>42} {slowest:>11.1f} {unit} {middle:>9.1f} {last:>9.1f} {slowest / scale / base:>8.1f} "
            f"{len(taken):>6}",
            flush=True,
        )

    of_field(8, ORDINARY)  # what is loaded once
    print(f"{'players':>42} {'slowest round':>14} {'median':>9} {'last':>9} {'ratio':>8} rounds")
    base = None
    for size in options.sizes:
        taken = of_field(size, ORDINARY)
        base = base or max(taken)
        show(size, taken, base)
    if not options.players:
        return
    size = options.players
    print(f"{'field of ' + str(size):>42}")
    base = None
    for field in fields(size, Random(options.seed)):
        taken = of_field(size, field)
        base = base or max(taken, default=1.0)
        show(field[0], taken or [0.0], base)
    assert base is not None
    late = nearly_all_met(size - size % 2, options.seed, options.system)
    taken = measured(lambda pair: pair(late), memory=options.memory)
    show(NEARLY_ALL_MET, taken or [0.0], base)


if __name__ == "__main__":
    main()
