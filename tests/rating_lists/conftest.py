from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from ratings import storage
from ratings.actions import importing


@pytest.fixture
def lists(transactional_db: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A directory for lists without any; what is stored of them is deleted afterwards.

    PostgreSQL drops no table that a test has read in a transaction that is open. A test elsewhere may have left a table
    there: emptying the database deletes rows only.
    """
    monkeypatch.setattr(importing, "GRACE", 0)
    with override_settings(VAR_DIR=tmp_path):
        _delete_all()
        yield tmp_path
        _delete_all()


def _delete_all() -> None:
    for table in storage.tables():
        storage.delete(table)
