"""The reasons of the Dutch System in sentences, by code."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import COLOUR_SENTENCES, SWISS_SENTENCES, VIRTUAL

OPENINGS: dict[str, Sentence] = {
    "meet": _("%(player)s and %(other)s could be a pair in the bracket of %(bracket)s."),
    "float": _("%(player)s could float down from the bracket of %(bracket)s."),
    "kept": _("%(player)s could be paired in the bracket of %(bracket)s."),
    "stay": _("S1 and S2 could stay as they are."),
    "bye": _("%(player)s could be left over for the bye from the bracket of %(bracket)s."),
    "float_to": _(
        "%(player)s and %(other)s could meet only after %(player)s floats down from the bracket of %(bracket)s."
    ),
}
"""The candidate that was not taken: by what it must have."""

VERDICTS: dict[str, Sentence] = {
    "rest": _("But then the players who are left could not all be paired."),
    "rest_bye": _(
        "But then the players who are left could not all be paired, with the bye for the lowest possible score."
    ),
    "more_floaters": _("But then the number of floaters would be %(found)s instead of %(best)s."),
    "higher_floaters": _(
        "But then the number of floaters with %(points)s would be %(found)s instead of %(best)s."
    ),
    "next_floaters": _(
        "But then the number of floaters in the next bracket would be %(found)s instead of %(best)s."
    ),
    "next_higher": _(
        "But then the number of floaters with %(points)s in the next bracket would be %(found)s instead of %(best)s."
    ),
    "bye_unplayed": _(
        "But then the number of unplayed games of the player with the bye would be %(found)s instead of %(best)s."
    ),
    "top_difference": _(
        "But then, in games of topscorers, the number of players with a colour difference above 2 would be %(found)s "
        "instead of %(best)s."
    ),
    "top_third": _(
        "But then, in games of topscorers, the number of players with one colour a third time in a row would be "
        "%(found)s instead of %(best)s."
    ),
    "colour": _(
        "But then the number of players who do not get the colour they are due would be %(found)s instead of %(best)s."
    ),
    "strong": _(
        "But then the number of players who do not get a colour they are strongly due would be %(found)s instead of "
        "%(best)s."
    ),
    "down_last": _(
        "But then the number of floaters with %(bracket)s who also floated down in the round before would be "
        "%(found)s instead of %(best)s."
    ),
    "up_last": _(
        "But then the number of players who float up and also did so in the round before would be %(found)s instead "
        "of %(best)s."
    ),
    "down_before": _(
        "But then the number of floaters with %(bracket)s who also floated down two rounds before would be "
        "%(found)s instead of %(best)s."
    ),
    "up_before": _(
        "But then the number of players who float up and also did so two rounds before would be %(found)s instead of "
        "%(best)s."
    ),
    "gap_down_last": _(
        "But then the number of moved-down players with %(points)s who float on, and floated down in the round before, "
        "would be %(found)s instead of %(best)s."
    ),
    "gap_up_last": _(
        "But then the number of players who float up to %(points)s, and floated up in the round before, would be "
        "%(found)s instead of %(best)s."
    ),
    "gap_down_before": _(
        "But then the number of moved-down players with %(points)s who float on, and floated down two rounds before, "
        "would be %(found)s instead of %(best)s."
    ),
    "gap_up_before": _(
        "But then the number of players who float up to %(points)s, and floated up two rounds before, would be "
        "%(found)s instead of %(best)s."
    ),
    "later_set": _(
        "That is as good, but the moved-down players who are paired would have the places %(found)s in the bracket "
        "instead of %(best)s, which comes later in the order."
    ),
    "later_opponent": _(
        "That is as good, but comes later in the order: %(of)s, the first moved-down player who has another opponent, "
        "would meet %(later)s (place %(found)s in the bracket) instead of %(sooner)s (place %(best)s)."
    ),
    "later_exchange_count": _(
        "That is as good, but the number of players exchanged between S1 and S2 (BSN %(down)s for %(up)s) would be "
        "%(found)s instead of %(best)s."
    ),
    "later_exchange_sum": _(
        "That is as good, but S1 and S2 would exchange BSN %(down)s for %(up)s instead of %(best_down)s for "
        "%(best_up)s. The sums of the numbers would differ by %(found)s instead of %(best)s."
    ),
    "later_exchange_down": _(
        "That is as good, but S1 and S2 would exchange BSN %(down)s for %(up)s instead of %(best_down)s for "
        "%(best_up)s. The sums differ by as much, and %(best)s is larger than %(found)s, so it leaves S1 first."
    ),
    "later_exchange_up": _(
        "That is as good, but S1 and S2 would exchange BSN %(down)s for %(up)s instead of %(best_down)s for "
        "%(best_up)s. The sums differ by as much, and %(best)s is smaller than %(found)s, so it joins S1 first."
    ),
    "later_row": _(
        "That is as good, but comes later in the order: in row %(row)s, the first that differs, %(of)s would meet "
        "%(later)s (BSN %(found)s) instead of %(sooner)s (BSN %(best)s)."
    ),
}
"""The first criterion or rule of the order by which that candidate loses."""

SENTENCES: dict[str, Sentence] = {
    **SWISS_SENTENCES,
    **COLOUR_SENTENCES,
    **VERDICTS,
    # the bye
    "bye_none": _("The number of players is even, so nobody gets the bye."),
    "bye_given": _(
        "The number of players is odd, so one gets the bye: %(player)s, who is left over in the end."
    ),
    "bye_lowest": _(
        "The lowest score that the bye can have is %(points)s. This is decided before the first bracket."
    ),
    "bye_able": ngettext(
        "%(count)s other player with this score could also have the bye: the rest could then all be paired.",
        "%(count)s other players with this score could also have the bye: the rest could then all be paired.",
        "count",
    ),
    "bye_stuck": _(
        "With the bye for %(players)s, the players who are left after the brackets above could not all be paired."
    ),
    "bye_worse": _("With the bye for %(players)s, the first criterion that is worse is %(criterion)s."),
    "bye_later": ngettext(
        "With the bye for %(players)s, no criterion is worse, but the candidate comes later in the order.",
        "With the bye for %(players)s, no criterion is worse, but the candidates come later in the order.",
        "count",
    ),
    "bye_only": _(
        "Nobody but %(player)s could have the bye with this score, if the others are all to be paired."
    ),
    "bye_had": _("%(player)s had the bye in round %(round)s. Nobody gets it twice."),
    "bye_points": _(
        "%(player)s scored as much as a win in a round without playing and so may not have the bye."
    ),
    "bye_higher_score": _("%(player)s has a higher score than %(other)s, who has the bye."),
    "bye_rest": _("If %(player)s had the bye, the others could not all be paired."),
    # a bracket
    "residents": ngettext(
        "%(count)s player of this round has %(points)s.",
        "%(count)s players of this round have %(points)s.",
        "count",
    ),
    "virtual": VIRTUAL,
    "moved_down": ngettext(
        "%(players)s moves down from the bracket before.",
        "%(players)s move down from the bracket before.",
        "count",
    ),
    "topscorers": ngettext(
        "It is the last round, and %(players)s is a topscorer.",
        "It is the last round, and %(players)s are topscorers.",
        "count",
    ),
    "all_paired": _("All players of this bracket are paired."),
    "floaters": ngettext("%(players)s floats down.", "%(players)s float down.", "count"),
    "bye_left": _("%(player)s is left over and gets the bye."),
    "no_opponent": _("%(player)s has no possible opponent in the bracket of %(bracket)s."),
    "no_resident": _("%(player)s has no possible opponent among the players with %(bracket)s."),
    "alone": _("Nobody else is in the bracket of %(bracket)s."),
    "odd": _("The number of players in this bracket is odd (%(count)s), so one of them is left over."),
    "pairs_none": _("No pair is possible among these players."),
    "pairs_none_rest": _("With a pair among these players, the round could not be completed."),
    "pairs_none_rest_bye": _(
        "With a pair among these players, the round could not be completed with the bye for the lowest possible score."
    ),
    "pairs_most": ngettext(
        "More than %(count)s pair is not possible among these players.",
        "More than %(count)s pairs are not possible among these players.",
        "count",
    ),
    "pairs_rest": ngettext(
        "With more than %(count)s pair, the players below could not all be paired.",
        "With more than %(count)s pairs, the players below could not all be paired.",
        "count",
    ),
    "pairs_rest_bye": ngettext(
        "With more than %(count)s pair, the players below could not all be paired, with the bye for the lowest "
        "possible score.",
        "With more than %(count)s pairs, the players below could not all be paired, with the bye for the lowest "
        "possible score.",
        "count",
    ),
    "limbo": ngettext(
        "%(players)s has moved down and is not paired here either (limbo).",
        "%(players)s have moved down and are not paired here either (limbo).",
        "count",
    ),
    "moved_pair": _("%(player)s, who moved down, meets %(opponent)s."),
    "halves": ngettext(
        "S1 and S2 are made of %(count)s players of this score, numbered 1 to %(count)s by their pairing numbers (BSN):"
        " %(players)s. They are %(pairs)s pair: number 1 is S1, number 2 is S2.",
        "S1 and S2 are made of %(count)s players of this score, numbered 1 to %(count)s by their pairing numbers (BSN):"
        " %(players)s. They are %(pairs)s pairs: numbers 1 to %(pairs)s are S1, the others S2.",
        "pairs",
    ),
    "halves_over": ngettext(
        "S1 and S2 are made of %(count)s players of this score, numbered 1 to %(count)s by their pairing numbers (BSN):"
        " %(players)s. %(paired)s of them will be paired, so number 1 is S1, and the others are S2.",
        "S1 and S2 are made of %(count)s players of this score, numbered 1 to %(count)s by their pairing numbers (BSN):"
        " %(players)s. %(paired)s of them will be paired, so numbers 1 to %(pairs)s are S1, and the others are S2.",
        "pairs",
    ),
    "exchange": _(
        "S1 and S2 exchange players: %(players)s (BSN %(down)s) for %(others)s (BSN %(up)s). No exchange that comes "
        "earlier in the order is as good."
    ),
    "straight": _("Each player of S1 meets the player at the same place of S2."),
    "transposed": ngettext(
        "S2 is put in another order: in %(count)s row the opponent is not the one at the same place. In row %(row)s, "
        "%(player)s does not meet %(other)s.",
        "S2 is put in another order: in %(count)s rows the opponent is not the one at the same place. The first is "
        "row %(row)s, where %(player)s does not meet %(other)s.",
        "count",
    ),
    "left_in_s2": ngettext(
        "%(players)s of S2 has no opponent here.", "%(players)s of S2 have no opponents here.", "count"
    ),
    "missed": ngettext(
        "%(players)s does not get the colour that is due.",
        "%(players)s do not get the colours they are due.",
        "count",
    ),
    "missed_bound": coloured(
        _(
            "%(due)s of the %(paired)s players who are paired here are due White. Only %(pairs)s can have White, so "
            "at least %(least)s must miss it."
        ),
        _(
            "%(due)s of the %(paired)s players who are paired here are due Black. Only %(pairs)s can have Black, so "
            "at least %(least)s must miss it."
        ),
    ),
    "missed_strong": ngettext(
        "%(players)s has a strong preference.", "%(players)s have a strong preference.", "count"
    ),
    "missed_more": _(
        "By the number of colours, the least would be %(least)s. But each candidate with fewer than %(count)s would be "
        "worse by an earlier criterion, or would have a pair that may not meet."
    ),
    "strong_more": _(
        "By the number of strong and absolute preferences, the least would be %(least)s. But each candidate with fewer "
        "than %(count)s would be worse by an earlier criterion, or would have a pair that may not meet."
    ),
    "strong_bound": coloured(
        _(
            "%(due)s of the %(paired)s players who are paired here are strongly or absolutely due White. Only "
            "%(pairs)s can have White, so at least %(least)s must miss it."
        ),
        _(
            "%(due)s of the %(paired)s players who are paired here are strongly or absolutely due Black. Only "
            "%(pairs)s can have Black, so at least %(least)s must miss it."
        ),
    ),
    "absolute_bound": coloured(
        _(
            "%(due)s of the %(paired)s players who are paired here are absolutely due White. Only "
            "%(pairs)s can have White, so at least %(least)s must miss it."
        ),
        _(
            "%(due)s of the %(paired)s players who are paired here are absolutely due Black. Only "
            "%(pairs)s can have Black, so at least %(least)s must miss it."
        ),
    ),
    "lifted": coloured(
        _("%(player)s and %(other)s must both have White. They may meet because one of them is a topscorer."),
        _("%(player)s and %(other)s must both have Black. They may meet because one of them is a topscorer."),
    ),
    "lifted_difference": _("%(player)s will have a colour difference of %(count)s."),
    "lifted_third": coloured(
        _("%(player)s will have White for the third time in a row."),
        _("%(player)s will have Black for the third time in a row."),
    ),
    # why two players meet
    "row": _("%(player)s is in row %(row)s of S1, and %(opponent)s in row %(row)s of S2 in its final order."),
    "first_free": _("Nobody who comes before %(opponent)s in the order is free."),
    "floated": _("%(player)s has %(points)s and floated down to the bracket of %(bracket)s."),
    # why two players cannot meet
    "has_bye": _("%(player)s has the bye."),
    "forbidden": _("The arbiter keeps %(player)s and %(other)s apart. This is outside FIDE's rules."),
    "absolute": coloured(
        _("%(player)s and %(other)s must both have White (an absolute preference), so they cannot meet."),
        _("%(player)s and %(other)s must both have Black (an absolute preference), so they cannot meet."),
    ),
    # colours that only this system has
    "colour_one": _("Only one of the two is due a colour: %(granted)s, who gets it."),
    "colour_wider": _(
        "%(white)s and %(black)s are due the same colour absolutely. %(granted)s has the larger colour difference and "
        "gets it."
    ),
    "no_legal_round": _("No round satisfies the absolute criteria, so the arbiter decides."),
}
