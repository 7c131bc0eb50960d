"""The page on which the fairness of the pairings is beside what other pairings would have given. For arbiters.

Every other pairing pairs every round again, which takes a minute for a large section. So `server/dispatch.py` gives
these pages one thread, a request works for some seconds only, and each round is stored: a page that is not ready loads
itself again, and a result that is typed later costs nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from base.reader import READER
from evenboard_engine.comparing import Spread
from evenboard_engine.words.comparing import variant_name
from tournaments.actions.other_pairings import pair_otherwise
from tournaments.exports.fairness import Others, fairness_csv, fairness_values
from tournaments.models import Section
from tournaments.queries.fairness import Fairness, fairness_of, pooled
from tournaments.queries.field import SectionField, load_field
from tournaments.queries.other_pairings import OtherPairing
from web.context import section_context, section_url
from web.downloads import TABLES, file_name, table_download
from web.fairness_chart import ChartRow, fairness_chart
from web.requests import PersonRequest
from web.words.completeness import completeness_sentence, missing_sentence
from web.words.fairness import (
    SpreadBlock,
    SpreadRow,
    blocks_of,
    limit_sentences,
    measure_rows,
    smallest_sentence,
    spread_sentences,
)
from web.words.systems import rules_on_paper

from .access import section_page
from .compare import MOST_PLAYERS

SECONDS = 3.0
"""A request begins no other pairing after so many seconds, apart from its first."""
AGAIN = 2
"""Seconds until a page that is not ready loads itself again."""

Rounds = Mapping[int, OtherPairing]


@dataclass(frozen=True, slots=True)
class Column:
    """Another pairing. rounds: by number, as far as they are worked out."""

    letter: str
    name: str
    rounds: Rounds

    @property
    def sentence(self) -> str:
        """Say in how many rounds it has no round, or offers one; "" for none."""
        failures = sum(not one.spreads for one in self.rounds.values())
        offers = sum(one.offered for one in self.rounds.values())
        found = []
        if failures:
            text = ngettext(
                "In %(number)s round it has no pairing.", "In %(number)s rounds it has no pairing.", failures
            )
            found.append(text % {"number": failures})
        if offers:
            text = ngettext(
                "In %(number)s round its procedure cannot finish, and the round that it offers counts.",
                "In %(number)s rounds its procedure cannot finish, and the rounds that it offers count.",
                offers,
            )
            found.append(text % {"number": offers})
        return " ".join(found)


@dataclass(frozen=True)
class Compared:
    """What is worked out. done, total: of the rounds of all other pairings."""

    field: SectionField
    columns: tuple[Column, ...]
    done: int
    total: int

    @property
    def is_ready(self) -> bool:
        return self.done == self.total

    @cached_property
    def found(self) -> Fairness:
        return fairness_of(self.field)

    @property
    def spreads(self) -> dict[int, tuple[tuple[Spread, ...], ...]]:
        """Return by round the spreads of each column."""
        return {
            one.number: tuple(_spreads(column, one.number) for column in self.columns)
            for one in self.found.rounds
        }

    @property
    def others(self) -> Others:
        return [
            (column.name, {number: one.spreads for number, one in column.rounds.items()})
            for column in self.columns
        ]


@section_page("GET", "HEAD")
def compare_fairness(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the spread of each round beside those of other pairings."""
    field = _field(section)
    context = section_context(request, section, "standings", None)
    if len(field.participants) > MOST_PLAYERS:
        context |= {"most": MOST_PLAYERS}
        return render(request, "staff/fairness.html", context)
    compared = _compared(field)
    context |= {"compared": compared, "columns": compared.columns, "again": AGAIN}
    if compared.is_ready:
        context |= _words(compared)
    return render(request, "staff/fairness.html", context)


@section_page("GET", "HEAD")
def fairness_file(request: PersonRequest, section: Section, kind: str) -> HttpResponse:
    """Send the comparison as CSV, XLSX or JSON. While it is not ready, this leads to the page that waits for it."""
    field = _field(section)
    if kind not in (*TABLES, "json") or len(field.participants) > MOST_PLAYERS:
        raise Http404
    compared = _compared(field)
    if not compared.is_ready:
        return redirect(section_url("fairness-compare", section))
    if kind == "json":
        values = fairness_values(compared.found, compared.others)
        return JsonResponse({"revision": section.revision, **values})
    name = file_name(section, "-fairness-compared")
    return table_download(
        lambda write: fairness_csv(compared.found, compared.others, write=write), name, kind
    )


@section_page("GET", "HEAD")
def fairness_sheet(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the comparison on paper. While it is not ready, this leads to the page that waits for it."""
    field = _field(section)
    if len(field.participants) > MOST_PLAYERS:
        raise Http404
    compared = _compared(field)
    if not compared.is_ready:
        return redirect(section_url("fairness-compare", section))
    context = {
        "section": section,
        "event": section.event,
        "columns": compared.columns,
        "rules": rules_on_paper(section),
        "printed": timezone.now(),
        **_words(compared),
        "state": completeness_sentence(compared.found.state),
    }
    return render(request, "print/fairness.html", context)


def _field(section: Section) -> SectionField:
    if section.fixed_rounds:
        raise Http404
    return load_field(section)


def _compared(field: SectionField) -> Compared:
    """Work out as many rounds as fit into the time, at least one."""
    found = pair_otherwise(field, seconds=SECONDS)
    columns = tuple(
        Column(letter, variant_name(variant, READER), found.rounds_of(variant))
        for letter, variant in zip(ascii_uppercase, found.variants, strict=False)
    )
    return Compared(field, columns, len(found.found), found.total)


def _words(compared: Compared) -> dict[str, Any]:
    found, spreads = compared.found, compared.spreads
    rows = [
        ChartRow(
            str(one.number),
            before.deviation if one.has_both else None,
            after.deviation,
            tuple(
                (column.letter, mine[-1].deviation)
                for column, mine in zip(compared.columns, spreads[one.number], strict=True)
                if mine
            ),
        )
        for one in found.rounds
        for before, after in [one.whole]
    ]
    title = _(
        "Spread of ARO inside the score groups, a line for each round: a circle before the pairing, a dot after it, a "
        "letter after another pairing. The table has the numbers."
    )
    return {
        "found": found,
        "state": missing_sentence(found.state),
        "sentences": [
            *spread_sentences(found, of_fide=compared.field.section.of_fide),
            smallest_sentence(found, dict(compared.others)),
        ],
        "measures": measure_rows(found),
        "blocks": [*_all_rounds(compared), *blocks_of(found.rounds, spreads)],
        "limits": limit_sentences(compared=True),
        "picture": fairness_chart(rows, title=title),
    }


def _all_rounds(compared: Compared) -> list[SpreadBlock]:
    """Return the spreads of all rounds together, without round 1: nobody has an ARO before it.

    A pairing that lacks one of these rounds has no value, because its rounds would be others.
    """
    rounds = compared.found.compared
    if len(rounds) < 2:
        return []
    each = [
        [one.before[-1] for one in rounds],
        [one.after[-1] for one in rounds],
        *(
            [mine[-1] for one in rounds if (mine := _spreads(column, one.number))]
            for column in compared.columns
        ),
    ]
    cells = tuple(pooled(column) if len(column) == len(rounds) else None for column in each)
    after = cells[1]
    label = _("Rounds %(first)s to %(last)s") % {"first": rounds[0].number, "last": rounds[-1].number}
    return [
        SpreadBlock(
            label, (SpreadRow(pgettext("players", "All"), after.players if after else 0, cells, whole=True),)
        )
    ]


def _spreads(column: Column, number: int) -> tuple[Spread, ...]:
    one = column.rounds.get(number)
    return one.spreads if one is not None else ()
