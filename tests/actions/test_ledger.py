from __future__ import annotations

import pytest
from django.db import OperationalError, connection
from django.test.utils import CaptureQueriesContext
from psycopg import errors

from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import SectionFactory, UserFactory
from tournaments.actions.ledger import Actor, act, act_on_event, transaction_or_busy
from tournaments.errors import CODES, Busy, DomainError, NotFound, Stale
from tournaments.models import ActionLog, Integrity, Section

pytestmark = pytest.mark.django_db


def test_action_writes_one_row_and_raises_the_revision_by_one(actor: Actor) -> None:
    section = SectionFactory(revision=4)
    with (
        one_step(section, "end_manual_phase") as told,
        act(section_id=section.pk, actor=actor, action="end_manual_phase") as entry,
    ):
        entry.before, entry.after = {"a": 1}, {"a": 2}
        entry.subject, entry.reason = "subject", "reason"
        entry.round_number, entry.integrity = 3, Integrity.MANUAL
    (row,) = told
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
    with refused("busy"), act(section_id=section.pk, actor=actor, action="end_manual_phase") as entry:
        entry.section.name = "other"
        entry.section.save()
        raise DomainError("busy")


def test_action_without_change_leaves_nothing(actor: Actor) -> None:
    section = SectionFactory()
    with unchanged(), act(section_id=section.pk, actor=actor, action="end_manual_phase") as entry:
        entry.unchanged = True


def test_action_on_a_stale_view_is_refused(actor: Actor) -> None:
    section = SectionFactory(revision=4)
    with (
        refused("stale", seen=3, revision=4),
        act(section_id=section.pk, actor=actor, action="end_manual_phase", seen_revision=3),
    ):
        pytest.fail("must not run")


def test_action_on_a_closed_section_is_refused(actor: Actor) -> None:
    section = SectionFactory(status=Section.Status.CLOSED)
    with refused("section_closed"), act(section_id=section.pk, actor=actor, action="end_manual_phase"):
        pytest.fail("must not run")
    with act(section_id=section.pk, actor=actor, action="end_manual_phase", allow_closed=True):
        pass


@pytest.mark.parametrize("missing", [0, -1, 10**30])
def test_action_on_a_missing_section_is_refused(actor: Actor, missing: int) -> None:
    with (
        refused("not_found", kind="section", id=missing),
        act(section_id=missing, actor=actor, action="end_manual_phase"),
    ):
        pytest.fail("must not run")
    with refused("not_found", kind="event"), act_on_event(event_id=missing, actor=actor, action="edit_event"):
        pytest.fail("must not run")


def test_action_on_an_event_has_no_revision(actor: Actor) -> None:
    section = SectionFactory()
    with act_on_event(event_id=section.event_id, actor=actor, action="edit_event"):
        pass
    row = ActionLog.objects.get()
    assert (row.event, row.section, row.revision) == (section.event, None, 0)


def test_actor_is_named_by_the_full_name() -> None:
    assert Actor(user=UserFactory(first_name="Joost", last_name="van der Meer")).name == "Joost van der Meer"
    assert Actor(user=UserFactory(username="joost")).name == "joost"
    assert (Actor.command().name, Actor.command().user) == ("command", None)


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
    assert str(DomainError("round_finished", round=3)) == "round_finished(round=3)"
    with pytest.raises(TypeError):
        DomainError("round_finished")
    with pytest.raises(TypeError):
        DomainError("round_finished", round=3, board=1)
    with pytest.raises(KeyError):
        DomainError("no such code")


def test_parameters_are_named_once() -> None:
    assert [code for code, names in CODES.items() if len(set(names)) != len(names)] == []


def test_lock_is_taken_first(actor: Actor) -> None:
    section = SectionFactory()
    with (
        CaptureQueriesContext(connection) as asked,
        act(section_id=section.pk, actor=actor, action="end_manual_phase") as entry,
    ):
        entry.unchanged = True
        assert entry.section.event.name == section.event.name  # read with the lock
    (query,) = (query["sql"] for query in asked.captured_queries if query["sql"].startswith("SELECT"))
    assert query.endswith('FOR NO KEY UPDATE OF "tournaments_section"') == (connection.vendor == "postgresql")
