"""The table of states: which moves there are, and that nobody else moves a registration."""

from __future__ import annotations

from itertools import product

import pytest

from registrations.actions.event_lock import PLAYER, RegistrationActor, event_lock
from registrations.actions.transitions import allowed_transition, move_registration
from registrations.models import Registration
from registrations.states import ALWAYS_A_PLACE, LIVE, MOVES, OVER, Hand, RegistrationState
from tests.registrations.factories import desk, sent
from tournaments.errors import DomainError
from tournaments.models import Participant

NEXT = {
    RegistrationState.SUBMITTED: {
        RegistrationState.PENDING,
        RegistrationState.WAITING,
        RegistrationState.REFUSED,
        RegistrationState.WITHDRAWN,
        RegistrationState.EXPIRED,
    },
    RegistrationState.PENDING: {
        RegistrationState.ACCEPTED,
        RegistrationState.CORRECTION,
        RegistrationState.WAITING,
        RegistrationState.REFUSED,
        RegistrationState.WITHDRAWN,
    },
    RegistrationState.CORRECTION: {
        *(
            RegistrationState.PENDING,
            RegistrationState.ACCEPTED,
            RegistrationState.WAITING,
            RegistrationState.REFUSED,
            RegistrationState.WITHDRAWN,
            RegistrationState.EXPIRED,
        )
    },
    RegistrationState.WAITING: {
        RegistrationState.OFFERED,
        RegistrationState.ACCEPTED,
        RegistrationState.REFUSED,
        RegistrationState.WITHDRAWN,
    },
    RegistrationState.OFFERED: {
        RegistrationState.ACCEPTED,
        RegistrationState.PENDING,
        RegistrationState.WAITING,
        RegistrationState.REFUSED,
        RegistrationState.WITHDRAWN,
        RegistrationState.EXPIRED,
    },
    RegistrationState.ACCEPTED: {RegistrationState.WAITING, RegistrationState.WITHDRAWN},
    RegistrationState.WITHDRAWN: {RegistrationState.PENDING, RegistrationState.WAITING},
    RegistrationState.REFUSED: {RegistrationState.PENDING, RegistrationState.WAITING},
    RegistrationState.EXPIRED: {RegistrationState.PENDING, RegistrationState.WAITING},
}


def test_moves_are_those_of_the_decision() -> None:
    assert {state: {to for (at, to) in MOVES if at == state} for state in RegistrationState} == NEXT
    assert set(RegistrationState) == LIVE | OVER
    assert ALWAYS_A_PLACE < LIVE


def test_players_decide_nothing_but_their_own_place() -> None:
    own = {pair for pair, rule in MOVES.items() if Hand.PLAYER in rule.hands}
    assert own == {
        (RegistrationState.SUBMITTED, RegistrationState.PENDING),
        (RegistrationState.SUBMITTED, RegistrationState.WAITING),
        (RegistrationState.CORRECTION, RegistrationState.PENDING),
        (RegistrationState.OFFERED, RegistrationState.ACCEPTED),
        (RegistrationState.OFFERED, RegistrationState.PENDING),
        *((state, RegistrationState.WITHDRAWN) for state in LIVE),
    }


@pytest.mark.django_db
def test_a_move_that_is_not_in_the_table_is_refused_for_everybody() -> None:
    one = sent(desk())
    with event_lock(one.event_id) as locked:
        for state, to, hand in product(RegistrationState, RegistrationState, Hand):
            rule = MOVES.get((state, to))
            if rule is not None and hand in rule.hands:
                continue
            one.state, one.takes_place = state, True
            with pytest.raises(DomainError) as refusal:
                allowed_transition(locked, one, to, RegistrationActor(hand), "no")
            assert refusal.value.code == "registration_move", (state, to, hand)


@pytest.mark.django_db
def test_refused_move_leaves_the_registration_as_it_was() -> None:
    one = sent(desk())
    with pytest.raises(DomainError):
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=PLAYER)
    assert (Registration.objects.get().state, Participant.objects.count()) == (RegistrationState.PENDING, 0)
