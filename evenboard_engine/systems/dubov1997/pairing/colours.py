"""Who has White (article 3; S3)."""

from __future__ import annotations

from enum import StrEnum

from evenboard_engine.history import BLACK_SIDE, WHITE_SIDE

from .field import Field, other_side


class ColourRule(StrEnum):
    """The rule of S3 that decided, or the first round (S5)."""

    LIMIT = "2.3"
    DUE = "3.1"
    EQUALISE = "3.2"
    ALTERNATE = "3.3"
    HIGHER_ARO = "3.4"
    LOWER_RATING = "3.5"
    NUMBER = "3.6"
    FIRST_ROUND = "5"


def white_of(field: Field, one: int, other: int) -> tuple[int, ColourRule]:
    """Return the seat of the player who has White, and the rule. If each way bars one of the two, 2.3 and 2.4 are
    left out; only a pair made by hand can be such a pair.
    """
    mine, theirs = field.colours[one], field.colours[other]
    can = not (mine.barred & WHITE_SIDE or theirs.barred & BLACK_SIDE)
    can_turned = not (mine.barred & BLACK_SIDE or theirs.barred & WHITE_SIDE)
    due = _by_due_colours(mine.due, theirs.due)
    if can != can_turned and (due is None or due != can):
        return (one if can else other), ColourRule.LIMIT
    if due is not None:
        return (one if due else other), ColourRule.DUE
    if mine.difference != theirs.difference:
        return (one if mine.difference < theirs.difference else other), ColourRule.EQUALISE
    for my_side, their_side in zip(reversed(mine.sides), reversed(theirs.sides), strict=False):
        if my_side != their_side:
            return (one if my_side == BLACK_SIDE else other), ColourRule.ALTERNATE
    if field.aro[one] != field.aro[other]:
        return (one if field.aro[one] > field.aro[other] else other), ColourRule.HIGHER_ARO
    if field.rating[one] != field.rating[other]:
        return (one if field.rating[one] < field.rating[other] else other), ColourRule.LOWER_RATING
    return (one if field.tpn[one] < field.tpn[other] else other), ColourRule.NUMBER


def _by_due_colours(mine: int, theirs: int) -> bool | None:
    """Return whether the first has White by the due colours; None if they are the same."""
    if mine == theirs:
        return None
    return (mine or other_side(theirs)) == WHITE_SIDE
