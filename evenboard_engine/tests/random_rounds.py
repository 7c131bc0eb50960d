"""Make random tournaments from a seed, round by round, the same on every machine.

Most are played with the caller's pairings, so their histories are typical of the Dubov System. In some, earlier rounds
are paired at random, with rematches and any colours, to reach positions that arbiters make by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random

from evenboard_engine.model import (
    Acceleration,
    Bye,
    ByeKind,
    Colour,
    Game,
    Player,
    PointSystem,
    Result,
    Tournament,
)
from evenboard_engine.systems.dubov.options import Edition, UpfloatCount
from evenboard_engine.tests.brute_force import BruteRound

Pairing = Callable[[Tournament], BruteRound | None]

SIZES = (4, 5, 5, 6, 6, 7, 7, 8, 8, 8, 9, 9, 10, 10, 10, 11, 11, 12, 12, 12, 13, 13, 14, 14)
POINT_SYSTEMS = (
    *(PointSystem(),) * 8,
    PointSystem(allocated_bye=5),
    PointSystem(
        white_win=30,
        black_win=30,
        white_draw=10,
        black_draw=10,
        forfeit_win=30,
        allocated_bye=30,
        full_bye=30,
        half_bye=10,
    ),
    PointSystem(white_win=30, black_win=30, white_draw=10, black_draw=10, forfeit_win=30, allocated_bye=10),
    PointSystem(black_win=12, forfeit_win=5, full_bye=11),
)
PLAYED = (Result.WHITE_WINS, Result.DRAW, Result.BLACK_WINS)
UNUSUAL = (
    Result.ADJOURNED,
    Result.HALF_ZERO,
    Result.ZERO_HALF,
    Result.ZERO_ZERO,
    Result.WHITE_WINS_UNRATED,
    Result.DRAW_UNRATED,
    Result.BLACK_WINS_UNRATED,
)
FORFEITS = (Result.WHITE_WINS_BY_FORFEIT, Result.BLACK_WINS_BY_FORFEIT, Result.DOUBLE_FORFEIT)


@dataclass(frozen=True, slots=True)
class Habits:
    """The properties of one tournament.

    by_hand: earlier rounds are paired at random. first_asked: the first round that the caller is asked to pair.
    hide_late_entries: late players are not in the list before they arrive. decisive: the number of rounds without draws
    (draws in all later games keep the scores together while upfloats add up). walkout: after this many rounds both
    players forfeit every game. The other values are probabilities from 0 to 1. first_is_white: in rounds paired by
    hand, the probability that the player with the smaller id has White.
    """

    by_hand: bool
    first_asked: int
    hide_late_entries: bool
    decisive: int
    walkout: int
    first_is_white: float
    draws: float
    favourite_wins: float
    unusual: float
    forfeit: float
    bye: float
    absence: float
    withdrawal: float


def random_rounds(
    seed: int,
    pair: Pairing,
    sizes: Sequence[int] = SIZES,
    point_systems: Sequence[PointSystem] = POINT_SYSTEMS,
) -> Iterator[tuple[Tournament, BruteRound | None]]:
    """Yield each round of the tournament of this seed with the answer of `pair` (None: no legal round exists).

    `pair` is called once for each round that is yielded. A tournament ends early if a round has no answer, unless it is
    paired by hand; then `pair` is called only for the later rounds. sizes, point_systems: one of each is drawn.
    """
    rng = Random(seed)
    tournament, habits = _new_tournament(rng, sizes, point_systems)
    everyone = tournament.players
    tpns = {player.id: player.tpn for player in everyone}
    late_rate = rng.choice((0.0, 0.0, 0.2))
    arrival = {player.id: rng.choice((2, 2, 3)) if rng.random() < late_rate else 1 for player in everyone}
    gone: set[int] = set()
    for number in range(1, tournament.rounds + 1):
        here = [player.id for player in everyone if arrival[player.id] <= number]
        gone |= {player for player in here if number > 1 and rng.random() < habits.withdrawal}
        byes, absent = _not_paired(rng, habits, here, gone, number)
        tournament = _before_round(tournament, number, byes, absent)
        asked = _without(tournament, set(tpns) - set(here)) if habits.hide_late_entries else tournament
        asked = replace(asked, absent=asked.absent | {player.id for player in asked.players} - set(here))
        answer = None
        if number >= habits.first_asked:
            answer = pair(asked)
            yield asked, answer
        if habits.by_hand:
            to_pair = [player for player in here if player not in absent | {bye.player for bye in byes}]
            answer = _paired_by_hand(rng, to_pair, habits.first_is_white)
        if answer is None:
            return
        games = tuple(
            Game(number, white, black, _result(rng, habits, number, tpns[white] < tpns[black]))
            for white, black in sorted(answer.pairs)
        )
        allocated = () if answer.bye is None else (Bye(number, answer.bye, ByeKind.ALLOCATED),)
        tournament = replace(tournament, games=tournament.games + games, byes=tournament.byes + allocated)


def _before_round(tournament: Tournament, number: int, byes: tuple[Bye, ...], absent: set[int]) -> Tournament:
    return replace(tournament, round=number, byes=tournament.byes + byes, absent=frozenset(absent))


def _without(tournament: Tournament, hidden: set[int]) -> Tournament:
    """Return the tournament without these players."""
    return replace(
        tournament,
        players=tuple(player for player in tournament.players if player.id not in hidden),
        forbidden=frozenset(pair for pair in tournament.forbidden if not hidden & set(pair)),
        accelerations=tuple(
            given._replace(players=given.players - hidden) for given in tournament.accelerations
        ),
    )


def _new_tournament(
    rng: Random, sizes: Sequence[int], point_systems: Sequence[PointSystem]
) -> tuple[Tournament, Habits]:
    """Return the tournament before round 1 and its habits."""
    size = rng.choice(sizes)
    history = rng.choice(("forward", "forward", "forward", "by hand", "by hand", "walkout"))
    forward = history == "forward"
    long = (9, 14) if history == "walkout" else (4, 5, 7, 8, 9, 9, 14, 14)
    rounds = rng.choice((3, 5, 7, size // 2 + 1, size - 1, size - 1, size + 2) if forward else long)
    ids = rng.sample(range(1, 100), size)
    ratings = _ratings(rng, size)
    tpns = rng.sample(range(1, size + 1), size) if rng.random() < 0.2 else list(range(1, size + 1))
    players = [Player(ids[place], tpns[place], ratings[place]) for place in range(size)]
    rng.shuffle(players)
    habits = Habits(
        by_hand=not forward,
        first_asked=1 if forward else rng.randrange(2, rounds + 1),
        hide_late_entries=rng.random() < 0.5,
        decisive=rng.choice((0, 0, 1, 2)),
        walkout=rng.choice((1, 2, 3)) if history == "walkout" else rounds,
        first_is_white=rng.choice((0.5, 0.5, 0.8)),
        draws=rng.choice((0.1, 0.3, 0.3, 0.7, 1.0, 1.0)),
        favourite_wins=rng.choice((0.5, 0.7, 0.9, 1.0)),
        unusual=rng.choice((0.0, 0.0, 0.1)),
        forfeit=rng.choice((0.0, 0.0, 0.0, 0.05, 0.25, 0.7)),
        bye=rng.choice((0.0, 0.0, 0.0, 0.05, 0.15, 0.4)),
        absence=rng.choice((0.0, 0.0, 0.05, 0.15)),
        withdrawal=rng.choice((0.0, 0.0, 0.05)),
    )
    paired_upfloats = rng.random() < (0.8 if history == "walkout" else 0.2)
    points = rng.choice(point_systems)
    tournament = Tournament(
        rounds=rounds,
        round=1,
        players=tuple(players),
        forbidden=_forbidden(rng, ids),
        initial_colour=rng.choice((Colour.WHITE, Colour.BLACK)),
        points=points,
        options={
            "upfloats": UpfloatCount.PAIRED if paired_upfloats else UpfloatCount.PLAYED,
            "edition": rng.choice(tuple(Edition)),
        },
        accelerations=_accelerations(rng, players, rounds, points),
    )
    return tournament, habits


def _accelerations(
    rng: Random, players: list[Player], rounds: int, points: PointSystem
) -> tuple[Acceleration, ...]:
    """Return accelerations: mostly none, sometimes the upper half by Baku's table, sometimes any players."""
    kind = rng.choice(("none", "none", "baku", "any"))
    if kind == "none":
        return ()
    if kind == "baku":
        upper = frozenset(player.id for player in players if player.tpn <= (len(players) + 3) // 4 * 2)
        last = (rounds + 1) // 2
        middle = (last + 1) // 2
        win = points.white_win
        return (Acceleration(1, middle, win, upper), Acceleration(middle + 1, last, win // 2, upper))
    return tuple(
        Acceleration(
            first_round=rng.randrange(1, rounds + 1),
            last_round=rounds,
            points=rng.choice((5, 10, 20)),
            players=frozenset(player.id for player in players if rng.random() < 0.5),
        )
        for _ in range(rng.randrange(1, 4))
    )


def _forbidden(rng: Random, ids: list[int]) -> frozenset[tuple[int, int]]:
    """Return forbidden pairs: mostly none, sometimes some, sometimes so many that each player has few partners."""
    kind = rng.choice(("none", "none", "none", "few", "many", "sparse"))
    pairs = list(combinations(sorted(ids), 2))
    if kind == "sparse":
        allowed = set()
        for _ in range(rng.randrange(3, 6)):
            order = rng.sample(ids, len(ids))
            allowed |= {(min(pair), max(pair)) for pair in zip(order[::2], order[1::2], strict=False)}
        return frozenset(pairs) - allowed
    rate = {"none": 0.0, "few": 0.05, "many": 0.3}[kind]
    return frozenset(pair for pair in pairs if rng.random() < rate)


def _ratings(rng: Random, size: int) -> list[int]:
    """Return ratings: highest first, sometimes all equal, sometimes few values, sometimes in random order."""
    kind = rng.choice(("spread", "spread", "near", "few", "equal", "unordered"))
    if kind == "equal":
        return [rng.randrange(1400, 2800)] * size
    if kind == "few":
        values = (1500, 1800, 2100)
        return sorted((rng.choice(values) for _ in range(size)), reverse=True)
    low, high = (2000, 2004) if kind == "near" else (1000, 2850)
    ratings = [rng.randrange(low, high) for _ in range(size)]
    return ratings if kind == "unordered" else sorted(ratings, reverse=True)


def _not_paired(
    rng: Random, habits: Habits, here: list[int], gone: set[int], number: int
) -> tuple[tuple[Bye, ...], set[int]]:
    """Return the requested byes of the round and the players who are absent."""
    byes, absent = [], set()
    for player in here:
        chance = rng.random()
        if player in gone:
            absent.add(player)
        elif chance < habits.bye:
            byes.append(
                Bye(number, player, rng.choice((ByeKind.HALF, ByeKind.HALF, ByeKind.FULL, ByeKind.ZERO)))
            )
        elif chance < habits.bye + habits.absence:
            absent.add(player)
    return tuple(byes), absent


def _paired_by_hand(rng: Random, players: list[int], first_is_white: float) -> BruteRound:
    """Pair neighbours of a random order, legal or not."""
    order = rng.sample(players, len(players))
    bye = order.pop() if len(order) % 2 == 1 else None
    pairs = set()
    for one, two in zip(order[::2], order[1::2], strict=True):
        in_order = min(one, two), max(one, two)
        pairs.add(in_order if rng.random() < first_is_white else in_order[::-1])
    return BruteRound(frozenset(pairs), bye)


def _result(rng: Random, habits: Habits, number: int, white_is_favourite: bool) -> Result:
    if number > habits.walkout:
        return Result.DOUBLE_FORFEIT
    chance = rng.random()
    if chance < habits.forfeit:
        return rng.choice(FORFEITS)
    if chance < habits.forfeit + habits.unusual:
        return rng.choice(UNUSUAL)
    if number > habits.decisive and rng.random() < habits.draws:
        return Result.DRAW
    favourite_wins = rng.random() < habits.favourite_wins
    return Result.WHITE_WINS if favourite_wins is white_is_favourite else Result.BLACK_WINS
