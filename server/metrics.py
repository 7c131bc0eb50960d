"""What Prometheus and programs like it read: `/metrics`, what this process has counted and what is so now.

Each process has counts of its own, so a site with several processes is asked at each of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from platform import python_version

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.http.request import split_domain_port
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Info, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from base.networks import network, network_of
from evenboard_engine import VERSION
from server.health import findings
from server.priority_queues import Lanes

HERE = {network("127.0.0.1"), network("::1")}
OF_HERE = ("localhost", "127.0.0.1", "[::1]")
"""A proxy on this machine that is not named by TRUSTED_PROXY asks from here too, but for another name."""
IN_BYTES = 1024**2


class Now(Collector):
    """What is so when somebody asks: who waits in the lanes, and what the checks of /readyz find."""

    lanes: Lanes | None = None

    def describe(self) -> list[GaugeMetricFamily]:
        """Return nothing, so that Prometheus's registry does not ask the database when this module is loaded."""
        return []

    def collect(self) -> Iterator[GaugeMetricFamily]:
        if self.lanes:
            waiting = GaugeMetricFamily(
                "evenboard_requests_waiting", "Requests that wait for a thread.", labels=("lane", "task")
            )
            answered = GaugeMetricFamily(
                "evenboard_requests_in_work", "Requests that a thread answers.", labels=("lane", "task")
            )
            for lane, task, wait, work in self.lanes.lengths():
                waiting.add_metric((lane, task), wait)
                answered.add_metric((lane, task), work)
            yield from (waiting, answered)
        found = findings()
        checks = GaugeMetricFamily(
            "evenboard_check", "1 if a check of /readyz is well, 0 if not.", labels=("check",)
        )
        warnings = GaugeMetricFamily("evenboard_warning", "1 if a check warns.", labels=("check",))
        for name, one in found.items():
            checks.add_metric((name,), one.ok)
            warnings.add_metric((name,), bool(one.warning))
        yield from (checks, warnings)
        facts = {name: one.facts for name, one in found.items()}
        queue = GaugeMetricFamily(
            "evenboard_due", "Mails, webhooks and notices that are due and not sent.", labels=("kind",)
        )
        for kind, of in (("mails", facts["mail"].get("waiting")), *facts["work"].items()):
            if isinstance(of, int):
                queue.add_metric((kind,), of)
        yield queue
        free = GaugeMetricFamily("evenboard_disk_free_bytes", "Room on a disk.", labels=("holds",))
        for holds, megabytes in facts["disk"].get("free_mb", {}).items():
            free.add_metric((holds,), megabytes * IN_BYTES)
        yield free
        for name, text, value in (
            (
                "evenboard_database_answer_seconds",
                "Time of the simplest question.",
                _scaled(facts["database"], "milliseconds"),
            ),
            (
                "evenboard_database_bytes",
                "Size of the database.",
                facts["database"].get("bytes"),
            ),
            (
                "evenboard_mail_oldest_seconds",
                "For how long the oldest mail is due.",
                facts["mail"].get("oldest_seconds"),
            ),
            (
                "evenboard_last_copy_age_seconds",
                "Age of the newest copy of a section.",
                facts["last_backup"].get("age_seconds"),
            ),
        ):
            if value is not None:
                yield GaugeMetricFamily(name, text, value=value)


def _scaled(facts: object, name: str) -> float | None:
    value = facts.get(name) if isinstance(facts, dict) else None
    return None if value is None else value / 1000


now = Now()
REGISTRY.register(now)
Info("evenboard_build", "The version of Evenboard.").info({"version": VERSION, "python": python_version()})


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer a program on this machine, or one that sends METRICS_TOKEN as a bearer token; others get 404."""
    kind, _space, token = request.headers.get("Authorization", "").partition(" ")
    known = settings.METRICS_TOKEN and kind.lower() == "bearer"
    by_token = known and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    from_here = network_of(request) in HERE and split_domain_port(request.get_host())[0] in OF_HERE
    if not (by_token or from_here):
        raise Http404
    return HttpResponse(generate_latest(), content_type=CONTENT_TYPE_LATEST)
