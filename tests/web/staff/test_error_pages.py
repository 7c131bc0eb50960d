"""Error pages: missing pages, missing permission, errors in the program."""

from __future__ import annotations

from urllib.parse import quote_plus

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import Settings

from tests.web.staff.conftest import LogIn, address
from tests.web.test_access import BUTTONS
from tournaments.errors import REFUSALS
from tournaments.models import Section, User
from web.middleware import PAGE_OF
from web.views.staff import log


@pytest.mark.parametrize(
    "path", ["/nothing/", "/nothing/at-all/", "/no/at/all/", "/%00/", "/" + "x" * 300 + "/"]
)
def test_missing_page_says_so(client: Client, db: None, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "<h1>Page not found</h1>" in answer.content.decode()


def test_forbidden_page_says_who_may_use_it(
    client: Client, django_user_model: type, section: Section
) -> None:
    client.force_login(django_user_model.objects.create_user("stranger"))
    answer = client.get(address(section, "cockpit/"))
    assert answer.status_code == 403
    assert "<h1>Not allowed</h1>" in answer.content.decode()


@pytest.mark.parametrize("path", ["/rijswijk/-/webhooks/", "/rijswijk/-/edit/"])
def test_arbiter_on_a_page_of_the_organisers_reads_who_may_use_it(
    log_in: LogIn, arbiter: User, path: str
) -> None:
    answer = log_in(arbiter).get(path)
    assert answer.status_code == 403
    sentence = "Only organisers of the event can use this page. An organiser can give you this role on the page People."
    assert answer.content.decode().count(sentence) == 1
    assert "Only people who run the event" not in answer.content.decode()


def test_form_sent_after_the_session_has_ended_says_that_nothing_was_done(
    client: Client, section: Section
) -> None:
    cockpit, pair = address(section, "cockpit/"), address(section, "pair/")
    here = {"HX-Request": "true", "HX-Boosted": "true", "HX-Current-URL": f"http://testserver{cockpit}"}
    answer = client.post(pair, headers=here)
    assert (answer.status_code, answer["HX-Redirect"]) == (403, f"/login/?next={quote_plus(cockpit)}&ended=1")
    assert "nothing was done" in client.get(answer["HX-Redirect"]).content.decode()
    elsewhere = client.post(pair, headers={**here, "HX-Current-URL": "https://elsewhere.example/x/"})
    assert elsewhere["HX-Redirect"] == "/login/?next=%2F&ended=1"
    plain = client.post(pair)
    assert plain.status_code == 403
    assert "You are not logged in, so nothing was done." in plain.content.decode()


def test_request_with_a_wrong_host_name_is_refused(client: Client, db: None) -> None:
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "could not be read" in answer.content.decode()


def test_error_in_the_program_says_that_nothing_was_changed(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_arguments: object) -> None:
        raise RuntimeError("broken")

    monkeypatch.setattr(log, "log_page", broken)
    page.raise_request_exception = False
    answer = page.get(address(section, "log/"))
    assert answer.status_code == 500
    assert "Error in the program" in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "leads"),
    [
        ("round/1/publish/", "cockpit/"),
        ("settings/rounds/", "settings/"),
        ("byes/1/cancel/", "byes/"),
        ("round/2/by-hand/begin/", "round/2/by-hand/"),
    ],
)
def test_address_of_a_button_leads_to_its_page(page: Client, section: Section, path: str, leads: str) -> None:
    for method in (page.get, page.head):
        answer = method(address(section, path))
        assert (answer.status_code, answer.url) == (302, address(section, leads))


def test_address_of_a_button_of_an_event_leads_to_its_page(page: Client, section: Section) -> None:
    answer = page.get(f"/{section.event.slug}/-/people/remove/")
    assert (answer.status_code, answer.url) == (302, f"/{section.event.slug}/-/people/")


def test_every_address_of_a_button_leads_to_a_page() -> None:
    assert PAGE_OF.keys() == BUTTONS


def test_address_that_does_not_know_the_method_has_a_way_back(page: Client, section: Section) -> None:
    answer = page.post(address(section, "cockpit/"))
    assert answer.status_code == 405
    assert "GET" in answer["Allow"]
    assert ">To the section</a>" in answer.content.decode()


@pytest.mark.parametrize(
    ("htmx", "start"), [({}, "<!DOCTYPE html>"), ({"HX-Request": "true"}, '<p class="note bad"')]
)
def test_refusal_that_no_view_handles_has_a_page(
    page: Client, section: Section, monkeypatch: pytest.MonkeyPatch, htmx: dict[str, str], start: str
) -> None:
    def busy(*_arguments: object, **_named: object) -> None:
        raise REFUSALS["busy"].error()

    monkeypatch.setattr(log, "log_page", busy)
    answer = page.get(address(section, "log/"), headers=htmx)
    html = answer.content.decode().strip()
    assert answer.status_code == 503
    assert html.startswith(start)
    assert "Do it again in a moment." in html


def test_log_out_is_a_post(page: Client) -> None:
    answer = page.get("/logout/")
    assert (answer.status_code, answer.url) == (302, "/")
    assert "Log out" in page.get("/").content.decode()
    assert page.post("/logout/").status_code == 302
    assert "Log in" in page.get("/").content.decode()


def test_wrong_password_is_an_error(client: Client, db: None) -> None:
    answer = client.post("/login/", {"username": "ada", "password": "wrong"})
    assert answer.status_code == 200
    assert "correct username and password" in answer.content.decode()


def test_too_large_upload_has_a_page_with_a_way_back(
    page: Client, section: Section, settings: Settings
) -> None:
    settings.REQUEST_BODY_LIMIT = 1024**2
    here = address(section, "entries/import/")
    answer = page.post(here, {"file": SimpleUploadedFile("large.csv", b"x" * 1024**2)})
    html = answer.content.decode()
    assert answer.status_code == 413
    assert "more than 1 MB" in html
    assert f'href="{here}"' in html
