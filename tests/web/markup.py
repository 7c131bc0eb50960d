"""What a page owes to readers of any script and to screen readers: names that stand apart, tables that say what they
are, headings in order.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from html.parser import HTMLParser

from django.http import HttpResponse

ISOLATED = re.compile("\u2068[^\u2069]*\u2069")
ALONE = {"option", "textarea", "script", "style"}
"""Elements whose text a browser never mixes with other text, or never shows."""
SPOKEN = {"title", "aria-label", "alt", "placeholder"}
"""Attributes that people read or hear."""
EMPTY = {
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
}  # fmt: skip


Unwanted = Callable[[str, list[tuple[str, str | None]]], bool]


class _Table:
    def __init__(self, attrs: dict[str, str | None]) -> None:
        self.captioned = bool(attrs.get("aria-label") or attrs.get("aria-labelledby"))
        self.silent = attrs.get("role") in ("presentation", "none")
        self.rows = self.heads = 0


class _Reader(HTMLParser):
    def __init__(self, name: re.Pattern[str], unwanted: Unwanted) -> None:
        super().__init__()
        self.name, self.unwanted = name, unwanted
        self.open: list[tuple[str, bool]] = []  # each element, and whether its text stands apart
        self.tables: list[_Table] = []
        self.headings: list[int] = []
        self.faults: list[str] = []
        self.tables_without: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if self.unwanted(tag, attrs):
            self.faults.append(f"an element that nobody wants: {self.get_starttag_text()}")
        for name in SPOKEN & values.keys():
            self._read(values[name] or "", f"{tag} {name}")
        if tag == "table":
            self.tables.append(_Table(values))
        if self.tables:
            table = self.tables[-1]
            table.captioned |= tag == "caption"
            table.rows += tag == "tr"
            table.heads += tag == "th"
            if tag == "th" and values.get("scope") not in ("col", "row", "colgroup", "rowgroup"):
                self.faults.append(f"a th without a scope: {self.get_starttag_text()}")
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag not in EMPTY:
            self.open.append((tag, tag == "bdi" or "dir" in values or tag in ALONE))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass
        if tag == "table" and self.tables:
            table = self.tables.pop()
            if not table.silent and not (table.captioned and (table.heads or not table.rows)):
                self.tables_without.append("a table without a caption or without heads")

    def handle_data(self, data: str) -> None:
        if not any(apart for _, apart in self.open):
            self._read(data, " ".join(tag for tag, _ in self.open[-3:]))

    def _read(self, text: str, where: str) -> None:
        if found := self.name.search(ISOLATED.sub("", text)):
            self.faults.append(
                f"a name that does not stand apart in {where}: {text[max(0, found.start() - 60) : found.end()]!r}"
            )


def html_of(answer: HttpResponse) -> str:
    """Return the text of a page, nothing of another answer."""
    return answer.content.decode() if answer.get("Content-Type", "").startswith("text/html") else ""


def faults(html: str, name: re.Pattern[str], unwanted: Unwanted = lambda *_: False) -> list[str]:
    """Return what is wrong with a page. name: how names of people look. unwanted: elements that it must not have."""
    reader = _Reader(name, unwanted)
    reader.feed(html)
    reader.close()
    steps = [(before, after) for before, after in zip([0, *reader.headings], reader.headings, strict=False)]
    whole = "<body" in html
    of_tables = reader.tables_without if whole else []  # a script reads the tables of parts
    found = (
        reader.faults
        + of_tables
        + [f"h{after} after h{before}" for before, after in steps if after > before + 1]
    )
    if whole and reader.headings.count(1) != 1:
        found.append(f"{reader.headings.count(1)} h1")
    return found
