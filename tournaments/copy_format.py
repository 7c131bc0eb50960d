"""The file that holds a whole section or a whole event: JSON with a checksum and a seal (docs/copies.md).

    {"format": "evenboard-copy", "kind": "section", "version": 3, "made_at": time, "state": "...",
     "checksum": "sha256:...", "seal": {"key": "...", "hmac": "..."}, "content": {...}}

The checksum is the SHA-256 of the content in its canonical form: keys sorted, no spaces, UTF-8. Files of version 1
have neither state nor seal; in those of versions 1 and 2, each option of the pairing system stands beside the
settings. The file may be compressed with gzip.

The seal covers the head and the checksum. It is an HMAC with a key that only this server has (docs/decisions/0045).
The key is made from SECRET_KEY. After a change of SECRET_KEY, the copies of before read as those of another server,
unless the old key is in SECRET_KEY_FALLBACKS.
"""

from __future__ import annotations

import gzip
import hashlib
import hmac
import io
import json
import re
import zlib
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any, NoReturn, TypedDict

from django.conf import settings
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_noop as _

from evenboard_engine import PROGRAM
from tournaments.errors import COPY_DAMAGED, COPY_UNKNOWN, Refusal
from tournaments.models import (
    Bye,
    CheckIn,
    ForbiddenPair,
    Game,
    Incident,
    Participant,
    Player,
    PublishedList,
    Round,
    RoundFile,
)

# Refusals
COPY_NEWER = Refusal(
    "copy_newer",
    _(
        "A newer Evenboard made this copy: its format has version %(version)s, and this program reads versions up to "
        "%(known)s."
    ),
)
COPY_TOO_BIG = Refusal(
    "copy_too_big", _("The file is larger than %(limit)s MB, the most that can be loaded.")
)


# The seal of a copy: an HMAC with a key that only this server has (docs/decisions/0045).
#
# The key is made from SECRET_KEY. After a change of SECRET_KEY, the copies of before read as those of another
# server, unless the old key is in SECRET_KEY_FALLBACKS.

_PURPOSE = "tournaments.copy_seal"
COVERED = ("format", "kind", "version", "made_at", "state", "checksum")
"""The seal covers the head of the file, and with the checksum its content."""
PROGRAM_OF = "program"
"""Which version made the copy; copies of versions before 1.0 do not say it. The seal covers it where it is there."""


class CopyOrigin(StrEnum):
    """Where a copy comes from, as its seal says."""

    OWN = "own"
    CHANGED = "changed"
    OTHER = "other"
    UNSEALED = "unsealed"


class CopyMark(TypedDict):
    """How a row of the log came here: with which file, made when, loaded when and by whom. Times in UTC, "" if unknown.

    key: names the key that sealed the file; "" if none did.
    """

    file: str
    made: str
    loaded: str
    by: str
    origin: str
    key: str


def own_marks(marks: Sequence[CopyMark]) -> Sequence[CopyMark]:
    """Return the marks that this server made itself, newest last. It cannot vouch for those before them.

    The last mark is always this server's. The mark before it came with the file, and is this server's only if the file
    was.
    """
    start = len(marks)
    while start and (start == len(marks) or marks[start]["origin"] == CopyOrigin.OWN):
        start -= 1
    return marks[start:]


def main_mark(marks: Sequence[CopyMark]) -> CopyMark | None:
    """Return the mark that says most about a row: with which file it came from outside, or else the last copy."""
    own = own_marks(marks)
    if not own:
        return None
    return own[-1] if own[0]["origin"] == CopyOrigin.OWN else own[0]


def seal_of_copy(head: Mapping[str, Any]) -> dict[str, str]:
    """Return the seal for the head of a file: the name of the key, and the HMAC."""
    return {"key": key_name(settings.SECRET_KEY), "hmac": _hmac(head, settings.SECRET_KEY)}


def origin_of(file: Mapping[str, Any]) -> CopyOrigin:
    """Say where a file comes from. Its checksum fits already."""
    sealed = file.get("seal")
    if sealed is None:
        return CopyOrigin.UNSEALED
    for secret in _secrets():
        if sealed["key"] == key_name(secret):
            fits = hmac.compare_digest(sealed["hmac"].encode(), _hmac(file, secret).encode())
            return CopyOrigin.OWN if fits else CopyOrigin.CHANGED
    return CopyOrigin.OTHER


def key_name(secret: str) -> str:
    """Return the name of the key that is made from this secret. It says nothing about the key itself."""
    return salted_hmac(f"{_PURPOSE}.name", "", secret, algorithm="sha256").hexdigest()[:16]


def _secrets() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _hmac(head: Mapping[str, Any], secret: str) -> str:
    names = [*COVERED, PROGRAM_OF] if PROGRAM_OF in head else COVERED
    covered = json.dumps([head.get(name) for name in names], separators=(",", ":"))
    return salted_hmac(_PURPOSE, covered, secret, algorithm="sha256").hexdigest()


# The file that holds a whole section or a whole event: JSON with a checksum and a seal (docs/copies.md).
#
#     {"format": "evenboard-copy", "kind": "section", "version": 3, "made_at": time, "state": "...",
#      "checksum": "sha256:...", "seal": {"key": "...", "hmac": "..."}, "content": {...}}
#
# The checksum is the SHA-256 of the content in its canonical form: keys sorted, no spaces, UTF-8. The seal
# covers the head and the checksum (`tournaments.copy_format`). Files of version 1 have neither state nor
# seal; in those of versions 1 and 2, each option of the pairing system stands beside the settings. The file
# may be compressed with gzip.

FORMAT = "evenboard-copy"
VERSION = 3
UNSEALED_VERSION, FLAT_VERSION = 1, 2
SECTION, EVENT = "section", "event"
MOST_BYTES = 100_000_000
"""The largest copy, before compression. 10,000 players in 9 rounds with their log take 30 MB."""
SMALLEST_ROW = 20
"""Bytes of an object or a list, on average: a copy has about 46. 97 kB of packed empty lists took 2.8 GB of memory."""
GZIP = b"\x1f\x8b"

PARTS = {
    "players": Player,
    "participants": Participant,
    "rounds": Round,
    "games": Game,
    "byes": Bye,
    "check_ins": CheckIn,
    "forbidden_pairs": ForbiddenPair,
    "published_lists": PublishedList,
    "round_files": RoundFile,
    "incidents": Incident,
}
"""The parts of a section, in the order in which they are loaded: a row refers only to rows of earlier parts."""
ADDED_PARTS = frozenset({"published_lists", "round_files", "incidents"})
"""Parts that older files do not have."""
NAMES = {
    "player_id": "players",
    "participant_id": "participants",
    "white_id": "participants",
    "black_id": "participants",
    "first_id": "participants",
    "second_id": "participants",
    "round_id": "rounds",
}
PEOPLE = frozenset({"entered_by_id", "second_by_id", "over_by_id", "by_id", "user_id"})
"""Columns that refer to logins. The file holds the login names instead of the keys."""
LEFT_OUT = frozenset({"section_id", "event_id", "revision", "people_revision", "slug", "log_head"})
LOG = ("at", "who", "origin", "action", "round_number", "subject", "before", "after", "reason", "integrity",
       "revision", "undoes", "back_to", "user_id", "brought")  # fmt: skip
"""Columns of the log in a file. Loading seals the rows again, because a seal covers the keys of its own database."""


def pack(
    content: Mapping[str, Any],
    made_at: str,
    *,
    kind: str = SECTION,
    state: str = "",
    compressed: bool = False,
) -> bytes:
    """Return the file that holds this content, sealed. state: the newest seals of the logs, to see what has changed."""
    body = canonical(content)
    head: dict[str, Any] = {
        "format": FORMAT,
        "kind": kind,
        "version": VERSION,
        "made_at": made_at,
        "state": state,
        "checksum": checksum(body),
        PROGRAM_OF: PROGRAM,
    }
    head["seal"] = seal_of_copy(head)
    start = json.dumps(head, ensure_ascii=False)[:-1].encode()
    data = b"".join((start, b', "content": ', body, b"}\n"))
    return gzip.compress(data, compresslevel=6, mtime=0) if compressed else data


def unpack(data: bytes, most: int = 0) -> dict[str, Any]:
    """Return the file that `pack` wrote, as a dict. most: limit in bytes after decompression, by default MOST_BYTES.

    Raises DomainError: copy_unknown, copy_newer, copy_damaged, copy_too_big.
    """
    most = most or MOST_BYTES
    if data[:2] == GZIP:
        data = _unzipped(data, most + 1)
    if len(data) > most:
        raise COPY_TOO_BIG.error(limit=most // 1_000_000)
    if data.count(b"[") + data.count(b"{") > most // SMALLEST_ROW:
        raise COPY_DAMAGED.error()
    try:
        file = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except (UnicodeDecodeError, ValueError, RecursionError) as error:
        raise (COPY_DAMAGED if FORMAT.encode() in data[:200] else COPY_UNKNOWN).error() from error
    if not isinstance(file, dict) or file.get("format") != FORMAT:
        raise COPY_UNKNOWN.error()
    version = file.get("version")
    if type(version) is not int or version < 1:
        raise COPY_DAMAGED.error()
    if version > VERSION:
        raise COPY_NEWER.error(version=version, known=VERSION)
    content = file.get("content")
    try:
        whole = isinstance(content, dict) and checksum(canonical(content)) == file.get("checksum")
    except (UnicodeEncodeError, RecursionError) as error:
        raise COPY_DAMAGED.error() from error
    if not whole or file.get("kind") not in {SECTION, EVENT} or not _has_a_sound_head(file):
        raise COPY_DAMAGED.error()
    if version <= FLAT_VERSION:
        _take_options_in(file)
    return file


def _take_options_in(file: dict[str, Any]) -> None:
    """Give the content the form of today. Raises DomainError("copy_damaged")."""
    content = file["content"]
    try:
        for section in content["sections"] if file["kind"] == EVENT else (content,):
            section["section"] = _with_options(section["section"])
    except (KeyError, TypeError, AttributeError) as error:
        raise COPY_DAMAGED.error() from error


def _with_options(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a section of version 2 with their options in one column."""
    names = {name: name.removeprefix("options.") for name in settings if name.startswith("options.")}
    names |= {name: name for name in ("edition", "upfloats") if name in settings}
    others = {name: value for name, value in settings.items() if name not in names}
    return (
        {**others, "options": {option: settings[name] for name, option in names.items()}} if names else others
    )


def _has_a_sound_head(file: Mapping[str, Any]) -> bool:
    """Return whether the head is as the program writes it, or without its seal. The seal itself is not checked."""
    if file["version"] == UNSEALED_VERSION:
        return "seal" not in file
    if "seal" not in file:  # anybody can remove it
        return set(file) - {PROGRAM_OF} == {*COVERED, "content"}
    seal = file["seal"]
    return (
        isinstance(seal, dict)
        and set(seal) == {"key", "hmac"}
        and all(isinstance(value, str) and value.isascii() and len(value) <= 64 for value in seal.values())
        and set(file) - {PROGRAM_OF} == {*COVERED, "seal", "content"}
    )


def state_in_head(data: bytes) -> str:
    """Return the state in the head of a file, or "" if there is none. The beginning of the file is enough."""
    try:
        start = zlib.decompressobj(31).decompress(data[:4_096], 1_000) if data[:2] == GZIP else data[:1_000]
    except zlib.error:
        return ""
    found = re.search(rb'"state": "([0-9a-f]{64})"', start)
    return found[1].decode() if found else ""


def canonical(content: Mapping[str, Any]) -> bytes:
    """Return the canonical form of the content. Raises UnicodeEncodeError for a lone surrogate."""
    return json.dumps(content, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def checksum(body: bytes) -> str:
    return f"sha256:{hashlib.sha256(body).hexdigest()}"


def _unzipped(data: bytes, most: int) -> bytes:
    """Return at most this many bytes: a small file can decompress to a huge one."""
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            found = file.read(most)
    except (OSError, EOFError, zlib.error) as error:
        raise COPY_DAMAGED.error() from error
    return found


def _no_number(_text: str) -> NoReturn:
    raise ValueError("not a number of JSON")
