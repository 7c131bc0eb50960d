"""The reasons of the Dutch System: for each code the articles behind it. `words` has the sentences.

Parameters: players are ids. points, bracket: tenths. row: from 1. found, best: of the candidate that was not taken, and
of the one that was; of the order, places in the bracket (later_set, later_opponent) or numbers in S1 and S2 together
(BSN, 4.1). down, up: the BSN that are exchanged. A reason why two players do not meet has the parameter other. Without
it, the reason says why a player does not float; with bye: does not get the bye; with kept: is not paired in the
bracket. Without a player, it says why S1 and S2 exchange players.
lent, lent_points: players, and the virtual points in the scores of the reason.
"""

from __future__ import annotations

from evenboard_engine.systems.dutch.articles import DutchRule

BY_CRITERION: dict[tuple[str, bool], str] = {
    ("C6", False): "more_floaters",
    ("C7", True): "higher_floaters",
    ("C8", False): "next_floaters",
    ("C8", True): "next_higher",
    ("C9", False): "bye_unplayed",
    ("C10", False): "top_difference",
    ("C11", False): "top_third",
    ("C12", False): "colour",
    ("C13", False): "strong",
    ("C14", False): "down_last",
    ("C15", False): "up_last",
    ("C16", False): "down_before",
    ("C17", False): "up_before",
    ("C18", True): "gap_down_last",
    ("C19", True): "gap_up_last",
    ("C20", True): "gap_down_before",
    ("C21", True): "gap_up_before",
}
"""The code for a criterion; with True, where it is counted for one score."""
BY_KEY = (
    "later_set",
    "later_opponent",
    "later_exchange_count",
    "later_exchange_sum",
    "later_exchange_down",
    "later_exchange_up",
    "later_row",
)
"""The codes for the parts of `key_of`, in their order."""

REASONS: dict[str, tuple[DutchRule, ...]] = {
    # the bye
    "bye_none": (),
    "bye_given": (DutchRule.BYE,),
    "bye_lowest": (DutchRule.C5,),
    "bye_able": (DutchRule.C2, DutchRule.C4),
    "bye_only": (DutchRule.C2, DutchRule.C4),
    "bye_stuck": (DutchRule.C4, DutchRule.C5),
    "bye_worse": (DutchRule.BEST,),
    "bye_later": (DutchRule.BEST,),
    "bye_had": (DutchRule.C2,),
    "bye_points": (DutchRule.C2,),
    "bye_higher_score": (DutchRule.C5,),
    "bye_rest": (DutchRule.C4,),
    # a bracket
    "residents": (DutchRule.BRACKET,),
    "virtual": (),
    "moved_down": (DutchRule.BRACKET,),
    "topscorers": (DutchRule.TOPSCORER,),
    "all_paired": (DutchRule.MOST_PAIRS,),
    "floaters": (DutchRule.C6,),
    "bye_left": (DutchRule.BYE,),
    "no_opponent": (DutchRule.C1, DutchRule.C3),
    "no_resident": (DutchRule.C1, DutchRule.C3),
    "alone": (DutchRule.C6,),
    "odd": (DutchRule.C6,),
    "pairs_most": (DutchRule.MOST_PAIRS,),
    "pairs_none": (DutchRule.C1, DutchRule.C3),
    "pairs_none_rest": (DutchRule.C4,),
    "pairs_none_rest_bye": (DutchRule.C4, DutchRule.C5),
    "pairs_rest": (DutchRule.C4,),
    "pairs_rest_bye": (DutchRule.C4, DutchRule.C5),
    "limbo": (DutchRule.MOST_PAIRS, DutchRule.C7),
    "moved_pair": (DutchRule.HETEROGENEOUS,),
    "halves": (DutchRule.SUBGROUPS, DutchRule.NUMBERS),
    "halves_over": (DutchRule.SUBGROUPS, DutchRule.NUMBERS),
    "exchange": (DutchRule.EXCHANGE,),
    "straight": (DutchRule.CANDIDATE,),
    "transposed": (DutchRule.TRANSPOSITION,),
    "left_in_s2": (),
    "missed": (DutchRule.C12,),
    "missed_bound": (DutchRule.C12,),
    "missed_more": (DutchRule.C12,),
    "missed_strong": (DutchRule.C13,),
    "strong_bound": (DutchRule.C12, DutchRule.C13),
    "strong_more": (DutchRule.C13,),
    "lifted": (DutchRule.C3,),
    "lifted_difference": (DutchRule.C10,),
    "lifted_third": (DutchRule.C11,),
    "absolute_bound": (DutchRule.C10, DutchRule.C11),
    # why two players meet
    "row": (DutchRule.CANDIDATE,),
    "first_free": (DutchRule.TRANSPOSITION,),
    "floated": (DutchRule.FLOATS,),
    # why two players do not meet, or a player does not float
    "not_here": (),
    "paired": (),
    "has_bye": (),
    "met": (DutchRule.C1,),
    "forbidden": (),
    "absolute": (DutchRule.C3,),
    "rest": (DutchRule.C4,),
    "rest_bye": (DutchRule.C4, DutchRule.C5),
    **{code: (DutchRule(name),) for (name, _), code in BY_CRITERION.items()},
    "later_set": (DutchRule.MOVED_DOWN_SET,),
    "later_opponent": (DutchRule.TRANSPOSITION,),
    "later_exchange_count": (DutchRule.FEWEST_EXCHANGED,),
    "later_exchange_sum": (DutchRule.LEAST_SUM,),
    "later_exchange_down": (DutchRule.MOVED_DOWN_FIRST,),
    "later_exchange_up": (DutchRule.MOVED_UP_FIRST,),
    "later_row": (DutchRule.TRANSPOSITION,),
    # colours
    "colour_both": (DutchRule.COLOUR_BOTH,),
    "colour_one": (DutchRule.COLOUR_BOTH,),
    "colour_stronger": (DutchRule.COLOUR_STRONGER,),
    "colour_wider": (DutchRule.COLOUR_STRONGER,),
    "colour_alternate": (DutchRule.COLOUR_ALTERNATE,),
    "colour_higher": (DutchRule.COLOUR_HIGHER_RANKED,),
    "colour_initial": (DutchRule.COLOUR_INITIAL,),
    "colour_initial_counted": (DutchRule.COLOUR_INITIAL,),
    "colour_again": (),
    "no_legal_round": (DutchRule.NO_PAIRING,),
}
