"""Dates and times of rounds."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, time

import pytest

from tests.actions.refusals import refused
from tests.factories import section_of
from tournaments.actions.ledger import Actor
from tournaments.actions.rounds import set_round_starts
from tournaments.models import ActionLog, RoundStart, Section

SATURDAY = RoundStart(date(2026, 10, 17), time(14))
SUNDAY = RoundStart(date(2026, 10, 18))


def schedule(section: Section) -> list[str]:
    return list(Section.objects.get(pk=section.pk).schedule)


def test_rounds_get_a_day_and_perhaps_a_time(actor: Actor) -> None:
    section = section_of(4, rounds=3)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY, 3: SUNDAY})
    assert schedule(section) == ["2026-10-17T14:00", "", "2026-10-18"]
    row = ActionLog.objects.latest("pk")
    assert (row.action, row.before, row.after) == (
        "set_round_starts",
        {"schedule": {"1": "", "3": ""}},
        {"schedule": {"1": "2026-10-17T14:00", "3": "2026-10-18"}},
    )


def test_other_rounds_keep_their_dates(actor: Actor) -> None:
    section = section_of(4, rounds=2)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY, 2: SUNDAY})
    set_round_starts(actor=actor, section_id=section.pk, starts={2: None})
    assert schedule(section) == ["2026-10-17T14:00", ""]


def test_date_that_somebody_else_has_given_since_the_form_was_opened_is_not_removed(actor: Actor) -> None:
    section = section_of(4, rounds=2)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY})
    with refused("overtaken", theirs={"1": str(SATURDAY)}):
        set_round_starts(actor=actor, section_id=section.pk, starts={1: SUNDAY}, seen={1: ""})
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY, 2: SUNDAY}, seen={1: "", 2: ""})
    assert schedule(section) == [str(SATURDAY), str(SUNDAY)]


def test_same_dates_again_are_not_logged(actor: Actor) -> None:
    section = section_of(4, rounds=2)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY})
    rows = ActionLog.objects.count()
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SATURDAY})
    assert ActionLog.objects.count() == rows


@pytest.mark.parametrize(
    ("starts", "code", "params"),
    [
        ({1: SUNDAY, 2: SATURDAY}, "rounds_out_of_order", {"earlier": 1, "later": 2}),
        (
            {1: SATURDAY, 3: RoundStart(SATURDAY.day, time(9, 30))},
            "rounds_out_of_order",
            {"earlier": 1, "later": 3},
        ),
        ({4: SUNDAY}, "round_out_of_range", {"round": 4, "rounds": 3}),
    ],
)
def test_impossible_dates_are_refused(
    actor: Actor, starts: Mapping[int, RoundStart], code: str, params: dict[str, int]
) -> None:
    section = section_of(4, rounds=3)
    with refused(code, **params):
        set_round_starts(actor=actor, section_id=section.pk, starts=starts)
    assert schedule(section) == []


def test_two_rounds_on_one_day_may_have_no_times(actor: Actor) -> None:
    section = section_of(4, rounds=3)
    set_round_starts(actor=actor, section_id=section.pk, starts={1: SUNDAY, 2: SUNDAY})
    assert schedule(section) == ["2026-10-18", "2026-10-18", ""]
