from __future__ import annotations

import pytest

from pairing.engine import SYSTEMS
from pairing.engine.systems.round_robin.system import ROUND_ROBIN
from pairing.words.registry import SYSTEM_WORDS
from pairing.words.round_robin.words import ROUND_ROBIN_WORDS


@pytest.fixture(autouse=True)
def known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SYSTEMS, ROUND_ROBIN.code, ROUND_ROBIN)
    monkeypatch.setitem(SYSTEM_WORDS, ROUND_ROBIN.code, ROUND_ROBIN_WORDS)
