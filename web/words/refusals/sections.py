"""Why something was refused: events, sections, their settings and forbidden pairs."""

from __future__ import annotations

from django.utils.translation import gettext_lazy, ngettext_lazy

DEPARTURE = gettext_lazy(
    "Round 1 is being played or is over, so these settings should stay as they were announced: "
    "%(fields)s. A change needs a reason. "
    "The log and the report name it."
)
WRONG_ROUNDS = ngettext_lazy(
    "With the new settings, the rules would pair %(count)s round that is paired differently: %(rounds)s.",
    "With the new settings, the rules would pair %(count)s rounds that are paired differently: %(rounds)s.",
    "count",
)

FIELDS = {
    "name": gettext_lazy("name"),
    "rounds": gettext_lazy("rounds"),
    "win_points": gettext_lazy("points for a win"),
    "draw_points": gettext_lazy("points for a draw"),
    "loss_points": gettext_lazy("points for a loss"),
    "bye_points": gettext_lazy("points for a bye"),
    "initial_colour": gettext_lazy("initial-colour"),
    "system": gettext_lazy("pairing system"),
    "acceleration": gettext_lazy("acceleration"),
    "chess960": gettext_lazy("Chess960"),
    "half_bye_limit": gettext_lazy("half-point byes per player"),
    "last_bye_round": gettext_lazy("last round for byes with points"),
    "time_control": gettext_lazy("time control"),
    "rating_method": gettext_lazy("tournament rating"),
    "rating_federation": gettext_lazy("federation of the national ratings"),
    "equals_by": gettext_lazy("order of equal players"),
}
