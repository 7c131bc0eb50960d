"""From a tournament to the field of its next round (docs/uschess.md, 1.1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import WHITE_SIDE, HistoryRules, Past
from evenboard_engine.model import RESULTS, ByeKind, Colour, Flag, Outcome, Player, Tournament

from .colours import BLACK, WHITE
from .entrants import Entrant, Field
from .options import settings_of
from .settings import Occasion, Settings

FULL_BYES = (ByeKind.ALLOCATED, ByeKind.FULL)


@dataclass(frozen=True, slots=True)
class Reading:
    """The field of a round. ids: of each place. place_of: of each id that is to be paired."""

    tournament: Tournament
    field: Field
    occasion: Occasion
    ids: tuple[int, ...]
    place_of: Mapping[int, int]


def read(tournament: Tournament, *, settings: Settings | None = None) -> Reading:
    """Return the field of the round to be paired. settings: instead of the options.

    Raises InvalidTournament if the input contradicts itself.
    """
    past = Past(tournament, HistoryRules())
    away = _away(tournament, past)
    tpn_of = {player.id: player.tpn for player in past.players}
    byes, forfeits, halves = _unplayed(tournament)
    entrants = [
        Entrant(
            number=player.tpn,
            rating=player.rating,
            points=past.score[place],
            colours="".join(WHITE if side == WHITE_SIDE else BLACK for side in past.sides(place)),
            met=Counter(past.players[other].tpn for other in past.opponents(place)),
            full_byes=byes[player.id],
            forfeit_wins=forfeits[player.id],
            half_bye=player.id in halves,
            keep=Flag.KEEP in player.flags,
            new=Flag.NEW in player.flags,
            late=Flag.LATE in player.flags,
            team=player.team,
            club=player.club,
        )
        for place, player in enumerate(past.players)
        if player.id not in away
    ]
    field = Field(
        entrants,
        settings_of(tournament.options) if settings is None else settings,
        floor=_floor(past.players),
        forbidden=[(tpn_of[one], tpn_of[other]) for one, other in tournament.forbidden],
    )
    id_of = {player.tpn: player.id for player in past.players}
    ids = tuple(id_of[entrant.number] for entrant in field.entrants)
    occasion = Occasion(tournament.round, tournament.rounds, tournament.initial_colour or Colour.WHITE)
    return Reading(tournament, field, occasion, ids, {key: place for place, key in enumerate(ids)})


def _floor(players: list[Player]) -> int:
    """Return the lowest rating of any rated player; 0 if nobody is rated (1.3)."""
    return min((player.rating for player in players if player.rating), default=0)


def _away(tournament: Tournament, past: Past) -> frozenset[int]:
    """Return who is not to be paired, after a check that all these players are known."""
    for key in (*tournament.absent, *(key for pair in tournament.forbidden for key in pair)):
        if key not in past.place_of:
            raise InvalidTournament("unknown_player", player=key, round=tournament.round)
    with_bye = {bye.player for bye in tournament.byes if bye.round == tournament.round}
    return frozenset(tournament.absent | with_bye)


def _unplayed(tournament: Tournament) -> tuple[Counter[int], Counter[int], set[int]]:
    """Return full byes and forfeit wins by id, and who had a half-point bye or asked for one in a later round."""
    byes: Counter[int] = Counter()
    halves = set()
    for bye in tournament.byes:
        if bye.kind is ByeKind.HALF:
            halves.add(bye.player)
        elif bye.kind in FULL_BYES and bye.round < tournament.round:
            byes[bye.player] += 1
    forfeits: Counter[int] = Counter()
    for game in tournament.games:
        meaning = RESULTS[game.result]
        forfeits[game.white] += meaning.white is Outcome.FORFEIT_WIN
        forfeits[game.black] += meaning.black is Outcome.FORFEIT_WIN
    return byes, forfeits, halves


def rounds_of(reading: Reading, one: int, other: int) -> tuple[int, ...]:
    """Return the rounds in which two places met over the board."""
    both = {reading.ids[one], reading.ids[other]}
    games = reading.tournament.games
    return tuple(
        sorted(
            game.round for game in games if {game.white, game.black} == both and RESULTS[game.result].played
        )
    )
