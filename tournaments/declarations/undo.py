"""Undo of one action or of several."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .declaration import Action, Form, Row, Sentence, Undo, now, of_row, text
from .entries import RENUMBERS

COUNT = now("actions", form=Form.COUNT)
CAME_BACK = of_row("undone_row", "after", "actions", form=Form.COUNT)


def _undone(row: Row) -> str:
    former = row.undone_row
    if former is None:
        return "unknown"
    if former.undoes is not None:
        return "an undo" if former.subject else "an undo of nobody"
    if former.back_to is None:
        return "an action"
    return "going back" if former.action == RESTORE_BEFORE_ROUND.name else "an undo of several"


UNDO = Action(
    name="undo",
    title=_("action undone"),
    sentence=Sentence(
        {
            "unknown": text(_("Action %(revision)s undone"), revision=of_row("undoes")),
            "an action": text(_("Undone: %(action)s"), action=of_row("undone_row", form=Form.SENTENCE)),
            "an undo": text(
                _("Undo of action %(revision)s undone: %(player)s"),
                revision=of_row("undone_row", "undoes"),
                player=of_row("undone_row", "subject"),
            ),
            "an undo of nobody": text(
                _("Undo of action %(revision)s undone"), revision=of_row("undone_row", "undoes")
            ),
            "an undo of several": text(
                ngettext_lazy(
                    "%(count)s undone action came back", "%(count)s undone actions came back", "count"
                ),
                count=CAME_BACK,
            ),
            "going back": text(
                ngettext_lazy(
                    "Going back to before round %(number)s undone: %(count)s action came back",
                    "Going back to before round %(number)s undone: %(count)s actions came back",
                    "count",
                ),
                number=of_row("undone_row", "round_number"),
                count=CAME_BACK,
            ),
        },
        _undone,
    ),
    undo=Undo.UNDOES,
    integrity=RENUMBERS,
)

UNDO_SINCE = Action(
    name="undo_since",
    title=_("actions undone together"),
    sentence=Sentence(
        {
            "": text(
                ngettext_lazy(
                    "%(count)s action undone, back to action %(revision)s",
                    "%(count)s actions undone, back to action %(revision)s",
                    "count",
                ),
                count=COUNT,
                revision=of_row("back_to"),
            )
        }
    ),
    undo=Undo.UNDOES,
    integrity=RENUMBERS,
)

RESTORE_BEFORE_ROUND = Action(
    name="restore_before_round",
    title=_("section set back to before a round"),
    sentence=Sentence(
        {
            "": text(
                ngettext_lazy(
                    "Section restored to before round %(round)s: %(count)s action undone",
                    "Section restored to before round %(round)s: %(count)s actions undone",
                    "count",
                ),
                count=COUNT,
            )
        }
    ),
    undo=Undo.UNDOES,
    integrity=RENUMBERS,
)
