"""Names in other letters: the report has a Latin form, which the program proposes and people change."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client

from base.spelling import in_latin, latin_form
from tests.factories import EventRoleFactory
from tests.queries.sections import MadeSection, make_section
from tests.web.staff.conftest import address
from tournaments.files.report_writing import tournament_report
from tournaments.models import EventRole, Player
from tournaments.queries.last_steps import closing

PEOPLE = {"Anna": 2100, "Bert": 2000, "Carl": 1950, "Dora": 1550}


SPELLINGS = json.loads((Path(__file__).parents[1] / "scripts" / "spellings.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "latin"), SPELLINGS["latin"])
def test_a_latin_form_is_proposed_as_fide_spells_names(name: str, latin: str) -> None:
    """The script proposes the same: tests/scripts/spelling.test.js."""
    assert latin_form(name) == latin
    assert in_latin(name) == (name == "Müller, Jörg")


@pytest.fixture
def section() -> MadeSection:
    made = make_section(PEOPLE, "Anna 1-0 Bert; Carl 1/2 Dora", planned=3)
    Player.objects.filter(name__startswith="Anna").update(name="Иванов, Пётр")
    return made


@pytest.mark.django_db
def test_the_report_has_the_form_that_is_typed_else_the_proposal(section: MadeSection) -> None:
    assert "Ivanov, Petr" in tournament_report(section.row).decode()
    Player.objects.filter(name="Иванов, Пётр").update(latin_name="Ivanoff, Pyotr")
    report = tournament_report(section.row).decode()
    assert "Ivanoff, Pyotr" in report
    assert "Иванов" not in report


@pytest.mark.django_db
def test_closing_asks_about_proposed_forms_until_somebody_types_one(section: MadeSection) -> None:
    [matter] = [each for each in closing(section.row).warnings if each.code == "names_not_latin"]
    assert (matter.number, matter.text) == (1, "Ivanov, Petr")
    Player.objects.filter(name="Иванов, Пётр").update(latin_name="Ivanov, Petr")
    assert "names_not_latin" not in [each.code for each in closing(section.row).warnings]


@pytest.mark.django_db
def test_closing_names_those_without_a_proposal_with_a_link_to_the_entry(
    section: MadeSection, client: Client
) -> None:
    Player.objects.filter(name__startswith="Bert").update(name="丁, 立人")
    codes = {each.code: each for each in closing(section.row).warnings}
    assert codes["names_not_latin"].text == "Ivanov, Petr"
    [side] = codes["names_without_latin"].sides
    assert side.name == "丁, 立人"
    client.force_login(EventRoleFactory(event=section.row.event, role=EventRole.Role.OWNER).user)
    page = client.get(address(section.row, "close/")).content.decode()
    assert "The report needs Latin letters, and the program has none for" in page
    entry = section.people["Bert"].pk
    assert f'href="{address(section.row, f"entries/{entry}/")}"' in page
    Player.objects.filter(name="丁, 立人").update(latin_name="Ding, Liren")
    assert "names_without_latin" not in [each.code for each in closing(section.row).warnings]


@pytest.mark.django_db
def test_the_page_of_an_entry_proposes_a_form_and_keeps_another_one(
    section: MadeSection, client: Client
) -> None:
    client.force_login(EventRoleFactory(event=section.row.event, role=EventRole.Role.OWNER).user)
    entry = section.people["Anna"]
    there = address(section.row, f"entries/{entry.pk}/")
    form = client.get(there).context["form"]
    assert form.fields["latin_name"].widget.attrs["placeholder"] == "Ivanov, Petr"
    typed = {name: form[name].value() or "" for name in form.fields}
    assert client.post(there, {**typed, "latin_name": "Иванофф"}).status_code == 422
    client.post(there, {**typed, "latin_name": "Ivanoff, Pyotr"})
    assert Player.objects.get(entries=entry).report_name == "Ivanoff, Pyotr"
    other = client.get(address(section.row, f"entries/{section.people['Bert'].pk}/")).context["form"]
    assert "latin_name" not in other.fields


@pytest.mark.django_db
def test_closing_leads_to_all_names_without_a_typed_form_in_one_list(
    section: MadeSection, client: Client
) -> None:
    Player.objects.filter(name__startswith="Bert").update(name="Петров, Иван")
    client.force_login(EventRoleFactory(event=section.row.event, role=EventRole.Role.OWNER).user)
    there = f"{address(section.row, 'entries/')}?without=latin_name"
    assert f'href="{there}"' in client.get(address(section.row, "close/")).content.decode()
    shown = client.get(there)
    assert {row.name for row in shown.context["part"].rows} == {"Иванов, Пётр", "Петров, Иван"}
    assert "Players whose Latin form nobody has typed" in shown.content.decode()


@pytest.mark.django_db
def test_the_short_form_says_how_the_report_has_the_name(section: MadeSection, client: Client) -> None:
    client.force_login(EventRoleFactory(event=section.row.event, role=EventRole.Role.OWNER).user)
    form = {"name": "Смирнов, Олег", "rating": "1500", "rating_source": "typed", "first_round": "2"}
    shown = client.post(address(section.row, "entries/add/"), form, follow=True).content.decode()
    assert "Smirnov, Oleg" in shown


@pytest.mark.django_db
def test_both_forms_for_a_new_entry_take_the_latin_form(section: MadeSection, client: Client) -> None:
    """The script shows the field when the name has other letters. Without it, the next page says the proposal."""
    client.force_login(EventRoleFactory(event=section.row.event, role=EventRole.Role.OWNER).user)
    short = client.get(address(section.row, "entries/")).content.decode()
    assert re.search(r'<div data-latin hidden>.*name="latin_name"', short, re.DOTALL)
    assert "js/latin_names" in short
    whole = client.get(address(section.row, "entries/add/")).content.decode()
    assert re.search(r'<div data-latin>.*name="latin_name"', whole, re.DOTALL)
    assert "js/latin_names" in whole
    form = {"name": "Смирнов, Олег", "rating": "1500", "rating_source": "typed", "first_round": "2"}
    changed = {**form, "latin_name": "Smirnoff, Oleg"}
    shown = client.post(address(section.row, "entries/add/"), changed, follow=True).content.decode()
    assert Player.objects.get(name="Смирнов, Олег").report_name == "Smirnoff, Oleg"
    assert "The report to FIDE has" not in shown
