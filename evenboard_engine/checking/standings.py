"""Compare the standings of a report file with its points and the tie-breaks that it declares (records 212, else 202).

Only the order is compared, not the numbers of the ranks. Players who are tied in every tie-break may be in any order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from evenboard_engine.history import without_games_of
from evenboard_engine.model import Tournament
from evenboard_engine.systems.registry import system_of
from evenboard_engine.tiebreaks import (
    POINTS,
    Ranking,
    TieBreak,
    Typed,
    capped_from,
    ranking,
    read_list,
    shown,
    without_ratings,
)
from evenboard_engine.tiebreaks.parts.sums import Sums
from evenboard_engine.trf import (
    PlayerRecord,
    Report,
    Rounds,
    TextRecord,
    as_paired,
    first_day,
    leavers,
    left_out,
    rating_periods,
    to_tournament,
    typed_values,
)


@dataclass(frozen=True, slots=True)
class Misplaced:
    """`player` is ranked before `other`, or shares a rank with `other`, although `tie_break` puts `other` first.

    rank: of `player`. value, better: the values of `player` and of `other`, in the usual notation.
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
    """The result of a check.

    tie_breaks: those compared, including the points. unknown: the first one that the program does not know, at which
    the comparison stopped, or "". line: of the record that declares them, 0 for none. players: how many have a rank.
    """

    tie_breaks: tuple[str, ...]
    unknown: str
    line: int
    players: int
    misplaced: tuple[Misplaced, ...]


def declared(report: Report) -> tuple[TieBreak, ...]:
    """Return the declared list of a report: record 212, else points and record 202, else only points."""
    record = _declaration(report)
    if record is None:
        return (POINTS,)
    rules = read_list(record.text)
    return rules if record.code == "212" else (POINTS, *rules)


def check_standings(report: Report, *, unrated: int | None = None, system: str = "") -> StandingsCheck | None:
    """Check the ranks after the last round that was paired, by the games that count for them.

    Returns None if the file has no standings to check: no ranks, a game without a result, or points that include byes
    of later rounds. unrated, system: as for `to_tournament`. Raises TrfErrors.
    """
    report = as_paired(report)
    ranked = [player for player in report.players if player.rank]
    if not ranked or not report.rounds_paired or not _complete(report):
        return None
    rules = declared(report)
    tournament, uncounted = after_last_round(report, unrated=unrated, system=system)
    ranked = [player for player in ranked if player.starting_rank not in uncounted]
    order = ranked_by(report, tournament, rules, among=[player.starting_rank for player in ranked])
    record = _declaration(report)
    left = rules[len(order.used) :]
    return StandingsCheck(
        tie_breaks=tuple(rule.text for rule in order.used),
        unknown=left[0].text if left else "",
        line=record.line if record else 0,
        players=len(ranked),
        misplaced=tuple(_misplaced(ranked, order)),
    )


def after_last_round(
    report: Report, *, unrated: int | None = None, system: str = ""
) -> tuple[Tournament, Set[int]]:
    """Return the tournament after the last round that was paired, and the players who have no place in its standings.

    Games of these players do not count in it. Games without a result are open. unrated, system: as for
    `to_tournament`. Raises TrfErrors.
    """
    rounds = report.rounds_paired + 1
    others = (record for record in report.records if not isinstance(record, Rounds))
    whole = Report((*others, Rounds(rounds)))  # the standings are those before one more round
    tournament = to_tournament(whole, round=rounds, unrated=unrated, system=system, with_open=True)
    gone = frozenset(one.player for one in leavers(report))
    uncounted = system_of(tournament).uncounted(replace(tournament, absent=gone)).keys()
    return without_games_of(tournament, uncounted), uncounted


def ranked_by(
    report: Report, tournament: Tournament, rules: Iterable[TieBreak], *, among: Iterable[int]
) -> Ranking:
    """Return the ranking of a report's players, with the edition of C.07 and the typed values of the report."""
    counted, capped, typed = _conditions(report, tournament)
    return ranking(counted, rules, among=among, capped=capped, typed=typed)


def sums_of(
    report: Report, tournament: Tournament, rules: Iterable[TieBreak], *, among: Iterable[int]
) -> Sums:
    """Return the parts of the values of that ranking."""
    counted, capped, typed = _conditions(report, tournament)
    return Sums(counted, rules, among=among, capped=capped, typed=typed)


def _conditions(report: Report, tournament: Tournament) -> tuple[Tournament, bool, Typed]:
    """Return the tournament with the ratings that count, whether dummies are limited (16.4), and the typed values."""
    typed = {
        code: {rank: Fraction(value) for rank, value in values.items()}
        for code, values in typed_values(report).items()
    }
    counted = rating_periods(report).counted_in(without_ratings(tournament, left_out(report) or ()))
    return counted, capped_from(first_day(report)), typed


def _declaration(report: Report) -> TextRecord | None:
    for code in ("212", "202"):
        for record in report.of_type(TextRecord):
            if record.code == code and record.text.strip():
                return record
    return None


def _complete(report: Report) -> bool:
    """Return whether every pairing has a result and the points are exactly those of the rounds that were paired."""
    paired = report.rounds_paired
    for player in report.players:
        if player.points not in (None, report.scores(player)[0]):
            return False
        for entry in player.entries[:paired]:
            if entry.opponent is not None and entry.symbol in ("", "?"):
                return False
    return True


def _misplaced(ranked: list[PlayerRecord], order: Ranking) -> Iterator[Misplaced]:
    values = order.values
    standing = sorted(ranked, key=lambda player: values[player.starting_rank], reverse=True)
    standing.sort(key=lambda player: player.rank or 0)
    for upper, lower in pairwise(standing):
        shared = upper.rank == lower.rank
        if shared:  # of players who share a rank, the better one comes first here
            upper, lower = lower, upper  # the worse one is the misplaced player
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
