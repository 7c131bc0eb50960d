"""Keep, for the whole field, bit masks of who must not meet whom, and cut the mask of a bracket out of them.

With thousands of forbidden pairs it would be slow to build these masks again for every bracket. All players have a seat
in one order, and the players of a bracket are a few runs of neighbouring seats.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from evenboard_engine.matching import mask_of

Run = tuple[int, int, int]  # first seat, mask of as many ones as the run has seats, first index


class KeptApart:
    """Gives each of these places a seat, in their order. apart: for each place, the places that it must not meet."""

    def __init__(self, order: Iterable[int], apart: Sequence[Collection[int]]) -> None:
        self._seat = {place: seat for seat, place in enumerate(order)}
        self._places = set(self._seat)
        self._apart = apart
        self._masks: dict[int, int] = {}

    def runs(self, places: Sequence[int]) -> list[Run]:
        """Return the places as runs of neighbouring seats, each run with the index of its first place."""
        runs: list[Run] = []
        begin = length = 0
        for index, place in enumerate(places):
            seat = self._seat[place]
            if length and seat == begin + length:
                length += 1
            else:
                if length:
                    runs.append((begin, (1 << length) - 1, index - length))
                begin, length = seat, 1
        runs.append((begin, (1 << length) - 1, len(places) - length))
        return runs

    def apart(self, place: int, runs: Iterable[Run]) -> int:
        """Return a mask of the indices in these runs that a place must not meet."""
        if place not in self._masks:
            self._masks[place] = mask_of(
                map(self._seat.__getitem__, self._places.intersection(self._apart[place]))
            )
        mask = self._masks[place]
        return sum((mask >> begin & ones) << index for begin, ones, index in runs)
