"""All games, all byes, the forbidden pairs and the check-in of a section as tables. For arbiters only."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from evenboard_engine import ByeKind, Result
from tournaments.models import Bye, Round, Section
from tournaments.queries.field import SectionField, load_field
from tournaments.queries.presence import presence_list
from tournaments.queries.turns import bye_turn

from .lists_csv import points, result_cell
from .table_files import Cell, Write, csv_file

_KINDS = {
    ByeKind.ALLOCATED: gettext_noop("pairing-allocated"),
    ByeKind.FULL: gettext_noop("full-point"),
    ByeKind.HALF: gettext_noop("half-point"),
    ByeKind.ZERO: gettext_noop("zero-point"),
}
_SOURCES = {
    Bye.Source.REQUESTED: gettext_noop("asked for"),
    Bye.Source.ALLOCATED: gettext_noop("by the pairing"),
    Bye.Source.ABSENT: gettext_noop("by the arbiter"),
}


def games_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return every game of the published rounds. A result that counts for rating only has a column of its own."""
    field = load_field(section)
    head = [
        _("Round"),
        _("Board"),
        _("White No"),
        _("White"),
        _("White title"),
        _("White federation"),
        _("White rating"),
        _("Result"),
        _("Result for rating"),
        _("Black No"),
        _("Black"),
        _("Black title"),
        _("Black federation"),
        _("Black rating"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            *(row.number, game.board, *_player(field, game.white_id)),
            result_cell(game.outcome),
            result_cell(Result(game.rating_result)) if game.rating_result else "",
            *_player(field, game.black_id),
        )
        for row in field.rounds
        for game in field.games_of(row)
    ]
    return write(head, rows)


def byes_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the byes of all rounds, also those asked for in rounds to come, but not the one of a draft."""
    field = load_field(section, include_drafts=True)
    published = {row.number for row in field.rounds if not row.is_draft}
    shown = [bye for bye in field.byes if bye.source != Bye.Source.ALLOCATED or bye.round_number in published]
    shown.sort(key=lambda bye: (bye.round_number, field.participants[bye.participant_id].tpn or 0))
    head = [
        _("Round"),
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Rating"),
        _("Bye"),
        _("Points"),
        _("Given"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            *(bye.round_number, *_player(field, bye.participant_id), _(_KINDS[ByeKind(bye.kind)])),
            points(bye_turn(bye, section.point_system, field.participants[bye.participant_id]).gained or 0),
            _(_SOURCES[Bye.Source(bye.source)]),
        )
        for bye in shown
    ]
    return write(head, rows)


def forbidden_pairs_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the players who must not meet, by the smaller pairing number."""
    field = load_field(section)
    found = []
    for pair in section.forbidden_pairs.all():
        first, second = sorted(map(field.side, (pair.first_id, pair.second_id)), key=lambda one: one.tpn or 0)
        found.append((first.tpn or 0, second.tpn or 0, first, second, pair))
    found.sort(key=itemgetter(0, 1))
    head = [
        _("First No"),
        _("First"),
        _("Second No"),
        _("Second"),
        _("From round"),
        _("To round"),
        _("Reason"),
    ]
    rows: list[Sequence[Cell]] = [
        (
            *(first.tpn, first.name, second.tpn, second.name),
            *(pair.first_round, pair.last_round or section.rounds, pair.reason),
        )
        for _first, _second, first, second, pair in found
    ]
    return write(head, rows)


def check_in_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return who is in the hall for the next round, by name. Raises Round.DoesNotExist after the last round."""
    number = section.played_rounds.count() + 1
    if section.fixed_rounds or number > section.rounds:
        raise Round.DoesNotExist("no round is left to be paired")
    head = [
        _("Round"),
        _("No"),
        _("Name"),
        _("Title"),
        _("Federation"),
        _("Rating"),
        _("Club"),
        _("Bye"),
        _("Here"),
        _("Seen at"),
        _("Seen by"),
    ]
    rows = (
        (
            *(number, row.tpn, row.name, row.title, row.federation, row.rating or None, row.club),
            *(_(_KINDS[row.bye]) if row.bye else "", _("yes") if row.here else _("no")),
            *(f"{localtime(row.at):%Y-%m-%d %H:%M}" if row.at else "", row.by),
        )
        for row in presence_list(section, number).rows
    )
    return write(head, rows)


def _player(field: SectionField, key: int) -> Sequence[Cell]:
    side = field.side(key)
    return side.tpn, side.name, side.title, side.federation, side.rating or None
