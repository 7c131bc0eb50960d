from __future__ import annotations

import pytest

from evenboard_engine import ByeKind, Colour, Result
from tests.queries.sections import MadeSection, make_section
from tournaments.models import Participant, Round
from tournaments.queries.rounds import name_list, round_board_list


def test_boards_show_the_points_before_the_round(section: MadeSection) -> None:
    view = round_board_list(section.row, 3)
    assert [
        (row.board, row.white.name, row.white.points, row.black.name, row.black.points, row.result)
        for row in view.boards
    ] == [
        (1, "Anna", 20, "Dora", 15, None),
        (2, "Carl", 0, "Eva", 10, Result.DRAW),
    ]
    assert [(bye.side.name, bye.kind) for bye in view.byes] == [("Bert", ByeKind.ALLOCATED)]
    assert (view.missing, view.total, view.entered, view.complete, view.last) == (1, 2, 1, False, True)


def test_points_before_the_round_are_not_those_of_now(section: MadeSection) -> None:
    first = round_board_list(section.row, 1)
    assert {row.white.points + row.black.points for row in first.boards} == {0}
    assert first.is_finished
    assert not first.last


def test_a_player_with_neither_board_nor_bye_is_out(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700}, "Anna 1-0 Bert")
    Participant.objects.filter(pk=section.people["Dora"].pk).update(status="withdrawn")
    view = round_board_list(section.row, 1)
    assert [(row.side.name, row.withdrawn) for row in view.out] == [("Carl", False), ("Dora", True)]


def test_late_entries_are_not_listed_as_out_before_their_first_round(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900, "Carl": 1800}, "Anna 1-0 Bert")
    Participant.objects.filter(pk=section.people["Carl"].pk).update(first_round=2)
    assert round_board_list(section.row, 1).out == ()


def test_only_arbiters_see_a_draft(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna . Bert", draft=True)
    with pytest.raises(Round.DoesNotExist):
        round_board_list(section.row, 1)
    assert round_board_list(section.row, 1, include_drafts=True).is_draft


def test_the_bye_of_a_draft_is_not_public(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800}, "Anna 1-0 Bert; Carl U", "Carl . Anna; Bert U", draft=True
    )
    names = [bye.side.name for bye in round_board_list(section.row, 1).byes]
    assert names == ["Carl"]


@pytest.mark.parametrize("number", [0, 4, 99])
def test_a_missing_round_is_refused(section: MadeSection, number: int) -> None:
    with pytest.raises(Round.DoesNotExist):
        round_board_list(section.row, number, include_drafts=True)


def test_names_are_in_alphabetical_order_with_board_and_colour(section: MadeSection) -> None:
    rows = name_list(section.row, 3).rows
    assert [
        (row.name, row.board, row.colour, row.opponent and row.opponent.name, row.bye) for row in rows
    ] == [
        ("Anna", 1, Colour.WHITE, "Dora", None),
        ("Bert", None, None, None, ByeKind.ALLOCATED),
        ("Carl", 2, Colour.WHITE, "Eva", None),
        ("Dora", 1, Colour.BLACK, "Anna", None),
        ("Eva", 2, Colour.BLACK, "Carl", None),
    ]


def test_names_do_not_include_withdrawn_players(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700}, "Anna 1-0 Bert")
    Participant.objects.filter(pk=section.people["Dora"].pk).update(status="withdrawn")
    rows = name_list(section.row, 1).rows
    assert [(row.name, row.out) for row in rows] == [("Anna", False), ("Bert", False), ("Carl", True)]
