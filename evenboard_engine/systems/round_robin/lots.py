"""The drawing of lots: who gets which number of the table (FIDE Handbook C.05, Annex 2).

All chance comes from a seed, so everybody can repeat a draw. Lot k of a seed is the SHA-256 sum of the text "seed/k",
as a number. A player who draws from n numbers gets the one at place (lot modulo n) of those that are left, in rising
order; the first place is 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from itertools import count

from evenboard_engine.systems.lots import DrawnNumbers, LotsPlayer

VARMA: dict[int, tuple[tuple[int, ...], ...]] = {
    10: ((3, 4, 8), (5, 7, 9), (1, 6), (2, 10)),
    12: ((4, 5, 9, 10), (1, 2, 7), (6, 8, 12), (3, 11)),
    14: ((4, 5, 6, 11, 12), (1, 2, 8, 9), (7, 10, 13), (3, 14)),
    16: ((5, 6, 7, 12, 13, 14), (1, 2, 3, 9, 10), (8, 11, 15), (4, 16)),
    18: ((5, 6, 7, 8, 14, 15, 16), (1, 2, 3, 10, 11, 12), (9, 13, 17), (4, 18)),
    20: ((6, 7, 8, 9, 15, 16, 17, 18), (1, 2, 3, 11, 12, 13, 14), (5, 10, 19), (4, 20)),
    22: ((6, 7, 8, 9, 10, 17, 18, 19, 20), (1, 2, 3, 4, 12, 13, 14, 15), (11, 16, 21), (5, 22)),
    24: ((6, 7, 8, 9, 10, 11, 19, 20, 21, 22), (1, 2, 3, 4, 13, 14, 15, 16, 17), (12, 18, 23), (5, 24)),
}
"""The Varma tables: the envelopes A to D by the last number of the table. An odd field leaves out the last number.

Two numbers of one envelope do not meet in the last three rounds, except 6 and 12 of the table for 12: this slip is in
the handbook.
"""


def draw(entrants: Iterable[LotsPlayer], seed: str, *, by_federation: bool = False) -> DrawnNumbers:
    """Give each player a number of the table, 1 to n. Players draw in the alphabetical order of their names.

    by_federation: players of one federation do not meet in the last three rounds, as far as the Varma tables allow.
    They are for 9 to 24 players; other fields are drawn freely, and `DrawnNumbers.restricted` says so.
    """
    players = sorted(entrants, key=lambda one: (one.name.casefold(), one.name, one.id))
    lots = _lots(seed)
    envelopes = _envelopes(len(players))
    if by_federation and envelopes:
        return DrawnNumbers(seed, _from_envelopes(players, envelopes, lots), restricted=True)
    left = list(range(1, len(players) + 1))
    return DrawnNumbers(seed, {player.id: _take(left, lots) for player in players}, restricted=False)


def _from_envelopes(
    players: Sequence[LotsPlayer], envelopes: list[list[int]], lots: Iterator[int]
) -> dict[int, int]:
    """Draw as Annex 2 says: the largest contingent first, each from an envelope with enough numbers for it.

    Reading: the text does not say what happens if no envelope has enough numbers. The contingent then empties the
    fullest envelope, and the others of it draw again in the same way. Players without a federation are contingents of
    one.
    """
    numbers: dict[int, int] = {}
    for contingent in _contingents(players):
        waiting = list(contingent)
        while waiting:
            enough = [envelope for envelope in envelopes if len(envelope) >= len(waiting)]
            chosen = enough[next(lots) % len(enough)] if enough else max(envelopes, key=len)
            here, waiting = waiting[: len(chosen)], waiting[len(chosen) :]
            numbers.update({player.id: _take(chosen, lots) for player in here})
    return numbers


def _contingents(players: Sequence[LotsPlayer]) -> list[list[LotsPlayer]]:
    """Return the players by federation: the largest contingents first, then by the code of the federation."""
    together: dict[tuple[str, int], list[LotsPlayer]] = {}
    for player in players:
        key = (player.federation, 0) if player.federation else ("", player.id)
        together.setdefault(key, []).append(player)
    return sorted(together.values(), key=lambda members: (-len(members), members[0].federation))


def _envelopes(players: int) -> list[list[int]]:
    return [
        [number for number in numbers if number <= players]
        for numbers in VARMA.get(players + players % 2, ())
    ]


def _take(left: list[int], lots: Iterator[int]) -> int:
    return left.pop(next(lots) % len(left))


def _lots(seed: str) -> Iterator[int]:
    return (int(sha256(f"{seed}/{k}".encode()).hexdigest(), 16) for k in count(1))
