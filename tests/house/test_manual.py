"""The manual names each page, field, key, question and refusal of the program, and links only to places that exist."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from django import forms
from django.test import Client
from django.utils.translation import override

import registrations.web
import web
from evenboard_engine.words.registry import SYSTEM_WORDS
from manual.book import (
    CHAPTERS,
    KEY,
    Book,
    book,
    html_of,
    inside,
    languages,
    not_current,
    read_chapter,
    sizes,
    sources,
    words_of,
)
from manual.places import PLACES
from tests.actions.test_warning_levels import ROWS
from tests.browser.pictures import seen
from tests.browser.test_axe import NOT_PAGES, VISITS
from tests.factories import EventRoleFactory, section_of
from tests.house.catalogues import catalogue
from tests.house.catalogues import forms as forms_of
from tests.web.staff.conftest import address
from web.words.next_step_checks import WORDS

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
    "ListFileForm.sent": "hidden: filled in by the script that sends a large file",
    "ListFileForm.sent_name": "hidden: filled in by the script that sends a large file",
    "EventListForm.sent": "hidden: a file for an event is sent whole",
    "EventListForm.sent_name": "hidden: a file for an event is sent whole",
    "OriginForm.origin": "hidden: the address so far",
    "OriginForm.series": "hidden: the name of the list",
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
    for package in (web, registrations.web):
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


def test_every_page_has_its_place() -> None:
    visited = {name for pages in VISITS.values() for name, _path in pages if name}
    # what a walk cannot open is a page too
    opened_elsewhere = {
        name for name, why in NOT_PAGES.items() if "opens it" in why or "leads back as long as" in why
    }
    assert (visited | opened_elsewhere) - NO_HELP.keys() == PLACES.keys()
    assert [anchor for anchor in PLACES.values() if anchor not in book().chapter_of] == []


def test_refusals_of_every_subject_have_their_place() -> None:
    of_rounds = {"by-hand", "byes", "results", "rounds", "undo"}
    subjects = of_rounds | {"entries", "files", "logins", "registrations", "sections"}
    assert {f"refused-{subject}" for subject in subjects} <= book().chapter_of.keys()


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
