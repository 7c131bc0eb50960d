"""The explanation of a round as data: frozen, comparable, and simple enough for JSON (docs/explanation.md).

Players are ids. A `Reason` is a code with parameters. Each system lists its codes with their articles, and
`words` has the sentences for them. Types with one object for every player are named tuples, because thousands
of them are made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from enum import Enum
from typing import Any, NamedTuple, TypeVar, overload

from .model import Colour

# The questions of a player, in the order of the answers.
QUESTIONS = ("not_paired", "bye", "opponent", "upfloated", "opponent_upfloated", "colour")


@dataclass(frozen=True, slots=True)
class Reason:
    """A reason. code: a key of the system's reasons. params: by name, ids, numbers, colours, and tuples of them."""

    code: str
    params: Mapping[str, Any]


class LateReason(Reason):
    """A reason that is worked out when it is first read."""

    __slots__ = ("_one",)
    _one: Sequence[Reason]

    def __init__(self, make: Callable[[], Reason]) -> None:
        object.__setattr__(self, "_one", Late(lambda: (make(),)))

    @property
    def code(self) -> str:
        return self._one[0].code

    @property
    def params(self) -> Mapping[str, Any]:
        return self._one[0].params


@dataclass(frozen=True, slots=True)
class Passed:
    """A player who came earlier in the order and was not taken."""

    player: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class ByeTrace:
    """Who got the bye (None if the number of players is even), and who came earlier in the order of 2.1.3 to 2.1.5.

    reasons: why this player, of a system that says it in more than one sentence.
    """

    player: int | None
    passed: tuple[Passed, ...] = ()
    reasons: Sequence[Reason] = ()


T_co = TypeVar("T_co", covariant=True)


class Late(Sequence[T_co]):
    """A tuple whose items are made when it is first read. They do not depend on when this happens.

    It equals a tuple of the same items.
    """

    __slots__ = ("_items", "_make")

    def __init__(self, make: Callable[[], tuple[T_co, ...]]) -> None:
        self._make: Callable[[], tuple[T_co, ...]] | None = make
        self._items: tuple[T_co, ...] = ()

    def _read(self) -> tuple[T_co, ...]:
        if self._make is not None:
            self._items, self._make = self._make(), None
        return self._items

    @overload
    def __getitem__(self, at: int) -> T_co: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[T_co, ...]: ...
    def __getitem__(self, at: int | slice) -> T_co | tuple[T_co, ...]:
        return self._read()[at]

    def __len__(self) -> int:
        return len(self._read())

    def __iter__(self) -> Iterator[T_co]:
        return iter(self._read())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Late | tuple) and self._read() == tuple(other)

    def __repr__(self) -> str:
        return repr(self._read())


class Member(NamedTuple):
    """A player of a bracket: ARO in Elo as the system reads it, due colour, and how strongly it is due (mild, strong,
    absolute). due: None if no colour is due. aro: 0 in a system that does not use it."""

    id: int
    aro: float
    due: Colour | None
    strength: str


class PairTrace(NamedTuple):
    """A row of S1 and T2.

    first, second: the players of S1 and of G2. white: the one who has White. rule: the code of the reason for the
    colours (5.2). details: more parameters of this reason; `colours` is the complete reason.
    passed: players of G2 who were still free and come before `second` in the order of G2, each with the reason why the
    row did not take this player.
    """

    first: int
    second: int
    white: int
    rule: str
    details: Mapping[str, Any]
    passed: Sequence[Passed]

    @property
    def black(self) -> int:
        return self.second if self.white == self.first else self.first

    @property
    def colours(self) -> Reason:
        return Reason(self.rule, {"white": self.white, "black": self.black, **self.details})


@dataclass(frozen=True, slots=True, kw_only=True)
class BracketTrace:
    """One bracket, in the order of article 2.2.

    score: of the residents, in tenths. residents: in initial ranking order. upfloaters: in the order of 4.2.
    count: the reason for the number of upfloaters. passed: players who come before the last upfloater in the order of
    4.2 and were not chosen. One upfloater: all of them. A larger set: the first four before each of its members, at
    most twelve. unlisted: how many more there are; `why_not_upfloater` answers for each.
    unplayed: nobody in the bracket has played, so G1 began as the first half.
    g1, g2: before any shift, in initial ranking order.
    first_numbers, second_numbers: the possible shifters #1, #2, ... of 4.3.3 for each shift; () if nobody was shifted.
    A player who was not shifted but has a lower number than the last shifted player could not be shifted instead: then
    no legal pairing would be best for C7.
    virtual: virtual points in this round, in tenths, of the members who have some; the score includes them.
    shifted_first, shifted_second: the players of each shift.
    order: G2 after the shifts, in initial ranking order. T2 differs from it if a pair has passed a player.
    missed: the players who do not get their due colour (C7), in the order of the pairs. pairs: by rows of S1 and T2.
    steps: what was decided in the bracket, in order, by a system that says it one by one.

    floaters: who is not paired here, in the order of rank, by a system whose picture of the bracket shows them.

    A bracket of another system is a score group: residents, `upfloaters` who came from elsewhere, and `pairs` with the
    players they passed. A system without sides and shifts leaves them empty.
    """

    score: int
    residents: tuple[int, ...]
    upfloaters: tuple[int, ...] = ()
    count: Reason
    passed: tuple[Passed, ...] = ()
    unlisted: int = 0
    unplayed: bool
    g1: Sequence[Member] = ()
    g2: Sequence[Member] = ()
    first_numbers: tuple[int, ...] = ()
    shifted_first: tuple[int, ...] = ()
    second_numbers: tuple[int, ...] = ()
    shifted_second: tuple[int, ...] = ()
    order: tuple[int, ...] = ()
    missed: Sequence[int] = ()
    pairs: Sequence[PairTrace]
    virtual: Mapping[int, int] = field(default_factory=dict)
    steps: Sequence[Reason] = ()
    floaters: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Float:
    """A player who meets an opponent of a lower score.

    from_score, to_score: of the two, in tenths. natural: by ratings alone these two would meet. cost: of the change, in
    the unit of the system.
    """

    player: int
    opponent: int
    from_score: int
    to_score: int
    natural: bool
    cost: int = 0


@dataclass(frozen=True, slots=True)
class RoundTrace:
    """A round: the bye, then the brackets, highest score first.

    steps: what was decided for the whole round. floats: those who leave their score group, for the picture.
    """

    round: int
    bye: ByeTrace
    brackets: tuple[BracketTrace, ...]
    steps: Sequence[Reason] = ()
    floats: tuple[Float, ...] = ()


@dataclass(frozen=True, slots=True)
class WhyAnswer:
    """An answer. question: one of `QUESTIONS`. reasons: the first one is the answer in one sentence."""

    question: str
    reasons: tuple[Reason, ...]


@dataclass(frozen=True, slots=True)
class PlayerExplanation:
    """The answers to the questions of one player. opponent: None without a game."""

    player: int
    opponent: int | None
    answers: tuple[WhyAnswer, ...]


def as_json(value: object) -> Any:
    """Return the same as plain dicts, lists, strings, numbers, booleans and None."""
    if isinstance(value, Enum):
        return value.value
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: as_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Member | PairTrace):
        return as_json(value._asdict())
    if isinstance(value, Mapping):
        return {str(key): as_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list | Late):
        return [as_json(item) for item in value]
    return value
