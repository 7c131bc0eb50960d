"""Texts from people and files: cleaned, so that they can be stored and shown; folded, so that they are found."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from functools import lru_cache
from itertools import count
from typing import Any

from django.db import models
from django.utils.translation import gettext

ERASED = "Erased player"
"""What is stored, with a number behind it, in place of a name that was erased. Files have these words, and pages those
of the reader's language (`name_in_words`).
"""

LONGEST_LINE = 1_000
"""Characters. More than any field of one line takes, so that a text that is too long is still refused as too long."""
LONGEST_TEXT = 5_000
"""Characters of a text of several lines; the form takes 2,000."""

_FROM_THE_RIGHT = frozenset({"R", "AL"})
_HEBREW = "\u0590"  # the first letter of the scripts from right to left

_NOT_SHOWN = frozenset({"Cc", "Cs", "Co", "Zl", "Zp"})
_DIRECTIONS = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

# Letters that Unicode does not split into a plain letter and a mark.
PLAIN_LETTERS = {
    "ß": "ss",
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "ł": "l",
    "đ": "d",
    "ð": "d",
    "þ": "th",
    "ħ": "h",
    "ı": "i",
    "ə": "e",
    "ŋ": "n",
    "ŧ": "t",
}

# Cyrillic letters that Unicode has outside the order of the alphabet. Each comes behind another: in Ukrainian г ґ, е є,
# и і ї й; in Serbian д ђ, и ј, л љ, н њ, т ћ, ч џ; in Macedonian д ѓ, з ѕ, т ќ; in Belarusian у ў.
_BEHIND = {
    ord(letter): before + "龥" * place  # this sign sorts behind all letters of alphabets
    for before, letters in {
        "г": "ґ", "д": "ђѓ", "е": "є", "з": "ѕ", "и": "іїйј", "л": "љ", "н": "њ", "т": "ћќ", "у": "ў", "ч": "џ"
    }.items()
    for place, letter in enumerate(letters, start=1)
}  # fmt: skip


def lacks_comma(name: str) -> bool:
    """Return whether nobody can see which part of a name is the surname."""
    return "," not in name and " " in name.strip()


def by_patronymic(name: str) -> str:
    """Return "Иванов, Пётр Сергеевич" for "Иванов Пётр Сергеевич" and "Пётр Сергеевич Иванов", "" for other names."""
    words = name.split()
    if len(words) != 3:
        return ""
    if _PATRONYMIC.fullmatch(words[1]):  # a surname may end in the same way, a first name does not
        return f"{words[2]}, {words[0]} {words[1]}"
    return f"{words[0]}, {words[1]} {words[2]}" if _PATRONYMIC.fullmatch(words[2]) else ""


_SMALL = "af al av bin da dal dalla de dei del della den der di dos du el ibn la le lo ten ter van vom von zu zum zur"
PARTICLES = frozenset(_SMALL.split())
"""Small words before a surname, which belong to it: "de Vries, Anna"."""


def name_ways(name: str, surname_first: bool = False) -> list[str]:
    """Return what a name without a comma may be, the most usual first: "Bauer, Uwe", "Uwe, Bauer" and as it is.

    A small word before the last one belongs to the surname. surname_first: its list writes "Bauer Uwe".
    """
    words = name.split()
    if len(words) < 2:
        return [name]
    if known := by_patronymic(name):
        return [known, name]
    ways = [f"{words[-1]}, {' '.join(words[:-1])}", f"{words[0]}, {' '.join(words[1:])}"]
    if len(words) > 2:
        ways.insert(1, f"{' '.join(words[1:])}, {words[0]}")
    small = next((at for at in range(1, len(words) - 1) if words[at] in PARTICLES), 0)
    if small:
        ways.insert(0, f"{' '.join(words[small:])}, {' '.join(words[:small])}")
    if surname_first:
        ways.insert(0, ways.pop())
    return [*dict.fromkeys(ways), name]


_PATRONYMIC = re.compile(
    r".+(?:[оеё]вич|ьич|[оеё]вна|инична|ична|[іїи]вна)|Ильич|Лукич|Кузьмич|Ілліч", re.IGNORECASE
)
_ASCII_SIGNS = {code: " " for code in range(128) if not chr(code).isalnum()}


def one_line(text: str) -> str:
    """Return the text in normal form C, without control characters, with single spaces, trimmed.

    PostgreSQL refuses NUL and lone surrogates, which JSON can contain. Characters that change the writing direction
    are removed too: in one player's name they could garble the rest of a list.

    The text is cut to LONGEST_LINE characters first. Python puts accents in order in a time that grows with the square
    of their number and stops all threads meanwhile: a minute for 150,000 of them.
    """
    kept = (
        " " if unicodedata.category(char) in _NOT_SHOWN or char in _DIRECTIONS else char
        for char in unicodedata.normalize("NFC", text[:LONGEST_LINE])
    )
    return " ".join("".join(kept).split())


def lines(text: str) -> str:
    """Apply `one_line` to each line of a text of at most LONGEST_TEXT characters, and leave out empty lines."""
    return "\n".join(line for line in map(one_line, text[:LONGEST_TEXT].splitlines()) if line)


def clean(field: Any, value: Any) -> Any:
    """Return the text cleaned for the field: several lines for a TextField, one line for other fields."""
    if not isinstance(value, str):
        return value
    return lines(value) if isinstance(field, models.TextField) else one_line(value)


def from_the_right(text: str) -> bool:
    """Return whether the text has letters that are written from right to left."""
    return any(unicodedata.bidirectional(letter) in _FROM_THE_RIGHT for letter in text if letter >= _HEBREW)


def name_in_words(name: str) -> str:
    """Return the name as the reader's language writes it: that of an erased player is not a name."""
    if not name.startswith(ERASED):
        return name
    number = name.removeprefix(f"{ERASED} ")
    return gettext("Erased player %(number)s") % {"number": number} if number.isdecimal() else name


def isolated(name: str) -> str:
    """Return the name of a person for a sentence, a title or an attribute. One from right to left stands between the
    characters for this, so that it turns no number or sign around it. Elements of a page have the filter `person`.
    """
    name = name_in_words(name)
    return f"\u2068{name}\u2069" if from_the_right(name) else name


@lru_cache(maxsize=50_000)  # names come again in every list
def folded(text: str) -> str:
    """Return plain lower-case letters and digits, with one space between words. Every other character counts as
    a space.

    All searches and the headings of imported columns use it. static/js/folding.js does the same in the browser; tests
    check that both fold the same names to the same words. The ranking of equal ratings has a rule of its own
    (tournaments/queries/pairing_numbers.py), because a new letter here must not move pairing numbers.
    """
    if text.isascii():  # the same, ten times as fast: a rating list has 1.8 million names
        return " ".join(text.lower().translate(_ASCII_SIGNS).split())
    taken_apart = unicodedata.normalize("NFKD", text.lower())
    plain = (PLAIN_LETTERS.get(sign, sign) for sign in taken_apart if unicodedata.category(sign)[0] != "M")
    return " ".join("".join(sign if sign.isalnum() else " " for sign in "".join(plain)).split())


def alphabetical(name: str) -> str:
    """Return the text by which a list sorts names: plain letters, so Ç is beside C. Cyrillic letters have their place
    in the alphabet: І between И and Й.
    """
    return folded(name if name.isascii() else unicodedata.normalize("NFC", name.lower()).translate(_BEHIND))


DEVICES = frozenset({"con", "prn", "aux", "nul"}) | {
    f"{port}{number}" for port in ("com", "lpt") for number in range(10)
}
"""Names of devices, under which Windows makes no file and no directory."""


def numbered(base: str, taken: Collection[str]) -> str:
    """Return an address: `base`, or the first of base-2, base-3, ... that is not taken. It can name a directory."""
    if base not in taken and base not in DEVICES:
        return base
    return next(slug for slug in (f"{base}-{number}" for number in count(2)) if slug not in taken)
