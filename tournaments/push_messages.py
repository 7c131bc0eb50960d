"""Web Push: an encrypted message for one browser (RFC 8291), signed by this server (RFC 8292), by https (RFC 8030).

A browser names an address of its maker's push service. Only services that we know get requests, so that nobody can
make the server send requests to addresses of the operator's own network.
"""

from __future__ import annotations

import json
import os
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection
from dataclasses import dataclass, field
from hashlib import sha256
from http.client import HTTPException, HTTPSConnection
from threading import local
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

CURVE = ec.SECP256R1()
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551  # of the group of the curve
RECORD = 4096
LASTS = 12 * 3600  # seconds that a signature holds; services accept a day
PATIENCE = 10  # seconds for one request
KEPT = 3600  # seconds that a service keeps a message for a phone that is off; then the round has begun
LONGEST = 500  # characters of an address
POINT, SECRET = 65, 16  # bytes of a browser's keys


@dataclass(frozen=True, slots=True)
class Receiver:
    """A browser. point: its public key. secret: known to the browser and to us."""

    endpoint: str
    point: bytes
    secret: bytes


def encoded(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def decoded(text: str) -> bytes:
    """Return the bytes. Raises ValueError if the text is not base64 for addresses."""
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def receiver(endpoint: str, point: str, secret: str, services: Collection[str]) -> Receiver | None:
    """Return the browser that sent these texts; None if one of them is not right."""
    try:
        found = Receiver(endpoint, decoded(point), decoded(secret))
        ec.EllipticCurvePublicKey.from_encoded_point(CURVE, found.point)
    except ValueError:
        return None
    right = len(found.point) == POINT and len(found.secret) == SECRET
    return found if right and is_known(endpoint, services) else None


def is_known(endpoint: str, services: Collection[str]) -> bool:
    """Return whether this is an https address of a push service. services: host names; ".x" is every name below x."""
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable() or " " in endpoint:
        return False
    try:
        parts = urlsplit(endpoint)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        return False
    if parts.scheme != "https" or port not in (None, 443) or "@" in parts.netloc or "\\" in endpoint:
        return False
    return any(host.endswith(name) if name.startswith(".") else host == name for name in services)


def encrypted(
    text: bytes, to: Receiver, *, salt: bytes | None = None, sender: ec.EllipticCurvePrivateKey | None = None
) -> bytes:
    """Return the message that only this browser can read. Salt and sender are new for each message, except in tests."""
    sender = sender or ec.generate_private_key(CURVE)
    salt = salt or os.urandom(16)
    ours = point_of(sender)
    shared = sender.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, to.point))
    secret = _derived(shared, 32, to.secret, b"WebPush: info\0" + to.point + ours)
    key = _derived(secret, 16, salt, b"Content-Encoding: aes128gcm\0")
    nonce = _derived(secret, 12, salt, b"Content-Encoding: nonce\0")
    sealed = AESGCM(key).encrypt(nonce, text + b"\2", None)
    return salt + RECORD.to_bytes(4, "big") + bytes([len(ours)]) + ours + sealed


def point_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    return key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)


def _derived(secret: bytes, length: int, salt: bytes, info: bytes) -> bytes:
    return HKDF(SHA256(), length, salt, info).derive(secret)


def signing_key(secret: str) -> ec.EllipticCurvePrivateKey:
    """Return the key that belongs to a secret of the installation."""
    number = int.from_bytes(sha256(b"push:" + secret.encode()).digest(), "big")
    return ec.derive_private_key(number % (ORDER - 1) + 1, CURVE)


def public_key(secret: str) -> str:
    """Return the key by which browsers know this server."""
    return encoded(point_of(signing_key(secret)))


@dataclass(slots=True)
class Sender:
    """Sends messages in the name of this server. contact: a mailto: or https: address of the operator.

    Each thread keeps a connection to each push service: making one takes longer than a message.
    """

    secret: str
    contact: str
    services: Collection[str]
    _signed: dict[str, tuple[float, str]] = field(default_factory=dict)
    _own: local = field(default_factory=local)
    _all: list[HTTPSConnection] = field(default_factory=list)

    def send(self, text: bytes, to: Receiver, topic: str) -> int:
        """Send a message, and return the status of the answer; 0 if there was none. No redirect is followed.

        topic: a newer message replaces an older one that still waits.
        """
        if not is_known(to.endpoint, self.services):
            return 410
        address = urlsplit(to.endpoint)
        headers = {
            "Authorization": self._signature(f"https://{address.netloc}"),
            "Content-Encoding": "aes128gcm",
            "Content-Type": "application/octet-stream",
            "TTL": str(KEPT),
            "Topic": topic,
            "Urgency": "high",
        }
        path = f"{address.path or '/'}?{address.query}" if address.query else address.path or "/"
        host = address.hostname or ""
        lines: dict[str, HTTPSConnection] = self._own.__dict__
        used = host in lines
        if not used:
            lines[host] = HTTPSConnection(host, timeout=PATIENCE)
            self._all.append(lines[host])
        try:
            try:
                return _posted(lines[host], path, encrypted(text, to), headers)
            except ConnectionError:
                if not used:
                    raise
                lines[host].close()  # the service has closed it meanwhile
                return _posted(lines[host], path, encrypted(text, to), headers)
        except (OSError, HTTPException):
            lines[host].close()
            return 0

    def close(self) -> None:
        """Close all connections."""
        for line in self._all:
            line.close()

    def _signature(self, origin: str) -> str:
        now = time.time()
        kept_until, kept = self._signed.get(origin, (0.0, ""))
        if kept_until > now:
            return kept
        key = signing_key(self.secret)
        claims = {"aud": origin, "exp": int(now) + LASTS, "sub": self.contact}
        parts = [encoded(json.dumps(part).encode()) for part in ({"typ": "JWT", "alg": "ES256"}, claims)]
        numbers = decode_dss_signature(key.sign(".".join(parts).encode(), ec.ECDSA(SHA256())))
        parts.append(encoded(b"".join(number.to_bytes(32, "big") for number in numbers)))
        header = f"vapid t={'.'.join(parts)}, k={public_key(self.secret)}"
        self._signed[origin] = (now + LASTS / 2, header)
        return header


def _posted(line: HTTPSConnection, path: str, body: bytes, headers: dict[str, str]) -> int:
    """Send a message, opening the connection if it is closed, and return the status of the answer."""
    line.request("POST", path, body, headers)
    answer = line.getresponse()
    answer.read()  # so that the next message can follow
    return answer.status
