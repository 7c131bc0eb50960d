"""The manual names each page, field, key, question and refusal of the program, and links only to places that exist."""

from __future__ import annotations

import importlib
import inspect
import json
import os
import pkgutil
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import deno
import pytest
from django import forms
from django.test import Client
from django.utils.translation import override

import entering.web
import tournaments.web
from manual import views
from manual.book import (
    CHAPTERS,
    Book,
    book,
    inside,
    languages,
    not_current,
    read_chapter,
    sizes,
    sources,
    words_of,
)
from manual.html import KEY, html_of
from manual.places import PLACES, REFUSED
from manual.search import folded, index, search
from pairing.words.registry import SYSTEM_WORDS
from tests.actions.test_warning_levels import ROWS
from tests.browser.pictures import seen
from tests.browser.test_axe import NOT_PAGES, VISITS
from tests.factories import EventRoleFactory, section_of
from tests.house.catalogues import catalogue
from tests.house.catalogues import forms as forms_of
from tests.web.staff.conftest import address
from tournaments.web.matters import WORDS
from tournaments.web.words import refusals

pytestmark = pytest.mark.one_database

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "static" / "manual"
NO_HELP = {
    "kept-copy": "a file",
    "manual": "the manual itself",
    "manual-chapter": "the manual itself",
    "manual-whole": "the manual itself",
    "embed": "stands in the page of another site",
    "hall": "an old address",
}
NOT_NAMED = {
    "PersonForm.username": "is in the table as User name",
    "ListFileForm.sent": "hidden: filled in by the script that sends a large file",
    "ListFileForm.sent_name": "hidden: filled in by the script that sends a large file",
    "EventListForm.sent": "hidden: a file for an event is sent whole",
    "EventListForm.sent_name": "hidden: a file for an event is sent whole",
    "AddressForm.origin": "hidden: the address so far",
    "AddressForm.series": "hidden: the name of the list",
    "PasswordForm.username": "the form gives it the label User name",
    "RegisterForm.website": "hidden: a person leaves it empty, a robot does not",
    "RegisterForm.stamp": "hidden: the time of the form",
    "ColourForm.colour": "two buttons: White and Black",
    "RegistrationsForm.form_key": "hidden: the key of the form",
    "KeptForm.form_key": "hidden: the key of the form",
    "LayoutForm.columns": "hidden: what was chosen for each column",
    "OptionsForm.columns": "hidden: what was chosen for each column",
}


def words() -> set[str]:
    """Return what the manual has in bold letters or as the first cell of a row of a table."""
    found: set[str] = set()
    for chapter in book().chapters:
        for at, token in enumerate(chapter.tokens):
            if token.tag == "th" and token.nesting == 1:
                found.add(chapter.tokens[at + 1].content)
            pieces = token.children or []
            found |= {
                pieces[place + 1].content for place, each in enumerate(pieces) if each.type == "strong_open"
            }
    return found


def all_forms() -> Iterator[type[forms.BaseForm]]:
    for package in (tournaments.web, entering.web):
        for each in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            module = importlib.import_module(each.name)
            for found in vars(module).values():
                own = inspect.isclass(found) and found.__module__ == module.__name__
                if own and issubclass(found, forms.BaseForm):
                    yield found


def test_every_field_of_a_form_is_named() -> None:
    with override("en"):
        labels = {
            f"{form.__name__}.{name}": str(field.label)
            for form in all_forms()
            for name, field in getattr(form, "base_fields", {}).items()
        }
    labels |= {
        f"{system}.{name}": option.label
        for system, words_of in SYSTEM_WORDS.items()
        for name, option in words_of.options.items()
    }
    assert len(labels) > 150
    named = words()
    missing = {name: label for name, label in labels.items() if label not in named and name not in NOT_NAMED}
    assert missing == {}
    assert [name for name in NOT_NAMED if name not in labels] == []


LABEL = re.compile(r"<label\b[^>]*>(.*?)</label>", re.DOTALL)
OF_THE_READER = ("manual", "public")
"""Templates of the manual, and of pages that only show: their labels are of searches."""


def test_every_label_that_a_template_writes_is_named() -> None:
    """Fields without a form, such as those that a script reads."""
    found = set()
    for path in (ROOT / "templates").rglob("*.html"):
        if not {*OF_THE_READER} & {*path.relative_to(ROOT / "templates").parts}:
            for label in LABEL.findall(path.read_text("utf-8")):
                shown = re.sub(
                    r"<[^>]*>", "", re.sub(r"<(kbd|select)\b.*?</\1>", "", label, flags=re.DOTALL)
                ).strip()
                alone = re.fullmatch(r'\{% translate "([^"]+)"(?: context "[^"]+")? %\}', shown)
                found |= {alone[1]} if alone else set()
    assert len(found) > 20
    assert sorted(found - words()) == []


SEARCHED = (
    *(
        "API",
        "archive",
        "bar code",
        "blitz",
        "capacity",
        "check-in",
        "Chess960",
        "close",
        "clerk",
        "confirmation",
    ),
    *(
        "consent",
        "CSV",
        "deadline",
        "discount",
        "duplicate",
        "Excel",
        "export",
        "fee",
        "final report",
        "freeze",
    ),
    *(
        "half-point bye",
        "idempotency",
        "invitation",
        "K factor",
        "label",
        "national rating",
        "norm",
        "performance",
    ),
    *(
        "period",
        "personal link",
        "provisional rating",
        "QR",
        "quota",
        "rating change",
        "rating list",
        "record 172",
    ),
    *("refund", "robot", "role", "spreadsheet", "statistics", "title norm", "token", "TRF06", "viewer"),
    *("waiting list", "webhook", "wizard", "XLSX", "zip"),
)
"""What a person types who looks for something that the program can do."""


@pytest.mark.parametrize("typed", SEARCHED)
def test_search_finds_the_words_that_people_have_for_what_the_program_does(typed: str) -> None:
    found = [f"{hit.title} {hit.text}" for hit in search("en", typed)]
    assert found != []


ASKED = {
    "en": {
        "withdraw a player": "withdraw",
        "a player went home": "withdraw",
        "how do I withdraw a player who has gone home?": "withdraw",
        "wifi": "no-network",
        "no network": "no-network",
        "norm certificate": "title-norms",
        "https certificate": "server",
        "certificate": "title-norms",
        "forgot password": "forgotten-password",
        "late entry": "late-entries",
        "bye": "byes",
        "undo": "undo",
        "print": "documents",
        "wrong result": "corrections",
        "tablet": "tablet",
        "phone results": "result-by-phone",
        "pasword forgoten": "forgotten-password",
        "players": "add-a-player",
        "backup usb": "copies",
        "laptop broken": "broken-computer",
        "why this pairing": "why",
        "projector": "screens",
        "excel import": "import-a-list",
        "opponent did not come": "no-show",
        "printer": "documents",
        "pairings are wrong": "wrong-pairing",
        "start the program": "start",
        "how many rounds": "settings-of-a-section|make-a-section",
        "player arrives late": "late-player",
        "rating list download": "rating-lists",
        "send report to fide": "report",
        "pair by hand": "by-hand|by-hand-when",
        "bye for odd player": "left-over",
        "half point bye": "byes",
        "wrong colours entered": "corrections",
        "delete a player": "change-an-entry|erase-a-player",
        "player entered twice": "change-an-entry|entries",
        "two people pair at once": "two-arbiters",
        "entry fee": "desk|open-registration",
        "spectators livestream website": "other-sites",
        "double forfeit": "no-show|results",
        "players from same family": "forbidden-pairs",
        "tournament director rights": "roles|people",
        "gdpr delete data": "erase-a-player|personal-data",
        "clock of round countdown": "countdown",
        "tie at first place": "tie-breaks",
        "2FA phone lost": "second-factor",
        "restore backup": "load-a-copy",
        "postponed game": "adjourned",
        "unpair": "wrong-pairing|check-the-draft|publish|which-way",
        "new password": "forgotten-password|account",
        "crosstable pdf": "documents|files",
        "confirmation e-mail text": "mails",
        "waiting list": "queue",
        "qr code": "register|public-lists|desk|screens|open-registration",
        "api token": "programs",
        "missing player round 1": "absences|not-ready|no-show",
        "change number of rounds": "settings-of-a-section|locked-settings",
        "accept registration": "queue",
        "server is slow": "busy",
        "update the program": "server|start|site",
        "player pairing card": "documents",
        "who sees draft": "publish|check-the-draft",
        "buchholz": "tie-breaks",
    },
    "de": {
        "Spieler zurückziehen": "withdraw",
        "Spieler ist abgereist": "withdraw",
        "WLAN": "no-network",
        "kein Netz": "no-network",
        "Zertifikat": "title-norms",
        "https Zertifikat": "server",
        "Passwort vergessen": "forgotten-password",
        "Nachmeldung": "late-entries",
        "Freilos": "byes",
        "rückgängig": "undo",
        "drucken": "documents",
        "falsches Ergebnis": "corrections",
        "Tablet": "tablet",
        "Ergebnis mit Handy": "result-by-phone",
        "Sicherung USB": "copies",
        "Gegner nicht gekommen": "no-show",
        "Pasword vergessen": "forgotten-password",
        "Drucker": "documents",
        "Paarung ist falsch": "wrong-pairing",
        "Programm starten": "start",
        "Rundenzahl ändern": "settings-of-a-section|locked-settings",
        "Spieler kommt zu spät": "late-player",
        "Eloliste herunterladen": "rating-lists",
        "Auswertung an die FIDE schicken": "report",
        "von Hand auslosen": "by-hand|by-hand-when",
        "ungerade Spielerzahl": "left-over",
        "halber Punkt Freilos": "byes",
        "Farben vertauscht": "corrections",
        "Spieler löschen": "change-an-entry|erase-a-player",
        "Spieler doppelt eingetragen": "change-an-entry|entries",
        "zwei Schiedsrichter gleichzeitig": "two-arbiters",
        "Startgeld": "desk|open-registration",
        "Ergebnisse auf Vereinsseite": "other-sites|public-lists",
        "beide nicht angetreten": "no-show",
        "Geschwister sollen nicht gegeneinander spielen": "forbidden-pairs",
        "Rechte für Helfer": "roles|people",
        "Datenschutz": "personal-data|erase-a-player",
        "Uhr Countdown": "countdown",
        "Punktgleich": "tie-breaks",
        "Handy verloren zweiter Faktor": "second-factor",
        "Sicherung laden": "load-a-copy",
        "Hängepartie": "adjourned",
        "Auslosung zurücknehmen": "wrong-pairing|check-the-draft|publish|which-way",
        "Internet weg": "no-network",
        "Kreuztabelle": "documents|files|public-lists",
        "Bestätigungsmail ändern": "mails",
        "Warteliste": "queue",
        "Preisgeld teilen": "prizes",
        "Buchholz": "tie-breaks",
        "Wertungszahl": "rating-method|rating-lists|rating-changes",
        "DWZ": "rating-list-columns|rating-lists|lists-of-a-section",
        "Laptop kaputt": "broken-computer",
        "Beamer": "screens",
        "Ergebnis korrigieren": "corrections",
        "Rücktritt": "withdraw",
        "Spielerpass Tischkarten": "documents",
        "Mannschaft Verein nicht gegeneinander": "forbidden-pairs",
    },
    "fr": {
        "retirer un joueur": "withdraw",
        "un joueur est rentré chez lui": "withdraw",
        "wifi": "no-network",
        "certificat de norme": "title-norms",
        "mot de pase oublié": "forgotten-password",
        "inscription tardive": "late-entries",
        "exempt": "left-over",
        "imprimer": "documents",
        "faux résultat": "corrections",
        "sauvegarde clé usb": "copies",
        "vidéoprojecteur": "screens",
        "adversaire pas venu": "no-show",
        "imprimante": "documents",
        "appariement faux": "wrong-pairing",
        "démarrer le programme": "start",
        "changer le nombre de rondes": "settings-of-a-section|locked-settings",
        "joueur en retard": "late-player",
        "télécharger la liste elo": "rating-lists",
        "envoyer le rapport à la FIDE": "report",
        "apparier à la main": "by-hand|by-hand-when",
        "nombre impair de joueurs": "left-over",
        "bye demi-point": "byes",
        "couleurs inversées": "corrections",
        "supprimer un joueur": "change-an-entry|erase-a-player",
        "joueur inscrit deux fois": "change-an-entry|entries",
        "deux arbitres en même temps": "two-arbiters",
        "frais d'inscription": "desk|open-registration",
        "résultats sur le site du club": "other-sites|public-lists",
        "double forfait": "no-show",
        "frères et sœurs": "forbidden-pairs",
        "droits des arbitres": "roles|people",
        "RGPD": "personal-data|erase-a-player",
        "compte à rebours": "countdown",
        "départage": "tie-breaks",
        "téléphone perdu": "second-factor",
        "restaurer une sauvegarde": "load-a-copy",
        "partie ajournée": "adjourned",
        "annuler l'appariement": "wrong-pairing|check-the-draft|publish|which-way",
        "panne internet": "no-network",
        "grille américaine": "documents|files|public-lists",
        "courriel de confirmation": "mails",
        "liste d'attente": "queue",
        "partager les prix": "prizes",
        "buchholz": "tie-breaks",
        "ordinateur en panne": "broken-computer",
        "norme MI": "title-norms",
        "joueur absent": "absences|no-show",
        "corriger un résultat": "corrections",
        "abandon d'un joueur": "withdraw",
        "pointage": "check-in|desk",
        "wifi coupé": "no-network",
    },
}
"""What people ask, and the passages that answer: one of them is enough."""


@pytest.mark.parametrize(
    ("language", "typed"), [(language, typed) for language, asked in ASKED.items() for typed in asked]
)
def test_the_passage_that_answers_a_question_is_among_the_first_three(language: str, typed: str) -> None:
    first = [hit.at.partition("#")[2] for hit in search(language, typed)[:3]]
    assert set(ASKED[language][typed].split("|")) & set(first) != set()


def test_the_browser_finds_the_same_as_the_server(tmp_path: Path) -> None:
    """The browser searches a kept manual without a network, so both have the rules (manual/search.py)."""
    typed = [
        *SEARCHED,
        *(question for asked in ASKED.values() for question in asked),
        "",
        "how",
        "x",
        "Übersicht",
    ]
    typed += [word[:-1] + "q" for question in typed for word in question.split()]
    found = {
        language: [[list(hit) for hit in search(language, each)] for each in typed]
        for language in ("en", *languages())
    }
    indexes = {language: index(language) for language in found}
    (tmp_path / "asked.json").write_text(json.dumps([typed, indexes]), "utf-8")
    (tmp_path / "run.js").write_text(
        f"""import {{ search }} from "{(ROOT / "static/js/manual/search.js").as_uri()}";
        const [typed, indexes] = JSON.parse(Deno.readTextFileSync("{tmp_path}/asked.json"));
        const line = (hit) => [hit.at, hit.title, hit.chapter, hit.text, hit.language];
        const all = Object.entries(indexes).map(([language, index]) =>
          [language, typed.map((each) => search(index, each).map(line))]);
        console.log(JSON.stringify(Object.fromEntries(all)));""",
        "utf-8",
    )
    run = subprocess.run(
        [
            deno.find_deno_bin(),
            "run",
            "--no-check",
            "--no-remote",
            "--no-npm",
            "--allow-read",
            tmp_path / "run.js",
        ],
        env={**os.environ, "DENO_DIR": str(tmp_path), "DENO_NO_UPDATE_CHECK": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=True,
    )
    assert json.loads(run.stdout) == found


def test_words_of_the_search_belong_to_passages() -> None:
    for language in ("en", *languages()):
        words = words_of(language)
        assert len(words["parts"]) == 6
        assert words["asked"].keys() - book().chapter_of.keys() == set()
        assert [word for word in words["little"].split() if folded(word) != word] == []


COMPLETE: set[str] = {"de", "fr"}
"""The languages into which the whole manual is translated."""


def test_a_translated_passage_has_the_links_keys_pictures_and_tables_of_the_english_one() -> None:
    for language in languages():
        for path in (CHAPTERS / language).glob("*.md"):
            english, own = sources(CHAPTERS / path.name), sources(path)
            assert own.keys() - english.keys() == set()
            assert list(own) == [anchor for anchor in english if anchor in own]
            current = {anchor for anchor, each in own.items() if each.of == english[anchor].hash}
            assert {anchor: form(own[anchor].text) for anchor in current} == {
                anchor: form(english[anchor].text) for anchor in current
            }, path


def form(text: str) -> dict[str, object]:
    """Return what a translation keeps: where links lead, keys and typed texts, pictures, sizes of tables and lists."""
    return {
        "links": sorted(re.findall(r"\]\(([^)]+)\)", text)),
        "typed": sorted(re.findall(r"`([^`]+)`", text)),
        "rows": [line.count("|") for line in text.splitlines() if line.startswith("|")],
        "steps": len(re.findall(r"^\d+\. ", text, re.MULTILINE)),
        "points": len(re.findall(r"^- ", text, re.MULTILINE)),
        "captions": text.count("Table: "),
    }


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_passage_of_a_complete_translation_is_missing_or_old(language: str) -> None:
    if language in COMPLETE:
        assert not_current(language) == []
    assert language in languages()


def test_a_passage_that_is_missing_or_old_is_in_english_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    english = (
        "# Title\n\nText.\n\n## One {#one}\n\nFirst.\n\n## Two {#two}\n\nSecond.\n\n## Three {#three}\n\n"
    )
    english += "- Third.\n"
    (tmp_path / "11-a.md").write_text(english, "utf-8")
    (tmp_path / "de").mkdir()
    of = {anchor: each.hash for anchor, each in sources(tmp_path / "11-a.md").items()}
    (tmp_path / "de" / "11-a.md").write_text(
        f"# Titel\n<!-- of {of['']} -->\n\nText.\n\n## Eins {{#one}}\n<!-- of {of['one']} -->\n\nErster.\n\n"
        "## Zwei {#two}\n<!-- of 00000000 -->\n\nAlt.\n",
        "utf-8",
    )
    monkeypatch.setattr("manual.book.CHAPTERS", tmp_path)
    read = read_chapter(tmp_path / "11-a.md", "de")
    assert [(each.title, each.text, each.language) for each in read.passages] == [
        ("Titel", "Text.", "de"),
        ("Eins", "Erster.", "de"),
        ("Two", "Second.", "en"),
        ("Three", "Third.", "en"),
    ]
    html = html_of(read, Book("de", [read]), "/site/manual/")
    assert html.count("<em>Dieser Abschnitt ist noch nicht übersetzt.</em>") == 2
    assert '<h2 id="one">Eins</h2>\n<p>Erster.</p>' in html
    assert '<h2 id="two" lang="en">Two</h2>' in html
    assert '<ul lang="en">' in html
    assert "Alt" not in html
    assert not_current("de") == ["11-a.md #two", "11-a.md #three"]


@pytest.mark.django_db
def test_the_search_answers_without_scripts_in_the_language_of_the_address(client: Client) -> None:
    page = client.get("/site/manual/", {"q": "withdraw a player"}).content.decode()
    assert '<a href="/site/manual/byes-and-withdrawals/#withdraw">Withdraw a player</a>' in page
    assert 'value="withdraw a player"' in page
    assert 'href="/de/site/manual/' in client.get("/de/site/manual/", {"q": "Runde"}).content.decode()
    none = client.get("/site/manual/", {"q": "<zzzz>"}).content.decode()
    assert "Nothing found." in none
    assert "&lt;zzzz&gt;" in none
    assert client.get("/site/manual/", {"q": "a" * 100_000}).status_code == 200
    kept = views.made.cache_info().currsize
    client.get("/site/manual/", {"q": "another question"})
    assert views.made.cache_info().currsize == kept


def test_every_page_has_its_place() -> None:
    visited = {name for pages in VISITS.values() for name, _path in pages if name}
    # what a walk cannot open is a page too
    opened_elsewhere = {
        name for name, why in NOT_PAGES.items() if "opens it" in why or "leads back as long as" in why
    }
    assert (visited | opened_elsewhere) - NO_HELP.keys() == PLACES.keys()
    assert [anchor for anchor in PLACES.values() if anchor not in book().chapter_of] == []


def test_every_refusal_has_its_place() -> None:
    modules = {name for _finder, name, _package in pkgutil.iter_modules(refusals.__path__)}
    assert modules == REFUSED.keys()
    assert [anchor for anchor in REFUSED.values() if anchor not in book().chapter_of] == []


def test_every_question_is_in_the_table_of_warnings() -> None:
    assert {name for name, _phase, _level in ROWS} - words() == set()


PRESSED = re.compile(r"(?:[Pp]ress|[Oo]pen|[Cc]hoose|[Tt]ick|[Tt]ype|[Uu]nder|then) (?:the )?\*\*([^*]+)\*\*")
GAP = re.compile(r"%\(\w+\)s|\d+")


def test_every_button_that_the_manual_names_is_a_text_of_the_program() -> None:
    entries = [entry for entry in catalogue("de") if not entry.obsolete]
    texts = {text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text}
    shown = {" ".join(GAP.sub("", text).split()) for text in texts}
    chapters = [path.read_text("utf-8") for path in (ROOT / "manual" / "chapters").glob("*.md")]
    named = {" ".join(GAP.sub("", name).split()) for text in chapters for name in PRESSED.findall(text)}
    assert len(named) > 150
    shown |= {f"{text} TRF" for text in shown if text.endswith(" in")}  # the name of a format follows
    begun = {name for name in named if any(text.startswith(name) for text in shown)}
    assert sorted(named - begun) == []


NUMBER = re.compile(r"%\(\w+\)s|\d+|…")
BOLD = re.compile(r"\*\*([^*]+)\*\*")
IN_QUOTES = re.compile(r"[\"“„«]([^\"“”„«»]+)[\"“”»]")


def as_label(text: str) -> str:
    """Return a text without its numbers and the sign at its end."""
    return " ".join(NUMBER.sub(" ", text).replace("’", "'").split()).rstrip(":. ")


def labels(text: str) -> set[str]:
    """Return what a passage has in bold letters, in quotation marks, and in the first cells of its tables."""
    heads = re.findall(r"^(\|.*)\n\|[ -]+\|", text, re.MULTILINE)
    rows = [line for line in text.splitlines() if line.startswith("| ") and line not in heads]
    found = [*BOLD.findall(text), *IN_QUOTES.findall(text), *(row.split("|")[1] for row in rows)]
    return {as_label(each) for each in found}


OTHER_WORDS = {"67-words.md"}
"""A chapter that explains the words of chess, not those of pages."""


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_translated_passage_has_the_labels_of_the_program_in_its_language(language: str) -> None:
    """Labels stand as on the page, without the endings of cases: "Füllen Sie **Erster Tag** aus"."""
    shown: dict[str, set[str]] = {}
    for entry in catalogue(language):
        if not entry.obsolete:
            for text in filter(None, (entry.msgid, entry.msgid_plural)):
                shown.setdefault(as_label(text), set()).update(map(as_label, forms_of(entry)))
    wrong, checked = [], 0
    for path in sorted(CHAPTERS.glob("*.md")):
        if path.name not in OTHER_WORDS:
            own = sources(CHAPTERS / language / path.name)
            for anchor, english in sources(path).items():
                named = labels(english.text) & shown.keys()
                has = labels(own[anchor].text) if anchor in own else set()
                checked += len(named)
                wrong += [
                    f"{path.name} #{anchor}: {label!r} is {sorted(shown[label])}"
                    for label in sorted(named)
                    if not shown[label] & has
                ]
    assert wrong == []
    assert checked > 500


@pytest.mark.parametrize("language", ["de", "fr"])
def test_a_key_has_the_name_that_the_pages_have_for_it(language: str) -> None:
    keys = words_of(language)["keys"]
    on_pages = {
        entry.msgid: entry.msgstr
        for entry in catalogue(language)
        if entry.msgctxt == "a key" and not entry.obsolete
    }
    assert {name: keys.get(name, name) for name in on_pages} == on_pages
    page = html_of(read_chapter(CHAPTERS / "32-results.md", language), book(language), "/site/manual/")
    assert f"<kbd>{on_pages['Space']}</kbd>" in page
    assert "<kbd>Space</kbd>" not in page


def test_no_page_has_a_key_in_english_only() -> None:
    cap = re.compile(r"<kbd[^>]*>\s*([A-Za-z]{2,})\s*</kbd>")
    assert [
        (path.name, name)
        for path in (ROOT / "templates").rglob("*.html")
        for name in cap.findall(path.read_text("utf-8"))
    ] == []


def test_every_word_of_the_cockpit_is_explained() -> None:
    with override("en"):
        assert {str(word) for word, _sentence in WORDS.values()} - words() == set()


def test_every_link_leads_to_a_heading_and_no_anchor_stands_twice() -> None:
    anchors = [part.anchor for each in book().chapters for part in each.passages]
    assert len(anchors) == len(set(anchors))
    links = [
        (each.slug, str(token.attrs["href"]))
        for each in book().chapters
        for token in inside(each.tokens)
        if token.type == "link_open"
    ]
    assert [link for link in links if link[1][:1] != "#" or link[1][1:] not in anchors] == []


def test_every_key_exists() -> None:
    known = set(re.findall(r"`([^`]+)`", (ROOT / "docs/keyboard.md").read_text("utf-8")))
    names = {name.upper() for name in known} | {"TAB", "SHIFT", "ALT"}
    used = {
        token.content
        for each in book().chapters
        for token in inside(each.tokens)
        if token.type == "code_inline" and KEY.fullmatch(token.content)
    }
    assert {key for key in used if key.upper() not in names} == set()


def test_every_picture_is_used_and_small() -> None:
    used = {name for each in book().chapters for name in each.pictures}
    files = {path.name: path.stat().st_size for path in PICTURES.glob("*.webp")}
    assert used == files.keys() == sizes().keys()
    assert [name for name, size in files.items() if size > 60_000] == []
    assert sum(files.values()) < 3_000_000
    assert [
        name for name, noted in sizes().items() if noted["texts"] == seen([])
    ] == []  # else no change is noticed


def test_no_chapter_has_html_or_a_word_of_its_own_making() -> None:
    texts = {path.name: path.read_text("utf-8") for path in (ROOT / "manual" / "chapters").glob("*.md")}
    assert [name for name, text in texts.items() if re.search(r"</?[a-z]+[ >]|TODO", text)] == []
    assert [name for name, text in texts.items() if len(text.splitlines()) > 400] == []


@pytest.mark.django_db
def test_the_manual_is_the_same_for_everybody_and_needs_no_query(
    client: Client, django_assert_num_queries
) -> None:
    pages = ["/site/manual/", "/site/manual/whole/", "/site/manual/index.json", "/de/site/manual/results/"]
    for page in pages:
        with django_assert_num_queries(0):
            answer = client.get(page)
        assert answer.status_code == 200
        again = client.get(page, headers={"if-none-match": answer["ETag"]})
        assert (again.status_code, again.content) == (304, b"")
    member = Client()
    member.force_login(EventRoleFactory().user)
    assert member.get(pages[0]).content == client.get(pages[0]).content
    assert client.get("/site/manual/no-such-chapter/").status_code == 404
    whole = client.get(pages[1]).content.decode()
    anchors = set(re.findall(r' id="([a-z0-9-]+)"', whole))
    assert set(re.findall(r' href="#([a-z0-9-]+)"', whole)) <= anchors


@pytest.mark.django_db
def test_the_link_help_opens_the_place_of_the_page(client: Client) -> None:
    section = section_of(4)
    client.force_login(EventRoleFactory(event=section.event).user)
    page = client.get(address(section, "byes/")).content.decode()
    assert 'href="/site/manual/byes-and-withdrawals/#byes"' in page
    visitor = Client().get(address(section, "pairings/"), follow=True).content.decode()
    assert 'href="/site/manual/what-players-see/#public-lists"' in visitor


def test_every_table_has_a_caption() -> None:
    kinds = [
        (each.slug, token.type, each.tokens[at + 1].type)
        for each in book().chapters
        for at, token in enumerate(each.tokens)
        if token.type == "table_open"
    ]
    assert len(kinds) > 30
    assert [kind for kind in kinds if kind[2] != "caption_open"] == []


def test_each_question_leads_to_its_place() -> None:
    asked, without = set(), []
    for path in (ROOT / "templates").rglob("*.html"):
        text = path.read_text("utf-8")
        asked |= set(re.findall(r'\{% help_link "([a-z-]+)" %\}', text))
        if re.search(r'id="(?:question|ask)"', text) and "{% help_link" not in text:
            without.append(path.name)
    assert without == []
    assert {"warn-byes", "warn-by-hand", "warn-settings", "warn-rounds", "refused"} <= asked
    assert asked - book().chapter_of.keys() == set()
