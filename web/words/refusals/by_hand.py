"""Why something was refused: pairing by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from web.words.by_hand import asked
from web.words.refusals.byes import bye_to_confirm
from web.words.values import bye_words


def _by_hand_concerns(params: Mapping[str, Any]) -> str:
    return asked(params["concerns"], map(bye_to_confirm, params["byes"]))


def _by_hand_has_bye(params: Mapping[str, Any]) -> str:
    return _("%(name)s has a bye in this round: %(bye)s. Cancel the bye first (X).") % {
        "name": params["name"],
        "bye": bye_words(params["kind"]),
    }


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "by_hand_concerns": _by_hand_concerns,
    "by_hand_has_bye": _by_hand_has_bye,
}
"""Those whose parameters are put into words together."""
