"""The Dubov System of 1997 as a `PairingSystem`. Each part is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from evenboard_engine.history import History, HistoryRules
from evenboard_engine.model import Tournament
from evenboard_engine.result import Offer, Pair, Relaxation, RoundPairing
from evenboard_engine.systems.system import PairingSystem

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.preference import Preference
    from evenboard_engine.systems.system import Explainer


class Dubov1997(PairingSystem):
    """The Dubov System as approved by the FIDE General Assembly of 1997 (manual/chapters/68-dubov-1997.md)."""

    code = "dubov-1997"
    regulation = "Dubov System of 1997"
    lists = ("aro",)
    first_tie_breaks = suggested_tie_breaks = "ARO,DE,BH/C1,BH"  # no starting number decides a place
    takes_unrated = True
    wants_estimates = True
    rounds_aro = False
    may_stop = True
    reads_floats = True
    report_name = "Individual: Swiss System (Dubov 1997)"
    report_code = "CUSTOM_SWISS"
    accelerated_code = ""

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        from .rounds import paired_sheet, pairing_of

        sheet = paired_sheet(tournament)
        pairing = pairing_of(sheet)
        if not trace:
            return pairing
        from .explaining.why import Dubov1997Explainer as Explains

        return replace(pairing, trace=Explains(tournament, pairing, sheet).trace)

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        from .explaining.why import Dubov1997Explainer as Explains

        return Explains(tournament, pairing)

    def offer(self, tournament: Tournament) -> Offer | None:
        from .explaining.dead_ends import broken_by_offer, reasons_of_offer
        from .pairing import pair
        from .pairing.field import field_of
        from .pairing.offer import offer_for
        from .rounds import offered_pairing

        sheet = pair(field_of(tournament))
        offered = offer_for(sheet) if sheet.where else None
        if offered is None:
            return None
        pairing = offered_pairing(sheet, offered)
        return Offer(pairing, reasons_of_offer(sheet, offered), broken_by_offer(sheet.field, offered))

    def relaxations(self, tournament: Tournament) -> tuple[Relaxation, ...]:
        from .explaining.dead_ends import propose_relaxations

        return propose_relaxations(tournament)

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

    def articles_of(self, code: str, _options: Mapping[str, str]) -> tuple[str, ...]:
        from .explaining.reasons import REASONS

        return tuple(rule.value for rule in REASONS[code])

    def preference(self, history: History) -> Preference | None:
        from .pairing.field import preference

        return preference(history)

    def upfloat_limit(self, rounds: int) -> int:
        from .pairing.field import most_rises

        return most_rises(rounds)

    def history_rules(self, _tournament: Tournament) -> HistoryRules:
        from .pairing.field import HISTORY_RULES

        return HISTORY_RULES


DUBOV_1997 = Dubov1997()
