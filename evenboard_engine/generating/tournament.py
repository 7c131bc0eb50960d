"""Generate a random tournament: pair and play all its rounds, with all chance from a seed.

The same seed and settings give the same tournament on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from random import Random

from evenboard_engine.acceleration import baku, baku_group
from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.model import (
    Bye,
    ByeKind,
    Game,
    Player,
    PointSystem,
    Result,
    Tournament,
)
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.registry import offer, pair_round, system_named, system_of
from evenboard_engine.trf import Report

from .facts import half_byes_ahead, with_facts
from .report import report_of
from .results import fair_chances
from .settings import BadSettings, Settings, drawn, for_system, read_settings, refuse_barred

__all__ = ["BadSettings", "Generated", "Settings", "generate", "read_settings", "refuse_barred"]

Pair = Callable[[Tournament], RoundPairing]

_FORFEITS = (
    *(Result.WHITE_WINS_BY_FORFEIT,) * 4,
    *(Result.BLACK_WINS_BY_FORFEIT,) * 4,
    Result.DOUBLE_FORFEIT,
)
_BY_ONE_SIDE = _FORFEITS[:-1]
_UNUSUAL = (
    Result.HALF_ZERO,
    Result.ZERO_HALF,
    Result.ZERO_ZERO,
    Result.WHITE_WINS_UNRATED,
    Result.DRAW_UNRATED,
    Result.BLACK_WINS_UNRATED,
)


@dataclass(frozen=True, slots=True)
class Generated:
    """A generated tournament.

    report: as in a report file. tournament: as values, with `round` after the last round played.
    rounds: how many could be paired. planned: how many should be played.
    """

    report: Report
    tournament: Tournament
    rounds: int
    planned: int


def generate(seed: str, settings: Settings | None = None, *, pair: Pair = pair_round) -> Generated:
    """Return the tournament of a seed. It ends early if a round has no pairing and no offer, or fewer than two players.

    pair: the function that pairs each round. bench/endorse_tournament.py passes one that also checks the round.
    """
    rng = Random(seed)  # noqa: S311 a game of chance, not a secret
    chosen = for_system(settings or Settings(), drawn(settings or Settings(), rng))
    play = _Play(rng, chosen, Random(f"{seed} facts"))  # noqa: S311 the same
    assert chosen.rounds is not None
    for number in range(1, chosen.rounds + 1):
        if not play.round(number, pair):
            break
    if system_of(play.tournament).fixed_rounds:
        play.tournament = replace(play.tournament, absent=frozenset(play.gone))
    return Generated(
        report_of(seed, play.settings, play.tournament),
        play.tournament,
        play.tournament.round - 1,
        chosen.rounds,
    )


@dataclass
class _Play:
    """A tournament that is being played. tournament.round: the round to pair next. facts: chance for `facts.py`."""

    rng: Random
    settings: Settings
    facts: Random
    tournament: Tournament = field(init=False)
    arrival: dict[int, int] = field(init=False)
    gone: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        settings, rng = self.settings, self.rng
        assert settings.players is not None
        assert settings.rounds is not None
        system = system_named(settings.system)
        players = tuple(Player(i, i, rating) for i, rating in enumerate(self._ratings(), start=1))
        self.tournament = Tournament(
            rounds=settings.rounds,
            round=1,
            players=with_facts(players, system, self.facts),
            forbidden=self._forbidden(settings.players),
            initial_colour=settings.initial_colour,
            points=_point_system(settings),
            system=system.code,
            options=system.checked({**system.options_on(""), **settings.options}),
        )
        last = min(4, settings.rounds)
        self.arrival = {
            player.id: rng.randint(2, last) if last > 1 and self._once_in(settings.late) else 1
            for player in players
        }
        ahead = tuple(half_byes_ahead(self.arrival, system, settings, self.facts))
        self.tournament = replace(self.tournament, byes=ahead)

    def _once_in(self, rate: float | None) -> bool:
        return bool(rate) and self.rng.random() * (rate or 1) < 1

    def _ratings(self) -> Iterable[int]:
        settings = self.settings
        if settings.ratings:
            return sorted(settings.ratings, reverse=True)
        assert settings.players is not None
        assert settings.highest is not None
        assert settings.lowest is not None
        # The mean of two random numbers puts most players in the middle of the field
        span = settings.highest - settings.lowest
        return sorted(
            (
                settings.lowest + (self.rng.randint(0, span) + self.rng.randint(0, span)) // 2
                for _ in range(settings.players)
            ),
            reverse=True,
        )

    def _forbidden(self, players: int) -> frozenset[tuple[int, int]]:
        wanted = min(self.settings.forbidden or 0, players * (players - 1) // 4)
        pairs: set[tuple[int, int]] = set()
        while len(pairs) < wanted:
            one, other = self.rng.randint(1, players), self.rng.randint(1, players)
            if one != other:
                pairs.add((min(one, other), max(one, other)))
        return frozenset(pairs)

    def round(self, number: int, pair: Pair) -> bool:
        """Pair and play a round. Returns False, and changes nothing, if the round cannot be paired."""
        byes, absent = self._away(number)
        away = absent | {bye.player for bye in (*self.tournament.byes, *byes) if bye.round == number}
        present = len(self.tournament.players) - len(away)
        asked = replace(
            self.tournament, round=number, byes=self.tournament.byes + byes, absent=frozenset(absent)
        )
        if present < 2:
            return False
        if number == 1 and self.settings.accelerated:
            virtual = baku(baku_group(asked.players, away), rounds=asked.rounds, win=self.settings.win)
            asked = replace(asked, accelerations=virtual)
        try:
            pairing = pair(asked)
        except NoLegalPairing:
            offered = offer(asked)  # an arbiter would take it over
            if offered is None:
                return False
            pairing = offered.pairing
        system = system_of(asked)
        rating = {player.id: player.rating for player in asked.players}
        games = tuple(
            Game(
                number,
                one.white,
                one.black,
                system.forfeit(asked, one.white, one.black)
                or self._result(rating[one.white], rating[one.black]),
            )
            for one in pairing.pairs
        )
        allocated = () if pairing.bye is None else (Bye(number, pairing.bye, ByeKind.ALLOCATED),)
        self.tournament = replace(
            asked,
            round=number + 1,
            games=asked.games + games,
            byes=asked.byes + allocated,
            absent=frozenset(),
        )
        return True

    def _away(self, number: int) -> tuple[tuple[Bye, ...], set[int]]:
        """Return the byes that are requested for a round now, and the players who are absent without a bye.

        A player with a bye that was requested before stays until then.
        """
        settings = self.settings
        byes, absent = [], set()
        ahead = {bye.player for bye in self.tournament.byes if bye.round >= number}
        here = {bye.player for bye in self.tournament.byes if bye.round == number}
        kinds = (
            (ByeKind.HALF, 0 if system_of(self.tournament).looks_ahead else settings.half_byes),
            (ByeKind.ZERO, settings.zero_byes),
            (ByeKind.FULL, settings.full_byes),
        )
        for player in self.tournament.players:
            retires = number > self.arrival[player.id] and self._once_in(settings.retirements)
            if retires and player.id not in ahead:
                self.gone.add(player.id)
            if player.id in self.gone or number < self.arrival[player.id]:
                absent.add(player.id)
                continue
            kind = next((kind for kind, rate in kinds if self._once_in(rate)), None)
            if kind is not None and player.id not in here:
                byes.append(Bye(number, player.id, kind))
        return tuple(byes), absent

    def _result(self, white: int, black: int) -> Result:
        settings, rng = self.settings, self.rng
        if settings.double_forfeits is not None and self._once_in(settings.double_forfeits):
            return Result.DOUBLE_FORFEIT
        if self._once_in(settings.forfeits):
            return rng.choice(_FORFEITS if settings.double_forfeits is None else _BY_ONE_SIDE)
        if self._once_in(settings.unusual):
            return rng.choice(_UNUSUAL)
        odds = fair_chances(white, black)
        if settings.draws is not None:
            odds = odds.with_draws(settings.draws / 100)
        thrown = rng.random()
        if thrown < odds.white:
            return Result.WHITE_WINS
        return Result.DRAW if thrown < odds.white + odds.draw else Result.BLACK_WINS


def _point_system(settings: Settings) -> PointSystem:
    assert settings.allocated_bye is not None
    return PointSystem(
        white_win=settings.win,
        black_win=settings.win,
        white_draw=settings.draw,
        black_draw=settings.draw,
        white_loss=settings.loss,
        black_loss=settings.loss,
        forfeit_win=settings.win,
        forfeit_loss=settings.forfeit_loss,
        allocated_bye=settings.allocated_bye,
        full_bye=settings.win,
        half_bye=settings.draw,
        zero_bye=settings.zero_bye,
    )
