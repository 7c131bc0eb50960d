"""A round that is paired by hand: its boards, byes and unpaired players, and the concerns about them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum

from evenboard_engine import (
    NoLegalPairing,
    PairingError,
    RoundPairing,
    Tournament,
    offer,
    pair_round,
    system_of,
)
from evenboard_engine.findings import Concern, HandMadeDraft, Level
from evenboard_engine.model import Bye as EngineBye
from evenboard_engine.model import ByeKind
from evenboard_engine.preference import Preference
from tournaments.models import Bye, Game, Participant, Round, Section
from tournaments.seating import SeatMove

from .field import PlayerCell, SectionField, load_field
from .forbidden_pairs import forbidden_in


@dataclass(frozen=True, slots=True)
class HandPosition:
    """A round as it is in the database.

    field: before the round, with the results that it was paired with. games: by board. allocated: the player with the
    pairing-allocated bye. rests: other byes of the round, by participant. pool: players who should play but have
    neither board nor bye, by points, then by number. value: for the engine; all who are not paired are absent in it.
    """

    field: SectionField
    round: Round
    games: tuple[Game, ...]
    allocated: int | None
    rests: dict[int, ByeKind]
    pool: tuple[int, ...]
    value: Tournament

    @property
    def draft(self) -> HandMadeDraft:
        return HandMadeDraft(tuple((game.white_id, game.black_id) for game in self.games), self.allocated)


def hand_position(section: Section, number: int) -> HandPosition:
    """Raises Round.DoesNotExist. Five queries."""
    field = load_field(section, before_round=number, include_drafts=True).as_paired()
    shown = field.round(number)
    games = tuple(game for game in field.games if game.round_id == shown.pk)
    allocated, rests = None, {}
    for bye in field.byes:
        if bye.round_number != number:
            continue
        if bye.source == Bye.Source.ALLOCATED:
            allocated = bye.participant_id
        else:
            rests[bye.participant_id] = ByeKind(bye.kind)
    placed = {key for game in games for key in (game.white_id, game.black_id)} | {allocated} | rests.keys()
    pool = tuple(sorted(waiting_in(field, number, placed), key=lambda key: -field.side(key).points))
    here = (placed | set(pool)) - rests.keys()
    value = replace(
        field.engine,
        byes=(*field.engine.byes, *asked_before(field, shown)),
        absent=frozenset(key for key in field.participants if key not in here),
        forbidden=forbidden_in(field, number),
    )
    return HandPosition(field, shown, games, allocated, rests, pool, value)


def asked_before(field: SectionField, shown: Round) -> tuple[EngineBye, ...]:
    """Return the half-point byes of later rounds that were known when a round was paired, if its system looks ahead.

    field: with drafts. A round of a report file does not say when it was paired, so all byes count for it.
    """
    if not system_of(field.engine).looks_ahead:
        return ()
    is_of_a_file = shown.published_at is None and not shown.is_draft
    return tuple(
        EngineBye(bye.round_number, bye.participant_id, ByeKind.HALF)
        for bye in field.byes
        if bye.kind == ByeKind.HALF
        and bye.round_number > shown.number
        and (is_of_a_file or bye.created_at <= shown.paired_at)
    )


def waiting_in(field: SectionField, number: int, placed: Collection[int | None]) -> Iterator[int]:
    """Yield who should play in a round that is being paired by hand, but is not placed yet, by number."""
    for key, entry in field.participants.items():
        if key not in placed and entry.is_active and entry.first_round <= number:
            yield key


def engines_pairing(value: Tournament) -> RoundPairing | None:
    """Return the pairing by the rules with its trace, or None if there is none."""
    try:
        return pair_round(value, trace=True)
    except PairingError:
        return None


@dataclass(frozen=True, slots=True)
class ModelPairing:
    """What a round that is paired by hand is compared with.

    pairing: by the rules, with its trace, or the offer where they cannot finish the round; None if there is neither.
    impossible: why the rules give no pairing, the code of the engine; "" if they give one.
    """

    pairing: RoundPairing | None = None
    impossible: str = ""

    @property
    def offered(self) -> bool:
        return self.pairing is not None and bool(self.impossible)


def model_pairing_of(value: Tournament) -> ModelPairing:
    """Return the pairing by the rules, or the offer."""
    try:
        return ModelPairing(pair_round(value, trace=True))
    except NoLegalPairing as error:
        offered = offer(value)
        return ModelPairing(offered.pairing if offered else None, error.code)
    except PairingError as error:
        return ModelPairing(None, error.code)


def known_model_pairing(found: HandPosition) -> ModelPairing:
    """Return the model as far as a page needs it while pairs are changed.

    Pairing takes time, so it is empty for a round that the rules have paired, unless they may not finish a round: then
    the pairs that the round had may have been the offer.
    """
    is_paired = found.round.engine_pairing and not system_of(found.value).may_stop
    return ModelPairing() if is_paired else model_pairing_of(found.value)


def concerns_about(value: Tournament, draft: HandMadeDraft, model: ModelPairing) -> tuple[Concern, ...]:
    """Return the concerns about a draft. Those that the offer has too are only shown: they are not the arbiter's."""
    system = system_of(value)
    found = system.concerns(value, draft)
    if model.pairing is None or not model.offered:
        return found
    offered = HandMadeDraft(
        tuple((pair.white, pair.black) for pair in model.pairing.pairs), model.pairing.bye
    )
    known = set(system.concerns(value, offered))
    return tuple(replace(one, level=Level.SHOW) if one in known else one for one in found)


class HandPlace(StrEnum):
    """Where a player is. BYE: has the pairing-allocated bye. REST: has another bye."""

    BOARD = "board"
    POOL = "pool"
    BYE = "bye"
    REST = "rest"


IMPOSSIBLE = {
    HandPlace.BOARD: frozenset[SeatMove](),
    HandPlace.POOL: frozenset({SeatMove.COLOURS, SeatMove.UNPAIR}),
    HandPlace.BYE: frozenset({SeatMove.COLOURS, SeatMove.BYE}),
    HandPlace.REST: frozenset({SeatMove.COLOURS, SeatMove.BYE, SeatMove.HALF, SeatMove.ZERO, SeatMove.SWAP}),
}
"""Changes that `change_by_hand` refuses to make to a player."""


@dataclass(frozen=True, slots=True)
class HandSeat:
    """A player as the page shows them. leaving: withdrawn or expelled since the pairing. due: before the round.
    half: whether the player may have half-point byes.
    """

    side: PlayerCell
    due: Preference | None
    leaving: bool
    half: bool
    place: HandPlace

    @property
    def impossible(self) -> frozenset[SeatMove]:
        """The changes that cannot be made to this player."""
        return IMPOSSIBLE[self.place] | (frozenset() if self.half else {SeatMove.HALF})


@dataclass(frozen=True, slots=True)
class HandBoard:
    """locked: it has a result."""

    board: int
    white: HandSeat
    black: HandSeat
    locked: bool
    result: str
    concerns: tuple[Concern, ...]


@dataclass(frozen=True, slots=True)
class HandRound:
    """pool: not paired yet. rests: all byes except the pairing-allocated one. seats: everybody, by participant.

    model: as `known_model_pairing` returns it.
    """

    position: HandPosition
    boards: tuple[HandBoard, ...]
    bye: HandSeat | None
    bye_concerns: tuple[Concern, ...]
    pool: tuple[HandSeat, ...]
    rests: tuple[tuple[HandSeat, ByeKind], ...]
    concerns: tuple[Concern, ...]
    seats: dict[int, HandSeat]
    model: ModelPairing


def hand_round(section: Section, number: int) -> HandRound:
    """The round with its concerns. Raises Round.DoesNotExist. Five queries."""
    found = hand_position(section, number)
    model = known_model_pairing(found)
    concerns = concerns_about(found.value, found.draft, model)
    by_player: dict[int, list[Concern]] = {}
    for concern in concerns:
        by_player.setdefault(concern.players[0], []).append(concern)
    places = dict.fromkeys(found.pool, HandPlace.POOL) | dict.fromkeys(found.rests, HandPlace.REST)
    if found.allocated is not None:
        places[found.allocated] = HandPlace.BYE
    seats = {
        key: _seat(found.field, key, places.get(key, HandPlace.BOARD)) for key in found.field.participants
    }
    return HandRound(
        position=found,
        boards=tuple(
            HandBoard(
                game.board,
                seats[game.white_id],
                seats[game.black_id],
                bool(game.result),
                game.result,
                (*by_player.get(game.white_id, ()), *by_player.get(game.black_id, ())),
            )
            for game in found.games
        ),
        bye=seats[found.allocated] if found.allocated is not None else None,
        bye_concerns=tuple(by_player.get(found.allocated, ())) if found.allocated is not None else (),
        pool=tuple(seats[key] for key in found.pool),
        rests=tuple((seats[key], kind) for key, kind in found.rests.items()),
        concerns=concerns,
        seats=seats,
        model=model,
    )


def _seat(field: SectionField, key: int, place: HandPlace) -> HandSeat:
    entry: Participant = field.participants[key]
    return HandSeat(
        field.side(key),
        field.preference(key),
        leaving=not entry.is_active,
        half=entry.half_bye_allowed,
        place=place,
    )


@dataclass(frozen=True, slots=True)
class HandComparison:
    """The round made by hand and the model. mine, engines: pairs (White, Black) that only this one has.

    bye: of the round and of the model.
    """

    position: HandPosition
    mine: tuple[tuple[int, int], ...]
    engines: tuple[tuple[int, int], ...]
    bye: tuple[int | None, int | None]
    model: ModelPairing

    @property
    def pairing(self) -> RoundPairing | None:
        return self.model.pairing

    @property
    def same(self) -> bool:
        return not (self.mine or self.engines) and self.bye[0] == self.bye[1]


def hand_comparison(found: HandPosition) -> HandComparison:
    """Compare a round with the pairing by the rules, or the offer, of the same players. No query."""
    model = model_pairing_of(found.value)
    pairing = model.pairing
    mine = dict.fromkeys(found.draft.pairs)
    engines = dict.fromkeys((pair.white, pair.black) for pair in pairing.pairs) if pairing else {}
    return HandComparison(
        position=found,
        mine=tuple(pair for pair in mine if pair not in engines),
        engines=tuple(pair for pair in engines if pair not in mine),
        bye=(found.allocated, pairing.bye if pairing else None),
        model=model,
    )
