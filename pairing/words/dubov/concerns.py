"""Concerns about a round of the Dubov System that is paired by hand, in sentences."""

from __future__ import annotations

from pairing.words.catalogue import gettext_noop

CONCERNS = {
    "rematch": gettext_noop("%(first)s and %(second)s have met already, in round %(rounds)s."),
    "forbidden": gettext_noop(
        "The arbiter keeps %(first)s and %(second)s apart. This is outside FIDE's rules."
    ),
    "absolute_clash": gettext_noop(
        "%(first)s and %(second)s cannot meet: both have an absolute preference for %(colour)s."
    ),
    "third_colour": gettext_noop("%(first)s has %(colour)s for the %(count)sth time in a row."),
    "colour_difference": gettext_noop(
        "%(first)s would have had %(colour)s %(count)s times more often than the other colour."
    ),
    "both_opposite": gettext_noop(
        "%(first)s is due Black and %(second)s is due White, but both get the opposite."
    ),
    "colours": gettext_noop("By the rules %(first)s has White and %(second)s Black."),
    "float": gettext_noop("%(first)s (%(points)s) is floated up to %(second)s (%(more)s)."),
    "upfloat_again": gettext_noop("%(first)s was floated up in round %(rounds)s too."),
    "maximum_upfloater": gettext_noop(
        "%(first)s is a maximum upfloater: already floated up %(count)s times."
    ),
    "downfloat_again": gettext_noop(
        "%(first)s also met a player with fewer points in round %(rounds)s. No rule forbids that."
    ),
    "bye_had": gettext_noop("%(first)s had the bye in round %(rounds)s. Nobody gets the bye twice."),
    "bye_forfeit_win": gettext_noop("%(first)s won round %(rounds)s by forfeit and may not have the bye."),
    "bye_points_unplayed": gettext_noop(
        "%(first)s scored as much as a win without playing in round %(rounds)s and may not have the bye."
    ),
    "bye_score": gettext_noop(
        "The bye goes to the lowest score that may have it: %(second)s has %(more)s, %(first)s %(points)s."
    ),
    "third_colour_3": gettext_noop("%(first)s has %(colour)s for the third time in a row."),
}
"""By code; or by code and count, if the sentence of a count is another one."""
