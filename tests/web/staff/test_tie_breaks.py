"""The page where the arbiter chooses the tie-breaks."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.answers import agreed, answers_in
from tests.factories import EventRoleFactory, section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Event, Section
from web.forms.tie_breaks import choices


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(6, event=event, slug="a", tie_breaks=["BH/C1", "SB", "DE"])


def order(page: str) -> list[str]:
    return re.findall(r'name="code" value="([^"]+)"', page)


def post(page: Client, section: Section, codes: list[str], do: str, **more: str) -> str:
    seen = seen_on(page.get(address(section, "tie-breaks/")).content.decode())
    sent = {"code": codes, "do": do, "seen": seen, **more}
    return page.post(address(section, "tie-breaks/"), sent, follow=True).content.decode()


def seen_on(html: str) -> str:
    """Return what the page sends back as the list with which the arbiter began."""
    return unescape(re.findall('name="seen" value="([^"]*)"', html)[0])


def test_buttons_change_the_list_on_the_page_and_save_nothing(page: Client, section: Section) -> None:
    for do, more, found in [
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
        ("preset:round_robin", {}, ["DE", "WIN", "SB", "KS"]),
        ("preset:us_chess", {}, ["OTHER_MODMED", "OTHER_SOLKOFF", "OTHER_CUM"]),
        ("up:nothing", {}, ["BH/C1", "SB", "DE"]),
    ]:
        assert order(post(page, section, ["BH/C1", "SB", "DE"], do, **more)) == found, do
        section.refresh_from_db()
        assert section.tie_breaks == ["BH/C1", "SB", "DE"], do


def test_name_that_ends_with_its_code_has_the_code_once(page: Client, section: Section) -> None:
    html = page.get(address(section, "tie-breaks/")).content.decode()
    assert (html.count("(ARO) (ARO)"), "(ARO)" in html) == (0, True)


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        ({"typed": "xx"}, "XX is not a tie-break that the program knows."),
        ({"typed": "SB"}, "SB is in the list already."),
        ({"new": "WIN", "typed": "DE"}, "DE is in the list already."),
    ],
)
def test_code_that_cannot_be_added_is_refused_at_once(
    page: Client, section: Section, more: dict[str, str], sentence: str
) -> None:
    shown = post(page, section, ["BH/C1", "SB", "DE"], "add", **more)
    assert (order(shown), sentence in shown) == (["BH/C1", "SB", "DE"], True)
    assert f'name="typed" value="{more["typed"]}"' in shown


def test_unknown_code_that_stood_in_the_list_can_be_added_again(page: Client, section: Section) -> None:
    section.tie_breaks = ["BH", "LUCK"]
    section.save()
    assert order(post(page, section, ["BH"], "add", typed="luck")) == ["BH", "LUCK"]


@pytest.mark.parametrize("published", [False, True])
def test_list_that_was_changed_in_another_tab_is_not_overwritten(
    page: Client, section: Section, published: bool
) -> None:
    """One tab adds PS and saves. The other, opened before, adds WON with two buttons, and saves."""
    if published:
        paired(section)
    here, codes = address(section, "tie-breaks/"), ["BH/C1", "SB", "DE"]
    began = seen_on(page.get(here).content.decode())
    other = {"code": [*codes, "PS"], "do": "save", "seen": began, "reason": "forgotten"}
    assert "data-toast" in agreed(page, here, other, follow=True).content.decode()
    added = page.post(here, {"code": codes, "do": "add", "new": "WON", "seen": began}).content.decode()
    previewed = page.post(
        here, {"code": order(added), "do": "preview", "seen": seen_on(added)}
    ).content.decode()
    mine = {"code": order(previewed), "reason": "WON too", "unrated": "counted"}
    refused = page.post(here, mine | {"do": "save", "seen": seen_on(previewed)})
    section.refresh_from_db()
    assert (refused.status_code, section.tie_breaks) == (409, [*codes, "PS"])
    html = refused.content.decode()
    assert "While this page was open, ada changed the same fields at" in html
    both = ["progressive score", "games won"]
    begin = "Buchholz cut 1, Sonneborn-Berger, direct encounter"
    assert re.findall("<td>(Buchholz[^<]*)</td>", html) == [f"{begin}, {last}" for last in both]
    kept = page.post(here, mine | {"take": "theirs", "seen": seen_on(html)}, follow=True).content.decode()
    assert order(kept) == [*codes, "PS"]
    answered = page.post(here, mine | {"take": "mine", "seen": seen_on(html)}, follow=True)
    section.refresh_from_db()
    saved = section.tie_breaks == [*codes, "WON"]
    assert (saved, answers_in(answered) != []) == (not published, published)


def test_option_for_unrated_players_that_was_changed_in_another_tab_is_not_overwritten(
    page: Client, section: Section
) -> None:
    here, codes = address(section, "tie-breaks/"), ["BH/C1", "SB", "DE"]
    began = seen_on(page.get(here).content.decode())
    post(page, section, codes, "save", unrated="left-out")
    refused = page.post(here, {"code": codes, "do": "save", "seen": began, "unrated": "counted"})
    section.refresh_from_db()
    assert (refused.status_code, section.unrated_left_out) == (409, True)
    found = re.findall(
        "<td>(games against them are left out|their tournament rating counts)</td>", refused.content.decode()
    )
    assert found == ["games against them are left out", "their tournament rating counts"]


def test_list_is_saved_with_what_happens_to_players_who_are_level(page: Client, section: Section) -> None:
    shown = post(page, section, ["SB", "WIN"], "save", level="number")
    assert "data-toast" in shown
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
    here = address(section, "tie-breaks/")
    sent = {"code": ["WIN"], "seen": seen_on(page.get(here).content.decode())}
    first = page.post(here, {**sent, "do": "save"})
    assert "Round 1 is published." in first.content.decode()
    assert 'name="reason"' not in first.content.decode()
    other = page.post(here, {**sent, "code": ["WON"], "answer": answers_in(first)})
    assert 'name="reason"' not in other.content.decode(), "another list is asked about from the start"
    second = page.post(here, {**sent, "answer": answers_in(first)})
    assert 'name="reason"' in second.content.decode()
    without = page.post(here, {**sent, "answer": answers_in(second)})
    assert 'name="reason"' in without.content.decode()
    section.refresh_from_db()
    assert section.tie_breaks == ["BH/C1", "SB", "DE"]
    sent |= {"answer": answers_in(without), "reason": "misprint"}
    assert "data-toast" in page.post(here, sent, follow=True).content.decode()
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


def test_who_may_not_change_them_still_reads_the_tie_breaks(client: Client, section: Section) -> None:
    client.force_login(EventRoleFactory(event=section.event, role="viewer").user)
    html = client.get(address(section, "tie-breaks/")).content.decode()
    (shown,) = re.findall('<ol class="ties">(.*?)</ol>', html, re.DOTALL)
    assert re.findall("<code[^>]*>([^<]+)</code>", shown) == section.tie_breaks
    assert ("Standings with this list" in html, 'id="ties"' in html, "tie_breaks.js" in html) == (
        True,
        False,
        False,
    )


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
    assert "data-toast" in page.post(here, sent | {f"value-{key}": "2"}, follow=True).content.decode()
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


def test_round_robin_is_offered_koya_with_its_limits_and_no_sum_of_opponents() -> None:
    """VCL4THP.13 Q104 and Q105."""
    offered = {code for _title, rows in choices((), "round-robin") for code, _name in rows}
    assert {"KS", "KS/L+1", "KS/L+2", "KS/L-1", "KS/L-2"} <= offered
    assert not {"BH", "FB", "AOB", "OTHER_SOLKOFF", "OTHER_MODMED"} & offered
