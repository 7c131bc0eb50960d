"""What the explanation of a round costs: a traced round beside an untraced one, in processor time.

python -m bench.trace [--players 1000] [--seed 1]
"""

from __future__ import annotations

import argparse
from random import Random
from time import process_time

from bench.rounds import by_strength, fields
from pairing.engine import Bye, ByeKind, Colour, Game, NoLegalPairing, Player, Tournament, pair_round

REPEATS = 5


def seconds(tournament: Tournament, *, trace: bool) -> float:
    """The best of a few."""
    best = float("inf")
    for _ in range(REPEATS):
        start = process_time()
        pair_round(tournament, trace=trace)
        best = min(best, process_time() - start)
    return best


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--players", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hard", action="store_true", help="also the hardest fields that we could think of")
    options = parser.parse_args()
    size = options.players
    print(f"{'field of ' + str(size):>36} {'round':>5} {'untraced':>11} {'traced':>11} {'ratio':>6}")
    for name, forbidden, score, rounds in fields(size, Random(options.seed)):
        rng = Random(options.seed)
        players = tuple(Player(i, i, max(1000, 2600 - 1600 * i // size)) for i in range(1, size + 1))
        games: list[Game] = []
        byes: list[Bye] = []
        total = [0.0, 0.0]
        for number in range(1, rounds + 1):
            tournament = Tournament(
                rounds=rounds,
                round=number,
                players=players,
                games=tuple(games),
                byes=tuple(byes),
                forbidden=forbidden,
                initial_colour=Colour.WHITE,
            )
            try:
                plain = seconds(tournament, trace=False)
            except NoLegalPairing:
                break
            traced = seconds(tournament, trace=True)
            total[0] += plain
            total[1] += traced
            if score is by_strength and not forbidden:
                print(f"{name:>36} {number:>5} {_line(plain, traced)}")
            pairing = pair_round(tournament)
            games += [
                Game(number, p.white, p.black, score(rng, p.white, p.black, size)) for p in pairing.pairs
            ]
            if pairing.bye is not None:
                byes.append(Bye(number, pairing.bye, ByeKind.ALLOCATED))
        print(f"{name:>36} {'all':>5} {_line(*total)}")
        if not options.hard:
            break


def _line(plain: float, traced: float) -> str:
    return f"{plain * 1000:>8.1f} ms {traced * 1000:>8.1f} ms {traced / plain:>6.2f}"


if __name__ == "__main__":
    main()
