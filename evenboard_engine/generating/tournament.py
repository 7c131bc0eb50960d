"""Generate a random tournament: pair and play all its rounds, with all chance from a seed.

The same seed and settings give the same tournament on every machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from evenboard_engine.acceleration import baku, baku_group
from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.history import without_games_of
from evenboard_engine.model import RESULTS, Bye, ByeKind, Flag, Game, Player, PointSystem, Result, Tournament
from evenboard_engine.result import RoundPairing
from evenboard_engine.systems.registry import offer, pair_round, system_named, system_of
from evenboard_engine.systems.system import PairingSystem
from evenboard_engine.tiebreaks import ranking, read_list
from evenboard_engine.tiebreaks.ratings import expected
from evenboard_engine.trf import (
    AnnouncedBye,
    KeptLine,
    Leaver,
    PlayerRecord,
    Prohibition,
    Record,
    Report,
    TextRecord,
    entries_before,
    fact_lines,
    head_records,
    reading_lines,
    scoring_records,
    system_lines,
)

from .settings import (
    BadSettings,
    GeneratorSettings,
    drawn,
    for_system,
    read_settings,
    refuse_barred,
    tie_breaks_by_chance,
)

# Compute the probability of each result of a game from the players' ratings, for generated tournaments.
#
# Source: O. Milvang, Probability for the outcome of a chess game based on rating (2015), which FIDE's
# technical commission names for random tournament generators. Each side's probability to win is a curve of
# two parabolas that meet at a centre; it rises from 0 at the lower end to 1 at the upper end. The rest is the
# probability of a draw.
#
# The model was fitted to real games, in which weaker players score more than the rating table predicts. FIDE
# requires generated results that leave ratings unchanged on average. So `fair_chances` takes the expected
# score from the table (B.02, 8.1.2), and the advantage of White and the share of draws from the model.

MAX_DIFFERENCE = 400
"""The largest difference that counts for ratings (B.02, 8.3.1)."""


@dataclass(frozen=True, slots=True)
class Chances:
    """Probabilities of White's win, a draw and Black's win; they add up to 1."""

    white: float
    draw: float
    black: float

    @property
    def expected(self) -> float:
        """The expected score of White."""
        return self.white + self.draw / 2

    def with_draws(self, share: float) -> Chances:
        """Return chances with this share of draws, or as many as the unchanged expected score allows."""
        return _of(self.expected, share)


def fair_chances(white: int, black: int) -> Chances:
    """Return chances with which both players keep their ratings on average, if each has White equally often."""
    model = chances(white, black)
    of_white = (model.expected + chances(black, white).expected - 1) / 2
    difference = max(-MAX_DIFFERENCE, min(MAX_DIFFERENCE, white - black))
    return _of(expected(difference) / 100 + of_white, model.draw)


def _of(score: float, draws: float) -> Chances:
    """Return chances with this expected score and share of draws, or as many draws as the score allows."""
    score = max(0.0, min(1.0, score))
    draw = min(draws, 2 * score, 2 * (1 - score))
    white = score - draw / 2
    return Chances(white, draw, 1 - white - draw)


def chances(white: int, black: int) -> Chances:
    """Return the model's chances for two ratings (Elo)."""
    mean, difference = (white + black) / 2, float(white - black)
    above = max(0.0, (mean - 1200) / 1200) ** 2
    white_wins = _rising(difference, -1492 + 0.391 * mean, 40.0, 1691 - 0.428 * mean, 0.45 - 0.10 * above)
    black_wins = _rising(-difference, -1428 + 0.388 * mean, 80.0, 1753 - 0.416 * mean, 0.46 - 0.13 * above)
    return Chances(white_wins, max(0.0, 1 - white_wins - black_wins), black_wins)


def _rising(x: float, lower: float, centre: float, upper: float, value: float) -> float:
    """Return a rising curve at x: 0 up to `lower`, `value` at `centre`, 1 from `upper`."""
    if x <= lower:
        return 0.0
    if x >= upper:
        return 1.0
    if x <= centre:
        return value * ((x - lower) / (centre - lower)) ** 2
    return 1 - (1 - value) * ((x - upper) / (centre - upper)) ** 2


# What only some pairing systems ask of players, by chance: no rating, teams, clubs, flags, byes of later
# rounds.
#
# The chance comes from a second source, so the tournaments of other systems do not depend on it.

ONE_IN = {Flag.KEEP: 15, Flag.NEW: 20, Flag.LATE: 30}
UNRATED_AT_MOST = 6  # one in this many
SIZE_OF_TEAM = 4


def with_facts(players: Sequence[Player], system: PairingSystem, rng: Random) -> tuple[Player, ...]:
    """Return players with the facts that the system asks for. The last ones are unrated, if it takes such players."""
    asked = set(system.player_facts)
    first_unrated = len(players)
    if system.takes_unrated:
        first_unrated -= rng.randint(0, len(players) // UNRATED_AT_MOST)
    groups = max(2, len(players) // SIZE_OF_TEAM)
    found = []
    for place, player in enumerate(players):
        team, club = (f"{word} {rng.randint(1, groups)}" for word in ("Team", "Club"))
        flags = frozenset(flag for flag, rate in ONE_IN.items() if rng.randrange(rate) == 0 and flag in asked)
        found.append(
            replace(
                player,
                rating=player.rating if place < first_unrated else 0,
                team=team if "team" in asked else "",
                club=club if "club" in asked else "",
                flags=flags,
            )
        )
    return tuple(found)


def half_byes_ahead(
    arrival: Mapping[int, int], system: PairingSystem, settings: GeneratorSettings, rng: Random
) -> Iterator[Bye]:
    """Yield all half-point byes of a tournament, if its system looks ahead. arrival: first round, by player."""
    if not (system.looks_ahead and settings.half_byes):
        return
    for player, first in arrival.items():
        for number in range(first, (settings.rounds or 0) + 1):
            if rng.random() * settings.half_byes < 1:
                yield Bye(number, player, ByeKind.HALF)


# The tournament, round by round.


__all__ = ["BadSettings", "Generated", "GeneratorSettings", "generate", "read_settings", "refuse_barred"]

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


def generate(seed: str, settings: GeneratorSettings | None = None, *, pair: Pair = pair_round) -> Generated:
    """Return the tournament of a seed. It ends early if a round has no pairing and no offer, or fewer than two players.

    pair: the function that pairs each round. bench/endorse.py passes one that also checks the round.
    """
    rng = Random(seed)  # noqa: S311 a game of chance, not a secret
    chosen = for_system(settings or GeneratorSettings(), drawn(settings or GeneratorSettings(), rng))
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
    """A tournament that is being played. tournament.round: the round to pair next. facts: a second source of chance."""

    rng: Random
    settings: GeneratorSettings
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


def _point_system(settings: GeneratorSettings) -> PointSystem:
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


# Make a report file of a generated tournament.


def report_of(seed: str, settings: GeneratorSettings, tournament: Tournament) -> Report:
    """Return the report of a tournament that was played up to the round before `tournament.round`.

    Its ranks follow the tie-breaks of its record 212. Players who are still tied after all of them share a rank.
    tournament.absent: where rounds are fixed, the players who have left. Those whose games do not count have no rank.
    """
    system = system_of(tournament)
    codes = settings.tie_breaks
    if codes is None:
        chance = Random(f"{seed} tie-breaks")  # noqa: S311 a game of chance, not a secret
        codes = tie_breaks_by_chance(chance, system.barred_tie_breaks)
    tie_breaks = ",".join(("PTS", *codes))
    head: tuple[Record, ...] = (
        TextRecord("012", f"Random tournament, seed {seed}"),
        TextRecord("062", str(len(tournament.players))),
        TextRecord("072", str(sum(player.rating > 0 for player in tournament.players))),
        *head_records(tournament),
        *scoring_records(tournament.points),
        TextRecord("182", "Evenboard"),
        TextRecord("192", system.coded(tournament.options, accelerated=bool(tournament.accelerations))),
        TextRecord("212", tie_breaks),
        *(Prohibition(pair) for pair in sorted(tournament.forbidden)),
        *_readings(settings, tournament),
        *fact_lines(tournament.players, system.player_facts),
        *_announced(tournament),
        *_leavers(tournament),
    )
    players = _player_records(tournament)
    sums = Report((*head, *players))
    rank, place = {}, 1
    uncounted = system.uncounted(tournament).keys()
    among = [player.id for player in tournament.players if player.id not in uncounted]
    counted = without_games_of(tournament, uncounted)
    for group in ranking(counted, read_list(tie_breaks), among=among).groups:
        rank.update(dict.fromkeys(group, place))
        place += len(group)
    return Report(
        (
            *head,
            *(
                replace(player, points=sums.scores(player)[0], rank=rank.get(player.starting_rank))
                for player in players
            ),
        )
    )


def _readings(settings: GeneratorSettings, tournament: Tournament) -> Iterable[KeptLine]:
    """Return comments for the system, and for its options if the settings choose one: no record has them."""
    lines_of = reading_lines if settings.options else system_lines
    return map(KeptLine, lines_of(tournament.system, tournament.options))


def _announced(tournament: Tournament) -> Iterable[AnnouncedBye]:
    """Yield the byes of rounds that were not played."""
    later = [bye for bye in tournament.byes if bye.round >= tournament.round]
    for number in sorted({bye.round for bye in later}):
        yield AnnouncedBye(ByeKind.HALF, number, tuple(bye.player for bye in later if bye.round == number))


def _leavers(tournament: Tournament) -> Iterable[KeptLine]:
    """Yield a comment for each player who has left, after the last round that the player played."""
    for player in sorted(tournament.absent):
        played = (
            game.round
            for game in tournament.games
            if player in (game.white, game.black) and RESULTS[game.result].played
        )
        yield KeptLine(str(Leaver(max(played, default=0), player, expelled=False)))


def _player_records(tournament: Tournament) -> list[PlayerRecord]:
    entries = entries_before(tournament)
    return [
        PlayerRecord(
            player.tpn,
            name=f"Player {player.tpn:04}",
            rating=player.rating or None,
            entries=entries[player.id],
        )
        for player in tournament.players
    ]
