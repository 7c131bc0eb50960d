"""The tie-breaks of C.07, written from the text alone: plain, slow, in fractions of a point, one player at a time.

Nothing here is shared with the engine but its input values. Articles are those of the edition of 1 March 2026.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, wraps
from hashlib import sha256
from math import floor
from typing import Any

from evenboard_engine import ByeKind, Result, Tournament
from evenboard_engine.tests.ruled_definitions import bonuses_of, decided

HALF = Fraction(1, 2)
WHITE_SCORES = {
    Result.WHITE_WINS: ("win", "loss"),
    Result.WHITE_WINS_UNRATED: ("win", "loss"),
    Result.BLACK_WINS: ("loss", "win"),
    Result.BLACK_WINS_UNRATED: ("loss", "win"),
    Result.DRAW: ("draw", "draw"),
    Result.DRAW_UNRATED: ("draw", "draw"),
    Result.ADJOURNED: ("draw", "draw"),
    Result.HALF_ZERO: ("draw", "loss"),
    Result.ZERO_HALF: ("loss", "draw"),
    Result.ZERO_ZERO: ("loss", "loss"),
    Result.WHITE_WINS_BY_FORFEIT: ("forfeit win", "forfeit loss"),
    Result.BLACK_WINS_BY_FORFEIT: ("forfeit loss", "forfeit win"),
    Result.DOUBLE_FORFEIT: ("double forfeit", "double forfeit"),
}
FORFEITS = ("forfeit win", "forfeit loss", "double forfeit")
BYES = {
    ByeKind.ALLOCATED: "allocated",
    ByeKind.FULL: "full-point bye",
    ByeKind.HALF: "half-point bye",
    ByeKind.ZERO: "zero-point bye",
}
VOLUNTARY = ("half-point bye", "zero-point bye", "forfeit loss", "double forfeit")


@dataclass
class Round:
    """What happened to a player: an outcome of a game, a forfeit or a bye. colour: "w", "b" or ""."""

    what: str
    points: Fraction
    opponent: int | None = None
    colour: str = ""

    @property
    def over_the_board(self) -> bool:
        return self.opponent is not None and self.what not in FORFEITS


def once(method: Callable[..., Any]) -> Callable[..., Any]:
    """Keep what a method returns for the same arguments."""

    @wraps(method)
    def kept(self: Defined, *arguments: object) -> Any:
        key = method.__name__, arguments
        if key not in self.memory:
            self.memory[key] = method(self, *arguments)
        return self.memory[key]

    return kept


class Defined:
    """The tie-breaks of one tournament. fixed: a round robin (15.2). left_out: players without an official rating."""

    def __init__(
        self,
        tournament: Tournament,
        *,
        fixed: bool = False,
        capped: bool = True,
        left_out: Collection[int] = (),
    ) -> None:
        self.fixed, self.capped, self.left_out = fixed, capped, left_out
        self.memory: dict[object, Any] = {}
        self.number = tournament.round - 1
        points = tournament.points
        self.win = {"w": Fraction(points.white_win, 10), "b": Fraction(points.black_win, 10)}
        self.draw = Fraction(min(points.white_draw, points.black_draw), 10)
        self.tpn = {player.id: player.tpn for player in tournament.players}
        self.rating = {player.id: player.rating for player in tournament.players}
        self.bonuses = {player.id: bonuses_of(tournament, player.id) for player in tournament.players}
        self.rounds = {
            one.id: [decided(tournament, one.id, at, self._round) for at in range(1, self.number + 1)]
            for one in tournament.players
        }

    @staticmethod
    def _round(tournament: Tournament, player: int, at: int) -> Round:
        points = tournament.points
        for game in tournament.games:
            if game.round == at and player in (game.white, game.black):
                side = 0 if game.white == player else 1
                what = WHITE_SCORES[game.result][side]
                scores = {
                    "win": (points.white_win, points.black_win),
                    "draw": (points.white_draw, points.black_draw),
                    "loss": (points.white_loss, points.black_loss),
                    "forfeit win": (points.forfeit_win,) * 2,
                    "forfeit loss": (points.forfeit_loss,) * 2,
                    "double forfeit": (points.forfeit_loss,) * 2,
                }
                scored = Fraction(scores[what][side], 10)
                return Round(what, scored, (game.black, game.white)[side], "wb"[side])
        for bye in tournament.byes:
            if bye.round == at and bye.player == player:
                scored = {
                    ByeKind.ALLOCATED: points.allocated_bye,
                    ByeKind.FULL: points.full_bye,
                    ByeKind.HALF: points.half_bye,
                    ByeKind.ZERO: points.zero_bye,
                }
                return Round(BYES[bye.kind], Fraction(scored[bye.kind], 10))
        return Round("zero-point bye", Fraction(points.zero_bye, 10))

    def values(self, code: str) -> dict[int, Fraction | int]:
        """Return each player's value; higher is better."""
        return {player: self.value(code, player) for player in self.rounds}

    def value(self, code: str, player: int) -> Fraction | int:
        name, *modifiers = code.split("/")
        if name == "OTHER_LOTS":
            return self.lot(player, modifiers[0])
        cut = next((int(each[1:]) for each in modifiers if each[0] in "CM"), 0)
        high = next((int(each[1:]) for each in modifiers if each[0] == "M"), 0)
        moved = next((int(each[1:]) for each in modifiers if each[0] == "L"), 0)
        sign = -1 if "R" in modifiers else 1
        forfeits = "P" in modifiers
        fore = name == "FB" or "F" in modifiers
        mine, met = self.rounds[player], self.met(player)
        definitions: dict[str, Callable[[], Fraction | int]] = {
            "PTS": lambda: self.score(player),
            "WIN": lambda: sum(one.points >= self.win[one.colour or "w"] for one in mine),
            "WON": lambda: sum(one.what == "win" for one in mine),
            "BPG": lambda: sum(one.over_the_board and one.colour == "b" for one in mine),
            "BWG": lambda: sum(one.what == "win" and one.colour == "b" for one in mine),
            "PS": lambda: total(self.score(player, until) for until in range(cut + 1, self.number + 1)),
            "REP": lambda: self.number - sum(one.what in VOLUNTARY for one in mine),
            "STD": lambda: total(self.standard(player, at) for at in range(self.number)),
            "TPN": lambda: -sign * self.tpn[player],
            "RTNG": lambda: sign * self.rating[player],
            "BH": lambda: self.fore(fore).buchholz(player, cut, high, forfeits),
            "AOB": lambda: average([self.fore(fore).buchholz(other, 0, 0, False) for other in met]),
            "SB": lambda: self.sonneborn_berger(player, cut, forfeits),
            "KS": lambda: self.koya(player, moved),
            "ARO": lambda: self.average_rating(player, cut, high),
            "TPR": lambda: self.performance(player),
            "PTP": lambda: self.perfect(player),
            "APRO": lambda: half_up([self.performance(other) for other in self.rated(player)]),
            "APPO": lambda: half_up([self.perfect(other) for other in self.rated(player)]),
        }
        return definitions[{"FB": "BH", "GE": "REP"}.get(name, name)]()

    # --- scores

    @once
    def score(self, player: int, until: int = 99) -> Fraction:
        return self.bonus(player, until) + total(one.points for one in self.rounds[player][:until])

    def bonus(self, player: int, until: int = 99) -> Fraction:
        return total(points for number, points in self.bonuses[player] if number <= min(until, self.number))

    def met(self, player: int) -> list[int]:
        return [
            one.opponent for one in self.rounds[player] if one.over_the_board and one.opponent is not None
        ]

    def standard(self, player: int, at: int) -> Fraction:
        mine = self.rounds[player][at]
        alone = mine.opponent is None or mine.what == "double forfeit"
        theirs = self.draw if alone else self.rounds[mine.opponent][at].points
        return Fraction(mine.points > theirs) + HALF * (mine.points == theirs)

    @once
    def adjusted(self, player: int) -> Fraction:
        """16.3: a requested bye in the last round, or followed by voluntarily unplayed rounds only, is a draw."""
        mine = self.rounds[player]
        total = self.bonus(player)
        for at, one in enumerate(mine):
            requested = one.what in ("half-point bye", "zero-point bye")
            followed_by_none = all(later.what in VOLUNTARY for later in mine[at + 1 :])
            total += self.draw if requested and followed_by_none and not self.fixed else one.points
        return total

    @once
    def fore(self, wanted: bool) -> Defined:
        """8.3: as if every pairing of the last round were a draw."""
        if not wanted:
            return self
        other = copy(self)
        other.memory = {}
        other.rounds = {
            player: [
                Round("draw", self.draw, one.opponent, one.colour)
                if at == self.number - 1 and one.opponent is not None
                else one
                for at, one in enumerate(mine)
            ]
            for player, mine in self.rounds.items()
        }
        return other

    def lot(self, player: int, seed: str) -> int:
        """The lots are in the order of the SHA-256 sums of "seed/number", read as numbers. Lot 1 is the best."""

        def drawn(tpn: int) -> int:
            return int.from_bytes(sha256(f"{seed}/{tpn}".encode()).digest(), "big")

        return -1 - sum(drawn(other) < drawn(self.tpn[player]) for other in self.tpn.values())

    # --- sums over opponents

    @once
    def elements(self, player: int, forfeits: bool) -> tuple[tuple[Fraction, Fraction, bool], ...]:
        """Return for each round the score of the opponent or dummy, the contribution to SB, and whether it is a VUR."""
        found = []
        for one in self.rounds[player]:
            if one.opponent is not None and (one.over_the_board or forfeits or self.fixed):
                worth, by_choice = self.adjusted(one.opponent), False
            elif self.fixed:
                continue
            else:
                worth, by_choice = self.score(player), one.what in VOLUNTARY
                if self.capped and one.opponent is not None:
                    worth = min(worth, self.adjusted(one.opponent))  # 16.4.1
                elif self.capped:
                    worth = min(worth, self.draw * self.number)  # 16.4.2
            found.append((worth, worth * one.points, by_choice))
        return tuple(found)

    def buchholz(self, player: int, cut: int, high: int, forfeits: bool) -> Fraction:
        left = list(self.elements(player, forfeits))
        for _ in range(cut):
            if left:
                by_choice = [each for each in left if each[2]]
                left.remove(min(by_choice or left))
        for _ in range(high):
            if left:
                left.remove(max(left))
        return sum((worth for worth, _, _ in left), Fraction(0))

    def sonneborn_berger(self, player: int, cut: int, forfeits: bool) -> Fraction:
        left = list(self.elements(player, forfeits))
        for _ in range(min(cut, len(left))):
            lowest = min(worth for worth, _, _ in left)
            least = min((each for each in left if each[0] == lowest), key=lambda each: each[1])
            by_choice = [each for each in left if each[2]]
            if by_choice:
                smallest = min(each[1] for each in by_choice)
                if smallest >= least[1]:
                    least = min(each for each in by_choice if each[1] == smallest)
            left.remove(least)
        return sum((contribution for _, contribution, _ in left), Fraction(0))

    def koya(self, player: int, moved: int) -> Fraction:
        could_score = [
            sum(not (self.fixed and one.opponent is None) for one in mine) for mine in self.rounds.values()
        ]
        limit = max(could_score) * max(self.win.values()) / 2 + moved * HALF
        return sum(
            (
                one.points
                for one in self.rounds[player]
                if one.opponent is not None and self.score(one.opponent) >= limit
            ),
            Fraction(0),
        )

    # --- ratings: games against players without a rating are left out

    def rated(self, player: int) -> list[int]:
        return [other for other in self.met(player) if self.rating[other] and other not in self.left_out]

    def average_rating(self, player: int, cut: int = 0, high: int = 0) -> int:
        ratings = sorted(self.rating[other] for other in self.rated(player))[cut:]
        return half_up(ratings[: max(0, len(ratings) - high)])

    def share(self, player: int) -> tuple[Fraction, int]:
        rated = self.rated(player)
        games = [one for one in self.rounds[player] if one.over_the_board and one.opponent in rated]
        scored = {"win": Fraction(1), "draw": HALF, "loss": Fraction(0)}
        return sum((scored[one.what] for one in games), Fraction(0)), len(games)

    @once
    def performance(self, player: int) -> int:
        scored, games = self.share(player)
        if not games:
            return 0
        hundredths = int(100 * scored / games + HALF)
        sign = 1 if hundredths >= 50 else -1
        return self.average_rating(player) + sign * DP[abs(hundredths - 50)]

    @once
    def perfect(self, player: int) -> int:
        scored, games = self.share(player)
        ratings = [self.rating[other] for other in self.rated(player)]
        if not games:
            return 0
        if not scored:
            return min(ratings) - 800
        mine = min(ratings) - 801
        for step in (50, 1):  # forward in long steps, then back to the last one that is too low
            while sum(expectation(mine - rating) for rating in ratings) < 100 * scored:
                mine += step
            mine -= 0 if step == 1 else step
        return mine

    # --- direct encounter

    def encounter(self, tied: Sequence[int], *, forfeits: bool) -> list[set[int]]:
        """Article 6: the tied players in groups, best first."""
        if len(tied) == 1:
            return [set(tied)]
        scored, missing = {}, {}
        for me in tied:
            against: dict[int, list[Fraction]] = {}
            for one in self.rounds[me]:
                if one.opponent in tied and (one.over_the_board or forfeits or self.fixed):
                    against.setdefault(one.opponent, []).append(one.points)
            scored[me] = sum((sum(all_of) / len(all_of) for all_of in against.values()), Fraction(0))
            missing[me] = (
                [] if self.fixed else [other for other in tied if other != me and other not in against]
            )
        if not any(missing.values()):
            places = [{me for me in tied if scored[me] == points} for points in sorted(set(scored.values()))][
                ::-1
            ]
        else:
            first = self._certain_first(tied, scored, missing)
            places = [{first}, set(tied) - {first}] if first is not None else [set(tied)]
            while len(places[-1]) > 1 and len(places) > 1:
                rest = [me for me in tied if me in places[-1]]
                first = self._certain_first(rest, scored, missing)
                if first is None:
                    break
                places[-1:] = [{first}, set(rest) - {first}]
        if len(places) == 1:
            return places
        return [part for place in places for part in self.encounter(sorted(place), forfeits=forfeits)]

    def _certain_first(
        self, tied: Sequence[int], scored: dict[int, Fraction], missing: dict[int, list[int]]
    ) -> int | None:
        """Return who is alone in front even if all the others had won all their missing games."""
        most = max(self.win.values())
        for me in tied:
            if all(scored[me] > scored[other] + most * len(missing[other]) for other in tied if other != me):
                return me
        return None


def total(numbers: Iterable[Fraction]) -> Fraction:
    return sum(numbers, Fraction(0))


def average(numbers: Sequence[Fraction | int]) -> Fraction:
    """Return the average; 0 for none."""
    return sum(numbers, Fraction(0)) / len(numbers) if numbers else Fraction(0)


def half_up(numbers: Sequence[int]) -> int:
    """Return the average, halves rounded up; 0 for none."""
    return floor(average(numbers) + HALF)


DP = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677),
    800,
)
"""B.02, 8.1.1: dp for .50, .51, ..., 1.00."""
UP_TO = (
    *(3, 10, 17, 25, 32, 39, 46, 53, 61, 68),
    *(76, 83, 91, 98, 106, 113, 121, 129, 137, 145),
    *(153, 162, 170, 179, 188, 197, 206, 215, 225, 235),
    *(245, 256, 267, 278, 290, 302, 315, 328, 344, 357),
    *(374, 391, 411, 432, 456, 484, 517, 559, 619, 735),
)
"""B.02, 8.1.2: the greatest difference of the rows H .50, .51, ..., .99."""


@cache
def expectation(difference: int) -> int:
    """Return the expected score in hundredths."""
    row = next((at for at, last in enumerate(UP_TO) if abs(difference) <= last), 50)
    return 50 + row if difference >= 0 else 50 - row
