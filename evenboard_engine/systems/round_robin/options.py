"""The options of the round robin."""

from __future__ import annotations

from collections.abc import Mapping

from evenboard_engine.systems.options import ON, Choice, Switch

from .table import Schedule

ONCE, TWICE = "1", "2"
FREELY, BY_FEDERATION = "free", "federations"

CYCLES = Choice("cycles", ONCE, (ONCE, TWICE))
SWAP = Switch("swap", ON)
LOTS = Choice("lots", FREELY, (FREELY, BY_FEDERATION))


def schedule_for(players: int, options: Mapping[str, str]) -> Schedule:
    """Return all rounds of a field with these options."""
    return Schedule(players, int(CYCLES.text(options)), SWAP.is_on(options))
