"""Questions before each action, in each phase: the rows of docs/warnings.md, done with the answers that they need."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.db import transaction

from tests.actions.warning_levels.known import ACTIONS, PHASES
from tests.factories import section_of
from tournaments.actions.ledger import Actor
from tournaments.errors import DomainError

pytestmark = pytest.mark.django_db


WARNINGS = Path(__file__).parents[2] / "docs" / "warnings.md"

ROWS = [
    tuple(cell.strip() for cell in line.strip("|").split("|"))[:3]
    for line in WARNINGS.read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and not line.startswith(("|---", "| Action"))
]

REFUSALS = {"1": 0, "2": 0, "3": 1, "4": 2, "5": 3}
"""How many answers are too few; at level 5 no answer helps."""


def test_table_and_tests_have_the_same_actions() -> None:
    assert {name for name, _phase, _level in ROWS} == set(ACTIONS)
    assert {name for _action, name, _level in ROWS} == set(PHASES)


@pytest.mark.parametrize(("name", "when", "level"), ROWS)
def test_action_is_asked_about_as_the_table_says(name: str, when: str, level: str, actor: Actor) -> None:
    section = section_of(7, rounds=7, initial_colour="w")
    PHASES[when](section)
    section.refresh_from_db()
    for answers in range(REFUSALS[level]):
        with pytest.raises(DomainError), transaction.atomic():
            ACTIONS[name](section, actor, answers)
    if level != "5":
        warnings = ACTIONS[name](section, actor, REFUSALS[level])
        assert level == "3" or bool(warnings) == (level == "2")
