"""Visitors see the list that was published, and what became of it."""

from __future__ import annotations

import re

import pytest
from django.db.models import F
from django.test import Client

from evenboard_engine import Result
from tests.actions.test_rounds import pair, play
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.web.public.tables import rows
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.results import record_result
from tournaments.actions.rounds import publish_lists
from tournaments.actions.undo import undo
from tournaments.models import Game, Section

pytestmark = pytest.mark.django_db

ACTOR = Actor.command()


def url(section: Section) -> str:
    return f"/{section.event.slug}/{section.slug}/"


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode().partition("<main")[2]).split())


def record(section: Section, board: int, result: Result | str) -> None:
    game = Game.objects.filter(round__section=section, board=board).latest("round__number")
    record_result(actor=ACTOR, game_id=game.pk, result=result, seen_version=game.version)


@pytest.fixture
def four() -> Section:
    return section_of(4, event__state="public")


@pytest.fixture
def arbiter(four: Section) -> Client:
    client, user = Client(), UserFactory()
    EventRoleFactory(event=four.event, user=user)
    client.force_login(user)
    return client


def test_before_publication_the_page_says_what_the_list_waits_for(four: Section, client: Client) -> None:
    row = pair(ACTOR, four)
    awaited = (
        "No list has been published yet. The list after round 1 comes when the last result of round 1 is in."
    )
    assert awaited in page(client, f"{url(four)}aro/")
    row.state = "published"
    row.save()
    Section.objects.filter(pk=four.pk).update(lists_by_hand=True, revision=F("revision") + 1)
    assert "The list after round 1 comes when the arbiters publish it." in page(client, f"{url(four)}aro/")
    assert [client.get(url(four) + rest).status_code for rest in ("print/aro/2/", "lists/2/aro.csv")] == [
        404,
        404,
    ]
    record(four, 1, Result.WHITE_WINS)
    record(four, 2, Result.DRAW)
    assert "The list after round 1 comes when the arbiters publish it." in page(client, f"{url(four)}aro/")


def test_a_published_list_has_what_a_player_adds_up(four: Section, client: Client) -> None:
    play(ACTOR, four)
    shown = page(client, f"{url(four)}aro/")
    assert "ARO list before round 2" in shown
    assert "Published automatically on" in shown
    assert "revision" not in shown
    assert "The list after round 2 comes when the last result of round 2 is in." in shown
    assert "4 (2460) = 2460; 2460 / 1" in shown
    by_rank = rows(client.get(f"{url(four)}aro/?by=rank"))
    assert [row[0] for row in by_rank[1:] if len(row) > 2] == ["1", "2", "3", "4"]
    row = client.get(f"{url(four)}lists/aro-ranks.csv").content.decode("utf-8-sig").splitlines()[1]
    assert row.split(";")[7:10] == ["3 (2470)", "2470", "2470"]


def test_a_correction_strikes_the_old_value_and_keeps_the_earlier_edition(
    four: Section, client: Client
) -> None:
    play(ACTOR, four, Result.DRAW)
    before = rows(client.get(f"{url(four)}aro/2/"))
    record(four, 1, Result.WHITE_WINS)
    content = client.get(f"{url(four)}aro/").content.decode()
    assert re.findall(r'class="pts wide">\s*<del><i>½</i></del>\s*(\d)<i></i>', content) == ["1", "0"]
    shown = page(client, f"{url(four)}aro/")
    assert "Corrected list of" in shown
    assert "This edition changes the rows of 2 players: 1 Surname" in shown
    assert rows(client.get(f"{url(four)}aro/2/1/")) == before
    assert "This is an earlier edition. A later one has replaced it." in page(client, f"{url(four)}aro/2/1/")
    assert client.get(f"{url(four)}aro/2/3/").status_code == 404


def test_a_withdrawn_list_says_so_and_stays_readable(four: Section, client: Client) -> None:
    play(ACTOR, four)
    undo(actor=ACTOR, section_id=four.pk, revision=Section.objects.get(pk=four.pk).revision)
    shown = page(client, f"{url(four)}aro/")
    assert "The list after round 1 was withdrawn" in shown
    assert "The list after round 1 comes when the last result of round 1 is in." in shown
    assert "The list after round 1 was withdrawn" in page(client, f"{url(four)}aro/2/1/")
    assert len(rows(client.get(f"{url(four)}aro/2/1/"))) > 4


def test_a_list_that_arbiters_have_not_corrected_yet_says_so(four: Section, client: Client) -> None:
    Section.objects.filter(pk=four.pk).update(lists_by_hand=True)
    play(ACTOR, four, Result.DRAW)
    publish_lists(actor=ACTOR, section_id=four.pk, after_round=1)
    before = rows(client.get(f"{url(four)}aro/"))
    record(four, 1, Result.WHITE_WINS)
    assert rows(client.get(f"{url(four)}aro/")) == before
    assert "The arbiters have not published a new one yet." in page(client, f"{url(four)}aro/")


def test_the_list_of_a_round_that_was_paired_without_one_is_made_from_the_results(
    four: Section, client: Client
) -> None:
    Section.objects.filter(pk=four.pk).update(lists_by_hand=True)
    play(ACTOR, four)
    play(ACTOR, four)
    assert "No list was published after this round." in page(client, f"{url(four)}aro/2/")


def test_an_open_page_is_loaded_again_for_a_new_list(four: Section, client: Client) -> None:
    """A revision without a new list brings the page; the same revision brings nothing."""
    row = pair(ACTOR, four)
    content = client.get(f"{url(four)}aro/").content.decode()
    asked = re.findall(r'hx-get="([^"]*)"', content)[0].replace("&amp;", "&")
    headers = {"HX-Request": "true"}
    assert client.get(asked, headers=headers).status_code == 204
    row.state = "published"
    row.save()
    record(four, 1, Result.DRAW)
    assert "HX-Refresh" not in client.get(asked, headers=headers)
    record(four, 2, Result.DRAW)
    assert client.get(asked, headers=headers)["HX-Refresh"] == "true"


def test_an_arbiter_publishes_from_the_cockpit_with_one_key(
    four: Section, arbiter: Client, client: Client
) -> None:
    Section.objects.filter(pk=four.pk).update(lists_by_hand=True)
    play(ACTOR, four)
    cockpit = arbiter.get(f"{url(four)}cockpit/").content.decode()
    cockpit = re.sub(r"<template.*?</template>", "", cockpit, flags=re.DOTALL)
    (button,) = re.findall(r"<button[^>]*data-key=\"Enter\"[^>]*>(.*?)</button>", cockpit, re.DOTALL)
    assert " ".join(button.split("<")[0].split()) == "Publish the ARO list after round 1"
    assert "It has not been published." in page(arbiter, f"{url(four)}aro/")
    answer = arbiter.post(f"{url(four)}round/1/lists/publish/")
    assert (answer.status_code, answer["Location"]) == (302, f"{url(four)}cockpit/")
    cockpit = page(arbiter, f"{url(four)}cockpit/")
    assert "Pair round 2 Enter" in cockpit
    assert "ARO list after round 1 published" in cockpit
    assert "Visitors see the published one." in page(arbiter, f"{url(four)}aro/")
    assert f"by {four.event.roles.get().user.label}." in page(client, f"{url(four)}aro/")
    assert arbiter.post(f"{url(four)}round/2/lists/publish/").status_code == 422


def test_the_screen_shows_the_published_list(four: Section, client: Client) -> None:
    pair(ACTOR, four)
    assert "No ARO list has been published yet" in client.get(f"{url(four)}screen/?show=aro").content.decode()


def test_programs_read_the_published_list(four: Section, client: Client) -> None:
    address = f"/api/v1/public/sections/{four.pk}/list/"
    assert client.get(address).status_code == 404
    play(ACTOR, four)
    body = client.get(address).json()
    assert (body["list"], body["after_round"], body["edition"], body["published_by"]) == ("aro", 1, 1, None)
    row = next(row for row in body["results"] if row["tpn"] == 1)
    assert (row["opponents"], row["sum"], row["aro"], row["bye"]) == (
        [{"tpn": 3, "rating": 2470}],
        2470,
        2470,
        True,
    )
    assert "player" not in row
    assert client.get(f"{address}1/1/").json()["results"] == body["results"]
    assert client.get(f"{address}1/2/").status_code == 404
    assert client.get(f"{address}2/").status_code == 404


@pytest.mark.parametrize(
    ("system", "changed"),
    [("uschess", {"½ 3White1", "½ 1Black0", "½ 1", "½ 0"}), ("round-robin", {"½ 1", "½ 0"})],
)
def test_standings_are_published_where_there_is_no_list_of_aro(
    system: str, changed: set[str], client: Client
) -> None:
    section = section_of(4, system=system, rounds=3, event__state="public")
    if section.fixed_rounds:
        draw_lots(actor=ACTOR, section_id=section.pk, seed="a")
    assert "No list has been published yet." in page(client, f"{url(section)}published/")
    play(ACTOR, section, Result.DRAW)
    first = rows(client.get(f"{url(section)}published/"))
    record(section, 1, Result.WHITE_WINS)
    shown = page(client, f"{url(section)}published/")
    assert "Published standings after round 1" in shown
    assert "Corrected list of" in shown
    assert "This edition changes the rows of" in shown
    assert rows(client.get(f"{url(section)}published/1/1/")) == first
    cells = {cell for row in rows(client.get(f"{url(section)}published/1/"))[1:] for cell in row[4:]}
    assert {cell for cell in cells if cell.startswith("½ ")} == changed


@pytest.mark.parametrize(("system", "game"), [("uschess", "3w½"), ("round-robin", "×")])
def test_published_standings_have_paper_and_a_file_and_are_linked(
    system: str, game: str, client: Client
) -> None:
    section = section_of(4, system=system, rounds=3, event__state="public")
    if section.fixed_rounds:
        draw_lots(actor=ACTOR, section_id=section.pk, seed="a")
    files = ("print/published/", "print/published/1/", "lists/published.csv", "lists/1/published.csv")
    assert [client.get(url(section) + rest).status_code for rest in files] == [404] * 4
    play(ACTOR, section, Result.DRAW)
    before = {rest: client.get(url(section) + rest).content for rest in files}
    Section.objects.filter(pk=section.pk).update(lists_by_hand=True)
    record(section, 1, Result.WHITE_WINS)  # the list that was published does not change
    table = rows(client.get(f"{url(section)}published/"))
    paper = rows(client.get(f"{url(section)}print/published/"))
    shown, printed = (
        [["".join(cell.removesuffix("NED").split()) for cell in row] for row in found[-4:]]
        for found in (table, paper)
    )
    assert printed == shown
    text = client.get(f"{url(section)}lists/published.csv").content.decode("utf-8-sig")
    lines = [line.split(";") for line in text.splitlines()]
    assert lines[0][:6] == ["Place", "No", "Name", "Title", "Federation", "Rating"]
    assert (sorted(line[1] for line in lines[1:5]), lines[1][6]) == (["1", "2", "3", "4"], game)
    assert lines[-2][0].startswith("Published")
    assert "have not published a new one yet" in lines[-1][0]
    assert before["lists/published.csv"].decode("utf-8-sig").splitlines()[:5] == text.splitlines()[:5]
    links = client.get(f"{url(section)}standings/").content.decode()
    assert f'href="{url(section)}published/"' in links
    links = client.get(f"{url(section)}published/").content.decode()
    assert [f'{url(section)}{rest}"' in links for rest in files] == [False, True, False, True]


def test_sections_with_a_list_of_aro_have_no_published_standings(four: Section, client: Client) -> None:
    play(ACTOR, four)
    for rest in ("published/", "print/published/", "lists/published.csv"):
        assert client.get(url(four) + rest).status_code == 404
    assert "published/" not in client.get(f"{url(four)}standings/").content.decode()


def test_arbiters_find_the_published_standings_among_the_documents(client: Client) -> None:
    section = section_of(4, system="uschess", rounds=3)
    user = UserFactory()
    EventRoleFactory(event=section.event, user=user)
    client.force_login(user)

    def published() -> list[str]:
        page = client.get(f"{url(section)}documents/").content.decode()
        return re.findall(r'href="([^"]*/(?:print|lists)/published[^"]*)"', page)

    found = [published()]
    play(ACTOR, section)
    found.append(published())
    files = [f"{url(section)}lists/published.{kind}" for kind in ("csv", "xlsx")]
    paper = f"{url(section)}print/published/"
    assert found == [[], [f"{paper}#print", f"{paper}#pdf", *files]]
