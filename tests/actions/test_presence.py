"""Check-in: opened, used by several at once, closed; and what it means for the pairing."""

from __future__ import annotations

import pytest

from pairing.actions import pair_next_round
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import ByeFactory, ParticipantFactory, RoundFactory, section_of
from tournaments.actions.entries import withdraw_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import (
    check_in,
    check_in_all,
    close_check_in,
    missing_players,
    open_check_in,
    take_back_check_in,
)
from tournaments.models import CheckIn, Participant, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def asked(actor: Actor) -> Tournament:
    """A section of four, check-in for round 1 open."""
    return open_check_in(actor=actor, tournament_id=section_of(4).pk, after_round=0)


def entry(tournament: Tournament, tpn: int) -> Participant:
    return tournament.participants.get(tpn=tpn)


def missing(tournament: Tournament) -> list[int]:
    return [player.tpn for player in missing_players(tournament, 1)]


def test_check_in_is_for_the_next_round(actor: Actor) -> None:
    tournament = section_of(2, rounds=2)
    RoundFactory(tournament=tournament)
    with refused("stale_round", after_round=0, last_round=1):
        open_check_in(actor=actor, tournament_id=tournament.pk, after_round=0)
    with one_step(tournament, "open_check_in") as told:
        open_check_in(actor=actor, tournament_id=tournament.pk, after_round=1)
    assert (told[0].round_number, told[0].after) == (2, {"check_in_round": 2})
    with unchanged():
        open_check_in(actor=actor, tournament_id=tournament.pk, after_round=1)
    RoundFactory(tournament=tournament)
    with refused("all_rounds_paired"):
        open_check_in(actor=actor, tournament_id=tournament.pk, after_round=2)


def test_player_is_seen_once_whoever_says_it(actor: Actor, asked: Tournament) -> None:
    with one_step(asked, "check_in") as told:
        check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    assert (told[0].subject, told[0].round_number) == (str(entry(asked, 2)), 1)
    assert missing(asked) == [1, 3, 4]
    with unchanged():
        check_in(actor=Actor.command(), participant_id=entry(asked, 2).pk, round_number=1)
    assert CheckIn.objects.get().by == actor.user


def test_check_in_is_taken_back(actor: Actor, asked: Tournament) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    with one_step(asked, "take_back_check_in"):
        take_back_check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    assert missing(asked) == [1, 2, 3, 4]
    with unchanged():
        take_back_check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)


def test_all_others_are_here_in_one_step(actor: Actor, asked: Tournament) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    ByeFactory(participant=entry(asked, 1), round_number=1)
    with one_step(asked, "check_in_all") as told:
        assert check_in_all(actor=actor, tournament_id=asked.pk, round_number=1) == 2
    assert told[0].after == {"here": 2, "changed": [entry(asked, 3).pk, entry(asked, 4).pk]}
    assert missing(asked) == []
    with unchanged():
        check_in_all(actor=actor, tournament_id=asked.pk, round_number=1)
    with refused("check_in_closed", round=2):
        check_in_all(actor=actor, tournament_id=asked.pk, round_number=2)


def test_only_those_who_would_play_are_missing(actor: Actor, asked: Tournament) -> None:
    ByeFactory(participant=entry(asked, 1), round_number=1)
    withdraw_participant(actor=actor, participant_id=entry(asked, 2).pk)
    ParticipantFactory(tournament=asked, first_round=2)
    assert missing(asked) == [3, 4]


def test_nobody_is_seen_for_a_round_that_is_not_asked_about(actor: Actor, asked: Tournament) -> None:
    with refused("check_in_closed", round=2):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=2)
    close_check_in(actor=actor, tournament_id=asked.pk)
    with refused("check_in_closed", round=1):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=1)
    with refused("not_found", kind="participant", id=0):
        check_in(actor=actor, participant_id=0, round_number=1)


def test_somebody_who_has_left_is_not_seen(actor: Actor, asked: Tournament) -> None:
    withdraw_participant(actor=actor, participant_id=entry(asked, 1).pk)
    with refused("not_active"):
        check_in(actor=actor, participant_id=entry(asked, 1).pk, round_number=1)


def test_closing_names_who_was_not_seen(actor: Actor, asked: Tournament) -> None:
    check_in(actor=actor, participant_id=entry(asked, 2).pk, round_number=1)
    with one_step(asked, "close_check_in") as told:
        close_check_in(actor=actor, tournament_id=asked.pk)
    assert told[0].after == {"check_in_round": None, "missing": [1, 3, 4]}
    with unchanged():
        close_check_in(actor=actor, tournament_id=asked.pk)


def test_round_waits_for_those_who_are_not_seen(actor: Actor, asked: Tournament) -> None:
    with refused("check_in_missing", round=1, count=4):
        pair_next_round(actor=actor, tournament_id=asked.pk, after_round=0)
    for player in asked.participants.all():
        check_in(actor=actor, participant_id=player.pk, round_number=1)
    row = pair_next_round(actor=actor, tournament_id=asked.pk, after_round=0)
    assert row.games.count() == 2
    assert Tournament.objects.get(pk=asked.pk).check_in_round is None


def test_closed_check_in_stops_no_pairing(actor: Actor, asked: Tournament) -> None:
    close_check_in(actor=actor, tournament_id=asked.pk)
    assert pair_next_round(actor=actor, tournament_id=asked.pk, after_round=0).games.count() == 2
