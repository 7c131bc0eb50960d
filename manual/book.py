"""Reads the chapters (`manual/chapters/*.md`).

A heading ends with its anchor: `## Pair the next round {#pair-a-round}`. An anchor stands once in the whole manual, so
`[text](#pair-a-round)` links to it from every chapter. A paragraph `Table: ...` before a table is its caption. Chapters
have no HTML.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

HERE = Path(__file__).resolve().parent
PARTS = {
    "1": "Before the event",
    "2": "The first morning",
    "3": "Round by round",
    "4": "When something went wrong",
    "5": "After the event",
    "6": "To look something up",
}
"""The parts of the manual, by the first digit of the file of a chapter."""
ANCHOR = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
CAPTION = "Table: "


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title of a chapter. level: 2 or 3."""

    anchor: str
    title: str
    level: int


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands below one heading, without signs of Markdown, for the search."""

    anchor: str
    title: str
    text: str


@dataclass(frozen=True)
class Chapter:
    """A chapter. slug: its address; the anchor of its title is this after `chapter-`."""

    slug: str
    part: str
    title: str
    tokens: Sequence[Token] = field(repr=False)

    @cached_property
    def headings(self) -> list[Heading]:
        return [
            Heading(str(token.attrs["id"]), plain(self.tokens[at + 1]), int(token.tag[1]))
            for at, token in enumerate(self.tokens)
            if token.type == "heading_open"
        ][1:]

    @cached_property
    def passages(self) -> list[Passage]:
        """Return the text of the chapter, divided at its headings."""
        found: list[tuple[str, str, list[str]]] = []
        for at, token in enumerate(self.tokens):
            if token.type == "heading_open":
                found.append((str(token.attrs["id"]), plain(self.tokens[at + 1]), []))
            elif token.type == "inline" and self.tokens[at - 1].type != "heading_open":
                text = plain(token)
                found[-1][2].append(text if text.endswith((".", ":", "?")) else f"{text}.")
        return [Passage(anchor, title, " ".join(texts)) for anchor, title, texts in found]

    @cached_property
    def pictures(self) -> list[str]:
        return [str(each.attrs["src"]) for each in inside(self.tokens) if each.type == "image"]


@dataclass(frozen=True)
class Book:
    chapters: Sequence[Chapter]

    @cached_property
    def chapter_of(self) -> dict[str, str]:
        """Return the chapter of each anchor."""
        return {passage.anchor: each.slug for each in self.chapters for passage in each.passages}

    @cached_property
    def version(self) -> str:
        """Return a text that every change of the manual changes."""
        content = [(each.slug, each.part, passage) for each in self.chapters for passage in each.passages]
        return hashlib.sha256(repr((content, sizes())).encode()).hexdigest()[:12]


@cache
def book() -> Book:
    """Return the manual. Its files are read once."""
    return Book([read_chapter(file) for file in sorted((HERE / "chapters").glob("*.md"))])


@cache
def sizes() -> dict[str, dict[str, Any]]:
    """Return what is noted about each picture: its width and height, and the texts of the page when it was made."""
    noted: dict[str, dict[str, Any]] = json.loads((HERE / "pictures.json").read_text("utf-8"))
    return noted


def read_chapter(file: Path) -> Chapter:
    """Read a chapter, such as `31-pairing.md`: the first digit is its part, and all files follow in their order."""
    number, _, slug = file.stem.partition("-")
    tokens = parser().parse(file.read_text("utf-8"))
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrs["id"] = f"chapter-{slug}" if token.tag == "h1" else anchor_in(tokens[at + 1], file)
    return Chapter(slug, PARTS[number[0]], plain(tokens[1]), list(with_captions(tokens)))


@cache
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def anchor_in(heading: Token, file: Path) -> str:
    """Return the anchor at the end of a heading, and take it out of the heading."""
    found = ANCHOR.search(heading.content)
    if found is None or not heading.children:
        raise ValueError(f"{file.name}: the heading {heading.content!r} has no {{#anchor}}")
    heading.children[-1].content = ANCHOR.sub("", heading.children[-1].content)
    heading.content = ANCHOR.sub("", heading.content)
    return found[1]


def with_captions(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the tokens with the captions inside their tables, and the first cell of each row as the head of the row."""
    at, first = 0, False
    while at < len(tokens):
        token = tokens[at]
        if token.type == "paragraph_open" and tokens[at + 1].content.startswith(CAPTION):
            text = tokens[at + 1].children or []
            text[0].content = text[0].content.removeprefix(CAPTION)
            caption = [
                Token("caption_open", "caption", 1),
                tokens[at + 1],
                Token("caption_close", "caption", -1),
            ]
            yield tokens[at + 3]
            yield from caption
            at += 4
            continue
        if token.type == "tr_open":
            first = True
        elif token.type == "th_open":
            token.attrs["scope"] = "col"
            first = False
        elif token.type == "td_open" and first:
            token.tag, token.attrs["scope"] = "th", "row"
        elif token.type == "td_close" and first:
            token.tag, first = "th", False
        yield token
        at += 1


def plain(inline: Token) -> str:
    """Return a line without signs of Markdown."""
    texts = [
        each.content for each in inline.children or [] if each.type in ("text", "code_inline", "softbreak")
    ]
    return re.sub(r"\s+", " ", " ".join(texts)).replace(" .", ".").replace(" ,", ",").strip()


def inside(tokens: Sequence[Token]) -> Iterator[Token]:
    """Yield the pieces of all lines."""
    for token in tokens:
        yield from token.children or []
