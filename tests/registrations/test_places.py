"""Places, the waiting list, and what moves it up."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from threading import Barrier

import pytest
from django.db import OperationalError, connection, connections
from django.utils import timezone

from registrations.actions.clock import move_lists, run_clock
from registrations.actions.event_lock import PLAYER, evening
from registrations.actions.sections import move_section
from registrations.actions.settings import set_up_registration, would_offer
from registrations.actions.transitions import move_many, move_registration
from registrations.actions.undo import undo_move
from registrations.models import EventRegistration, Mail, Registration, SectionRegistration
from registrations.queries.places import place_in_list, places_of
from registrations.states import RegistrationState
from tests.factories import GameFactory, RoundFactory
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.waiting import LONG
from tournaments.errors import Busy, DomainError
from tournaments.models import Event, Participant, Section


def states(of: Section) -> list[tuple[str, str]]:
    rows = Registration.objects.filter(section=of).order_by("pk")
    return [(one.name[0], one.state) for one in rows]


def withdraw(one: Registration) -> None:
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)


@pytest.mark.django_db
def test_who_comes_when_the_section_is_full_waits_and_gets_the_next_free_place() -> None:
    full = desk(capacity=2)
    ann, _bob, cy, dan = (sent(full, f"{name}, X") for name in "ABCD")
    assert states(full) == [("A", "pending"), ("B", "pending"), ("C", "waiting"), ("D", "waiting")]
    withdraw(ann)
    assert states(full) == [("A", "withdrawn"), ("B", "pending"), ("C", "offered"), ("D", "waiting")]
    limits = SectionRegistration.objects.get(section=full)
    assert (place_in_list(dan, limits), place_in_list(cy, limits)) == (1, None)
    move_registration(registration_id=cy.pk, to=RegistrationState.ACCEPTED, by=PLAYER)
    assert Participant.objects.get(section=full).player.name == "C, X"


@pytest.mark.django_db
def test_a_new_registration_never_jumps_the_list() -> None:
    full = desk(capacity=1, offers_by_itself=False)
    ann, _bob = sent(full, "A, X"), sent(full, "B, X")
    withdraw(ann)
    sent(full, "C, X")
    assert states(full) == [("A", "withdrawn"), ("B", "waiting"), ("C", "waiting")]


@pytest.mark.django_db
def test_the_sum_of_places_is_the_capacity() -> None:
    three = desk(capacity=5)
    ones = [sent(three, f"{name}, X") for name in "ABCDEF"]
    move_registration(registration_id=ones[0].pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    places = places_of(three.event)[three.pk]
    assert (places.accepted, places.in_check, places.offered, places.free, places.waiting) == (1, 4, 0, 0, 1)
    SectionRegistration.objects.update(capacity=2)
    assert places_of(three.event)[three.pk].over == 3
    withdraw(ones[1])
    assert states(three)[5] == ("F", "waiting")  # 4 are taken of 2 places


@pytest.mark.django_db
def test_a_longer_list_than_allowed_is_refused() -> None:
    short = desk(capacity=1, longest_list=1)
    sent(short), sent(short)
    with pytest.raises(DomainError) as refusal:
        sent(short)
    assert refusal.value.code == "registration_list_full"


@pytest.mark.django_db
@pytest.mark.parametrize("reason", ["closed", "hidden", "paired", "by_hand", "late"])
def test_the_list_says_why_it_stands_still(reason: str) -> None:
    full = desk(capacity=1)
    ann = sent(full)
    sent(full)
    form = EventRegistration.objects.get()
    if reason == "closed":
        form.closes_at = timezone.now()
        form.save()
    elif reason == "hidden":
        Section.objects.update(taken_away=True)
    elif reason == "paired":
        RoundFactory(section=full)
    elif reason == "late":
        Event.objects.update(start=timezone.localdate() + timedelta(days=1))
    else:
        SectionRegistration.objects.update(offers_by_itself=False)
    withdraw(ann)
    assert states(full)[1][1] == "waiting"
    still = places_of(Section.objects.get().event)[full.pk].stands_still(form, timezone.now())
    assert (still, move_lists()) == (reason, 0)


@pytest.mark.django_db
def test_who_no_longer_fits_is_passed_over() -> None:
    full = desk(capacity=1, rating_to=2000)
    ann, bob, _cy = (sent(full, f"{name}, X") for name in "ABC")
    Registration.objects.filter(pk=bob.pk).update(rating=2100)
    withdraw(ann)
    assert [state for _name, state in states(full)] == ["withdrawn", "waiting", "offered"]


@pytest.mark.django_db
def test_who_has_no_rating_takes_the_offered_place_and_the_organiser_checks() -> None:
    full = desk(capacity=1, acceptance="complete")
    ann, bob = sent(full, "A, X"), sent(full, "B, X", rating=None)
    withdraw(ann)
    assert (
        move_registration(registration_id=bob.pk, to=RegistrationState.ACCEPTED, by=PLAYER).state
        == RegistrationState.PENDING
    )
    bob.refresh_from_db()
    assert (bob.takes_place, bob.deadline, bob.problem_codes) == (True, None, ["unrated"])
    assert list(bob.mails.filter(state="queued").values_list("kind", flat=True)) == ["pending"]


@pytest.mark.django_db
def test_an_offer_that_is_taken_after_round_1_is_paired_is_a_late_entry_to_check() -> None:
    full = desk(capacity=1, acceptance="complete")
    ann, bob = sent(full, "A, X"), sent(full, "B, X")
    withdraw(ann)
    RoundFactory(section=full)
    assert (
        move_registration(registration_id=bob.pk, to=RegistrationState.ACCEPTED, by=PLAYER).state
        == RegistrationState.PENDING
    )
    assert states(full) == [("A", "withdrawn"), ("B", "pending")]


@pytest.mark.django_db
def test_a_larger_capacity_offers_places_by_the_clock() -> None:
    full = desk(capacity=1)
    sent(full), sent(full), sent(full)
    SectionRegistration.objects.update(capacity=3)
    assert (move_lists(), move_lists()) == (2, 0)


@pytest.mark.django_db
def test_what_runs_out_frees_its_place() -> None:
    full = desk(capacity=1, confirm=True)
    sent(full, "A, X")
    bob = sent(full, "B, X")
    move_registration(registration_id=bob.pk, to=RegistrationState.PENDING, by=PLAYER)
    assert states(full) == [("A", "submitted"), ("B", "waiting")]
    Registration.objects.filter(state="submitted").update(deadline=timezone.now() - timedelta(minutes=1))
    assert run_clock() == 1
    assert states(full) == [("A", "expired"), ("B", "offered")]


@pytest.mark.django_db
def test_reopened_registration_goes_to_the_end_of_the_list() -> None:
    full = desk(capacity=1)
    ones = [sent(full, f"{name}, X") for name in "ABC"]
    withdraw(ones[1])
    move_registration(registration_id=ones[1].pk, to=RegistrationState.PENDING, by=ORGANISER)
    limits = SectionRegistration.objects.get()
    assert [place_in_list(one, limits) for one in ones] == [None, 2, 1]


@pytest.mark.django_db
def test_moved_to_a_full_section_the_player_waits_there_with_the_own_time() -> None:
    first = desk()
    second = section(first.event, capacity=1)
    early = sent(first, "A, X")
    sent(second, "B, X"), sent(second, "C, X")
    move_section(registration_id=early.pk, section_id=second.pk, by=ORGANISER)
    assert states(second) == [("A", "waiting"), ("B", "pending"), ("C", "waiting")]
    assert place_in_list(early, SectionRegistration.objects.get(section=second)) == 1


@pytest.mark.django_db
def test_accepted_player_does_not_lose_the_place_by_a_move_to_a_full_section() -> None:
    first = desk()
    second = section(first.event, capacity=1)
    one = sent(first, "A, X")
    sent(second, "B, X")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    with pytest.raises(DomainError, match="section_full"):
        move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
    assert states(first) == [("A", "accepted")]
    assert Participant.objects.get().section == first


@pytest.mark.django_db
def test_organiser_puts_somebody_on_the_list_and_others_go_first() -> None:
    full = desk(capacity=1)
    ann = sent(full, "A, X")
    sent(full, "B, X")
    move_registration(registration_id=ann.pk, to=RegistrationState.WAITING, by=ORGANISER)
    assert states(full) == [("A", "waiting"), ("B", "offered")]
    SectionRegistration.objects.update(capacity=3)
    assert move_lists() == 0
    assert sent(full, "C, X").state == RegistrationState.PENDING


@pytest.mark.django_db
def test_organiser_cannot_take_a_place_that_is_not_there() -> None:
    full = desk(capacity=1)
    sent(full, "A, X")
    bob = sent(full, "B, X")
    for to in (RegistrationState.OFFERED, RegistrationState.ACCEPTED):
        with pytest.raises(DomainError) as refusal:
            move_registration(registration_id=bob.pk, to=to, by=ORGANISER)
        assert refusal.value.code == "section_full"
    outcome = move_many(
        event_id=full.event_id, wanted=[(bob.pk, bob.revision)], to=RegistrationState.ACCEPTED, by=ORGANISER
    )
    assert ([error.code for _one, error in outcome.left], outcome.moved) == (["section_full"], [])


@pytest.mark.django_db
def test_undo_gives_the_former_state_and_the_entry_back() -> None:
    full = desk()
    one = sent(full)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (states(full)[0][1], Participant.objects.count()) == ("pending", 0)
    with pytest.raises(DomainError) as refusal:
        undo_move(registration_id=sent(full).pk, by=ORGANISER)
    assert refusal.value.code == "registration_not_undone"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "to", [RegistrationState.REFUSED, RegistrationState.WAITING, RegistrationState.WITHDRAWN]
)
def test_undo_takes_back_the_offer_that_followed_and_gives_no_place_twice(to: RegistrationState) -> None:
    full = desk(capacity=1)
    ann, bob, _cy = (sent(full, f"{name}, X") for name in "ABC")
    move_registration(registration_id=ann.pk, to=to, by=ORGANISER, reason="no")
    assert states(full)[1:] == [("B", "offered"), ("C", "waiting")]
    undo_move(registration_id=ann.pk, by=ORGANISER)
    assert states(full) == [("A", "pending"), ("B", "waiting"), ("C", "waiting")]
    assert list(bob.mails.filter(kind="offered").values_list("state", flat=True)) == ["dropped"]
    limits = SectionRegistration.objects.get()
    assert place_in_list(bob, limits) == 1
    move_registration(registration_id=ann.pk, to=to, by=ORGANISER, reason="no")
    Mail.objects.filter(registration=bob, kind="offered").update(state=Mail.State.SENT)
    with pytest.raises(DomainError) as refusal:
        undo_move(registration_id=ann.pk, by=ORGANISER)
    assert refusal.value.code == "section_full"
    assert places_of(full.event)[full.pk].over == 0


def test_offers_end_in_the_evening_and_never_under_twelve_hours() -> None:
    noon, evening_of = datetime(2090, 5, 1, 12, tzinfo=UTC), datetime(2090, 5, 3, 20, tzinfo=UTC)
    with timezone.override(UTC):
        assert evening(noon, timedelta(hours=60)) == evening_of
        assert evening(noon, timedelta(hours=12)) == datetime(2090, 5, 2, 20, tzinfo=UTC)


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_fifty_at_once_for_five_places() -> None:
    full = desk(capacity=5, acceptance="complete")
    barrier = Barrier(50, timeout=LONG)

    def run(number: int) -> str:
        try:
            connection.ensure_connection()
            barrier.wait()
            while True:
                # on a slow machine a lock or a statement takes too long: nothing was saved, the player sends it again
                with suppress(Busy, OperationalError):
                    return sent(full, f"Player{number:02}, X", birth_date=f"{1940 + number}").state
        finally:
            connections.close_all()

    with ThreadPoolExecutor(50) as pool:
        outcomes = sorted(pool.map(run, range(50)))
    assert outcomes == ["accepted"] * 5 + ["waiting"] * 45
    assert Participant.objects.filter(section=full).count() == 5


@pytest.mark.django_db
def test_who_was_paired_and_is_moved_plays_in_the_other_section_alone() -> None:
    first = desk()
    second = section(first.event, capacity=1)
    other, one = sent(second, "B, X"), sent(first, "A, X")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    paired = Participant.objects.get()
    GameFactory(round=RoundFactory(section=first), white=paired)
    move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
    move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
    withdraw(other)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)

    def entries() -> list[tuple[int, str]]:
        found = Participant.objects.filter(player__name="A, X").order_by("section")
        return list(found.values_list("section", "status"))

    assert entries() == [(first.pk, "withdrawn"), (second.pk, "active")]
    move_section(registration_id=one.pk, section_id=first.pk, by=ORGANISER)
    assert entries() == [(first.pk, "active")]
    one.refresh_from_db()
    assert one.participant == paired


@pytest.mark.django_db
@pytest.mark.parametrize("capacity", [1, 2])
def test_undo_after_a_move_to_another_section_puts_the_waiting_player_back(capacity: int) -> None:
    first = desk(capacity=1)
    second = section(first.event, capacity=capacity)
    sent(first, "A, X"), sent(second, "B, X")
    one = sent(first, "C, X")
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
    move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
    assert states(second)[1] == ("C", "waiting" if capacity == 1 else "pending")
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (states(first), states(second)) == ([("A", "pending"), ("C", "waiting")], [("B", "pending")])


@pytest.mark.django_db
def test_undo_of_a_move_brings_entry_place_and_byes_back() -> None:
    first = desk(capacity=1)
    second = section(first.event)
    second.rounds = 3
    second.save()
    one, next_one = sent(first, "A, X", byes=(2, 5)), sent(first, "B, X")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    byes = list(one.byes.values_list("round_number", "state"))
    Mail.objects.update(state=Mail.State.SENT)
    move_section(registration_id=one.pk, section_id=second.pk, by=ORGANISER)
    assert (states(second), states(first)) == ([("A", "accepted")], [("B", "offered")])
    assert list(one.byes.values_list("round_number", "state")) == [(2, "granted")]
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert states(first) == [("A", "accepted"), ("B", "waiting")]
    assert Participant.objects.get().section == first
    assert list(one.byes.values_list("round_number", "state")) == byes
    assert list(next_one.mails.values_list("state", flat=True)) == ["sent", "dropped"]


@pytest.mark.django_db
def test_undo_of_an_acceptance_from_the_list_leaves_the_player_in_the_order_of_the_list() -> None:
    full = desk(capacity=2, offers_by_itself=False)
    sent(full, "A, X")
    two, bob = sent(full, "C, X"), sent(full, "B, X")
    withdraw(two)
    move_registration(registration_id=bob.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    undo_move(registration_id=bob.pk, by=ORGANISER)
    bob.refresh_from_db()
    assert (bob.state, bob.parked) == (RegistrationState.WAITING, False)


@pytest.mark.django_db
def test_forms_that_nobody_confirms_leave_half_of_the_places_and_the_list_free() -> None:
    into = desk(capacity=8, longest_list=1, confirm=True)
    made_up = [sent(into) for _number in range(12)]
    assert sum(one.takes_place for one in made_up) == 4
    real = made_up[4:9]
    for one in real:
        move_registration(registration_id=one.pk, to=RegistrationState.PENDING, by=PLAYER)
    assert [Registration.objects.get(pk=one.pk).state for one in real] == ["pending"] * 4 + ["waiting"]
    with pytest.raises(DomainError) as refusal:
        move_registration(registration_id=made_up[9].pk, to=RegistrationState.PENDING, by=PLAYER)
    assert refusal.value.code == "registration_list_full"


@pytest.mark.django_db
def test_settings_name_first_to_whom_they_would_offer_places() -> None:
    full = desk(capacity=1)
    sent(full, "A, X"), sent(full, "B, X"), sent(full, "C, X")
    what = {
        "actor": ORGANISER.actor,
        "event": full.event,
        "values": {},
        "sections": {full.pk: {"capacity": 2}},
    }
    assert [one.name for one in would_offer(**what)] == ["B, X"]
    assert states(full) == [("A", "pending"), ("B", "waiting"), ("C", "waiting")]
    set_up_registration(**what)
    assert states(full)[1:] == [("B", "offered"), ("C", "waiting")]
