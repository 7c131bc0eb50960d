"""Turn the opens into a page (Markdown) and two pictures. No input or output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .chart import Line, chart
from .figures import Mean, beyond_dubov, mean
from .play import DEVIATION, DUBOV, LIMITS, MEAN, NOISE, PLAYERS, ROUNDS, UPPER_HALF, US_CHESS
from .run import Row
from .words import FOUND, HEAD, LIMITS_OF_IT, METHOD, OPENS, OPPOSED, PAIRINGS

NAMES = {DUBOV: "Dubov", UPPER_HALF: "Upper half", US_CHESS: "US Chess"}
OTHERS = (UPPER_HALF, US_CHESS)


@dataclass(frozen=True, slots=True)
class Measure:
    """A line of a table. key: in the opens. decimals: shown of a mean; a difference has one more."""

    key: str
    name: str
    decimals: int = 3


FINDING = (
    Measure("rank_points", "rank correlation, points alone"),
    Measure("rank_buchholz", "rank correlation, points and Buchholz"),
    Measure("rank_aro", "rank correlation, points and ARO"),
    Measure("winner_points", "true place of the winner, points alone", 2),
    Measure("winner_buchholz", "true place of the winner, points and Buchholz", 2),
    Measure("winner_aro", "true place of the winner, points and ARO", 2),
    Measure("best_points", "chance that the strongest wins, points alone"),
    Measure("best_buchholz", "chance that the strongest wins, points and Buchholz"),
    Measure("best_aro", "chance that the strongest wins, points and ARO"),
)
OPPOSITION = (
    Measure("deviation_aro", "spread of ARO inside a final score group, Elo", 1),
    Measure("deviation_true", "the same with the opponents' true strengths, Elo", 1),
    Measure("agreement", "agreement of points with performance"),
    Measure("quality_aro", "Q of the Pairing Tiebreaker, by ARO"),
    Measure("quality_buchholz", "Q of the Pairing Tiebreaker, by Buchholz"),
    Measure("quality_rating", "Q of the Pairing Tiebreaker, by rating"),
)
COLOURS = (
    Measure("difference", "colour difference of a player at the end", 2),
    Measure("far_difference", "share of players whose difference is 2 or more"),
    Measure("repeated", "share of games with the colour of the game before"),
    Measure("against", "games in 1,000 against an absolute preference", 2),
    Measure("floats", "share of games between different scores"),
    Measure("far_floats", "share of games between scores 1 point or more apart"),
    Measure("most_floats", "most such games of one player in an open", 2),
)
KEYS = (FINDING[1], FINDING[7], OPPOSITION[0], OPPOSITION[2])
"""The measures of the tables by rounds and by noise."""


def page(rows: Sequence[Row], command: str, files: tuple[str, str]) -> str:
    """Return the page. rows: of all opens. files: the pictures, in the same directory."""
    whole = [row for row in rows if "systems" in row]
    return "\n".join(
        (
            *_head(rows, whole, command),
            *_summary(whole),
            f"![Spread of AROs with Dubov, {NAMES[UPPER_HALF]} and {NAMES[US_CHESS]}]({files[0]})\n",
            f"![Rank correlation with Dubov, {NAMES[UPPER_HALF]} and {NAMES[US_CHESS]}]({files[1]})\n",
            "## How the opens are made\n",
            METHOD.format(
                low=PLAYERS[0],
                high=PLAYERS[1],
                rounds=_joined(ROUNDS),
                mean=MEAN,
                deviation=DEVIATION,
                noise=_joined(NOISE),
                least=LIMITS[0],
                most=LIMITS[1],
            ),
            "## What is compared\n",
            PAIRINGS,
            "## Finding the strongest\n",
            FOUND,
            *_table(whole, FINDING),
            "\n## Equal opposition\n",
            OPPOSED,
            *_table(whole, OPPOSITION),
            "\n## Colours and floats\n",
            *_table(whole, COLOURS),
            "\n## By the number of rounds\n",
            *_groups(whole, "rounds", "%d rounds", ROUNDS),
            "\n## By how well the ratings are known\n",
            "Noise is the standard deviation of rating minus true strength.\n",
            *_groups(whole, "noise", "noise %d", NOISE),
            "\n## What it does not show\n",
            LIMITS_OF_IT,
        )
    )


SUMMARY = (
    ("deviation_aro", True, 1, "Spread of the AROs inside a final score group, in Elo"),
    ("deviation_true", True, 1, "The same with the true strengths of the opponents"),
    ("agreement", False, 3, "Agreement of points with performance"),
    ("quality_aro", True, 3, "Q of the Pairing Tiebreaker by ARO, the order of the Dubov System"),
    ("quality_buchholz", True, 3, "Q by Buchholz"),
    ("quality_rating", True, 3, "Q by rating"),
    (
        "rank_buchholz",
        False,
        3,
        "Rank correlation of the final order (points and Buchholz) with the true order",
    ),
    ("winner_buchholz", True, 2, "True place of the winner, by points and Buchholz"),
    ("best_buchholz", False, 3, "Chance that the strongest player wins, by points and Buchholz"),
)
"""Of each line: the measure, whether less is better, decimals, words."""


def _head(rows: Sequence[Row], whole: Sequence[Row], command: str) -> Iterator[str]:
    games = 3 * sum(row["rounds"] * (row["players"] // 2) for row in whole)
    left_out = len(rows) - len(whole)
    yield "# What the Dubov System achieves\n"
    yield HEAD.format(command=command)
    yield OPENS.format(
        opens=f"{len(whole):,}",
        games=f"{games:,}",
        last=f"{max(row['seed'] for row in rows):,}",
        left_out=f"{left_out} are left out, because a pairing had no round."
        if left_out
        else "None is left out.",
    )


def _summary(whole: Sequence[Row]) -> Iterator[str]:
    yield "In short:\n"
    for key, less_is_better, decimals, words in SUMMARY:
        values = ", ".join(
            f"{NAMES[system]} {mean(whole, system, key).value:.{decimals}f}" for system in NAMES
        )
        yield f"- {words}: {values}. {_verdict(whole, key, less_is_better)}"
    yield ""


def _verdict(whole: Sequence[Row], key: str, less_is_better: bool) -> str:
    """Say where the Dubov System is better, worse or neither, by the intervals."""
    found: dict[str, list[str]] = {}
    for system in OTHERS:
        difference = beyond_dubov(whole, system, key)
        worse = (difference.value < 0) is less_is_better
        word = (
            "not clearly different from" if not difference.clear else "worse than" if worse else "better than"
        )
        found.setdefault(word, []).append(NAMES[system])
    return "Dubov is " + " and ".join(f"{word} {' and '.join(names)}" for word, names in found.items()) + "."


def _table(whole: Sequence[Row], measures: Sequence[Measure]) -> Iterator[str]:
    yield (
        "| | "
        + " | ".join(NAMES.values())
        + " | "
        + " | ".join(f"{NAMES[one]} - Dubov" for one in OTHERS)
        + " |"
    )
    yield "| --- " + "| ---: " * (len(NAMES) + len(OTHERS)) + "|"
    for measure in measures:
        yield _row(whole, measure.name, measure)


def _row(rows: Sequence[Row], name: str, measure: Measure) -> str:
    cells = [f"{mean(rows, system, measure.key).value:.{measure.decimals}f}" for system in NAMES]
    cells += [_difference(beyond_dubov(rows, system, measure.key), measure.decimals + 1) for system in OTHERS]
    return f"| {name} | " + " | ".join(cells) + " |"


def _difference(found: Mean, decimals: int) -> str:
    text = f"{found.value:+.{decimals}f} ± {found.half:.{decimals}f}"
    return f"**{text}**" if found.clear else text


def _groups(whole: Sequence[Row], key: str, word: str, values: Sequence[int]) -> Iterator[str]:
    for number, measure in enumerate(KEYS):
        yield ("\n" if number else "") + f"{measure.name[0].upper()}{measure.name[1:]}:\n"
        yield from _table(whole, ())
        for value in values:
            some = [row for row in whole if row[key] == value]
            yield _row(some, f"{word % value}, {len(some):,} opens", measure)


def pictures(rows: Sequence[Row]) -> tuple[str, str]:
    """Return two pictures as SVG: the spread of AROs, and the differences of the rank correlation."""
    whole = [row for row in rows if "systems" in row]
    groups = [
        *((f"{value} rounds", [row for row in whole if row["rounds"] == value]) for value in ROUNDS),
        *((f"noise {value}", [row for row in whole if row["noise"] == value]) for value in NOISE),
    ]
    spread = [
        Line(name, tuple(mean(some, system, "deviation_aro") for system in NAMES)) for name, some in groups
    ]
    ranks = [
        Line(name, tuple(mean(some, system, "rank_buchholz") for system in NAMES)) for name, some in groups
    ]
    names = tuple(NAMES.values())
    return (
        chart(
            "How far AROs lie apart in a final score group",
            "Elo, standard deviation; smaller is more equal",
            names,
            spread,
        ),
        chart(
            "How well the final order finds the true order",
            "rank correlation, points and Buchholz; more is better",
            names,
            ranks,
        ),
    )


def _joined(values: Sequence[int]) -> str:
    return ", ".join(map(str, values[:-1])) + f" or {values[-1]}"
