"""The proxy before several hosts (docker/Caddyfile.hosts) leaves out what does not work, and sends nothing twice."""

from __future__ import annotations

import http.client
import shutil
import socket
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from tests.house.serving import caddy, free_port
from tests.waiting import LONG, until

pytestmark = [
    pytest.mark.one_database,
    pytest.mark.skipif(shutil.which("caddy") is None, reason="needs Caddy"),
]


@dataclass
class Host:
    """A host. ready: what /readyz answers. looks: how often it was asked. breaks: it closes the connection of a request
    that it has read.
    """

    ready: int = 200
    looks: int = 0
    breaks: bool = False
    got: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    lines: list[socket.socket] = field(default_factory=list)

    def start(self, port: int = 0) -> None:
        host = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status = host.ready if self.path == "/readyz" else 200
                if self.path == "/readyz":
                    assert self.headers["Host"] == "localhost"
                    host.looks += 1
                else:
                    host.got.append((self.command, dict(self.headers)))
                if host.breaks and self.path != "/readyz":
                    self.close_connection = True
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                body = str(host.port).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Print nothing."""

        class Server(ThreadingHTTPServer):
            daemon_threads = True

            def process_request(self, request: Any, address: Any) -> None:
                host.lines.append(request)
                super().process_request(request, address)

            def handle_error(self, *_: object) -> None:
                """A connection that breaks is no error here."""

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_port
        Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self) -> None:
        """Stop, and close all connections, as the system does when a process is killed."""
        self._server.shutdown()
        self._server.server_close()
        for line in self.lines:
            with suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)


@pytest.fixture
def hosts() -> Iterator[tuple[Host, Host]]:
    both = Host(), Host()
    for host in both:
        host.start()
    yield both
    for host in both:
        host.stop()


@pytest.fixture
def proxy(
    hosts: tuple[Host, Host], root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[int]:
    """The proxy, which asks itself without the cache between."""
    chooses = f"http://127.0.0.1:{free_port()}"
    monkeypatch.setenv("WEB_HOSTS", " ".join(f"127.0.0.1:{host.port}" for host in hosts))
    first, second = ((root / "docker" / name).read_text() for name in ("Caddyfile", "Caddyfile.hosts"))
    config = first + second.replace("import Caddyfile\n", "").replace(":8081 {", f"{chooses} {{")
    config = config.replace("health_interval 5s", "health_interval 200ms").replace("5s\n", "500ms\n")
    with caddy(config, chooses, tmp_path) as port:
        yield port


def ask(port: int, method: str = "GET") -> tuple[int, str]:
    line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONG)
    try:
        line.request(method, "/", body=b"result=1" if method == "POST" else None)
        answer = line.getresponse()
        return answer.status, answer.read().decode()
    finally:
        line.close()


def test_hosts_share_the_requests_and_learn_who_asks(hosts: tuple[Host, Host], proxy: int) -> None:
    names = {str(host.port) for host in hosts}
    until(lambda: {ask(proxy)[1] for _ in range(8)} == names)
    ask(proxy, "POST")
    ((_method, heads),) = [sent for host in hosts for sent in host.got if sent[0] == "POST"]
    asked = [heads[name] for name in ("Host", "X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host")]
    assert asked == [f"127.0.0.1:{proxy}", "127.0.0.1", "http", f"127.0.0.1:{proxy}"]


def test_a_host_that_is_not_ready_or_gone_is_left_out_and_comes_back(
    hosts: tuple[Host, Host], proxy: int
) -> None:
    one, other = hosts
    one.ready = 503
    until(lambda: {ask(proxy)[1] for _ in range(8)} == {str(other.port)})
    one.ready = 200
    until(lambda: {ask(proxy)[1] for _ in range(8)} == {str(one.port), str(other.port)})
    one.stop()
    # a POST on a connection that closes just now is answered with 502: it may have been sent
    until(lambda: {ask(proxy, method) for method in ("GET", "POST") * 6} == {(200, str(other.port))})
    one.start(one.port)
    until(lambda: {ask(proxy)[1] for _ in range(8)} == {str(one.port), str(other.port)})


def test_a_save_that_was_sent_is_not_sent_to_another_host(hosts: tuple[Host, Host], proxy: int) -> None:
    for host in hosts:
        host.breaks = True
    status, _body = ask(proxy, "POST")
    assert status == 502
    assert [method for host in hosts for method, _heads in host.got] == ["POST"]


def test_if_no_host_is_ready_a_host_says_why(hosts: tuple[Host, Host], proxy: int) -> None:
    for host in hosts:
        host.ready = 503
        host.looks = 0
    until(lambda: all(host.looks > 1 for host in hosts))
    assert {ask(proxy, method) for method in ("GET", "POST") * 2} <= {(200, str(host.port)) for host in hosts}
