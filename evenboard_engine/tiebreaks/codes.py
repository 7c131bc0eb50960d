"""The codes of tie-breaks in records 202 and 212: a name and modifiers, such as `BH/C1/P`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_CUT, _MEDIAN, _FORFEITS, _FORE, _REVERSED, _LIMIT = "C", "M", "P", "F", "R", "L"

OWN = "OTHER_"
"""Begins the code of a tie-break that FIDE does not have."""
_PAIRING_TIEBREAKER = "PT"
_ORDERS = {"": "", "ARO": "aro", "ARO97": "aro97", "BH": "buchholz", "RTNG": "rating"}
"""What comes after PT/: the order of the score groups. Without one it is that of the pairing system."""

_MODIFIERS: dict[str, str] = {
    "PTS": "",
    "DE": _FORFEITS,
    "WIN": "",
    "WON": "",
    "BPG": "",
    "BWG": "",
    "PS": _CUT,
    "REP": "",
    "GE": "",
    "STD": "",
    "TPN": _REVERSED,
    "BH": _CUT + _MEDIAN + _FORFEITS + _FORE,
    "FB": _CUT + _MEDIAN + _FORFEITS,
    "AOB": _FORE,
    "SB": _CUT + _FORFEITS,
    "KS": _LIMIT,
    "ARO": _CUT + _MEDIAN + _FORFEITS,
    "TPR": _FORFEITS,
    "PTP": _FORFEITS,
    "APRO": _FORFEITS,
    "APPO": _FORFEITS,
    "RTNG": _REVERSED,
    "OTHER_MODMED": "",
    "OTHER_SOLKOFF": "",
    "OTHER_CUM": "",
}
"""The modifiers that each name allows. Tie-breaks from ratings ignore /P: a forfeit is never a game there."""
_SAME_AS = {"FB": "BH", "GE": "REP"}
"""FB is BH/F, and GE is the name of REP until February 2026."""

_MANDATORY = """
DE DE/P BPG BWG REP STD SB SB/C1 SB/C2 SB/P SB/C1/P SB/C2/P ARO ARO/C1 ARO/C2 ARO/M1 ARO/M2 TPR PTP APRO APPO
RTNG RTNG/R WIN WON PS PS/C1 PS/C2 TPN TPN/R BH BH/C1 BH/C2 BH/M1 BH/M2 BH/P BH/C1/P BH/C2/P BH/M1/P BH/M2/P
FB FB/C1 FB/C2 FB/M1 FB/M2 AOB AOB/F
"""
MANDATORY = tuple(_MANDATORY.split())
"""The tie-breaks for Swiss tournaments that a program must know (MTB26, without Koya, which is for round robins)."""

LOTS = "OTHER_LOTS"
"""Drawing of lots: `OTHER_LOTS/7F3A` with the seed that repeats it."""
_lots = re.compile(r"OTHER_LOTS/([A-Z0-9]{1,12})").fullmatch
_modifier = re.compile(r"(?=[PFR]$|[CM][1-9]|L[+-]?[1-9])([A-Z])([+-]?[0-9]{0,2})").fullmatch


@dataclass(frozen=True, slots=True)
class TieBreak:
    """A tie-break. text: as written in the record. name: "" if it is unknown.

    cut, median: how many values are left out at the lower end, or at both ends. forfeits: count as games with the
    opponent (/P). fore: the last round counts as drawn (/F). reverse: the smaller value is better (/R).
    limit: by how many half points the limit of Koya is moved up (/L). seed: of a drawing of lots.
    order: of the score groups, for the Pairing Tiebreaker; "": that of the pairing system.
    """

    text: str
    name: str = ""
    cut: int = 0
    median: int = 0
    forfeits: bool = False
    fore: bool = False
    reverse: bool = False
    limit: int = 0
    seed: str = ""
    order: str = ""

    @property
    def code(self) -> str:
        """The code as records 202 and 212 have it. `text` may be a shorter one that only this program reads."""
        if self.name != _PAIRING_TIEBREAKER or self.text.upper().startswith(OWN):
            return self.text
        return f"{OWN}{self.text.upper()}"

    @property
    def among_tied(self) -> bool:
        """Whether the value compares only the players who are still tied."""
        return self.name in ("DE", LOTS)

    @property
    def may_be_missing(self) -> bool:
        """Whether 0 says that a player has no value, and nobody has the value 0."""
        return self.name == _PAIRING_TIEBREAKER

    @property
    def is_fraction(self) -> bool:
        """Whether the values are averages, which are not rounded."""
        return self.name in (_PAIRING_TIEBREAKER, "AOB")

    @property
    def of_opponents_ratings(self) -> bool:
        """Whether the value is a rating made from those of opponents, so that nobody has one without a game."""
        return self.name in ("ARO", "TPR", "PTP", "APRO", "APPO")


POINTS = TieBreak("PTS", "PTS")
"""What every list begins with."""
MOST_TIE_BREAKS = 60
"""Of a section: more than FIDE has. A damaged file may have any number."""


def read_list(text: str) -> tuple[TieBreak, ...]:
    """Return the tie-breaks of a record 202 or 212, in order. An unknown one has no name."""
    return tuple(_read(" ".join(code.split())) for code in text.split(",") if code.strip())


def read_codes(codes: Iterable[str]) -> tuple[TieBreak, ...]:
    """Return the tie-breaks with these codes, in order."""
    return read_list(",".join(codes))


def codes_of(rules: Iterable[TieBreak]) -> str:
    """Return the list as the records write it; PTS if only the points count."""
    return ",".join(rule.code for rule in rules) or POINTS.text


_amount = re.compile(r"-?[0-9]{1,6}(?:[.,][0-9]{1,3})?").fullmatch


def read_amount(text: str) -> str | None:
    """Return a typed value as it is kept: a number with at most three decimals after a point; None if it is none."""
    written = text.strip().replace("½", ".5" if text.strip()[:-1] else "0.5")
    return written.replace(",", ".") if _amount(written) else None


def _read(text: str) -> TieBreak:
    name, *written = text.upper().split("/")
    if drawn := _lots(text.upper()):
        return TieBreak(text, LOTS, seed=drawn[1])
    if name in (_PAIRING_TIEBREAKER, f"{OWN}{_PAIRING_TIEBREAKER}"):
        order = _ORDERS.get("/".join(written)) if written != [""] else None
        return TieBreak(text) if order is None else TieBreak(text, name=_PAIRING_TIEBREAKER, order=order)
    allowed = _MODIFIERS.get(name)
    if allowed is None:
        return TieBreak(text)
    modifiers: dict[str, int] = {}
    for modifier in written:
        found = _modifier(modifier)
        if found is None or found[1] not in allowed or found[1] in modifiers:
            return TieBreak(text)
        modifiers[found[1]] = int(found[2] or 1)
    if _CUT in modifiers and _MEDIAN in modifiers:
        return TieBreak(text)
    return TieBreak(
        text,
        name=_SAME_AS.get(name, name),
        cut=modifiers.get(_CUT, 0),
        median=modifiers.get(_MEDIAN, 0),
        forfeits=_FORFEITS in modifiers,
        fore=_FORE in modifiers or name == "FB",
        reverse=_REVERSED in modifiers,
        limit=modifiers.get(_LIMIT, 0),
    )


def ordered_code(order: str) -> str:
    """Return the code of the Pairing Tiebreaker with this order of the score groups, such as OTHER_PT/BH."""
    return f"{OWN}{_PAIRING_TIEBREAKER}/{next(text for text, known in _ORDERS.items() if known == order)}"


# Lists of tie-breaks that arbiters often want. C.07 of 2026 itself names no list.

PRESETS: dict[str, tuple[str, ...]] = {
    "open": ("BH/C1", "BH", "SB", "DE", "WIN"),
    "round_robin": ("DE", "WIN", "SB", "KS"),
    "us_chess": ("OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM"),
}
"""By a word for the kind of event. Points come first, and players who are level share the place. A pairing system may
have lists of its own (`PairingSystem.suggested_tie_breaks`)."""
