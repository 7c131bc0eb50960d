"""Decodes a list: finds the encoding that the spreadsheet used."""

from __future__ import annotations

import codecs
import re
import unicodedata
from functools import partial

from charset_normalizer import from_bytes

from .reasons import FileRefused

BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
ZIP = b"PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
UTF_8 = "utf-8"
NO_TEXT = ((ZIP, "ZIP"), (OLE, ".xls"), (b"%PDF", "PDF"))
# Encodings of spreadsheets without Unicode. The first nine can be guessed; the arbiter can choose any.
ONE_BYTE = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "iso8859_2": "ISO 8859-2",
    "cp1251": "Windows-1251",
    "koi8_r": "KOI8-R",
    "koi8_u": "KOI8-U",
    "cp866": "DOS 866",
    "iso8859_5": "ISO 8859-5",
    "cp1253": "Windows-1253",
    "mac_cyrillic": "Mac Cyrillic",
    "cp1254": "Windows-1254",
    "cp1257": "Windows-1257",
    "mac_roman": "Mac Roman",
    "cp850": "DOS 850",
    "latin_1": "ISO 8859-1",
}
ENCODINGS = {UTF_8: "UTF-8", **ONE_BYTE}
_LATIN = ("cp1252", "cp1250", "iso8859_2")
_CYRILLIC = ("cp1251", "koi8_r", "koi8_u", "cp866", "iso8859_5")
_OTHER_SCRIPTS = (*_CYRILLIC, "cp1253")
_FREQUENT = frozenset("оеаинтсрвлі")
"""The letters of most words in Cyrillic. With a wrong codec, others take their place."""
SAMPLE = 16_384
_SIGN_IN_WORD = re.compile(r"[^\W\d_][^\w\s'’.,;|/()&+\"-]|[^\w\s'’.,;|/()&+\"-][^\W\d_]|[^\W\d_][¹²³¼½¾]")
_CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1f\x7f]")


def decode(data: bytes, encoding: str = "", stated: str = "") -> tuple[str, str]:
    """The text and the name of the encoding. Raises FileRefused if the bytes are not text.

    encoding: a key of `ENCODINGS`, if the arbiter has chosen one. Else a byte order mark decides, else UTF-8 if the
    bytes are valid, else `stated` (what the file says of itself), else the most likely key of `ONE_BYTE`. The preview
    shows the encoding.
    """
    for start, kind in NO_TEXT:
        if data.startswith(start):
            raise FileRefused("workbook", kind=kind)
    for mark, codec, label in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _checked(_strict(data, codec)), label
    if b"\x00" in data:
        if (wide := _utf_16(data)) is None:
            raise FileRefused("not_text")
        return _checked(_strict(data, wide)), "UTF-16"
    if encoding in ONE_BYTE:
        return _checked(_strict(data, encoding)), ONE_BYTE[encoding]
    if encoding == UTF_8:  # with a sign for what is not UTF-8, so that one wrong byte does not decide
        return _checked(data.decode(UTF_8, "replace")), ENCODINGS[UTF_8]
    try:
        return _checked(data.decode(UTF_8)), ENCODINGS[UTF_8]
    except UnicodeDecodeError:
        codec = stated if stated in ONE_BYTE and _decodes(data, stated) else _likeliest(data)
        return _checked(_strict(data, codec)), ONE_BYTE[codec]


def clean(text: str) -> str:
    """The text of a cell with composed letters and single spaces, without invisible and direction characters."""
    composed = unicodedata.normalize("NFC", text)
    visible = "".join(
        " " if unicodedata.category(char) in ("Zs", "Zl", "Zp", "Cc") else char for char in composed
    )
    return " ".join("".join(char for char in visible if unicodedata.category(char) != "Cf").split())


def _strict(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except (UnicodeDecodeError, UnicodeError) as error:
        raise FileRefused("not_text") from error


def _checked(text: str) -> str:
    """Refuse a text with more than a few control characters: it is a binary file."""
    if "\x00" in text or len(_CONTROLS.findall(text)) > 5:
        raise FileRefused("not_text")
    return text


def _utf_16(data: bytes) -> str | None:
    """Return the codec of a text of two bytes for each letter without a mark in front, None for other bytes."""
    first, second = data[0:SAMPLE:2], data[1:SAMPLE:2]
    if second.count(0) * 3 > len(second) and not first.count(0):
        return "utf-16-le"
    return "utf-16-be" if first.count(0) * 3 > len(first) and not second.count(0) else None


def _likeliest(data: bytes) -> str:
    """The one-byte codec with which the lines with letters beyond ASCII look most like names.

    Other scripts are easy to recognise. The Latin codecs share most letters; where they differ, a wrong codec puts
    signs into the middle of words (Wa\u00b3\u00easa for Wa\u0142\u0119sa). If none does, the most common one is taken.
    """
    lines = [line for line in data.splitlines() if any(byte > 0x7F for byte in line)]
    sample = b"\n".join(lines)[:SAMPLE]
    if _CONTROLS.search(sample.decode("latin-1")):
        raise FileRefused("not_text")
    candidates = [*_OTHER_SCRIPTS, *_LATIN[:2]]
    best = from_bytes(sample, cp_isolation=candidates, preemptive_behaviour=False).best()
    if best is not None and best.encoding in _CYRILLIC:
        return max((codec for codec in _CYRILLIC if _decodes(data, codec)), key=partial(_frequent, sample))
    if best is not None and best.encoding in _OTHER_SCRIPTS and _decodes(data, best.encoding):
        return best.encoding
    latin = [codec for codec in _LATIN if _decodes(data, codec)]
    return min(latin, key=lambda codec: len(_SIGN_IN_WORD.findall(sample.decode(codec))), default="latin_1")


def _frequent(sample: bytes, codec: str) -> int:
    return sum(letter in _FREQUENT for letter in sample.decode(codec, "replace").casefold())


def _decodes(data: bytes, codec: str) -> bool:
    try:
        data.decode(codec)
    except UnicodeDecodeError:
        return False
    return True
