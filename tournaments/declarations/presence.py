"""Who is here before a round, and what was decided about those who are not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models.log import Integrity

from .declaration import (
    UNAFFECTED,
    Action,
    ActionKind,
    Form,
    Row,
    Sentence,
    SentencePart,
    SentenceText,
    Undo,
    always,
    now,
    of_row,
    reverted,
    text,
    value_at,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

OPEN_CHECK_IN = reverted("open_check_in", _("check-in opened"), always(_("Round %(round)s: check-in opened")))

CLOSE_CHECK_IN = reverted(
    "close_check_in", _("check-in closed"), always(_("Round %(round)s: check-in closed"))
)

CHECK_IN = Action(
    name="check_in",
    title=_("player checked in"),
    sentence=always(_("Round %(round)s: %(subject)s checked in")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=ActionKind.CHECK_IN,
)

TAKE_BACK_CHECK_IN = Action(
    name="take_back_check_in",
    title=_("check-in removed"),
    sentence=always(_("Round %(round)s: check-in of %(subject)s removed")),
    undo=Undo.REVERTS,
    integrity=UNAFFECTED,
    silent=True,
    kind=ActionKind.CHECK_IN,
)


CHECK_IN_ALL = reverted(
    "check_in_all",
    _("all others checked in"),
    Sentence(
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
        lambda row: "both" if value_at(row, ("after", "here")) == 2 else "all",
    ),
)


def _late(row: Row) -> str:
    if value_at(row, ("after", "bye")):
        return "bye"
    late = value_at(row, ("after", "late"))
    if isinstance(late, bool):
        return "late here" if late else "late away"
    return "now here" if value_at(row, ("after", "here")) is True else "now away"


def _stays(words: StrOrPromise) -> SentenceText:
    """Return words about a late mark that changed nothing: when it was made, and who marked something else later."""
    return text(words, at=now("made", form=Form.CLOCK), by=now("by", form=Form.PERSON))


def _turned(words: StrOrPromise) -> SentenceText:
    """Return words about a late mark that counts: when it was made, and whose earlier mark it replaces."""
    return text(words, at=now("at", form=Form.CLOCK), by=now("instead_of", form=Form.PERSON))


LATE_CHECK_IN = reverted(
    "late_check_in",
    _("check-in sent late"),
    Sentence(
        {
            "bye": text(
                _("Round %(round)s: %(subject)s is here, but has a bye in this round: %(bye)s."),
                bye=now("bye", form=Form.BYE),
            ),
            "late here": _stays(
                _(
                    "Round %(round)s: %(subject)s is still not here. A phone without a connection marked “here” at"
                    " %(at)s, but %(by)s marked “not here” later."
                )
            ),
            "late away": _stays(
                _(
                    "Round %(round)s: %(subject)s is still here. A phone without a connection marked “not here” at"
                    " %(at)s, but %(by)s marked “here” later."
                )
            ),
            "now here": _turned(
                _(
                    "Round %(round)s: %(subject)s is here. A phone without a connection marked “here” at %(at)s, after"
                    " %(by)s had marked “not here”."
                )
            ),
            "now away": _turned(
                _(
                    "Round %(round)s: %(subject)s is not here. A phone without a connection marked “not here” at"
                    " %(at)s, after %(by)s had marked “here”."
                )
            ),
        },
        _late,
    ),
)

FORFEIT_AND_WITHDRAW = reverted(
    "forfeit_and_withdraw",
    _("board forfeited and player withdrawn"),
    Sentence(
        {
            "withdrawn": text(
                _("Round %(round)s, board %(game)s: %(after)s. %(what)s"),
                game=of_row("subject", form=Form.GAME),
                after=now("result", form=Form.RESULT),
                what=SentencePart(
                    Form.ABSENCES, (("after", "byes"), ("after", "withdrawn"), ("after", "names"))
                ),
            ),
            "expelled": text(
                _("Round %(round)s, board %(game)s: %(after)s. Expelled: %(name)s"),
                game=of_row("subject", form=Form.GAME),
                after=now("result", form=Form.RESULT),
                name=now("names"),
            ),
        },
        lambda row: "expelled" if value_at(row, ("after", "expelled")) else "withdrawn",
    ),
    integrity=frozenset({Integrity.ADJOURNMENT}),
    kind=ActionKind.WITHDRAWAL,
)

SETTLE_ABSENCES = reverted(
    "settle_absences",
    _("absences decided"),
    always(
        _("Round %(round)s, absences decided. %(what)s"),
        what=SentencePart(Form.ABSENCES, (("after", "byes"), ("after", "withdrawn"), ("subject",))),
    ),
)
