"""A player's row of a round is the one that the list of the round has."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from evenboard_engine import ByeKind
from tests.browser.states import table
from tests.queries.sections import MadeSection, make_section
from tournaments.models import Participant, Round, Section
from tournaments.queries.player_card import PublicSeat, public_seat
from tournaments.queries.rounds import round_board_list


def listed(section: Section, number: int) -> dict[int, PublicSeat]:
    """Return the seats of all players, read from the list of the round."""
    view = round_board_list(section, number)
    seats = {
        side.participant_id: PublicSeat(side, row.board, row.white, row.black, row.result)
        for row in view.boards
        for side in (row.white, row.black)
    }
    seats |= {row.side.participant_id: PublicSeat(row.side, bye=row.kind) for row in view.byes}
    return seats | {row.side.participant_id: PublicSeat(row.side) for row in view.out if not row.withdrawn}


def test_a_seat_is_the_row_of_the_list(section: MadeSection) -> None:
    """In each round: boards with and without a result, forfeits, byes, and players who are not paired."""
    rounds = range(1, 4)
    for number in rounds:
        expected = listed(section.row, number)
        assert {key: public_seat(section.row, number, key) for key in expected} == expected


def test_a_seat_has_the_points_of_late_entries_and_of_absences(db: None) -> None:
    section = make_section(
        {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700},
        "Anna 1-0 Bert; Carl H",
        "Carl +:- Anna; Bert U",
        "Dora 1/2 Anna",
    )
    Participant.objects.filter(pk=section.people["Dora"].pk).update(first_round=2)
    for number in (1, 2, 3):
        expected = listed(section.row, number)
        assert {key: public_seat(section.row, number, key) for key in expected} == expected
    late = section.people["Dora"].pk
    with pytest.raises(Participant.DoesNotExist):
        public_seat(section.row, 1, late)


def test_a_seat_in_a_round_robin_counts_what_the_standings_count(db: None) -> None:
    section = table()
    for number in (1, 9):
        expected = listed(section, number)
        assert {key: public_seat(section, number, key) for key in expected} == expected
    with pytest.raises(Participant.DoesNotExist):
        public_seat(section, 1, 0)


def test_a_seat_costs_at_most_six_queries(section: MadeSection) -> None:
    bert = next(row.side.participant_id for row in round_board_list(section.row, 3).byes)
    for key, most in ((section.people["Anna"].pk, 5), (bert, 6)):
        with CaptureQueriesContext(connection) as queries:
            public_seat(section.row, 3, key)
        assert len(queries) == most


def test_nobody_learns_a_seat_of_a_draft_or_of_another_section(db: None) -> None:
    section = make_section({"Anna": 2000, "Bert": 1900}, "Anna . Bert", draft=True)
    with pytest.raises(Round.DoesNotExist):
        public_seat(section.row, 1, section.people["Anna"].pk)
    other = make_section({"Carl": 2000, "Dora": 1900, "Emil": 1800}, "Carl . Dora; Emil U")
    with pytest.raises(Participant.DoesNotExist):
        public_seat(other.row, 1, section.people["Anna"].pk)
    assert public_seat(other.row, 1, other.people["Emil"].pk).bye is ByeKind.ALLOCATED
