"""What the options of US Chess pairing mean for one round (docs/uschess.md, 1.4)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from evenboard_engine.model import Colour


class MateRule(StrEnum):
    """What is done so that players of one team, or of one club, do not meet."""

    IGNORE = "ignore"
    IF_REQUIRED = "if_required"
    DONT = "dont"


@dataclass(frozen=True, slots=True)
class Settings:
    """high, low: the limits of rating changes, for equalisation and for alternation. max_drop: tenths, or None.

    The other fields are the options of the same names.
    """

    high: int = 200
    low: int = 80
    avoid_unrated: bool = True
    harkness: bool = False
    avoid_swap: bool = False
    max_drop: int | None = None
    team_rule: MateRule = MateRule.IGNORE
    club_rule: MateRule = MateRule.IGNORE
    bye_28l5: bool = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """Which round it is. initial: of the higher ranked player on the first board of those without a game (5.4)."""

    round: int = 1
    rounds: int = 1
    initial: Colour = Colour.WHITE
