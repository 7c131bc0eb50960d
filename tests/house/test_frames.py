"""Calls inside calls do not ask the system for memory again and again, wherever a loop begins."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from server import frames
from server.chores import Chores
from server.frames import with_room
from server.priority_queues import Lanes
from tests.house.serving import lane

DEEPEST = 400  # calls; a page of an arbiter is rendered 250 calls deep
TIMES = 300


def _small() -> None: ...


def _faults_at(depth: int) -> int:
    """Return how many new pages of memory a loop gets from the system that begins this many calls deep."""
    from resource import RUSAGE_THREAD, getrusage

    if depth:
        return _faults_at(depth - 1)
    before = getrusage(RUSAGE_THREAD).ru_minflt
    for _ in range(TIMES):
        _small()
    return getrusage(RUSAGE_THREAD).ru_minflt - before


def _in_thread(target: Callable[[], None]) -> None:
    thread = threading.Thread(target=target)
    thread.start()
    thread.join()


@pytest.mark.skipif(sys.platform != "linux", reason="counts what Linux counts")
def test_no_depth_of_calls_is_slow() -> None:
    found: list[int] = []
    _in_thread(lambda: with_room(lambda: found.extend(map(_faults_at, range(DEEPEST)))))
    assert len(found) == DEEPEST
    assert [faults for faults in found if faults >= TIMES] == []


def _is_with_room() -> bool:
    frame = sys._getframe()
    while frame and frame.f_code is not with_room.__code__:
        frame = frame.f_back
    return frame is not None


def test_the_server_s_threads_and_chores_have_room(monkeypatch: pytest.MonkeyPatch) -> None:
    found: list[bool] = []
    monkeypatch.setattr(Lanes, "_next", lambda *_: found.append(_is_with_room()))
    monkeypatch.setattr(Chores, "_work", lambda *_: found.append(_is_with_room()))
    running = Lanes([lane("arbiters", 2, room=100)], lambda _: "arbiters")
    for thread in threading.enumerate():
        if thread.name.startswith("arbiters-"):
            thread.join()
    running.shutdown()
    chores = Chores()
    chores.start()
    chores.stop()
    assert found == [True] * 3


def test_an_interpreter_that_refuses_such_a_frame_starts_the_server_all_the_same() -> None:
    """CPython refuses a negative size, as another interpreter may refuse the large one."""
    source = Path(frames.__file__).read_text(encoding="utf-8").replace("SLOTS = 66_000", "SLOTS = -1")
    read: dict[str, Any] = {"__name__": "server.frames"}
    exec(compile(source, frames.__file__, "exec"), read)  # noqa: S102 - the own module
    assert read["SLOTS"] == -1
    assert read["with_room"](divmod, 7, 2) == (3, 1)


def test_answers_and_errors_pass_through() -> None:
    assert with_room(divmod, 7, 2) == (3, 1)
    with pytest.raises(ZeroDivisionError):
        with_room(divmod, 7, 0)
