"""Compare a round with what other pairing systems would have paired, and with the opposition that each would give."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from math import fsum, sqrt
from typing import NamedTuple

from .errors import InternalError, NoLegalPairing, PairingError
from .findings import Published
from .model import Colour, Tournament
from .result import RoundPairing
from .systems.options import ChoiceOption
from .systems.registry import SYSTEMS, histories, offer, pair_round, system_named, system_of
from .systems.system import PairingSystem
from .upper_half import CODE, pair_upper_half


@dataclass(frozen=True, slots=True)
class Variant:
    """A pairing system with all its options."""

    system: str
    options: Mapping[str, str] = field(default_factory=dict, hash=False)


UPPER_HALF = Variant(CODE)
"""The plain pairing of `upper_half.py`, which is no system of the registry."""


class ComparedSeat(NamedTuple):
    """Where a player is in a round. opponent: None for the bye. colour: None if the game has none."""

    opponent: int | None
    colour: Colour | None


class SeatChange(StrEnum):
    """What is different for a player in two rounds."""

    NONE = ""
    COLOUR = "colour"
    OPPONENT = "opponent"


@dataclass(frozen=True, slots=True)
class Spread:
    """How far the AROs of a score group lie apart after a round, in Elo.

    score: before the round, in tenths, with the virtual points of the round; None for all score groups together.
    players: how many have an ARO. width: the highest ARO minus the lowest. deviation: the standard deviation.
    For all score groups together: the largest width, and the deviation from the average of the player's own group.
    """

    score: int | None
    players: int
    width: float
    deviation: float


@dataclass(frozen=True, slots=True)
class Alternative:
    """A round as one variant pairs it.

    seats: by id, of everybody with a game or the pairing-allocated bye. spreads: from the highest score down, all
    groups last; () without seats. failure: why the variant pairs no round; None if it does. If its procedure cannot
    finish and it offers a round, the seats are those of the offer (`offered`).
    pairs: how many. same: how many of them the compared round has too. turned: how many of these have other colours.
    """

    variant: Variant
    seats: Mapping[int, ComparedSeat] = field(default_factory=dict)
    spreads: tuple[Spread, ...] = ()
    failure: PairingError | None = None
    pairs: int = 0
    same: int = 0
    turned: int = 0

    @property
    def offered(self) -> bool:
        """Return whether it is what the variant offers where it cannot finish."""
        return self.failure is not None and bool(self.seats)

    @property
    def bye(self) -> int | None:
        """Return who has the pairing-allocated bye."""
        return next((player for player, seat in self.seats.items() if seat.opponent is None), None)

    @property
    def agrees(self) -> bool:
        """Return whether it is the compared round itself."""
        return bool(self.seats) and self.same == self.pairs and not self.turned

    @property
    def differs(self) -> bool:
        """Return whether it is another round."""
        return bool(self.seats) and not self.agrees


@dataclass(frozen=True, slots=True)
class SystemComparison:
    """A round beside others. round: as it was published or drafted; `offered` if it is the offer of its own system,
    which could not finish. groups: the scores in the order of `spreads`, each with its players in initial ranking
    order. before: the spreads of the same groups before the round, without its games."""

    round: Alternative
    others: tuple[Alternative, ...]
    groups: tuple[tuple[int, tuple[int, ...]], ...]
    before: tuple[Spread, ...]

    def change(self, other: Alternative, player: int) -> SeatChange:
        """Return what is different for a player in another round."""
        return change(self.round.seats[player], other.seats[player])


def change(here: ComparedSeat, there: ComparedSeat) -> SeatChange:
    """Return what is different for a player. A game without colours has the colours of every other game."""
    if here.opponent != there.opponent:
        return SeatChange.OPPONENT
    is_turned = here.colour and there.colour and here.colour != there.colour
    return SeatChange.COLOUR if is_turned else SeatChange.NONE


def own_variant(tournament: Tournament) -> Variant:
    """Return the system of a tournament with all its options."""
    system = system_of(tournament)
    return Variant(system.code, system.checked(tournament.options))


def variants_of(
    tournament: Tournament, day: str = "", asked: Mapping[str, Mapping[str, str]] | None = None
) -> tuple[Variant, ...]:
    """Return what a round is compared with: the system of its tournament, other editions of it, all other systems.

    () for a system whose rounds are all fixed; others are not compared with such a system either. day: the first day of
    the tournament (YYYY-MM-DD), which decides some options of other systems. asked: options of other systems, by code;
    the rest have their defaults. Raises InvalidTournament for options that a system does not know.
    """
    chosen = own_variant(tournament)
    options = {system.code: (asked or {}).get(system.code, {}) for system in other_systems(tournament.system)}
    return (
        *(() if system_of(tournament).fixed_rounds else (chosen, *_editions(system_of(tournament), chosen))),
        *(Variant(code, default_options(code, day, found)) for code, found in options.items()),
    )


def other_systems(code: str) -> tuple[PairingSystem, ...]:
    if system_named(code).fixed_rounds:
        return ()
    return tuple(one for one in SYSTEMS.values() if not one.fixed_rounds and one.code != code)


def default_options(code: str, day: str, asked: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return all options of a system: those asked for, those that the first day decides, and defaults."""
    system = system_named(code)
    return system.checked({**system.options_on(day), **(asked or {})})


def _editions(system: PairingSystem, own: Variant) -> Iterable[Variant]:
    """Yield the system with each other value of the options that the first day of a tournament decides."""
    by_day = system.options_on("")
    for option in system.options:
        if isinstance(option, ChoiceOption) and option.name in by_day:
            for value in option.values:
                if value != own.options[option.name]:
                    yield Variant(own.system, {**own.options, option.name: value})


def published(pairing: RoundPairing) -> Published:
    """Return a round of the engine as one to be compared."""
    byes = () if pairing.bye is None else (pairing.bye,)
    return Published(pairing.round, tuple((pair.white, pair.black) for pair in pairing.pairs), byes)


def compare(tournament: Tournament, paired: Published, variants: Sequence[Variant]) -> SystemComparison:
    """Pair the round of a tournament by each variant, and set it beside the round that was `paired`.

    variants: `UPPER_HALF` may be one of them. The tournament's own variant is left out if it pairs the same round.
    tournament: before the round. `absent` are all whom `paired` does not have. Cost: one pairing for each variant.
    Raises InvalidTournament if the tournament contradicts itself.
    """
    opposition = _Opposition.of(tournament)
    seats = _seats(paired)
    own = own_variant(tournament)
    here = opposition.alternative(own, seats, seats)
    found = [_alternative(tournament, variant, opposition, seats) for variant in variants]
    itself = [one for one in found if one.agrees and one.variant == own]
    failure = next((one.failure for one in itself), None)
    others = tuple(one for one in found if one not in itself)
    before = opposition.spreads(dict.fromkeys(seats, ComparedSeat(None, None)))
    return SystemComparison(replace(here, failure=failure), others, opposition.groups(seats), before)


def _alternative(
    tournament: Tournament, variant: Variant, opposition: _Opposition, beside: Mapping[int, ComparedSeat]
) -> Alternative:
    try:
        pairing, failure = _paired(tournament, variant)
        seats = _seats(published(pairing))
        if seats.keys() != beside.keys():
            raise InternalError("players_differ", system=variant.system)
    except PairingError as error:
        return Alternative(variant, failure=error)
    return replace(opposition.alternative(variant, seats, beside), failure=failure)


def _paired(tournament: Tournament, variant: Variant) -> tuple[RoundPairing, NoLegalPairing | None]:
    """Return the round of a variant. If it is an offer, return also why its procedure cannot finish."""
    if variant == UPPER_HALF:
        return pair_upper_half(tournament), None
    asked = replace(tournament, system=variant.system, options=variant.options)
    if not system_of(asked).accelerated_code:
        asked = replace(asked, accelerations=())
    try:
        return pair_round(asked), None
    except NoLegalPairing as error:
        offered = offer(asked)
        if offered is None:
            raise
        return offered.pairing, error


def _seats(paired: Published) -> dict[int, ComparedSeat]:
    seats = {player: ComparedSeat(None, None) for player in paired.byes}
    for white, black in paired.pairs:
        plain = white in paired.colourless
        seats[white] = ComparedSeat(black, None if plain else Colour.WHITE)
        seats[black] = ComparedSeat(white, None if plain else Colour.BLACK)
    return seats


@dataclass(frozen=True, slots=True)
class _Opposition:
    """The opponents until now, by id in initial ranking order. Opponents without a rating are left out.

    score: the pairing score in tenths. total, count: of the ratings of the opponents met. rating: of the player.
    """

    score: Mapping[int, int]
    total: Mapping[int, int]
    count: Mapping[int, int]
    rating: Mapping[int, int]

    @classmethod
    def of(cls, tournament: Tournament) -> _Opposition:
        past = histories(tournament)
        rating = {player.id: player.rating for player in tournament.players}
        met = {key: [rating[other] for other in past[key].opponents if rating[other]] for key in past}
        return cls(
            score={key: past[key].pairing_score for key in past},
            total={key: sum(ratings) for key, ratings in met.items()},
            count={key: len(ratings) for key, ratings in met.items()},
            rating=rating,
        )

    def groups(self, seats: Iterable[int]) -> tuple[tuple[int, tuple[int, ...]], ...]:
        """Return the score groups of these players, the highest score first."""
        here, found = set(seats), defaultdict(list)
        for key, score in self.score.items():
            if key in here:
                found[score].append(key)
        return tuple((score, tuple(found[score])) for score in sorted(found, reverse=True))

    def alternative(
        self, variant: Variant, seats: Mapping[int, ComparedSeat], beside: Mapping[int, ComparedSeat]
    ) -> Alternative:
        games = [(key, seat) for key, seat in seats.items() if seat.opponent is not None]
        changes = [change(beside[key], seat) for key, seat in games]
        return Alternative(
            variant,
            seats,
            self.spreads(seats),
            pairs=len(games) // 2,
            same=sum(found is not SeatChange.OPPONENT for found in changes) // 2,
            turned=sum(found is SeatChange.COLOUR for found in changes) // 2,
        )

    def spreads(self, seats: Mapping[int, ComparedSeat]) -> tuple[Spread, ...]:
        found, squares = [], []
        for score, players in self.groups(seats):
            aros = [aro for key in players if (aro := self.aro(key, seats[key])) is not None]
            mean = fsum(aros) / len(aros) if aros else 0.0
            own = [(aro - mean) ** 2 for aro in aros]
            squares += own
            found.append(Spread(score, len(aros), max(aros) - min(aros) if aros else 0.0, _root_mean(own)))
        if not found:
            return ()
        return *found, Spread(None, len(squares), max(one.width for one in found), _root_mean(squares))

    def aro(self, player: int, seat: ComparedSeat) -> float | None:
        """Return the ARO after the round, as if its game is played; None without an opponent who has a rating."""
        new = 0 if seat.opponent is None else self.rating[seat.opponent]
        count = self.count[player] + bool(new)
        return (self.total[player] + new) / count if count else None


def _root_mean(squares: Sequence[float]) -> float:
    return sqrt(fsum(squares) / len(squares)) if squares else 0.0
