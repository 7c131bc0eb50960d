"""Turn the figures into a page (Markdown) and into the series of the chart. No input or output."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Iterator, Sequence
from operator import itemgetter

from .chart import Series, duration
from .measure import Ours, growth_exponent
from .peer import PACKAGE
from .session import MEASURED_ROUNDS, ROUNDS, SMALL_SIZES, DepartureCase, FileFigures, RunFigures, largest

# List which goals a run met, as rows of a table.

SMALLEST_FOR_GROWTH = 500
LAST = MEASURED_ROUNDS[-1]
TIMES = ((1000, 0.010), (9998, 0.120), (100_000, 2.0))
READINGS = 3
BYTES_A_PLAYER = 1024
EXPONENT = 1.1
HARD = 0.5
HARD_LARGE = 10.0


def goals(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    """Yield goal, measured value, and met or missed, for each goal that the run measured."""
    yield from _times(figures)
    yield from _reading(figures)
    yield from _memory(figures)
    yield from _small(figures)
    yield from _growth(figures)
    plan = figures.plan
    for size, rows, most in (
        (plan.hard, figures.hard, HARD),
        (plan.hard_large, figures.hard_large, HARD_LARGE),
    ):
        if rows:
            name, time, _ = max(rows, key=lambda one: one[1])
            yield (
                f"hard fields of {size:,} players: always under {duration(most)}",
                f"{duration(time)} at most ({name})",
                _met(time < most),
            )


def _times(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    by_size = {row.ours.size: row.ours for row in largest(figures.rows, LAST)}
    for size, most in TIMES:
        if size in by_size:
            ours = by_size[size]
            yield (
                f"{size:,} players, round {LAST}: under {duration(most)}",
                f"{duration(ours.pair_median)} (shortest {duration(ours.pair_least)})",
                _met(ours.pair_median < most),
            )


def _reading(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    ratios = [(row.ours.pair_median / row.ours.read, row.ours) for row in figures.rows if row.ours.read]
    if ratios:
        ratio, worst = max(ratios, key=lambda one: one[0])
        yield (
            f"at most {READINGS} times the time to read the file{_from_smallest(figures)}",
            f"{ratio:.2f} at most ({_where(worst)})",
            _met(ratio <= READINGS),
        )


def _memory(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    for text, least in ((_from_smallest(figures), 0), (", fields of 1,000 and more", 1000)):
        fields = [row.ours for row in figures.rows if row.ours.size >= least]
        if fields:
            worst = max(fields, key=lambda ours: ours.bytes_a_player)
            yield (
                f"memory under 1 KB per player, without the input{text}",
                f"{worst.bytes_a_player:,.0f} bytes at most ({_where(worst)})",
                _met(worst.bytes_a_player < BYTES_A_PLAYER),
            )


def _from_smallest(figures: RunFigures) -> str:
    return f", fields of {min((row.ours.size for row in figures.rows), default=0):,} and more"


def _small(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    """Yield the goals for small tournaments. They have few possible pairs: the exact method does the work."""
    if not figures.small:
        return
    fields = f", fields of {SMALL_SIZES[0]} to {SMALL_SIZES[-1]}"
    middle = len(figures.small) // 2
    ratios = sorted(((ours.pair_least / (ours.read or 1), ours) for ours in figures.small), key=itemgetter(0))
    over = sum(ratio > READINGS for ratio, _ in ratios)
    ratio, worst = ratios[-1]
    yield (
        f"at most {READINGS} times the time to read the file{fields}",
        (
            f"median {ratios[middle][0]:.2f}, more than {READINGS} in {over:,} of {len(ratios):,} rounds; "
            f"{ratio:.1f} at most ({_where(worst)}: {duration(worst.pair_least)})"
        ),
        _met(not over),
    )
    memory = sorted(((ours.bytes_a_player, ours) for ours in figures.small), key=itemgetter(0))
    over = sum(held >= BYTES_A_PLAYER for held, _ in memory)
    held, worst = memory[-1]
    yield (
        f"memory under 1 KB per player, without the input{fields}",
        (
            f"median {memory[middle][0]:,.0f} bytes, over 1 KB in {over:,} of {len(memory):,} rounds; "
            f"{held:,.0f} at most ({_where(worst)}: {held * worst.size / 1024:.0f} KB in all)"
        ),
        _met(not over),
    )


def _growth(figures: RunFigures) -> Iterator[tuple[str, str, str]]:
    """Yield the growth for fields with a file, and for all: memory is slower once it exceeds the processor's caches."""
    for number in MEASURED_ROUNDS:
        fields = [row.ours for row in largest(figures.rows, number) if row.ours.size >= SMALLEST_FOR_GROWTH]
        with_file = [ours for ours in fields if ours.read]
        for chosen in (with_file, fields) if len(with_file) < len(fields) else (fields,):
            if len(chosen) > 1:
                exponent = growth_exponent([(ours.size, ours.pair_least) for ours in chosen])
                yield (
                    f"growth exponent under {EXPONENT}, round {number}, to {chosen[-1].size:,} players",
                    f"{exponent:.2f} (from {chosen[0].size:,} players)",
                    _met(exponent < EXPONENT),
                )


def _where(ours: Ours) -> str:
    return f"{ours.size:,} players, round {ours.round}"


def _met(yes: bool) -> str:
    return "met" if yes else "**missed**"


# The page and the chart.


WORDS = ("", "Goal", "Measured", "Answers", "For example", "Field", "Where the peer departs")

HOW_MEASURED = "Times are medians of several runs; growth is fitted to the shortest times."


def series(figures: RunFigures) -> tuple[Series, ...]:
    """Return the lines of the last round: our pairing, our reading, the peer's reading and pairing, the goals."""
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


def page(figures: RunFigures, chart_name: str, command: str) -> str:
    """Return the page. chart_name: file of the chart, in the same directory. command: the command that makes both."""
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


def _head(figures: RunFigures, chart_name: str, command: str) -> Iterator[str]:
    rows = largest(figures.rows, LAST)
    ratios = [ratio for row in rows if (ratio := _whole_ratio(row))]
    yield "# Performance\n"
    yield (
        "How long the Dubov engine takes to pair a round, which goals it meets, and how it compares with another "
        "program.\nThis page is the output of\n\n"
        f"    {command}\n\n"
        f"which took {figures.minutes:.0f} minutes with Python {platform.python_version()} on one core of a shared "
        "machine. Times are processor time. Compare ratios rather than seconds: seconds depend on the machine. Seeds "
        "are fixed, so the command uses the same files each time.\n"
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
        f"Round {LAST} of {ROUNDS}, both axes logarithmic. The line of py4swiss includes reading the file; an "
        "arrow means that it was stopped there without an answer. The goals are those of the next table; the figures "
        "of the lines are in the tables after it.\n"
    )


def _alternative(figures: RunFigures) -> str:
    rows = largest(figures.rows, LAST)
    first, last = rows[0].ours, rows[-1].ours
    return (
        f"Time against number of players: our pairing grows from {duration(first.pair_least)} for {first.size:,} "
        f"players to {duration(last.pair_least)} for {last.size:,}"
    )


def _growth_of_reading(figures: RunFigures) -> str:
    """Return a sentence to compare with: reading does the same work for every player, yet its growth exceeds 1."""
    points = [
        (row.ours.size, row.ours.read)
        for row in largest(figures.rows, LAST)
        if row.ours.read and row.ours.size >= SMALLEST_FOR_GROWTH
    ]
    if len(points) < 2:
        return ""
    return (
        f"For comparison: in the same run, the time to read the files of round {LAST} ({points[0][0]:,} to "
        f"{points[-1][0]:,} players) grows with the exponent {growth_exponent(points):.2f}, although reading does the "
        "same work for every player. "
    )


def _beside(figures: RunFigures) -> Iterator[str]:
    yield "\n## Compared with py4swiss\n"
    if figures.no_peer:
        yield f"{PACKAGE} {figures.no_peer}.\n"
        return
    yield (
        f"{PACKAGE.replace('==', ' ')} (from PyPI, its Dubov engine) runs in its own process on the same files, with "
        f"at most {figures.plan.limit:.0f} s of processor time for each file. A ratio is its time divided by ours. "
        "\"Whole\" is the time from the file to the pairs.\n"
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
            f"\nIn {figures.small_rounds:,} rounds of small tournaments (see Answers) it needs {theirs / ours:,.0f} "
            "times our time, reading included."
        )


def _peer_row(row: FileFigures, limit: float) -> tuple[str, ...]:
    ours = row.ours
    start = f"{ours.size:,}", str(ours.round)
    if row.expected:
        expected = f"not run: about {row.expected / 60:,.0f} min by its growth"
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
        return (*start, "", "", duration(ours.pair_least), "", "error", _error_words(row))
    return (
        *start,
        f"{_whole_ratio(row):,.0f}",
        f"{peer.pair / ours.pair_least:,.0f}",
        duration(ours.pair_least),
        duration(peer.read),
        duration(peer.pair),
        _error_words(row),
    )


def _whole_ratio(row: FileFigures) -> float | None:
    if row.peer is None or row.peer.error or row.ours.read is None:
        return None
    return (row.peer.read + row.peer.pair) / (row.ours.read + row.ours.pair_least)


def _error_words(row: FileFigures) -> str:
    articles = dict.fromkeys(departure.article for departure in row.departures)
    return "differ: " + ", ".join(articles) if articles else "agree"


def _ours(figures: RunFigures) -> Iterator[str]:
    yield "\n## Our own times\n"
    yield (
        "Pairing is the time of the engine without reading: the shortest and the median of several runs. Reading "
        "turns the bytes of the report file into the engine's values. Memory is the largest amount in use, without "
        "the input, with the answer. Pairing numbers above 9,999 do not fit into a report file, so the largest field "
        "is given to the engine directly. Our engine made the tournaments, with results by playing strength and a "
        "few byes, forfeits and withdrawals.\n"
    )
    head = (
        "Players",
        "Round",
        "Pairing / reading",
        "Pairing",
        "Median",
        "Reading",
        "Per player",
        "Bytes per player",
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


def _answers(figures: RunFigures) -> Iterator[str]:
    if figures.no_peer:
        return
    yield "\n## Answers\n"
    cases = figures.small_cases
    rounds = len({(case.seed, case.round) for case in cases})
    faults = len(figures.our_faults)
    yield (
        f"{figures.small_rounds:,} rounds of {figures.plan.small} tournaments of 8 to 40 players, half of them with "
        f"many byes, forfeits and withdrawals: {figures.small_agreed:,} pairings are the same, {rounds} differ. "
        "Where two answers differ, the first article that tells them apart is checked for both answers. This uses "
        "facts that the test oracle, not the engine, computes from the history (`bench/peers/verdict.py`). "
        + (
            f"**In {faults} places our answer departs from the article.**"
            if faults
            else "Our answer never departs from the article."
        )
        + f" {figures.oracle_asked} of the rounds that differ are small enough for the brute force of the tests: it "
        f"pairs {figures.oracle_agreed} of them as we do."
        " Articles are those of C.04.4.1, edition of 2025; readings are in [rules.md](rules.md).\n"
    )
    if not cases:
        return
    head = ("Where the peer departs", "Rounds", "For example")
    yield from _table(head, list(_case_rows(cases)))


def _case_rows(cases: Sequence[DepartureCase]) -> Iterator[tuple[str, str, str]]:
    grouped: dict[str, list[DepartureCase]] = {}
    for case in cases:
        grouped.setdefault(case.departure.article, []).append(case)
    for article, found in sorted(grouped.items(), key=lambda item: -len(item[1])):
        first = min(found, key=lambda case: case.players)
        yield (
            article,
            str(len({(case.seed, case.round) for case in found})),
            f"seed {first.seed}, round {first.round}: {first.departure.sentence}",
        )


def _hard(figures: RunFigures) -> Iterator[str]:
    if not figures.hard:
        return
    plan = figures.plan
    large = {name: time for name, time, _ in figures.hard_large}
    sizes = f"{plan.hard:,}" + (f" and of {plan.hard_large:,}" if large else "")
    yield "\n## Hard fields\n"
    yield (
        f"Fields of {sizes} players that are made hard to pair (`python -m bench.rounds`). Each is played for 6 to "
        "15 rounds, or until no legal round is left; the slowest round counts. A ratio compares the field with the "
        "ordinary one.\n"
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
