"""Pages are tested on one kind of database, except those below and tests marked `both_databases` or `concurrency`.

A page reads by queries and writes by actions, and these have tests on both kinds. The walk over all addresses, as an
owner of the event, opens each view on both kinds, but does not reach every branch.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
ON_BOTH = (
    "logins/*.py",  # sessions, trials and links, which no action writes
    "test_known_sessions.py",
    "test_sign_up.py",
    "public/test_made_once*.py",  # the statements for the facts of a page, which are written once
    "public/test_shared_caches.py",
    "staff/test_log.py",  # rows of the log by time, words and values in JSON
    "staff/test_overtaken.py",
    "staff/test_presence.py",
    "staff/test_events_time_zones.py",
    "staff/test_undo.py",
    "staff/test_logins.py",  # people by parts of their names, in capitals or not
    "staff/test_people.py",
    "staff/test_searches.py",
    "staff/test_site.py",
    "staff/test_entries_leaving.py",  # what the view reads by itself
    "staff/test_results_moves.py",
    "staff/test_sections_hidden.py",
)
"""Where a page sends statements that no test of a query or an action sends."""


@pytest.hookimpl(tryfirst=True)  # before pytest leaves out what `-m` does not name
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if _is_page_of_one(item.path) and not _needs_both(item):
            item.add_marker(pytest.mark.one_database)


@cache  # for each test again, this takes each process most of a second
def _is_page_of_one(path: Path) -> bool:
    """Return whether this file is in this directory, and not in the list."""
    return HERE in path.parents and not any(path.match(str(HERE / pattern)) for pattern in ON_BOTH)


def _needs_both(item: pytest.Item) -> bool:
    return any(item.get_closest_marker(name) for name in ("both_databases", "concurrency"))


@pytest.fixture
def only_short_texts_normalized(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a long text is normalized: for many accents on one letter, the time grows with the square."""
    normalize = unicodedata.normalize

    def guarded(form: str, text: str) -> str:
        assert len(text) < 5_000
        return normalize(form, text)  # type: ignore[arg-type]

    monkeypatch.setattr(unicodedata, "normalize", guarded)
