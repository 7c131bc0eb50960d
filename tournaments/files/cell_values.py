"""Reads one cell of a list. Each function takes cleaned text that is not blank, and raises CellRefused."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Set
from datetime import date
from types import MappingProxyType

from django.utils import timezone

from base.text import by_patronymic
from evenboard_engine import Flag
from evenboard_engine.trf.codes import TITLES
from tournaments.models import Sex, Title

from .columns import ENGLISH_BIRTH, ListColumn, plain_heading, recognise, spellings_of
from .federations import FEDERATIONS, fide_code, swapped, with_name
from .list_refusals import CellRefused

MAX_FIDE_ID_DIGITS = 11
LOWEST_RATING, HIGHEST_RATING = 100, 3999
FIRST_YEAR = 1900  # of birth
MAX_NAME, MAX_TEAM, MAX_NOTE, MAX_NATIONAL_ID = 120, 32, 200, 11  # as the database holds them

_MALE = (
    "m male man mann mannlich herr h homme hombre varon masculin masculino maschio maschile mezczyzna heer jongen boy "
    "м муж мужской мужчина мальчик ч чол чоловік чоловіча чоловічий хлопець юноша"
)
_FEMALE = (
    "w f female woman weiblich frau femme feminin femenino femmina femminile mujer vrouw dame k kobieta donna d girl "
    "meisje feminino ж жен женский женщина девочка девушка жін жінка жіноча дівчина"
)
_SEX = {
    plain_heading(word): sex.value
    for sex, words in ((Sex.MALE, _MALE), (Sex.FEMALE, _FEMALE))
    for word in words.split()
}

_LONG_TITLES = {
    Title.GM: "gmi grandmaster grossmeister grandmaitre granmaestro grootmeester arcymistrz grandemaestro "
    "гм мг гроссмейстер международныйгроссмейстер гросмейстер міжнароднийгросмейстер",
    Title.IM: "mi internationalmaster internationalermeister maitreinternational maestrointernacional "
    "internationaalmeester maestrointernazionale mistrzmiedzynarodowy мм международныймастер міжнародниймайстер",
    Title.FM: "fidemaster fidemeister maitrefide maestrofide fidemeester mistrzfide мф мастерфиде майстерфіде",
    Title.CM: "candidatemaster kandidatmeister fidecandidatemaster maestrocandidato mc кмф",
    Title.WGM: "womangrandmaster womansgrandmaster womengrandmaster womensgrandmaster gmf gf жгм мгж гмж",
    Title.WIM: "womaninternationalmaster womansinternationalmaster womensinternationalmaster mif жмм ммж",
    Title.WFM: "womanfidemaster womansfidemaster womensfidemaster ff mff жмф мфж",
    Title.WCM: "womancandidatemaster womanscandidatemaster womenscandidatemaster cf mcf жкм",
    Title.NONE: "none no kein keiner keine ninguno sans aucun geen brak нет немае",
}
_TITLE_OF = {plain_heading(short): title for short, title in TITLES.items()} | {
    plain_heading(word): title.value for title, words in _LONG_TITLES.items() for word in words.split()
}
del _TITLE_OF["mf"]  # a woman's title in old report files and lists of the FFE, which have small letters
_TWO_MEANINGS = frozenset({"mf"})
MAX_OTHER_TITLE = 30

_WITH_GAMES = re.compile(r"([0-9]{3,4}) ?(?:(?:[Pp] ?|/)[0-9]{1,4}|[-–] ?[0-9]{1,3})")
_WHICH_RATING = re.compile(r"(.*[0-9]) ?([FNEfne])")
_THOUSANDS = re.compile(r"([0-9])[ .,'’]([0-9]{3})(?:[.,]0+)?")
_UNRATED = frozenset(
    {
        "",
        "unr",
        "unrated",
        "none",
        "no",
        "nc",
        "nr",
        "norating",
        "notrated",
        "notyet",
        "keine",
        "kein",
        "ohne",
        "brak",
    }
    | {
        "na",
        "new",
        "nonclasse",
        "sansclassement",
        "sinelo",
        "sinrating",
        "nonclassificato",
        "bezrankingu",
        "geen",
    }
    | {plain_heading(words) for words in ("б/р", "бр", "нет", "без рейтинга", "без рейтингу", "немає")}
)
_NO_ID = frozenset(
    {
        "none",
        "no",
        "na",
        "keine",
        "kein",
        "nein",
        "non",
        "aucun",
        "ninguno",
        "notengo",
        "geen",
        "brak",
        "nessuno",
    }
    | {plain_heading(word) for word in ("нет", "немає", "ні")}
)
_LOOK_LIKE_DIGITS = str.maketrans("lI|oOsSB", "11100558")
_NO_BYES = frozenset({"", "no", "none", "nein", "non", "nee", "nie", "keine", "0"})
_ORDER_IN_HEADING = re.compile(
    r"(\b(?:dd?|jj?|tt?|gg?|дд?)[-/. ](?:mm?|мм?)[-/. ])|\bmm?[-/. ](?:dd?|jj?|tt?)[-/. ]"
)
_YEAR_LAST = re.compile(r"(\d{1,2})([-/. ]+)(\d{1,2})[-/. ]+(\d{4})")
_ROUND_WORDS = re.compile(
    r"\b(?:rounds?|runden?|rondes?|rondas?|turn[oi]|rund[ay]|rds?|r|and|und|et|en|y|e|i)\b\.?", re.IGNORECASE
)


def name(text: str) -> str:
    """The name, with one space after the comma of "Surname, Given".

    A patronymic says which word is the surname: "Иванов Пётр Сергеевич" and "Пётр Сергеевич Иванов" are
    "Иванов, Пётр Сергеевич".
    """
    if not any(map(str.isalpha, text)) or text[0] in "=+@|" or "\ufffd" in text:
        raise CellRefused("not_a_name")
    surname, comma, given = text.partition(",")
    if not any(map(str.isalpha, surname)):
        raise CellRefused("not_a_name")
    if not comma and (known := by_patronymic(surname)):
        return at_most(known, MAX_NAME)
    joined = f"{surname.strip()}, {given.strip()}" if comma and given.strip() else surname.strip()
    return at_most(joined, MAX_NAME)


def sex(text: str, meanings: Mapping[str, str] = MappingProxyType({})) -> str:
    """The letter of `Sex`. meanings: as `sexes_of_column` gives them."""
    word = plain_heading(text)
    letter = {**_SEX, "v": Sex.FEMALE.value, **meanings}.get(word)  # Dutch v: vrouw
    if letter is None:
        raise CellRefused("sex")
    if not letter:
        raise CellRefused("sex_ambiguous")
    return letter


def sexes_of_column(column: str, texts: frozenset[str]) -> dict[str, str]:
    """Return the letters that mean another sex in this column than elsewhere, "" for one that can mean either.

    Spanish writes H/M or V/M (hombre, varón, mujer), others M/W, M/F, M/V and H/F.
    """
    words = {plain_heading(text) for text in texts}
    spanish = plain_heading(column) in {"sexo", "genero"}
    other_women = words & {"w", "f", "k"}
    if "m" in words and "h" in words:
        return {"m": "" if other_women else Sex.FEMALE.value}
    if spanish and "v" in words:
        return {"v": Sex.MALE.value, "m": "" if other_women else Sex.FEMALE.value}
    return {}


def title(text: str, national: Set[str] = frozenset()) -> str:
    """A title as in `Title`; "" for none and for titles that FIDE does not rank, which `other_title` has.

    national: as `national_titles` gives them.
    """
    word = plain_heading(text)
    if word in _TWO_MEANINGS:
        if text.isupper():  # FIDE Master in Spanish, Italian and French
            return Title.FM.value
        raise CellRefused("title")
    return Title.NONE.value if word in national else _TITLE_OF.get(word, Title.NONE.value)


def other_title(text: str, national: Set[str] = frozenset()) -> str:
    """A title that is not FIDE's, such as КМС or NM, as it is written; "" for a title of FIDE and for none."""
    word = plain_heading(text)
    known = not word or word in _TITLE_OF or word in _TWO_MEANINGS
    return "" if known and word not in national else at_most(text, MAX_OTHER_TITLE)


def national_titles(texts: Iterable[str]) -> frozenset[str]:
    """Return the words that are titles of FIDE elsewhere, and national ones beside the other titles of this column.

    Beside the Polish classes k, I and II, "m" is a master of Poland; beside the Italian 1N, "m" and "cm" are Italian.
    """
    words = {plain_heading(text) for text in texts}
    found: frozenset[str] = frozenset()
    if words & {"k", "i", "ii", "iii", "iv", "bk"}:
        found |= {"m"}
    return found | {"m", "cm"} if words & {"1n", "2n", "3n"} else found


def federation(text: str) -> str:
    """A code of FIDE. Others are refused, with the code that was probably meant where there is one."""
    code = text.upper()
    if code in FEDERATIONS:
        return code
    if hint := fide_code(text):
        raise CellRefused(
            "federation_hint", suggestion=hint if hint in FEDERATIONS else "", hint=with_name(hint)
        )
    if guess := swapped(text):
        raise CellRefused("federation_guess", suggestion=guess, hint=with_name(guess))
    raise CellRefused("federation")


def fide_id(text: str) -> int | None:
    """The number; None for 0 and for words that mean none."""
    digits = re.sub(r"[ .\u00a0']", "", re.sub(r"[.,]0$", "", text))
    if digits in ("-", "–", "0") or plain_heading(text) in _NO_ID:
        return None
    if not re.fullmatch(rf"[0-9]{{1,{MAX_FIDE_ID_DIGITS}}}", digits):
        raise CellRefused("fide_id", limit=MAX_FIDE_ID_DIGITS)
    return int(digits) or None


def has_games(text: str) -> bool:
    """Return whether a rating is followed by the number of its games, as in lists of US Chess: 1650P8, 1611/24."""
    return _WITH_GAMES.fullmatch(text) is not None


def which_rating(text: str) -> str:
    """Return which rating "1820 F" is, as in lists of the FFE: F for FIDE, N for national, E for estimated, else ""."""
    found = _WHICH_RATING.fullmatch(text)
    return found[2].upper() if found else ""


def is_unrated(text: str) -> bool:
    """Return whether a cell says in words that a player has no rating."""
    return plain_heading(text) in _UNRATED


def rating(text: str) -> int | None:
    """Elo; None for 0 and the words for unrated. A number of games, decimals and the letter of `which_rating` are left
    out, and so are spaces and signs between thousands.
    """
    if is_unrated(text):
        return None
    text = lettered[1].strip() if (lettered := _WHICH_RATING.fullmatch(text)) else text
    text = "".join(thousands.groups()) if (thousands := _THOUSANDS.fullmatch(text)) else text
    with_games = _WITH_GAMES.fullmatch(text)
    digits = with_games[1] if with_games else re.sub(r"(?<=[0-9]{3})[.,][0-9]{1,2}$|[.,]0+$", "", text)
    if _is_rating(digits):
        return int(digits) or None
    meant = digits.translate(_LOOK_LIKE_DIGITS)
    suggestion = meant if _is_rating(meant) and int(meant) else ""
    raise CellRefused("rating", suggestion=suggestion, low=LOWEST_RATING, high=HIGHEST_RATING)


def _is_rating(digits: str) -> bool:
    return bool(re.fullmatch(r"[0-9]{1,4}", digits)) and (
        int(digits) == 0 or LOWEST_RATING <= int(digits) <= HIGHEST_RATING
    )


def birth_date(text: str, *, day_first: bool | None = None) -> str:
    """As YYYY/MM/DD, with 00 for what is unknown, or YYYY alone.

    day_first: how to read 05/06/1990 and 05-06-1990; refused where that is not known, because Americans write the
    month first. With dots the day is first in every country.
    """
    if found := re.fullmatch(r"([0-9]{4})(?: ?[гр]\.?){0,2}", text):  # 2012, 2012 г.р.
        return f"{_year(int(found[1])):04d}"
    found = re.fullmatch(r"(\d{4})[-/. ](\d{1,2})[-/. ](\d{1,2})", _without_time(text))
    if found:
        return _date(int(found[1]), int(found[2]), int(found[3]))
    found = _YEAR_LAST.fullmatch(_without_time(text))
    if not found:
        raise CellRefused("birth_date")
    first, second, year = int(found[1]), int(found[3]), int(found[4])
    if "." in found[2] or first > 12 or first == second:
        return _date(year, second, first)
    if second > 12:
        return _date(year, first, second)
    if day_first is None:
        raise CellRefused("birth_date_order")
    return _date(year, second, first) if day_first else _date(year, first, second)


def day_first_in(texts: Iterable[str], heading: str = "") -> bool | None:
    """Whether a column of dates writes the day first. None if it does not show it.

    A heading such as "Born (dd/mm/yyyy)" says it, else its dates with a day over 12, else a heading in another language
    than English: only Americans write the month first.
    """
    if found := _ORDER_IN_HEADING.search(heading.casefold()):
        return found[1] is not None
    orders = {order for text in texts if (order := order_of(text)) is not None}
    if orders:
        return orders.pop() if len(orders) == 1 else None
    other_language = (
        recognise(heading) == ListColumn.BIRTH_DATE and not set(spellings_of(heading)) & ENGLISH_BIRTH
    )
    return True if other_language else None


def order_of(text: str) -> bool | None:
    """Whether this date writes the day first. None if it does not show it, or is not such a date."""
    found = _YEAR_LAST.fullmatch(_without_time(text))
    if not found:
        return None
    day, month = int(found[1]) > 12 or "." in found[2], int(found[3]) > 12
    return None if day == month else day


def has_two_readings(text: str) -> bool:
    """Whether the text is a date that day first and month first read differently."""
    return _reading(text, day_first=True) != _reading(text, day_first=False)


def _reading(text: str, *, day_first: bool) -> str:
    try:
        return birth_date(text, day_first=day_first)
    except CellRefused:
        return ""


def _without_time(text: str) -> str:
    """Spreadsheets write 1990-05-06 00:00:00."""
    return re.sub(r"[ T]\d{1,2}:\d{2}(:\d{2})?$", "", text).strip(". ")


def rounds(text: str) -> tuple[int, ...]:
    """Round numbers, ascending, each once: "2,4", "R2 and R4", "2; 4"."""
    if plain_heading(text) in _NO_BYES:
        return ()
    spread = re.sub(r"([A-Za-z])(\d)", r"\1 \2", re.sub(r"^(\d+)[.,]0$", r"\1", text))
    words = re.split(r"[,;/&+.\s]+", _ROUND_WORDS.sub(" ", spread).strip(" ,;./"))
    if not all(re.fullmatch(r"[0-9]{1,2}", word) and int(word) for word in words):
        raise CellRefused("byes")
    return tuple(sorted({int(word) for word in words}))


def team(text: str) -> str:
    return at_most(text, MAX_TEAM)


def pairing_flags(text: str) -> str:
    """What is known for the pairing: keep, new, late; each once, in alphabetical order."""
    words = {word.casefold() for word in re.split(r"[,;/\s]+", text) if word}
    if not words <= {flag.value for flag in Flag}:
        raise CellRefused("pairing_flags")
    return " ".join(sorted(words))


def note(text: str) -> str:
    return at_most(text, MAX_NOTE)


def national_id(text: str) -> str:
    return at_most(text, MAX_NATIONAL_ID)


def at_most(text: str, limit: int) -> str:
    """Return the text. Raises CellRefused if it has more letters."""
    if len(text) > limit:
        raise CellRefused("cell_too_long", limit=limit)
    return text


def _year(year: int) -> int:
    """Raises CellRefused for a year in which no player was born."""
    if year > timezone.localdate().year:
        raise CellRefused("birth_date_future")
    if year < FIRST_YEAR:
        raise CellRefused("birth_date_early", first=FIRST_YEAR)
    return year


def _date(year: int, month: int, day: int) -> str:
    _year(year)
    if month and day:
        try:
            found = date(year, month, day)
        except ValueError:
            raise CellRefused("birth_date") from None
        if found > timezone.localdate():
            raise CellRefused("birth_date_future")
    elif month > 12 or day:
        raise CellRefused("birth_date")
    return f"{year:04d}/{month:02d}/{day:02d}"
