"""The rounds of a section as other pairings make them, as far as they are worked out and stored."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, is_dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from evenboard_engine import Tournament
from evenboard_engine.comparing import Spread, Variant, compare
from evenboard_engine.fairness import other_pairings
from evenboard_engine.findings import Published
from tournaments.models import OtherRound
from tournaments.snapshot import with_all_facts

from .field import SectionField
from .round_as_paired import rounds_today

EDITION = 1
"""Part of each key. Raise it when a system pairs differently, so that stored rounds are worked out again."""


@dataclass(frozen=True, slots=True)
class OtherPairing:
    """A round as another pairing makes it. spreads: after it, as those of `RoundSpread`; () if it has no round.

    offered: the round is what a system offers where its procedure cannot finish.
    """

    spreads: tuple[Spread, ...]
    offered: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One round to be paired once more. key: the same for the same round, whatever else has changed in the section."""

    number: int
    variant: Variant
    key: str
    before: Tournament
    paired: Published

    def work(self) -> OtherPairing:
        """Pair the round. Cost: up to nine seconds for 1,000 players."""
        (other,) = compare(self.before, self.paired, (self.variant,)).others
        return OtherPairing(other.spreads, other.offered)


@dataclass(frozen=True)
class Beside:
    """The rounds of a section beside other pairings.

    found: by the code of the pairing and the number of the round. missing: what is not worked out yet.
    """

    variants: tuple[Variant, ...]
    found: Mapping[tuple[str, int], OtherPairing]
    missing: tuple[Step, ...]

    @property
    def total(self) -> int:
        return len(self.found) + len(self.missing)

    def rounds_of(self, variant: Variant) -> dict[int, OtherPairing]:
        """Return the rounds of another pairing that are worked out, by number."""
        return {number: one for (code, number), one in self.found.items() if code == variant.system}

    @cached_property
    def numbers(self) -> frozenset[int]:
        """Return the numbers of the rounds that can be compared: those with a pair."""
        return frozenset((*(number for _code, number in self.found), *(step.number for step in self.missing)))

    @cached_property
    def complete(self) -> frozenset[int]:
        """Return the numbers of the rounds that are beside all other pairings."""
        return self.numbers - {step.number for step in self.missing}


def beside(field: SectionField) -> Beside:
    """Return what is stored for the rounds of a field as they are now, and what is missing. Two queries."""
    variants = other_pairings(field.section.system, field.section.event.start.isoformat())
    stored = {(row.pairing, row.number): row for row in field.section.other_rounds.all()}
    found, missing = {}, []
    for step in _steps(field, variants):
        place = step.variant.system, step.number
        row = stored.get(place)
        if row is not None and row.key == step.key:
            found[place] = other_pairing(row)
        else:
            missing.append(step)
    return Beside(variants, found, tuple(missing))


def other_pairing(row: OtherRound) -> OtherPairing:
    """Return what a row says."""
    return OtherPairing(tuple(Spread(*values) for values in row.spreads), row.offered)


def _steps(field: SectionField, variants: tuple[Variant, ...]) -> Iterator[Step]:
    """Yield all that is to be worked out, round by round. One query."""
    if not variants:
        return
    forbidden = list(field.section.forbidden_pairs.order_by())
    for one in rounds_today(field, forbidden):
        paired = one.published
        if paired.pairs:
            before = with_all_facts(one.before, field.participants)
            known = json.dumps([EDITION, _plain(before), _plain(paired)])
            for variant in variants:
                key = sha256(f"{known} {json.dumps(_plain(variant))}".encode()).hexdigest()
                yield Step(one.shown.number, variant, key, before, paired)


def _plain(value: Any) -> Any:
    """Return a value that is written in the same way by every process: sets have an order, fields have no names."""
    if is_dataclass(value):
        return [_plain(getattr(value, name)) for name in value.__dataclass_fields__]
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, Set):
        return sorted(_plain(one) for one in value)
    if isinstance(value, Mapping):
        return sorted((name, _plain(one)) for name, one in value.items())
    return value
