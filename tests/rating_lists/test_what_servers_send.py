"""A federation's server sends something else than a whole list: the list in force stays, and the page says why."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from http.client import HTTPResponse
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingTCPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from django.utils import timezone
from pytest_django import Settings

from ratings.actions import fetching
from ratings.actions.fetching import fetch, fetch_due, keep_up_to_date, origins_due
from ratings.actions.importing import import_waiting
from ratings.actions.offering import incoming
from ratings.models import KnownOrigin, RatingList
from ratings.search import ready_lists, series_up_to_date
from tests.waiting import LONG
from web.words.rating_lists import origin_problem

from .made import field, imported, text, zipped

LIST = zipped("players_list_foa.txt", text(*field(301)))
DATE = "Tue, 24 Nov 2026 06:00:00 GMT"
Send = Callable[[BaseHTTPRequestHandler], None]


class Server(ThreadingTCPServer):
    """send: what the next answers are made by. asked: headers of the requests. over: slow answers end."""

    def handle_error(self, _request: object, _address: object) -> None:
        """Say nothing: the program does not talk with everybody."""

    daemon_threads = True
    send: Send
    asked: list[dict[str, str]]
    over: threading.Event


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(dict(self.headers))
        self.close_connection = True
        self.server.send(self)

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


@pytest.fixture
def server(settings: Settings) -> Iterator[Server]:
    with Server(("127.0.0.1", 0), Handler) as server:
        server.asked, server.over = [], threading.Event()
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        settings.FIDE_LIST_URL = f"http://127.0.0.1:{server.server_address[1]}/players_list.zip"
        yield server
        server.over.set()
        server.shutdown()
        thread.join()


def body(data: bytes, status: int = 200, **headers: str) -> Send:
    """Answer with these bytes. length: the header Content-Length, "" for none."""

    def send(request: BaseHTTPRequestHandler) -> None:
        length = headers.get("length", str(len(data)))
        request.send_response(status)
        for name, value in headers.items():
            if name != "length":
                request.send_header(name.replace("_", "-"), value)
        if length:
            request.send_header("Content-Length", length)
        request.end_headers()
        request.wfile.write(data)

    return send


def chunks(*pieces: bytes, ends: bool = True) -> Send:
    def send(request: BaseHTTPRequestHandler) -> None:
        body(b"", Transfer_Encoding="chunked", ETag='"one"', length="")(request)
        for piece in pieces:
            request.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
        if ends:
            request.wfile.write(b"0\r\n\r\n")

    return send


def drip(request: BaseHTTPRequestHandler) -> None:
    body(LIST[:100], ETag='"one"', length=str(len(LIST)))(request)
    request.server.over.wait(LONG)  # type: ignore[attr-defined]


NOT_USED = {
    "a page that says sorry": (body(b"<!doctype html><title>Sorry</title>", ETag='"sorry"'), "not_a_list"),
    "a page that says sorry, as XML": (body(b"<?xml version='1.0'?><html></html>"), "not_a_list"),
    "a ZIP without its end and without a length": (
        body(LIST[:-200], ETag='"one"', length=""),
        "packed_badly",
    ),
    "a ZIP that is damaged on the server": (body(LIST[:-200], ETag='"one"'), "packed_badly"),
    "a ZIP of something else": (body(zipped("a.exe", b"MZ")), "packed_empty"),
    "more than a list can have": (body(b"PK", length=str(fetching.MOST_PACKED + 1)), "too_large"),
    "nothing": (body(b""), "not_a_list"),
    "a page that is not there": (body(b"", 404), "HTTP 404"),
    "a page that says that it is too much": (body(b"", 503, Retry_After="60"), "HTTP 503"),
    "a redirection to itself": (body(b"", 302, Location="/players_list.zip"), "HTTP 302"),
    "a slow answer": (drip, "timed out"),
    "less than it says": (body(LIST[:-200], length=str(len(LIST))), "ended too early"),
    "chunks without an end": (chunks(LIST[:200], ends=False), "IncompleteRead"),
    "no answer": (lambda _request: None, "without response"),
    "something that is no HTTP": (lambda request: request.wfile.write(b"hello\r\n"), "hello"),
}


@pytest.mark.one_database
@pytest.mark.parametrize(("send", "problem"), NOT_USED.values(), ids=NOT_USED)
def test_what_is_no_whole_list_is_not_used(
    lists: Path, server: Server, monkeypatch: pytest.MonkeyPatch, send: Send, problem: str
) -> None:
    read1 = HTTPResponse.read1

    def impatient(answer: HTTPResponse, size: int = -1) -> bytes:
        """Read what has come. Then wait only a moment for more."""
        piece = read1(answer, size)
        answer.fp.raw._sock.settimeout(0.05)
        return piece

    monkeypatch.setattr(fetching, "SECONDS", LONG)
    if problem == "timed out":
        monkeypatch.setattr(HTTPResponse, "read1", impatient)
    former = imported(text(*field()), period=f"{timezone.localdate():%Y-%m}")
    server.send = send
    keep_up_to_date()
    assert fetch_due() == []
    server.over.set()
    monkeypatch.setattr(HTTPResponse, "read1", read1)
    assert ready_lists() == [former]
    origin = KnownOrigin.objects.get()
    assert problem in origin.problem
    assert origins_due() == [], "not in a loop"
    assert series_up_to_date() == set()
    unanswered, refused = origin_problem(origin)
    assert (unanswered == "", "[" in refused) == (origin.problem.startswith("["), False)
    kept = [path for path in incoming().iterdir() if path.stat().st_size]
    assert len(kept) == (problem in ("timed out", "ended too early", "IncompleteRead"))
    server.send = body(LIST, ETag='"one"')
    assert fetch(origin) is not None, "an hour later"
    assert "If-None-Match" not in server.asked[-1]
    import_waiting()
    assert [one.rows for one in ready_lists()] == [301]
    assert series_up_to_date() == {"FIDE"}


WHOLE = {
    "in chunks": chunks(LIST[:300], LIST[300:]),
    "without a length": body(LIST, length=""),
    "by a redirection": None,
    "with a date": body(LIST, Last_Modified=DATE),
}


@pytest.mark.parametrize("way", WHOLE)
def test_whole_list_is_used_however_it_comes(lists: Path, server: Server, way: str) -> None:
    def redirect(request: BaseHTTPRequestHandler) -> None:
        moved = request.path.endswith(".zip")
        (body(b"", 301, Location="/elsewhere") if moved else body(LIST))(request)

    server.send = WHOLE[way] or redirect
    origin = keep_up_to_date()
    assert fetch(origin) is not None
    import_waiting()
    assert [one.rows for one in ready_lists()] == [301]
    server.send = body(b"", 304, length="")
    assert fetch(origin) is None
    assert KnownOrigin.objects.get().problem == ""
    asked = {"in chunks": ("If-None-Match", '"one"'), "with a date": ("If-Modified-Since", DATE)}
    assert [asked[way] in server.asked[-1].items() if way in asked else True] == [True]


def test_wrong_certificate_is_refused(
    lists: Path, server: Server, settings: Settings, tmp_path: Path
) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(_certificate(tmp_path / "own.pem"))
    server.socket = tls.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    settings.FIDE_LIST_URL = settings.FIDE_LIST_URL.replace("http:", "https:")
    server.send = body(LIST)
    assert fetch(keep_up_to_date()) is None
    assert "certificate verify failed" in KnownOrigin.objects.get().problem
    assert server.asked == []


def _certificate(path: Path) -> Path:
    """Write a certificate that nobody has signed, and its key."""
    key, name = (
        ec.generate_private_key(ec.SECP256R1()),
        x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "x")]),
    )
    now = datetime.now(UTC)
    made = x509.CertificateBuilder(name, name, key.public_key(), 1, now - timedelta(1), now + timedelta(1))
    signed = made.sign(key, hashes.SHA256())
    secret = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    path.write_bytes(secret + signed.public_bytes(serialization.Encoding.PEM))
    return path


def test_list_follows_the_address_that_the_operator_sets(
    lists: Path, server: Server, settings: Settings
) -> None:
    """FIDE has moved its lists before: nobody should need another version of the program for that."""
    there, settings.FIDE_LIST_URL = settings.FIDE_LIST_URL, "http://127.0.0.1:1/former.zip"
    origin = keep_up_to_date()
    assert fetch(origin) is None
    KnownOrigin.objects.update(etag='"former"')
    settings.FIDE_LIST_URL = there
    server.send = body(LIST)
    assert fetch(KnownOrigin.objects.get()) is not None
    assert "If-None-Match" not in server.asked[-1]
    assert (KnownOrigin.objects.get().address, RatingList.objects.get().address) == (there, there)


def test_list_that_was_fetched_and_refused_later_is_not_up_to_date(lists: Path, server: Server) -> None:
    """The beginning of the file is that of a list, so only the import finds what is wrong."""
    former = imported(text(*field()))
    server.send = body(text())
    assert fetch(keep_up_to_date()) is not None
    import_waiting()
    refused = RatingList.objects.get(state=RatingList.State.REFUSED)
    assert refused.problem["code"] == "nobody"
    assert (ready_lists(), series_up_to_date()) == ([former], set())
