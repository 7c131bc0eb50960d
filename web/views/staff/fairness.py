"""What other pairing systems would have paired: beside one round, and as the fairness of a section. For arbiters."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from string import ascii_uppercase
from typing import Any

from django.http import Http404, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext, ngettext, pgettext
from django.utils.translation import gettext as _

from base.cache import Cache
from base.reader import READER
from base.text import isolated
from evenboard_engine import Colour
from evenboard_engine.comparing import (
    Alternative,
    ComparedSeat,
    SeatChange,
    Spread,
    SystemComparison,
    compare,
    variants_of,
)
from evenboard_engine.words.comparing import OWN_OFFER, SPREAD, options_text, other_text, variant_name
from tournaments.actions.fairness import pair_otherwise
from tournaments.files.fairness import OtherFairness, fairness_csv, fairness_values
from tournaments.files.report_writing import entries_as_paired
from tournaments.models import Round, Section
from tournaments.queries.fairness import Fairness, OtherPairing, fairness_of, pooled
from tournaments.queries.field import PlayerCell, SectionField, load_field
from tournaments.queries.why import RoundAsPaired, round_as_paired
from tournaments.snapshot import present, with_all_facts
from web.charts import ChartRow, fairness_chart
from web.context import section_context, section_url
from web.files import TABLES, file_name, table_response
from web.forms.fairness import ComparedForm
from web.requests import PersonRequest
from web.words.fairness import (
    SpreadBlock,
    SpreadRow,
    blocks_of,
    limit_sentences,
    measure_rows,
    smallest_sentence,
    spread_sentences,
)
from web.words.standings import completeness_sentence, missing_sentence
from web.words.systems import rules_on_paper
from web.words.values import colour_word

from .access import section_page

# The page on which a round is beside what other pairing systems would have paired. For arbiters.
#
# A comparison takes seconds for a large section. So `server/dispatch.py` gives these pages one thread, and
# the tables are kept: a page that is loaded again is quick.

MOST_PLAYERS = 1_000
"""Of a larger round, the server compares nothing: it would be busy for too long."""

kept_tables: Cache[Hashable, SafeString] = Cache(8)


@section_page("GET", "HEAD")
def compare_systems(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show a round beside what other systems would pair. ?show=different leaves out players without a difference.

    The options of other systems are those of ?<system>_<option>=, else the defaults.
    """
    if section.fixed_rounds:
        raise Http404
    form = ComparedForm(request.GET, section=section)
    only = request.GET.get("show") == "different"
    tables = kept_tables.make(
        _key(section, number, form, only=only), lambda: _made(section, number, form, only=only)
    )
    context = {
        **section_context(request, section, "pairings", number),
        "number": number,
        "form": form,
        "only": only,
        "tables": tables,
        "chosen_options": form.query,
    }
    return render(request, "staff/fairness_compare.html", context)


def _key(section: Section, number: int, form: ComparedForm, *, only: bool) -> tuple[object, ...]:
    """Return all that the tables depend on. The addresses of event and section are in their links."""
    event = section.event
    place = (event.slug, event.start, section.slug, section.pk, section.revision, number)
    return (*place, form.query, only, get_language(), MOST_PLAYERS)


def _made(section: Section, number: int, form: ComparedForm, *, only: bool) -> SafeString:
    """Compare the round, and return the tables as they stand in the page."""
    base = _read(section, number)
    before = with_all_facts(base.before, base.field.participants)
    players = present(before) if base.played else 0  # who waits for a pair by hand is present
    context: dict[str, object] = {
        "event": section.event,
        "section": section,
        "number": number,
        "players": players,
        "most": MOST_PLAYERS if players > MOST_PLAYERS else 0,
        "only": only,
        "chosen_options": form.query,
    }
    if base.waiting:
        context["waiting"] = len(base.waiting)
    elif 0 < players <= MOST_PLAYERS:
        variants = variants_of(before, section.event.start.isoformat(), form.asked)
        context |= _compare_compared(base, compare(before, base.published, variants), only=only)
    return render_to_string("staff/fairness_compare_tables.html", context)


def _read(section: Section, number: int) -> RoundAsPaired:
    try:
        return round_as_paired(section, number, entries_as_paired(section, number))
    except Round.DoesNotExist as error:
        raise Http404 from error


@dataclass(frozen=True, slots=True)
class System:
    """A system. letter: "" for the round itself. sentence: how far it agrees with the round, or why it fails.

    options: those that it has besides its edition, with their values. shown: it has a column, because it has another
    round. offered: the round is what it offers where its procedure cannot finish.
    """

    letter: str
    name: str
    sentence: str
    options: str
    shown: bool
    offered: bool


@dataclass(frozen=True, slots=True)
class ComparedCell:
    """Where a player is in a column. opponent: number and surname; "" for the bye. change: "" where nothing differs."""

    letter: str
    opponent: str
    colour: Colour | None
    change: SeatChange

    @property
    def colour_name(self) -> str:
        return colour_word(self.colour) if self.colour else ""


def _compare_compared(base: RoundAsPaired, found: SystemComparison, *, only: bool) -> dict[str, object]:
    systems = _systems(base.field, found)
    columns = [found.round, *(other for other in found.others if other.differs)]
    letters = [system.letter for system in systems if system.shown]
    groups = [
        (READER.points(score), list(_rows(base.field, found, columns, letters, players, only=only)))
        for score, players in found.groups
    ]
    spreads = [
        (
            gettext("All score groups") if same[0].score is None else READER.points(same[0].score),
            list(zip(letters, same, strict=True)),
        )
        for same in zip(*(column.spreads for column in columns), strict=True)
    ]
    return {
        "systems": systems,
        "columns": [system for system in systems if system.shown],
        "spread_line": gettext(SPREAD),
        "spreads": spreads,
        "groups": [(points, rows) for points, rows in groups if rows] if len(columns) > 1 else [],
    }


def _systems(field: SectionField, found: SystemComparison) -> list[System]:
    def name(key: int) -> str:
        return _short(field.side(key))

    own = found.round
    sentence = gettext(OWN_OFFER) if own.offered else gettext("The system of this round.")
    first = System(
        letter="",
        name=variant_name(own.variant, READER),
        sentence=sentence,
        options="",
        shown=True,
        offered=own.offered,
    )
    others = [
        System(
            letter=letter,
            name=variant_name(other.variant, READER),
            sentence=other_text(other, name, READER),
            options=_options(other) if other.variant.system != own.variant.system else "",
            shown=other.differs,
            offered=other.offered,
        )
        for letter, other in zip(ascii_uppercase, found.others, strict=False)
    ]
    return [first, *others]


def _options(other: Alternative) -> str:
    """Name the options of another system, if it has a round."""
    return options_text(other.variant, READER) if other.seats else ""


def _rows(
    field: SectionField,
    found: SystemComparison,
    columns: Sequence[Alternative],
    letters: Sequence[str],
    players: Sequence[int],
    *,
    only: bool,
) -> Iterator[tuple[PlayerCell, list[ComparedCell]]]:
    names = {key: _short(field.side(key)) for key in found.round.seats}
    for player in players:
        changes = [found.change(column, player) for column in columns]
        if only and not any(changes):
            continue
        cells = [
            _cell(letter, column.seats[player], change, names)
            for letter, column, change in zip(letters, columns, changes, strict=True)
        ]
        yield field.side(player), cells


def _cell(letter: str, seat: ComparedSeat, change: SeatChange, names: dict[int, str]) -> ComparedCell:
    opponent = "" if seat.opponent is None else names[seat.opponent]
    return ComparedCell(letter, opponent, seat.colour, change)


def _short(side: PlayerCell) -> str:
    return f"{side.tpn}\u00a0{isolated(side.name.partition(',')[0])}"


# The page on which the fairness of the pairings is beside what other pairings would have given. For arbiters.
#
# Every other pairing pairs every round again, which takes a minute for a large section. So
# `server/dispatch.py` gives these pages one thread, a request works for some seconds only, and each round is
# stored: a page that is not ready loads itself again, and a result that is typed later costs nothing.

SECONDS = 3.0
"""A request begins no other pairing after so many seconds, apart from its first."""
AGAIN = 2
"""Seconds until a page that is not ready loads itself again."""

Rounds = Mapping[int, OtherPairing]


@dataclass(frozen=True, slots=True)
class ComparedSystem:
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
class ComparedFairness:
    """What is worked out. done, total: of the rounds of all other pairings."""

    field: SectionField
    columns: tuple[ComparedSystem, ...]
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
    def others(self) -> OtherFairness:
        return [
            (column.name, {number: one.spreads for number, one in column.rounds.items()})
            for column in self.columns
        ]


@section_page("GET", "HEAD")
def compare_fairness(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the spread of each round beside those of other pairings."""
    field = _field(section)
    context = section_context(request, section, "fairness", None)
    if len(field.participants) > MOST_PLAYERS:
        context |= {"most": MOST_PLAYERS}
        return render(request, "staff/fairness.html", context)
    compared = _fairness_compared(field)
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
    compared = _fairness_compared(field)
    if not compared.is_ready:
        return redirect(section_url("fairness-compare", section))
    if kind == "json":
        values = fairness_values(compared.found, compared.others)
        return JsonResponse({"revision": section.revision, **values})
    name = file_name(section, "-fairness-compared")
    return table_response(
        lambda write: fairness_csv(compared.found, compared.others, write=write), name, kind
    )


@section_page("GET", "HEAD")
def fairness_sheet(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the comparison on paper. While it is not ready, this leads to the page that waits for it."""
    field = _field(section)
    if len(field.participants) > MOST_PLAYERS:
        raise Http404
    compared = _fairness_compared(field)
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


def _fairness_compared(field: SectionField) -> ComparedFairness:
    """Work out as many rounds as fit into the time, at least one."""
    found = pair_otherwise(field, seconds=SECONDS)
    columns = tuple(
        ComparedSystem(letter, variant_name(variant, READER), found.rounds_of(variant))
        for letter, variant in zip(ascii_uppercase, found.variants, strict=False)
    )
    return ComparedFairness(field, columns, len(found.found), found.total)


def _words(compared: ComparedFairness) -> dict[str, Any]:
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


def _all_rounds(compared: ComparedFairness) -> list[SpreadBlock]:
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


def _spreads(column: ComparedSystem, number: int) -> tuple[Spread, ...]:
    one = column.rounds.get(number)
    return one.spreads if one is not None else ()
