"""Colours (docs/uschess.md, 5; US Chess rules 29E)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from evenboard_engine.model import Colour

WHITE, BLACK = "w", "b"


class ColourState(NamedTuple):
    """What the colours of a player decide about the costs of a pair.

    due: 5.1, "" without a game. imbalance: whites and blacks apart. third: the other colour would come a third time in
    a row, and does not equalise (5.2).
    """

    due: str
    imbalance: int
    third: bool


class ColourCost(NamedTuple):
    """5.5: what a pair costs because one of the two does not get the due colour."""

    third: int
    equalisation: int
    alternation: int


class UsChessColourRule(StrEnum):
    """The rule that decided who has White: 5.3 (1) to (6), and 5.4."""

    THIRD = "colour_third"
    ONE_DUE = "colour_one_due"
    BOTH = "colour_both"
    IMBALANCE = "colour_imbalance"
    RECENT = "colour_recent"
    HIGHER = "colour_higher"
    INITIAL = "colour_initial"


NO_COST = ColourCost(0, 0, 0)


@lru_cache(maxsize=4096)
def state_of(colours: str) -> ColourState:
    """Return what these colours, oldest first, decide."""
    if not colours:
        return ColourState("", 0, False)
    surplus = colours.count(WHITE) - colours.count(BLACK)
    last = colours[-1]
    due = (BLACK if last == WHITE else WHITE) if not surplus else BLACK if surplus > 0 else WHITE
    other = BLACK if due == WHITE else WHITE
    return ColourState(due, abs(surplus), colours[-2:] == 2 * other)


@lru_cache(maxsize=4096)
def colour_cost(one: ColourState, other: ColourState) -> ColourCost:
    """Return the colour costs of a pair, see 5.5. The order of the two does not matter."""
    if not one.due or one.due != other.due:
        return NO_COST
    missing = min(one, other, key=lambda state: (state.third, state.imbalance))
    return ColourCost(int(missing.third), missing.imbalance, int(not missing.imbalance))


def white_of(one: str, other: str) -> tuple[bool, UsChessColourRule]:
    """Return whether the first of two players has White, by their colours, and the rule of 5.3.

    The first is the higher ranked. If neither has played, 5.4 decides: `UsChessColourRule.INITIAL`.
    """
    mine, theirs = state_of(one), state_of(other)
    if not mine.due and not theirs.due:
        return True, UsChessColourRule.INITIAL
    if mine.due != theirs.due:
        rule = UsChessColourRule.BOTH if mine.due and theirs.due else UsChessColourRule.ONE_DUE
        # A different due colour never gives a third in a row to anybody, so 5.3 (1) decides the same.
        return mine.due == WHITE or theirs.due == BLACK, rule
    granted, rule = True, UsChessColourRule.HIGHER
    if mine.third != theirs.third:
        granted, rule = mine.third, UsChessColourRule.THIRD
    elif mine.imbalance != theirs.imbalance:
        granted, rule = mine.imbalance > theirs.imbalance, UsChessColourRule.IMBALANCE
    else:
        back = last_difference(one, other)
        if back is not None:
            return one[-1 - back] == BLACK, UsChessColourRule.RECENT
    return granted == (mine.due == WHITE), rule


def last_difference(one: str, other: str) -> int | None:
    """Return how many games back, from the last one (0), the colours differ; None if they do not (5.3 (5))."""
    for back, (mine, theirs) in enumerate(zip(reversed(one), reversed(other), strict=False)):
        if mine != theirs:
            return back
    return None


def seated(
    pairs: Sequence[tuple[int, int]], colours: Mapping[int, str] | Sequence[str], initial: Colour
) -> list[tuple[int, int, UsChessColourRule]]:
    """Return White, Black and the rule for pairs of places in board order, the higher ranked of each pair first."""
    boards = []
    first_white = initial is Colour.WHITE
    for one, other in pairs:
        white, rule = white_of(colours[one], colours[other])
        if rule is UsChessColourRule.INITIAL:
            white, first_white = first_white, not first_white
        boards.append((one, other, rule) if white else (other, one, rule))
    return boards
