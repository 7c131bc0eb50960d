"""Requests to the API: with a token, versions, and keys that make it safe to send a request again."""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlencode, urljoin, urlsplit
from urllib.request import Request, urlopen

TRIES = 4
LONGEST = 30.0  # seconds for an answer
AGAIN = frozenset({429, 503})


class RefusedError(Exception):
    """The server refused a request, and did nothing. problem: its answer (RFC 9457)."""

    def __init__(self, problem: dict[str, Any]) -> None:
        super().__init__(problem.get("detail", ""))
        self.problem = problem
        self.code = str(problem.get("code", ""))


class UnreachableError(Exception):
    """The server did not answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """tag: the version of what was read."""

    content: Any
    tag: str


class Api:
    """address: of the server, such as https://chess.example."""

    def __init__(self, address: str, token: str) -> None:
        if not address.startswith(("http://", "https://")):
            raise ValueError(address)
        self._base = address.rstrip("/") + "/api/v1/"
        self._token = token

    def get(self, path: str, **query: object) -> Any:
        """Return what is at an address below /api/v1/."""
        return self.read(path, **query).content

    def read(self, path: str, **query: object) -> Reply:
        """Return what is at an address, with its version."""
        asked = urlencode({name: value for name, value in query.items() if value is not None})
        return self._send("GET", f"{path}?{asked}" if asked else path, None, {})

    def every(self, path: str, **query: object) -> Iterator[Any]:
        """Yield the rows of a list, page by page."""
        page = self.get(path, page_size=200, **query)
        while True:
            yield from page["results"]
            if page["next"] is None:
                return
            page = self._send("GET", f"{path}?{urlsplit(page['next']).query}", None, {}).content

    def post(self, path: str, body: dict[str, Any] | None = None, *, tag: str = "") -> Any:
        """Do something once, even if the answer is lost and the request is sent again. tag: what was seen."""
        return self._send("POST", path, body or {}, {"If-Match": tag} if tag else {}).content

    def change(self, method: str, path: str, body: dict[str, Any] | None, *, tag: str) -> Any:
        """PUT, PATCH or DELETE what was seen."""
        return self._send(method, path, body, {"If-Match": tag}).content

    def _send(self, method: str, path: str, body: Any, headers: dict[str, str]) -> Reply:
        data = None if body is None else json.dumps(body).encode()
        sent = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json", **headers}
        if method != "GET":
            sent["Idempotency-Key"] = str(uuid.uuid4())
        for attempt in range(1, TRIES + 1):
            request = Request(urljoin(self._base, path), data, sent, method=method)  # noqa: S310 - http or https
            try:
                with urlopen(request, timeout=LONGEST) as answer:  # noqa: S310 - see above
                    content = answer.read()
                    return Reply(json.loads(content) if content else None, answer.headers.get("ETag", ""))
            except HTTPError as error:
                with error:
                    problem = _problem(error)
                if error.code not in AGAIN or attempt == TRIES:
                    raise RefusedError(problem) from error
                time.sleep(float(error.headers.get("Retry-After") or 1))
            except (URLError, TimeoutError, ConnectionError) as error:
                # with the same key, what was done is not done again
                if attempt == TRIES:
                    raise UnreachableError(str(error)) from error
                time.sleep(attempt)
        raise AssertionError("the loop returns or raises")


def _problem(error: HTTPError) -> dict[str, Any]:
    content = error.read()
    try:
        found = json.loads(content)
    except ValueError:
        found = None
    return found if isinstance(found, dict) else {"detail": f"{error.code} {error.reason}"}
