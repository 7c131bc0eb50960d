"""The lines of a report file as values. Points are in tenths, ratings in Elo; players are known by starting rank.

`line` is the number of the line that a record was read from (0 for a record that was made). It gives the place of an
error, and equal records may have different lines.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, TypeVar, dataclass_transform

from evenboard_engine.model import ByeKind, Colour, Result

from .codes import symbol_of, symbol_of_bye

_T = TypeVar("_T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def _value(made: type[_T]) -> type[_T]:
    """Make a value of a class, as `dataclass(frozen=True)` does in four times the time: each command waits for 25 of
    them. `_OfALine` has the methods; type checkers refuse to change a value.
    """
    return dataclass(eq=False, repr=False)(made)


@_value
class _OfALine:
    line: int = field(default=0, compare=False, repr=False, kw_only=True)

    def _fields(self) -> dict[str, object]:
        return {name: value for name, value in vars(self).items() if name != "line"}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _OfALine) and type(other) is type(self) and self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), *self._fields().values()))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={value!r}" for name, value in self._fields().items())
        return f"{type(self).__name__}({fields})"


# Records of team events (013, 300 to 362) and of abnormal points (299) as values. Points are in tenths.
#
# Teams are known by their own numbers, players by starting rank. No pairing depends on teams here, except in
# a system that asks for the team of a player (`pairing_comments.py`).


@_value
class AbnormalPoints(_OfALine):
    """299: points that do not follow from 162 or 362.

    kind: a symbol of a result or of a bye whose points these are, "" for a bonus or a penalty. match_points, points:
    None for blank columns, negative for a penalty. round: 0 for all rounds. numbers: players, or teams in a team event;
    () for everybody.
    """

    kind: str
    match_points: int | None
    points: int | None
    round: int = 0
    numbers: tuple[int, ...] = ()

    @property
    def is_of_point_system(self) -> bool:
        """Whether these are the points of a result of everybody in every round. A point system has none below 0."""
        return bool(self.kind) and not self.round and not self.numbers and (self.points or 0) >= 0


@_value
class LineUp(_OfALine):
    """300: the players of a team in a round, board 1 first; 0 for an empty board."""

    round: int
    team: int
    opponent: int
    players: tuple[int, ...] = ()


@_value
class Team(_OfALine):
    """310. strength: as found. players: in the order of the boards; 0 for a blank place."""

    number: int
    name: str = ""
    nickname: str = ""
    strength: str = ""
    match_points: int | None = None
    game_points: int | None = None
    rank: int | None = None
    players: tuple[int, ...] = ()


@_value
class OldTeam(_OfALine):
    """013: a team without a number. players: in their order; 0 for a blank place."""

    name: str
    players: tuple[int, ...] = ()


@_value
class TeamByes(_OfALine):
    """320: what the pairing-allocated bye is worth, and which team had it in each round, 0 for none."""

    match_points: int | None
    game_points: int | None
    teams: tuple[int, ...] = ()


@_value
class ForfeitedMatch(_OfALine):
    """330. result: "+-", "-+" or "--", White's sign first. white, black: teams."""

    result: str
    round: int
    white: int
    black: int


@_value
class BoardColours(_OfALine):
    """352: the colours of the first team on each board, such as WBWB."""

    colours: str


@_value
class MatchScoring(_OfALine):
    """362: match points of TW (win), TD (draw) and TL (loss)."""

    items: tuple[tuple[str, int], ...]


TeamRecord = (
    AbnormalPoints | LineUp | Team | OldTeam | TeamByes | ForfeitedMatch | BoardColours | MatchScoring
)
"""Records that `team_lines` reads and writes."""
OF_MATCHES: tuple[type, ...] = (LineUp, TeamByes, ForfeitedMatch, BoardColours, MatchScoring)
"""Records that only a team event has. A tournament of players may have teams too, for a table of their own."""


# The records of tournaments of players.


class RoundEntry(NamedTuple):
    """One player's columns of one round.

    opponent: starting rank, None for none (a bye, or nothing). colour: as published, None for none. symbol: one of
    `codes.SYMBOLS`, or "": with an opponent a game without a result yet, without one a round in which the player was
    absent (which scores like a zero-point bye).
    """

    opponent: int | None = None
    colour: Colour | None = None
    symbol: str = ""

    @classmethod
    def of_game(cls, opponent: int, colour: Colour, result: Result | None) -> RoundEntry:
        """Return the entry of the player who had `colour` in a game with this result (None: no result yet)."""
        return cls(opponent, colour, symbol_of(result, colour) if result is not None else "")

    @classmethod
    def of_bye(cls, kind: ByeKind) -> RoundEntry:
        return cls(symbol=symbol_of_bye(kind))


BLANK = RoundEntry()


@_value
class PlayerRecord(_OfALine):
    """001. sex: "m", "w" or "". title: a FIDE title, or any other three characters as found.

    rating, fide_id: None for none. birth_date: YYYY/MM/DD (00 for an unknown part), YYYY, or "". points: None
    if the columns are blank. entries: round 1 first; rounds after the last one are blank.
    """

    starting_rank: int
    name: str = ""
    sex: str = ""
    title: str = ""
    rating: int | None = None
    federation: str = ""
    fide_id: int | None = None
    birth_date: str = ""
    points: int | None = None
    rank: int | None = None
    entries: tuple[RoundEntry, ...] = ()

    def entry(self, round: int) -> RoundEntry:  # noqa: A002 the handbook's word
        """Return the entry of a round (from 1), blank where the line ends before it."""
        return self.entries[round - 1] if round <= len(self.entries) else BLANK


@_value
class TextRecord(_OfALine):
    """A header line whose value is kept as text: one of `TEXT_CODES`."""

    code: str
    text: str


@_value
class RoundDates(_OfALine):
    """132. One date (YY/MM/DD) for each round, "" where there is none."""

    dates: tuple[str, ...]


@_value
class Rounds(_OfALine):
    """142, XXR, or TNR of CPPDubovSystem: the planned number of rounds."""

    rounds: int
    code: str = "142"


@_value
class InitialColour(_OfALine):
    """152: the colour drawn by lot before round 1."""

    colour: Colour


@_value
class Configuration(_OfALine):
    """XXC. by_position: players are ranked by their place in the file, not by their starting rank."""

    by_position: bool = False
    colour: Colour | None = None


@_value
class Absentees(_OfALine):
    """XXZ, or BYE of CPPDubovSystem: starting ranks that are not to be paired in the next round."""

    players: tuple[int, ...]
    code: str = "XXZ"


@_value
class AnnouncedBye(_OfALine):
    """240: byes of one kind (full, half or zero) in one round."""

    kind: ByeKind
    round: int
    players: tuple[int, ...]


@_value
class Prohibition(_OfALine):
    """260, XXP, or FOR of CPPDubovSystem: no two of the players meet.

    first, last: rounds of 260; None for the others: all rounds. code: of a record of all rounds.
    """

    players: tuple[int, ...]
    first: int | None = None
    last: int | None = None
    code: str = "XXP"


@_value
class VirtualPoints(_OfALine):
    """250: virtual points of the players from one starting rank to another, in the rounds first to last.

    match_points: of teams, 0 in a tournament of players.
    """

    points: int
    first: int
    last: int
    first_player: int
    last_player: int
    match_points: int = 0


@_value
class VirtualPointsOfOne(_OfALine):
    """XXA: virtual points of one player, round 1 first."""

    player: int
    points: tuple[int, ...]


@_value
class BakuFlag(_OfALine):
    """ACC of CPPDubovSystem: whether the rounds have Baku Acceleration. text: as found, such as 1 or true."""

    text: str

    @property
    def accelerated(self) -> bool:
        return self.text.lower() in ("1", "true")


@_value
class Scoring(_OfALine):
    """162, XXS, or one of BBW BBD BBL BBZ BBF BBU: symbols with points in tenths. Of equal symbols the last counts.

    For the BB codes there is one item, named like the code.
    """

    code: str
    items: tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class OfTeams:
    """240, 250 or 260 in a team event: its numbers are teams, so it says nothing about players."""

    record: AnnouncedBye | VirtualPoints | Prohibition

    @property
    def line(self) -> int:
        return self.record.line


@_value
class KeptLine(_OfALine):
    """Any other line (comments `###`, national ratings, ...), kept and written back as it is."""

    text: str

    @property
    def code(self) -> str:
        return self.text[:3]


Record = (
    PlayerRecord
    | TextRecord
    | RoundDates
    | Rounds
    | InitialColour
    | Configuration
    | Absentees
    | AnnouncedBye
    | Prohibition
    | VirtualPoints
    | VirtualPointsOfOne
    | BakuFlag
    | Scoring
    | OfTeams
    | TeamRecord
    | KeptLine
)

TEXT_CODES: dict[str, str] = {
    "012": "name",
    "022": "city",
    "032": "federation",
    "042": "start date",
    "052": "end date",
    "062": "number of players",
    "072": "number of rated players",
    "082": "number of teams",
    "092": "type",
    "102": "chief arbiter",
    "112": "deputy chief arbiter",
    "122": "time control",
    "172": "starting rank method",
    "182": "pairing controller",
    "192": "encoded type",
    "202": "tie-breaks",
    "212": "standings",
    "222": "encoded time control",
}
"""Header lines kept as text. 112 may come several times."""
