"""Forms of a round robin ask only for what it uses, and its pages do not speak of late entries and byes."""

from __future__ import annotations

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from evenboard_engine.trf import read_report
from tests.factories import ParticipantFactory, SectionFactory
from tests.systems.round_robin.test_pages import SETTINGS, Desk, words_on
from tests.systems.round_robin.test_section import drawn
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_preview import entry_list_preview
from tournaments.files.report_reading import report_preview
from web.forms.sections import OF_PAIRED_ROUNDS, SectionForm

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]

SWISS = re.compile(
    r"late entry|missed rounds|first round|next round on|byes?\b|initial-colour|round 4", re.IGNORECASE
)


def test_a_round_robin_is_made_without_rounds_and_points_for_byes() -> None:
    given = {name: value for name, value in SETTINGS.items() if name not in OF_PAIRED_ROUNDS}
    form = SectionForm(given, initial={"rounds": 9})
    assert form.errors == {}
    taken = form.settings(form.cleaned_data)
    assert (taken["rounds"], taken["bye_points"]) == (9, 10)
    swiss = SectionForm({**given, "system": "dubov"}, initial={"rounds": 9})
    assert sorted(swiss.errors) == ["bye_points", "rounds"]


def test_values_that_a_round_robin_does_not_use_are_not_read() -> None:
    desk = Desk()
    given = {name.removeprefix("round-robin_"): value for name, value in SETTINGS.items()}
    answer = desk.client.post(desk.base + "settings/", {**given, "rounds": "99", "bye_points": "x"})
    assert answer.status_code == 302
    desk.section.refresh_from_db()
    assert (desk.section.rounds, desk.section.bye_points) == (9, 10)


def test_entries_of_a_round_robin_have_no_first_round() -> None:
    desk = Desk()
    desk.done("entries/add/", name="Abadi, N", rating="", federation="NED", rating_source="typed")
    entry = desk.section.participants.get()
    assert (entry.first_round, entry.rating) == (1, 0)
    assert SWISS.findall(words_on(desk.get("entries/add/"))) == []
    desk.done(
        f"entries/{entry.pk}/", name="Brandt, L", rating="1900", federation="NED", rating_source="typed"
    )
    entry.refresh_from_db()
    assert (entry.player.name, entry.rating, entry.first_round) == ("Brandt, L", 1900, 1)


def test_byes_of_a_list_are_left_out_and_the_preview_says_so() -> None:
    desk = Desk()
    rows = b"Name;Federation;Byes\nAbadi, N;NED;2, 4\nBrandt, L;BEL;\nCosta, M;NED;later\n"
    list_of_rows = SimpleUploadedFile("entries.csv", rows)
    answer = desk.client.post(f"{desk.base}entries/import/", {"file": list_of_rows}, follow=True)
    page = " ".join(words_on(answer.content.decode()).split())
    why = "The rounds are fixed by a table, so nobody can ask for a bye."
    assert f"The byes in rows 2 and 4 are left out. {why}" in page
    assert [f"Byes “{value}” is left out. {why}" in page for value in ("2, 4", "later")] == [True, True]
    found = entry_list_preview(desk.section, read_entries(rows))
    assert [(row.entry.name, row.row.byes) for row in found.added] == [
        ("Abadi, N", ()),
        ("Brandt, L", ()),
        ("Costa, M", ()),
    ]
    assert found.refused == ()


def test_entry_says_that_a_substitute_gets_the_entry_in_other_sections_too() -> None:
    desk = Desk()
    desk.done("entries/add/", name="Abadi, N", rating="1900", federation="NED", rating_source="typed")
    entry = desk.section.participants.get()
    elsewhere = "The player is also entered in Rapid. The name, the title and the other facts"
    substitute = "A substitute whom you write here replaces the player there too."
    page = " ".join(words_on(desk.get(f"entries/{entry.pk}/")).split())
    assert (elsewhere in page, substitute in page) == (False, False)
    rapid = SectionFactory(event=desk.section.event, name="Rapid")
    other = ParticipantFactory(section=rapid, player=entry.player)
    page = " ".join(words_on(desk.get(f"entries/{entry.pk}/")).split())
    assert (elsewhere in page, substitute in page) == (True, True)
    there = " ".join(
        words_on(desk.client.get(f"{desk.event}{rapid.slug}/entries/{other.pk}/").content.decode()).split()
    )
    assert ("also entered in Club championship" in there, substitute in there) == (True, False)


def test_pages_about_entries_and_settings_speak_of_the_table() -> None:
    desk = Desk()
    desk.section = drawn(4, event=desk.section.event, slug="table")
    desk.base = f"{desk.event}table/"
    desk.done("pair/all/", after_round=0)
    desk.done("publish/all/")
    first, second = desk.section.participants.order_by("tpn")[:2]
    desk.done(f"entries/{second.pk}/leave/", reason="ill")
    addresses = ("entries/", f"entries/{first.pk}/", f"entries/{second.pk}/", f"entries/{first.pk}/leave/")
    assert {rest: found for rest in addresses if (found := SWISS.findall(words_on(desk.get(rest))))} == {}
    assert "forbidden-pairs/" not in desk.get("settings/")
    assert "limits of byes" not in words_on(desk.get("settings/"))
    assert f'action="{desk.base}entries/add/"' not in desk.get("entries/")
    assert "A substitute takes the number" in words_on(desk.get("entries/"))


def test_preview_of_a_report_does_not_ask_for_an_initial_colour() -> None:
    desk = Desk()
    desk.enter()
    desk.draw()
    desk.done("pair/all/", after_round=0)
    desk.done("publish/all/")
    report = read_report(desk.client.get(f"{desk.base}report.trf").content)
    codes = [one.code for one in report_preview(report, system="round-robin").adjustments]
    assert [code for code in codes if "colour" in code] == []
