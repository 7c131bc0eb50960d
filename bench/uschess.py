"""US Chess pairing: compare the engine with plain enumeration, and measure large fields.

    python -m bench.uschess compare --rounds 50000 [--state FILE]   # goes on where FILE stopped
    python -m bench.uschess tournaments --number 10000 [--state FILE]
    python -m bench.uschess speed [--players 500 1000 2000] [--two-teams]

The comparison takes random fields of 2 to 10 players (evenboard_engine/tests/systems/uschess/random_fields.py). If any
differs, it prints the first ones and exits 1. The speed is that of simulated events of seven rounds with byes, draws
and unrated players; with --two-teams, everybody is of one of two teams, and teammates meet only if there is no other
way.
Generated tournaments of 4 to 20 players are written, read and checked.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from random import Random

from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.systems.uschess.field import UsChessEntrant, UsChessField
from evenboard_engine.systems.uschess.options import MateRule, Occasion
from evenboard_engine.systems.uschess.options import UsChessSettings as Limits
from evenboard_engine.systems.uschess.pairing import UsChessWork, work_on
from evenboard_engine.systems.uschess.system import US_CHESS
from evenboard_engine.tests.systems.uschess.comparison import field_difference
from evenboard_engine.tests.systems.uschess.random_fields import LARGE, SIZES
from evenboard_engine.trf import read_report, write_report

AT_ONCE = 500
LARGE_ONE_IN = 20
ROUNDS = 7
SHOWN = 3
VALUES = {
    "high": ("200", "150", "300"),
    "low": ("80", "0", "120"),
    "avoid_unrated": ("on", "off"),
    "harkness": ("off", "on"),
    "avoid_swap": ("off", "on"),
    "max_drop": ("none", "none", "1", "2.5"),
    "team_rule": tuple(MateRule),
    "club_rule": tuple(MateRule),
    "bye_28L5": ("off", "on"),
}


def main() -> int:
    """Run the command and return the exit code."""
    arguments = _arguments()
    if arguments.command == "speed":
        for players in arguments.players:
            print(_measured(players, arguments.seed, two_teams=arguments.two_teams))
        return 0
    os.nice(10)
    state = Path(arguments.state) if arguments.state else None
    if arguments.command == "compare":
        return _walk(arguments.rounds, state, _compared, "rounds")
    return _walk(arguments.number, state, _checked, "tournaments")


def _walk(number: int, state: Path | None, differences: Callable[[int], Iterable[object]], what: str) -> int:
    """Ask for the differences of each seed, print the first ones, and return the exit code."""
    done = {"seed": 0, "differ": 0, "seconds": 0.0}
    if state is not None and state.exists():
        done = json.loads(state.read_text(encoding="utf-8"))
    while done["seed"] < number:
        started = time.process_time()
        seeds = range(int(done["seed"]), min(number, int(done["seed"]) + AT_ONCE))
        found = [different for seed in seeds for different in differences(seed)]
        for difference in found[: max(0, SHOWN - int(done["differ"]))]:
            print(difference)
        done = {
            "seed": seeds.stop,
            "differ": done["differ"] + len(found),
            "seconds": done["seconds"] + time.process_time() - started,
        }
        if state is not None:
            state.write_text(json.dumps(done), encoding="utf-8")
    print(f"{done['seed']} {what} in {done['seconds']:.0f} s of processor time: {done['differ']:.0f} differ")
    return 1 if done["differ"] else 0


def _compared(seed: int) -> Iterator[object]:
    found = field_difference(seed, LARGE if seed % LARGE_ONE_IN == 0 else SIZES)
    if found is not None:
        yield found


def _checked(seed: int) -> Iterator[object]:
    """Generate a tournament with any options, write and read its file, and yield what the checker finds."""
    rng = Random(seed)
    settings = GeneratorSettings(
        players=rng.randint(4, 20),
        rounds=rng.choice((3, 4, 5, 7)),
        system=US_CHESS.code,
        options={option.name: rng.choice(VALUES[option.name]) for option in US_CHESS.options},
        accelerated=False,
        forfeits=rng.choice((0, 10)),
        unusual=rng.choice((0, 10)),
        half_byes=rng.choice((0, 10)),
        full_byes=rng.choice((0, 30)),
        zero_byes=rng.choice((0, 15)),
        late=rng.choice((0, 10)),
        retirements=rng.choice((0, 30)),
        forbidden=rng.choice((0, 0, 3)),
    )
    report = read_report(write_report(generate(str(seed), settings).report))
    for check in check_rounds(report, system=US_CHESS.code):
        for difference in check.differences:
            yield f"seed {seed}, round {check.round}: {difference}"


def _measured(players: int, seed: int, *, two_teams: bool) -> str:
    taken = list(_rounds(players, seed, two_teams=two_teams))
    slowest = max(range(len(taken)), key=taken.__getitem__)
    return (
        f"{players} players, {ROUNDS} rounds: {sum(taken) / ROUNDS:.2f} s a round, at most {taken[slowest]:.2f} s "
        f"(round {slowest + 1}); {1e6 * sum(taken) / ROUNDS / players**2:.2f} microseconds for each square of a player"
    )


def _rounds(count: int, seed: int, *, two_teams: bool) -> Iterator[float]:
    """Yield the processor time of each round of a simulated event."""
    rng = Random(seed)
    drawn = Random(seed)
    teams = [drawn.choice("AB") if two_teams else "" for _ in range(count)]
    limits = Limits(team_rule=MateRule.DONT if two_teams else MateRule.IGNORE)
    ratings = [max(100, round(rng.gauss(1600, 300))) if rng.random() > 0.03 else 0 for _ in range(count)]
    floor = min(rating for rating in ratings if rating)
    points, full = [0] * count, [0] * count
    colours = [""] * count
    met: list[dict[int, int]] = [{} for _ in range(count)]
    for number in range(1, ROUNDS + 1):
        here = [one for one in range(count) if rng.random() > 0.03]
        field = UsChessField(
            [
                UsChessEntrant(
                    one,
                    ratings[one],
                    points[one],
                    colours[one],
                    met[one],
                    full_byes=full[one],
                    team=teams[one],
                )
                for one in here
            ],
            limits,
            floor=floor,
        )
        started = time.process_time()
        work = work_on(field, Occasion(number, ROUNDS))
        yield time.process_time() - started
        for one in set(range(count)) - set(here):
            points[one] += 5
        _play(rng, work, ratings, points, full, colours, met)


def _play(
    rng: Random,
    work: UsChessWork,
    ratings: list[int],
    points: list[int],
    full: list[int],
    colours: list[str],
    met: list[dict[int, int]],
) -> None:
    who = [entrant.number for entrant in work.field.entrants]
    for white, black, _ in work.boards:
        one, other = who[white], who[black]
        colours[one] += "w"
        colours[other] += "b"
        met[one][other] = met[one].get(other, 0) + 1
        met[other][one] = met[other].get(one, 0) + 1
        expected = 1 / (1 + 10 ** ((ratings[other] - ratings[one]) / 400))
        if rng.random() < 0.2:
            points[one] += 5
            points[other] += 5
        else:
            points[one if rng.random() < expected else other] += 10
    if work.bye is not None:
        points[who[work.bye]] += 10
        full[who[work.bye]] += 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Compare and measure US Chess pairing.")
    commands = parser.add_subparsers(dest="command", required=True)
    compare = commands.add_parser("compare", help="compare with plain enumeration")
    compare.add_argument("--rounds", type=int, default=50_000)
    compare.add_argument("--state", help="a file with the point to go on from")
    tournaments = commands.add_parser("tournaments", help="check generated tournaments")
    tournaments.add_argument("--number", type=int, default=10_000)
    tournaments.add_argument("--state", help="a file with the point to go on from")
    speed = commands.add_parser("speed", help="measure large fields")
    speed.add_argument("--players", type=int, nargs="+", default=[250, 500, 1000, 2000])
    speed.add_argument("--two-teams", action="store_true", help="avoid teammates of two large teams")
    speed.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
