"""The pages of the prizes: the form, the list, paper and CSV."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from evenboard_engine.prizes import Method
from tests.factories import section_of
from tests.web.public.tables import rows
from tests.web.staff.conftest import address, played
from tests.workbooks import same_rows
from tournaments.models import Event, PrizeCategory, PrizePlan, Section

PLAN = PrizePlan(
    (
        PrizeCategory("General", (30000, 20000, 10000), Method.HORT),
        PrizeCategory("Women", (5050,), sex="w", born_from=2008, rating_to=1999),
    ),
    currency="EUR",
    unit=1,
)


@pytest.fixture
def section(event: Event) -> Section:
    return section_of(6, event=event, slug="a", prizes=PLAN.stored)


def sent(section: Section, *keys: int, **more: str) -> dict[str, Any]:
    """Return what the form sends as it is, for these categories."""
    page = {
        "seen": section.prize_plan.digest,
        "currency": "EUR",
        "best_only": "1",
        "unit": "100",
        "rest_to_best": "1",
        "category": [str(key) for key in keys],
    }
    for key in keys:
        page |= {
            f"c{key}-name": f"Category {key}",
            f"c{key}-prizes": "300 200",
            f"c{key}-method": "equal",
            f"c{key}-unrated": "too",
        }
    return {**page, **more}


def post(page: Client, section: Section, data: dict[str, Any]) -> str:
    return page.post(address(section, "prizes/edit/"), data, follow=True).content.decode()


def names(content: str) -> list[str]:
    return re.findall(r'name="c\d+-name" value="([^"]*)"', content)


def stored(section: Section) -> PrizePlan:
    return Section.objects.get(pk=section.pk).prize_plan


def test_form_shows_the_plan_and_saves_it_again(page: Client, section: Section) -> None:
    shown = page.get(address(section, "prizes/edit/")).content.decode()
    assert names(shown) == ["General", "Women"]
    assert re.findall(r'name="c\d-prizes" value="([^"]*)"', shown) == ["300 200 100", "50.50"]
    assert "Under 18 in 2026: 2008" in shown
    fields = dict(re.findall(r'<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"', shown))
    chosen = dict(re.findall(r'<select name="([^"]+)".*?<option value="([^"]*)" selected', shown, re.DOTALL))
    del fields["csrfmiddlewaretoken"]
    saved = post(page, section, {**fields, **chosen, "category": ["0", "1"], "do": "save"})
    assert "The prizes are saved." in saved
    assert stored(section) == PLAN


def test_amounts_are_shown_as_the_language_writes_them(page: Client, section: Section) -> None:
    form = page.get(f"/de{address(section, 'prizes/edit/')}").content.decode()
    assert re.findall(r'name="c\d-prizes" value="([^"]*)"', form) == ["300 200 100", "50,50"]
    assert "50,50 EUR" in page.get(f"/de{address(section, 'prizes/')}").content.decode()
    assert "33 50/100" not in page.get(f"/de{address(section, 'prizes/')}").content.decode()


def test_buttons_change_the_form_and_save_nothing(page: Client, section: Section) -> None:
    for do, found in [
        ("up:2", ["Category 2", "Category 1", "Category 3"]),
        ("down:2", ["Category 1", "Category 3", "Category 2"]),
        ("remove:1", ["Category 2", "Category 3"]),
        ("up:9", ["Category 1", "Category 2", "Category 3"]),
        ("up:²", ["Category 1", "Category 2", "Category 3"]),
    ]:
        assert names(post(page, section, sent(section, 1, 2, 3, do=do))) == found, do
        assert stored(section) == PLAN, do


def test_a_prize_without_a_limit_does_not_ask_about_unrated_players(page: Client, section: Section) -> None:
    saved = post(page, section, sent(section, 1, do="save", **{"c1-unrated": ""}))
    assert "data-toast" in saved
    assert "The prizes are saved." not in saved, "the offer to undo says it"
    assert stored(section).categories[0].unrated == "too"


def test_category_is_added_empty(page: Client, section: Section) -> None:
    shown = post(page, section, sent(section, 1, do="add"))
    assert 'name="c2-name"' in shown
    assert "This field is required" not in shown


def test_all_values_of_a_category_are_saved(page: Client, section: Section) -> None:
    limits = {
        "c1-prizes": "500; 33,50, 10.5 7",
        "c1-method": "hort",
        "c1-rating_from": "1000",
        "c1-rating_to": "1999",
        "c1-unrated": "not",
        "c1-sex": "w",
        "c1-born_from": "1990",
        "c1-born_to": "2010",
        "c1-club": " SC  Höhe ",
        "c1-federations": "ned, bel NED",
        "best_only": "0",
        "unit": "1",
        "rest_to_best": "0",
        "withdrawn": "on",
    }
    assert "data-toast" in post(page, section, sent(section, 1, do="save", **limits))
    category = PrizeCategory(
        name="Category 1",
        prizes=(50000, 3350, 1050, 700),
        method=Method.HORT,
        sex="w",
        rating_from=1000,
        rating_to=1999,
        unrated="not",
        born_from=1990,
        born_to=2010,
        club="SC Höhe",
        federations=("NED", "BEL"),
    )
    assert stored(section) == PrizePlan((category,), "EUR", 1, False, False, True)


def test_wrong_values_stay_on_the_page(page: Client, section: Section) -> None:
    for values, sentence in [
        ({"c1-rating_to": "1999", "c1-unrated": ""}, "Can players without a rating win this prize?"),
        ({"c1-rating_from": "1000", "c1-unrated": ""}, "Can players without a rating win this prize?"),
        ({"c1-prizes": "300 x"}, "“x” is not an amount."),
        ({"c1-prizes": "300,200,100"}, "“300,200,100” is not an amount."),
        ({"c1-prizes": "0"}, "Write at least one prize, and no prize of 0."),
        ({"c1-prizes": "1 " * 201}, "A category can have 200 prizes at most."),
        ({"c1-federations": "NL"}, "NL is not a federation."),
        ({"c1-rating_from": "2000", "c1-rating_to": "1900"}, "This is below the other limit"),
        ({"c1-prizes": "200 300"}, "the prize 300 comes after 200."),
        ({"c1-prizes": "33.50"}, "the prize 33.50 is not a multiple of 1,"),
        ({"c2-name": "category 1"}, "Two categories of prizes have the name category 1."),
        ({"unit": "7"}, "Nothing is saved yet"),
        ({"seen": "x"}, "Somebody changed the section after this page was loaded."),
    ]:
        shown = post(page, section, sent(section, 1, 2, do="save", **values))
        assert sentence in shown, values
        assert stored(section) == PLAN, values


def test_prizes_without_a_category_are_removed(page: Client, section: Section) -> None:
    post(page, section, sent(section, do="save"))
    assert stored(section) == PrizePlan()
    assert "No prizes are announced." in page.get(address(section, "prizes/")).content.decode()


def cells(content: str) -> list[list[str]]:
    """Return the lines of winners as text."""
    rows = re.findall(r"<tr>(.*?)</tr>", content.partition("<tbody")[2], re.DOTALL)
    found = [
        [
            " ".join(re.sub(r"<[^>]+>", " ", cell).split())
            for cell in re.findall(r"<t[dh][^>]*>(.*?)</t[dh]>", row, re.DOTALL)
        ]
        for row in rows
    ]
    return [row for row in found if len(row) == 5 and row[0].isdigit()]


@pytest.mark.parametrize("place", ["prizes/", "print/prizes/"])
def test_list_says_who_wins_and_how_each_sum_is_made(page: Client, section: Section, place: str) -> None:
    section.tie_breaks = ["TPN"]
    section.save()
    played(section)
    shown = page.get(address(section, place)).content.decode()
    halves = "Places 1 to 6, level on ½ point, share the other halves of 300 + 200 + 100: 50 each."
    found = cells(shown)
    assert [(row[0], row[2], row[3]) for row in found[:4]] == [
        ("1", "½", "200 EUR"),
        ("2", "½", "150 EUR"),
        ("3", "½", "100 EUR"),
        ("4", "½", "50 EUR"),
    ]
    assert [row[4] for row in found[:1]] == [f"Half of 300 for place 1: 150. {halves}"]
    assert "rovisional" in shown
    assert "50.50 EUR is not paid." in shown
    assert "Hort system, 6 players" in shown
    assert "Equal shares, rating to 1999, female, born in or after 2008, 0 players" in shown


def test_list_is_final_when_the_section_is(page: Client, event: Event) -> None:
    section = section_of(4, event=event, slug="b", rounds=1, prizes=PLAN.stored)
    played(section)
    for place in ("prizes/", "print/prizes/", "csv/prizes/"):
        assert "rovisional" not in page.get(address(section, place)).content.decode()


@pytest.mark.parametrize("best_only", [False, True])
def test_receipts_have_the_sum_of_each_player(page: Client, event: Event, best_only: bool) -> None:
    """All games are drawn. Number 1 takes 300 in General and 50.50 in Seniors, or only the 300."""
    general = PrizeCategory("General", (30000, 20000, 10000), Method.PLACE)
    second = PrizeCategory("Seniors", (5050,), Method.PLACE)
    plan = PrizePlan((general, second), currency="EUR", unit=1, best_only=best_only)
    section = section_of(6, event=event, slug="r", rounds=1, tie_breaks=["TPN"], prizes=plan.stored)
    played(section)
    names = [entry.player.name for entry in section.participants.order_by("tpn")]
    wins = ["General, place 1: 300 EUR", "General, place 2: 200 EUR", "General, place 3: 100 EUR"]
    both = f"{wins[0]} Seniors, place 1: 50.50 EUR"
    sheet = rows(page.get(address(section, "print/receipts/")))
    expected = [
        ["1", names[0], wins[0] if best_only else both, "300 EUR" if best_only else "350.50 EUR", ""],
        ["2", names[1], wins[1], "200 EUR", ""],
        ["3", names[2], wins[2], "100 EUR", ""],
        *([["4", names[3], "Seniors, place 1: 50.50 EUR", "50.50 EUR", ""]] if best_only else []),
        ["", "Total", "650.50 EUR", ""],
    ]
    first = sheet.index(expected[0])
    assert sheet[first : first + len(expected)] == expected
    found = page.get(address(section, "csv/receipts/")).content.decode("utf-8-sig").splitlines()
    same_rows(page, address(section, "csv/receipts/"), address(section, "xlsx/receipts/"))
    same_rows(page, address(section, "csv/prizes/"), address(section, "xlsx/prizes/"))
    sums = [line.split(";")[-2] for line in found[: len(expected) + 1]]
    assert sums == ["Sum", *[_cell(line[-2]) for line in expected]]
    on_page = rows(page.get(address(section, "prizes/")))
    assert (["", "Total", "", "650.50 EUR"] in on_page) == (not best_only)


def _cell(amount: str) -> str:
    """Write an amount as the CSV does: no spreadsheet takes it for a date."""
    return amount.removesuffix(" EUR").replace(".50", " 50/100")


def test_only_arbiters_see_the_prizes(client: Client, section: Section) -> None:
    played(section)
    for place in (
        "prizes/",
        "prizes/edit/",
        "print/prizes/",
        "csv/prizes/",
        "print/receipts/",
        "csv/receipts/",
    ):
        assert client.get(address(section, place)).status_code == 302
    assert "Prize list" not in client.get(address(section, "standings/")).content.decode()


def test_documents_have_the_prize_list_if_there_are_prizes(
    page: Client, section: Section, event: Event
) -> None:
    other = section_of(4, event=event, slug="c")
    for one, links in ((section, 2), (other, 0)):
        shown = page.get(address(one, "documents/")).content.decode()
        found = [address(one, "print/prizes/") in shown, address(one, "csv/prizes/") in shown]
        assert sum(found) == links
    settings = page.get(address(section, "settings/")).content.decode()
    assert f'href="{address(section, "prizes/")}"' in settings


def test_closed_section_keeps_its_prizes(page: Client, section: Section) -> None:
    Section.objects.filter(pk=section.pk).update(status="closed")
    assert 'value="save"' not in page.get(address(section, "prizes/edit/")).content.decode()
    assert "The section is closed." in post(page, section, sent(section, 1, do="save"))
    assert stored(section) == PLAN


def test_page_asks_the_same_number_of_queries_for_any_field(page: Client, event: Event) -> None:
    counts = set()
    for slug, players in (("b", 4), ("c", 40)):
        section = section_of(players, event=event, name=slug, slug=slug, prizes=PLAN.stored)
        played(section)
        page.get(address(section, "prizes/"))
        with CaptureQueriesContext(connection) as asked:
            page.get(address(section, "prizes/"))
        counts.add(len(asked))
    assert len(counts) == 1
