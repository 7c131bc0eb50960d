"""A list needs the same number of database queries for 5 players and for 60."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.queries.sections import MadeSection, big_section
from tests.shared_rows import SharedRows
from tournaments.files import lists, report_writing
from tournaments.models import Section, User
from tournaments.queries.aro_list import aro_list, checklist
from tournaments.queries.certificates import certificates
from tournaments.queries.cockpit import cockpit
from tournaments.queries.crosstables import crosstable
from tournaments.queries.entries import entry_list, player_list
from tournaments.queries.events import (
    EventSearch,
    event_overview,
    first_events,
    found_events,
    section_states,
)
from tournaments.queries.fairness import fairness
from tournaments.queries.log import log_page
from tournaments.queries.player_card import player_card
from tournaments.queries.prizes import prize_list
from tournaments.queries.rounds import name_list, round_board_list
from tournaments.queries.standings import section_sums, standings_table

LISTS: dict[str, tuple[int, Callable[[Section], Any]]] = {
    "boards": (4, lambda t: round_board_list(t, 2, include_drafts=True)),
    "names": (4, lambda t: name_list(t, 2)),
    "standings": (4, standings_table),
    "sums": (4, lambda t: section_sums(t).of(0)),
    "aro": (4, aro_list),
    "checklist": (4, checklist),
    "crosstable": (4, crosstable),
    "fairness": (4, fairness),
    "card": (4, lambda t: player_card(t.first_participant)),
    "entries": (4, entry_list),
    "players": (1, player_list),
    "cockpit": (12, cockpit),
    "log": (1, log_page),
    "home": (2, lambda _: first_events(AnonymousUser())),
    "events found": (2, lambda _: found_events(AnonymousUser(), EventSearch(), 1)),
    "event": (1, lambda t: event_overview(t.event, AnonymousUser())),
    "menu of sections": (2, lambda t: section_states(t.event, User(is_superuser=True))),
    "report": (11, report_writing.tournament_report),
    "standings as CSV": (4, lists.standings_csv),
    "prizes": (4, prize_list),
    "certificates": (4, certificates),
    "prizes as CSV": (4, lists.prizes_csv),
    "ARO list as CSV": (4, lambda t: lists.aro_csv(aro_list(t))),
    "pairings as CSV": (4, lambda t: lists.pairings_csv(t, 2)),
    "crosstable as CSV": (4, lists.crosstable_csv),
    "players as CSV": (1, lists.players_csv),
    "entries as CSV": (4, lists.entries_csv),
}


SIZES = (5, 60)


@pytest.fixture(scope="module", autouse=True)
def made(shared_rows: SharedRows) -> Iterator[dict[int, MadeSection]]:
    with shared_rows(lambda: {players: big_section(players) for players in SIZES}) as sections:
        yield sections


@pytest.mark.django_db
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("players", SIZES)
def test_queries_do_not_grow_with_the_field(name: str, players: int, made: dict[int, MadeSection]) -> None:
    expected, query = LISTS[name]
    section = Section.objects.select_related("event").get(pk=made[players].row.pk)
    section.first_participant = made[players].people["P0"]
    section.first_participant.section = section
    with CaptureQueriesContext(connection) as queries:
        query(section)
    assert len(queries) == expected
