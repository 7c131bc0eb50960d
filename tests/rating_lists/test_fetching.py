"""Lists of type A: fetched once, asked for once a day, gone on with after a break, no loop without a network."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import timedelta
from http.client import HTTPResponse
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import TCPServer

import pytest
from django.utils import timezone
from pytest_django import Settings

from ratings.actions import fetching
from ratings.actions.fetching import change_address, fetch, fetch_due, keep_up_to_date, origins_due
from ratings.actions.importing import import_waiting
from ratings.errors import ListRefused, NotNow
from ratings.formats.columns import ColumnReading
from ratings.models import KnownOrigin, RatingList

from .made import field, text, zipped


class Federation(BaseHTTPRequestHandler):
    """A federation's server. cut: the next answer ends after so many bytes. asked: what was asked for."""

    data = b""
    etag = '"one"'
    cut = 0
    asked: list[dict[str, str]] = []

    def do_GET(self) -> None:
        type(self).asked.append(
            {key: self.headers[key] for key in ("Range", "If-None-Match") if key in self.headers}
        )
        if self.path == "/gone":
            self.send_response(302)
            self.send_header("Location", "ftp://127.0.0.1/list.zip")
            self.end_headers()
            return
        if self.headers.get("If-None-Match") == self.etag:
            self.send_response(304)
            self.end_headers()
            return
        start = 0
        if (wanted := self.headers.get("Range")) and self.headers.get("If-Range") == self.etag:
            start = int(wanted.removeprefix("bytes=").rstrip("-"))
        body = self.data[start:]
        self.send_response(206 if start else 200)
        self.send_header("ETag", self.etag)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body[: self.cut] if self.cut else body)
        type(self).cut = 0

    def log_message(self, *_words: object) -> None:
        """Say nothing."""


@pytest.fixture
def address(settings: Settings) -> Iterator[str]:
    Federation.data, Federation.etag, Federation.cut = (
        zipped("players_list_foa.txt", text(*field())),
        '"one"',
        0,
    )
    Federation.asked = []
    server = TCPServer(("127.0.0.1", 0), Federation)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    settings.FIDE_LIST_URL = f"http://127.0.0.1:{server.server_address[1]}/players_list.zip"
    yield settings.FIDE_LIST_URL
    server.shutdown()
    thread.join()
    server.server_close()


def test_list_is_fetched_once_and_again_when_it_has_changed(lists: Path, address: str) -> None:
    keep_up_to_date()
    (made,) = fetch_due()
    assert import_waiting() == 1
    made.refresh_from_db()
    assert (made.origin, made.state, made.rows, made.file_name) == ("A", "ready", 300, "players_list.zip")
    origin = KnownOrigin.objects.get()
    assert (origin.problem, origin.checked_at, origins_due()) == ("", origin.tried_at, [])
    later = timezone.now() + timedelta(hours=21)
    assert origins_due(later) == [origin]
    assert fetch(origin) is None
    assert Federation.asked == [{}, {"If-None-Match": '"one"'}]
    Federation.etag = '"two"'
    assert fetch(KnownOrigin.objects.get()) is None, "another name for the same bytes"
    Federation.data, Federation.etag = zipped("players_list_foa.txt", text(*field(299))), '"three"'
    again = fetch(KnownOrigin.objects.get())
    assert again is not None
    assert RatingList.objects.count() == 2


def test_broken_connection_is_gone_on_with(lists: Path, address: str) -> None:
    origin = keep_up_to_date()
    Federation.cut = 500
    assert fetch(origin) is None
    origin = KnownOrigin.objects.get()
    assert origin.problem != ""
    assert origins_due() == [], "not in a loop"
    assert origins_due(timezone.now() + timedelta(hours=2)) == [origin]
    assert fetch(origin) is not None
    assert Federation.asked == [{}, {"Range": "bytes=500-"}]
    assert import_waiting() == 1
    assert RatingList.objects.get().rows == 300


def test_process_that_is_ended_meanwhile_goes_on_where_it_was(
    lists: Path, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends work after a quarter of an hour. On a slow network a list takes longer."""

    def ended(answer: HTTPResponse, path: Path, begun: int, ends: float | None) -> None:
        path.write_bytes(answer.read()[:500])
        raise KeyboardInterrupt

    save = fetching._save
    monkeypatch.setattr(fetching, "_save", ended)
    with pytest.raises(KeyboardInterrupt):
        fetch(keep_up_to_date())
    (origin,) = origins_due()
    monkeypatch.setattr(fetching, "_save", save)
    assert fetch(origin) is not None
    assert Federation.asked == [{}, {"Range": "bytes=500-"}]
    Federation.etag, settings.FIDE_LIST_URL = "", f"{address}?2"
    monkeypatch.setattr(fetching, "_save", ended)
    with pytest.raises(KeyboardInterrupt):
        fetch(keep_up_to_date())
    assert origins_due() == [], "nothing to go on with, and not in a loop"


def test_without_a_network_the_problem_is_noted(lists: Path, settings: Settings) -> None:
    settings.FIDE_LIST_URL = "http://127.0.0.1:1/list.zip"
    nobody = keep_up_to_date()
    assert fetch(nobody) is None
    assert "refused" in KnownOrigin.objects.get(pk=nobody.pk).problem.lower()
    mistyped = keep_up_to_date(address="https://ratings..example.org/list.zip")
    assert fetch_due() == []
    assert KnownOrigin.objects.get(pk=mistyped.pk).problem != ""


def test_only_addresses_of_the_web_are_asked(lists: Path, address: str, settings: Settings) -> None:
    with pytest.raises(ListRefused, match="no_network"):
        keep_up_to_date(address="file:///etc/passwd")
    settings.FIDE_LIST_URL = address.replace("players_list.zip", "gone")
    origin = keep_up_to_date()
    assert fetch(origin) is None
    assert KnownOrigin.objects.get().problem != ""


def test_list_of_a_federation_is_fetched_with_its_columns_and_only_from_the_internet(
    lists: Path, address: str, settings: Settings
) -> None:
    """Organisers type these addresses: the server must not show them its own network."""
    dwz = {
        "address": address,
        "series": "DWZ",
        "reading": ColumnReading(columns={"name": 1, "rating": 2}).stored(),
    }
    with pytest.raises(ListRefused, match="no_network"):
        keep_up_to_date(**dwz)
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    Federation.data = b"Nr;Name;DWZ\n1;Muster, Max;1834\n"
    origin = keep_up_to_date(**dwz)
    made = fetch(origin)
    assert made is not None
    import_waiting()
    made.refresh_from_db()
    assert (made.series, made.kind, made.origin, made.state, made.rows) == (
        "DWZ",
        "national",
        "A",
        "ready",
        1,
    )
    assert fetch(KnownOrigin.objects.get()) is None
    assert KnownOrigin.objects.get().problem == ""
    settings.WEBHOOK_NETWORKS = []
    assert fetch(origin) is None
    assert "may not look" in KnownOrigin.objects.get().problem
    with pytest.raises(ListRefused, match="no_network"):
        keep_up_to_date(**{**dwz, "address": keep_up_to_date().address})


def test_address_of_a_federation_changes_and_nothing_of_the_former_one_is_kept(
    lists: Path, address: str, settings: Settings
) -> None:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    reading = ColumnReading(columns={"name": 1, "rating": 2}).stored()
    gone = address.replace("players_list.zip", "gone")
    origin = keep_up_to_date(address=gone, series="DWZ", reading=reading)
    assert fetch(origin) is None
    other = keep_up_to_date(address=f"{address}?club", series="CLUB", reading=reading)
    KnownOrigin.objects.filter(pk=origin.pk).update(etag='"old"', part_etag='"old"', part="a" * 32)
    for wrong, code in (("ftp://x.example/y", "no_network"), (other.address, "address_taken")):
        with pytest.raises(ListRefused, match=code):
            change_address(origin.pk, wrong)
    Federation.data = b"Nr;Name;DWZ\n1;Muster, Max;1834\n"
    now = change_address(origin.pk, address)
    assert (now.address, now.etag, now.part, now.part_etag, now.problem, now.asked) == (
        address,
        "",
        "",
        "",
        "",
        True,
    )
    assert now in origins_due()
    assert fetch(now) is not None
    settings.WEBHOOK_NETWORKS = []
    with pytest.raises(ListRefused, match="no_network"):
        change_address(origin.pk, address)
    fide = keep_up_to_date()
    with pytest.raises(NotNow):
        change_address(fide.pk, gone)


def test_address_that_changes_during_a_fetch_gets_nothing_of_the_former_one(
    lists: Path, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOK_NETWORKS = ["127.0.0.0/8"]
    reading = ColumnReading(columns={"name": 1, "rating": 2}).stored()
    Federation.data = b"Nr;Name;DWZ\n1;Muster, Max;1834\n"
    origin = keep_up_to_date(address=address, series="DWZ", reading=reading)
    real = fetching.fingerprint

    def meanwhile(path: Path) -> str:
        change_address(origin.pk, f"{address}?new")
        return real(path)

    monkeypatch.setattr(fetching, "fingerprint", meanwhile)
    fetch(origin)
    now = KnownOrigin.objects.get()
    assert (now.address, now.etag, now.checked_at, now.asked) == (f"{address}?new", "", None, True)


def test_a_slow_server_lets_the_others_have_their_turn_and_is_gone_on_with(
    lists: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "PIECE", 500)
    monkeypatch.setattr(fetching, "SHARE", -1.0)
    slow = keep_up_to_date()
    assert fetch(slow) is None
    slow = KnownOrigin.objects.get()
    assert (slow.problem, slow.asked, slow.part != "") == ("", True, True)
    never = KnownOrigin.objects.create(
        address=f"{address}?other", series=slow.series, kind=slow.kind, asked=True
    )
    assert origins_due() == [never, slow]
    monkeypatch.setattr(fetching, "SHARE", 60.0)
    assert fetch(slow) is not None
    assert Federation.asked == [{}, {"Range": "bytes=500-"}]
