"""Pages of people who may look and not change: they show what is there, and nothing that these people could use."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from http import HTTPStatus

import pytest
from django.test import Client

from registrations.models import EventRegistration, SectionRegistration
from tests.factories import EventRoleFactory, UserFactory
from tests.registrations.factories import ORGANISER, sent
from tests.web.staff.conftest import address, enter, paired
from tests.web.staff.conftest import event as event
from tests.web.staff.conftest import section as section
from tournaments.actions.event_life import archive_event
from tournaments.actions.ledger import Actor
from tournaments.actions.presence import mark_presence, open_check_in
from tournaments.models import EventRole, Section

ACTOR = Actor.command()
Role = EventRole.Role


class _Controls(HTMLParser):
    """Collects what a reader could use inside <main> to change something.

    That is all but forms that search, fields that are disabled, and forms that need another right than their page.
    """

    OTHER_RIGHTS = ("/bring-back/", "/take-away/")  # organisers hide a section whose settings they only read

    def __init__(self) -> None:
        super().__init__()
        self.inside = self.skipped = False
        self.disabled = 0
        self.usable: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.inside |= tag == "main"
        if tag == "form":
            of_search = values.get("method") == "get" or values.get("role") == "search"
            self.skipped = of_search or (values.get("action") or "").endswith(self.OTHER_RIGHTS)
        if tag == "fieldset" and (self.disabled or "disabled" in values):
            self.disabled += 1
        if not self.inside or self.skipped:
            return
        of_find = (
            values.get("type") == "search" or "data-undo" in values
        )  # hidden, and a script shows it after a tap
        sends = tag == "form" and values.get("method") == "post"
        fills = (
            tag in ("input", "select", "textarea") and not self.disabled and values.get("type") != "hidden"
        )
        if sends or tag == "button" or (fills and "disabled" not in values):
            self.usable += [] if of_find or "disabled" in values else [self.get_starttag_text() or ""]

    def handle_endtag(self, tag: str) -> None:
        self.inside &= tag != "main"
        if tag == "form":
            self.skipped = False
        if tag == "fieldset" and self.disabled:
            self.disabled -= 1


def usable(html: str) -> list[str]:
    """Return the controls of a page with which its reader could change something."""
    controls = _Controls()
    controls.feed(html)
    return controls.usable


ARCHIVED = (
    *("edit/", "people/", "rating-lists/", "programs/", "webhooks/", "hall/", "new-section/"),
    *("registration/", "registration/settings/", "registration/mail/accepted/", "registration/desk/"),
)


def test_an_archived_event_offers_its_owner_no_change(section: Section) -> None:
    """A page that is only a form says at once what else its Save would say; the others show what is there."""
    enter(paired(section).games.get(board=1), "1-0")
    EventRegistration.objects.create(event=section.event, confirm_by_mail=False)
    SectionRegistration.objects.create(section=section)
    sent(section, "Lovelace, Ada", by=ORGANISER, email="ada@example.org")
    owner = Client()
    makes_events = UserFactory(makes_events=True)
    owner.force_login(EventRoleFactory(user=makes_events, event=section.event, role=Role.OWNER).user)
    archive_event(actor=ACTOR, event=section.event)
    of_event = [f"/{section.event.slug}/-/{page}" for page in ARCHIVED]
    of_section = [
        "round/1/results/",
        "round/1/board/2/",
        "log/1/undo/",
        "log/3/undo/",
        "screens/",
        "settings/",
    ]
    for path in (*of_event, *(address(section, page) for page in of_section)):
        page = owner.get(path, follow=True)
        html = page.content.decode()
        if page.status_code != HTTPStatus.OK:
            assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY, path
            assert "An organiser can bring it back from the archive" in html, path
            assert f'href="/{section.event.slug}/"' in html.partition("<main")[2], path
            assert "Your role lets you look" not in html, path
        assert [each for each in usable(html) if not each.startswith("<form")] == [], (
            path
        )  # an empty form is none
    for copied in ("life/next-year/", "rehearse/"):
        assert usable(owner.get(f"/{section.event.slug}/-/{copied}").content.decode()), copied


def shown(section: Section, role: str, path: str) -> str:
    """Return the main part of a page as a person with this role sees it."""
    page = Client()
    page.force_login(EventRoleFactory(event=section.event, role=role).user)
    html = page.get(path).content.decode()
    assert "Your role lets you look at this page" in html
    assert usable(html) == []
    return html.partition("<main")[2].replace("\u2068", "").replace("\u2069", "")


@pytest.fixture
def running(section: Section) -> Section:
    """Round 1 is published, and board 1 has a result."""
    enter(paired(section).games.get(board=1), "1-0")
    return section


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ORGANISER])
def test_results_are_there_for_people_who_enter_none(running: Section, role: str) -> None:
    html = shown(running, role, address(running, "round/1/board/1/"))
    assert "Surname" in html
    assert re.search(r"1\s*[–-]\s*0", html)
    client = Client()
    client.force_login(EventRoleFactory(event=running.event, role=role).user)
    public = client.get(address(running, "round/1/results/"))["Location"]  # this page has no form
    assert re.search(r"1\s*[–-]\s*0", client.get(public).content.decode())


def test_a_viewer_sees_who_is_here(section: Section) -> None:
    open_check_in(actor=ACTOR, section_id=section.pk, after_round=0)
    first, second = section.participants.order_by("tpn")[:2]
    mark_presence(actor=ACTOR, participant_id=first.pk, round_number=1, here=True)
    html = shown(section, Role.VIEWER, address(section, "check-in/"))
    rows = {each.pk: html.partition(f'id="p-{each.pk}"')[2].partition("</li>")[0] for each in (first, second)}
    assert [str(each.player).split(",")[0] in rows[each.pk] for each in (first, second)] == [True, True]
    assert ["not here yet" in rows[each.pk] for each in (first, second)] == [False, True]


@pytest.mark.parametrize("role", [Role.VIEWER, Role.ARBITER])
def test_settings_can_be_read(section: Section, role: str) -> None:
    html = shown(section, role, address(section, "settings/"))
    assert f"<dd>{section.name}</dd>" in html
    assert ">Change<" not in html
    assert "When the rounds begin" in html
    assert "Tournament rating" in shown(section, role, address(section, "settings/ratings/"))


def test_an_arbiter_reads_registrations(section: Section) -> None:
    EventRegistration.objects.create(event=section.event, confirm_by_mail=False)
    SectionRegistration.objects.create(section=section)
    one = sent(section, "Lovelace, Ada", by=ORGANISER, email="ada@example.org")
    at = f"/{section.event.slug}/-/registration/"
    assert "Lovelace, Ada" in shown(section, Role.ARBITER, at)
    html = shown(section, Role.ARBITER, f"{at}{one.pk}/")
    texts = re.findall(r"<dd>\s*<bdi>([^<]*?)<", html)
    assert {"ada@example.org", "1800"} <= {*texts}, "values that cannot change are text"
    assert "disabled" not in html.partition("<main")[2]
