"""Read the tables of a page as text."""

from __future__ import annotations

from html.parser import HTMLParser

from django.http import HttpResponse

VOID = {"input", "meta", "link", "br", "rect", "path"}


class _Tables(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if "template" in self.open:
            pass  # a row that a script may show later
        elif tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")
        elif tag == "div" and any(tag in ("td", "th") for tag in self.open):
            self.rows[-1][-1] += " "
        if tag not in VOID:
            hidden = "sub" in (dict(attrs).get("class") or "").split()
            self.open.append(f"{tag} hidden" if hidden else tag)

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop().split()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if any(tag in ("td", "th") for tag in self.open) and not any(
            tag == "template" or tag.endswith("hidden") for tag in self.open
        ):
            self.rows[-1][-1] += data


def rows(response: HttpResponse) -> list[list[str]]:
    """Return the cells of every row, in the order of the page, without the second lines that only a phone
    shows.
    """
    parser = _Tables()
    parser.feed(response.content.decode())
    return [[" ".join(cell.split()) for cell in row] for row in parser.rows]
