"""The options of US Chess pairing, and what they mean for one round (docs/uschess.md, 1.4)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from evenboard_engine.model import Colour
from evenboard_engine.systems.options import OFF, ON, ChoiceOption, PointsOption, Switch, WholeNumber

# What the options mean for one round.


class MateRule(StrEnum):
    """What is done so that players of one team, or of one club, do not meet."""

    IGNORE = "ignore"
    IF_REQUIRED = "if_required"
    DONT = "dont"


@dataclass(frozen=True, slots=True)
class UsChessSettings:
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


# The options.

MOST = 4000
HIGH = WholeNumber("high", "200", 0, MOST)
LOW = WholeNumber("low", "80", 0, MOST, not_above="high")
AVOID_UNRATED = Switch("avoid_unrated", ON)
HARKNESS = Switch("harkness", OFF)
AVOID_SWAP = Switch("avoid_swap", OFF)
MAX_DROP = PointsOption("max_drop")
TEAM_RULE = ChoiceOption("team_rule", MateRule.IGNORE, tuple(MateRule))
CLUB_RULE = ChoiceOption("club_rule", MateRule.IGNORE, tuple(MateRule))
BYE_28L5 = Switch("bye_28L5", OFF)

OPTIONS = (HIGH, LOW, AVOID_UNRATED, HARKNESS, AVOID_SWAP, MAX_DROP, TEAM_RULE, CLUB_RULE, BYE_28L5)


def settings_of(options: Mapping[str, str]) -> UsChessSettings:
    """Return what the options mean; those that are missing have their default."""
    return UsChessSettings(
        high=HIGH.number(options),
        low=LOW.number(options),
        avoid_unrated=AVOID_UNRATED.is_on(options),
        harkness=HARKNESS.is_on(options),
        avoid_swap=AVOID_SWAP.is_on(options),
        max_drop=MAX_DROP.tenths(options),
        team_rule=MateRule(TEAM_RULE.text(options)),
        club_rule=MateRule(CLUB_RULE.text(options)),
        bye_28l5=BYE_28L5.is_on(options),
    )
