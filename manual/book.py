"""Reads the chapters (`manual/chapters/*.md`) and their translations (`manual/chapters/<language>/*.md`).

A heading ends with its anchor: `## Pair the next round {#pair-a-round}`. An anchor stands once in the whole manual, so
`[text](#pair-a-round)` links to it from every chapter. A paragraph `Table: ...` before a table is its caption. Chapters
have no HTML.

A translation has the passages of the English chapter in its order, with the same anchors. The line below each of its
headings, `<!-- of 3f2a9c1d -->`, is a short hash of the English passage. A passage whose hash is another one is old,
and English is shown in its place. `python -m manual.book` adds this line where it is missing, and lists what is old
or missing.
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

from django.templatetags.static import static
from django.utils.html import escape
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

HERE = Path(__file__).resolve().parent
CHAPTERS = HERE / "chapters"
ENGLISH = "en"
ANCHOR = re.compile(r"\s*\{#([a-z0-9-]+)\}$")
OF = re.compile(r"\A\n*<!-- of ([0-9a-f]{8}) -->\n")
CAPTION = "Table: "


@dataclass(frozen=True, slots=True)
class PassageSource:
    """A passage of a file, from its heading on. of: the hash of the English passage, if this is its translation."""

    anchor: str
    text: str
    of: str | None

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.strip().encode()).hexdigest()[:8]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading below the title of a chapter. level: 2 or 3."""

    anchor: str
    title: str
    level: int
    language: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands below one heading, without signs of Markdown, for the search."""

    anchor: str
    title: str
    text: str
    language: str


@dataclass(frozen=True)
class Chapter:
    """A chapter. slug: its address; the anchor of its title is this after `chapter-`. language: that of its title."""

    slug: str
    part: str
    title: str
    language: str
    tokens: Sequence[Token] = field(repr=False)

    @cached_property
    def headings(self) -> list[Heading]:
        return [
            Heading(
                str(token.attrs["id"]),
                plain(self.tokens[at + 1]),
                int(token.tag[1]),
                str(token.meta["language"]),
            )
            for at, token in enumerate(self.tokens)
            if token.type == "heading_open"
        ][1:]

    @cached_property
    def passages(self) -> list[Passage]:
        """Return the text of the chapter, divided at its headings."""
        found: list[tuple[str, str, str, list[str]]] = []
        for at, token in enumerate(self.tokens):
            if token.type == "heading_open":
                title = plain(self.tokens[at + 1])
                found.append((str(token.attrs["id"]), title, str(token.meta["language"]), []))
            elif (
                token.type == "inline"
                and self.tokens[at - 1].type != "heading_open"
                and "note" not in token.meta
            ):
                text = plain(token)
                found[-1][3].append(text if text.endswith((".", ":", "?")) else f"{text}.")
        return [Passage(anchor, title, " ".join(texts), language) for anchor, title, language, texts in found]

    @cached_property
    def pictures(self) -> list[str]:
        return [str(each.attrs["src"]) for each in inside(self.tokens) if each.type == "image"]


@dataclass(frozen=True)
class Book:
    language: str
    chapters: Sequence[Chapter]

    @cached_property
    def chapter_of(self) -> dict[str, str]:
        return {passage.anchor: each.slug for each in self.chapters for passage in each.passages}

    @cached_property
    def version(self) -> str:
        """Return a text that every change of the manual changes."""
        content = [(each.slug, each.part, passage) for each in self.chapters for passage in each.passages]
        content_and_words = (content, words_of(self.language), sizes())
        return hashlib.sha256(repr(content_and_words).encode()).hexdigest()[:12]


def languages() -> list[str]:
    """Return the languages into which the manual is translated."""
    return sorted(file.stem for file in (HERE / "words").glob("*.json") if file.stem != ENGLISH)


def book(language: str = ENGLISH) -> Book:
    """Return the manual in a language, or in English if it is not translated into it."""
    return read_book(language if language in languages() else ENGLISH)


@cache
def read_book(language: str) -> Book:
    """Read the files of a language. This is done once."""
    return Book(language, [read_chapter(file, language) for file in sorted(CHAPTERS.glob("*.md"))])


@cache
def words_of(language: str) -> dict[str, Any]:
    """Return what a language has besides its chapters: names of the parts and keys, and words for the search."""
    words: dict[str, Any] = json.loads((HERE / "words" / f"{language}.json").read_text("utf-8"))
    return words


@cache
def sizes() -> dict[str, dict[str, Any]]:
    """Return what is noted about each picture: its width and height, and the texts of the page when it was made."""
    noted: dict[str, dict[str, Any]] = json.loads((HERE / "pictures.json").read_text("utf-8"))
    return noted


def read_chapter(file: Path, language: str) -> Chapter:
    """Read a chapter, such as `31-pairing.md`: the first digit is its part, and all files follow in their order."""
    number, _, slug = file.stem.partition("-")
    words = words_of(language)
    translated = sources(CHAPTERS / language / file.name)
    tokens: list[Token] = []
    for anchor, english in sources(file).items():
        own = translated.get(anchor)
        if language != ENGLISH and (own is None or own.of != english.hash):
            tokens += in_english(parsed(english, slug, ENGLISH), words["not_translated"])
        else:
            tokens += parsed(own or english, slug, language)
    title_language = str(tokens[0].meta["language"])
    part = words["parts"][int(number[0]) - 1]
    return Chapter(slug, part, plain(tokens[1]), title_language, list(with_captions(tokens)))


def sources(file: Path) -> dict[str, PassageSource]:
    """Return the passages of a file by their anchors. The title has the anchor "". No file: no passages."""
    found: dict[str, PassageSource] = {}
    text = file.read_text("utf-8") if file.exists() else ""
    for each in re.split(r"^(?=#{1,3} )", text, flags=re.MULTILINE)[1:]:
        heading, _, body = each.partition("\n")
        anchor = ANCHOR.search(heading)
        if anchor is None and not heading.startswith("# "):
            raise ValueError(f"{file.name}: the heading {heading!r} has no {{#anchor}}")
        key = anchor[1] if anchor else ""
        if key in found:
            raise ValueError(f"{file.name}: {heading!r} stands twice")
        of = OF.match(body)
        found[key] = PassageSource(key, f"{heading}\n{OF.sub(chr(10), body)}", of[1] if of else None)
    return found


def parsed(source: PassageSource, slug: str, language: str) -> list[Token]:
    """Return the tokens of a passage. The anchor is taken out of the heading, whose token says the language. A key has
    its name in this language.
    """
    tokens = parser().parse(source.text)
    keys = words_of(language)["keys"]
    for each in inside(tokens):
        if each.type == "code_inline" and each.content in keys:
            each.content, each.meta["key"] = keys[each.content], True
    heading, inline = tokens[0], tokens[1]
    heading.attrs["id"] = source.anchor or f"chapter-{slug}"
    heading.meta["language"] = language
    if source.anchor and inline.children:
        inline.children[-1].content = ANCHOR.sub("", inline.children[-1].content)
        inline.content = ANCHOR.sub("", inline.content)
    return tokens


def in_english(tokens: list[Token], note: str) -> list[Token]:
    """Return a passage for readers of another language: marked as English, with a note below the heading."""
    for token in tokens:
        if token.level == 0 and token.nesting >= 0 and token.type != "inline":
            token.attrs["lang"] = ENGLISH
    noted = parser().parse(f"*{note}*")
    noted[1].meta["note"] = True
    return [*tokens[:3], *noted, *tokens[3:]]


@cache
def parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


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


def not_current(language: str) -> list[str]:
    """Return the passages of a language that are missing or old, as `file #anchor`."""
    found = []
    for file in sorted(CHAPTERS.glob("*.md")):
        translated = sources(CHAPTERS / language / file.name)
        found += [
            f"{file.name} #{anchor}"
            for anchor, english in sources(file).items()
            if anchor not in translated or translated[anchor].of != english.hash
        ]
    return found


def add_hashes(file: Path) -> None:
    """Write the line with the hash below each heading of a translation that has none."""
    english = sources(CHAPTERS / file.name)
    own = sources(file)
    texts = []
    for anchor, each in own.items():
        of = each.of or (english[anchor].hash if anchor in english else None)
        heading, _, body = each.text.strip().partition("\n")
        texts.append("\n".join([heading, *([f"<!-- of {of} -->"] if of else []), "", body.strip()]).strip())
    file.write_text("\n\n".join(texts) + "\n", "utf-8")


# Makes the HTML of a chapter.
#
# A name of a key between backticks becomes a key. It is written as in English: each language has its names of
# keys in `manual/words`. All else between backticks is a text to type.

KEY = re.compile(r"[A-Z0-9?=/#–↑↓←→]|Enter|Esc|Space|Tab|Shift|Alt|Del|Backspace|Home|End|PageUp|PageDown")


class ChapterHTML(RendererHTML):
    """Writes keys as keys, links to their chapter, pictures from the static files, and tables that may be wide."""

    def code_inline(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        text = tokens[idx].content
        name = "kbd" if KEY.fullmatch(text) or "key" in tokens[idx].meta else "code"
        return f"<{name}>{escape(text)}</{name}>"

    def link_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        href = str(tokens[idx].attrs["href"])
        other = env["chapter_of"].get(href[1:], env["slug"]) if href.startswith("#") else env["slug"]
        elsewhere = env["address"] is not None and other != env["slug"]
        return f'<a href="{escape(env["address"] + other + "/" + href if elsewhere else href)}">'

    def image(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        name = str(tokens[idx].attrs["src"])
        size = sizes()[name]
        size_of = f'width="{size["width"]}" height="{size["height"]}"'
        return f'<img src="{escape(static(f"manual/{name}"))}" alt="{escape(tokens[idx].content)}" {size_of}>'

    def table_open(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        language = tokens[idx].attrs.get("lang")
        of = f' lang="{language}"' if language else ""
        return f'<div class="of-table" tabindex="0"{of}><table class="list free">'

    def table_close(self, tokens: Sequence[Token], idx: int, options: OptionsDict, env: Any) -> str:
        return "</table></div>"


def html_of(chapter: Chapter, whole: Book, address: str | None) -> str:
    """Return the HTML of a chapter. address: that of the manual, before the name of a chapter; None if all chapters are
    on one page.
    """
    env = {"chapter_of": whole.chapter_of, "slug": chapter.slug, "address": address}
    tokens = chapter.tokens if address is not None else [one_lower(token) for token in chapter.tokens]
    return str(ChapterHTML(parser()).render(tokens, parser().options, env))


def one_lower(token: Token) -> Token:
    """Return a heading one level lower, because a page has one heading of the first level; other tokens as they are."""
    if token.type in ("heading_open", "heading_close"):
        return token.copy(tag=f"h{int(token.tag[1]) + 1}")
    return token


if __name__ == "__main__":
    for each_language in languages():
        for each_file in sorted((CHAPTERS / each_language).glob("*.md")):
            add_hashes(each_file)
        print(f"{each_language}: old or missing: {not_current(each_language)}")
