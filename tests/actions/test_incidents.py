"""Incidents: noted, changed, removed and undone; counted; never public; kept in copies; erased with the player."""

from __future__ import annotations

import pytest

from pairing.rounds import pair_next_round
from tests.actions.refusals import one_step, refused
from tests.factories import section_of
from tests.web.staff.conftest import enter, paired
from tournaments.actions.copies import load_copy
from tournaments.actions.incidents import change_incident, note_incident, remove_incident
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.undo import undo
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file
from tournaments.files.personal_data import person_values
from tournaments.models import ActionLog, Game, Incident, Section
from tournaments.models.events import Boards
from tournaments.queries.incidents import incident_list

pytestmark = pytest.mark.django_db


@pytest.fixture
def section(db: None) -> Section:
    made = section_of(8)
    paired(made)
    return made


def note(actor: Actor, game: Game, kind: str = "illegal", **values: object) -> Incident:
    about = {"participant_id": game.white_id, "round_number": game.round.number}
    return note_incident(actor=actor, section_id=game.round.section_id, kind=kind, **about, **values)


def test_incident_is_noted_counted_changed_removed_and_undone(actor: Actor, section: Section) -> None:
    game = section.played_rounds.get().games.get(board=2)
    with one_step(section, "note_incident"):
        first = note(actor, game, minutes=2, note=" moved the king twice ")
    assert (first.board, first.minutes, first.note, first.by) == (2, 2, "moved the king twice", actor.user)
    second = note(actor, game)
    note(actor, game, "phone")
    rows = incident_list(section)
    assert [(row.time, row.so_far, row.decides) for row in rows] == [
        (1, 1, False),
        (2, 2, True),
        (1, 3, False),
    ]
    with one_step(section, "change_incident"):
        change_incident(actor=actor, incident_id=second.pk, kind="warning", note="noise")
    assert not any(row.decides for row in incident_list(section))
    with one_step(section, "remove_incident"):
        remove_incident(actor=actor, incident_id=first.pk)
    assert len(incident_list(section)) == 2
    last = ActionLog.objects.filter(section=section).latest("revision")
    undo(actor=actor, section_id=section.pk, revision=last.revision)
    assert Incident.objects.get(pk=first.pk).note == "moved the king twice"


def test_a_second_illegal_move_counts_in_the_same_game_only(actor: Actor, section: Section) -> None:
    row = section.played_rounds.get()
    note(actor, row.games.get(board=1))
    player = row.games.get(board=1).white_id
    for game in row.games.all():
        enter(game, "1/2")
    paired(section)
    note_incident(actor=actor, section_id=section.pk, participant_id=player, round_number=2, kind="illegal")
    assert [(found.time, found.so_far) for found in incident_list(section)] == [(1, 1), (1, 2)]


def test_what_makes_no_sense_is_refused(actor: Actor, section: Section) -> None:
    row = section.played_rounds.get()
    game = row.games.get(board=2)
    with refused("incident_kind"):
        note(actor, game, "shouting")
    with refused("invalid_values"):
        note(actor, game, minutes=999)
    clerk = Actor(actor.user, actor.origin, boards=(Boards(3, 4),))
    with refused("not_own_board", board=2):
        note(clerk, game)
    kept = note(actor, game)
    with refused("not_own_board", board=2):
        remove_incident(actor=clerk, incident_id=kept.pk)
    assert incident_list(section, clerk.boards) == []
    for one in row.games.all():
        enter(one, "1-0")
    draft = pair_next_round(actor=actor, section_id=section.pk, after_round=1)
    with refused("incident_round", round=2):
        note(actor, draft.games.get(board=1))


def test_copy_keeps_incidents_and_erasing_a_player_erases_the_notes(actor: Actor, section: Section) -> None:
    game = section.played_rounds.get().games.select_related("white__player", "black__player").get(board=2)
    note(actor, game, note="spoke to the arbiter")
    other = section.played_rounds.get().games.get(board=1)
    note(actor, other, "claim", note=f"against {game.white.player.name}")
    event = section_of(2).event
    load_copy(actor=actor, event=event, copy=read_copy(copy_file(section)), name="Copy", source="x")
    copied = event.sections.latest("pk")
    assert sorted(copied.incidents.values_list("board", "kind")) == [(1, "claim"), (2, "illegal")]
    assert person_values(game.white.player)["entries"][0]["incidents"] == [
        [1, 2, "illegal", None, "spoke to the arbiter"]
    ]
    name = game.white.player.name
    erase_player(actor=actor, event=section.event, player_id=game.white.player_id, typed=name)
    kept = str(
        list(section.incidents.values()) + list(ActionLog.objects.filter(event=section.event).values())
    )
    assert "spoke to the arbiter" not in kept
    assert name not in kept
    assert section.incidents.count() == 2
