"""The page where players with the same rating get another order."""

from __future__ import annotations

import pytest
from django.test import Client

from tests.answers import agreed
from tests.factories import section_of
from tests.web.staff.conftest import address, paired, played
from tournaments.models import Event, Section


@pytest.fixture
def section(event: Event) -> Section:
    """Numbers 2, 3 and 4 are rated 2475."""
    section = section_of(8, event=event, slug="a")
    section.participants.filter(tpn__in=(2, 3, 4)).update(rating=2475)
    return section


def sent(section: Section, *places: object, **more: str) -> dict[str, object]:
    section.refresh_from_db()
    group = section.participants.filter(rating=2475).order_by("tpn")
    typed = {f"place-{entry.pk}": place for entry, place in zip(group, places, strict=True)}
    return {"rating": "2475", "revision": section.revision, **typed, **more}


def group(section: Section) -> list[int]:
    """Numbers of the three, by the order in which they were entered."""
    return list(section.participants.filter(rating=2475).order_by("pk").values_list("tpn", flat=True))


@pytest.mark.parametrize(
    ("places", "numbers"),
    [((1, 2, 1), [3, 4, 2]), ((3, 2, 3), [4, 2, 3]), ((2, 1, 3), [3, 2, 4]), ((3, 2, 1), [4, 3, 2])],
)
def test_places_are_typed_shown_and_given(
    page: Client, section: Section, places: tuple[int, ...], numbers: list[int]
) -> None:
    here = address(section, "entries/equal/")
    answer = page.post(here, sent(section, *places))
    asked = answer.content.decode()
    assert answer.status_code == 200
    assert "Round 1 will be paired with the new numbers. Nothing is saved yet." in asked
    assert group(section) == [2, 3, 4]
    answer = agreed(page, here, sent(section, *places), follow=True)
    assert "The players rated 2475 have new numbers." in answer.content.decode()
    assert group(section) == numbers


@pytest.mark.parametrize(
    ("order", "sentence"),
    [
        ("name", "follow rating, title and name until"),
        ("younger", "follow rating, title and age, younger players first, until"),
        ("older", "follow rating, title and age, older players first, until"),
        ("entry", "follow rating, title and order of entry until"),
    ],
)
def test_list_of_entries_says_what_orders_equal_players(
    page: Client, section: Section, order: str, sentence: str
) -> None:
    Section.objects.filter(pk=section.pk).update(equals_by=order)
    assert sentence in page.get(address(section, "entries/")).content.decode()


def test_list_of_entries_leads_to_the_page_where_ratings_are_equal(page: Client, section: Section) -> None:
    link = f'href="{address(section, "entries/equal/")}"'
    assert link in page.get(address(section, "entries/")).content.decode()
    section.participants.filter(tpn__in=(2, 3)).update(rating=2476)
    section.participants.filter(tpn=2).update(rating=2477)
    assert link not in page.get(address(section, "entries/")).content.decode()
    assert (
        "No two players have the same rating."
        in page.get(address(section, "entries/equal/")).content.decode()
    )


def test_wrong_place_is_marked(page: Client, section: Section) -> None:
    for place in ["", "0", "4", "x", "9" * 50]:
        answer = page.post(address(section, "entries/equal/"), sent(section, place, 2, 3))
        assert answer.status_code == 422, place
        assert 'class="err"' in answer.content.decode(), place


def test_same_order_and_an_old_page_are_refused(page: Client, section: Section) -> None:
    here = address(section, "entries/equal/")
    answer = page.post(here, sent(section, 1, 2, 3))
    assert (answer.status_code, "The players are already in this order." in answer.content.decode()) == (
        422,
        True,
    )
    answer = page.post(here, sent(section, 3, 2, 1, revision="7"))
    assert (answer.status_code, "Somebody changed the section" in answer.content.decode()) == (409, True)
    assert page.post(here, {"rating": "1"}).status_code == 404
    assert page.post(here, {}).status_code == 404


def test_page_has_no_fields_once_the_numbers_are_fixed(page: Client, section: Section) -> None:
    for _round in range(3):
        played(section)
    paired(section)
    here = address(section, "entries/equal/")
    html = page.get(here).content.decode()
    assert ("Round 4 is paired, so the numbers no longer change." in html, 'name="place-' in html) == (
        True,
        False,
    )
    answer = agreed(page, here, sent(section, 3, 2, 1))
    assert answer.status_code == 422
