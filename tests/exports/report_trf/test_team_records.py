"""What a file says about teams comes back from the section that was made from it."""

from __future__ import annotations

import pytest

from evenboard_engine.tests.trf.columns import as_file, player_line
from evenboard_engine.trf import read_report
from tournaments.actions.ledger import Actor
from tournaments.actions.reports import import_report
from tournaments.files.report_writing import tournament_report
from tournaments.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

RECORDS = (
    "222 40/6000+30:900+30",
    "240 H 002 0001 0002",
    "250 01.0      001 001 0001 0001",
    "260 001 002 0001 0002",
    "299 W   1.0   2.5  001    1",
    f"{'310   1 Wien':<41}WIE",
    "320  1.0  2.0 000 001",
    "330 +-   1   1   2",
    "352 WBWB",
    "362 TW 3.0   TD 1.0",
    "801 a table for people",
)


def test_records_of_teams_come_back_and_follow_the_numbers_of_the_players() -> None:
    """The file has no round, so the section numbers the players by rating: 1, 2 and 3 become 3, 2 and 1."""
    players = [player_line(starting_rank=rank, name=f"P{rank}", rating=1500 + rank) for rank in (1, 2, 3)]
    named = (
        f"{'013 Graz':<36}   3    2",
        "300   1   1   2    1 0000    2",
        f"{'310   2 Graz':<72}    3    1",
        "NED    1      P1                                1600",
    )
    data = as_file("142 5", "172 NED FIDE", *players, *RECORDS, *named)
    event = Event.objects.create(name="Cup", slug="cup", start="2026-10-17", end="2026-10-25")
    section = import_report(actor=Actor.command(), report=read_report(data), event=event, name="A")
    written = tournament_report(section).decode().splitlines()
    assert [line for line in RECORDS if line not in written] == []
    codes = ("013", "300", "310   2", "NED")
    assert [line for line in written if line.startswith(codes)] == [
        "NED    3      P1                                1600",
        f"{'013 Graz':<36}   1    2",
        "300   1   1   2    3 0000    2",
        f"{'310   2 Graz':<72}    1    3",
    ]
    read = read_report("\n".join(written).encode())
    again = import_report(actor=Actor.command(), report=read, event=event, name="B")
    kept = [line for line in written if line in RECORDS or line.startswith(codes)]
    assert [line for line in tournament_report(again).decode().splitlines() if line in kept] == kept
