"""The sentences of US Chess pairing, by code, and those about the places of a cost."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, ngettext
from evenboard_engine.words.catalogue import gettext_noop as _
from evenboard_engine.words.explanation import SWISS_SENTENCES

# Sentences about the first place of a cost in which one pairing is worse than another.
#
# floats: while floaters are chosen, with a look at the whole chain of score groups. plain: the same by
# ratings alone. group: within a score group whose floaters are known. pays: other floaters of a
# chain. found: of the pairing that was not taken. best: of the one that was.

PLACES: dict[str, Sentence] = {
    "rematches": _(
        "If %(player)s met %(other)s, the number of repeated games would be %(found)s instead of %(best)s."
    ),
    "far": _(
        "If %(player)s met %(other)s, the number of drops over the limit would be %(found)s instead of "
        "%(best)s."
    ),
    "dont_teams": _(
        "If %(player)s met %(other)s, the number of pairs of teammates would be %(found)s instead of "
        "%(best)s."
    ),
    "dont_clubs": _(
        "If %(player)s met %(other)s, the number of pairs of clubmates would be %(found)s instead of "
        "%(best)s."
    ),
    "structure_points": _(
        "If %(player)s met %(other)s, players would be dropped by %(found)s in all instead of %(best)s."
    ),
    "structure_sizes": _("If %(player)s met %(other)s, there would be larger drops for the same sum."),
    "structure_levels": _(
        "If %(player)s met %(other)s, the drops would be as large, but from higher score groups."
    ),
    "floats_teams": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs of teammates would "
        "be %(found)s instead of %(best)s."
    ),
    "floats_clubs": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs of clubmates would "
        "be %(found)s instead of %(best)s."
    ),
    "floats_keep": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of floaters who should stay "
        "in their score group would be %(found)s instead of %(best)s."
    ),
    "floats_third": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of players with one colour a "
        "third time in a row would be %(found)s instead of %(best)s."
    ),
    "floats_high": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of switches of more than "
        "%(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "floats_spared": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of unrated players dropped in"
        " the place of rated ones would be %(found)s instead of %(best)s."
    ),
    "floats_equalisation": _(
        "If %(player)s met %(other)s, then in the choice of floaters the sum of colour differences that are "
        "not made smaller would be %(found)s instead of %(best)s."
    ),
    "floats_low": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of switches of more than "
        "%(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "floats_alternation": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of players without "
        "alternating colours would be %(found)s instead of %(best)s."
    ),
    "floats_interchange": _(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs within one half of a"
        " score group would be %(found)s instead of %(best)s."
    ),
    "floats_size": _(
        "If %(player)s met %(other)s, then in the choice of floaters the cost of all switches in points of "
        "rating would be %(found)s instead of %(best)s."
    ),
    "plain_teams": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of pairs of "
        "teammates would be %(found)s instead of %(best)s."
    ),
    "plain_clubs": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of pairs of "
        "clubmates would be %(found)s instead of %(best)s."
    ),
    "plain_keep": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of floaters who "
        "should stay in their score group would be %(found)s instead of %(best)s."
    ),
    "plain_high": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of switches of "
        "more than %(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "plain_spared": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of unrated "
        "players dropped in the place of rated ones would be %(found)s instead of %(best)s."
    ),
    "plain_low": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of switches of "
        "more than %(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "plain_size": _(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the cost of all switches in "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_teams": _(
        "If %(player)s met %(other)s, then in their score group the number of pairs of teammates would be "
        "%(found)s instead of %(best)s."
    ),
    "group_clubs": _(
        "If %(player)s met %(other)s, then in their score group the number of pairs of clubmates would be "
        "%(found)s instead of %(best)s."
    ),
    "group_third": _(
        "If %(player)s met %(other)s, then in their score group the number of players with one colour a third"
        " time in a row would be %(found)s instead of %(best)s."
    ),
    "group_high": _(
        "If %(player)s met %(other)s, then in their score group the number of switches of more than %(limit)s "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_equalisation": _(
        "If %(player)s met %(other)s, then in their score group the sum of colour differences that are not "
        "made smaller would be %(found)s instead of %(best)s."
    ),
    "group_low": _(
        "If %(player)s met %(other)s, then in their score group the number of switches of more than %(limit)s "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_alternation": _(
        "If %(player)s met %(other)s, then in their score group the number of players without alternating "
        "colours would be %(found)s instead of %(best)s."
    ),
    "group_interchange": _(
        "If %(player)s met %(other)s, then in their score group the number of pairs within one half of a "
        "score group would be %(found)s instead of %(best)s."
    ),
    "group_size": _(
        "If %(player)s met %(other)s, then in their score group the cost of all switches in points of rating "
        "would be %(found)s instead of %(best)s."
    ),
    "pays_teams": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of pairs of teammates is "
        "%(best)s instead of %(found)s."
    ),
    "pays_clubs": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of pairs of clubmates is "
        "%(best)s instead of %(found)s."
    ),
    "pays_keep": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of floaters who should stay in "
        "their score group is %(best)s instead of %(found)s."
    ),
    "pays_third": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of players with one colour a "
        "third time in a row is %(best)s instead of %(found)s."
    ),
    "pays_high": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of switches of more than "
        "%(limit)s points of rating is %(best)s instead of %(found)s."
    ),
    "pays_spared": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of unrated players dropped in "
        "the place of rated ones is %(best)s instead of %(found)s."
    ),
    "pays_equalisation": _(
        "Other floaters between %(high)s and %(low)s make the round better: the sum of colour differences that are not"
        " made smaller is %(best)s instead of %(found)s."
    ),
    "pays_low": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of switches of more than "
        "%(limit)s points of rating is %(best)s instead of %(found)s."
    ),
    "pays_alternation": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of players without alternating "
        "colours is %(best)s instead of %(found)s."
    ),
    "pays_interchange": _(
        "Other floaters between %(high)s and %(low)s make the round better: the number of pairs within one half of a "
        "score group is %(best)s instead of %(found)s."
    ),
    "pays_size": _(
        "Other floaters between %(high)s and %(low)s make the round better: the cost of all switches in points of "
        "rating is %(best)s instead of %(found)s."
    ),
}


# All other reasons.


SENTENCES: dict[str, Sentence] = {
    # --- the bye
    "bye_none": _("The number of players is even, so nobody gets the bye."),
    "bye_even": _("The number of players is even, so nobody gets the bye."),
    "bye_given": _("%(player)s gets the bye."),
    "bye_repeats": ngettext(
        "Whoever has the bye, at least %(count)s game is repeated. With the bye for %(player)s, it is no more than "
        "that.",
        "Whoever has the bye, at least %(count)s games are repeated. With the bye for %(player)s, it is no more "
        "than that.",
        "count",
    ),
    "bye_had_none": _("%(player)s has had no full-point bye and has won no game by forfeit."),
    "bye_had_forfeit": _(
        "Everybody who can have the bye has had a full-point bye or has won a game by forfeit. %(player)s has had no "
        "full-point bye."
    ),
    "bye_had_full": _("Everybody who can have the bye has had a full-point bye."),
    "bye_order_28l5": _(
        "In this tournament of four rounds, unrated players count as one and a half score groups higher. In this "
        "order, "
        "%(player)s is the first who can have the bye."
    ),
    "bye_lowest_group": _("%(player)s has %(points)s, the lowest score."),
    "bye_lower_groups": _(
        "%(player)s has %(points)s. Everybody with fewer points has had a full-point bye or a forfeit win, or the "
        "others "
        "could not be paired as well without them."
    ),
    "bye_alone": _("Nobody else has %(points)s."),
    "bye_all_half": _(
        "%(player)s has taken or asked for a half-point bye. So has everybody else with %(points)s who can have the "
        "bye."
    ),
    "bye_no_half": _(
        "%(player)s has neither taken nor asked for a half-point bye. Players with such a bye come later."
    ),
    "bye_rated_cannot": _(
        "%(player)s is unrated. Every rated player with %(points)s has had a bye or a forfeit win, has asked for a "
        "bye, or "
        "the others could not be paired as well without this player."
    ),
    "bye_all_unrated": _("All players with %(points)s are unrated."),
    "bye_not_new": _("%(player)s has had a rating before. New players come later."),
    "bye_is_rated": _("%(player)s is rated. Unrated players come later."),
    "bye_all_late": _("%(player)s is a late entry. So is every other rated player who is left."),
    "bye_not_late": _("%(player)s is not a late entry. Late entries come later."),
    "bye_rated_lowest": _(
        "Of the players who are left, %(player)s is ranked lowest, with the rating %(rating)s."
    ),
    "bye_ranked_lowest": _("Of the players who are left, %(player)s is ranked lowest."),
    "bye_blocks": _("If %(player)s had the bye, the others could not all be paired."),
    "bye_rematches": _(
        "If %(player)s had the bye, the number of repeated games would be %(found)s. With the bye for %(other)s it is "
        "%(best)s."
    ),
    "bye_full": _("%(player)s has had a full-point bye. %(other)s has not."),
    "bye_forfeit": _("%(player)s has won a game by forfeit. %(other)s has had no such point."),
    "bye_group": _(
        "%(player)s has %(points)s. The bye goes to the lowest score group that can have it: %(other)s has %(more)s."
    ),
    "bye_28l5": _(
        "In a tournament of four rounds, unrated players count as one and a half score groups higher. So the bye "
        "goes to %(other)s before %(player)s."
    ),
    "bye_half": _(
        "%(player)s has taken or asked for a half-point bye, so %(other)s comes first for the bye."
    ),
    "bye_late": _("%(player)s is a late entry, so %(other)s comes first for the bye."),
    "bye_unrated": _("%(player)s is unrated, so %(other)s comes first for the bye."),
    "bye_new": _("%(player)s is new and has never had a rating, so %(other)s comes first for the bye."),
    "bye_rank": _("%(player)s is ranked higher than %(other)s."),
    # --- the score structure
    "structure": ngettext(
        "%(count)s player is dropped to a lower score group, by %(points)s. No other round has a smaller drop.",
        "%(count)s players are dropped to lower score groups, by %(points)s in all. No other round has a smaller "
        "sum.",
        "count",
    ),
    "structure_even": _("Each score group is paired within itself."),
    "gap": ngettext(
        "%(count)s player with %(points)s meets a player with %(more)s.",
        "%(count)s players with %(points)s meet players with %(more)s.",
        "count",
    ),
    "gap_odd": ngettext(
        "%(count)s player has %(points)s or more. That is an odd number, so one player with %(points)s meets one with "
        "%(more)s.",
        "%(count)s players have %(points)s or more. That is an odd number, so one player with %(points)s meets one "
        "with "
        "%(more)s.",
        "count",
    ),
    "gap_blocked": _(
        "The %(count)s players with %(points)s cannot all be paired with each other without a repeated game or mates "
        "who must not meet."
    ),
    "spent_far": ngettext(
        "%(count)s drop is larger than the limit. It cannot be avoided.",
        "%(count)s drops are larger than the limit. They cannot be avoided.",
        "count",
    ),
    "spent_rematches": ngettext(
        "%(count)s game is repeated. It cannot be avoided.",
        "%(count)s games are repeated. They cannot be avoided.",
        "count",
    ),
    "spent_teams": ngettext(
        "%(count)s pair is of one team. It cannot be avoided.",
        "%(count)s pairs are of one team. They cannot be avoided.",
        "count",
    ),
    "spent_clubs": ngettext(
        "%(count)s pair is of one club. It cannot be avoided.",
        "%(count)s pairs are of one club. They cannot be avoided.",
        "count",
    ),
    # --- the floats
    "change_does_not_pay": _(
        "Other floaters between %(high)s and %(low)s were considered for colours. The finished round would not be "
        "better, so ratings alone decide."
    ),
    "raised_away": ngettext(
        "%(players)s is raised to a higher score group.",
        "%(players)s are raised to higher score groups.",
        "count",
    ),
    "float_natural": _(
        "%(player)s (%(points)s) is dropped to %(other)s (%(more)s). Ratings alone choose these two, so it costs "
        "nothing."
    ),
    "drop_only": _("%(player)s is the only player with %(points)s."),
    "raise_only": _("%(player)s is the only player with %(points)s."),
    "drop_lowest": _("%(player)s is the lowest ranked player with %(points)s."),
    "drop_lowest_rated": _(
        "%(player)s is the lowest ranked rated player with %(points)s. Unrated players are not dropped if it can be "
        "avoided."
    ),
    "drop_of_lowest": _(
        "%(player)s is one of the %(count)s lowest ranked players with %(points)s, who are dropped."
    ),
    "drop_middle": _(
        "%(player)s is in the middle of the players with %(points)s, by the option for Harkness."
    ),
    "drop_not_kept": _(
        "%(player)s is the lowest ranked player with %(points)s who need not stay in the score group."
    ),
    "raise_highest": _("%(player)s is the highest ranked player with %(points)s."),
    "raise_of_highest": _(
        "%(player)s is one of the %(count)s highest ranked players with %(points)s, who are raised."
    ),
    "raise_not_kept": _(
        "%(player)s is the highest ranked player with %(points)s who need not stay in the score group."
    ),
    "float_changed": ngettext(
        "%(player)s (%(points)s) is dropped to %(other)s (%(more)s). It costs %(size)s point of rating.",
        "%(player)s (%(points)s) is dropped to %(other)s (%(more)s). It costs %(size)s points of rating.",
        "size",
    ),
    "dropped_instead": _("%(player)s is dropped instead of %(opponent)s."),
    "raised_instead": _("%(player)s is raised instead of %(opponent)s."),
    "natural_floaters": _(
        "By ratings alone these would be dropped: %(players)s. These would be raised: %(others)s."
    ),
    "spared_dropped": _("%(player)s is unrated, but is still dropped."),
    # --- the groups
    "group": ngettext(
        "%(count)s player with %(points)s is paired here.",
        "%(count)s players with %(points)s are paired here.",
        "count",
    ),
    "halves": ngettext(
        "The upper half meets the lower half: %(count)s pair.",
        "The upper half meets the lower half in order: %(count)s pairs.",
        "count",
    ),
    "halves_switched": ngettext(
        "The upper half meets the lower half. %(switched)s of %(count)s pair is switched.",
        "The upper half meets the lower half. %(switched)s of %(count)s pairs are switched.",
        "count",
    ),
    "would_be_forbidden": _("By rank, %(player)s would meet %(other)s, but the arbiter keeps them apart."),
    "would_repeat": ngettext(
        "By rank, %(player)s would meet %(other)s, but they have already met in round %(rounds)s.",
        "By rank, %(player)s would meet %(other)s, but they have already met in rounds %(rounds)s.",
        "rounds",
    ),
    "would_be_teammates": _("By rank, %(player)s would meet %(other)s, but they are of one team."),
    "would_be_clubmates": _("By rank, %(player)s would meet %(other)s, but they are of one club."),
    "would_be_due": coloured(
        _("By rank, %(player)s would meet %(other)s, but both are due White."),
        _("By rank, %(player)s would meet %(other)s, but both are due Black."),
    ),
    "switch_free": _("%(player)s meets %(other)s instead of %(opponent)s. The switch costs nothing."),
    "more_switches": ngettext(
        "%(count)s more pair is switched for such reasons.",
        "%(count)s more pairs are switched for such reasons.",
        "count",
    ),
    "turned_for_others": ngettext(
        "The natural pairs of both would be good, but %(count)s pair is switched because of others.",
        "The natural pairs of both would be good, but %(count)s pairs are switched together because of others.",
        "count",
    ),
    "switch": ngettext(
        "%(player)s meets %(other)s instead of %(opponent)s. The switch costs %(size)s point of rating.",
        "%(player)s meets %(other)s instead of %(opponent)s. The switch costs %(size)s points of rating.",
        "size",
    ),
    "switch_unrated": ngettext(
        "%(player)s meets %(other)s instead of %(opponent)s. The switch costs %(size)s point of rating. A switch "
        "with an unrated player never costs more than this.",
        "%(player)s meets %(other)s instead of %(opponent)s. The switch costs %(size)s points of rating. A switch "
        "with an unrated player never costs more than this.",
        "size",
    ),
    "mended": _(
        "Without switches, the number of players of the group without the colour they are due would be %(found)s. With "
        "them it is %(best)s."
    ),
    "missed": ngettext(
        "%(players)s does not get the colour that is due.",
        "%(players)s do not get the colours they are due.",
        "players",
    ),
    "pair_natural": _(
        "%(player)s and %(other)s both have place %(row)s in their half of the score group, so they meet."
    ),
    # --- why not
    "has_bye": _("%(player)s has the bye."),
    "both_due": coloured(_("Both are due White."), _("Both are due Black.")),
    "forbidden": _("The arbiter keeps %(player)s and %(other)s apart."),
    **SWISS_SENTENCES,
    "teammates": _("%(player)s and %(other)s are of one team."),
    "clubmates": _("%(player)s and %(other)s are of one club."),
    "too_far": _(
        "The scores of %(player)s and %(other)s differ by more than the limit for drops, %(points)s."
    ),
    "blocked": _("If %(player)s met %(other)s, the others could not all be paired."),
    "group_blocked": _(
        "If %(player)s met %(other)s, the others of their score group could not all be paired, once the floaters are "
        "chosen."
    ),
    "tie_floats": _(
        "A round in which %(player)s meets %(other)s would be as good. The order of the floaters decides."
    ),
    "tie_group": _(
        "A round in which %(player)s meets %(other)s would be as good. The pairs nearest to the natural ones are taken."
    ),
    # --- colours
    "colour_third": coloured(
        _(
            "%(white)s and %(black)s are due the same colour. Only %(granted)s would otherwise have one colour a third "
            "time in a row, and gets White."
        ),
        _(
            "%(white)s and %(black)s are due the same colour. Only %(granted)s would otherwise have one colour a third "
            "time in a row, and gets Black."
        ),
    ),
    "colour_one_due": coloured(
        _("Only %(granted)s is due a colour, and gets White."),
        _("Only %(granted)s is due a colour, and gets Black."),
    ),
    "colour_both": _("%(white)s is due White and %(black)s is due Black, so both get their colour."),
    "colour_imbalance": coloured(
        _(
            "%(white)s and %(black)s are due the same colour. The difference of colours is larger for %(granted)s, who "
            "gets White."
        ),
        _(
            "%(white)s and %(black)s are due the same colour. The difference of colours is larger for %(granted)s, who "
            "gets Black."
        ),
    ),
    "colour_recent": _(
        "%(white)s and %(black)s are due the same colour, equally strongly. Counted back from the last game, their "
        "colours first differ at game %(back)s. There %(white)s had Black and %(black)s had White, so now they change."
    ),
    "colour_higher": coloured(
        _(
            "%(white)s and %(black)s are due the same colour, equally strongly. Counted back from the last game, their "
            "colours never differ. %(granted)s is ranked higher, by points and then by "
            "rating, and gets White."
        ),
        _(
            "%(white)s and %(black)s are due the same colour, equally strongly. Counted back from the last game, their "
            "colours never differ. %(granted)s is ranked higher, by points and then by "
            "rating, and gets Black."
        ),
    ),
    "colour_initial": coloured(
        _(
            "Neither %(white)s nor %(black)s has played. On such boards, the higher ranked players have White and "
            "Black in "
            "turn, and the lot decided who begins. %(higher)s gets White."
        ),
        _(
            "Neither %(white)s nor %(black)s has played. On such boards, the higher ranked players have White and "
            "Black in "
            "turn, and the lot decided who begins. %(higher)s gets Black."
        ),
    ),
    **PLACES,
}
