"""The page on which a round is beside what other pairing systems would have paired. For arbiters.

A comparison takes seconds for a large section. So `server/dispatch.py` gives these pages one thread, and the tables
are kept: a page that is loaded again is quick.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from base.cache import Cache
from base.reader import READER
from base.text import isolated
from evenboard_engine import Colour
from evenboard_engine.comparing import (
    Alternative,
    ComparedSeat,
    SeatChange,
    SystemComparison,
    compare,
    variants_of,
)
from evenboard_engine.words.comparing import OWN_OFFER, SPREAD, options_text, other_text, variant_name
from tournaments.exports.entries_as_paired import entries_as_paired
from tournaments.models import Round, Section
from tournaments.queries.field import SectionField, Side
from tournaments.queries.round_as_paired import RoundAsPaired, round_as_paired
from tournaments.snapshot import present, with_all_facts
from web.context import section_context
from web.forms.compared import ComparedForm
from web.requests import PersonRequest
from web.words.values import colour_word

from .access import section_page

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
    return render(request, "staff/compare.html", context)


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
        context |= _compared(base, compare(before, base.published, variants), only=only)
    return render_to_string("staff/compare_tables.html", context)


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
class Cell:
    """Where a player is in a column. opponent: number and surname; "" for the bye. change: "" where nothing differs."""

    letter: str
    opponent: str
    colour: Colour | None
    change: SeatChange

    @property
    def colour_name(self) -> str:
        return colour_word(self.colour) if self.colour else ""


def _compared(base: RoundAsPaired, found: SystemComparison, *, only: bool) -> dict[str, object]:
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
) -> Iterator[tuple[Side, list[Cell]]]:
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


def _cell(letter: str, seat: ComparedSeat, change: SeatChange, names: dict[int, str]) -> Cell:
    opponent = "" if seat.opponent is None else names[seat.opponent]
    return Cell(letter, opponent, seat.colour, change)


def _short(side: Side) -> str:
    return f"{side.tpn}\u00a0{isolated(side.name.partition(',')[0])}"
