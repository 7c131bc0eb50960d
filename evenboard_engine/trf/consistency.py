"""What must hold between the lines of a report file."""

from __future__ import annotations

from functools import partial

from evenboard_engine.model import Colour

from .as_paired import as_paired
from .codes import RESULT_OF_SYMBOLS
from .errors import Problems
from .records import (
    AbnormalPoints,
    AnnouncedBye,
    Configuration,
    InitialColour,
    PlayerRecord,
    RoundEntry,
    Rounds,
    Scoring,
)
from .report import Report
from .scoring import point_system

_FIRST_OPPONENT = 92
_OTHER_COLOUR = {Colour.WHITE: Colour.BLACK, Colour.BLACK: Colour.WHITE, None: None}


def check_report(report: Report, problems: Problems) -> None:
    """Add every contradiction to problems: settings that differ, games reported in two ways, wrong sums."""
    _check_settings(report, problems)
    by_rank = _check_ranks(report, problems)
    for player in report.players:
        for number, entry in enumerate(player.entries, start=1):
            if entry.opponent is not None:
                other = by_rank.get(entry.opponent)
                if other is None or not _agree(player.starting_rank, entry, other.entry(number)):
                    _explain(player, number, entry, other, problems)
    _check_rounds(report, problems)
    _check_announced_byes(report, by_rank, problems)
    for record in () if report.is_team_event else report.of_type(AbnormalPoints):
        if record.points is None:  # only match points
            problems.add("bad_points", line=record.line, column=14, field="points", found="")
    _check_points(report, problems)


def opponent_column(number: int) -> int:
    """Return the first column of a round (from 1) in a player line."""
    return _FIRST_OPPONENT + 10 * (number - 1)


def _check_settings(report: Report, problems: Problems) -> None:
    for planned in report.of_type(Rounds):
        if planned.rounds != report.rounds:
            problems.add(
                "rounds_differ", line=planned.line, column=5, found=planned.rounds, expected=report.rounds
            )
    colours: tuple[InitialColour | Configuration, ...]
    colours = (*report.of_type(InitialColour), *report.of_type(Configuration))
    for record in colours:
        if record.colour is not None and record.colour is not report.initial_colour:
            problems.add("initial_colours_differ", line=record.line, column=5, found=record.colour.value)
    abnormal = () if report.is_team_event else report.of_type(AbnormalPoints)
    points, conflict = point_system(report.of_type(Scoring), abnormal)
    if conflict is not None:
        problems.add("point_systems_differ", line=conflict[0].line, column=5, found=conflict[1])
    for scoring in report.of_type(Scoring):
        unknown = (
            dict(scoring.items).get("X", points.white_draw) if scoring.code == "162" else points.white_draw
        )
        if unknown != points.white_draw:
            problems.add(
                "adjourned_points", line=scoring.line, column=5, found=unknown, expected=points.white_draw
            )


def _check_ranks(report: Report, problems: Problems) -> dict[int, PlayerRecord]:
    by_rank: dict[int, PlayerRecord] = {}
    for player in report.players:
        first = by_rank.setdefault(player.starting_rank, player)
        if first is not player:
            rank = player.starting_rank
            problems.add("duplicate_player", line=player.line, column=5, player=rank, first_line=first.line)
    return by_rank


def _agree(me: int, mine: RoundEntry, theirs: RoundEntry) -> bool:
    """Return whether two entries report the same game."""
    return (
        theirs.opponent == me != mine.opponent
        and theirs.colour is _OTHER_COLOUR[mine.colour]
        and ((mine.symbol, theirs.symbol) in RESULT_OF_SYMBOLS or mine.symbol == theirs.symbol == "")
    )


def _explain(
    player: PlayerRecord, number: int, entry: RoundEntry, other: PlayerRecord | None, problems: Problems
) -> None:
    """Add why two entries do not agree. A contradiction that both entries show is reported once, for the later line."""
    column = opponent_column(number)
    problem = partial(
        problems.add, line=player.line, player=player.starting_rank, opponent=entry.opponent, round=number
    )
    if other is None:
        problem("unknown_opponent", column=column)
        return
    if other is player:
        problem("own_opponent", column=column)
        return
    theirs = other.entry(number)
    if theirs.opponent != player.starting_rank:
        problem("opponent_disagrees", column=column, found=theirs.opponent or 0, other_line=other.line)
        return
    if player.line < other.line:
        return
    if theirs.colour is not _OTHER_COLOUR[entry.colour]:
        problem("colours_disagree", column=column + 5, other_line=other.line)
    symbols = (entry.symbol, theirs.symbol)
    if symbols not in RESULT_OF_SYMBOLS and symbols != ("", ""):
        problem("results_disagree", column=column + 7, found=symbols, other_line=other.line)


def _check_rounds(report: Report, problems: Problems) -> None:
    rounds = report.rounds
    for player in report.players:
        if rounds is not None and len(player.entries) > rounds:
            column = opponent_column(rounds + 1)
            problems.add("round_beyond", line=player.line, column=column, round=rounds + 1, rounds=rounds)
            break
    used = {
        number
        for player in report.players
        for number, entry in enumerate(player.entries, start=1)
        if entry.symbol or entry.opponent is not None
    }
    for number in range(1, report.rounds_paired):
        if number not in used:
            later = next(player for player in report.players if len(player.entries) > number)
            problems.add("round_empty", line=later.line, column=opponent_column(number), round=number)


def _check_announced_byes(report: Report, by_rank: dict[int, PlayerRecord], problems: Problems) -> None:
    for record in report.of_type(AnnouncedBye):
        for rank in record.players:
            symbol = by_rank[rank].entry(record.round).symbol
            paired = record.round <= report.rounds_paired
            if symbol != record.kind.value and (paired or symbol):
                problems.add(
                    "bye_disagrees",
                    line=record.line,
                    column=5,
                    player=rank,
                    round=record.round,
                    expected=record.kind.value,
                    found=symbol,
                )


def _check_points(report: Report, problems: Problems) -> None:
    """Add points that are not the sum of the results and of record 299.

    Where comments say that other results count for pairings, their sum is right too.
    """
    paired = as_paired(report)
    for player, used in zip(report.players, paired.players, strict=True):
        scores = paired.scores(used)
        if player.points is None or player.points in scores:
            continue
        if paired is report or player.points not in report.scores(player):
            problems.add(
                "points_differ",
                line=player.line,
                column=81,
                player=player.starting_rank,
                found=player.points,
                expected=scores[0],
            )
