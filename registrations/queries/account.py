"""The account of a registration, as people read it."""

from __future__ import annotations

from collections.abc import Sequence

from registrations.models import Charge, Registration


def account(one: Registration) -> list[Charge]:
    """Return the lines of the account, without ended prices of former sections, which add up to 0. One query."""
    return in_force(list(one.charges.all()))


def in_force(lines: Sequence[Charge]) -> list[Charge]:
    """Return all lines of an account without those of ended prices."""
    ended = max((place for place, line in enumerate(lines) if line.kind == Charge.Kind.MOVED), default=-1)
    return [line for place, line in enumerate(lines) if place > ended or not line.of_section]


def price_in(lines: Sequence[Charge]) -> list[tuple[str, int]]:
    """Return kind and cents of the lines of an account that are the price of the section."""
    return [(line.kind, line.cents) for line in in_force(lines) if line.of_section]
