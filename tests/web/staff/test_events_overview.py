"""The page of an event for those who work on it: what each section waits for."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.factories import section_of
from tests.web.staff.conftest import LogIn, address, enter, paired
from tournaments.actions.ledger import Actor
from tournaments.actions.results import confirm_result
from tournaments.models import Event, Section, User

pytestmark = pytest.mark.django_db


def rows(answer: str) -> list[str]:
    table = answer.partition("over-t")[2].partition("</table>")[0].partition("<tbody>")[2]
    return [" ".join(re.sub("<[^>]+>", " ", row).split()) for row in table.split("</tr>")[:-1]]


def test_each_section_says_its_round_open_boards_clashes_and_next_step(
    event: Event, section: Section, arbiter: User, log_in: LogIn
) -> None:
    section_of(4, event=event, slug="b", name="Section B")
    first, second, *_others = paired(section).games.order_by("board")
    enter(first, "1-0")
    enter(second, "1/2")
    first.refresh_from_db()
    confirm_result(actor=Actor.command(), game_id=first.pk, result="0-1", seen_version=first.version)
    answer = log_in(arbiter).get(f"/{event.slug}/").content.decode()
    one, other = rows(answer)
    assert re.search(r"Section A 8 players round 1 of \d Boards open 2 Clashes 1 Last result \d min", one)
    assert one.endswith("Settle 1 board Cockpit")
    assert other == "Section B 4 players – Boards open – Clashes – Last result – Pair round 1 Cockpit"
    assert f'href="{address(section, "round/1/results/")}?show=clashes"' in answer
    assert 'class="tabs"' not in log_in(arbiter).get(address(section, "print/boards/")).content.decode()
    assert "over-t" not in Client().get(f"/{event.slug}/").content.decode()
