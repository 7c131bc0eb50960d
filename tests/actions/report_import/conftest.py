"""A report file of six players, and what an import of it writes."""

from __future__ import annotations

from evenboard_engine import Colour
from evenboard_engine.trf import PlayerRecord, Report, RoundEntry, read_report, write_report
from tests.factories import EventFactory
from tournaments.actions.entries import import_report
from tournaments.actions.ledger import Actor
from tournaments.models import Section


def line(rank: int, rating: int | None, *entries: tuple[int, str, str], **fields: object) -> str:
    """Return a player line; entries are (opponent, colour, symbol)."""
    played = tuple(
        RoundEntry(opponent or None, Colour(colour) if colour else None, symbol)
        for opponent, colour, symbol in entries
    )
    given = {"name": f"Player, No {rank}", "federation": "NED", **fields}
    record = PlayerRecord(rank, rating=rating, entries=played, **given)
    return write_report(Report((record,)), newline="").decode()


HEAD = ["012 Open", "XXR 5"]

PLAYERS = [
    line(
        1,
        2400,
        (3, "w", "1"),
        (2, "b", "="),
        (0, "", "H"),
        sex="m",
        title="GM",
        fide_id=1503014,
        birth_date="1990/11/30",
    ),
    line(2, 2300, (4, "b", "+"), (1, "w", "=")),
    line(3, 2200, (1, "b", "0"), (0, "", "U")),
    line(4, 2100, (2, "w", "-"), (0, "", "Z")),
    line(5, 2000, (0, "", ""), (6, "w", "?"), federation="???"),
    line(6, 1900, (0, "", "F"), (5, "b", "?")),
]


def report(*lines: str) -> Report:
    return read_report("\r".join(lines).encode())


def imported(actor: Actor, *lines: str, **options: object) -> Section:
    made = import_report(actor=actor, event=EventFactory(), name="Open", report=report(*lines), **options)
    return Section.objects.get(pk=made.pk)


def games(section: Section) -> list[tuple[int, int, int, int, str]]:
    """Return [(round, board, White, Black, result)]."""
    rows = [game for row in section.played_rounds.order_by("number") for game in row.games.order_by("board")]
    return [(g.round.number, g.board, g.white.tpn, g.black.tpn, g.result) for g in rows]


GOOD = [
    line(1, 2400, (3, "w", "1")),
    line(2, 2300, (4, "b", "=")),
    line(3, 2200, (1, "b", "0")),
    line(4, 2100, (2, "w", "=")),
    line(5, 2000, (0, "", "U")),
]
