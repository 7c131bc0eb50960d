"""A section with byes, withdrawals and forbidden pairs, and its report file."""

from __future__ import annotations

import pytest

from tests.queries.sections import MadeSection, add_bye, make_section
from tournaments.files.report_writing import tournament_report
from tournaments.models import (
    Participant,
    Section,
)

RATINGS = {"Anna": 2000, "Bert": 1900, "Carl": 1801, "Dora": 1700, "Eva": 1600, "Finn": 1500, "Gus": 1400}


def fresh(section: MadeSection) -> Section:
    return Section.objects.select_related("event").get(pk=section.row.pk)


def lines(section: MadeSection, *, for_rating: bool = False) -> list[str]:
    return tournament_report(fresh(section), for_rating=for_rating).decode().splitlines()


def starting_with(section: MadeSection, *codes: str, for_rating: bool = False) -> list[str]:
    """Return the lines with these beginnings. Those of fairness have tests of their own, and follow all others."""
    found = [line for line in lines(section, for_rating=for_rating) if line.startswith(codes)]
    return [line for line in found if not line.startswith("### Fairness")]


def rounds_of(section: MadeSection, name: str) -> str:
    tpn = section.people[name].tpn
    line = next(line for line in lines(section) if line.startswith(f"001{tpn:5} "))
    return line[89:]


@pytest.fixture
def section() -> MadeSection:
    """Return a section after 2 of 5 rounds, with an allocated bye, a forfeit, a half-point bye and a withdrawal.

    Bert and Carl have byes in later rounds.
    """
    made = make_section(
        RATINGS,
        "Anna 1-0 Dora; Eva 1/2 Bert; Carl +:- Finn; Gus U",
        "Gus 0-1 Anna; Bert 1-0 Carl; Dora 0-1/2 Eva; Finn H",
    )
    Participant.objects.filter(pk=section_key(made, "Dora")).update(status="withdrawn")
    add_bye(made, "Bert", 3, "H")
    add_bye(made, "Carl", 4, "Z")
    return made


def section_key(section: MadeSection, name: str) -> int:
    return section.people[name].pk
