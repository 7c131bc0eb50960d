"""The life of a registration, as one table: from which state to which, who may do it, and which mail follows.

A state says only whether there is a place. Everything else (money, presence, byes, labels, whether the mail address is
proved) is a fact beside the state and never moves it (docs/decisions/0074).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from django.db.models import TextChoices
from django.utils.translation import pgettext_lazy


class State(TextChoices):
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


ALWAYS_A_PLACE = frozenset({State.PENDING, State.CORRECTION, State.OFFERED, State.ACCEPTED})
"""A submitted registration has a place if one was free when it was sent."""
LIVE = ALWAYS_A_PLACE | {State.SUBMITTED, State.WAITING}
CONFIRMED = LIVE - {State.SUBMITTED}
"""One of these has a FIDE ID for itself. A form that nobody has confirmed keeps nobody away."""
OVER = frozenset({State.WITHDRAWN, State.REFUSED, State.EXPIRED})
TIMED = frozenset({State.SUBMITTED, State.CORRECTION, State.OFFERED})
"""States that end by themselves."""


@dataclass(frozen=True, slots=True)
class Move:
    """hands: who may do it. needs_reason: the player is told why."""

    hands: frozenset[Hand]
    needs_reason: bool = False


PLAYER, ORGANISER, CLOCK = (frozenset({hand}) for hand in Hand)
S, P, C, W, O, A = (  # noqa: E741 - short names make the table readable
    State.SUBMITTED,
    State.PENDING,
    State.CORRECTION,
    State.WAITING,
    State.OFFERED,
    State.ACCEPTED,
)

MOVES: dict[tuple[State, State], Move] = {
    (S, P): Move(PLAYER | ORGANISER),
    (S, W): Move(PLAYER | ORGANISER),
    (P, A): Move(ORGANISER | CLOCK),
    (P, C): Move(ORGANISER, needs_reason=True),
    (P, W): Move(ORGANISER),
    (C, P): Move(PLAYER | ORGANISER),
    (C, A): Move(ORGANISER),
    (C, W): Move(ORGANISER),
    (W, O): Move(ORGANISER | CLOCK),
    (W, A): Move(ORGANISER),
    (O, A): Move(PLAYER | ORGANISER),
    (O, P): Move(PLAYER),  # without a rating that the section needs, or as a late entry
    (O, W): Move(ORGANISER),
    (A, W): Move(ORGANISER),
    **{(state, State.EXPIRED): Move(CLOCK) for state in TIMED},
    **{(state, State.REFUSED): Move(ORGANISER, needs_reason=True) for state in (S, P, C, W, O)},
    **{(state, State.WITHDRAWN): Move(PLAYER | ORGANISER) for state in LIVE},
    # opened again: at the end of the waiting list, or to be checked if there is a place
    **{(state, to): Move(ORGANISER) for state in OVER for to in (P, W)},
}
