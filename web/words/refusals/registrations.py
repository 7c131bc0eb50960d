"""Why something was refused: registrations."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from base.reader import READER

from . import registrations_public

LIMITS = {
    **registrations_public.VISITORS_LIMITS,
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
    return registrations_public.MISSED % {
        "section": params["section"],
        "reasons": limits_text(params["problems"]),
    }


def _to_confirm(params: Mapping[str, Any]) -> str:
    values = {
        "name": params["name"],
        "section": params["section"],
        "reasons": limits_text(params["problems"]),
    }
    return _("%(name)s does not meet the limits of %(section)s: %(reasons)s.") % values


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    **registrations_public.VISITORS_SPECIAL,
    "limits_to_confirm": _to_confirm,
    "registration_limits": _limits,
}
