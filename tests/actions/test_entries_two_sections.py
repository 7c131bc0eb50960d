"""A player in two sections at once, and a section with the settings of another one."""

from __future__ import annotations

from datetime import UTC, date, datetime
from unittest import mock

import pytest
from django.utils import timezone

from evenboard_engine.trf import read_report
from pairing.rounds import pair_next_round, publish_round
from tests.actions.refusals import refused
from tests.factories import EventFactory, EventRoleFactory, ParticipantFactory, SectionFactory
from tournaments.actions.copies import load_copy, load_copy_as_event
from tournaments.actions.entries import EntryData, add_participant, import_report, withdraw_participant
from tournaments.actions.entry_lists import import_entries
from tournaments.actions.ledger import Actor
from tournaments.actions.new_section import create_section_like
from tournaments.actions.results import record_result
from tournaments.actions.sections import close_section, reopen_section, take_section_away
from tournaments.actions.undo import undo, undo_since
from tournaments.entry_data import ImportRow
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.report_writing import tournament_report
from tournaments.models import ActionLog, Event, Game, Participant, Section
from tournaments.queries.sections import settings_sources

pytestmark = pytest.mark.django_db
ADA = {"name": "Ek, Ada", "rating": 2000, "birth_date": "2001/05/06"}


@pytest.fixture
def youth() -> Section:
    opened = SectionFactory(name="Open")
    person = {"event": opened.event, "name": "Ek, Ada", "birth_date": "2001"}
    ParticipantFactory(
        section=opened, player__fide_id=4100000, **{f"player__{k}": v for k, v in person.items()}
    )
    return SectionFactory(event=opened.event, name="Youth")


@pytest.mark.parametrize("entry", [ADA, {"name": "Ek, A.", "rating": 2000, "fide_id": 4100000}])
def test_player_of_another_section_is_entered_only_if_the_arbiter_agrees(
    actor: Actor, youth: Section, entry: dict[str, object]
) -> None:
    """It is the same person with the same FIDE ID, or the same name and year of birth."""
    data = EntryData(**{**entry, "name": "Ek, Ada"})  # type: ignore[arg-type]
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        add_participant(actor=actor, section_id=youth.pk, entry=data)
    with refused("two_sections_to_confirm", names=["Ek, Ada"]):
        import_entries(actor=actor, section_id=youth.pk, rows=[ImportRow(entry=data)])
    add_participant(actor=actor, section_id=youth.pk, entry=data, both=True)
    assert ActionLog.objects.latest("pk").after["also_in"] == ["Open"]


def test_another_person_a_withdrawn_player_and_sections_at_other_times_ask_nothing(
    actor: Actor, youth: Section
) -> None:
    other = EntryData(name="Ek, Ada", rating=2000, birth_date="2002")
    add_participant(actor=actor, section_id=youth.pk, entry=other)
    Event.objects.update(sections_apart=True)
    third = SectionFactory(event=youth.event, name="Blitz")
    add_participant(actor=actor, section_id=third.pk, entry=EntryData(**ADA))
    Event.objects.update(sections_apart=False)
    Participant.objects.update(status=Participant.Status.WITHDRAWN)
    fourth = SectionFactory(event=youth.event, name="Rapid")
    add_participant(actor=actor, section_id=fourth.pk, entry=EntryData(**ADA))


def test_undo_that_brings_a_player_back_asks(actor: Actor, youth: Section) -> None:
    """Ada has left Youth and plays in Open meanwhile."""
    about = {"actor": actor, "section_id": youth.pk}
    ada = add_participant(**about, entry=EntryData(**ADA), both=True)
    withdraw_participant(actor=actor, participant_id=ada.pk)
    left = youth.log.latest("revision").revision
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        undo(**about, revision=left)
    youth.refresh_from_db()
    since = {"revision": left, "seen_revision": youth.revision}
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        undo_since(**about, **since)
    undo(**about, revision=left, both=True)
    assert youth.log.latest("revision").after["also_in"] == ["Ek, Ada: Open"]
    ada.refresh_from_db()
    assert ada.is_active
    undo(**about, revision=left + 1)  # leaves again, which is nothing to ask about
    Participant.objects.filter(section__name="Open").update(status=Participant.Status.WITHDRAWN)
    undo(**about, revision=left + 2)
    assert "also_in" not in youth.log.latest("revision").after


def closed_with_ada(actor: Actor, section: Section) -> None:
    """Ada plays in the section, which was closed and reopened meanwhile."""
    add_participant(actor=actor, section_id=section.pk, entry=EntryData(**ADA), both=True)
    for name in ("Bo", "Cy", "Di"):
        add_participant(actor=actor, section_id=section.pk, entry=EntryData(name=name, rating=1500))
    draft = pair_next_round(actor=actor, section_id=section.pk, after_round=0)
    publish_round(actor=actor, round_id=draft.pk, seen_version=draft.version)
    for game in Game.objects.filter(round__section=section):
        record_result(actor=actor, game_id=game.pk, result="1-0", seen_version=game.version)
    close_section(actor=actor, section_id=section.pk, early=True, reason="snow")


def test_section_that_is_reopened_or_shown_again_asks(actor: Actor, youth: Section) -> None:
    """Nobody plays in a section that is closed or hidden, so Ada plays in Open alone meanwhile."""
    closed_with_ada(actor, youth)
    again = {"actor": actor, "section_id": youth.pk}
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        reopen_section(**again, reason="a slip was misread")
    youth.refresh_from_db()
    assert youth.is_closed
    closing = youth.log.latest("revision").revision
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        undo(**again, revision=closing)
    reopen_section(**again, reason="a slip was misread", both=True)
    assert youth.log.latest("revision").after["also_in"] == ["Ek, Ada: Open"]
    take_section_away(**again)
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        take_section_away(**again, away=False)
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        undo(**again, revision=youth.log.latest("revision").revision)
    Event.objects.update(sections_apart=True)
    take_section_away(**again, away=False)
    assert "also_in" not in youth.log.latest("revision").after


def test_copy_of_a_section_and_a_report_file_ask(actor: Actor, youth: Section) -> None:
    opened = youth.event.sections.get(name="Open")
    copy, event = read_copy(copy_file(opened)), youth.event
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        load_copy(actor=actor, event=event, copy=copy, name="Again")
    load_copy_as_event(actor=actor, copy=copy)
    report = read_report(tournament_report(opened))
    with refused("two_sections_to_confirm", names=["Ek, Ada"], sections=["Open"]):
        import_report(actor=actor, section_id=youth.pk, report=report)
    with refused("two_sections_to_confirm"):
        import_report(actor=actor, event=event, report=report, name="Third")
    assert (youth.participants.count(), event.sections.count()) == (0, 2)
    import_report(actor=actor, section_id=youth.pk, report=report, both=True)
    assert youth.log.latest("revision").after["also_in"] == ["Ek, Ada: Open"]
    assert load_copy(actor=actor, event=event, copy=copy, name="Again", both=True).participants.count() == 1


def test_new_section_has_the_settings_of_another_one_and_none_of_its_players(
    actor: Actor, youth: Section
) -> None:
    source = youth.event.sections.get(name="Open")
    changed = {"rounds": 7, "bye_points": 5, "tie_breaks": ["BH", "SB"], "minimum_rating": 1200}
    Section.objects.filter(pk=source.pk).update(**changed, schedule=["2026-05-01"], initial_colour="w")
    source.refresh_from_db()
    made = create_section_like(actor=actor, event=source.event, source=source, name="Seniors")
    assert {name: getattr(made, name) for name in changed} == changed
    assert (made.schedule, made.initial_colour, made.participants.count()) == (["2026-05-01"], "", 0)
    assert (made.system, made.all_options) == (source.system, source.all_options)
    row = ActionLog.objects.latest("pk")
    assert (row.section_id, row.action, row.after["settings_of"]) == (made.pk, "create_tournament", "Open")
    elsewhere = create_section_like(actor=actor, event=SectionFactory().event, source=source, name="Seniors")
    assert (elsewhere.rounds, elsewhere.schedule) == (7, [])
    with refused("section_name_taken"):
        create_section_like(actor=actor, event=source.event, source=source, name="Youth")


@pytest.mark.parametrize(("hour", "offered"), [(21, True), (23, False)])
def test_settings_of_an_event_are_offered_until_the_role_ends_in_its_zone(hour: int, offered: bool) -> None:
    """In Vienna the day ends at 22:00 UTC in summer."""
    here, there = EventFactory(time_zone="UTC"), EventFactory(time_zone="Europe/Vienna")
    section, last = SectionFactory(event=there), date(2026, 7, 4)
    user = EventRoleFactory(event=there, role="organiser", until=last).user
    with mock.patch.object(timezone, "now", return_value=datetime(2026, 7, 4, hour, tzinfo=UTC)):
        assert (section in settings_sources(user, here)) == offered
