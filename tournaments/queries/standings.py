"""The standings: points, then the tie-breaks of the section, and the parts from which each value is summed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as dataclass_field
from fractions import Fraction
from functools import partial
from operator import attrgetter
from typing import Any

from evenboard_engine import Tournament, system_named
from evenboard_engine.history import without_games_of
from evenboard_engine.tiebreaks import (
    POINTS,
    Standing,
    TieBreak,
    Values,
    capped_from,
    standings,
    without_ratings,
)
from evenboard_engine.tiebreaks.parts import Separation, ValueParts
from evenboard_engine.tiebreaks.parts.sums import Sums
from tournaments.models import Game, Participant, Section

from .decided_points import PointsDecision, point_decisions
from .field import PlayerCell, SectionField, load_field
from .row_cache import LazyRows

# The standings: points, then the tie-breaks of the section.


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line.

    place: from 1; players who are level in every tie-break share it; None before the first result. points: in tenths.
    aro: in Elo, 0 without a game. games: those played. values: by each tie-break of the table, see `Standing`.
    """

    place: int | None
    participant_id: int
    tpn: int | None
    name: str
    title: str
    federation: str
    club: str
    rating: int
    points: int
    aro: int
    games: int
    withdrawn: bool
    shared: bool = False
    values: tuple[Fraction | None, ...] = ()


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A player whose games do not count. completed: games played or won because the opponent did not come, of total."""

    participant_id: int
    tpn: int | None
    name: str
    completed: int
    total: int


OpenBoard = tuple[int, int]
"""Number of the round, number of the board."""


@dataclass(frozen=True, slots=True)
class StandingsState:
    """How complete a list is that is made from the results up to a round.

    ends: no round comes after it, boards of one round at most are open, and it would be final if no board were open or
    adjourned. final: it is (VCL4THP.13 Q161, Q169). open: boards without a result, whose players have what they had
    before. adjourned: games to be finished, which count as draws. total: how many boards there are. spread: boards of
    several rounds are open, because all rounds are known long before they are played.
    """

    after_round: int
    ends: bool
    open: tuple[OpenBoard, ...]
    adjourned: tuple[OpenBoard, ...]
    total: int = 0
    spread: bool = False

    @property
    def played(self) -> int:
        return self.total - len(self.open)

    @property
    def complete_round(self) -> int:
        """The last round up to which every game is over; the last one of the list where boards of one round are open.

        Where games of several rounds are open, a list "after round 11" would be none after these 11 rounds.
        """
        return min(self.open)[0] - 1 if self.spread else self.after_round

    @property
    def final(self) -> bool:
        return self.ends and not self.provisional

    @property
    def provisional(self) -> bool:
        """Whether results are missing or games adjourned, so that values and places can still change."""
        return bool(self.open or self.adjourned)

    @property
    def running(self) -> bool:
        """Whether boards of the last of these rounds are open, and of no other round."""
        return not self.spread and any(number == self.after_round for number, _board in self.open)


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table after a round (0: before the first one), expelled players left out (VCL4THP.13 Q198).

    Before the first result it is the starting list: nobody has a place.
    tie_breaks: after the points, in order.
    uncounted: players without a place, because they left too early for their games to count (C.05, 6.6). decisions:
    points by decision of the arbiter.
    places: by the key of the player. shared: whether some players share a place.
    """

    after_round: int
    rounds: int
    latest_round: int
    rows: Sequence[StandingRow]
    state: StandingsState
    places: Mapping[int, int]
    shared: bool
    tie_breaks: tuple[TieBreak, ...] = ()
    uncounted: tuple[Uncounted, ...] = ()
    decisions: tuple[PointsDecision, ...] = ()
    _standings: tuple[Standing, ...] = ()
    _participants: Mapping[int, Participant] = dataclass_field(default_factory=dict, compare=False)

    def column(self, name: str) -> list[Any]:
        """Return a field of all rows in order, by its name. Rows are made only if it is a field of the history."""
        if name in Standing._fields:
            return list(map(attrgetter(name), self._standings))
        if name in ("tpn", "rating", "player.federation", "shown_name"):
            read, entries = attrgetter(name), self._participants
            return [read(entries[standing.player]) for standing in self._standings]
        return list(map(attrgetter(name), self.rows))

    @property
    def begun(self) -> bool:
        """Whether there is a result, so that players have places."""
        return bool(self.places)

    @property
    def columns(self) -> tuple[tuple[int, TieBreak], ...]:
        """Return the tie-breaks that need a column of their own, with their places in the list.

        Every list of standings has the pairing number and the rating anyway.
        """
        return tie_break_columns(self.tie_breaks)

    @property
    def final(self) -> bool:
        return self.state.final

    @property
    def running(self) -> bool:
        return self.state.running

    @property
    def open_games(self) -> int:
        return len(self.state.open)


def tie_break_columns(tie_breaks: Iterable[TieBreak]) -> tuple[tuple[int, TieBreak], ...]:
    """Return the tie-breaks without pairing number and rating, each with its place in the list."""
    return tuple((at, rule) for at, rule in enumerate(tie_breaks) if rule.name not in ("TPN", "RTNG"))


def standings_table(section: Section, after_round: int | None = None) -> StandingsTable:
    """Return the standings after a published round, by default the latest. Drafts never count. Four queries.

    Each result of a running round counts as soon as it is entered. Raises Round.DoesNotExist for a round that
    is not published.
    """
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    return standings_of(field)


def standings_of(field: SectionField, tie_breaks: tuple[TieBreak, ...] | None = None) -> StandingsTable:
    """Return the standings of a field, before `field.before_round`. tie_breaks: by default those of the section."""
    section = field.section
    tie_breaks = section.tie_break_list if tie_breaks is None else tie_breaks
    asked = repr((tie_breaks, section.unrated_left_out, is_capped(section), sorted(field.uncounted)))
    found = field.once(
        ("standings", field.before_round),
        (field.engine, field.participants, asked),
        lambda: _ranked(field, tie_breaks),
    )
    return StandingsTable(
        after_round=field.before_round - 1,
        rounds=section.rounds,
        latest_round=field.latest_number,
        rows=LazyRows(found.standings, partial(_row, field)),
        state=standings_state_of(field),
        places=found.places,
        shared=found.shared,
        tie_breaks=tie_breaks,
        uncounted=uncounted_players(field),
        decisions=point_decisions(field, field.before_round - 1),
        _standings=found.standings,
        _participants=field.participants,
    )


@dataclass(frozen=True, slots=True)
class _Ranked:
    """The standings with `places` and `shared` of a table."""

    standings: tuple[Standing, ...]
    places: Mapping[int, int]
    shared: bool


def _ranked(field: SectionField, tie_breaks: tuple[TieBreak, ...]) -> _Ranked:
    counted, capped = counted_games(field), is_capped(field.section)
    out = frozenset(
        key
        for key, participant in field.participants.items()
        if key in field.uncounted or not field.takes_part(participant, field.before_round)
    )
    valued = None
    results_come_in = field.before_round > field.latest_number
    if field.rows is not None and results_come_in:
        valued = field.rows.worked.renewed(
            "values", lambda former: Values(counted, capped=capped, former=former)
        )
    found = standings(counted, tie_breaks, leave_out=out, capped=capped, typed=field.typed, valued=valued)
    if all(game.is_open for game in field.games if game.round.number < field.before_round):
        numbered = {key: at for at, key in enumerate(field.participants)}
        found = tuple(
            standing._replace(place=0, shared=False)
            for standing in sorted(found, key=lambda standing: numbered[standing.player])
        )
        return _Ranked(found, {}, shared=False)
    places = {standing.player: standing.place for standing in found}
    return _Ranked(found, places, any(standing.shared for standing in found))


def _row(field: SectionField, standing: Standing) -> StandingRow:
    participant = field.participants[standing.player]
    player = participant.player
    past = field.counted[standing.player]
    return StandingRow(
        place=standing.place or None,
        participant_id=standing.player,
        tpn=participant.tpn,
        name=participant.shown_name,
        title=player.title,
        federation=player.federation,
        club=participant.shown_club,
        rating=participant.rating,
        points=standing.points,
        aro=past.aro,
        games=past.games,
        withdrawn=participant.status == Participant.Status.WITHDRAWN,
        shared=standing.shared,
        values=standing.values,
    )


def counted_games(field: SectionField) -> Tournament:
    """Return the tournament with the games and the ratings that count for the standings."""
    counted = without_ratings(without_games_of(field.engine, field.uncounted.keys()), field.left_out)
    return field.periods.counted_in(counted)


def is_capped(section: Section) -> bool:
    """Return whether the edition of C.07 that counts for the section limits the points of a dummy opponent."""
    first_day, _last_day = section.period
    return capped_from(first_day.isoformat())


def uncounted_players(field: SectionField) -> tuple[Uncounted, ...]:
    """Return the players whose games do not count, by pairing number."""
    return tuple(
        Uncounted(key, entry.tpn, entry.shown_name, *field.uncounted[key])
        for key, entry in field.participants.items()
        if key in field.uncounted
    )


def standings_state_of(field: SectionField) -> StandingsState:
    """How complete the rounds before `field.before_round` are. No database query."""
    after, latest = field.before_round - 1, field.latest
    missing = _boards(field.open_games, after)
    spread = field.section.fixed_rounds and len({number for number, _board in missing}) > 1
    return StandingsState(
        after_round=after,
        ends=latest is not None
        and 0 < after == latest.number
        and (field.section.is_closed or after >= field.section.rounds)
        and not latest.is_draft
        and not spread,
        open=missing,
        adjourned=_boards(field.adjourned_games, after),
        total=sum(len(field.games_of(row)) for row in field.rounds if row.number <= after),
        spread=spread,
    )


def _boards(games: Iterable[Game], after: int) -> tuple[OpenBoard, ...]:
    return tuple((game.round.number, game.board) for game in games if game.round.number <= after)


# The values of the standings as their parts: what counts in each round, and what separates neighbours.


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
    people: Mapping[int, PlayerCell]
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
    shown, capped = standings_of(field), is_capped(section)
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
