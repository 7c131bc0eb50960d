"""The page of an event that each session has open: who works with a person sees it on the page People."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from threading import Lock

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


class OpenPages:
    """What this process has seen, for the newest sessions. It is lost with the process.

    The database has it too, up to ten minutes late: for what another process has seen.
    """

    def __init__(self, most: int = MOST) -> None:
        self._of: OrderedDict[str, tuple[OpenPage, Who]] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def note(self, key: str, page: OpenPage, who: Who) -> None:
        with self._lock:
            self._of[key] = page, who
            self._of.move_to_end(key)
            if len(self._of) > self._most:
                self._of.popitem(last=False)

    def forget(self, key: str) -> None:
        with self._lock:
            self._of.pop(key, None)

    def forget_all(self) -> None:
        with self._lock:
            self._of.clear()

    def of(self, keys: Iterable[str]) -> Mapping[str, OpenPage]:
        with self._lock:
            return {key: self._of[key][0] for key in keys if key in self._of}

    def watched_in(self, event: str) -> Mapping[str, tuple[OpenPage, Who]]:
        """Return the watched pages of an event, with who has them open, by session."""
        with self._lock:
            return {
                key: (page, who)
                for key, (page, who) in self._of.items()
                if page.watched and page.event == event
            }


open_pages = OpenPages()
