"""The countdown and the message on the hall screens."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.actions.refusals import refused, unchanged
from tests.factories import section_of
from tournaments.actions.hall import set_countdown, set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.models import ActionLog, Section


def test_a_countdown_is_set_and_removed(actor: Actor) -> None:
    section = section_of(2)
    to = timezone.now() + timedelta(minutes=8)
    set_countdown(actor=actor, section_id=section.pk, to=to)
    assert Section.objects.get(pk=section.pk).countdown_to == to
    with unchanged():
        set_countdown(actor=actor, section_id=section.pk, to=to)
    set_countdown(actor=actor, section_id=section.pk, to=None)
    assert Section.objects.get(pk=section.pk).countdown_to is None
    end = to.isoformat(timespec="seconds")
    assert list(ActionLog.objects.order_by("pk").values_list("action", "before", "after")) == [
        ("set_countdown", {"countdown_to": ""}, {"countdown_to": end}),
        ("set_countdown", {"countdown_to": end}, {"countdown_to": ""}),
    ]


@pytest.mark.parametrize("hours", [-1, 0, 25])
def test_a_countdown_ends_within_a_day(actor: Actor, hours: int) -> None:
    section = section_of(2)
    with refused("countdown_out_of_range", hours=24):
        set_countdown(
            actor=actor, section_id=section.pk, to=timezone.now() + timedelta(hours=hours, seconds=-1)
        )


def test_the_message_on_the_screens_is_one_line(actor: Actor) -> None:
    section = section_of(2)
    set_hall_message(actor=actor, section_id=section.pk, message=" Phones\noff. ")
    assert Section.objects.get(pk=section.pk).hall_message == "Phones off."
    set_hall_message(actor=actor, section_id=section.pk, message="Phones off.")
    assert ActionLog.objects.count() == 1
    with refused("message_too_long", limit=120):
        set_hall_message(actor=actor, section_id=section.pk, message="x" * 121)


def test_a_closed_section_can_still_set_its_screens(actor: Actor) -> None:
    section = section_of(2, status="closed")
    set_hall_message(actor=actor, section_id=section.pk, message="Prize-giving at 17:00.")
    assert Section.objects.get(pk=section.pk).hall_message == "Prize-giving at 17:00."
