"""Turn the opens into a page (Markdown) and two pictures. No input or output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from .chart import ChartLine, Mean, beyond_dubov, chart, mean
from .play import DEVIATION, DUBOV, LIMITS, MEAN, NOISE, PLAYERS, ROUNDS, UPPER_HALF, US_CHESS, Row

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
        ChartLine(name, tuple(mean(some, system, "deviation_aro") for system in NAMES))
        for name, some in groups
    ]
    ranks = [
        ChartLine(name, tuple(mean(some, system, "rank_buchholz") for system in NAMES))
        for name, some in groups
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


# The parts of the page that no figure changes.

HEAD = """\
The rules say what the Dubov System is for: a player with more points than another player should have a higher
performance rating as well. So players who finish level should have met equal opposition. This page measures how far
the system gets there, and what it costs, beside two other pairings. It is the output of

    {command}

with one process. A run ends by time or by the number of opens, never because of a result. The figures of the
pictures are in the tables.

A section has the same measures for its own rounds: **Standings**, then **Fairness**. For arbiters a link on that
page sets them beside other pairings of the same rounds ([decision 61](decisions/0061-fairness-of-a-section.md)).
"""
OPENS = """\
{opens} random opens were played three times, once by each pairing: {games} games. They have the seeds 1 to
{last}. {left_out} Each open has the same players and the same luck all three times, so differences are taken
open by open. ± is the 95% interval of a mean. A difference is bold if its interval does not contain 0. If nothing
differed, one of 20 differences would be bold by chance.
"""
METHOD = """\
- **Players**: {low} to {high}, each number equally often. The true strengths are drawn from a normal distribution
  with mean {mean} and standard deviation {deviation} Elo. A rating is the true strength plus normal noise with a
  standard deviation of {noise} Elo, one of these in each open. Both are kept between {least} and {most}.
- **Rounds**: {rounds}. The pairing numbers follow the ratings. The initial-colour is drawn. Everybody plays all
  rounds.
- **Results** come from the true strengths, by the model of `evenboard_engine/generating/tournament.py`: the table of
  expected scores of B.02, 8.1.2, with White's advantage and the share of draws of Milvang's model. Differences
  above 400 Elo count as 400.
- **The same luck**: for each two players one random number decides their game, whenever they meet and in whichever
  of the three opens. So two systems that pair the same two players with the same colours get the same result.
"""
PAIRINGS = """\
- **Dubov**: C.04.4.1 in the edition of 2026.
- **Upper half** (`evenboard_engine/upper_half.py`): nobody's regulation, but the plain idea of most Swiss systems. A
  round is legal if nobody meets the same player twice, nobody has a second bye, and two players with an absolute
  preference for one colour do not meet, as in the Dubov System. Players are ranked by points, then by pairing
  number. The lowest player without whom the rest can be paired has the bye. Of all legal rounds, the one with the
  least sum of squared differences of scores is taken. Of these, the one with the least sum of squared distances
  from the natural opponents. In a score group of n players the natural opponent is n // 2 places away; a player who
  floats should be one place from the opponent. Colours are given as in the Dubov System. Milder colour preferences
  and earlier floats do not count.
- **US Chess**: [the procedure of this program](uschess.md) with its default options. Where it cannot finish, the
  round that it offers is played.
"""
FOUND = """\
Three final orders are looked at: points alone, points and Buchholz (BH), points and ARO. Players who are still
level share their places. *Rank correlation* is Spearman's, between this order and the order by true strength: 1 is
the same order. The *true place of the winner* is the mean place by strength of all who are first. The *chance that
the strongest wins* counts a shared first place as its part.
"""
OPPOSED = """\
*Spread*: the standard deviation of the AROs from the mean of the player's own final score group, over all players,
with ARO not rounded. *Agreement*: of two players with different points, how much more often the one with more
points has the higher TPR (C.07, 10.2) than the lower one. This is Somers' D, from -1 to 1; 1 is what the rules of
the Dubov System name as their aim. *Q*: [the quality of the Pairing Tiebreaker](rules.md#the-pairing-tiebreaker),
for three orders inside a score group, the same for all systems. Smaller is more even.
"""
LIMITS_OF_IT = """\
- **Other fields.** Real opens have late entries, requested byes, withdrawals, unrated players and groups of very
  different strength. None of them is here, and there is no acceleration. Sections of more than 60 players with few
  rounds are not here either.
- **Other systems.** The upper-half pairing is no FIDE system: the Dutch System also looks at milder colours and
  floats.
- **People.** Strength is a constant. Nobody agrees a draw, gets tired or plays for a place. The results model does
  not know colour preferences, or that a player with much to lose plays in another way.
- **Which system is better.** Spread of AROs and agreement with performance are what the Dubov System works for, by
  the ratings that it knows. So it is expected to lead in them. An order that agrees better with true strength is
  another aim, and ARO as a tie-break has less to say where AROs are made equal.
- **A single open.** The differences are means over many opens. They are small beside what luck does in one.
- **One value of Q.** It depends on the order inside the score groups. So three orders are shown, and they do not agree.
"""
