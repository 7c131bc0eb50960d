"""Everything about one player in a section: games, colours, the due colour, the place after each round.

Past rounds do not change while a round is played. So the tables of past rounds are kept in the memory of the process,
by a hash of all rows from which they are made. A phone asks for one player in one round where a page does not hold
the row.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.db.models import Model, Q

from base.cache import Cache
from evenboard_engine import ByeKind, Colour, Outcome, Result, system_of
from evenboard_engine.preference import Preference
from evenboard_engine.tiebreaks.ratings import performance
from tournaments.models import Bye, Game, Participant, Round, RoundStart, Section
from tournaments.models.journal import NEVER
from tournaments.snapshot import rulings_of

from .decided_points import PointsDecision, point_decisions_on
from .field import PlayerCell, SectionField, load_field
from .player_rounds import PlayerRound, player_rounds_of, points_of, round_of_bye, round_of_game
from .rounds import is_step_free, round_board_list
from .row_cache import LARGE
from .standings import StandingsTable, Uncounted, standings_of, uncounted_players

# The places and the AROs of all players after each round.
#
# The card of every player shows them, and the past rounds do not change while a round is played. So the
# tables of past rounds are kept in the memory of the process, by a hash of all rows from which they are made.


@dataclass(frozen=True, slots=True)
class AfterRound:
    """places: by key, without expelled players. aro: returns that of a player, as the pairing system reads it."""

    places: Mapping[int, int]
    aro: Callable[[int], float]


places_cache: Cache[bytes, AfterRound] = Cache(100)


def after_each_round(field: SectionField, latest: StandingsTable) -> dict[int, AfterRound]:
    """Return the tables after each round that the reader may see, by the number of the round. No query.

    Of a field before the next round (`load_field` without a number), with its table `latest`. This one is not kept: the
    results of its round come in, and games count as soon as they have one.
    """
    last = field.before_round - 1
    if field.rows is not None and len(field.participants) > LARGE:  # whose tables are kept with its rows
        earlier = (field.before(number + 1) for number in range(1, last))
        tables = {
            before.before_round - 1: AfterRound(standings_of(before).places, before.aro) for before in earlier
        }
        return {**tables, last: AfterRound(latest.places, field.aro)} if last else {}
    found: dict[int, AfterRound] = {}
    for number, key in _keys(field, last - 1):
        done = places_cache.get(key)
        if done is None:
            before = field.before(number + 1)
            done = _read(before, standings_of(before))
            places_cache.put(key, done)
        found[number] = done
    if last:
        found[last] = _read(field, latest)
    return found


def _read(field: SectionField, made: StandingsTable) -> AfterRound:
    return AfterRound(
        places=made.places,
        aro={key: field.aro(key) for key in field.participants}.__getitem__,
    )


def _keys(field: SectionField, last: int) -> Iterator[tuple[int, bytes]]:
    """Yield each round up to `last` with a hash of all rows from which the table after it is made.

    A fixed table needs the games of all rounds: they say which players have left too early to be counted.
    """
    rows = hashlib.sha256(repr(_columns(Section, [field.section], without=NEVER)).encode())
    rows.update(repr((field.section.period, _columns(Participant, field.participants.values()))).encode())
    if field.section.fixed_rounds:
        rows.update(repr(_columns(Game, field.games)).encode())
    for number in range(1, last + 1):
        rows.update(repr(_columns(Round, (row for row in field.rounds if row.number == number))).encode())
        rows.update(
            repr(_columns(Game, (game for game in field.games if game.round.number == number))).encode()
        )
        rows.update(repr(_columns(Bye, (bye for bye in field.byes if bye.round_number == number))).encode())
        yield number, rows.digest()


def _columns(model: type[Model], rows: Iterable[Model], without: Collection[str] = ()) -> list[Any]:
    fields = model._meta.concrete_fields  # noqa: SLF001 public API of Django despite its name
    read = attrgetter(*(column.attname for column in fields if column.attname not in without))
    return [read(row) for row in rows]


# One player in one round: the board, or the bye. A phone asks for it where a page does not hold the player's
# row.


@dataclass(frozen=True, slots=True)
class PublicSeat:
    """A player in a round. With a game, board, white and black are set; with a bye, bye is set. Neither: not paired.

    side: the player, with the points before the round.
    """

    side: PlayerCell
    board: int | None = None
    white: PlayerCell | None = None
    black: PlayerCell | None = None
    result: Result | None = None
    bye: ByeKind | None = None
    step_free: bool = False


def public_seat(section: Section, number: int, participant_id: int) -> PublicSeat:
    """Return what the player does in a published round. At most six queries, for any number of players.

    Raises Round.DoesNotExist for a draft, and Participant.DoesNotExist for a player whom the list of the round has not.
    """
    if section.fixed_rounds:
        return _seat_in_the_list(section, number, participant_id)
    shown = section.played_rounds.exclude(state=Round.State.DRAFT).get(number=number)
    entry = section.participants.select_related("player").get(pk=participant_id)
    game = (
        Game.objects.filter(Q(white=entry) | Q(black=entry), round=shown)
        .select_related("white__player", "black__player")
        .first()
    )
    if game:
        points = _points_before(section, number, game.white, game.black)
        white, black = (_side(one, points[one.pk]) for one in (game.white, game.black))
        own = white if participant_id == game.white_id else black
        step_free = is_step_free(game.board, game.white, game.black)
        return PublicSeat(
            own, board=game.board, white=white, black=black, result=game.outcome, step_free=step_free
        )
    side = _side(entry, _points_before(section, number, entry)[entry.pk])
    bye = Bye.objects.filter(participant=entry, round_number=number).first()
    if bye:
        return PublicSeat(side, bye=ByeKind(bye.kind))
    if entry.is_active and entry.first_round <= number:
        return PublicSeat(side)
    raise Participant.DoesNotExist("the player is not in the list of the round")


def _seat_in_the_list(section: Section, number: int, participant_id: int) -> PublicSeat:
    """Return the same from the whole list: only all games together say which of them count for the standings."""
    view = round_board_list(section, number)
    for row in view.boards:
        for side in (row.white, row.black):
            if side.participant_id == participant_id:
                return PublicSeat(
                    side,
                    board=row.board,
                    white=row.white,
                    black=row.black,
                    result=row.result,
                    step_free=row.step_free,
                )
    for free in view.byes:
        if free.side.participant_id == participant_id:
            return PublicSeat(free.side, bye=free.kind)
    for out in view.out:
        if out.side.participant_id == participant_id and not out.withdrawn:
            return PublicSeat(out.side)
    raise Participant.DoesNotExist("the player is not in the list of the round")


def _points_before(section: Section, number: int, *entries: Participant) -> dict[int, int]:
    """Return the points of these players before the round, in tenths. Two queries."""
    rules, keys = section.point_system, [entry.pk for entry in entries]
    played = Game.objects.filter(Q(white__in=keys) | Q(black__in=keys), round__number__lt=number)
    turns = {(key, at): PlayerRound(at, gained=rules.zero_bye) for key in keys for at in range(1, number)}
    for game in played.select_related("round"):
        for key, colour in ((game.white_id, Colour.WHITE), (game.black_id, Colour.BLACK)):
            if key in keys:
                turns[key, game.round.number] = round_of_game(game, game.round, colour, rules)
    for bye in Bye.objects.filter(participant__in=keys, round_number__lt=number):
        turns[bye.participant_id, bye.round_number] = round_of_bye(bye, rules)
    return {
        entry.pk: points_of((turns[entry.pk, at] for at in range(1, number)), rulings_of(entry))
        for entry in entries
    }


def _side(entry: Participant, points: int) -> PlayerCell:
    player = entry.player
    return PlayerCell(
        participant_id=entry.pk,
        tpn=entry.tpn,
        name=entry.shown_name,
        title=player.title,
        federation=player.federation,
        rating=entry.rating,
        points=points,
    )


# Everything about one player in a section: games, colours, the due colour.

HALF_WINS = {Outcome.WIN: 2, Outcome.DRAW: 1}


@dataclass(frozen=True, slots=True)
class CardRow:
    """One round. opponent: None for a bye or an absence. total: points in tenths after the round, None while it
    is open. counted: the game counts for the standings.

    place: after the round, None while the game is open and for players without a place. gained: how many places the
    round brought, below 0 if it lost some; in round 1 from the place in the starting list. opponent_aro: the current
    one of the opponent; aro: the player's own after the round. Both are None without games. step_free: the board is
    step-free for one of the two players.
    """

    turn: PlayerRound
    opponent: PlayerCell | None
    total: int | None
    counted: bool = True
    place: int | None = None
    gained: int = 0
    opponent_aro: float | None = None
    aro: float | None = None
    step_free: bool = False

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
    points of this player by decision of the arbiter. fixed_board, step_free: as in `Participant`.
    """

    side: PlayerCell
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
    decisions: tuple[PointsDecision, ...] = ()
    fixed_board: int | None = None
    step_free: bool = False

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
    own = player_rounds_of(field)(key)
    standings = standings_of(field)
    places = standings.places
    colours = tuple(turn.colour if turn.played else None for turn in own)
    entry = field.participants[key]
    system = system_of(field.engine)
    due_round = next((turn.round for turn in own if turn.open), field.before_round)
    draft = field.latest is not None and field.latest.is_draft
    more_to_come = due_round <= field.section.rounds and not field.section.is_closed
    return PlayerCard(
        side=field.side(key),
        sex=entry.player.sex,
        fide_id=entry.player.fide_id,
        club=entry.shown_club,
        status=entry.status,
        first_round=entry.first_round,
        former_tpn=entry.former_tpn_in(field.round_in_play),
        place=places.get(key),
        players=len(standings.rows),
        after_round=0 if draft else standings.after_round,
        points=field.counted[key].score,
        games=field.counted[key].games,
        aro=field.aro(key),
        whites=colours.count(Colour.WHITE),
        blacks=colours.count(Colour.BLACK),
        colours=colours,
        due=field.preference(key) if more_to_come and entry.is_active else None,
        due_round=due_round,
        upfloats=() if system.upfloat_limit(field.section.rounds) is None else past.upfloats,
        rows=_rows(field, standings, key, own),
        byes=tuple(
            (bye.round_number, ByeKind(bye.kind))
            for bye in field.byes
            if bye.participant_id == key and bye.round_number > field.latest_number
        ),
        uncounted=_uncounted_of(field, key, own),
        performance=performance_in(field, key, own),
        start=field.section.start_of(due_round),
        provisional=standings.state.provisional and not (standings.state.spread or draft),
        decisions=tuple(point_decisions_on(field, key, field.latest_number)),
        fixed_board=entry.fixed_board,
        step_free=entry.step_free,
    )


def performance_in(field: SectionField, key: int, own: tuple[PlayerRound, ...]) -> int:
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


def _uncounted_of(field: SectionField, key: int, own: tuple[PlayerRound, ...]) -> tuple[Uncounted, ...]:
    met = {key, *(turn.opponent for turn in own)}
    return tuple(row for row in uncounted_players(field) if row.participant_id in met)


def _rows(
    field: SectionField, standings: StandingsTable, key: int, own: tuple[PlayerRound, ...]
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
            step_free=turn.opponent is not None
            and is_step_free(turn.board or 0, field.participants[key], field.participants[turn.opponent]),
        )
        now = after[turn.round].places.get(key)
        if now and not turn.open:
            aro = after[turn.round].aro(key) if turn.played else None
            row = replace(row, place=now, gained=place - now, aro=aro)
            place = now
        rows.append(row)
    return tuple(rows)
