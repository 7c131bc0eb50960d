"""Undo of what is noted beside the state of registrations: labels, notes, order, money, entries, byes, data."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registrations.actions.desk import DeskMark, mark_at_desk
from registrations.actions.edits import add_note, change_registration, label_many, take_changes
from registrations.actions.erasing import erase_registration, forget_contacts
from registrations.actions.event_lock import PLAYER, RegistrationActor
from registrations.actions.money import charge
from registrations.actions.queue import enter_again, price_again, put_in_order
from registrations.actions.requested_byes import decide_bye
from registrations.actions.transitions import move_many, move_registration
from registrations.actions.undo import undo_many, undo_move
from registrations.models import HistoryLine, Label, Note, Registration, WishedBye
from registrations.queries.places import waiting_list
from registrations.states import Hand, RegistrationState
from tests.factories import UserFactory
from tests.registrations.conftest import address, chosen, names, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.actions.entries import remove_participant
from tournaments.actions.ledger import Actor
from tournaments.errors import DomainError
from tournaments.models import Bye, Participant, Section

pytestmark = pytest.mark.django_db


def fresh(one: Registration) -> Registration:
    return Registration.objects.get(pk=one.pk)


def person(name: str) -> RegistrationActor:
    return RegistrationActor(Hand.ORGANISER, UserFactory(username=name))


def listed(of: Section) -> list[str]:
    return [one.name[0] for one in waiting_list(of.registration)]


def labelled(name: str) -> list[str]:
    return sorted(Registration.objects.filter(labels__name=name).values_list("name", flat=True))


def messages_of(answer: object) -> list[str]:
    return [str(each) for each in answer.context["messages"]]  # type: ignore[attr-defined]  # of a test client


def full() -> Section:
    into = desk(capacity=1)
    for name in "ABCD":
        sent(into, f"{name}, X")
    return into


def of(name: str) -> Registration:
    return Registration.objects.get(name=f"{name}, X")


def test_labels_of_many_are_undone_by_one_press_and_colours_with_them() -> None:
    into, client = desk(), None
    ones = [sent(into, f"{name}, X") for name in "ABC"]
    label_many(event=into.event, keys=[ones[0].pk], name="VIP", colour="red", by=ORGANISER)
    client, decide = staff(into), address(into, "decide/")
    typed = {"do": "label", "name": "VIP", "colour": "blue", "chosen": chosen(*ones)}
    assert messages_of(client.post(decide, typed, follow=True)) == [
        "3 registrations have the label “VIP” now."
    ]
    assert (len(labelled("VIP")), Label.objects.get().colour) == (3, "blue")
    [sentence] = messages_of(client.post(decide, {"do": "undo"}, follow=True))
    assert sentence == "The change of the labels of 3 registrations is undone."
    assert (labelled("VIP"), Label.objects.get().colour) == (["A, X"], "red")
    client.post(decide, {"do": "unlabel", "name": "VIP", "chosen": chosen(ones[0])})
    assert not Label.objects.exists()
    client.post(decide, {"do": "undo", "chosen": chosen(ones[0])})
    assert (labelled("VIP"), Label.objects.get().colour) == (["A, X"], "red")


def test_undo_of_a_label_touches_only_those_that_got_it() -> None:
    into = desk()
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    client, decide = staff(into), address(into, "decide/")
    client.post(decide, {"do": "accept", "chosen": chosen(ann)})
    label_many(event=into.event, keys=[ann.pk], name="VIP", by=person("olga"))
    client.post(decide, {"do": "label", "name": "VIP", "chosen": chosen(ann, bob)})
    client.post(decide, {"do": "undo"})
    assert (labelled("VIP"), fresh(ann).state) == (["A, X"], RegistrationState.ACCEPTED)


def test_the_order_of_a_list_is_undone_as_a_whole_unless_it_was_ordered_again() -> None:
    into = full()
    put_in_order(event=into.event, keys=[of("D").pk], number=1, by=ORGANISER)
    client, decide = staff(into), address(into, "decide/")
    client.post(decide, {"do": "order", "number": "1", "chosen": chosen(of("C"), of("B"))})
    assert listed(into) == ["B", "C", "D"]
    sent(into, "E, X")
    sentence = messages_of(client.post(decide, {"do": "undo"}, follow=True))[-1]
    assert sentence.startswith("The waiting list has its former order")
    assert listed(into) == ["D", "B", "C", "E"]
    assert [one.position for one in waiting_list(into.registration)] == [1, 2, 3, None]
    client.post(decide, {"do": "order", "number": "1", "chosen": chosen(of("C"))})
    put_in_order(event=into.event, keys=[of("B").pk], number=1, by=person("olga"))
    client.post(decide, {"do": "undo", "chosen": chosen(of("C"))})
    assert listed(into) == ["B", "C", "D", "E"]  # the order of another person stays
    put_in_order(event=into.event, keys=[of("C").pk], number=0, by=ORGANISER)
    assert set(Registration.objects.values_list("position", flat=True)) == {None}
    undo_move(registration_id=of("C").pk, by=ORGANISER)
    assert listed(into) == ["B", "C", "D", "E"]


def test_labels_notes_and_order_leave_open_forms_and_rows_valid() -> None:
    into = full()
    bob = of("B")
    put_in_order(event=into.event, keys=[bob.pk], number=2, by=ORGANISER)
    label_many(event=into.event, keys=[bob.pk], name="VIP", by=ORGANISER)
    add_note(event=into.event, registration_id=bob.pk, text="Comes late", by=ORGANISER)
    for _each in range(3):
        undo_move(registration_id=bob.pk, by=ORGANISER)
    assert fresh(bob).revision == bob.revision
    change_registration(registration_id=bob.pk, values={"club": "SK"}, by=PLAYER, seen_revision=bob.revision)
    kinds = set(bob.steps.values_list("kind", flat=True))
    assert {HistoryLine.Kind.LABEL, HistoryLine.Kind.NOTE, HistoryLine.Kind.ORDER} < kinds


def test_undo_takes_back_the_persons_own_last_step() -> None:
    into = desk()
    one = sent(into, "A, X")
    ann, bob = person("ann"), person("bob")
    label_many(event=into.event, keys=[one.pk], name="VIP", by=ann)
    add_note(event=into.event, registration_id=one.pk, text="of Bob", by=bob)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=bob)
    undo_move(registration_id=one.pk, by=ann)
    assert (labelled("VIP"), fresh(one).state, Note.objects.count()) == ([], RegistrationState.ACCEPTED, 1)
    undo_move(registration_id=one.pk, by=bob)
    assert (fresh(one).state, Note.objects.count()) == (RegistrationState.PENDING, 1)


def test_a_mailed_decision_does_not_let_undo_reach_what_was_done_before_it() -> None:
    into = desk()
    one = sent(into, "A, X")
    label_many(event=into.event, keys=[one.pk], name="VIP", by=ORGANISER)
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    one.mails.filter(kind="accepted").update(state="sent", sent_at=timezone.now())
    with pytest.raises(DomainError) as refusal:
        undo_move(registration_id=one.pk, by=ORGANISER)
    assert (refusal.value.code, labelled("VIP")) == ("registration_not_undone", ["A, X"])
    label_many(event=into.event, keys=[one.pk], name="press", by=ORGANISER)
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (labelled("press"), fresh(one).state) == ([], RegistrationState.ACCEPTED)


def test_a_decision_of_another_organiser_is_undone_by_who_has_done_nothing() -> None:
    into = desk()
    one = sent(into, "A, X")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=person("bob"))
    undo_move(registration_id=one.pk, by=person("ann"))
    assert fresh(one).state == RegistrationState.PENDING


def test_a_note_is_deleted_by_undo_and_its_text_is_kept_nowhere() -> None:
    into = desk()
    one = sent(into, "A, X")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    client, page = staff(into), address(into, f"{one.pk}/")
    client.post(page, {"do": "note", "text": "Owes me a favour"})
    assert messages_of(client.post(page, {"do": "undo"}, follow=True)) == ["1 note is deleted."]
    assert not Note.objects.exists()
    assert "favour" not in str(list(HistoryLine.objects.values()))
    client.post(page, {"do": "undo"})  # what was done before
    assert fresh(one).state == RegistrationState.PENDING


def test_after_a_day_labels_stay_and_the_decision_is_undone() -> None:
    into = desk()
    one = sent(into, "A, X", email="")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    label_many(event=into.event, keys=[one.pk], name="VIP", by=ORGANISER)
    QuerySet(HistoryLine).filter(kind=HistoryLine.Kind.LABEL).update(at=timezone.now() - timedelta(hours=25))
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (labelled("VIP"), fresh(one).state) == (["A, X"], RegistrationState.PENDING)


def test_a_changed_fee_is_undone_for_all_and_what_people_typed_stays() -> None:
    into = desk(fee=1000)
    ones = [sent(into, f"{name}, X") for name in "AB"]
    charge(registration_id=ones[0].pk, kind="payment", cents=1000, by=PLAYER)
    into.registration.fee = 1500
    into.registration.save()
    client, decide = staff(into), address(into, "decide/")
    shown = client.post(decide, {"do": "price", "pile": "all", "all": "2"})
    typed = dict(shown.context["sent"])
    [sentence] = messages_of(client.post(decide, typed, follow=True))
    assert sentence == "The current fee is charged for 2 registrations."
    assert [fresh(one).balance for one in ones] == [500, 1500]
    [sentence] = messages_of(client.post(decide, {"do": "undo"}, follow=True))
    assert sentence == "The last change of the accounts of 2 registrations is undone."
    assert [fresh(one).balance for one in ones] == [0, 1000]
    price_again(event_id=into.event_id, wanted=[(ones[1].pk, fresh(ones[1]).revision)], by=ORGANISER)
    move_registration(registration_id=ones[1].pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    with pytest.raises(DomainError) as refusal:
        undo_move(registration_id=ones[1].pk, by=ORGANISER)
    assert (refusal.value.code, fresh(ones[1]).balance) == ("registration_not_undone", 0)


@pytest.mark.parametrize(
    ("kind", "after"), [("payment", 0), ("repayment", 2000), ("fee", 2000), ("reduction", 0), ("waiver", 0)]
)
def test_a_line_of_the_account_is_undone_by_another_line(kind: str, after: int) -> None:
    into = desk(fee=1000)
    one = sent(into)
    charge(registration_id=one.pk, kind=kind, cents=1000, by=ORGANISER)
    assert fresh(one).balance == after
    undo_move(registration_id=one.pk, by=ORGANISER)
    one = fresh(one)
    assert (one.balance, one.paid_at, one.charges.count()) == (1000, None, 3)


def test_a_payment_of_the_desk_is_undone_once() -> None:
    into = desk(fee=1000, acceptance="complete")
    one = sent(into)
    mark_at_desk(registration_id=one.pk, mark=DeskMark(key="k1", paid=1000, owed=1000), by=ORGANISER)
    undo_move(registration_id=one.pk, by=ORGANISER)
    mark_at_desk(registration_id=one.pk, mark=DeskMark(key="k2", undoes="k1"), by=ORGANISER)
    assert fresh(one).balance == 1000


def test_entries_made_again_are_shown_first_and_removed_again_by_undo() -> None:
    into = desk(acceptance="complete")
    Section.objects.update(rounds=5)
    ones = [sent(into, f"{name}, X", byes=(2,)) for name in "AB"]
    arbiter = Actor(user=UserFactory(), origin="test")
    for entry in Participant.objects.all():
        remove_participant(actor=arbiter, participant_id=entry.pk, asked=True)
    client, decide = staff(into), address(into, "decide/")
    typed = {"do": "enter", "pile": "unlisted", "all": "2"}
    shown = client.post(decide, typed)
    assert (shown.context["moved"], shown.context["mails"], Participant.objects.count()) == (2, 0, 0)
    again = client.post(decide, dict(shown.context["sent"]), follow=True)
    assert messages_of(again) == ["2 entries made again."]
    assert (Participant.objects.count(), Bye.objects.count()) == (2, 2)
    [sentence] = messages_of(client.post(decide, {"do": "undo"}, follow=True))
    assert sentence == "The changes of 2 entries are undone."
    assert (Participant.objects.count(), names(into, pile="unlisted")) == (0, ["A", "B"])
    client.post(decide, {"do": "undo", "chosen": chosen(*ones)})
    assert (Participant.objects.count(), Bye.objects.count()) == (2, 2)


def test_a_decision_about_a_bye_is_undone_in_the_section_too() -> None:
    into = desk(acceptance="complete")
    Section.objects.update(rounds=5, half_bye_limit=0)
    one = sent(into)
    WishedBye.objects.create(registration=one, round_number=3)
    decide_bye(registration_id=one.pk, round_number=3, grant=True, by=ORGANISER)
    assert Bye.objects.count() == 1
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (Bye.objects.count(), one.byes.get().state) == (0, "asked")
    decide_bye(registration_id=one.pk, round_number=3, grant=False, by=ORGANISER)
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert one.byes.get().state == "asked"


def test_changed_data_get_their_former_values_and_only_the_last_ones_are_kept() -> None:
    into = desk(acceptance="complete")
    one = sent(into, "Old, Name", club="OLD", rating=1700)
    change_registration(registration_id=one.pk, values={"club": "FIRST"}, by=ORGANISER)
    change_registration(registration_id=one.pk, values={"name": "New, Name", "rating": 1900}, by=ORGANISER)
    assert "OLD" not in str(list(HistoryLine.objects.values("before")))
    undo_move(registration_id=one.pk, by=ORGANISER)
    one, entry = fresh(one), Participant.objects.select_related("player").get()
    assert (one.name, one.rating, one.club) == ("Old, Name", 1700, "FIRST")
    assert (entry.player.name, entry.rating) == ("Old, Name", 1700)


def test_changes_of_a_player_that_were_taken_wait_again_after_undo() -> None:
    into = desk(acceptance="complete")
    one = sent(into, "Old, Name")
    for take, name in ((True, "New, Name"), (False, "Old, Name")):
        change_registration(registration_id=one.pk, values={"name": "New, Name"}, by=PLAYER)
        take_changes(registration_id=one.pk, by=ORGANISER, take=take)
        assert (fresh(one).name, fresh(one).proposed) == (name, {})
        undo_move(registration_id=one.pk, by=ORGANISER)
        assert (fresh(one).name, fresh(one).proposed) == ("Old, Name", {"name": "New, Name"})


def test_an_answer_is_marked_again_when_a_decision_about_it_is_undone() -> None:
    into = desk()
    one = sent(into, "A, X")
    move_registration(
        registration_id=one.pk,
        to=RegistrationState.CORRECTION,
        by=ORGANISER,
        reason="Which club?",
        fields=("club",),
    )
    change_registration(registration_id=one.pk, values={"club": "SK"}, by=PLAYER)
    answered = fresh(one).correction
    assert answered == {"fields": ["club"], "text": "Which club?"}
    for to in (RegistrationState.CORRECTION, RegistrationState.WAITING, RegistrationState.REFUSED):
        move_registration(registration_id=one.pk, to=to, by=ORGANISER, reason="And the title?")
        undo_move(registration_id=one.pk, by=ORGANISER)
        assert (fresh(one).state, fresh(one).correction) == (RegistrationState.PENDING, answered), to
    wanted = [(one.pk, fresh(one).revision)]
    move_many(event_id=into.event_id, wanted=wanted, to=RegistrationState.ACCEPTED, by=ORGANISER)
    undo_many(event_id=into.event_id, keys=[one.pk], by=ORGANISER)
    assert fresh(one).correction == answered
    move_registration(
        registration_id=one.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="And the title?"
    )
    move_registration(registration_id=one.pk, to=RegistrationState.PENDING, by=ORGANISER)
    undo_move(registration_id=one.pk, by=ORGANISER)
    assert (fresh(one).state, fresh(one).correction["text"]) == (
        RegistrationState.CORRECTION,
        "And the title?",
    )


@pytest.mark.parametrize("way", ["erase", "forget"])
def test_after_erasing_the_history_keeps_nothing_of_what_undo_needed(way: str) -> None:
    into = desk()
    one = sent(into, "A, X", email="ada@example.org", phone="5550101")
    move_registration(
        registration_id=one.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="secret reason"
    )
    move_registration(registration_id=one.pk, to=RegistrationState.PENDING, by=ORGANISER)
    label_many(event=into.event, keys=[one.pk], name="secret label", by=ORGANISER)
    add_note(event=into.event, registration_id=one.pk, text="secret note", by=ORGANISER)
    change_registration(
        registration_id=one.pk, values={"email": "new@example.org", "phone": "1"}, by=ORGANISER
    )
    kept = str(list(HistoryLine.objects.values("before")))
    assert all(part in kept for part in ("5550101", "ada@example.org", "secret label", "secret reason"))
    if way == "erase":
        erase_registration(registration_id=one.pk)
    else:
        forget_contacts(into.event)
    assert set(map(str, HistoryLine.objects.values_list("before", flat=True))) == {"{}"}
    undone = undo_many(event_id=into.event_id, keys=[one.pk], by=ORGANISER).moved
    assert (len(undone), fresh(one).email, Label.objects.exists()) == (way == "forget", "", way == "forget")


def test_undo_of_labels_costs_the_same_queries_for_many() -> None:
    into = desk()
    ones = [sent(into).pk for _each in range(12)]

    def cost(keys: list[int]) -> int:
        label_many(event=into.event, keys=keys, name="VIP", by=ORGANISER)
        with CaptureQueriesContext(connection) as made:
            assert len(undo_many(event_id=into.event_id, keys=keys, by=ORGANISER).moved) == len(keys)
        return len(made)

    assert cost(ones[:2]) == cost(ones)


def test_an_empty_pile_still_offers_undo_after_the_last_decision() -> None:
    into = desk()
    one = sent(into, "A, X")
    client = staff(into)
    page = client.get(address(into, "?pile=waiting")).content.decode()
    assert 'value="undo"' not in page
    client.post(address(into, "decide/"), {"do": "accept", "chosen": chosen(one), "pile": "check"})
    page = client.get(address(into)).content.decode()
    assert ("Nothing in this list." in page, page.count('value="undo"')) == (True, 1)
    client.post(address(into, "decide/"), {"do": "undo", "pile": "check"})
    assert names(into) == ["A"]


def test_a_page_that_was_older_does_not_undo() -> None:
    into = desk()
    one = sent(into)
    client, page = staff(into), address(into, f"{one.pk}/")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    assert client.post(page, {"do": "undo", "revision": one.revision}).status_code == 409
    assert fresh(one).state == RegistrationState.ACCEPTED
    assert enter_again(event_id=into.event_id, wanted=[(one.pk, 2)], by=ORGANISER).moved == []
