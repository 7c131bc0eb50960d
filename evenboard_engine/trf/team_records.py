"""Records of team events (013, 300 to 362) and of abnormal points (299) as values. Points are in tenths.

Teams are known by their own numbers, players by starting rank. No pairing depends on teams here, except in a system
that asks for the team of a player (`player_facts.py`).
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class AbnormalPoints:
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
    line: int = field(default=0, compare=False, repr=False)

    @property
    def is_of_point_system(self) -> bool:
        """Whether these are the points of a result of everybody in every round. A point system has none below 0."""
        return bool(self.kind) and not self.round and not self.numbers and (self.points or 0) >= 0


@dataclass(frozen=True, slots=True)
class LineUp:
    """300: the players of a team in a round, board 1 first; 0 for an empty board."""

    round: int
    team: int
    opponent: int
    players: tuple[int, ...] = ()
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Team:
    """310. strength: as found. players: in the order of the boards; 0 for a blank place."""

    number: int
    name: str = ""
    nickname: str = ""
    strength: str = ""
    match_points: int | None = None
    game_points: int | None = None
    rank: int | None = None
    players: tuple[int, ...] = ()
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class OldTeam:
    """013: a team without a number. players: in their order; 0 for a blank place."""

    name: str
    players: tuple[int, ...] = ()
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class TeamByes:
    """320: what the pairing-allocated bye is worth, and which team had it in each round, 0 for none."""

    match_points: int | None
    game_points: int | None
    teams: tuple[int, ...] = ()
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class ForfeitedMatch:
    """330. result: "+-", "-+" or "--", White's sign first. white, black: teams."""

    result: str
    round: int
    white: int
    black: int
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class BoardColours:
    """352: the colours of the first team on each board, such as WBWB."""

    colours: str
    line: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class MatchScoring:
    """362: match points of TW (win), TD (draw) and TL (loss)."""

    items: tuple[tuple[str, int], ...]
    line: int = field(default=0, compare=False, repr=False)


TeamRecord = (
    AbnormalPoints | LineUp | Team | OldTeam | TeamByes | ForfeitedMatch | BoardColours | MatchScoring
)
"""Records that `team_lines` reads and writes."""
OF_MATCHES: tuple[type, ...] = (LineUp, TeamByes, ForfeitedMatch, BoardColours, MatchScoring)
"""Records that only a team event has. A tournament of players may have teams too, for a table of their own."""
