"""The seating of a round that is being paired by hand, and the changes to it. No database here."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from itertools import count

from django.utils.translation import gettext_noop as _

from evenboard_engine import ByeKind, Pair
from tournaments.errors import Refusal

# Refusals
BY_HAND_NOTHING = Refusal("by_hand_nothing", _("Nothing would change."))


class SeatMove(StrEnum):
    """SWAP: two players change places; two unpaired players become a pair. UNPAIR: remove the board or the bye of a
    player. COLOURS: exchange the colours on the player's board. BYE: give the player the pairing-allocated bye. HALF,
    ZERO: give the player such a bye instead of a game. ENGINE: pair the round by the rules. PROPOSAL: pair it so that
    the fewest rules are broken, where the rules give no pairing.
    """

    SWAP = "swap"
    UNPAIR = "unpair"
    COLOURS = "colours"
    BYE = "bye"
    HALF = "half"
    ZERO = "zero"
    ENGINE = "engine"
    PROPOSAL = "proposal"


OF_ALL = frozenset({SeatMove.ENGINE, SeatMove.PROPOSAL})
"""Changes of the whole round."""


@dataclass(frozen=True, slots=True)
class SeatingStep:
    """One change. player, other: participant keys; those of the whole round have neither, only SWAP has both."""

    move: SeatMove
    player: int = 0
    other: int = 0


@dataclass(frozen=True, slots=True)
class SeatedBoard:
    """A board with its two players. key: of the game, None for a new one."""

    key: int | None
    board: int
    white: int
    black: int

    @property
    def players(self) -> tuple[int, int]:
        return self.white, self.black


@dataclass(frozen=True, slots=True)
class Seating:
    """bye: the player with the pairing-allocated bye. rests: other byes of the round. pool: all others."""

    tables: tuple[SeatedBoard, ...]
    bye: int | None = None
    rests: dict[int, ByeKind] = field(default_factory=dict)
    pool: frozenset[int] = frozenset()

    def table_of(self, player: int) -> SeatedBoard | None:
        return next((table for table in self.tables if player in table.players), None)

    def knows(self, player: int) -> bool:
        return (
            player == self.bye
            or player in self.pool
            or player in self.rests
            or self.table_of(player) is not None
        )


FixedBoards = Mapping[int, tuple[bool, int]]
"""By player: whether steps lead to the board, and its number. Of two players who meet, the smaller value counts: they
play at the step-free board, and otherwise at the board with the lower number.
"""


def fixed_board_of(players: Iterable[int], fixed: FixedBoards) -> int | None:
    """Return the number of the board at which these two players play whatever the pairing, None for any board."""
    own = [fixed[player] for player in players if player in fixed]
    return min(own)[1] if own else None


def numbered_boards(pairs: Iterable[tuple[int, int]], fixed: FixedBoards) -> list[int]:
    """Return the board of each pair. Pairs without a fixed board get the lowest other numbers, in their order."""
    own = [fixed_board_of(pair, fixed) for pair in pairs]
    taken = set(own)
    others = (board for board in count(1) if board not in taken)
    return [next(others) if board is None else board for board in own]


def at_fixed_boards(
    tables: Iterable[SeatedBoard], fixed: FixedBoards, locked: Collection[int | None] = ()
) -> tuple[SeatedBoard, ...]:
    """Return the tables, where each pair with a fixed board has changed places with the pair that was there.

    locked: the games that keep their boards, because they have a result. No other board gets another number.
    """
    found = {table.board: table for table in tables}
    for table in list(found.values()):
        board = fixed_board_of(table.players, fixed)
        if board is None or board == table.board or table.key in locked:
            continue
        there = found.get(board)
        if there is not None and there.key in locked:
            continue
        here = next(number for number, one in found.items() if one.players == table.players)
        del found[here]
        found[board] = replace(table, board=board)
        if there is not None:
            found[here] = replace(there, board=here)
    return tuple(found[board] for board in sorted(found))


ColoursOf = Callable[[int, int], Pair]


def seats_moved(seating: Seating, step: SeatingStep, colours_of: ColoursOf) -> Seating:
    """Return the seating after a step. colours_of: the colours of a new pair by the rules.

    Raises DomainError("by_hand_nothing") if the step changes nothing, such as the colours of a player without a board.
    """
    player = step.player
    match step.move:
        case SeatMove.SWAP:
            after = _swapped(seating, player, step.other, colours_of)
        case SeatMove.UNPAIR:
            after = _freed(seating, player)
        case SeatMove.COLOURS:
            after = _turned(seating, player)
        case SeatMove.BYE:
            after = _with_bye(seating, player)
        case SeatMove.HALF:
            after = _resting(seating, player, ByeKind.HALF)
        case SeatMove.ZERO:
            after = _resting(seating, player, ByeKind.ZERO)
        case SeatMove.ENGINE | SeatMove.PROPOSAL:
            raise ValueError("seatings by the engine are not made here")
    if after == seating:
        raise BY_HAND_NOTHING.error()
    return after


def _swapped(seating: Seating, one: int, other: int, colours_of: ColoursOf) -> Seating:
    if {one, other} <= seating.pool and one != other:
        pair = colours_of(one, other)
        table = SeatedBoard(None, _free_board(seating), pair.white, pair.black)
        return replace(seating, tables=(*seating.tables, table), pool=seating.pool - {one, other})
    instead = {one: other, other: one}
    return replace(
        seating,
        tables=tuple(
            replace(
                table,
                white=instead.get(table.white, table.white),
                black=instead.get(table.black, table.black),
            )
            for table in seating.tables
        ),
        bye=None if seating.bye is None else instead.get(seating.bye, seating.bye),
        pool=frozenset(instead.get(player, player) for player in seating.pool),
    )


def _freed(seating: Seating, player: int) -> Seating:
    """Move the player of a bye, or both players of a board, to the pool."""
    table = seating.table_of(player)
    if table is not None:
        rest = tuple(one for one in seating.tables if one is not table)
        return replace(seating, tables=rest, pool=seating.pool | set(table.players))
    if player == seating.bye:
        return replace(seating, bye=None, pool=seating.pool | {player})
    if player in seating.rests:
        rests = {key: kind for key, kind in seating.rests.items() if key != player}
        return replace(seating, rests=rests, pool=seating.pool | {player})
    return seating


def _turned(seating: Seating, player: int) -> Seating:
    return replace(
        seating,
        tables=tuple(
            replace(table, white=table.black, black=table.white) if player in table.players else table
            for table in seating.tables
        ),
    )


def _with_bye(seating: Seating, player: int) -> Seating:
    """Give the player the bye. Its former holder takes the player's place, on the board or in the pool."""
    if player == seating.bye:
        return seating
    if seating.bye is not None and seating.table_of(player) is not None:
        holder = seating.bye
        tables = tuple(
            replace(
                table,
                white=holder if table.white == player else table.white,
                black=holder if table.black == player else table.black,
            )
            for table in seating.tables
        )
        return replace(seating, tables=tables, bye=player)
    free = _freed(seating, player)
    pool = free.pool - {player}
    return replace(free, bye=player, pool=pool if seating.bye is None else pool | {seating.bye})


def _resting(seating: Seating, player: int, kind: ByeKind) -> Seating:
    if seating.rests.get(player) is kind:
        return seating
    free = _freed(seating, player)
    return replace(free, rests={**free.rests, player: kind}, pool=free.pool - {player})


def _free_board(seating: Seating) -> int:
    taken = {table.board for table in seating.tables}
    return next(board for board in range(1, len(taken) + 2) if board not in taken)
