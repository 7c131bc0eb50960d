"""An entry that was not paired moves to another section of its event."""

from __future__ import annotations

import pytest

from pairing.rounds import pair_next_round
from tests.actions.refusals import refused, tables
from tests.factories import ByeFactory, ParticipantFactory, SectionFactory, section_of
from tournaments.actions.ledger import Actor
from tournaments.actions.moved_entries import move_participant
from tournaments.actions.undo import undo
from tournaments.models import ActionLog, Participant, Section

pytestmark = pytest.mark.django_db
GOES_ON = {"revision", "people_revision", "log_head"}


@pytest.fixture
def masters() -> Section:
    return section_of(4, name="Masters")


@pytest.fixture
def youth(masters: Section) -> Section:
    return SectionFactory(event=masters.event, name="Youth", rounds=5, half_bye_limit=1)


def rows() -> dict[str, list[dict[str, object]]]:
    """Return sections, entries, players and byes without what only goes forward."""
    found = tables()
    return {
        name: [{key: value for key, value in row.items() if key not in GOES_ON} for row in found[name]]
        for name in ("Section", "Participant", "Player", "Bye")
    }


def test_entry_moves_with_rating_note_and_the_byes_that_the_other_section_allows(
    actor: Actor, masters: Section, youth: Section
) -> None:
    entry = masters.participants.get(tpn=2)
    entry.note, entry.half_bye_allowed, entry.official_rating = "vegetarian", False, 2470
    entry.save()
    for number, kind in ((2, "Z"), (3, "H"), (4, "H"), (6, "Z")):
        ByeFactory(participant=entry, round_number=number, kind=kind)
    before, kept = rows(), (entry.rating, entry.rating_source, entry.player_id)
    moved = move_participant(actor=actor, participant_id=entry.pk, section_id=youth.pk)
    moved.refresh_from_db()
    assert (moved.pk, moved.section, moved.tpn, moved.note) == (entry.pk, youth, 1, "vegetarian")
    assert (moved.rating, moved.rating_source, moved.player_id) == kept
    assert (moved.official_rating, moved.half_bye_allowed) == (2470, False)
    assert list(moved.byes.values_list("round_number", "kind")) == [(2, "Z"), (3, "H")]
    assert list(masters.participants.values_list("tpn", "rating")) == [(1, 2490), (2, 2470), (3, 2460)]
    away, here = ActionLog.objects.order_by("pk")
    assert (away.section, away.after["section"]) == (masters, "Youth")
    assert (here.section, here.after["section"]) == (youth, "Masters")
    assert here.after["dropped"] == [[4, "H"], [6, "Z"]]

    with refused("undo_depends"):  # a player of two sections would be the result
        undo(actor=actor, section_id=masters.pk, revision=1)
    undo(actor=actor, section_id=youth.pk, revision=1)
    undo(actor=actor, section_id=masters.pk, revision=1)
    assert rows() == before


def test_player_with_a_game_stays_and_a_late_one_may_move_to_a_section_that_runs(
    actor: Actor, masters: Section, youth: Section
) -> None:
    pair_next_round(actor=actor, section_id=masters.pk, after_round=0)
    with refused("already_paired"):
        move_participant(actor=actor, participant_id=masters.participants.get(tpn=1).pk, section_id=youth.pk)
    new = ParticipantFactory(section=youth, rating=1500)
    moved = move_participant(actor=actor, participant_id=new.pk, section_id=masters.pk)
    assert (moved.section, moved.first_round, moved.tpn) == (masters, 2, 5)


def test_move_is_refused(actor: Actor, masters: Section, youth: Section) -> None:
    entry = masters.participants.select_related("player").get(tpn=1)
    entry.player.fide_id = 4100000
    entry.player.save()

    def move(to: int) -> Participant:
        return move_participant(actor=actor, participant_id=entry.pk, section_id=to)

    with refused("same_section", section="Masters"):
        move(masters.pk)
    elsewhere = SectionFactory()
    with refused("not_found"):
        move(elsewhere.pk)
    third = SectionFactory(event=masters.event, name="Blitz")
    ParticipantFactory(section=third, player=entry.player)
    with refused("two_sections_to_confirm", sections=["Blitz"]):
        move(youth.pk)
    entry.status = Participant.Status.WITHDRAWN
    entry.save()
    with refused("already_withdrawn"):
        move(youth.pk)
