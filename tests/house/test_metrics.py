"""Monitors read what the process counts. Each answer has a number, which the lines of the log about it have too."""

from __future__ import annotations

import json
import logging
import re
import socket
from collections.abc import Callable, Iterable
from logging.config import DictConfigurator
from typing import Any

import pytest
from django.conf import settings as site
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families
from pytest_django import Settings

from evenboard_engine import PROGRAM, VERSION
from server.console import NamesRequest
from server.dispatch import Door, task_of
from server.metrics import now
from server.priority_queues import Lanes, usual_lanes
from tests.factories import section_of
from tests.house.serving import Answered, Serve, read_answer
from tests.web.staff.conftest import enter, paired

TOKEN = "a token of the monitor"
LOCAL: dict[str, Any] = {"REMOTE_ADDR": "127.0.0.1", "headers": {"host": "127.0.0.1:8000"}}


def measured(client: Client) -> Callable[..., float]:
    """Ask once, and return a function that returns the sum of the samples of a name with these labels."""
    answer = client.get("/metrics", **LOCAL)
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"].startswith("text/plain")
    samples = [
        sample
        for family in text_string_to_metric_families(answer.content.decode())
        for sample in family.samples
    ]

    def value(name: str, **labels: str) -> float:
        return sum(
            each.value for each in samples if each.name == name and labels.items() <= each.labels.items()
        )

    return value


@pytest.mark.django_db
def test_metrics_are_for_this_machine_and_for_the_token(client: Client, settings: Settings) -> None:
    settings.ALLOWED_HOSTS = ["127.0.0.1", "chess.example"]
    elsewhere: dict[str, Any] = {"REMOTE_ADDR": "203.0.113.7", "headers": {"host": "chess.example"}}
    behind_proxy: dict[str, Any] = {"REMOTE_ADDR": "127.0.0.1", "headers": {"host": "chess.example"}}

    def status(place: dict[str, Any], **headers: str) -> int:
        answer = client.get("/metrics", **{**place, "headers": {**place["headers"], **headers}})
        return answer.status_code

    assert [status(place) for place in (LOCAL, elsewhere, behind_proxy)] == [200, 404, 404]
    assert status(elsewhere, authorization="Bearer ") == 404
    settings.METRICS_TOKEN = TOKEN
    assert status(elsewhere, authorization=f"Bearer {TOKEN}") == 200
    assert [status(elsewhere, authorization=f"{kind} {TOKEN}x") for kind in ("Bearer", "Basic")] == [404, 404]
    assert status(LOCAL) == 200


@pytest.mark.django_db
def test_saves_and_pairings_are_counted_by_action_and_system(client: Client) -> None:
    before = measured(client)
    game = paired(section_of(4)).games.get(board=1)
    enter(game, "1-0")
    after = measured(client)

    def more(name: str, **labels: str) -> float:
        return after(name, **labels) - before(name, **labels)

    assert more("evenboard_saves_total", action="record_result") == 1
    assert more("evenboard_save_seconds_count") == more("evenboard_saves_total")
    assert more("evenboard_pairing_seconds_count", system="dubov") == 1
    enter(game, "1-0")  # nothing changes
    assert measured(client)("evenboard_saves_total") == after("evenboard_saves_total")


@pytest.mark.django_db
def test_findings_of_the_checks_and_what_is_due_are_measured(client: Client) -> None:
    value = measured(client)
    assert value("evenboard_check", check="database") == 1
    assert value("evenboard_check", check="migrations") == 1
    assert value("evenboard_database_bytes") > 100_000
    assert value("evenboard_disk_free_bytes") > 0
    assert value("evenboard_due", kind="mails") == 0


def counting(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    logging.getLogger("evenboard.test").error("something is wrong")
    start_response("200 OK", [("Content-Length", "2")])
    return [b"ok"]


def test_requests_are_counted_by_lane_and_named_in_the_log(
    serve: Serve, client: Client, caplog: pytest.LogCaptureFixture, db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    lanes = Lanes(usual_lanes(1, 1), task_of)
    monkeypatch.setattr(now, "lanes", lanes)
    before = measured(client)
    port = serve(Door(counting), lanes=lanes)
    caplog.handler.setFormatter(as_json())
    caplog.handler.addFilter(NamesRequest())
    with caplog.at_level(logging.INFO):
        answer = _get(port, "/login/?next=secret")
    after = measured(client)
    labels = {"lane": "login", "task": "form", "status": "200"}
    name = "evenboard_request_seconds_count"
    assert after(name, **labels) - before(name, **labels) == 1
    assert after("evenboard_requests_waiting", lane="login") == 0
    lines = [json.loads(line) for line in caplog.text.splitlines() if line.startswith("{")]
    ours = {line["logger"]: line for line in lines if line["request_id"] == answer.headers["x-request-id"]}
    assert ours["evenboard.test"]["message"] == "something is wrong"
    assert re.fullmatch(r"GET /login/ 200 in 0\.\d{3} s", ours["evenboard.requests"]["message"])
    with caplog.at_level(logging.INFO):
        for secret in ("/login/new-password/a-secret/", "/de/open/a/board/1-a-secret/", "/a-secret/a/a/a/a/"):
            _get(port, secret)
    assert "a-secret" not in caplog.text
    assert "/login/new-password/<" in caplog.text
    assert set(ours["evenboard.test"]) == {"time", "level", "logger", "request_id", "message", "program"}
    assert ours["evenboard.test"]["program"] == PROGRAM
    assert after("evenboard_build_info", version=VERSION) == 1


def as_json() -> logging.Formatter:
    given: dict[str, Any] = {**site.LOGGING}["formatters"]["json"]  # type: ignore[index]
    found: logging.Formatter = DictConfigurator({}).configure_formatter(given)  # type: ignore[no-untyped-call]
    return found


def _get(port: int, path: str) -> Answered:
    with socket.create_connection(("127.0.0.1", port)) as connected, connected.makefile("rb") as file:
        connected.sendall(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        return read_answer(file, "GET")
