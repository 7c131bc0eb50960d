"""A decision or a form about a registration that somebody has changed meanwhile: both values, then one more press."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.http import HttpResponse
from django.test import Client

from registrations.actions.edits import add_note, change_registration, label_many
from registrations.actions.event_lock import PLAYER, RegistrationActor
from registrations.actions.money import charge
from registrations.actions.sections import move_section
from registrations.actions.transitions import move_registration
from registrations.models import Registration
from registrations.queries.conflict_check import changed_rows, pack_shown, unpack_shown
from registrations.queries.mails import token_of
from registrations.states import Hand, RegistrationState
from tests.factories import UserFactory
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.models import Section

pytestmark = pytest.mark.django_db


def fresh(one: Registration) -> Registration:
    return Registration.objects.get(pk=one.pk)


def hidden(page: HttpResponse, form: str) -> dict[str, list[str]]:
    """Return what the form with these words in it sends, as far as it is hidden or ticked."""
    html = next(part for part in page.content.decode().split("<form")[1:] if form in part.split("</form>")[0])
    found: dict[str, list[str]] = {}
    for control in re.findall(r"<input[^>]*>", html.split("</form>")[0]):
        parts = dict(re.findall(r'([a-z-]+)="([^"]*)"', control))
        ticked = parts.get("type") == "checkbox" and re.search(r"\bchecked\b", control)
        if parts.get("type") == "hidden" or ticked:
            found.setdefault(parts["name"], []).append(unescape(parts.get("value", "on")))
    return found


def rows(page: HttpResponse) -> list[list[str]]:
    """Return the rows of the tables of both values, as text."""
    found = re.findall(r'<tr class="differs">(.*?)</tr>', page.content.decode(), re.DOTALL)
    cells = [re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row, re.DOTALL) for row in found]
    return [
        [unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", cell))).strip() for cell in row] for row in cells
    ]


def test_a_stale_row_gets_both_values_with_who_and_one_press_decides_then() -> None:
    into = desk(fee=1000)
    other, client = section(into.event), staff(into)
    one, two = sent(into, "A, X", rating=1800, club="Old"), sent(into, "B, X")
    queue = hidden(client.get(address(into)), 'id="queue"')
    seen = chosen(one, two)
    olga = RegistrationActor(Hand.ORGANISER, UserFactory(username="olga"))
    change_registration(registration_id=one.pk, values={"club": "New", "rating": 1950}, by=PLAYER)
    move_section(registration_id=one.pk, section_id=other.pk, by=olga)
    charge(registration_id=one.pk, kind="fee", cents=500, by=olga)
    label_many(event=into.event, keys=[one.pk], name="VIP", by=olga)
    add_note(event=into.event, registration_id=one.pk, by=olga, text="Asks for a lift")
    answer = client.post(address(into, "decide/"), {**queue, "do": "accept", "chosen": seen})
    assert (answer.status_code, fresh(one).state, fresh(two).state) == (409, "pending", "accepted")
    assert "1 registration accepted." in answer.content.decode()
    assert rows(answer) == [
        ["Club", "Old", "New"],
        ["Rating", "1800", "1950"],
        ["Fee owed", "10.00", "5.00"],
        ["Section", into.name, other.name],
        ["Labels", "nothing", "VIP"],
        ["Notes", "0", "1"],
    ]
    history = answer.content.decode().split("differs-steps")[1].split("</ul>")[0]
    assert ("olga" in history, "the player" in history) == (True, True)
    assert "rating" in history.lower()
    answer = client.post(address(into, "decide/"), {**hidden(answer, 'name="seen"'), "do": "accept"})
    assert (answer.status_code, fresh(one).state, fresh(one).section_id) == (302, "accepted", other.pk)


def test_a_decision_that_somebody_else_has_made_is_shown_and_cannot_be_made_again() -> None:
    into, client = desk(), None
    client, one = staff(into), sent(into)
    queue, seen = hidden(client.get(address(into)), 'id="queue"'), chosen(one)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    page = client.post(address(into, "decide/"), {**queue, "do": "accept", "chosen": seen})
    assert rows(page) == [["State", "to check", "accepted"]]
    assert "chosen" not in hidden(page, 'name="seen"')
    assert "no longer possible" in page.content.decode()


@pytest.mark.parametrize("do", ["refuse", "move", "price", "check"])
def test_the_other_presses_show_both_values_too_and_keep_what_was_typed(do: str) -> None:
    into = desk(fee=1000)
    client, one, there = staff(into), sent(into, club="Old"), section(into.event)
    queue, seen = hidden(client.get(address(into)), 'id="queue"'), chosen(one)
    change_registration(registration_id=one.pk, values={"club": "New"}, by=PLAYER)
    typed = {"do": do, "reason": "Too late", "to": there.pk}
    page = client.post(address(into, "decide/"), {**queue, **typed, "chosen": seen})
    assert (page.status_code, rows(page)) == (409, [["Club", "Old", "New"]])
    again = hidden(page, 'name="seen"')
    assert (again["do"], again["reason"], again["to"]) == ([do], ["Too late"], [str(there.pk)])
    assert client.post(address(into, "decide/"), again).status_code == 302


def test_a_registration_that_changes_after_the_dry_run_of_a_whole_pile_is_left_out_with_both_values() -> None:
    into = desk()
    client, (one, *others) = staff(into), [sent(into, f"{name}, X", club="Old") for name in "ABC"]
    shown = client.post(address(into, "decide/"), {"do": "accept", "pile": "check", "all": "3"})
    change_registration(registration_id=one.pk, values={"club": "New"}, by=PLAYER)
    sent(into, "D, X")
    page = client.post(address(into, "decide/"), dict(shown.context["sent"]))
    assert (page.status_code, rows(page)) == (409, [["Club", "Old", "New"]])
    assert [fresh(each).state for each in (one, *others)] == ["pending", "accepted", "accepted"]
    assert Registration.objects.filter(state="accepted").count() == 2
    unseen = client.post(
        address(into, "decide/"), {"do": "accept", "pile": "check", "all": "2", "answer": "yes"}
    )
    assert "Nothing is done yet." in unseen.content.decode()


def test_made_up_values_are_not_believed() -> None:
    into = desk()
    one = sent(into)
    packed = pack_shown(changed_rows(into.event, [one.pk]), into.event.start)
    assert unpack_shown(packed)[one.pk][1]["name"] == one.name
    assert unpack_shown(packed[:-2] + "xx") == unpack_shown("") == unpack_shown("[]") == {}
    seen = chosen(one)
    change_registration(registration_id=one.pk, values={"club": "New"}, by=PLAYER)
    page = staff(into).post(address(into, "decide/"), {"do": "accept", "chosen": seen, "seen": "made up"})
    assert (page.status_code, rows(page)) == (409, [])
    assert "Club" in page.content.decode().split("differs-steps")[1].split("</ul>")[0]


def own(one: Registration) -> tuple[Client, str]:
    client = Client()
    client.get(f"/{one.event.slug}/-/entry/{token_of(one)}/")
    return client, f"/{one.event.slug}/-/entry/"


def test_the_page_of_one_registration_shows_both_values_before_a_stale_decision() -> None:
    into = desk(fee=1000)
    client, one = staff(into), sent(into, phone="1")
    page = address(into, f"{one.pk}/")
    decision = hidden(client.get(page), 'id="decision"')
    change_registration(registration_id=one.pk, values={"email": "new@example.org"}, by=ORGANISER)
    typed = {**decision, "do": "refuse", "reason": "Too late"}
    answer = client.post(page, typed)
    assert (answer.status_code, fresh(one).state) == (409, "pending")
    assert [row[0] for row in rows(answer)] == ["E-mail address"]
    again = hidden(answer, "differs")
    assert (again["do"], again["reason"]) == (["refuse"], ["Too late"])
    assert client.post(page, again).status_code == 302
    assert fresh(one).state == "refused"


def test_a_stale_payment_is_shown_with_both_sums_and_one_press_notes_it() -> None:
    into = desk(fee=3000)
    client, one = staff(into), sent(into)
    page = address(into, f"{one.pk}/")
    account = hidden(client.get(page), 'id="amount"')
    charge(registration_id=one.pk, kind="payment", cents=1000, by=ORGANISER)
    answer = client.post(page, {**account, "do": "payment", "amount": "20"})
    assert (answer.status_code, rows(answer)) == (409, [["Fee owed", "30.00", "20.00"]])
    client.post(page, hidden(answer, "differs"))
    assert fresh(one).balance == 0


def test_the_organisers_form_keeps_what_the_player_changed_elsewhere_and_asks_about_the_same_field() -> None:
    into = desk()
    client, one = staff(into), sent(into, "A, X", club="Old", phone="1")
    page = address(into, f"{one.pk}/")
    first = client.get(page)
    typed = {**first.context["form"].initial, **hidden(first, 'value="edit"'), "do": "edit"}
    typed = {name: "" if value is None else value for name, value in typed.items()}
    change_registration(registration_id=one.pk, values={"club": "Player's"}, by=PLAYER)
    assert client.post(page, {**typed, "title": "FM"}).status_code == 302
    assert (fresh(one).title, fresh(one).club) == ("FM", "Player's")
    answer = client.post(page, {**typed, "club": "Organiser's", "rating": "1900"})
    html = unescape(answer.content.decode())
    assert (answer.status_code, fresh(one).club, fresh(one).rating) == (409, "Player's", 1800)
    assert "the player changed the same fields" in html
    assert re.search(r"<td>Player's</td>\s*<td>Organiser's</td>", html)
    assert 'value="1900"' in html
    contested = {"contested": ["club"], "seen": hidden(answer, 'value="edit"')["seen"]}
    mine = {**typed, **contested, "club": "Organiser's", "rating": "1900"}
    assert client.post(page, {**mine, "take": "theirs"}).status_code == 302
    assert (fresh(one).club, fresh(one).rating) == ("Player's", 1900)
    assert client.post(page, {**mine, "take": "mine"}).status_code == 302
    assert fresh(one).club == "Organiser's"


def player_form(client: Client, page: str) -> dict[str, object]:
    shown = client.get(page)
    typed = {**shown.context["form"].initial, **hidden(shown, 'value="change"')}
    return {name: "" if value is None else value for name, value in typed.items()}


def test_the_players_form_keeps_what_the_organiser_changed_elsewhere_and_asks_about_the_same_field() -> None:
    into = desk()
    one = sent(into, "A, X", club="Old")
    client, page = own(one)
    typed = player_form(client, page)
    change_registration(
        registration_id=one.pk, values={"club": "Organiser's", "federation": "GER"}, by=ORGANISER
    )
    assert client.post(page, {**typed, "title": "FM"}).status_code == 302
    assert (fresh(one).title, fresh(one).club, fresh(one).federation) == ("FM", "Organiser's", "GER")
    answer = client.post(page, {**typed, "club": "Player's"})
    html = unescape(answer.content.decode())
    assert (answer.status_code, fresh(one).club) == (409, "Organiser's")
    assert "the organiser changed the same fields" in html
    assert re.search(r"<td>Organiser's</td>\s*<td>Player's</td>", html)
    mine = {**typed, **hidden(answer, 'value="change"'), "club": "Player's", "take": "mine"}
    assert client.post(page, mine).status_code == 302
    assert fresh(one).club == "Player's"


def test_a_player_who_was_moved_meanwhile_sees_both_sections_and_keeps_what_was_typed() -> None:
    into = desk()
    one, other = sent(into, "A, X", club="Old"), section(into.event)
    client, page = own(one)
    typed = player_form(client, page)
    move_section(registration_id=one.pk, section_id=other.pk, by=ORGANISER)
    answer = client.post(page, {**typed, "club": "New"})
    assert (answer.status_code, rows(answer)) == (409, [["Section", into.name, other.name]])
    assert 'value="New"' in answer.content.decode()
    again = {**typed, **hidden(answer, 'value="change"'), "club": "New"}
    assert (client.post(page, again).status_code, fresh(one).club) == (302, "New")


def test_a_field_that_the_players_page_does_not_show_is_contested_without_its_value() -> None:
    into = desk()
    one = sent(into, "A, X", birth_date="1990/02/03")
    client, page = own(one)
    typed = player_form(client, page)
    change_registration(registration_id=one.pk, values={"birth_date": "1991/02/03"}, by=ORGANISER)
    answer = client.post(page, {**typed, "birth_date": "1992-02-03"})
    assert (answer.status_code, fresh(one).birth_date) == (409, "1991/02/03")
    assert "1991" not in answer.content.decode()
    mine = {**typed, **hidden(answer, 'value="change"'), "birth_date": "1992-02-03", "take": "mine"}
    assert client.post(page, mine).status_code == 302
    assert fresh(one).birth_date == "1992/02/03"


def test_a_place_is_not_taken_in_another_section_or_for_another_fee_than_the_page_showed() -> None:
    full = desk(capacity=1)
    other: Section = section(full.event, fee=2000)
    first, one = sent(full), sent(full)
    move_registration(registration_id=first.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    client, page = own(one)
    take = hidden(client.get(page), 'value="take"')
    assert fresh(one).state == "offered"
    move_section(registration_id=one.pk, section_id=other.pk, by=ORGANISER)
    Registration.objects.filter(pk=one.pk).update(state="offered")
    answer = client.post(page, {**take, "do": "take"})
    assert (answer.status_code, fresh(one).state) == (409, "offered")
    assert rows(answer) == [["Section", full.name, other.name], ["Fee", "0.00", "20.00"]]
    assert client.post(page, {**hidden(answer, 'value="take"'), "do": "take"}).status_code == 302
    assert fresh(one).state == "accepted"
