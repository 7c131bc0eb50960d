"""The figures as a page (Markdown) and as series of the chart. Pure."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence

from .chart import Series, duration
from .goals import LAST, SMALLEST_FOR_GROWTH, TIMES, goals
from .measure import growth_exponent
from .peer import PACKAGE
from .session import ROUNDS, Case, Figures, Row, largest

WORDS = ("", "Goal", "Measured", "Answers", "For example", "Field", "Where the peer departs")

HOW_MEASURED = "Times are medians of several runs, growth is fitted to the least of them."


def series(figures: Figures) -> tuple[Series, ...]:
    """Of the last round: our pairing, our reading, the peer's reading and pairing, the goals."""
    rows = largest(figures.rows, LAST)
    limit = figures.plan.limit
    theirs = [
        (row.ours.size, row.peer.read + row.peer.pair) for row in rows if row.peer and not row.peer.error
    ]
    theirs += [(row.ours.size, limit) for row in rows if row.stopped]
    return (
        Series("pairing", tuple((row.ours.size, row.ours.pair_least) for row in rows)),
        Series("reading the file", tuple((row.ours.size, row.ours.read) for row in rows if row.ours.read)),
        Series(PACKAGE.replace("==", " "), tuple(theirs), open_end=any(row.stopped for row in rows)),
        Series("goals", TIMES),
    )


def page(figures: Figures, chart_name: str, command: str) -> str:
    """The page. chart_name: file of the chart, beside it. command: what makes both anew."""
    return "\n".join(
        (
            *_head(figures, chart_name, command),
            "## Goals\n",
            *_table(("Goal", "Measured", ""), goals(figures)),
            f"\n{_growth_of_reading(figures)}{HOW_MEASURED}",
            *_beside(figures),
            *_ours(figures),
            *_answers(figures),
            *_hard(figures),
        )
    )


def _head(figures: Figures, chart_name: str, command: str) -> Iterator[str]:
    rows = largest(figures.rows, LAST)
    ratios = [ratio for row in rows if (ratio := _whole_ratio(row))]
    yield "# Performance\n"
    yield (
        "How long the Dubov engine takes, what it is measured against, and which goals it meets. Made by\n\n"
        f"    {command}\n\n"
        f"in {figures.minutes:.0f} minutes with Python {platform.python_version()} on one core of a shared machine. "
        "Times are processor time; compare ratios, which hold on other machines, rather than seconds. Seeds are "
        "fixed: the command asks the same files again.\n"
    )
    if ratios:
        sizes = [f"{row.ours.size:,}" for row in rows if _whole_ratio(row)]
        yield (
            f"From file to pairs, round {LAST} of {ROUNDS}, py4swiss needs "
            + _joined([f"{ratio:,.0f}" for ratio in ratios])
            + " times our time for "
            + _joined(sizes)
            + " players.\n"
        )
    yield f"![{_alternative(figures)}]({chart_name})\n"
    yield (
        f"Round {LAST} of {ROUNDS}, both axes logarithmic. The peer's line is reading and pairing together, as its "
        "interface gives them; an arrow means that it was stopped there without an answer. The goals are those of the "
        "table below; the figures behind the lines are in the tables after it.\n"
    )


def _alternative(figures: Figures) -> str:
    rows = largest(figures.rows, LAST)
    first, last = rows[0].ours, rows[-1].ours
    return (
        f"Time against number of players: our pairing grows from {duration(first.pair_least)} for {first.size:,} "
        f"players to {duration(last.pair_least)} for {last.size:,}"
    )


def _growth_of_reading(figures: Figures) -> str:
    """For comparison: reading does the same for every player, so what it grows by beyond 1 is the machine's."""
    points = [
        (row.ours.size, row.ours.read)
        for row in largest(figures.rows, LAST)
        if row.ours.read and row.ours.size >= SMALLEST_FOR_GROWTH
    ]
    if len(points) < 2:
        return ""
    return (
        f"For comparison: reading the files of round {LAST}, {points[0][0]:,} to {points[-1][0]:,} players, grows in "
        f"the same run with the exponent {growth_exponent(points):.2f}, though it does the same for every player. "
    )


def _beside(figures: Figures) -> Iterator[str]:
    yield "\n## Beside py4swiss\n"
    if figures.no_peer:
        yield f"{PACKAGE} {figures.no_peer}.\n"
        return
    yield (
        f"{PACKAGE.replace('==', ' ')} (PyPI, its Dubov engine) in a process of its own, the same files, "
        f"{figures.plan.limit:.0f} s of processor time a file at most. A ratio is its time by ours: the larger, "
        "the slower it is. \"Whole\" is from the file to the pairs.\n"
    )  # fmt: skip
    head = (
        "Players",
        "Round",
        "Whole, ratio",
        "Pairing, ratio",
        "Our pairing",
        "Its reading",
        "Its pairing",
        "Answers",
    )
    yield from _table(
        head,
        [
            _peer_row(row, figures.plan.limit)
            for row in figures.rows
            if row.peer or row.stopped or row.expected
        ],
    )
    ours, theirs = figures.small_seconds
    if ours:
        yield (
            f"\nIn {figures.small_rounds:,} rounds of small tournaments (below) it needs {theirs / ours:,.0f} times "
            "our time, reading included."
        )


def _peer_row(row: Row, limit: float) -> tuple[str, ...]:
    ours = row.ours
    start = f"{ours.size:,}", str(ours.round)
    if row.expected:
        expected = f"not asked: about {row.expected / 60:,.0f} min by its growth"
        return (*start, "", "", duration(ours.pair_least), "", expected, "")
    if row.peer is None:
        whole = limit / (ours.pair_least + (ours.read or 0))
        return (
            *start,
            f"over {whole:,.0f}",
            f"over {limit / ours.pair_least:,.0f}",
            duration(ours.pair_least),
            "",
            f"stopped after {limit:.0f} s",
            "none",
        )
    peer = row.peer
    if peer.error:
        return (*start, "", "", duration(ours.pair_least), "", "error", _told(row))
    return (
        *start,
        f"{_whole_ratio(row):,.0f}",
        f"{peer.pair / ours.pair_least:,.0f}",
        duration(ours.pair_least),
        duration(peer.read),
        duration(peer.pair),
        _told(row),
    )


def _whole_ratio(row: Row) -> float | None:
    if row.peer is None or row.peer.error or row.ours.read is None:
        return None
    return (row.peer.read + row.peer.pair) / (row.ours.read + row.ours.pair_least)


def _told(row: Row) -> str:
    articles = dict.fromkeys(departure.article for departure in row.departures)
    return "differ: " + ", ".join(articles) if articles else "agree"


def _ours(figures: Figures) -> Iterator[str]:
    yield "\n## Our own times\n"
    yield (
        "Pairing is the engine alone, the least and the median of several runs; reading is from the bytes of the "
        "report file to the engine's values. Memory is the most that was in use beyond the input, the answer "
        "included. Numbers above 9,999 do not fit into a report file: that field was asked through the engine's "
        "interface. The tournaments are made by our engine with results by strength, a few byes, forfeits and "
        "withdrawals.\n"
    )
    head = (
        "Players",
        "Round",
        "Pairing / reading",
        "Pairing",
        "Median",
        "Reading",
        "A player",
        "Bytes a player",
    )
    rows = []
    for row in figures.rows:
        ours = row.ours
        rows.append(
            (
                f"{ours.size:,}",
                str(ours.round),
                f"{ours.pair_least / ours.read:.2f}" if ours.read else "",
                duration(ours.pair_least),
                duration(ours.pair_median),
                duration(ours.read) if ours.read else "",
                f"{ours.pair_least / ours.size * 1e6:.1f} µs",
                f"{ours.bytes_a_player:,.0f}",
            )
        )
    yield from _table(head, rows)


def _answers(figures: Figures) -> Iterator[str]:
    if figures.no_peer:
        return
    yield "\n## Answers\n"
    cases = figures.small_cases
    rounds = len({(case.seed, case.round) for case in cases})
    faults = len(figures.our_faults)
    yield (
        f"{figures.small_rounds:,} rounds of {figures.plan.small} tournaments of 8 to 40 players, half of them with "
        f"many byes, forfeits and withdrawals: {figures.small_agreed:,} pairings are the same, {rounds} differ. "
        "Where two answers differ, the first article on which they part is evaluated for both, from facts that the "
        "test oracle reads from the history and not the engine (`bench/peers/verdict.py`). "
        + (f"**In {faults} places it is us who depart.**" if faults else "In no case is it us who depart.")
        + f" Of the rounds that differ, {figures.oracle_asked} are small enough for the brute force of the tests: it "
        f"pairs {figures.oracle_agreed} of them as we do."
        " Articles are those of C.04.4.1 in the edition of 2025, readings those of [rules.md](rules.md).\n"
    )
    if not cases:
        return
    head = ("Where the peer departs", "Rounds", "For example")
    yield from _table(head, list(_case_rows(cases)))


def _case_rows(cases: Sequence[Case]) -> Iterator[tuple[str, str, str]]:
    grouped: dict[str, list[Case]] = {}
    for case in cases:
        grouped.setdefault(case.departure.article, []).append(case)
    for article, found in sorted(grouped.items(), key=lambda item: -len(item[1])):
        first = min(found, key=lambda case: case.players)
        yield (
            article,
            str(len({(case.seed, case.round) for case in found})),
            f"seed {first.seed}, round {first.round}: {first.departure.said}",
        )


def _hard(figures: Figures) -> Iterator[str]:
    if not figures.hard:
        return
    plan = figures.plan
    large = {name: time for name, time, _ in figures.hard_large}
    sizes = f"{plan.hard:,}" + (f" and of {plan.hard_large:,}" if large else "")
    yield "\n## The hard end\n"
    yield (
        f"Fields of {sizes} players that are made to be hard (`python -m bench.rounds`). Each is played for 6 to 15 "
        "rounds, or until no legal round is left; the slowest round counts. A ratio is against the ordinary field.\n"
    )
    head = ["Field", "Ratio", f"Slowest of {plan.hard:,}", "Rounds"]
    rows = [
        [name, f"{time / figures.hard[0][1]:,.0f}", duration(time), str(rounds)]
        for name, time, rounds in figures.hard
    ]
    if large:
        head += ["Ratio", f"Slowest of {plan.hard_large:,}", "Rounds"]
        for row, (_, time, rounds) in zip(rows, figures.hard_large, strict=True):
            row += [f"{time / figures.hard_large[0][1]:,.0f}", duration(time), str(rounds)]
    yield from _table(head, rows)
    yield ""


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    rule = ["---" if name in WORDS else "---:" for name in head]
    return [f"| {' | '.join(line)} |" for line in (head, rule, *rows)]


def _joined(words: Sequence[str]) -> str:
    return " and ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
