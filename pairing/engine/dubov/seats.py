"""Who is kept apart from whom, as bit masks in one order of the whole field, so that a part of it is cut out in runs.

With thousands of forbidden pairs a graph is asked for bracket after bracket; each time but the first it is a cut.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from pairing.engine.matching import mask_of

Run = tuple[int, int, int]  # first seat, mask of as many ones as the run has seats, first index


class Seats:
    """A seat for each of these places, in their order. apart: by place, the places whom each is kept away from."""

    def __init__(self, order: Iterable[int], apart: Sequence[Collection[int]]) -> None:
        self._seat = {place: seat for seat, place in enumerate(order)}
        self._places = set(self._seat)
        self._apart = apart
        self._masks: dict[int, int] = {}

    def runs(self, places: Sequence[int]) -> list[Run]:
        """The places, each with its index, as runs of neighbouring seats."""
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
        """Whom a place is kept away from, as a mask of indices."""
        if place not in self._masks:
            self._masks[place] = mask_of(
                map(self._seat.__getitem__, self._places.intersection(self._apart[place]))
            )
        mask = self._masks[place]
        return sum((mask >> begin & ones) << index for begin, ones, index in runs)
