"""Sections: how they begin and end, their settings, and what their screens in the hall show."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models.action_log import Integrity

from .declaration import (
    UNAFFECTED,
    Action,
    Form,
    Row,
    Sentence,
    Undo,
    always,
    now,
    reverted,
    text,
    value_at,
    was,
)

CREATE_SECTION = Action(
    name="create_tournament",
    title=_("section created"),
    sentence=Sentence(
        {
            "": text(_("%(subject)s created")),
            "like": text(
                _("%(subject)s created with the settings of: %(source)s"), source=now("settings_of")
            ),
        },
        lambda row: "like" if value_at(row, ("after", "settings_of")) else "",
    ),
    undo=Undo.BEGINS,
    integrity=frozenset({Integrity.FIDE_MODE}),
    silent=False,
    shows_values=True,
)

IMPORT_REPORT = Action(
    name="import_report",
    title=_("report file imported"),
    sentence=Sentence(
        {
            "section": text(_("Section imported from the report file %(subject)s")),
            "event": text(
                _("Section imported from the report file %(subject)s. Added to the event: %(values)s"),
                values=now("event", form=Form.LINES),
            ),
        },
        lambda row: "event" if value_at(row, ("after", "event")) else "section",
    ),
    undo=Undo.MAY_BEGIN,
    integrity=frozenset({Integrity.IMPORT}),
    silent=False,
)

ORIGINS = ("own", "changed", "other", "unsealed")
LOAD_COPY = Action(
    name="load_copy",
    title=_("copy loaded"),
    sentence=Sentence(
        {
            "": text(_("Section loaded from the copy %(subject)s")),
            "own": text(_("Section loaded from the copy %(subject)s of the same server")),
            "changed": text(
                _("Section loaded from the copy %(subject)s, which was changed after it was made")
            ),
            "other": text(_("Section loaded from the copy %(subject)s of another server")),
            "unsealed": text(_("Section loaded from the copy %(subject)s, which has no seal")),
        },
        lambda row: origin if (origin := value_at(row, ("after", "origin"))) in ORIGINS else "",
    ),
    undo=Undo.BEGINS,
    integrity=frozenset({Integrity.FIDE_MODE}),
    silent=False,
)
SET_RATING_LISTS = reverted(
    "set_rating_lists",
    _("rating lists chosen"),
    always(_("Rating lists chosen")),
    integrity=UNAFFECTED,
    shows_values=True,
)
SET_LIST_USE = reverted(
    "set_list_use",
    _("use of rating lists changed"),
    always(_("Use of rating lists changed")),
    integrity=UNAFFECTED,
    shows_values=True,
)

EDIT_SECTION = reverted(
    "edit_tournament",
    _("settings changed"),
    always(_("Settings changed")),
    integrity=frozenset({Integrity.CONFIGURATION}),
    shows_values=True,
)

SET_TIE_BREAKS = reverted(
    "set_tie_breaks",
    _("tie-breaks changed"),
    always(
        _("Tie-breaks changed from %(before)s to %(after)s"),
        before=was("tie_breaks"),
        after=now("tie_breaks"),
    ),
    integrity=frozenset({Integrity.CONFIGURATION}),
)

SET_TIE_VALUES = reverted(
    "set_tie_values",
    _("values of a tie-break typed"),
    always(_("Values typed for the tie-break %(subject)s")),
    integrity=UNAFFECTED,
)

SET_RATING_METHOD = reverted(
    "set_rating_method",
    _("tournament rating changed"),
    always(_("Tournament rating and order of equal players changed")),
    integrity=UNAFFECTED,
    shows_values=True,
)

SET_RATING_PERIODS = reverted(
    "set_rating_periods",
    _("rating periods changed"),
    always(_("Rating periods changed")),
    integrity=frozenset({Integrity.CONFIGURATION}),
    shows_values=True,
)

SET_PERIOD_RATINGS = reverted(
    "set_period_ratings",
    _("ratings of a period changed"),
    Sentence(
        {
            "": text(
                ngettext_lazy(
                    "Ratings of period %(period)s changed: %(count)s player",
                    "Ratings of period %(period)s changed: %(count)s players",
                    "count",
                ),
                period=now("period"),
                count=now("players", form=Form.COUNT),
            )
        }
    ),
    integrity=UNAFFECTED,
)

SET_PRIZES = reverted(
    "set_prizes",
    _("prizes changed"),
    Sentence(
        {
            "removed": text(_("Prizes removed")),
            "": text(
                ngettext_lazy(
                    "Prizes changed: %(count)s category, %(fund)s in all",
                    "Prizes changed: %(count)s categories, %(fund)s in all",
                    "count",
                ),
                count=now("categories", form=Form.COUNT),
                fund=now("fund"),
            ),
        },
        lambda row: "" if value_at(row, ("after", "categories")) else "removed",
    ),
    integrity=UNAFFECTED,
)

LEAVE_FIDE_MODE = Action(
    name="leave_fide_mode",
    title=_("section left FIDE mode"),
    sentence=always(_("Section left FIDE mode in round %(round)s")),
    undo=Undo.STAYS,  # FIDE mode does not come back once it was left (VCL4THP.13 Q45)
    integrity=frozenset({Integrity.FIDE_MODE}),
    silent=False,
)

SET_ROUND_STARTS = reverted(
    "set_round_starts",
    _("dates of rounds changed"),
    always(_("Dates of the rounds changed")),
    integrity=UNAFFECTED,
    shows_values=True,
)

CLOSE_SECTION = reverted(
    "close_tournament",
    _("section closed"),
    always(_("Section closed after round %(round)s")),
    integrity=UNAFFECTED,
)

REOPEN_SECTION = reverted(
    "reopen_tournament", _("section reopened"), always(_("Section reopened")), integrity=UNAFFECTED
)

TAKE_SECTION_AWAY = reverted(
    "take_section_away", _("section hidden"), always(_("%(subject)s hidden")), integrity=UNAFFECTED
)

BRING_SECTION_BACK = reverted(
    "bring_section_back", _("section shown again"), always(_("%(subject)s shown again")), integrity=UNAFFECTED
)


def _countdown(row: Row) -> str:
    return "on" if value_at(row, ("after", "countdown_to")) else "off"


SET_COUNTDOWN = reverted(
    "set_countdown",
    _("countdown of the hall screens changed"),
    Sentence(
        {
            "on": text(_("Hall screens: countdown to %(time)s"), time=now("countdown_to", form=Form.MOMENT)),
            "off": text(_("Hall screens: countdown off")),
        },
        _countdown,
    ),
    integrity=UNAFFECTED,
)

SET_HALL_MESSAGE = reverted(
    "set_hall_message",
    _("message of the hall screens changed"),
    Sentence(
        {
            "message": text(_("Hall screens: “%(subject)s”")),
            "removed": text(_("Hall screens: message removed")),
        },
        lambda row: "message" if row.subject else "removed",
    ),
    integrity=UNAFFECTED,
)
