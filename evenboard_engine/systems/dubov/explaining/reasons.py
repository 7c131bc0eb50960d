"""The reasons of the Dubov System, with their articles (C.04.4.1, edition of 2025) and parameters."""

from __future__ import annotations

from evenboard_engine.systems.dubov.articles import DubovRule

# For each code: the articles of C.04.4.1 (2025) that give the reason, and the names of its parameters.
REASONS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    # who gets the pairing-allocated bye
    "virtual": ((), ("players", "points")),
    "bye_none": (("1.4",), ()),
    "bye_given": (("2.1",), ("player",)),
    "bye_had": (("3.1.2",), ("player", "round")),
    "bye_forfeit_win": (("3.1.2",), ("player", "round")),
    "bye_points_unplayed": (("3.1.2",), ("player", "round")),
    "bye_rest": (("2.1.2",), ("player",)),
    "bye_higher_score": (("2.1.3",), ("player", "other")),
    "bye_fewer_games": (("2.1.4",), ("player", "other", "games", "other_games")),
    "bye_higher_rank": (("2.1.5",), ("player", "other")),
    # how many upfloaters a bracket has
    "count_none": (("2.2.1",), ("residents",)),
    "count_odd": (("2.2.1", "3.3.1"), ("residents",)),
    "count_residents": (("2.2.1", "3.3.1"), ("residents", "count", "players")),
    "count_rest": (("2.2.1", "3.2.1"), ("residents", "count")),
    # who the upfloaters are, and why a player is not one of them
    "up_chosen": (("2.2.2",), ("player",)),
    "up_chosen_first": (("2.2.2", "4.2"), ("player",)),
    "up_chosen_set": (("2.2.2",), ("player", "players")),
    "up_not_needed": (("2.2.1",), ("player",)),
    "up_illegal": (("3.1.1", "3.1.3"), ("player",)),
    "up_rest": (("3.2.1",), ("player",)),
    "up_score": (("3.3.2",), ("player",)),
    "up_colours": (("3.3.3",), ("player",)),
    "up_maximum": (("3.3.4",), ("player", "times")),
    "up_times": (("3.3.5",), ("player", "times")),
    "up_again": (("3.3.6",), ("player", "round")),
    "up_order": (("4.2",), ("player",)),
    # why a player does not float up to meet this one resident
    "meet_illegal": (("3.1.1", "3.1.3"), ("player", "other")),
    "meet_rest": (("3.2.1",), ("player", "other")),
    "meet_score": (("3.3.2",), ("player", "other")),
    "meet_colours": (("3.3.3",), ("player", "other")),
    "meet_maximum": (("3.3.4",), ("player", "other")),
    "meet_times": (("3.3.5",), ("player", "other")),
    "meet_again": (("3.3.6",), ("player", "other", "round")),
    # why two players do not meet, or why a row passed a player who came earlier in the order
    "met": (("3.1.1",), ("player", "other", "rounds")),
    "forbidden": ((), ("player", "other")),
    "same_absolute": (("3.1.3",), ("player", "other", "colour")),
    "blocked": (("2.2.6",), ("player", "other", "stuck", "opponents")),
    "not_here": ((), ("player",)),
    "paired": ((), ("player", "other")),
    "has_bye": (("2.1",), ("player",)),
    "floated_away": (("2.2.2",), ("player", "other")),
    "same_side": (("2.2.3", "2.2.6"), ("player", "other")),
    "side_illegal": (("3.1.1", "3.1.3"), ("player", "other")),
    "side_colours": (("3.3.3",), ("player", "other")),
    "side_shift": (("2.2.4", "4.3"), ("player", "other")),
    "taken": (("2.2.5", "2.2.6"), ("player", "other", "by")),
    "order": (("4.4",), ("player", "other", "opponent")),
    # why two players meet: `row` is the place in S1 and `place` the place in the order of G2, both from 1
    "pair_only": (("3.1.1", "3.1.3"), ("player", "opponent")),
    "pair_alone": (("1.3.2",), ("player", "opponent")),
    "pair_first": (("2.2.6", "4.4"), ("player", "opponent", "row")),
    "pair_next": (("2.2.6", "4.4"), ("player", "opponent")),
    "pair_down_met": (("3.1.1", "2.2.6"), ("player", "passers", "place", "row")),
    "pair_down": (("2.2.6", "4.4"), ("player", "passers", "place", "row")),
    "pair_up_met": (("3.1.1", "2.2.6"), ("player", "opponent", "others", "place", "row")),
    "pair_up": (("2.2.6", "4.4"), ("player", "opponent", "others", "place", "row")),
    # colours
    # `number` is the one that decides, of `higher`; `uncounted` players above have none yet (GHR 2.4)
    "colour_initial": (("5.2.1",), ("white", "black", "higher", "number", "colour", "initial")),
    "colour_initial_counted": (
        ("5.2.1",),
        ("white", "black", "higher", "number", "colour", "initial", "uncounted"),
    ),
    "colour_both": (("5.2.2",), ("white", "black")),
    "colour_stronger": (("5.2.3",), ("white", "black", "granted")),
    "colour_alternate": (("5.2.4",), ("white", "black", "white_round", "black_round")),
    "colour_higher": (("5.2.5",), ("white", "black", "higher")),
    "colour_again": ((), ("player", "colour", "round")),
}

# The articles behind each step of a bracket and of a round.
STEPS: dict[str, tuple[DubovRule, ...]] = {
    "no_legal_round": (DubovRule.NO_PAIRING,),
    "residents": (DubovRule.SCOREGROUP,),
    "upfloaters": (DubovRule.CHOICE_OF_UPFLOATERS,),
    "unlisted": (DubovRule.CHOICE_OF_UPFLOATERS,),
    "unplayed": (DubovRule.FIRST_HALF,),
    "due_white": (DubovRule.PREFERENCE, DubovRule.SUBGROUPS),
    "due_black": (DubovRule.PREFERENCE, DubovRule.SUBGROUPS),
    "first_shift": (DubovRule.FIRST_SHIFT,),
    "second_shift": (DubovRule.SECOND_SHIFT,),
    "shift_white": (DubovRule.SECOND_SHIFT,),
    "shift_black": (DubovRule.SECOND_SHIFT,),
    "pool_by_aro": (DubovRule.ORDER_OF_SHIFTERS,),
    "pool_by_ranking": (DubovRule.ORDER_OF_SHIFTERS,),
    "numbers": (DubovRule.NUMBERS_OF_SHIFTERS,),
    "level": (DubovRule.SHIFTS,),
    "s1": (DubovRule.ARO, DubovRule.S1),
    "s1_unplayed": (DubovRule.S1,),
    "g2": (DubovRule.ORDER_OF_TRANSPOSITIONS,),
    "g2_unplayed": (DubovRule.ORDER_OF_TRANSPOSITIONS,),
    "straight": (DubovRule.T2,),
    "t2": (DubovRule.T2, DubovRule.ORDER_OF_TRANSPOSITIONS),
    "moved": (DubovRule.T2, DubovRule.ORDER_OF_TRANSPOSITIONS),
    "brackets": (DubovRule.ORDER_OF_WORK,),
    "floated": (DubovRule.CHOICE_OF_UPFLOATERS,),
    "floated_none": (DubovRule.FEWEST_UPFLOATERS,),
    "as_ordered": (DubovRule.T2, DubovRule.ORDER_OF_TRANSPOSITIONS),
    "missed": (DubovRule.C7,),
}
