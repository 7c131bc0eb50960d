"""What is checked before a section is closed."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from evenboard_engine import Result
from tests.factories import GameFactory, RoundFactory, section_of
from tournaments.queries.field import load_field
from tournaments.queries.sections import closing_warnings

pytestmark = pytest.mark.django_db


def test_closing_warns_of_paired_rounds_without_a_date_or_outside_the_event() -> None:
    section = section_of(2, rounds=3)
    white, black = section.participants.all()
    GameFactory(round=RoundFactory(section=section), white=white, black=black, result=Result.WHITE_WINS)
    first = section.event.start

    def found(*days: date | None) -> dict[str, int]:
        section.schedule = [day.isoformat() if day else "" for day in days]
        matters = closing_warnings(load_field(section, include_drafts=True))
        return {
            matter.code: matter.number for matter in matters if matter.code in {"undated", "dates_differ"}
        }

    assert found() == {"undated": 1}
    assert found(None, first) == {"undated": 1}
    assert found(first) == {}
    assert found(first - timedelta(days=1), None) == {"dates_differ": 1}
