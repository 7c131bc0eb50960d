"""Why something was refused: byes, check-in and absences."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from base.reader import READER
from web.words.values import bye_words

SHOWN_NAMES = 6

BYE_WARNINGS = {
    "over_bye_limit": ngettext_lazy(
        "A player may have %(limit)s half-point bye in this section. %(name)s would have %(count)s.",
        "A player may have %(limit)s half-point byes in this section. %(name)s would have %(count)s.",
        "limit",
    ),
    "second_half_bye": ngettext_lazy(
        "%(name)s would have %(count)s half-point bye. The competition rules allow one (C.05, 6.7.4).",
        "%(name)s would have %(count)s half-point byes. The competition rules allow one (C.05, 6.7.4).",
        "count",
    ),
    "after_last_bye_round": ngettext_lazy(
        "In this section a bye is worth points up to round %(last_round)s, and this is round %(late)s.",
        "In this section a bye is worth points up to round %(last_round)s, and these are rounds %(late)s.",
        "number",
    ),
}


def bye_to_confirm(params: Mapping[str, Any]) -> str:
    """Every rule that the byes go beyond, and that nothing is written yet."""
    last = params["last_round"]
    late = [number for number in params["rounds"] if last is not None and number > last]
    known = {
        **params,
        "limit": params["limit"] or 0,
        "late": READER.listed(late, "comma"),
        "number": len(late),
    }
    return " ".join(str(BYE_WARNINGS[code] % known) for code in params["warnings"])


MISSED_WARNINGS = {
    "over_bye_limit": ngettext_lazy(
        "A player may have %(limit)s half-point bye in this section. %(name)s would have %(count)s, for the missed "
        "rounds.",
        "A player may have %(limit)s half-point byes in this section. %(name)s would have %(count)s, for the missed "
        "rounds.",
        "limit",
    ),
    "second_half_bye": ngettext_lazy(
        "%(name)s would have %(count)s half-point bye, one for each missed round. The competition rules allow one "
        "(C.05, 6.7.4).",
        "%(name)s would have %(count)s half-point byes, one for each missed round. The competition rules allow one "
        "(C.05, 6.7.4).",
        "count",
    ),
    "after_last_bye_round": ngettext_lazy(
        "In this section a bye is worth points up to round %(last_round)s. %(name)s has missed %(count)s round.",
        "In this section a bye is worth points up to round %(last_round)s. %(name)s has missed %(count)s rounds.",
        "count",
    ),
}


def _missed_byes(params: Mapping[str, Any]) -> str:
    known = {**params, "limit": params["limit"] or 0}
    return " ".join(str(MISSED_WARNINGS[code] % known) for code in params["warnings"])


BYES_WARNINGS = {
    "over_bye_limit": gettext_lazy("More half-point byes than this section gives (%(limit)s): %(names)s."),
    "second_half_bye": gettext_lazy(
        "More than one half-point bye: %(names)s. The competition rules allow one (C.05, 6.7.4)."
    ),
    "after_last_bye_round": gettext_lazy(
        "Half-point bye in round %(round)s, but in this section a bye is worth points only up to round "
        "%(last_round)s: %(names)s."
    ),
}


def _byes_to_confirm(params: Mapping[str, Any]) -> str:
    """The same for several byes: each rule once, with all the names."""
    names: dict[tuple[str, int], dict[str, None]] = {}
    for bye in params["byes"]:
        for code in bye["warnings"]:
            place = bye["round"] if code == "after_last_bye_round" else 0
            names.setdefault((code, place), {})[bye["name"]] = None
    return " ".join(
        str(
            BYES_WARNINGS[code]
            % {**params, "round": place, "names": READER.listed(found, longest=SHOWN_NAMES)}
        )
        for (code, place), found in names.items()
    )


def _bye_differs(params: Mapping[str, Any]) -> str:
    return _("%(name)s already has a bye in round %(round)s: %(stands)s. You chose: %(wanted)s.") % {
        **params,
        "stands": bye_words(params["kind"]),
        "wanted": bye_words(params["wanted"]),
    }


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "bye_to_confirm": bye_to_confirm,
    "missed_byes_to_confirm": _missed_byes,
    "byes_to_confirm": _byes_to_confirm,
    "bye_differs": _bye_differs,
}
"""Those whose parameters are put into words together."""
