"""/healthz says that the process runs; /readyz says whether it can work, within two seconds whatever hangs."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.test import Client
from django.utils import timezone
from django.utils.translation import trans_real
from pytest_django import Settings

from server import health
from tests.factories import SectionFactory
from tournaments.actions import chores
from tournaments.models import CopyProof
from tournaments.queries import site


@pytest.fixture(autouse=True)
def var_dir(settings: Settings, tmp_path: Path) -> Path:
    settings.VAR_DIR, settings.BACKUP_DIR = tmp_path, ""
    return tmp_path


@pytest.fixture
def checks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks that a test adds are gone after it."""
    monkeypatch.setattr(health, "_probes", dict(health._probes))


def test_healthz_needs_no_database(client: Client) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
def test_health_takes_no_post(client: Client, path: str) -> None:
    assert client.post(path).status_code == 405


@pytest.mark.parametrize("path", ["/healthz", "/readyz"])
@pytest.mark.django_db
def test_health_is_not_sent_to_https(client: Client, settings: Settings, path: str) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get(path).status_code == 200


@pytest.mark.django_db
def test_readyz_reports_database_disk_and_last_backup(client: Client, var_dir: Path) -> None:
    for event, name in (
        ("a", "20260101T100000Z-rev00001-round0-asked"),
        ("b", "20260102T110000Z-rev00001-round1-publish"),
    ):
        kept = var_dir / "backups" / event / "open"
        kept.mkdir(parents=True)
        (kept / f"{name}.json.gz").touch()
    answer = client.get("/readyz")
    state = answer.json()
    assert (answer.status_code, state["ready"], state["warnings"]) == (200, True, [])
    assert (state["database"]["ok"], state["database"]["kind"]) == (True, connection.vendor)
    assert state["last_backup"]["at"] == datetime(2026, 1, 2, 11, tzinfo=UTC).isoformat()
    assert state["last_backup"]["age_seconds"] > 0
    assert [mb > 0 for mb in state["disk"]["free_mb"].values()] == [True]


def test_readyz_says_503_when_the_database_fails(client: Client, checks: None) -> None:
    def refuse() -> health.Finding:
        with mock.patch.object(connection, "cursor", side_effect=OperationalError("gone")):
            return health.database()

    health.register("database", refuse)
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["ready"]) == (503, False)
    assert answer.json()["database"] == {"ok": False, "kind": connection.vendor, "error": "OperationalError"}


def test_readyz_answers_in_time_when_a_check_hangs_and_does_not_start_it_again(
    client: Client, checks: None
) -> None:
    began: list[float] = []
    end = threading.Event()

    def hang() -> health.Finding:
        began.append(time.monotonic())
        end.wait()
        return health.Finding()

    health.register("database", hang)
    answers = [client.get("/readyz") for _ in range(2)]  # while the check hangs
    end.set()
    assert [answer.status_code for answer in answers] == [503, 503]
    assert answers[0].json()["database"] == {"ok": False, "answer": "none in time"}
    assert answers[0].json()["disk"]["ok"]
    assert len(began) == 1


def test_a_check_that_is_late_counts_for_a_short_time_as_it_was(
    client: Client, checks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy host that is left out by the proxy would make the others busier."""
    end = threading.Event()
    end.set()
    facts = {"kind": "asked"}

    def late() -> health.Finding:
        end.wait()
        return health.Finding(facts)

    health.register("database", late)
    assert client.get("/readyz").json()["database"] == {"ok": True, **facts}
    end.clear()
    monkeypatch.setattr(health, "LIMIT", 0.1)
    try:
        assert client.get("/readyz").json()["database"] == {"ok": True, **facts}
        monkeypatch.setattr(health, "KEPT", 0.0)
        assert client.get("/readyz").json()["database"] == {"ok": False, "answer": "none in time"}
    finally:
        end.set()


@pytest.mark.parametrize(("free", "status", "warnings"), [(299, 200, 1), (19, 503, 1), (300, 200, 0)])
@pytest.mark.django_db
def test_readyz_warns_of_little_disk_space(
    client: Client, monkeypatch: pytest.MonkeyPatch, free: int, status: int, warnings: int
) -> None:
    few = site.Disk(("data", "backups"), free * site.MB, 10_000 * site.MB)
    monkeypatch.setattr(health, "disks", lambda: [few])
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["warnings"]) == (status, ["little disk space"] * warnings)
    assert answer.json()["disk"]["free_mb"] == {"data backups": free}


@pytest.mark.django_db
def test_another_check_can_be_added(client: Client, checks: None) -> None:
    facts: dict[str, Any] = {"at": "2026-01-02T11:00:00+00:00"}
    health.register("last_proven_copy", lambda: health.Finding(facts, warning="the copy cannot be loaded"))
    answer = client.get("/readyz").json()
    assert answer["last_proven_copy"] == {"ok": True, **facts}
    assert answer["warnings"] == ["the copy cannot be loaded"]


def test_a_check_that_fails_with_an_error_is_reported_and_stops_nothing_else(
    client: Client, checks: None
) -> None:
    health.register("database", lambda: health.Finding())
    health.register("broken", lambda: 1 / 0)  # type: ignore[arg-type,return-value]
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json()["broken"]) == (503, {"ok": False, "error": "ZeroDivisionError"})


@pytest.mark.django_db(transaction=True)
def test_readyz_reports_copies_that_cannot_be_restored_or_do_not_reach_the_other_place(
    client: Client, settings: Settings
) -> None:
    settings.BACKUP_TO = "/media/stick"
    state = client.get("/readyz").json()
    assert (state["warnings"], state["copies"]["proofs_failed"], state["copies"]["elsewhere"]) == (
        [],
        0,
        True,
    )
    section = SectionFactory()
    CopyProof.objects.create(section=section, name="x", changed_ns=1, at=timezone.now(), fault="damaged")
    answer = client.get("/readyz")
    state = answer.json()
    assert (answer.status_code, state["warnings"]) == (200, ["copies need attention"])
    assert (state["copies"]["ok"], state["copies"]["proofs_failed"]) == (True, 1)
    CopyProof.objects.all().delete()
    chores.take_chore(chores.COPIES, "a server", timedelta(minutes=1))
    chores.finish_chore(chores.COPIES, "a server", error="the directory /media/stick does not exist")
    answer = client.get("/readyz")
    state = answer.json()
    assert (state["warnings"], state["copies"]["elsewhere_failed"]) == (["copies need attention"], True)
    assert b"stick" not in answer.content


@pytest.mark.django_db
def test_readyz_names_the_languages_whose_pages_are_in_english(
    client: Client, settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert client.get("/readyz").json()["translations"] == {"ok": True, "missing": []}
    monkeypatch.setattr(trans_real, "_translations", {})
    settings.LOCALE_PATHS = [tmp_path / "locale"]
    settings.LANGUAGES = [("de", "Deutsch"), ("en", "English"), ("fr", "Français")]
    answer = client.get("/readyz")
    assert answer.json()["translations"] == {"ok": True, "missing": ["de", "fr"]}
    assert answer.json()["warnings"] == ["translations are missing"]
