"""The players to be paired, in order of rank (docs/uschess.md, 1). A player's `place` is the index in this order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from evenboard_engine.errors import InvalidTournament
from evenboard_engine.history import WHITE_SIDE, HistoryRules, Past
from evenboard_engine.matching import Matching, mask_of
from evenboard_engine.model import RESULTS, ByeKind, Colour, Flag, Outcome, Player, Tournament

from .colours import BLACK, WHITE, ColourState, state_of
from .options import MateRule, Occasion, UsChessSettings, settings_of

Pairs = tuple[tuple[int, int], ...]
"""Places of the players of each pair, the higher ranked first."""


@dataclass(frozen=True, slots=True)
class UsChessEntrant:
    """1.1. rating: 0 is unrated. points: tenths. colours: of the games played, oldest first, such as "wbb".

    met: how many games were played with each opponent, by number.
    """

    number: int
    rating: int
    points: int
    colours: str = ""
    met: Mapping[int, int] = field(default_factory=dict)
    full_byes: int = 0
    forfeit_wins: int = 0
    half_bye: bool = False
    keep: bool = False
    new: bool = False
    late: bool = False
    team: str = ""
    club: str = ""


def rank(entrant: UsChessEntrant) -> tuple[int, bool, int, int]:
    """Return the sort key of 1.2: more points, rated before unrated, higher rating, smaller number."""
    return -entrant.points, not entrant.rating, -entrant.rating, entrant.number


class UsChessField:
    """Everybody who is to be paired, as columns by place.

    rating: of an unrated player the lowest of the section (1.3). met: how many games with whom, by place.
    everybody: the mask of all places. never: masks of the places that the arbiter keeps apart. kept_apart: the same
    with everybody met, and with mates if the option is `dont`: pairs with costs in places 2 to 4 of section 3.
    """

    __slots__ = (
        "club",
        "entrants",
        "everybody",
        "keep",
        "kept_apart",
        "met",
        "never",
        "points",
        "rating",
        "settings",
        "state",
        "team",
        "unrated",
    )

    def __init__(
        self,
        entrants: Iterable[UsChessEntrant],
        settings: UsChessSettings,
        *,
        floor: int = 0,
        forbidden: Iterable[tuple[int, int]] = (),
    ) -> None:
        self.entrants = sorted(entrants, key=rank)
        self.settings = settings
        place_of = {entrant.number: place for place, entrant in enumerate(self.entrants)}
        self.points = [entrant.points for entrant in self.entrants]
        self.unrated = [not entrant.rating for entrant in self.entrants]
        self.rating = [entrant.rating or floor for entrant in self.entrants]
        self.keep = [entrant.keep for entrant in self.entrants]
        self.state: list[ColourState] = [state_of(entrant.colours) for entrant in self.entrants]
        self.team = [entrant.team for entrant in self.entrants]
        self.club = [entrant.club for entrant in self.entrants]
        self.met = [
            {place_of[other]: times for other, times in entrant.met.items() if other in place_of}
            for entrant in self.entrants
        ]
        self.everybody = (1 << len(self.entrants)) - 1
        self.never = [0] * len(self.entrants)
        for one, other in forbidden:
            if one in place_of and other in place_of:
                self.never[place_of[one]] |= 1 << place_of[other]
                self.never[place_of[other]] |= 1 << place_of[one]
        self.kept_apart = [never | mask_of(met) for never, met in zip(self.never, self.met, strict=True)]
        for codes, rule in ((self.team, settings.team_rule), (self.club, settings.club_rule)):
            if rule is MateRule.DONT:
                for place, mask in enumerate(_mates(codes)):
                    self.kept_apart[place] |= mask

    def diff(self, one: int, other: int) -> int:
        """Return the difference of two ratings (1.3)."""
        return abs(self.rating[one] - self.rating[other])

    def switch(self, one: int, other: int) -> int:
        """Return the same, but at most the low limit if one of the two is unrated (1.3)."""
        size = abs(self.rating[one] - self.rating[other])
        return min(size, self.settings.low) if self.unrated[one] or self.unrated[other] else size

    def are_teammates(self, one: int, other: int) -> bool:
        return bool(self.team[one]) and self.team[one] == self.team[other]

    def are_clubmates(self, one: int, other: int) -> bool:
        return bool(self.club[one]) and self.club[one] == self.club[other]

    def can_pair(self, group: Sequence[int]) -> bool:
        """Return whether these places can be paired without those whom `kept_apart` names."""
        return can_pair(
            group, [self.everybody & ~(mask | 1 << at) for at, mask in enumerate(self.kept_apart)]
        )

    def levels(self, people: Iterable[int]) -> dict[int, list[int]]:
        """Return the groups of these places by points, highest first; each in order of rank."""
        groups: dict[int, list[int]] = {}
        for place in sorted(people):
            groups.setdefault(self.points[place], []).append(place)
        return groups


def can_pair(group: Sequence[int], edges: Sequence[int]) -> bool:
    """Return whether these places can be paired on these edges, which are masks by place."""
    if len(group) % 2:
        return False
    return Matching(compressed(group, [edges[place] for place in group])).maximise() == 0


def compressed(people: Sequence[int], masks: Iterable[int]) -> list[int]:
    """Return masks of places as masks of indices of these people, who are in order of rank."""
    runs = _runs(people)
    found = []
    for mask in masks:
        row = 0
        for first, everybody, at in runs:
            row |= (mask >> first & everybody) << at
        found.append(row)
    return found


def expanded(people: Sequence[int], masks: Iterable[int]) -> list[int]:
    """Return masks of indices of these people, who are in order of rank, as masks of places."""
    runs = _runs(people)
    found = []
    for mask in masks:
        row = 0
        for first, everybody, at in runs:
            row |= (mask >> at & everybody) << first
        found.append(row)
    return found


def _runs(people: Sequence[int]) -> list[tuple[int, int, int]]:
    """Return the runs of neighbouring places: first place, mask of as many bits as there are, index of the first."""
    starts = [at for at, place in enumerate(people) if not at or people[at - 1] != place - 1]
    ends = [*starts[1:], len(people)]
    return [(people[start], (1 << end - start) - 1, start) for start, end in zip(starts, ends, strict=False)]


def _mates(codes: Sequence[str]) -> list[int]:
    """Return the mask of the others with the same code, by place."""
    members: dict[str, int] = {}
    for place, code in enumerate(codes):
        if code:
            members[code] = members.get(code, 0) | 1 << place
    return [members.get(code, 0) & ~(1 << place) for place, code in enumerate(codes)]


def halves(people: Sequence[int]) -> dict[int, int]:
    """Return the natural opponents of an even number of people in order of rank: upper half against lower half."""
    middle = len(people) // 2
    natural = dict(zip(people[:middle], people[middle:], strict=True))
    natural.update(zip(people[middle:], people[:middle], strict=True))
    return natural


# From a tournament to the field of its next round (docs/uschess.md, 1.1).

FULL_BYES = (ByeKind.ALLOCATED, ByeKind.FULL)


@dataclass(frozen=True, slots=True)
class UsChessRound:
    """The field of a round. ids: of each place. place_of: of each id that is to be paired."""

    tournament: Tournament
    field: UsChessField
    occasion: Occasion
    ids: tuple[int, ...]
    place_of: Mapping[int, int]


def read_round(tournament: Tournament, *, settings: UsChessSettings | None = None) -> UsChessRound:
    """Return the field of the round to be paired. settings: instead of the options.

    Raises InvalidTournament if the input contradicts itself.
    """
    past = Past(tournament, HistoryRules())
    away = _away(tournament, past)
    tpn_of = {player.id: player.tpn for player in past.players}
    byes, forfeits, halves = _unplayed(tournament)
    entrants = [
        UsChessEntrant(
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
    field = UsChessField(
        entrants,
        settings_of(tournament.options) if settings is None else settings,
        floor=_floor(past.players),
        forbidden=[(tpn_of[one], tpn_of[other]) for one, other in tournament.forbidden],
    )
    id_of = {player.tpn: player.id for player in past.players}
    ids = tuple(id_of[entrant.number] for entrant in field.entrants)
    occasion = Occasion(tournament.round, tournament.rounds, tournament.initial_colour or Colour.WHITE)
    return UsChessRound(tournament, field, occasion, ids, {key: place for place, key in enumerate(ids)})


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


def rounds_of(reading: UsChessRound, one: int, other: int) -> tuple[int, ...]:
    """Return the rounds in which two places met over the board."""
    both = {reading.ids[one], reading.ids[other]}
    games = reading.tournament.games
    return tuple(
        sorted(
            game.round for game in games if {game.white, game.black} == both and RESULTS[game.result].played
        )
    )
