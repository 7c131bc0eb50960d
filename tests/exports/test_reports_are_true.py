"""Every report file of a section is true: the checker finds no difference, and an import gives the same file again.

`python -m bench.reports` plays as many sections as wanted.
"""

from __future__ import annotations

import pytest

from evenboard_engine.tests.seeds import for_seeds
from tests.exports.played_sections import Arbiter
from tests.exports.report_truth import faults
from tournaments.actions.ledger import Actor
from tournaments.models import Section

# the tests of report_trf write the same rows on both databases
pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


@for_seeds(12, in_a_case=6)
def test_reports_of_a_played_section_are_true(seed: int) -> None:
    arbiter, found = Arbiter(seed, Actor.command()), []

    def look(section: Section) -> None:
        if section.is_closed or arbiter.random.random() < 0.2:
            found.extend(faults(section, Actor.command()))

    arbiter.play(look)
    assert found == []
