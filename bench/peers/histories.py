"""Make tournaments with a plausible history, and their report files: the questions for every engine.

Our engine pairs the rounds and results follow the playing strength, so the histories are typical of the Dubov System.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from random import Random

from evenboard_engine import (
    RESULTS,
    Bye,
    ByeKind,
    Colour,
    Game,
    NoLegalPairing,
    Player,
    Result,
    Tournament,
    pair_round,
)
from evenboard_engine.systems.registry import DEFAULT_SYSTEM
from evenboard_engine.trf import Configuration, PlayerRecord, Record, Report, RoundEntry, Rounds, write_report

FIRST_DRAWS = 0.35


@dataclass(frozen=True, slots=True)
class Habits:
    """Probabilities that a game is forfeited, and that a player takes a bye of each kind or withdraws."""

    forfeit: float = 0.004
    half_bye: float = 0.008
    full_bye: float = 0.0
    withdrawal: float = 0.002


OPEN = Habits()
UNRULY = Habits(forfeit=0.04, half_bye=0.04, full_bye=0.02, withdrawal=0.01)


def tournaments(
    size: int,
    rounds: int,
    seed: int,
    *,
    wanted: Collection[int],
    habits: Habits = OPEN,
    system: str = DEFAULT_SYSTEM,
) -> Iterator[Tournament]:
    """Yield the tournament of this seed as it is before each of the wanted rounds.

    size: players at the start. Ends early if a round cannot be paired legally.
    """
    rng = Random(seed)
    ratings = sorted((min(2850, max(1000, round(rng.gauss(1900, 260)))) for _ in range(size)), reverse=True)
    tournament = Tournament(
        rounds=rounds,
        round=1,
        players=tuple(Player(i, i, rating) for i, rating in enumerate(ratings, start=1)),
        initial_colour=rng.choice((Colour.WHITE, Colour.BLACK)),
        system=system,
    )
    gone: set[int] = set()
    for number in range(1, max(wanted) + 1):
        byes = tuple(_byes(rng, habits, size, number, rounds, gone))
        tournament = replace(tournament, round=number, byes=tournament.byes + byes)
        if number in wanted:
            yield tournament
        if number < max(wanted):
            try:
                tournament = _played(rng, habits, tournament, ratings)
            except NoLegalPairing:
                return


def report_file(tournament: Tournament) -> bytes:
    """Return the report file (TRF16 with the XX records that all engines read) from which to pair `tournament.round`.

    Ids are pairing numbers. Points include byes of the next round, as the round columns do.
    """
    entries: dict[int, list[RoundEntry]] = {player.id: [] for player in tournament.players}
    points = dict.fromkeys(entries, 0)
    value = tournament.points
    for game in sorted(tournament.games, key=lambda game: game.round):
        meaning = RESULTS[game.result]
        _fill(entries[game.white], game.round).append(
            RoundEntry.of_game(game.black, Colour.WHITE, game.result)
        )
        _fill(entries[game.black], game.round).append(
            RoundEntry.of_game(game.white, Colour.BLACK, game.result)
        )
        points[game.white] += value.of_game(meaning.white, Colour.WHITE)
        points[game.black] += value.of_game(meaning.black, Colour.BLACK)
    for bye in tournament.byes:
        _place(entries[bye.player], bye.round, RoundEntry.of_bye(bye.kind))
        points[bye.player] += value.of_bye(bye.kind)
    colour = tournament.initial_colour
    records: tuple[Record, ...] = (
        *(
            PlayerRecord(
                starting_rank=player.id,
                name=f"Player {player.id:05}",
                rating=player.rating,
                points=points[player.id],
                rank=player.id,
                entries=tuple(entries[player.id]),
            )
            for player in tournament.players
        ),
        Rounds(tournament.rounds, code="XXR"),
        Configuration(colour=colour),
    )
    return write_report(Report(records), newline="\n")


def _fill(row: list[RoundEntry], number: int) -> list[RoundEntry]:
    """Return the row, filled with zero-point byes up to the round before this one."""
    row.extend([RoundEntry.of_bye(ByeKind.ZERO)] * (number - 1 - len(row)))
    return row


def _place(row: list[RoundEntry], number: int, entry: RoundEntry) -> None:
    if len(row) >= number:
        row[number - 1] = entry
    else:
        _fill(row, number).append(entry)


def _byes(rng: Random, habits: Habits, size: int, number: int, rounds: int, gone: set[int]) -> Iterator[Bye]:
    """Yield the requested byes of a round (no half-point byes in the last), and add withdrawn players to `gone`."""
    half, full = habits.half_bye, habits.half_bye + habits.full_bye
    for player in range(1, size + 1):
        chance = rng.random()
        if player in gone or (number > 1 and chance >= 1 - habits.withdrawal):
            gone.add(player)
            yield Bye(number, player, ByeKind.ZERO)
        elif chance < half and number < rounds:
            yield Bye(number, player, ByeKind.HALF)
        elif half <= chance < full:
            yield Bye(number, player, ByeKind.FULL)


def _played(rng: Random, habits: Habits, tournament: Tournament, ratings: list[int]) -> Tournament:
    pairing = pair_round(tournament)
    number = tournament.round
    games = tuple(
        Game(
            number,
            pair.white,
            pair.black,
            _result(rng, habits, ratings[pair.white - 1], ratings[pair.black - 1]),
        )
        for pair in pairing.pairs
    )
    allocated = () if pairing.bye is None else (Bye(number, pairing.bye, ByeKind.ALLOCATED),)
    return replace(tournament, games=tournament.games + games, byes=tournament.byes + allocated)


def _result(rng: Random, habits: Habits, white: int, black: int) -> Result:
    """Return a random result: the expected score of Elo, with fewer draws when the ratings differ more."""
    if rng.random() < habits.forfeit:
        return rng.choice((Result.WHITE_WINS_BY_FORFEIT, Result.BLACK_WINS_BY_FORFEIT))
    expected = 1 / (1 + 10 ** ((black - white) / 400))
    draw = FIRST_DRAWS * (1 - abs(2 * expected - 1))
    chance = rng.random()
    if chance < draw:
        return Result.DRAW
    return Result.WHITE_WINS if chance < draw + expected - draw / 2 else Result.BLACK_WINS
