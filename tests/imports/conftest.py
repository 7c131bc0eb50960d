from __future__ import annotations

import pytest

from tests.queries.sections import MadeSection, make_section

from .previews import identify


@pytest.fixture
def section(db: None) -> MadeSection:
    """Three players, nothing paired."""
    made = make_section({"Anna": 2000, "Bert": 1900, "Carl": 1801})
    identify(made, "Anna", name="Ibáñez, Ana", fide_id=77, birth_date="1990/05/06", federation="ESP")
    identify(made, "Bert", name="Müller, Bert", birth_date="1980")
    identify(made, "Carl", name="Weiß, Carl")
    return made
