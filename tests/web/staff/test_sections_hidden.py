"""A section made by mistake can be hidden from everybody except people who work on the event. Nothing is lost."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.actions.refusals import one_step, refused
from tests.factories import section_of
from tests.web.staff.conftest import address, played
from tournaments.actions.copies import load_copy, load_event_copy
from tournaments.actions.ledger import Actor
from tournaments.actions.sections import create_section, take_section_away
from tournaments.actions.undo import undo
from tournaments.files.copy_reading import read_any, read_copy
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.models import Event, Section

PAGES = ("", "pairings/", "standings/", "aro/", "players/", "crosstable/", "print/standings/", "screen/")


@pytest.fixture
def away(section: Section) -> Section:
    """A public section with one played round, which is then hidden."""
    played(section)
    return take_section_away(actor=Actor.command(), section_id=section.pk)


def test_organiser_hides_a_section_and_shows_it_again(owners_page: Client, section: Section) -> None:
    settings = address(section, "settings/")
    assert "you can show it again here." in owners_page.get(settings).content.decode()
    with one_step(section, "take_section_away"):
        answer = owners_page.post(address(section, "take-away/"), follow=True)
    shown = answer.content.decode()
    assert "Section A is hidden. Only arbiters see it" in shown
    assert "Hidden sections, only arbiters see them:" in shown
    assert f'href="{settings}#away"' in shown
    again = owners_page.get(settings).content.decode()
    assert "everybody can open its lists" in again
    with one_step(section, "bring_section_back"):
        assert owners_page.post(address(section, "bring-back/")).url == settings
    assert "Hidden sections" not in owners_page.get(f"/{section.event.slug}/").content.decode()


def test_nobody_else_sees_it(client: Client, away: Section) -> None:
    assert [client.get(address(away, page)).status_code for page in PAGES] == [404] * len(PAGES)
    assert away.name not in client.get(f"/{away.event.slug}/").content.decode()
    assert client.get(f"/api/v1/public/sections/{away.pk}/standings/").status_code == 404
    assert client.get(f"/{away.event.slug}/").status_code == 200


def test_page_in_the_cache_of_a_browser_is_gone_too(client: Client, section: Section) -> None:
    played(section)
    held = client.get(address(section, "standings/"))
    take_section_away(actor=Actor.command(), section_id=section.pk)
    again = client.get(address(section, "standings/"), headers={"If-None-Match": held["ETag"]})
    assert again.status_code == 404


def test_arbiter_sees_the_section_and_that_it_is_hidden(page: Client, away: Section) -> None:
    shown = page.get(address(away, "cockpit/")).content.decode()
    assert ">Hidden<" in shown
    assert "Hide the section" not in page.get(address(away, "settings/")).content.decode()
    assert page.post(address(away, "bring-back/")).status_code == 403
    assert page.post(address(away, "take-away/")).status_code == 403


def test_name_of_a_hidden_section_is_free_and_needed_to_show_it_again(event: Event, away: Section) -> None:
    actor = Actor.command()
    other = create_section(actor=actor, event=event, name=away.name, rounds=5)
    with refused("section_name_taken", name=away.name):
        take_section_away(actor=actor, section_id=away.pk, away=False)
    take_section_away(actor=actor, section_id=other.pk)
    take_section_away(actor=actor, section_id=away.pk, away=False)
    away.refresh_from_db()
    assert away.taken_away is False


def test_hiding_is_undone(away: Section) -> None:
    undo(actor=Actor.command(), section_id=away.pk, revision=away.revision)
    away.refresh_from_db()
    assert away.taken_away is False


def test_section_is_hidden_in_a_copy_of_the_event_but_not_in_its_own_copy(
    event: Event, away: Section
) -> None:
    actor = Actor.command()
    create_section(actor=actor, event=event, name=away.name, rounds=5)
    loaded = load_event_copy(actor=actor, copy=read_any(event_file(event)), roles=False)
    sections = loaded.sections.order_by("pk").values_list("name", "taken_away")
    assert list(sections) == [("Section A", True), ("Section A (2)", False)]
    alone = load_copy(actor=actor, event=section_of(2).event, copy=read_copy(copy_file(away)), name="B")
    assert alone.taken_away is False
