"""The translations: which texts each language must have (locale/complete.toml), and what can be wrong with one."""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from gettext import c2py  # type: ignore[attr-defined]  # Python's own reader of plural rules
from pathlib import Path

import polib

LOCALE = Path(__file__).resolve().parents[2] / "locale"
NAMES = re.compile(r"%\((\w+)\)[sd]|\{(\w+)\}")
TAGS = re.compile(r"</?[a-z][^>]*>|&\w+;")
TRANSLATION = re.compile(r'^(?:# .*|msgstr.*(?:\n".*)*)\n?', re.MULTILINE)
PLURAL = re.compile(r"nplurals=(\d); plural=(.*);")


@cache
def rules() -> dict[str, dict[str, object]]:
    return tomllib.loads((LOCALE / "complete.toml").read_text("utf-8"))


def languages() -> dict[str, str]:
    """Return how much each language has: none, public or all."""
    return dict(rules()["complete"])


@cache
def catalogue(language: str) -> polib.POFile:
    return polib.pofile(str(LOCALE / language / "LC_MESSAGES" / "django.po"), encoding="utf-8")


def is_public(entry: polib.POEntry) -> bool:
    """Return whether visitors, players or readers of printed lists see the text."""
    public, other = tuple(rules()["public"]["places"]), tuple(rules()["public"]["not"])
    return any(file.startswith(public) and not file.startswith(other) for file, _line in entry.occurrences)


def other_texts() -> set[str]:
    """Return all texts that are not public, with their plurals."""
    entries = [entry for entry in catalogue("de") if not is_public(entry)]
    public = {
        entry.msgid for entry in catalogue("de") if is_public(entry)
    }  # the same word in another context
    texts = {text for entry in entries for text in (entry.msgid, entry.msgid_plural) if text}
    return texts - public


def wanted(language: str) -> list[polib.POEntry]:
    """Return the entries that the language must have."""
    part = languages()[language]
    entries = [entry for entry in catalogue(language) if not entry.obsolete]
    return [] if part == "none" else [entry for entry in entries if part == "all" or is_public(entry)]


def forms(entry: polib.POEntry) -> list[str]:
    """Return the translation, or those for each form of the plural."""
    return [entry.msgstr_plural[form] for form in sorted(entry.msgstr_plural)] or [entry.msgstr]


def problems(entry: polib.POEntry, rule: str) -> Iterator[str]:
    """Yield what is wrong with a translation. rule: that for plurals, from the head of the catalogue."""
    number, expression = PLURAL.fullmatch(rule).groups()
    translated = forms(entry)
    if entry.fuzzy:
        yield "is a guess (fuzzy)"
    if len(translated) != (int(number) if entry.msgid_plural else 1):
        yield f"has {len(translated)} forms, not {number}"
        return
    chosen = _chosen(expression)
    for form, text in enumerate(translated):
        exact = (
            entry.msgid_plural and chosen[form] == 1
        )  # this form is for one number, which it need not show
        sources = [entry.msgid, entry.msgid_plural] if exact else [entry.msgid_plural or entry.msgid]
        yield from (f"{text!r} {fault}" for fault in _faults(text, sources))


@cache
def _chosen(expression: str) -> Counter[int]:
    """Return for how many of the numbers below 200 a rule for plurals chooses each form."""
    form_of = c2py(expression)
    return Counter(form_of(count) for count in range(200))


def _faults(text: str, sources: list[str]) -> Iterator[str]:
    source = sources[-1]
    if not text.strip():
        yield "is empty"
        return
    if names(text) not in [names(each) for each in sources]:
        yield f"has the names {sorted(names(text))}, not {sorted(names(source))}"
    elif "%(" in source:
        try:
            text % defaultdict(str)
        except (ValueError, TypeError):
            yield "has a % that begins no name; a percent sign is %%"
    if (text[:1].isspace(), text[-1:].isspace()) != (source[:1].isspace(), source[-1:].isspace()):
        yield "begins or ends with a space, unlike the English"
    if sorted(TAGS.findall(text)) != sorted(TAGS.findall(source)):
        yield "has other HTML than the English"


def names(text: str) -> set[str]:
    """Return the placeholders of a text: %(name)s and {name}."""
    return {first or second for first, second in NAMES.findall(text)}


def untranslated(folder: Path, language: str) -> list[str]:
    """Return what a catalogue has of each text but its translation: where it stands, its flags, its context."""
    _head, *texts = (folder / language / "LC_MESSAGES" / "django.po").read_text("utf-8").split("\n\n")
    return [TRANSLATION.sub("", text).strip() for text in texts]
