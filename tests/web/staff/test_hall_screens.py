"""Screens in the hall that an arbiter controls from elsewhere."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from tests.factories import section_of
from tests.web.public.tables import rows
from tests.web.staff.conftest import enter, paired
from tournaments.actions.hall import MOST_SCREENS, make_screen, set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.errors import DomainError
from tournaments.models import Event, Screen, Section

NOBODY = Actor.command()


@pytest.fixture
def screen(event: Event) -> Screen:
    """A screen of an event with two sections, of 4 and 3 boards."""
    for name, players in (("A", 8), ("B", 6)):
        paired(section_of(players, event=event, name=name, slug=name.lower()))
    return make_screen(actor=NOBODY, event=event, name="Left projector")


def address(screen: Screen) -> str:
    return f"/-/{screen.code}/"


def control(screen: Screen, rest: str = "") -> str:
    return f"/{screen.event.slug}/-/hall/{screen.pk}/{rest}"


def shown(client: Client, screen: Screen) -> str:
    return client.get(address(screen)).content.decode()


def labels(html: str) -> list[tuple[str, str]]:
    return re.findall(
        r'data-label="([^"]*)"\s+data-title="[^"]*"\s+data-heading="[^"]*"\s+data-place="([^"]*)"', html
    )


def data(html: str, name: str) -> str:
    found = re.search(rf'data-{name}="([^"]*)"', html.partition('id="pages"')[2])
    assert found
    return found[1]


def settings(screen: Screen, **changes: object) -> dict[str, object]:
    """Return what the form of the settings sends."""
    screen.refresh_from_db()
    names = ("message", "theme", "language", "rows", "seconds", "part", "parts")
    return {"section": screen.section_id or "", **{name: getattr(screen, name) for name in names}, **changes}


def test_an_arbiter_makes_a_screen_with_a_short_address(page: Client, event: Event):
    paired(section_of(4, event=event, name="A", slug="a"))
    answer = page.post(f"/{event.slug}/-/hall/", {"name": " Left  projector "})
    made = Screen.objects.get()
    assert (answer.status_code, answer["Location"]) == (302, control(made))
    assert (made.name, len(made.code), made.section) == ("Left projector", 5, event.sections.get())
    assert f"http://testserver{address(made)}" in page.get(f"/{event.slug}/-/hall/").content.decode()
    assert event.log.get(action="make_screen").subject == "Left projector"


def test_two_screens_need_two_names_and_there_is_a_limit(page: Client, screen: Screen):
    answer = page.post(f"/{screen.event.slug}/-/hall/", {"name": "Left projector"})
    assert (answer.status_code, Screen.objects.count()) == (422, 1)
    assert "The event has a screen “Left projector” already." in answer.content.decode()
    Screen.objects.bulk_create(
        Screen(event=screen.event, name=str(number)) for number in range(MOST_SCREENS - 1)
    )
    with pytest.raises(DomainError) as refused:
        make_screen(actor=NOBODY, event=screen.event, name="One more")
    assert refused.value.code == "too_many_screens"


def test_a_screen_shows_all_sections_after_each_other(client: Client, screen: Screen):
    event = screen.event.name
    assert labels(shown(client, screen)) == [("1–4", f"{event}, A"), ("1–3", f"{event}, B")]


def test_the_arbiter_chooses_the_list_and_the_section_from_a_phone(
    page: Client, client: Client, screen: Screen
):
    before = data(shown(client, screen), "revision")
    page.post(control(screen, "press/"), {"show": "standings"})
    only = screen.event.sections.get(slug="b")
    page.post(control(screen), settings(screen, section=only.pk, theme="dark", seconds=20, rows=6))
    html = shown(client, screen)
    assert labels(html) == [("1–6", f"{screen.event.name}, B")]
    assert (data(html, "theme"), data(html, "seconds")) == ("dark", "20")
    assert data(html, "revision") != before


def test_next_back_and_pause_reach_the_screen(page: Client, client: Client, screen: Screen):
    for press in ("next", "next", "back", "next", "pause"):
        page.post(control(screen, "press/"), {"press": press})
    html = shown(client, screen)
    assert (data(html, "turned"), data(html, "paused")) == ("2", "yes")
    page.post(control(screen, "press/"), {"press": "continue"})
    assert data(shown(client, screen), "paused") == ""


def test_a_message_stands_below_the_list_or_alone(page: Client, client: Client, screen: Screen):
    section = screen.event.sections.get(slug="a")
    set_hall_message(actor=NOBODY, section_id=section.pk, message="Phones off")
    assert data(shown(client, screen), "message") == "Phones off"
    page.post(control(screen), settings(screen, message="Round 5 begins at 15:10"))
    assert data(shown(client, screen), "message") == "Round 5 begins at 15:10"
    page.post(control(screen, "press/"), {"show": "message"})
    html = shown(client, screen)
    assert "<p>Round 5 begins at 15:10</p>" in html
    assert data(html, "message") == "Phones off"


def test_a_blank_screen_shows_nothing(page: Client, client: Client, screen: Screen):
    page.post(control(screen, "press/"), {"show": "blank"})
    html = shown(client, screen)
    assert (data(html, "blank"), rows(client.get(address(screen)))) == ("yes", [])


def test_a_screen_has_its_own_language(page: Client, client: Client, screen: Screen):
    page.post(control(screen), settings(screen, language="de"))
    answer = client.get(address(screen), headers={"Accept-Language": "fr"})
    assert answer["Content-Language"] == "de"
    assert '<html lang="de"' in answer.content.decode()
    assert data(answer.content.decode(), "page").startswith("de ")


def test_screens_that_share_a_list_show_each_board_once(page: Client, client: Client, event: Event):
    paired(section_of(70, event=event, name="A", slug="a"))  # 35 boards: 4 pages
    found = []
    for part in (1, 2, 3):
        made = make_screen(actor=NOBODY, event=event, name=f"Screen {part}")
        page.post(control(made), settings(made, part=part, parts=3))
        found.append([label for label, _place in labels(shown(client, made))])
    assert found == [["1–10"], ["11–20"], ["21–30", "31–35"]]


def test_a_screen_without_a_page_of_its_own_shows_another_one(page: Client, client: Client, screen: Screen):
    page.post(control(screen), settings(screen, part=4, parts=5))  # of two pages
    assert [label for label, _place in labels(shown(client, screen))] == ["1–3"]


def test_the_number_of_a_screen_is_at_most_the_number_of_screens(page: Client, screen: Screen):
    answer = page.post(control(screen), settings(screen, part=4, parts=3))
    assert answer.status_code == 422
    assert Screen.objects.get().parts == 1


def test_an_open_screen_gets_only_news(page: Client, client: Client, screen: Screen):
    seen = data(shown(client, screen), "revision")
    with CaptureQueriesContext(connection) as captured:
        same = client.get(f"{address(screen)}?seen={seen}")
    assert (same.status_code, same.content) == (204, b"")
    assert abs(int(same["X-Now"]) - timezone.now().timestamp() * 1000) < 5000
    assert sum(query["sql"].startswith("SELECT") for query in captured.captured_queries) <= 2
    enter(screen.event.sections.get(slug="b").played_rounds.get(number=1).games.get(board=1), "1-0")
    assert client.get(f"{address(screen)}?seen={seen}").status_code == 200
    seen = data(shown(client, screen), "revision")
    page.post(control(screen, "press/"), {"press": "next"})
    assert client.get(f"{address(screen)}?seen={seen}").status_code == 200


def test_arbiters_see_which_screens_are_on(page: Client, client: Client, screen: Screen):
    listed = f"/{screen.event.slug}/-/hall/"
    assert "never opened" in page.get(listed).content.decode()
    seen = re.search(r'data-seen="([^"]*)"', page.get(listed).content.decode())
    assert seen
    asks = {"HX-Request": "true"}
    assert page.get(f"{listed}?seen={seen[1]}", headers=asks).status_code == 204
    client.get(address(screen))
    assert (
        '<span class="pill ok">on</span>'
        in page.get(f"{listed}?seen={seen[1]}", headers=asks).content.decode()
    )
    Screen.objects.update(asked_at=timezone.now() - timedelta(minutes=2))
    assert "last seen" in page.get(listed).content.decode()


def test_a_removed_screen_is_gone(page: Client, client: Client, screen: Screen):
    assert page.post(control(screen, "remove/"))["Location"] == f"/{screen.event.slug}/-/hall/"
    assert client.get(address(screen)).status_code == 404
    assert screen.event.log.get(action="remove_screen").subject == "Left projector"


def test_a_screen_of_a_private_event_is_for_those_who_may_see_the_event(
    page: Client, client: Client, screen: Screen
):
    Event.objects.update(state="draft")
    assert (client.get(address(screen)).status_code, page.get(address(screen)).status_code) == (404, 200)


def test_a_screen_shows_neither_drafts_nor_hidden_sections(page: Client, screen: Screen):
    Section.objects.filter(slug="a").update(taken_away=True)
    shown_to = Section.objects.get(slug="b")
    for game in shown_to.played_rounds.get(number=1).games.all():
        enter(game, "1/2")
    paired(shown_to, published=False)
    assert '<h1 id="heading">Round 1</h1>' in shown(page, screen)
    assert [place for _label, place in labels(shown(page, screen))] == [f"{screen.event.name}, B"]


def test_a_screen_shows_initials_of_players_who_asked_for_it(page: Client, screen: Screen):
    player = screen.event.sections.get(slug="b").participants.get(tpn=1).player
    player.name, player.by_initials = "Kovács, Anna", True
    player.save()
    assert ("A. K. 1" in shown(page, screen), "Kovács" in shown(page, screen)) == (True, False)
