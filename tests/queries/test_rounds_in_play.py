"""Test the estimate of the end of a round. There is one only if earlier rounds give a duration."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.queries.sections import MadeSection, make_section
from tournaments.models import Game, Round, Section
from tournaments.queries.field import load_field
from tournaments.queries.rounds import Floor, floor_of, round_pairings

pytestmark = pytest.mark.django_db

FOUR = {"Anna": 2000, "Bert": 1900, "Carl": 1800, "Dora": 1700}
NOON = datetime(2026, 10, 17, 12, tzinfo=UTC)


def at(hours: float) -> datetime:
    return NOON + timedelta(hours=hours)


def running(*spans: float) -> MadeSection:
    """Return a section with one round a day, from noon. spans: hours of the finished rounds; the next round runs."""
    section = make_section(
        FOUR,
        *["Anna 1-0 Bert; Carl 1-0 Dora"] * len(spans),
        "Anna . Bert; Carl 1-0 Dora",
    )
    for number, span in enumerate([*spans, 1], start=1):
        day = (number - 1) * 24
        Round.objects.filter(number=number).update(published_at=at(day))
        Game.objects.filter(round__number=number, board=1).update(entered_at=at(day + span))
        Game.objects.filter(round__number=number, board=2).update(entered_at=at(day + 1))
    return section


def look(section: MadeSection, hours: float) -> Floor:
    field = load_field(Section.objects.get(pk=section.row.pk), include_drafts=True)
    return floor_of(field, round_pairings(field, field.latest_number), now=at(hours))


def test_end_is_estimated_from_the_last_two_rounds() -> None:
    floor = look(running(9, 4, 5), 73)
    assert (floor.pace.rounds, floor.pace.ends_at) == ((2, 3), at(72 + 4.5))
    assert (floor.began, floor.first, floor.latest) == (at(72), at(73), at(73))


def test_no_estimate_after_the_estimated_end() -> None:
    assert look(running(4, 5), 48 + 4.6).pace is None


def test_no_estimate_without_an_earlier_round() -> None:
    assert look(running(), 1).pace is None


def test_no_estimate_from_a_round_entered_later() -> None:
    section = running(4)
    Game.objects.filter(round__number=1, board=1).update(entered_at=at(20))
    assert look(section, 25).pace is None
    Game.objects.filter(round__number=1, board=1).update(entered_at=None)
    assert look(section, 25).pace is None


def test_round_begins_at_the_announced_time() -> None:
    section = running(4)
    section.row.schedule = ["2026-10-17T13:00", "2026-10-18T13:00"]
    section.row.save()
    Game.objects.filter(round__number=1, board=2).update(entered_at=at(2))
    floor = look(section, 25)
    assert floor.began == at(25)
    assert floor.pace.ends_at == at(25 + 3)


def test_no_estimate_for_a_round_with_all_results() -> None:
    section = running(4)
    Game.objects.update(result="1-0")
    assert look(section, 25).pace is None
