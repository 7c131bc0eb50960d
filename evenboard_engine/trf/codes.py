"""The symbols of the report file (TRF16, TRF26) and what they mean.

A symbol is one character: what one player scored in one round. Letters are written in upper case and read in both
cases.
"""

from __future__ import annotations

from evenboard_engine.model import ByeKind, Colour, Outcome, PointSystem, Result

ADJOURNED = "?"

SYMBOLS_OF_RESULT: dict[Result, tuple[str, str]] = {
    Result.WHITE_WINS: ("1", "0"),
    Result.DRAW: ("=", "="),
    Result.BLACK_WINS: ("0", "1"),
    Result.WHITE_WINS_BY_FORFEIT: ("+", "-"),
    Result.BLACK_WINS_BY_FORFEIT: ("-", "+"),
    Result.DOUBLE_FORFEIT: ("-", "-"),
    Result.ADJOURNED: (ADJOURNED, ADJOURNED),
    Result.HALF_ZERO: ("=", "0"),
    Result.ZERO_HALF: ("0", "="),
    Result.ZERO_ZERO: ("0", "0"),
    Result.WHITE_WINS_UNRATED: ("W", "L"),
    Result.DRAW_UNRATED: ("D", "D"),
    Result.BLACK_WINS_UNRATED: ("L", "W"),
}
"""White's and Black's symbol for every result."""

RESULT_OF_SYMBOLS: dict[tuple[str, str], Result] = {
    symbols: result for result, symbols in SYMBOLS_OF_RESULT.items()
}

OUTCOME_OF_SYMBOL: dict[str, Outcome] = {
    "1": Outcome.WIN,
    "=": Outcome.DRAW,
    "0": Outcome.LOSS,
    "+": Outcome.FORFEIT_WIN,
    "-": Outcome.FORFEIT_LOSS,
    "W": Outcome.WIN,
    "D": Outcome.DRAW,
    "L": Outcome.LOSS,
    "?": Outcome.DRAW,
}
"""What the player of the symbol scored; an adjourned game (`?`) is a draw for pairing (GHR 3.1)."""

RULED: dict[str, Outcome | ByeKind] = {
    "W": Outcome.WIN,
    "D": Outcome.DRAW,
    "L": Outcome.LOSS,
    "F": ByeKind.FULL,
    "H": ByeKind.HALF,
    "Z": ByeKind.ZERO,
    "+": Outcome.FORFEIT_WIN,
    "-": Outcome.FORFEIT_LOSS,
}
"""The results and byes whose points record 299 gives."""

FORFEIT_SYMBOLS = frozenset("+-")

BYE_OF_SYMBOL: dict[str, ByeKind] = {kind.value: kind for kind in ByeKind}

OLD_BYES: dict[str, str] = {"+": "F", "=": "H", "-": "Z"}
"""Byes before TRF16: a result without an opponent stands for a full, a half or no point without a game."""

SYMBOLS = frozenset(OUTCOME_OF_SYMBOL) | frozenset(BYE_OF_SYMBOL)

TITLES: dict[str, str] = {title: title for title in ("GM", "IM", "WGM", "FM", "WIM", "CM", "WFM", "WCM")} | {
    "G": "GM", "M": "IM", "F": "FM", "C": "CM", "WG": "WGM", "WM": "WIM", "WF": "WFM", "WC": "WCM",
    "GF": "WGM", "MF": "WIM", "FF": "WFM", "CF": "WCM",
}  # fmt: skip
"""FIDE titles by their spellings in upper case, with the short spellings of older files."""


def symbol_of(result: Result, colour: Colour) -> str:
    """Return the symbol in the line of the player who had `colour`."""
    white, black = SYMBOLS_OF_RESULT[result]
    return white if colour is Colour.WHITE else black


def symbol_of_bye(kind: ByeKind) -> str:
    """Return the symbol of a round without an opponent: U, F, H or Z."""
    return kind.value


def result_of(white: str, black: str) -> Result | None:
    """Return the result that White's and Black's symbols make together; None if they contradict each other."""
    return RESULT_OF_SYMBOLS.get((white, black))


def decimal_points(tenths: int) -> str:
    """Return points as a file writes them: 4.5, 10.0, -0.5. `points_in_tenths` reads them without a sign."""
    return f"{'-' if tenths < 0 else ''}{abs(tenths) // 10}.{abs(tenths) % 10}"


def points_table(points: PointSystem) -> dict[tuple[str, Colour | None], int]:
    """Return tenths of a point for every legal symbol and colour. No symbol and no colour is a zero-point bye."""
    table: dict[tuple[str, Colour | None], int] = {("", None): points.zero_bye}
    for symbol, kind in BYE_OF_SYMBOL.items():
        table[symbol, None] = points.of_bye(kind)
    for symbol, outcome in OUTCOME_OF_SYMBOL.items():
        for colour in Colour:
            table[symbol, colour] = points.of_game(outcome, colour)
    for symbol in FORFEIT_SYMBOLS:
        table[symbol, None] = points.of_game(OUTCOME_OF_SYMBOL[symbol], Colour.WHITE)
    for colour in Colour:
        table["", colour] = 0
    return table
