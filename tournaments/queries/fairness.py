"""How equal the opposition was that the pairings of a section gave, and how well points agree with performance."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from math import fsum, sqrt

from evenboard_engine.comparing import Spread, SystemComparison, compare
from evenboard_engine.fairness import Measures, measures
from tournaments.models import Section

from .field import SectionField, load_field
from .round_as_paired import RoundAsPaired, rounds_today
from .standings import State, state_of


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
    state: State

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
    state = state_of(field)
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
