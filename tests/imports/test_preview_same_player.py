"""Rows of a list that mean the same player, or a player whom the event has already."""

from __future__ import annotations

import pytest

from tests.queries.sections import MadeSection
from tournaments.actions.entries import import_entries
from tournaments.actions.ledger import Actor
from tournaments.files.entry_preview import ValueChange
from tournaments.models import Player

from .previews import choose, identify, look, refusals

pytestmark = pytest.mark.django_db


def test_the_same_player_twice_is_refused_the_second_time(section: MadeSection) -> None:
    text = (
        "Menon, Vivek;;;5;1500;;;;\n"
        "Menon, V.;;;5;1500;;;;\n"
        "Greco, Sara;;;;1500;1990;;;\n"
        "GRECO, Sara;;;;1500;1990;;;\n"
        "Conti, Luca;;;;1500;;;;\n"
        "Conti, Luca;;;9;1500;;;;\n"
        "Smit, Jan;;;;1500;1980;;;\n"
        "Smit, Jan;;;;1500;2010;;;\n"
        "Müller, Bert;;;;1500;;;;\n"
        "Bert Müller;;;;;1980/01/02;;;\n"
    )
    result = look(section, text)
    assert refusals(result) == [
        (3, "Menon, V.", ["Row 2 has the same FIDE ID. Correct this one, or keep one of the two rows."]),
        (5, "GRECO, Sara", ["Row 4 is the same player. Keep one of the two rows."]),
        (
            7,
            "Conti, Luca",
            ["Row 6 has the same name. Keep one of the two rows, unless they are two players."],
        ),
        (
            11,
            "Bert Müller",
            ["Row 10 has the same name. Keep one of the two rows, unless they are two players."],
        ),
    ]
    assert [row.number for row in result.added] == [2, 4, 6, 8, 9]


THREE = (
    "Menon, Vivek;;;5;1500;;;;\nMenon, V.;;;5;1600;;;;\nMenon, Viv;;;5;1700;;;;\nGreco, Sara;;;;1500;;;;\n"
)


@pytest.mark.parametrize(
    ("choices", "kept", "left"),
    [
        ((), 2, {3, 4}),
        (("keep-4",), 4, {2, 3}),
        (("keep-4", "keep-3"), 3, {2, 4}),
        (("keep-4", "ask-4"), 2, {3, 4}),
        (("keep-99", "keep", "keep-3-5", "drop-3"), 2, {3, 4}),
    ],
)
def test_of_rows_for_one_player_the_arbiter_keeps_one(
    section: MadeSection, choices: tuple[str, ...], kept: int, left: set[int]
) -> None:
    result = choose(section, THREE, *choices)
    assert [(row.number, row.also) for row in result.added] == [(kept, tuple(sorted(left))), (5, ())]
    chosen = (
        kept != 2
    )  # without a choice the first row is taken, and the arbiter must decide about the others
    others, none = (result.left, result.refused) if chosen else (result.refused, result.left)
    assert [(row.number, row.reasons[0].params["row"]) for row in others] == [
        (number, kept) for number in sorted(left)
    ]
    assert none == ()


def test_two_rows_of_one_name_can_be_two_players(section: MadeSection) -> None:
    text = "Conti, Luca;;;;1500;;;;\nConti, Luca;;;9;1600;;;;\nMüller, Bert;;;;;;SC;;\nMüller, Bert;;;;1700;;;;\n"
    assert [row.number for row in choose(section, text).refused] == [3, 5]
    result = choose(section, text, "apart-3", "apart-5")
    assert result.refused == ()
    assert [row.number for row in result.added] == [2, 3, 5]
    assert [row.number for row in result.changed] == [4]


def test_row_with_the_fide_id_of_an_entry_is_the_same_player_if_the_arbiter_says_so(
    section: MadeSection,
) -> None:
    anna = section.people["Anna"]
    text = "Menon, Vivek;;;77;1500;;;;\n"
    (row,) = choose(section, text).refused
    assert row.rivals == (anna,)
    result = choose(section, text, f"same-2-{anna.player_id}")
    (changed,) = result.changed
    assert (changed.row.participant_id, changed.chosen) == (anna.pk, "Ibáñez, Ana")
    assert ValueChange("name", "Ibáñez, Ana", "Menon, Vivek") in changed.changes
    assert len(choose(section, text, f"same-2-{anna.player_id}", "ask-2").refused) == 1
    assert len(choose(section, text, "same-2-999999").refused) == 1
    import_entries(
        actor=Actor.command(),
        section_id=section.row.pk,
        rows=result.rows,
        seen_revision=result.revision,
    )
    assert Player.objects.get(pk=anna.player_id).name == "Menon, Vivek"


def test_row_with_the_fide_id_of_another_section_keeps_the_name_there(section: MadeSection) -> None:
    player = Player.objects.create(event=section.row.event, name="Conti, Luca", fide_id=9)
    text = "Menon, Vivek;;;9;1500;;;;\n"
    assert choose(section, text).refused[0].rivals == (player,)
    result = choose(section, text, f"same-2-{player.pk}")
    (added,) = result.added
    assert (added.entry.name, added.chosen) == ("Conti, Luca", "Conti, Luca")
    import_entries(
        actor=Actor.command(),
        section_id=section.row.pk,
        rows=result.rows,
        seen_revision=result.revision,
    )
    assert section.row.participants.filter(player=player).count() == 1


def test_row_with_the_name_of_several_entries_means_the_one_that_the_arbiter_chooses(
    section: MadeSection,
) -> None:
    identify(section, "Carl", name="Müller, Bert")
    bert, carl = section.people["Bert"], section.people["Carl"]
    text = "Müller, Bert;;;;1500;;;;\n"
    assert {rival.pk for rival in choose(section, text).refused[0].rivals} == {bert.pk, carl.pk}
    (row,) = choose(section, text, f"same-2-{carl.player_id}").changed
    assert row.row.participant_id == carl.pk


def test_fide_id_of_another_player_is_refused(section: MadeSection) -> None:
    assert refusals(look(section, "Menon, Vivek;;;77;1500;;;;\n")) == [
        (
            2,
            "Menon, Vivek",
            ["This FIDE ID belongs to Ibáñez, Ana in this event. Correct the ID, or compare the two."],
        )
    ]


def test_name_that_two_entered_players_have_is_refused(section: MadeSection) -> None:
    identify(section, "Carl", name="Müller, Bert")
    assert refusals(look(section, "Müller, Bert;;;;1500;;;;\n")) == [
        (
            2,
            "Müller, Bert",
            ["Several entered players have this name. Add the FIDE ID or the birth date, or compare them."],
        )
    ]
    assert len(look(section, "Müller, Bert;;;;1500;1980;;;\n").changed) == 1
