"""The prizes of a section are announced, logged, undone, and kept in copies."""

from __future__ import annotations

from dataclasses import replace

import pytest

from evenboard_engine.prizes import Method
from tests.actions.refusals import one_step, refused, unchanged
from tests.factories import section_of
from tournaments.actions.copies import load_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.prizes import set_prizes
from tournaments.actions.undo import undo
from tournaments.files.copy_reading import read_any, read_copy
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.models import PrizeCategory, PrizePlan, Section

pytestmark = pytest.mark.django_db

GENERAL = PrizeCategory("General", (50000, 30000, 10000), Method.HORT)
WOMEN = PrizeCategory(
    "Women to 1999",
    (10000,),
    sex="w",
    rating_to=1999,
    unrated="not",
    born_from=1960,
    federations=("NED", "BEL"),
)
PLAN = PrizePlan(
    (GENERAL, WOMEN), currency="EUR", unit=500, best_only=False, rest_to_best=False, withdrawn=True
)


def stored(section: Section) -> PrizePlan:
    return Section.objects.get(pk=section.pk).prize_plan


def test_prizes_are_announced_changed_and_undone(actor: Actor) -> None:
    section = section_of(4)
    with one_step(section, "set_prizes") as logged:
        set_prizes(actor=actor, section_id=section.pk, plan=PLAN, seen=PrizePlan().digest)
    assert (logged[0].before, logged[0].after) == (
        {"categories": [], "fund": "0"},
        {"categories": ["General", "Women to 1999"], "fund": "1000 EUR"},
    )
    assert stored(section) == PLAN
    other = replace(PLAN, categories=(GENERAL,))
    set_prizes(actor=actor, section_id=section.pk, plan=other)
    assert stored(section) == other
    undo(actor=actor, section_id=section.pk, revision=2)
    assert stored(section) == PLAN


def test_same_prizes_write_nothing(actor: Actor) -> None:
    section = section_of(4)
    set_prizes(actor=actor, section_id=section.pk, plan=PLAN)
    with unchanged():
        set_prizes(actor=actor, section_id=section.pk, plan=PLAN)


def test_plan_without_categories_removes_the_prizes(actor: Actor) -> None:
    section = section_of(4, prizes=PLAN.stored)
    set_prizes(actor=actor, section_id=section.pk, plan=PrizePlan(currency="EUR"))
    assert Section.objects.get(pk=section.pk).prizes == {}


@pytest.mark.parametrize(
    ("categories", "unit", "code", "params"),
    [
        ((GENERAL, replace(WOMEN, name="GENERAL")), 100, "prizes_twice", {"category": "GENERAL"}),
        (
            (replace(GENERAL, prizes=(100, 200)),),
            100,
            "prizes_rise",
            {"category": "General", "former_prize": 100, "prize": 200},
        ),
        (
            (replace(GENERAL, prizes=(500, 250)),),
            500,
            "prizes_not_in_units",
            {"category": "General", "prize": 250, "unit": 500},
        ),
    ],
)
def test_prizes_that_cannot_be_given_are_refused(
    actor: Actor, categories: tuple[PrizeCategory, ...], unit: int, code: str, params: dict[str, object]
) -> None:
    section = section_of(4)
    with refused(code, **params):
        set_prizes(actor=actor, section_id=section.pk, plan=PrizePlan(categories, unit=unit))


def test_page_that_is_no_longer_up_to_date_and_closed_section_are_refused(actor: Actor) -> None:
    section = section_of(4, prizes=PLAN.stored)
    with refused("stale"):
        set_prizes(actor=actor, section_id=section.pk, plan=PrizePlan(), seen=PrizePlan().digest)
    Section.objects.filter(pk=section.pk).update(status="closed")
    with refused("section_closed"):
        set_prizes(actor=actor, section_id=section.pk, plan=PLAN)


def test_copies_of_a_section_and_of_an_event_have_the_prizes(actor: Actor) -> None:
    section = section_of(4, prizes=PLAN.stored)
    loaded = load_copy(actor=actor, copy=read_copy(copy_file(section)), event=section.event, name="again")
    assert stored(loaded) == PLAN
    assert read_any(event_file(section.event)).sections[0].section["prizes"] == PLAN.stored


@pytest.mark.one_database
@pytest.mark.parametrize(
    "change",
    [
        {"unit": 7},
        {"unit": True},
        {"best_only": 1},
        {"currency": "x" * 9},
        {"currency": "a\nb"},
        {"more": 1},
        {"categories": "General"},
        {"categories": [{}]},
        {"categories": [{**PLAN.stored["categories"][0], "method": []}]},
        {"categories": [{**PLAN.stored["categories"][0], "prizes": [-1]}]},
        {"categories": [{**PLAN.stored["categories"][0], "prizes": [1.5]}]},
        {"categories": [{**PLAN.stored["categories"][0], "sex": ["w"]}]},
        {"categories": [{**PLAN.stored["categories"][0], "rating_to": 10**9}]},
    ],
)
def test_damaged_plan_is_not_read(change: dict[str, object]) -> None:
    with pytest.raises((KeyError, TypeError, ValueError)):
        PrizePlan.read({**PLAN.stored, **change})
