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
    """name: of the page in the URL configuration. section: "" for a page of the whole event. number: of a round.

    at: when the page was opened, or when it last asked for news.
    """

    name: str
    event: str
    section: str
    number: int | None
    at: datetime

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


class OpenPages:
    """What this process has seen, for the newest sessions. It is lost with the process.

    The database has it too, up to ten minutes late: for what another process has seen.
    """

    def __init__(self, most: int = MOST) -> None:
        self._of: OrderedDict[str, OpenPage] = OrderedDict()
        self._most = most
        self._lock = Lock()

    def note(self, key: str, page: OpenPage) -> None:
        with self._lock:
            self._of[key] = page
            self._of.move_to_end(key)
            if len(self._of) > self._most:
                self._of.popitem(last=False)

    def forget(self, key: str) -> None:
        with self._lock:
            self._of.pop(key, None)

    def of(self, keys: Iterable[str]) -> Mapping[str, OpenPage]:
        with self._lock:
            return {key: self._of[key] for key in keys if key in self._of}


open_pages = OpenPages()
