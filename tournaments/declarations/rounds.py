"""Rounds: paired, checked, published, and taken apart again."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .declaration import UNAFFECTED, Action, Form, Kind, Row, Sentence, Undo, now, says, text, value_at

DRAW_INITIAL_COLOUR = Action(
    name="draw_initial_colour",
    title=_("initial-colour drawn"),
    sentence=Sentence(
        {
            "by lot": text(
                _("Initial-colour drawn by lot: %(colour)s"), colour=now("initial_colour", form=Form.COLOUR)
            ),
            "set": text(_("Initial-colour set: %(colour)s"), colour=now("initial_colour", form=Form.COLOUR)),
        },
        lambda row: "by lot" if value_at(row, ("after", "by_lot")) else "set",
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

DRAW_LOTS = Action(
    name="draw_lots",
    title=_("numbers drawn by lot"),
    sentence=Sentence(
        {
            "free": text(
                _("Pairing numbers drawn by lot with the seed %(seed)s; %(rounds)s rounds"),
                seed=now("seed"),
                rounds=now("rounds"),
            ),
            "apart": text(
                _(
                    "Pairing numbers drawn by lot, federations apart, with the seed %(seed)s; %(rounds)s rounds"
                ),
                seed=now("seed"),
                rounds=now("rounds"),
            ),
        },
        lambda row: "apart" if value_at(row, ("after", "restricted")) else "free",
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

SET_LOTS = Action(
    name="set_lots",
    title=_("drawn numbers typed"),
    sentence=says(_("Pairing numbers set as drawn; %(rounds)s rounds"), rounds=now("rounds")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

PAIR_NEXT_ROUND = Action(
    name="pair_next_round",
    title=_("round paired"),
    sentence=says(
        ngettext_lazy(
            "Round %(round)s paired: %(count)s board", "Round %(round)s paired: %(count)s boards", "count"
        ),
        count=now("pairs", form=Form.COUNT),
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
    kind=Kind.PAIRING,
)


def _checked(row: Row) -> str:
    return "same" if value_at(row, ("after", "same")) else "different"


CHECK_ROUND = Action(
    name="check_round",
    title=_("round checked"),
    sentence=Sentence(
        {
            "same": text(_("Round %(round)s checked: same as the pairing by the rules")),
            "different": text(_("Round %(round)s checked: different from the pairing by the rules")),
        },
        _checked,
    ),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

PUBLISH_ROUND = Action(
    name="publish_round",
    title=_("round published"),
    sentence=says(_("Round %(round)s published")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
    kind=Kind.PUBLICATION,
)

BACKUP_FAILED = Action(
    name="backup_failed",
    title=_("copy not written"),
    sentence=says(_("No copy of the section could be written after round %(round)s was published")),
    undo=Undo.NEVER,
    integrity=UNAFFECTED,
    silent=False,
)

UNPUBLISH_ROUND = Action(
    name="unpublish_round",
    title=_("round unpublished"),
    sentence=says(_("Round %(round)s unpublished")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

UNPAIR_ROUND = Action(
    name="unpair_round",
    title=_("round unpaired"),
    sentence=says(_("Round %(round)s unpaired")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)
