"""Every language has what locale/complete.toml promises, and no translation loses a name or a tag."""

from __future__ import annotations

import re
from pathlib import Path

import polib
import pytest
from django.conf import LazySettings
from django.conf import settings as site

from config.languages import ALL, NONE, PUBLIC, finished, translated
from server.catalogues import compile_catalogues
from tests.house.catalogues import LOCALE, PLURAL, catalogue, forms, is_public, languages, problems, wanted

GERMAN = "nplurals=2; plural=(n != 1);"
RUSSIAN = (
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);"
)


def test_each_language_of_the_program_has_a_catalogue() -> None:
    known = {code for code, _name in site.KNOWN_LANGUAGES} - {"en"}
    assert known == set(languages()) == {path.parent.parent.name for path in LOCALE.glob("*/*/django.po")}
    assert set(languages().values()) <= {NONE, PUBLIC, ALL}


def test_only_finished_languages_are_offered(tmp_path: Path) -> None:
    (tmp_path / "complete.toml").write_text(
        '[complete]\nde = "all"\nfr = "public"\nnl = "none"\n', encoding="utf-8"
    )
    assert finished(tmp_path) == [("de", "Deutsch"), ("en", "English"), ("fr", "Français")]
    assert translated(tmp_path) == {"en": ALL, "de": ALL, "fr": PUBLIC, "nl": NONE}


@pytest.mark.parametrize("language", sorted(languages()))
def test_a_language_has_all_that_is_promised(language: str) -> None:
    rule = catalogue(language).metadata["Plural-Forms"]
    assert PLURAL.fullmatch(rule)
    assert [entry.msgid for entry in catalogue(language) if entry.obsolete] == []
    complete = set(map(id, wanted(language)))
    found = [
        f"{entry.msgid!r} {problem}"
        for entry in catalogue(language)
        if id(entry) in complete or any(forms(entry))
        for problem in problems(entry, rule)
    ]
    assert found == []


@pytest.mark.parametrize(
    ("language", "word"),
    [
        ("de", r"^(?!rounds).*\bfreiwillig\b"),  # optional is optional; rounds are played by choice
        ("de", r"(?<!ationale )(?<!ationalen )(?<!ationaler )Wertungszahl"),  # Elo, but national ratings
        ("de", r"Upfloats"),
        ("fr", r"Exemptions d’un|herchez vous-même|évén|\bPublié (le|automatiquement)"),
        ("es", r"^a tab: (Parejas|Tabla)$"),
        ("nl", r"aanmelden|afmelden|[Mm]eld u|aangemeld"),  # in a chess club this is to register
        ("ru", r"bye по жеребьёвке|аблиц[аыеу] результатов|[Сс]праведлив|свободно из"),
        ("uk", r"аблиц[яіюи] результатів"),
    ],
)
def test_a_word_that_readers_misunderstood_is_gone(language: str, word: str) -> None:
    """Each was on a page beside the word that the glossary has for the same thing."""
    texts = [
        f"{each.msgctxt or each.msgid[:6]}: {text}" for each in catalogue(language) for text in forms(each)
    ]
    assert [text for text in texts if re.search(word, text, re.DOTALL)] == []


def test_public_texts_are_those_of_pages_for_visitors() -> None:
    def said_in(*files: str) -> bool:
        return is_public(polib.POEntry(msgid="x", occurrences=[(file, "") for file in files]))

    assert [said_in("templates/public/aro_list.html"), said_in("templates/staff/log.html")] == [True, False]
    assert [said_in("templates/staff/log.html", "evenboard_engine/words/catalogue.py")] == [True]
    assert [said_in("evenboard_engine/words/report_problems.py")] == [False]


def entry(text: str, *translated: str, plural: str = "", fuzzy: bool = False) -> polib.POEntry:
    many = {"msgid_plural": plural, "msgstr_plural": dict(enumerate(translated))}
    return polib.POEntry(
        msgid=text, flags=["fuzzy"] if fuzzy else [], **(many if plural else {"msgstr": translated[0]})
    )


@pytest.mark.parametrize(
    ("rule", "made", "expected"),
    [
        (GERMAN, entry("Board %(board)s", "Brett %(board)s"), []),
        (GERMAN, entry("Board", ""), ["'' is empty"]),
        (GERMAN, entry("Board", "Brett", fuzzy=True), ["is a guess (fuzzy)"]),
        (GERMAN, entry("at {time}", "um {zeit}"), ["'um {zeit}' has the names ['zeit'], not ['time']"]),
        (GERMAN, entry("Go", "Los "), ["'Los ' begins or ends with a space, unlike the English"]),
        (GERMAN, entry("<b>Go</b>", "<b>Los"), ["'<b>Los' has other HTML than the English"]),
        (
            GERMAN,
            entry("%(n)s%%", "%(n)s % Remis"),
            ["'%(n)s % Remis' has a % that begins no name; a percent sign is %%"],
        ),
        (GERMAN, entry("One game", "Eine Partie", "%(n)s Partien", plural="%(n)s games"), []),
        (GERMAN, entry("One game", "%(n)s Partie", "%(n)s Partien", plural="%(n)s games"), []),
        (GERMAN, entry("One game", "Eine Partie", plural="%(n)s games"), ["has 1 forms, not 2"]),
        (
            RUSSIAN,
            entry("One game", "%(n)s партия", "%(n)s партии", "%(n)s партий", plural="%(n)s games"),
            [],
        ),
        (
            RUSSIAN,  # the first form is also for 21
            entry("One game", "Одна партия", "%(n)s партии", "%(n)s партий", plural="%(n)s games"),
            ["'Одна партия' has the names [], not ['n']"],
        ),
    ],
)
def test_faults_of_a_translation_are_found(rule: str, made: polib.POEntry, expected: list[str]) -> None:
    assert list(problems(made, rule)) == expected


def test_only_catalogues_that_have_changed_are_compiled(tmp_path: Path, settings: LazySettings) -> None:
    settings.BASE_DIR, settings.LOCALE_PATHS = tmp_path, [tmp_path / "var" / "locale"]
    source = tmp_path / "locale" / "de" / "LC_MESSAGES" / "django.po"
    source.parent.mkdir(parents=True)
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n\n'
    compiled = []
    for text in ("Brett", "Brett", "Tisch"):
        source.write_text(f'{head}msgid "Board"\nmsgstr "{text}"\n', encoding="utf-8")
        again = compile_catalogues()
        made = polib.mofile(str(tmp_path / "var" / "locale" / "de" / "LC_MESSAGES" / "django.mo"))
        compiled.append((again, made.find("Board").msgstr))
    assert compiled == [(True, "Brett"), (False, "Brett"), (True, "Tisch")]
