"""The form of an event, the personal page, and the public list, without JavaScript."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone
from pytest_django import Settings

from ratings.models import RatingList
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Mail, Registration, SectionRegistration
from registrations.queries.mails import token_of
from registrations.queries.rating_lists import ListedPerson
from registrations.states import RegistrationState
from registrations.web.forms import registration
from tests.factories import EventRoleFactory, UserFactory
from tests.rating_lists.made import combined_line, imported, text
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.actions.ledger import Actor
from tournaments.actions.rating_lists import set_rating_lists
from tournaments.models import Event, EventRole, Participant, Section

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
TYPED = {
    "name": "Lovelace, Ada",
    "email": "ada@example.org",
    "rating": "1815",
    "birth_date": "1990-12-10",
    "federation": "eng",
    "consent": "on",
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))


def address(of: Section, page: str = "register/") -> str:
    return f"/{of.event.slug}/-/{page}"


def stamp(client: Client, of: Section) -> str:
    found = re.search(r'name="stamp" value="([^"]+)"', client.get(address(of)).content.decode())
    assert found
    return found[1]


def fill(of: Section, client: Client | None = None, **more: object) -> object:
    client = client or Client()
    return client.post(address(of), {**TYPED, "section": of.pk, "stamp": stamp(client, of), **more})


def reasons(answer: object) -> list[str]:
    """Return the sentences in the box above the form."""
    [box] = re.findall(r'<div class="note bad" role="alert".*?</div>', answer.content.decode(), re.DOTALL)
    return [sentence.strip() for sentence in re.findall(r"<p>(.*?)</p>", box, re.DOTALL)]


@override_settings(MAIL_IS_SET_UP=True)
def test_a_player_registers_confirms_by_the_mail_and_sees_the_own_page() -> None:
    into = desk(confirm=True)
    EventRegistration.objects.update(address="https://chess.example")
    client = Client()
    answer = fill(into, client)
    assert (answer.status_code, answer.url) == (302, address(into, "register/sent/"))
    assert "Open the link in the mail" in client.get(answer.url).content.decode()
    call_command("work_registrations", verbosity=0)
    [message] = outbox.outbox
    assert (message.to, message.subject) == (
        ["ada@example.org"],
        f"{into.event.name}: confirm your registration",
    )
    link = re.search(r"https://chess.example(\S+)", message.body)
    assert link
    opened = client.get(link[1])
    assert (opened.status_code, opened.url) == (302, f"/en{address(into, 'entry/')}")
    assert Registration.objects.get().state == RegistrationState.SUBMITTED  # looking confirms nothing
    page = client.get(opened.url)
    assert (page["Referrer-Policy"], page["X-Robots-Tag"], "no-store" in page["Cache-Control"]) == (
        *("same-origin", "noindex"),
        True,
    )
    client.post(opened.url, {"do": "confirm"})
    one = Registration.objects.get()
    assert (one.state, one.email_proved, one.federation, one.birth_date) == (
        "pending",
        True,
        "ENG",
        "1990/12/10",
    )
    shown = client.get(opened.url).content.decode()
    assert not re.search(r"\b1990\b", shown)  # random tokens may have these digits
    assert Client().get(opened.url).status_code == 200
    assert "Lovelace" not in Client().get(opened.url).content.decode()


def test_forms_are_taken_with_the_origin_that_a_browser_sends() -> None:
    """Browsers send "null" as the origin of a form on a page with no-referrer, and Django refuses that."""
    into, client = desk(), Client(enforce_csrf_checks=True)

    def send(page: str, **typed: object) -> object:
        shown = client.get(page)
        origin = "null" if shown["Referrer-Policy"] == "no-referrer" else "http://testserver"
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', shown.content.decode())
        assert token
        return client.post(page, {**typed, "csrfmiddlewaretoken": token[1]}, headers={"origin": origin})

    answer = send(address(into), **TYPED, section=into.pk, stamp=stamp(client, into))
    assert (answer.status_code, answer.url) == (302, address(into, "entry/"))
    assert send(address(into, "entry/"), do="withdraw").status_code == 302
    assert Registration.objects.get().state == RegistrationState.WITHDRAWN
    with override_settings(MAIL_IS_SET_UP=True):
        assert send(address(into, "register/again/"), email="ada@example.org").status_code == 200


def test_all_errors_come_at_once_and_what_was_typed_stays() -> None:
    into = desk()
    answer = fill(into, name="?", email="nobody", rating="5", birth_date="2085-01-01", club="SK Typed")
    page = answer.content.decode()
    assert answer.status_code == 422
    assert set(answer.context["form"].errors) == {"name", "email", "rating", "guardian", "guardian_email"}
    assert 'value="SK Typed"' in page
    assert Registration.objects.count() == 0


def test_nobody_below_the_age_of_a_guardian_registers_without_a_birth_date_or_consents_unasked() -> None:
    into = desk()
    assert fill(into, birth_date="").context["form"].errors.keys() == {"birth_date"}
    assert re.search(r'name="consent"[^>]*checked', Client().get(address(into)).content.decode()) is None
    EventRegistration.objects.update(guardian_age=0)
    assert fill(into, birth_date="").status_code == 302


def test_year_of_the_rating_list_says_who_needs_a_guardian(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk()
    listed = {year: ListedPerson(5, "Lovelace, Ada", birth_year=year) for year in (1990, 2080)}
    monkeypatch.setattr(registration, "listed_under", lambda _section, _number: listed[2080])
    errors = fill(into, birth_date="", fide_id="5").context["form"].errors
    assert errors.keys() == {"guardian", "guardian_email"}
    monkeypatch.setattr(registration, "listed_under", lambda _section, _number: listed[1990])
    fill(into, birth_date="", fide_id="5")
    assert Registration.objects.get().birth_date == "1990"


def test_withdrawing_takes_two_taps_and_leads_to_a_new_form() -> None:
    one = sent(desk())
    client = own(one)
    page = client.get(address(one.section, "entry/")).content.decode()
    assert page.index("<summary>Withdraw the registration") < page.index('value="withdraw"')
    client.post(address(one.section, "entry/"), {"do": "withdraw"})
    assert f'{address(one.section)}">Register' in client.get(address(one.section, "entry/")).content.decode()


def test_limits_and_taken_ids_are_said_beside_the_field() -> None:
    into = desk(rating_to=1800)
    assert "the rating is too high" in str(fill(into).context["form"].errors["section"])
    SectionRegistration.objects.update(rating_to=None)
    sent(into, fide_id=5)
    page = fill(into, fide_id="5")
    assert "already" in str(page.context["form"].errors["fide_id"])
    assert Registration.objects.count() == 1


def test_robots_are_stopped_and_people_are_not(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk()
    filled = fill(into, website="https://spam.example")
    assert (filled.status_code, reasons(filled)) == (
        422,
        [
            "Your browser or a program filled in a field that people do not see. It is empty now. Send the form again."
        ],
    )
    assert "spam.example" not in filled.content.decode()
    made_up = fill(into, stamp="made-up")
    assert (made_up.status_code, reasons(made_up)) == (
        422,
        ["This page was open for too long. Send the form again."],
    )
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=60))
    quick = fill(into)
    assert (quick.status_code, Registration.objects.count()) == (422, 0)
    assert reasons(quick) == ["That was very quick. Check what you have typed, and send the form again."]
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))
    monkeypatch.setattr("registrations.web.public.register.POSTS", 0)
    assert fill(into).status_code == 422
    assert Registration.objects.count() == 0


def test_a_form_sent_twice_is_one_registration() -> None:
    into, client = desk(), Client()
    typed = {**TYPED, "section": into.pk, "stamp": stamp(client, into)}
    assert [client.post(address(into), typed).status_code for _ in range(2)] == [302, 302]
    assert Registration.objects.count() == 1


def test_a_form_that_is_sent_again_for_another_person_is_not_lost() -> None:
    into, client = desk(), Client()
    typed = {**TYPED, "section": into.pk, "stamp": stamp(client, into)}
    client.post(address(into), typed)
    sister = {**typed, "name": "Lovelace, Anne"}
    answer = client.post(address(into), sister)
    assert (answer.status_code, reasons(answer)) == (
        422,
        ["This form was sent with another name before. Send it again to register Lovelace, Anne too."],
    )
    client.post(address(into), {**sister, "stamp": answer.context["stamp"]})
    assert sorted(Registration.objects.values_list("name", flat=True)) == ["Lovelace, Ada", "Lovelace, Anne"]


def test_a_form_opens_no_registration_that_waits_for_the_answer_to_its_mail() -> None:
    """Otherwise anybody confirms a mail address without reading the mail."""
    into, other, client = desk(confirm=True), desk(), Client()
    typed = {**TYPED, "section": into.pk, "stamp": stamp(client, into)}
    client.post(address(into), typed)
    assert client.post(address(other), {**typed, "section": other.pk}).status_code == 422
    EventRegistration.objects.update(confirm_by_mail=False)
    assert client.post(address(into), typed).url == address(into, "register/sent/")
    assert client.post(address(into, "entry/"), {"do": "confirm"}).status_code == 410
    one = Registration.objects.get()
    assert (one.state, one.email_proved, set(client.cookies)) == ("submitted", False, {"csrftoken"})


def test_pressing_confirm_without_a_mail_proves_no_address() -> None:
    one = sent(desk())
    assert own(one).post(address(one.section, "entry/"), {"do": "confirm"}).status_code == 422
    one.refresh_from_db()
    assert one.email_proved is False


def test_rating_list_fills_the_form_and_is_noted(settings: Settings, tmp_path: Path) -> None:
    settings.VAR_DIR = tmp_path
    line = combined_line(77, "Lovelace, Ada", 1700, 1815, fed="ENG", sex="F", women="WGM")
    imported(text(line))
    into, client = desk(), Client()
    set_rating_lists(actor=Actor.command(), section_id=into.pk, codes=["FIDE:rapid", "FIDE:standard"])
    assert "?id=77" in client.get(f"{address(into)}?q=lovel").content.decode()
    initial = client.get(f"{address(into)}?id=77").context["form"].initial
    assert (initial["name"], initial["title"], initial["rating"], initial["sex"]) == (
        "Lovelace, Ada",
        "WGM",
        1815,
        "w",
    )
    fill(into, fide_id="77", title="WGM")
    one = Registration.objects.get()
    assert (one.rating_source, one.rating_list) == ("rapid", RatingList.objects.get().label)
    assert "Not found" in client.get(f"{address(into)}?q=nobody").content.decode()


def test_closed_registration_says_so_and_takes_nothing() -> None:
    into = desk()
    EventRegistration.objects.update(opens_at=timezone.now() + timedelta(days=1))
    assert "Registration opens on" in Client().get(address(into)).content.decode()
    answer = Client().post(
        address(into), {**TYPED, "section": into.pk, "stamp": registration.new_stamp(into.event)}
    )
    assert (answer.status_code, Registration.objects.count()) == (422, 0)
    Event.objects.update(state="draft")
    assert Client().get(address(into)).status_code == 404


def own(one: Registration) -> Client:
    client = Client()
    client.get(address(one.section, f"entry/{token_of(one)}/"))
    return client


def test_own_page_withdraws_changes_and_asks_for_byes() -> None:
    into = desk(acceptance="complete")
    one = sent(into)
    client, page = own(one), address(into, "entry/")
    client.post(page, {"do": "bye", "round": 2})
    assert list(one.byes.values_list("round_number", "state")) == [(2, "granted")]
    client.post(page, {"do": "no-bye", "round": 2})
    assert one.byes.count() == 0
    one.refresh_from_db()
    form = {"do": "change", "revision": one.revision, "name": one.name, "club": "SK", "federation": "NED"}
    assert client.post(page, form).status_code == 302
    one.refresh_from_db()
    assert (one.club, one.birth_date) == ("SK", "1990/02/03")
    assert client.post(page, form).status_code == 409  # the page was older
    client.post(page, {"do": "withdraw"})
    one.refresh_from_db()
    assert one.state == RegistrationState.WITHDRAWN
    assert client.post(page, {"do": "take"}).status_code == 422


def test_correction_shows_the_marked_fields_alone() -> None:
    into = desk()
    one = sent(into)
    move_registration(
        registration_id=one.pk,
        to=RegistrationState.CORRECTION,
        by=ORGANISER,
        reason="Which club?",
        fields=("club",),
    )
    page = own(one).get(address(into, "entry/"))
    assert list(page.context["form"].fields) == ["club"]
    assert "Which club?" in page.content.decode()


def test_sending_the_link_again_says_the_same_to_everybody() -> None:
    into = desk()
    sent(into, email="ada@example.org")
    Mail.objects.all().delete()
    pages = {
        Client().post(address(into, "register/again/"), {"email": email}).content.decode().split("<main")[1]
        for email in ("ada@example.org", "nobody@example.org")
    }
    assert (len(pages), list(Mail.objects.values_list("kind", flat=True))) == (1, ["link"])


def test_public_list_has_accepted_players_and_nothing_that_is_private() -> None:
    into = desk(acceptance="complete", capacity=2)
    section(into.event)
    sent(into, "Shown, Ada", phone="0699", club="SK")
    sent(into, "Hidden, Bob", consent=False)
    sent(into, "Waiting, Cy")
    page = Client().get(address(into, "entry-list/")).content.decode()
    assert "Shown, Ada" in page
    assert not re.search(r"Hidden|Waiting, Cy|example\.org|1990|0699", page)
    assert "B. H." in page
    path = address(into, "entry-list/file.csv")
    assert f'href="{path}"' in page
    lines = Client().get(path).content.decode("utf-8-sig").splitlines()
    assert lines[0] == "Section;Name;Title;Federation;Rating;Club"
    assert sorted(line.split(";")[1] for line in lines[1:]) == ["B. H.", "Shown, Ada"]
    EventRegistration.objects.update(shown="numbers")
    assert Client().get(path).status_code == 404
    assert "Shown" not in Client().get(address(into, "entry-list/")).content.decode()


def test_organiser_sets_up_registration_for_all_sections(settings: LazySettings) -> None:
    settings.MAIL_IS_SET_UP = False
    made = Section.objects.get(pk=desk().pk)
    EventRegistration.objects.all().delete()
    SectionRegistration.objects.all().delete()
    owner = EventRoleFactory(event=made.event, user=UserFactory(), role=EventRole.Role.OWNER).user
    client = Client()
    client.force_login(owner)
    page, prefix = address(made, "registration/settings/"), f"section{made.pk}-"
    shown = client.get(page)
    assert "Save these settings" in shown.content.decode()
    assert "This server sends no mail." in shown.content.decode()
    assert shown.context["form"]["confirm_by_mail"].value() is False
    with override_settings(MAIL_IS_SET_UP=True):
        shown = client.get(page)
    assert "This server sends no mail." not in shown.content.decode()
    assert shown.context["form"]["confirm_by_mail"].value() is True
    limits = {"open": "on", "capacity": "80", "fee": "45,50", "acceptance": "hand", "order": "time"}
    event = {
        "shown": "accepted",
        "guardian_age": "18",
        "hold_hours": "24",
        "correction_hours": "72",
        "forms_an_hour": "90",
    }
    event |= {"offer_hours": "48", "kept_days": "30", "questions": "Shirt?\n\nVegetarian?"}
    typed = {**event, **{prefix + name: value for name, value in limits.items()}}
    assert client.post(page, {**typed, prefix + "capacity": "0"}).status_code == 422
    assert client.post(page, typed).status_code == 302
    assert SectionRegistration.objects.get().fee == 4550
    form = EventRegistration.objects.get()
    assert (form.questions, form.address) == (["Shirt?", "Vegetarian?"], "http://testserver")
    assert "Register" in client.get(f"/{made.event.slug}/?public=1").content.decode()
    mail = address(made, "registration/mail/accepted/")
    assert client.post(mail, {"subject": "In", "body": "No link"}).status_code == 422
    assert client.post(mail, {"subject": "In", "body": "See {link}"}).status_code == 302
    client.post(mail, {"reset": "1"})
    assert not made.event.registration_mails.exists()


def test_nobody_is_accepted_by_itself_with_other_data_than_the_rating_list(
    settings: Settings, tmp_path: Path
) -> None:
    settings.VAR_DIR = tmp_path
    imported(text(combined_line(77, "Lovelace, Ada", 1815, fed="ENG", sex="F", women="WGM")))
    into = desk(acceptance="complete")
    differing = [{"name": "Total, Otherman"}, {"rating": "2700"}, {"title": "GM"}, {"sex": "m"}]
    differing += [{"birth_date": "1991-12-10"}, {"fide_id": "", "rating": "1816"}]
    for typed, codes in (
        *((each, ["not_as_listed"]) for each in differing),
        ({"fide_id": "78"}, ["not_in_list"]),
        ({"fide_id": "", "name": "Total, Otherman"}, ["not_in_list"]),
        ({"fide_id": ""}, []),
        ({}, []),
    ):
        answer = fill(into, **{"fide_id": "77", **typed})
        if answer.status_code == 422:
            fill(into, **{"fide_id": "77", **typed}, agreed=answer.context["form"].question)
        one = Registration.objects.get()
        assert (one.state, one.problem_codes) == ("pending" if codes else "accepted", codes), typed
        rated = one.fide_id == 77 and not {"name", "rating"} & typed.keys()
        assert one.rating_source == ("standard" if rated else ""), typed
        Registration.objects.all().delete()
        Participant.objects.all().delete()
