"""What the pages and sheets about the end of a section show: statistics, rating changes, title norms."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from evenboard_engine.regulations.norms import Code
from evenboard_engine.regulations.rating_change import FirstState, Play
from tournaments.exports.end_csv import condition_label
from tournaments.models import Section
from tournaments.queries.norms import NEAR, NormRow, norms
from tournaments.queries.rating_changes import FirstRow, rating_changes
from tournaments.queries.statistics import DifferenceClass, statistics
from web.words.completeness import missing_sentence
from web.words.norms import NOT_CHECKED, figure, raised_sentence


@dataclass(frozen=True, slots=True)
class ConditionLine:
    """A condition of a norm. text: its value and its bound."""

    code: Code
    text: str
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
        "first": [(row, _first_sentence(row)) for row in found.first],
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
        "more": len(found.rows) - len(lines),
        "near": NEAR,
        "not_checked": NOT_CHECKED,
    }


def _norm_line(row: NormRow) -> NormLine:
    check = row.check
    conditions = tuple(ConditionLine(one.code, figure(one), one.met) for one in check.conditions)
    return NormLine(row, conditions, len(check.missed), raised_sentence(check))
