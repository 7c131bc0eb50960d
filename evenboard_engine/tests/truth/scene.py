"""A sentence is recognised by its words and read back; the scene has the facts of the oracle about its round."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cached_property
from itertools import chain

from evenboard_engine import Game, Tournament, pair_round
from evenboard_engine.systems.dubov.explaining.why import DubovExplainer
from evenboard_engine.tests.brute_force import (
    Field,
    is_to_be_paired,
    read_history,
    shifts,
    subgroups,
)
from evenboard_engine.tests.brute_history import Entrant, is_played
from evenboard_engine.trace import BracketTrace
from evenboard_engine.words.dubov.words import DubovWords
from evenboard_engine.words.explanation import Statement

WORDS = DubovWords(lambda key: f"P{key}", tournament=Tournament(rounds=1, round=1, players=()))

LISTS = ("players", "stuck", "opponents", "passers", "others", "numbers")


def ids(text: str) -> list[int]:
    return [int(number) for number in re.findall(r"P(\d+)", text)]


class Scene:
    """The facts of the oracle about a round, and about the bracket of a sentence."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.pairing = pair_round(tournament)
        self.explainer = DubovExplainer(tournament, self.pairing)
        self.history = read_history(tournament)
        self.here = [self.history[p.id] for p in tournament.players if is_to_be_paired(tournament, p)]
        self.oracle = Field(tournament, self.here)
        self.colours = {pair.white: "W" for pair in self.pairing.pairs}
        self.colours |= {pair.black: "B" for pair in self.pairing.pairs}
        self.bracket: BracketTrace | None = None

    def statements(self) -> Iterable[tuple[Statement, BracketTrace | None]]:
        """Yield all sentences about the bye, each bracket and each player, and "Why not?" for each two players."""
        trace = self.explainer.trace
        for statement in (*WORDS.bye(trace.bye), *chain(*WORDS.lead_of_round(trace))):
            yield statement, None
        for bracket in trace.brackets:
            for statement in (*WORDS.bracket(bracket), *chain(*WORDS.lead_of_bracket(bracket))):
                yield statement, bracket
        for player in self.tournament.players:
            bracket_of = self.explainer.bracket_of(player.id)
            yield WORDS.reason(self.explainer.why_not_bye(player.id)), None
            explanation, pair = self.explainer.player(player.id), self.explainer.pair_of(player.id)
            if pair is not None and bracket_of is not None:
                for statement in chain(*WORDS.lead_of_pair(explanation, bracket_of, pair)):
                    yield statement, bracket_of
            for answer in explanation.answers:
                for statement in WORDS.reasons(answer.reasons):
                    yield statement, bracket_of
            for other in self.tournament.players:
                if player.id < other.id:
                    yield (
                        WORDS.reason(self.explainer.why_not(player.id, other.id)),
                        self.above(player.id, other.id),
                    )

    def above(self, *players: int) -> BracketTrace | None:
        """Return the higher one of the brackets of these players."""
        brackets = [self.explainer.bracket_of(player) for player in players]
        return max(
            (bracket for bracket in brackets if bracket), key=lambda bracket: bracket.score, default=None
        )

    @staticmethod
    def one(values: dict[str, str]) -> int:
        return ids(values["player"])[0]

    @staticmethod
    def two(values: dict[str, str]) -> int:
        return ids(values["other"])[0]

    @property
    def now(self) -> BracketTrace:
        assert self.bracket is not None
        return self.bracket

    @property
    def remaining(self) -> list[Entrant]:
        """The players who were not paired before this bracket."""
        brackets = self.explainer.trace.brackets
        later = brackets[brackets.index(self.now) :]
        keys = {key for bracket in later for pair in bracket.pairs for key in (pair.first, pair.second)}
        return [player for player in self.here if player.id in keys]

    @property
    def residents(self) -> list[Entrant]:
        top = max(player.score for player in self.remaining)
        return [player for player in self.remaining if player.score == top]

    @property
    def members(self) -> list[Entrant]:
        return [self.history[key] for pair in self.now.pairs for key in (pair.first, pair.second)]

    @property
    def s1(self) -> list[int]:
        return [pair.first for pair in self.now.pairs]

    @property
    def t2(self) -> list[int]:
        return [pair.second for pair in self.now.pairs]

    @property
    def order(self) -> list[int]:
        return sorted(self.t2, key=lambda key: self.history[key].tpn)

    @property
    def shifts(self) -> tuple[tuple[Entrant, ...], tuple[Entrant, ...]]:
        return shifts(self.oracle, *subgroups(self.members))

    @cached_property
    def games(self) -> dict[frozenset[int], list[Game]]:
        """The games over the board, by their players."""
        played: dict[frozenset[int], list[Game]] = {}
        for game in sorted(self.tournament.games, key=lambda game: game.round):
            if is_played(game):
                played.setdefault(frozenset((game.white, game.black)), []).append(game)
        return played

    def met(self, one: int, other: int) -> bool:
        return frozenset((one, other)) in self.games

    def colour_in(self, player: int, number: int) -> str:
        """Return "W" or "B" for a game over the board in a round."""
        (game,) = [
            g for both, games in self.games.items() for g in games if player in both and g.round == number
        ]
        return "W" if game.white == player else "B"

    def rounds_of(self, player: int) -> list[int]:
        """Return the rounds that a player has played, the last one first."""
        return sorted(
            (g.round for both, gs in self.games.items() for g in gs if player in both), reverse=True
        )

    def due(self, player: int) -> str:
        return self.history[player].preference[0]

    def can_be_paired(self, first: int, second: int) -> bool:
        """Return whether the row of `first` and all later rows can be paired if `first` meets `second`."""
        row = self.s1.index(first)
        left = frozenset(self.t2[row:]) - {second}
        legal = second in self.oracle.partners[first]
        return legal and self.oracle.best_across(self.s1[row + 1 :], left, {}) is not None

    def passers(self, second: int) -> list[int]:
        """Return the players of S1 in earlier rows than `second` who met a player after `second` in the order of G2."""
        order = self.order
        rows = zip(self.s1[: self.t2.index(second)], self.t2, strict=False)
        return [first for first, taken in rows if order.index(taken) > order.index(second)]


Values = dict[str, str]

Check = Callable[[Scene, Values], bool]

CHECKS: dict[str, Check] = {}


def check(*codes: str) -> Callable[[Check], Check]:
    def keep(test: Check) -> Check:
        CHECKS.update(dict.fromkeys(codes, test))
        return test

    return keep
