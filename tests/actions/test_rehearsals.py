"""Rehearsals: other names, results by a seeded clock, what goes wrong on purpose, nothing sent, the end."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from django.db import DatabaseError, models, transaction
from django.test import override_settings
from django.utils import timezone

from evenboard_engine import Colour
from evenboard_engine.trf import read_report
from pairing.rounds import draw_initial_colour, pair_next_round, publish_round
from registrations.actions.mails import due_mails
from registrations.models import Mail, Registration
from tests.actions.refusals import refused
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.registrations.factories import registration_parts
from tournaments.actions.copies import load_copy, load_event_copy
from tournaments.actions.events import create_event, edit_event
from tournaments.actions.incidents import change_incident
from tournaments.actions.ledger import Actor
from tournaments.actions.notices import notices_are_due
from tournaments.actions.presence import missing_players, open_check_in
from tournaments.actions.programs import make_webhook, webhooks_are_due
from tournaments.actions.rehearsal_clock import CUT_SECONDS, rehearsals_run, tick
from tournaments.actions.rehearsals import end_rehearsal, refuse_in_cut, rehearse, set_rehearsal
from tournaments.actions.reports import import_report
from tournaments.actions.results import record_result
from tournaments.actions.stored_copies import copy_event, take_copy
from tournaments.errors import Busy
from tournaments.files.copy_reading import EventCopy, SectionCopy, read_any
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.files.rehearsals import rehearsal_csv
from tournaments.files.report_writing import tournament_report
from tournaments.models import (
    ActionLog,
    Event,
    Game,
    NoticeSubscription,
    Player,
    RehearsalClock,
    Section,
    Webhook,
    WebhookMessage,
)
from tournaments.queries.events import EventSearch, found_events
from tournaments.queries.rehearsals import on_the_table, rehearsal_report

pytestmark = pytest.mark.django_db
ALL = RehearsalClock.Part.values
SECRET = "Secret, Sigrid"


@pytest.fixture(autouse=True)
def backups(tmp_path: Path) -> object:
    with override_settings(BACKUP_DIR=str(tmp_path / "backups"), BACKUP_TO=str(tmp_path / "elsewhere")):
        yield tmp_path


@pytest.fixture
def event(actor: Actor) -> Event:
    """Two sections that have begun, with an arbiter, a note, a birth date and FIDE IDs."""
    first = section_of(24, name="A", slug="a")
    second = section_of(16, event=first.event, name="B", slug="b")
    people = list(first.event.players.order_by("pk"))
    for number, player in enumerate(people, 1):
        player.name, player.fide_id, player.birth_date = f"{SECRET} {number}", 100 + number, "1990/05/17"
    Player.objects.bulk_update(people, ["name", "fide_id", "birth_date"])
    first.participants.update(note="a secret", club="Northern Knights")
    for section in (first, second):
        publish(section, actor)
    EventRoleFactory(event=first.event, user=UserFactory(username="ada"))
    return first.event


def publish(section: Section, actor: Actor) -> None:
    row = pair_next_round(actor=actor, section_id=section.pk, after_round=section.played_rounds.count())
    publish_round(actor=actor, round_id=row.pk, seen_version=row.version)


def begin(made: Event, actor: Actor) -> None:
    for section in made.sections.order_by("pk"):
        if not section.initial_colour:
            draw_initial_colour(actor=actor, section_id=section.pk, colour=Colour.WHITE)
        publish(section, actor)
    tick(RehearsalClock.objects.get(event=made).since)


def pass_minutes(made: Event, minutes: float) -> None:
    """Let so many minutes of the rehearsal pass since it was made, at its speed."""
    clock = RehearsalClock.objects.get(event=made)
    tick(clock.since + timedelta(minutes=minutes / clock.speed))


def results(made: Event) -> list[tuple[str, int, str]]:
    games = Game.objects.filter(round__section__event=made).order_by("round__section", "board")
    return list(games.values_list("round__section__slug", "board", "result"))


def test_rehearsal_of_real_people_is_played_by_the_ordinary_actions_and_reported(
    actor: Actor, event: Event
) -> None:
    made = rehearse(actor=actor, event=event, seed=7, speed=100, share=70, parts=ALL)
    assert made.name == f"REHEARSAL {event.name}"
    assert made.slug.startswith("rehearsal-")
    assert set(made.roles.values_list("user__username", "role")) == {("arbiter", "owner"), ("ada", "chief")}
    assert sorted(section.participants.count() for section in made.sections.all()) == [16, 24]
    assert not ActionLog.objects.filter(event=event, user__isnull=False, action="set_rehearsal").exists()
    kept = event_file(made).decode()
    for word in ("Secret", "a secret", "1990", '"fide_id"'):
        assert word not in kept, word
    assert "Northern Knights" in kept  # clubs may have to be kept apart
    assert made.sections.filter(played_rounds__isnull=False).count() == 0

    an_hour_ago = timezone.now() - timedelta(hours=1)  # so slips are entered after they lay on the table
    RehearsalClock.objects.filter(event=made).update(since=an_hour_ago)
    begin(made, actor)
    pass_minutes(made, 11)
    assert {result for _slug, _board, result in results(made)} == {""}  # no game ends so early
    pass_minutes(made, 80)  # the network is dead now
    clock = RehearsalClock.objects.get(event=made)
    assert clock.cut_until - an_hour_ago == timedelta(minutes=0.8, seconds=CUT_SECONDS)
    RehearsalClock.objects.update(cut_until=timezone.now() + timedelta(minutes=1))
    for _again in range(2):
        with pytest.raises(Busy):
            refuse_in_cut(made, "/a/round/1/")
    refuse_in_cut(event, "/a/round/1/")
    section = made.sections.get(slug="a")
    late = section.participants.get(first_round=2)
    assert late.player.federation
    assert section.participants.filter(byes__round_number=2, byes__kind="Z").count() == 2
    pass_minutes(made, 400)
    pass_minutes(made, 420)  # the players see what the clock typed wrongly
    clock.refresh_from_db()
    table = on_the_table(clock, clock.since + timedelta(minutes=5))
    slips = [line for line in table if not line.entered]
    wrong = [line for line in table if line.entered]
    assert 0 < len(slips) < 20
    assert {line.game.board for line in wrong} >= {2}
    report = rehearsal_report(clock)
    assert (report.by_clock, report.by_people, report.found) == (20 - len(slips), 0, 0)
    assert report.wrong == len(wrong) >= 2
    assert (len(report.cuts), report.waited) == (1, 1)
    for line in (*wrong, *slips):
        line.game.refresh_from_db()
        about = {"game_id": line.game.pk, "seen_version": line.game.version}
        record_result(actor=actor, result=line.result, **about)
    begin(made, actor)
    pass_minutes(made, 400)
    clock.refresh_from_db()
    report = rehearsal_report(clock)
    assert (report.found, report.by_people) == (len(wrong), len(wrong) + len(slips))
    waited = {(one.what, one.section, one.board) for one in report.waits if one.minutes is not None}
    assert waited == {
        *(("slip", line.section, line.board) for line in slips),
        *(("wrong", line.section, line.board) for line in wrong),
    }
    assert all(one.minutes is None for one in report.waits if one.round_number == 2)
    assert [(row.section.slug, row.number) for row in report.rounds] == [
        ("a", 1),
        ("a", 2),
        ("b", 1),
        ("b", 2),
    ]
    assert None not in (report.rounds[1].to_pair, report.rounds[1].to_publish, report.rounds[0].play)
    assert (len(report.cuts), report.appeals, report.decided) == (2, 2, 0)
    later = clock.since + timedelta(hours=1)
    appeal = next(line.appeal for line in on_the_table(clock, later) if line.appeal)
    assert {row.who for row in section.log.filter(action="note_incident")} == {"rehearsal"}
    change_incident(actor=actor, incident_id=appeal.pk, kind="claim", note="rejected")
    report = rehearsal_report(clock)
    assert (report.decided, sorted(one.minutes is None for one in report.waits if one.what == "appeal")) == (
        1,
        [False, True],
    )
    lines = rehearsal_csv(made, clock).decode("utf-8-sig").splitlines()
    assert sum(";slip;" in line for line in lines) >= len(slips)
    set_rehearsal(actor=actor, event=made, speed=0)
    assert not rehearsals_run()


def test_same_seed_brings_the_same_results_with_invented_players_and_another_seed_does_not(
    actor: Actor, event: Event
) -> None:
    found = []
    for seed in (5, 5, 6):
        made = rehearse(actor=actor, event=event, players=20, seed=seed, speed=100, parts=["absent"])
        begin(made, actor)
        pass_minutes(made, 300)
        names = list(Player.objects.filter(event=made).order_by("pk").values_list("name", flat=True))
        found.append((names, results(made)))
        assert len(set(names)) == 40
    assert found[0] == found[1]
    assert found[0] != found[2]
    assert "" not in {result for _section, _board, result in found[0][1]}


def test_check_in_fills_except_for_two_players(actor: Actor, event: Event) -> None:
    made = rehearse(actor=actor, event=event, seed=5, speed=1, parts=["absent"])
    section = made.sections.get(slug="a")
    open_check_in(actor=actor, section_id=section.pk, after_round=0)
    for _look in range(3):
        tick()
    assert len(missing_players(section, 1)) == 2


def test_nothing_is_sent_and_nobody_finds_a_rehearsal(actor: Actor, event: Event) -> None:
    made = rehearse(actor=actor, event=event, seed=5)
    hook, _secret = make_webhook(
        actor=actor, event=made, address="https://club.example/hook", kinds=["results"]
    )
    section = made.sections.get(slug="a")
    begin(made, actor)
    WebhookMessage.objects.create(webhook=hook, section=section, kind="results", revision=1)
    NoticeSubscription.objects.create(section=section, endpoint="https://push.example/1", told_round=0)
    parts = registration_parts(section)
    mail = Mail.objects.create(
        registration=Registration.objects.get(pk=parts["registration"]),
        kind="link",
        revision=1,
        not_before=timezone.now(),
    )
    assert not webhooks_are_due()
    assert not notices_are_due()
    assert not due_mails(timezone.now() + timedelta(days=1)).filter(pk=mail.pk).exists()
    assert made.pk not in {row.event_id for row in found_events(UserFactory(), EventSearch(), 1).events}
    assert made.pk in {row.event_id for row in found_events(actor.user, EventSearch(), 1).events}
    made = edit_event(actor=actor, event=made, name="Rijswijk Open", indexed=True)
    assert (made.name, made.indexed) == ("REHEARSAL Rijswijk Open", False)


def test_end_deletes_everything_with_the_log_and_no_real_event_can_be_deleted_so(
    actor: Actor, event: Event
) -> None:
    made = rehearse(actor=actor, event=event, seed=5, speed=100, parts=ALL)
    begin(made, actor)
    pass_minutes(made, 300)
    make_webhook(actor=actor, event=made, address="https://club.example/hook", kinds=["results"])
    section = made.sections.get(slug="a")
    registration_parts(section)
    before = {model: models.QuerySet(model).count() for model in (Event, Section, Player, Game, ActionLog)}
    logged = event.log.count()

    with refused("no_rehearsal"):
        end_rehearsal(actor=actor, event=event, sure=True)
    with refused("no_rehearsal"):
        set_rehearsal(actor=actor, event=event, speed=1)
    with refused("is_rehearsal"):
        rehearse(actor=actor, event=made)
    with refused("end_rehearsal_to_confirm"):
        end_rehearsal(actor=actor, event=made)
    with pytest.raises(TypeError):
        made.log.all().delete()
    for one, mark in ((event, True), (made, False)):
        with pytest.raises(DatabaseError), transaction.atomic():
            Event.objects.filter(pk=one.pk).update(rehearsal=mark, name="REHEARSAL A")
    with pytest.raises(DatabaseError), transaction.atomic():
        Event.objects.filter(pk=made.pk).update(name="Rijswijk Open")

    end_rehearsal(actor=actor, event=made, sure=True)
    assert not Event.objects.filter(pk=made.pk).exists()
    after = {model: models.QuerySet(model).count() for model in before}
    assert all(after[model] < before[model] for model in before)
    assert event.log.count() == logged
    assert (Event.objects.count(), ActionLog.objects.exclude(event=event).count()) == (1, 0)
    assert not Webhook.objects.exists()
    tick()


@pytest.mark.django_db(transaction=True)
def test_end_deletes_the_copies(actor: Actor, event: Event, backups: Path) -> None:
    made = rehearse(actor=actor, event=event, seed=5)
    elsewhere = backups / "elsewhere"
    stored = [take_copy(one.sections.get(slug="a"), "asked") for one in (made, event)]
    copied = [copy_event(one, elsewhere).path for one in (made, event)]
    end_rehearsal(actor=actor, event=made, sure=True)
    assert [path.exists() for path in (*stored, *copied)] == [False, True] * 2


def test_files_of_a_rehearsal_become_a_rehearsal_again_and_no_part_of_a_real_event(
    actor: Actor, event: Event
) -> None:
    made = rehearse(actor=actor, event=event, seed=5)
    begin(made, actor)
    section = made.sections.get(slug="a")
    whole, part = read_any(event_file(made)), read_any(copy_file(section))
    assert isinstance(whole, EventCopy)
    assert isinstance(part, SectionCopy)
    again = load_event_copy(actor=actor, copy=whole)
    assert (again.rehearsal, again.public, again.name) == (True, True, made.name)
    with refused("only_rehearsals", event=event.name):
        load_copy(actor=actor, event=event, copy=part, name="C")
    assert load_copy(actor=actor, event=again, copy=part, name="C").event == again
    set_rehearsal(actor=actor, event=again, speed=10)
    report = read_report(tournament_report(section))
    with refused("only_rehearsals"):
        import_report(actor=actor, report=report, event=event, name="D")
    plain = create_event(actor=actor, name="Empty", start=event.start, end=event.end)
    with refused("nothing_to_rehearse"):
        rehearse(actor=actor, event=plain)
