from __future__ import annotations

import pytest

from evenboard_engine import ByeKind
from tests.actions.refusals import one_step, refused
from tests.factories import (
    ByeFactory,
    GameFactory,
    ParticipantFactory,
    RoundFactory,
    SectionFactory,
    section_of,
)
from tournaments.actions.entries import readmit_participant, remove_participant, withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.models import Player, Round

pytestmark = pytest.mark.django_db


def test_withdrawal_cancels_byes_of_later_rounds(actor: Actor) -> None:
    section = section_of(2)
    participant = section.participants.get(tpn=1)
    RoundFactory(section=section)
    for number in (1, 2, 3):
        ByeFactory(participant=participant, round_number=number, kind=ByeKind.ZERO.value)
    with one_step(section, "withdraw_participant") as logged:
        withdraw_participant(actor=actor, participant_id=participant.pk, reason=" ill ")
    participant.refresh_from_db()
    assert participant.status == "withdrawn"
    assert list(participant.byes.values_list("round_number", flat=True)) == [1]
    assert participant.left_after == 1
    before = {"status": "active", "left_after": None, "byes": [[2, "Z"], [3, "Z"]]}
    assert (logged[0].before, logged[0].reason) == (before, "ill")
    with refused("already_withdrawn"):
        withdraw_participant(actor=actor, participant_id=participant.pk)


def test_expelled_player_is_not_the_same_as_withdrawn(actor: Actor) -> None:
    participant = section_of(1).participants.get()
    with one_step(participant.section, "expel_participant") as logged:
        withdraw_participant(actor=actor, participant_id=participant.pk, reason="cheating", expelled=True)
    participant.refresh_from_db()
    assert (participant.status, participant.is_active, logged[0].reason) == ("expelled", False, "cheating")
    with refused("already_expelled"):
        withdraw_participant(actor=actor, participant_id=participant.pk, expelled=True)


def test_withdrawn_player_can_still_be_expelled(actor: Actor) -> None:
    section = section_of(1)
    participant = section.participants.get()
    withdraw_participant(actor=actor, participant_id=participant.pk)
    RoundFactory(section=section)
    withdraw_participant(actor=actor, participant_id=participant.pk, expelled=True)
    participant.refresh_from_db()
    assert (participant.status, participant.left_after) == ("expelled", 0)


def test_withdrawn_player_can_play_again(actor: Actor) -> None:
    section = section_of(1)
    participant = section.participants.get()
    with refused("not_withdrawn"):
        readmit_participant(actor=actor, participant_id=participant.pk)
    withdraw_participant(actor=actor, participant_id=participant.pk)
    with one_step(section, "readmit_participant") as logged:
        readmit_participant(actor=actor, participant_id=participant.pk)
    participant.refresh_from_db()
    assert (participant.status, participant.tpn, participant.left_after) == ("active", 1, None)
    before = {"status": "withdrawn", "left_after": 0}
    assert (logged[0].before, logged[0].after["status"]) == (before, "active")


def test_removal_deletes_a_person_without_another_entry(actor: Actor) -> None:
    section = section_of(2)
    one, two = section.participants.all()
    ParticipantFactory(section=SectionFactory(event=section.event), player=two.player)
    ByeFactory(participant=one, round_number=2)
    one_name = one.player.name
    with one_step(section, "remove_participant") as logged:
        remove_participant(actor=actor, participant_id=one.pk)
    assert (logged[0].subject, logged[0].before["byes"]) == (f"1 {one_name}", [[2, "H"]])
    remove_participant(actor=actor, participant_id=two.pk)
    assert list(Player.objects.values_list("pk", flat=True)) == [two.player_id]


def test_paired_player_is_not_removed(actor: Actor) -> None:
    game = GameFactory(round__state=Round.State.DRAFT)
    for participant in (game.white, game.black):
        with refused("already_paired", name=participant.player.name):
            remove_participant(actor=actor, participant_id=participant.pk)
    rested = ByeFactory(participant__section=game.round.section).participant
    with refused("already_paired"):
        remove_participant(actor=actor, participant_id=rested.pk)
