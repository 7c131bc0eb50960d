"""What tests of the organiser's pages need: a person of the event, addresses, and the names in a pile."""

from __future__ import annotations

import pytest
from django.conf import LazySettings
from django.test import Client

from registrations.models import Registration
from registrations.queries.queue import QueueFilter, queue
from tests.factories import EventRoleFactory
from tournaments.models import Section


@pytest.fixture(autouse=True)
def _mail_goes(settings: LazySettings) -> None:
    """Let the server send mail, as one with registrations does."""
    settings.MAIL_IS_SET_UP = True


def staff(of: Section) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=of.event).user)
    return client


def address(of: Section, page: str = "") -> str:
    return f"/{of.event.slug}/-/registration/{page}"


def chosen(*ones: Registration) -> list[str]:
    return [f"{one.pk}:{Registration.objects.get(pk=one.pk).revision}" for one in ones]


def names(of: Section, **asked: str) -> list[str]:
    return [row.one.name[0] for row in queue(of.event, QueueFilter.read(asked)).rows]


def missing_names(client: Client, of: Section) -> list[str]:
    """Return who is on the list of those who are not ready for round 1, section by section."""
    lists = client.get(address(of, "missing/")).context["lists"]
    return [row.name for _section, rows, *_totals in lists for row in rows]
