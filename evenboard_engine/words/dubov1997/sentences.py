"""The reasons of the Dubov System of 1997 in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, gettext_noop, ngettext

# Why two players are a pair by the Dubov System of 1997, and why others are not, in sentences, by code.

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


# The bye, the steps of a score group, and colours.


BYE: dict[str, Sentence] = {
    "bye_none": gettext_noop("The number of players is even, so nobody gets the bye."),
    "bye_given": gettext_noop(
        "The number of players is odd, so one gets the bye: %(player)s. Of those who may have it the lowest score "
        "comes first, then the lowest rating, then the colour that is due to more players of this score, then the "
        "higher ARO."
    ),
    "bye_last": gettext_noop(
        "The number of players is odd, so one gets the bye. In round 1 it is the last of the list: %(player)s."
    ),
    "bye_had": gettext_noop("%(player)s had the bye in round %(round)s. Nobody gets it twice."),
    "bye_forfeit_win": gettext_noop(
        "%(player)s won by forfeit in round %(round)s and so may not have the bye."
    ),
    "bye_full_point": gettext_noop(
        "%(player)s got a full point in round %(round)s without playing and so may not have the bye."
    ),
    "bye_rest": gettext_noop("If %(player)s had the bye, the others could not all be paired."),
    "bye_higher_score": gettext_noop("%(player)s has a higher score than %(other)s, who has the bye."),
    "bye_higher_rating": gettext_noop(
        "%(player)s has the rating %(rating)s, and %(other)s, who has the bye, has %(other_rating)s. Their scores are "
        "equal."
    ),
    "bye_other_colour": coloured(
        gettext_noop(
            "More players of this score are due White. %(other)s, who has the bye, is due White, and %(player)s "
            "is not. Their ratings are equal."
        ),
        gettext_noop(
            "More players of this score are due Black. %(other)s, who has the bye, is due Black, and %(player)s "
            "is not. Their ratings are equal."
        ),
    ),
    "bye_lower_aro": gettext_noop(
        "%(player)s has the ARO %(aro)s, and %(other)s, who has the bye, has %(other_aro)s. Their scores and ratings "
        "are equal."
    ),
    "bye_smaller_number": gettext_noop(
        "%(player)s has a smaller pairing number than %(other)s, who has the bye. All else is equal."
    ),
    "bye_not_last": gettext_noop(
        "In round 1 the last of the list has the bye: %(other)s. %(player)s comes before."
    ),
}

MEETING: dict[str, Sentence] = {
    "met": ngettext(
        "%(player)s and %(other)s have already met in round %(rounds)s.",
        "%(player)s and %(other)s have already met in rounds %(rounds)s.",
        "rounds",
    ),
    "forbidden": gettext_noop(
        "The arbiter keeps %(player)s and %(other)s apart. This is outside FIDE's rules."
    ),
    "both_barred": coloured(
        gettext_noop("%(player)s and %(other)s cannot meet: neither of them may have White."),
        gettext_noop("%(player)s and %(other)s cannot meet: neither of them may have Black."),
    ),
    "no_way": gettext_noop(
        "%(player)s and %(other)s cannot meet: however the colours are given, one of them gets a colour that this "
        "player may not have."
    ),
    "not_here": gettext_noop("%(player)s is not paired in this round."),
    "paired": gettext_noop("%(player)s and %(other)s do play each other."),
    "has_bye": gettext_noop("%(player)s has the bye. It is given before anybody is paired."),
}

GROUP: dict[str, Sentence] = {
    "group": ngettext(
        "One player with %(score)s is still to be paired.",
        "%(count)s players with %(score)s are still to be paired.",
        "players",
    ),
    "group_empty": gettext_noop("All players with %(score)s are already paired or have the bye."),
    "came_down": ngettext(
        "%(players)s came down from a higher score and is paired first.",
        "These players came down from higher scores and are paired first, one by one, White and Black in turn: "
        "%(players)s.",
        "players",
    ),
    "floater_paired": gettext_noop(
        "%(player)s came down and meets %(opponent)s (rating %(rating)s): of the possible opponents who are not due "
        "the same colour, the one with the highest rating."
    ),
    "floater_same_due": coloured(
        gettext_noop(
            "%(player)s came down and meets %(opponent)s (rating %(rating)s). All possible opponents are due White "
            "too, and this one has the highest rating."
        ),
        gettext_noop(
            "%(player)s came down and meets %(opponent)s (rating %(rating)s). All possible opponents are due Black "
            "too, and this one has the highest rating."
        ),
    ),
    "floater_passes": gettext_noop(
        "%(player)s came down, has no possible opponent here and goes down further."
    ),
    "island": gettext_noop("%(player)s has no possible opponent among the players with %(score)s."),
    "island_paired": gettext_noop(
        "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s: in the nearest lower score "
        "with a possible opponent, the one with the highest rating of those who are not due the same colour and may "
        "be transferred."
    ),
    "island_same_due": coloured(
        gettext_noop(
            "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s. In the nearest lower "
            "score "
            "with a possible opponent all who may be transferred are due White too, and this one has the highest "
            "rating."
        ),
        gettext_noop(
            "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s. In the nearest lower "
            "score "
            "with a possible opponent all who may be transferred are due Black too, and this one has the highest "
            "rating."
        ),
    ),
    "island_barred": gettext_noop(
        "All possible opponents of %(player)s with %(score)s, the nearest lower score that has any, may not be "
        "transferred up. So %(player)s goes down."
    ),
    "island_alone": gettext_noop(
        "No lower score has a possible opponent for %(player)s either. So %(player)s goes down."
    ),
    "rise_barred": gettext_noop("%(player)s may not be transferred up now (times so far: %(count)s)."),
    "rise_barred_last": gettext_noop(
        "%(player)s may not be transferred up now: this happened in the last round too."
    ),
    "odd": gettext_noop(
        "The number of players is odd (%(count)s), so a player of a lower score is transferred up if possible."
    ),
    "riser": coloured(
        gettext_noop(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. Of those who may be transferred and are not due White, as "
            "more players here are, the highest rating is taken."
        ),
        gettext_noop(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. Of those who may be transferred and are not due Black, as "
            "more players here are, the highest rating is taken."
        ),
    ),
    "riser_same_due": coloured(
        gettext_noop(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. All who may be transferred are due White, as more players "
            "here are, and the highest rating is taken."
        ),
        gettext_noop(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. All who may be transferred are due Black, as more players "
            "here are, and the highest rating is taken."
        ),
    ),
    "riser_any_due": gettext_noop(
        "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. No"
        " nearer score has such a player. Of those who may be transferred the highest rating is taken. As "
        "many players here are due White as Black."
    ),
    "riser_barred": gettext_noop(
        "Nobody is transferred up: all with %(score)s, the nearest lower score with players who would help, may not be "
        "transferred."
    ),
    "riser_none": gettext_noop(
        "Nobody is transferred up: no player of a lower score makes one more pair possible."
    ),
    "left_count": ngettext(
        "These players cannot all be paired with each other. At least %(count)s of them must go down.",
        "These players cannot all be paired with each other. At least %(count)s of them must go down.",
        "count",
    ),
    "left": gettext_noop(
        "%(player)s goes down, as the first without whom as many pairs are possible. First come those who have a "
        "possible opponent in the next lower score, then the lowest rating, then the colour that is due to more "
        "players here, then the higher ARO."
    ),
    "left_needed": gettext_noop(
        "%(player)s comes earlier in this order, but fewer pairs would be possible if %(player)s went down."
    ),
    "unpaired": gettext_noop("%(player)s is left without an opponent, and there is no lower score."),
}

COLUMNS: dict[str, Sentence] = {
    "columns": gettext_noop("Due White: %(white_count)s. Due Black: %(black_count)s."),
    "columns_open": ngettext(
        "%(players)s has not played yet, is due no colour and joins the shorter column.",
        "These players have not played yet, are due no colour and join the shorter column, one by one: %(players)s.",
        "players",
    ),
    "level": gettext_noop("Both columns are equally long, so nobody changes columns."),
    "move_white": ngettext(
        "%(players)s, the player due White with the lowest ARO who may have Black, joins the Black column.",
        "%(count)s players due White join the Black column, those with the lowest ARO who may have Black: %(players)s.",
        "count",
    ),
    "move_black": ngettext(
        "%(players)s, the player due Black with the highest ARO who may have White, joins the White column.",
        "%(count)s players due Black join the White column, those with the highest ARO who may have White: "
        "%(players)s.",
        "count",
    ),
    "move_barred": coloured(
        ngettext(
            "%(players)s comes earlier in this order, but may not have White.",
            "%(players)s come earlier in this order, but may not have White.",
            "players",
        ),
        ngettext(
            "%(players)s comes earlier in this order, but may not have Black.",
            "%(players)s come earlier in this order, but may not have Black.",
            "players",
        ),
    ),
    "white_column": gettext_noop("White column, lowest ARO first: %(aros)s."),
    "black_column": gettext_noop("Black column, highest rating first: %(ratings)s."),
    "rows_straight": gettext_noop("Each player meets the one in the same row of the other column."),
    "rows_repaired": ngettext(
        "Not all of these pairs are possible. Each White in turn takes the highest Black with whom all rows below can "
        "be filled. So %(count)s row has another Black.",
        "Not all of these pairs are possible. Each White in turn takes the highest Black with whom all rows below can "
        "be filled. So %(count)s rows have another Black.",
        "count",
    ),
    "aside": gettext_noop(
        "The rows down to row %(row)s cannot all have a possible Black. So %(player)s, the White of this row, looks "
        "for an opponent among the Whites, first downwards, and finds %(opponent)s. The others are put in columns "
        "again."
    ),
    "aside_above": gettext_noop(
        "The rows down to row %(row)s cannot all have a possible Black. The White of this row, %(by)s, finds no "
        "opponent among the Whites. So the Whites above look in turn: %(player)s finds %(opponent)s. The others are "
        "put in columns again."
    ),
    "halves": gettext_noop("Upper half against lower half: each player meets the one in the same row."),
    "halves_repaired": gettext_noop(
        "Upper half against lower half. Players who must not meet are in the same row, so the first order of the lower "
        "half is taken that keeps them apart."
    ),
}

COLOURS: dict[str, Sentence] = {
    "colour_first_round": gettext_noop(
        "%(white)s has White in round 1: the upper players of the pairs have White and Black in turn, as drawn for the "
        "first pair."
    ),
    "colour_limit_row": coloured(
        gettext_noop(
            "%(white)s has White against %(black)s, because %(player)s had White in the last two games."
        ),
        gettext_noop(
            "%(white)s has White against %(black)s, because %(player)s had Black in the last two games."
        ),
    ),
    "colour_limit_difference": coloured(
        gettext_noop(
            "%(white)s has White against %(black)s, because with White the difference of the colours of %(player)s "
            "would be greater than 2."
        ),
        gettext_noop(
            "%(white)s has White against %(black)s, because with Black the difference of the colours of %(player)s "
            "would be greater than 2."
        ),
    ),
    "colour_due": gettext_noop("%(white)s is due White and %(black)s is due Black. Both get their colour."),
    "colour_due_one": coloured(
        gettext_noop(
            "%(player)s is due White and gets it. The other one has not played yet and is due no colour."
        ),
        gettext_noop(
            "%(player)s is due Black and gets it. The other one has not played yet and is due no colour."
        ),
    ),
    "colour_equalise": gettext_noop(
        "Both are due the same colour. Games with White minus games with Black are %(difference)s for %(white)s and "
        "%(other_difference)s for %(black)s, so %(white)s has White."
    ),
    "colour_alternate": gettext_noop(
        "%(white)s had Black in round %(white_round)s and %(black)s had White in round %(black_round)s, the last games "
        "in which their colours differ. Now they change colours."
    ),
    "colour_aro": gettext_noop(
        "%(white)s has White: the higher ARO, %(aro)s against %(other_aro)s. The colours of their games give no "
        "preference."
    ),
    "colour_rating": gettext_noop(
        "%(white)s has White: the lower rating, %(rating)s against %(other_rating)s. Colours and ARO give no "
        "preference."
    ),
    "colour_number": gettext_noop(
        "%(white)s has White: the smaller pairing number. Colours, ARO and rating give no preference."
    ),
    "colour_again": coloured(
        gettext_noop("%(player)s had White in round %(round)s too."),
        gettext_noop("%(player)s had Black in round %(round)s too."),
    ),
}

STUCK: dict[str, Sentence] = {
    "stuck_bye": gettext_noop(
        "The number of players is odd, and each of them had a point without playing, so nobody may have the bye."
    ),
    "stuck_round_1": gettext_noop(
        "No order of the lower half keeps all players apart who must not meet: %(players)s are not paired."
    ),
    "stuck_last_group": gettext_noop(
        "After the last score these players have no opponent: %(players)s. The text leaves this to the arbiter."
    ),
    "no_round": gettext_noop(
        "No pairing of all players keeps the rules about earlier opponents, colours and the bye, so nothing is offered."
    ),
    "undone": ngettext(
        "%(count)s pair is undone, the last one that was made: %(pairs)s. The other pairs stay.",
        "%(count)s pairs are undone, the last one first: %(pairs)s. The other pairs stay.",
        "count",
    ),
    "undone_here": ngettext(
        "%(count)s pair of this score group is undone in the offer: %(pairs)s.",
        "%(count)s pairs of this score group are undone in the offer: %(pairs)s.",
        "count",
    ),
    "undone_none": gettext_noop("No pair is undone."),
    "other_bye": gettext_noop(
        "All pairs are undone. The bye goes to %(player)s, the first in its order without whom all others can be "
        "paired."
    ),
    "offered_order": gettext_noop(
        "These players are free, by score, rating and number: %(players)s. Each in turn meets the next one with whom "
        "the others can still be paired."
    ),
    "no_legal_round": gettext_noop("The procedure cannot finish this round."),
}

SENTENCES: dict[str, Sentence] = {
    **BYE, **MEETING, **GROUP, **COLUMNS, **PAIRED, **PASSED, **APART, **COLOURS, **STUCK
}  # fmt: skip
