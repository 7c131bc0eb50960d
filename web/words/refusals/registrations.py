"""Why something was refused: registrations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from base.reader import READER

from . import registering

SENTENCES = {
    **registering.VISITORS_SENTENCES,
    "price_is_charged": gettext_lazy("%(name)s has this fee already."),
    "list_says_the_same": gettext_lazy("The rating list says nothing else about %(name)s."),
    "registration_not_undone": gettext_lazy(
        "Nothing about %(name)s can be undone: the mail about the last decision is sent, the last step was "
        "more than a day ago or nobody of the event made it, or something has changed since."
    ),
    "waiting_order": gettext_lazy("Choose people who wait for the same section."),
    "too_many_labels": gettext_lazy("An event has at most %(most)s labels. Use one that there is already."),
    "registration_reason_required": gettext_lazy("Give a reason. The player reads it."),
    "mail_not_set_up": gettext_lazy(
        "This server cannot send mails: it has no mail server (EMAIL_URL). Nothing is saved. Let players register "
        "without confirming by mail, or ask the person who runs the server."
    ),
    "mail_without_link": gettext_lazy(
        "The text has no place for the personal link. Add it from the list below the text."
    ),
    "mail_place_unknown": gettext_lazy(
        "The program does not know %(names)s. Use only the words from the list below the text."
    ),
    "section_has_registrations": ngettext_lazy(
        "%(count)s registration is in this section. Move it to another section or withdraw it, so that the player "
        "gets a mail. Then hide the section.",
        "%(count)s registrations are in this section. Move them to another section or withdraw them, so that the "
        "players get a mail. Then hide the section.",
        "count",
    ),
    "section_hidden": gettext_lazy("The section %(section)s is hidden. Show it again first."),
    "money_out_of_range": gettext_lazy("Type an amount above 0 and at most %(most)s."),
}
LIMITS = {
    **registering.VISITORS_LIMITS,
    "unrated": gettext_lazy("no rating"),
    "same_person": gettext_lazy("perhaps registered twice"),
    "same_mail": gettext_lazy("another registration has this e-mail address"),
    "guardian": gettext_lazy("a guardian is missing"),
    "not_in_list": gettext_lazy("not in the rating list"),
    "not_as_listed": gettext_lazy("the data differ from the rating list"),
    "name_order": gettext_lazy("no comma between surname and given name"),
    "many_forms": gettext_lazy("one of very many forms"),
}
"""What the organiser has to look at, by its code."""


def limits_text(codes: Iterable[str]) -> str:
    """Return the reasons as one list of words."""
    return READER.listed(str(LIMITS[code]) for code in codes if code in LIMITS)


def _limits(params: Mapping[str, Any]) -> str:
    return registering.MISSED % {"section": params["section"], "reasons": limits_text(params["problems"])}


def _to_confirm(params: Mapping[str, Any]) -> str:
    values = {
        "name": params["name"],
        "section": params["section"],
        "reasons": limits_text(params["problems"]),
    }
    return _("%(name)s does not meet the limits of %(section)s: %(reasons)s.") % values


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **registering.VISITORS_SPECIAL,
    "limits_to_confirm": _to_confirm,
    "registration_limits": _limits,
}
