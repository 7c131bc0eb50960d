"""No visitor finds personal data: at no address, in no file, on no sheet, in no answer for programs."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from django.http.response import HttpResponseBase
from django.test import Client
from pytest_django import Settings

from api.v1.view import ReaderThrottle
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.systems.every_address import every_address
from tests.web.staff.conftest import enter, paired
from tests.web.test_access import TABLE
from tournaments.actions.entries import edit_participant
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.declarations import ACTIONS
from tournaments.files.entry_preview import entry_of
from tournaments.files.report_writing import tournament_report
from tournaments.models import Player, Section
from tournaments.models.entries import initials

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

BORN = re.compile(r"1987\D?06\D?05|0?5\D{1,2}(?:0?6|June)\D{1,2}1987|born", re.IGNORECASE)
SECRETS = re.compile(r"990012345|secret-note|arbiter@example\.org|secret-list")
HIDDEN = re.compile(r"Hiddensurname|Hiddengiven|Hiddenclub", re.IGNORECASE)


@pytest.fixture
def section(settings: Settings, tmp_path: object, monkeypatch: pytest.MonkeyPatch) -> Section:
    """Player 1 has personal data. Player 2 is shown under initials, as is player 4 with the same ones."""
    settings.VAR_DIR = tmp_path
    monkeypatch.setattr(ReaderThrottle, "rate", "100000/min")
    section = section_of(6, name="A", slug="a", explained_to="everybody")
    user = UserFactory(email="arbiter@example.org")
    EventRoleFactory(event=section.event, user=user)
    Player.objects.filter(entries__section=section, entries__tpn=1).update(
        birth_date="1987/06/05", fide_id=990012345, sex="w"
    )
    section.participants.filter(tpn=1).update(note="secret-note", rating_list="secret-list")
    for tpn, given in ((2, "Hiddengiven Eva"), (4, "Hiddengiven")):
        Player.objects.filter(entries__section=section, entries__tpn=tpn).update(
            name=f"Hiddensurname, {given}", by_initials=True
        )
        section.participants.filter(tpn=tpn).update(club="Hiddenclub")
    for game in paired(section).games.all():
        enter(game, "1/2")
    paired(section)
    return section


def body(answer: HttpResponseBase) -> str:
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return content.decode(errors="replace")


def answers(section: Section) -> dict[str, str]:
    """Return what a visitor gets at every address that visitors may open."""
    client, base = Client(), f"/{section.event.slug}/{section.slug}/"
    paths = [one.path for one in every_address(section) if may_open(one.name)]
    paths += [f"{base}seat/{key}/" for key in section.participants.values_list("pk", flat=True)]
    paths += [f"/{section.event.slug}/", "/", f"{base}screen/?show=aro", f"{base}aro/?by=name"]
    paths += [
        f"{base}{page}/?q={word}" for page in ("players", "pairings", "names") for word in ("H", "Hidden")
    ]
    got = {path: client.get(path) for path in paths}
    return {path: body(answer) for path, answer in got.items() if answer.status_code == 200}


def may_open(name: str) -> bool:
    """Return whether visitors may open this address. Single documents are not in the table of rights."""
    return name not in TABLE or TABLE[name][0] in ("sees", "public", "all")


def test_visitors_find_no_personal_data_and_no_name_behind_initials(section: Section) -> None:
    found = answers(section)
    hits = {
        path: [*BORN.findall(text), *SECRETS.findall(text), *HIDDEN.findall(text)]
        for path, text in found.items()
    }
    assert {path: words for path, words in hits.items() if words} == {}
    assert len(found) > 60
    assert sum("H. H. 2" in text and "H. H. 4" in text for text in found.values()) > 25


def arbiter(section: Section) -> Client:
    client = Client()
    client.force_login(section.event.roles.get().user)
    return client


def test_arbiters_print_initials_for_the_wall_and_full_names_for_themselves(section: Section) -> None:
    client, base = arbiter(section), f"/{section.event.slug}/{section.slug}/"
    wall = [
        "print/boards/1/",
        "print/names/1/",
        "print/starting-list/",
        "print/standings/",
        "lists/players.csv",
    ]
    own = [
        "print/slips/1/",
        "print/check-in/3/",
        "print/cards/1/",
        "cockpit/",
        "round/1/results/",
        "csv/entries/",
    ]
    shown = {page: bool(HIDDEN.search(body(client.get(base + page)))) for page in wall + own}
    assert shown == dict.fromkeys(wall, False) | dict.fromkeys(own, True)
    entries = body(client.get(f"{base}entries/"))
    assert [name in entries for name in ("Hiddensurname, Hiddengiven Eva", "H. H. 2")] == [True, True]
    assert b"Hiddensurname, Hiddengiven Eva" in tournament_report(section)


def test_flag_is_set_in_the_entry_logged_and_undone(section: Section) -> None:
    actor, entry = Actor.command(), section.participants.get(tpn=3)
    edit_participant(actor=actor, participant_id=entry.pk, entry=replace(entry_of(entry), by_initials=True))
    row = section.log.latest("revision")
    assert (row.action, row.after) == ("edit_participant", {"by_initials": True, "participant": entry.pk})
    edit_participant(actor=actor, participant_id=entry.pk, entry=replace(entry_of(entry), note="a list"))
    assert Player.objects.get(entries=entry).by_initials
    undo(actor=actor, section_id=section.pk, revision=row.revision)
    assert not Player.objects.get(entries=entry).by_initials


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("Kovács, Anna Mária", "A. K."),
        ("Wei Yi", "W. Y."),
        ("Anand", "A."),
        ("д'Артаньян, Шарль", "Ш. Д."),
        ("-, -", "?"),
    ],
)
def test_initials_have_the_given_name_first(name: str, short: str) -> None:
    assert initials(name) == short


def test_search_engines_list_public_pages_only_when_the_organiser_allows_it(section: Section) -> None:
    base = f"/{section.event.slug}/"
    pages = [base, f"{base}a/pairings/", f"{base}a/players/2/", f"{base}a/lists/players.csv"]
    others = ["/", "/login/", f"{base}a/nothing/", f"/api/v1/public/sections/{section.pk}/standings/"]

    def headers(pages: list[str]) -> set[str]:
        return {Client().get(page)["X-Robots-Tag"] for page in pages}

    assert headers(pages + others) == {"noindex"}
    edit_event(actor=Actor.command(), event=section.event, indexed=True)
    assert (headers(pages), headers(others)) == ({"all"}, {"noindex"})
    assert arbiter(section).get(f"{base}a/cockpit/")["X-Robots-Tag"] == "noindex"
    edit_event(actor=Actor.command(), event=section.event, indexed=False)
    assert headers(pages) == {"noindex"}
    rows = section.event.log.filter(action="edit_event").order_by("pk")
    assert [str(ACTIONS["edit_event"].sentence.text_of(row).words) for row in rows] == [
        "Details of the event changed: search engines may list it",
        "Details of the event changed: search engines may not list it",
    ]


def test_robots_may_read_the_pages_that_forbid_to_list_them() -> None:
    robots = Client().get("/robots.txt").text
    assert robots == "User-agent: *\nDisallow:\n\nSitemap: http://testserver/sitemap.xml\n"


def test_foot_of_each_public_page_leads_to_what_is_kept_with_the_contact(section: Section) -> None:
    edit_event(actor=Actor.command(), event=section.event, contact="Ada, ada@example.org")
    kept = f"/{section.event.slug}/-/kept/"
    base = f"/{section.event.slug}/"
    pages = [base, f"{base}a/pairings/", f"{base}a/players/1/", f"{base}a/standings/"]
    assert [f'href="{kept}"' in body(Client().get(page)) for page in pages] == [True] * len(pages)
    assert 'href="/site/kept/"' in body(Client().get("/"))
    page = body(Client().get(kept))
    assert ("Ada, ada@example.org" in page, "90 days" in page, "14 days" in page) == (True, True, True)
