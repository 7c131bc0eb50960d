"""Days in report files. The format writes 2026/12/31; other ways are read where only one day can be meant."""

from __future__ import annotations

import re
from datetime import date

_USUAL = r"([0-9]{4})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})"
_SHORT = r"([0-9]{2})[/.-]([0-9]{1,2})[/.-]([0-9]{1,2})"
_YEAR_LAST = r"([0-9]{1,2})[/.-]([0-9]{1,2})[/.-]([0-9]{4})"
_NUMBER = r"([0-9]{1,4})(?:st|nd|rd|th|er|º|ª)?"
_FILLERS = frozenset({"of", "de", "del"})
_MONTHS = (
    "january januar janvier enero januari styczeń stycznia январь января січень січня gennaio janeiro",
    "february februar février fevrier febrero februari luty lutego февраль февраля лютий лютого febbraio fevereiro",
    "march märz maerz mars marzo maart marzec marca март марта березень березня março",
    "april avril abril kwiecień kwietnia апрель апреля квітень квітня aprile",
    "may mai mayo mei maj maja май мая травень травня maggio maio",
    "june juni juin junio czerwiec czerwca июнь июня червень червня giugno junho",
    "july juli juillet julio lipiec lipca июль июля липень липня luglio julho",
    "august août aout agosto augustus sierpień sierpnia август августа серпень серпня",
    "september septembre septiembre wrzesień września сентябрь сентября вересень вересня settembre setembro",
    "october oktober octobre octubre październik października октябрь октября жовтень жовтня ottobre outubro",
    "november novembre noviembre listopad listopada ноябрь ноября листопад листопада novembro",
    "december dezember décembre decembre diciembre grudzień grudnia декабрь декабря грудень грудня dicembre dezembro",
)
"""The months in the languages of the program, in Italian and in Portuguese. The beginning of a name is read too."""


def is_usual(text: str, *, short_year: bool = False) -> bool:
    """Return whether a day is written as the format writes it, whatever the calendar says. short_year: as 132 does."""
    return bool(re.fullmatch(_USUAL, text.strip()) or (short_year and re.fullmatch(_SHORT, text.strip())))


def read_day(text: str, *, short_year: bool = False) -> date | None:
    """Return the day of a text; None if it is no day, or if two different days can be meant.

    2026/12/31 and 2026-12-31 are the usual forms, and with `short_year` 26/12/31 (record 132). 21/07/2025 is one day,
    while 05/07/2025 can be in May or in July. A month with a name is read in any order: "Dec 10, 2020", "10-Dec-2020".
    """
    text = text.strip()
    if found := re.fullmatch(_USUAL, text):
        return day_of(*map(int, found.groups()))
    if short_year and (found := re.fullmatch(_SHORT, text)):
        return day_of(2000 + int(found[1]), int(found[2]), int(found[3]))
    if found := re.fullmatch(_YEAR_LAST, text):
        first, second, year = map(int, found.groups())
        days = {day_of(year, second, first), day_of(year, first, second)} - {None}
        return days.pop() if len(days) == 1 else None
    return _named(text)


def _named(text: str) -> date | None:
    """Return the day of a text in which the month has a name."""
    words = [word for word in re.split(r"[\s,./-]+", text.casefold()) if word and word not in _FILLERS]
    months = [month for word in words if (month := _month(word))]
    numbers = [int(found[1]) for word in words if (found := re.fullmatch(_NUMBER, word))]
    if len(words) != 3 or len(months) != 1 or len(numbers) != 2:
        return None
    years = [number for number in numbers if number > 999]
    days = [number for number in numbers if number <= 31]
    return day_of(years[0], months[0], days[0]) if years and days else None


def _month(word: str) -> int:
    """Return the month that a name of at least three letters begins, 0 if it begins none or several."""
    if len(word) < 3 or not word.isalpha():
        return 0
    found = {
        month
        for month, names in enumerate(_MONTHS, start=1)
        if any(name.startswith(word) for name in names.split())
    }
    return found.pop() if len(found) == 1 else 0


def day_of(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
