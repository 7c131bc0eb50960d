"""The standings: points, then ARO where the system publishes it, then TPN."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pairing.engine.standings import standings
from tournaments.models import Game, Participant, Section

from .field import SectionField, load_field


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One line.

    place: from 1; no two players share one. points: in tenths. aro: in Elo, 0 without a game. games: those
    played.
    """

    place: int
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


@dataclass(frozen=True, slots=True)
class Uncounted:
    """A player whose games do not count. completed: games played or won because the opponent did not come, of total."""

    participant_id: int
    tpn: int | None
    name: str
    completed: int
    total: int


Board = tuple[int, int]
"""Number of the round, number of the board."""


@dataclass(frozen=True, slots=True)
class State:
    """How complete a list is that is made from the results up to a round.

    ends: no round comes after it, and it would be final if no board were open or adjourned. final: it is (VCL4THP.13
    Q161, Q169). open: boards without a result, whose players have what they had before. adjourned: games to be
    finished, which count as draws. total: how many boards there are. spread: boards of
    several rounds are open, because all rounds are known long before they are played.
    """

    after_round: int
    ends: bool
    open: tuple[Board, ...]
    adjourned: tuple[Board, ...]
    total: int = 0
    spread: bool = False

    @property
    def played(self) -> int:
        return self.total - len(self.open)

    @property
    def final(self) -> bool:
        return self.ends and not self.open and not self.adjourned

    @property
    def running(self) -> bool:
        """Whether boards of the last of these rounds are open, and of no other round."""
        return not self.spread and any(number == self.after_round for number, _board in self.open)


@dataclass(frozen=True, slots=True)
class StandingsTable:
    """The table after a round (0: before the first one), expelled players left out (VCL4THP.13 Q198).

    uncounted: players without a place, because they left too early for their games to count (C.05, 6.6).
    """

    after_round: int
    rounds: int
    latest_round: int
    rows: tuple[StandingRow, ...]
    state: State
    uncounted: tuple[Uncounted, ...] = ()

    @property
    def final(self) -> bool:
        return self.state.final

    @property
    def running(self) -> bool:
        return self.state.running

    @property
    def open_games(self) -> int:
        return len(self.state.open)


def standings_table(section: Section, after_round: int | None = None) -> StandingsTable:
    """Return the standings after a published round, by default the latest. Drafts never count. Four queries.

    Each result of a running round counts as soon as it is entered. Raises Round.DoesNotExist for a round that
    is not published.
    """
    field = load_field(section, before_round=None if after_round is None else after_round + 1)
    return table(field)


def table(field: SectionField) -> StandingsTable:
    """Return the standings of a field, before `field.before_round`."""
    after = field.before_round - 1
    out = frozenset(
        key
        for key, participant in field.participants.items()
        if key in field.uncounted or not field.takes_part(participant, field.before_round)
    )
    rows = []
    by_aro = "aro" in field.section.lists
    for standing in standings(field.engine, past=field.counted, leave_out=out, by_aro=by_aro):
        participant = field.participants[standing.player]
        player = participant.player
        rows.append(
            StandingRow(
                place=standing.place,
                participant_id=participant.pk,
                tpn=participant.tpn,
                name=player.name,
                title=player.title,
                federation=player.federation,
                club=participant.club,
                rating=participant.rating,
                points=standing.points,
                aro=standing.aro,
                games=standing.games,
                withdrawn=participant.status == Participant.Status.WITHDRAWN,
            )
        )
    return StandingsTable(
        after_round=after,
        rounds=field.section.rounds,
        latest_round=field.latest_number,
        rows=tuple(rows),
        state=state_of(field),
        uncounted=uncounted_players(field),
    )


def uncounted_players(field: SectionField) -> tuple[Uncounted, ...]:
    """Return the players whose games do not count, by pairing number."""
    return tuple(
        Uncounted(key, entry.tpn, entry.player.name, *field.uncounted[key])
        for key, entry in field.participants.items()
        if key in field.uncounted
    )


def state_of(field: SectionField) -> State:
    """How complete the rounds before `field.before_round` are. No database query."""
    after, latest = field.before_round - 1, field.latest
    missing = _boards(field.open_games, after)
    return State(
        after_round=after,
        ends=latest is not None
        and 0 < after == latest.number
        and (field.section.is_closed or after >= field.section.rounds)
        and not latest.is_draft,
        open=missing,
        adjourned=_boards(field.adjourned_games, after),
        total=sum(game.round.number <= after for game in field.games),
        spread=field.section.fixed_rounds and len({number for number, _board in missing}) > 1,
    )


def _boards(games: Iterable[Game], after: int) -> tuple[Board, ...]:
    return tuple((game.round.number, game.board) for game in games if game.round.number <= after)
