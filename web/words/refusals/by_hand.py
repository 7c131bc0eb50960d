"""Why something was refused: pairing by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from web.words.by_hand import asked
from web.words.refusals.byes import bye_to_confirm
from web.words.values import bye_words

SENTENCES = {
    "manual_phase_open": gettext_lazy("Round %(round)s is being paired by hand. End pairing by hand first."),
    "manual_phase_closed": gettext_lazy("Pairing by hand of round %(round)s has ended. Nothing was changed."),
    "pairs_are_public": gettext_lazy(
        "The pairs of round %(round)s are published. You can change them only if the rules of the competition allow "
        "it%(article)s, after a confirmation."
    ),
    "by_hand_nothing": gettext_lazy("Nothing would change."),
    "by_hand_locked": gettext_lazy(
        "Round %(round)s, board %(board)s has a result, so its players cannot move."
    ),
    "by_hand_no_player": gettext_lazy(
        "No player of this section was chosen, so nothing changed. Pick a player first."
    ),
    "by_hand_not_here": gettext_lazy("%(name)s is not in round %(round)s."),
    "players_unpaired": gettext_lazy(
        "Not paired yet in round %(round)s: %(names)s. Pair them, or give each of them a bye."
    ),
    "differs_from_engine": gettext_lazy(
        "Round %(round)s is not as the rules pair it. Confirm a second time to keep it."
    ),
}


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
