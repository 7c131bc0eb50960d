from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.queries.sections import MadeSection, add_bye, add_round, make_section
from tournaments.actions.entries import import_entries
from tournaments.actions.ledger import Actor
from tournaments.files.columns import ListColumn
from tournaments.files.entry_lists import corrected_list, read_entries
from tournaments.files.entry_preview import ValueChange, entry_list_preview
from tournaments.models import Bye, Participant, Player, Round, Section

from .previews import HEAD, look, refusals

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def test_new_players_are_added_with_what_the_file_says(section: MadeSection) -> None:
    result = look(section, "Menon, Vivek;gm;ind;81241687;2500;1989/01/08;SC;2,4;late train\n")
    (row,) = result.added
    entry = row.entry
    assert (entry.name, entry.title, entry.federation, entry.fide_id) == (
        "Menon, Vivek",
        "GM",
        "IND",
        81241687,
    )
    assert (entry.rating, entry.official_rating, entry.rating_source) == (2500, 2500, "file")
    assert (entry.birth_date, entry.club, entry.note, entry.first_round) == (
        "1989/01/08",
        "SC",
        "late train",
        1,
    )
    assert (row.row.participant_id, row.row.byes) == (None, (2, 4))


@pytest.mark.parametrize(
    "text",
    [
        "Somebody Ibanez;;;77;;;;;",  # FIDE ID, and one word of the name
        "IBANEZ ANA;;;;;1990;;;",  # another spelling of the name, and the year
        "Ana Ibáñez;;;;;;;;",  # name alone, with the first name first
    ],
)
def test_an_entered_player_is_found(section: MadeSection, text: str) -> None:
    result = look(section, text)
    assert [row.row.participant_id for row in (*result.changed, *result.same)] == [section.people["Anna"].pk]
    assert (result.added, result.refused) == ((), ())


def test_same_name_with_another_birth_year_is_another_player(section: MadeSection) -> None:
    result = look(section, "Ibáñez, Ana;;;;1500;2005;;;\n")
    assert [row.entry.name for row in result.added] == ["Ibáñez, Ana"]


def test_same_name_with_another_fide_id_is_another_player(section: MadeSection) -> None:
    assert len(look(section, "Ibáñez, Ana;;;78;1500;1990/05/06;;;\n").added) == 1


def test_changes_show_the_old_and_the_new_value(section: MadeSection) -> None:
    result = look(section, "Ibáñez Soto, Ana;WFM;;77;2050;;Alfil;3;\n")
    (row,) = result.changed
    assert [(change.field, change.old, change.new) for change in row.changes] == [
        ("name", "Ibáñez, Ana", "Ibáñez Soto, Ana"),
        ("title", "", "WFM"),
        ("rating", 2000, 2050),
        ("official_rating", None, 2050),
        ("club", "", "Alfil"),
        ("byes", (), (3,)),
    ]
    assert (row.entry.federation, row.entry.birth_date) == ("ESP", "1990/05/06")


def test_official_rating_that_was_equal_to_the_rating_stays_equal(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Anna"].pk).update(official_rating=2000)
    (row,) = look(section, "Ibáñez, Ana;;;;2050;;;;\n").changed
    assert (row.entry.rating, row.entry.official_rating) == (2050, 2050)
    Participant.objects.filter(pk=section.people["Anna"].pk).update(official_rating=1990)
    (row,) = look(section, "Ibáñez, Ana;;;;2050;;;;\n").changed
    assert (row.entry.rating, row.entry.official_rating) == (2050, 1990)


def test_source_of_a_rating_is_the_file_if_the_file_changes_the_rating(section: MadeSection) -> None:
    """VCL4THP.13 Q134."""
    Participant.objects.filter(pk=section.people["Anna"].pk).update(
        rating_source="standard", rating_list="2026-11"
    )
    (row,) = look(section, "Ibáñez, Ana;;;;2033;;;;\n").changed
    assert (row.entry.rating_source, row.entry.rating_list) == ("file", "")
    (row,) = look(section, "Ibáñez, Ana;;;;2000;;SC;;\n").changed
    assert (row.entry.rating_source, row.entry.rating_list) == ("standard", "2026-11")


def test_blank_cells_change_nothing(section: MadeSection) -> None:
    result = look(section, "Ibáñez, Ana;;;77;;;;;\n")
    assert [(row.number, row.changes) for row in result.same] == [(2, ())]
    assert result.rows == ()


def test_existing_bye_is_no_change(section: MadeSection) -> None:
    add_bye(section, "Bert", 2, "H")
    result = look(section, "Müller, Bert;;;;;;;2;\n")
    assert len(result.same) == 1


def test_players_without_a_rating_are_refused_or_get_the_provisional_one(section: MadeSection) -> None:
    text = "Menon, Vivek;;;;0;;;;\nGreco, Sara;;;;;;;;\nMüller, Bert;;;;;;SC;;\n"
    result = look(section, text)
    assert [reasons for _, _, reasons in refusals(result)] == [
        ["There is no rating. Enter one, or give a provisional rating to all players without one."]
    ] * 2
    assert (result.no_rating, len(result.changed)) == (2, 1)
    result = look(section, text, unrated=1400)
    assert [
        (row.entry.rating, row.entry.rating_source, row.entry.official_rating) for row in result.added
    ] == [(1400, "provisional", None)] * 2
    assert all(row.provisional for row in result.added)


def test_refused_row_keeps_the_data_of_the_player(section: MadeSection) -> None:
    (row,) = look(section, "Broken, Row;gm;HOL;81241687;2l78;;;;\n").refused
    assert row.cells == {
        ListColumn.NAME: "Broken, Row",
        ListColumn.TITLE: "gm",
        ListColumn.FEDERATION: "HOL",
        ListColumn.FIDE_ID: "81241687",
        ListColumn.RATING: "2l78",
    }
    assert [(reason.code, reason.cells, reason.suggestion) for reason in row.reasons] == [
        ("federation_hint", (ListColumn.FEDERATION,), "NED"),
        ("rating", (ListColumn.RATING,), "2178"),
    ]


def test_corrected_cells_are_read_instead_of_those_of_the_file(section: MadeSection) -> None:
    table = read_entries(
        (HEAD + "Broken, Row;;HOL;;2l78;;;;\nMenon, Vivek;;;;;;;;\nMüller, Bert;;;;;;;9;\n").encode()
    )
    corrections = {
        2: {ListColumn.FEDERATION: "NED", ListColumn.RATING: "2178"},
        3: {ListColumn.RATING: "1500"},
        4: {ListColumn.BYES: ""},
    }
    result = entry_list_preview(section.row, corrected_list(table, corrections))
    assert result.refused == ()
    assert [
        (row.entry.name, row.entry.federation, row.entry.rating, row.corrected) for row in result.added
    ] == [
        ("Broken, Row", "NED", 2178, (ValueChange("Fed", "HOL", "NED"), ValueChange("Elo", "2l78", "2178"))),
        ("Menon, Vivek", "", 1500, (ValueChange("Elo", "", "1500"),)),
    ]
    assert [(row.number, row.corrected) for row in result.same] == [(4, (ValueChange("Bye", "9", ""),))]


def test_column_that_the_file_does_not_have_can_be_corrected(section: MadeSection) -> None:
    table = read_entries(b"Name;Rating\nSmit, Jan;1500\nSmit, Jan;1600\n")
    result = entry_list_preview(
        section.row, corrected_list(table, {2: {ListColumn.FIDE_ID: "98"}, 3: {ListColumn.FIDE_ID: "99"}})
    )
    assert ([row.entry.fide_id for row in result.added], result.refused) == ([98, 99], ())
    assert [row.corrected for row in result.added] == [
        (ValueChange("FIDE ID", "", "98"),),
        (ValueChange("FIDE ID", "", "99"),),
    ]


def test_reason_names_the_cells_that_can_be_corrected(section: MadeSection) -> None:
    """A reason without a cell needs another file or a change of the section."""
    text = "Menon, Vivek;;;77;1500;;;;\nGreco, Sara;;;;;;;7;\nConti, Luca;;;;1500;;;;\nConti, Luca;;;9;1500;;;;\n"
    found = {reason.code: reason.cells for row in look(section, text).refused for reason in row.reasons}
    assert found == {
        "id_of_other": (ListColumn.FIDE_ID,),
        "no_rating": (ListColumn.RATING,),
        "bye_round": (ListColumn.BYES,),
        "same_name": (ListColumn.FIDE_ID, ListColumn.BIRTH_DATE),
    }


DATES = "Menon, Vivek;;;;1500;12-05-1988;;;\nGreco, Sara;;;;1500;03/04/1990;;;\n"


def test_dates_that_can_be_read_in_two_ways_are_refused_until_the_order_is_known(
    section: MadeSection,
) -> None:
    result = look(section, DATES)
    assert (len(result.refused), result.two_ways) == (2, ("12-05-1988", "03/04/1990"))
    for day_first, expected in ((True, ["1988/05/12", "1990/04/03"]), (False, ["1988/12/05", "1990/03/04"])):
        result = entry_list_preview(section.row, read_entries((HEAD + DATES).encode()), day_first=day_first)
        assert [row.entry.birth_date for row in result.added] == expected
        assert result.two_ways == ()


def test_one_date_with_a_day_over_12_shows_the_order_of_all_dates(section: MadeSection) -> None:
    result = look(section, DATES + "Conti, Luca;;;;1500;23/01/1989;;;\n")
    assert [row.entry.birth_date for row in result.added] == ["1988/05/12", "1990/04/03", "1989/01/23"]


def test_byes_that_cannot_be_given_are_refused(section: MadeSection) -> None:
    add_round(section, 1, "Anna 1-0 Bert", Round.State.PUBLISHED)
    Participant.objects.filter(pk=section.people["Carl"].pk).update(half_bye_allowed=False)
    result = look(section, "Menon, Vivek;;;;1500;;;1,9;\nWeiß, Carl;;;;;;;3;\n")
    assert refusals(result) == [
        (
            2,
            "Menon, Vivek",
            [
                "Bye: round 1 is already paired. Remove this round.",
                "Bye: there is no round 9. The section has 5 rounds.",
            ],
        ),
        (3, "Weiß, Carl", ["Bye: this player may not request half-point byes. Remove round 3."]),
    ]


def test_fide_id_of_another_section_of_the_event_is_known(section: MadeSection) -> None:
    event = section.row.event
    Player.objects.create(event=event, name="Conti, Luca", fide_id=9)
    assert len(look(section, "Conti, L.;;;9;1500;;;;\n").added) == 1
    for text in ("Menon, Vivek;;;9;1500;;;;\n", "Müller, Bert;;;9;;;;;\n"):
        assert [reasons for _, _, reasons in refusals(look(section, text))] == [
            ["This FIDE ID belongs to Conti, Luca in this event. Correct the ID, or compare the two."]
        ]


def test_nobody_is_added_once_all_rounds_are_paired(section: MadeSection) -> None:
    Section.objects.filter(pk=section.row.pk).update(rounds=1)
    add_round(section, 1, "Anna 1-0 Bert", Round.State.PUBLISHED)
    assert refusals(look(section, "Menon, Vivek;;;;1500;;;;\n")) == [
        (2, "Menon, Vivek", ["All rounds are paired (1), so nobody can be added."])
    ]
    assert len(look(section, "Ibáñez, Ana;WFM;;;;;;;\n").changed) == 1


def test_simpler_spelling_does_not_replace_a_name(section: MadeSection) -> None:
    for name in ("IBÁÑEZ, ANA", "Ibanez, Ana", "Ana Ibáñez"):
        assert len(look(section, f"{name};;;77;;;;;\n").same) == 1
    (row,) = look(section, "Weiss, Carl;;;;;;SC;;\n").changed
    assert row.entry.name == "Weiß, Carl"


def test_player_added_to_a_running_section_plays_from_the_next_round(section: MadeSection) -> None:
    add_round(section, 1, "Anna 1-0 Bert", Round.State.PUBLISHED)
    assert look(section, "Menon, Vivek;;;;1500;;;;\n").added[0].entry.first_round == 2


def test_what_the_preview_shows_is_what_the_import_does(section: MadeSection) -> None:
    text = (
        "Ibáñez, Ana;WFM;;77;2050;;;2;\n"
        "Menon, Vivek;;IND;5;1500;;;1,3;\n"
        "Greco, Sara;;;;;;;;\n"
        "Müller, Bert;;;;;;;;\n"
        "Broken, Row;;DNK;;1500;;;;\n"
    )
    result = look(section, text, unrated=1300)
    assert [len(rows) for rows in (result.refused, result.changed, result.added, result.same)] == [1, 1, 2, 1]
    outcome = import_entries(
        actor=Actor.command(),
        section_id=section.row.pk,
        rows=result.rows,
        proceed=True,
        seen_revision=result.revision,
    )
    assert (len(outcome.added), len(outcome.changed)) == (2, 1)
    again = look(section, text, unrated=1300)
    assert [len(rows) for rows in (again.refused, again.changed, again.added, again.same)] == [1, 0, 0, 4]
    assert Bye.objects.count() == 3


@pytest.mark.parametrize("players", [5, 60])
def test_number_of_queries_does_not_depend_on_the_file(players: int) -> None:
    made = make_section({f"P{number}": 2000 for number in range(players)})
    section = Section.objects.get(pk=made.row.pk)
    table = read_entries((HEAD + "".join(f"P{n};;;;1500;;;;\n" for n in range(players))).encode())
    with CaptureQueriesContext(connection) as queries:
        entry_list_preview(section, table)
    assert len(queries) == 5
