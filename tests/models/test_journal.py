"""A journal notes every row that is written while it is open, in order, with its old and new values."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.apps import apps
from django.db.models import F

from evenboard_engine import ByeKind
from tests.factories import (
    ByeFactory,
    EventFactory,
    ForbiddenPairFactory,
    GameFactory,
    ParticipantFactory,
    PlayerFactory,
    RoundFactory,
    SectionFactory,
)
from tournaments.models import Bye, Event, Game, Participant, Player, Round, Section
from tournaments.models.journal import Journaled, journal, whole

pytestmark = pytest.mark.django_db


def test_saved_row_keeps_the_columns_that_changed() -> None:
    participant = ParticipantFactory(rating=2400, club="Old")
    participant.rating, participant.club = 2410, "New"
    with journal() as written:
        participant.save(update_fields=["rating"])
        participant.save()
        participant.save()
    assert written.changes == [
        ["participant", participant.pk, {"rating": 2400}, {"rating": 2410}],
        ["participant", participant.pk, {"club": "Old"}, {"club": "New"}],
    ]


def test_created_row_keeps_what_differs_from_the_defaults() -> None:
    row = RoundFactory()
    white, black = ParticipantFactory.create_batch(2, section=row.section)
    with journal() as written:
        game = Game.objects.create(round=row, board=3, white=white, black=black)
    held = {"round_id": row.pk, "board": 3, "white_id": white.pk, "black_id": black.pk}
    assert written.changes == [["game", game.pk, None, held]]
    assert whole(Game, held)["result"] == ""
    assert set(whole(Game, held)) == {
        field.attname for field in Game._meta.concrete_fields if field.name != "id"
    }


def test_times_are_kept_in_utc_and_days_as_days() -> None:
    row, event = RoundFactory(), EventFactory()
    row.published_at = datetime(2026, 10, 17, 14, 0, 1, 250, tzinfo=UTC)
    with journal() as written:
        row.save(update_fields=["published_at"])
        Event.objects.filter(pk=event.pk).update(start="2026-10-16")
    assert written.changes == [
        ["round", row.pk, {"published_at": None}, {"published_at": "2026-10-17T14:00:01.000250+00:00"}],
        ["event", event.pk, {"start": "2026-10-17"}, {"start": "2026-10-16"}],
    ]


def test_rows_created_in_bulk_are_kept() -> None:
    participant = ParticipantFactory()
    with journal() as written:
        made = Bye.objects.bulk_create(
            Bye(participant=participant, round_number=number, kind=ByeKind.ZERO) for number in (2, 3)
        )
    assert [(model, key, before) for model, key, before, _ in written.changes] == [
        ("bye", made[0].pk, None),
        ("bye", made[1].pk, None),
    ]
    assert written.changes[1][3] | {"created_at": ""} == {
        "participant_id": participant.pk,
        "round_number": 3,
        "kind": "Z",
        "created_at": "",
    }


def test_rows_changed_in_bulk_are_kept_once() -> None:
    section = SectionFactory()
    rows = ParticipantFactory.create_batch(3, section=section)
    keys = [row.pk for row in rows]
    for row in rows[:2]:
        row.tpn += 10
    with journal() as written:
        Participant.objects.bulk_update(rows, ["tpn", "club"], batch_size=2)
        section.participants.filter(tpn__gte=10).update(tpn=F("tpn") - 10, former_tpn=None)
    assert written.changes == [
        ["participant", keys[0], {"tpn": 1}, {"tpn": 11}],
        ["participant", keys[1], {"tpn": 2}, {"tpn": 12}],
        ["participant", keys[0], {"tpn": 11}, {"tpn": 1}],
        ["participant", keys[1], {"tpn": 12}, {"tpn": 2}],
    ]


def test_update_of_the_column_that_chooses_the_rows_is_kept() -> None:
    participant = ParticipantFactory(former_tpn=4)
    with journal() as written:
        Participant.objects.filter(former_tpn__isnull=False).update(former_tpn=None)
    assert written.changes == [["participant", participant.pk, {"former_tpn": 4}, {"former_tpn": None}]]


def test_deleted_rows_are_kept_with_the_rows_that_the_cascade_deletes() -> None:
    bye = ByeFactory(round_number=4)
    pair = ForbiddenPairFactory(section=bye.participant.section, first=bye.participant)
    key = bye.participant.pk
    bye.participant.rating = 1  # not saved: the journal keeps the value in the database
    with journal() as written:
        bye.participant.delete()
    gone = [(model, key) for model, key, _, after in written.changes if after is None]
    assert sorted(gone[:2]) == [("bye", bye.pk), ("forbiddenpair", pair.pk)]
    assert gone[2:] == [("participant", key)]
    assert written.changes[2][2]["rating"] == 2490


def test_rows_deleted_by_a_query_are_kept() -> None:
    game = GameFactory(result="1-0")
    held = {"round_id": game.round_id, "board": 1, "white_id": game.white_id, "black_id": game.black_id}
    with journal() as written:
        Round.objects.filter(pk=game.round_id).delete()
    assert written.changes[0] == ["game", game.pk, {**held, "result": "1-0"}, None]
    assert [change[0] for change in written.changes] == ["game", "round"]


def test_revision_is_never_kept() -> None:
    section = SectionFactory()
    section.revision, section.name = 7, "Other"
    with journal() as written:
        section.save()
    assert [after for *_, after in written.changes] == [{"name": "Other"}]


def test_journal_inside_a_journal_has_its_own_rows() -> None:
    player = PlayerFactory()
    with journal() as outer:
        with journal() as inner:
            Player.objects.filter(pk=player.pk).update(title="GM")
        Player.objects.filter(pk=player.pk).update(title="IM")
    Player.objects.filter(pk=player.pk).update(title="FM")
    assert inner.changes == [["player", player.pk, {"title": ""}, {"title": "GM"}]]
    assert outer.changes == [["player", player.pk, {"title": "GM"}, {"title": "IM"}]]


def test_all_models_of_a_section_are_journaled() -> None:
    models = apps.get_app_config("tournaments").get_models()
    assert {model.__name__ for model in models if issubclass(model, Journaled)} == {
        "Bye",
        "CheckIn",
        "Event",
        "EventRole",
        "ForbiddenPair",
        "Game",
        "Incident",
        "Participant",
        "Player",
        "Round",
        "Section",
    }


def test_row_that_was_not_saved_is_not_kept() -> None:
    section = SectionFactory()
    with journal() as written, pytest.raises(ValueError):
        Section.objects.filter(pk=section.pk).update(rounds="many")
    assert written.changes == []
