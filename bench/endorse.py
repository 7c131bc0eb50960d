"""Run the endorsement protocol: random tournaments, with every round checked in more than one way.

    python -m bench.endorse [--system dutch] [--tournaments 50000] [--workers 2] [--state FILE] [--minutes N]
        [--report docs/endorsement.md]

docs/endorsement.md says what is checked and what this proves. The run can be stopped at any time and continues where it
stopped. A state file from before a change of the engine is refused. Exits 1 if there is any discrepancy.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import math
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from random import Random

from evenboard_engine import RESULTS, ByeKind, NoLegalPairing, Result, RoundPairing, Tournament
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.generating.tournament import Generated, GeneratorSettings, generate
from evenboard_engine.systems.dubov.pairing import pair_round
from evenboard_engine.systems.dutch.pairing import work_on_round
from evenboard_engine.tests.brute_force import BruteRound, brute_force_round
from evenboard_engine.tests.brute_force import NoRound as NoBruteRound
from evenboard_engine.tests.brute_history import ABSOLUTE, is_to_be_paired, read_history
from evenboard_engine.tests.comparison import as_brute_round, show_round
from evenboard_engine.tests.systems.dutch.figures import ABSOLUTE as DUTCH_ABSOLUTE
from evenboard_engine.tests.systems.dutch.figures import figures_of
from evenboard_engine.tests.systems.dutch.literal_search import NoRound, literal_round
from evenboard_engine.trf import Report, read_report, write_report

# Play one tournament of the endorsement protocol from its seed, and check every round.

SIZES = {
    "dubov": (((4, 14), 50), ((15, 60), 37), ((61, 200), 12), ((201, 400), 1)),
    "dutch": (((4, 12), 640), ((13, 30), 270), ((31, 60), 70), ((61, 120), 17), ((121, 300), 3)),
}
"""Smallest and largest number of players, with the share of such tournaments."""
BRACKETS = ((1, 4), (5, 10), (11, 20), (21, 40), (41, 80), (81, 300))
"""The sizes of brackets that are counted apart."""

_BYES = {
    ByeKind.ALLOCATED: "pairing-allocated byes",
    ByeKind.HALF: "half-point byes",
    ByeKind.FULL: "full-point byes",
    ByeKind.ZERO: "zero-point byes",
}
_USUAL = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def check_tournament(seed: int, discrepancies: list[str], system: str = "dubov") -> Counter[str]:
    """Return the figures of the tournament with this seed, and add what does not agree to discrepancies."""
    look = LOOKS[system](seed, discrepancies)
    try:
        made = generate(f"endorse-{seed}", settings_of(seed, system), pair=look.pair)
        look.read_back(made.report)
    except Exception as error:  # noqa: BLE001 (any error is reported with its seed)
        discrepancies.append(f"seed {seed}: {type(error).__name__}: {error}")
        return look.figures
    look.figures.update(_counted(made))
    return look.figures


def settings_of(seed: int, system: str = "dubov") -> GeneratorSettings:
    """Return settings: 3 to 15 rounds; every third tournament has many byes, forfeits and forbidden pairs.

    Of the Dutch System, no more rounds than players, so that the last round is often reached.
    """
    rng = Random(f"settings {seed}")
    ((low, high),) = rng.choices(*zip(*SIZES[system], strict=True))
    settings = GeneratorSettings(players=rng.randint(low, high), rounds=rng.randint(3, 15), system=system)
    if system == "dutch":
        settings = replace(settings, rounds=min(settings.rounds or 0, settings.players or 0))
    if rng.random() < 1 / 3:
        settings = replace(
            settings,
            forfeits=rng.choice((3, 6, 12)),
            unusual=rng.choice((5, 20)),
            half_byes=rng.choice((8, 20)),
            zero_byes=rng.choice((10, 30)),
            full_byes=rng.choice((0, 20)),
            retirements=rng.choice((20, 60)),
            late=rng.choice((4, 10)),
            forbidden=rng.choice((0, settings.players or 0)),
            draws=rng.choice((None, 5, 90)),
        )
    return settings


Legal = Callable[[int, int], bool]


class _Look:
    """Pairs for the generator, and checks each round by pairing it again in another way: that of the Dubov System."""

    system = "dubov"
    largest = 14
    """More players are too many for the brute force."""

    def __init__(self, seed: int, discrepancies: list[str]) -> None:
        self.seed, self.discrepancies = seed, discrepancies
        self.figures: Counter[str] = Counter()

    def _differ(self, number: int, what: str) -> None:
        self.discrepancies.append(f"seed {self.seed}, round {number}: {what}")

    def paired(self, tournament: Tournament) -> RoundPairing:
        return pair_round(tournament)

    def exactly(self, tournament: Tournament) -> RoundPairing:
        return pair_round(tournament, exact=True)

    def brute(self, tournament: Tournament) -> BruteRound:
        return brute_force_round(tournament)

    def as_brute(self, pairing: RoundPairing) -> BruteRound:
        return as_brute_round(pairing)

    def facts(self, tournament: Tournament) -> tuple[set[int], Legal]:
        """Return who is barred from the bye, and which pairs C1 and C3 allow, with the oracle's own history."""
        history = read_history(tournament)

        def legal(white: int, black: int) -> bool:
            one, other = history[white], history[black]
            return black not in one.opponents and (
                one.preference != other.preference or one.preference[1] != ABSOLUTE
            )

        return {key for key, entrant in history.items() if entrant.barred}, legal

    def pair(self, tournament: Tournament) -> RoundPairing:
        present = sum(is_to_be_paired(tournament, player) for player in tournament.players)
        small = present <= self.largest
        try:
            pairing = self.paired(tournament)
        except NoLegalPairing:
            self.figures["rounds without a legal pairing"] += 1
            self._check_impossible(tournament, small=small)
            raise
        self.figures["rounds"] += 1
        if small:
            self._check_by_brute_force(tournament, pairing)
        else:
            self.figures["rounds by the exact way"] += 1
            self._check_exactly(tournament, pairing)
        self._check_invariants(tournament, pairing)
        return pairing

    def _check_exactly(self, tournament: Tournament, pairing: RoundPairing) -> None:
        if self.exactly(tournament) != pairing:
            self._differ(tournament.round, "the exact method pairs it differently")

    def _check_impossible(self, tournament: Tournament, *, small: bool) -> None:
        try:
            (self.brute if small else self.exactly)(tournament)
        except (NoRound, NoBruteRound, NoLegalPairing):
            return
        self._differ(tournament.round, "refused, although it can be paired")

    def _check_by_brute_force(self, tournament: Tournament, pairing: RoundPairing) -> None:
        self.figures["rounds by brute force"] += 1
        try:
            oracle = self.brute(tournament)
        except (NoRound, NoBruteRound):
            self._differ(tournament.round, "paired, although the brute force finds no legal round")
            return
        found = self.as_brute(pairing)
        if found != oracle:
            self._differ(tournament.round, f"{show_round(found)} instead of {show_round(oracle)}")

    def _check_invariants(self, tournament: Tournament, pairing: RoundPairing) -> None:
        """Check that everybody is in the round once and that C1 to C3 hold."""
        self.figures["rounds by invariants"] += 1
        barred, legal = self.facts(tournament)
        here = sorted(player.id for player in tournament.players if is_to_be_paired(tournament, player))
        placed = [side for pair in pairing.pairs for side in (pair.white, pair.black)]
        if pairing.bye is not None:
            placed.append(pairing.bye)
            if pairing.bye in barred:
                self._differ(tournament.round, f"C2: {pairing.bye} has the bye")
        if sorted(placed) != here:
            self._differ(tournament.round, "not everybody is in the round exactly once")
        for pair in pairing.pairs:
            apart = (min(pair.white, pair.black), max(pair.white, pair.black)) in tournament.forbidden
            if apart or not legal(pair.white, pair.black):
                self._differ(tournament.round, f"C1 or C3: {pair.white} and {pair.black} meet")

    def read_back(self, report: Report) -> None:
        """Write the file, read it, and let the checker check every round and the standings."""
        again = read_report(write_report(report))
        if again != report:
            self._differ(0, "the file that was read differs from the one that was written")
        for check in check_rounds(again, system=self.system):
            self.figures["rounds by the checker"] += 1
            for difference in check.differences:
                self._differ(check.round, f"the checker says {difference}")
        standings = check_standings(again, system=self.system)
        if standings is not None:
            self.figures["tables by the checker"] += 1
            for wrong in standings.misplaced:
                self._differ(again.rounds_paired, f"the standings are wrong: {wrong}")


class _LookAtDutch(_Look):
    """The Dutch System: every bracket of every round is compared with the exact way, and small rounds with the text."""

    system = "dutch"
    largest = 10

    def paired(self, tournament: Tournament) -> RoundPairing:
        work = work_on_round(tournament)
        for bracket in work.brackets:
            size = len(bracket.moved) + len(bracket.residents)
            of_size = next(f"brackets of {low} to {high}" for low, high in BRACKETS if size <= high)
            for name in ("brackets", of_size):
                self.figures[name] += 1
                self.figures[f"{name}, by the quick way"] += bracket.quality is None
        return work.pairing

    def exactly(self, tournament: Tournament) -> RoundPairing:
        return work_on_round(tournament, exact=True).pairing

    def brute(self, tournament: Tournament) -> BruteRound:
        found = literal_round(tournament)
        return BruteRound(found.pairs, found.bye)

    def as_brute(self, pairing: RoundPairing) -> BruteRound:
        return BruteRound(frozenset((pair.white, pair.black) for pair in pairing.pairs), pairing.bye)

    def facts(self, tournament: Tournament) -> tuple[set[int], Legal]:
        men = {one.id: one for one in figures_of(tournament)}

        def legal(white: int, black: int) -> bool:
            one, other = men[white], men[black]
            same = one.preference == other.preference and one.preference[1] == DUTCH_ABSOLUTE
            return black not in one.met and (not same or one.topscorer or other.topscorer)

        return {key for key, one in men.items() if one.barred}, legal

    def _check_by_brute_force(self, tournament: Tournament, pairing: RoundPairing) -> None:
        super()._check_by_brute_force(tournament, pairing)
        self._check_exactly(tournament, pairing)


LOOKS = {"dubov": _Look, "dutch": _LookAtDutch}


def _counted(made: Generated) -> Counter[str]:
    tournament = made.tournament
    figures: Counter[str] = Counter()
    figures["tournaments"] = 1
    figures["ended early"] = made.rounds < made.planned
    figures["players"] = len(tournament.players)
    figures[f"size {len(tournament.players)}"] = 1
    figures["pairs"] = len(tournament.games)
    figures["forbidden pairs"] = len(tournament.forbidden)
    figures["tournaments with Baku Acceleration"] = bool(tournament.accelerations)
    for game in tournament.games:
        if RESULTS[game.result].played:
            figures["games played"] += 1
            figures["games with an unusual result"] += game.result not in _USUAL
        else:
            both = game.result is Result.DOUBLE_FORFEIT
            figures["forfeits by both" if both else "forfeits by one side"] += 1
    for bye in tournament.byes:
        figures[_BYES[bye.kind]] += 1
    figures["rounds missed by players who came late or left"] = (
        len(tournament.players) * made.rounds - 2 * len(tournament.games) - len(tournament.byes)
    )
    return figures


# The run.


ROOT = Path(__file__).resolve().parents[1]
ENGINE = ROOT / "evenboard_engine"
CHUNK = 20
BEGIN, END = "<!-- figures -->", "<!-- end of figures -->"
SHOWN = 20


@dataclass
class EndorsementState:
    """The progress of a run. engine: a digest of its sources. chunks: numbers of the chunks done, CHUNK seeds each."""

    engine: str
    system: str
    chunks: list[int] = field(default_factory=list)
    figures: Counter[str] = field(default_factory=Counter)
    discrepancies: list[str] = field(default_factory=list)
    seconds: float = 0.0


def main() -> int:
    options = _arguments()
    state = _load(options.state, options.system)
    started, before = time.monotonic(), state.seconds
    wanted = set(range(-(-options.tournaments // CHUNK))) - set(state.chunks)
    with ProcessPoolExecutor(options.workers) as workers:
        waiting: set[Future[tuple[int, Counter[str], list[str]]]] = set()
        left = iter(sorted(wanted))
        while wanted:  # chunks still to be done
            late = time.monotonic() - started > 60 * options.minutes
            for number in islice(left, 0 if late else 2 * options.workers - len(waiting)):
                waiting.add(workers.submit(_chunk, number, options.system))
            if not waiting:
                break
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


def _chunk(number: int, system: str) -> tuple[int, Counter[str], list[str]]:
    figures: Counter[str] = Counter()
    discrepancies: list[str] = []
    for seed in range(number * CHUNK, (number + 1) * CHUNK):
        figures.update(check_tournament(seed, discrepancies, system))
    return number, figures, discrepancies


def _load(path: Path, system: str) -> EndorsementState:
    engine = engine_digest()
    if not path.exists():
        return EndorsementState(engine, system)
    kept = json.loads(path.read_text("utf-8"))
    state = EndorsementState(**{**kept, "figures": Counter(kept["figures"])})
    if (state.engine, state.system) != (engine, system):
        sys.exit(f"{path}: the engine has changed since, or the state is of another system; delete the file")
    return state


def _save(state: EndorsementState, path: Path) -> None:
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


def _progress(state: EndorsementState, left: int, before: float) -> None:
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


def _report(state: EndorsementState) -> str:
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
        (
            f"rounds also paired by the brute force (up to {LOOKS[state.system].largest} players)",
            figures["rounds by brute force"],
        ),
        ("rounds also paired by the exact method only (more players)", figures["rounds by the exact way"]),
        *(
            (name, figures[name])
            for name in sorted(figures, key=_first_number)
            if name.startswith("brackets")
        ),
        ("rounds compared with the invariants", figures["rounds by invariants"]),
        ("rounds read back from a file and checked by the checker", figures["rounds by the checker"]),
        *_tables(figures),
        ("**discrepancies**", len(state.discrepancies)),
    ]
    table = "\n".join(f"| {name} | {value:,} |" for name, value in rows)
    return f"| | |\n|---|---:|\n{table}\n\nTime: {minutes:.0f} minutes."


def _first_number(name: str) -> int:
    return next((int(word) for word in name.split() if word.isdecimal()), 0)


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
    parser.add_argument("--system", choices=LOOKS, default="dubov")
    parser.add_argument("--tournaments", type=int, default=50_000)
    parser.add_argument("--minutes", type=float, default=math.inf, help="begin nothing new after so long")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    parser.add_argument(
        "--state", type=Path, help="the file that keeps the progress; var/endorse-SYSTEM.json if not given"
    )
    parser.add_argument("--report", type=Path, help="a page with the marks between which the figures go")
    options = parser.parse_args()
    options.state = options.state or ROOT / f"var/endorse-{options.system}.json"
    if options.report and (not options.report.is_file() or BEGIN not in options.report.read_text("utf-8")):
        parser.error(f"{options.report} has no place for the figures: the line {BEGIN} is missing")
    return options


if __name__ == "__main__":
    sys.exit(main())
