"""A registration from the form to the entry: duplicates, limits, fees, byes, corrections, mails, erasing."""

from __future__ import annotations

from datetime import date, timedelta
from uuid import uuid4

import pytest
from django.core import mail as outbox
from django.core.management import call_command
from django.db import connection
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from registrations.actions.clock import clock_is_due, forget
from registrations.actions.edits import change_registration, take_changes
from registrations.actions.event_lock import PLAYER
from registrations.actions.mails import Message, new_link, send_mails, set_mail_text
from registrations.actions.money import charge, pay_all
from registrations.actions.new_registrations import NewRegistration, register, register_many
from registrations.actions.requested_byes import decide_bye, drop_bye, wish_bye
from registrations.actions.transitions import move_many, move_registration
from registrations.models import Charge, Mail, Registration, SectionRegistration, WishedBye
from registrations.queries.mails import registration_of, token_of
from registrations.states import RegistrationState
from tests.factories import RoundFactory
from tests.registrations.factories import ORGANISER, desk, section, sent, values
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.errors import DomainError
from tournaments.hash_chain import check_section
from tournaments.models import Bye, Event, Participant, Section

pytestmark = pytest.mark.django_db


def code_of(call: object, **arguments: object) -> str:
    with pytest.raises(DomainError) as refusal:
        call(**arguments)
    return refusal.value.code


def test_a_form_that_arrives_twice_makes_one_registration_and_one_mail() -> None:
    into = desk(confirm=True)
    wanted = NewRegistration(into.pk, values("Lovelace, Ada"), form_key=uuid4())
    first, second = (register(event=into.event, wanted=wanted, by=PLAYER) for _ in range(2))
    assert first == second
    assert list(Mail.objects.values_list("kind", "state")) == [("submitted", "queued")]


def test_a_fide_id_registers_once_while_it_lives() -> None:
    into = desk()
    one = sent(into, fide_id=1503014)
    other = section(into.event)
    assert code_of(sent, to=other, fide_id=1503014) == "registration_known"
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert sent(other, fide_id=1503014).state == RegistrationState.PENDING


def test_a_form_that_nobody_confirmed_keeps_no_fide_id_from_its_owner() -> None:
    into = desk(confirm=True)
    made_up = sent(into, fide_id=1503014)
    owner = sent(into, fide_id=1503014)
    move_registration(registration_id=owner.pk, to=RegistrationState.PENDING, by=PLAYER)
    assert (
        code_of(move_registration, registration_id=made_up.pk, to=RegistrationState.PENDING, by=PLAYER)
        == "registration_known"
    )
    again = sent(
        into, fide_id=1503014, email=made_up.email
    )  # says nothing about the owner, and replaces the first
    made_up.refresh_from_db()
    assert (made_up.state, again.state) == (RegistrationState.EXPIRED, RegistrationState.SUBMITTED)
    move_registration(registration_id=owner.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    move_registration(registration_id=again.pk, to=RegistrationState.PENDING, by=PLAYER)
    assert (
        code_of(move_registration, registration_id=owner.pk, to=RegistrationState.PENDING, by=ORGANISER)
        == "registration_known"
    )


def test_namesakes_and_shared_addresses_are_shown_to_the_organiser() -> None:
    into = desk()
    sent(into, "Müller, Jan", email="family@example.org", birth_date="1980")
    same = sent(into, "Muller, Jan", birth_date="1980/05/01")
    son = sent(into, "Müller, Jan", birth_date="2080/05/01", email="FAMILY@example.org")
    assert (same.problem_codes, son.problem_codes) == (["same_person"], ["guardian", "same_mail"])


@pytest.mark.parametrize(
    ("limits", "typed", "problems"),
    [
        ({"rating_from": 2000}, {"rating": 1999}, ["rating_low"]),
        ({"rating_to": 1999}, {"rating": 2000}, ["rating_high"]),
        ({"rating_from": 2000}, {"rating": None}, ["no_rating"]),
        ({"age_to": 18}, {"birth_date": "2071/10/17"}, ["too_old"]),
        ({"age_to": 18}, {"birth_date": "2071/10/18"}, []),
        ({"age_from": 60}, {"birth_date": ""}, ["age_unknown"]),
        ({"women_only": True, "titles": "WGM WIM"}, {"sex": "m"}, ["women_only", "title"]),
    ],
)
def test_limits_of_a_section(
    limits: dict[str, object], typed: dict[str, object], problems: list[str]
) -> None:
    into = desk(**limits)
    if not problems:
        assert sent(into, **typed).state == RegistrationState.PENDING
        return
    with pytest.raises(DomainError) as refusal:
        sent(into, **typed)
    assert refusal.value.params["problems"] == problems
    assert sent(into, by=ORGANISER, **typed).problem_codes[: len(problems)] == problems


def test_fee_with_reductions_is_an_account_that_only_grows() -> None:
    into = desk(
        fee=5000, young_age=20, young_off=2000, titled_off=9000, early_until=date(2090, 1, 1), early_off=500
    )
    young = sent(into, birth_date="2075/01/01", guardian="Pa", guardian_email="pa@example.org")
    master = sent(into, title="GM")
    assert list(young.charges.values_list("kind", "cents")) == [
        ("fee", 5000),
        ("reduction", -2000),
        ("reduction", -500),
    ]
    assert Registration.objects.get(pk=master.pk).balance == 0
    SectionRegistration.objects.update(fee=9999)
    pay_all(registration_id=young.pk, by=ORGANISER)
    charge(registration_id=young.pk, kind=Charge.Kind.REPAYMENT, cents=100, by=ORGANISER)
    assert Registration.objects.get(pk=young.pk).balance == 100
    assert (
        code_of(charge, registration_id=young.pk, kind="payment", cents=0, by=ORGANISER)
        == "money_out_of_range"
    )
    with pytest.raises(TypeError):
        young.charges.first().save()


def test_payment_accepts_where_the_section_does_so_and_never_otherwise() -> None:
    into = desk(fee=1000, acceptance="paid")
    one = sent(into)
    pay_all(registration_id=one.pk, by=ORGANISER)
    assert Registration.objects.get().state == RegistrationState.ACCEPTED
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    charge(registration_id=one.pk, kind="payment", cents=500, by=ORGANISER)
    assert list(Registration.objects.values_list("state", "balance")) == [
        ("withdrawn", -1500)
    ]  # both payments


def test_an_accepted_player_has_an_entry_under_initials_without_consent() -> None:
    one = sent(
        desk(), "Lovelace, Ada", consent=False, fide_id=7, rating_source="standard", rating_list="2090-10"
    )
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    entry = Participant.objects.select_related("player").get()
    assert (entry.player.name, entry.player.by_initials, entry.player.fide_id) == ("Lovelace, Ada", True, 7)
    assert (entry.rating, entry.rating_source, entry.rating_list, entry.official_rating) == (
        *(1800, "standard"),
        *("2090-10", 1800),
    )


def test_many_are_accepted_in_one_step_and_those_who_cannot_say_why() -> None:
    into = desk()
    ones = [sent(into, f"{name}, X") for name in "ABC"]
    unrated = sent(into, rating=None)
    wanted = [(one.pk, one.revision) for one in [*ones, unrated]]
    wanted[1] = (ones[1].pk, ones[1].revision - 1)
    outcome = move_many(event_id=into.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert [one.name for one in outcome.moved] == ["A, X", "C, X"]
    assert {error.code for _one, error in outcome.left} == {"registration_changed", "rating_required"}
    assert Section.objects.get().log.count() == 1


def test_after_round_1_only_an_organiser_accepts_and_players_who_leave_are_withdrawn() -> None:
    into = desk(acceptance="complete")
    early, late = sent(into), sent(into, rating=None)
    Registration.objects.filter(pk=late.pk).update(rating=1700)
    RoundFactory(section=into)
    assert code_of(sent, to=into) == "registration_closed"
    move_registration(registration_id=late.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert Participant.objects.get(registration=late).first_round == 2
    move_registration(registration_id=early.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert Participant.objects.count() == 1  # without a game the entry is removed


def test_byes_within_the_regulations_are_granted_and_can_be_taken_back() -> None:
    into = desk(acceptance="complete")
    Section.objects.update(half_bye_limit=2, last_bye_round=5)
    one = sent(into, byes=(3,))
    assert list(one.byes.values_list("round_number", "state")) == [(3, "granted")]
    assert wish_bye(registration_id=one.pk, round_number=1, by=PLAYER).state == "granted"
    assert code_of(wish_bye, registration_id=one.pk, round_number=2, by=PLAYER) == "bye_not_in_rules"
    drop_bye(registration_id=one.pk, round_number=1, by=PLAYER)
    assert code_of(wish_bye, registration_id=one.pk, round_number=6, by=PLAYER) == "bye_not_in_rules"
    assert list(Bye.objects.values_list("round_number", "kind")) == [(3, "H")]
    RoundFactory(section=into)
    assert code_of(drop_bye, registration_id=one.pk, round_number=1, by=PLAYER) == "round_already_paired"


def test_organiser_decides_about_a_bye_that_the_section_does_not_give_by_itself() -> None:
    one = sent(desk(), byes=(2,))
    WishedBye.objects.create(registration=one, round_number=4)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert list(one.byes.values_list("round_number", "state")) == [(2, "granted"), (4, "asked")]
    decide_bye(registration_id=one.pk, round_number=4, grant=True, by=ORGANISER)
    assert Bye.objects.count() == 2


def test_correction_goes_to_the_player_and_back_to_the_organiser() -> None:
    one = sent(desk())
    assert (
        code_of(move_registration, registration_id=one.pk, to=RegistrationState.CORRECTION, by=ORGANISER)
        == "registration_reason_required"
    )
    move_registration(
        registration_id=one.pk,
        to=RegistrationState.CORRECTION,
        by=ORGANISER,
        reason="Which club?",
        fields=("club",),
    )
    assert Registration.objects.get().correction == {"fields": ["club"], "text": "Which club?"}
    change_registration(registration_id=one.pk, values={"club": "SK"}, by=PLAYER)
    found = Registration.objects.get()
    assert (found.state, found.club, found.deadline) == ("pending", "SK", None)
    assert found.correction["text"] == "Which club?"
    move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
    assert Registration.objects.get().correction == {}


def test_changes_after_acceptance_wait_for_the_organiser_except_harmless_ones() -> None:
    one = sent(desk(acceptance="complete"), "Old, Name")
    change_registration(registration_id=one.pk, values={"name": "New, Name", "club": "SK"}, by=PLAYER)
    found = Registration.objects.get()
    assert (found.name, found.club, found.proposed) == ("Old, Name", "SK", {"name": "New, Name"})
    take_changes(registration_id=one.pk, by=ORGANISER, take=True)
    entry = Participant.objects.select_related("player").get()
    assert (entry.player.name, entry.club, Registration.objects.get().proposed) == ("New, Name", "SK", {})


def test_stale_decision_changes_nothing() -> None:
    one = sent(desk())
    change_registration(registration_id=one.pk, values={"club": "SK"}, by=PLAYER, seen_revision=one.revision)
    arguments = {
        "registration_id": one.pk,
        "to": RegistrationState.ACCEPTED,
        "by": ORGANISER,
        "seen_revision": one.revision,
    }
    assert code_of(move_registration, **arguments) == "registration_changed"


def test_rows_of_a_file_are_checked_one_by_one() -> None:
    into = desk(capacity=2)
    rows = [NewRegistration(into.pk, values(fide_id=number)) for number in (5, 5, 6, 7)]
    outcome = register_many(event=into.event, wanted=rows, by=ORGANISER, form_key=uuid4())
    assert [one.state for one in outcome.made] == ["pending", "pending", "waiting"]
    assert [(number, error.code) for number, _name, error in outcome.refused] == [(2, "registration_known")]


def text(mail: Mail) -> Message:
    return Message(mail.kind, token_of(mail.registration))


def due() -> None:
    Mail.objects.filter(state="queued").update(not_before=timezone.now())


def test_only_the_last_state_is_mailed_and_each_mail_goes_to_one_person() -> None:
    into = desk()
    one = sent(
        into, birth_date="2080/01/01", guardian="Pa", guardian_email="pa@example.org", email="ada@example.org"
    )
    move_registration(registration_id=one.pk, to=RegistrationState.WAITING, by=ORGANISER)
    move_registration(registration_id=one.pk, to=RegistrationState.OFFERED, by=ORGANISER)
    assert send_mails(text) == 0  # it waits some minutes
    due()
    assert send_mails(text) == 1
    assert [(mail.subject, mail.to) for mail in outbox.outbox] == [
        ("offered", ["ada@example.org"]),
        ("offered", ["pa@example.org"]),
    ]
    assert send_mails(text) == 0


def test_nothing_is_mailed_while_the_event_is_hidden() -> None:
    into = desk()
    sent(into)
    Event.objects.update(state="draft")
    due()
    assert (send_mails(text), outbox.outbox) == (0, [])
    assert not clock_is_due()  # else a process would begin every ten seconds, and find nothing to do


def test_mail_that_fails_is_tried_again_and_then_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    sent(desk())
    for _ in range(5):
        due()
        assert send_mails(text) == 0
    assert Mail.objects.get().state == "failed"


def test_mail_without_the_link_is_not_kept() -> None:
    event = desk().event
    arguments = {"event": event, "kind": "accepted", "subject": "In"}
    assert code_of(set_mail_text, body="You are in.", **arguments) == "mail_without_link"
    set_mail_text(body="You are in: {link}", **arguments)
    assert event.registration_mails.get().body == "You are in: {link}"


def test_a_new_link_makes_the_old_one_void() -> None:
    one = sent(desk())
    former = token_of(one)
    assert registration_of(one.event, former) == one
    new_link(registration_id=one.pk, by=ORGANISER)
    assert registration_of(one.event, former) is None
    assert registration_of(one.event, f"{one.pk}-{'0' * 40}") is None
    one.refresh_from_db()
    assert registration_of(one.event, token_of(one)) == one
    assert registration_of(desk().event, token_of(one)) is None


def dump() -> str:
    """Return every column of every table."""
    with connection.cursor() as cursor:
        rows = []
        for table in connection.introspection.table_names():
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")  # noqa: S608
            rows += cursor.fetchall()
    return "\n".join(map(str, rows))


SECRETS = {
    "email": "secret@example.org",
    "phone": "0699-555-1234",
    "birth_date": "2080/07/09",
    "guardian": "Guardsecret",
    "guardian_email": "guard@example.org",
    "message": "Letsecret",
    "answers": ["Answersecret"],
}
CONTACTS = [str(value).strip("[]'") for value in SECRETS.values()]


def known(into: Section) -> Registration:
    one = sent(into, "Secretname, Ada", fide_id=987654321, **SECRETS)
    move_registration(
        registration_id=one.pk,
        to=RegistrationState.CORRECTION,
        by=ORGANISER,
        reason="Reasonsecret of secret@example.org",
    )
    return one


def test_contacts_go_some_days_after_the_event() -> None:
    known(desk(event={"start": date(2020, 1, 1), "end": date(2020, 1, 3)}))
    assert [secret for secret in CONTACTS if secret in dump()] == CONTACTS
    forget()
    forget(timezone.now() + timedelta(days=1))
    assert [secret for secret in (*CONTACTS, "Reasonsecret") if secret in dump()] == []
    assert "Secretname" in dump()


@pytest.mark.parametrize("accepted", [True, False, None])
def test_erased_player_is_in_no_table(accepted: bool | None) -> None:
    """None: the player was accepted and left again, so only the log of the section has the entry."""
    one = known(desk())
    if accepted is None:
        other = sent(one.section, "Namesake, Ada", fide_id=5)
        for each in (one, other):
            move_registration(registration_id=each.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
        change_registration(registration_id=one.pk, values={"name": "Newsecretname, Ada"}, by=ORGANISER)
        move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    if accepted:
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
        player = Participant.objects.get().player
        erase_player(actor=Actor.command(), event=one.event, player_id=player.pk, typed=player.name)
    else:
        call_command("erase_registration", one.pk, verbosity=0)
    everything = (*CONTACTS, "Secretname", "Newsecretname", "987654321", "Reasonsecret")
    assert [secret for secret in everything if secret in dump()] == []
    if accepted is None:
        assert "Namesake, Ada" in str(list(one.section.log.values("subject", "after")))
        assert check_section(one.section).fault is None


def test_places_cost_two_queries(django_assert_num_queries: DjangoAssertNumQueries) -> None:
    from registrations.queries.places import places_of

    into = desk()
    section(into.event)
    with django_assert_num_queries(2):
        places_of(into.event)


def test_the_key_of_a_form_counts_in_its_own_event() -> None:
    first, other = desk(), desk()
    typed = NewRegistration(first.pk, values("Lovelace, Ada"), form_key=uuid4())
    register(event=first.event, wanted=typed, by=PLAYER)
    elsewhere = NewRegistration(other.pk, typed.values, form_key=typed.form_key)
    assert code_of(register, event=other.event, wanted=elsewhere, by=PLAYER) == "registration_known"
