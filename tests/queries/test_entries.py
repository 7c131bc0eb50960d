from __future__ import annotations

import pytest

from tests.queries.sections import add_bye, add_round, make_section
from tournaments.models import Participant, Round
from tournaments.queries.entries import entry_list, player_list

pytestmark = pytest.mark.django_db

FIVE = {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700, "Eva": 1600}


def test_entries_are_by_number_with_byes_and_whether_paired() -> None:
    section = make_section(FIVE, "Anna 1-0 Bert; Carl U; Dora H")
    add_bye(section, "Eva", 4, "Z")
    add_bye(section, "Eva", 2, "H")
    Participant.objects.filter(player__name="Bert").update(status="withdrawn")
    entries = entry_list(section.row)
    assert [
        (row.name, row.paired, [(bye.round_number, bye.kind) for bye in row.byes]) for row in entries.rows
    ] == [
        ("Anna", True, []),
        ("Bert", True, []),
        ("Carl", True, []),
        ("Dora", True, [(1, "H")]),
        ("Eva", False, [(2, "H"), (4, "Z")]),
    ]
    assert (entries.active, entries.withdrawn, entries.expelled, entries.numbers_frozen) == (4, 1, 0, False)
    assert (entries.equal_ratings, entries.next_round) == (False, 2)


def test_numbers_are_frozen_once_round_4_is_paired() -> None:
    section = make_section(FIVE, *["Anna 1-0 Bert"] * 3)
    assert not entry_list(section.row).numbers_frozen
    add_round(section, 4, "Anna . Bert", Round.State.DRAFT)
    assert entry_list(section.row).numbers_frozen


def test_entries_without_a_number_come_last() -> None:
    section = make_section(FIVE)
    Participant.objects.filter(player__name="Anna").update(tpn=None)
    assert [row.name for row in player_list(section.row)] == ["Bert", "Carl", "Dora", "Eva", "Anna"]


def test_the_public_list_has_no_birth_date_and_no_note() -> None:
    section = make_section(FIVE)
    row = player_list(section.row)[0]
    assert {"birth_date", "note", "fide_id"} & set(row.__slots__) == set()
