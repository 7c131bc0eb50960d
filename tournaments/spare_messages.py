"""What a machine and its spare say to each other: sealed with a key that only these two have (AES-GCM, HKDF).

An answer is sealed for one question, and a question for one challenge, which counts once and for a minute. So a message
that somebody has recorded is worth nothing later, whatever the clocks of the two machines say.
"""

from __future__ import annotations

import hmac
import json
import os
import zlib
from base64 import b32encode
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

PATH = "/spare.question"
CHALLENGE = "X-Challenge"
LINES = ("http://", "https://")
"""So the address of a machine begins; any other one is a folder."""
LONGEST_QUESTION = 4_096  # bytes
NONCE = 12
FILE = "evenboard-spare.state"
"""In BACKUP_TO: the newest state."""
TERM_FILE = "evenboard-spare.term"
"""In BACKUP_TO: the term of the spare."""
TO_CONNECT = 4.0  # seconds: a machine that is off must not hold up a takeover as long as one that is slow
LETTERS = 26
DEFAULT_PAGE = 4_096


class ForgedError(Exception):
    """The message was not made with this key for this purpose."""


class SilentError(Exception):
    """The other machine did not answer. The text says why."""


def made_key(secret: str, number: str) -> str:
    """Return the key of a spare, 130 bits as letters and digits, from the server's key and a number."""
    digest = hmac.digest(secret.encode(), f"evenboard spare {number}".encode(), "sha256")
    return b32encode(digest).decode()[:LETTERS]


def as_typed(key: str) -> str:
    """Return a key as it was made, from what a person typed."""
    return "".join(letter for letter in key.upper() if letter.isalnum())


def sealed(key: str, about: str, data: bytes | bytearray) -> bytes:
    nonce = os.urandom(NONCE)
    return nonce + _cipher(key).encrypt(nonce, data, about.encode())


def opened(key: str, about: str, message: bytes) -> bytes:
    """Return what was sealed. Raises ForgedError."""
    try:
        return _cipher(key).decrypt(message[:NONCE], message[NONCE:], about.encode())
    except (InvalidTag, ValueError) as error:
        raise ForgedError from error


def _cipher(key: str) -> AESGCM:
    return AESGCM(HKDF(SHA256(), 32, salt=None, info=b"evenboard spare").derive(key.encode()))


def joined(head: Mapping[str, Any], data: bytes = b"") -> bytes:
    return json.dumps(head).encode() + b"\n" + data


def divided(message: bytes) -> tuple[dict[str, Any], bytes]:
    line, _end, data = message.partition(b"\n")
    head: dict[str, Any] = json.loads(line)
    return head, data


class SpareLine:
    """The line to the other machine. address: such as http://192.168.1.20:8000."""

    def __init__(self, key: str, address: str) -> None:
        self.key, self.address = key, address
        self._challenge = ""

    def ask(self, question: Mapping[str, Any], *, patience: float = 10.0) -> tuple[dict[str, Any], bytes]:
        """Return the head and the data of the answer. Raises SilentError, ForgedError."""
        for _ in range(3):
            challenge, self._challenge = self._challenge, ""
            body = sealed(self.key, f"question {challenge}", joined(question))
            status, answer = self._post(body, challenge, patience)
            if status == 401:
                self._challenge = answer.decode("ascii", "replace")[:200]
                continue
            if status == 403:
                raise ForgedError
            if status == 409:
                raise SilentError("this computer has that address itself")
            if status != 200:
                raise SilentError(f"status {status}")
            head, data = divided(opened(self.key, f"answer {challenge}", answer))
            self._challenge = str(head["next"])
            return head, data
        raise SilentError("no challenge")

    def _post(self, body: bytes, challenge: str, patience: float) -> tuple[int, bytes]:
        parts = urlsplit(self.address)
        kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
        try:
            line = kind(parts.hostname or "", parts.port, timeout=min(patience, TO_CONNECT))
            try:
                line.connect()
                line.sock.settimeout(patience)
                line.request(
                    "POST", PATH, body, {CHALLENGE: challenge, "Content-Type": "application/octet-stream"}
                )
                answer = line.getresponse()
                return answer.status, answer.read()
            finally:
                line.close()
        except (OSError, HTTPException, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else ""
            raise SilentError(why or str(error) or type(error).__name__) from error


# A state of the database as pages: those that differ from a former state, or all.


def page_size(state: bytes) -> int:
    """Return the size of a page, as the head of an SQLite file has it."""
    size = int.from_bytes(state[16:18], "big")
    return 65_536 if size == 1 else size or DEFAULT_PAGE


def difference(state: bytes, former: bytes | None) -> tuple[dict[str, Any], bytes]:
    """Return the pages of `state` that differ from `former`, compressed; all pages without `former`."""
    size = page_size(state)
    head: dict[str, Any] = {"size": len(state), "page": size}
    if former is None:
        return head, zlib.compress(state, 1)
    head["pages"] = [
        place // size
        for place in range(0, len(state), size)
        if state[place : place + size] != former[place : place + size]
    ]
    return head, zlib.compress(b"".join(state[page * size : (page + 1) * size] for page in head["pages"]), 1)


def changed_state(former: bytes, head: Mapping[str, Any], data: bytes) -> bytes:
    """Return the state that `difference` was made of."""
    pages = zlib.decompress(data)
    if "pages" not in head:
        return pages
    size = head["page"]
    state = bytearray(former[: head["size"]].ljust(head["size"], b"\0"))
    for place, page in enumerate(head["pages"]):
        state[page * size : (page + 1) * size] = pages[place * size : (place + 1) * size]
    return bytes(state)
