"""Find T2, and so the pairs of a bracket (C.04.4.1, 2.2.5, 2.2.6 and 4.4, edition 2025)."""

from __future__ import annotations

from collections.abc import Sequence

from evenboard_engine.errors import InternalError
from evenboard_engine.matching.transposition import Kind, Met
from evenboard_engine.matching.transposition import first_transposition as first_of_kinds

from .field import DubovField


def rows_of(field: DubovField, g1: Sequence[int], g2: Sequence[int]) -> tuple[list[int], list[int]] | None:
    """Return S1 (2.2.5) and T2 (2.2.6, by 4.4) of two subgroups of the same size; None if no transposition is legal.

    All players are places in the initial ranking order.
    """
    s1 = sorted(g1, key=field.s1_key.__getitem__)
    t2 = first_transposition(s1, sorted(g2), field.met, field.absolute)
    return None if t2 is None else (s1, t2)


ALLOWED = ((0, 1, 2), (0, 2), (0, 1))
"""By the absolute preference of a player (C3), 0 for none: those of the opponents who may be met."""


def first_transposition(s1: Sequence[int], g2: Sequence[int], met: Met, absolute: Kind) -> list[int] | None:
    """Return T2: the first transposition of G2, in the order of 4.4, of which each row is a legal pair with S1.

    Returns None if no transposition is legal. s1: in its order. g2: in initial ranking order, of the same size. met,
    absolute: for each player, who must not be met.
    """
    return first_of_kinds(s1, g2, met, absolute, absolute, ALLOWED)


def legal_rows_of(field: DubovField, g1: Sequence[int], g2: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return S1 and T2 of two subgroups that can be paired legally. Raises InternalError if they cannot."""
    rows = rows_of(field, g1, g2)
    if rows is None:
        raise InternalError("no_legal_transposition")
    return rows
