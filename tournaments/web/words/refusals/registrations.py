"""Why something was refused: registrations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournaments.reader import READER

SENTENCES = {
    "registration_changed": gettext_lazy(
        "Somebody else changed the registration of %(name)s meanwhile. Nothing was done. Look at it as it is now."
    ),
    "registration_move": gettext_lazy(
        "The registration of %(name)s has changed its state. This is no longer possible."
    ),
    "registration_over": gettext_lazy("The registration of %(name)s is withdrawn, refused or expired."),
    "price_is_charged": gettext_lazy("%(name)s has this fee already."),
    "registration_started": gettext_lazy("Round 1 is paired. Ask the arbiter for a late entry."),
    "registration_closed": gettext_lazy("Registration for this section is closed."),
    "registration_known": gettext_lazy("There is a registration with this FIDE ID already."),
    "form_of_another": gettext_lazy(
        "This form was sent with another name before. Send it again to register %(name)s too."
    ),
    "registration_list_full": gettext_lazy("%(section)s is full, and so is its waiting list."),
    "registration_not_undone": gettext_lazy(
        "The last decision about %(name)s cannot be undone: its mail is sent, or nobody of the event made it."
    ),
    "waiting_order": gettext_lazy("Choose people who wait for the same section."),
    "registration_address_often": gettext_lazy(
        "You have asked for a new e-mail address several times today. Ask the organiser to change it."
    ),
    "registration_reason_required": gettext_lazy("Give a reason. The player reads it."),
    "section_full": gettext_lazy("%(section)s has no free place, or other players wait for one."),
    "mail_without_link": gettext_lazy(
        "The text has no place for the personal link. Add it from the list below the text."
    ),
    "mail_place_unknown": gettext_lazy(
        "The program does not know %(names)s. Use only the words from the list below the text."
    ),
    "money_out_of_range": gettext_lazy("Type an amount above 0 and at most %(most)s."),
}
LIMITS = {
    "rating_low": gettext_lazy("the rating is too low"),
    "rating_high": gettext_lazy("the rating is too high"),
    "too_young": gettext_lazy("the player is too young"),
    "too_old": gettext_lazy("the player is too old"),
    "age_unknown": gettext_lazy("the birth date is missing"),
    "women_only": gettext_lazy("only women play in this section"),
    "title": gettext_lazy("the title is missing"),
    "unrated": gettext_lazy("no rating"),
    "same_person": gettext_lazy("perhaps registered twice"),
    "same_mail": gettext_lazy("another registration has this e-mail address"),
    "guardian": gettext_lazy("a guardian is missing"),
    "not_in_list": gettext_lazy("not in the rating list"),
    "not_as_listed": gettext_lazy("the data differ from the rating list"),
}
"""What the organiser has to look at, by its code."""


def limits_text(codes: Iterable[str]) -> str:
    """Return the reasons as one list of words."""
    return READER.listed(str(LIMITS[code]) for code in codes if code in LIMITS)


def _limits(params: Mapping[str, Any]) -> str:
    reasons = {"section": params["section"], "reasons": limits_text(params["problems"])}
    return _("The registration does not meet the limits of %(section)s: %(reasons)s.") % reasons


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


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "bye_not_in_rules": _no_bye,
    "registration_limits": _limits,
}
