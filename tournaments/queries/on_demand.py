"""Rows of a long list that are made when somebody looks at them: a page shows a hundred of five thousand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from operator import eq
from typing import Generic, TypeVar, overload

From = TypeVar("From")
Row = TypeVar("Row")


class OnDemand(Sequence[Row], Generic[From, Row]):
    """The rows that `make` returns for these items, in the same order. Each is made once."""

    def __init__(self, items: Sequence[From], make: Callable[[From], Row]) -> None:
        self._items, self._make = items, make
        self._made: dict[int, Row] = {}

    def __len__(self) -> int:
        return len(self._items)

    def of(self, wanted: Callable[[From], bool]) -> OnDemand[From, Row]:
        """Return the rows of the items that are wanted. The others are not made."""
        return OnDemand([item for item in self._items if wanted(item)], self._make)

    @overload
    def __getitem__(self, at: int) -> Row: ...

    @overload
    def __getitem__(self, at: slice) -> tuple[Row, ...]: ...

    def __getitem__(self, at: int | slice) -> Row | tuple[Row, ...]:
        places = range(len(self._items))[at]
        return self._row(places) if isinstance(places, int) else tuple(map(self._row, places))

    def __iter__(self) -> Iterator[Row]:
        return map(self._row, range(len(self._items)))

    def __eq__(self, other: object) -> bool:
        """Two lists are equal if their rows are, whichever of them were made already."""
        return isinstance(other, OnDemand) and len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]  # rows need not be hashable

    def _row(self, place: int) -> Row:
        if place not in self._made:
            self._made[place] = self._make(self._items[place])
        return self._made[place]
