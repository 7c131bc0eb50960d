"""The life of an event: the archive takes no writes, a deleted event comes back or leaves nothing, next year's one."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.db import models
from django.test import override_settings
from django.utils import timezone

from registrations.actions.clock import run_clock
from registrations.actions.mails import due_mails
from registrations.actions.settings import set_up_registration
from registrations.models import (
    Charge,
    EventRegistration,
    Label,
    Mail,
    MailText,
    Note,
    Registration,
    SectionRegistration,
)
from registrations.states import RegistrationState
from tests.actions.refusals import refused
from tests.factories import EventFactory, EventRoleFactory, UserFactory, entry_data, section_of
from tests.registrations.factories import registration_parts
from tests.web.staff.conftest import enter, paired
from tournaments.actions.entries import add_participant
from tournaments.actions.event_life import (
    GRACE,
    archive_event,
    bring_event_back,
    delete_event,
    delete_for_good,
)
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.next_year import make_next_year, next_name
from tournaments.actions.people import add_role, invite_by_name
from tournaments.actions.rehearsals import rehearse
from tournaments.actions.rounds import set_round_starts
from tournaments.actions.sections import edit_section
from tournaments.actions.stored_copies import copy_event, note_archive, take_copy
from tournaments.actions.undo import undo
from tournaments.errors import NotFound
from tournaments.files.copy_writing import event_content
from tournaments.models import ActionLog, Event, Player, RoundStart, Section, SiteLog
from tournaments.queries.event_life import deleted_events, what_goes
from tournaments.queries.people import invitations_for

pytestmark = pytest.mark.django_db
SECRET = "Xylander"
"""A part of everything that says who a person is."""


@pytest.fixture
def actor() -> Actor:
    return Actor(UserFactory(username="olga"))


@pytest.fixture
def section(actor: Actor) -> Section:
    event = create_event(
        actor=actor,
        name="Rijswijk Open 2026",
        start=date(2026, 10, 17),
        end=date(2026, 10, 25),
        time_zone="Europe/Amsterdam",
        contact="desk@club.example",
        embed_sites="https://club.example",
    )
    made = section_of(4, event=event, name="A", slug="a", time_control="90 + 30")
    entry = entry_data(f"{SECRET}, Ada", 2200)
    add_participant(actor=actor, section_id=made.pk, entry=entry)
    for game in paired(made).games.all():
        enter(game, "1-0")
    return made


def test_archive_refuses_every_door_and_comes_back_as_it_was(actor: Actor, section: Section) -> None:
    event = section.event
    edit_event(actor=actor, event=event, state="unlisted")
    registration_parts(section)
    one = Registration.objects.get()
    Registration.objects.update(state=RegistrationState.OFFERED, deadline=timezone.now() - timedelta(hours=1))
    Mail.objects.create(registration=one, kind="link", revision=1, not_before=timezone.now())
    user = UserFactory(username="invited")
    invite_by_name(actor=actor, event=event, username="invited", role="arbiter")
    event = archive_event(actor=actor, event=event)
    assert (event.state, event.state_before, event.public, event.listed) == (
        "archived",
        "unlisted",
        True,
        False,
    )
    logged = ActionLog.objects.count()
    archive_event(actor=actor, event=event)
    for write in (
        lambda: edit_event(actor=actor, event=event, city="Delft"),
        lambda: edit_section(actor=actor, section_id=section.pk, name="B"),
        lambda: undo(actor=actor, section_id=section.pk, revision=section.log.latest("pk").revision),
        lambda: delete_event(actor=actor, event=event, typed=event.name),
        lambda: set_up_registration(actor=actor, event=event, values={"kept_days": 9}, sections={}),
    ):
        with refused("event_archived", event=event.name):
            write()
    assert ActionLog.objects.count() == logged
    assert run_clock() == 0
    assert not due_mails(timezone.now() + timedelta(days=1)).exists()
    assert invitations_for(user) == []
    note_archive(actor=actor, event_id=event.pk, subject=event.name)  # downloading is reading
    event = archive_event(actor=actor, event=event, archived=False)
    assert (event.state, event.state_before, event.state_since) == ("unlisted", "", None)
    assert run_clock() == 1
    assert due_mails(timezone.now() + timedelta(days=1)).exists()
    rows = event.log.filter(action="archive_event").order_by("pk")
    assert [row.after["state"] for row in rows] == ["archived", "unlisted"]


def test_a_deleted_event_takes_no_write_keeps_its_address_and_comes_back_unharmed(
    actor: Actor, section: Section
) -> None:
    event = section.event
    stored = event_content(event)
    with refused("delete_not_confirmed"):
        delete_event(actor=actor, event=event, typed="Rijswijk")
    gone = delete_event(actor=actor, event=event, typed="  Rijswijk Open   2026 ")
    assert (gone.public, gone.listed, gone.own_slug) == (False, False, event.slug)
    assert not Event.objects.filter(slug=event.slug).exists()
    for write in (
        lambda: edit_event(actor=actor, event=event, city="Delft"),
        lambda: edit_section(actor=actor, section_id=section.pk, name="B"),
        lambda: archive_event(actor=actor, event=event),
    ):
        with pytest.raises(NotFound):
            write()
    other = create_event(actor=actor, name="Rijswijk Open 2026", start=date(2026, 1, 1), end=date(2026, 1, 1))
    assert other.slug == "rijswijk-open-2026-2"
    helper = EventRoleFactory(event=event, user=UserFactory(), role="chief").user
    organiser = EventRoleFactory(event=event, user=UserFactory(), role="organiser").user
    assert [deleted_events(user).count() for user in (actor.user, organiser, helper)] == [1, 1, 0]
    assert delete_for_good(now=gone.state_since + GRACE) == 0
    event.roles.exclude(user=actor.user).delete()
    back = bring_event_back(actor=actor, event=event)
    assert (back.slug, back.state, back.listed) == ("rijswijk-open-2026", "public", True)
    now = event_content(back)
    for content in (stored, now):
        content.pop("log"), content.pop("log_head")
    assert now == stored
    assert delete_for_good(now=timezone.now() + 2 * GRACE) == 0


@pytest.mark.django_db(transaction=True)
def test_after_the_grace_time_nothing_names_a_person(actor: Actor, section: Section, tmp_path: Path) -> None:
    event = section.event
    parts = registration_parts(section, name=f"{SECRET}, Bo", email=f"{SECRET}@example.org")
    one = Registration.objects.get(pk=parts["registration"])
    Note.objects.create(registration=one, text=SECRET)
    Charge.objects.create(registration=one, kind="payment", cents=-500, note=SECRET, who="olga")
    Mail.objects.create(
        registration=one, kind="link", revision=1, not_before=timezone.now(), address=f"{SECRET}@example.org"
    )
    invite_by_name(actor=actor, event=event, username=UserFactory().username, role="arbiter")
    assert what_goes(event) | {"log": 0} == {
        "sections": 1,
        "players": 5,
        "results": 2,
        "people": 1,
        "lists": 0,
        "log": 0,
        "registrations": 1,
        "payments": 1,
    }
    other = section_of(2, event=EventFactory(name="Other"))
    with override_settings(BACKUP_DIR=str(tmp_path / "here"), BACKUP_TO=str(tmp_path / "there")):
        files = [take_copy(section, "asked"), copy_event(event, tmp_path / "there").path]
        kept = [take_copy(other, "asked"), copy_event(other.event, tmp_path / "there").path]
        gone = delete_event(actor=actor, event=event, typed=event.name)
        assert gone.state_since is not None
        assert (delete_for_good(now=gone.state_since + GRACE), all(each.exists() for each in files)) == (
            0,
            True,
        )
        assert delete_for_good(now=gone.state_since + GRACE + timedelta(seconds=1)) == 1
        assert [each.exists() for each in (*files, *kept)] == [False, False, True, True]
    assert naming(SECRET) == {}
    assert naming("Rijswijk Open") == {"SiteLog": 1}
    row = SiteLog.objects.get()
    assert (row.subject, row.user, row.who, row.action) == (
        "Rijswijk Open 2026",
        actor.user,
        "olga",
        "delete_event",
    )
    assert referring(event.pk) == set()
    assert (Event.objects.get(), Player.objects.count()) == (other.event, 2)


def naming(word: str) -> dict[str, int]:
    """Return in how many rows of each table some column has the word."""
    found: dict[str, int] = {}
    for model in apps.get_models():
        rows = models.QuerySet(model).values_list() if model._meta.managed else ()
        if count := sum(any(word in str(value) for value in row) for row in rows):
            found[model.__name__] = count
    return found


def referring(event: int) -> set[str]:
    """Return the tables with a row of the event."""
    columns = [
        (model, each.attname)
        for model in apps.get_models()
        for each in model._meta.concrete_fields
        if each.related_model is Event
    ]
    return {
        model.__name__ for model, name in columns if models.QuerySet(model).filter(**{name: event}).exists()
    }


def test_next_year_has_every_setting_and_nobody(actor: Actor, section: Section) -> None:
    event, shift = section.event, timedelta(days=364)
    starts = {1: RoundStart(date(2026, 10, 17), time(13, 30)), 2: RoundStart(date(2026, 10, 18))}
    set_round_starts(actor=actor, section_id=section.pk, starts=starts)
    section_of(2, event=event, name="B", slug="b", tie_breaks=["BH"])
    add_role(actor=actor, event=event, username=UserFactory(username="helper").username, role="arbiter")
    parts = registration_parts(section)
    EventRegistration.objects.update(
        opens_at=datetime(2026, 3, 1, 8, tzinfo=UTC), pay_by=date(2026, 9, 1), pay_text="Bank", revision=7
    )
    SectionRegistration.objects.update(fee=2500, early_until=date(2026, 5, 1), early_off=500, capacity=40)
    Label.objects.create(event=event, name="Youth")
    MailText.objects.create(event=event, kind="accepted", subject="Welcome", body="You play.")
    archive_event(actor=actor, event=event)

    made = make_next_year(actor=actor, event=event, people=True)
    assert (made.name, made.slug, made.state, made.start, made.end) == (
        *("Rijswijk Open 2027", "rijswijk-open-2027", "draft"),
        *(event.start + shift, event.end + shift),
    )
    assert dict(made.roles.values_list("user__username", "role")) == {"olga": "owner", "helper": "arbiter"}
    own = ("id", "name", "slug", "start", "end", "log_head", "created_at", *OF_STATE)
    event.refresh_from_db()
    assert fields(made, own) == fields(event, own)
    old, new = ([*each.sections.order_by("pk")] for each in (event, made))
    of_play = (
        "id",
        "event",
        "revision",
        "people_revision",
        "log_head",
        "created_at",
        "schedule",
        "initial_colour",
    )
    assert [fields(each, of_play) for each in new] == [fields(each, of_play) for each in old]
    assert new[0].start_of(1) == RoundStart(date(2027, 10, 16), time(13, 30))
    assert new[0].start_of(2) == RoundStart(date(2027, 10, 17))
    before, form = (EventRegistration.objects.get(event=each) for each in (event, made))
    moved = ("id", "event", "opens_at", "pay_by", "revision")
    assert fields(form, moved) == fields(before, moved)
    assert (form.opens_at, form.pay_by) == (before.opens_at + shift, date(2027, 8, 31))
    limits, again = (SectionRegistration.objects.get(section__event=each) for each in (event, made))
    assert fields(again, ("id", "section", "early_until")) == fields(limits, ("id", "section", "early_until"))
    assert (again.section, again.early_until) == (new[0], date(2027, 4, 30))
    for model in (Label, MailText):
        kept = [fields(model.objects.get(event=each), ("id", "event")) for each in (event, made)]
        assert kept[0] == kept[1]
    assert not made.players.exists()
    assert not Registration.objects.filter(event=made).exists()
    assert parts["secret"]
    assert not made.sections.filter(played_rounds__isnull=False).exists()
    assert SECRET not in str(event_content(made)["sections"])

    alone = make_next_year(actor=actor, event=event, name="Autumn", days=-7)
    assert (alone.name, alone.start, alone.roles.count()) == ("Autumn", event.start - timedelta(7), 1)
    rehearsal = rehearse(actor=actor, event=made, players=2)
    with refused("is_rehearsal"):
        make_next_year(actor=actor, event=rehearsal)


OF_STATE = ("state", "state_before", "state_since", "public", "listed")


def fields(row: models.Model, without: tuple[str, ...]) -> dict[str, Any]:
    return {
        each.name: getattr(row, each.name) for each in row._meta.concrete_fields if each.name not in without
    }


@pytest.mark.parametrize(
    ("name", "following"),
    [
        ("Rijswijk Open 2026", "Rijswijk Open 2027"),
        ("Open 1999", "Open 2000"),
        ("Open 12026", "Open 12026"),
        ("2026 Open", "2026 Open"),
        ("Open", "Open"),
    ],
)
def test_a_year_at_the_end_of_a_name_is_raised(name: str, following: str) -> None:
    assert next_name(name) == following
