"""The table of states: which moves there are, and that nobody else moves a registration."""

from __future__ import annotations

from itertools import product

import pytest

from registrations.actions.desk import PLAYER, By, at_desk
from registrations.actions.moving import allowed, move
from registrations.machine import ALWAYS_A_PLACE, LIVE, MOVES, OVER, Hand, State
from registrations.models import Registration
from tests.registrations.factories import desk, sent
from tournaments.errors import DomainError
from tournaments.models import Participant

NEXT = {
    State.SUBMITTED: {State.PENDING, State.WAITING, State.REFUSED, State.WITHDRAWN, State.EXPIRED},
    State.PENDING: {State.ACCEPTED, State.CORRECTION, State.WAITING, State.REFUSED, State.WITHDRAWN},
    State.CORRECTION: {
        *(State.PENDING, State.ACCEPTED, State.WAITING, State.REFUSED, State.WITHDRAWN, State.EXPIRED)
    },
    State.WAITING: {State.OFFERED, State.ACCEPTED, State.REFUSED, State.WITHDRAWN},
    State.OFFERED: {
        State.ACCEPTED,
        State.PENDING,
        State.WAITING,
        State.REFUSED,
        State.WITHDRAWN,
        State.EXPIRED,
    },
    State.ACCEPTED: {State.WAITING, State.WITHDRAWN},
    State.WITHDRAWN: {State.PENDING, State.WAITING},
    State.REFUSED: {State.PENDING, State.WAITING},
    State.EXPIRED: {State.PENDING, State.WAITING},
}


def test_moves_are_those_of_the_decision() -> None:
    assert {state: {to for (at, to) in MOVES if at == state} for state in State} == NEXT
    assert set(State) == LIVE | OVER
    assert ALWAYS_A_PLACE < LIVE


def test_players_decide_nothing_but_their_own_place() -> None:
    own = {pair for pair, rule in MOVES.items() if Hand.PLAYER in rule.hands}
    assert own == {
        (State.SUBMITTED, State.PENDING),
        (State.SUBMITTED, State.WAITING),
        (State.CORRECTION, State.PENDING),
        (State.OFFERED, State.ACCEPTED),
        (State.OFFERED, State.PENDING),
        *((state, State.WITHDRAWN) for state in LIVE),
    }


@pytest.mark.django_db
def test_a_move_that_is_not_in_the_table_is_refused_for_everybody() -> None:
    one = sent(desk())
    with at_desk(one.event_id) as locked:
        for state, to, hand in product(State, State, Hand):
            rule = MOVES.get((state, to))
            if rule is not None and hand in rule.hands:
                continue
            one.state, one.takes_place = state, True
            with pytest.raises(DomainError) as refusal:
                allowed(locked, one, to, By(hand), "no")
            assert refusal.value.code == "registration_move", (state, to, hand)


@pytest.mark.django_db
def test_refused_move_leaves_the_registration_as_it_was() -> None:
    one = sent(desk())
    with pytest.raises(DomainError):
        move(registration_id=one.pk, to=State.ACCEPTED, by=PLAYER)
    assert (Registration.objects.get().state, Participant.objects.count()) == (State.PENDING, 0)
