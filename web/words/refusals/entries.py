"""Why something was refused: players and their numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from base.reader import READER

SENTENCES = {
    "name_required": gettext_lazy("A player needs a name."),
    "rating_required": gettext_lazy(
        "%(name)s needs a rating. Give a player without one a provisional rating."
    ),
    "already_entered": gettext_lazy("%(name)s is already entered."),
    "same_person": gettext_lazy(
        "%(other)s, born %(birth_date)s, is already entered. Is %(name)s another player with the same birth date?"
    ),
    "name_order": gettext_lazy("Which part is the surname? %(proposed)s?"),
    "fide_id_taken": gettext_lazy("FIDE ID %(fide_id)s belongs to %(name)s, who is already entered."),
    "too_many_entries": ngettext_lazy(
        "A section holds at most %(limit)s player.",
        "A section holds at most %(limit)s players.",
        "limit",
    ),
    "first_round_paired": gettext_lazy(
        "Round %(first_round)s is already paired. The first round can be %(next_round)s or later."
    ),
    "late_entry_by_arbiter": gettext_lazy(
        "Round 1 of %(section)s is paired, so only an arbiter enters players there. Ask an arbiter, or add the player "
        "on Entries: the player then waits for the arbiter."
    ),
    "move_waits": gettext_lazy(
        "Round 1 of %(section)s is paired, so the move of %(name)s waits for an arbiter there. Until then, nothing "
        "changes."
    ),
    "already_withdrawn": gettext_lazy("%(name)s has already withdrawn."),
    "already_expelled": gettext_lazy("%(name)s is already expelled."),
    "not_withdrawn": gettext_lazy("%(name)s has not withdrawn."),
    "already_paired": gettext_lazy(
        "%(name)s has been paired, so the entry cannot be deleted. Withdraw the player instead."
    ),
    "numbers_frozen": gettext_lazy("Round 4 is paired, so pairing numbers can no longer change%(article)s."),
    "not_equal": gettext_lazy("The list must hold all players with this rating, and no others."),
    "equals_same": gettext_lazy("The players are already in this order."),
    "same_section": gettext_lazy("%(name)s is already in %(section)s."),
    "registration_moves": gettext_lazy(
        "%(name)s has a registration, which moves with the entry: choose the section on the page Registrations."
    ),
    "not_active": gettext_lazy("%(name)s has withdrawn and is not paired."),
}

SHOWN_NUMBERS = 4

NUMBERS_TO_CONFIRM = ngettext_lazy(
    "%(count)s pairing number of %(section)s changes (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "%(count)s pairing numbers of %(section)s change (%(shown)s). Paired and played rounds do not change. "
    "The report file records the new numbers.",
    "count",
)


def _two_sections(params: Mapping[str, Any]) -> str:
    names = READER.listed(params["names"], longest=SHOWN_NUMBERS)
    return _(
        "Already entered in another section (%(sections)s): %(names)s. Nobody can play in two sections at once."
    ) % {"names": names, "sections": READER.listed(params["sections"], "comma")}


def _equals_to_confirm(params: Mapping[str, Any]) -> str:
    """What new numbers of players with one rating affect. The table beside it shows who gets which."""
    if not params["round"]:
        return _("Round 1 will be paired with the new numbers.")
    return _(
        "Round %(round)s is paired and keeps its boards. The new numbers apply from the next pairing on. "
        "The report file records this."
    ) % {"round": params["round"]}


def _numbers_to_confirm(params: Mapping[str, Any]) -> str:
    """Whose pairing numbers would change, and what that affects."""
    moved = params["numbers"]
    shown = READER.listed((f"{old} → {new}" for old, new in moved), "comma", longest=SHOWN_NUMBERS)
    return NUMBERS_TO_CONFIRM % {**params, "count": len(moved), "shown": shown}


SPECIAL: dict[str, Callable[[Mapping[str, Any]], str]] = {
    "numbers_to_confirm": _numbers_to_confirm,
    "two_sections_to_confirm": _two_sections,
    "equals_to_confirm": _equals_to_confirm,
}
"""Those whose parameters are put into words together."""
