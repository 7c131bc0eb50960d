"""Two passwords are hashed at the same time, a few more wait, and all others must try again later."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Event as Flag
from threading import Lock

import pytest
from django.contrib.auth.hashers import Argon2PasswordHasher, check_password, make_password
from django.test import override_settings

from tests.waiting import LONG
from tests.web.logins.conftest import RIGHT, attempt, browser, is_in
from tournaments.actions.logins import password_hashing
from tournaments.actions.logins.password_hashing import HashingSlots, PatientArgon2PasswordHasher
from tournaments.errors import Busy
from tournaments.models import LoginTrials, User

OURS = "tournaments.actions.logins.password_hashing.PatientArgon2PasswordHasher"


class Slow:
    """A hash function that ends when the test allows it. It counts how many run at the same time."""

    def __init__(self) -> None:
        self.go, self.two_work = Flag(), Flag()
        self.working = self.most = 0
        self._lock = Lock()

    def encode(self, _hasher: object, password: str, salt: str) -> str:
        with self._lock:
            self.working += 1
            self.most = max(self.most, self.working)
            if self.working == password_hashing.AT_ONCE:
                self.two_work.set()
        assert self.go.wait(LONG)
        with self._lock:
            self.working -= 1
        return f"argon2${salt}{password}"


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Iterator[Slow]:
    slow = Slow()
    monkeypatch.setattr(Argon2PasswordHasher, "encode", lambda *given: slow.encode(*given))
    yield slow
    slow.go.set()


def test_of_twelve_guessers_two_work_three_wait_and_seven_are_asked_to_come_again(
    slow: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        password_hashing,
        "hashing_slots",
        HashingSlots(password_hashing.AT_ONCE, password_hashing.WAITING, 20),
    )
    hasher = PatientArgon2PasswordHasher()
    with ThreadPoolExecutor(12) as pool:
        tried = [pool.submit(hasher.encode, f"guess {n}", "salt") for n in range(12)]
        assert slow.two_work.wait(LONG)
        refused = []
        while len(refused) < 7:
            done = wait(tried, timeout=LONG, return_when="FIRST_COMPLETED").done
            refused = [each for each in done if isinstance(each.exception(), Busy)]
        slow.go.set()
    busy = [each for each in tried if isinstance(each.exception(), Busy)]
    assert (len(busy), slow.most) == (7, 2)


def test_person_who_waits_too_long_is_asked_to_come_again() -> None:
    places = HashingSlots(1, 1, 0.01)
    with places.one(), pytest.raises(Busy), places.one():
        pass
    with places.one():
        pass


def test_a_failed_hash_gives_its_place_back() -> None:
    places = HashingSlots(1, 0, 0.01)
    for _ in range(3):
        with pytest.raises(ZeroDivisionError), places.one():
            _ = 1 // 0


def test_login_during_a_rush_is_asked_to_come_again_and_nothing_is_counted(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override_settings(PASSWORD_HASHERS=[OURS]):
        ada.set_password(RIGHT)
        ada.save()
        full = HashingSlots(1, 0, 0.01)
        monkeypatch.setattr(password_hashing, "hashing_slots", full)
        page = browser()
        for name in ("ada", "nobody"):
            with full.one():
                answer = attempt(page, name, RIGHT)
            assert (answer.status_code, answer["Retry-After"]) == (503, "3")
            assert "Many people are logging in at this moment." in answer.text
        assert [row.failures for row in LoginTrials.objects.all()] == [0, 0]
        assert attempt(page, password=RIGHT).status_code == 302
        with full.one():
            sent = {"old_password": RIGHT, "new_password1": "x", "new_password2": "x"}
            assert page.post("/password/", sent).status_code == 503
        assert is_in(page)


def test_hashes_are_those_of_django_in_both_directions() -> None:
    with override_settings(PASSWORD_HASHERS=[OURS]):
        ours = make_password(RIGHT)
    with override_settings(PASSWORD_HASHERS=["django.contrib.auth.hashers.Argon2PasswordHasher"]):
        assert check_password(RIGHT, ours)
        theirs = make_password(RIGHT)
    with override_settings(PASSWORD_HASHERS=[OURS]):
        assert (check_password(RIGHT, theirs), check_password("other", theirs)) == (True, False)
