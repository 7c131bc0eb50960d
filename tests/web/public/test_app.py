"""An event as an app: its manifest, the service worker, and what pages bring for both."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings

from tests.web.public.conftest import MadeSection

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize("prefix", ["", "/de"])
def test_an_event_is_an_app_that_begins_at_its_page_in_the_language_of_the_address(
    six: MadeSection, client: Client, prefix: str
):
    slug = six.row.event.slug
    page = client.get(f"{prefix}/{slug}/", headers={"accept-language": "en"}).content.decode()
    (address,) = re.findall(r'<link rel="manifest" href="([^"]+)"', page)
    answer = client.get(address, headers={"accept-language": "en"})
    assert answer["Content-Type"] == "application/manifest+json"
    assert answer["Cache-Control"].startswith("public")
    about = answer.json()
    icons = about.pop("icons")
    assert about == {
        "id": f"/{slug}/",
        "name": "Veldhaven Open",
        "short_name": "Veldhaven Open",
        "lang": prefix[1:] or "en",
        "dir": "ltr",
        "start_url": f"{prefix}/{slug}/",
        "scope": "/",
        "display": "minimal-ui",
        "theme_color": "#ffffff",
        "background_color": "#f2f4f3",
    }
    assert {icon["purpose"] for icon in icons} == {"any", "maskable"}
    for icon in icons:
        name = re.search(r"img/([a-z0-9-]+?)(?:\.[0-9a-f]{12})?\.png", icon["src"])
        assert name is not None
        data = (Path(settings.BASE_DIR) / "static" / "img" / f"{name[1]}.png").read_bytes()
        width, height = int.from_bytes(data[16:20]), int.from_bytes(data[20:24])
        assert icon["sizes"] == f"{width}x{height}"


def test_colours_of_the_app_are_those_of_the_pages(six: MadeSection, client: Client):
    tokens = (Path(settings.BASE_DIR) / "static" / "css" / "tokens.css").read_text()
    paper = re.search(r"--paper: light-dark\((#\w+), (#\w+)\)", tokens)
    ground = re.search(r"--ground: light-dark\((#\w+),", tokens)
    assert paper
    assert ground
    about = client.get(f"/{six.row.event.slug}/app.webmanifest").json()
    assert (about["theme_color"], about["background_color"]) == (paper[1], ground[1])
    page = client.get(six.url + "pairings/").content.decode()
    assert re.findall(r'name="theme-color" content="(#\w+)"', page) == list(paper.groups())


def test_a_private_event_has_no_app(six: MadeSection, client: Client):
    six.row.event.state = "draft"
    six.row.event.save()
    assert client.get(f"/{six.row.event.slug}/app.webmanifest").status_code == 404


def test_the_worker_comes_without_a_query_and_is_asked_for_each_time(client: Client, db: None):
    client.get("/worker.js")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        answer = client.get("/worker.js")
    assert len(queries) == 0
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert "max-age=0" in answer["Cache-Control"]
    assert client.get("/worker.js", headers={"if-none-match": answer["ETag"]}).status_code == 304
    assert re.fullmatch(
        r'import \{ serve \} from "/static/js/worker/run(?:\.\w+)?\.js";\nserve\(self, "\w+"\);\n',
        answer.content.decode(),
    )


@pytest.mark.parametrize("on", [True, False])
def test_switched_off_the_worker_removes_itself_and_pages_name_none(
    six: MadeSection, client: Client, monkeypatch: pytest.MonkeyPatch, on: bool
):
    from web import page_cache
    from web.page_cache import PageStore

    monkeypatch.setattr(page_cache, "store", PageStore(lambda: 1024**2))
    with override_settings(OFFLINE_PAGES=on):
        assert ("leave(self);" in client.get("/worker.js").content.decode()) is not on
        assert ('data-worker="/worker.js"' in client.get(six.url + "players/").content.decode()) is on


def test_people_who_are_logged_in_get_no_worker(six: MadeSection, admin_client: Client):
    page = admin_client.get(six.url + "players/").content.decode()
    assert "data-kept-words" not in page
    assert "app.js" not in page


def test_the_button_for_notices_names_the_next_round_and_ends_with_the_last(six: MadeSection, client: Client):
    def offered(page: str) -> list[str]:
        six.touch()
        answer = client.get(six.url + page).content.decode()
        return re.findall(r"Tell me when the pairings of round (\d+) are out", answer)

    assert [offered(page) for page in ("pairings/", "round/1/pairings/", "results/")] == [["3"]] * 3
    six.play(3, "draft", (1, 4, ""), (2, 3, ""))
    assert offered("pairings/") == ["3"]
    six.row.rounds = 2
    six.row.save()
    assert [offered(page) for page in ("pairings/", "results/")] == [[], []]
    six.row.played_rounds.all().delete()
    assert [offered(page) for page in ("pairings/", "results/")] == [["1"], ["1"]]
