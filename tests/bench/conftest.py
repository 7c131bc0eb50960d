from __future__ import annotations

from pathlib import Path

import pytest

from tests.migrated import migrated_copy


@pytest.fixture
def migrated(tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a database of SQLite with all migrations, for servers that begin with a copy of it."""
    migrated_copy(tmp_path / "migrated.sqlite3", tmp_path_factory)
    return tmp_path / "migrated.sqlite3"
