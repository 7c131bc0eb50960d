"""Sum up the opens: the mean of each measure for each system, and its difference from the Dubov System."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from .play import DUBOV
from .run import Row

SURE = 1.96
"""Standard errors on each side of a mean, for an interval that has the true mean in 95 of 100 cases."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean, and half of the width of its 95% interval."""

    value: float
    half: float

    @property
    def clear(self) -> bool:
        """Return whether the interval does not contain 0."""
        return abs(self.value) > self.half

    @property
    def ends(self) -> tuple[float, float]:
        """The interval."""
        return self.value - self.half, self.value + self.half


def mean_of(values: Sequence[float]) -> Mean:
    """Return the mean of at least two values."""
    count = len(values)
    mean = fsum(values) / count
    variance = fsum((value - mean) ** 2 for value in values) / (count - 1)
    return Mean(mean, SURE * sqrt(variance / count))


def mean(rows: Sequence[Row], system: str, measure: str) -> Mean:
    """Return the mean of a measure over the opens."""
    return mean_of([row["systems"][system][measure] for row in rows])


def beyond_dubov(rows: Sequence[Row], system: str, measure: str) -> Mean:
    """Return the mean difference from the Dubov System, open by open: the same players with the same luck."""
    return mean_of([row["systems"][system][measure] - row["systems"][DUBOV][measure] for row in rows])
