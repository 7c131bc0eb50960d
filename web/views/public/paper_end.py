"""Sheets about the end of a section: statistics, rating changes, title norms, the final report."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _

from tournaments.exports.comments import comments
from tournaments.models import Section
from tournaments.queries.field import load_field
from tournaments.queries.prizes import prize_list
from tournaments.queries.standings import standings_table
from web.end_tables import changes_context, norms_context, statistics_context
from web.views.public.statistics import refuse_before_the_end
from web.views.public.visits import Visit
from web.words.completeness import completeness_sentence
from web.words.prizes import prize_blocks
from web.words.ties import order_words


def statistics_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    refuse_before_the_end(visit)
    return statistics_context(visit.section)


def changes_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return changes_context(visit.section)


def norms_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    return norms_context(visit.section)


def final_report_sheet(_request: HttpRequest, visit: Visit, _number: int | None) -> dict[str, Any]:
    """One document with everything that is kept of a section on paper."""
    section = visit.section
    field = load_field(section)
    table = standings_table(section)
    listed = prize_list(section) if section.prizes else None
    return {
        **statistics_context(section),
        "kind": _("Final report") if section.is_closed else _("Provisional report"),
        "table": table,
        "state": completeness_sentence(table.state),
        "order": order_words(section),
        "dates": [(row.number, section.start_of(row.number)) for row in field.rounds],
        "others": _others(section),
        "deputies": [line for line in section.event.deputy_arbiters.splitlines() if line.strip()],
        "departures": comments(field),
        "blocks": prize_blocks(listed) if listed else (),
    }


def _others(section: Section) -> list[Section]:
    """Return the other sections of the event, without hidden ones."""
    return list(section.event.sections.filter(taken_away=False).exclude(pk=section.pk))
