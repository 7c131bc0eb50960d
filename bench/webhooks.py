"""Measure webhooks beside hostile receivers: `python -m bench.webhooks [--hostile 0 4 16] [--seconds 60]`.

One receiver answers at once. The others, in events of their own, take the connection and never answer. Every two
seconds each of them gets a message, and `manage.py send_webhooks` runs as the server starts it: five seconds after it
has ended. All receivers are on 127.0.0.1. Prints for each number of hostile receivers how long a message to the good
one takes, in seconds and as a ratio to the row without hostile ones.
"""

from __future__ import annotations

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING, Any

import django

if TYPE_CHECKING:
    from tournaments.models import Webhook

ROOT = Path(__file__).resolve().parent.parent
PAUSE, EVERY = 5.0, 2.0
"""Seconds between two runs of the command, and between two messages."""


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure webhooks beside hostile receivers.")
    parser.add_argument("--hostile", type=int, nargs="+", default=[0, 4, 16])
    parser.add_argument("--seconds", type=float, default=60)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        os.environ |= {"VAR_DIR": directory, "DJANGO_SETTINGS_MODULE": "config.settings", "PUBLIC_URL": ""}
        os.environ["WEBHOOK_NETWORKS"] = "127.0.0.0/8"
        os.environ.setdefault("DATABASE_URL", f"sqlite:///{directory}/webhooks.sqlite3")
        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(f"{'hostile':>8}{'messages':>10}{'median s':>10}{'worst s':>9}{'ratio':>7}")
        first = 0.0
        for count in options.hostile:
            times, lost = measured(count, options.seconds)
            first = first or max(times)
            print(
                f"{count:8}{len(times):10}{statistics.median(times):10.1f}{max(times):9.1f}{max(times) / first:7.1f}",
                f"  {lost} not yet arrived" if lost else "",
                flush=True,
            )


class Good(BaseHTTPRequestHandler):
    """Answers at once, and notes when each message came."""

    came: dict[str, float]

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.came.setdefault(self.headers["webhook-id"], time.time())
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_parts: object) -> None:
        """Print nothing."""


def measured(hostile: int, seconds: float) -> tuple[list[float], int]:
    """Return how long each message took to the good receiver, and how many have not arrived a while after the end."""
    from tournaments.models import Webhook, WebhookMessage

    WebhookMessage.objects.all().delete()
    Webhook.objects.all().delete()
    silent, held = socket.create_server(("0.0.0.0", 0), backlog=200), []  # noqa: S104 (each has a number of its own)

    def accept() -> None:
        with suppress(OSError):
            while True:
                held.append(silent.accept())

    threading.Thread(target=accept, daemon=True).start()
    came: dict[str, float] = {}
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Noting", (Good,), {"came": came}))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    bad = [f"http://127.0.1.{1 + number}:{silent.getsockname()[1]}/" for number in range(hostile)]
    hooks = [hook(address, number) for number, address in enumerate(bad)]
    hooks.append(hook(f"http://127.0.0.1:{server.server_port}/", len(bad)))
    over = threading.Event()
    sender = threading.Thread(target=send, args=(over,))
    sender.start()
    ours = []
    for _ in range(int(seconds / EVERY)):
        made = [message(each) for each in hooks]
        ours.append(made[-1])
        time.sleep(EVERY)
    end = time.time() + 90
    while time.time() < end and any(str(each.key) not in came for each in ours):
        time.sleep(0.5)
    over.set()
    sender.join()
    server.shutdown()
    silent.close()
    arrived = [came[str(each.key)] - each.made_at.timestamp() for each in ours if str(each.key) in came]
    return arrived, len(ours) - len(arrived)


def hook(address: str, number: int) -> Webhook:
    from tournaments.models import Event, Section, Webhook

    event, _ = Event.objects.get_or_create(
        slug=f"event{number}",
        defaults={"name": f"Event {number}", "start": "2090-01-01", "end": "2090-01-02"},
    )
    Section.objects.get_or_create(event=event, slug="a", defaults={"name": "A", "rounds": 5})
    return Webhook.objects.create(event=event, address=address, nonce="bench")


def message(to: Webhook) -> Any:
    from tournaments.models import WebhookMessage

    section = to.event.sections.get()
    return WebhookMessage.objects.create(
        webhook=to, section=section, kind=WebhookMessage.Kind.PUBLICATION, revision=1, round_number=1
    )


def send(over: threading.Event) -> None:
    """Run the command again and again, as server/chores.py does."""
    command = [sys.executable, str(ROOT / "manage.py"), "send_webhooks", "--gently", "--verbosity", "0"]
    while not over.wait(PAUSE):
        running = subprocess.Popen(command)
        while running.poll() is None and not over.wait(0.2):
            pass
        running.terminate()
        running.wait()


if __name__ == "__main__":
    main()
