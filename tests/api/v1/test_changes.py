"""A program that keeps a copy of a list asks what has changed, and learns what is gone."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.db.models import QuerySet
from django.utils import timezone

from registrations.actions.edits import add_note
from registrations.actions.erasing import erase_registration
from registrations.models import HistoryLine, Registration
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, ParticipantFactory, UserFactory, section_of
from tests.registrations.factories import ORGANISER, desk, sent
from tests.web.staff.conftest import enter, paired
from tournaments.actions.entries import edit_participant
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.roster import entry_summary
from tournaments.actions.sections import create_section
from tournaments.entry_data import EntryData
from tournaments.models import ActionLog, EventRole, Section, User

pytestmark = pytest.mark.one_database


class Copy:
    """What a program has of a list."""

    def __init__(self, program: Program, path: str) -> None:
        self.program, self.path, self.mark, self.rows = program, path, "", dict[int, Any]()

    def ask(self) -> tuple[set[int], set[int]]:
        """Bring the copy up to date. Return what came, and what went."""
        size = "" if self.path.startswith("public/") else "&page_size=200"
        page = self.program.get(f"{self.path}changed_since={self.mark}{size}")
        came = {row["id"]: row for row in page["results"]}
        self.rows = {key: row for key, row in (self.rows | came).items() if key not in page["gone"]}
        self.mark = page["mark"]
        return set(came), set(page["gone"])

    def is_true(self) -> bool:
        whole = self.program.get(f"{self.path}page_size=200")["results"]
        return self.rows == {row["id"]: row for row in whole}


def test_entries_and_games_that_changed_and_those_that_are_gone(
    program: Program, section: Section, owner: User
):
    at = f"sections/{section.pk}/"
    late = program.done("POST", f"{at}entries/", {"name": "Ek, Ada", "rating": 1800})["id"]
    entries, games = Copy(program, f"{at}entries/?status=active&"), Copy(program, f"{at}games/?")
    assert len(entries.ask()[0]) == 7
    assert entries.ask() == (set(), set())
    one = section.participants.get(tpn=1)
    program.done("PATCH", f"entries/{one.pk}/", {"club": "SK"}, seen="*")
    assert entries.ask() == ({one.pk}, set())
    program.agreed("DELETE", f"entries/{late}/", seen="*")
    assert late in entries.ask()[1]
    played = paired(section)
    assert len(games.ask()[0]) == 3
    enter(played.games.get(board=2), "1-0")
    assert games.ask() == ({played.games.get(board=2).pk}, set())
    program.done("POST", f"entries/{one.pk}/withdraw/", seen="*")
    assert one.pk in entries.ask()[1]
    revision = program.get(at)["revision"]
    program.done("POST", f"{at}undo/", {"revision": revision})
    assert one.pk in entries.ask()[0]
    section.refresh_from_db()
    program.done("POST", f"{at}restore/", {"round": 1, "reason": "A test"}, seen="*")
    assert len(games.ask()[1]) == 3
    entries.ask()
    assert entries.is_true()
    assert games.is_true()


def test_events_and_sections_that_changed_and_those_that_are_gone(transactional_db: None):
    owner = UserFactory()
    program, actor = Program(owner, None), Actor(owner)
    own, other = (EventRoleFactory(user=owner, role="owner").event for _ in range(2))
    events, public = Copy(program, "events/?"), Copy(program, "public/events/changes/?after=0&")
    sections = Copy(program, f"events/{own.pk}/sections/?")

    def ask() -> list[tuple[set[int], set[int]]]:
        return [copy.ask() for copy in (events, public, sections)]

    assert ask() == [({own.pk, other.pk}, set()), ({own.pk, other.pk}, set()), (set(), set())]
    assert ask() == [(set(), set())] * 3
    made = create_section(actor=actor, event=own, name="A", rounds=5)
    assert ask() == [(set(), set()), ({own.pk}, set()), ({made.pk}, set())]
    edit_event(actor=actor, event=other, state="draft")
    assert ask() == [({other.pk}, set()), (set(), {other.pk}), (set(), set())]
    edit_event(actor=actor, event=other, state="public")
    assert ask()[:2] == [({other.pk}, set())] * 2
    for path in ("events/", "public/events/changes/"):
        answers = {
            mark: program.send("GET", f"{path}?changed_since={mark}")
            for mark in ("99999-", "1-0123456789abcdef", "x", "2026-11-30T12:00:00Z", "9" * 40)
        }
        assert [(answer.status_code, answer.json()["code"]) for answer in answers.values()] == [
            *[(410, "mark_unknown")] * 2,
            *[(400, "not_a_mark")] * 3,
        ]
    number, _dash, _seal = public.mark.partition("-")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tournaments.queries.programs.MOST_CHANGES", -1)
        assert program.send("GET", f"public/events/changes/?changed_since={public.mark}").status_code == 410
    assert int(number) == ActionLog.objects.latest("pk").pk


def test_a_player_of_two_sections_is_changed_in_both_and_erased_in_all(
    program: Program, section: Section, owner: User
):
    other = section_of(2, event=section.event)
    here = section.participants.get(tpn=1)
    there = ParticipantFactory(section=other, player=here.player)
    copy = Copy(program, f"sections/{section.pk}/entries/?")
    copy.ask()
    data = EntryData(
        **{
            **{k: v for k, v in entry_summary(there).items() if k in EntryData.__dataclass_fields__},
            "name": "New, Name",
        }
    )
    edit_participant(actor=Actor(owner), participant_id=there.pk, entry=data, asked=True)
    assert here.pk in copy.ask()[0]
    assert copy.rows[here.pk]["name"] == "New, Name"
    erase_player(actor=Actor(owner), event=section.event, player_id=here.player_id, typed="New, Name")
    answer = program.send("GET", f"sections/{section.pk}/entries/?changed_since={copy.mark}")
    if answer.status_code == 410:  # the log has another seal now
        copy.mark, copy.rows = "", {}
    copy.ask()
    assert copy.is_true()


@pytest.mark.parametrize(
    "mark", ["x", "1-", "1-0123456789abcdef", "999-a", "0-a", "-1", "%00", "9" * 40, "\u0661-"]
)
def test_a_mark_of_somewhere_else_is_refused(program: Program, section: Section, mark: str):
    paired(section)
    answer = program.send("GET", f"sections/{section.pk}/entries/?changed_since={mark}")
    assert (answer.status_code, answer.json()["code"]) in (
        (400, "not_a_mark"),
        (410, "mark_unknown"),
        (422, "invalid"),
    )


def test_registrations_that_changed_and_those_that_are_gone(db: None):
    into = desk()
    program = Program(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user, into.event)
    ann, bob = sent(into, by=ORGANISER), sent(into, by=ORGANISER)
    long_ago = timezone.now() - timedelta(days=1)
    Registration.objects.update(created_at=long_ago)
    QuerySet(HistoryLine).update(at=long_ago)
    copy = Copy(program, f"events/{into.event_id}/registrations/?state=pending&")
    assert copy.ask() == ({ann.pk, bob.pk}, set())
    assert copy.ask() == (set(), set())
    program.done("POST", f"registrations/{ann.pk}/state/", {"state": "refused", "reason": "No"}, seen="*")
    assert ann.pk in copy.ask()[1]
    add_note(event=into.event, registration_id=bob.pk, by=ORGANISER, text="A note")
    assert bob.pk in copy.ask()[0]
    erase_registration(registration_id=bob.pk)  # deletes the note
    assert bob.pk in copy.ask()[1]
    assert copy.is_true()
    answer = program.send("GET", f"events/{into.event_id}/registrations/?changed_since=yesterday")
    assert (answer.status_code, answer.json()["code"]) == (400, "not_a_mark")
