"""The page of an event that each session has open: who works with a person sees it on the page People."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from base.cache import Cache

MOST = 5_000
NONE = "-"


@dataclass(frozen=True, slots=True)
class OpenPage:
    """name: of the page in the URL configuration. section: "" for a page of the whole event.

    number: of a round, or the key of the row that the person works on. at: when the page was opened, or when it last
    asked for news. watched: other pages show at once who has this one open.
    """

    name: str
    event: str
    section: str
    number: int | None
    at: datetime
    watched: bool = False

    @property
    def text(self) -> str:
        """Return the page as `LoginSession.page` keeps it. No part of it has a blank."""
        number = NONE if self.number is None else self.number
        return f"{self.name} {self.event} {self.section or NONE} {number}"


def page_of_text(text: str, at: datetime) -> OpenPage | None:
    """Return the page that `LoginSession.page` keeps; None if it keeps none."""
    if not text:
        return None
    name, event, section, number = text.split(" ")
    return OpenPage(
        name, event, "" if section == NONE else section, None if number == NONE else int(number), at
    )


@dataclass(frozen=True, slots=True)
class Who:
    """A person who is logged in: the key of the login, and the name that others read."""

    user: int
    name: str


open_pages: Cache[str, tuple[OpenPage, Who]] = Cache(MOST)
"""What this process has seen, by session. The database has it too, up to ten minutes late: for other processes."""


def pages_of(keys: Iterable[str]) -> Mapping[str, OpenPage]:
    """Return the pages that these sessions have open, as far as this process has seen them."""
    found = {key: open_pages.get(key) for key in keys}
    return {key: seen[0] for key, seen in found.items() if seen is not None}


def watched_in(event: str) -> list[tuple[OpenPage, Who]]:
    """Return the watched pages of an event, with who has them open."""
    return [(page, who) for _key, (page, who) in open_pages.items() if page.watched and page.event == event]
