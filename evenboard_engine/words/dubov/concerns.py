"""Concerns about a round of the Dubov System that is paired by hand, in sentences."""

from __future__ import annotations

from evenboard_engine.words.catalogue import Sentence, coloured, gettext_noop, ngettext

from .sentences import SENTENCES

CONCERNS: dict[str, Sentence] = {
    "rematch": ngettext(
        "%(player)s and %(other)s have met already, in round %(rounds)s.",
        "%(player)s and %(other)s have met already, in rounds %(rounds)s.",
        "rounds",
    ),
    "forbidden": SENTENCES["forbidden"],
    "absolute_clash": coloured(
        gettext_noop("%(player)s and %(other)s cannot meet: both have an absolute preference for White."),
        gettext_noop("%(player)s and %(other)s cannot meet: both have an absolute preference for Black."),
    ),
    "third_colour": coloured(
        ngettext(
            "%(player)s has White %(count)s time in a row.",
            "%(player)s has White %(count)s times in a row.",
            "count",
        ),
        ngettext(
            "%(player)s has Black %(count)s time in a row.",
            "%(player)s has Black %(count)s times in a row.",
            "count",
        ),
    ),
    "colour_difference": coloured(
        ngettext(
            "%(player)s would have had White %(count)s time more often than the other colour.",
            "%(player)s would have had White %(count)s times more often than the other colour.",
            "count",
        ),
        ngettext(
            "%(player)s would have had Black %(count)s time more often than the other colour.",
            "%(player)s would have had Black %(count)s times more often than the other colour.",
            "count",
        ),
    ),
    "both_opposite": gettext_noop(
        "%(player)s is due Black and %(other)s is due White, but both get the opposite."
    ),
    "colours": gettext_noop("By the rules %(player)s has White and %(other)s Black."),
    "float": gettext_noop("%(player)s (%(points)s) is floated up to %(other)s (%(more)s)."),
    "upfloat_again": ngettext(
        "%(player)s was floated up in round %(rounds)s too.",
        "%(player)s was floated up in rounds %(rounds)s too.",
        "rounds",
    ),
    "maximum_upfloater": ngettext(
        "%(player)s is a maximum upfloater: already floated up %(count)s time.",
        "%(player)s is a maximum upfloater: already floated up %(count)s times.",
        "count",
    ),
    "downfloat_again": ngettext(
        "%(player)s also met a player with fewer points in round %(rounds)s. No rule forbids that.",
        "%(player)s also met a player with fewer points in rounds %(rounds)s. No rule forbids that.",
        "rounds",
    ),
    "bye_had": SENTENCES["bye_had"],
    "bye_forfeit_win": SENTENCES["bye_forfeit_win"],
    "bye_points_unplayed": SENTENCES["bye_points_unplayed"],
    "bye_score": gettext_noop(
        "The bye goes to the lowest score that may have it: %(other)s has %(more)s, %(player)s %(points)s."
    ),
}
"""By code. Where a rule says the same of a pair by hand as of one by the program, it is the same sentence."""
