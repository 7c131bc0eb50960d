"""Erasing a player removes everything that says who it is, and leaves every number of the tournament."""

from __future__ import annotations

import gzip
import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.management import call_command
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks, Settings

from pairing.rounds import pair_next_round, publish_round
from tests.factories import EventRoleFactory, SectionFactory, entry_data
from tests.web.staff.conftest import enter
from tournaments.actions.chores import COPIES, chore_named, copies_are_due
from tournaments.actions.entries import add_participant, edit_participant, withdraw_participant
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.stored_copies import copies_of, copy_event, stored_copies, take_copy
from tournaments.actions.undo import restore_before_round, undo
from tournaments.errors import DomainError
from tournaments.files.report_writing import tournament_report
from tournaments.hash_chain import check_event, check_section
from tournaments.models import ActionLog, Chore, EventRole, Participant, Player, Section

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
PERSON = entry_data(
    "Zyxwolski, Ignatius",
    2100,
    title="FM",
    sex="m",
    federation="POL",
    fide_id=990012345,
    birth_date="1987/06/05",
    club="Zebra Club",
    note="a secret note",
)
TRACES = re.compile(r"Zyxwolski|Ignatius|990012345|\b1987\b|Zebra|secret note|Formername", re.IGNORECASE)


@pytest.fixture
def section(settings: Settings, tmp_path: Path) -> Section:
    """Player 3 of 6, two of whom have the same rating, in round 2 of 5; with copies, and the name in reasons."""
    settings.BACKUP_DIR = str(tmp_path / "backups")
    settings.BACKUP_TO = ""
    section = SectionFactory(rounds=5)
    other = SectionFactory(event=section.event)
    entered = add_participant(
        actor=ACTOR, section_id=section.pk, entry=entry_data("Formername, Ignatius", 2100, fide_id=990012345)
    )
    for place in range(5):
        rating = (2200, 2150, 2100, 2000, 1900)[place]
        add_participant(actor=ACTOR, section_id=section.pk, entry=entry_data(f"Player{place}, Ann", rating))
    edit_participant(actor=ACTOR, participant_id=entered.pk, entry=PERSON)
    add_participant(actor=ACTOR, section_id=other.pk, entry=PERSON, both=True)
    set_hall_message(actor=ACTOR, section_id=section.pk, message="Call Ignatius Zyxwolski")
    first = pair_next_round(actor=ACTOR, section_id=section.pk, after_round=0)
    publish_round(actor=ACTOR, round_id=first.pk, seen_version=first.version)
    for game in first.games.all():
        enter(game, "1/2" if game.board == 2 else "1-0")
    withdraw_participant(actor=ACTOR, participant_id=entered.pk, reason="Zyxwolski is ill")
    Section.objects.filter(pk=section.pk).update(report_records=["XXZ Zyxwolski, Ignatius      990012345 1"])
    take_copy(Section.objects.get(pk=section.pk), "asked")
    return Section.objects.get(pk=section.pk)


def erase(section: Section, typed: str = "Zyxwolski, Ignatius") -> str:
    player = Player.objects.get(event=section.event, fide_id=990012345)
    return erase_player(actor=ACTOR, event=section.event, player_id=player.pk, typed=typed)


def everything() -> list[str]:
    """Return every value of every row of the program."""
    found = []
    for model in apps.get_app_config("tournaments").get_models():
        rows = models.QuerySet(model).values()
        found += [f"{model.__name__}.{name}: {value}" for row in rows for name, value in row.items()]
    return found


def numbers(section: Section) -> dict[str, Any]:
    """Return what others read about the tournament, without names, numbers of FIDE, titles and federations."""
    pages = ("standings/", "crosstable/", "aro/", "round/1/pairings/", "players/")
    base = f"/{section.event.slug}/{section.slug}/"
    api = Client().get(f"/api/v1/public/sections/{section.pk}/standings/").json()["results"]
    report = tournament_report(section).decode().splitlines()
    columns = [
        "pk",
        "tpn",
        "rating",
        "official_rating",
        "rating_source",
        "status",
        "left_after",
        "first_round",
    ]
    return {
        "standings": [
            {k: v for k, v in row.items() if k not in ("name", "title", "federation")} for row in api
        ],
        "report": [line[4:8] + line[48:52] + line[80:] for line in report if line.startswith("001")],
        "entries": list(Participant.objects.filter(section=section).order_by("pk").values(*columns)),
        "pages": [Client().get(base + page).status_code for page in pages],
    }


def test_nothing_that_says_who_it_was_is_left_and_all_numbers_stay(
    section: Section, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    before = numbers(section)
    assert [value for value in everything() if TRACES.search(value)] != []
    with django_capture_on_commit_callbacks(execute=True):
        assert erase(section) == "Erased player 1"
    section.refresh_from_db()
    assert [value for value in everything() if TRACES.search(value)] == []
    assert numbers(section) == before
    assert [check_section(one).fault for one in section.event.sections.all()] == [None, None]
    assert check_event(section.event).fault is None
    (copy,) = stored_copies(section)
    assert TRACES.search(json.dumps(json.loads(gzip.decompress(copy.path.read_bytes())))) is None


def test_log_says_it_without_the_name_and_others_stay_as_they_were(section: Section) -> None:
    others = {row.pk: row.seal for row in ActionLog.objects.all()}
    erase(section)
    row = section.log.latest("revision")
    assert (row.action, row.subject, row.before, row.after, row.changes) == (
        "erase_player", "Erased player 1", {}, {}, [],
    )  # fmt: skip
    assert set(others) < set(ActionLog.objects.values_list("pk", flat=True))
    texts = " ".join(everything())
    assert [name in texts for name in ("Player0, Ann", "Player4, Ann")] == [True, True]
    assert section.log.get(action="withdraw_participant").reason == "Erased player 1 is ill"


def test_undo_goes_on_after_it_but_brings_nobody_back(section: Section) -> None:
    erase(section)
    withdrawn = section.log.get(action="withdraw_participant")
    undo(actor=ACTOR, section_id=section.pk, revision=withdrawn.revision)
    assert Participant.objects.get(section=section, player__name="Erased player 1").is_active
    with pytest.raises(DomainError, match="undo_erased"):
        undo(actor=ACTOR, section_id=section.pk, revision=withdrawn.revision + 1)


def test_going_back_before_it_restores_the_tournament_and_not_the_person(section: Section) -> None:
    """The name, the FIDE ID and the rest stay erased, also when the change that brought them is undone."""
    erase(section)
    erased = Player.objects.get(name="Erased player 1")
    facts = Player.objects.values().get(pk=erased.pk)
    edited = section.log.get(action="edit_participant")
    undo(actor=ACTOR, section_id=section.pk, revision=edited.revision)
    section.refresh_from_db()
    restore_before_round(
        actor=ACTOR, section_id=section.pk, number=1, seen_revision=section.revision, reason="wrong players"
    )
    assert Player.objects.values().get(pk=erased.pk) == facts
    assert section.played_rounds.count() == 0
    assert [value for value in everything() if TRACES.search(value)] == []


def test_copies_in_another_place_are_deleted_and_made_again(
    section: Section,
    settings: Settings,
    tmp_path: Path,
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    elsewhere = tmp_path / "share"
    settings.BACKUP_TO = str(elsewhere)
    other = SectionFactory()
    copies = [copy_event(event, elsewhere).path for event in (section.event, other.event)]
    add_participant(actor=ACTOR, section_id=section.pk, entry=entry_data("Later, Lea", 1800))
    copies.append(copy_event(section.event, elsewhere).path)
    of_site = elsewhere / "evenboard-site-20260901T100000000000Z.sealed"
    of_site.touch()
    chore_named(COPIES)
    Chore.objects.filter(name=COPIES).update(place=settings.BACKUP_TO, done_at=timezone.now())
    assert not copies_are_due()
    with django_capture_on_commit_callbacks(execute=True):
        erase(section)
    assert [path.exists() for path in (*copies, of_site)] == [False, True, False, False]
    assert copies_are_due()
    call_command("copy_tournaments", str(elsewhere), verbosity=0)
    (new,) = copies_of(elsewhere, section.event)
    assert TRACES.search(gzip.decompress(new.read_bytes()).decode()) is None


def test_nothing_is_erased_unless_the_name_is_typed(section: Section) -> None:
    with pytest.raises(DomainError, match="erase_not_confirmed"):
        erase(section, typed="Zyxwolski")
    assert Player.objects.filter(name="Zyxwolski, Ignatius").count() == 1


def test_organiser_saves_the_file_of_the_player_and_erases_by_typing_the_name(section: Section) -> None:
    client = Client()
    client.force_login(EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user)
    entry = section.participants.get(player__fide_id=990012345)
    page = f"/{section.event.slug}/{section.slug}/entries/{entry.pk}/data/"
    with zipfile.ZipFile(io.BytesIO(client.get(f"{page}file.zip").content)) as packed:
        found, lines = json.loads(packed.read("person.json")), packed.read("person.txt").decode()
    assert found["person"]["birth_date"] == "1987/06/05"
    assert [one["section"] for one in found["entries"]] == list(
        section.event.sections.order_by("pk").values_list("name", flat=True)
    )
    (game,) = found["entries"][0]["games"]
    assert (game["round"], game["result"] != "") == (1, True)
    assert {row["action"] for row in found["log"]} >= {
        "add_participant",
        "edit_participant",
        "withdraw_participant",
    }
    assert ["Player0" in text for text in (json.dumps(found), lines)] == [False, False]
    assert "birth_date: 1987/06/05" in lines
    assert client.post(page, {"name": "Somebody"}).status_code == 422
    assert client.post(page, {"name": "Zyxwolski, Ignatius"}).status_code == 302
    assert client.post(page, {"name": "Zyxwolski, Ignatius"}).status_code == 422
    assert Player.objects.get(entries=entry).name == "Erased player 1"


def test_number_of_queries_does_not_grow_with_rounds_and_the_log(section: Section) -> None:
    client = Client()
    client.force_login(EventRoleFactory(event=section.event, role=EventRole.Role.OWNER).user)
    entry = section.participants.get(player__fide_id=990012345)
    page = f"/{section.event.slug}/{section.slug}/entries/{entry.pk}/data/"

    def queries() -> list[int]:
        found = []
        for path in (page, f"{page}file.zip", f"/{section.event.slug}/-/kept/"):
            with CaptureQueriesContext(connection) as captured:
                assert client.get(path).status_code == 200
            found.append(len(captured))
        return found

    queries()  # the first page of a session looks whether the login works on an event
    few = queries()
    for number in (1, 2):
        another = SectionFactory(event=section.event)
        add_participant(actor=ACTOR, section_id=another.pk, entry=PERSON, both=True)
        draft = pair_next_round(actor=ACTOR, section_id=section.pk, after_round=number)
        publish_round(actor=ACTOR, round_id=draft.pk, seen_version=draft.version)
        for game in draft.games.all():
            enter(game, "1-0")
    page_queries, file_queries, kept_queries = few
    assert queries() == [page_queries, file_queries + 2 * 5, kept_queries], (
        "five for each section of the player"
    )
