"""The cookie by which a browser shows that it has logged in under a name before.

It is signed and opens nothing: it only says whose failed attempts count (tournaments/actions/login_trials.py), and
whose turn it is when many log in (server/fair_queue.py). A browser gets it, without any name, with the form to log
in.
"""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse

from base.networks import address_of
from tournaments.actions.login_trials import Source, name_key

COOKIE = "evenboard-device"
SALT = "tournaments.device"
LIFETIME = timedelta(days=365)
VISIT = timedelta(hours=12)
MOST_NAMES = 8


def source_of(request: HttpRequest, name: str) -> Source:
    """Return where an attempt with this name comes from."""
    device, names = _read(request.COOKIES.get(COOKIE, ""))
    known = device if name_key("device", name) in names else ""
    return Source(address=address_of(request), device=known)


def remember_device(request: HttpRequest, answer: HttpResponse, name: str) -> None:
    """Let the browser keep that it has logged in under this name."""
    device, names = _read(request.COOKIES.get(COOKIE, ""))
    key = name_key("device", name)
    kept = [key, *(other for other in names if other != key)][:MOST_NAMES]
    _give(answer, device or secrets.token_hex(16), kept, LIFETIME)


def greet_device(request: HttpRequest, answer: HttpResponse) -> None:
    """Let a browser without the cookie have one, so that its form is told from those of others at its address."""
    if not browser_in(request.COOKIES.get(COOKIE, "")):
        _give(answer, secrets.token_hex(16), [], VISIT)


def device_in(cookie: str) -> str:
    """Return the browser that has this cookie if it has logged in before, "" if not or if we did not sign it."""
    device, names = _read(cookie)
    return device if names else ""


def browser_in(cookie: str) -> str:
    """Return the browser that has this cookie, "" if we did not sign it."""
    return _read(cookie)[0]


def _give(answer: HttpResponse, device: str, names: list[str], lifetime: timedelta) -> None:
    answer.set_cookie(
        COOKIE,
        signing.dumps([device, names], salt=SALT),
        max_age=lifetime,
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def _read(cookie: str) -> tuple[str, list[str]]:
    try:
        device, names = signing.loads(cookie, salt=SALT, max_age=LIFETIME)
    except signing.BadSignature:
        return "", []
    return device, names
