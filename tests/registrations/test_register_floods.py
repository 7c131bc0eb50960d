"""Very many forms keep their places and need one more press; a form that waited too long keeps what was typed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.test import Client, override_settings
from django.utils import timezone

from registrations.actions.clock import run_clock
from registrations.actions.mails import send_mails
from registrations.models import EventRegistration, Registration
from registrations.states import RegistrationState
from registrations.web.forms import registration
from registrations.web.words.mails import compose
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address, chosen, names, staff
from tests.registrations.factories import desk, sent
from tests.registrations.test_register_form import TYPED, fill, stamp
from tournaments.models import Event, EventRole, Section

pytestmark = pytest.mark.django_db
FORM = "registrations.web.public.register"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))


def _mailed() -> int:
    outbox.outbox.clear()
    return send_mails(compose)


def _many(into: Section, monkeypatch: pytest.MonkeyPatch, most: str = "") -> None:
    """Let the next form be one above a limit: that of the event, or that of its address."""
    EventRegistration.objects.update(forms_an_hour=1)
    if most == "of_event":
        monkeypatch.setattr(f"{FORM}.MOST_OF_EVENT", 1)
        monkeypatch.setattr(f"{FORM}.max", min, raising=False)
    fill(into)


def _held(into: Section, client: Client | None = None, **typed: object) -> tuple[Registration, str]:
    answer = fill(into, client, name="Many, Ada", email="many@example.org", **typed)
    assert "/-/register/sent/?held=" in answer.url
    return Registration.objects.get(name="Many, Ada"), answer.url


def _press(into: Section, url: str, client: Client | None = None) -> object:
    return (client or Client()).post(
        f"/{into.event.slug}/-/register/sent/", {"held": url.partition("held=")[2]}
    )


@pytest.mark.parametrize("most", ["of_address", "of_event"])
@pytest.mark.parametrize("confirm", [True, False])
def test_a_form_above_the_limit_keeps_its_place_and_no_mail_goes_before_one_more_press(
    monkeypatch: pytest.MonkeyPatch, most: str, confirm: bool
) -> None:
    into = desk(confirm=confirm, capacity=5, longest_list=5)
    _many(into, monkeypatch, most)
    one, url = _held(into)
    page = Client().get(url).content.decode()
    assert "Your place is kept for 24 hours." in page
    assert page.count("<button") - Client().get("/site/kept/").content.decode().count("<button") == 1
    assert ">Go on with the registration</button>" in page
    assert (one.state, one.takes_place, one.deadline > timezone.now()) == (
        RegistrationState.SUBMITTED,
        True,
        True,
    )
    assert "many_forms" in one.problem_codes
    assert _mailed() == 1
    assert names(into, pile="unwritten") == ["M"]
    assert "one of very many forms" in staff(into).get(address(into, "?pile=unwritten")).content.decode()


def test_one_press_sends_the_mail_as_for_other_forms(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk(confirm=True, capacity=5)
    _many(into, monkeypatch)
    one, url = _held(into)
    _mailed()
    for _ in range(2):  # a second press changes nothing
        answer = _press(into, url)
        assert answer.url == f"/{into.event.slug}/-/register/sent/"
    assert "Open the link in the mail" in Client().get(answer.url).content.decode()
    assert (_mailed(), outbox.outbox[0].to) == (1, ["many@example.org"])
    one.refresh_from_db()
    assert (one.is_held, one.takes_place, "many_forms" in one.problem_codes) == (False, True, False)
    assert "Open the link in the mail" in Client().get(url).content.decode()  # nothing is left to press


def test_one_press_is_all_where_no_mail_confirms(monkeypatch: pytest.MonkeyPatch) -> None:
    into, client = desk(capacity=5), Client()
    _many(into, monkeypatch)
    one, url = _held(into, client)
    answer = _press(into, url, client)
    assert answer.url == f"/{into.event.slug}/-/entry/"
    assert "Many, Ada" in client.get(answer.url).content.decode()
    one.refresh_from_db()
    assert (one.state, one.takes_place) == (RegistrationState.PENDING, True)


def test_the_press_is_for_those_who_sent_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    into, other = desk(), desk()
    _many(into, monkeypatch)
    one, url = _held(into)
    for of, token in ((into, str(one.pk)), (into, "made-up"), (other, url.partition("held=")[2])):
        page = f"/{of.event.slug}/-/register/sent/"
        assert Client().post(page, {"held": token}).status_code == 200
    one.refresh_from_db()
    assert one.is_held


def test_the_organiser_decides_how_many_forms_one_address_may_send() -> None:
    into = desk()
    owner = Client()
    owner.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    shown = owner.get(address(into, "settings/"))
    assert shown.context["form"]["forms_an_hour"].value() == 200
    EventRegistration.objects.update(forms_an_hour=2)
    for number in range(3):
        fill(into, name=f"Player{number}, Ada", email=f"player{number}@example.org")
    assert [one.is_held for one in Registration.objects.order_by("pk")] == [False, False, True]


def test_the_organiser_writes_to_a_form_above_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk(confirm=True)
    _many(into, monkeypatch)
    one, _url = _held(into)
    _mailed()
    form = {"do": "write", "pile": "unwritten", "chosen": chosen(one)}
    staff(into).post(address(into, "decide/"), form)
    assert (_mailed(), outbox.outbox[0].to) == (1, ["many@example.org"])
    one.refresh_from_db()
    assert (one.is_held, one.deadline > timezone.now()) == (False, True)


def test_a_place_that_nobody_pressed_for_is_given_back_and_the_form_stays(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    into = desk(confirm=True, capacity=5)
    _many(into, monkeypatch)
    one, url = _held(into)
    _mailed()
    Registration.objects.filter(pk=one.pk).update(deadline=timezone.now() - timedelta(hours=1))
    run_clock()
    one.refresh_from_db()
    assert (one.state, one.takes_place, one.deadline, one.is_held) == (
        RegistrationState.SUBMITTED,
        False,
        None,
        True,
    )
    assert _mailed() == 0
    _press(into, url)
    one.refresh_from_db()
    assert (one.takes_place, one.is_held) == (True, False)


def test_the_limit_of_an_address_is_for_one_event() -> None:
    for into in (desk(), desk()):
        EventRegistration.objects.update(forms_an_hour=1)
        fill(into)
    assert not any(one.is_held for one in Registration.objects.all())


def _answered(answer: object) -> dict[str, object]:
    """Return the answer to the sum on a page."""
    first, second, signed = answer.context["sum"]
    return {"sum": str(first + second), "sum_of": signed}


def test_far_above_the_limit_a_sum_opens_the_form_once_and_nothing_is_written_before(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(f"{FORM}.POSTS", 1)
    into = desk()
    EventRegistration.objects.update(forms_an_hour=1)
    fill(into)
    person = {"name": "Person, A", "email": "person@example.org"}
    asked = fill(into, **person)
    shown = asked.content.decode()
    assert (asked.status_code, Registration.objects.count()) == (422, 1)
    assert 'value="Person, A"' in shown
    assert "How much is" in shown
    wrong = fill(into, **person, sum="1", sum_of=_answered(asked)["sum_of"])
    assert (wrong.status_code, Registration.objects.count()) == (422, 1)
    taken = fill(into, **person, **_answered(asked))
    assert taken.status_code == 302
    one = Registration.objects.get(name="Person, A")
    assert (one.state, one.takes_place, one.is_held) == (
        RegistrationState.PENDING,
        True,
        False,
    )  # no second press
    again = fill(into, name="Other, B", email="other@example.org", **_answered(asked))  # each sum counts once
    assert (again.status_code, Registration.objects.count()) == (422, 2)


def test_people_too_are_limited_and_read_when_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{FORM}.POSTS", 0)
    into = desk()
    Event.objects.update(contact="club@example.org")
    asked = fill(into)
    shown = fill(into, **_answered(asked)).content.decode()
    assert "or write to the organiser. club@example.org" in shown
    assert 'value="Lovelace, Ada"' in shown
    assert Registration.objects.count() == 0


def test_the_organiser_sees_that_people_are_refused_and_lets_them_in(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{FORM}.POSTS", 1)
    into, organiser = desk(), Client()
    role = EventRole.Role.ORGANISER
    organiser.force_login(EventRoleFactory(event=into.event, role=role).user)
    EventRegistration.objects.update(forms_an_hour=1)
    setting = f'href="{address(into, "settings/")}#id_forms_an_hour"'
    sentence = "a form was refused, because very many forms came from one network"

    def seen(client: Client) -> tuple[bool, bool]:
        page = client.get(address(into)).content.decode()
        return sentence in page, setting in page

    asked = fill(into), fill(into)
    assert seen(organiser) == (False, False)  # a sum is asked, and nobody is refused yet
    taken = fill(into, name="Person, A", email="person@example.org", **_answered(asked[1]))
    asked_again = fill(into, name="Person, B", email="b@example.org")
    assert (taken.status_code, seen(organiser)) == (302, (False, False))
    refused = fill(into, name="Person, B", email="b@example.org", **_answered(asked_again))
    assert (refused.status_code, seen(organiser)) == (422, (True, True))
    assert 'id="id_forms_an_hour"' in organiser.get(address(into, "settings/")).content.decode()
    other = desk()
    assert sentence not in staff(other).get(address(other)).content.decode()
    EventRegistration.objects.update(forms_an_hour=10)
    assert fill(into, name="Person, B", email="b@example.org").status_code == 302


def test_the_press_of_a_kept_form_has_no_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk()
    _many(into, monkeypatch)
    one, url = _held(into)
    monkeypatch.setattr(f"{FORM}.POSTS", 0)
    _press(into, url)
    one.refresh_from_db()
    assert not one.is_held


@override_settings(MAIL_IS_SET_UP=True)
def test_links_and_new_addresses_above_the_limit_ask_for_a_sum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{FORM}.MOST_AN_HOUR", 1)
    into, client = desk(), Client()
    fill(into, client)
    _mailed()
    for page, more in (("register/again/", {}), ("entry/", {"do": "address"})):
        at, form = f"/{into.event.slug}/-/{page}", {"email": "ada@example.org", **more}
        client.post(at, form)
        asked = client.post(at, form)
        assert (asked.status_code, asked.context["sum"] is None) == (422, False)
        assert "Very many forms came from your network." in asked.content.decode()
        assert client.post(at, form | _answered(asked)).status_code in (200, 302)


def test_a_cookie_that_ran_out_keeps_what_was_typed() -> None:
    into, client = desk(), Client(enforce_csrf_checks=True)
    typed = {**TYPED, "section": into.pk, "stamp": stamp(client, into)}
    client.cookies.clear()
    answer = client.post(f"/{into.event.slug}/-/register/", typed)
    shown = answer.content.decode()
    assert (answer.status_code, Registration.objects.count()) == (422, 0)
    assert "This page was open for too long. Send the form again." in shown
    assert 'value="Lovelace, Ada"' in shown
    token = answer.context["csrf_token"]
    again = {**typed, "stamp": answer.context["stamp"], "csrfmiddlewaretoken": str(token)}
    assert client.post(f"/{into.event.slug}/-/register/", again).status_code == 302
    assert Registration.objects.get().section == Section.objects.get()


def test_events_take_turns_with_their_mails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("registrations.actions.mails.AT_ONCE", 2)
    large, small = desk(), desk()
    for number in (1, 2, 3):
        sent(large, email=f"large{number}@example.org")
    sent(small, email="small@example.org")
    assert _mailed() == 2
    assert [message.to for message in outbox.outbox] == [["large1@example.org"], ["small@example.org"]]
