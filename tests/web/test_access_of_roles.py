"""Every address that is not for everybody, opened and sent a form by each role, and by a role in another section."""

from __future__ import annotations

import pytest

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.web.test_access import (
    ROLES,
    TABLE,
    Address,
    addresses,
    expected,
    outcome,
    section,
    working_on,
)
from tournaments.models import Section

pytestmark = pytest.mark.one_database
FOR_ROLES = {
    name for name, who in TABLE.items() if not {*who} <= {"", "all", "logins", "sees", "public", "signs up"}
}
"""Addresses that the walk of the other roles opens: all but those that are for everybody."""


def test_each_role_may_do_what_the_table_says(db: None) -> None:
    """The event is private, so that a role opens what it opens, and nothing else does."""
    here = section(EventFactory(slug="rijswijk", public=False, public_pgn=True))
    found = [address for address in addresses(here) if address.name in FOR_ROLES]
    other = here.event.sections.get(slug="club")
    EventRoleFactory(
        event=here.event, role="viewer", user=UserFactory(username="arbiter")
    )  # whom the forms name
    differing = {}
    for role in ROLES:
        client = (
            working_on(here.event, "chief", other) if role == "elsewhere" else working_on(here.event, role)
        )
        for address in found:
            for method in ("GET", "POST"):
                wanted = expected(role, method, address, public=False)
                if role == "elsewhere":
                    wanted = of_section(other, method, address) or wanted
                if (answered := outcome(client, method, address)) != wanted:
                    differing[role, method, address.name] = (answered, wanted)
    assert differing == {}


def of_section(own: Section, method: str, address: Address) -> str:
    """Return what the chief arbiter of one section gets at the address of a section: "" for another address."""
    if address.path.startswith(f"/{own.event.slug}/{own.slug}/"):
        return expected("chief", method, address, public=False)
    parts = address.path.split("/")
    at_section = len(parts) > 3 and parts[1] == own.event.slug and parts[2] != "-"
    return "not there" if at_section and TABLE[address.name][method == "POST"] else ""
