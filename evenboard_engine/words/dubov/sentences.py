"""The reasons of the Dubov System in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import COLOUR_SENTENCES, SWISS_SENTENCES, VIRTUAL

SENTENCES: dict[str, Sentence] = {
    "virtual": VIRTUAL,
    "bye_none": _("The number of players is even, so nobody gets the bye."),
    "bye_given": _(
        "The number of players is odd, so one gets the bye. %(player)s gets it: the lowest score of those who "
        "may have it, then the most games played, then the largest pairing number."
    ),
    "bye_had": _("%(player)s had the bye in round %(round)s. Nobody gets it twice."),
    "bye_forfeit_win": _("%(player)s won by forfeit in round %(round)s and so may not have the bye."),
    "bye_points_unplayed": _(
        "%(player)s scored as much as a win in round %(round)s without playing and so may not have the bye."
    ),
    "bye_rest": _("If %(player)s had the bye, the others could not all be paired."),
    "bye_higher_score": _("%(player)s has a higher score than %(other)s, who has the bye."),
    "bye_fewer_games": _(
        "%(player)s has played fewer games (%(games)s) than %(other)s (%(other_games)s), who has the bye. Their scores "
        "are equal."
    ),
    "bye_higher_rank": _(
        "%(player)s has a smaller pairing number than %(other)s, who has the bye. They have the same score and "
        "have played the same number of games."
    ),
    "count_none": _("They can all be paired with each other, so nobody is floated up."),
    "count_odd": _("The bracket has an odd number of players, so one player is floated up."),
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
    "up_chosen": _(
        "%(player)s is floated up. By the criteria nobody is better, and nobody earlier in the order (higher score, "
        "then the smaller pairing number) is as good."
    ),
    "up_chosen_first": _(
        "%(player)s is floated up: the first in the order (higher score, then the smaller pairing number). Nobody "
        "else is better by the criteria."
    ),
    "up_chosen_set": _(
        "Upfloaters are chosen together. %(players)s are the best set by the criteria, and the first in the order if "
        "other sets are as good."
    ),
    "up_not_needed": _("The higher bracket needs no upfloater, so %(player)s is not floated up to it."),
    "up_illegal": _(
        "With %(player)s floated up, the bracket could not be paired legally without more upfloaters."
    ),
    "up_rest": _("With %(player)s floated up, the players below could not all be paired."),
    "up_score": _(
        "With %(player)s floated up, the scores of the upfloaters would be lower (the lowest score is compared first)."
    ),
    "up_colours": _("With %(player)s floated up, more players would not get the colour they are due."),
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
    "up_again": _(
        "With %(player)s floated up, more of the upfloaters would have been floated up in round %(round)s as well."
    ),
    "up_order": _(
        "With %(player)s floated up, the bracket would be no better. The chosen players come first in the order: "
        "higher score, then the smaller pairing number."
    ),
    "meet_illegal": _(
        "If %(player)s were floated up to play %(other)s, the bracket could not be paired legally without more "
        "upfloaters."
    ),
    "meet_rest": _(
        "If %(player)s were floated up to play %(other)s, the players below could not all be paired."
    ),
    "meet_score": _(
        "If %(player)s were floated up to play %(other)s, the scores of the upfloaters would be lower (the lowest "
        "score is compared first)."
    ),
    "meet_colours": _(
        "If %(player)s were floated up to play %(other)s, more players would not get the colour they are due."
    ),
    "meet_maximum": _(
        "If %(player)s were floated up to play %(other)s, more of the upfloaters would be maximum upfloaters."
    ),
    "meet_times": _(
        "If %(player)s were floated up to play %(other)s, the maximum upfloaters among the upfloaters would have more "
        "upfloats in total."
    ),
    "meet_again": _(
        "If %(player)s were floated up to play %(other)s, more of the upfloaters would have been floated up in round "
        "%(round)s as well."
    ),
    **SWISS_SENTENCES,
    "forbidden": _("The arbiter keeps %(player)s and %(other)s apart. This is outside FIDE's rules."),
    "same_absolute": coloured(
        _("%(player)s and %(other)s must both have White (an absolute preference), so they cannot meet."),
        _("%(player)s and %(other)s must both have Black (an absolute preference), so they cannot meet."),
    ),
    "blocked": _(
        "If %(player)s played %(other)s, %(stuck)s would have only %(opponents)s left to play: too few opponents."
    ),
    "blocked_alone": _("If %(player)s played %(other)s, %(stuck)s would have no opponent left."),
    "has_bye": _("%(player)s has the bye. It is given before anybody is paired."),
    "floated_away": _(
        "%(player)s was floated up to a higher bracket. Brackets are paired one after the other, from the top."
    ),
    "same_side": _(
        "%(player)s and %(other)s are on the same side of the bracket. Each player of one side meets one of the other."
    ),
    "side_illegal": _(
        "If %(player)s played %(other)s, the others in the bracket could not all be paired legally."
    ),
    "side_colours": _(
        "If %(player)s played %(other)s, more players in the bracket would not get the colour they are due."
    ),
    "side_shift": _(
        "%(player)s and %(other)s are on the same side of the bracket. They could only meet if a different set of "
        "players changed sides, and that set comes later in the order."
    ),
    "taken": _("%(by)s comes before %(player)s in the order of ARO and took %(other)s first."),
    "order": _(
        "%(opponent)s has a smaller pairing number than %(other)s, and %(player)s takes the first possible opponent."
    ),
    "pair_only": _("%(opponent)s is the only one on the other side of the bracket whom %(player)s may meet."),
    "pair_alone": _("%(player)s and %(opponent)s are the only two in the bracket."),
    "pair_first": _(
        "%(player)s and %(opponent)s meet because both have place %(row)s in the order of their side."
    ),
    "pair_next": _(
        "Of the players who are left on the other side, %(opponent)s is the first with whom %(player)s can be paired."
    ),
    "pair_down_met": ngettext(
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s has already met %(player)s.",
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s have already met %(player)s.",
        "passers",
    ),
    "pair_down": _(
        "%(player)s moves down from place %(place)s to place %(row)s because %(passers)s cannot be paired with "
        "%(player)s."
    ),
    "pair_up_met": _(
        "%(opponent)s moves up from place %(place)s to place %(row)s because %(player)s has already met %(others)s."
    ),
    "pair_up": _(
        "%(opponent)s moves up from place %(place)s to place %(row)s because %(player)s cannot be paired with "
        "%(others)s."
    ),
    **COLOUR_SENTENCES,
}
