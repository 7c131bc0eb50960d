"""Ask other programs to pair every round of generated tournaments of the Dutch System, and attribute each difference.

    python -m bench.cross.dutch [--tournaments 300] [--first 0] [--players 4 40] [--minutes N]
        [--bbp bbpPairings] [--python PYTHON] [--write DIRECTORY]

--bbp: a program built from the source of bbpPairings 6.0.0. --python: that of an environment with py4swiss (edition of
2017), caissify-pairings and pairing-core. The checker names the articles by which a different answer departs; the
literal search pairs the round as well, if it has at most 10 players. With --bbp each tournament also goes both ways as
VCL4THP asks (Q33): its checker reads our file, and our checker one that it generated. --write: a report file of the
smallest round for each program and article. Exits 1 if the literal search contradicts our answer.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from bench.peers.histories import OPEN, UNRULY, report_file, tournaments
from evenboard_engine import RESULTS, Bye, ByeKind, Game, NoLegalPairing, Result, RoundPairing, Tournament
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.findings import Published
from evenboard_engine.generating.tournament import GeneratorSettings, generate
from evenboard_engine.systems.dutch.checking import compare
from evenboard_engine.systems.dutch.pairing import pair_round
from evenboard_engine.tests.systems.dutch.figures import DOWN, figures_of
from evenboard_engine.tests.systems.dutch.literal_search import NoRound, literal_round
from evenboard_engine.trf import read_report, write_report

PACKAGES = ("py4swiss", "caissify-pairings", "pairing-core")
FEW_PLAYERS = {"pairing-core": 10}
"""Larger fields take too long there."""
LARGEST_LITERAL = 10
SCRIPT = Path(__file__).with_name("ask_dutch.py")
Answer = tuple[frozenset[tuple[int, int]], int | None] | str | None
"""White and Black of each pair, and the bye; an error as text; None if no round exists."""
Ask = Callable[[Tournament, Path], Answer]


def rounds_of(seed: int, sizes: range) -> Iterator[Tournament]:
    """Yield the tournament of a seed as it is before each round: 3 to 11 rounds, no more than players."""
    rng = Random(f"cross {seed}")
    size = rng.choice(sizes)
    rounds = min(size, rng.choice(range(3, 12)))
    habits = UNRULY if seed % 2 else OPEN
    return tournaments(size, rounds, seed, wanted=range(1, rounds + 1), habits=habits, system="dutch")


def ask_bbp(program: Path, _tournament: Tournament, file: Path) -> Answer:
    out = file.with_suffix(".out")
    done = subprocess.run(
        [program, "--dutch", file, "-p", out], capture_output=True, text=True, timeout=600, check=False
    )
    if done.returncode:
        return None if done.returncode == 1 else f"exit {done.returncode}: {done.stderr.strip()[:100]}"
    lines = out.read_text().splitlines()[1:]
    return _answer([[int(word) for word in line.split()] for line in lines])


def _answer(pairs: list[list[int]]) -> Answer:
    if not pairs:
        return None
    bye = next((white for white, black in pairs if not black), None)
    return frozenset((white, black) for white, black in pairs if black), bye


def question(tournament: Tournament, file: Path) -> str:
    """Return what a package is asked, as a line of JSON. The figures come from the test oracle."""
    floats = {"": "", DOWN: "D"}
    men = figures_of(tournament)
    here = {one.id for one in men}
    sides = {(game.round, game.white): "W" for game in tournament.games if RESULTS[game.result].played}
    sides |= {(game.round, game.black): "B" for game in tournament.games if RESULTS[game.result].played}
    players = [
        {
            "id": one.id,
            "tpn": one.tpn,
            "score": one.score / 10,
            "colors": "".join(sides.get((number, one.id), "u") for number in range(1, tournament.round)),
            "opponents": sorted(one.met & here),
            "unplayed": one.unplayed,
            "last_float": floats.get(one.floats[0], "U"),
            "prev_float": floats.get(one.floats[1], "U"),
            "got_pab": one.barred,
            "played": len(one.colours),
        }
        for one in men
    ]
    colour = tournament.initial_colour
    assert colour is not None
    return json.dumps(
        {
            "file": str(file),
            "round": tournament.round,
            "rounds": tournament.rounds,
            "colour": colour.value.upper(),
            "players": players,
        }
    )


class Package:
    """A package that is asked in a process of its own."""

    def __init__(self, python: Path, name: str) -> None:
        self.process = subprocess.Popen(
            [python, "-I", SCRIPT, name], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def ask(self, tournament: Tournament, file: Path) -> Answer:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(f"{question(tournament, file)}\n")
        self.process.stdin.flush()
        data = json.loads(self.process.stdout.readline())
        return str(data["error"]) if "error" in data else _answer(data["pairs"])


@dataclass(slots=True)
class DutchFindings:
    """figures: what was counted. smallest: by program and article, the players, the round as a file, and the words."""

    figures: Counter[str] = field(default_factory=Counter)
    smallest: dict[tuple[str, str], tuple[int, bytes, str]] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)


def played(tournament: Tournament, ours: RoundPairing | None) -> Tournament:
    """Return the tournament with this round drawn: caissify-pairings pairs only who has an entry in the round."""
    if ours is None:
        return tournament
    number = tournament.round
    games = tuple(Game(number, pair.white, pair.black, Result.DRAW) for pair in ours.pairs)
    byes = () if ours.bye is None else (Bye(number, ours.bye, ByeKind.ALLOCATED),)
    return replace(tournament, games=tournament.games + games, byes=tournament.byes + byes)


def ours_of(tournament: Tournament) -> RoundPairing | None:
    try:
        return pair_round(tournament)
    except NoLegalPairing:
        return None


def compare_answers(
    name: str,
    where: str,
    tournament: Tournament,
    ours: RoundPairing | None,
    theirs: Answer,
    found: DutchFindings,
) -> None:
    found.figures[f"{name}: rounds"] += 1
    mine = ours and (frozenset((pair.white, pair.black) for pair in ours.pairs), ours.bye)
    if theirs == mine or (mine is None and isinstance(theirs, str)):
        return
    found.figures[f"{name}: other answers"] += 1
    if isinstance(theirs, str):
        articles, words = ["an error"], theirs
    elif theirs is None:
        articles, words = ["no round"], "it finds no round"
    else:
        pairs, bye = theirs
        published = Published(tournament.round, tuple(sorted(pairs)), () if bye is None else (bye,))
        differences = compare(tournament, published, ours)
        articles = sorted({one.article for one in differences}) or ["not attributed"]
        words = "; ".join(
            f"{one.article} {one.code}: found {one.found}, expected {one.expected}, values {one.values}"
            for one in differences
        )
    for article in articles:
        found.figures[f"{name}: {article}"] += 1
        size = len(tournament.players)
        if size < found.smallest.get((name, article), (10**9,))[0]:
            found.smallest[name, article] = size, report_file(tournament), f"{where}: {words}"
    if len(figures_of(tournament)) <= LARGEST_LITERAL:
        found.figures[f"{name}: paired as we do by the literal search"] += 1
        try:
            literal = literal_round(tournament)
            right = mine == (literal.pairs, literal.bye)
        except NoRound:
            right = mine is None
        if not right:
            found.faults.append(f"{where}: the literal search contradicts our answer")


def both_ways(program: Path, seed: int, sizes: range, directory: Path, found: DutchFindings) -> None:
    """Let its checker read a tournament of ours, and ours one of its."""
    rng = Random(f"both ways {seed}")
    settings = GeneratorSettings(
        players=rng.choice(sizes), rounds=rng.choice(range(3, 10)), system="dutch", accelerated=False
    )
    file = directory / "ours.trf"
    file.write_bytes(write_report(generate(f"cross-{seed}", settings).report))
    done = subprocess.run(
        [program, "--dutch", file, "-c"], capture_output=True, text=True, timeout=600, check=False
    )
    lines = [line for line in done.stdout.splitlines() if line.strip()]
    rounds = [i for i, line in enumerate(lines) if "Round #" in line]
    others = sum("Round #" not in line for line in (lines[i + 1] for i in rounds if i + 1 < len(lines)))
    found.figures["our files to its checker: tournaments"] += 1
    found.figures["our files to its checker: rounds"] += len(rounds)
    if done.returncode:
        found.figures["our files to its checker: not read"] += 1
        found.figures[f"our files to its checker: {done.stderr.strip()[-80:]}"] += 1
    found.figures["our files to its checker: rounds that it pairs otherwise"] += others
    file, config = directory / "theirs.trf", directory / "config"
    config.write_text(f"PlayersNumber={settings.players}\nRoundsNumber={settings.rounds}\n")
    made = subprocess.run(
        [program, "--dutch", "-g", config, "-o", file, "-s", str(seed + 1)],
        capture_output=True,
        timeout=600,
        check=False,
    )
    if made.returncode:  # a round had no pairing
        found.figures["its files to our checker: not made"] += 1
        return
    found.figures["its files to our checker: tournaments"] += 1
    for check in check_rounds(read_report(file.read_bytes()), system="dutch"):
        found.figures["its files to our checker: rounds"] += 1
        found.figures["its files to our checker: rounds that we pair otherwise"] += bool(check.differences)
        for one in check.differences:
            found.figures[f"its files to our checker: {one.article}"] += 1
            if found.figures["its files to our checker: shown"] < 5:
                found.figures["its files to our checker: shown"] += 1
                print(f"its seed {seed + 1}, round {check.round}: {one}", file=sys.stderr)


def main() -> int:
    options = _arguments()
    found = DutchFindings()
    sizes = range(options.players[0], options.players[1] + 1)
    packages = {name: Package(options.python, name) for name in PACKAGES} if options.python else {}
    programs: dict[str, Ask] = {name: one.ask for name, one in packages.items()}
    if options.bbp:
        programs["bbpPairings"] = partial(ask_bbp, options.bbp)
    until = time.monotonic() + 60 * options.minutes
    with TemporaryDirectory() as name:
        directory = Path(name)
        for seed in range(options.first, options.first + options.tournaments):
            if time.monotonic() > until:
                break
            found.figures["tournaments"] += 1
            for tournament in rounds_of(seed, sizes):
                file = directory / "round.trf"
                file.write_bytes(report_file(tournament))
                ours = ours_of(tournament)
                file.with_suffix(".played").write_bytes(report_file(played(tournament, ours)))
                where = f"seed {seed}, round {tournament.round}"
                for program, ask in programs.items():
                    if len(tournament.players) <= FEW_PLAYERS.get(program, options.players[1]):
                        compare_answers(program, where, tournament, ours, ask(tournament, file), found)
            if options.bbp:
                both_ways(options.bbp, seed, sizes, directory, found)
    for one in packages.values():
        one.process.kill()
    show(found, options.write)
    return 1 if found.faults else 0


def show(found: DutchFindings, directory: Path | None) -> None:
    for key in sorted(found.figures):
        print(f"| {key} | {found.figures[key]:,} |")
    for (program, article), (size, written, words) in sorted(found.smallest.items()):
        print(f"{program}, {article}: {size} players, {words}")
        if directory:
            Path(directory, f"{program}-{article.replace(' ', '-')}.trf").write_bytes(written)
    for fault in found.faults:
        print(fault, file=sys.stderr)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.cross.dutch",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--tournaments", type=int, default=300)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--players", type=int, nargs=2, default=(4, 40), metavar=("LOW", "HIGH"))
    parser.add_argument("--minutes", type=float, default=1e9, help="begin nothing new after so long")
    parser.add_argument("--bbp", type=Path, help="the program bbpPairings")
    parser.add_argument("--python", type=Path, help="a Python that has the packages")
    parser.add_argument("--write", type=Path, help="a directory for the smallest rounds")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
