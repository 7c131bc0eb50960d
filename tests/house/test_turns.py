"""Turns: within one address, who has tried often waits behind others, and nobody waits without end."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from server import fair_queue as turns_module
from server.fair_queue import Recent, Turns, Waiting

HALL, ELSEWHERE = "192.0.2.7", "198.51.100.9"


class Line:
    """A fair lane without threads: requests come and are served when the test says so."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.turns = Turns(Recent())

    def asks(self, who: str, party: str = HALL) -> Waiting:
        asked = Waiting(party, who, SimpleNamespace())
        self.turns.prepare(asked)
        self.turns.add(asked)
        self.now += 0.01
        return asked

    def serve(self, number: int = 1) -> list[str]:
        served = []
        for _ in range(number):
            served.append(self.turns.take(self.turns.in_turn()[0]).who)
            self.now += 0.1
        return served


@pytest.fixture
def line(monkeypatch: pytest.MonkeyPatch) -> Line:
    line = Line()
    monkeypatch.setattr(turns_module.time, "monotonic", lambda: line.now)
    return line


def flood(line: Line, number: int, name: Callable[[int], str] = lambda n: f"flood {n}") -> None:
    """Let so many browsers ask, and be served, and ask again, each as soon as it is answered."""
    for n in range(number):
        line.asks(name(n))
    for _ in range(3 * number):
        [served] = line.serve()
        line.asks(served)


def test_a_browser_that_has_not_tried_goes_before_two_hundred_that_try_again_and_again(line: Line) -> None:
    flood(line, 200)
    line.asks("phone")
    assert line.serve() == ["phone"]


def test_a_browser_that_has_tried_once_goes_before_those_that_have_tried_more(line: Line) -> None:
    flood(line, 200)
    line.asks("phone")
    line.serve()
    line.asks("phone")
    assert "phone" in line.serve(40)


def test_browsers_without_a_cookie_are_one_browser_that_tries_often(line: Line) -> None:
    flood(line, 40, lambda _n: "")
    line.asks("phone")
    assert line.serve() == ["phone"]


def test_among_new_browsers_the_first_is_served_first(line: Line) -> None:
    for who in ("a", "b", "c"):
        line.asks(who)
    assert line.serve(3) == ["a", "b", "c"]


def test_browser_that_was_sent_away_keeps_its_place(line: Line) -> None:
    asked = line.asks("phone")
    for n in range(100):
        line.asks(f"new {n}")
    line.turns.remove(asked)
    line.now += 30
    line.asks("phone")
    assert line.serve(2) == ["phone", "new 0"]
    line.asks("phone")
    assert line.serve() == ["new 1"]


def test_browsers_without_a_cookie_keep_no_place(line: Line) -> None:
    asked = line.asks("")
    line.turns.remove(asked)
    line.now += 30
    line.asks("new")
    line.asks("")
    assert line.serve(2) == ["new", ""]


def test_what_a_browser_did_is_forgotten_after_ten_minutes(line: Line) -> None:
    line.asks("phone")
    line.serve()
    line.now += 601
    line.asks("phone")
    line.asks("new")
    assert line.serve(2) == ["phone", "new"]


def test_new_browsers_without_end_keep_nobody_out(line: Line) -> None:
    """Each attempt has a new cookie. A person who has mistyped once waits twenty seconds longer, and then is next."""
    line.asks("mistyped")
    line.serve()
    line.asks("mistyped")
    served = []
    for n in range(250):
        line.asks(f"new {n}")
        served += line.serve()
    assert 150 < served.index("mistyped") < 200


def test_addresses_take_turns_however_many_browsers_one_has(line: Line) -> None:
    for n in range(50):
        line.asks(f"flood {n}", ELSEWHERE)
    line.asks("phone")
    assert line.serve(2) == ["flood 0", "phone"]


def test_the_number_of_browsers_that_are_remembered_is_limited(
    line: Line, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns_module, "REMEMBERED", 5)
    line.turns = Turns(Recent())
    for n in range(8):
        line.asks(f"browser {n}")
        line.serve()
    recent = line.turns._recent
    assert recent is not None
    assert [who for (_party, who), _record in recent._records.items()] == [
        f"browser {n}" for n in range(3, 8)
    ]
