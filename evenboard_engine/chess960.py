"""The start positions of Chess960 (Laws of Chess, Guidelines II), by their numbers from 0 to 959."""

from __future__ import annotations

POSITIONS = 960
STANDARD = 518
"""The number of the start position of chess."""
_KNIGHTS = ((0, 1), (0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4))


def first_rank(number: int) -> str:
    """Return the pieces of White on the first rank from a to h, such as RNBQKBNR for 518.

    The number gives the squares of the bishops, of the queen and of the knights, in this order (Scharnagl). Raises
    ValueError for a number that is not one of a position.
    """
    if not 0 <= number < POSITIONS:
        raise ValueError(f"no start position {number}")
    rest, light = divmod(number, 4)
    rest, dark = divmod(rest, 4)
    knights, queen = divmod(rest, 6)
    rank = [""] * 8
    rank[2 * light + 1] = rank[2 * dark] = "B"
    _put(rank, "Q", queen)
    first, second = _KNIGHTS[knights]
    _put(rank, "N", first)
    _put(rank, "N", second - 1)
    for piece in "RKR":
        _put(rank, piece, 0)
    return "".join(rank)


def fen(number: int) -> str:
    """Return the position in the notation of Forsyth and Edwards, as PGN files have it."""
    rank = first_rank(number)
    return f"{rank.lower()}/pppppppp/8/8/8/8/PPPPPPPP/{rank} w KQkq - 0 1"


def _put(rank: list[str], piece: str, place: int) -> None:
    """Put a piece on the free square with this number, counted from 0."""
    free = [square for square, there in enumerate(rank) if not there]
    rank[free[place]] = piece
