"""The number of each rule of C.04.4.1 in each edition. Docstrings cite 2025, explanations the tournament's edition.

The edition of 2026 puts the criteria before the procedures, so articles 2 and 3 change places. It also splits article
1.5, so the later numbers of article 1 are higher by one. The edition of 2018 has letters for its sections.
"""

from __future__ import annotations

from enum import StrEnum

from .options import Edition


class DubovRule(StrEnum):
    """A rule, named by its article in the edition of 1 July 2025."""

    RATING = "1.1"
    INITIAL_RANKING = "1.2"
    SCOREGROUP = "1.3.1"
    BRACKET = "1.3.2"
    BYE = "1.4"
    COLOUR_DIFFERENCE = "1.5.1"
    PREFERENCE = "1.5.2"
    ABSOLUTE = "1.5.2.1"
    STRONG = "1.5.2.2"
    MILD = "1.5.2.3"
    NO_GAMES = "1.5.2.4"
    ARO = "1.6"
    MAXIMUM_UPFLOATER = "1.7"
    COMPLETE = "1.8.1"
    ORDER_OF_WORK = "1.8.2"
    NO_PAIRING = "1.8.3"
    BYE_ASSIGNMENT = "2.1"
    BYE_BARRED = "2.1.1"
    BYE_LEAVES_A_PAIRING = "2.1.2"
    BYE_LOWEST_SCORE = "2.1.3"
    BYE_MOST_GAMES = "2.1.4"
    BYE_LOWEST_RANKED = "2.1.5"
    BRACKET_PROCEDURE = "2.2"
    FEWEST_UPFLOATERS = "2.2.1"
    CHOICE_OF_UPFLOATERS = "2.2.2"
    SUBGROUPS = "2.2.3"
    FIRST_HALF = "2.2.3.1"
    SHIFTS = "2.2.4"
    FIRST_SHIFT = "2.2.4.1"
    SECOND_SHIFT = "2.2.4.2"
    S1 = "2.2.5"
    T2 = "2.2.6"
    C1 = "3.1.1"
    C2 = "3.1.2"
    C3 = "3.1.3"
    C4 = "3.2.1"
    C5 = "3.3.1"
    C6 = "3.3.2"
    C7 = "3.3.3"
    C8 = "3.3.4"
    C9 = "3.3.5"
    C10 = "3.3.6"
    SORTING = "4.1"
    ORDER_OF_UPFLOATERS = "4.2"
    ORDER_OF_SHIFTERS = "4.3"
    NUMBERS_OF_SHIFTERS = "4.3.3"
    ORDER_OF_TRANSPOSITIONS = "4.4"
    INITIAL_COLOUR = "5.1"
    COLOUR_FIRST_GAME = "5.2.1"
    COLOUR_BOTH = "5.2.2"
    COLOUR_STRONGER = "5.2.3"
    COLOUR_ALTERNATE = "5.2.4"
    COLOUR_HIGHER_RANKED = "5.2.5"


_OF_2018 = {
    DubovRule.RATING: "A.1",
    DubovRule.INITIAL_RANKING: "A.2",
    DubovRule.SCOREGROUP: "A.3",
    DubovRule.BRACKET: "A.3",
    DubovRule.BYE: "A.4",
    DubovRule.COLOUR_DIFFERENCE: "A.5",
    DubovRule.PREFERENCE: "A.5",
    DubovRule.ABSOLUTE: "A.5.a",
    DubovRule.STRONG: "A.5.b",
    DubovRule.MILD: "A.5.c",
    DubovRule.NO_GAMES: "A.5.d",
    DubovRule.ARO: "A.6",
    DubovRule.MAXIMUM_UPFLOATER: "A.7",
    DubovRule.COMPLETE: "A.8",
    DubovRule.ORDER_OF_WORK: "A.8",
    DubovRule.NO_PAIRING: "A.8",
    DubovRule.BYE_ASSIGNMENT: "B.0",
    DubovRule.BYE_BARRED: "B.0.a",
    DubovRule.BYE_LEAVES_A_PAIRING: "B.0.b",
    DubovRule.BYE_LOWEST_SCORE: "B.0.c",
    DubovRule.BYE_MOST_GAMES: "B.0.d",
    DubovRule.BYE_LOWEST_RANKED: "B.0.e",
    DubovRule.BRACKET_PROCEDURE: "B",
    DubovRule.FEWEST_UPFLOATERS: "B.1",
    DubovRule.CHOICE_OF_UPFLOATERS: "B.2",
    DubovRule.SUBGROUPS: "B.3",
    DubovRule.FIRST_HALF: "B.3",
    DubovRule.SHIFTS: "B.4",
    DubovRule.FIRST_SHIFT: "B.4",
    DubovRule.SECOND_SHIFT: "B.4",
    DubovRule.S1: "B.5",
    DubovRule.T2: "B.6",
    DubovRule.C1: "C.1",
    DubovRule.C2: "C.2",
    DubovRule.C3: "C.3",
    DubovRule.C4: "C.4",
    DubovRule.C5: "C.5",
    DubovRule.C6: "C.6",
    DubovRule.C7: "C.7",
    DubovRule.C8: "C.8",
    DubovRule.C9: "C.9",
    DubovRule.C10: "C.10",
    DubovRule.SORTING: "D.0",
    DubovRule.ORDER_OF_UPFLOATERS: "D.1",
    DubovRule.ORDER_OF_SHIFTERS: "D.2",
    DubovRule.NUMBERS_OF_SHIFTERS: "D.2.b",
    DubovRule.ORDER_OF_TRANSPOSITIONS: "D.3",
    DubovRule.INITIAL_COLOUR: "E",
    DubovRule.COLOUR_FIRST_GAME: "E.0",
    DubovRule.COLOUR_BOTH: "E.1",
    DubovRule.COLOUR_STRONGER: "E.2",
    DubovRule.COLOUR_ALTERNATE: "E.3",
    DubovRule.COLOUR_HIGHER_RANKED: "E.4",
}

_MOVED_IN_2026 = {
    "1.5.1": "1.5",
    "1.5.2": "1.6",
    "1.6": "1.7",
    "1.7": "1.8",
    "1.8": "1.9",
    "2": "3",
    "3": "2",
}
"""The beginning of a number in 2025, and its beginning in 2026. The longest that fits counts."""


def article(rule: DubovRule, edition: Edition) -> str:
    """Return the number of the article in an edition, such as "2.2.4.1", "3.2.4.1" or "B.4"."""
    if edition is Edition.E2018:
        return _OF_2018[rule]
    if edition is Edition.E2025:
        return rule.value
    parts = rule.value.split(".")
    for length in range(len(parts), 0, -1):
        head = ".".join(parts[:length])
        if head in _MOVED_IN_2026:
            return ".".join((_MOVED_IN_2026[head], *parts[length:]))
    return rule.value


def cited(rule: DubovRule, edition: Edition) -> str:
    """Return the number of an article, after the name of a criterion: "C1 3.1.1"."""
    number = article(rule, edition)
    return f"{rule.name} {number}" if rule.name[0] == "C" and rule.name[1:].isdigit() else number
