"""What decides pairings and has no record: comment lines that this program writes and understands."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace

from evenboard_engine.model import Flag, Player
from evenboard_engine.systems.registry import ASSUMED_SYSTEM, SYSTEMS, system_named

from .days import read_day
from .records import KeptLine, OldTeam
from .report import Report, from_lines

# What a pairing system may ask of players and 001 does not have: teams (013), and comments for clubs and
# flags.
#
# ### Club: 3 7 12 = SK Wien
# ### Keep in score group: 3 7
# ### Never rated: 5
# ### Late entry: 4

FLAG_COMMENTS = {Flag.KEEP: "Keep in score group", Flag.NEW: "Never rated", Flag.LATE: "Late entry"}
_LONGEST = 32
_MEMBERS_IN_LINE = 20
_FACT = rf"### (Club|{'|'.join(FLAG_COMMENTS.values())}): ((?:[0-9]{{1,5}} )*[0-9]{{1,5}})(?: = (.+))?"


def with_facts(report: Report, players: Iterable[Player]) -> tuple[Player, ...]:
    """Return players with their teams, clubs and flags; ids are starting ranks. The last line about a player counts."""
    teams: dict[int, str] = {}
    clubs: dict[int, str] = {}
    flags: dict[int, set[Flag]] = {}
    by_comment = {text: flag for flag, text in FLAG_COMMENTS.items()}
    for team in report.of_type(OldTeam):
        teams.update(dict.fromkeys(filter(None, team.players), team.name))
    for record in report.kept:
        if found := re.fullmatch(_FACT, record.text.rstrip()):
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
    found = re.fullmatch(_FACT, text.rstrip())
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


_OF_A_ROUND = r"### (.+?) @ Round ([0-9]{1,3})(?::.*)?"


SYSTEM_COMMENT = "### Pairing system: "
"""Names the system where the code of record 192 may be of several ones: `### Pairing system: uschess`."""
_CUSTOM = "CUSTOM_"


def reading_lines(system: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the comments for a report that name its pairing system, if 192 does not, and carry its options."""
    return *system_lines(system, options), *system_named(system).comments(options)


def system_lines(system: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """Return the comment that names the pairing system; () if record 192 names it."""
    is_custom = system_named(system).coded(options).startswith(_CUSTOM)
    return (f"{SYSTEM_COMMENT}{system}",) if is_custom else ()


def system_in(comment: str) -> str:
    """Return the code of the pairing system that a comment line names; "" if it names none that is known."""
    code = comment.removeprefix(SYSTEM_COMMENT).strip() if comment.startswith(SYSTEM_COMMENT) else ""
    return code if code in SYSTEMS else ""


def is_reading(text: str, system: str) -> bool:
    """Return whether a line carries what decides the pairings of this system: its name, an option, facts of players."""
    pairs = system_named(system)
    is_option = pairs.option_in(text) is not None
    return is_option or text.startswith(SYSTEM_COMMENT) or is_fact_line(text, pairs.player_facts)


def system_named_in(report: Report) -> str:
    """Return the code of the pairing system that a report names; "" if it names none or an unknown one.

    Record 192 names it. Without it, or if the code is not of one system alone, a comment names it, or record 092.
    """
    named = report.text("192").upper()
    commented = _commented(report)
    if commented and (not named or SYSTEMS[commented].decoded(named) is not None):
        return commented
    if not named and not report.text("092"):
        return ""
    by_name = not named or named.startswith(_CUSTOM)
    fits = (one for one in SYSTEMS.values() if not named or one.decoded(named) is not None)
    return next((one.code for one in fits if not by_name or one.report_name == report.text("092")), "")


def system_for(report: Report, asked: str = "") -> str:
    """Return the code of the pairing system that is asked for, else of the one that a report names.

    Without both it is the Dutch System, as in the files of other programs.
    """
    return asked or system_named_in(report) or ASSUMED_SYSTEM


def _commented(report: Report) -> str:
    """Return the code of the pairing system that the last comment of this kind names; "" for none."""
    return next(filter(None, (system_in(record.text) for record in reversed(report.kept))), "")


def other_system_in(report: Report, system: str) -> str:
    """Return what a report names instead of this pairing system; "" if it may be of this system."""
    named = report.text("192")
    is_custom = named.upper().startswith(_CUSTOM)
    if named and system_named(system).decoded(named.upper()) is None:
        return (_commented(report) if is_custom else "") or named
    found = system_named_in(report) if is_custom else ""
    return "" if found == system else found


def readings(report: Report, system: str = "") -> dict[str, str]:
    """Return the options that the comments carry; of several comments on one the last counts.

    system: as for `system_for`.
    """
    pairs = system_named(system_for(report, system))
    found = (pairs.option_in(record.text) for record in report.kept)
    return dict(option for option in found if option is not None)


def comments_on_round(report: Report, number: int) -> tuple[str, ...]:
    """Return comments (`### MPA @ Round 7: ...`) that may explain why a round is not what the engine pairs.

    These are the comments on the round, and on corrections of earlier rounds: it may have been paired before them.
    """
    texts = []
    for record in report.kept:
        found = re.fullmatch(_OF_A_ROUND, record.text, re.DOTALL)
        if found is None:
            continue
        of = int(found[2])
        if of == number or (of < number and "correction" in found[1].lower()):
            texts.append(record.text[4:])
    return tuple(texts)


@from_lines
def first_day(report: Report) -> str:
    """Return the start date (042) as YYYY-MM-DD, "" where it is missing or not one day."""
    day = read_day(report.text("042"))
    return day.isoformat() if day else ""


def rules_of(report: Report, *, system: str = "", options: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return all options that pair the rounds of a report: as asked, else those of its comments and of record 192.

    Without them, the first day (042) decides those that depend on it, and the others have their default. system: as
    for `system_for`.
    """
    system = system_for(report, system)
    pairs = system_named(system)
    by_day = pairs.options_on(first_day(report))
    coded = pairs.decoded(report.text("192").upper()) or {}
    return pairs.checked({**by_day, **coded, **readings(report, system), **(options or {})})
