"""A name in another script: the Latin spellings that passports, FIDE and the press of several countries give it.

static/js/spelling.js has the same tables and does the same in the browser.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from base.text import folded

# The letters as FIDE writes them. Each of SCHEMES lists what differs from these; some have pairs of letters too.
CYRILLIC = {
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "ђ": "dj", "ѓ": "gj", "е": "e", "ё": "e", "є": "e",
    "ж": "zh", "з": "z", "ѕ": "dz", "и": "i", "і": "i", "ї": "i", "й": "y", "ј": "j", "к": "k", "л": "l", "љ": "lj",
    "м": "m", "н": "n", "њ": "nj", "о": "o", "п": "p", "р": "r", "с": "s", "т": "t", "ћ": "c", "ќ": "kj", "у": "u",
    "ў": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "џ": "dz", "ш": "sh", "щ": "shch", "ъ": "", "ы": "y", "ь": "",
    "э": "e", "ю": "yu", "я": "ya",
}  # fmt: skip
SCHEMES: tuple[dict[str, str], ...] = (
    {},  # FIDE and English
    {"ий": "y", "ый": "y", "ё": "yo", "кс": "x"},  # the press: -sky, Alexander
    {"й": "i", "ю": "iu", "я": "ia", "ъ": "ie"},  # passports
    {"г": "h", "и": "y", "ї": "i", "є": "ie", "й": "i", "ю": "iu", "я": "ia", "ъ": "a", "щ": "shch"},  # Ukrainian
    {"ж": "z", "й": "j", "х": "h", "ц": "c", "ч": "c", "ш": "s", "щ": "sc", "ю": "ju", "я": "ja"},  # Serbian
    {"ж": "z", "й": "j", "х": "h", "ц": "c", "ч": "c", "ш": "s", "щ": "s", "ю": "u", "я": "a"},  # ISO 9
    {
        "в": "w", "ж": "sch", "з": "s", "й": "i", "х": "ch", "ц": "z", "ч": "tsch", "ш": "sch", "щ": "schtsch",
        "ю": "ju", "я": "ja",
    },  # German
    {"ж": "j", "й": "i", "ч": "tch", "ш": "ch", "щ": "chtch", "у": "ou", "ю": "iou", "я": "ia"},  # French
    {
        "в": "w", "ж": "z", "й": "j", "х": "ch", "ц": "c", "ч": "cz", "ш": "sz", "щ": "szcz", "ю": "ju", "я": "ja",
    },  # Polish
    {"щ": "sht", "ъ": "a"},  # Bulgarian
)  # fmt: skip
INITIAL = {"е": "ye", "є": "ye", "ї": "yi", "й": "y", "ю": "yu", "я": "ya"}
"""At the beginning of a word, as a second way of each scheme: Yevgeny, Yurii."""
OTHER = {
    # Greek
    "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k", "λ": "l",
    "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y", "φ": "f",
    "χ": "ch", "ψ": "ps", "ω": "o",
    "ου": "ou", "αυ": "av", "ευ": "ev", "μπ": "b", "ντ": "nt", "γκ": "gk", "γγ": "ng",
    # Georgian
    "ა": "a", "ბ": "b", "გ": "g", "დ": "d", "ე": "e", "ვ": "v", "ზ": "z", "თ": "t", "ი": "i", "კ": "k", "ლ": "l",
    "მ": "m", "ნ": "n", "ო": "o", "პ": "p", "ჟ": "zh", "რ": "r", "ს": "s", "ტ": "t", "უ": "u", "ფ": "p", "ქ": "k",
    "ღ": "gh", "ყ": "q", "შ": "sh", "ჩ": "ch", "ც": "ts", "ძ": "dz", "წ": "ts", "ჭ": "ch", "ხ": "kh", "ჯ": "j",
    "ჰ": "h",
    # Armenian
    "ա": "a", "բ": "b", "գ": "g", "դ": "d", "ե": "e", "զ": "z", "է": "e", "ը": "y", "թ": "t", "ժ": "zh", "ի": "i",
    "լ": "l", "խ": "kh", "ծ": "ts", "կ": "k", "հ": "h", "ձ": "dz", "ղ": "gh", "ճ": "ch", "մ": "m", "յ": "y", "ն": "n",
    "շ": "sh", "ո": "o", "չ": "ch", "պ": "p", "ջ": "j", "ռ": "r", "ս": "s", "վ": "v", "տ": "t", "ր": "r", "ց": "ts",
    "ւ": "v", "փ": "p", "ք": "k", "և": "ev", "օ": "o", "ֆ": "f", "ու": "u",
}  # fmt: skip
GREEK = {
    "β": "b",
    "η": "e",
    "υ": "i",
    "φ": "ph",
    "χ": "h",
    "γκ": "g",
    "ντ": "d",
    "ου": "u",
    "ευ": "ef",
    "αυ": "af",
}
"""A second way of Greek, nearer to the sound or to the letters."""
NASALS = {"ą": "on", "ę": "en", "ąb": "omb", "ąp": "omp", "ęb": "emb", "ęp": "emp"}
"""Polish vowels as other languages write their sound."""

# Spellings that sound alike in one language or another become the same. The order matters.
SOUNDS = (
    ("schtsch|shch|chtch|szcz", "s"),
    ("tsch|tch|cz|ch", "c"),
    ("sch|sh|sz", "s"),
    ("zh|rz", "z"),
    ("ts|tz", "c"),
    ("kh|gh|g", "h"),
    ("ph", "f"),
    ("th", "t"),
    ("ck|q", "k"),
    ("x", "ks"),
    ("w", "v"),
    ("ou", "u"),
    ("[yj]", "i"),
    ("([aou])e", r"\1"),
    (r"(.)\1+", r"\1"),
    ("^ie", "e"),
    ("([csz])kaia$", r"\1ka"),
)
_WORD = re.compile(r"[^\W\d_]+")
_SOUNDS = tuple((re.compile(pattern), to) for pattern, to in SOUNDS)


def _written(word: str, table: dict[str, str]) -> str:
    out = []
    at = 0
    while at < len(word):
        pair = word[at : at + 2]
        size = 2 if len(pair) == 2 and pair in table else 1
        out.append(table.get(word[at : at + size], word[at]))
        at += size
    return "".join(out)


@lru_cache(maxsize=20_000)
def spellings(word: str) -> tuple[str, ...]:
    """Return the Latin spellings of a word in small letters, without repetition. A word in Latin letters has none,
    except one with nasal vowels.
    """
    if word.isascii():
        return ()
    if "ą" in word or "ę" in word:
        return folded(word), folded(_written(word, NASALS))
    word = "".join(letter if letter in CYRILLIC else folded(letter) for letter in word)
    if not any(letter in CYRILLIC or letter in OTHER for letter in word):
        return ()
    found = [_written(word, CYRILLIC | OTHER | scheme) for scheme in SCHEMES]
    if word[0] in INITIAL:
        found += [INITIAL[word[0]] + _written(word[1:], CYRILLIC | scheme) for scheme in SCHEMES]
    found.append(_written(word, CYRILLIC | OTHER | GREEK))
    return tuple(dict.fromkeys(found))


def in_latin(text: str) -> bool:
    """Return whether all letters of a text are Latin ones."""
    return all(unicodedata.name(sign, "").startswith("LATIN") for sign in text if sign.isalpha())


def latin_form(name: str) -> str:
    """Return a name in Latin letters as FIDE spells it; "" for a name in Latin letters, or if a letter is not known."""
    if in_latin(name):
        return ""
    found = _WORD.sub(lambda word: _latin_word(word[0]), unicodedata.normalize("NFC", name))
    return found if in_latin(found) else ""


def _latin_word(word: str) -> str:
    ways = () if in_latin(word) else spellings(word.lower())
    return ways[0].capitalize() if ways else word


def words_of(text: str) -> list[str]:
    """Return the words of a text in small letters with their accents."""
    signs = unicodedata.normalize("NFC", text.lower())
    parted = "".join(sign if unicodedata.category(sign)[0] in "LMN" else " " for sign in signs)
    return [word for word in parted.split() if folded(word)]


@lru_cache(maxsize=20_000)
def sounds(word: str) -> tuple[str, ...]:
    """Return how a word in small Latin letters may sound, in rough classes: Hryhorii and Grigorij are the same."""
    ways = [word, word.replace("ch", "h")]
    for pattern, to in _SOUNDS:
        ways = [pattern.sub(to, way) for way in ways]
    return tuple(dict.fromkeys(ways))
