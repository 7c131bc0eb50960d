"""Where mails, messages and notices of bench/hosts.py come, and how often each came."""

from __future__ import annotations

import socketserver
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

SERVICE = """
import http.client
class Line(http.client.HTTPConnection):
    def __init__(self, host, **options):
        super().__init__("127.0.0.1", {port}, **options)
http.client.HTTPSConnection = Line
"""  # the push service of phones is a receiver of ours


@dataclass(frozen=True)
class Came:
    """What came, and how often: mails by receiver and subject, messages by key, notices by phone."""

    mails: Counter[str]
    messages: Counter[str]
    notices: Counter[str]


class CountingServer(ThreadingHTTPServer):
    """Counts what came."""

    came: Counter[str]

    @property
    def port(self) -> int:
        return self.server_address[1]


class WebhookReceiver(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.came[self.headers["webhook-id"] or self.path] += 1  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_parts: object) -> None:
        """Print nothing."""


class MailReceiver(socketserver.StreamRequestHandler):
    """As much of SMTP as a client needs; counts mails by receiver and subject."""

    def handle(self) -> None:
        self.reply("220 bench")
        receiver = ""
        while line := self.rfile.readline().decode().strip():
            word = line[:4].upper()
            if word == "RCPT":
                receiver = line.partition("<")[2].partition(">")[0]
            self.reply("354 go on" if word == "DATA" else "221 bye" if word == "QUIT" else "250 ok")
            if word == "DATA":
                text = b"".join(iter(self.rfile.readline, b".\r\n")).decode(errors="replace")
                subject = next(line for line in text.splitlines() if line.startswith("Subject:"))
                self.server.came[f"{receiver} {subject}"] += 1  # type: ignore[attr-defined]
                self.reply("250 taken")
            if word == "QUIT":
                return

    def reply(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


@contextmanager
def counting(handler: type[socketserver.BaseRequestHandler]) -> Iterator[CountingServer]:
    with CountingServer(("127.0.0.1", 0), handler) as server:
        server.came = Counter()
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server
        server.shutdown()


def mail_server() -> Any:
    return counting(MailReceiver)


def receiver() -> Any:
    return counting(WebhookReceiver)
