"""The reasons of the Dubov System of 1997 in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import SWISS_SENTENCES

# Why two players are a pair by the Dubov System of 1997, and why others are not, in sentences, by code.

PAIRED: dict[str, Sentence] = {
    "pair_alone": _("%(player)s and %(opponent)s are the only two left in their columns."),
    "row_straight": _("%(player)s and %(opponent)s are both in row %(row)s of their columns."),
    "row_repaired": _(
        "%(player)s is in row %(row)s of the White column, %(opponent)s in row %(place)s of the Black column. "
        "%(opponent)s is the highest Black still free with whom all rows below can be filled."
    ),
    "row_next": _(
        "%(opponent)s is the first free player of the lower half whom %(player)s, in row %(row)s, may meet so that "
        "all rows below can be filled."
    ),
    "half": _(
        "%(player)s, in row %(row)s of the upper half, meets the first of the lower half still free: %(opponent)s."
    ),
    "offer_pair": _(
        "The procedure cannot finish this round. In the round that is offered, the free players are taken by score, "
        "rating and number, and %(player)s meets the next one with whom all others can be paired: %(opponent)s."
    ),
}

PASSED: dict[str, Sentence] = {
    "row_blocked": _("If %(player)s played %(other)s, the rows below could not all be filled."),
    "half_blocked": _("If %(player)s played %(other)s, the rows below could not all be filled."),
    "aside_blocked": _("If %(player)s played %(other)s, the others of the group could not all be paired."),
    "offer_rise": _(
        "%(player)s may not be transferred up now (times so far: %(count)s). In an offer this does not count: "
        "%(player)s meets %(opponent)s, who has more points."
    ),
    "offer_rise_last": _(
        "%(player)s may not be transferred up now: this happened in the last round too. In an offer this does not "
        "count: %(player)s meets %(opponent)s, who has more points."
    ),
    "offer_blocked": _("If %(player)s played %(other)s, the others could not all be paired."),
    "barred_from_rising": _("%(player)s may not be transferred up now (times so far: %(count)s)."),
    "barred_from_rising_last": _(
        "%(player)s may not be transferred up now: this happened in the last round too."
    ),
    "no_help": _("If %(player)s were transferred up, no more pairs would be possible."),
    "same_due": coloured(
        _("%(player)s is due the same colour, White. %(other)s is not, and such opponents come first."),
        _("%(player)s is due the same colour, Black. %(other)s is not, and such opponents come first."),
    ),
    "same_due_island": coloured(
        _("%(player)s is due the same colour, White. %(other)s is not, and such opponents come first."),
        _("%(player)s is due the same colour, Black. %(other)s is not, and such opponents come first."),
    ),
    "dominating_due": coloured(
        _(
            "%(player)s is due White, as more players of the higher score are. %(other)s, who is transferred up, is "
            "not."
        ),
        _(
            "%(player)s is due Black, as more players of the higher score are. %(other)s, who is transferred up, is "
            "not."
        ),
    ),
    "lower_rating": _(
        "%(player)s has the rating %(rating)s, and %(other)s, who comes first, has %(other_rating)s."
    ),
    "higher_aro": _(
        "%(player)s has the ARO %(aro)s, and %(other)s, who comes first, has %(other_aro)s. Their ratings are equal."
    ),
    "larger_number": _(
        "%(player)s has a larger pairing number than %(other)s, who comes first. Rating and ARO are equal."
    ),
    "lower_rating_rising": _(
        "%(player)s has the rating %(rating)s, and %(other)s, who is transferred up, has %(other_rating)s."
    ),
    "higher_aro_rising": _(
        "%(player)s has the ARO %(aro)s, and %(other)s, who is transferred up, has %(other_aro)s. Their ratings are "
        "equal."
    ),
    "larger_number_rising": _(
        "%(player)s has a larger pairing number than %(other)s, who is transferred up. Rating and ARO are equal."
    ),
}

APART: dict[str, Sentence] = {
    "taken": _("%(by)s comes before %(player)s in the White column and took %(other)s first."),
    "taken_half": _("%(by)s comes before %(player)s in the upper half and took %(other)s first."),
    "taken_by_floater": _("%(by)s came down from a higher score, is paired first, and met %(player)s."),
    "taken_by_island": _(
        "%(by)s had no possible opponent with the same score, and %(player)s was transferred up to meet %(by)s."
    ),
    "taken_aside": _(
        "%(by)s of the White column could have no Black, looked among the Whites, and took %(player)s."
    ),
    "row_order": _(
        "%(opponent)s comes before %(other)s in the Black column, and %(player)s takes the first one possible."
    ),
    "half_order": _(
        "%(opponent)s comes before %(other)s in the lower half, and %(player)s takes the first one possible."
    ),
    "same_column": _(
        "%(player)s and %(other)s are in the same column. Each player of one column meets one of the other."
    ),
    "same_half": _(
        "%(player)s and %(other)s are in the same half. Each player of one half meets one of the other."
    ),
    "aside_order": _(
        "%(player)s looked for an opponent among the Whites, and %(opponent)s comes before %(other)s in this search."
    ),
    "aside_only_whites": _(
        "The rows could not all have a possible Black, so %(player)s looked for an opponent among the Whites. "
        "%(other)s is in the Black column."
    ),
    "nearest_group": _(
        "%(player)s came down and meets somebody of the first score that has a possible opponent: %(opponent)s. "
        "%(other)s has a lower score."
    ),
    "nearest_group_rising": _(
        "For %(player)s the nearest lower score with a possible opponent is that of %(opponent)s, not that of "
        "%(other)s."
    ),
    "no_transfer_needed": _(
        "%(player)s has a higher score than %(other)s. An even number of players was left in this group, so nobody was "
        "transferred up to it."
    ),
    "went_down": _(
        "%(player)s went down, because the players of this score could not all be paired with each other. %(other)s "
        "was paired before."
    ),
    "passed_before": _(
        "When %(player)s looked for an opponent here, %(other)s was not yet in this group. Then %(player)s went down."
    ),
    "rose_away": _(
        "%(player)s was transferred up to the players with %(score)s and is paired there. %(other)s is not among them."
    ),
    "farther_group": _(
        "%(player)s has a lower score than the nearest one in which somebody makes one more pair possible."
    ),
    "taken_by_offer": _(
        "The procedure cannot finish this round. In the round that is offered, %(by)s comes before %(player)s and "
        "%(other)s, and meets %(player)s."
    ),
    "kept": _(
        "The pair of %(player)s and %(opponent)s was paired before the procedure stopped, and stays. The offer "
        "pairs only the free players, %(other)s among them."
    ),
    "offered": _(
        "The procedure cannot finish this round. In the round that is offered, %(player)s meets the next one in the "
        "order of score, rating and number: %(opponent)s."
    ),
}


# The bye, the steps of a score group, and colours.


BYE: dict[str, Sentence] = {
    "bye_none": _("The number of players is even, so nobody gets the bye."),
    "bye_given": _(
        "The number of players is odd, so one gets the bye: %(player)s. Of those who may have it the lowest score "
        "comes first, then the lowest rating, then the colour that is due to more players of this score, then the "
        "higher ARO."
    ),
    "bye_last": _(
        "The number of players is odd, so one gets the bye. In round 1 it is the last of the list: %(player)s."
    ),
    "bye_had": _("%(player)s had the bye in round %(round)s. Nobody gets it twice."),
    "bye_forfeit_win": _("%(player)s won by forfeit in round %(round)s and so may not have the bye."),
    "bye_full_point": _(
        "%(player)s got a full point in round %(round)s without playing and so may not have the bye."
    ),
    "bye_rest": _("If %(player)s had the bye, the others could not all be paired."),
    "bye_higher_score": _("%(player)s has a higher score than %(other)s, who has the bye."),
    "bye_higher_rating": _(
        "%(player)s has the rating %(rating)s, and %(other)s, who has the bye, has %(other_rating)s. Their scores are "
        "equal."
    ),
    "bye_other_colour": coloured(
        _(
            "More players of this score are due White. %(other)s, who has the bye, is due White, and %(player)s "
            "is not. Their ratings are equal."
        ),
        _(
            "More players of this score are due Black. %(other)s, who has the bye, is due Black, and %(player)s "
            "is not. Their ratings are equal."
        ),
    ),
    "bye_lower_aro": _(
        "%(player)s has the ARO %(aro)s, and %(other)s, who has the bye, has %(other_aro)s. Their scores and ratings "
        "are equal."
    ),
    "bye_smaller_number": _(
        "%(player)s has a smaller pairing number than %(other)s, who has the bye. All else is equal."
    ),
    "bye_not_last": _("In round 1 the last of the list has the bye: %(other)s. %(player)s comes before."),
}

MEETING: dict[str, Sentence] = {
    **SWISS_SENTENCES,
    "forbidden": _("The arbiter keeps %(player)s and %(other)s apart. This is outside FIDE's rules."),
    "both_barred": coloured(
        _("%(player)s and %(other)s cannot meet: neither of them may have White."),
        _("%(player)s and %(other)s cannot meet: neither of them may have Black."),
    ),
    "no_way": _(
        "%(player)s and %(other)s cannot meet: however the colours are given, one of them gets a colour that this "
        "player may not have."
    ),
    "has_bye": _("%(player)s has the bye. It is given before anybody is paired."),
}

GROUP: dict[str, Sentence] = {
    "group": ngettext(
        "One player with %(score)s is still to be paired.",
        "%(count)s players with %(score)s are still to be paired.",
        "players",
    ),
    "group_empty": _("All players with %(score)s are already paired or have the bye."),
    "came_down": ngettext(
        "%(players)s came down from a higher score and is paired first.",
        "These players came down from higher scores and are paired first, one by one, White and Black in turn: "
        "%(players)s.",
        "players",
    ),
    "floater_paired": _(
        "%(player)s came down and meets %(opponent)s (rating %(rating)s): of the possible opponents who are not due "
        "the same colour, the one with the highest rating."
    ),
    "floater_same_due": coloured(
        _(
            "%(player)s came down and meets %(opponent)s (rating %(rating)s). All possible opponents are due White "
            "too, and %(opponent)s has the highest rating."
        ),
        _(
            "%(player)s came down and meets %(opponent)s (rating %(rating)s). All possible opponents are due Black "
            "too, and %(opponent)s has the highest rating."
        ),
    ),
    "floater_passes": _("%(player)s came down, has no possible opponent here and goes down further."),
    "island": _("%(player)s has no possible opponent among the players with %(score)s."),
    "island_paired": _(
        "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s: in the nearest lower score "
        "with a possible opponent, the one with the highest rating of those who are not due the same colour and may "
        "be transferred."
    ),
    "island_same_due": coloured(
        _(
            "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s. In the nearest lower "
            "score "
            "with a possible opponent all who may be transferred are due White too, and %(opponent)s has the highest "
            "rating."
        ),
        _(
            "%(opponent)s (%(score)s, rating %(rating)s) is transferred up to meet %(player)s. In the nearest lower "
            "score "
            "with a possible opponent all who may be transferred are due Black too, and %(opponent)s has the highest "
            "rating."
        ),
    ),
    "island_barred": _(
        "All possible opponents of %(player)s with %(score)s, the nearest lower score that has any, may not be "
        "transferred up. So %(player)s goes down."
    ),
    "island_alone": _(
        "No lower score has a possible opponent for %(player)s either. So %(player)s goes down."
    ),
    "rise_barred": _("%(player)s may not be transferred up now (times so far: %(count)s)."),
    "rise_barred_last": _("%(player)s may not be transferred up now: this happened in the last round too."),
    "odd": _(
        "The number of players is odd (%(count)s), so a player of a lower score is transferred up if possible."
    ),
    "riser": coloured(
        _(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. Of those who may be transferred and are not due White, as "
            "more players here are, the highest rating is taken."
        ),
        _(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. Of those who may be transferred and are not due Black, as "
            "more players here are, the highest rating is taken."
        ),
    ),
    "riser_same_due": coloured(
        _(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. All who may be transferred are due White, as more players "
            "here are, and the highest rating is taken."
        ),
        _(
            "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. "
            "No nearer score has such a player. All who may be transferred are due Black, as more players "
            "here are, and the highest rating is taken."
        ),
    ),
    "riser_any_due": _(
        "%(player)s (%(score)s, rating %(rating)s) is transferred up, so that one more pair is possible. No"
        " nearer score has such a player. Of those who may be transferred the highest rating is taken. As "
        "many players here are due White as Black."
    ),
    "riser_barred": _(
        "Nobody is transferred up: all with %(score)s, the nearest lower score with players who would help, may not be "
        "transferred."
    ),
    "riser_none": _("Nobody is transferred up: no player of a lower score makes one more pair possible."),
    "left_count": ngettext(
        "These players cannot all be paired with each other. At least %(count)s of them must go down.",
        "These players cannot all be paired with each other. At least %(count)s of them must go down.",
        "count",
    ),
    "left": _(
        "%(player)s goes down, as the first without whom as many pairs are possible. First come those who have a "
        "possible opponent in the next lower score, then the lowest rating, then the colour that is due to more "
        "players here, then the higher ARO."
    ),
    "left_needed": _(
        "%(player)s comes earlier in this order, but fewer pairs would be possible if %(player)s went down."
    ),
    "unpaired": _("%(player)s is left without an opponent, and there is no lower score."),
}

COLUMNS: dict[str, Sentence] = {
    "columns": _("Due White: %(white_count)s. Due Black: %(black_count)s."),
    "columns_open": ngettext(
        "%(players)s has not played yet, is due no colour and joins the shorter column.",
        "These players have not played yet, are due no colour and join the shorter column, one by one: %(players)s.",
        "players",
    ),
    "level": _("Both columns are equally long, so nobody changes columns."),
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
    "white_column": _("White column, lowest ARO first: %(aros)s."),
    "black_column": _("Black column, highest rating first: %(ratings)s."),
    "rows_straight": _("Each player meets the one in the same row of the other column."),
    "rows_repaired": ngettext(
        "Not all of these pairs are possible. Each White in turn takes the highest Black with whom all rows below can "
        "be filled. So %(count)s row has another Black.",
        "Not all of these pairs are possible. Each White in turn takes the highest Black with whom all rows below can "
        "be filled. So %(count)s rows have another Black.",
        "count",
    ),
    "aside": _(
        "The rows down to row %(row)s cannot all have a possible Black. So %(player)s, the White of this row, looks "
        "for an opponent among the Whites, first downwards, and finds %(opponent)s. The others are put in columns "
        "again."
    ),
    "aside_above": _(
        "The rows down to row %(row)s cannot all have a possible Black. The White of this row, %(by)s, finds no "
        "opponent among the Whites. So the Whites above look in turn: %(player)s finds %(opponent)s. The others are "
        "put in columns again."
    ),
    "halves": _("Upper half against lower half: each player meets the one in the same row."),
    "halves_repaired": _(
        "Upper half against lower half. Players who must not meet are in the same row, so the first order of the lower "
        "half is taken that keeps them apart."
    ),
}

COLOURS: dict[str, Sentence] = {
    "colour_first_round": _(
        "%(white)s has White in round 1: the upper players of the pairs have White and Black in turn, as drawn for the "
        "first pair."
    ),
    "colour_limit_row": coloured(
        _("%(white)s has White against %(black)s, because %(player)s had White in the last two games."),
        _("%(white)s has White against %(black)s, because %(player)s had Black in the last two games."),
    ),
    "colour_limit_difference": coloured(
        _(
            "%(white)s has White against %(black)s, because with White the difference of the colours of %(player)s "
            "would be greater than 2."
        ),
        _(
            "%(white)s has White against %(black)s, because with Black the difference of the colours of %(player)s "
            "would be greater than 2."
        ),
    ),
    "colour_due": _("%(white)s is due White and %(black)s is due Black. Both get their colour."),
    "colour_due_one": coloured(
        _("%(player)s is due White and gets it. The opponent has not played yet and is due no colour."),
        _("%(player)s is due Black and gets it. The opponent has not played yet and is due no colour."),
    ),
    "colour_equalise": _(
        "Both are due the same colour. Games with White minus games with Black are %(difference)s for %(white)s and "
        "%(other_difference)s for %(black)s, so %(white)s has White."
    ),
    "colour_alternate": _(
        "%(white)s had Black in round %(white_round)s and %(black)s had White in round %(black_round)s, the last games "
        "in which their colours differ. Now they change colours."
    ),
    "colour_aro": _(
        "%(white)s has White: the higher ARO, %(aro)s against %(other_aro)s. The colours of their games give no "
        "preference."
    ),
    "colour_rating": _(
        "%(white)s has White: the lower rating, %(rating)s against %(other_rating)s. Colours and ARO give no "
        "preference."
    ),
    "colour_number": _(
        "%(white)s has White: the smaller pairing number. Colours, ARO and rating give no preference."
    ),
    "colour_again": coloured(
        _("%(player)s had White in round %(round)s too."), _("%(player)s had Black in round %(round)s too.")
    ),
}

STUCK: dict[str, Sentence] = {
    "stuck_bye": _(
        "The number of players is odd, and each of them had a point without playing, so nobody may have the bye."
    ),
    "stuck_round_1": _(
        "No order of the lower half keeps all players apart who must not meet: %(players)s are not paired."
    ),
    "stuck_last_group": _(
        "After the last score these players have no opponent: %(players)s. The rules leave this to the arbiter."
    ),
    "no_round": _(
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
    "undone_none": _("No pair is undone."),
    "other_bye": _(
        "All pairs are undone. The bye goes to %(player)s, the first in its order without whom all others can be "
        "paired."
    ),
    "offered_order": _(
        "These players are free, by score, rating and number: %(players)s. Each in turn meets the next one with whom "
        "the others can still be paired."
    ),
    "no_legal_round": _("The procedure cannot finish this round."),
}

SENTENCES: dict[str, Sentence] = {
    **BYE, **MEETING, **GROUP, **COLUMNS, **PAIRED, **PASSED, **APART, **COLOURS, **STUCK
}  # fmt: skip
