"""The queue says facts, a move to a section with other limits asks, and a history is in the order of time."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models import QuerySet
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from registrations.actions.edits import ask_new_address, label_many
from registrations.actions.event_lock import PLAYER
from registrations.actions.money import charge
from registrations.actions.requested_byes import decide_bye, drop_bye, wish_bye
from registrations.actions.sections import move_section
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, HistoryLine, Mail, Registration
from registrations.queries.places import limits_of
from registrations.queries.problems import PROBLEMS
from registrations.states import RegistrationState
from registrations.web.words.problems import problems_of_rows
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory
from tests.rating_lists.made import combined_line, imported, text
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.errors import DomainError
from tournaments.models import Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]


def facts(one: Registration) -> str:
    one = Registration.objects.select_related("section", "event").get(pk=one.pk)
    return problems_of_rows([one], limits_of(one.event)).get(one.pk, "")


@pytest.fixture
def listed(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    line = combined_line(88, "Bauer, Uwe", 2215, year=1971, fed="GER", title="FM")
    imported(text(line, combined_line(89, "Weiss, Eva", year=1990, fed="GER", sex="F")))


@pytest.mark.usefixtures("listed")
@pytest.mark.parametrize(
    ("typed", "fact"),
    [
        ({"rating": 1790}, "2215 in the list, too high for U1800"),
        ({"name": "Bauer, Udo", "rating": 2215}, "Bauer, Uwe in the list"),
        ({"birth_date": "1972/01/01", "rating": 2215}, "born in 1971 in the list"),
        ({"title": "IM", "rating": 2215}, "title FM in the list"),
        ({"sex": "w", "rating": 2215}, "sex in the list: male"),
        ({"fide_id": 90}, "FIDE ID 90 is not in the rating list"),
        ({"fide_id": 89, "name": "Weiss, Eva", "birth_date": "1990/01/01"}, "no rating in the list"),
        ({"fide_id": 89, "name": "Weiss, Eva", "title": "WGM", "rating": None}, "no title in the list"),
    ],
)
def test_a_row_says_what_the_list_has(typed: dict[str, object], fact: str) -> None:
    into = desk(rating_to=1800)
    Section.objects.filter(pk=into.pk).update(name="U1800")
    person = {"name": "Bauer, Uwe", "birth_date": "1971/03/04", "fide_id": 88, "rating": 1790, **typed}
    one = sent(into, str(person.pop("name")), by=ORGANISER, **person)
    assert fact in facts(one).replace("\u2068", "").replace("\u2069", "")
    assert "differ" not in facts(one)


@pytest.mark.usefixtures("listed")
def test_the_queue_asks_the_lists_once_for_all_rows(
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    into = desk(rating_to=1800)
    for rating in (1700, 1790):
        sent(into, "Bauer, Uwe", by=ORGANISER, birth_date="1971/03/04", rating=rating)
    sent(into, "Bauer, Uwe", by=ORGANISER, birth_date="1971/03/04", fide_id=88, rating=1700)
    page = staff(into).get(address(into)).content.decode()
    assert f"2215 in the list, too high for {into.name}" in page
    ones = list(Registration.objects.select_related("section__event", "event"))
    limits = limits_of(into.event)
    with django_assert_num_queries(1):
        problems_of_rows(ones, limits)


def test_a_row_says_which_limit_is_missed_by_how_much() -> None:
    into = desk(rating_from=1500, rating_to=1800, age_from=14, age_to=60, titles="GM IM")
    limits = into.registration
    people = {
        "rating_low": ({"rating": 1400}, f"1400, too low for {into.name}"),
        "rating_high": ({"rating": 2215}, f"2215, too high for {into.name}"),
        "too_young": ({"birth_date": "2080/01/01"}, f"10 years old, too young for {into.name}"),
        "too_old": ({"birth_date": "2000/01/01"}, f"90 years old, too old for {into.name}"),
        "title": ({}, f"{into.name} needs one of these titles: GM and IM"),
        "age_unknown": ({"birth_date": ""}, "the birth date is missing"),
        "no_rating": ({"rating": None}, "no rating, and the section begins at 1500"),
    }
    assert limits.rating_to == 1800
    for code, (typed, fact) in people.items():
        assert code in PROBLEMS
        assert fact in facts(sent(into, by=ORGANISER, **typed))


def test_moving_somebody_to_a_section_whose_limits_are_not_met_asks_first() -> None:
    into = desk()
    low = section(into.event, rating_to=1800)
    one, fits = sent(into, by=ORGANISER, rating=2215), sent(into, by=ORGANISER, rating=1700)
    client, page = staff(into), address(into, "decide/")
    client.post(page, {"do": "move", "to": low.pk, "chosen": chosen(fits)})
    fits.refresh_from_db()
    assert fits.section_id == low.pk, "nothing to ask"
    asked = client.post(page, {"do": "move", "to": low.pk, "chosen": chosen(one)})
    one.refresh_from_db()
    assert (asked.status_code, one.section_id) == (200, into.pk)
    shown = asked.content.decode()
    assert f"2215, too high for {low.name}" in shown
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', shown))
    client.post(page, {name: value for name, value in fields.items() if name != "csrfmiddlewaretoken"})
    one.refresh_from_db()
    assert one.section_id == low.pk


def test_a_program_moves_somebody_who_does_not_meet_the_limits_only_with_a_yes() -> None:
    into = desk()
    low = section(into.event, rating_to=1800)
    one = sent(into, by=ORGANISER, rating=2215)
    with pytest.raises(DomainError) as refused:
        move_section(registration_id=one.pk, section_id=low.pk, by=ORGANISER)
    assert refused.value.code == "limits_to_confirm"
    program = Program(EventRoleFactory(event=into.event).user, into.event)
    path = f"registrations/{one.pk}/"
    answer = program.send("POST", f"{path}section/", {"section": low.pk}, seen=program.tag(path))
    assert (answer.status_code, answer.json()["code"]) == (422, "limits_to_confirm")
    row = {"registrations": [{"id": one.pk, "revision": one.revision}], "section": low.pk}
    many = f"events/{into.event.pk}/registrations/decide/"
    [asked] = program.done("POST", many, row)["results"]
    assert asked["code"] == "limits_to_confirm"
    assert program.done("POST", many, {**row, "confirm": ["another answer"]})["decided"] == 0
    assert program.done("POST", many, {**row, "confirm": [asked["confirm"]]})["decided"] == 1


def history_lines(into: Section, one: Registration) -> list[str]:
    """Return the lines of the history on the page of the registration, without their times."""
    page = staff(into).get(address(into, f"{one.pk}/")).content.decode()
    history = page[page.index('id="history"') :]
    lines = [
        " ".join(re.sub(r"<[^>]*>", " ", line).split())
        for line in re.findall(r"<li>(.*?)</li>", history[: history.index("</ul>")], re.DOTALL)
    ]
    return [re.sub(r"^\d+ \w+, \d\d:\d\d ", "", line) for line in lines]


def test_a_history_says_that_a_server_without_mail_sent_nothing(settings: Settings) -> None:
    into = desk()
    settings.MAIL_IS_SET_UP = False
    one = sent(into)
    call_command("work_registrations", verbosity=0)
    assert history_lines(into, one)[-1] == "Mail: Registration received not sent: this server sends no mail"
    assert "The last mail came back" not in staff(into).get(address(into, f"{one.pk}/")).content.decode()


def test_a_history_names_the_section_to_which_a_registration_moved_and_a_payment() -> None:
    into = desk()
    second = section(into.event)
    one = sent(into)
    for to in (second, into):
        move_section(registration_id=one.pk, section_id=to.pk, by=ORGANISER)
    charge(registration_id=one.pk, kind="payment", cents=2500, by=ORGANISER)
    ask_new_address(registration_id=one.pk, address="new@example.org")
    wish_bye(registration_id=one.pk, round_number=2, by=PLAYER)
    decide_bye(registration_id=one.pk, round_number=2, grant=True, by=ORGANISER)
    drop_bye(registration_id=one.pk, round_number=2, by=ORGANISER)
    for on in (True, False):
        label_many(event=into.event, keys=[one.pk], name="team", on=on, by=ORGANISER)
    lines = history_lines(into, one)
    assert [line for line in lines if "ye in round" in line or "label" in line] == [
        "the player: Bye in round 2: asked for.",
        "an organiser: Bye in round 2: asked for → granted.",
        "an organiser: Bye in round 2: taken back.",
        "an organiser: The label “team” was given.",
        "an organiser: The label “team” was taken away.",
    ]
    assert {
        "an organiser: A payment of 25.00 was noted.",
        "the player: Somebody asked for a new e-mail address",
    } <= {*lines}
    moves = [line for line in lines if "Moved" in line]
    assert moves == [
        f"an organiser: Moved from {into.name} to {second.name}.",
        f"an organiser: Moved from {second.name} to {into.name}.",
    ]


def test_the_page_says_that_only_the_year_of_birth_is_known() -> None:
    into = desk()
    one, other = sent(into, birth_date="1985"), sent(into, birth_date="1985/04/03")
    page = staff(into)
    assert "Only the year is known: 1985." in page.get(address(into, f"{one.pk}/")).content.decode()
    assert "Only the year is known" not in page.get(address(into, f"{other.pk}/")).content.decode()


def test_a_history_is_in_the_order_of_time_and_planned_mails_are_planned() -> None:
    into = desk()
    EventRegistration.objects.update(address="https://chess.example")
    one = sent(into)
    call_command("work_registrations", verbosity=0)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    [first, last] = Mail.objects.order_by("pk")
    assert (first.state, last.state) == ("sent", "queued")
    now = timezone.now()
    Mail.objects.filter(pk=first.pk).update(sent_at=now - timedelta(hours=2))
    QuerySet(HistoryLine).filter(registration=one, to_state="pending").update(at=now - timedelta(hours=3))
    what = history_lines(into, one)
    assert what == [
        "the player: The state is now: to check.",
        "Mail: Registration received sent",
        "an organiser: The state changed from “to check” to “accepted”.",
        "Mail: Accepted planned",
    ]
