"""The last days before round 1 and later: offers end before play begins, and arbiters decide about late entries."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from registrations.actions.event_lock import RegistrationActor
from registrations.actions.transitions import move_many, move_registration
from registrations.models import Registration
from registrations.states import Hand, RegistrationState
from tests.actions.refusals import refused
from tests.factories import EventRoleFactory, RoundFactory
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.models import EventRole, Section

pytestmark = pytest.mark.django_db
EVENT = {"start": "2090-10-17", "end": "2090-10-25", "time_zone": "Europe/Amsterdam"}
NINE = datetime(2090, 10, 17, 7, tzinfo=UTC)
"""9:00 in Amsterdam."""


def _at(monkeypatch: pytest.MonkeyPatch, when: datetime) -> None:
    monkeypatch.setattr("django.utils.timezone.now", lambda: when)


def _offered(
    monkeypatch: pytest.MonkeyPatch, when: datetime, schedule: list[str]
) -> tuple[Section, Registration]:
    first = desk(capacity=1, event=dict(EVENT))
    Section.objects.filter(pk=first.pk).update(schedule=schedule)
    _at(monkeypatch, when)
    one = sent(first)
    other = sent(first)
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    if Registration.objects.get(pk=other.pk).state == RegistrationState.WAITING:  # in the last 48 hours
        move_registration(registration_id=other.pk, to=RegistrationState.OFFERED, by=ORGANISER)
    other.refresh_from_db()
    return first, other


@pytest.mark.parametrize(
    ("schedule", "ends"),
    [(["2090-10-17T09:00"], NINE), (["2090-10-17"], datetime(2090, 10, 16, 22, tzinfo=UTC))],
)
def test_an_offer_ends_before_round_1_begins(
    monkeypatch: pytest.MonkeyPatch, schedule: list[str], ends: datetime
) -> None:
    _section, one = _offered(monkeypatch, datetime(2090, 10, 16, 9, tzinfo=UTC), schedule)
    assert one.deadline == ends


def test_an_offer_before_the_last_days_ends_in_the_evening(monkeypatch: pytest.MonkeyPatch) -> None:
    _section, one = _offered(monkeypatch, datetime(2090, 10, 10, 9, tzinfo=UTC), ["2090-10-17T09:00"])
    assert one.deadline == datetime(2090, 10, 11, 18, tzinfo=UTC)


def test_organisers_read_whom_to_telephone(monkeypatch: pytest.MonkeyPatch) -> None:
    first, one = _offered(monkeypatch, NINE - timedelta(hours=11), ["2090-10-17T09:00"])
    page = staff(first)
    Registration.objects.filter(pk=one.pk).update(
        state=RegistrationState.WAITING, takes_place=False, deadline=None
    )
    form = {"do": "offer", "revision": one.revision}
    page.post(address(first, f"{one.pk}/"), form)
    assert f"Telephone {one.name}." in page.get(address(first, f"{one.pk}/")).content.decode()


def _by(first: Section, role: str) -> RegistrationActor:
    return RegistrationActor(Hand.ORGANISER, EventRoleFactory(event=first.event, role=role).user)


def test_a_late_entry_needs_an_arbiter() -> None:
    first = desk()
    one, two = sent(first), sent(first)
    RoundFactory(section=first)
    organiser = _by(first, EventRole.Role.ORGANISER)
    with refused("registration_started"):
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=organiser)
    one.refresh_from_db()
    wanted = [(one.pk, one.revision)]
    left = move_many(event_id=first.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=organiser).left
    assert [error.code for _one, error in left] == ["registration_started"]
    move_registration(
        registration_id=one.pk, to=RegistrationState.ACCEPTED, by=_by(first, EventRole.Role.CHIEF)
    )
    move_registration(
        registration_id=two.pk, to=RegistrationState.ACCEPTED, by=_by(first, EventRole.Role.OWNER)
    )
    assert Registration.objects.filter(state=RegistrationState.ACCEPTED).count() == 2
