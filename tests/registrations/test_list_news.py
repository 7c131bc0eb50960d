"""After a new rating list, registrations are compared by themselves. Nothing is changed until somebody says so."""

from __future__ import annotations

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from ratings.actions.offering import use_list
from registrations.actions import list_news
from registrations.actions.edits import change_registration
from registrations.actions.erasing import erase_registration
from registrations.actions.list_news import compare_with_lists, leave_listed, lists_are_new, take_listed
from registrations.actions.queue import check_again
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_move
from registrations.models import EventRegistration, ListNews, Registration
from registrations.states import RegistrationState
from tests.rating_lists.conftest import lists
from tests.rating_lists.made import combined_line, imported, text
from tests.registrations.conftest import address, chosen, names, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.actions.rating_lists import set_list_use, set_rating_lists
from tournaments.models import Participant, Section

__all__ = ["lists"]
pytestmark = pytest.mark.usefixtures("lists")
ADA = (1001, "Ada, One", 1800)
BEA = (1002, "Bea, Two", 1900)
CYD = (1003, "Cyd, Three", 2000)


def listed(*players: tuple[Any, ...], month: str = "2026-09", **more: str) -> None:
    lines = [combined_line(key, name, *ratings, **more) for key, name, *ratings in players]
    made = imported(text(*lines), period=month)
    assert made.is_ready or made.doubts
    if not made.is_ready:
        use_list(made.pk)


def filled(**limits: Any) -> Section:
    """Return a section with three registrations that have the ratings of the list."""
    listed(ADA, BEA, CYD)
    into = desk(**limits)
    for key, name, rating in (ADA, BEA, CYD):
        sent(into, name, by=ORGANISER, fide_id=key, rating=rating, title="")
    compare_with_lists()
    return into


def state() -> list[tuple[Any, ...]]:
    return list(
        Registration.objects.order_by("pk").values_list(
            "name", "rating", "title", "state", "balance", "rating_list"
        )
    )


def page_of(into: Section, pile: str = "check") -> str:
    return " ".join(staff(into).get(address(into), {"pile": pile}).content.decode().split())


def test_new_list_says_who_changes_and_what_follows_and_changes_nothing() -> None:
    into = filled(rating_to=1950, fee=1000, titled_off=400)
    before = state()
    assert not lists_are_new()
    assert "rating lists in force have another" not in page_of(into)
    listed(
        (1001, "Ada, One", 1990),
        (1002, "Bea, Two", 1900),
        (1003, "Cyd, Three", 1940),
        month="2026-11",
        title="IM",
    )
    assert lists_are_new()
    assert compare_with_lists() == 1
    assert not lists_are_new()
    assert state() == before
    shown = page_of(into, "listed")
    assert "another rating or title for 3 registrations" in shown
    assert "Rating in the list FIDE 2026-11 (file): 1990." in shown
    assert "limits of the section are not met: the rating is too high" in shown
    assert "The fee would be 6.00 EUR instead of 10.00." in shown
    rows = staff(into).get(address(into), {"pile": "listed"}).context["news"]
    words = {Registration.objects.get(pk=key).name[0]: " ".join(said) for key, said in rows.items()}
    assert ("no longer applies" in words["C"], "Rating" in words["B"], "Title" in words["B"]) == (
        True,
        False,
        True,
    )


def test_problems_are_found_again_and_a_second_look_finds_nothing() -> None:
    into = filled()
    listed(ADA, (1002, "Bea, Two", 1910), month="2026-11")
    compare_with_lists()
    assert list(Registration.objects.order_by("pk").values_list("problems", flat=True)) == [
        "",
        " not_as_listed ",
        " not_in_list ",
    ]
    wanted = list(Registration.objects.values_list("pk", "revision"))
    assert check_again(event_id=into.event_id, wanted=wanted, by=ORGANISER).moved == []
    step = Registration.objects.get(name__startswith="Bea").steps.last()
    assert step is not None
    assert (step.kind, step.hand, step.fields) == ("edit", "clock", ["problems"])


def test_list_that_is_not_compared_by_itself_changes_no_mark() -> None:
    """VCL4THP.13 Q138."""
    into = filled()
    set_list_use(actor=ORGANISER.actor, section_id=into.pk, lists_compared=False, minimum_rating=0)
    listed(ADA, (1002, "Bea, Two", 1910), CYD, month="2026-11")
    assert not lists_are_new()
    assert compare_with_lists() == 0


def test_change_of_the_sequence_is_a_new_list() -> None:
    into = filled()
    listed((*ADA, 1750), (*BEA, 1900), (*CYD, 2000), month="2026-11")
    compare_with_lists()
    assert names(into, pile="listed") == []
    set_rating_lists(actor=ORGANISER.actor, section_id=into.pk, codes=["FIDE:rapid+"])
    assert lists_are_new()
    compare_with_lists()
    assert names(into, pile="listed") == ["A"]


def test_chosen_ones_take_the_list_with_their_entries_and_the_fee_stays() -> None:
    into = filled(fee=1000, titled_off=400)
    ada, _bea, cyd = Registration.objects.order_by("pk")
    move_registration(registration_id=ada.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1950), CYD, month="2026-11", title="IM")
    compare_with_lists()
    assert names(into, pile="listed") == ["A", "B", "C"]
    client = staff(into)
    client.post(address(into, "decide/"), {"do": "listed", "pile": "listed", "chosen": chosen(ada, cyd)})
    assert [line[:5] for line in state()] == [
        ("Ada, One", 1850, "IM", "accepted", 1000),
        ("Bea, Two", 1900, "", "pending", 1000),
        ("Cyd, Three", 2000, "IM", "pending", 1000),
    ]
    entry = Participant.objects.get()
    assert (entry.rating, entry.rating_list, entry.official_rating) == (1850, "FIDE 2026-11 (file)", 1850)
    assert names(into, pile="listed") == ["B"]
    again = take_listed(event_id=into.event_id, wanted=[(ada.pk, ada.revision)], by=ORGANISER)
    assert [error.code for _one, error in again.left] == ["registration_changed"]
    fresh = Registration.objects.get(pk=ada.pk)
    again = take_listed(event_id=into.event_id, wanted=[(fresh.pk, fresh.revision)], by=ORGANISER)
    assert [error.code for _one, error in again.left] == ["list_says_the_same"]


def test_entries_of_many_change_in_one_step_and_keep_what_an_arbiter_typed(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    into = filled()
    ada, bea, cyd = Registration.objects.order_by("pk")
    for one in (ada, bea, cyd):
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    Participant.objects.update(team="Rooks")
    listed(*((key, name, rating + 10) for key, name, rating in (ADA, BEA, CYD)), month="2026-11")
    compare_with_lists()
    keys = list(Registration.objects.values_list("pk", "revision"))
    with django_assert_max_num_queries(60):
        assert len(take_listed(event_id=into.event_id, wanted=keys, by=ORGANISER).moved) == 3
    assert sorted(Participant.objects.values_list("rating", "team")) == [
        (1810, "Rooks"),
        (1910, "Rooks"),
        (2010, "Rooks"),
    ]
    assert into.log.order_by("-pk").values_list("action", flat=True)[0] == "import_entries"
    row = into.log.order_by("-pk")[0]
    assert len(row.after["changed"]) == 3


def test_whole_pile_is_shown_first() -> None:
    into = filled()
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1950), CYD, month="2026-11")
    compare_with_lists()
    before = state()
    client = staff(into)
    asked = client.post(address(into, "decide/"), {"do": "listed", "pile": "listed", "all": "2"})
    assert (asked.context["moved"], asked.context["mails"]) == (2, 0)
    assert state() == before
    client.post(address(into, "decide/"), dict(asked.context["sent"]))
    assert [line[1] for line in state()] == [1850, 1950, 2000]


@pytest.mark.parametrize("state_before", [RegistrationState.PENDING, RegistrationState.ACCEPTED])
def test_data_of_the_list_are_undone_with_the_entries_and_asked_about_again(
    state_before: RegistrationState,
) -> None:
    into = filled()
    for one in Registration.objects.all() if state_before == RegistrationState.ACCEPTED else ():
        move_registration(registration_id=one.pk, to=state_before, by=ORGANISER)
    Participant.objects.update(team="Rooks")
    entries = list(Participant.objects.values("rating", "rating_list", "official_rating", "team"))
    before = state()
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1950), CYD, month="2026-11", title="IM")
    compare_with_lists()
    client, decide = staff(into), address(into, "decide/")
    shown = client.post(decide, {"do": "listed", "pile": "listed", "all": "3"})
    client.post(decide, dict(shown.context["sent"]))
    assert (state() != before, names(into, pile="listed")) == (True, [])
    answer = client.post(decide, {"do": "undo"}, follow=True).content.decode()
    assert "3 registrations have their former data again." in answer
    assert (state(), names(into, pile="listed")) == (before, ["A", "B", "C"])
    assert list(Participant.objects.values("rating", "rating_list", "official_rating", "team")) == entries


def test_what_was_left_as_it_is_is_asked_about_again_after_undo() -> None:
    into = filled()
    listed((1001, "Ada, One", 1850), BEA, CYD, month="2026-11")
    compare_with_lists()
    [(key, revision)] = Registration.objects.filter(rating=1800).values_list("pk", "revision")
    leave_listed(event_id=into.event_id, wanted=[(key, revision)], by=ORGANISER)
    for pile in (["A"], []):
        undo_move(registration_id=key, by=ORGANISER)
        assert names(into, pile="listed") == pile


def test_left_as_they_are_they_are_asked_about_again_only_if_the_next_list_says_something_else() -> None:
    into = filled()
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1950), CYD, month="2026-10")
    compare_with_lists()
    keys = list(Registration.objects.values_list("pk", "revision"))
    assert len(leave_listed(event_id=into.event_id, wanted=keys, by=ORGANISER).moved) == 2
    assert names(into, pile="listed") == []
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1960), CYD, month="2026-11")
    compare_with_lists()
    assert names(into, pile="listed") == ["B"]


def test_what_the_list_says_counts_only_for_the_data_that_it_was_about() -> None:
    into = filled()
    listed((1001, "Ada, One", 1850), BEA, CYD, month="2026-11")
    compare_with_lists()
    ada = Registration.objects.get(name__startswith="Ada")
    change_registration(registration_id=ada.pk, values={"rating": 1850}, by=ORGANISER)
    assert names(into, pile="listed") == []
    change_registration(registration_id=ada.pk, values={"rating": 1700, "fide_id": 77}, by=ORGANISER)
    assert names(into, pile="listed") == []


def test_somebody_else_under_the_id_gives_no_rating() -> None:
    into = filled()
    listed((1001, "Other, Person", 2700), BEA, CYD, month="2026-11")
    compare_with_lists()
    assert names(into, pile="listed") == []
    assert Registration.objects.get(name__startswith="Ada").problems == " not_as_listed "


def test_player_whom_the_list_no_longer_rates_keeps_the_rating() -> None:
    into = filled()
    listed((1001, "Ada, One", 0), BEA, CYD, month="2026-11")
    compare_with_lists()
    assert "The rating list no longer rates this player." in page_of(into, "listed")
    ada = Registration.objects.get(name__startswith="Ada")
    take_listed(event_id=into.event_id, wanted=[(ada.pk, ada.revision)], by=ORGANISER)
    ada.refresh_from_db()
    assert (ada.rating, names(into, pile="listed")) == (1800, [])


def test_registration_without_a_rating_gets_its_first_one_on_the_pile() -> None:
    listed(BEA)
    into = desk()
    sent(into, "Ada, One", fide_id=1001, rating=None)
    compare_with_lists()
    listed(ADA, BEA, month="2026-11")
    compare_with_lists()
    assert names(into, pile="listed") == ["A"]


def test_typed_rating_that_a_later_list_has_too_gets_its_name() -> None:
    into = desk()
    one = sent(into, "Ada One", fide_id=1001, rating=1800)
    assert one.rating_list == ""
    listed(ADA, BEA)
    compare_with_lists()
    one.refresh_from_db()
    assert (one.rating, one.rating_source, one.rating_list) == (1800, "standard", "FIDE 2026-09 (file)")
    entry = move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER).participant
    assert entry is not None
    assert entry.official_rating == 1800


def test_rating_of_a_file_that_the_list_has_comes_from_the_list() -> None:
    """Also if the name is spelled otherwise, or something else differs; not if it is another person's."""
    listed((1001, "Müller, Ada", 1800), BEA)
    into = desk()
    found = [
        sent(into, name, by=ORGANISER, fide_id=key, rating=rating, birth_date="1980/01/01")
        for key, name, rating in ((1001, "Ada Mueller", 1800), (1002, "Else, Somebody", 1900))
    ]
    assert [(one.rating_source, one.rating_list) for one in found] == [
        ("standard", "FIDE 2026-09 (file)"),
        ("", ""),
    ]
    assert [one.problems for one in found] == [" name_order  not_as_listed ", " not_as_listed "]


def test_registration_that_changes_during_the_comparison_is_read_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    into = filled()
    listed((1001, "Ada, One", 1850), (1002, "Bea, Two", 1950), CYD, month="2026-11")
    monkeypatch.setattr(list_news, "BATCH", 2)
    ada = Registration.objects.get(name__startswith="Ada")
    real, once = list_news.Lists, []

    def slow(*given: Any) -> Any:
        if not once:
            once.append(
                move_registration(registration_id=ada.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
            )
        return real(*given)

    monkeypatch.setattr(list_news, "Lists", slow)
    compare_with_lists()
    assert names(into, pile="listed") == ["A", "B"]


def test_closed_section_and_past_event_are_left_alone() -> None:
    into = filled()
    Section.objects.filter(pk=into.pk).update(status=Section.Status.CLOSED)
    listed((1001, "Ada, One", 1850), BEA, CYD, month="2026-11")
    assert not lists_are_new()
    Section.objects.filter(pk=into.pk).update(status=Section.Status.OPEN)
    assert lists_are_new()
    into.event.start, into.event.end = "2020-01-01", "2020-01-09"
    into.event.save()
    assert not lists_are_new()


def test_visitors_look_up_ten_players_at_a_time_and_only_so_many_an_hour(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody copies the list from the public form, neither by names nor by one ID after the other."""
    listed(*((2000 + n, f"Same{n:02}, Name", 1500 + n) for n in range(30)))
    into, visitor = desk(), Client()
    cache.clear()
    there = f"/{into.event.slug}/-/register/"
    assert len(visitor.get(there, {"q": "same"}).context["hits"]) == 10
    monkeypatch.setattr("registrations.web.public.register.MOST_SEARCHES", 2)
    assert visitor.get(there, {"id": "2007"}).context["form"]["name"].value() == "Same07, Name"
    chosen = visitor.get(there, {"id": "2008"})
    assert chosen.context["form"]["name"].value() is None
    searched = visitor.get(there, {"q": "same"})
    assert searched.context["hits"] == []
    assert "Too many searches came from your address." in searched.content.decode()
    assert "Not found in the rating list" not in searched.content.decode()
    assert visitor.get(there).status_code == 200


def test_look_for_new_lists_costs_two_queries_for_any_number_of_sections(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    """It is made every few seconds. An event whose registration has no settings is passed over."""
    filled()
    for _event in range(3):
        desk()
    assert compare_with_lists() == 3
    without = desk()
    EventRegistration.objects.filter(event=without.event).delete()
    with django_assert_num_queries(2):
        assert not lists_are_new()


def test_erasing_takes_what_the_list_said() -> None:
    filled()
    listed((1001, "Ada, One", 1850), BEA, CYD, month="2026-11")
    compare_with_lists()
    erase_registration(registration_id=ListNews.objects.get().registration_id)
    assert ListNews.objects.count() == 0
