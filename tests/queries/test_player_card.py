from __future__ import annotations

from pairing.engine import ByeKind, Colour, Outcome
from pairing.engine.preference import Preference, Strength
from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.models import Participant
from tournaments.queries.player_card import player_card


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
