"""Marks for the catalogue of translations, and the few words that all sentences share."""

from __future__ import annotations

from typing import NamedTuple

from pairing.engine.model import Colour


class Counted(NamedTuple):
    """A sentence in the singular and in the plural. by: the parameter that is counted, a number or a list."""

    one: str
    many: str
    by: str


Sentence = str | Counted


def gettext_noop(text: str) -> str:
    """Mark a text for the catalogue of translations, by the name that the tools look for."""
    return text


def ngettext(one: str, many: str, by: str) -> Counted:
    """Mark a text with its plural for the catalogue of translations, by the name that the tools look for."""
    return Counted(one, many, by)


QUESTIONS: dict[str, str] = {
    "not_paired": gettext_noop("Why is the player not paired?"),
    "bye": gettext_noop("Why does the player have the bye?"),
    "opponent": gettext_noop("Why is {opponent} the opponent?"),
    "upfloated": gettext_noop("Why was the player floated up?"),
    "opponent_upfloated": gettext_noop("Why was {opponent} floated up to play {player}?"),
    "colour": gettext_noop("Why does the player have {colour}?"),
    "colour_again": gettext_noop("Why does the player have {colour} again?"),
}

WORDS = {
    "and": gettext_noop("{first} and {last}"),
    "or": gettext_noop("{first} or {last}"),
    "more": gettext_noop("{names} and {more} more"),
    "none": gettext_noop("nobody"),
    Colour.WHITE.value: gettext_noop("White"),
    Colour.BLACK.value: gettext_noop("Black"),
}
POINTS = ngettext("{points} point", "{points} points", "points")


def points_text(tenths: int) -> str:
    """Return points as people write them: 45 is 4½, 5 is ½, 100 is 10, 33 is 3.3."""
    whole, rest = divmod(tenths, 10)
    return f"{whole or ''}½" if rest == 5 else f"{whole}.{rest}" if rest else str(whole)
