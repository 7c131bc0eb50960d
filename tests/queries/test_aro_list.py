from __future__ import annotations

import pytest

from evenboard_engine import Colour
from evenboard_engine.preference import Preference, Strength
from tests.queries.sections import MadeSection, make_section
from tournaments.models import Game, Participant, Round, Section
from tournaments.queries.aro_list import aro_list
from tournaments.queries.player_card import player_card

W, B = Colour.WHITE, Colour.BLACK


def test_the_list_has_score_groups_in_ascending_order_of_aro(section: MadeSection) -> None:
    groups = aro_list(section.row, 3).groups
    assert [(group.points, [(row.name, row.aro) for row in group.rows]) for group in groups] == [
        (20, [("Anna", 1701)]),
        (15, [("Dora", 1900)]),
        (10, [("Bert", 1700), ("Eva", 2000)]),
        (0, [("Carl", 2000)]),
    ]


def test_groups_of_an_accelerated_section_count_virtual_points(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700},
        "Anna 1-0 Bert; Carl 1-0 Dora",
        acceleration="baku",
    )
    plain = aro_list(section.row, 2)
    assert (plain.accelerated, [group.points for group in plain.groups]) == (False, [10, 0])
    section.row.participants.filter(tpn__lte=2).update(acceleration_group="A")
    accelerated = aro_list(section.row, 2)
    assert accelerated.accelerated
    assert [(g.points, [(row.name, row.points) for row in g.rows]) for g in accelerated.groups] == [
        (20, [("Anna", 10)]),
        (10, [("Carl", 10), ("Bert", 0)]),
        (0, [("Dora", 0)]),
    ]


def test_equal_aro_is_ordered_by_number(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 2000, "Carl": 1800, "Dora": 1800}, "Anna 1-0 Carl; Bert 1-0 Dora"
    )
    assert [row.name for row in aro_list(section.row, 2).rows] == ["Anna", "Bert", "Carl", "Dora"]


def test_aro_is_shown_as_the_system_reads_it(section: MadeSection) -> None:
    """The rules of 1997 never round it: (1801 + 1600) / 2."""
    section.row.system, section.row.options = "dubov-1997", {}
    section.row.save()
    listed = aro_list(Section.objects.get(pk=section.row.pk), 3)
    assert {row.name: row.aro for row in listed.rows}["Anna"] == 1700.5
    first = listed.groups[0]
    assert (first.lowest, first.highest, first.median) == (1700.5, 1700.5, 1700.5)
    assert player_card(Participant.objects.get(player__name="Anna")).aro == 1700.5


def test_colours_have_a_gap_for_rounds_without_a_game(section: MadeSection) -> None:
    rows = {row.name: row.colours for row in aro_list(section.row, 3).rows}
    assert rows == {
        "Anna": (W, B),
        "Bert": (B, None),
        "Carl": (B, None),
        "Dora": (W, None),
        "Eva": (None, W),
    }


def test_the_due_colour_has_its_strength(section: MadeSection) -> None:
    rows = {row.name: row.due for row in aro_list(section.row, 3).rows}
    assert rows == {
        "Anna": Preference(W, Strength.MILD),
        "Bert": Preference(W, Strength.STRONG),
        "Carl": Preference(W, Strength.STRONG),
        "Dora": Preference(B, Strength.STRONG),
        "Eva": Preference(B, Strength.STRONG),
    }


def test_before_round_1_nobody_has_a_due_colour(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900})
    result = aro_list(section.row)
    assert result.before_round == 1
    assert {row.due for row in result.rows} == {None}
    assert {(group.due_white, group.due_black) for group in result.groups} == {(0, 0)}
    assert [(g.lowest, g.highest, g.median) for g in result.groups] == [(None, None, None)]


def test_upfloats_name_their_rounds_and_forfeits_do_not_count(section: MadeSection) -> None:
    Game.objects.filter(result="").update(result="1-0")
    rows = {row.name: (row.upfloats, row.upfloated_last_round) for row in aro_list(section.row, 4).rows}
    assert rows == {
        "Anna": ((), False),
        "Bert": ((), False),
        "Carl": ((3,), True),
        "Dora": ((3,), True),
        "Eva": ((), False),
    }


def test_a_maximum_upfloater_is_marked(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600, "Finn": 1500},
        "Anna 1-0 Bert; Carl 1-0 Dora; Eva 1-0 Finn",
        "Bert 0-1 Anna; Dora 0-1 Carl; Finn 0-1 Eva",
        "Anna 1-0 Bert; Carl 1-0 Dora; Eva 1-0 Finn",
        planned=4,
    )
    result = aro_list(section.row, 4)
    assert result.max_upfloats == 2
    assert {row.name: row.maximum_upfloater for row in result.rows} == {
        "Anna": False,
        "Carl": False,
        "Eva": False,
        "Bert": True,
        "Dora": True,
        "Finn": True,
    }


def test_the_spread_counts_only_active_players(db: None) -> None:
    section = make_section(
        {"Anna": 2001, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600, "Finn": 1500},
        "Anna 1/2 Dora; Eva 1/2 Bert; Carl 1/2 Finn",
    )
    (group,) = aro_list(section.row, 2).groups
    assert (group.players, group.due_white, group.due_black) == (6, 3, 3)
    assert (group.lowest, group.highest, group.median) == (1500, 2001, 1750)
    Participant.objects.filter(pk=section.people["Dora"].pk).update(status="withdrawn")
    (group,) = aro_list(section.row, 2).groups
    assert (group.players, group.due_white, group.due_black) == (5, 2, 3)
    assert (group.lowest, group.highest, group.median) == (1500, 1900, 1700)
    assert [row.name for row in group.rows if row.withdrawn] == ["Dora"]


def test_the_list_is_for_the_running_round_until_all_its_results_are_in(section: MadeSection) -> None:
    assert aro_list(section.row).before_round == 3
    Game.objects.filter(result="").update(result="1-0")
    assert aro_list(section.row).before_round == 4


def test_the_list_of_an_arbiter_is_for_the_draft(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna 1-0 Bert", "Bert . Anna", draft=True)
    assert aro_list(section.row).before_round == 2
    assert aro_list(section.row, include_drafts=True).before_round == 2


def test_late_entries_are_not_in_the_lists_before_their_first_round(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Eva"].pk).update(first_round=3)
    assert "Eva" not in [row.name for row in aro_list(section.row, 2).rows]
    assert "Eva" in [row.name for row in aro_list(section.row, 3).rows]


@pytest.mark.parametrize("number", [0, 5])
def test_a_list_for_a_later_round_is_refused(section: MadeSection, number: int) -> None:
    with pytest.raises(Round.DoesNotExist):
        aro_list(section.row, number)
