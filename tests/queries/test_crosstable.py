from __future__ import annotations

from evenboard_engine import ByeKind, Colour, Outcome
from tests.queries.sections import MadeSection
from tournaments.models import Participant
from tournaments.queries.crosstables import crosstable


def test_opponents_are_shown_by_their_rank_in_this_table(section: MadeSection) -> None:
    result = crosstable(section.row)
    assert [
        (row.standing.place, row.standing.name, [cell.place for cell in row.cells]) for row in result.rows
    ] == [
        (1, "Anna", [5, 3, 4]),
        (2, "Bert", [4, None, None]),
        (3, "Eva", [None, 1, 5]),
        (4, "Dora", [2, 5, 1]),
        (5, "Carl", [1, 4, 3]),
    ]
    assert result.rounds == (1, 2, 3)


def test_an_earlier_table_has_its_own_ranks(section: MadeSection) -> None:
    rows = crosstable(section.row, 2).rows
    assert [(row.standing.name, [cell.place for cell in row.cells]) for row in rows] == [
        ("Anna", [5, 3]),
        ("Dora", [4, 5]),
        ("Eva", [None, 1]),
        ("Bert", [2, None]),
        ("Carl", [1, 2]),
    ]


def test_cells_have_colour_result_and_byes(section: MadeSection) -> None:
    rows = {row.standing.name: row.cells for row in crosstable(section.row).rows}
    dora = [(cell.turn.colour, cell.turn.outcome, cell.turn.gained) for cell in rows["Dora"]]
    assert dora == [
        (Colour.WHITE, Outcome.DRAW, 5),
        (Colour.WHITE, Outcome.FORFEIT_WIN, 10),
        (Colour.BLACK, None, None),
    ]
    assert [cell.turn.bye for cell in rows["Bert"]] == [None, ByeKind.HALF, ByeKind.ALLOCATED]
    assert rows["Dora"][1].turn.forfeited
    assert rows["Dora"][2].turn.open


def test_an_expelled_opponent_has_a_name_instead_of_a_rank(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Carl"].pk).update(status="expelled")
    anna = crosstable(section.row).rows[0]
    assert (anna.cells[0].place, anna.cells[0].opponent_name, anna.cells[0].turn.gained) == (None, "Carl", 10)
