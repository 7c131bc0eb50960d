"""Sections: how they begin and end, their settings, and what their screens in the hall show.

`LOCKS` says from when on a setting stands, and whether the arbiter may then deviate from it: one table for the
actions that refuse, the forms that lock their fields, the pages that explain, and the documents.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

from tournaments.models import Round, Section
from tournaments.models.log import Integrity

from .declaration import (
    Action,
    Form,
    Sentence,
    Undo,
    always,
    never_undone,
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
)
SET_RATING_LISTS = reverted(
    "set_rating_lists", _("rating lists chosen"), always(_("Rating lists chosen")), shows_values=True
)
SET_LIST_USE = reverted(
    "set_list_use",
    _("use of rating lists changed"),
    always(_("Use of rating lists changed")),
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
)

SET_RATING_METHOD = reverted(
    "set_rating_method",
    _("tournament rating changed"),
    always(_("Tournament rating and order of equal players changed")),
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
)

LEAVE_FIDE_MODE = Action(
    name="leave_fide_mode",
    title=_("section left FIDE mode"),
    sentence=always(_("Section left FIDE mode in round %(round)s")),
    undo=Undo.STAYS,  # FIDE mode does not come back once it was left (VCL4THP.13 Q45)
    integrity=frozenset({Integrity.FIDE_MODE}),
)

SET_ROUND_STARTS = reverted(
    "set_round_starts",
    _("dates of rounds changed"),
    always(_("Dates of the rounds changed")),
    shows_values=True,
)

CLOSE_SECTION = reverted(
    "close_tournament", _("section closed"), always(_("Section closed after round %(round)s"))
)

REOPEN_SECTION = reverted("reopen_tournament", _("section reopened"), always(_("Section reopened")))

SETTINGS = frozenset(
    action.name
    for action in (
        *(EDIT_SECTION, SET_LIST_USE, SET_PRIZES, SET_RATING_LISTS, SET_RATING_METHOD, SET_RATING_PERIODS),
        *(LEAVE_FIDE_MODE, SET_ROUND_STARTS, SET_TIE_BREAKS, CLOSE_SECTION, REOPEN_SECTION),
    )
)
"""Actions that change what the page of the settings shows."""
NOTED_STEPS = ("ties", "prizes", "norms", "report", "paper", "archive")
"""Steps after the last round of which only the log knows that they were taken."""
TAKE_LAST_STEP = never_undone(
    "take_last_step",
    _("step after the last round"),
    Sentence(
        {
            "": text(_("Step after the last round taken")),
            "ties": text(_("Shared places stay shared")),
            "prizes": text(_("Prizes looked through")),
            "norms": text(_("Certificates of title norms (IT1) opened for printing")),
            "report": text(_("Report for rating opened")),
            "paper": text(_("Final report opened for printing")),
            "archive": text(_("Archive downloaded")),
        },
        lambda row: step if (step := value_at(row, ("after", "step"))) in NOTED_STEPS else "",
    ),
)

TAKE_SECTION_AWAY = reverted("take_section_away", _("section hidden"), always(_("%(subject)s hidden")))

BRING_SECTION_BACK = reverted(
    "bring_section_back", _("section shown again"), always(_("%(subject)s shown again"))
)


SET_COUNTDOWN = reverted(
    "set_countdown",
    _("countdown of the hall screens changed"),
    Sentence(
        {
            "on": text(_("Hall screens: countdown to %(time)s"), time=now("countdown_to", form=Form.MOMENT)),
            "off": text(_("Hall screens: countdown off")),
        },
        lambda row: "on" if value_at(row, ("after", "countdown_to")) else "off",
    ),
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
)


# From when on a setting of a section stands, and whether the arbiter may then depart from it.
#
# One table for the actions that refuse, the forms that lock their fields, the pages that explain, and the
# documents.


class StandsSince(StrEnum):
    """The event from which on a setting stands. A draft is paired and not published."""

    PAIRED = "paired"
    PUBLISHED = "published"


class MayDeviate(StrEnum):
    """Whether a setting that stands can still change, with a reason that the report names.

    OUTSIDE: only in a section that has left FIDE mode or never had one.
    """

    NEVER = "never"
    OUTSIDE = "outside FIDE mode"
    REASON = "with a reason"


@dataclass(frozen=True, slots=True)
class Lock:
    """settings: fields of the section; "options" are those of the pairing system. article: of FIDE, "" for none.
    question: of VCL4THP.13, "" for none. checked: a change can make rounds wrong that are paired, so they are checked
    again (Q60, Q76, Q86).
    """

    settings: tuple[str, ...]
    since: StandsSince
    departure: MayDeviate
    article: str = ""
    question: str = ""
    checked: bool = False


LOCKS = (
    Lock(("system", "options"), StandsSince.PAIRED, MayDeviate.NEVER, "C.04.2, 1.3", "Q93"),
    Lock(("initial_colour",), StandsSince.PAIRED, MayDeviate.NEVER, "C.04.4.1, 5.1"),
    Lock(("chess960",), StandsSince.PAIRED, MayDeviate.NEVER, "", "Q222"),
    Lock(("rounds",), StandsSince.PAIRED, MayDeviate.OUTSIDE, "C.04.1, 1", "Q57 to Q61", checked=True),
    Lock(
        ("win_points", "draw_points", "loss_points"),
        StandsSince.PAIRED,
        MayDeviate.OUTSIDE,
        "",
        "Q75 to Q78",
        checked=True,
    ),
    Lock(("bye_points",), StandsSince.PAIRED, MayDeviate.OUTSIDE, "C.04.1, 3", "Q85 to Q88", checked=True),
    Lock(("acceleration",), StandsSince.PAIRED, MayDeviate.OUTSIDE, "C.04.7", "Q109, Q110", checked=True),
    Lock(
        ("rating_method", "rating_federation", "equals_by"),
        StandsSince.PAIRED,
        MayDeviate.NEVER,
        "C.04.2, 2.2",
    ),
    Lock(
        ("tie_breaks", "unrated_left_out"),
        StandsSince.PUBLISHED,
        MayDeviate.REASON,
        "C.07, 4.2",
        "Q200 to Q202",
    ),
    Lock(("half_bye_limit", "last_bye_round"), StandsSince.PUBLISHED, MayDeviate.REASON, "C.04.2, 3.3"),
    Lock(("time_control",), StandsSince.PUBLISHED, MayDeviate.REASON),
)
"""A setting without a line can change until the section is closed."""

_LOCK_OF = {name: lock for lock in LOCKS for name in lock.settings}


def stands_of(section: Section) -> frozenset[StandsSince]:
    """Return what has happened in a section. One query."""
    states = set(section.played_rounds.values_list("state", flat=True))
    found = {StandsSince.PAIRED} if states else set()
    return frozenset(found | ({StandsSince.PUBLISHED} if states - {Round.State.DRAFT} else set()))


def locked(section: Section, names: Iterable[str], stands: frozenset[StandsSince]) -> list[str]:
    """Return the settings among `names` that cannot change any more, in alphabetical order."""
    return sorted(
        name
        for name in names
        if (lock := lock_of(name, section)) is not None
        and lock.since in stands
        and not _may_depart(lock, section)
    )


def deviating(section: Section, names: Iterable[str], stands: frozenset[StandsSince]) -> list[str]:
    """Return the settings among `names` that can change only with a reason, in alphabetical order."""
    return sorted(
        name
        for name in names
        if (lock := lock_of(name, section)) is not None
        and lock.since in stands
        and _may_depart(lock, section)
    )


def lock_of(name: str, section: Section) -> Lock | None:
    """Return the lock of a setting; an option of the pairing system has that of all options. None: it never stands."""
    return _LOCK_OF.get("options" if name in section.all_options else name)


def _may_depart(lock: Lock, section: Section) -> bool:
    if lock.departure is MayDeviate.OUTSIDE:
        by_the_table = (
            section.fixed_rounds and "rounds" in lock.settings
        )  # it follows from the number of players
        return not section.in_fide_mode and not by_the_table
    return lock.departure is MayDeviate.REASON
