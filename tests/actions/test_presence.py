"""Check-in: opening, several arbiters at once, closing, and its effect on the pairing."""

from __future__ import annotations

from datetime import timedelta
from unittest import mock

import pytest
from django.utils import timezone

from pairing.rounds import pair_next_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import ByeFactory, ParticipantFactory, RoundFactory, UserFactory, section_of
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import (
    check_in,
    check_in_all,
    close_check_in,
    mark_presence,
    missing_players,
    open_check_in,
    take_back_check_in,
)
from tournaments.actions.undo import undo
from tournaments.models import ActionLog, CheckIn, Participant, Section
from tournaments.queries.log import log_row
from web.words.log import log_line_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(actor: Actor) -> Section:
    """Return a section of four with the check-in for round 1 open."""
    return open_check_in(actor=actor, section_id=section_of(4).pk, after_round=0)


def entry(section: Section, tpn: int) -> Participant:
    return section.participants.get(tpn=tpn)


def missing(section: Section) -> list[int]:
    return [player.tpn for player in missing_players(section, 1)]


def test_check_in_is_for_the_next_round(actor: Actor) -> None:
    section = section_of(2, rounds=2)
    RoundFactory(section=section)
    with refused("stale_round", after_round=0, last_round=1):
        open_check_in(actor=actor, section_id=section.pk, after_round=0)
    with one_step(section, "open_check_in") as logged:
        open_check_in(actor=actor, section_id=section.pk, after_round=1)
    assert (logged[0].round_number, logged[0].after) == (2, {"check_in_round": 2})
    with unchanged():
        open_check_in(actor=actor, section_id=section.pk, after_round=1)
    RoundFactory(section=section)
    with refused("all_rounds_paired"):
        open_check_in(actor=actor, section_id=section.pk, after_round=2)


def marked(actor: Actor, section: Section, here: bool, minutes: int = 0) -> object:
    """Mark player 2 with a tap that was made some minutes ago."""
    return mark_presence(
        actor=actor,
        participant_id=entry(section, 2).pk,
        round_number=1,
        here=here,
        ago=timedelta(minutes=minutes),
    )


def someone() -> Actor:
    return Actor(user=UserFactory())


@pytest.mark.parametrize("here", [True, False])
def test_late_mark_does_not_replace_a_newer_one_and_the_log_names_both(asked: Section, here: bool) -> None:
    phone, desk = someone(), someone()
    marked(desk, asked, here, minutes=20)
    marked(desk, asked, not here, minutes=5)
    with one_step(asked, "late_check_in") as logged:
        stands = marked(phone, asked, here, minutes=10)
    assert (stands.here, stands.by) == (not here, desk.name)
    assert CheckIn.objects.filter(participant=entry(asked, 2)).exists() is not here
    assert logged[0].user == phone.user
    assert {name: logged[0].after[name] for name in ("late", "stands", "by")} == {
        "late": here,
        "stands": not here,
        "by": desk.name,
    }
    assert marked(desk, asked, here) is None  # made now, so newer
    assert CheckIn.objects.filter(participant=entry(asked, 2)).exists() is here


def test_newer_mark_that_arrives_late_counts_and_the_log_names_the_replaced_one(
    asked: Section,
) -> None:
    phone, desk = someone(), someone()
    marked(desk, asked, True, minutes=10)
    with one_step(asked, "late_check_in") as logged:
        assert marked(phone, asked, False, minutes=5) is None
    assert logged[0].after["instead_of"] == desk.name
    assert 2 in missing(asked)
    now = timezone.now()
    with mock.patch.object(timezone, "now", return_value=now), one_step(asked, "late_check_in"):
        marked(desk, asked, True, minutes=1)
    row = CheckIn.objects.get(participant=entry(asked, 2))
    assert row.at == now - timedelta(minutes=1)  # the time of the tap


def test_mark_that_waited_for_a_connection_is_late_however_short_the_time(asked: Section) -> None:
    phone, desk = someone(), someone()
    marked(desk, asked, True)
    with one_step(asked, "late_check_in") as logged:
        mark_presence(actor=phone, participant_id=entry(asked, 2).pk, round_number=1, here=False, waited=True)
    assert logged[0].after["instead_of"] == desk.name


def test_player_who_is_here_although_the_desk_gave_a_bye_is_in_the_log(asked: Section) -> None:
    ByeFactory(participant=entry(asked, 2), round_number=1, kind="Z")
    with one_step(asked, "late_check_in") as logged:
        marked(someone(), asked, True, minutes=10)
    assert logged[0].after["bye"] == "Z"
    assert log_line_of(log_row(asked, logged[0].revision)).sentence == (
        f"Round 1: {entry(asked, 2)} is here, but has a bye in this round: zero-point bye."
    )


def test_mark_that_arrives_at_once_is_logged_as_an_ordinary_check_in(asked: Section) -> None:
    phone, desk = someone(), someone()
    marked(desk, asked, True)
    with one_step(asked, "take_back_check_in"):
        marked(phone, asked, False)
    with one_step(asked, "check_in"):
        marked(desk, asked, True)


def test_late_mark_that_changes_nothing_is_not_logged(asked: Section) -> None:
    phone, desk = someone(), someone()
    marked(desk, asked, True, minutes=1)
    with unchanged():
        assert marked(phone, asked, True, minutes=10) is None


def test_player_who_is_marked_as_here_again_has_the_new_time(asked: Section) -> None:
    """A phone that sends an older "not here" afterwards must not win over the second tap."""
    phone, desk = someone(), someone()
    marked(desk, asked, True, minutes=20)
    with one_step(asked, "check_in") as logged:
        assert marked(phone, asked, True, minutes=5) is None
    assert logged[0].before == {"here": True}
    row = CheckIn.objects.get(participant=entry(asked, 2))
    assert row.by == phone.user
    assert timedelta(minutes=5) <= timezone.now() - row.at < timedelta(minutes=6)
    stands = marked(desk, asked, False, minutes=10)
    assert (stands.here, stands.by) == (True, phone.name)
    undo(actor=Actor.command(), section_id=asked.pk, revision=logged[0].revision)
    assert CheckIn.objects.get(participant=entry(asked, 2)).by == desk.user


def test_second_tap_at_once_is_not_logged(asked: Section) -> None:
    desk = someone()
    marked(desk, asked, True)
    with unchanged():
        assert marked(desk, asked, True) is None


def test_mark_that_was_undone_is_not_the_last_one(actor: Actor, asked: Section) -> None:
    desk = someone()
    marked(desk, asked, True, minutes=20)
    marked(desk, asked, False)
    undo(actor=actor, section_id=asked.pk, revision=ActionLog.objects.latest("pk").revision)
    marked(desk, asked, True, minutes=3)
    assert marked(someone(), asked, False, minutes=2) is None
    assert 2 in missing(asked)


def test_mark_with_a_time_in_the_future_counts_as_made_now(asked: Section) -> None:
    marked(someone(), asked, True, minutes=-60)
    assert CheckIn.objects.get().at <= timezone.now()


def test_second_check_in_of_a_player_changes_nothing(actor: Actor, asked: Section) -> None:
    with one_step(asked, "check_in") as logged:
        check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    assert (logged[0].subject, logged[0].round_number) == (str(entry(asked, 2)), 1)
    assert missing(asked) == [1, 3, 4]
    with unchanged():
        check_in(actor=Actor.command(), participant_id=entry(asked, 2).pk, round_number=1)
    assert CheckIn.objects.get().by == actor.user


def test_check_in_is_removed(actor: Actor, asked: Section) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    with one_step(asked, "take_back_check_in"):
        take_back_check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    assert missing(asked) == [1, 2, 3, 4]
    with unchanged():
        take_back_check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)


def test_all_others_are_checked_in_by_one_action(actor: Actor, asked: Section) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    ByeFactory(participant=entry(asked, 1), round_number=1)
    with one_step(asked, "check_in_all") as logged:
        assert check_in_all(actor=actor, section_id=asked.pk, round_number=1) == 2
    assert logged[0].after == {"here": 2, "changed": [entry(asked, 3).pk, entry(asked, 4).pk]}
    assert logged[0].round_number == 1
    assert missing(asked) == []
    with unchanged():
        check_in_all(actor=actor, section_id=asked.pk, round_number=1)
    with refused("check_in_closed", round=2):
        check_in_all(actor=actor, section_id=asked.pk, round_number=2)


def test_only_those_who_would_play_are_missing(actor: Actor, asked: Section) -> None:
    ByeFactory(participant=entry(asked, 1), round_number=1)
    withdraw_participant(actor=actor, participant_id=entry(asked, 2).pk)
    ParticipantFactory(section=asked, first_round=2)
    assert missing(asked) == [3, 4]


def test_nobody_is_checked_in_for_a_round_without_an_open_check_in(actor: Actor, asked: Section) -> None:
    with refused("check_in_closed", round=2):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=2)
    close_check_in(actor=actor, section_id=asked.pk)
    with refused("check_in_closed", round=1):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=1)
    with refused("not_found", kind="participant", id=0):
        check_in(actor=actor, participant_id=0, round_number=1)


def test_withdrawn_player_is_not_checked_in(actor: Actor, asked: Section) -> None:
    withdraw_participant(actor=actor, participant_id=entry(asked, 1).pk)
    with refused("not_active"):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=1)


def test_closing_the_check_in_names_the_missing_players(actor: Actor, asked: Section) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    with one_step(asked, "close_check_in") as logged:
        assert close_check_in(actor=actor, section_id=asked.pk) == asked
    assert logged[0].after == {"check_in_round": None, "missing": [1, 3, 4]}
    with unchanged():
        assert close_check_in(actor=actor, section_id=asked.pk) == asked


def test_round_cannot_be_paired_while_players_are_missing(actor: Actor, asked: Section) -> None:
    with refused("check_in_missing", round=1, count=4):
        pair_next_round(actor=actor, section_id=asked.pk, after_round=0)
    for player in asked.participants.all():
        check_in(actor=actor, participant_id=player.pk, round_number=1)
    row = pair_next_round(actor=actor, section_id=asked.pk, after_round=0)
    assert row.games.count() == 2
    assert Section.objects.get(pk=asked.pk).check_in_round is None


def test_pairing_is_possible_after_the_check_in_is_closed(actor: Actor, asked: Section) -> None:
    close_check_in(actor=actor, section_id=asked.pk)
    assert pair_next_round(actor=actor, section_id=asked.pk, after_round=0).games.count() == 2
