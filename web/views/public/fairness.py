"""How fair the pairings of a section were: the measures that need no other pairing."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from tournaments.models import Section
from tournaments.queries.fairness import Fairness
from tournaments.queries.fairness import fairness as measured
from web.charts import ChartRow, fairness_chart
from web.context import section_context
from web.views.public.public_page import Visit, visitor_page
from web.words.fairness import (
    aim_sentences,
    blocks_of,
    limit_sentences,
    measure_rows,
    spread_sentences,
)
from web.words.standings import missing_sentence


@visitor_page()
def fairness(request: HttpRequest, visit: Visit) -> HttpResponse:
    """Show how equal the opposition was, round by round, and how points agree with performance.

    Where all rounds are fixed, there is nothing to measure, and no page.
    """
    if visit.section.fixed_rounds:
        raise Http404
    found = measured(visit.section)
    context: dict[str, Any] = section_context(request, visit.section, "fairness", None)
    context |= {
        "found": found,
        "state": missing_sentence(found.state),
        **fairness_words(visit.section, found),
    }
    return render(request, "public/fairness.html", context)


def fairness_words(section: Section, found: Fairness) -> dict[str, Any]:
    """Return what the page and the sheet show."""
    return {
        "aim": aim_sentences(section),
        "sentences": spread_sentences(found, of_fide=section.of_fide),
        "measures": measure_rows(found),
        "blocks": blocks_of(found.rounds),
        "limits": limit_sentences(),
        "picture": fairness_picture(found),
    }


def fairness_picture(found: Fairness) -> SafeString:
    """Draw the spread of each round before and after its pairing. Returns "" without a round."""
    rows = [
        ChartRow(str(one.number), before.deviation if one.has_both else None, after.deviation)
        for one in found.rounds
        for before, after in [one.whole]
    ]
    title = _(
        "Spread of ARO inside the score groups, a line for each round: a circle before the pairing, a dot after it. "
        "The table has the numbers."
    )
    return fairness_chart(rows, title=title)
