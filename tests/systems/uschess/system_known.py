"""Registers US Chess pairing for a while, wherever it is not registered yet."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from pairing.engine import SYSTEMS
from pairing.engine.systems.uschess.system import US_CHESS
from pairing.words.registry import SYSTEM_WORDS
from pairing.words.uschess.words import US_CHESS_WORDS


@contextmanager
def us_chess_known() -> Iterator[None]:
    code = US_CHESS.code
    with patch.dict(SYSTEMS, {code: US_CHESS}), patch.dict(SYSTEM_WORDS, {code: US_CHESS_WORDS}):
        yield
