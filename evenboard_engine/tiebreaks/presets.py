"""Lists of tie-breaks that arbiters often want. C.07 of 2026 itself names no list."""

from __future__ import annotations

PRESETS: dict[str, tuple[str, ...]] = {
    "open": ("BH/C1", "BH", "SB", "DE", "WIN"),
    "round_robin": ("DE", "WIN", "SB", "KS"),
    "us_chess": ("OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM"),
}
"""By a word for the kind of event. Points come first, and players who are level share the place. A pairing system may
have lists of its own (`PairingSystem.suggested_tie_breaks`)."""
