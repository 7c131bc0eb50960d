"""Pages with a list offer it as CSV and as XLSX, to those who may have the file."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.factories import EventRoleFactory
from tests.web.staff.conftest import LogIn, address
from tournaments.models import EventRole, Section


@pytest.mark.parametrize("document", ["entries", "byes"])
@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_a_page_with_a_list_leads_to_its_files(
    page: Client, section: Section, document: str, kind: str
) -> None:
    file = address(section, f"{kind}/{document}/")
    assert f'href="{file}"' in page.get(address(section, f"{document}/")).content.decode()
    assert page.get(file).status_code == 200


def test_birth_dates_are_offered_as_a_file_only_to_those_who_may_have_it(
    log_in: LogIn, section: Section
) -> None:
    viewer = log_in(EventRoleFactory(event=section.event, role=EventRole.Role.VIEWER).user)
    shown = viewer.get(address(section, "entries/"))
    assert shown.status_code == 200
    assert address(section, "csv/entries/") not in shown.content.decode()
    assert viewer.get(address(section, "csv/entries/")).status_code == 403
