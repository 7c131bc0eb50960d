"""Virtual points in a report file: record 250 (TRF26), XXA (JaVaFo, bbpPairings), or an accelerated system in 192."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence

from evenboard_engine.acceleration import baku, baku_group, joined, suits_baku
from evenboard_engine.model import Acceleration, ByeKind, Player
from evenboard_engine.systems.registry import SYSTEMS

from .errors import Problems
from .pairing_comments import system_named_in
from .records import Absentees, AnnouncedBye, BakuFlag, TextRecord, VirtualPoints, VirtualPointsOfOne
from .report import Report

MAX_VIRTUAL_POINTS = 2_000_000


def accelerations(
    report: Report, number: int, tpn: Mapping[int, int], problems: Problems
) -> tuple[Acceleration, ...]:
    """Return the virtual points up to round `number`: those of 250 and XXA, which must agree, else those of the rule of
    Baku, if 192 or ACC names it.

    tpn: by starting rank. By the rule, players who are not paired in round 1 are not in the split (C.04.7, 1; D7).
    """
    if _records(report):
        return joined(_virtual_points_named(report, number, problems))
    if not (lines := _lines_of_baku(report)):
        return ()
    if not suits_baku(report.points):
        problems.add("acceleration_points", line=lines[0], column=5)
        return ()
    return baku(_by_rule(report, tpn), rounds=report.rounds or 1, win=report.points.win)


def _lines_of_baku(report: Report) -> list[int]:
    """Return the lines that ask for Baku Acceleration: ACC, and 192 with the code of a system with acceleration."""
    system = SYSTEMS.get(system_named_in(report))
    named = system is not None and system.names_acceleration(report.text("192").upper())
    flags = [flag.line for flag in report.of_type(BakuFlag) if flag.accelerated]
    return [*flags, *(record.line for record in report.of_type(TextRecord) if named and record.code == "192")]


def _by_rule(report: Report, tpn: Mapping[int, int]) -> frozenset[int]:
    """Return the starting ranks of GA by the rule (C.04.7, 1). tpn: by starting rank."""
    players = [Player(rank, place, 1) for rank, place in tpn.items()]
    return baku_group(players, _out_of_round_1(report))


def _out_of_round_1(report: Report) -> frozenset[int]:
    """Return the starting ranks of players who are not paired in round 1. Before it is paired: who has a bye in it.

    They get a number on arrival (GHR 2.4), so they do not count when the field is split.
    """
    if report.rounds_paired:
        return frozenset(
            player.starting_rank
            for player in report.players
            if player.entry(1).opponent is None and player.entry(1).symbol != ByeKind.ALLOCATED.value
        )
    out = {player.starting_rank for player in report.players if player.entry(1).symbol}
    out.update(rank for record in report.of_type(Absentees) for rank in record.players)
    out.update(
        rank for record in report.of_type(AnnouncedBye) if record.round == 1 for rank in record.players
    )
    return frozenset(out)


def _records(report: Report) -> tuple[VirtualPoints | VirtualPointsOfOne, ...]:
    return (*report.of_type(VirtualPoints), *report.of_type(VirtualPointsOfOne))


def group_of_baku(report: Report) -> frozenset[int] | None:
    """Return the starting ranks of GA, empty without acceleration, None for virtual points of another kind.

    Those of Baku are the virtual points, up to the next round, that the rule gives to some GA; before round 1, to the
    first half of the field (C.04.7, 1). Raises TrfErrors.
    """
    problems = Problems()
    number = min(report.rounds or 1, report.rounds_paired + 1)
    tpn = _numbers(report)
    given = accelerations(report, number, tpn, problems)
    problems.raise_if_any()
    group = frozenset().union(*(one.players for one in given))
    if group and not suits_baku(report.points):
        return None
    by_rule = group
    if group and not report.rounds_paired:
        by_rule = _by_rule(report, tpn)
    whole = baku(by_rule, rounds=report.rounds or 1, win=report.points.win)
    return group if _expanded(given, number) == _expanded(whole, number) else None


def virtual_points(report: Report) -> tuple[Acceleration, ...]:
    """Return the virtual points of a file in all its rounds. Players are starting ranks. Raises TrfErrors."""
    problems = Problems()
    given = accelerations(report, report.rounds or report.rounds_paired + 1, _numbers(report), problems)
    problems.raise_if_any()
    return given


def _numbers(report: Report) -> dict[int, int]:
    tpn = {player.starting_rank: place for place, player in enumerate(report.players, start=1)}
    return tpn if report.by_position else {rank: rank for rank in tpn}


def _expanded(given: Sequence[Acceleration], number: int) -> dict[tuple[int, int], int]:
    return {
        (round_, player): one.points
        for one in given
        for round_ in range(one.first_round, min(one.last_round, number) + 1)
        for player in one.players
    }


def _virtual_points_named(report: Report, number: int, problems: Problems) -> dict[tuple[int, int], int]:
    """Return virtual points by (round, starting rank), for all that a record names."""
    ranks = sorted(player.starting_rank for player in report.players)
    virtual: dict[tuple[int, int], int] = {}
    count = 0
    for given in report.of_type(VirtualPoints):
        players = ranks[bisect_left(ranks, given.first_player) : bisect_right(ranks, given.last_player)]
        span = range(given.first, min(given.last, number) + 1)
        count += len(players) * len(span)
        if count > MAX_VIRTUAL_POINTS:
            problems.add("too_many_virtual", line=given.line, column=5, limit=MAX_VIRTUAL_POINTS)
            return virtual
        for round_ in span:
            for player in players:
                if virtual.setdefault((round_, player), given.points) != given.points:
                    found = virtual[round_, player]
                    _differ(problems, given.line, player, round_, found, given.points)
    for one in report.of_type(VirtualPointsOfOne):
        for round_, points in enumerate(one.points[:number], start=1):
            if virtual.setdefault((round_, one.player), points) != points:
                _differ(problems, one.line, one.player, round_, virtual[round_, one.player], points)
    return virtual


def _differ(problems: Problems, line: int, player: int, round_: int, expected: int, found: int) -> None:
    problems.add(
        "virtual_points_differ",
        line=line,
        column=5,
        player=player,
        round=round_,
        expected=expected,
        found=found,
    )


def acceleration_records(
    given: Sequence[Acceleration], ranks: Sequence[int], number: int
) -> Iterator[VirtualPoints | VirtualPointsOfOne]:
    """Yield the records of virtual points: 250 for all rounds, then XXA for the rounds up to `number`.

    Players of `given` are starting ranks. ranks: of all players. No player may have two of `given` in one round.
    """
    place = {rank: i for i, rank in enumerate(sorted(ranks))}
    history: dict[int, list[int]] = {}
    for one in given:
        run: list[int] = []
        for rank in sorted(one.players):
            if run and place[rank] != place[run[-1]] + 1:
                yield VirtualPoints(one.points, one.first_round, one.last_round, run[0], run[-1])
                run = []
            run.append(rank)
            mine = history.setdefault(rank, [0] * number)
            for round_ in range(one.first_round, min(one.last_round, number) + 1):
                mine[round_ - 1] = one.points
        if run:
            yield VirtualPoints(one.points, one.first_round, one.last_round, run[0], run[-1])
    for rank in sorted(history):
        yield VirtualPointsOfOne(rank, tuple(history[rank]))
