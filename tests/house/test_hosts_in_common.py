"""Hosts of one site whose keys, settings, versions or clocks differ are named by /readyz and on the page Status."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from unittest import mock

import pytest
from django.test import Client, override_settings
from django.utils import timezone

from server import health, hosts, status
from tests.factories import UserFactory
from tournaments.models import Chore

pytestmark = pytest.mark.django_db
KEY = "key-of-the-site" * 4


def note(host: str, **changed: Any) -> None:
    """Note a process on this host. version, clock: its version, and by how much its clock is wrong."""
    version, clock = changed.pop("version", "1.1.0"), changed.pop("clock", timedelta())
    with (
        override_settings(**{"SECRET_KEY": KEY, **changed}),
        mock.patch.object(hosts, "VERSION", version),
        mock.patch.object(hosts.timezone, "now", return_value=timezone.now() + clock),
    ):
        hosts.note_process(f"{host}-71-start{host[-1]}")


def served(*names: str, since: timedelta, until: timedelta = timedelta()) -> None:
    """Let the processes on these hosts have begun so long ago, and have noted so long ago for the last time."""
    for host in names:
        row = Chore.objects.get(name=f"{hosts.PROCESS}start{host[-1]}")
        assert row.done_at
        assert row.error_at
        row.asked_at = row.done_at - since
        row.done_at -= until
        row.error_at -= until
        row.save()


def differ() -> dict[str, list[str]]:
    """Return which hosts differ in what."""
    found: dict[str, list[list[Any]]] = health.hosts().facts["differ"]
    return {name: [host for host, _number in ones] for name, ones in found.items()}


def sentence() -> str:
    """Return what the page Status says."""
    return status._line("hosts", health.hosts()).sentence


@pytest.mark.django_db(transaction=True)
def test_readyz_and_status_say_that_hosts_differ(client: Client) -> None:
    note("web1")
    note("web2", TIME_ZONE="Asia/Tokyo")
    served("web1", "web2", since=timedelta(minutes=1))
    answer = client.get("/readyz")
    state = answer.json()
    assert (answer.status_code, state["warnings"]) == (200, ["hosts differ: TIME_ZONE"])
    who = [["web1", 71], ["web2", 71]]
    assert state["hosts"] == {"ok": True, "processes": 2, "differ": {"TIME_ZONE": who}}
    client.force_login(UserFactory(site_owner=True))
    page = client.get("/site/status/").content.decode()
    assert "TIME_ZONE is not the same everywhere: process 71 on web1 and process 71 on web2." in page


def test_hosts_that_have_all_in_common() -> None:
    for host in ("web-1", "web-2"):
        note(host, SECRET_KEY_FALLBACKS=[f"old-{number}" * 9 for number in range(9)])
    served("web-1", "web-2", since=timedelta(minutes=1))
    assert max(len(row.place) for row in Chore.objects.all()) < Chore._meta.get_field("place").max_length
    assert differ() == {}
    assert sentence() == "2 processes serve this site with the same settings."


@pytest.mark.parametrize(
    ("changed", "name", "advice"),
    [
        (
            {"SECRET_KEY": "other" * 9},
            "SECRET_KEY",
            "Set the same SECRET_KEY on all hosts and start them again.",
        ),
        ({"PUSH_KEY": "other" * 9}, "PUSH_KEY", "Set the same PUSH_KEY on all hosts and start them again."),
        (
            {"CACHES": {"default": {"LOCATION": ["redis://10.0.0.9"]}}},
            "CACHE_URL",
            "Set the same CACHE_URL on all hosts and start them again.",
        ),
        ({"clock": timedelta(seconds=30)}, "clock", "Let all hosts keep time by NTP."),
    ],
)
def test_the_host_that_differs_is_named(changed: dict[str, Any], name: str, advice: str) -> None:
    note("web1", PUSH_KEY="a" * 50)
    note("web2", **{"PUSH_KEY": "a" * 50, **changed})
    served("web1", "web2", since=timedelta(minutes=1))
    assert differ() == {name: ["web1", "web2"]}
    note("web3", PUSH_KEY="a" * 50)
    served("web3", since=timedelta(minutes=1))
    assert differ() == {name: ["web2"]}
    note("web4", PUSH_KEY="a" * 50)  # has just begun
    assert differ() == {name: ["web2"]}
    assert "process 71 on web2" in sentence()
    assert advice in sentence()
    served("web2", since=timedelta(minutes=20), until=timedelta(minutes=5))  # it has ended
    assert differ() == {}


def test_a_key_that_is_replaced_and_a_new_start_alarm_nobody() -> None:
    note("web1", SECRET_KEY="new" * 20, SECRET_KEY_FALLBACKS=[KEY])
    note("web2", SECRET_KEY=KEY, PUSH_KEY="b" * 50)
    served("web1", "web2", since=timedelta(minutes=1))
    assert differ() == {}
    Chore.objects.all().delete()
    note("web1", SECRET_KEY="old" * 20)
    served("web1", since=timedelta(hours=2), until=timedelta(minutes=2))
    note("web2")
    assert differ() == {}


def test_two_versions_alarm_after_an_hour() -> None:
    note("web1", version="1.0.0")
    note("web2")
    served("web1", since=timedelta(days=9))
    assert differ() == {}
    served("web2", since=timedelta(hours=2))
    assert differ() == {"version": ["web1", "web2"]}
    assert "Finish the upgrade." in sentence()
