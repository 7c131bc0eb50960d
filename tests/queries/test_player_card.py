from __future__ import annotations

from evenboard_engine import ByeKind, Colour, Outcome
from evenboard_engine.preference import Preference, Strength
from evenboard_engine.tiebreaks import read_list
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.models import Participant
from tournaments.queries.field import load_field
from tournaments.queries.player_card import places_cache, player_card
from tournaments.queries.standings import standings_of, standings_table


def test_a_card_has_all_rounds(section: MadeSection) -> None:
    card = player_card(section.people["Dora"])
    assert [
        (row.turn.round, row.opponent and row.opponent.name, row.turn.colour, row.turn.outcome, row.total)
        for row in card.rows
    ] == [
        (1, "Bert", Colour.WHITE, Outcome.DRAW, 5),
        (2, "Carl", Colour.WHITE, Outcome.FORFEIT_WIN, 15),
        (3, "Anna", Colour.BLACK, None, None),
    ]
    assert (card.place, card.players, card.points, card.games, card.aro) == (4, 5, 15, 1, 1900)
    assert (card.whites, card.blacks, card.colours) == (1, 0, (Colour.WHITE, None, None))
    assert (card.due, card.due_round) == (Preference(Colour.BLACK, Strength.STRONG), 3)


def test_a_colour_is_due_in_the_next_round_when_the_last_game_is_over(section: MadeSection) -> None:
    card = player_card(section.people["Bert"])
    assert (card.due_round, card.rows[-1].turn.open) == (4, False)


def test_a_card_counts_byes(section: MadeSection) -> None:
    card = player_card(section.people["Bert"])
    assert [(row.turn.bye, row.turn.gained, row.total) for row in card.rows] == [
        (None, 5, 5),
        (ByeKind.HALF, 5, 10),
        (ByeKind.ALLOCATED, 10, 20),
    ]


def test_only_arbiters_see_requested_byes(section: MadeSection) -> None:
    add_bye(section, "Anna", 4, "H")
    assert player_card(section.people["Anna"]).byes == ()
    assert player_card(section.people["Anna"], include_drafts=True).byes == ((4, ByeKind.HALF),)


def test_a_draft_is_not_on_the_public_card(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna 1-0 Bert", "Bert . Anna", draft=True)
    assert len(player_card(section.people["Anna"]).rows) == 1
    assert len(player_card(section.people["Anna"], include_drafts=True).rows) == 2


def test_a_player_who_has_left_is_not_due_a_colour(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Eva"].pk).update(status="withdrawn")
    card = player_card(Participant.objects.get(pk=section.people["Eva"].pk))
    assert card.due is None
    assert card.withdrawn


def test_an_expelled_player_has_no_rank(section: MadeSection) -> None:
    Participant.objects.filter(pk=section.people["Eva"].pk).update(status="expelled")
    card = player_card(Participant.objects.get(pk=section.people["Eva"].pk))
    assert (card.place, card.expelled, card.points) == (None, True, 15)


def test_a_card_says_what_each_round_did_to_the_place(section: MadeSection) -> None:
    """From the starting list to the standings after each round; the places are those of the standings."""
    for name, entry in section.people.items():
        rows = [row for row in player_card(entry).rows if not row.turn.open]
        tables = [standings_table(section.row, row.turn.round) for row in rows]
        places = [
            place for found in tables for place in (one.place for one in found.rows if one.name == name)
        ]
        assert [row.place for row in rows] == places, name
        before = [entry.tpn, *places[:-1]]
        assert [row.gained for row in rows] == [old - new for old, new in zip(before, places, strict=True)], (
            name
        )
    assert player_card(section.people["Anna"]).provisional


def test_a_card_has_the_aros_and_the_performance(section: MadeSection) -> None:
    card = player_card(section.people["Dora"])
    assert [(row.opponent_aro, row.aro) for row in card.rows] == [(1700, 1900), (1800, None), (1701, None)]
    for name, entry in section.people.items():
        performances = standings_of(load_field(section.row), read_list("TPR")).rows
        assert player_card(entry).performance == next(
            row.values[0] for row in performances if row.name == name
        )


def test_places_of_past_rounds_follow_a_correction(section: MadeSection) -> None:
    """They are kept between two visits, by the rows from which they were made."""
    player_card(section.people["Anna"])
    game = section.game(1, 1)
    game.result = "0-1" if game.result == "1-0" else "1-0"
    game.save()
    corrected = {name: player_card(entry).rows for name, entry in section.people.items()}
    places_cache.clear()
    assert {name: player_card(entry).rows for name, entry in section.people.items()} == corrected
    assert corrected["Anna"][0].place != 1
