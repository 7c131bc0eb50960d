from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import override_settings

from ratings import storage


@pytest.fixture
def lists(transactional_db: None, tmp_path: Path) -> Iterator[Path]:
    """A directory for lists; what is stored of them is deleted afterwards.

    PostgreSQL drops no table that a test has read in a transaction that is open.
    """
    with override_settings(VAR_DIR=tmp_path):
        yield tmp_path
        for table in storage.tables():
            storage.delete(table)
