"""Everything about one player in a section: games, colours, the due colour."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evenboard_engine import ByeKind, Colour, Outcome, system_of
from evenboard_engine.preference import Preference
from evenboard_engine.tiebreaks.ratings import performance
from tournaments.models import Participant, RoundStart

from .field import SectionField, Side, load_field
from .places import after_each_round
from .rulings import Decision, decisions_on
from .standings import StandingsTable, Uncounted, table, uncounted_players
from .turns import Turn, turns_of

HALF_WINS = {Outcome.WIN: 2, Outcome.DRAW: 1}


@dataclass(frozen=True, slots=True)
class CardRow:
    """One round. opponent: None for a bye or an absence. total: points in tenths after the round, None while it
    is open. counted: the game counts for the standings.

    place: after the round, None while the game is open and for players without a place. gained: how many places the
    round brought, below 0 if it lost some; in round 1 from the place in the starting list. opponent_aro: the current
    one of the opponent; aro: the player's own after the round. Both are None without games.
    """

    turn: Turn
    opponent: Side | None
    total: int | None
    counted: bool = True
    place: int | None = None
    gained: int = 0
    opponent_aro: float | None = None
    aro: float | None = None

    @property
    def lost(self) -> int:
        return -self.gained


@dataclass(frozen=True, slots=True)
class PlayerCard:
    """A player's card after the latest round that the reader may see.

    place: None for an expelled player. after_round: of the standings with this place, 0 while not everybody may see
    them. points: of all results so far that count for the standings, in tenths. whites, blacks: of games that were
    played. due: the preference in `due_round`, the round of an open game, else the one that is paired next; None when
    no round is left.
    performance: the rating performance (C.07, TPR), 0 without a game against a rated opponent. start: of `due_round`.
    provisional: results of the last round are missing, so its places can change.
    upfloats: the rounds, if the pairing system counts upfloats. byes: requested byes of rounds that are not paired yet,
    as (round, kind); empty for the public. uncounted: this player and opponents whose games do not count. decisions:
    points of this player by decision of the arbiter.
    """

    side: Side
    sex: str
    fide_id: int | None
    club: str
    status: str
    first_round: int
    former_tpn: int | None
    place: int | None
    players: int
    after_round: int
    points: int
    games: int
    aro: float
    whites: int
    blacks: int
    colours: tuple[Colour | None, ...]
    due: Preference | None
    due_round: int
    upfloats: tuple[int, ...]
    rows: tuple[CardRow, ...]
    byes: tuple[tuple[int, ByeKind], ...]
    uncounted: tuple[Uncounted, ...]
    performance: int
    start: RoundStart | None
    provisional: bool
    decisions: tuple[Decision, ...] = ()

    @property
    def withdrawn(self) -> bool:
        return self.status == Participant.Status.WITHDRAWN

    @property
    def expelled(self) -> bool:
        return self.status == Participant.Status.EXPELLED


def player_card(participant: Participant, include_drafts: bool = False) -> PlayerCard:
    """Return the card of a participant. Drafts and requested byes are for arbiters only. Four queries."""
    field = load_field(participant.section, include_drafts=include_drafts)
    key = participant.pk
    past = field.histories[key]
    own = turns_of(field)(key)
    standings = table(field)
    places = standings.places
    colours = tuple(turn.colour if turn.played else None for turn in own)
    entry = field.participants[key]
    system = system_of(field.engine)
    due_round = next((turn.round for turn in own if turn.open), field.before_round)
    more_to_come = due_round <= field.section.rounds and not field.section.is_closed
    return PlayerCard(
        side=field.side(key),
        sex=entry.player.sex,
        fide_id=entry.player.fide_id,
        club=entry.shown_club,
        status=entry.status,
        first_round=entry.first_round,
        former_tpn=entry.former_tpn,
        place=places.get(key),
        players=len(standings.rows),
        after_round=0 if field.latest and field.latest.is_draft else standings.after_round,
        points=field.counted[key].score,
        games=field.counted[key].games,
        aro=field.aro(key),
        whites=colours.count(Colour.WHITE),
        blacks=colours.count(Colour.BLACK),
        colours=colours,
        due=system.preference(past) if more_to_come and entry.is_active else None,
        due_round=due_round,
        upfloats=() if system.upfloat_limit(field.section.rounds) is None else past.upfloats,
        rows=_rows(field, standings, key, own),
        byes=tuple(
            (bye.round_number, ByeKind(bye.kind))
            for bye in field.byes
            if bye.participant_id == key and bye.round_number > field.latest_number
        ),
        uncounted=_uncounted_of(field, key, own),
        performance=_performance(field, key, own),
        start=field.section.start_of(due_round),
        provisional=standings.state.provisional and not standings.state.spread,
        decisions=tuple(decisions_on(field, key, field.latest_number)),
    )


def _performance(field: SectionField, key: int, own: tuple[Turn, ...]) -> int:
    """Return the performance of the games that count for the standings, as the tie-break TPR has it."""
    met = [
        (field.rating_for_others(turn.opponent, turn.round), HALF_WINS.get(turn.outcome, 0))
        for turn in own
        if turn.played
        and turn.opponent
        and turn.outcome
        and field.uncounted.keys().isdisjoint((key, turn.opponent))
    ]
    games = [(rating, half_wins) for rating, half_wins in met if rating]
    return performance([rating for rating, _won in games], sum(half_wins for _rating, half_wins in games))


def _uncounted_of(field: SectionField, key: int, own: tuple[Turn, ...]) -> tuple[Uncounted, ...]:
    met = {key, *(turn.opponent for turn in own)}
    return tuple(row for row in uncounted_players(field) if row.participant_id in met)


def _rows(
    field: SectionField, standings: StandingsTable, key: int, own: tuple[Turn, ...]
) -> tuple[CardRow, ...]:
    after = after_each_round(field, standings)
    place = list(field.participants).index(key) + 1
    rows = []
    total = sum(row["points"] for row in field.participants[key].rulings if not (row["of"] or row["round"]))
    for turn in own:
        counted = field.uncounted.keys().isdisjoint((key, turn.opponent))
        total += ((turn.gained or 0) if counted else 0) + turn.added
        row = CardRow(
            turn=turn,
            opponent=field.side(turn.opponent) if turn.opponent else None,
            total=None if turn.open else total,
            counted=counted,
            opponent_aro=field.aro_or_none(turn.opponent) if turn.opponent else None,
        )
        now = after[turn.round].places.get(key)
        if now and not turn.open:
            aro = after[turn.round].aro(key) if turn.played else None
            row = replace(row, place=now, gained=place - now, aro=aro)
            place = now
        rows.append(row)
    return tuple(rows)
