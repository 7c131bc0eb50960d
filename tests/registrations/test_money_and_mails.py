"""How to pay, what every mail says, whom a guardian is asked for, and giving a place back."""

from __future__ import annotations

import re
from datetime import date, timedelta
from smtplib import SMTPConnectError

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from registrations.actions.mails import set_mail_text
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Mail, Registration
from registrations.models.mail import MailKind
from registrations.queries.mails import token_of
from registrations.states import RegistrationState
from registrations.web.forms import registration
from registrations.web.words.mails import TEXTS, compose
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address
from tests.registrations.factories import ORGANISER, desk, sent
from tests.registrations.test_register_form import TYPED, fill
from tests.registrations.test_register_form import address as page_of
from tournaments.models import EventRole, Section

pytestmark = pytest.mark.django_db
PAY = {
    "pay_text": "By bank transfer.",
    "pay_account": "SC Delft, NL02 ABNA 0123 4567 89",
    "pay_reference": "Open 2090",
    "pay_by": date(2090, 9, 1),
    "organiser": "Jan Smit, SC Delft",
}


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registration, "QUICKEST", timedelta(seconds=-1))


def of(kind: str, one: Registration) -> tuple[str, str]:
    """Return subject and body of a mail about a registration."""
    made = Mail.objects.create(registration=one, kind=kind, revision=one.revision + 100)
    text = compose(made)
    made.delete()
    return text.subject, text.body


def shown(one: Registration, client: Client | None = None) -> str:
    page = f"/{one.event.slug}/-/entry/{token_of(one)}/"
    return " ".join((client or Client()).get(page, follow=True).content.decode().split())


def test_every_mail_begins_with_the_event_greets_says_when_and_where_and_ends_with_a_name() -> None:
    into = desk(event={"name": "Delft Open", "city": "Delft", "start": "2090-10-17", "end": "2090-10-25"})
    one = sent(into, "Bauer, Uwe")
    assert set(TEXTS) == set(MailKind.values)
    for kind in MailKind.values:
        subject, body = of(kind, one)
        assert subject.startswith("Delft Open: "), kind
        assert body.startswith("Hello Uwe Bauer,\n\n"), kind
        assert body.endswith("Delft Open, 17 October 2090 to 25 October 2090, Delft\n\nDelft Open"), kind
    into.event.contact = "desk@delft.example"
    into.event.save()
    assert of("accepted", Registration.objects.get())[1].endswith("\n\ndesk@delft.example")
    EventRegistration.objects.update(organiser=PAY["organiser"])
    assert of("accepted", Registration.objects.get())[1].endswith("\n\nJan Smit, SC Delft")


NOT_WORDS = {"", "Jan Smit, SC Delft", "By bank transfer."}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_no_mail_has_a_sentence_in_another_language(language: str) -> None:
    into = desk(
        event={"name": "Delft Open", "city": "Delft", "start": "2090-10-17", "end": "2090-10-25"}, fee=2500
    )
    EventRegistration.objects.update(**PAY)
    one = sent(into, "Bauer, Uwe", byes=(2,), language=language)
    in_english = sent(into, "Bauer, Uwe", byes=(2,))
    for kind in MailKind.values:
        for each in (
            one,
            in_english,
        ):  # each sentence of a mail is shown, such as one about the time to answer
            balance = -2500 if kind in ("withdrawn", "refused", "expired") else 2500
            each.balance, each.deadline = balance, timezone.now() + timedelta(days=3)
            each.save()
        subject, body = of(kind, one)
        subject_in_english, body_in_english = of(kind, in_english)
        assert subject.startswith("Delft Open"), kind
        assert subject != subject_in_english, kind
        assert set(body.splitlines()) & set(body_in_english.splitlines()) <= NOT_WORDS, kind


def test_a_text_of_the_organiser_says_the_event_too_and_can_say_how_to_pay() -> None:
    into = desk(
        event={"name": "Delft Open", "city": "", "start": "2090-10-17", "end": "2090-10-17"}, fee=2500
    )
    EventRegistration.objects.update(**PAY)
    one = sent(into, "Bauer, Uwe")
    set_mail_text(event=into.event, kind="accepted", subject="Welcome", body="{name}\n{payment}\n{link}")
    subject, body = of("accepted", one)
    assert subject == "Delft Open: Welcome"
    assert "Fee to pay: 25.00 EUR" in body
    assert "Delft Open, 17 October 2090\n\nJan Smit" in body


def test_how_to_pay_stands_on_the_form_the_personal_page_and_in_mails() -> None:
    into = desk(fee=2500)
    EventRegistration.objects.update(**PAY)
    form = " ".join(Client().get(page_of(into)).content.decode().split())
    assert "17 October 2090 – 25 October 2090" in form
    for words in ("By bank transfer.", "SC Delft, NL02 ABNA 0123 4567 89", "1 September 2090"):
        assert words in form
    assert "Open 2090, the number of your registration, your name" in form
    one = sent(into, "Bauer, Uwe")
    reference = f"Open 2090, {one.pk}, Uwe Bauer"
    assert reference in shown(one)
    for kind in ("pending", "offered", "accepted"):
        assert (
            "Fee to pay: 25.00 EUR\nBy bank transfer.\nAccount: SC Delft, NL02 ABNA 0123 4567 89\n"
            f"Reference: {reference}\nPay by: 1 September 2090\n"
        ) in of(kind, one)[1], kind
    Registration.objects.update(balance=0)
    free = Registration.objects.get()
    assert "NL02" not in shown(free)
    assert "NL02" not in of("accepted", free)[1]


def test_nobody_who_waits_for_a_place_is_asked_to_pay_unless_payment_gives_the_place() -> None:
    into = desk(capacity=1, fee=2500)
    EventRegistration.objects.update(**PAY)
    sent(into)
    waits = sent(into)
    assert "NL02" not in of("waiting", waits)[1] + shown(waits)
    into.registration.order = "paid"
    into.registration.save()
    assert "NL02" in of("waiting", waits)[1]
    assert "NL02" in shown(waits)


def test_a_form_without_a_fee_does_not_say_how_to_pay() -> None:
    into = desk()
    EventRegistration.objects.update(**PAY)
    assert "NL02" not in Client().get(page_of(into)).content.decode()


def test_mails_say_that_a_program_has_sent_them() -> None:
    sent(desk())
    call_command("work_registrations", verbosity=0)
    assert outbox.outbox[0].extra_headers == {"Auto-Submitted": "auto-generated"}


def settings_of(into: Section, **more: object) -> dict[str, object]:
    return {
        "confirm_by_mail": "on",
        "shown": "accepted",
        "guardian_age": 18,
        "hold_hours": 24,
        "correction_hours": 72,
        "offer_hours": 48,
        "kept_days": 30,
        "forms_an_hour": 200,
        f"section{into.pk}-acceptance": "hand",
        f"section{into.pk}-order": "time",
        **more,
    }


def owner(into: Section) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    return client


def test_mails_are_not_switched_on_where_the_server_sends_none(settings: LazySettings) -> None:
    into = desk()
    settings.MAIL_IS_SET_UP = False
    answer = owner(into).post(address(into, "settings/"), settings_of(into))
    assert answer.status_code == 422
    assert "This server cannot send mails" in answer.content.decode()
    assert EventRegistration.objects.get().confirm_by_mail is False
    program = Program(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user, into.event)
    place = f"events/{into.event.pk}/registration/"
    refused = program.send("PATCH", place, {"confirm_by_mail": True}, seen=program.tag(place))
    assert (refused.status_code, refused.json()["code"]) == (422, "mail_not_set_up")
    saved = owner(into).post(address(into, "settings/"), settings_of(into, confirm_by_mail=""))
    assert saved.status_code == 302


def test_who_switches_mails_on_reads_at_once_that_the_mail_server_does_not_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(_self: EmailBackend) -> None:
        raise SMTPConnectError(421, "closed")

    into = desk()
    client = owner(into)
    client.post(address(into, "settings/"), settings_of(into))
    assert "The mail server does not answer" not in client.get(address(into, "settings/")).content.decode()
    monkeypatch.setattr(EmailBackend, "open", refuse)
    client.post(address(into, "settings/"), settings_of(into))
    page = client.get(address(into, "settings/")).content.decode()
    assert "The mail server does not answer (SMTPConnectError). Until it does, nobody gets a mail." in page


def test_the_settings_keep_how_to_pay() -> None:
    into = desk()
    typed = settings_of(into, **{**PAY, "pay_by": "2090-09-01"})
    assert owner(into).post(address(into, "settings/"), typed).status_code == 302
    assert {name: getattr(EventRegistration.objects.get(), name) for name in PAY} == PAY


def guardian_is_hidden(page: str) -> bool:
    [tag] = re.findall(r"<div[^>]*data-below[^>]*>", page)
    return " hidden" in tag


def test_a_guardian_is_asked_for_minors_alone_without_a_script_too() -> None:
    into, client = desk(), Client()
    assert guardian_is_hidden(client.get(page_of(into)).content.decode())
    asked = fill(into, client, birth_date="2080-01-01")
    assert (asked.status_code, set(asked.context["form"].errors)) == (422, {"guardian", "guardian_email"})
    assert not guardian_is_hidden(asked.content.decode())
    adult = fill(into, client, rating="1")
    assert (adult.status_code, guardian_is_hidden(adult.content.decode())) == (422, True)
    named = {"guardian": "Lovelace, Eva", "guardian_email": "eva@example.org"}
    fill(into, client, birth_date="2080-01-01", **named)
    minor = Registration.objects.get()
    assert not guardian_is_hidden(shown(minor))
    assert guardian_is_hidden(shown(sent(into)))
    staff = owner(into)
    of_minor = staff.get(address(into, f"{minor.pk}/")).content.decode()
    assert not guardian_is_hidden(of_minor)
    assert 'name="mark" value="guardian"' in " ".join(of_minor.split())
    adult_page = staff.get(address(into, f"{Registration.objects.exclude(pk=minor.pk).get().pk}/"))
    assert 'value="guardian' not in adult_page.content.decode(), "no field of a guardian to correct"
    assert TYPED["birth_date"] == "1990-12-10"


def test_a_guardian_who_is_to_be_corrected_is_shown() -> None:
    one = sent(desk())
    move_registration(
        registration_id=one.pk,
        to=RegistrationState.CORRECTION,
        by=ORGANISER,
        reason="?",
        fields=("guardian",),
    )
    assert not guardian_is_hidden(shown(one))


def test_a_place_is_taken_or_given_back_side_by_side() -> None:
    into = desk(capacity=1)
    one, other = sent(into), sent(into)
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    client = Client()
    page = shown(other, client)
    assert re.search(
        r"Take the place</button> ?</form> ?<details> ?<summary class=\"btn\">Give the place back<", page
    )
    assert page.count('value="withdraw"') == 1
    client.post(f"/{into.event.slug}/-/entry/", {"do": "withdraw"})
    other.refresh_from_db()
    assert other.state == RegistrationState.WITHDRAWN


def test_the_account_for_the_fee_is_not_the_account_of_a_person() -> None:
    into = desk(fee=2500)
    EventRegistration.objects.update(pay_account="NL02 ABNA 0123 4567 89")
    form = Client().get(f"/de{page_of(into)}").content.decode()
    assert re.search(r"<dt>\s*Konto\s*</dt>", form)
    assert "Ihr Login" not in form


def test_a_server_without_mail_does_not_send_players_to_their_spam_folder(settings: LazySettings) -> None:
    into = desk(confirm=True)
    settings.MAIL_IS_SET_UP = False
    page = Client().get(f"/{into.event.slug}/-/register/sent/").content.decode()
    assert "This server sends no mail." in page
    assert ("spam" in page, "Send me my link again" in page) == (False, False)
