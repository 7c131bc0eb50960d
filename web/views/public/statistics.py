"""The end of a section: statistics, rating changes and title norms, for pages and sheets.

Arbiters see the statistics always, everybody when the section is closed. What the program does not check of a norm
(B.01) is said beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenboard_engine.regulations.norms import Code
from evenboard_engine.regulations.rating_change import FirstState, Play
from tournaments.files.statistics import condition_label
from tournaments.models import Section
from tournaments.queries.statistics import (
    DifferenceClass,
    FirstRow,
    NormRow,
    norms,
    rating_changes,
    statistics,
)
from web.context import section_context
from web.views.public.public_page import Visit, visitor_page
from web.words.standings import missing_sentence
from web.words.statistics import NOT_CHECKED, figure, raised_sentence, short_figure

# What the pages and sheets about the end of a section show: statistics, rating changes, title norms.


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A condition of a norm. text: its value and its bound. short: the same for paper."""

    code: Code
    text: str
    short: str
    met: bool


@dataclass(frozen=True, slots=True)
class NormLine:
    """A norm of a player. missed: how many conditions are not met."""

    row: NormRow
    conditions: tuple[ConditionLine, ...]
    missed: int
    note: str

    @property
    def named(self) -> list[tuple[str, ConditionLine]]:
        """Return each condition behind its name."""
        return [(condition_label(condition.code), condition) for condition in self.conditions]


def statistics_context(section: Section) -> dict[str, Any]:
    found = statistics(section)
    return {
        "found": found,
        "classes": [(_class_label(each), each) for each in found.classes if each.games],
        "state": missing_sentence(found.state),
    }


def _class_label(each: DifferenceClass) -> str:
    if each.most is None:
        return _("%(least)s or more") % {"least": each.least}
    return _("%(least)s to %(most)s") % {"least": each.least, "most": each.most}


def changes_context(section: Section) -> dict[str, Any]:
    found = rating_changes(section)
    return {
        "found": found,
        "first": [(row, _first_sentence(row)) for row in found.first if row.first.games],
        "without_games": sum(not row.first.games for row in found.first),
        "source": found.source,
        "play": _play(found.play),
        "many_periods": bool(section.rating_periods),
    }


def _play(play: Play) -> str:
    names = {
        Play.STANDARD: _("Changes of the standard rating"),
        Play.RAPID: _("Changes of the rapid rating"),
        Play.BLITZ: _("Changes of the blitz rating"),
    }
    return names[play]


def _first_sentence(row: FirstRow) -> str:
    """Say what the games give to a player without an official rating (B.02, 7.1.4 and 8.2)."""
    first = row.first
    match first.state:
        case FirstState.RATED:
            return _("First rating: %(rating)s.") % {"rating": first.rating}
        case FirstState.LOW:
            return _("%(rating)s is below the lowest rating, 1400.") % {"rating": first.rating}
        case FirstState.ZERO:
            return _("No point against rated opponents, so the games do not count.")
    sentence = ngettext(
        "%(games)s game against rated opponents; a rating needs 5, also of other tournaments.",
        "%(games)s games against rated opponents; a rating needs 5, also of other tournaments.",
        first.games,
    )
    return sentence % {"games": first.games}


def norms_context(section: Section) -> dict[str, Any]:
    found = norms(section)
    lines = [_norm_line(row) for row in found.near]
    return {
        "found": found,
        "lines": lines,
        "not_checked": NOT_CHECKED,
    }


def _norm_line(row: NormRow) -> NormLine:
    check = row.check
    conditions = tuple(
        ConditionLine(one.code, figure(one), short_figure(one), one.met) for one in check.conditions
    )
    return NormLine(row, conditions, len(check.missed), raised_sentence(check))


# The statistics of a section: for arbiters always, for everybody when the section is closed.


@visitor_page()
def statistics_page(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show players, results by round and by the difference of ratings, and the largest upsets."""
    refuse_before_the_end(visit)
    context: dict[str, Any] = section_context(request, visit.section, "statistics", None)
    return render(request, "public/statistics.html", context | statistics_context(visit.section))


def refuse_before_the_end(visit: Visit) -> None:
    """Raise Http404 for a visitor of a section that is still open."""
    if not (visit.staff or visit.section.is_closed):
        raise Http404
