from __future__ import annotations

from datetime import date

import pytest

from tests.queries.sections import MadeSection, add_round, make_section
from tournaments.models import Participant, Round
from tournaments.queries.standings import standings_table


def lines(section: MadeSection, after_round: int | None = None) -> list[tuple[int, str, int, int, int]]:
    table = standings_table(section.row, after_round)
    return [(row.place, row.name, row.points, row.aro, row.games) for row in table.rows]


def test_standings_are_by_points_then_aro_then_number(section: MadeSection) -> None:
    assert lines(section, 2) == [
        (1, "Anna", 20, 1701, 2),
        (2, "Dora", 15, 1900, 1),
        (3, "Eva", 10, 2000, 1),
        (4, "Bert", 10, 1700, 1),
        (5, "Carl", 0, 2000, 1),
    ]


def test_standings_of_a_running_round_count_the_results_entered_so_far(section: MadeSection) -> None:
    table = standings_table(section.row)
    assert lines(section) == [
        (1, "Anna", 20, 1701, 2),
        (2, "Bert", 20, 1700, 1),
        (3, "Eva", 15, 1901, 2),
        (4, "Dora", 15, 1900, 1),
        (5, "Carl", 5, 1800, 2),
    ]
    assert (table.after_round, table.running, table.open_games, table.final) == (3, True, 1, False)


def test_standings_before_round_1_are_by_number(section: MadeSection) -> None:
    assert [row[1] for row in lines(section, 0)] == ["Anna", "Bert", "Carl", "Dora", "Eva"]


@pytest.mark.parametrize("number", [-1, 4, 99])
def test_standings_after_a_missing_round_are_refused(section: MadeSection, number: int) -> None:
    with pytest.raises(Round.DoesNotExist):
        standings_table(section.row, number)


def test_standings_never_count_a_draft(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna 1-0 Bert", "Bert . Anna", draft=True)
    assert standings_table(section.row).after_round == 1


def test_standings_leave_expelled_players_out_and_mark_withdrawn_ones(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Carl"].pk).update(status="expelled")
    Participant.objects.filter(pk=section.people["Eva"].pk).update(status="withdrawn")
    table = standings_table(section.row, 2)
    assert [(row.name, row.aro, row.withdrawn) for row in table.rows] == [
        ("Anna", 1701, False),
        ("Dora", 1900, False),
        ("Eva", 2000, True),
        ("Bert", 1700, False),
    ]


def test_standings_leave_out_later_entries(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Eva"].pk).update(first_round=4)
    assert [row.name for row in standings_table(section.row, 1).rows] == [
        "Anna",
        "Dora",
        "Bert",
        "Carl",
    ]
    assert len(standings_table(section.row, 3).rows) == 5


def test_standings_are_final_when_the_last_round_is_complete(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna 1-0 Bert", "Bert 1/2 Anna", planned=2)
    assert standings_table(section.row).final
    assert not standings_table(section.row, 1).final


def test_standings_are_final_when_the_section_is_closed_early(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna 1-0 Bert", planned=5, status="closed")
    assert standings_table(section.row).final


@pytest.mark.parametrize("result", [".", "adj"])
def test_standings_are_not_final_while_a_game_is_open_or_adjourned(db: None, result: str) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, f"Anna {result} Bert", planned=1)
    table = standings_table(section.row)
    assert (table.final, len(table.state.adjourned)) == (False, int(result == "adj"))


def test_an_adjourned_game_counts_as_a_draw(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna adj Bert")
    assert lines(section) == [(1, "Bert", 5, 2000, 1), (2, "Anna", 5, 1900, 1)]


def test_points_follow_the_section_s_own_values(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800},
        "Anna 1-0 Bert; Carl U",
        win_points=30,
        draw_points=10,
        bye_points=20,
    )
    add_round(section, 2, "Carl 1/2 Anna; Bert H", Round.State.PUBLISHED)
    assert [(row.name, row.points) for row in standings_table(section.row).rows] == [
        ("Anna", 40),
        ("Carl", 30),
        ("Bert", 10),
    ]


def test_standings_follow_the_list_of_the_section(db: None) -> None:
    """Anna and Bert are level in points and Buchholz."""
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700},
        "Anna 1-0 Carl; Dora 0-1 Bert",
        "Bert 1/2 Anna; Carl 1-0 Dora",
        tie_breaks=["BH/C1", "SB"],
    )
    table = standings_table(section.row)
    assert [(row.place, row.shared, row.name, row.points) for row in table.rows] == [
        (1, False, "Anna", 15),
        (2, False, "Bert", 15),
        (3, False, "Carl", 10),
        (4, False, "Dora", 0),
    ]
    assert [row.values for row in table.rows[:2]] == [(1.5, 1.75), (1.5, 0.75)]
    assert [(at, rule.text) for at, rule in table.columns] == [(0, "BH/C1"), (1, "SB")]


def test_players_who_are_level_in_the_whole_list_share_a_place(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700},
        "Anna 1-0 Carl; Bert 1-0 Dora",
        tie_breaks=["BH"],
    )
    table = standings_table(section.row)
    assert [(row.place, row.name) for row in table.rows] == [
        (1, "Anna"),
        (1, "Bert"),
        (3, "Carl"),
        (3, "Dora"),
    ]
    assert table.shared


@pytest.mark.parametrize(("start", "buchholz"), [("2026-02-28", 2.5), ("2026-03-01", 1.5)])
def test_edition_of_the_tie_breaks_follows_the_first_day(db: None, start: str, buchholz: float) -> None:
    """Bert's full-point bye is a game against a dummy with his 2 points, since March 2026 with those of two draws."""
    section = make_section({"Anna": 2000, "Bert": 1900}, "Bert 1-0 Anna", "Bert F; Anna Z", tie_breaks=["BH"])
    section.row.event.start = date.fromisoformat(start)
    section.row.event.end = date(2026, 12, 1)
    rows = {row.name: row.values for row in standings_table(section.row).rows}
    assert rows["Bert"] == (buchholz,)


def test_an_open_game_is_in_the_buchholz_of_neither_player(db: None) -> None:
    ratings = {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700}
    section = make_section(
        ratings, "Anna 1-0 Bert; Carl 1/2 Dora", "Carl . Anna; Bert 1-0 Dora", tie_breaks=["BH"]
    )
    found = {row.name: float(row.values[0] or 0) for row in standings_table(section.row).rows}
    assert found == {"Anna": 1.0, "Bert": 1.5, "Carl": 0.5, "Dora": 1.5}
