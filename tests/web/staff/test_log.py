"""The log in sentences."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.web.staff.conftest import address, enter, paired
from tournaments.models import Tournament

HTMX = {"HX-Request": "true"}


def sentences(html: str) -> list[str]:
    """The sentences of the rows, newest first."""
    return re.findall(r"<td>([^<]*?)<span class=\"sub\">", html)


def test_log_has_sentences_for_a_round(page: Client, section: Tournament) -> None:
    row = paired(section)
    game = row.games.select_related("white__player", "black__player").get(board=1)
    enter(game, "1-0")
    enter(game, "1/2")
    enter(game, "")
    players = f"{game.white} – {game.black}"
    assert sentences(page.get(address(section, "log/")).content.decode()) == [
        f"Round 1, board 1: {players}: ½–½ cleared",
        f"Round 1, board 1: {players}: 1–0 changed to ½–½",
        f"Round 1, board 1: {players}: 1–0",
        "Round 1 published",
        "Round 1 paired: 4 boards",
    ]


def test_log_says_who_changed_what_in_an_entry(page: Client, section: Tournament) -> None:
    entry = section.participants.select_related("player").get(tpn=8)
    sent = {
        "name": entry.player.name,
        "rating": "2415",
        "rating_source": entry.rating_source,
        "first_round": "1",
    }
    page.post(address(section, f"entries/{entry.pk}/"), {**sent, "federation": "NED", "revision": 0})
    html = page.get(address(section, "log/")).content.decode()
    assert sentences(html) == [f"Entry of 8 {entry.player.name} changed"]
    assert "rating <del>2420</del> <ins>2415</ins>" in html
    assert ">ada " in html


def test_search_by_htmx_gets_only_the_rows(page: Client, section: Tournament) -> None:
    paired(section)
    answer = page.get(address(section, "log/?q=publish"), headers=HTMX)
    html = answer.content.decode()
    assert html.lstrip().startswith('<div id="log"')
    assert sentences(html) == ["Round 1 published"]


@pytest.mark.parametrize(
    "query", ["page=0", "page=x", "page=" + "9" * 400, "page=-1", "q=" + "x" * 9_000, "q=%00"]
)
def test_log_accepts_any_query(page: Client, section: Tournament, query: str) -> None:
    paired(section)
    assert page.get(address(section, f"log/?{query}")).status_code == 200


def test_log_uses_the_words_of_the_buttons(page: Client, section: Tournament) -> None:
    row = paired(section)
    page.post(address(section, "round/1/unpublish/"), {"version": row.version})
    row.refresh_from_db()
    page.post(address(section, "round/1/unpair/"), {"version": row.version})
    said = sentences(page.get(address(section, "log/")).content.decode())
    assert said[:2] == ["Round 1 unpaired", "Round 1 unpublished"]
