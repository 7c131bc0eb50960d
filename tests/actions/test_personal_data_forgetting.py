"""What is kept for a time only is deleted when this time is over, as the page about it says."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone

from tests.factories import EventFactory, UserFactory
from tournaments.actions.personal_data import forget_what_is_over
from tournaments.models import DeviceLink, Invitation, LoginSession, LoginTrials, PasswordLink

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def test_addresses_attempts_links_and_invitations_are_deleted_in_time() -> None:
    now, user, event = timezone.now(), UserFactory(), EventFactory()
    for name, ago in (("over", DAY), ("valid", -DAY)):
        Session.objects.create(session_key=name, session_data="", expire_date=now - ago)
        LoginSession.objects.create(user=user, session_key=name, address="192.0.2.7")
    for name, ago in (("over", 2 * DAY), ("valid", DAY / 2)):
        LoginTrials.objects.create(name=name, source="x", failures=1, last_at=now - ago)
        for links in (PasswordLink, DeviceLink):
            links.objects.create(user=user, digest=name, made_at=now - 9 * DAY, expires_at=now - ago)
    for name, ago in (("over", 31), ("valid", 29)):
        Invitation.objects.create(event=event, role="arbiter", username=name, expires_at=now - ago * DAY)
    forget_what_is_over()
    kept = [
        (Session, "session_key"),
        (LoginSession, "session_key"),
        (LoginTrials, "name"),
        (PasswordLink, "digest"),
        (DeviceLink, "digest"),
        (Invitation, "username"),
    ]
    assert {model: list(model.objects.values_list(name, flat=True)) for model, name in kept} == {
        model: ["valid"] for model, _name in kept
    }
