"""Codes of an app that change every 30 seconds: RFC 6238 (TOTP) over RFC 4226 (HOTP), with SHA-1 and six digits.

These are the values that every app supports. SHA-1 is no weakness here: HMAC does not need resistance to collisions.
"""

from __future__ import annotations

import hmac
from base64 import b32encode
from urllib.parse import quote, urlencode

STEP = 30
DIGITS = 6
DRIFT = 1
"""A code of one step before or after is accepted, because the clock of a phone may be wrong (RFC 6238, 5.2)."""


def hotp(secret: bytes, counter: int, digits: int = DIGITS) -> str:
    """Return the code for a counter (RFC 4226, 5.3)."""
    digest = hmac.digest(secret, counter.to_bytes(8, "big"), "sha1")
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return str(number % 10**digits).zfill(digits)


def step_at(seconds: float) -> int:
    """Return the time step of a moment in seconds since 1970 (RFC 6238, 4.2)."""
    return int(seconds) // STEP


def matching_step(secret: bytes, code: str, seconds: float, *, after: int) -> int | None:
    """Return the time step whose code this is, or None. Only steps later than `after` count, so no code works twice."""
    now = step_at(seconds)
    for step in range(now - DRIFT, now + DRIFT + 1):
        if step > after and hmac.compare_digest(hotp(secret, step).encode(), code.encode()):
            return step
    return None


def base32(secret: bytes) -> str:
    """Return the secret as people type it into an app."""
    return b32encode(secret).decode().rstrip("=")


def app_address(secret: bytes, *, issuer: str, name: str) -> str:
    """Return the otpauth: address that an app reads from the QR code."""
    label = quote(f"{issuer}:{name}", safe="")
    facts = urlencode({"secret": base32(secret), "issuer": issuer}, quote_via=quote)
    return f"otpauth://totp/{label}?{facts}"
