"""What a page offers: its links and its forms, as a person sees them."""

from __future__ import annotations

from collections.abc import Iterator
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

from django.http import HttpResponse

SENDS = {"hx-post": "POST", "hx-get": "GET", "data-live": "GET"}


class _Offers(HTMLParser):
    """Collects requests. Where a page can only be looked at, its forms that change something are not shown
    (static/css/base.css). A form needs a field or a button without an address of its own.
    """

    def __init__(self, path: str) -> None:
        super().__init__()
        self.path, self.found = path, set[tuple[str, str]]()
        self._only_looks = self._hidden = self._sent = False
        self._of_form = ("", "")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        at = {name: value or "" for name, value in attrs}
        if tag == "main":
            self._only_looks = "only-looks" in at.get("class", "")
        if tag == "form":
            method = at.get("method", "get").upper()
            self._of_form = method, at.get("action", "")
            self._hidden = self._only_looks and method != "GET"
            self._sent = False
        if tag == "input" and at.get("type") != "hidden":
            self._sent = True
        if tag == "button" and "formaction" not in at:
            self._sent |= at.get("type") != "button"
        elif tag == "button":
            self._add(at.get("formmethod", self._of_form[0]).upper(), at["formaction"])
        if tag == "a" and "href" in at:
            self._add("GET", at["href"])
        for name, method in SENDS.items():
            if name in at:
                self._add(method, at[name])

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._only_looks = False
        if tag == "form":
            if self._sent:
                self._add(*self._of_form)
            self._hidden = False

    def _add(self, method: str, address: str) -> None:
        if method == "DIALOG":
            return  # only closes a dialog
        whole = urlsplit(urljoin(f"http://testserver{self.path}", address))
        if not self._hidden and whole.netloc == "testserver" and not address.startswith("#"):
            self.found.add((method, whole.path))


def offers_of(path: str, answer: HttpResponse) -> Iterator[tuple[str, str]]:
    """Yield the method and the path of each request that a page offers."""
    if answer.get("Content-Type", "").startswith("text/html") and not answer.streaming:
        page = _Offers(path)
        page.feed(answer.content.decode())
        yield from sorted(page.found)
