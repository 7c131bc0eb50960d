"""The input values of the engine, and two tables with the meaning of each kind of result and of bye.

Points are integers in tenths of a point (a win is 10, a draw 5 by default), the precision of the report file. Ratings
are Elo. The caller chooses the `id` of each player (a pairing number, a database key).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple


class Colour(StrEnum):
    WHITE = "w"
    BLACK = "b"

    @property
    def opposite(self) -> Colour:
        return Colour.BLACK if self is Colour.WHITE else Colour.WHITE


class Outcome(StrEnum):
    """What one side of a game scored."""

    WIN = "win"
    DRAW = "draw"
    LOSS = "loss"
    FORFEIT_WIN = "forfeit win"
    FORFEIT_LOSS = "forfeit loss"


class Result(StrEnum):
    """All possible results of a pairing. A pairing without a result yet has `None` instead."""

    WHITE_WINS = "1-0"
    DRAW = "1/2"
    BLACK_WINS = "0-1"
    WHITE_WINS_BY_FORFEIT = "+:-"
    BLACK_WINS_BY_FORFEIT = "-:+"
    DOUBLE_FORFEIT = "-:-"
    ADJOURNED = "adj"
    HALF_ZERO = "1/2-0"
    ZERO_HALF = "0-1/2"
    ZERO_ZERO = "0-0"
    WHITE_WINS_UNRATED = "W-L"
    DRAW_UNRATED = "D-D"
    BLACK_WINS_UNRATED = "L-W"


class ResultMeaning(NamedTuple):
    """The meaning of a result.

    white, black: the outcome of each side; only this decides the points.
    played: the game counts for C1, colours, floats and ARO (GHR 3.4, 3.5; C.04.4.1, 1.5 and 1.6).
    rated: the game is sent for rating.
    final: False for an adjourned game, which counts as a draw for pairing until its result is known (GHR 3.1).
    """

    white: Outcome
    black: Outcome
    played: bool = True
    rated: bool = True
    final: bool = True


RESULTS: dict[Result, ResultMeaning] = {
    Result.WHITE_WINS: ResultMeaning(Outcome.WIN, Outcome.LOSS),
    Result.DRAW: ResultMeaning(Outcome.DRAW, Outcome.DRAW),
    Result.BLACK_WINS: ResultMeaning(Outcome.LOSS, Outcome.WIN),
    Result.WHITE_WINS_BY_FORFEIT: ResultMeaning(
        Outcome.FORFEIT_WIN, Outcome.FORFEIT_LOSS, played=False, rated=False
    ),
    Result.BLACK_WINS_BY_FORFEIT: ResultMeaning(
        Outcome.FORFEIT_LOSS, Outcome.FORFEIT_WIN, played=False, rated=False
    ),
    Result.DOUBLE_FORFEIT: ResultMeaning(
        Outcome.FORFEIT_LOSS, Outcome.FORFEIT_LOSS, played=False, rated=False
    ),
    Result.ADJOURNED: ResultMeaning(Outcome.DRAW, Outcome.DRAW, final=False),
    Result.HALF_ZERO: ResultMeaning(Outcome.DRAW, Outcome.LOSS),
    Result.ZERO_HALF: ResultMeaning(Outcome.LOSS, Outcome.DRAW),
    Result.ZERO_ZERO: ResultMeaning(Outcome.LOSS, Outcome.LOSS),
    Result.WHITE_WINS_UNRATED: ResultMeaning(Outcome.WIN, Outcome.LOSS, rated=False),
    Result.DRAW_UNRATED: ResultMeaning(Outcome.DRAW, Outcome.DRAW, rated=False),
    Result.BLACK_WINS_UNRATED: ResultMeaning(Outcome.LOSS, Outcome.WIN, rated=False),
}


class ByeKind(StrEnum):
    """A round without an opponent. The values are the letters of the report file (TRF)."""

    ALLOCATED = "U"
    FULL = "F"
    HALF = "H"
    ZERO = "Z"


class ByeMeaning(NamedTuple):
    """requested: the arbiter gave the bye before the pairing (GHR 3.3).

    paired: the player was taken into account for the pairing of that round (this affects only pairing numbers,
    reading D7 in docs/rules.md).
    """

    requested: bool
    paired: bool


BYES: dict[ByeKind, ByeMeaning] = {
    ByeKind.ALLOCATED: ByeMeaning(requested=False, paired=True),
    ByeKind.FULL: ByeMeaning(requested=True, paired=False),
    ByeKind.HALF: ByeMeaning(requested=True, paired=False),
    ByeKind.ZERO: ByeMeaning(requested=True, paired=False),
}


@dataclass(frozen=True, slots=True)
class PointSystem:
    """Points in tenths for each outcome and bye. The default is 1 - 1/2 - 0, with 1 for a pairing-allocated bye."""

    white_win: int = 10
    black_win: int = 10
    white_draw: int = 5
    black_draw: int = 5
    white_loss: int = 0
    black_loss: int = 0
    forfeit_win: int = 10
    forfeit_loss: int = 0
    allocated_bye: int = 10
    full_bye: int = 10
    half_bye: int = 5
    zero_bye: int = 0

    def of_game(self, outcome: Outcome, colour: Colour) -> int:
        """Return the points in tenths for one side of a game."""
        white = colour is Colour.WHITE
        match outcome:
            case Outcome.WIN:
                return self.white_win if white else self.black_win
            case Outcome.DRAW:
                return self.white_draw if white else self.black_draw
            case Outcome.LOSS:
                return self.white_loss if white else self.black_loss
            case Outcome.FORFEIT_WIN:
                return self.forfeit_win
            case Outcome.FORFEIT_LOSS:
                return self.forfeit_loss

    def of_bye(self, kind: ByeKind) -> int:
        """Return the points in tenths for a bye."""
        match kind:
            case ByeKind.ALLOCATED:
                return self.allocated_bye
            case ByeKind.FULL:
                return self.full_bye
            case ByeKind.HALF:
                return self.half_bye
            case ByeKind.ZERO:
                return self.zero_bye

    @property
    def win(self) -> int:
        """The points "as rewarded for a win" in C2: the smaller of the points for a win with White and with Black."""
        return min(self.white_win, self.black_win)


class Acceleration(NamedTuple):
    """Virtual points, in tenths, of some players (ids) in the rounds first_round to last_round.

    They count only for pairing. Several accelerations of one player in one round add up.
    """

    first_round: int
    last_round: int
    points: int
    players: frozenset[int]


class Flag(StrEnum):
    """What is known of a player. KEEP: is to stay in the score group. NEW: never had a rating. LATE: entered late."""

    KEEP = "keep"
    NEW = "new"
    LATE = "late"


@dataclass(frozen=True, slots=True)
class Player:
    """id: the caller's key, unique. tpn: position in the initial ranking, unique, 1 is highest.

    rating: Elo; 0 for an unrated player, in a system that takes them (`PairingSystem.takes_unrated`).
    team, club: those with the same code may be kept apart; "" for none. flags: what a system asks of its players.
    left_out: tie-breaks from the ratings of opponents leave out games against the player. later: (round, rating) for
    the ratings that count in these tie-breaks from a round on, in the order of the rounds.
    """

    id: int
    tpn: int
    rating: int
    team: str = ""
    club: str = ""
    flags: frozenset[Flag] = frozenset()
    left_out: bool = False
    later: tuple[tuple[int, int], ...] = ()


class Game(NamedTuple):
    """A pairing of an earlier round with its result. white and black are player ids."""

    round: int
    white: int
    black: int
    result: Result


class OpenGame(NamedTuple):
    """A pairing of an earlier round without a result. white and black are player ids."""

    round: int
    white: int
    black: int


class Bye(NamedTuple):
    """A round without an opponent: in an earlier round, or requested for the round to be paired.

    For a system that looks ahead also a half-point bye requested for a later round.
    """

    round: int
    player: int
    kind: ByeKind


class Ruling(NamedTuple):
    """Points of a player by decision of the arbiter, in tenths (record 299 of the report file).

    of: None if the points are added to the score, as a bonus or (negative) as a penalty. Else each such result or bye
    of the player is worth these points, instead of those of the point system.
    round: the round of the result, or after which a bonus or penalty counts. 0: every round for results, and before
    round 1 for a bonus or penalty.
    """

    player: int
    round: int
    points: int
    of: Outcome | ByeKind | None = None


@dataclass(frozen=True, slots=True)
class Tournament:
    """All input for the pairing of one round.

    rounds: planned number of rounds (MaxT and the last round depend on it).
    round: the round to be paired, 1 or more. Games are of earlier rounds.
    absent: ids of players not to be paired in this round (withdrawn, not arrived), besides those with a bye in it.
    forbidden: pairs of ids (smaller first) that must not meet; outside FIDE's rules, treated like C1.
    initial_colour: drawn by lot before round 1; needed if two players without a game meet.
    An earlier round without a game or a bye scores the points of a zero-point bye.
    open_games: of earlier rounds. Only the tie-breaks read them: a round that is not finished is in no sum.
    accelerations: virtual points of earlier rounds and of this one. The pairing score of a round is points plus virtual
    points. It replaces the score in the rules of the pairing system (C.04.7, 1; reading D15).
    rulings: points by decision of the arbiter. Those of rounds that are not before `round` do not count yet.
    system: the code of the pairing system (`systems.registry`). options: of this system, by name; an option that is
    missing has its default.
    """

    rounds: int
    round: int
    players: tuple[Player, ...]
    games: tuple[Game, ...] = ()
    byes: tuple[Bye, ...] = ()
    absent: frozenset[int] = frozenset()
    forbidden: frozenset[tuple[int, int]] = frozenset()
    initial_colour: Colour | None = None
    points: PointSystem = field(default_factory=PointSystem)
    accelerations: tuple[Acceleration, ...] = ()
    system: str = "dubov"
    options: Mapping[str, str] = field(default_factory=dict, hash=False)
    open_games: tuple[OpenGame, ...] = ()
    rulings: tuple[Ruling, ...] = ()
