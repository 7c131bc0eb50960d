"""Why a registration was refused: what players and other visitors read. The rest is in `registrations`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.text import isolated

VISITORS_LIMITS = {
    "rating_low": gettext_lazy("the rating is too low"),
    "rating_high": gettext_lazy("the rating is too high"),
    "no_rating": gettext_lazy("there is no rating, and the section has a lowest rating"),
    "too_young": gettext_lazy("the player is too young"),
    "too_old": gettext_lazy("the player is too old"),
    "age_unknown": gettext_lazy("the birth date is missing"),
    "women_only": gettext_lazy("only women play in this section"),
    "title": gettext_lazy("the title is missing"),
}
"""The limits of a section that a player may miss, by their codes."""
MISSED = gettext_lazy("The registration does not meet the limits of %(section)s: %(reasons)s.")


def _no_bye(params: Mapping[str, Any]) -> str:
    """Say whether the round is the reason, or that the player would have too many."""
    limit, last = params["limit"], params["last_round"]
    if limit and (last is None or params["round"] <= last):
        return ngettext(
            "A player gets at most %(count)s half-point bye.",
            "A player gets at most %(count)s half-point byes.",
            limit,
        ) % {"count": limit}
    return _("The regulations of the section do not give a half-point bye in round %(round)s.") % params


def _listed_otherwise(params: Mapping[str, Any]) -> str:
    """Name both people: with one wrong digit, a FIDE ID is that of a stranger."""
    both = {
        "fide_id": params["fide_id"],
        "listed": isolated(params["listed"]),
        "born": params["born"],
        "name": isolated(str(params["name"])),
        "birth_date": params["birth_date"][:4],
    }
    if both["born"] and both["birth_date"]:
        return (
            _(
                "In the rating list, FIDE ID %(fide_id)s belongs to %(listed)s, born in %(born)s. You typed %(name)s, "
                "born in %(birth_date)s."
            )
            % both
        )
    return _("In the rating list, FIDE ID %(fide_id)s belongs to %(listed)s. You typed %(name)s.") % both


VISITORS_SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "bye_not_in_rules": _no_bye,
    "listed_otherwise": _listed_otherwise,
}
