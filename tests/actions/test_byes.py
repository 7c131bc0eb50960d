from __future__ import annotations

import pytest

from evenboard_engine import ByeKind
from tests.actions.refusals import one_step, refused
from tests.factories import ByeFactory, RoundFactory, section_of
from tournaments.actions.byes import cancel_bye, request_bye
from tournaments.actions.ledger import Actor
from tournaments.models import Bye, Integrity, Participant, Round, Section
from tournaments.queries.byes import (
    AFTER_LAST_BYE_ROUND,
    FULL_POINT_BYE,
    OVER_BYE_LIMIT,
    SECOND_HALF_BYE,
    bye_warnings,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def participant() -> Participant:
    """Return a player in a section of two. One of seven rounds is paired."""
    section = section_of(2)
    RoundFactory(section=section, state=Round.State.DRAFT)
    return section.participants.get(tpn=1)


@pytest.mark.parametrize("kind", ["H", "Z", ByeKind.HALF, ByeKind.ZERO])
def test_bye_is_given_for_a_later_round(actor: Actor, participant: Participant, kind: str) -> None:
    with one_step(participant.section, "request_bye") as logged:
        bye = request_bye(actor=actor, participant_id=participant.pk, round_number=2, kind=kind)
    bye = Bye.objects.get(pk=bye.pk)
    assert (bye.participant, bye.round_number, bye.kind, bye.source) == (participant, 2, kind, "requested")
    assert logged[0].after == {"participant": participant.pk, "round": 2, "kind": kind}
    assert (logged[0].subject, logged[0].round_number, logged[0].integrity) == (str(participant), 2, "")


def test_full_point_bye_is_marked_for_the_report(actor: Actor, participant: Participant) -> None:
    with one_step(participant.section, "request_bye") as logged:
        request_bye(actor=actor, participant_id=participant.pk, round_number=2, kind="F")
    assert logged[0].integrity == Integrity.FULL_POINT_BYE


def test_arbiter_sets_a_player_absent(actor: Actor, participant: Participant) -> None:
    bye = request_bye(
        actor=actor, participant_id=participant.pk, round_number=2, kind="Z", source=Bye.Source.ABSENT
    )
    assert Bye.objects.get(pk=bye.pk).source == "absent"


@pytest.mark.parametrize(
    ("round_number", "kind", "code"),
    [
        (1, "H", "round_already_paired"),
        (0, "H", "round_out_of_range"),
        (8, "H", "round_out_of_range"),
        (10**30, "H", "round_out_of_range"),
        (2, "U", "bye_kind"),
        (2, "X", "bye_kind"),
        (2, "", "bye_kind"),
    ],
)
def test_impossible_byes_are_refused(
    actor: Actor, participant: Participant, round_number: int, kind: str, code: str
) -> None:
    with refused(code):
        request_bye(actor=actor, participant_id=participant.pk, round_number=round_number, kind=kind)


def test_second_bye_in_a_round_is_refused(actor: Actor, participant: Participant) -> None:
    ByeFactory(participant=participant, round_number=3)
    with refused("bye_twice", name=participant.player.name, round=3):
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H")


def test_bye_replaces_one_of_another_kind_if_the_arbiter_says_so(
    actor: Actor, participant: Participant
) -> None:
    ByeFactory(participant=participant, round_number=3)
    with refused("bye_differs", name=participant.player.name, round=3, kind="H", wanted="Z"):
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="Z")
    with one_step(participant.section, "request_bye") as logged:
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="Z", instead=True)
    assert [bye.kind for bye in participant.byes.all()] == ["Z"]
    assert (logged[0].before["kind"], logged[0].after["kind"]) == ("H", "Z")


def test_withdrawn_player_gets_no_bye(actor: Actor, participant: Participant) -> None:
    Participant.objects.update(status=Participant.Status.WITHDRAWN)
    with refused("not_active", name=participant.player.name):
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H")


def test_player_who_may_not_have_a_half_point_bye_gets_none(actor: Actor, participant: Participant) -> None:
    Participant.objects.update(half_bye_allowed=False)
    with refused("half_bye_not_allowed"):
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H")
    request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="Z")


def test_warnings_come_before_the_bye(participant: Participant) -> None:
    assert bye_warnings(participant, "H") == []
    assert bye_warnings(participant, "Z") == []
    assert bye_warnings(participant, ByeKind.FULL) == [FULL_POINT_BYE]
    ByeFactory(participant=participant, round_number=2)
    assert bye_warnings(participant, ByeKind.HALF) == [SECOND_HALF_BYE]


def test_second_half_point_bye_is_given_after_a_confirmation(actor: Actor, participant: Participant) -> None:
    ByeFactory(participant=participant, round_number=2)
    with refused("bye_to_confirm", name=participant.player.name, rounds=[3], warnings=[SECOND_HALF_BYE]):
        request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H")
    request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H", proceed=True)
    assert participant.byes.count() == 2


def test_byes_above_the_limits_of_the_section_need_a_confirmation(
    actor: Actor, participant: Participant
) -> None:
    Section.objects.update(half_bye_limit=2, last_bye_round=4)
    ByeFactory(participant=participant, round_number=2)
    ByeFactory(participant=participant, round_number=3)
    with refused("bye_to_confirm", warnings=[OVER_BYE_LIMIT], limit=2):
        request_bye(actor=actor, participant_id=participant.pk, round_number=4, kind="H")
    with refused("bye_to_confirm", warnings=[OVER_BYE_LIMIT, AFTER_LAST_BYE_ROUND], last_round=4):
        request_bye(actor=actor, participant_id=participant.pk, round_number=5, kind="H")
    with refused("bye_to_confirm", warnings=[AFTER_LAST_BYE_ROUND]):
        request_bye(actor=actor, participant_id=participant.pk, round_number=5, kind="F")
    request_bye(actor=actor, participant_id=participant.pk, round_number=5, kind="Z")


@pytest.mark.parametrize("changed", [{"half_bye_limit": 2}, {"system": "uschess"}])
def test_second_half_point_bye_needs_no_confirmation_if_the_section_gives_two_or_is_not_of_fide(
    actor: Actor, participant: Participant, changed: dict[str, object]
) -> None:
    Section.objects.update(**changed)
    ByeFactory(participant=participant, round_number=2)
    request_bye(actor=actor, participant_id=participant.pk, round_number=3, kind="H")
    assert participant.byes.count() == 2


def test_each_half_point_bye_needs_a_confirmation_if_the_limit_is_0(
    actor: Actor, participant: Participant
) -> None:
    Section.objects.update(half_bye_limit=0)
    with refused("bye_to_confirm", warnings=[OVER_BYE_LIMIT], limit=0):
        request_bye(actor=actor, participant_id=participant.pk, round_number=2, kind="H")


def test_bye_is_cancelled(actor: Actor, participant: Participant) -> None:
    bye = ByeFactory(participant=participant, round_number=2)
    with one_step(participant.section, "cancel_bye") as logged:
        cancel_bye(actor=actor, bye_id=bye.pk)
    assert Bye.objects.count() == 0
    assert logged[0].before == {"participant": participant.pk, "round": 2, "kind": "H"}
    with refused("not_found", kind="bye", id=bye.pk):
        cancel_bye(actor=actor, bye_id=bye.pk)


def test_bye_of_a_paired_round_cannot_be_cancelled(actor: Actor, participant: Participant) -> None:
    requested = ByeFactory(participant=participant, round_number=1)
    other = participant.section.participants.get(tpn=2)
    allocated = ByeFactory(participant=other, round_number=1, kind="U", source=Bye.Source.ALLOCATED)
    with refused("round_already_paired", round=1):
        cancel_bye(actor=actor, bye_id=requested.pk)
    with refused("bye_allocated", name=other.player.name, round=1):
        cancel_bye(actor=actor, bye_id=allocated.pk)


def test_unknown_player_gets_no_bye(actor: Actor) -> None:
    with refused("not_found", kind="participant", id=0):
        request_bye(actor=actor, participant_id=0, round_number=1, kind="H")
