"""The language of the person who reads a page: what `evenboard_engine.words` needs for its sentences, and its dates."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from functools import cache, lru_cache

from django.utils import formats
from django.utils.translation import get_language, gettext, ngettext

from evenboard_engine.words.catalogue import Language


def decimal_mark() -> str:
    """Return the comma or the point before the decimals."""
    return str(formats.get_format("DECIMAL_SEPARATOR"))


READER = Language(gettext, ngettext, decimal_mark)

# The parts of an English form of a date that other languages write differently (the letters are those of Django's
# `date`): b is a month of three letters in lower case, N one shortened as the
# language does it (nov., juil.), E the name of a month after a day.
_PARTS: Mapping[str, Mapping[str, str]] = {
    "de": {"j": "j.", "M": "N"},
    "es": {"j F Y": r"j \d\e F \d\e Y", "j F": r"j \d\e F", "M": "b"},
    "fr": {"M": "N"},
    "nl": {"M": "b"},
    "pl": {"M": "b", "F": "E"},
    "ru": {"M": "b", "F": "E"},
    "uk": {"M": "b", "F": "E"},
}


def date_format(value: dt.date | dt.time, form: str) -> str:
    """Return a date as the reader's language writes it: 22 Nov 2026 is 22. Nov 2026 in German. form: as in English."""
    language = get_language() or ""
    if type(value) is dt.date:  # two times of different zones may be equal and are written differently
        return _day_in(value, form, language)
    return _written(value, form, language)


@lru_cache(maxsize=2_000)  # the days of a list of events come again in each page
def _day_in(value: dt.date, form: str, language: str) -> str:
    return _written(value, form, language)


def _written(value: dt.date | dt.time, form: str, language: str) -> str:
    form = _form_in(form, language)
    if language == "fr" and isinstance(value, dt.date) and value.day == 1:
        form = form.replace("j", r"j\e\r")
    return str(
        formats.time_format(value, form) if isinstance(value, dt.time) else formats.date_format(value, form)
    )


@cache
def _form_in(form: str, language: str) -> str:
    for part, written in _PARTS.get(language, {}).items():
        if part in form:
            form = form.replace(part, written)
            if " " in part:  # the whole date
                break
    return form
