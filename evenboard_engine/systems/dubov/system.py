"""The Dubov System as a `PairingSystem`. Each part is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evenboard_engine.history import History, HistoryRules
from evenboard_engine.model import Tournament
from evenboard_engine.result import Pair, Relaxation, RoundPairing
from evenboard_engine.systems.system import PairingSystem

from .options import EDITION, UPFLOATS, Edition, UpfloatCount, edition_in_force, edition_of, history_rules

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.preference import Preference
    from evenboard_engine.systems.system import Explainer

HANDBOOK = "https://handbook.fide.com/chapter/C040401202602"
OLDER_EDITIONS = "https://handbook.fide.com/chapter/C040401"
EDITION_COMMENT = "### C.04.4.1 Dubov System, edition of"
UPFLOATS_COMMENT = "### Upfloats of forfeited games:"
_COUNTED = {UpfloatCount.PAIRED: "count", UpfloatCount.PLAYED: "do not count"}


class Dubov(PairingSystem):
    """The Dubov System, FIDE Handbook C.04.4.1."""

    code = "dubov"
    regulation = "C.04.4.1"
    options = (EDITION, UPFLOATS)
    lists = ("aro",)
    first_tie_breaks = suggested_tie_breaks = "ARO,DE,BH/C1,BH"  # no starting number decides a place
    reads_floats = True
    report_name = "Individual: Swiss System (Dubov)"
    report_code = "FIDE_DUBOV"
    accelerated_code = "FIDE_DUBOV_BAKU"

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        if trace:
            from .explaining.tracing import pair_and_trace

            return pair_and_trace(tournament)
        from .pairing import pair_round

        return pair_round(tournament)

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        from .explaining.why import DubovExplainer as Dubovs

        return Dubovs(tournament, pairing)

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

        from .pairing.field import DubovField

        return propose_relaxations(tournament, DubovField(tournament))

    def articles_of(self, code: str, options: Mapping[str, str]) -> tuple[str, ...]:
        from .articles import DubovRule, cited
        from .explaining.reasons import REASONS, STEPS

        rules = STEPS[code] if code in STEPS else tuple(map(DubovRule, REASONS[code][0]))
        return tuple(cited(rule, edition_of(options)) for rule in rules)

    def preference(self, history: History) -> Preference:
        from .pairing.preferences import preference

        return preference(history)

    def upfloat_limit(self, rounds: int) -> int:
        from .pairing.preferences import maximum_upfloats

        return maximum_upfloats(rounds)

    def history_rules(self, tournament: Tournament) -> HistoryRules:
        return history_rules(tournament)

    def options_on(self, day: str) -> Mapping[str, str]:
        return {EDITION.name: edition_in_force(day).value}

    def handbook(self, options: Mapping[str, str]) -> str:
        latest = edition_of(self.checked(options)) is Edition.E2026
        return HANDBOOK if latest else OLDER_EDITIONS

    def comments(self, options: Mapping[str, str]) -> tuple[str, ...]:
        chosen = self.checked(options)
        counted = _COUNTED[UpfloatCount(chosen[UPFLOATS.name])]
        return f"{EDITION_COMMENT} {chosen[EDITION.name]}", f"{UPFLOATS_COMMENT} {counted}"

    def option_in(self, comment: str) -> tuple[str, str] | None:
        if comment.startswith(EDITION_COMMENT):
            edition = comment[len(EDITION_COMMENT) :].strip()
            return (EDITION.name, edition) if edition in tuple(Edition) else None
        if comment.startswith(UPFLOATS_COMMENT):
            words = {word: count for count, word in _COUNTED.items()}
            counted = words.get(comment[len(UPFLOATS_COMMENT) :].strip())
            return (UPFLOATS.name, counted.value) if counted else None
        return None


DUBOV = Dubov()
