"""What a pairing system may ask of players and 001 does not have: teams (013), and comments for clubs and flags.

### Club: 3 7 12 = SK Wien
### Keep in score group: 3 7
### Never rated: 5
### Late entry: 4
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from evenboard_engine.model import Flag, Player

from .records import KeptLine
from .report import Report
from .team_records import OldTeam

FLAG_COMMENTS = {Flag.KEEP: "Keep in score group", Flag.NEW: "Never rated", Flag.LATE: "Late entry"}
_LONGEST = 32
_MEMBERS_IN_LINE = 20
_fact = re.compile(
    rf"### (Club|{'|'.join(FLAG_COMMENTS.values())}): ((?:[0-9]{{1,5}} )*[0-9]{{1,5}})(?: = (.+))?"
).fullmatch


def with_facts(report: Report, players: Iterable[Player]) -> tuple[Player, ...]:
    """Return players with their teams, clubs and flags; ids are starting ranks. The last line about a player counts."""
    teams: dict[int, str] = {}
    clubs: dict[int, str] = {}
    flags: dict[int, set[Flag]] = {}
    by_comment = {text: flag for flag, text in FLAG_COMMENTS.items()}
    for team in report.of_type(OldTeam):
        teams.update(dict.fromkeys(filter(None, team.players), team.name))
    for record in report.kept:
        if found := _fact(record.text.rstrip()):
            ranks = tuple(map(int, found[2].split()))
            if found[1] == "Club" and found[3]:
                clubs.update(dict.fromkeys(ranks, found[3].strip()))
            elif found[1] in by_comment and not found[3]:
                for rank in ranks:
                    flags.setdefault(rank, set()).add(by_comment[found[1]])
    if not (teams or clubs or flags):
        return tuple(players)
    return tuple(
        replace(
            player,
            team=teams.get(player.id, ""),
            club=clubs.get(player.id, ""),
            flags=frozenset(flags.get(player.id, ())),
        )
        for player in players
    )


def fact_lines(players: Iterable[Player], facts: Iterable[str]) -> Iterator[KeptLine | OldTeam]:
    """Yield the lines that carry these facts (`PairingSystem.player_facts`) of players, by their numbers."""
    known, asked = sorted(players, key=lambda player: player.tpn), tuple(facts)
    if "team" in asked:
        for name, numbers in _grouped(known, lambda player: player.team[:_LONGEST]).items():
            yield OldTeam(name, tuple(numbers))
    if "club" in asked:
        for name, numbers in _grouped(known, lambda player: player.club).items():
            for part in _parts(numbers):
                yield KeptLine(f"### Club: {part} = {name}")
    for flag, text in FLAG_COMMENTS.items():
        numbers = [player.tpn for player in known if flag in player.flags] if flag in asked else []
        for part in _parts(numbers):
            yield KeptLine(f"### {text}: {part}")


def is_fact_line(text: str, facts: Iterable[str]) -> bool:
    """Return whether a line carries one of these facts."""
    asked = set(facts)
    if text.startswith("013 "):
        return "team" in asked
    found = _fact(text.rstrip())
    names = {"Club": "club", **{comment: flag.value for flag, comment in FLAG_COMMENTS.items()}}
    return found is not None and names[found[1]] in asked


def _grouped(players: Iterable[Player], group: Callable[[Player], str]) -> Mapping[str, list[int]]:
    found: dict[str, list[int]] = {}
    for player in players:
        if group(player):
            found.setdefault(group(player), []).append(player.tpn)
    return found


def _parts(numbers: list[int]) -> Iterator[str]:
    for start in range(0, len(numbers), _MEMBERS_IN_LINE):
        yield " ".join(map(str, numbers[start : start + _MEMBERS_IN_LINE]))
