"""Warnings about the records of team events. They affect no pairing, so nothing in them refuses a file."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .errors import TrfError
from .records import OfTeams, Prohibition, VirtualPoints
from .report import Report
from .team_lines import TEAM_CODES
from .team_records import (
    AbnormalPoints,
    BoardColours,
    ForfeitedMatch,
    LineUp,
    OldTeam,
    Team,
    TeamByes,
)

_leading_number = re.compile("[0-9]{1,9}").match


def team_doubts(report: Report) -> Iterator[TrfError]:
    """Yield what contradicts other lines: teams and players that are not in the file or are there twice, line-ups of
    others or with too many boards, and lines that are not in their columns. Cost: linear.
    """
    for kept in report.kept:
        if kept.code in TEAM_CODES:
            yield TrfError("team_line_unreadable", line=kept.line, column=1, found=kept.code)
    teams = report.of_type(Team)
    yield from _count(report, len(teams) or len(report.of_type(OldTeam)))
    members: dict[int, frozenset[int]] = {}
    for team in teams:
        if team.number in members:
            yield TrfError("team_twice", line=team.line, column=5, found=team.number)
        members[team.number] = frozenset(team.players)
    yield from _players(report)
    yield from _numbers(report, members)
    yield from _line_ups(report, members)


def _count(report: Report, teams: int) -> Iterator[TrfError]:
    found = _leading_number(report.text("082"))
    if teams and found and int(found.group()) != teams:
        line = next(one.line for one in report.headers("082"))
        yield TrfError("teams_differ", line=line, column=5, found=int(found.group()), expected=teams)


def _players(report: Report) -> Iterator[TrfError]:
    """Yield players who are not in the file, and players in two teams of the same record."""
    known = {player.starting_rank for player in report.players}
    listed: tuple[tuple[Team | OldTeam, ...], ...] = (report.of_type(Team), report.of_type(OldTeam))
    for teams in listed:
        placed: set[int] = set()
        for team in teams:
            for player in filter(None, team.players):
                if player not in known:
                    yield TrfError("team_player_unknown", line=team.line, player=player)
                elif player in placed:
                    yield TrfError("team_player_twice", line=team.line, player=player)
                placed.add(player)


def _numbers(report: Report, teams: dict[int, frozenset[int]]) -> Iterator[TrfError]:
    """Yield teams that are not in the file. Without 310, teams have no numbers."""
    if not teams:
        return
    for line, numbers in _named(report):
        for number in sorted({*numbers} - {0} - teams.keys()):
            yield TrfError("team_unknown", line=line, found=number)


def _named(report: Report) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Yield the line and the teams of each record that names teams."""
    for line_up in report.of_type(LineUp):
        yield line_up.line, (line_up.team, line_up.opponent)
    for byes in report.of_type(TeamByes):
        yield byes.line, byes.teams
    for match in report.of_type(ForfeitedMatch):
        yield match.line, (match.white, match.black)
    if report.is_team_event:
        for points in report.of_type(AbnormalPoints):
            yield points.line, points.numbers
    for record in report.of_type(OfTeams):
        match record.record:
            case VirtualPoints(first_player=first, last_player=last):
                yield record.line, (first, last)
            case Prohibition(players=numbers):
                yield record.line, numbers
            case announced:
                yield record.line, announced.players


def _line_ups(report: Report, teams: dict[int, frozenset[int]]) -> Iterator[TrfError]:
    boards = max((len(one.colours) for one in report.of_type(BoardColours)), default=0)
    for line_up in report.of_type(LineUp):
        if boards and len(line_up.players) > boards:
            found = len(line_up.players)
            yield TrfError("boards_differ", line=line_up.line, column=17, found=found, expected=boards)
        if line_up.team in teams:
            for player in sorted({*line_up.players} - {0} - teams[line_up.team]):
                yield TrfError("not_in_team", line=line_up.line, player=player, found=line_up.team)
