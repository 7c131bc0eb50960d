"""Play one random open by each pairing system, with the same players and the same luck, and measure the outcome."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import fsum, sqrt
from pathlib import Path
from random import Random
from typing import Any

from evenboard_engine import Bye, ByeKind, Colour, Game, Player, Result, RoundPairing, Tournament
from evenboard_engine.errors import NoLegalPairing
from evenboard_engine.fairness import agreement
from evenboard_engine.generating.tournament import fair_chances
from evenboard_engine.history import History
from evenboard_engine.systems.dubov.pairing.preferences import preference
from evenboard_engine.systems.registry import histories, offer, pair_round, system_named
from evenboard_engine.tiebreaks import quality, ranking, read_list, table
from evenboard_engine.upper_half import pair_upper_half

DUBOV, UPPER_HALF, US_CHESS = "dubov", "upper_half", "uschess"
PLAYERS = (16, 60)
ROUNDS = (5, 7, 9)
MEAN, DEVIATION = 1900, 200
NOISE = (50, 100, 200)
LIMITS = (1000, 2700)
ORDERS = {"points": "PTS", "buchholz": "PTS,BH", "aro": "PTS,ARO"}
"""The final orders that are compared with the true one."""
Pair = Callable[[Tournament], RoundPairing]


@dataclass(frozen=True, slots=True)
class Open:
    """The players of a random open, and their luck.

    strength: the true strength, by id. noise: the standard deviation of rating minus strength. luck: for each two
    players (smaller id first) a number from 0 to 1, which decides their game whenever they meet: high is good for the
    first one.
    """

    start: Tournament
    strength: Mapping[int, int]
    noise: int
    luck: Mapping[tuple[int, int], float]


def random_open(seed: int) -> Open:
    """Return the open of a seed. The players are numbered by rating, equal ratings by chance."""
    rng = Random(f"open {seed}")
    count, rounds, noise = rng.randint(*PLAYERS), rng.choice(ROUNDS), rng.choice(NOISE)
    people = []
    for _ in range(count):
        strength = _within(rng.gauss(MEAN, DEVIATION))
        people.append((_within(rng.gauss(strength, noise)), rng.random(), strength))
    people.sort(reverse=True)
    players = tuple(Player(number, number, rating) for number, (rating, _, _) in enumerate(people, start=1))
    luck = {(one, other): rng.random() for other in range(2, count + 1) for one in range(1, other)}
    start = Tournament(rounds, 1, players, initial_colour=rng.choice(tuple(Colour)))
    return Open(start, {number: people[number - 1][2] for number in range(1, count + 1)}, noise, luck)


def _within(value: float) -> int:
    return round(max(LIMITS[0], min(LIMITS[1], value)))


def pairers() -> dict[str, tuple[str, Pair]]:
    """Return for each system that is compared: the system whose code the tournament has, and what pairs its rounds."""
    return {
        DUBOV: (DUBOV, pair_or_offer),
        UPPER_HALF: (DUBOV, pair_upper_half),
        US_CHESS: (US_CHESS, pair_or_offer),
    }


def pair_or_offer(tournament: Tournament) -> RoundPairing:
    """Return the round by the system of the tournament, or what it offers if it cannot finish."""
    try:
        return pair_round(tournament)
    except NoLegalPairing:
        offered = offer(tournament)
        if offered is None:
            raise
        return offered.pairing


def played(held: Open, system: str, pair: Pair) -> Tournament:
    """Return the open after all rounds. Raises NoLegalPairing if a round has none."""
    chosen = system_named(system)
    options = chosen.checked(chosen.options_on(""))
    tournament = replace(held.start, system=system, options=options)
    for number in range(1, tournament.rounds + 1):
        pairing = pair(tournament)
        games = tuple(
            Game(number, one.white, one.black, result(held, one.white, one.black)) for one in pairing.pairs
        )
        byes = () if pairing.bye is None else (Bye(number, pairing.bye, ByeKind.ALLOCATED),)
        tournament = replace(
            tournament, round=number + 1, games=tournament.games + games, byes=tournament.byes + byes
        )
    return tournament


def result(held: Open, white: int, black: int) -> Result:
    """Return the result of a game: from the true strengths and the luck of the two players."""
    odds = fair_chances(held.strength[white], held.strength[black])
    luck = held.luck[min(white, black), max(white, black)]
    from_white = 1 - luck if white < black else luck  # small numbers are good for White
    if from_white < odds.white:
        return Result.WHITE_WINS
    return Result.DRAW if from_white < odds.white + odds.draw else Result.BLACK_WINS


def outcome(held: Open, tournament: Tournament) -> dict[str, float]:
    """Return all measures of an open that is over (docs/fairness.md says what they are)."""
    return {
        **_finding(held, tournament),
        **_opposition(held, tournament),
        **_colours(tournament),
        **_floats(tournament),
    }


def _finding(held: Open, tournament: Tournament) -> dict[str, float]:
    ids = [player.id for player in tournament.players]
    true = _places([held.strength[key] for key in ids])
    found: dict[str, float] = {}
    for name, codes in ORDERS.items():
        groups = ranking(tournament, read_list(codes)).groups
        place = {key: -number for number, group in enumerate(groups) for key in group}
        found[f"rank_{name}"] = correlation(true, _places([place[key] for key in ids]))
        winners = [true[ids.index(key)] for key in groups[0]]
        found[f"winner_{name}"] = fsum(winners) / len(winners)
        best = [key for key in ids if held.strength[key] == max(held.strength.values())]
        found[f"best_{name}"] = len(set(best) & set(groups[0])) / len(groups[0])
    value = agreement(tournament).value
    found["agreement"] = float(value or 0)
    return found


def _places(values: Sequence[float]) -> list[float]:
    """Return the places, 1 for the highest value; equal values have the mean of their places."""
    first: dict[float, list[int]] = defaultdict(list)
    for at, value in enumerate(sorted(values, reverse=True), start=1):
        first[value].append(at)
    return [fsum(first[value]) / len(first[value]) for value in values]


def correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Pearson's correlation; of places, it is Spearman's. 0 if one side has only equal values."""
    mean, middle = fsum(one) / len(one), fsum(other) / len(other)
    spread = sqrt(fsum((x - mean) ** 2 for x in one) * fsum((y - middle) ** 2 for y in other))
    together = fsum((x - mean) * (y - middle) for x, y in zip(one, other, strict=True))
    return together / spread if spread else 0.0


def _opposition(held: Open, tournament: Tournament) -> dict[str, float]:
    past = histories(tournament)
    rating = {player.id: player.rating for player in tournament.players}
    known = table(tournament)
    found = {}
    for name, worth in (("aro", rating), ("true", held.strength)):
        groups = defaultdict(list)
        for history in past.values():
            if history.opponents:
                mean = fsum(worth[other] for other in history.opponents) / len(history.opponents)
                groups[history.score].append(mean)
        found[f"deviation_{name}"] = within_groups(groups.values())
    for order in ("aro", "buchholz", "rating"):
        found[f"quality_{order}"] = float(quality(known, order) or 0)
    return found


def within_groups(groups: Iterable[Sequence[float]]) -> float:
    """Return the standard deviation of all values from the mean of their group."""
    squares = []
    for group in groups:
        mean = fsum(group) / len(group)
        squares += [(value - mean) ** 2 for value in group]
    return sqrt(fsum(squares) / len(squares)) if squares else 0.0


def _colours(tournament: Tournament) -> dict[str, float]:
    past = histories(tournament).values()
    differences = [abs(history.colour_difference) for history in past]
    repeated = sum(one is next_one for history in past for one, next_one in pairwise(history.colours))
    following = sum(max(0, len(history.colours) - 1) for history in past)
    against = sum(map(_against_absolute, past))
    return {
        "difference": fsum(differences) / len(differences),
        "far_difference": sum(one > 1 for one in differences) / len(differences),
        "repeated": repeated / following,
        "against": 1000 * against / sum(len(history.colours) for history in past),
    }


def _against_absolute(history: History) -> int:
    """Return in how many games a player had the colour that the Dubov System never gives."""
    found = 0
    for number, colour in enumerate(history.colours):
        due = preference(replace(history, colours=history.colours[:number]))
        found += due.absolute and due.colour is not colour
    return found


def _floats(tournament: Tournament) -> dict[str, float]:
    score: Counter[int] = Counter()
    floats: Counter[int] = Counter()
    apart, far = 0, 0
    for number in range(1, tournament.round):
        before = score.copy()
        for game in (game for game in tournament.games if game.round == number):
            difference = abs(before[game.white] - before[game.black])
            apart += difference > 0
            far += difference > 5
            if difference:
                floats.update((game.white, game.black))
            white = {Result.WHITE_WINS: 10, Result.DRAW: 5}.get(game.result, 0)
            score[game.white] += white
            score[game.black] += 10 - white
        score.update({bye.player: 10 for bye in tournament.byes if bye.round == number})
    games = len(tournament.games)
    return {
        "floats": apart / games,
        "far_floats": far / games,
        "most_floats": float(max(floats.values(), default=0)),
    }


def play(seed: int) -> dict[str, object]:
    """Return one open: its size, and the measures of each system. Without "systems" if one of them had no round."""
    held = random_open(seed)
    head: dict[str, object] = {
        "seed": seed,
        "players": len(held.strength),
        "rounds": held.start.rounds,
        "noise": held.noise,
    }
    try:
        systems = {
            name: outcome(held, played(held, system, pair)) for name, (system, pair) in pairers().items()
        }
    except NoLegalPairing:
        return head
    return {**head, "systems": systems}


# Play opens until the time is over, and keep each one in a file, so that a later run can go on.

Row = dict[str, Any]


def played_before(data: Path) -> list[Row]:
    """Return the opens in a file, by seed. A last line that was not finished is left out."""
    lines = data.read_text(encoding="utf-8").splitlines(keepends=True) if data.exists() else ()
    rows = [json.loads(line) for line in lines if line.endswith("\n")]
    return sorted(rows, key=lambda row: row["seed"])


def go_on(data: Path, opens: int, minutes: float) -> Iterator[Row]:
    """Play the opens of the seeds 1, 2, ... that are not in the file yet, and add each to it. Yield each new one.

    It ends with open number `opens`, or with the first one that ends after this many minutes.
    """
    done = played_before(data)
    data.write_text("".join(json.dumps(row) + "\n" for row in done), encoding="utf-8")
    known = {row["seed"] for row in done}
    until = time.monotonic() + 60 * minutes
    with data.open("a", encoding="utf-8") as file:
        for seed in range(1, opens + 1):
            if time.monotonic() >= until:
                return
            if seed not in known:
                row = play(seed)
                file.write(json.dumps(row) + "\n")
                file.flush()
                yield row
