"""The boards of a round as PGN without moves, for programs that transmit games from electronic boards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from evenboard_engine import Result
from evenboard_engine.chess960 import fen
from tournaments.models import Event, Participant, Section
from tournaments.queries.field import Side
from tournaments.queries.pairings import BoardRow, RoundView

RESULTS: Mapping[Result, str] = {
    Result.WHITE_WINS: "1-0",
    Result.BLACK_WINS: "0-1",
    Result.DRAW: "1/2-1/2",
    Result.WHITE_WINS_BY_FORFEIT: "1-0",
    Result.BLACK_WINS_BY_FORFEIT: "0-1",
}
"""Those that PGN knows; others are `*`, which says that the result is not known."""


def boards_pgn(section: Section, shown: RoundView, people: Mapping[int, Participant]) -> bytes:
    """Return one game for each board, in the order of boards. people: the entries by key, whose FIDE IDs are
    written; visitors see none.
    """
    event = section.event
    games = [_game(event, section, shown, row, people) for row in shown.boards]
    return "\n".join(games).encode()


def _game(
    event: Event, section: Section, shown: RoundView, row: BoardRow, people: Mapping[int, Participant]
) -> str:
    result = RESULTS.get(row.result, "*") if row.result else "*"
    site = f"{event.city} {event.federation}".strip() or "?"
    tags = [
        ("Event", f"{event.name}, {section.name}"),
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


def _of_side(colour: str, side: Side, people: Mapping[int, Participant]) -> Iterable[tuple[str, str]]:
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
    return "".join(f'[{name} "{escaped(value)}"]\n' for name, value in tags)


def escaped(text: str) -> str:
    """Return a text as the value of a tag: on one line, with its quotes and backslashes marked."""
    return " ".join(text.split()).replace("\\", "\\\\").replace('"', '\\"')
