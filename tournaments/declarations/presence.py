"""Who is here before a round, and what was decided about those who are not."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from .declaration import UNAFFECTED, Action, Form, Kind, Part, Row, Sentence, Undo, now, says, text, value_at

OPEN_CHECK_IN = Action(
    name="open_check_in",
    title=_("check-in opened"),
    sentence=says(_("Round %(round)s: check-in opened")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

CLOSE_CHECK_IN = Action(
    name="close_check_in",
    title=_("check-in closed"),
    sentence=says(_("Round %(round)s: check-in closed")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

CHECK_IN = Action(
    name="check_in",
    title=_("player checked in"),
    sentence=says(_("Round %(round)s: %(subject)s checked in")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=Kind.CHECK_IN,
)

TAKE_BACK_CHECK_IN = Action(
    name="take_back_check_in",
    title=_("check-in removed"),
    sentence=says(_("Round %(round)s: check-in of %(subject)s removed")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=Kind.CHECK_IN,
)


def _all_here(row: Row) -> str:
    return "both" if value_at(row, ("after", "here")) == 2 else "all"


CHECK_IN_ALL = Action(
    name="check_in_all",
    title=_("all others checked in"),
    sentence=Sentence(
        {
            "both": text(_("Round %(round)s: both players who were not marked are here")),
            "all": text(
                ngettext_lazy(
                    "Round %(round)s: the one player who was not marked is here",
                    "Round %(round)s: all %(count)s players who were not marked are here",
                    "count",
                ),
                count=now("here", form=Form.COUNT),
            ),
        },
        _all_here,
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)


def _late(row: Row) -> str:
    if value_at(row, ("after", "bye")):
        return "bye"
    late = value_at(row, ("after", "late"))
    if isinstance(late, bool):
        return "late here" if late else "late away"
    return "now here" if value_at(row, ("after", "here")) is True else "now away"


LATE_CHECK_IN = Action(
    name="late_check_in",
    title=_("check-in sent late"),
    sentence=Sentence(
        {
            "bye": text(
                _("Round %(round)s: %(subject)s is here, but has a %(bye)s in this round."),
                bye=now("bye", form=Form.BYE),
            ),
            "late here": text(
                _(
                    "Round %(round)s: %(subject)s is still not here. A phone without a connection marked “here” at"
                    " %(at)s, but %(by)s marked “not here” later."
                ),
                at=now("made", form=Form.CLOCK),
                by=now("by", form=Form.PERSON),
            ),
            "late away": text(
                _(
                    "Round %(round)s: %(subject)s is still here. A phone without a connection marked “not here” at"
                    " %(at)s, but %(by)s marked “here” later."
                ),
                at=now("made", form=Form.CLOCK),
                by=now("by", form=Form.PERSON),
            ),
            "now here": text(
                _(
                    "Round %(round)s: %(subject)s is here. A phone without a connection marked “here” at %(at)s, after"
                    " %(by)s had marked “not here”."
                ),
                at=now("at", form=Form.CLOCK),
                by=now("instead_of", form=Form.PERSON),
            ),
            "now away": text(
                _(
                    "Round %(round)s: %(subject)s is not here. A phone without a connection marked “not here” at"
                    " %(at)s, after %(by)s had marked “here”."
                ),
                at=now("at", form=Form.CLOCK),
                by=now("instead_of", form=Form.PERSON),
            ),
        },
        _late,
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)

SETTLE_ABSENCES = Action(
    name="settle_absences",
    title=_("absences decided"),
    sentence=says(
        _("Round %(round)s, absences decided. %(what)s"),
        what=Part(Form.ABSENCES, (("after", "byes"), ("after", "withdrawn"), ("subject",))),
    ),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=False,
)
