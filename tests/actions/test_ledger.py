"""What each action does: one transaction, one lock, one row in the log."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, ExitStack, contextmanager
from unittest.mock import patch

import pytest
from django.db import OperationalError, connection, connections
from psycopg import errors

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import SectionFactory, UserFactory, section_of
from tournaments.actions.entries import import_entries, remove_participant
from tournaments.actions.ledger import Actor, LogEntry, act, act_on_event, transaction_or_busy
from tournaments.actions.site import note
from tournaments.declarations.events import EDIT_EVENT
from tournaments.declarations.rounds import END_MANUAL_PHASE
from tournaments.declarations.site import SET_RIGHTS
from tournaments.errors import REFUSALS, Busy, DomainError, NotFound, Stale
from tournaments.models import ActionLog, Integrity, Section, SiteLog

pytestmark = pytest.mark.django_db


def test_action_writes_one_row_and_raises_the_revision_by_one(actor: Actor) -> None:
    section = SectionFactory(revision=4)
    with (
        one_step(section, "end_manual_phase") as logged,
        act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE) as entry,
    ):
        entry.before, entry.after = {"a": 1}, {"a": 2}
        entry.subject, entry.reason = "subject", "reason"
        entry.round_number, entry.integrity = 3, Integrity.MANUAL
    (row,) = logged
    assert (row.event, row.user, row.who, row.origin) == (
        section.event,
        actor.user,
        "arbiter",
        "192.0.2.1",
    )
    assert (row.before, row.after, row.subject, row.reason) == ({"a": 1}, {"a": 2}, "subject", "reason")
    assert (row.round_number, row.integrity, row.revision) == (3, "manual", 5)


def test_action_that_fails_leaves_nothing(actor: Actor) -> None:
    section = SectionFactory()
    with refused("busy"), act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE) as entry:
        entry.section.name = "other"
        entry.section.save()
        raise REFUSALS["busy"].error()


def test_action_without_change_leaves_nothing(actor: Actor) -> None:
    section = SectionFactory()
    with unchanged(), act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE) as entry:
        entry.unchanged = True


def test_action_on_a_stale_view_is_refused(actor: Actor) -> None:
    section = SectionFactory(revision=4)
    with (
        refused("stale", seen=3, revision=4),
        act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE, seen_revision=3),
    ):
        pytest.fail("must not run")


def test_action_on_a_closed_section_is_refused(actor: Actor) -> None:
    section = SectionFactory(status=Section.Status.CLOSED)
    with refused("section_closed"), act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE):
        pytest.fail("must not run")
    with act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE, allow_closed=True):
        pass


@pytest.mark.parametrize("missing", [0, -1, 10**30])
def test_action_on_a_missing_section_is_refused(actor: Actor, missing: int) -> None:
    with (
        refused("not_found", kind="section", id=missing),
        act(section_id=missing, actor=actor, action=END_MANUAL_PHASE),
    ):
        pytest.fail("must not run")
    with refused("not_found", kind="event"), act_on_event(event_id=missing, actor=actor, action=EDIT_EVENT):
        pytest.fail("must not run")


def test_action_on_an_event_has_no_revision(actor: Actor) -> None:
    section = SectionFactory()
    with act_on_event(event_id=section.event_id, actor=actor, action=EDIT_EVENT):
        pass
    row = ActionLog.objects.get()
    assert (row.event, row.section, row.revision) == (section.event, None, 0)


def test_actor_is_named_by_the_full_name() -> None:
    assert Actor(user=UserFactory(first_name="Joost", last_name="van der Meer")).name == "Joost van der Meer"
    assert Actor(user=UserFactory(username="joost")).name == "joost"
    assert (Actor.command().name, Actor.command().user) == ("command", None)


def test_long_names_and_addresses_fit_into_the_log() -> None:
    user = UserFactory(first_name="A" * 150, last_name="B" * 150)
    section = SectionFactory()
    with act(section_id=section.pk, actor=Actor(user, "x" * 100), action=END_MANUAL_PHASE):
        pass
    note(Actor(user, "x" * 100), SET_RIGHTS)
    for model in (ActionLog, SiteLog):
        row = model.objects.get()
        assert (row.who, row.origin) == ("A" * 150, "x" * 60)


@pytest.mark.parametrize(
    "cause", [errors.SerializationFailure(), errors.DeadlockDetected(), errors.LockNotAvailable()]
)
def test_lost_race_on_postgresql_is_a_refusal(cause: Exception) -> None:
    with pytest.raises(Busy) as caught, transaction_or_busy():
        raise OperationalError("lost") from cause
    assert caught.value.status == 503


def test_other_errors_of_the_database_are_raised() -> None:
    with pytest.raises(OperationalError), transaction_or_busy():
        raise OperationalError("disk full") from errors.DiskFull()


def test_stale_missing_and_wrong_have_different_statuses() -> None:
    assert [kind.status for kind in (DomainError, Stale, NotFound, Busy)] == [422, 409, 404, 503]


def test_error_takes_exactly_its_parameters() -> None:
    assert str(REFUSALS["round_finished"].error(round=3)) == "round_finished(round=3)"
    with pytest.raises(TypeError):
        REFUSALS["round_finished"].error()
    with pytest.raises(TypeError):
        REFUSALS["round_finished"].error(round=3, board=1)


def test_parameters_are_named_once() -> None:
    assert [
        code for code, refusal in REFUSALS.items() if len(set(refusal.params)) != len(refusal.params)
    ] == []


@contextmanager
def queries_of_postgresql() -> Iterator[list[str]]:
    """Collect the queries as they are sent to PostgreSQL, on SQLite too: there, Django leaves the locks of rows out."""
    sent: list[str] = []

    def without_lock(execute: Callable[..., object], sql: str, *rest: object) -> object:
        sent.append(sql)
        return execute(
            re.sub(r" FOR NO KEY UPDATE.*$", "", sql) if connection.vendor == "sqlite" else sql, *rest
        )

    names = ("has_select_for_update", "has_select_for_update_of", "has_select_for_no_key_update")
    with ExitStack() as stack:
        for name in names:
            stack.enter_context(patch.object(connection.features, name, new=True))
        stack.enter_context(connection.execute_wrapper(without_lock))
        yield sent


def locks(sent: list[str]) -> list[str]:
    """Return the tables that were read before the action began, those with locked rows with a star."""
    reads = [(sql, re.match(r'SELECT .*? FROM "tournaments_(\w+)"', sql)) for sql in sent]
    return [read[1] + ("*" if "FOR NO KEY UPDATE" in sql else "") for sql, read in reads if read]


def test_lock_of_the_section_is_taken_first(actor: Actor) -> None:
    section = SectionFactory()
    with (
        queries_of_postgresql() as sent,
        act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE) as entry,
    ):
        entry.unchanged = True
        assert entry.section.event.name == section.event.name  # read with the lock
    assert locks(sent) == ["section*"]
    assert [sql for sql in sent if sql.endswith('FOR NO KEY UPDATE OF "tournaments_section"')] != []


def test_lock_of_the_event_is_taken_before_that_of_the_section(actor: Actor) -> None:
    section = SectionFactory()
    with (
        queries_of_postgresql() as sent,
        act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE, with_event=True) as entry,
    ):
        entry.unchanged = True
    assert locks(sent) == ["event*", "section*"]


def test_actions_that_delete_or_change_people_lock_the_event_first(actor: Actor) -> None:
    section = section_of(2)
    with queries_of_postgresql() as sent:
        import_entries(actor=actor, section_id=section.pk, rows=[])
        remove_participant(actor=actor, participant_id=section.participants.get(tpn=1).pk)
    assert [name for name in locks(sent) if name in ("event*", "section*")] == ["event*", "section*"] * 2


def test_lock_of_an_event_is_taken_first(actor: Actor) -> None:
    section = SectionFactory()
    with (
        queries_of_postgresql() as sent,
        act_on_event(event_id=section.event_id, actor=actor, action=EDIT_EVENT) as entry,
    ):
        entry.unchanged = True
    assert locks(sent) == ["event*"]


def refusal_while_an_action_runs(job: Callable[[], object]) -> str:
    """Do a job in a thread that waits for no lock, and return the code of its refusal."""

    def run() -> str:
        try:
            with connection.cursor() as cursor:
                in_vain = (
                    "PRAGMA busy_timeout = 0"
                    if connection.vendor == "sqlite"
                    else "SET lock_timeout = '50ms'"
                )
                cursor.execute(in_vain)
            job()
        except DomainError as error:
            return error.code
        finally:
            connections.close_all()
        return "done"

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("of_event", [False, True], ids=["section", "event"])
def test_no_action_begins_while_another_one_has_only_read(*, of_event: bool) -> None:
    """The first one has written nothing yet. Its lock, or on SQLite its immediate transaction, keeps the other one out:
    otherwise both would decide on the same state.
    """
    section, actor = SectionFactory(), Actor.command()

    def action() -> AbstractContextManager[LogEntry]:
        if of_event:
            return act_on_event(event_id=section.event_id, actor=actor, action=EDIT_EVENT)
        return act(section_id=section.pk, actor=actor, action=END_MANUAL_PHASE)

    def job() -> None:
        with action():
            pass

    with action():
        assert refusal_while_an_action_runs(job) == "busy"
    assert refusal_while_an_action_runs(job) == "done"
