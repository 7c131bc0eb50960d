"""The page on which a round is beside what other pairing systems would have paired. For arbiters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from string import ascii_uppercase

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext

from pairing.engine import Colour
from pairing.engine.comparing import Alternative, Change, Comparison, Seat, Variant, compare, variants_of
from pairing.rounds.snapshot import present
from pairing.words.comparing import SPREAD, agreement_text, failure_text, variant_name
from tournaments.exports.entries_as_paired import entries_as_paired
from tournaments.models import Round, Section
from tournaments.queries.field import SectionField, Side
from tournaments.queries.round_as_paired import RoundAsPaired, round_as_paired
from tournaments.reader import READER
from tournaments.web.context import section_context
from tournaments.web.requests import PersonRequest
from tournaments.web.words.values import colour_word
from tournaments.web.worked_out import WorkedOut

from .access import section_page

MOST_PLAYERS = 1_000
"""Of a larger round, the server compares nothing: it would be busy for too long."""

_comparisons: WorkedOut[Comparison] = WorkedOut(most=8)


@section_page("GET", "HEAD")
def compare_systems(request: PersonRequest, section: Section, number: int) -> HttpResponse:
    """Show a round beside what other systems would pair. ?show=different leaves out players without a difference."""
    if section.fixed_rounds:
        raise Http404
    base = _read(section, number)
    players = present(base.before)
    context: dict[str, object] = {
        **section_context(request, section, "pairings", number),
        "number": number,
        "players": players,
        "most": MOST_PLAYERS if players > MOST_PLAYERS else 0,
        "only": request.GET.get("show") == "different",
    }
    if 0 < players <= MOST_PLAYERS:
        variants = variants_of(base.before, section.event.start.isoformat())
        context |= _compared(base, _comparison(base, variants), only=bool(context["only"]))
    return render(request, "staff/compare.html", context)


def _read(section: Section, number: int) -> RoundAsPaired:
    try:
        return round_as_paired(section, number, entries_as_paired(section, number))
    except Round.DoesNotExist as error:
        raise Http404 from error


def _comparison(base: RoundAsPaired, variants: tuple[Variant, ...]) -> Comparison:
    """Return the comparison, worked out once for the same round from the same data."""
    key = (base.before, base.published, variants)
    return _comparisons.get(key, lambda: compare(base.before, base.published, variants))


@dataclass(frozen=True, slots=True)
class System:
    """A system. letter: "" for the round itself. sentence: how far it agrees with the round, or why it fails.

    shown: it has a column, because it pairs another round.
    """

    letter: str
    name: str
    sentence: str
    shown: bool


@dataclass(frozen=True, slots=True)
class Cell:
    """Where a player is in a column. opponent: number and surname; "" for the bye. change: "" where nothing differs."""

    letter: str
    opponent: str
    colour: Colour | None
    change: Change

    @property
    def colour_name(self) -> str:
        return colour_word(self.colour) if self.colour else ""


def _compared(base: RoundAsPaired, found: Comparison, *, only: bool) -> dict[str, object]:
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


def _systems(field: SectionField, found: Comparison) -> list[System]:
    def name(key: int) -> str:
        return _short(field.side(key))

    own = System("", variant_name(found.round.variant, READER), "", shown=True)
    others = [
        System(
            letter,
            variant_name(other.variant, READER),
            failure_text(other.failure, name, READER) if other.failure else agreement_text(other, READER),
            shown=other.differs,
        )
        for letter, other in zip(ascii_uppercase, found.others, strict=False)
    ]
    return [own, *others]


def _rows(
    field: SectionField,
    found: Comparison,
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


def _cell(letter: str, seat: Seat, change: Change, names: dict[int, str]) -> Cell:
    opponent = "" if seat.opponent is None else names[seat.opponent]
    return Cell(letter, opponent, seat.colour, change)


def _short(side: Side) -> str:
    return f"{side.tpn}\u00a0{side.name.partition(',')[0]}"
