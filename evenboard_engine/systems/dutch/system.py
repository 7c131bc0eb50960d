"""The Dutch System as a `PairingSystem`. Each part is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evenboard_engine.history import History, HistoryRules
from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, Relaxation, RoundPairing
from evenboard_engine.systems.system import PairingSystem

from .options import EDITION, FIRST_DAY_OF_2026, HISTORY_RULES, OLDER_EDITION

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.preference import Preference
    from evenboard_engine.systems.system import Explainer

HANDBOOK = "https://handbook.fide.com/chapter/C0403202602"
EDITIONS_READ = ("_2026", "_2025")
"""Endings of a code in record 192 that are read as this edition: that of 2025 was never in force."""
BAKU = "_BAKU"


class Dutch(PairingSystem):
    """The FIDE (Dutch) System, FIDE Handbook C.04.3."""

    code = "dutch"
    regulation = "C.04.3"
    options = (EDITION,)
    takes_unrated = True
    first_tie_breaks = suggested_tie_breaks = "BH/C1,BH,DE"
    reads_floats = True
    report_name = "Individual: Swiss System (Dutch)"
    report_code = "FIDE_DUTCH"
    accelerated_code = "FIDE_DUTCH_BAKU"

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        if trace:
            from .explaining.tracing import pair_and_trace

            return pair_and_trace(tournament)
        from .pairing import pair_round

        return pair_round(tournament)

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        from .explaining.why import DutchExplainer as Dutchs

        return Dutchs(tournament, pairing)

    def compare(
        self, tournament: Tournament, published: Published, pairing: RoundPairing | None
    ) -> tuple[RoundDifference, ...]:
        from .checking import compare

        return compare(tournament, published, pairing)

    def colours(self, tournament: Tournament, one: int, other: int) -> Pair:
        from .checking import colours_of

        return colours_of(tournament, one, other)

    def concerns(self, tournament: Tournament, draft: HandMadeDraft) -> tuple[Concern, ...]:
        from .checking import concerns

        return concerns(tournament, draft)

    def relaxations(self, tournament: Tournament) -> tuple[Relaxation, ...]:
        from evenboard_engine.systems.relaxing import propose_relaxations

        from .pairing.field import DutchField

        return propose_relaxations(tournament, DutchField(tournament))

    def articles_of(self, code: str, _options: Mapping[str, str]) -> tuple[str, ...]:
        from .explaining.reasons import REASONS

        return tuple(rule.value for rule in REASONS[code])

    def preference(self, history: History) -> Preference | None:
        from evenboard_engine.preference import Preference
        from evenboard_engine.systems.colours import COLOUR_OF, colour_due

        due = colour_due(history.sides)
        return Preference(COLOUR_OF[due.side], due.strength) if due.side else None

    def decoded(self, code: str) -> Mapping[str, str] | None:
        """Return the options that a code stands for. Codes of older editions are read as 2026."""
        bare = code.removesuffix(BAKU)
        endings = ("", *EDITIONS_READ, f"_{OLDER_EDITION}")
        return {} if bare in [f"{self.report_code}{ending}" for ending in endings] else None

    def names_acceleration(self, code: str) -> bool:
        return code.endswith(BAKU) and self.decoded(code) is not None

    def older_edition(self, code: str, day: str) -> str:
        bare = code.removesuffix(BAKU)
        began_before = bool(day) and day < FIRST_DAY_OF_2026 and not bare.endswith(EDITIONS_READ)
        return OLDER_EDITION if began_before or bare.endswith(OLDER_EDITION) else ""

    def history_rules(self, _tournament: Tournament) -> HistoryRules:
        return HISTORY_RULES

    def handbook(self, _options: Mapping[str, str]) -> str:
        return HANDBOOK


DUTCH = Dutch()
