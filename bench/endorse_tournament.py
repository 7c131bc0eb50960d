"""Play one tournament of the endorsement protocol from its seed, and check every round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from random import Random

from evenboard_engine import RESULTS, ByeKind, NoLegalPairing, Result, RoundPairing, Tournament
from evenboard_engine.checking.rounds import check_rounds
from evenboard_engine.checking.standings import check_standings
from evenboard_engine.generating.tournament import Generated, Settings, generate
from evenboard_engine.systems.dubov.pairing import pair_round
from evenboard_engine.tests.brute_force import Entrant, NoRound, brute_force_round
from evenboard_engine.tests.brute_history import ABSOLUTE, is_to_be_paired, read_history
from evenboard_engine.tests.comparison import as_brute_round, show_round
from evenboard_engine.trf import Report, read_report, write_report

BRUTE_FORCE = 14
SIZES = (((4, 14), 50), ((15, 60), 37), ((61, 200), 12), ((201, 400), 1))
"""Smallest and largest number of players, with the share of such tournaments in percent."""

_BYES = {
    ByeKind.ALLOCATED: "pairing-allocated byes",
    ByeKind.HALF: "half-point byes",
    ByeKind.FULL: "full-point byes",
    ByeKind.ZERO: "zero-point byes",
}
_USUAL = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)


def check_tournament(seed: int, discrepancies: list[str]) -> Counter[str]:
    """Return the figures of the tournament with this seed, and add what does not agree to discrepancies."""
    look = _Look(seed, discrepancies)
    try:
        made = generate(f"endorse-{seed}", settings_of(seed), pair=look.pair)
        look.read_back(made.report)
    except Exception as error:  # noqa: BLE001 (any error is reported with its seed)
        discrepancies.append(f"seed {seed}: {type(error).__name__}: {error}")
        return look.figures
    look.figures.update(_counted(made))
    return look.figures


def settings_of(seed: int) -> Settings:
    """Return settings: 3 to 15 rounds; every third tournament has many byes, forfeits and forbidden pairs."""
    rng = Random(f"settings {seed}")
    ((low, high),) = rng.choices([sizes for sizes, _ in SIZES], [share for _, share in SIZES])
    settings = Settings(players=rng.randint(low, high), rounds=rng.randint(3, 15))
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


class _Look:
    """Pairs for the generator, and checks each round by pairing it again in another way."""

    def __init__(self, seed: int, discrepancies: list[str]) -> None:
        self.seed, self.discrepancies = seed, discrepancies
        self.figures: Counter[str] = Counter()

    def _differ(self, number: int, what: str) -> None:
        self.discrepancies.append(f"seed {self.seed}, round {number}: {what}")

    def pair(self, tournament: Tournament) -> RoundPairing:
        present = sum(is_to_be_paired(tournament, player) for player in tournament.players)
        try:
            pairing = pair_round(tournament)
        except NoLegalPairing:
            self.figures["rounds without a legal pairing"] += 1
            self._check_impossible(tournament, present)
            raise
        self.figures["rounds"] += 1
        if present <= BRUTE_FORCE:
            self._check_by_brute_force(tournament, pairing)
        elif pair_round(tournament, exact=True) != pairing:
            self._differ(tournament.round, "the exact method pairs it differently")
        self.figures["rounds by the exact way"] += present > BRUTE_FORCE
        self._check_invariants(tournament, pairing)
        return pairing

    def _check_impossible(self, tournament: Tournament, present: int) -> None:
        try:
            if present <= BRUTE_FORCE:
                brute_force_round(tournament)
            else:
                pair_round(tournament, exact=True)
        except (NoRound, NoLegalPairing):
            return
        self._differ(tournament.round, "refused, although it can be paired")

    def _check_by_brute_force(self, tournament: Tournament, pairing: RoundPairing) -> None:
        self.figures["rounds by brute force"] += 1
        try:
            oracle = brute_force_round(tournament)
        except NoRound:
            self._differ(tournament.round, "paired, although the brute force finds no legal round")
            return
        found = as_brute_round(pairing)
        if found != oracle:
            self._differ(tournament.round, f"{show_round(found)} instead of {show_round(oracle)}")

    def _check_invariants(self, tournament: Tournament, pairing: RoundPairing) -> None:
        """Check that everybody is in the round once and that C1 to C3 hold, with the oracle's own history."""
        self.figures["rounds by invariants"] += 1
        history = read_history(tournament)
        here = sorted(player.id for player in tournament.players if is_to_be_paired(tournament, player))
        placed = [side for pair in pairing.pairs for side in (pair.white, pair.black)]
        if pairing.bye is not None:
            placed.append(pairing.bye)
            if history[pairing.bye].barred:
                self._differ(tournament.round, f"C2: {pairing.bye} has the bye")
        if sorted(placed) != here:
            self._differ(tournament.round, "not everybody is in the round exactly once")
        for pair in pairing.pairs:
            if not _legal(tournament, history, pair.white, pair.black):
                self._differ(tournament.round, f"C1 or C3: {pair.white} and {pair.black} meet")

    def read_back(self, report: Report) -> None:
        """Write the file, read it, and let the checker check every round and the standings."""
        again = read_report(write_report(report))
        if again != report:
            self._differ(0, "the file that was read differs from the one that was written")
        for check in check_rounds(again):
            self.figures["rounds by the checker"] += 1
            for difference in check.differences:
                self._differ(check.round, f"the checker says {difference}")
        standings = check_standings(again)
        if standings is not None:
            self.figures["tables by the checker"] += 1
            for wrong in standings.misplaced:
                self._differ(again.rounds_paired, f"the standings are wrong: {wrong}")


def _legal(tournament: Tournament, history: Mapping[int, Entrant], white: int, black: int) -> bool:
    one, other = history[white], history[black]
    if black in one.opponents or (min(white, black), max(white, black)) in tournament.forbidden:
        return False
    return bool(one.preference != other.preference or one.preference[1] != ABSOLUTE)


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
