"""What is said after a player is entered."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from base.text import isolated
from tournaments.declarations.entries import ADD_PARTICIPANT
from tournaments.models import Participant
from tournaments.queries.entries import is_outside


def entered_sentence(entry: Participant) -> str:
    """Say that the player is entered; of a late entry also number, first round and changed numbers."""
    about = {"name": isolated(entry.player.name), "tpn": entry.tpn, "round": entry.first_round}
    if entry.first_round == 1:
        return _("%(name)s is entered.") % about
    sentence = _("%(name)s is entered as number %(tpn)s and plays from round %(round)s on.") % about
    entered = entry.section.log.filter(action=ADD_PARTICIPANT.name, after__participant=entry.pk).latest(
        "revision"
    )
    moved = len(entered.after.get("numbers", ()))
    if not moved:
        return sentence
    more = ngettext(
        "%(count)s other player has a new number now. The boards of earlier rounds stay as they are.",
        "%(count)s other players have new numbers now. The boards of earlier rounds stay as they are.",
        moved,
    )
    return f"{sentence} {more % {'count': moved}}"


def limit_sentence(entry: Participant, lowest: int | None, highest: int | None) -> str:
    """Warn of a player whose rating the section does not take; "" for any other. The arbiter decides."""
    if not is_outside(entry.rating, lowest, highest):
        return ""
    about = {"name": isolated(entry.player.name), "rating": entry.rating, "low": lowest, "high": highest}
    if not entry.rating:
        sentence = _("%(name)s has no rating, and the section is for players with %(low)s or more.")
    elif highest is not None and entry.rating > highest:
        sentence = _("%(name)s has the rating %(rating)s, above the rating limit of the section: %(high)s.")
    else:
        sentence = _("%(name)s has the rating %(rating)s, below the rating limit of the section: %(low)s.")
    return sentence % about
