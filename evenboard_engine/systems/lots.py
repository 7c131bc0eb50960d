"""The values of a drawing of lots, for systems whose pairing numbers are drawn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class LotsPlayer:
    """A player who draws a number. id: the caller's key. federation: its code, "" for none."""

    id: int
    name: str
    federation: str = ""


@dataclass(frozen=True, slots=True)
class DrawnNumbers:
    """Numbers drawn by lot. seed: repeats the draw. numbers: by id, 1 to n.

    restricted: the draw kept players of a federation apart.
    """

    seed: str
    numbers: Mapping[int, int]
    restricted: bool
