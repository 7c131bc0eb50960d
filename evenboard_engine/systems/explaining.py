"""The questions of one player, as each Swiss system answers them: what is the same before its own rules decide."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from functools import cached_property

from evenboard_engine.model import Tournament
from evenboard_engine.trace import BracketTrace, PairTrace, PlayerExplanation, Reason, RoundTrace, WhyAnswer


class SwissExplainer(ABC):
    """Answers questions about one round: `evenboard_engine.systems.system.Explainer`. trace: set by the system.

    Questions raise KeyError for a player who is not in the tournament.
    """

    trace: RoundTrace

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self._known = frozenset(player.id for player in tournament.players)

    @abstractmethod
    def is_here(self, player: int) -> bool:
        """Return whether a player takes part in this round."""

    @abstractmethod
    def answers(self, player: int, pair: PairTrace, opponent: int) -> Iterator[WhyAnswer]:
        """Yield the answers for a player who has a game."""

    @abstractmethod
    def obstacle(self, player: int, other: int) -> Reason | None:
        """Return why two players must not meet; None if they may."""

    @abstractmethod
    def decision(self, player: int, other: int) -> Reason:
        """Return what was decided before two players who may meet, and have other opponents."""

    @abstractmethod
    def why_no_bye(self, player: int, holder: int) -> Reason:
        """Return why another player has the bye."""

    def bye_given(self, player: int) -> Reason:
        """Return why this player has the bye."""
        return Reason("bye_given", {"player": player})

    @cached_property
    def _rows(self) -> dict[int, tuple[BracketTrace, PairTrace]]:
        return {
            key: (bracket, pair)
            for bracket in self.trace.brackets
            for pair in bracket.pairs
            for key in (pair.first, pair.second)
        }

    def pair_of(self, player: int) -> PairTrace | None:
        return self._rows[player][1] if player in self._rows else None

    def bracket_of(self, player: int) -> BracketTrace | None:
        return self._rows[player][0] if player in self._rows else None

    def player(self, player: int) -> PlayerExplanation:
        """Return the answers for a player."""
        if (absent := self._absent(player)) is not None:
            return PlayerExplanation(player, None, (WhyAnswer("not_paired", (absent,)),))
        pair, bye = self.pair_of(player), self.trace.bye
        if pair is None:
            reasons = (self.bye_given(player), *bye.reasons, *(passed.reason for passed in bye.passed))
            return PlayerExplanation(player, None, (WhyAnswer("bye", reasons),))
        opponent = pair.second if player == pair.first else pair.first
        return PlayerExplanation(player, opponent, tuple(self.answers(player, pair, opponent)))

    def why_not(self, player: int, other: int) -> Reason:
        """Return why two players do not meet: what the pair would break, or the earlier decision.

        Raises ValueError if both are the same player.
        """
        if player == other:
            raise ValueError("a player cannot meet himself")
        both = (player, other)
        for key in both:
            if (absent := self._absent(key)) is not None:
                return absent
        pair = self.pair_of(player)
        if pair is not None and other in (pair.first, pair.second):
            return Reason("paired", {"player": player, "other": other})
        if (obstacle := self.obstacle(player, other)) is not None:
            return obstacle
        if self.trace.bye.player in both:
            return Reason("has_bye", {"player": self.trace.bye.player})
        return self.decision(player, other)

    def why_not_bye(self, player: int) -> Reason:
        """Return why a player does not have the bye: what excludes the player, or what puts another one first."""
        holder = self.trace.bye.player
        if holder is None:
            return Reason("bye_none", {})
        if player == holder:
            return self.bye_given(player)
        return self._absent(player) or self.why_no_bye(player, holder)

    def _absent(self, player: int) -> Reason | None:
        if self.is_here(player):
            return None
        if player not in self._known:
            raise KeyError(player)
        return Reason("not_here", {"player": player})
