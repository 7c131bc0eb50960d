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
from django.core import mail
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from django.utils.translation import trans_real

from base import reader
from tests.api.v1.program import Program
from tests.house.catalogues import other_texts
from tests.web import hostile
from tests.web.hostile import Hall
from web import login_mail
from web.page_cache import store
from web.templatetags import marks
from web.views.staff import reports
from web.words import script_counts

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

BEGIN, END = "⟦", "⟧"
FOR_ALL = [
    "pairings/", "names/", "results/", "standings/", "crosstable/", "aro/", "players/", "players/1/", "screen/",
    "print/standings/", "print/check-in/", "fairness/", "print/fairness/",
]  # fmt: skip
FOR_ARBITERS = [
    "cockpit/", "entries/", "entries/add/", "entries/import/", "documents/", "settings/", "byes/", "screens/",
    "copies/", "log/", "log/check/", "forbidden-pairs/", "round/1/why/", "round/1/why/1/?other=2",
    "round/2/compare/", "fairness/compare/", "round/2/results/", "round/1/corrections/", "round/2/by-hand/",
]  # fmt: skip
OTHER_TEXTS = {
    "Evenboard", "Deutsch", "English", "Vega", "Swiss-M", "NED", "UTC", "CSV", "JSON", "GM", "IM", "FM", "CM", "WGM",
    "WIM", "WFM", "WCM", "XLSX", "PDF", "TRF", "ZIP",
    "other", "org", "ARO", "DE", "BH", "b-e", "rc",
}  # fmt: skip
"""Names, codes, an address and a part of a version that are the same in all languages."""
ATTRIBUTES = {"title", "aria-label", "aria-description", "placeholder", "alt", "label"}
SILENT = {"script", "style", "kbd", "code"}
WORD = re.compile(r"[^\W\d_Α-ω][A-Za-z'-]+")
SEAL = re.compile(r"\b(?:[0-9a-f]{4} ){4}[0-9a-f]{4}\b")


class Bracketed(trans_real.DjangoTranslation):
    """A catalogue with a translation for every text except those in `without`."""

    def __init__(self, without: Container[str] = (), language: str = "de") -> None:
        """Read no files."""
        self.without, self.language = without, language

    def to_language(self) -> str:
        return self.language

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


@pytest.fixture(autouse=True)
def nothing_kept_in_a_language(monkeypatch: pytest.MonkeyPatch) -> None:
    """Write days, results and counts anew: the process keeps them as it first translated them."""
    for module, kept in (marks, "_options"), (reader, "_day_in"), (script_counts, "_in_language"):
        monkeypatch.setattr(module, kept, getattr(module, kept).__wrapped__)


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
    for document in reports.LISTS.keys() - {"all-rounds"}:  # a list of a round robin
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


@pytest.fixture
def partly(
    settings: LazySettings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> tuple[Hall, Client, str, str]:
    """Spanish, with brackets around each text and without the texts for arbiters, and an arbiter who has chosen it.
    Return the hall, the arbiter, and the addresses of the event and of the section.
    """
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(hostile, "hostile", greek)
    hall = Hall("middle")
    settings.LANGUAGES, settings.PARTLY_ENGLISH = [("en", "English"), ("es", "Español")], ["es"]
    monkeypatch.setitem(trans_real._translations, "es", Bracketed(other_texts(), "es"))
    hall.user.language = "es"
    hall.user.save()
    arbiter = Client(raise_request_exception=False)
    arbiter.force_login(hall.user)
    return hall, arbiter, f"/{hall.event.slug}/", f"/{hall.event.slug}/{hall.section.slug}/"


OF_LOGINS = [
    "/account/", "/account/programs/", "/account/mail/", "/account/second-factor/", "/account/new-phone/",
    "/password/", "/keys/", "/site/", "/site/rating-lists/", "/new/", "/new/-/load/",
]  # fmt: skip
OF_THE_EVENT = ["-/edit/", "-/people/", "-/programs/", "-/webhooks/", "-/registration/settings/"]
MORE = ["log/file/csv/", "close/", "tie-breaks/", "prizes/edit/", "round/99/results/"]
"""A file, more pages, and a page of a round that does not exist."""


def test_no_page_for_arbiters_has_a_piece_in_a_language_without_their_texts(
    partly: tuple[Hall, Client, str, str],
) -> None:
    _hall, arbiter, event, here = partly
    paths = [
        *OF_LOGINS,
        *(event + rest for rest in OF_THE_EVENT),
        *(here + rest for rest in FOR_ARBITERS + MORE),
    ]
    shown = {path: arbiter.get(path) for path in paths}
    assert {path for path, page in shown.items() if page.status_code != 200} == {f"{here}round/99/results/"}
    # what is refused: a form without its fields, a wrong method, a script that asks for a part of a page
    sent = [path for path in paths if path.startswith("/account/") or "-/" in path or path.endswith("e/")]
    refused = {f"post {path}": arbiter.post(path, headers={"hx-request": "true"}) for path in sent}
    assert {page.status_code for page in refused.values()} >= {405, 422}
    assert [name for name, page in (shown | refused).items() if BEGIN in page.content.decode()] == []


def test_pages_for_visitors_that_an_arbiter_opens_are_wholly_in_the_language(
    partly: tuple[Hall, Client, str, str],
) -> None:
    _hall, arbiter, event, here = partly
    shown = {path: arbiter.get(path) for path in ("/", event, *(here + rest for rest in FOR_ALL))}
    assert {page.headers["Content-Language"] for page in shown.values()} == {"es"}
    same = OTHER_TEXTS | {"Espa", "ñol", "de"}  # the name of the language, and a date
    words = {path: read(page) - same for path, page in shown.items()}
    assert {path: found for path, found in words.items() if found} == {}


def test_reasons_as_json_are_in_the_language_of_an_arbiter_too(partly: tuple[Hall, Client, str, str]) -> None:
    hall, arbiter, _event, _here = partly
    hall.section.explained_to = "everybody"
    hall.section.save()
    answer = arbiter.get(f"/api/v1/public/sections/{hall.section.pk}/rounds/1/explained/")
    sentences = [why["text"] for board in answer.json()["boards"] for why in board["why"]]
    assert sentences
    assert [each for each in sentences if BEGIN not in each] == []
    assert answer.headers["Content-Language"] == "es"


def test_a_mail_about_a_login_has_no_piece_in_a_language_without_its_texts(
    partly: tuple[Hall, Client, str, str], settings: LazySettings
) -> None:
    hall, _arbiter, _event, _here = partly
    settings.MAIL_IS_SET_UP, hall.user.email = True, "a@example.org"
    hall.user.save()
    with translation.override("es"):
        login_mail.mail_change_at_server(hall.user, "Changed.", ended=(2, 1, 1))
    sent = mail.outbox[-1]
    assert BEGIN not in sent.subject + sent.body


def test_an_answer_to_a_token_has_no_piece_in_a_language_without_its_texts(
    partly: tuple[Hall, Client, str, str],
) -> None:
    hall, _arbiter, _event, _here = partly
    program = Program(hall.user, hall.event)
    sections = f"events/{hall.event.slug}/sections/{hall.section.slug}"
    refused = [
        program.send(method, f"{sections}/{rest}", {"name": ""}, **{"Accept-Language": "es"})
        for method, rest in (("POST", "entries/"), ("POST", "rounds/9/publish/"), ("GET", "rounds/9/"))
    ]
    assert {answer.headers["Content-Language"] for answer in refused} == {"en"}
    assert [answer.content for answer in refused if BEGIN in answer.content.decode()] == []
