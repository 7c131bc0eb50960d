"""The page where the arbiter chooses the tie-breaks."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Event, Section


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(6, event=event, slug="a", tie_breaks=["BH/C1", "SB", "DE"])


def order(page: str) -> list[str]:
    return re.findall(r'name="code" value="([^"]+)"', page)


def post(page: Client, section: Section, codes: list[str], do: str, **more: str) -> str:
    section.refresh_from_db()
    sent = {"code": codes, "do": do, "revision": section.revision, **more}
    return page.post(address(section, "tie-breaks/"), sent, follow=True).content.decode()


@pytest.mark.parametrize(
    ("do", "more", "found"),
    [
        ("up:SB", {}, ["SB", "BH/C1", "DE"]),
        ("up:BH/C1", {}, ["BH/C1", "SB", "DE"]),
        ("down:SB", {}, ["BH/C1", "DE", "SB"]),
        ("down:DE", {}, ["BH/C1", "SB", "DE"]),
        ("remove:BH/C1", {}, ["SB", "DE"]),
        ("add", {"new": "WIN"}, ["BH/C1", "SB", "DE", "WIN"]),
        ("add", {"typed": "bh/c3"}, ["BH/C1", "SB", "DE", "BH/C3"]),
        ("add", {"new": "SB"}, ["BH/C1", "SB", "DE"]),
        ("preset:suggested", {}, ["ARO", "DE", "BH/C1", "BH"]),
        ("preset:own", {}, ["ARO"]),
        ("preset:open", {}, ["BH/C1", "BH", "SB", "DE", "WIN"]),
        ("up:nothing", {}, ["BH/C1", "SB", "DE"]),
    ],
)
def test_buttons_change_the_list_on_the_page_and_save_nothing(
    page: Client, section: Section, do: str, more: dict[str, str], found: list[str]
) -> None:
    assert order(post(page, section, ["BH/C1", "SB", "DE"], do, **more)) == found
    section.refresh_from_db()
    assert section.tie_breaks == ["BH/C1", "SB", "DE"]


def test_name_that_ends_with_its_code_has_the_code_once(page: Client, section: Section) -> None:
    html = page.get(address(section, "tie-breaks/")).content.decode()
    assert (html.count("(ARO) (ARO)"), "(ARO)" in html) == (0, True)


def test_list_is_saved_with_what_happens_to_players_who_are_level(page: Client, section: Section) -> None:
    shown = post(page, section, ["SB", "WIN"], "save", level="number")
    assert "The tie-breaks are saved." in shown
    section.refresh_from_db()
    assert section.tie_breaks == ["SB", "WIN", "TPN"]
    post(page, section, ["SB", "WIN"], "save", level="share")
    section.refresh_from_db()
    assert section.tie_breaks == ["SB", "WIN"]


def test_lots_have_the_seed_that_is_typed_or_one_by_chance(page: Client, section: Section) -> None:
    post(page, section, ["SB"], "save", level="lots", seed="dice-12")
    section.refresh_from_db()
    assert section.tie_breaks == ["SB", "OTHER_LOTS/DICE12"]
    assert 'name="seed" value="DICE12"' in page.get(address(section, "tie-breaks/")).content.decode()
    post(page, section, ["SB"], "save", level="lots")
    section.refresh_from_db()
    assert re.fullmatch("OTHER_LOTS/[0-9A-F]{8}", section.tie_breaks[1])


def test_change_after_publication_is_asked_twice(page: Client, section: Section) -> None:
    paired(section)
    first = post(page, section, ["WIN"], "save")
    assert "Round 1 is published." in first
    assert 'value="warn"' in first
    second = post(page, section, ["WIN"], "warn")
    assert 'value="confirm"' in second
    without = post(page, section, ["WIN"], "confirm")
    assert 'value="confirm"' in without
    section.refresh_from_db()
    assert section.tie_breaks == ["BH/C1", "SB", "DE"]
    assert "The tie-breaks are saved." in post(page, section, ["WIN"], "confirm", reason="misprint")
    section.refresh_from_db()
    assert section.tie_breaks == ["WIN"]


def test_page_shows_the_standings_with_the_list_that_is_not_saved(page: Client, section: Section) -> None:
    played(section)
    shown = post(page, section, ["TPN/R"], "preview")
    assert "Preview of the standings, not saved" in shown
    assert "Standings with this list" in post(page, section, ["BH/C1", "SB", "DE"], "preview")


def test_refused_list_stays_on_the_page(page: Client, section: Section) -> None:
    shown = post(page, section, ["SB", "LUCK"], "save")
    assert "LUCK is not a tie-break that the program knows." in shown
    assert order(shown) == ["SB", "LUCK"]


def test_settings_lead_to_the_page(page: Client, section: Section) -> None:
    settings = page.get(address(section, "settings/")).content.decode()
    assert f'href="{address(section, "tie-breaks/")}"' in settings
    assert "points, Buchholz cut 1, Sonneborn-Berger and direct encounter" in settings


def test_page_asks_the_same_number_of_queries_for_any_field(page: Client, event: Event) -> None:
    from django.db import connection

    counts = set()
    for slug, players in (("b", 4), ("c", 40)):
        section = section_of(players, event=event, name=slug, slug=slug, initial_colour="w")
        played(section)
        page.get(address(section, "tie-breaks/"))
        with CaptureQueriesContext(
            connection,
        ) as asked:
            page.get(address(section, "tie-breaks/"))
        counts.add(len(asked))
    assert len(counts) == 1


def test_values_of_a_tie_break_of_your_own_are_typed_on_a_page(page: Client, section: Section) -> None:
    section.tie_breaks = ["OTHER_PLAYOFF"]
    section.save()
    here = address(section, "tie-breaks/values/")
    assert f'href="{here}?code=OTHER_PLAYOFF"' in page.get(address(section, "tie-breaks/")).content.decode()
    key = section.participants.get(tpn=4).pk
    sent = {"code": "OTHER_PLAYOFF", "revision": section.revision, f"value-{key}": "x"}
    refused = page.post(here, sent)
    assert (refused.status_code, "x is not a number" in refused.content.decode()) == (422, True)
    assert (
        "The values are saved." in page.post(here, sent | {f"value-{key}": "2"}, follow=True).content.decode()
    )
    assert section.participants.get(tpn=4).tie_values == {"OTHER_PLAYOFF": "2"}
    assert 'value="2"' in page.get(here).content.decode()


def test_unrated_opponents_are_left_out_if_the_arbiter_says_so(page: Client, section: Section) -> None:
    for sent, stored in (("left-out", True), ("counted", False)):
        post(page, section, ["ARO"], "save", unrated=sent)
        section.refresh_from_db()
        assert section.unrated_left_out is stored


def test_pairing_tiebreaker_is_offered_and_a_player_without_a_value_has_an_empty_cell(
    page: Client, section: Section
) -> None:
    """After round 1 by ARO nobody has a term."""
    played(section)
    shown = post(page, section, ["SB"], "")
    assert '<option value="OTHER_PT">Pairing Tiebreaker (OTHER_PT)</option>' in shown
    for code, name in (("OTHER_PT/ARO", "ARO"), ("OTHER_PT/BH", "Buchholz")):
        assert f'<option value="{code}">Pairing Tiebreaker by {name} ({code})</option>' in shown
    assert '<td class="num"></td>' in post(page, section, ["OTHER_PT"], "")
    added = post(page, section, ["BH"], "add", typed="pt/bh")
    assert order(added) == ["BH", "OTHER_PT/BH"]
