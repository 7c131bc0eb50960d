"""The articles of 1997, with marks: the text that exists leaves steps open (manual/chapters/68-dubov-1997.md).

An article without a mark says what the program does. R: restored from a published copy. D: decided by this program,
because the text leaves it open.
"""

from __future__ import annotations

from enum import StrEnum


class Dubov1997Rule(StrEnum):
    """An article, or a decision where it is open."""

    ARO = "1"
    DUE_COLOUR = "1 R"
    REMATCH = "2.1"
    BYE_BARRED = "2.2"
    DIFFERENCE = "2.3"
    THREE_IN_A_ROW = "2.4"
    RISING = "2.5"
    RISING_COUNTED = "2.5 D"
    COLUMN_BARRED = "2.6"
    COLOURS = "3 R"
    COLOURS_OPEN = "3 D"
    BYE = "4"
    BYE_OPEN = "4 D"
    FIRST_ROUND = "5"
    FIRST_ROUND_OPEN = "5 D"
    STANDARD = "6.1"
    ROWS = "6.2"
    REPAIR = "6.3"
    REPAIR_OPEN = "6.3 D"
    LEFT_OVER = "6.4"
    LEFT_OVER_OPEN = "6.4 D"
    ISLAND = "7.1"
    ISLAND_OPEN = "7.1 D"
    ODD = "7.2"
    ODD_LIST = "7.2 R"
    ODD_OPEN = "7.2 D"
    MORE_WHITES = "7.3"
    MORE_BLACKS = "7.4"
    FLOATERS = "8.1"
    FLOATERS_OPEN = "8.1 D"
    FLOATER_OPPONENT = "8.2"
    FLOATER_OPPONENT_OPEN = "8.2 D"
    CANNOT_FINISH = "9"
    OFFER = "9 D"
