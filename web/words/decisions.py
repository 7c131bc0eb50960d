"""Points by decision of the arbiter in words."""

from __future__ import annotations

from django.utils.translation import gettext as _

from base.reader import READER
from base.text import isolated
from tournaments.queries.rulings import Decision


def decision_sentence(decision: Decision) -> str:
    """Return what the arbiter decided on the points of a player."""
    values = {
        "player": isolated(decision.name),
        "points": READER.points(abs(decision.points)),
        "round": decision.round,
    }
    if decision.of_result:
        text = _("%(player)s: the result of round %(round)s counts %(points)s, by decision of the arbiter.")
    elif decision.round and decision.points > 0:
        text = _("%(player)s: %(points)s added after round %(round)s, by decision of the arbiter.")
    elif decision.round:
        text = _("%(player)s: %(points)s taken away after round %(round)s, by decision of the arbiter.")
    elif decision.points > 0:
        text = _("%(player)s: %(points)s added before round 1, by decision of the arbiter.")
    else:
        text = _("%(player)s: %(points)s taken away before round 1, by decision of the arbiter.")
    return text % values
