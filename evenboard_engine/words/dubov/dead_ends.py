"""Why no legal round exists, and what the arbiter might allow (docs/rules.md, D16)."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.result import RelaxationKind
from evenboard_engine.words.catalogue import Sentence, gettext_noop
from evenboard_engine.words.systems import DEAD_ENDS, RELAXATIONS

DUBOV_DEAD_ENDS: Mapping[str, Sentence] = {
    **DEAD_ENDS,
    "no_bye": gettext_noop(
        "The number of players is odd, and nobody may get the bye. The others could be paired if one of these players "
        "had it, but each of them has already had a bye or a win without playing (C2): %(players)s."
    ),
    "no_pairing": gettext_noop(
        "No round is possible with these players: %(players)s. They have already met all opponents who are left, or "
        "must have the same colour (C1, C3)."
    ),
    "nobody": gettext_noop(
        "No round is possible: too many players have already met, or must have the same colour (C1, C3)."
    ),
}
DUBOV_RELAXATIONS: Mapping[RelaxationKind, Sentence] = {
    **RELAXATIONS,
    RelaxationKind.REMATCH: gettext_noop("%(first)s and %(last)s meet again (against C1)"),
    RelaxationKind.SECOND_BYE: gettext_noop("%(first)s gets the bye (against C2)"),
    RelaxationKind.SAME_COLOUR: gettext_noop(
        "%(first)s and %(last)s meet, one of them in the wrong colour (against C3)"
    ),
}
