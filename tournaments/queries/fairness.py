"""How equal the opposition was that the pairings of a section gave, and how well points agree with performance.

Other pairings of the same rounds stand beside them, as far as they are worked out and stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, is_dataclass
from functools import cached_property, partial
from hashlib import sha256
from math import fsum, sqrt
from typing import Any

from evenboard_engine import Tournament
from evenboard_engine.comparing import Spread, SystemComparison, Variant, compare
from evenboard_engine.fairness import Measures, measures, other_pairings
from evenboard_engine.findings import Published
from tournaments.models import Section
from tournaments.snapshot import with_all_facts

from .field import SectionField, load_field
from .standings import StandingsState, standings_state_of
from .why import RoundAsPaired, rounds_today


@dataclass(frozen=True, slots=True)
class RoundSpread:
    """How far the AROs of each score group lay apart before a round and after it, as if all its games were played.

    before, after: of the same score groups, from the highest, all groups last; () if nobody was paired.
    """

    number: int
    before: tuple[Spread, ...]
    after: tuple[Spread, ...]

    @property
    def groups(self) -> tuple[tuple[Spread, Spread], ...]:
        """Return the spreads before and after, for each score group."""
        return tuple(zip(self.before[:-1], self.after[:-1], strict=True))

    @property
    def whole(self) -> tuple[Spread, Spread]:
        """Return the spreads before and after of all score groups together."""
        return self.before[-1], self.after[-1]

    @property
    def has_both(self) -> bool:
        """Return whether somebody had an ARO before the round, so that before and after can be compared."""
        return self.before[-1].players > 0


@dataclass(frozen=True, slots=True)
class Fairness:
    """rounds: the published ones. measured_after: the last of them to which all results are known; 0 for none.

    measures: after that round; None before round 1 is over.
    """

    rounds: tuple[RoundSpread, ...]
    measured_after: int
    measures: Measures | None
    state: StandingsState

    @property
    def paired(self) -> int:
        """Return the number of the last published round; 0 without one."""
        return max((one.number for one in self.rounds), default=0)

    @property
    def compared(self) -> tuple[RoundSpread, ...]:
        """Return the rounds of which before and after can be compared."""
        return tuple(one for one in self.rounds if one.has_both)


def pooled(spreads: Iterable[Spread]) -> Spread | None:
    """Return the spread of several rounds together: the largest width, the deviation from the average of the player's
    score group in each round. None without a round.
    """
    known = [one for one in spreads if one.players]
    if not known:
        return None
    players = sum(one.players for one in known)
    squares = fsum(one.players * one.deviation**2 for one in known)
    return Spread(None, players, max(one.width for one in known), sqrt(squares / players))


def fairness(section: Section) -> Fairness:
    """Return the measures of a section with today's results and ratings. Four queries.

    Cost: 0.6 s for 1,000 players and 9 rounds.
    """
    return fairness_of(load_field(section))


def fairness_of(field: SectionField) -> Fairness:
    """Return the measures of the rounds of a field. Nothing is measured where all rounds are fixed. No query."""
    state = standings_state_of(field)
    if field.section.fixed_rounds:
        return Fairness((), 0, None, state)
    found = []
    for paired in rounds_today(field):
        basis = (paired.known.engine, repr(paired.published))
        spreads = field.once(("spreads", paired.shown.number), basis, partial(_compared, paired))
        if spreads.before:
            found.append(RoundSpread(paired.shown.number, spreads.before, spreads.round.spreads))
    over = min((game.round.number for game in field.open_games), default=field.latest_number + 1) - 1
    measured = None
    if over and found:
        engine = field.before(over + 1).engine
        measured = field.once("measures", (engine,), partial(measures, engine))
    return Fairness(tuple(found), over, measured, state)


def _compared(paired: RoundAsPaired) -> SystemComparison:
    return compare(paired.before, paired.published, ())


# The rounds of a section as other pairings make them, as far as they are worked out and stored.

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
class OtherPairingStep:
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
class OtherPairings:
    """The rounds of a section beside other pairings.

    found: by the code of the pairing and the number of the round. missing: what is not worked out yet.
    """

    variants: tuple[Variant, ...]
    found: Mapping[tuple[str, int], OtherPairing]
    missing: tuple[OtherPairingStep, ...]

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


def other_pairings_of(field: SectionField) -> OtherPairings:
    """Return what is stored for the rounds of a field as they are now, and what is missing. Two queries."""
    variants = other_pairings(field.section.system, field.section.event.start.isoformat())
    stored = {(row.pairing, row.number): row for row in field.section.other_rounds.all()}
    found, missing = {}, []
    for step in _steps(field, variants):
        place = step.variant.system, step.number
        row = stored.get(place)
        if row is not None and row.key == step.key:
            found[place] = OtherPairing(tuple(Spread(*values) for values in row.spreads), row.offered)
        else:
            missing.append(step)
    return OtherPairings(variants, found, tuple(missing))


def _steps(field: SectionField, variants: tuple[Variant, ...]) -> Iterator[OtherPairingStep]:
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
                yield OtherPairingStep(one.shown.number, variant, key, before, paired)


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
