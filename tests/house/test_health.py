"""The health check tells whether the database answers, and never writes or caches."""

from __future__ import annotations

from unittest import mock

import pytest
from django.db import OperationalError, connection
from django.test import Client
from pytest_django.fixtures import Settings


@pytest.mark.django_db
def test_healthz_is_ok_when_the_database_answers(client: Client) -> None:
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert "no-store" in answer["Cache-Control"]


@pytest.mark.django_db
def test_healthz_says_503_when_the_database_does_not_answer(client: Client) -> None:
    with mock.patch.object(connection, "cursor", side_effect=OperationalError("gone")):
        answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (503, b"the database does not answer\n")


@pytest.mark.django_db
def test_healthz_takes_no_post(client: Client) -> None:
    assert client.post("/healthz").status_code == 405


@pytest.mark.django_db
def test_healthz_is_not_sent_to_https(client: Client, settings: Settings) -> None:
    settings.SECURE_SSL_REDIRECT = True
    assert client.get("/healthz").status_code == 200
