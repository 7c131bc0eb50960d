"""Sentences about the first place of a cost in which one pairing is worse than another.

floats: while floaters are chosen, with a look at the whole chain of score groups. plain: the same by ratings alone.
group: within a score group whose floaters are known. pays: the change of the floaters of a chain. found: of the pairing
that was not taken. best: of the one that was.
"""

from __future__ import annotations

from pairing.words.catalogue import Sentence, gettext_noop

PLACES: dict[str, Sentence] = {
    "rematches": gettext_noop(
        "If %(player)s met %(other)s, %(found)s games would be repeated instead of %(best)s."
    ),
    "far": gettext_noop(
        "If %(player)s met %(other)s, %(found)s drops would be larger than the limit instead of %(best)s."
    ),
    "dont_teams": gettext_noop(
        "If %(player)s met %(other)s, %(found)s pairs would be of one team instead of %(best)s."
    ),
    "dont_clubs": gettext_noop(
        "If %(player)s met %(other)s, %(found)s pairs would be of one club instead of %(best)s."
    ),
    "structure_points": gettext_noop(
        "If %(player)s met %(other)s, players would be dropped by %(found)s in sum instead of %(best)s."
    ),
    "structure_sizes": gettext_noop(
        "If %(player)s met %(other)s, there would be larger drops for the same sum."
    ),
    "structure_levels": gettext_noop(
        "If %(player)s met %(other)s, players would be dropped from higher score groups for the same drops."
    ),
    "floats_teams": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s pairs would be of one team "
        "instead of %(best)s."
    ),
    "floats_clubs": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s pairs would be of one club "
        "instead of %(best)s."
    ),
    "floats_keep": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s players who should stay in "
        "their score group would leave it instead of %(best)s."
    ),
    "floats_third": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s players would have one "
        "colour a third time in a row instead of %(best)s."
    ),
    "floats_high": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s changes would be over the "
        "upper limit instead of %(best)s."
    ),
    "floats_spared": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s unrated players would be "
        "dropped in the place of rated ones instead of %(best)s."
    ),
    "floats_equalisation": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the missed equalisation of colours "
        "would be %(found)s instead of %(best)s."
    ),
    "floats_low": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s changes would be over the "
        "lower limit instead of %(best)s."
    ),
    "floats_alternation": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s players would miss the "
        "alternation of colours instead of %(best)s."
    ),
    "floats_interchange": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters %(found)s pairs would be of one half "
        "instead of %(best)s."
    ),
    "floats_size": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters the changes would cost %(found)s "
        "points of rating instead of %(best)s."
    ),
    "plain_teams": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s pairs would "
        "be of one team instead of %(best)s."
    ),
    "plain_clubs": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s pairs would "
        "be of one club instead of %(best)s."
    ),
    "plain_keep": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s players who "
        "should stay in their score group would leave it instead of %(best)s."
    ),
    "plain_high": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s changes "
        "would be over the upper limit instead of %(best)s."
    ),
    "plain_spared": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s unrated "
        "players would be dropped in the place of rated ones instead of %(best)s."
    ),
    "plain_low": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone %(found)s changes "
        "would be over the lower limit instead of %(best)s."
    ),
    "plain_size": gettext_noop(
        "If %(player)s met %(other)s, then in the choice of floaters by ratings alone the changes would "
        "cost %(found)s points of rating instead of %(best)s."
    ),
    "group_teams": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s pairs would be of one team "
        "instead of %(best)s."
    ),
    "group_clubs": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s pairs would be of one club "
        "instead of %(best)s."
    ),
    "group_third": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s players would have one colour a "
        "third time in a row instead of %(best)s."
    ),
    "group_high": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s changes would be over the upper "
        "limit instead of %(best)s."
    ),
    "group_equalisation": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the missed equalisation of colours would be "
        "%(found)s instead of %(best)s."
    ),
    "group_low": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s changes would be over the lower "
        "limit instead of %(best)s."
    ),
    "group_alternation": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s players would miss the "
        "alternation of colours instead of %(best)s."
    ),
    "group_interchange": gettext_noop(
        "If %(player)s met %(other)s, then in their score group %(found)s pairs would be of one half "
        "instead of %(best)s."
    ),
    "group_size": gettext_noop(
        "If %(player)s met %(other)s, then in their score group the changes would cost %(found)s points of "
        "rating instead of %(best)s."
    ),
    "pays_teams": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s pairs are of one team instead "
        "of %(found)s."
    ),
    "pays_clubs": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s pairs are of one club instead "
        "of %(found)s."
    ),
    "pays_keep": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s players who should stay in "
        "their score group leave it instead of %(found)s."
    ),
    "pays_third": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s players have one colour a third "
        "time in a row instead of %(found)s."
    ),
    "pays_high": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s changes are over the upper "
        "limit instead of %(found)s."
    ),
    "pays_spared": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s unrated players are dropped in "
        "the place of rated ones instead of %(found)s."
    ),
    "pays_equalisation": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the missed equalisation of colours is "
        "%(best)s instead of %(found)s."
    ),
    "pays_low": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s changes are over the lower "
        "limit instead of %(found)s."
    ),
    "pays_alternation": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s players miss the alternation of "
        "colours instead of %(found)s."
    ),
    "pays_interchange": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: %(best)s pairs are of one half instead "
        "of %(found)s."
    ),
    "pays_size": gettext_noop(
        "The change of floaters between %(high)s and %(low)s pays: the changes cost %(best)s points of "
        "rating instead of %(found)s."
    ),
}
