"""Keep lines out of the console that anybody could cause without end, and say which request a line is about."""

from __future__ import annotations

import io
import logging
import re
import sys
from contextvars import ContextVar
from time import monotonic

HOUR = 3600.0
MINUTE = 60.0
SECRET_PATHS = re.compile(r"(/-/entry(?:-address)?/)[^/\s?'\"]+")
"""Addresses with the secret of a personal link."""
SECURITY = "django.security"
CSRF = "django.security.csrf"
OF_THE_SETTINGS = ("Origin checking failed", "Referer checking failed")
"""These refusals can mean that HTTPS or CSRF_TRUSTED_ORIGINS is wrong. Other ones mean a program or an old page."""


def write_every_letter() -> None:
    """Write letters that the console does not have as codes. A file of Windows has only those of one code page."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
"""The number of the request that this thread answers, "" outside of requests. The answer has it in X-Request-ID."""


class NamesRequest(logging.Filter):
    """Add the number of the request to every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        number = REQUEST_ID.get()
        vars(record).update(request_id=number or None, of_request=f" (request {number})" if number else "")
        return True


class RefusalsOnceAnHour(logging.Filter):
    """Let each kind of refused request through once an hour, and missing CSRF tokens never.

    The answer to the request explains the refusal.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, float] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.name.startswith(SECURITY):
            return True
        kind = record.name
        if kind == CSRF:
            message = record.getMessage()
            kind = next((reason for reason in OF_THE_SETTINGS if reason in message[:60]), "")
            if not kind:
                return False
        now = monotonic()
        if now - self.last.get(kind, -HOUR) < HOUR:
            return False
        self.last[kind] = now
        return True


class WithoutSecrets(logging.Filter):
    """Leave the secrets of personal links out of every line."""

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if "/-/entry" in message:
            record.msg, record.args = SECRET_PATHS.sub(r"\1...", message), ()
        return True


class OutagesInOneLine(logging.Filter):
    """Write one line a minute with the cause of an outage of the machine, in place of a traceback for each request.

    The next line says how many were left out.
    """

    def __init__(self) -> None:
        super().__init__()
        self.last: dict[str, tuple[float, int]] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if error is None:
            return True
        from server.failures import failure_of  # needs the settings, which are read after this module

        failure = failure_of(error)
        if failure is None:
            return True
        now = monotonic()
        at, left_out = self.last.get(failure.code, (-MINUTE, 0))
        if now - at < MINUTE:
            self.last[failure.code] = at, left_out + 1
            return False
        self.last[failure.code] = now, 0
        more = f" ({left_out} more since the last line)" if left_out else ""
        record.msg = f"{failure.code}: {type(error).__name__}: {' '.join(str(error).split())}{more}"
        record.args, record.exc_info, record.exc_text = (), None, None
        return True
