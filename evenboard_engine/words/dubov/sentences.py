"""The reasons of the Dubov System in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, gettext_noop, ngettext

SENTENCES: dict[str, Sentence] = {
    "bye_none": gettext_noop("The number of players is even, so nobody gets the bye."),
    "bye_given": gettext_noop(
        "The number of players is odd, so one gets the bye. %(player)s gets it: the lowest score of those who "
        "may have it, then the most games played, then the largest pairing number."
    ),
    "bye_had": gettext_noop("%(player)s had the bye in round %(round)s. Nobody gets it twice."),
    "bye_forfeit_win": gettext_noop(
        "%(player)s won by forfeit in round %(round)s and so may not have the bye."
    ),
    "bye_points_unplayed": gettext_noop(
        "%(player)s scored as much as a win in round %(round)s without playing and so may not have the bye."
    ),
    "bye_rest": gettext_noop("If %(player)s had the bye, the others could not all be paired."),
    "bye_higher_score": gettext_noop("%(player)s has a higher score than %(other)s, who has the bye."),
    "bye_fewer_games": gettext_noop(
        "%(player)s has played fewer games (%(games)s) than %(other)s (%(other_games)s), who has the bye. Their scores "
        "are equal."
    ),
    "bye_higher_rank": gettext_noop(
        "%(player)s has a smaller pairing number than %(other)s, who has the bye. They have the same score and "
        "have played the same number of games."
    ),
    "count_none": gettext_noop("They can all be paired with each other, so nobody is floated up."),
    "count_odd": gettext_noop(
        "The bracket has an odd number of players of its own, so one player is floated up."
    ),
    "count_residents": ngettext(
        "However the players of this score are paired with each other, at least %(count)s of them is left over. "
        "So %(count)s player is floated up. Those who can be left over: %(players)s.",
        "However the players of this score are paired with each other, at least %(count)s of them are left over. "
        "So %(count)s players are floated up. Those who can be left over: %(players)s.",
        "count",
    ),
    "count_rest": ngettext(
        "%(count)s player is floated up. Fewer would be enough here, but then the players below could not all be "
        "paired.",
        "%(count)s players are floated up. Fewer would be enough here, but then the players below could not all "
        "be paired.",
        "count",
    ),
    "up_chosen": gettext_noop(
        "%(player)s is floated up. By the criteria nobody is better, and nobody earlier in the order (higher score, "
        "then the smaller pairing number) is as good."
    ),
    "up_chosen_first": gettext_noop(
        "%(player)s is floated up: the first in the order (higher score, then the smaller pairing number). Nobody "
        "else is better by the criteria."
    ),
    "up_chosen_set": gettext_noop(
        "Upfloaters are chosen together. %(players)s are the best set by the criteria, and the first in the order if "
        "other sets are as good."
    ),
    "up_not_needed": gettext_noop(
        "The higher bracket needs no upfloater, so %(player)s is not floated up to it."
    ),
    "up_illegal": gettext_noop(
        "With %(player)s floated up, the bracket could not be paired legally without more upfloaters."
    ),
    "up_rest": gettext_noop("With %(player)s floated up, the players below could not all be paired."),
    "up_score": gettext_noop(
        "With %(player)s floated up, the scores of the upfloaters would be lower (the lowest score is compared first)."
    ),
    "up_colours": gettext_noop(
        "With %(player)s floated up, more players would not get the colour they are due."
    ),
    "up_maximum": ngettext(
        "With %(player)s floated up (%(times)s upfloat so far), more of the upfloaters would be maximum upfloaters.",
        "With %(player)s floated up (%(times)s upfloats so far), more of the upfloaters would be maximum upfloaters.",
        "times",
    ),
    "up_times": ngettext(
        "With %(player)s floated up (%(times)s upfloat so far), the maximum upfloaters among the upfloaters would have "
        "more upfloats in total.",
        "With %(player)s floated up (%(times)s upfloats so far), the maximum upfloaters among the upfloaters would "
        "have more upfloats in total.",
        "times",
    ),
    "up_again": gettext_noop(
        "With %(player)s floated up, more of the upfloaters would have been floated up in round %(round)s as well."
    ),
    "up_order": gettext_noop(
        "With %(player)s floated up, the bracket would be no better. The chosen players come first in the order: "
        "higher score, then the smaller pairing number."
    ),
    "meet_illegal": gettext_noop(
        "If %(player)s were floated up to play %(other)s, the bracket could not be paired legally without more "
        "upfloaters."
    ),
    "meet_rest": gettext_noop(
        "If %(player)s were floated up to play %(other)s, the players below could not all be paired."
    ),
    "meet_score": gettext_noop(
        "If %(player)s were floated up to play %(other)s, the scores of the upfloaters would be lower (the lowest "
        "score is compared first)."
    ),
    "meet_colours": gettext_noop(
        "If %(player)s were floated up to play %(other)s, more players would not get the colour they are due."
    ),
    "meet_maximum": gettext_noop(
        "If %(player)s were floated up to play %(other)s, more of the upfloaters would be maximum upfloaters."
    ),
    "meet_times": gettext_noop(
        "If %(player)s were floated up to play %(other)s, the maximum upfloaters among the upfloaters would have more "
        "upfloats in total."
    ),
    "meet_again": gettext_noop(
        "If %(player)s were floated up to play %(other)s, more of the upfloaters would have been floated up in round "
        "%(round)s as well."
    ),
    "met": ngettext(
        "%(player)s and %(other)s have already met in round %(rounds)s.",
        "%(player)s and %(other)s have already met in rounds %(rounds)s.",
        "rounds",
    ),
    "forbidden": gettext_noop(
        "The arbiter keeps %(player)s and %(other)s apart. This is outside FIDE's rules."
    ),
    "same_absolute": coloured(
        gettext_noop(
            "%(player)s and %(other)s must both have White (an absolute preference), so they cannot meet."
        ),
        gettext_noop(
            "%(player)s and %(other)s must both have Black (an absolute preference), so they cannot meet."
        ),
    ),
    "blocked": gettext_noop(
        "If %(player)s played %(other)s, %(stuck)s would have only %(opponents)s left to play: too few opponents."
    ),
    "blocked_alone": gettext_noop("If %(player)s played %(other)s, %(stuck)s would have no opponent left."),
    "not_here": gettext_noop("%(player)s is not paired in this round."),
    "paired": gettext_noop("%(player)s and %(other)s do play each other."),
    "has_bye": gettext_noop("%(player)s has the bye. It is given before anybody is paired."),
    "floated_away": gettext_noop(
        "%(player)s was floated up to a higher bracket. Brackets are paired one after the other, from the top."
    ),
    "same_side": gettext_noop(
        "%(player)s and %(other)s are on the same side of the bracket. Each player of one side meets one of the other."
    ),
    "side_illegal": gettext_noop(
        "If %(player)s played %(other)s, the others in the bracket could not all be paired legally."
    ),
    "side_colours": gettext_noop(
        "If %(player)s played %(other)s, more players in the bracket would not get the colour they are due."
    ),
    "side_shift": gettext_noop(
        "%(player)s and %(other)s are on the same side of the bracket. They could only meet if a different set of "
        "players changed sides, and that set comes later in the order."
    ),
    "taken": gettext_noop("%(by)s comes before %(player)s in the order of ARO and took %(other)s first."),
    "order": gettext_noop(
        "%(opponent)s has a smaller pairing number than %(other)s, and %(player)s takes the first possible opponent."
    ),
    "pair_only": gettext_noop(
        "%(opponent)s is the only one on the other side of the bracket whom %(player)s may meet."
    ),
    "pair_alone": gettext_noop("%(player)s and %(opponent)s are the only two in the bracket."),
    "pair_first": gettext_noop(
        "%(player)s and %(opponent)s meet because both have place %(row)s in the order of their side."
    ),
    "pair_next": gettext_noop(
        "Of the players who are left on the other side, %(opponent)s is the first with whom %(player)s can be paired."
    ),
    "pair_down_met": ngettext(
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s has already met %(player)s.",
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s have already met %(player)s.",
        "passers",
    ),
    "pair_down": gettext_noop(
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s cannot be paired with "
        "%(player)s."
    ),
    "pair_up_met": gettext_noop(
        "%(opponent)s moves up from place %(place)s to place %(row)s because %(player)s has already met %(others)s."
    ),
    "pair_up": gettext_noop(
        "%(opponent)s moves up from place %(place)s to place %(row)s because %(player)s cannot be paired with "
        "%(others)s."
    ),
    "colour_initial": coloured(
        gettext_noop(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher. Odd numbers get the "
            "initial-colour "
            "and even numbers the other colour, so number %(number)s gets White."
        ),
        gettext_noop(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher. Odd numbers get the "
            "initial-colour "
            "and even numbers the other colour, so number %(number)s gets Black."
        ),
    ),
    "colour_initial_counted": coloured(
        ngettext(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s player with a lower number has not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour and even numbers the other colour, so number %(number)s gets White.",
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s players with lower numbers have not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour and even numbers the other colour, so number %(number)s gets White.",
            "uncounted",
        ),
        ngettext(
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s player with a lower number has not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour and even numbers the other colour, so number %(number)s gets Black.",
            "Neither %(white)s nor %(black)s has played. %(higher)s is ranked higher and counts as number %(number)s: "
            "%(uncounted)s players with lower numbers have not been paired yet (GHR 2.4). Odd numbers get the "
            "initial-colour and even numbers the other colour, so number %(number)s gets Black.",
            "uncounted",
        ),
    ),
    "colour_both": gettext_noop(
        "%(white)s is due White and %(black)s is due Black, so both get their colour."
    ),
    "colour_stronger": gettext_noop(
        "%(white)s and %(black)s are due the same colour. %(granted)s has the stronger preference and gets it."
    ),
    "colour_alternate": gettext_noop(
        "%(white)s and %(black)s are due the same colour, equally strongly. The last time their colours differed, "
        "%(white)s had Black (round %(white_round)s) and %(black)s had White (round %(black_round)s), so now they "
        "change."
    ),
    "colour_higher": gettext_noop(
        "%(white)s and %(black)s are due the same colour, equally strongly. Counted back from the last game, their "
        "colours never differ. %(higher)s is ranked higher and gets the colour."
    ),
    "colour_again": coloured(
        gettext_noop("%(player)s also had White in round %(round)s."),
        gettext_noop("%(player)s also had Black in round %(round)s."),
    ),
}
