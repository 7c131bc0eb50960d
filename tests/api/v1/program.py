"""A program that uses the API with a token."""

from __future__ import annotations

import json
from collections.abc import Collection
from datetime import timedelta
from itertools import count
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tournaments.actions.ledger import Actor
from tournaments.actions.programs import make_token
from tournaments.models import Event, Scope, User

_keys = count()


class Program:
    """Sends requests with a token. Each POST has a new key, unless the test gives one."""

    def __init__(
        self, user: User, event: Event | None, scopes: Collection[str] = tuple(Scope.values)
    ) -> None:
        self.made, self.text = make_token(
            actor=Actor(user),
            event=event,
            name="results.example",
            scopes=scopes,
            expires_at=timezone.now() + timedelta(days=1),
        )
        self.client = Client()

    def send(
        self, method: str, path: str, body: Any = None, *, seen: str = "", key: str = "", **headers: str
    ) -> HttpResponse:
        headers = {"Authorization": f"Bearer {self.text}", **headers}
        if seen:
            headers["If-Match"] = seen
        if method == "POST":
            headers["Idempotency-Key"] = key or f"key {next(_keys)}"
        data = body if isinstance(body, bytes) else json.dumps(body) if body is not None else ""
        return self.client.generic(
            method, f"/api/v1/{path}", data, content_type="application/json", headers=headers
        )

    def get(self, path: str, **headers: str) -> Any:
        answer = self.send("GET", path, **headers)
        assert answer.status_code == 200, answer.content
        return answer.json()

    def done(self, method: str, path: str, body: Any = None, **more: str) -> Any:
        """Do what must go well, with the version of now."""
        answer = self.send(method, path, body, **more)
        assert answer.status_code in (200, 201, 204), (path, answer.content)
        return answer.json() if answer.content else None

    def agreed(self, method: str, path: str, body: Any = None, **more: str) -> Any:
        """Do what must go well, and say yes to each question."""
        given: list[str] = []
        while True:
            query = f"{'&' if '?' in path else '?'}confirm={','.join(given)}"
            in_body = isinstance(body, dict)
            answer = self.send(
                method,
                path if in_body or not given else path + query,
                {**body, "confirm": given} if in_body else body,
                **more,
            )
            if answer.status_code not in (409, 422) or "confirm" not in answer.json():
                assert answer.status_code in (200, 201, 204), (path, answer.content)
                return answer.json() if answer.content else None
            given.append(answer.json()["confirm"])
            assert len(given) < 4

    def tag(self, path: str) -> str:
        return self.send("GET", path)["ETag"]
