"""Games, byes, forbidden pairs and check-in of a section as tables for arbiters, and boards as PGN without moves.

Programs that transmit games from electronic boards take the PGN.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from operator import itemgetter

from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from base.reader import READER
from evenboard_engine import ByeKind, Result
from evenboard_engine.chess960 import fen
from tournaments.models import Bye, Event, ForbiddenPair, Participant, Round, Section
from tournaments.queries.field import PlayerCell, SectionField, load_field
from tournaments.queries.player_rounds import round_of_bye
from tournaments.queries.presence import presence_list
from tournaments.queries.rounds import BoardRow, RoundPairings
from tournaments.snapshot import groups_apart

from .lists import money_cell, points, result_cell
from .table_files import Cell, Write, csv_file

# All games, all byes, the forbidden pairs and the check-in of a section as tables. For arbiters only.

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
            points(
                round_of_bye(bye, section.point_system, field.participants[bye.participant_id]).gained or 0
            ),
            _(_SOURCES[Bye.Source(bye.source)]),
        )
        for bye in shown
    ]
    return write(head, rows)


def forbidden_pairs_csv(section: Section, *, write: Write = csv_file) -> bytes:
    """Return the players who must not meet, by the smaller pairing number; those of rules as they are now."""
    field = load_field(section)
    found = []
    for pair in (*section.forbidden_pairs.all(), *_pairs_of_rules(field)):
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


def _pairs_of_rules(field: SectionField) -> Iterator[ForbiddenPair]:
    """Yield a row, not saved, for each pair. The reason begins with the group."""
    for rule in field.section.apart_rules:
        rounds = {"first_round": rule["first_round"], "last_round": rule["last_round"]}
        mode = "" if rule["strict"] else _("as far as possible")
        for group in groups_apart([rule], field.participants.values(), rule["first_round"]):
            reason = READER.listed(filter(None, (group.value, rule["reason"], mode)), "semicolon")
            for first, second in group.pairs:
                yield ForbiddenPair(first_id=first, second_id=second, reason=reason, **rounds)


def check_in_csv(
    section: Section, *, fees: Mapping[int, tuple[int, int, str]] | None = None, write: Write = csv_file
) -> bytes:
    """Return who is in the hall for the next round, by name. Raises Round.DoesNotExist after the last round.

    fees: as `fees_of` has them; without, the file has no sums.
    """
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
        *([_("Owed"), pgettext("a sum", "Paid"), _("Currency")] if fees else []),
    ]
    rows = (
        (
            *(number, row.tpn, row.name, row.title, row.federation, row.rating or None, row.club),
            *(_(_KINDS[row.bye]) if row.bye else "", _("yes") if row.here else _("no")),
            *(f"{localtime(row.at):%Y-%m-%d %H:%M}" if row.at else "", row.by),
            *(_fee(*fees.get(row.participant_id, (0, 0, ""))) if fees else ()),
        )
        for row in presence_list(section, number).rows
    )
    return write(head, rows)


def _fee(owed: int, paid: int, currency: str) -> Sequence[Cell]:
    return (money_cell(owed), money_cell(paid), currency)


def _player(field: SectionField, key: int) -> Sequence[Cell]:
    side = field.side(key)
    return side.tpn, side.name, side.title, side.federation, side.rating or None


# The boards of a round as PGN without moves, for programs that transmit games from electronic boards.

PGN_RESULTS: Mapping[Result, str] = {
    Result.WHITE_WINS: "1-0",
    Result.BLACK_WINS: "0-1",
    Result.DRAW: "1/2-1/2",
    Result.WHITE_WINS_BY_FORFEIT: "1-0",
    Result.BLACK_WINS_BY_FORFEIT: "0-1",
}
"""Those that PGN knows; others are `*`, which says that the result is not known."""


def boards_pgn(section: Section, shown: RoundPairings, people: Mapping[int, Participant]) -> bytes:
    """Return one game for each board, in the order of boards. people: the entries by key, whose FIDE IDs are
    written; visitors see none.
    """
    event = section.event
    games = [_game(event, section, shown, row, people) for row in shown.boards]
    return "\n".join(games).encode()


def _game(
    event: Event, section: Section, shown: RoundPairings, row: BoardRow, people: Mapping[int, Participant]
) -> str:
    result = PGN_RESULTS.get(row.result, "*") if row.result else "*"
    site = f"{event.city} {event.federation}".strip() or "?"
    tags = [
        ("Event", str(section)),
        ("Site", site),
        ("Date", f"{shown.start.day:%Y.%m.%d}" if shown.start else "????.??.??"),
        ("Round", f"{shown.number}.{row.board}"),
        ("White", row.white.name),
        ("Black", row.black.name),
        ("Result", result),
        ("Board", str(row.board)),
        *_of_side("White", row.white, people),
        *_of_side("Black", row.black, people),
    ]
    if shown.start_position is not None:
        tags += [("Variant", "Chess960"), ("SetUp", "1"), ("FEN", fen(shown.start_position))]
    if section.time_control_in_force:
        tags.append(("TimeControlText", section.time_control_in_force))
    return f"{_lines(tags)}\n{result}\n"


def _of_side(colour: str, side: PlayerCell, people: Mapping[int, Participant]) -> Iterable[tuple[str, str]]:
    if side.title:
        yield f"{colour}Title", side.title
    if side.rating:
        yield f"{colour}Elo", str(side.rating)
    if side.federation:
        yield f"{colour}Team", side.federation
    entry = people.get(side.participant_id)
    if entry is not None and entry.player.fide_id:
        yield f"{colour}FideId", str(entry.player.fide_id)


def _lines(tags: Iterable[tuple[str, str]]) -> str:
    return "".join(f'[{name} "{pgn_escaped(value)}"]\n' for name, value in tags)


def pgn_escaped(text: str) -> str:
    """Return a text as the value of a tag: on one line, with its quotes and backslashes marked."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
