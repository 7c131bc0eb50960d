"""Answers on one connection: each begins where the one before it ended, also after HEAD."""

from __future__ import annotations

import socket
from collections.abc import Iterable
from typing import Any

import pytest

from tests.house.serving import Answered, Serve, read_answer
from tests.waiting import LONG

pytestmark = pytest.mark.one_database

PAGE = b"<h1>Round 1</h1>" * 1000


def application(environ: dict[str, Any], start_response: Any) -> Iterable[bytes]:
    """Answer in each of the ways in which an application can give a body."""
    match environ["PATH_INFO"]:
        case "/length":
            start_response("200 OK", [("Content-Length", str(len(PAGE))), ("X-Page", "length")])
            return [PAGE]
        case "/pieces":
            start_response("200 OK", [("X-Page", "pieces")])
            return iter([PAGE, PAGE])
        case "/file" if "wsgi.file_wrapper" in environ:
            import io

            start_response("200 OK", [("Content-Length", str(len(PAGE))), ("X-Page", "file")])
            wrapped: Iterable[bytes] = environ["wsgi.file_wrapper"](io.BytesIO(PAGE))
            return wrapped
        case "/file":
            start_response("200 OK", [("Content-Length", str(len(PAGE))), ("X-Page", "file")])
            return iter([PAGE])
        case "/moved":
            start_response("302 Found", [("Location", "/length"), ("Content-Length", "5")])
            return [b"moved"]
        case "/same":
            start_response("304 Not Modified", [("ETag", '"7"')])
            return []
        case "/nothing":
            start_response("204 No Content", [])
            return []
        case "/fails":
            raise RuntimeError("a program error that Django did not catch")
    start_response("404 Not Found", [("Content-Length", "9")])
    return [b"not found"]


@pytest.fixture
def port(serve: Serve) -> int:
    return serve(application)


@pytest.mark.parametrize(
    ("path", "status"), [("/length", 200), ("/file", 200), ("/pieces", 200), ("/moved", 302), ("/none", 404)]
)
def test_head_has_the_header_of_get_and_no_body(port: int, path: str, status: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(
            f"HEAD {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode() + b"GET /same HTTP/1.1\r\nHost: a\r\n\r\n"
        )
        file = line.makefile("rb")
        head, after = read_answer(file, "HEAD"), read_answer(file, "GET")
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
        page = read_answer(line.makefile("rb"), "GET")
    assert (head.status, page.status, after.status) == (status, status, 304)
    assert page.body
    headers = {name: value for name, value in page.headers.items() if name not in {"date", "connection"}}
    assert {name: value for name, value in head.headers.items() if name != "date"} == headers


def test_an_answer_whose_end_is_known_keeps_the_connection(port: int) -> None:
    asked = ["/same", "/nothing", "/pieces", "/length"]
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        file = line.makefile("rb")
        got: list[Answered] = []
        for path in asked:
            line.sendall(f"GET {path} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
            got.append(read_answer(file, "GET"))
    assert [(each.status, each.headers.get("connection"), len(each.body)) for each in got] == [
        (304, None, 0),
        (204, None, 0),
        (200, None, 2 * len(PAGE)),
        (200, None, len(PAGE)),
    ]


@pytest.mark.parametrize("path", ["/same", "/length"])
def test_a_client_that_wants_to_close_gets_the_header_that_the_connection_closes(
    port: int, path: str
) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(f"HEAD {path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".encode())
        file = line.makefile("rb")
        assert read_answer(file, "HEAD").headers["connection"] == "close"
        assert file.read() == b""


@pytest.mark.parametrize(
    ("begin", "status"),
    [
        ("HEAD /fails HTTP/1.1", 500),
        ("HEAD /a HTTP/1.1\r\nno header", 400),
        ("HEAD /a HTTP/1.1\r\nContent-Length: many", 400),
        ("HEAD /a HTTP/1.1\r\nContent-Length: 99999999999", 413),
    ],
    ids=["fails", "header", "length", "large"],
)
def test_a_refusal_of_head_has_no_body_and_closes(port: int, begin: str, status: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=LONG) as line:
        line.sendall(f"{begin}\r\nHost: a\r\n\r\n".encode())
        file = line.makefile("rb")
        answer = read_answer(file, "HEAD")
        assert (answer.status, answer.headers["connection"]) == (status, "close")
        assert file.read() == b""
