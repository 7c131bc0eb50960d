"""The rating lists of a section: players are looked up, lists are chosen, and entries are compared with them."""

from __future__ import annotations

import re
from datetime import date, timedelta
from pathlib import Path

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from ratings.formats.columns import ColumnReading
from ratings.models import KnownOrigin, RatingList
from tests.factories import ParticipantFactory
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import combined_line, imported, text
from tests.web.staff.conftest import address, played
from tournaments.actions import rating_lists
from tournaments.actions.ledger import Actor
from tournaments.actions.rating_lists import set_list_use, set_rating_lists, take_new_ratings
from tournaments.actions.undo import undo
from tournaments.errors import DomainError
from tournaments.models import Event, Participant, Section
from tournaments.queries.rating_lists import (
    found_in_lists,
    list_comparison,
    lists_in_force,
    month_of,
    outdated_lists,
)

__all__ = ["lists"]
LINES = (
    combined_line(10, "Ådahl, Bo", 2400, 2350, 0, fed="SWE", title="IM"),
    combined_line(11, "Blitz, Ben", 0, 0, 2100),
    combined_line(12, "None, Nora", 0, 0, 0),
)


@pytest.fixture
def listing(lists: Path) -> RatingList:
    return imported(text(*LINES), period="2026-01")


def entered(section: Section, fide_id: int, rating: int, **more: object) -> Participant:
    return ParticipantFactory(
        section=section, player__event=section.event, player__fide_id=fide_id, rating=rating, **more
    )


def initial(html: str, name: str) -> str:
    found = re.search(rf'<input[^>]*name="{name}"[^>]*>', html)
    value = re.search(r'value="([^"]*)"', found[0]) if found else None
    return value[1] if value else ""


def test_chosen_player_fills_the_form(listing: RatingList, page: Client, section: Section) -> None:
    there = address(section, "entries/add/")
    html = page.get(f"{there}?q=adahl").content.decode()
    assert re.findall(r"pick=(\d+-\w+)", html) == ["0-10", "0-10", "1-10"]
    html = page.get(f"{there}?q=adahl&pick=0-10").content.decode()
    found = {
        name: initial(html, name)
        for name in ("name", "rating", "rating_list", "official_rating", "fide_id", "birth_date")
    }
    assert found == {
        "name": "Ådahl, Bo", "rating": "2400", "rating_list": "FIDE 2026-01 (file)", "official_rating": "2400",
        "fide_id": "10", "birth_date": "1990",
    }  # fmt: skip
    assert '<option value="standard" selected>' in html


def test_only_the_main_list_gives_a_rating_by_itself(
    listing: RatingList, page: Client, section: Section
) -> None:
    there = address(section, "entries/add/")
    html = page.get(f"{there}?q=11&pick=0-11").content.decode()
    assert (initial(html, "name"), initial(html, "rating")) == ("Blitz, Ben", "")
    html = page.get(f"{there}?q=11&pick=2-11").content.decode()
    assert (initial(html, "rating"), '<option value="blitz" selected>' in html) == ("2100", True)


def test_rating_that_was_changed_in_the_form_is_typed(
    listing: RatingList, page: Client, section: Section
) -> None:
    sent = {
        "name": "Ådahl, Bo", "fide_id": "10", "rating_source": "standard", "rating_list": "FIDE 2026-01 (file)",
        "first_round": "1",
    }  # fmt: skip
    page.post(address(section, "entries/add/"), {**sent, "rating": "2400"})
    page.post(
        address(section, "entries/add/"), {**sent, "name": "Blitz, Ben", "fide_id": "11", "rating": "2222"}
    )
    assert list(section.participants.order_by("pk").values_list("rating_source", "rating_list"))[-2:] == [
        ("standard", "FIDE 2026-01 (file)"),
        ("typed", ""),
    ]
    entry = section.participants.get(player__fide_id=11)
    edited = {**sent, "name": "Blitz, Ben", "fide_id": "11", "rating": "2150"}
    page.post(address(section, f"entries/{entry.pk}/"), edited)
    entry.refresh_from_db()
    assert (entry.rating, entry.rating_source, entry.rating_list) == (2150, "typed", "")


def test_search_asks_the_next_list_if_the_main_one_has_nobody(listing: RatingList, section: Section) -> None:
    assert [hit.player.name for hit in found_in_lists(section, "nora")] == ["None, Nora"]
    assert found_in_lists(section, "nora")[0].ratings == ()
    assert found_in_lists(section, "nobody here") == []


def test_effective_list_takes_the_standard_rating_where_another_is_missing(
    listing: RatingList, section: Section
) -> None:
    set_rating_lists(actor=Actor.command(), section_id=section.pk, codes=["FIDE:blitz+"])
    section.refresh_from_db()
    (one,) = lists_in_force(section)
    assert [one.of(found_in_lists(section, name)[0].player) for name in ("adahl", "blitz", "nora")] == [
        2400,
        2100,
        0,
    ]


def test_lists_are_chosen_ordered_and_left_out(listing: RatingList, page: Client, section: Section) -> None:
    there = address(section, "entries/lists/")

    def press(do: str) -> list[str]:
        section.refresh_from_db()
        assert page.post(there, {"do": do, "seen": section.revision}).status_code == 302
        section.refresh_from_db()
        return section.rating_lists

    assert press("default rapid") == ["FIDE:rapid+", "FIDE:blitz"]
    assert press("up FIDE:blitz") == ["FIDE:blitz", "FIDE:rapid+"]
    assert press("away FIDE:blitz") == ["FIDE:rapid+"]
    assert press("add DWZ:national") == ["FIDE:rapid+", "DWZ:national"]
    assert page.post(there, {"do": "add DWZ:national", "seen": section.revision}).status_code == 422
    assert page.post(there, {"do": "default blitz", "seen": section.revision - 1}).status_code == 409


@pytest.mark.parametrize("codes", [[], ["FIDE:rapid", "FIDE:rapid"], ["FIDE"], ["FIDE:height"]])
def test_sequence_that_means_nothing_is_refused(section: Section, codes: list[str]) -> None:
    with pytest.raises(DomainError, match="rating_lists_wrong"):
        set_rating_lists(actor=Actor.command(), section_id=section.pk, codes=codes)


def test_month_is_that_of_the_start_and_in_a_long_event_the_current_one(section: Section) -> None:
    section.event.start = date(2025, 3, 20)
    assert month_of(section) == "2025-03"
    section.longer_than_30_days = True
    assert month_of(section) > "2025-03"


def test_differences_are_shown_and_only_chosen_ones_taken(
    listing: RatingList, page: Client, section: Section
) -> None:
    one, other = (
        entered(section, 10, 2390, official_rating=2390),
        entered(section, 11, 2000, official_rating=2100),
    )
    same = entered(section, 12, 1500)
    assert [
        (found.entry, found.rating, found.official) for found in list_comparison(section).differences
    ] == [
        (one, 2400, 2400),
        (other, 2100, 2100),
    ]
    section.refresh_from_db()
    there = address(section, "entries/lists/")
    html = page.get(there).content.decode()
    assert "<s>2390</s> → <b>2400</b>" in html.replace('<span class="nowrap">', "")
    page.post(there, {"do": "take", "entry": [one.pk, same.pk], "seen": section.revision})
    values = list(
        section.participants.order_by("pk").values_list("rating", "official_rating", "rating_list")
    )[-3:]
    assert [value[:2] for value in values] == [(2400, 2400), (2000, 2100), (1500, same.official_rating)]
    assert values[0][2] == "FIDE 2026-01 (file)"
    section.refresh_from_db()
    undo(actor=Actor.command(), section_id=section.pk, revision=section.revision)
    one.refresh_from_db()
    assert (one.rating, one.official_rating) == (2390, 2390)
    other.player.name = next(
        row.listed_name for row in list_comparison(section).differences if row.entry == other
    )
    other.player.save()
    section.refresh_from_db()
    page.post(there, {"do": "take", "all": "yes", "seen": section.revision})
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.rating, other.rating) == (2390, 2100), "all but those whose ID may be wrong"


def test_new_rating_moves_no_number_after_round_4(listing: RatingList, section: Section) -> None:
    for n in range(4):
        entered(section, 100 + n, 2300 - n)
    last = entered(section, 10, 1500)
    for _round in range(4):
        played(section)
    last.refresh_from_db()
    number = last.tpn
    section.refresh_from_db()
    take_new_ratings(actor=Actor.command(), section=section, chosen=[last.pk], seen_revision=section.revision)
    last.refresh_from_db()
    assert (last.rating, last.tpn) == (2400, number)


def test_list_in_force_is_not_deleted(
    listing: RatingList, owners_page: Client, section: Section, event: Event
) -> None:
    answer = owners_page.post(f"/site/rating-lists/{listing.pk}/", {"do": "drop"})
    assert (answer.status_code, f"{event.name}, {section.name}" in answer.content.decode()) == (422, True)
    Section.objects.update(status="closed")
    assert owners_page.post(f"/site/rating-lists/{listing.pk}/", {"do": "drop"}).status_code == 302


def test_add_page_asks_lists_only_for_a_search(listing: RatingList, page: Client, section: Section) -> None:
    html = page.get(address(section, "entries/add/")).content.decode()
    assert ('id="look-up"' in html, "Players in the rating lists" in html) == (True, False)


def test_method_of_the_section_says_whether_a_new_list_changes_the_tournament_rating(
    listing: RatingList, section: Section
) -> None:
    """With national ratings only, the new rating of FIDE is the official one and nothing else."""
    one = entered(section, 10, 1900, official_rating=2390, national_rating=1900)
    for method, rating in (("NRO", 1900), ("FIDE", 2400), ("OTHER", 2400)):
        section.rating_method = method
        assert [
            (found.entry, found.rating, found.official) for found in list_comparison(section).differences
        ] == [(one, rating, 2400)]


def test_player_without_any_rating_gets_the_minimum_rating(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q130: filled in if nothing is found. It is provisional, and another rating can be typed."""
    there = address(section, "entries/lists/")
    assert (
        page.post(there, {"do": "use", "minimum_rating": "1400", "seen": section.revision}).status_code == 302
    )
    section.refresh_from_db()
    assert (section.minimum_rating, section.lists_compared) == (1400, False)
    add = address(section, "entries/add/")
    html = page.get(f"{add}?q=nora&pick=0-12").content.decode()
    assert (initial(html, "rating"), '<option value="provisional" selected>' in html) == ("1400", True)
    html = page.get(f"{add}?q=11&pick=0-11").content.decode()
    assert initial(html, "rating") == ""  # another list rates the player
    sent = {"rating_source": "typed", "first_round": "1"}
    page.post(add, {**sent, "name": "Nobody, Ned"})
    page.post(add, {**sent, "name": "Somebody, Sam", "rating": "1650"})
    assert list(section.participants.order_by("pk").values_list("rating", "rating_source"))[-2:] == [
        (1400, "provisional"),
        (1650, "typed"),
    ]


@pytest.mark.parametrize("typed", ["5", "99999", "1e3", "-1"])
def test_minimum_that_is_no_rating_is_refused(page: Client, section: Section, typed: str) -> None:
    sent = {"do": "use", "minimum_rating": typed, "seen": section.revision}
    assert page.post(address(section, "entries/lists/"), sent).status_code == 422


def test_entries_are_compared_by_themselves_after_a_new_list_unless_that_is_switched_off(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q138, Q139."""
    entered(section, 10, 2400, official_rating=2400)
    there = address(section, "entries/")

    def note() -> list[str]:
        return re.findall(r"(\d+) entr\w+ differs? from the rating lists", page.get(there).content.decode())

    assert note() == []
    RatingList.objects.update(period="2025-12")
    imported(text(combined_line(10, "Ådahl, Bo", 2412, 2350, 0)), period=month_of(section))
    RatingList.objects.update(state="ready")
    assert note() == ["1"]
    section.refresh_from_db()
    set_list_use(actor=Actor.command(), section_id=section.pk, lists_compared=False, minimum_rating=0)
    assert note() == []


def test_comparison_says_whether_its_lists_are_current(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q141: the list of the month, or one whose server was asked within a day and has no newer one."""

    def old() -> list[str]:
        return [one.code for one in outdated_lists(section, lists_in_force(section))]

    section.rating_lists = ["FIDE:standard", "DWZ:national"]
    section.save()
    RatingList.objects.update(period=month_of(section))
    assert old() == ["DWZ:national"]
    assert "some lists below are missing" in page.get(address(section, "entries/lists/")).content.decode()
    RatingList.objects.update(period="2020-01")
    assert old() == ["FIDE:standard", "DWZ:national"]
    origin = KnownOrigin.objects.create(
        series="FIDE", kind="combined", address="https://x.example", checked_at=timezone.now()
    )
    assert old() == ["DWZ:national"]
    waiting = RatingList.objects.create(
        series="FIDE", kind="combined", origin="A", state="waiting", table="t"
    )
    assert old() == ["FIDE:standard", "DWZ:national"]
    waiting.delete()
    origin.checked_at -= timedelta(hours=25)
    origin.save()
    assert old() == ["FIDE:standard", "DWZ:national"]


def test_lists_of_all_series_are_those_of_the_month_in_which_the_event_begins(section: Section) -> None:
    Section.objects.filter(pk=section.pk).update(rating_lists=["FIDE:standard", "FIDE:rapid", "DWZ:national"])
    section = Section.objects.get(pk=section.pk)

    def made(series: str, kind: str, period: str) -> RatingList:
        table = f"{series}{kind}{period}"
        return RatingList(series=series, kind=kind, period=period, table=table, state="ready", origin="A")

    ready = [made("FIDE", "standard", month) for month in ("2098-10", "2098-11", "2098-12", "2099-01")]
    ready += [made("FIDE", "rapid", "2098-10"), made("DWZ", "national", "2098-12")]
    begins: dict[date, list[str]] = {
        date(2098, 11, 20): ["FIDE 2098-11", "FIDE 2098-10", ""],
        date(2098, 12, 1): ["FIDE 2098-12", "FIDE 2098-10", "DWZ 2098-12"],
        date(2098, 12, 31): ["FIDE 2098-12", "FIDE 2098-10", "DWZ 2098-12"],
        date(2099, 6, 1): ["FIDE 2099-01", "FIDE 2098-10", "DWZ 2098-12"],
        date(2098, 1, 1): ["", "", ""],
    }
    for day, labels in begins.items():
        section.event.start = day
        assert [one.label for one in lists_in_force(section, ready)] == labels, day


def test_list_of_the_month_of_the_event_is_in_force_beside_a_later_one(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q137. A later list alone does not count, and the page says so and what to do."""
    there = address(section, "entries/lists/")
    RatingList.objects.update(period="2099-12")
    alone = page.get(there).content.decode()
    assert alone.count("FIDE 2099-12 (file) is of a later month and does not count") == 3
    assert f"Import the list of {month_of(section)} from its file." in alone
    assert f"The event begins in {month_of(section)}" in alone
    assert {one.label for one in lists_in_force(section)} == {""}
    asked = page.get(f"{address(section, 'entries/add/')}?q=adahl").content.decode()
    assert "No rating list counts here" in asked
    imported(text(combined_line(10, "Ådahl, Bo", 2412, 2350, 0)), period=month_of(section))
    RatingList.objects.update(state="ready")
    label = f"FIDE {month_of(section)} (file)"
    assert {one.label for one in lists_in_force(section)} == {label}
    beside = page.get(there).content.decode()
    assert "later month" not in beside
    assert label in beside
    Section.objects.filter(pk=section.pk).update(longer_than_30_days=True)
    assert "more than 30 days: the lists of the current month count" in page.get(there).content.decode()


NATIONAL = (
    b"Nr;Name;DWZ;Born;FIDE\n10203;Muster, Max;1834;1990;\n"
    b"10204;Adahl, Bo;2290;1990;10\n10205;Other, Otto;1500;1971;\n"
)


@pytest.fixture
def dwz(listing: RatingList, section: Section) -> Section:
    columns = {"number": 0, "name": 1, "rating": 2, "born": 3, "fide_id": 4}
    imported(
        NATIONAL, "dwz.csv", series="DWZ", period="2026-01", reading=ColumnReading(columns=columns).stored()
    )
    return set_rating_lists(
        actor=Actor.command(), section_id=section.pk, codes=["FIDE:standard", "DWZ:national"]
    )


def test_national_list_fills_the_national_rating_and_number(dwz: Section, page: Client) -> None:
    there = address(dwz, "entries/add/")
    names = ("name", "rating", "official_rating", "national_rating", "national_id")
    html = page.get(f"{there}?q=adahl&pick=0-10").content.decode()
    assert [initial(html, name) for name in names] == ["Ådahl, Bo", "2400", "2400", "2290", "10204"]
    html = page.get(f"{there}?q=muster&pick=1-n10203").content.decode()
    assert [initial(html, name) for name in names] == ["Muster, Max", "1834", "", "1834", "10203"]


def test_comparison_finds_entries_by_their_national_number(dwz: Section) -> None:
    """Another federation may give the same number, so a number with another year of birth is somebody else."""
    both = entered(dwz, 10, 2400, official_rating=2400, national_rating=2200)
    by_number, stranger = (
        ParticipantFactory(
            section=dwz,
            player__event=dwz.event,
            player__national_id=number,
            player__birth_date="1990/01/02",
            rating=1700,
        )
        for number in ("10203", "10205")
    )
    assert [
        (one.entry, one.rating, one.official, one.national) for one in list_comparison(dwz).differences
    ] == [
        (both, 2400, 2400, 2290),
        (by_number, 1834, by_number.official_rating, 1834),
    ]
    assert stranger.national_rating is None
    dwz.refresh_from_db()
    take_new_ratings(
        actor=Actor.command(),
        section=dwz,
        chosen=[both.pk, by_number.pk],
        seen_revision=dwz.revision,
        asked=True,
    )
    values = ("rating", "national_rating", "rating_source", "rating_list")
    assert dwz.participants.values_list(*values).get(pk=by_number.pk) == (
        1834,
        1834,
        "national",
        "DWZ 2026-01",
    )
    assert dwz.participants.values_list("national_rating").get(pk=both.pk) == (2290,)


def test_new_ratings_of_many_cost_no_query_for_each(
    listing: RatingList, section: Section, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    entered(section, 10, 1500), entered(section, 11, 1500)
    found = list_comparison(section).differences
    with django_assert_num_queries(0):
        assert [rating_lists._with_rating(one).rating for one in found] == [2400, 2100]
