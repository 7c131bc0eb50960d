from __future__ import annotations

import re

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.web.public.conftest import WHEN, MadeSection, crowd, new_section
from tournaments.models import ActionLog, EventRole, User
from web.page_cache import FOR_ALL

LISTS = (
    "pairings/",
    "round/1/pairings/",
    "names/",
    "results/",
    "results/1/",
    "standings/",
    "standings/1/",
    "aro/",
    "aro/2/",
    "crosstable/",
    "fairness/",
    "players/",
    "rules/",
    "players/1/",
    "lists/pairings.csv",
    "lists/standings.csv",
    "lists/crosstable.csv",
    "lists/fairness.csv",
    "lists/aro.csv",
    "lists/players.csv",
    "print/boards/",
    "print/names/",
    "print/aro/",
    "print/starting-list/",
    "print/aro-names/",
    "print/standings/",
    "print/crosstable/",
    "print/fairness/",
    "print/rules/",
)


def queries_of(client: Client, address: str) -> int:
    """Return how many queries the second visit needs."""
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200, address
    return len(queries)


def test_queries_do_not_depend_on_the_number_of_players(db: None, client: Client):
    few, many = crowd(6), crowd(60)
    counts = {page: [queries_of(client, one.url + page) for one in (few, many)] for page in LISTS}
    assert {page: found for page, found in counts.items() if found[0] != found[1] or found[0] > 12} == {}


def test_a_private_event_exists_only_for_its_people(db: None, client: Client):
    section = new_section(state="draft")
    for tpn in (1, 2):
        section.enter(tpn, f"Player {tpn}", 2000)
    section.play(1, "published", (1, 2, ""))
    owner = User.objects.create_user("owner")
    EventRole.objects.create(event=section.row.event, user=owner, role=EventRole.Role.OWNER)
    pages = [page.replace("/2/", "/1/") for page in LISTS]
    for person, status in ((None, 404), (User.objects.create_user("stranger"), 404), (owner, 200)):
        if person:
            client.force_login(person)
        found = {page: client.get(section.url + page).status_code for page in pages}
        assert found == dict.fromkeys(pages, status)


def test_an_unknown_section_is_404(six: MadeSection, client: Client):
    assert client.get("/veldhaven/b/pairings/").status_code == 404
    assert client.get("/nowhere/a/pairings/").status_code == 404


def test_public_pages_can_only_be_read(six: MadeSection, client: Client):
    assert {page: client.post(six.url + page).status_code for page in LISTS} == dict.fromkeys(LISTS, 405)


def test_a_reload_without_a_change_costs_one_query(six: MadeSection, client: Client):
    first = client.get(f"{six.url}pairings/")
    assert first.headers["Cache-Control"] == FOR_ALL
    with CaptureQueriesContext(connection) as queries:
        again = client.get(f"{six.url}pairings/", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content, len(queries)) == (304, b"", 1)
    assert again.headers["ETag"] == first.headers["ETag"]


def test_a_change_gives_a_new_page(six: MadeSection, client: Client):
    tag = client.get(f"{six.url}pairings/").headers["ETag"]
    six.touch()
    assert client.get(f"{six.url}pairings/", headers={"If-None-Match": tag}).status_code == 200
    tag = client.get(f"{six.url}pairings/").headers["ETag"]
    six.row.event.name = "Veldhaven Masters"
    six.row.event.save()
    assert client.get(f"{six.url}pairings/", headers={"If-None-Match": tag}).status_code == 200


def test_a_visitor_who_is_logged_in_gets_a_page_without_a_tag(
    six: MadeSection, client: Client, arbiter: User
):
    tag = client.get(f"{six.url}pairings/").headers["ETag"]
    assert client.get(f"{six.url}pairings/", headers={"If-None-Match": tag}).status_code == 304
    client.force_login(arbiter)
    response = client.get(f"{six.url}pairings/", headers={"If-None-Match": tag})
    assert (response.status_code, "ETag" in response.headers) == (200, False)


def test_anonymous_pages_set_no_cookie(six: MadeSection, client: Client):
    assert not client.get(f"{six.url}pairings/").cookies


def test_every_page_says_its_revision_and_when_it_was_published(six: MadeSection, client: Client):
    """The time is that of the last action, by the clock of the hall."""
    six.row.event.time_zone = "Asia/Tokyo"
    six.row.event.save()
    ActionLog.objects.create(
        event=six.row.event, section=six.row, who="Ada", action="record_result", revision=1, at=WHEN
    )
    six.touch()
    for page in (page for page in LISTS if not page.startswith(("lists/", "print/"))):
        content = client.get(six.url + page).content.decode()
        [line] = re.findall(r'<p class="as-of small quiet" id="as-of">(.*?)</p>', content, re.DOTALL)
        wanted = "As of 20 Nov 2026, 23:52 (Asia/Tokyo)."
        if 'hx-select-oob="' in content:
            wanted += ' <span class="since">Nothing has changed since then.</span>'
        assert " ".join(line.split()) == wanted, page


def test_the_page_of_an_event_says_when_it_last_changed(six: MadeSection, client: Client):
    event = six.row.event
    address = f"/{event.slug}/"
    assert "The event last changed" not in client.get(address).content.decode()
    ActionLog.objects.create(event=event, section=six.row, who="Ada", action="record_result", at=WHEN)
    six.row.log_head = "a"
    six.row.save()
    assert "The event last changed 20 Nov 2026, 14:52 (UTC)." in client.get(address).content.decode()
