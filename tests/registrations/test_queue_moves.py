"""Many registrations move to another section at once: as if each moved by itself, shown before, undone together."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pairing.rounds import pair_next_round
from registrations.actions.money import charge
from registrations.actions.sections import move_many_to, move_section
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_many
from registrations.models import Charge, HistoryLine, Mail, Registration, WishedBye
from registrations.states import RegistrationState
from tests.factories import ByeFactory, ParticipantFactory
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Section

pytestmark = pytest.mark.django_db


def seen(*ones: Registration) -> list[tuple[int, int]]:
    return list(Registration.objects.filter(pk__in=[one.pk for one in ones]).values_list("pk", "revision"))


def field_of_all_kinds(capacity: int | None = 7) -> tuple[Section, Section, list[Registration]]:
    """Return two sections, and registrations of the first in every state that can move, in the order of their time."""
    first = desk(fee=3000, unrated_as=1200)
    second = section(first.event, fee=5000, capacity=capacity, rating_to=2000, unrated_as=1400)
    Section.objects.filter(pk=second.pk).update(rounds=3)
    ones = [
        sent(first, "Pending, One", byes=(2, 5)),
        sent(first, "Accepted, Rated", byes=(2, 5)),
        sent(first, "Accepted, Unrated", rating=None),
        sent(first, "Strong, One", rating=2300),
        sent(first, "Waits, One"),
        sent(first, "Twin, One", rating=2100),
        sent(first, "Entered, There", fide_id=4711),
        sent(first, "Accepted, Last"),
        sent(first, "Pending, Last"),
    ]
    for place in (1, 2, 6, 7):
        move_registration(registration_id=ones[place].pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    move_registration(registration_id=ones[4].pk, to=RegistrationState.WAITING, by=ORGANISER)
    charge(registration_id=ones[0].pk, kind="payment", cents=700, by=ORGANISER)
    entries = {entry.player.name: entry for entry in first.participants.select_related("player")}
    ByeFactory(participant=entries["Accepted, Rated"], round_number=3, kind="Z")
    ParticipantFactory(section=second, player=entries["Entered, There"].player)
    for each in (first, second):
        each.refresh_from_db()
    return first, second, ones


def written(*sections: Section) -> dict[str, list[Any]]:
    """Return everything that registrations and entries have, with places in the lists instead of keys."""
    place = {each.pk: number for number, each in enumerate(sections)}
    of_event = Registration.objects.filter(event=sections[0].event)
    rows = [
        (
            one.name, place[one.section_id], one.state, one.takes_place, one.position, one.parked, bool(one.deadline),
            one.problems, one.balance, one.revision, one.participant and one.participant.player.name,
        )
        for one in of_event.select_related("participant__player").order_by("pk")
    ]  # fmt: skip
    names = "registration__name"
    mine = {"registration__event": sections[0].event}
    lines = dict(Charge.objects.values_list("pk", "cents"))
    steps = [
        (
            *step[:5],
            {
                **step[5],
                "section": place.get(step[5].get("section")),
                "charge": lines.get(step[5].get("charge")),
            },
        )
        for step in HistoryLine.objects.filter(**mine)
        .order_by(names, "pk")
        .values_list(names, "kind", "from_state", "to_state", "revision", "before")
    ]
    entries = Participant.objects.filter(section__in=sections).order_by("section", "tpn")
    byes = Bye.objects.filter(participant__section__in=sections)
    return {
        "registrations": rows,
        "steps": steps,
        "charges": list(
            Charge.objects.filter(**mine).order_by(names, "pk").values_list(names, "kind", "cents")
        ),
        "mails": list(
            Mail.objects.filter(**mine).order_by(names, "pk").values_list(names, "kind", "state", "revision")
        ),
        "wishes": list(
            WishedBye.objects.filter(**mine)
            .order_by(names, "round_number")
            .values_list(names, "round_number", "kind", "state")
        ),
        "entries": [
            (place[key], *values)
            for key, *values in entries.values_list(
                "section", "tpn", "player__name", "rating", "rating_source", "status"
            )
        ],
        "byes": sorted(byes.values_list("participant__player__name", "round_number", "kind", "source")),
    }


@pytest.mark.parametrize("capacity", [7, pytest.param(None, marks=pytest.mark.one_database)])
@pytest.mark.parametrize("paired", [False, pytest.param(True, marks=pytest.mark.one_database)])
def test_a_pile_moves_as_each_registration_does_and_undo_brings_all_back(
    capacity: int | None, paired: bool
) -> None:
    results = []
    for together in (False, True):
        first, second, ones = field_of_all_kinds(capacity)
        if paired:
            pair_next_round(actor=ORGANISER.actor, section_id=first.pk, after_round=0)
        before = written(first, second)
        if together:
            wanted = seen(*ones)
            outcome = move_many_to(event_id=first.event_id, wanted=wanted, section_id=second.pk, by=ORGANISER)
            refused = {one.name: error.code for one, error in outcome.left}
        else:
            refused = {}
            for one in ones:
                try:
                    move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
                except DomainError as error:
                    refused[one.name] = error.code
        results.append((refused, written(first, second)))
    (refused, alone), (refused_of_pile, pile) = results
    assert refused == refused_of_pile
    assert refused["Entered, There"] == "already_entered"
    assert {name for name in pile if alone[name] != pile[name]} == set()

    moved = [one.pk for one in outcome.moved]
    assert undo_many(event_id=first.event_id, keys=moved, by=ORGANISER).left == []
    after = written(first, second)
    assert [row[:-2] + row[-1:] for row in after["registrations"]] == [
        row[:-2] + row[-1:] for row in before["registrations"]
    ]
    for name in (
        ("wishes", "entries") if paired else ("wishes", "entries", "byes")
    ):  # who is withdrawn has no byes
        assert after[name] == before[name]


def test_moving_many_costs_the_queries_of_few() -> None:
    first = desk(fee=1000)
    second = section(first.event, fee=2000)

    def cost(count: int) -> tuple[int, int]:
        ones = [sent(first) for _ in range(count)]
        for one in ones[: count // 2]:
            move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
        with CaptureQueriesContext(connection) as there:
            move_many_to(event_id=first.event_id, wanted=seen(*ones), section_id=second.pk, by=ORGANISER)
        with CaptureQueriesContext(connection) as back:
            undo_many(event_id=first.event_id, keys=[one.pk for one in ones], by=ORGANISER)
        return len(there), len(back)

    assert cost(4) == cost(12)


def test_a_move_of_a_pile_is_shown_first_and_then_made_and_undone() -> None:
    first = desk()
    second = section(first.event, capacity=2, rating_to=1900)
    for name in "ABC":
        sent(first, f"{name}, X", rating=2100 if name == "A" else 1800)
    sent(second, "D, X")
    [accepted] = [sent(first, "E, X")]
    move_registration(registration_id=accepted.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    client = staff(first)
    typed = {"do": "move", "to": second.pk, "pile": "all", "section": first.pk, "all": "4"}
    page = client.post(address(first, "decide/"), typed)
    text = " ".join(page.content.decode().split())
    assert not Registration.objects.filter(section=second, name="A, X").exists()
    for sentence in (
        "Nothing is done yet. Move 3 registrations?",
        "2 of them go to the waiting list, because no place is free.",
        "1 does not meet the limits of the section, and moves nevertheless:",
        f"<b>A, X</b> 2100, too high for {second.name}",
        f"<b>E, X</b> {second.name} has no free place",
    ):
        assert sentence in text
    client.post(address(first, "decide/"), dict(page.context["sent"]))
    there = Registration.objects.filter(section=second).order_by("pk")
    assert list(there.values_list("name", "state")) == [
        ("A, X", "pending"), ("B, X", "waiting"), ("C, X", "waiting"), ("D, X", "pending"),
    ]  # fmt: skip
    client.post(address(first, "decide/"), {"do": "undo"})
    assert list(there.values_list("name", flat=True)) == ["D, X"]


def test_rows_that_are_stale_over_or_there_already_stay() -> None:
    first = desk()
    second = section(first.event)
    stale, over, there = sent(first), sent(first), sent(second)
    move_registration(registration_id=over.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    wanted = [(key, revision - (key == stale.pk)) for key, revision in seen(stale, over, there)]
    outcome = move_many_to(event_id=first.event_id, wanted=wanted, section_id=second.pk, by=ORGANISER)
    assert [error.code for _one, error in outcome.left] == [
        "registration_changed", "registration_over", "same_section",
    ]  # fmt: skip
