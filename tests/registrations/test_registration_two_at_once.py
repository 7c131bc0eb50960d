"""What two people do to one registration at the same time, and what neither of them may lose."""

from __future__ import annotations

import smtplib
from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core import mail as outbox
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils import timezone

from registrations.actions import mails, new_registrations
from registrations.actions.clock import clock_is_due, forget
from registrations.actions.edits import ask_new_address, change_registration, take_changes, take_new_address
from registrations.actions.event_lock import PLAYER
from registrations.actions.mails import Message, new_link, send_mails
from registrations.actions.money import charge, pay_all
from registrations.actions.new_registrations import NewRegistration
from registrations.actions.requested_byes import decide_bye, drop_bye, wish_bye
from registrations.actions.settings import set_up_registration, would_offer
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_move
from registrations.models import EventRegistration, Mail, Registration
from registrations.queries.mails import registration_of, token_of
from registrations.queries.places import public_rows
from registrations.states import RegistrationState
from registrations.web.forms.registration import key_of, new_stamp
from tests.factories import UserFactory
from tests.registrations.conftest import address, staff
from tests.registrations.factories import ORGANISER, desk, sent, values
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import edit_participant, remove_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.undo import undo
from tournaments.entry_data import EntryData
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Section

pytestmark = pytest.mark.django_db


def code_of(call: object, **arguments: object) -> str:
    with pytest.raises(DomainError) as refusal:
        call(**arguments)
    return refusal.value.code


def due() -> None:
    Mail.objects.filter(state="queued").update(not_before=timezone.now())


def text(mail: Mail) -> Message:
    return Message(mail.kind, token_of(mail.registration))


def test_a_player_who_types_a_club_leaves_what_the_arbiter_wrote_into_the_entry() -> None:
    one = sent(desk(acceptance="complete"), "Lovelace, Ada")
    entry = Participant.objects.get()
    typed = EntryData(name="Lovelace, Ada", rating=2150, birth_date="1990/02/03", team="A", note="late")
    edit_participant(actor=Actor.command(), participant_id=entry.pk, entry=typed, asked=True)
    change_registration(registration_id=one.pk, values={"club": "SK"}, by=PLAYER)
    entry.refresh_from_db()
    assert (entry.rating, entry.team, entry.note, entry.club) == (2150, "A", "late", "SK")


def test_what_the_organiser_changes_reaches_the_entry_while_the_players_change_waits() -> None:
    one = sent(desk(acceptance="complete"), "Old, Name")
    change_registration(registration_id=one.pk, values={"name": "Of Player, Name"}, by=PLAYER)
    change_registration(registration_id=one.pk, values={"name": "Of Organiser, Name"}, by=ORGANISER)
    assert Participant.objects.select_related("player").get().player.name == "Of Organiser, Name"
    take_changes(registration_id=one.pk, take=True, by=ORGANISER)
    assert Participant.objects.select_related("player").get().player.name == "Of Player, Name"


def test_an_entry_that_an_arbiter_removed_and_brought_back_leaves_with_its_player() -> None:
    into = desk(acceptance="complete")
    one = sent(into)
    arbiter, entry = Actor(user=UserFactory(), origin="test"), Participant.objects.get()
    remove_participant(actor=arbiter, participant_id=entry.pk, asked=True)
    into.refresh_from_db()
    undo(actor=arbiter, section_id=into.pk, revision=into.revision)
    assert Participant.objects.get() == entry
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert not Participant.objects.exists()


def test_a_new_address_that_is_confirmed_twice_stays() -> None:
    one = sent(desk())
    ask_new_address(registration_id=one.pk, address="new@example.org")
    for _ in range(2):
        take_new_address(registration_id=one.pk, address="new@example.org")
    one.refresh_from_db()
    assert (one.email, one.link_counter) == ("new@example.org", 1)


def test_two_people_at_the_desk_note_one_payment(monkeypatch: pytest.MonkeyPatch) -> None:
    into = desk(fee=3000)
    one = sent(into)
    client, page = staff(into), address(into, f"{one.pk}/")
    press = {"do": "payment", "amount": "30", "revision": one.revision}
    assert [client.post(page, press).status_code for _ in range(2)] == [302, 409]
    assert Registration.objects.get().balance == 0
    other = sent(into)
    taken = mails.event_lock

    def second_press(event_id: int) -> object:
        monkeypatch.undo()
        pay_all(registration_id=other.pk, by=ORGANISER)  # while the first one waits for the lock
        return taken(event_id)

    monkeypatch.setattr("registrations.actions.money.event_lock", second_press)
    pay_all(registration_id=other.pk, by=ORGANISER)
    assert Registration.objects.get(pk=other.pk).balance == 0


def test_others_wait_for_a_part_of_a_file_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """With one lock for 1,500 rows, a result that was typed meanwhile was refused after ten seconds."""
    into, locked = desk(), []
    taken = mails.event_lock
    monkeypatch.setattr(new_registrations, "PART", 2)
    monkeypatch.setattr(new_registrations, "event_lock", lambda event: locked.append(event) or taken(event))
    rows, key = [NewRegistration(into.pk, values(fide_id=number)) for number in (1, 2, 3, 3, 5)], uuid4()
    made = new_registrations.register_many(event=into.event, wanted=rows, by=ORGANISER, form_key=key)
    assert (len(locked), len(made.made), [number for number, *_why in made.refused]) == (3, 4, [4])
    again = new_registrations.register_many(event=into.event, wanted=rows, by=ORGANISER, form_key=key)
    assert (again.known, len(again.made)) == (4, 0)


def test_a_link_that_is_asked_for_again_and_again_is_mailed_once() -> None:
    one = sent(desk(), email="ada@example.org")
    for _ in range(3):
        due()
        send_mails(text)
        mails.send_link_again(event=one.event, address="Ada@example.org")
    assert list(Mail.objects.values_list("kind", flat=True)) == ["pending", "link"]


def test_two_servers_send_a_mail_once() -> None:
    sent(desk())
    due()

    rows = list(mails.due_mails(timezone.now()).values_list("pk", "attempts"))
    assert send_mails(text) == 1
    assert [mails._take(*row) for row in rows] == [None]


def test_a_server_for_mail_that_does_not_answer_is_asked_later(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(_server: object) -> None:
        raise ConnectionRefusedError

    sent(desk())
    monkeypatch.setattr("django.core.mail.backends.locmem.EmailBackend.open", nobody)
    due()
    assert (send_mails(text), clock_is_due()) == (0, False)
    for _ in range(4):
        due()
        send_mails(text)
    assert Mail.objects.get().state == "failed"


def test_whom_a_mail_has_reached_does_not_get_it_again(monkeypatch: pytest.MonkeyPatch) -> None:
    from django.core.mail import EmailMessage

    reached = EmailMessage.send

    def refuse_guardian(message: EmailMessage) -> int:
        if message.to == ["pa@example.org"]:
            raise smtplib.SMTPRecipientsRefused({})
        return reached(message)

    one = sent(desk(), guardian="Pa", guardian_email="pa@example.org", email="ada@example.org")
    monkeypatch.setattr(EmailMessage, "send", refuse_guardian)
    for _ in range(5):
        due()
        send_mails(text)
    assert [mail.to for mail in outbox.outbox] == [["ada@example.org"]]
    monkeypatch.undo()
    change_registration(registration_id=one.pk, values={"guardian_email": "ma@example.org"}, by=ORGANISER)
    Mail.objects.filter(state="failed").update(state="queued", attempts=0)
    due()
    send_mails(text)
    assert [mail.to for mail in outbox.outbox[1:]] == [["ada@example.org"], ["ma@example.org"]]
    assert Mail.objects.get().address == ""


def test_a_mail_on_its_way_is_known_and_its_decision_is_not_undone() -> None:
    one = sent(desk(), rating=None)
    move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
    seen = []

    def while_it_is_sent(mail: Mail) -> Message:
        seen.append(code_of(undo_move, registration_id=one.pk, by=ORGANISER))
        return text(mail)

    due()
    assert (send_mails(while_it_is_sent), seen) == (1, ["registration_not_undone"])


def test_a_new_link_does_not_replace_the_mail_about_a_decision() -> None:
    one = sent(desk())
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    new_link(registration_id=one.pk, by=ORGANISER)
    new_link(registration_id=one.pk, by=ORGANISER)
    assert list(Mail.objects.filter(state="queued").values_list("kind", flat=True)) == ["accepted", "link"]


def test_a_mail_address_that_the_organiser_corrects_voids_the_links_of_the_wrong_one() -> None:
    one = sent(desk())
    former = token_of(one)
    change_registration(registration_id=one.pk, values={"email": "first@example.org"}, by=ORGANISER)
    assert registration_of(one.event, former) == one  # nobody has the link yet
    due()
    send_mails(text)
    Registration.objects.update(email_proved=True)
    change_registration(registration_id=one.pk, values={"email": "right@example.org"}, by=ORGANISER)
    one.refresh_from_db()
    assert (registration_of(one.event, former), one.email_proved) == (None, False)
    assert list(Mail.objects.filter(state="queued").values_list("kind", flat=True)) == ["link"]


def test_a_player_takes_back_only_what_the_player_asked_for() -> None:
    into = desk(acceptance="complete")
    Section.objects.update(half_bye_limit=2, last_bye_round=5)
    one = sent(into, byes=(3,))
    request_bye(actor=Actor.command(), participant_id=Participant.objects.get().pk, round_number=4, kind="Z")
    decide_bye(registration_id=one.pk, round_number=3, grant=False, by=ORGANISER)
    for round_number, act in ((4, drop_bye), (3, drop_bye), (3, wish_bye)):
        assert (
            code_of(act, registration_id=one.pk, round_number=round_number, by=PLAYER)
            == "registration_changed"
        )
    assert list(one.byes.values_list("round_number", "state")) == [(3, "refused")]
    assert Bye.objects.filter(round_number=4).exists()
    client = Client()
    client.get(f"/{one.event.slug}/-/entry/{token_of(one)}/")
    page = client.get(f"/{one.event.slug}/-/entry/").content.decode()
    assert ("refused" in page, 'value="no-bye"' in page) == (True, False)


def test_a_year_of_birth_stays_when_the_organiser_saves_something_else() -> None:
    into = desk()
    one = sent(into, birth_date="1990")
    form = {
        "do": "edit",
        "name": one.name,
        "federation": "NED",
        "rating": "1800",
        "email": one.email,
        "club": "SK",
    }
    assert staff(into).post(address(into, f"{one.pk}/"), form).status_code == 302
    one.refresh_from_db()
    assert (one.birth_date, one.club) == ("1990", "SK")


def test_notes_and_reasons_go_too_where_nobody_gave_a_contact() -> None:
    into = desk(event={"start": date(2020, 1, 1), "end": date(2020, 1, 3)})
    bare = {"email": "", "birth_date": "", "by": ORGANISER}
    one, other, third = (sent(into, **bare), sent(into, **bare), sent(into, message="Ill", **bare))
    one.notes.create(text="Is ill")
    move_registration(registration_id=other.pk, to=RegistrationState.REFUSED, by=ORGANISER, reason="Is ill")
    forget()
    forget(timezone.now() + timedelta(days=1))
    third.refresh_from_db()
    assert (one.notes.count(), other.steps.last().reason, third.message) == (0, "", "")


def test_settings_of_the_event_show_whom_they_offer_a_place_too() -> None:
    full = desk(capacity=1)
    sent(full)
    EventRegistration.objects.update(closes_at=timezone.now() + timedelta(days=1))
    waits = sent(full)
    EventRegistration.objects.update(closes_at=timezone.now() - timedelta(days=1))
    move_registration(
        registration_id=Registration.objects.exclude(pk=waits.pk).get().pk,
        to=RegistrationState.WITHDRAWN,
        by=PLAYER,
    )
    later = {"closes_at": timezone.now() + timedelta(days=9)}
    actor = Actor(user=UserFactory(), origin="test")
    assert would_offer(actor=actor, event=full.event, values=later, sections={}) == [waits]


def test_answers_stay_under_their_questions() -> None:
    into, actor = desk(), Actor(user=UserFactory(), origin="test")
    EventRegistration.objects.update(questions=["Diet", "Arrival"])
    one = sent(into, answers=["none", "Friday"])
    for questions, answers in (
        (["Hotel", "Diet", "Arrival"], ["", "none", "Friday"]),
        (["Arrival", "Diet", "Hotel"], ["Friday", "none", ""]),
        (["Arrival", "Food", "Hotel"], ["Friday", "none", ""]),  # said in another word
        (["Food"], ["none"]),
    ):
        set_up_registration(actor=actor, event=into.event, values={"questions": questions}, sections={})
        one.refresh_from_db()
        assert one.answers == answers


def test_an_erased_player_who_has_paid_is_repaid() -> None:
    from registrations.actions.erasing import erase_registration

    one = sent(desk(fee=3000))
    charge(registration_id=one.pk, kind="payment", cents=3000, by=ORGANISER)
    erase_registration(registration_id=one.pk)
    assert Registration.objects.get().balance == -3000


def test_a_page_number_of_many_digits_is_page_1() -> None:
    into = desk()
    assert Client().get(f"/{into.event.slug}/-/entry-list/?page={'9' * 5000}").status_code == 200


def test_a_form_that_is_sent_again_keeps_its_place() -> None:
    into = desk(confirm=True, capacity=2)
    first = sent(into, fide_id=7, email="ada@example.org")
    again = sent(into, fide_id=7, email="ada@example.org")
    first.refresh_from_db()
    assert (first.takes_place, again.takes_place) == (False, True)


def test_somebody_who_got_a_place_offered_twice_is_reminded_once() -> None:
    one = sent(desk())
    for _ in range(2):
        move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
        move_registration(registration_id=one.pk, to=RegistrationState.OFFERED, by=ORGANISER)
        due()
        send_mails(text)
    now = timezone.now()
    Registration.objects.update(deadline=now + timedelta(hours=1))
    Mail.objects.update(sent_at=now - timedelta(hours=5))
    assert mails.reminders(now).count() == 1


def test_an_entry_that_is_removed_shows_no_name_without_consent() -> None:
    one = sent(desk(acceptance="complete"), "Lovelace, Ada", consent=False)
    remove_participant(actor=Actor.command(), participant_id=Participant.objects.get().pk, asked=True)
    assert ["Lovelace" in row.name for row in public_rows(one.section)] == [False]


def test_a_stamp_of_a_form_counts_for_its_event() -> None:
    with pytest.raises(ValidationError) as refusal:
        key_of(new_stamp(desk().event), desk().event)
    assert refusal.value.code == "old"
