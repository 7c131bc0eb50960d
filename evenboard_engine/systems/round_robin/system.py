"""The round robin as a `PairingSystem`. Each part is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from evenboard_engine.model import Result, Tournament
from evenboard_engine.result import Pair, RoundPairing
from evenboard_engine.systems.system import PairingSystem

from .table import BY_FEDERATION, CYCLES, LOTS, ONCE, SWAP, TWICE, Schedule, schedule_for

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.systems.lots import DrawnNumbers, LotsPlayer
    from evenboard_engine.systems.system import Explainer

BERGER_ONCE, BERGER_TWICE, FIDE_TWICE = (
    "BERGER_ROUNDROBIN",
    "BERGER_DOUBLEROUNDROBIN",
    "FIDE_DOUBLEROUNDROBIN",
)
CODES: Mapping[str, Mapping[str, str]] = {
    BERGER_ONCE: {CYCLES.name: ONCE},
    "FIDE_ROUNDROBIN": {CYCLES.name: ONCE},
    "BERGER_ROUNDROBIN_G1": {CYCLES.name: ONCE},
    BERGER_TWICE: {CYCLES.name: TWICE, SWAP.name: "off"},
    "BERGER_ROUNDROBIN_G2": {CYCLES.name: TWICE, SWAP.name: "off"},
    FIDE_TWICE: {CYCLES.name: TWICE, SWAP.name: "on"},
}
"""The codes of record 192, and the options that they stand for."""
MOST_PLAYERS = 24
"""Of a double round robin. The Varma tables end here, and the crosstable still fits on one sheet."""


class RoundRobin(PairingSystem):
    """The single and the double round robin, FIDE Handbook C.05, Annexes 1 and 2."""

    code = "round-robin"
    regulation = "C.05"
    options = (CYCLES, SWAP, LOTS)
    lists = ("crosstable",)
    takes_unrated = True
    fixed_rounds = True
    # C.07, 8: everybody has the same opponents. And nobody is paired by places, so there is no Pairing Tiebreaker.
    barred_tie_breaks = frozenset({"BH", "FB", "AOB", "PT", "OTHER_SOLKOFF", "OTHER_MODMED"})
    first_tie_breaks = "DE,WIN,SB,KS"
    most_rounds = Schedule(MOST_PLAYERS, int(TWICE)).rounds
    report_name = "Individual: Round-Robin (Berger)"
    report_code = BERGER_ONCE
    accelerated_code = ""

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        from .pairing import pair_round

        pairing = pair_round(tournament)
        return replace(pairing, trace=self.explain(tournament, pairing).trace) if trace else pairing

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        from .explaining import RoundRobinExplainer as RoundRobins

        return RoundRobins(tournament, pairing)

    def compare(
        self, tournament: Tournament, published: Published, _pairing: RoundPairing | None
    ) -> tuple[RoundDifference, ...]:
        from .checking import compare

        return compare(tournament, published)

    def concerns(self, tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
        from .checking import concerns

        return concerns(tournament, draft)

    def colours(self, tournament: Tournament, one: int, other: int) -> Pair:
        from .pairing import RoundRobinField, colour_rule

        field = RoundRobinField.of(tournament)
        game = field.game_of(one, other)
        return Pair(game.white, game.black, colour_rule(field, game))

    def articles_of(self, code: str, _options: Mapping[str, str]) -> tuple[str, ...]:
        from .table import articles_of

        return articles_of(code)

    def rounds_for(self, players: int, options: Mapping[str, str]) -> int:
        return schedule_for(players, options).rounds

    def draw_lots(
        self, entrants: Iterable[LotsPlayer], options: Mapping[str, str], seed: str
    ) -> DrawnNumbers:
        from .lots import draw

        return draw(entrants, seed, by_federation=LOTS.text(options) == BY_FEDERATION)

    def forfeit(self, tournament: Tournament, white: int, black: int) -> Result | None:
        from .pairing import forfeit

        return forfeit(tournament, white, black)

    def uncounted(self, tournament: Tournament) -> Mapping[int, tuple[int, int]]:
        from .pairing import uncounted

        return uncounted(tournament)

    def completed(self, tournament: Tournament) -> Mapping[int, tuple[int, int]]:
        from .pairing import completed

        return completed(tournament)

    def coded(self, options: Mapping[str, str], *, accelerated: bool = False) -> str:  # noqa: ARG002 no acceleration
        if CYCLES.text(options) == ONCE:
            return BERGER_ONCE
        return FIDE_TWICE if SWAP.is_on(options) else BERGER_TWICE

    def decoded(self, code: str) -> Mapping[str, str] | None:
        return CODES.get(code)


ROUND_ROBIN = RoundRobin()
