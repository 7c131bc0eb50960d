"""The site in another language: every text of a page comes from the catalogue.

The language of this test puts each text of the catalogue into brackets, and people type in Greek. So a Latin word
outside brackets is a text that nobody can translate.
"""

from __future__ import annotations

import re
from collections.abc import Container
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.http import HttpResponse
from django.test import Client
from django.utils.translation import trans_real

from tests.house.catalogues import other_texts
from tests.web import hostile
from tests.web.hostile import Hall
from tournaments.web.made_once import store
from tournaments.web.views.staff import documents

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

BEGIN, END = "⟦", "⟧"
FOR_ALL = [
    "pairings/", "names/", "results/", "standings/", "crosstable/", "aro/", "players/", "players/1/", "screen/",
    "print/standings/", "print/check-in/", "fairness/", "print/fairness/",
]  # fmt: skip
FOR_ARBITERS = [
    "desk/", "entries/", "entries/add/", "entries/import/", "documents/", "settings/", "byes/", "screens/", "copies/",
    "log/", "log/check/", "forbidden-pairs/", "round/1/why/", "round/1/why/1/?other=2", "round/2/compare/",
    "fairness/compare/", "round/2/results/", "round/1/corrections/", "round/2/by-hand/",
]  # fmt: skip
OTHER_TEXTS = {
    "Evenboard", "Deutsch", "English", "Vega", "Swiss-M", "NED", "UTC", "CSV", "JSON", "GM", "IM", "FM", "CM", "WGM",
    "WIM", "WFM", "WCM", "XLSX",
    "other", "org", "ARO", "b-e",
}  # fmt: skip
"""Names, codes and an address that are the same in all languages."""
ATTRIBUTES = {"title", "aria-label", "aria-description", "placeholder", "alt", "label"}
SILENT = {"script", "style", "kbd", "code"}
WORD = re.compile(r"[^\W\d_Α-ω][A-Za-z'-]+")
SEAL = re.compile(r"\b(?:[0-9a-f]{4} ){4}[0-9a-f]{4}\b")


class Bracketed(trans_real.DjangoTranslation):
    """A catalogue with a translation for every text except those in `without`."""

    def __init__(self, without: Container[str] = ()) -> None:
        """Read no files."""
        self.without = without

    def to_language(self) -> str:
        return "de"

    def gettext(self, message: str) -> str:
        text = message.rpartition(trans_real.CONTEXT_SEPARATOR)[2]
        return text if text in self.without else f"{BEGIN}{text}{END}"

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.gettext(one if number == 1 else many)


class Reader(HTMLParser):
    """Reads what a page shows. words: those outside brackets."""

    def __init__(self) -> None:
        super().__init__()
        self.words: set[str] = set()
        self._silent = 0
        self._depth = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self._silent += tag in SILENT
        for name, value in attributes:
            if value and (name in ATTRIBUTES or (name.startswith("data-") and BEGIN in value)):
                self.read(value)

    def handle_endtag(self, tag: str) -> None:
        self._silent -= tag in SILENT

    def handle_data(self, data: str) -> None:
        if not self._silent:
            self.read(data)

    def read(self, text: str) -> None:
        outside = ""
        for letter in SEAL.sub("", text):
            self._depth += (letter == BEGIN) - (letter == END)
            outside += " " if self._depth or letter == END else letter
        self.words |= set(WORD.findall(outside))


def read(answer: HttpResponse) -> set[str]:
    reader = Reader()
    reader.feed(answer.content.decode())
    return reader.words


def read_file(answer: HttpResponse, *, rows: bool = True) -> set[str]:
    """Return the words of a list for spreadsheets that are outside brackets, of its headings only without `rows`."""
    reader = Reader()
    text = answer.content.decode("utf-8-sig")
    reader.read(text if rows else text.partition("\n")[0])
    return reader.words


def greek(what: str) -> str:
    return "".join(chr(ord("α") + 7 * ord(letter) % 24) if letter.isalpha() else letter for letter in what)


def test_every_text_of_a_page_can_be_translated(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(hostile, "hostile", greek)
    hall = Hall("middle")
    settings.LANGUAGE_CODE, settings.LANGUAGES = "de", [("de", "Deutsch")]
    monkeypatch.setitem(trans_real._translations, "de", Bracketed())
    monkeypatch.setattr(trans_real, "_default", None)
    arbiter = Client()
    arbiter.force_login(hall.user)
    here = f"/{hall.event.slug}/{hall.section.slug}/"
    paths = [
        "/",
        "/account/",
        "/site/",
        "/new/",
        *[
            f"/{hall.event.slug}/{rest}"
            for rest in ("", "-/edit/", "-/people/", "-/programs/", "-/webhooks/")
        ],
        *[here + rest for rest in FOR_ALL + FOR_ARBITERS],
    ]
    visits = [(arbiter, path) for path in paths]
    visits += [(Client(), path) for path in ("/", "/login/", here + "pairings/", here + "players/1/")]
    untranslated = {}
    for document in documents.LISTS.keys() - {"all-rounds"}:  # a list of a round robin
        untranslated[document] = read_file(arbiter.get(f"{here}csv/{document}/")) - OTHER_TEXTS
    untranslated["log"] = read_file(arbiter.get(f"{here}log/file/csv/"), rows=False) - OTHER_TEXTS
    statuses = set()
    for client, path in visits:
        answer = client.get(path)
        statuses.add((answer.status_code, path if answer.status_code != 200 else ""))
        untranslated[path] = read(answer) - OTHER_TEXTS
    monkeypatch.setitem(trans_real._translations, "de", Bracketed(other_texts()))
    store.clear()
    for path in (f"/{hall.event.slug}/", *[here + rest for rest in FOR_ALL]):
        untranslated[f"visitor {path}"] = read(Client().get(path)) - OTHER_TEXTS
    assert statuses == {(200, "")}
    assert {path: words for path, words in untranslated.items() if words} == {}
