from __future__ import annotations

import pytest

from tests.factories import UserFactory
from tournaments.actions.ledger import Actor


@pytest.fixture
def actor(db: None) -> Actor:
    """An arbiter at a browser, who may do everything in every event."""
    return Actor(user=UserFactory(username="arbiter", is_superuser=True), origin="192.0.2.1")
