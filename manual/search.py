"""Finds passages of the manual by what people type. The browser does the same with the same index
(static/js/manual/search.js), because it must also find them without a network; a test compares both.

A language has three things for it (`manual/words/<language>.json`): `asked` has words that people use and that a
passage may not have, by its anchor; `little` has words that say nothing, such as "how"; `endings` are taken off the
ends of words.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import cache
from typing import Any, NamedTuple

from manual.book import book, words_of

MOST = 12
LONGEST = 200
AROUND = 160  # characters of a passage that are shown
IN_TITLE, ASKED, IN_CHAPTER, IN_TEXT = 8, 6, 2, 5
"""How much a word counts in the heading of a passage, among the words that people use for it, in the title of its
chapter, and at most in its text.
"""
RARE = 9
"""A word counts less by one, each time twice as many passages have it: "player" says less than "printer"."""
PLAIN = str.maketrans({"ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d"})


class FoundPassage(NamedTuple):
    """A passage that the search shows. at: its address below that of the manual."""

    at: str
    title: str
    chapter: str
    text: str
    language: str


@cache
def index(language: str) -> dict[str, Any]:
    """Return what a search needs: the passages, and for each word in which passage it counts how much."""
    whole = book(language)
    words = words_of(whole.language)
    passages: list[dict[str, str]] = []
    counted: dict[str, dict[int, int]] = defaultdict(lambda: defaultdict(int))
    for chapter in whole.chapters:
        for part in chapter.passages:
            number = len(passages)
            at = f"{chapter.slug}/#{part.anchor}"
            passages.append(
                {
                    "at": at,
                    "chapter": chapter.title,
                    "title": part.title,
                    "text": part.text,
                    "language": part.language,
                }
            )
            asked = words["asked"].get(part.anchor, "")
            for text, weight in ((part.title, IN_TITLE), (asked, ASKED), (chapter.title, IN_CHAPTER)):
                for word in set(stems(text, words["endings"])):
                    counted[word][number] += weight
            in_text: dict[str, int] = defaultdict(int)
            for word in stems(part.text, words["endings"]):
                in_text[word] += 1
            for word, times in in_text.items():
                counted[word][number] += min(times, IN_TEXT)
    flat = {
        word: [each for pair in places.items() for each in pair] for word, places in sorted(counted.items())
    }
    return {"passages": passages, "words": flat, "little": words["little"], "endings": words["endings"]}


def search(language: str, typed: str) -> list[FoundPassage]:
    """Return the passages in which most of the typed words begin a word, the best first. With three words or more, one
    may be missing. A word that begins none may have one wrong letter.
    """
    data = index(language)
    words = asked_words(data, typed)
    has: dict[int, int] = defaultdict(int)
    score: dict[int, int] = defaultdict(int)
    for word in words:
        found = best(data["words"], word)
        rare = RARE - len(found).bit_length()
        for number, weight in found.items():
            has[number] += 1
            score[number] += weight * max(rare, 1)
    least = max(has.values(), default=0) - (len(words) > 2)
    hits = sorted(
        (number for number in has if has[number] >= least), key=lambda number: (-score[number], number)
    )
    return [
        FoundPassage(
            each["at"], each["title"], each["chapter"], excerpt(each["text"], words), each["language"]
        )
        for each in (data["passages"][number] for number in hits[:MOST])
    ]


def asked_words(data: dict[str, Any], typed: str) -> list[str]:
    """Return the typed words without the little ones, if there are others."""
    words = list(dict.fromkeys(folded(typed[:LONGEST]).split()))
    little = data["little"].split()
    kept = [word for word in words if word not in little] or words
    return list(dict.fromkeys(stems(" ".join(kept), data["endings"])))


def best(words: dict[str, list[int]], word: str) -> dict[int, int]:
    """Return how much a word counts in each passage. The word itself counts three times, words that begin with it
    once.
    """
    keys = [key for key in words if key.startswith(word)]
    if not keys and len(word) > 3:
        keys = [key for key in words if is_near(key, word)]
    found: dict[int, int] = {}
    for key in keys:
        flat = words[key]
        for at in range(0, len(flat), 2):
            found[flat[at]] = max(found.get(flat[at], 0), flat[at + 1] * (3 if key == word else 1))
    return found


def is_near(one: str, other: str) -> bool:
    """Return whether one letter is wrong, missing or too many, or two letters are exchanged."""
    if abs(len(one) - len(other)) > 1:
        return False
    at = next(
        (at for at in range(min(len(one), len(other))) if one[at] != other[at]), min(len(one), len(other))
    )
    a, b = one[at:], other[at:]
    return a[1:] == b[1:] or a == b[1:] or a[1:] == b or (a[:2] == b[:2][::-1] and a[2:] == b[2:])


def stems(text: str, endings: str) -> list[str]:
    """Return the words of a text without the ending that another form of the word may not have."""
    ending = re.compile(rf"(?<=.{{4}})(?:{endings})$")
    return [ending.sub("", word) for word in folded(text).split()]


def folded(text: str) -> str:
    """Return small letters without accents, with one space between words (static/js/folding.js)."""
    apart = unicodedata.normalize("NFKD", text.lower())
    plain = "".join(sign for sign in apart if unicodedata.category(sign)[0] != "M").translate(PLAIN)
    return " ".join("".join(sign if sign.isalnum() else " " for sign in plain).split())


def excerpt(text: str, words: list[str]) -> str:
    """Return the part of a text that begins with the first sentence that has one of the words."""
    sentences = re.split(r"(?<=[.:?]) ", text)
    keys = [f" {folded(each)}" for each in sentences]
    at = next((at for at, key in enumerate(keys) if any(f" {word}" in key for word in words)), 0)
    shown = " ".join(sentences[at:])
    return shown if len(shown) <= AROUND else re.sub(r"\s\S*$", "", shown[:AROUND]) + " …"
