"""What versions wrote in which a section was a `Tournament` is still read, checked, undone and loaded.

files/ has what such a version wrote: the rows of its database, and the copies of the section and of its event. The
section has six players, round 1 with results, and round 2 with one result.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from django.apps.registry import Apps
from django.conf import LazySettings
from django.core.management.color import no_style
from django.db import connection, models

from tests.emptying import empty
from tests.factories import SectionFactory, section_of
from tests.migrating import WITH_COLUMNS_OF_OPTIONS, WITH_TOURNAMENTS, at_migration
from tests.models.test_triggers import expected, in_database
from tests.web.staff.conftest import enter, paired
from tournaments.actions.copies import load_copy_as_event, load_event_copy
from tournaments.actions.entries import remove_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.proofs import prove_event_copy
from tournaments.actions.sections import edit_section
from tournaments.actions.undo import restore_before_round, undo
from tournaments.copy_format import pack
from tournaments.copy_seal import Origin
from tournaments.errors import DomainError
from tournaments.exports.section_copy import copy_file
from tournaments.imports.section_copy import read_any, read_copy
from tournaments.log_seal import Checked, check_event, check_section, sealed_values
from tournaments.models import ActionLog, Bye, Event, ForbiddenPair, Game, Participant, Section, User
from tournaments.models.journal import restored, stored

FILES = Path(__file__).parent / "files"
TABLES: dict[str, list[dict[str, Any]]] = json.loads((FILES / "rows-of-0016.json").read_text())


def fill(older: Apps) -> None:
    """Write the rows of files/ into the tables of that version. The next rows get the keys after these."""
    tables: list[type[models.Model]] = [older.get_model("tournaments", name) for name in TABLES]
    for model, rows in zip(tables, TABLES.values(), strict=True):
        fields = {field.attname: field for field in model._meta.concrete_fields}
        model._base_manager.bulk_create(
            model(**{column: fields[column].to_python(value) for column, value in row.items()})
            for row in rows
        )
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)


@pytest.fixture
def migrated(transactional_db: None) -> Section:
    """Return the section of the older database after all migrations.

    On the way back, a section of today has its options in columns.
    """
    key = SectionFactory(options={"edition": "2018", "upfloats": "paired"}).pk
    with at_migration(WITH_COLUMNS_OF_OPTIONS) as older:
        before = older.get_model("tournaments", "Section").objects.get(pk=key)
        assert (before.edition, before.upfloats) == ("2018", "paired")
        empty(connection.alias)
        with at_migration(WITH_TOURNAMENTS) as oldest:
            fill(oldest)
    return Section.objects.get()


def test_database_of_before_is_migrated_and_its_actions_can_be_undone(migrated: Section) -> None:
    assert in_database() == expected()
    (before,) = TABLES["Tournament"]
    assert (migrated.pk, migrated.name, migrated.revision) == (
        before["id"],
        before["name"],
        before["revision"],
    )
    assert migrated.options == {"edition": "2026", "upfloats": "played"}
    related = {
        "Event": Event.objects.filter(sections=migrated),
        "EventRole": migrated.event.roles,
        "Player": migrated.event.players,
        "Participant": migrated.participants,
        "Round": migrated.played_rounds,
        "Game": Game.objects.filter(round__section=migrated),
        "Bye": Bye.objects.filter(participant__section=migrated),
        "ForbiddenPair": migrated.forbidden_pairs,
        "ActionLog": ActionLog.objects,
        "CopyProof": migrated.copy_proofs,
    }
    assert {name: rows.count() for name, rows in related.items()} == {
        name: len(TABLES[name]) for name in related
    }
    # the seals cover the names of columns and models
    assert check_section(migrated) == Checked(22, before["log_head"])
    assert check_event(migrated.event) == Checked(2, TABLES["Event"][0]["log_head"])

    arbiter = Actor(user=User.objects.get(username="arbiter"))
    for game in Game.objects.filter(round__number=2, result=""):
        enter(game, "1/2")
    assert paired(migrated).number == 3
    migrated.refresh_from_db()
    restore_before_round(
        actor=arbiter, section_id=migrated.pk, number=2, seen_revision=migrated.revision, reason="again"
    )
    undo(actor=arbiter, section_id=migrated.pk, revision=15)  # a result of round 1
    undo(actor=arbiter, section_id=migrated.pk, revision=9)  # a setting
    migrated.refresh_from_db()
    assert (migrated.half_bye_limit, migrated.played_rounds.count()) == (None, 1)
    restore_before_round(
        actor=arbiter, section_id=migrated.pk, number=1, seen_revision=migrated.revision, reason="again"
    )

    # new rows of the log have the names of the first ones, too
    last = migrated.participants.latest("pk")
    forbidden = migrated.forbidden_pairs.get()
    remove_participant(actor=arbiter, participant_id=last.pk)
    row = migrated.log.latest("revision")
    gone = {(model, key): before for model, key, before, after in row.changes if after is None}
    assert gone["participant", last.pk]["tournament_id"] == migrated.pk
    assert gone["forbiddenpair", forbidden.pk]["tournament_id"] == migrated.pk
    assert (row.written, stored(row.written)) == (restored(row.changes), row.changes)
    assert {name for name in sealed_values(row) if name in {"section_id", "tournament_id"}} == {
        "tournament_id"
    }
    undo(actor=arbiter, section_id=migrated.pk, revision=row.revision)
    assert Participant.objects.get(pk=last.pk).section_id == migrated.pk
    assert ForbiddenPair.objects.get(pk=forbidden.pk).section_id == migrated.pk

    undo(actor=arbiter, section_id=migrated.pk, revision=8)  # the forbidden pair
    undo(actor=arbiter, section_id=migrated.pk, revision=7)  # an entry
    assert (ForbiddenPair.objects.count(), migrated.participants.count()) == (0, 5)
    migrated.refresh_from_db()
    assert check_section(migrated) == Checked(migrated.revision, migrated.log_head)


@pytest.mark.parametrize(
    ("today", "in_log"),
    [
        (["section", 1, None, {"name": "A"}], ["tournament", 1, None, {"name": "A"}]),
        (["round", 2, {"section_id": 1}, None], ["round", 2, {"tournament_id": 1}, None]),
        (
            ["section", 1, None, {"name": "A", "options": {"edition": "2026", "start": "top"}}],
            ["tournament", 1, None, {"name": "A", "edition": "2026", "options.start": "top"}],
        ),
        (
            ["section", 1, {"options.upfloats": "played"}, {"options.upfloats": "paired"}],
            ["tournament", 1, {"upfloats": "played"}, {"upfloats": "paired"}],
        ),
        (["game", 3, {"result": ""}, {"result": "1-0"}], ["game", 3, {"result": ""}, {"result": "1-0"}]),
    ],
)
def test_names_in_the_log_and_names_of_today(today: list[Any], in_log: list[Any]) -> None:
    assert (stored([today]), restored([in_log])) == ([in_log], [today])


@pytest.mark.django_db
def test_change_of_an_option_is_logged_as_before_and_undone_alone() -> None:
    section = SectionFactory(options={"edition": "2026", "upfloats": "played"})
    actor = Actor(user=User.objects.create(username="arbiter"))
    for name, value in (("edition", "2018"), ("upfloats", "paired")):
        edit_section(actor=actor, section_id=section.pk, options={name: value})
    assert [(row.changes, row.before, row.after) for row in section.log.order_by("revision")] == [
        ([["tournament", section.pk, {name: old}, {name: new}]], {name: old}, {name: new})
        for name, old, new in (("edition", "2026", "2018"), ("upfloats", "played", "paired"))
    ]
    undo(actor=actor, section_id=section.pk, revision=1)
    section.refresh_from_db()
    assert section.options == {"edition": "2026", "upfloats": "paired"}
    assert check_section(section) == Checked(3, section.log_head)


@pytest.mark.django_db
def test_copies_name_the_options_as_before() -> None:
    section = section_of(2, options={"edition": "2018", "upfloats": "paired"})
    actor = Actor(user=User.objects.create(username="arbiter", makes_events=True))
    data = copy_file(section)
    settings = json.loads(data)["content"]["section"]
    assert (settings["edition"], settings["upfloats"], "options" in settings) == ("2018", "paired", False)
    assert load_copy_as_event(actor=actor, copy=read_copy(data)).options == section.options


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong", [{"edition": "1997"}, {"options.start": "top"}, {"options": ["top"]}, {"system": "?"}]
)
def test_copy_with_unknown_options_is_damaged(wrong: dict[str, Any]) -> None:
    file = json.loads(copy_file(section_of(2)))
    file["content"]["section"] |= wrong
    data = pack(file["content"], file["made_at"])
    with pytest.raises(DomainError, match="copy_damaged"):
        read_copy(data)


@pytest.fixture
def same_server(settings: LazySettings) -> None:
    """The server that wrote the copies, after a change of its key."""
    settings.SECRET_KEY_FALLBACKS = ["an earlier key"]


@pytest.mark.django_db
def test_copy_of_a_section_of_before_is_loaded(same_server: None) -> None:
    copy = read_copy((FILES / "section-copy-of-0016.json").read_bytes())
    actor = Actor(user=User.objects.create(username="arbiter", makes_events=True))
    assert copy.origin is Origin.OWN
    section = load_copy_as_event(actor=actor, copy=copy)
    assert (section.participants.count(), section.played_rounds.count(), section.log.count()) == (6, 2, 23)
    assert section.options == {"edition": "2026", "upfloats": "played"}
    assert check_section(section).fault is None
    enter(Game.objects.get(round__section=section, round__number=2, board=2), "0-1")


@pytest.mark.django_db
def test_copy_of_an_event_of_before_is_loaded(same_server: None) -> None:
    actor = Actor(user=User.objects.create(username="arbiter", makes_events=True))
    copy = read_any((FILES / "event-copy-of-0016.json").read_bytes())
    assert copy.origin is Origin.OWN
    event = load_event_copy(actor=actor, copy=copy)
    assert [section.name for section in event.sections.all()] == ["Section A"]
    assert check_event(event).fault is None
    assert prove_event_copy(FILES / "event-copy-of-0016.json") == ("", "")
