"""Two arbiters act at the same moment: one succeeds, the other gets a refusal with a message."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from threading import Barrier

import pytest
from django.db import connection, connections

from pairing.rounds import pair_next_round, publish_round, unpair_round
from tests.factories import (
    EventFactory,
    GameFactory,
    ParticipantFactory,
    SectionFactory,
    UserFactory,
    entry_data,
    section_of,
)
from tests.waiting import LONG
from tournaments.actions.entries import add_participant, edit_participant, import_entries
from tournaments.actions.events import create_event
from tournaments.actions.ledger import Actor
from tournaments.actions.people import accept_invitation, invite_by_link
from tournaments.actions.results import record_result
from tournaments.actions.site import set_rights
from tournaments.entry_data import ImportRow
from tournaments.errors import Busy, DomainError
from tournaments.models import Bye, Event, Game, Participant, Round, Section, User

pytestmark = [pytest.mark.concurrency, pytest.mark.django_db(transaction=True)]
ACTOR = Actor.command()


def at_once(*jobs: Callable[[], object]) -> list[str]:
    """Run each job in a thread, all from the same moment on. Return "done" or the code of the refusal for each."""
    barrier = Barrier(len(jobs), timeout=LONG)

    def run(job: Callable[[], object]) -> str:
        try:
            connection.ensure_connection()
            barrier.wait()
            job()
        except DomainError as error:
            return error.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(len(jobs)) as pool:
        return [future.result() for future in [pool.submit(run, job) for job in jobs]]


def test_two_who_pair_at_once_get_one_round() -> None:
    section = section_of(21)
    outcomes = at_once(*[lambda: pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)] * 4)
    assert sorted(outcomes) == ["done", "stale_round", "stale_round", "stale_round"]
    assert (Round.objects.count(), Game.objects.count(), Bye.objects.count()) == (1, 10, 1)
    section.refresh_from_db()
    assert (section.revision, section.log.count()) == (1, 1)


def test_two_who_type_a_result_of_one_game_get_one_result() -> None:
    game = GameFactory()
    outcomes = at_once(
        lambda: record_result(actor=ACTOR, game_id=game.pk, result="1-0", seen_version=0),
        lambda: record_result(actor=ACTOR, game_id=game.pk, result="0-1", seen_version=0),
    )
    assert sorted(outcomes) == ["done", "stale_result"]
    game.refresh_from_db()
    assert (game.version, game.round.section.log.count()) == (1, 1)
    assert game.result == ("1-0" if outcomes[0] == "done" else "0-1")


def test_many_who_type_results_of_one_round_all_succeed() -> None:
    section = section_of(16)
    row = pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)
    publish_round(actor=ACTOR, round_id=row.pk, seen_version=0)
    games = list(row.games.all())
    jobs = [
        lambda game=game: record_result(actor=ACTOR, game_id=game.pk, result="1/2", seen_version=0)
        for game in games
    ]
    assert at_once(*jobs) == ["done"] * 8
    section.refresh_from_db()
    assert (section.revision, section.log.count()) == (10, 10)
    assert set(row.games.values_list("result", "version")) == {("1/2", 1)}


def test_round_is_published_or_unpaired_not_both() -> None:
    section = section_of(4)
    row = pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)
    outcomes = at_once(
        lambda: publish_round(actor=ACTOR, round_id=row.pk, seen_version=0),
        lambda: unpair_round(actor=ACTOR, round_id=row.pk, seen_version=0),
    )
    assert outcomes in (["done", "stale_version"], ["not_found", "done"])


def test_entries_from_two_desks_get_different_numbers() -> None:
    section = SectionFactory()
    jobs = [
        lambda n=n: add_participant(
            actor=ACTOR, section_id=section.pk, entry=entry_data(f"Desk, {n}", 1500 + 10 * n)
        )
        for n in range(6)
    ]
    assert at_once(*jobs) == ["done"] * 6
    numbers = list(section.participants.order_by("-rating").values_list("tpn", flat=True))
    assert numbers == [1, 2, 3, 4, 5, 6]


def test_same_person_at_two_desks_is_entered_once() -> None:
    section = SectionFactory()
    entry = entry_data(fide_id=30968745)
    outcomes = at_once(
        *[lambda: add_participant(actor=ACTOR, section_id=section.pk, entry=entry)] * 2,
        lambda: import_entries(actor=ACTOR, section_id=section.pk, rows=[ImportRow(entry=entry)]),
    )
    assert sorted(set(outcomes) - {"import_refused"}) == ["already_entered", "done"]
    assert (outcomes.count("done"), Participant.objects.count()) == (1, 1)


def test_same_person_in_two_sections_at_once_is_one_player() -> None:
    one = SectionFactory()
    other = SectionFactory(event=one.event)
    entry = entry_data(fide_id=30968745)
    outcomes = at_once(
        *[
            lambda pk=section.pk: add_participant(actor=ACTOR, section_id=pk, entry=entry)
            for section in (one, other)
        ]
    )
    assert sorted(outcomes) == ["done", "two_sections_to_confirm"]
    asked = other if outcomes[0] == "done" else one
    add_participant(actor=ACTOR, section_id=asked.pk, entry=entry, both=True)
    assert one.event.players.count() == 1


def test_person_of_two_sections_is_edited_from_both() -> None:
    one = section_of(3)
    other = SectionFactory(event=one.event)
    first = one.participants.get(tpn=2)
    second = ParticipantFactory(section=other, player=first.player)
    outcomes = at_once(
        lambda: edit_participant(actor=ACTOR, participant_id=first.pk, entry=entry_data("Name, One", 2000)),
        lambda: edit_participant(actor=ACTOR, participant_id=second.pk, entry=entry_data("Name, Two", 2000)),
    )
    assert outcomes == ["done", "done"]
    for section in Section.objects.all():
        assert section.revision == section.log.count()


def test_two_events_with_one_name_get_two_addresses() -> None:
    day = date(2026, 10, 17)
    jobs = [lambda: create_event(actor=ACTOR, name="Open", start=day, end=day)] * 4
    assert at_once(*jobs) == ["done"] * 4
    assert sorted(Event.objects.values_list("slug", flat=True)) == ["open", "open-2", "open-3", "open-4"]


def test_two_who_accept_one_link_at_once_get_one_role() -> None:
    event = EventFactory()
    made, _token = invite_by_link(actor=ACTOR, event=event, role="arbiter")
    people = [Actor(UserFactory()), Actor(UserFactory())]
    outcomes = at_once(
        *[lambda actor=actor: accept_invitation(actor=actor, invitation=made) for actor in people]
    )
    assert sorted(outcomes) == ["done", "not_found"]
    assert event.roles.get().user == people[outcomes.index("done")].user


def test_two_site_owners_who_remove_each_other_at_once_leave_one() -> None:
    one, two = UserFactory(site_owner=True), UserFactory(site_owner=True)
    outcomes = at_once(
        *[
            lambda user=user: set_rights(actor=ACTOR, changes={user.pk: {"site_owner": False}})
            for user in (one, two)
        ]
    )
    assert sorted(outcomes) == ["done", "last_site_owner"]
    assert User.objects.filter(site_owner=True).count() == 1


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL has no lock of the whole database")
def test_database_that_stays_locked_is_a_refusal() -> None:
    section = section_of(2)
    connection.ensure_connection()
    other = connection.get_new_connection(connection.get_connection_params())
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 50")
    other.execute("BEGIN IMMEDIATE")
    try:
        with pytest.raises(Busy):
            pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)
    finally:
        other.close()
    assert Round.objects.count() == 0
    pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)


def test_person_is_edited_while_results_come_in_elsewhere() -> None:
    one = section_of(3)
    other = section_of(1, event=one.event)
    person = one.participants.get(tpn=2)
    entry = ParticipantFactory(section=other, player=person.player)
    game = GameFactory(round__section=other, white=entry, black=other.participants.get(tpn=1))
    outcomes = at_once(
        lambda: edit_participant(actor=ACTOR, participant_id=person.pk, entry=entry_data("Name, One", 2000)),
        lambda: record_result(actor=ACTOR, game_id=game.pk, result="1-0", seen_version=0),
        lambda: edit_participant(actor=ACTOR, participant_id=entry.pk, entry=entry_data("Name, Two", 2000)),
    )
    assert outcomes == ["done"] * 3
