"""The standings of a report file against its points and the tie-breaks that it declares (records 212, else 202).

The order is compared, not the numbers of the ranks; players who are tied to the end may stand in any order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from .tiebreaks import Ranking, TieBreak, ranking, read_list, shown
from .trf import PlayerRecord, Report, Rounds, TextRecord, as_paired, first_day, to_tournament

FIRST_DAY_OF_2026 = "2026-03-01"
"""From when C.07 limits what the dummy opponent of an unplayed round is worth (16.4)."""

_POINTS = TieBreak("PTS", "PTS")


@dataclass(frozen=True, slots=True)
class Misplaced:
    """`player` has `rank` and stands before `other`, or shares it, though `tie_break` puts `other` first.

    value, better: of the two, as people write them.
    """

    player: int
    rank: int
    other: int
    shared: bool
    tie_break: str
    value: str
    better: str


@dataclass(frozen=True, slots=True)
class StandingsCheck:
    """tie_breaks: that were compared, the points among them. unknown: the first that is not known, and ends them, or
    "". line: of the record that declares them, 0 for none. players: that have a rank.
    """

    tie_breaks: tuple[str, ...]
    unknown: str
    line: int
    players: int
    misplaced: tuple[Misplaced, ...]


def declared(report: Report) -> tuple[TieBreak, ...]:
    """The full list of a report: 212, else points and 202, else points alone."""
    record = _declaration(report)
    if record is None:
        return (_POINTS,)
    rules = read_list(record.text)
    return rules if record.code == "212" else (_POINTS, *rules)


def check_standings(report: Report, *, unrated: int | None = None) -> StandingsCheck | None:
    """The ranks of the players after the last round that was paired. None where the file has no standings to check:
    no ranks, a game without result, or points that count byes of rounds to come.

    unrated: as for `to_tournament`, whose TrfErrors are raised.
    """
    report = as_paired(report)
    ranked = [player for player in report.players if player.rank]
    if not ranked or not report.rounds_paired or not _complete(report):
        return None
    rounds = report.rounds_paired + 1
    others = (record for record in report.records if not isinstance(record, Rounds))
    whole = Report((*others, Rounds(rounds)))  # one more round, before which the table is made
    rules = declared(report)
    order = ranking(
        to_tournament(whole, round=rounds, unrated=unrated),
        rules,
        among=[player.starting_rank for player in ranked],
        capped=_capped(report),
    )
    record = _declaration(report)
    left = rules[len(order.used) :]
    return StandingsCheck(
        tie_breaks=tuple(rule.text for rule in order.used),
        unknown=left[0].text if left else "",
        line=record.line if record else 0,
        players=len(ranked),
        misplaced=tuple(_misplaced(ranked, order)),
    )


def _declaration(report: Report) -> TextRecord | None:
    for code in ("212", "202"):
        for record in report.of_type(TextRecord):
            if record.code == code and record.text.strip():
                return record
    return None


def _complete(report: Report) -> bool:
    """Whether every pairing has its result and the points are those of the rounds that were paired."""
    paired = report.rounds_paired
    for player in report.players:
        if player.points not in (None, report.scores(player)[0]):
            return False
        for entry in player.entries[:paired]:
            if entry.opponent is not None and entry.symbol in ("", "?"):
                return False
    return True


def _capped(report: Report) -> bool:
    day = first_day(report)
    return not day or day >= FIRST_DAY_OF_2026


def _misplaced(ranked: list[PlayerRecord], order: Ranking) -> Iterator[Misplaced]:
    values = order.values
    standing = sorted(ranked, key=lambda player: values[player.starting_rank], reverse=True)
    standing.sort(key=lambda player: player.rank or 0)
    for upper, lower in pairwise(standing):
        shared = upper.rank == lower.rank
        if shared:  # of those who share a rank the better one comes first here
            upper, lower = lower, upper  # told from the side of the worse one
        mine, theirs = values[upper.starting_rank], values[lower.starting_rank]
        if mine < theirs:
            at = next(
                place for place, (one, other) in enumerate(zip(mine, theirs, strict=True)) if one != other
            )
            rule = order.used[at]
            yield Misplaced(
                player=upper.starting_rank,
                rank=upper.rank or 0,
                other=lower.starting_rank,
                shared=shared,
                tie_break=rule.text,
                value=shown(rule, mine[at]),
                better=shown(rule, theirs[at]),
            )
