"""The options of US Chess pairing (docs/uschess.md, 1.4)."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.systems.options import OFF, ON, Choice, Points, Switch, WholeNumber

from .settings import MateRule, Settings

MOST = 4000
HIGH = WholeNumber("high", "200", 0, MOST)
LOW = WholeNumber("low", "80", 0, MOST, not_above="high")
AVOID_UNRATED = Switch("avoid_unrated", ON)
HARKNESS = Switch("harkness", OFF)
AVOID_SWAP = Switch("avoid_swap", OFF)
MAX_DROP = Points("max_drop")
TEAM_RULE = Choice("team_rule", MateRule.IGNORE, tuple(MateRule))
CLUB_RULE = Choice("club_rule", MateRule.IGNORE, tuple(MateRule))
BYE_28L5 = Switch("bye_28L5", OFF)

OPTIONS = (HIGH, LOW, AVOID_UNRATED, HARKNESS, AVOID_SWAP, MAX_DROP, TEAM_RULE, CLUB_RULE, BYE_28L5)


def settings_of(options: Mapping[str, str]) -> Settings:
    """Return what the options mean; those that are missing have their default."""
    return Settings(
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
