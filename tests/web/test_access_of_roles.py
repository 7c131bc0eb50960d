"""Every address that is not for everybody, opened and sent a form by each role, and by a role in another section; and
what its pages offer.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext

import pytest
from django.http import HttpResponse
from django.urls import resolve

from tests.factories import EventFactory, EventRoleFactory, UserFactory
from tests.web.offers import offers_of
from tests.web.staff.conftest import address as at
from tests.web.test_access import (
    ROLES,
    TABLE,
    Address,
    addresses,
    expected,
    nothing_drawn,
    outcome,
    section,
    working_on,
)
from tournaments.models import ActionLog, Section

pytestmark = pytest.mark.one_database
FOR_ROLES = {
    name for name, who in TABLE.items() if not {*who} <= {"", "all", "logins", "sees", "public", "signs up"}
}
"""Addresses that the walk of the other roles opens: all but those that are for everybody."""
OF_FINISHED_ROUND = (("enter-results", "round/1/results/"), ("corrections", "round/1/corrections/"))


ONLY_CHANGES = {
    *("absent", "add-entry", "by-hand", "by-hand-end", "close", "correct", "decide-points", "edit-prizes"),
    *(
        "equal-ratings",
        "fide-mode",
        "import",
        "leave",
        "new-section",
        "restore",
        "undo",
        "upload-registrations",
        "chosen-entries",
    ),
}
"""Pages that say nothing to a person who may only look at them."""


@pytest.mark.slow
def test_each_role_may_do_what_the_table_says(db: None) -> None:
    """The event is private, so that a role opens what it opens, and nothing else does. No page offers a link or a form
    that its reader may not use.
    """
    here = section(EventFactory(slug="rijswijk", state="draft", public_pgn=True))
    found = [address for address in addresses(here) if address.name in FOR_ROLES]
    found += [Address(name, at(here, rest)) for name, rest in OF_FINISHED_ROUND]
    other = here.event.sections.get(slug="club")
    EventRoleFactory(
        event=here.event, role="viewer", user=UserFactory(username="arbiter")
    )  # whom the forms name
    logged = ActionLog.objects.count()
    differing, offered = {}, {}
    for role in ROLES:
        client = (
            working_on(here.event, "chief", other) if role == "elsewhere" else working_on(here.event, role)
        )

        def wanted(method: str, address: Address, role: str = role) -> str:
            own = of_section(other, method, address) if role == "elsewhere" else ""
            return own or expected(role, method, address, public=False)

        for address in found:
            pages: list[HttpResponse] = []
            for method in ("GET", "POST"):
                seen = pages if method == "GET" else []
                if not TABLE[address.name][method == "POST"]:
                    continue  # test_access.py sends these requests
                with nothing_drawn() if method == "POST" else nullcontext():  # the offers are on pages
                    answered = outcome(client, method, address, seen, logged=logged)
                if answered != wanted(method, address):
                    differing[role, method, address.name] = (answered, wanted(method, address))
            for method, one in requests_of(address, pages):
                right = "POST" if one.name in ONLY_CHANGES and one.name != address.name else method
                if wanted(right, one) != "done":
                    offered.setdefault((role, method, one.name), set()).add(address.name)
    assert differing == {}
    assert offered == {}


def requests_of(address: Address, pages: list[HttpResponse]) -> Iterator[tuple[str, Address]]:
    """Yield the requests to addresses of the table that the pages offer."""
    for page in pages:
        for method, path in offers_of(address.path, page) if page.status_code == 200 else ():
            match = resolve(path)
            if match.namespace in ("tournaments", "registrations") and match.url_name in FOR_ROLES:
                yield method, Address(match.url_name, path)


def of_section(own: Section, method: str, address: Address) -> str:
    """Return what the chief arbiter of one section gets at the address of a section: "" for another address."""
    if method == "POST" and address.name in ("invite-again", "revoke-invitation"):
        return "not there"  # the invitation of the walk is for the whole event
    if address.path.startswith(f"/{own.event.slug}/{own.slug}/"):
        return expected("chief", method, address, public=False)
    parts = address.path.split("/")
    if address.name == "late-players":  # under "-", with its section at the end
        return "not there"
    at_section = len(parts) > 3 and parts[1] == own.event.slug and parts[2] != "-"
    return "not there" if at_section and TABLE[address.name][method == "POST"] else ""
