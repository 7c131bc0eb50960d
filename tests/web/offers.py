"""What a page offers: its links and its forms, as a person sees them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse

SENDS = {"hx-post": "POST", "hx-get": "GET", "data-live": "GET"}


class _Offers(HTMLParser):
    """Collects requests. A form needs a field or a button without an address of its own.

    The offer to undo the reader's own last action does not count: it stands on whatever page comes next.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.found = path, set[tuple[str, str]]()
        self._sent = self._of_undo = False
        self._of_form = ("", "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        self._of_undo |= "data-toast" in at
        if tag == "form":
            self._of_form = at.get("method", "get").upper(), at.get("action", "")
            self._sent = False
        if tag == "input" and at.get("type") != "hidden":
            self._sent = True
        if tag == "button" and "formaction" not in at:
            self._sent |= at.get("type") != "button"
        elif tag == "button" and not self._of_undo:
            self._add(at.get("formmethod", self._of_form[0]).upper(), at["formaction"])
        if tag == "a" and "href" in at:
            self._add("GET", at["href"])
        for name, method in SENDS.items():
            if name in at:
                self._add(method, at[name])

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            if self._sent and not self._of_undo:
                self._add(*self._of_form)
            self._of_undo = False

    def _add(self, method: str, address: str) -> None:
        if method == "DIALOG":
            return  # only closes a dialog
        whole = urlsplit(urljoin(f"http://testserver{self.path}", address))
        if whole.netloc == "testserver" and not address.startswith("#"):
            self.found.add((method, whole.path))


def offers_of(path: str, answer: HttpResponse) -> Iterator[tuple[str, str]]:
    """Yield the method and the path of each request that a page offers."""
    if answer.get("Content-Type", "").startswith("text/html") and not answer.streaming:
        page = _Offers(path)
        page.feed(answer.content.decode())
        yield from sorted(page.found)
