"""Sentences about the first place of a cost in which one pairing is worse than another.

floats: while floaters are chosen, with a look at the whole chain of score groups. plain: the same by ratings alone.
group: within a score group whose floaters are known. pays: the change of the floaters of a chain. found: of the pairing
that was not taken. best: of the one that was.
"""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, gettext_noop

PLACES: dict[str, Sentence] = {
    "rematches": gettext_noop(
        "If %(player)s met %(other)s, the number of repeated games would be %(found)s instead of %(best)s."
    ),
    "far": gettext_noop(
        "If %(player)s met %(other)s, the number of drops over the limit would be %(found)s instead of "
        "%(best)s."
    ),
    "dont_teams": gettext_noop(
        "If %(player)s met %(other)s, the number of pairs of teammates would be %(found)s instead of "
        "%(best)s."
    ),
    "dont_clubs": gettext_noop(
        "If %(player)s met %(other)s, the number of pairs of clubmates would be %(found)s instead of "
        "%(best)s."
    ),
    "structure_points": gettext_noop(
        "If %(player)s met %(other)s, players would be dropped by %(found)s in all instead of %(best)s."
    ),
    "structure_sizes": gettext_noop(
        "If %(player)s met %(other)s, there would be larger drops for the same sum."
    ),
    "structure_levels": gettext_noop(
        "If %(player)s met %(other)s, the drops would be as large, but from higher score groups."
    ),
    "floats_teams": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs of teammates would "
        "be %(found)s instead of %(best)s."
    ),
    "floats_clubs": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs of clubmates would "
        "be %(found)s instead of %(best)s."
    ),
    "floats_keep": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of floaters who should stay "
        "in their score group would be %(found)s instead of %(best)s."
    ),
    "floats_third": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of players with one colour a "
        "third time in a row would be %(found)s instead of %(best)s."
    ),
    "floats_high": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of switches of more than "
        "%(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "floats_spared": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of unrated players dropped in"
        " the place of rated ones would be %(found)s instead of %(best)s."
    ),
    "floats_equalisation": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the sum of colour differences that are "
        "not made smaller would be %(found)s instead of %(best)s."
    ),
    "floats_low": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of switches of more than "
        "%(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "floats_alternation": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of players without "
        "alternating colours would be %(found)s instead of %(best)s."
    ),
    "floats_interchange": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the number of pairs within one half of a"
        " score group would be %(found)s instead of %(best)s."
    ),
    "floats_size": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the cost of all switches in points of "
        "rating would be %(found)s instead of %(best)s."
    ),
    "plain_teams": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of pairs of "
        "teammates would be %(found)s instead of %(best)s."
    ),
    "plain_clubs": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of pairs of "
        "clubmates would be %(found)s instead of %(best)s."
    ),
    "plain_keep": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of floaters who "
        "should stay in their score group would be %(found)s instead of %(best)s."
    ),
    "plain_high": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of switches of "
        "more than %(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "plain_spared": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of unrated "
        "players dropped in the place of rated ones would be %(found)s instead of %(best)s."
    ),
    "plain_low": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the number of switches of "
        "more than %(limit)s points of rating would be %(found)s instead of %(best)s."
    ),
    "plain_size": gettext_noop(
        "Here floaters are chosen by ratings alone. If %(player)s met %(other)s, the cost of all switches in "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_teams": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of pairs of teammates would be "
        "%(found)s instead of %(best)s."
    ),
    "group_clubs": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of pairs of clubmates would be "
        "%(found)s instead of %(best)s."
    ),
    "group_third": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of players with one colour a third"
        " time in a row would be %(found)s instead of %(best)s."
    ),
    "group_high": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of switches of more than %(limit)s "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_equalisation": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the sum of colour differences that are not "
        "made smaller would be %(found)s instead of %(best)s."
    ),
    "group_low": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of switches of more than %(limit)s "
        "points of rating would be %(found)s instead of %(best)s."
    ),
    "group_alternation": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of players without alternating "
        "colours would be %(found)s instead of %(best)s."
    ),
    "group_interchange": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the number of pairs within one half of a "
        "score group would be %(found)s instead of %(best)s."
    ),
    "group_size": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the cost of all switches in points of rating "
        "would be %(found)s instead of %(best)s."
    ),
    "pays_teams": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of pairs of teammates is "
        "%(best)s instead of %(found)s."
    ),
    "pays_clubs": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of pairs of clubmates is "
        "%(best)s instead of %(found)s."
    ),
    "pays_keep": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of floaters who should stay in "
        "their score group is %(best)s instead of %(found)s."
    ),
    "pays_third": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of players with one colour a "
        "third time in a row is %(best)s instead of %(found)s."
    ),
    "pays_high": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of switches of more than "
        "%(limit)s points of rating is %(best)s instead of %(found)s."
    ),
    "pays_spared": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of unrated players dropped in "
        "the place of rated ones is %(best)s instead of %(found)s."
    ),
    "pays_equalisation": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the sum of colour differences that are not"
        " made smaller is %(best)s instead of %(found)s."
    ),
    "pays_low": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of switches of more than "
        "%(limit)s points of rating is %(best)s instead of %(found)s."
    ),
    "pays_alternation": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of players without alternating "
        "colours is %(best)s instead of %(found)s."
    ),
    "pays_interchange": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the number of pairs within one half of a "
        "score group is %(best)s instead of %(found)s."
    ),
    "pays_size": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the cost of all switches in points of "
        "rating is %(best)s instead of %(found)s."
    ),
}
