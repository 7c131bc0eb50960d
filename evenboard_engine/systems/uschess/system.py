"""US Chess pairing with WinTD's float decisions as a `PairingSystem`. Each part is loaded when it is first used."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from evenboard_engine.history import History, HistoryRules
from evenboard_engine.model import Colour, Flag, Tournament
from evenboard_engine.result import Pair, Relaxation, RoundPairing
from evenboard_engine.systems.system import PairingSystem

from .options import CLUB_RULE, OPTIONS, TEAM_RULE

if TYPE_CHECKING:
    from evenboard_engine.findings import Concern, HandMadeDraft, Published, RoundDifference
    from evenboard_engine.preference import Preference
    from evenboard_engine.systems.system import Explainer

    from .field import UsChessRound
    from .pairing import UsChessWork


class UsChess(PairingSystem):
    """The Swiss system of the US Chess rules, 27 to 29, with the float decisions of WinTD (docs/uschess.md)."""

    code = "uschess"
    regulation = "US Chess 27-29"
    options = OPTIONS
    lists = ("standings",)  # the wall chart
    takes_unrated = True
    of_fide = False
    player_facts = ("team", "club", *Flag)
    looks_ahead = True
    first_tie_breaks = "OTHER_MODMED,OTHER_SOLKOFF,OTHER_CUM"
    report_name = "Individual: US Chess Swiss with WinTD's float decisions"
    report_code = "CUSTOM_SWISS"
    accelerated_code = ""

    def pair(self, tournament: Tournament, *, trace: bool = False) -> RoundPairing:
        from .field import read_round

        reading = read_round(tournament)
        pairing, work = _paired(reading)
        if not trace:
            return pairing
        from dataclasses import replace

        from .explaining.tracing import UsChessExplainer

        return replace(pairing, trace=UsChessExplainer(tournament, pairing, (reading, work)).trace)

    def explain(self, tournament: Tournament, pairing: RoundPairing) -> Explainer:
        from .explaining.tracing import UsChessExplainer

        return UsChessExplainer(tournament, pairing)

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
        from .pairing import propose_relaxations

        return propose_relaxations(tournament)

    def keeps_apart(self, options: Mapping[str, str]) -> frozenset[str]:
        rules = {"team": TEAM_RULE, "club": CLUB_RULE}
        return frozenset(fact for fact, rule in rules.items() if rule.text(options) != rule.default)

    def articles_of(self, code: str, _options: Mapping[str, str]) -> tuple[str, ...]:
        from .articles import articles_of

        return articles_of(code)

    def preference(self, history: History) -> Preference | None:
        from evenboard_engine.preference import Preference

        from .colours import BLACK, WHITE, state_of

        state = state_of("".join(WHITE if one is Colour.WHITE else BLACK for one in history.colours))
        if not state.due:
            return None
        return Preference(Colour.WHITE if state.due == WHITE else Colour.BLACK)

    def history_rules(self, _tournament: Tournament) -> HistoryRules:
        return HistoryRules(win_points_bar=False, full_bye_bars=True)


def _paired(reading: UsChessRound) -> tuple[RoundPairing, UsChessWork]:
    from evenboard_engine.errors import NoLegalPairing

    from .pairing import work_on

    try:
        work = work_on(reading.field, reading.occasion)
    except NoLegalPairing as error:
        ids = sorted(reading.place_of, key=lambda key: reading.field.entrants[reading.place_of[key]].number)
        raise NoLegalPairing(error.code, players=tuple(ids)) from error
    ids_of = reading.ids
    pairs = tuple(Pair(ids_of[white], ids_of[black], rule) for white, black, rule in work.boards)
    bye = None if work.bye is None else ids_of[work.bye]
    return RoundPairing(reading.tournament.round, pairs, bye), work


US_CHESS = UsChess()
