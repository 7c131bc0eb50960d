"""What changed since a round was prepared."""

from __future__ import annotations

from django.utils.translation import gettext_lazy

from base.reader import READER
from tournaments.queries.ahead import RoundAhead

CHANGED = {
    "players": gettext_lazy("players or their ratings"),
    "absences": gettext_lazy("byes and absences"),
    "results": gettext_lazy("results of other boards"),
    "decided_points": gettext_lazy("points by decision of the arbiter"),
    "apart": gettext_lazy("players who are kept apart"),
    "settings": gettext_lazy("settings of the section"),
}
"""By part of what a round is prepared from (`queries.ahead.PARTS`)."""


def changed_words(state: RoundAhead) -> str:
    return READER.listed(str(CHANGED[part]) for part in state.changed)
