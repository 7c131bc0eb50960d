"""The account of a registration, as people read it."""

from __future__ import annotations

from entering.models import Charge, Registration


def account(one: Registration) -> list[Charge]:
    """Return the lines of the account, without ended prices of former sections, which add up to 0. One query."""
    lines = list(one.charges.all())
    ended = max((place for place, line in enumerate(lines) if line.kind == Charge.Kind.MOVED), default=-1)
    return [line for place, line in enumerate(lines) if place > ended or not line.of_section]


def price_of(one: Registration) -> list[tuple[str, int]]:
    """Return kind and cents of the lines that are the price of the section."""
    return [(line.kind, line.cents) for line in account(one) if line.of_section]
