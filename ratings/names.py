"""Names and searches in one form: without accents, case and signs, with ae, oe and ue as a, o and u.

The folding and the spellings of other scripts are those of the whole program.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass

from base.spelling import spellings
from base.text import folded

MOST_PARTS = 6
MOST_WAYS = 6
LONG = 3
"""Letters from which a part is found anywhere in a word. A shorter part is found at the beginning of a word."""
LONGEST_PART = 40
_UMLAUT = re.compile("(?<=[aou])e")
_YEAR = re.compile(r"(?:19|20)\d\d")

# Spellings of one sound. Each is tried for the other when a search finds nearly nobody.
ALIKE = (
    ("tsch", "ch"), ("tch", "ch"), ("sch", "sh"), ("sh", "sch"), ("ch", "tch"), ("y", "i"), ("i", "y"), ("j", "y"),
    ("y", "j"), ("j", "i"), ("kh", "h"), ("h", "kh"), ("ts", "c"), ("c", "ts"), ("ch", "c"), ("sh", "s"), ("zh", "z"),
    ("dj", "d"), ("ks", "x"), ("x", "ks"), ("w", "v"), ("v", "w"), ("ph", "f"), ("k", "c"), ("c", "k"), ("ck", "k"),
)  # fmt: skip
PARTICLES = "dlo"
"""Letters before an apostrophe, which people leave out: D'Amico, L'Ami, O'Connor."""
_DOUBLE = re.compile(r"(.)\1")
_LIKE = str.maketrans(
    "l1|!ıɩɪіιꓲⵏłӏ0оοօ3еεɛєᴇꓰᎬdԁđɗᴅꓓᎠfϝғƒꜰꓝавмнкрстухјѕԛԝαβκμνρτυχη",
    "i" * 13 + "o" * 4 + "e" * 8 + "d" * 7 + "f" * 6 + "abmhkpctyxjsqw" + "abkmnptyxh",
)
"""Letters and signs that look like a Latin letter."""


def searchable(name: str) -> str:
    """Return the name as it is stored for the search. A blank is before each word, so that beginnings are found."""
    return " " + _UMLAUT.sub("", folded(name))


def looks_of(name: str) -> str:
    """Return how the name of a list looks: without case, accents, blanks, signs; look-alike letters as Latin ones."""
    plain = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", name).casefold())
    return "".join(letter for letter in plain.translate(_LIKE) if letter.isalnum())


def same_name(one: str, other: str) -> bool:
    """Return whether two names have the same words in any order, without accents and signs."""
    return sorted(searchable(one).split()) == sorted(searchable(other).split())


def searched(name: str, year: str) -> str:
    """Return what is stored for the search: the name, and the year of birth if it is known."""
    return f"{searchable(name)} {year}" if year else searchable(name)


@dataclass(frozen=True, slots=True)
class PlayerSearch:
    """What a person searches. parts: of the name; all must match. year: of birth, or "". number: an ID, or ""."""

    parts: tuple[str, ...] = ()
    year: str = ""
    number: str = ""

    def __bool__(self) -> bool:
        return bool(self.parts or self.number)

    @property
    def long(self) -> list[str]:
        return [part for part in self.parts if len(part) >= LONG]

    @property
    def short(self) -> list[str]:
        return [part for part in self.parts if len(part) < LONG]

    def matches(self, search: str, born: str) -> bool:
        """Return whether a stored name and a birth date match."""
        return (
            all((part if len(part) >= LONG else f" {part}") in search for part in self.parts)
            and born[: len(self.year)] == self.year
        )


def player_search(query: str) -> PlayerSearch:
    """Return what a query asks for: digits are an ID or, beside a name, a year of birth."""
    parts: list[str] = []
    year = number = ""
    for word in _UMLAUT.sub("", folded(query[:200])).split():
        if not word.isdecimal():
            parts.append(word[:LONGEST_PART])
        elif _YEAR.fullmatch(word):
            year = word
        else:
            number = word
    if not parts and year and not number:
        year, number = "", year
    return PlayerSearch(tuple(parts[:MOST_PARTS]), year, number)


def ways(query: PlayerSearch) -> list[PlayerSearch]:
    """Return the ways to search the query in a list with Latin names: one, or several for words in other scripts."""
    choices = [
        tuple(dict.fromkeys(_UMLAUT.sub("", one) for one in spellings(part))) or (part,)
        for part in query.parts
    ]
    found = itertools.islice(_by_rank(choices), MOST_WAYS)
    return [PlayerSearch(parts, query.year, query.number) for parts in found]


def similar(query: PlayerSearch) -> list[PlayerSearch]:
    """Return searches for spellings that sound like the query: one sound is written differently in each."""
    found: dict[tuple[str, ...], None] = {}
    for place, part in enumerate(query.parts):
        for other in _similar(part):
            if len(other) >= LONG:
                found[(*query.parts[:place], other, *query.parts[place + 1 :])] = None
        if part[0] in PARTICLES and len(part) > LONG + 1:
            found[(*query.parts[:place], part[0], part[1:], *query.parts[place + 1 :])] = None
    found.pop(query.parts, None)
    return [PlayerSearch(parts, query.year, query.number) for parts in itertools.islice(found, 2 * MOST_WAYS)]


def _similar(part: str) -> list[str]:
    if len(part) <= LONG:
        return []
    ways = [_DOUBLE.sub(r"\1", part)]
    ways += [part.replace(one, other) for one, other in ALIKE if one in part]
    return ways


def _by_rank(choices: list[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Return the combinations; those of the usual spellings come first."""
    width = max(map(len, choices), default=0)
    same_scheme = [tuple(words[min(at, len(words) - 1)] for words in choices) for at in range(width)]
    return list(dict.fromkeys(same_scheme)) if choices else [()]
