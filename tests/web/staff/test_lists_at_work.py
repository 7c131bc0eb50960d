"""What rating lists do by themselves: they rate imported players, and say in the cockpit where entries differ."""

from __future__ import annotations

import re
from functools import partial

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from ratings.models import RatingList
from tests.factories import section_of
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import combined_line, imported, text
from tests.web.staff.conftest import address, played
from tests.web.staff.test_rating_lists_of_section import LINES, entered, listing
from tournaments.actions.entries import import_entries
from tournaments.actions.ledger import Actor
from tournaments.actions.rating_lists import set_list_use, set_rating_lists
from tournaments.files.entry_lists import read_entries
from tournaments.files.entry_preview import entry_list_preview
from tournaments.models import Event, Section
from tournaments.queries.rating_lists import list_comparison, month_of, ratings_of_new

__all__ = ["listing", "lists"]
FILE = (
    b"Name;FIDE ID;Rating\n"
    b"Adahl, Bo;10;\n"  # in the list
    b"Ben Blitz;11;\n"  # only another list rates him
    b"Own, Olga;12;1777\n"
)


def test_imported_players_get_the_rating_of_the_main_list(listing: RatingList, section: Section) -> None:
    """VCL4THP.13 Q127: by itself, with its source. The file goes before the list, and the minimum rating after it."""

    def look() -> dict[str, tuple[int, str, str, int | None]]:
        section.refresh_from_db()
        shown = entry_list_preview(section, read_entries(FILE), look_up=partial(ratings_of_new, section))
        assert shown.no_rating == len(shown.refused)
        rows = [row.entry for row in shown.rows]
        return {
            row.name: (row.rating, row.rating_source, row.rating_list, row.official_rating) for row in rows
        }

    bo = (2400, "standard", "FIDE 2026-01 (file)", 2400)
    olga = (1777, "file", "", 1777)
    assert ratings_of_new(section, {10: "Else, Someone"}) == {}, "the ID of another person"
    assert look() == {"Adahl, Bo": bo, "Own, Olga": olga}
    set_rating_lists(actor=Actor.command(), section_id=section.pk, codes=["FIDE:blitz+", "FIDE:standard"])
    assert look()["Blitz, Ben"] == (
        2100,
        "blitz",
        "FIDE 2026-01 (file)",
        2100,
    )  # the list has the name in this order
    set_rating_lists(actor=Actor.command(), section_id=section.pk, codes=["FIDE:standard"])
    set_list_use(actor=Actor.command(), section_id=section.pk, lists_compared=True, minimum_rating=1400)
    assert look() == {"Adahl, Bo": bo, "Ben Blitz": (1400, "provisional", "", None), "Own, Olga": olga}


def test_rating_of_a_file_that_the_main_list_has_too_comes_from_the_list(
    listing: RatingList, section: Section
) -> None:
    """VCL4THP.13 Q134. Another rating, or that of another person, is the file's."""

    def origin(name: str, rating: int) -> list[tuple[int, str, str]]:
        table = read_entries(f"Name;FIDE ID;Rating\n{name};10;{rating}\n".encode())
        shown = entry_list_preview(section, table, look_up=partial(ratings_of_new, section))
        return [(row.entry.rating, row.entry.rating_source, row.entry.rating_list) for row in shown.rows]

    assert origin("Bo Adahl", 2400) == [(2400, "standard", "FIDE 2026-01 (file)")]
    assert origin("Bo Adahl", 2390) == [(2390, "file", "")]
    assert origin("Else, Someone", 2400) == [(2400, "file", "")]


def test_page_of_the_import_says_which_list_rates_a_player(
    listing: RatingList, page: Client, section: Section
) -> None:
    page.post(address(section, "entries/import/"), {"text": FILE.decode()})
    there = address(section, "entries/import/check/")
    html = page.get(there).content.decode()
    assert "Rating of the list FIDE 2026-01 (file)." in html


def test_entries_that_no_list_rates_any_more_and_ids_of_other_people_are_named(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q142."""
    facts = {"rating_source": "standard", "rating_list": "FIDE 2025-12 (file)", "player__name": "None, Nora"}
    gone = entered(section, 12, 1350, **facts)
    entered(section, 99, 1350, **{**facts, "rating_source": "typed", "player__name": "Typed, Ted"})
    entered(section, 10, 1900, official_rating=1900, player__name="Muster, Max")
    found = list_comparison(section)
    assert (found.not_rated, [one.listed_name for one in found.differences]) == ((gone,), ["Ådahl, Bo"])
    html = " ".join(page.get(address(section, "entries/lists/")).content.decode().split())
    assert "The lists no longer rate None, Nora, whose rating came from a list." in html
    assert "Another name in the list: Ådahl, Bo. Check the ID." in html
    section.rating_lists = ["DWZ:national"]  # nothing of FIDE is there to say so
    assert list_comparison(section).not_rated == ()


def test_ratings_of_a_list_that_came_meanwhile_are_not_taken(
    listing: RatingList, page: Client, section: Section
) -> None:
    one = entered(section, 10, 2300, player__name="Ådahl, Bo")
    there = address(section, "entries/lists/")
    html = page.get(there).content.decode()
    sent = {
        "do": "take",
        "entry": [one.pk],
        "seen": section.revision,
        "lists": f"{listing.pk}-" * 2 + f"{listing.pk}",
    }
    assert f'name="lists" value="{sent["lists"]}"' in html
    imported(text(combined_line(10, "Ådahl, Bo", 2412, 2350, 0), *LINES[1:]), period=month_of(section))
    RatingList.objects.update(state="ready")
    assert page.post(there, sent).status_code == 409
    one.refresh_from_db()
    assert one.rating == 2300


def test_cockpit_says_after_a_new_list_how_many_entries_differ(
    listing: RatingList, page: Client, event: Event
) -> None:
    """VCL4THP.13 Q139. The lists are asked once while they and the entries are the same."""
    section = section_of(4, event=event)
    one = entered(section, 10, 2400, official_rating=2400, player__name="Ådahl, Bo")

    def note() -> list[str]:
        html = page.get(address(section, "cockpit/")).content.decode()
        return re.findall(r"(\d+) entr\w+ differs? from the rating lists", html)

    assert note() == []
    imported(text(combined_line(10, "Ådahl, Bo", 2412, 2350, 0), *LINES[1:]), period=month_of(section))
    RatingList.objects.update(state="ready")
    assert note() == ["1"]
    with CaptureQueriesContext(connection) as queries:
        assert note() == ["1"]
    assert not [query for query in queries if "national_id" in query["sql"] and "WHERE (" in query["sql"]]
    one.rating = one.official_rating = 2412
    one.save()
    assert note() == []


def test_import_takes_what_the_preview_shows(listing: RatingList, section: Section) -> None:
    shown = entry_list_preview(section, read_entries(FILE), look_up=partial(ratings_of_new, section))
    import_entries(actor=Actor.command(), section_id=section.pk, rows=shown.rows)
    kept = section.participants.values_list("rating", "rating_source", "rating_list")
    assert kept.get(player__fide_id=10) == (2400, "standard", "FIDE 2026-01 (file)")


def test_in_a_later_rating_period_new_ratings_are_those_of_the_period(
    listing: RatingList, page: Client, section: Section
) -> None:
    """VCL4THP.13 Q212, Q213. The ratings of the first period gave the numbers, and are in its report."""
    one = entered(section, 10, 2300, official_rating=2300, player__name="Ådahl, Bo")
    played(section)
    Section.objects.update(longer_than_30_days=True, period_starts=[2, 3], rounds=3)
    section.refresh_from_db()
    assert [(each.rating, each.official) for each in list_comparison(section).differences] == [(2300, 2400)]
    section.refresh_from_db()
    sent = {"do": "take", "entry": [one.pk], "seen": section.revision}
    assert page.post(address(section, "entries/lists/"), sent).status_code == 302
    one.refresh_from_db()
    assert (one.rating, one.official_rating, one.period_ratings) == (2300, 2300, {"2": 2400})
    assert list_comparison(section).differences == ()
    section.refresh_from_db()
    played(section)
    one.period_ratings = {"2": 2350}
    one.save()
    html = page.get(address(section, "entries/lists/")).content.decode()
    assert "official ratings of rating period 3" in html
    assert [(each.stood, each.official) for each in list_comparison(section).differences] == [(2350, 2400)]
