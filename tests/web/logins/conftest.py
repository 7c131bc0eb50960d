"""A clock that tests set, browsers at addresses, and logins with a known password."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from tests.factories import UserFactory
from tournaments.actions.logins import second_factor, totp
from tournaments.models import SecondFactor, User

RIGHT, WRONG = "knights-on-the-rim", "a-wrong-password"
HALL, ELSEWHERE = "192.0.2.7", "198.51.100.9"


class Clock:
    """The time of the program. It does not change until a test sets it."""

    def __init__(self) -> None:
        self.now = datetime(2026, 10, 17, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, **step: float) -> None:
        self.now += timedelta(**step)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


@pytest.fixture
def ada(db: None) -> User:
    user: User = UserFactory(username="ada", password=RIGHT)
    return user


def browser(address: str = HALL, **headers: str) -> Client:
    return Client(REMOTE_ADDR=address, **headers)


def attempt(client: Client, name: str = "ada", password: str = WRONG) -> HttpResponse:
    return client.post("/login/", {"username": name, "password": password})


def statuses(client: Client, times: int, name: str = "ada", password: str = WRONG) -> list[int]:
    return [attempt(client, name, password).status_code for _ in range(times)]


def is_in(client: Client) -> bool:
    return client.get("/account/").status_code == 200


CodeOf = Callable[[], str]


@pytest.fixture
def code_of_ada(ada: User, clock: Clock) -> tuple[CodeOf, list[str]]:
    """Turn Ada's second factor on; return what her app shows now, and her recovery codes."""
    row = second_factor.prepare(ada)
    codes = second_factor.turn_on(user=ada, code=shown(row, clock))
    clock.forward(minutes=1)
    return (lambda: shown(row, clock)), codes


def shown(row: SecondFactor, clock: Clock) -> str:
    return totp.hotp(second_factor.secret_of(row), totp.step_at(clock.now.timestamp()))
