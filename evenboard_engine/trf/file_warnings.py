"""Warnings about a report file: unusual values that do not refuse the file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from evenboard_engine.model import ByeKind
from evenboard_engine.systems.registry import SYSTEMS
from evenboard_engine.systems.system import PairingSystem

from .codes import TITLES
from .days import is_usual, read_day
from .errors import TrfError
from .pairing_comments import first_day, readings, system_named_in
from .ranking_method import METHODS, lacks_national_ratings, read_method
from .records import (
    AbnormalPoints,
    BoardColours,
    ForfeitedMatch,
    LineUp,
    OfTeams,
    OldTeam,
    PlayerRecord,
    Prohibition,
    Team,
    TeamByes,
    TextRecord,
    VirtualPoints,
)
from .report import Report
from .team_lines import TEAM_CODES

_leading_number = re.compile("[0-9]{1,9}").match


def file_warnings(report: Report, *, system: str = "", limit: int = 50) -> tuple[TrfError, ...]:
    """Return the warnings for a report, in the order of the lines, `limit` at most. Cost: linear.

    Those of the reader (`Report.odd`), and these codes: `players_differ`, `rated_differ` (what 062 and 072 count),
    `unknown_method`, `no_national_ratings` (172 names a method that is unknown, or one that needs national records),
    `ranks_differ` (somebody with fewer points is ranked higher; reported once), `unknown_title`, `forbidden_pairs`
    (reported once), `unknown_start` (042 is no date, and the edition of the rules follows it),
    `day_read` (a day is written in another way), `allocated_ahead` (byes of a round that is not paired),
    `time_control_unreadable` (222), `older_edition` (the tournament began under rules that the system does not have;
    192 or 042 says so), and those of `team_warnings`.
    system: the pairing system by which the report is read; "" for the one that it names.
    """
    rules = SYSTEMS.get(system or system_named_in(report))
    found = [
        *report.odd,
        *_days(report),
        *_edition(report, rules),
        *_byes_ahead(report),
        *_counts(report),
        *_method(report),
        *_ranks(report, rules),
        *_titles(report),
        *_prohibitions(report, rules),
        *_time_control(report),
        *team_warnings(report),
    ]
    return tuple(sorted(found, key=lambda doubt: (doubt.line, doubt.column))[:limit])


def _counts(report: Report) -> Iterator[TrfError]:
    rated = sum(bool(player.rating) for player in report.players)
    for record in report.of_type(TextRecord):
        match = _leading_number(record.text) if record.code in ("062", "072") else None
        if match is None:
            continue
        found = int(match.group())
        doubt = partial(TrfError, line=record.line, column=5, found=found)
        if record.code == "062" and found != len(report.players):
            yield doubt("players_differ", expected=len(report.players))
        elif record.code == "072" and found != rated:
            yield doubt("rated_differ", expected=rated)


def _days(report: Report) -> Iterator[TrfError]:
    """Yield the days of the event and of its rounds that are not written as the format asks, and a first day that
    nobody can read."""
    for code in ("042", "052"):
        for record in report.headers(code)[:1]:
            if record.text.strip():
                yield from _day(record.text.strip(), record.line, first=code == "042")
    for line in report.kept:
        if line.code == "132":
            for word in line.text[3:].split()[:1]:
                yield from _day(word, line.line, short_year=True)
            return


BEGAN = "### Import: began under the edition of "
"""Begins the comment of a section that took in rounds of an edition which its system does not have."""


def older_edition(report: Report, rules: PairingSystem) -> str:
    """Return the edition under which a tournament began, if its system does not have it; else "".

    The edition that a comment names counts, unless another comment (### Import) says that a section took in rounds that
    others had paired.
    """
    for line in report.kept:
        if began := re.match(f"{BEGAN}([0-9]{{4}}),", line.text):
            return began[1]
    named = "edition" in readings(report, rules.code)
    if named and not any(line.text.startswith("### Import") for line in report.kept):
        return ""
    return rules.older_edition(report.text("192").upper(), first_day(report))


def _edition(report: Report, rules: PairingSystem | None) -> Iterator[TrfError]:
    """Yield that the tournament began under an edition of the rules that its system does not have."""
    if rules and (found := older_edition(report, rules)):
        source = "192" if found in report.text("192") else "042"
        lines = [record.line for record in report.of_type(TextRecord) if record.code == source]
        edition = rules.checked({})["edition"]
        yield TrfError("older_edition", line=min(lines, default=1), column=5, found=found, expected=edition)


def _day(text: str, line: int, *, first: bool = False, short_year: bool = False) -> Iterator[TrfError]:
    day = read_day(text, short_year=short_year)
    if day is None and first:
        yield TrfError("unknown_start", line=line, column=5, found=text[:20])
    elif day is not None and not is_usual(text, short_year=short_year):
        yield TrfError("day_read", line=line, column=5, found=text[:20], expected=f"{day:%Y/%m/%d}")


def _byes_ahead(report: Report) -> Iterator[TrfError]:
    """Yield that pairing-allocated byes are given in a round that is not paired; reported once."""
    given = [
        (player.starting_rank, number, player.line)
        for player in report.players
        for number, entry in enumerate(player.entries, start=1)
        if number > report.rounds_paired and entry.symbol == ByeKind.ALLOCATED.value
    ]
    if given:
        byes = tuple((rank, number) for rank, number, _line in given)
        yield TrfError(
            "allocated_ahead", line=given[0][2], round=report.rounds_paired + 1, byes=byes, count=len(byes)
        )


def _method(report: Report) -> Iterator[TrfError]:
    """Yield that the ratings of 001 are taken, although 172 asks for others."""
    record = next((one for one in report.of_type(TextRecord) if one.code == "172" and one.text.strip()), None)
    if record is None:
        return
    method = read_method(record.text)
    doubt = partial(TrfError, line=record.line, column=5, found=record.text[:20])
    if method is None:
        yield doubt("unknown_method", known=METHODS)
    elif lacks_national_ratings(report, method):
        yield doubt("no_national_ratings", federation=method.federation)


def _ranks(report: Report, system: PairingSystem | None) -> Iterator[TrfError]:
    """Yield the first rank that contradicts the points. Players with equal points may have any order.

    Where rounds are fixed, ranks may leave out the games of a player who left; the check of the standings knows which.
    """
    if system is not None and system.fixed_rounds:
        from .section_comments import leavers

        if leavers(report):
            return
    ranked = [player for player in report.players if player.rank and player.points is not None]
    ranked.sort(key=_points, reverse=True)
    lowest_above: PlayerRecord | None = None
    start = 0
    while start < len(ranked):
        end = start
        while end < len(ranked) and ranked[end].points == ranked[start].points:
            end += 1
        group = ranked[start:end]
        if lowest_above is not None:
            for player in group:
                if _rank(player) < _rank(lowest_above):
                    yield TrfError(
                        "ranks_differ",
                        line=player.line,
                        column=86,
                        player=player.starting_rank,
                        points=_points(player),
                        found=_rank(player),
                        other=lowest_above.starting_rank,
                        other_points=_points(lowest_above),
                        expected=_rank(lowest_above),
                    )
                    return
        lowest_above = max((*group, *((lowest_above,) if lowest_above else ())), key=_rank)
        start = end


def _points(player: PlayerRecord) -> int:
    return player.points or 0


def _rank(player: PlayerRecord) -> int:
    return player.rank or 0


def _titles(report: Report) -> Iterator[TrfError]:
    known = frozenset(TITLES.values())
    for player in report.players:
        if player.title and player.title not in known:
            yield TrfError(
                "unknown_title", line=player.line, column=11, player=player.starting_rank, found=player.title
            )


def _prohibitions(report: Report, system: PairingSystem | None) -> Iterator[TrfError]:
    """Yield a doubt about pairs that must not meet, unless the rules are not FIDE's."""
    if system is not None and not system.of_fide:
        return
    for record in report.of_type(Prohibition)[:1]:
        yield TrfError("forbidden_pairs", line=record.line, column=1, found=len(report.of_type(Prohibition)))


def _time_control(report: Report) -> Iterator[TrfError]:
    written = report.headers("222")
    if not written:
        return
    from .time_controls import read_time_control

    for record in written:
        if record.text and read_time_control(record.text) is None:
            yield TrfError("time_control_unreadable", line=record.line, column=5, found=record.text[:20])


# Warnings about the records of team events. They affect no pairing, so nothing in them refuses a file.


def team_warnings(report: Report) -> Iterator[TrfError]:
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
