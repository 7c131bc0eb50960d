"""The number of database queries of a page does not grow with the number of players."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import EventFactory, EventRoleFactory, section_of
from tests.shared_rows import SharedRows
from tests.web.staff.conftest import LogIn, address, paired, played
from tournaments.models import Bye, Event, Section, User

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def busy(event: Event, players: int, slug: str) -> Section:
    section = section_of(players, event=event, slug=slug)
    played(section)
    paired(section)
    entries = section.participants.order_by("-tpn")[: players // 4]
    Bye.objects.bulk_create(Bye(participant=entry, round_number=3, kind="H") for entry in entries)
    return section


@dataclass(frozen=True)
class Sections:
    few: Section
    many: Section
    arbiter: User


def sections() -> Sections:
    event = EventFactory()
    few, many = busy(event, 8, "few"), busy(event, 60, "many")
    return Sections(few, many, EventRoleFactory(event=event).user)


@pytest.fixture(scope="module", autouse=True)
def made(shared_rows: SharedRows) -> Iterator[Sections]:
    """A section with few players, and one with many."""
    with shared_rows(sections) as rows:
        yield rows


@pytest.fixture
def page(made: Sections, log_in: LogIn) -> Client:
    return log_in(made.arbiter)


def queries(page: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        assert page.get(path).status_code == 200
    return len(captured)


@pytest.mark.parametrize(
    ("rest", "most"),
    [
        ("cockpit/", 19),
        ("round/2/results/", 15),
        ("round/1/results/", 15),
        ("entries/", 16),
        ("entries/?q=surname&sort=name", 15),
        ("entries/equal/", 12),
        ("byes/", 15),
        ("check-in/", 12),
        ("absences/", 12),
        ("log/", 16),
        ("log/check/", 14),
        ("copies/", 12),
        ("copies/now/", 30),
        ("settings/", 15),
        ("close/", 14),
        ("documents/rating-changes/", 16),
        ("documents/norms/", 14),
        ("documents/", 15),
        ("checklist/", 14),
        ("documents/rating/", 14),
        ("report.trf", 26),
        ("round/2/compare/", 14),
        ("fairness/compare/", 16),
    ],
)
def test_page_asks_the_database_as_often_for_many_as_for_few(
    page: Client, made: Sections, rest: str, most: int
) -> None:
    counted = queries(page, address(made.few, rest))
    assert queries(page, address(made.many, rest)) == counted
    assert counted <= most


def test_entries_ask_no_more_in_an_event_with_many_sections(page: Client, made: Sections) -> None:
    """Both pages offer the sections to which a player can move."""
    entry = made.few.participants.earliest("pk")
    paths = [address(made.few, rest) for rest in ("entries/", f"entries/{entry.pk}/")]
    queries(page, paths[0])  # the first request of a session also asks whose it is
    counted = [queries(page, path) for path in paths]
    for _ in range(3):
        section_of(0, event=made.few.event)
    assert [queries(page, path) for path in paths] == counted


@pytest.mark.parametrize("rest", ["round/1/pairings/", "crosstable/", "players/3/"])
def test_page_with_a_link_at_each_result_asks_no_more_for_many(
    page: Client, made: Sections, rest: str
) -> None:
    """The first page of an event also asks from what public pages are made."""
    counted = queries(page, address(made.few, rest))
    assert queries(page, address(made.many, rest)) <= counted <= 15


def test_home_asks_as_often_for_many_events(page: Client) -> None:
    queries(page, "/")  # the first request of a session also asks whose it is
    few = queries(page, "/")
    for _ in range(5):
        section_of(4)
    assert queries(page, "/") == few


@pytest.mark.parametrize(
    ("rest", "most"),
    [("cockpit/", 6), ("entries/", 5), *((each, 4) for each in ("check-in/", "absences/", "byes/"))],
)
def test_page_that_asks_by_itself_costs_few_queries_while_nothing_changed(
    page: Client, made: Sections, rest: str, most: int
) -> None:
    """Session, user, section with its event, role; who waits for an arbiter; for the cockpit what waits on devices."""
    section = Section.objects.select_related("event").get(pk=made.many.pk)
    path = address(section, f"{rest}?seen={section.revision}")
    with CaptureQueriesContext(connection) as captured:
        assert page.get(path, headers={"HX-Request": "true"}).status_code == 204
    assert len(captured) == most


@pytest.mark.parametrize(("rest", "most"), [("statistics/", 13), ("print/final-report/", 25)])
def test_page_of_the_end_asks_the_database_as_often_for_many_as_for_few(
    page: Client, made: Sections, rest: str, most: int
) -> None:
    page.get(address(made.few, "players/"))  # the first request also asks whether the session is still there
    counted = queries(page, address(made.few, rest))
    assert queries(page, address(made.many, rest)) == counted
    assert counted <= most
