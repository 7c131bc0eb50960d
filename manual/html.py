"""Makes the HTML of a chapter.

A name of a key between backticks becomes a key. It is written as in English: each language has its names of keys in
`manual/words`. All else between backticks is a text to type.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.templatetags.static import static
from django.utils.html import escape
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import OptionsDict

from manual.book import Book, Chapter, parser, sizes

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
        return f'<div class="of-table"{of}><table class="list free">'

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
