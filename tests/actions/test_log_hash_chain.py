"""A row of the log that is changed, added or removed outside the program is found, and every action keeps the chain."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from importlib import import_module
from io import StringIO
from typing import Any

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.db import connection, models

from tests.actions.test_concurrency import at_once
from tests.actions.test_random_walk import Walk
from tests.factories import EventFactory, EventRoleFactory, UserFactory, section_of
from tests.web.staff.conftest import enter, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions.copies import load_copy, load_event_copy
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.ledger import Actor, act
from tournaments.actions.results import record_result
from tournaments.actions.undo import restore_before_round, undo
from tournaments.copy_format import CopyOrigin
from tournaments.declarations.sections import EDIT_SECTION
from tournaments.files.copy_reading import read_any, read_copy
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.hash_chain import LogCheck, check_event, check_section, seal_of, sealed_values, shown_digits
from tournaments.models import ActionLog, Section
from tournaments.models.journal import fields_of

triggers = import_module("tournaments.migrations._triggers")


@contextmanager
def outside_the_program() -> Iterator[None]:
    """Let the test change the log as a person with the password of the database can."""
    with connection.schema_editor() as editor:
        triggers.drop(apps, editor)
    yield
    with connection.schema_editor() as editor:
        triggers.install(apps, editor)


def rows() -> models.QuerySet[ActionLog]:
    return models.QuerySet(ActionLog)


@pytest.fixture
def section(actor: Actor) -> Section:
    """A section with six actions of every shape."""
    section = section_of(8)
    played(section)
    return section


def fault(section: Section) -> tuple[str, int] | None:
    found = check_section(section).fault
    return (found.kind, found.revision) if found else None


@pytest.mark.django_db
def test_seal_is_the_hash_of_the_seal_before_and_the_row() -> None:
    row = {"who": "olga", "after": {"10": 1, "9": [2]}, "reason": "", "undoes": None, "revision": 0}
    sealed = '["aa",{"after":{"10":1,"9":[2]},"revision":0,"who":"olga"}]'
    assert seal_of(row, "aa") == hashlib.sha256(sealed.encode()).hexdigest()
    assert seal_of({**row, "after": {9: (2,), 10: 1}}, "aa") == seal_of(row, "aa")
    assert json.loads(sealed)[1] == {"after": {"10": 1, "9": [2]}, "revision": 0, "who": "olga"}


@pytest.mark.django_db
def test_log_of_a_long_section_fits(actor: Actor) -> None:
    walk = Walk(21, section_of(9, initial_colour=""), actor)
    for _ in range(120):
        walk.step()
    section = Section.objects.get(pk=walk.section.pk)
    assert check_section(section) == LogCheck(section.revision, section.log.latest("revision").seal)
    assert section.log_head == section.log.latest("revision").seal


@pytest.mark.django_db
def test_undo_and_going_back_keep_the_chain(actor: Actor, section: Section) -> None:
    undo(actor=actor, section_id=section.pk, revision=section.log.latest("revision").revision)
    section.refresh_from_db()
    restore_before_round(
        actor=actor, section_id=section.pk, number=1, seen_revision=section.revision, reason="why"
    )
    undo(actor=actor, section_id=section.pk, revision=section.log.latest("revision").revision)
    section.refresh_from_db()
    assert check_section(section) == LogCheck(section.revision, section.log_head)


CHANGED: dict[str, Any] = {
    "event": lambda: EventFactory().pk,
    "at": datetime(2026, 10, 17, tzinfo=UTC),
    "user": lambda: UserFactory().pk,
    "who": "olga",
    "origin": "192.0.2.9",
    "action": "edit_player",
    "round_number": 7,
    "subject": "somebody else",
    "before": {"x": 1},
    "after": {"result": "0-1"},
    "reason": "clock",
    "integrity": "manual",
    "changes": [["section", 1, None, {}]],
    "undoes": 1,
    "back_to": 0,
    "brought": [{}],
    "seal": "0" * 64,
}
"""A change of each column. A row with another section or revision is not where it was: see the tests below."""


@pytest.mark.django_db(transaction=True)
def test_change_of_each_column_is_found_at_its_row(actor: Actor, section: Section) -> None:
    row = rows().filter(section=section, revision=4)
    right = row.values().get()
    with outside_the_program():
        for name, value in CHANGED.items():
            row.update(**{name: value() if callable(value) else value})
            assert (fault(section), check_section(section).rows) == (("changed", 4), 3), name
            row.update(**right)
            assert fault(section) is None, name


def test_every_column_is_changed_by_a_test() -> None:
    columns = {name.removesuffix("_id") for name in fields_of(ActionLog)}
    assert columns - set(CHANGED) == {"section", "revision"}


@pytest.mark.django_db(transaction=True)
def test_removed_added_and_moved_rows_are_found(actor: Actor, section: Section) -> None:
    last = section.log.latest("revision")
    copied = ActionLog.objects.get(pk=section.log.get(revision=3).pk)
    with outside_the_program():
        rows().filter(pk=copied.pk)._raw_delete("default")
    assert fault(section) == ("missing", 3)
    other = section_of(2)
    copied.pk, copied.section = None, other
    copied.save()
    assert fault(other) == ("missing", 1)
    second = section_of(2)
    ActionLog.objects.create(event=second.event, section=second, who="x", action="x", revision=1)
    assert fault(second) == ("unsealed", 1)
    third = section_of(4)
    played(third)
    with outside_the_program():
        rows().filter(section=third, revision=third.log.latest("revision").revision)._raw_delete("default")
    assert fault(third) == ("end", third.log.latest("revision").revision)
    with outside_the_program():
        rows().filter(section=third)._raw_delete("default")
    assert fault(third) == ("end", 0)
    assert last.seal


@pytest.mark.django_db(transaction=True)
def test_exchanged_revisions_are_found(actor: Actor, section: Section) -> None:
    keys = {number: section.log.get(revision=number).pk for number in (3, 4)}
    with outside_the_program():
        for key, number in ((keys[3], 900), (keys[4], 3), (keys[3], 4)):
            rows().filter(pk=key).update(revision=number)
    assert fault(section) == ("changed", 3)


@pytest.mark.django_db(transaction=True)
def test_person_who_seals_all_rows_again_gets_another_newest_seal(actor: Actor, section: Section) -> None:
    noted = shown_digits(check_section(section).head)
    head = ""
    with outside_the_program():
        rows().filter(section=section, revision=2).update(who="nobody")
        for row in section.log.order_by("revision"):
            head = seal_of(sealed_values(row), head)
            rows().filter(pk=row.pk).update(seal=head)
        Section.objects.filter(pk=section.pk).update(log_head=head)
    again = check_section(section)
    assert again.fault is None
    assert shown_digits(again.head) != noted
    assert (len(noted), noted.count(" ")) == (24, 4)


@pytest.mark.django_db
def test_event_has_a_chain_of_its_own(actor: Actor) -> None:
    event = create_event(
        actor=actor, name="Open", start=EventFactory.build().start, end=EventFactory.build().end
    )
    edit_event(actor=actor, event=event, city="Delft")
    section_of(2, event=event)
    assert check_event(event).rows == 2
    event.refresh_from_db()
    assert event.log_head == check_event(event).head
    ActionLog.objects.create(event=event, who="x", action="edit_event")
    assert check_event(event).fault is not None


@pytest.mark.django_db
def test_loaded_copies_are_sealed_and_continue(actor: Actor, section: Section) -> None:
    event = section.event
    EventRoleFactory(event=event, user=actor.user)
    loaded = load_event_copy(actor=actor, copy=read_any(event_file(event)), roles=True)
    assert check_event(loaded).fault is None
    made = loaded.sections.get()
    enter(paired(made).games.get(board=1), "1-0")
    made.refresh_from_db()
    assert check_section(made) == LogCheck(made.revision, made.log_head)
    with act(section_id=section.pk, actor=actor, action=EDIT_SECTION):
        pass
    assert fault(section) is None


@pytest.mark.django_db
def test_first_row_after_a_copy_names_the_newest_seal_of_the_copied_log(
    actor: Actor, section: Section
) -> None:
    section.refresh_from_db()
    loaded = load_copy(actor=actor, event=EventFactory(), copy=read_copy(copy_file(section)), name="again")
    row = loaded.log.latest("revision")
    assert (row.action, row.after["log_head"], row.after["origin"]) == (
        "load_copy",
        section.log_head,
        CopyOrigin.OWN,
    )


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_chain_fits_after_many_write_at_once() -> None:
    section = section_of(16)
    games = list(paired(section).games.all())
    person = UserFactory()
    jobs = [
        lambda game=game: record_result(
            actor=Actor(person), game_id=game.pk, result="1/2", seen_version=game.version
        )
        for game in games
    ]
    events = [
        lambda n=n: edit_event(actor=Actor(person), event=section.event, city=f"X{n}") for n in range(4)
    ]
    assert at_once(*jobs, *events) == ["done"] * 12
    assert fault(section) is None
    assert check_section(section).rows == Section.objects.get(pk=section.pk).revision
    assert (check_event(section.event).rows, check_event(section.event).fault) == (4, None)


@pytest.mark.django_db(transaction=True)
def test_command_checks_all_logs_and_names_the_first_row_that_does_not_fit(
    actor: Actor, section: Section
) -> None:
    def run(*arguments: str) -> tuple[str, str]:
        out, err = StringIO(), StringIO()
        try:
            call_command("check_logs", *arguments, stdout=out, stderr=err)
        except CommandError as error:
            return out.getvalue(), f"{err.getvalue()}{error}"
        return out.getvalue(), err.getvalue()

    name = f"{section.event.slug}/{section.slug}"
    section.refresh_from_db()
    count = section.revision
    assert run()[0].splitlines()[1] == f"{name}: All {count} rows match their seals. {section.log_head}"
    assert run("--event", "nowhere") == ("", "No such event: nowhere.")
    with outside_the_program():
        rows().filter(section=section, revision=2).update(who="nobody")
    output = run()[1]
    assert output.startswith(f"{name}: No. 2 (")
    assert output.endswith("1 of the logs do not fit their seals.")
