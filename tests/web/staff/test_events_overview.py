"""The page of an event for those who work on it: what each section waits for, what is to be decided, and the day."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.timezone import localtime

from pairing.rounds import draw_initial_colour, pair_next_round, publish_round
from tests.factories import EventRoleFactory, entry_data, section_of
from tests.registrations.factories import desk, sent
from tests.web.staff.conftest import LogIn, address, enter, paired
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.pairing_numbers import draw_lots
from tournaments.actions.presence import check_in_all, open_check_in
from tournaments.actions.results import confirm_result, mark_over
from tournaments.actions.sections import close_section
from tournaments.models import Event, Section, User
from tournaments.queries.events import event_work, section_states

pytestmark = pytest.mark.django_db


def rows(answer: str) -> list[str]:
    table = answer.partition("over-t")[2].partition("</table>")[0].partition("<tbody>")[2]
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in table.split("</tr>")[:-1]]


def words(html: str) -> str:
    return " ".join(re.sub("<[^>]+>", " ", html).split())


def test_each_section_says_its_round_open_boards_clashes_and_next_step(
    event: Event, section: Section, arbiter: User, log_in: LogIn
) -> None:
    now = localtime()
    Section.objects.filter(pk=section.pk).update(
        schedule=[f"{now:%Y-%m-%d}T00:00", f"{now:%Y-%m-%d}", f"{now + timedelta(1):%Y-%m-%d}T09:00"]
    )
    section_of(4, event=event, slug="b", name="Section B")
    section_of(0, event=event, slug="c", name="Section C")
    first, second, third, _last = paired(section).games.order_by("board")
    enter(first, "1-0")
    enter(second, "1/2")
    first.refresh_from_db()
    confirm_result(actor=Actor.command(), game_id=first.pk, result="0-1", seen_version=first.version)
    mark_over(actor=Actor.command(), game_id=third.pk, over=True, seen_version=third.version)
    page = log_in(arbiter)
    answer = page.get(f"/{event.slug}/").content.decode()
    one, other, empty = rows(answer)
    counts = r"2 of 4 results in Boards open 2 Two results 1 Last result \d min"
    assert re.search(rf"Section A 8 players round 1 of \d {counts}", one)
    assert one.endswith("Decide about 2 boards Cockpit")
    assert other == "Section B 4 players – – Boards open – Two results – Last result – Pair round 1 Cockpit"
    assert empty.endswith("Last result – Import entries Cockpit")
    assert re.findall(r'<i class="(\w+)">', answer) == ["clash", "in", "ended", "open"]
    assert f'href="{address(section, "round/1/results/")}?show=clashes"' in answer
    assert len(re.findall(r'class="btn go *"', answer)) == 1
    assert re.search(
        r'class="btn go *"[^>]*show=clashes"[^>]*data-key="Enter"[^>]*>\s*Section A: Decide about 2 boards',
        answer,
    )
    settle = words(answer.partition('id="o-settle"')[2].partition("</section>")[0])
    assert re.search(
        "2 matters, .* Two results Section A, 1 .* 1–0 at .* 0–1 at .* No slip Section A, 3 ", settle
    )
    plan = words(answer.partition('class="plan-l"')[2].partition("</ol>")[0])
    assert re.search(r"00:00 Section A: Round 1 \d\d:\d\d Now – Section A: Round 2$", plan)
    assert "Find your name" not in answer
    assert "Find your name" in page.get(f"/{event.slug}/?public=1").content.decode()
    assert 'class="tabs"' not in page.get(address(section, "print/boards/")).content.decode()
    assert "over-t" not in Client().get(f"/{event.slug}/").content.decode()


def black_buttons(page: Client, section: Section) -> str:
    """Return the black button of the cockpit, which the overview has too: with the name of the section, and in its row
    while no game is in progress.
    """
    shown = page.get(address(section, "cockpit/")).content.decode()
    (button,) = re.findall(r'<(?:a|button) class="btn go"[^>]*>(.*?)</(?:a|button)>', shown, re.DOTALL)
    label = words(re.sub("<kbd.*?</kbd>", "", button))
    overview = page.get(f"/{section.event.slug}/").content.decode()
    assert f"{section.name}: {label} Enter" in words(overview)
    (row,) = rows(overview)
    assert re.search(rf"Last result (?:\d+ min|–) (?:{label}|\d+ games? in play) Cockpit$", row)
    return label


@pytest.mark.parametrize(
    "system", ["dubov", "round-robin"]
)  # the others have the buttons of the Dubov System
def test_overview_names_the_black_button_of_the_cockpit_until_the_section_is_closed(
    event: Event, arbiter: User, log_in: LogIn, system: str
) -> None:
    page, actor, table = log_in(arbiter), Actor.command(), system == "round-robin"
    section = section_of(
        1, event=event, name="A", system=system, rounds=2, initial_colour="", lists_by_hand=True
    )
    assert black_buttons(page, section) == "Import entries"
    for name in ("Bosch, Eva", "Cole, Ada", "Dahl, Ole"):
        add_participant(actor=actor, section_id=section.pk, entry=entry_data(name))
    if table:
        assert black_buttons(page, section) == "Draw the numbers by lot"
        draw_lots(actor=actor, section_id=section.pk)
        assert black_buttons(page, section) == "Pair all rounds, 1 to 3"
    else:
        assert black_buttons(page, section) == "Draw the initial-colour by lot"
        draw_initial_colour(actor=actor, section_id=section.pk)
        open_check_in(actor=actor, section_id=section.pk, after_round=0)
        assert black_buttons(page, section) == "Check-in"
        check_in_all(actor=actor, section_id=section.pk, round_number=1)
        assert black_buttons(page, section) == "Pair round 1"
    section.refresh_from_db()
    for number in range(1, section.rounds + 1):
        section.refresh_from_db()
        row = pair_next_round(actor=actor, section_id=section.pk, after_round=number - 1)
        assert black_buttons(page, section) == f"Check round {number}"
        page.post(address(section, f"round/{number}/check/"), {"version": row.version})
        assert black_buttons(page, section) == f"Publish round {number}"
        row.refresh_from_db()
        publish_round(actor=actor, round_id=row.pk, seen_version=row.version)
        assert black_buttons(page, section) == "Enter results"
        first, second = row.games.order_by("board")
        mark_over(actor=actor, game_id=second.pk, over=True, seen_version=second.version)
        first = enter(first, "1-0")
        confirm_result(actor=actor, game_id=first.pk, result="0-1", seen_version=first.version)
        assert black_buttons(page, section) == "Decide about 2 boards"
        second = enter(second, "1/2")
        confirm_result(actor=actor, game_id=second.pk, result="1/2", seen_version=second.version)
        first.refresh_from_db()
        page.post(address(section, f"game/{first.pk}/settle/"), {"result": "1-0", "version": first.version})
        if number < section.rounds:
            assert black_buttons(page, section).startswith("Publish the " if section.lists else "Pair ")
    section.refresh_from_db()
    for step in ("ties", "report", "paper", "archive"):
        black_buttons(page, section)
        page.post(address(section, f"last-step/{step}/"))
    page.post(address(section, f"round/{section.rounds}/lists/publish/"))
    assert black_buttons(page, section) == "Close the section"
    close_section(actor=actor, section_id=section.pk)
    assert rows(page.get(f"/{event.slug}/").content.decode())[0].endswith(" – Cockpit")


def test_open_page_asks_for_news_and_gets_them_after_a_result(
    event: Event, section: Section, arbiter: User, log_in: LogIn
) -> None:
    game = paired(section).games.first()
    page, part = log_in(arbiter), {"HX-Request": "true"}
    live = f"/{event.slug}/-/overview/"
    assert page.get(live).headers["Location"] == f"/{event.slug}/"
    shown = page.get(live, headers=part).content.decode()
    seen = re.search('data-seen="([^"]+)"', shown)
    assert seen
    assert "1 of 4 results in" not in shown
    enter(game, "1-0")
    fresh = page.get(live, {"seen": seen[1]}, headers=part)
    assert (fresh.status_code, "1 of 4 results in" in fresh.text) == (200, True)


def test_more_sections_need_no_more_queries(event: Event, section: Section, owner: User) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            event_work(event, section_states(event, owner), event.start)
        return len(queries)

    paired(section)
    few = count()
    for letter in "bcd":
        paired(section_of(4, event=event, slug=letter, name=letter))
    assert (few, count()) == (few, few)
    assert few <= 9


def test_registrations_and_byes_that_wait_are_matters_too_and_the_rail_shows_the_days(log_in: LogIn) -> None:
    into = desk()
    sent(into, "Fontaine, Anne", byes=(1,))
    answer = log_in(EventRoleFactory(event=into.event).user).get(f"/{into.event.slug}/").content.decode()
    settle = words(answer.partition('id="o-settle"')[2].partition("</section>")[0])
    assert "Registration 1 registration waits for a decision. Registrations" in settle
    assert "Byes 1 bye is asked for. Registrations" in settle
    rail = answer.partition('class="rounds days"')[2].partition("</nav>")[0]
    days = re.findall(r'<a\s+href="(\?day=\S+)#o-side"', rail)
    assert (len(days), rail.count("<li>")) == (9, 9)


def test_each_day_of_the_rail_leads_to_the_plan_of_that_day(page: Client, section: Section) -> None:
    event, first, second = section.event, section.event.start, section.event.start + timedelta(1)
    event.end = second
    event.save()
    section.schedule = [f"{first}T09:30", f"{second}T14:00"]
    section.save()
    for day, at, number in ((first, "09:30", 1), (second, "14:00", 2)):
        html = page.get(f"/{event.slug}/?day={day}").content.decode()
        side = words(html.partition('id="o-side"')[2].partition("</section>")[0])
        assert (f"{at} Section A: Round {number}" in side, side.count(":") > 3) == (True, False)
        rail = html.partition('class="rounds days"')[2].partition("</nav>")[0]
        assert re.findall(r'\?day=(\S+)#o-side"[^>]*aria-current="true"', rail) == [f"{day}"]
        assert f'/overview/?day={day}"' in html
    assert page.get(f"/{event.slug}/?day=yesterday").status_code == 200
