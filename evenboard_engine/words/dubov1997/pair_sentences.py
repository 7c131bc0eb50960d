"""Why two players are a pair by the Dubov System of 1997, and why others are not, in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, gettext_noop

PAIRED: dict[str, Sentence] = {
    "pair_alone": gettext_noop("%(player)s and %(opponent)s are the only two left in their columns."),
    "row_straight": gettext_noop("%(player)s and %(opponent)s are both in row %(row)s of their columns."),
    "row_repaired": gettext_noop(
        "%(player)s is in row %(row)s of the White column, %(opponent)s in row %(place)s of the Black column. "
        "%(opponent)s is the highest Black still free with whom all rows below can be filled."
    ),
    "row_next": gettext_noop(
        "%(opponent)s is the first free player of the lower half whom %(player)s, in row %(row)s, may meet so that "
        "all rows below can be filled."
    ),
    "half": gettext_noop(
        "%(player)s, in row %(row)s of the upper half, meets the first of the lower half still free: %(opponent)s."
    ),
    "offer_pair": gettext_noop(
        "The procedure cannot finish this round. In the round that is offered, the free players are taken by score, "
        "rating and number, and %(player)s meets the next one with whom all others can be paired: %(opponent)s."
    ),
}

PASSED: dict[str, Sentence] = {
    "row_blocked": gettext_noop("If %(player)s played %(other)s, the rows below could not all be filled."),
    "half_blocked": gettext_noop("If %(player)s played %(other)s, the rows below could not all be filled."),
    "aside_blocked": gettext_noop(
        "If %(player)s played %(other)s, the others of the group could not all be paired."
    ),
    "offer_rise": gettext_noop(
        "%(player)s may not be transferred up now (times so far: %(count)s). In an offer this does not count: "
        "%(player)s meets %(opponent)s, who has more points."
    ),
    "offer_rise_last": gettext_noop(
        "%(player)s may not be transferred up now: this happened in the last round too. In an offer this does not "
        "count: %(player)s meets %(opponent)s, who has more points."
    ),
    "offer_blocked": gettext_noop("If %(player)s played %(other)s, the others could not all be paired."),
    "barred_from_rising": gettext_noop("%(player)s may not be transferred up now (times so far: %(count)s)."),
    "barred_from_rising_last": gettext_noop(
        "%(player)s may not be transferred up now: this happened in the last round too."
    ),
    "no_help": gettext_noop("If %(player)s were transferred up, no more pairs would be possible."),
    "same_due": coloured(
        gettext_noop(
            "%(player)s is due the same colour, White. %(other)s is not, and such opponents come first."
        ),
        gettext_noop(
            "%(player)s is due the same colour, Black. %(other)s is not, and such opponents come first."
        ),
    ),
    "same_due_island": coloured(
        gettext_noop(
            "%(player)s is due the same colour, White. %(other)s is not, and such opponents come first."
        ),
        gettext_noop(
            "%(player)s is due the same colour, Black. %(other)s is not, and such opponents come first."
        ),
    ),
    "dominating_due": coloured(
        gettext_noop(
            "%(player)s is due White, as more players of the higher score are. %(other)s, who is transferred up, is "
            "not."
        ),
        gettext_noop(
            "%(player)s is due Black, as more players of the higher score are. %(other)s, who is transferred up, is "
            "not."
        ),
    ),
    "lower_rating": gettext_noop(
        "%(player)s has the rating %(rating)s, and %(other)s, who comes first, has %(other_rating)s."
    ),
    "higher_aro": gettext_noop(
        "%(player)s has the ARO %(aro)s, and %(other)s, who comes first, has %(other_aro)s. Their ratings are equal."
    ),
    "larger_number": gettext_noop(
        "%(player)s has a larger pairing number than %(other)s, who comes first. Rating and ARO are equal."
    ),
    "lower_rating_rising": gettext_noop(
        "%(player)s has the rating %(rating)s, and %(other)s, who is transferred up, has %(other_rating)s."
    ),
    "higher_aro_rising": gettext_noop(
        "%(player)s has the ARO %(aro)s, and %(other)s, who is transferred up, has %(other_aro)s. Their ratings are "
        "equal."
    ),
    "larger_number_rising": gettext_noop(
        "%(player)s has a larger pairing number than %(other)s, who is transferred up. Rating and ARO are equal."
    ),
}

APART: dict[str, Sentence] = {
    "taken": gettext_noop("%(by)s comes before %(player)s in the White column and took %(other)s first."),
    "taken_half": gettext_noop("%(by)s comes before %(player)s in the upper half and took %(other)s first."),
    "taken_by_floater": gettext_noop(
        "%(by)s came down from a higher score, is paired first, and met %(player)s."
    ),
    "taken_by_island": gettext_noop(
        "%(by)s had no possible opponent with the same score, and %(player)s was transferred up to meet %(by)s."
    ),
    "taken_aside": gettext_noop(
        "%(by)s of the White column could have no Black, looked among the Whites, and took %(player)s."
    ),
    "row_order": gettext_noop(
        "%(opponent)s comes before %(other)s in the Black column, and %(player)s takes the first one possible."
    ),
    "half_order": gettext_noop(
        "%(opponent)s comes before %(other)s in the lower half, and %(player)s takes the first one possible."
    ),
    "same_column": gettext_noop(
        "%(player)s and %(other)s are in the same column. Each player of one column meets one of the other."
    ),
    "same_half": gettext_noop(
        "%(player)s and %(other)s are in the same half. Each player of one half meets one of the other."
    ),
    "aside_order": gettext_noop(
        "%(player)s looked for an opponent among the Whites, and %(opponent)s comes before %(other)s in this search."
    ),
    "aside_only_whites": gettext_noop(
        "The rows could not all have a possible Black, so %(player)s looked for an opponent among the Whites. "
        "%(other)s is in the Black column."
    ),
    "nearest_group": gettext_noop(
        "%(player)s came down and meets somebody of the first score that has a possible opponent: %(opponent)s. "
        "%(other)s has a lower score."
    ),
    "nearest_group_rising": gettext_noop(
        "For %(player)s the nearest lower score with a possible opponent is that of %(opponent)s, not that of "
        "%(other)s."
    ),
    "no_transfer_needed": gettext_noop(
        "%(player)s has a higher score than %(other)s. An even number of players was left in this group, so nobody was "
        "transferred up to it."
    ),
    "went_down": gettext_noop(
        "%(player)s went down, because the players of this score could not all be paired with each other. %(other)s "
        "was paired before."
    ),
    "passed_before": gettext_noop(
        "When %(player)s looked for an opponent here, %(other)s was not yet in this group. Then %(player)s went down."
    ),
    "rose_away": gettext_noop(
        "%(player)s was transferred up to the players with %(score)s and is paired there. %(other)s is not among them."
    ),
    "farther_group": gettext_noop(
        "%(player)s has a lower score than the nearest one in which somebody makes one more pair possible."
    ),
    "taken_by_offer": gettext_noop(
        "The procedure cannot finish this round. In the round that is offered, %(by)s comes before %(player)s and "
        "%(other)s, and meets %(player)s."
    ),
    "kept": gettext_noop(
        "The pair of %(player)s and %(opponent)s was paired before the procedure stopped, and stays. The offer "
        "pairs only the free players, %(other)s among them."
    ),
    "offered": gettext_noop(
        "The procedure cannot finish this round. In the round that is offered, %(player)s meets the next one in the "
        "order of score, rating and number: %(opponent)s."
    ),
}
