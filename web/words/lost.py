"""What an older format of the report file cannot hold, in sentences."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from evenboard_engine.trf import Lost

_ROUNDS = gettext_lazy("The number of rounds.")
_COLOUR = gettext_lazy("The initial-colour.")
_POINTS = gettext_lazy("The points for results and byes, where they are not 1, ½ and 0.")
_TIES = gettext_lazy("The tie-breaks.")
_BYES = gettext_lazy("Who is not to be paired in the next round, and byes of later rounds.")
_VIRTUAL = gettext_lazy("The virtual points of the acceleration.")
_FORBIDDEN = gettext_lazy("The pairs of players who must not meet.")
_OF_CODES: Mapping[str, Any] = {
    "142": _ROUNDS,
    "XXR": _ROUNDS,
    "152": _COLOUR,
    "XXC": _COLOUR,
    "162": _POINTS,
    "XXS": _POINTS,
    "172": gettext_lazy("Which rating gave the pairing numbers."),
    "182": gettext_lazy("Which program paired."),
    "192": gettext_lazy("The code of the pairing system. Its name stays."),
    "202": _TIES,
    "212": _TIES,
    "222": gettext_lazy("The code of the time control. Its words stay."),
    "240": _BYES,
    "XXZ": _BYES,
    "250": _VIRTUAL,
    "XXA": _VIRTUAL,
    "260": _FORBIDDEN,
    "XXP": _FORBIDDEN,
    "299": gettext_lazy("Points by decision of the arbiter. They stay in the points of the players."),
}
_COUNTED: Mapping[str, Any] = {
    "names": ngettext_lazy(
        "The end of %(number)s name, which is longer than 33 characters.",
        "The end of %(number)s names, which are longer than 33 characters.",
        "number",
    ),
    "ratings": ngettext_lazy(
        "The tournament rating of %(number)s player. The file has the official rating.",
        "The tournament ratings of %(number)s players. The file has the official ratings.",
        "number",
    ),
    "adjourned": ngettext_lazy(
        "That a game is adjourned, for %(number)s player. The result is left blank.",
        "That a game is adjourned, for %(number)s players. The results are left blank.",
        "number",
    ),
    "byes": ngettext_lazy(
        "The kind of %(number)s bye. The file has only its points.",
        "The kinds of %(number)s byes. The file has only their points.",
        "number",
    ),
    "unrated": ngettext_lazy(
        "That %(number)s result is not rated.", "That %(number)s results are not rated.", "number"
    ),
    "national": ngettext_lazy("%(number)s national rating.", "%(number)s national ratings.", "number"),
    "###": ngettext_lazy(
        "%(number)s comment line, such as changes by hand.",
        "%(number)s comment lines, such as changes by hand.",
        "number",
    ),
}
_OTHER = ngettext_lazy(
    "%(number)s other line of an imported file.", "%(number)s other lines of an imported file.", "number"
)


def lost_sentences(lost: tuple[Lost, ...]) -> list[str]:
    """Return one sentence for each kind of loss."""
    found = [
        str(_OF_CODES[one.code])
        if one.code in _OF_CODES
        else str(_COUNTED.get(one.code, _OTHER) % {"number": one.number})
        for one in lost
    ]
    return list(dict.fromkeys(found))
