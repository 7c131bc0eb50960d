"""The sheet of keys is on every page of arbiters and organisers."""

from __future__ import annotations

from tests.factories import EventFactory
from tests.web.test_access import TABLE, addresses, section, working_on
from tournaments.models import EventRole

FOR_VISITORS = ("", "all", "sees", "public", "visitors", "signs up", "invited")
SHEETS = ('<dialog id="keys-sheet"', '<dialog id="help"')


def test_every_page_of_arbiters_has_the_sheet_of_keys(db: None) -> None:
    row = section(EventFactory(slug="rijswijk"))
    owner = working_on(row.event, EventRole.Role.OWNER)
    without = []
    pages = 0
    for address in addresses(row):
        if TABLE[address.name][0] in FOR_VISITORS:
            continue
        answer = owner.get(address.path)
        if answer.status_code != 200 or not answer["Content-Type"].startswith("text/html"):
            continue
        page = answer.content.decode()
        if not page.startswith("<!DOCTYPE html>"):
            continue  # the menu of sections, which a page loads
        pages += 1
        if not any(sheet in page for sheet in SHEETS):
            without.append(address.name)
    assert without == []
    assert pages > 30
