"""The teams of a report file, and the other records of a team event, for the page before the file is taken."""

from __future__ import annotations

from dataclasses import dataclass

from evenboard_engine.trf import (
    BoardColours,
    ForfeitedMatch,
    LineUp,
    MatchScoring,
    OfTeams,
    OldTeam,
    Report,
    Team,
    TeamByes,
)

SHOWN_TEAMS = 100


@dataclass(frozen=True, slots=True)
class TeamFacts:
    """What a file says about teams. Points are in tenths.

    teams: the first ones; those of 013 have no number (0). more: how many are not shown. line_ups, byes, forfeits:
    of 300, 320 and 330. colours: of 352. win, draw, loss: match points of 362, None where it does not say. of_teams:
    records 240, 250 and 260, whose numbers are teams.
    """

    teams: tuple[Team, ...]
    more: int
    players: int
    line_ups: int
    byes: int
    forfeits: int
    colours: str
    win: int | None
    draw: int | None
    loss: int | None
    of_teams: int


def team_facts(report: Report) -> TeamFacts | None:
    """Return what the file says about teams; None for a file without such records."""
    teams = report.of_type(Team) or tuple(
        Team(0, one.name, players=one.players) for one in report.of_type(OldTeam)
    )
    if not teams and not report.is_team_event:
        return None
    points = dict(item for record in report.of_type(MatchScoring) for item in record.items)
    return TeamFacts(
        teams=teams[:SHOWN_TEAMS],
        more=max(0, len(teams) - SHOWN_TEAMS),
        players=len({player for team in teams for player in team.players} - {0}),
        line_ups=len(report.of_type(LineUp)),
        byes=sum(len([team for team in record.teams if team]) for record in report.of_type(TeamByes)),
        forfeits=len(report.of_type(ForfeitedMatch)),
        colours=next((record.colours for record in report.of_type(BoardColours)), ""),
        win=points.get("TW"),
        draw=points.get("TD"),
        loss=points.get("TL"),
        of_teams=len(report.of_type(OfTeams)),
    )
