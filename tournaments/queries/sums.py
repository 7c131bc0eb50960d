"""The values of the standings as their parts: what counts in each round, and what separates neighbours."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from evenboard_engine import system_named
from evenboard_engine.tiebreaks import POINTS
from evenboard_engine.tiebreaks.parts import Separation, Sums, ValueParts
from tournaments.models import Section

from .field import Side, load_field
from .standings import StandingRow, StandingsTable, counted_games, is_capped, table


@dataclass(frozen=True, slots=True)
class PlayerSums:
    """The values of one line of the standings: the points, then each tie-break.

    above, below: what separates the player from the neighbours; None at the ends of the table.
    """

    row: StandingRow
    values: tuple[ValueParts, ...]
    above: Separation | None
    below: Separation | None


@dataclass(frozen=True)
class SectionSums:
    """The standings after a round, which can be taken apart. people: all players by key, also those without a place.
    adjourned: the round and each player of the games that are adjourned. capped: C.07 as from 1 March 2026. fixed: all
    pairings were known before round 1, so article 15.2 of C.07 counts instead of 16.
    """

    table: StandingsTable
    people: Mapping[int, Side]
    sums: Sums
    adjourned: frozenset[tuple[int, int]]
    capped: bool
    fixed: bool

    def of(self, at: int) -> PlayerSums:
        """Return the values of the line at this place of the table, from 0."""
        rows = self.table.rows
        return PlayerSums(
            row=rows[at],
            values=self.sums.of(rows[at].participant_id),
            above=self._between(at - 1) if at else None,
            below=self._between(at) if at + 1 < len(rows) else None,
        )

    def of_number(self, tpn: int) -> PlayerSums | None:
        """Return the values of the player with a pairing number; None without a place."""
        return next((self.of(at) for at, row in enumerate(self.table.rows) if row.tpn == tpn), None)

    def _between(self, at: int) -> Separation:
        above, below = self.table.rows[at : at + 2]
        return self.sums.separation(above.participant_id, below.participant_id)


def section_sums(section: Section, after_round: int | None = None) -> SectionSums:
    """Return the standings after a published round, by default the latest, with their parts. Four queries.

    Raises Round.DoesNotExist.
    """
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    shown, capped = table(field), is_capped(section)
    return SectionSums(
        table=shown,
        people={key: field.side(key) for key in field.participants},
        sums=Sums(
            counted_games(field),
            (POINTS, *shown.tie_breaks),
            among=list(shown.places),
            capped=capped,
            typed=field.typed,
        ),
        adjourned=frozenset(
            (game.round.number, key)
            for game in field.adjourned_games
            for key in (game.white_id, game.black_id)
        ),
        capped=capped,
        fixed=system_named(section.system).fixed_rounds,
    )
