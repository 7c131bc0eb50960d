"""Comments on how fair the pairings of a section were. They are made from the rounds and never read.

### Fairness, spread of ARO by round: 2=89.0/28.8 3=29.0/27.1
### Fairness, agreement of points and performance: 0.933
### Fairness, quality of the pairing: OTHER_PT/ARO=12.3% OTHER_PT/BH=10.1%
### Fairness, score groups of round 2, before/after/upper_half/uschess: 1.0=93.1/20.0/25.0/61.3 all=89.0/28.8/31.7/70.2
### Fairness, score groups of round 3, before/after: 2.0=30.0/27.0 1.0=28.0/27.2 all=29.0/27.1
### Fairness, other pairings: worked out for rounds 2, not for 3
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from evenboard_engine.rounding import half_up

if TYPE_CHECKING:
    from fractions import Fraction

_ELO = "[0-9.]{1,6}"
_measure = re.compile(
    "### Fairness, (?:"
    f"spread of ARO by round:(?: [0-9]{{1,3}}={_ELO}/{_ELO})*"
    "|agreement of points and performance: (?:-?[0-9.]{1,6}|none)"
    "|quality of the pairing:(?: OTHER_PT/[A-Z0-9]{1,5}=(?:[0-9.]{1,6}%|none))*"
    "|score groups of round [0-9]{1,3}, before/after(?:/[a-z0-9_-]{1,40}){0,20}:"
    f"(?: (?:-?[0-9.]{{1,7}}|all)=(?:{_ELO}|-)(?:/(?:{_ELO}|-)){{0,21}})*"
    "|other pairings: (?:not worked out|worked out for rounds [0-9 ]{1,2000}(?:, not for [0-9 ]{1,2000})?)"
    ") *"
).fullmatch


@dataclass(frozen=True, slots=True)
class GroupSpread:
    """The standard deviations of the AROs of a score group, in Elo; None where nobody has an ARO or there is no round.

    score: in tenths of a point, None for all groups. values: before the pairing, after it, and after other pairings.
    """

    score: int | None
    values: tuple[float | None, ...]

    def __str__(self) -> str:
        """Return the group in its comment line."""
        label = "all" if self.score is None else f"{self.score / 10:.1f}"
        return (
            f"{label}={'/'.join('-' if value is None else str(half_up(value, 1)) for value in self.values)}"
        )


@dataclass(frozen=True, slots=True)
class RoundSpreads:
    """The spreads of a round. others: codes of the other pairings; () if they are not worked out."""

    number: int
    groups: tuple[GroupSpread, ...]
    others: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the comment line."""
        head = "/".join(("before", "after", *self.others))
        groups = " ".join(map(str, self.groups))
        return f"### Fairness, score groups of round {self.number}, {head}: {groups}"


def measure_lines(
    spreads: Mapping[int, tuple[float, float]],
    agreement: Fraction | None,
    qualities: Mapping[str, Fraction | None],
    rounds: Sequence[RoundSpreads] = (),
) -> tuple[str, ...]:
    """Return the comment lines that say how fair the pairings were.

    spreads: by round, the standard deviation of the AROs inside the score groups before and after the pairing, in Elo.
    qualities: by the code of the Pairing Tiebreaker. rounds: the same spreads by score group, beside other pairings.
    """
    by_round = (
        f"{number}={half_up(before, 1)}/{half_up(after, 1)}" for number, (before, after) in spreads.items()
    )
    found = (
        f"{code}={'none' if value is None else f'{half_up(100 * float(value), 1)}%'}"
        for code, value in qualities.items()
    )
    return (
        *([" ".join(("### Fairness, spread of ARO by round:", *by_round))] if spreads else []),
        f"### Fairness, agreement of points and performance: {_decimal(agreement)}",
        " ".join(("### Fairness, quality of the pairing:", *found)),
        *map(str, rounds),
        *_beside(rounds),
    )


def is_measure_line(text: str) -> bool:
    """Return whether a line says how fair the pairings were. The report of a section makes these lines again."""
    return _measure(text) is not None


def _beside(rounds: Iterable[RoundSpreads]) -> Iterator[str]:
    """Yield the line that says which rounds have other pairings beside them."""
    done = [str(one.number) for one in rounds if one.others]
    missing = [str(one.number) for one in rounds if not one.others]
    words = f"worked out for rounds {' '.join(done)}" if done else "not worked out"
    if done and missing:
        words += f", not for {' '.join(missing)}"
    if done or missing:
        yield f"### Fairness, other pairings: {words}"


def _decimal(value: Fraction | None) -> str:
    return "none" if value is None else str(half_up(float(value), 3))
