"""The life of a registration, as one table: from which state to which, who may do it, and which mail follows.

A state says only whether there is a place. Everything else (money, presence, byes, labels, whether the mail address is
proved) is a fact beside the state and never moves it (docs/decisions/0074).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy


class RegistrationState(TextChoices):
    SUBMITTED = "submitted", pgettext_lazy("registration", "not confirmed yet")
    PENDING = "pending", pgettext_lazy("registration", "to check")
    CORRECTION = "correction", pgettext_lazy("registration", "to correct")
    WAITING = "waiting", pgettext_lazy("registration", "on the waiting list")
    OFFERED = "offered", pgettext_lazy("registration", "place offered")
    ACCEPTED = "accepted", pgettext_lazy("registration", "accepted")
    WITHDRAWN = "withdrawn", pgettext_lazy("registration", "withdrawn")
    REFUSED = "refused", pgettext_lazy("registration", "refused")
    EXPIRED = "expired", pgettext_lazy("registration", "expired")


class Hand(StrEnum):
    """Who moves a registration. The clock is also the program itself, which offers a place that became free."""

    PLAYER = "player"
    ORGANISER = "organiser"
    CLOCK = "clock"


ALWAYS_A_PLACE = frozenset(
    {
        RegistrationState.PENDING,
        RegistrationState.CORRECTION,
        RegistrationState.OFFERED,
        RegistrationState.ACCEPTED,
    }
)
"""A submitted registration has a place if one was free when it was sent."""
LIVE = ALWAYS_A_PLACE | {RegistrationState.SUBMITTED, RegistrationState.WAITING}
CONFIRMED = LIVE - {RegistrationState.SUBMITTED}
"""One of these has a FIDE ID for itself. A form that nobody has confirmed keeps nobody away."""
OVER = frozenset({RegistrationState.WITHDRAWN, RegistrationState.REFUSED, RegistrationState.EXPIRED})
TIMED = frozenset({RegistrationState.SUBMITTED, RegistrationState.CORRECTION, RegistrationState.OFFERED})
"""States that end by themselves."""


@dataclass(frozen=True, slots=True)
class Transition:
    """hands: who may do it. needs_reason: the player is told why."""

    hands: frozenset[Hand]
    needs_reason: bool = False


PLAYER, ORGANISER, CLOCK = (frozenset({hand}) for hand in Hand)
S, P, C, W, O, A = (  # noqa: E741 - short names make the table readable
    RegistrationState.SUBMITTED,
    RegistrationState.PENDING,
    RegistrationState.CORRECTION,
    RegistrationState.WAITING,
    RegistrationState.OFFERED,
    RegistrationState.ACCEPTED,
)

MOVES: dict[tuple[RegistrationState, RegistrationState], Transition] = {
    (S, P): Transition(PLAYER | ORGANISER),
    (S, W): Transition(PLAYER | ORGANISER),
    (P, A): Transition(ORGANISER | CLOCK),
    (P, C): Transition(ORGANISER, needs_reason=True),
    (P, W): Transition(ORGANISER),
    (C, P): Transition(PLAYER | ORGANISER),
    (C, A): Transition(ORGANISER),
    (C, W): Transition(ORGANISER),
    (W, O): Transition(ORGANISER | CLOCK),
    (W, A): Transition(ORGANISER),
    (O, A): Transition(PLAYER | ORGANISER),
    (O, P): Transition(PLAYER),  # without a rating that the section needs, or as a late entry
    (O, W): Transition(ORGANISER),
    (A, W): Transition(ORGANISER),
    **{(state, RegistrationState.EXPIRED): Transition(CLOCK) for state in TIMED},
    **{
        (state, RegistrationState.REFUSED): Transition(ORGANISER, needs_reason=True)
        for state in (S, P, C, W, O)
    },
    **{(state, RegistrationState.WITHDRAWN): Transition(PLAYER | ORGANISER) for state in LIVE},
    # opened again: at the end of the waiting list, or to be checked if there is a place
    **{(state, to): Transition(ORGANISER) for state in OVER for to in (P, W)},
}
