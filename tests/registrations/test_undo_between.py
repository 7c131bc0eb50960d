"""Undo when something has happened in between."""

from __future__ import annotations

import pytest

from registrations.actions.edits import ask_new_address, change_registration, label_many, take_new_address
from registrations.actions.event_lock import RegistrationActor
from registrations.actions.list_news import take_listed
from registrations.actions.requested_byes import decide_bye
from registrations.actions.sections import move_many_to, move_section
from registrations.actions.transitions import move_registration
from registrations.actions.undo import undo_many, undo_move
from registrations.models import HistoryLine, Label, ListNews, Registration, WishedBye
from registrations.states import Hand, RegistrationState
from tests.actions.refusals import refused
from tests.factories import UserFactory, entry_data
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.actions.byes import request_bye
from tournaments.actions.entries import add_participant
from tournaments.actions.ledger import Actor
from tournaments.actions.programs import make_webhook
from tournaments.actions.sections import take_section_away
from tournaments.actions.undo import undo
from tournaments.models import Bye, Participant, Section, WebhookMessage

pytestmark = pytest.mark.django_db


def fresh(one: Registration) -> Registration:
    return Registration.objects.get(pk=one.pk)


def person(name: str) -> RegistrationActor:
    return RegistrationActor(Hand.ORGANISER, UserFactory(username=name))


def hide(one: Section) -> None:
    take_section_away(actor=Actor.command(), section_id=one.pk)


def test_undo_of_a_corrected_address_leaves_one_that_the_player_confirmed_since() -> None:
    into = desk()
    one = sent(into, "A, X", email="wrong@example.org")
    ann = person("ann")
    change_registration(registration_id=one.pk, values={"email": "right@example.org"}, by=ann)
    ask_new_address(registration_id=one.pk, address="own@example.org")
    take_new_address(registration_id=one.pk, address="own@example.org")
    with refused("registration_not_undone"):
        undo_move(registration_id=one.pk, by=ann)
    assert fresh(one).email == "own@example.org"
    assert not HistoryLine.objects.filter(before__has_key="values").exists()


def test_nothing_comes_back_into_a_hidden_section() -> None:
    first = desk()
    second = section(first.event)
    one, two = sent(first, "A, X"), sent(first, "B, X")
    ann = person("ann")
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ann)
    move_section(registration_id=two.pk, section_id=second.pk, by=ann)
    hide(first)
    for each in (one, two):
        with refused("section_hidden"):
            undo_move(registration_id=each.pk, by=ann)
    with refused("section_hidden"):
        move_registration(registration_id=one.pk, to=RegistrationState.PENDING, by=ann)
    outcome = move_many_to(
        event_id=first.event_id, wanted=[(two.pk, fresh(two).revision)], section_id=first.pk, by=ann
    )
    assert outcome.moved == []
    assert Registration.objects.filter(section=first).exclude(state=RegistrationState.WITHDRAWN).count() == 0


def test_undo_of_a_refused_bye_leaves_the_bye_of_an_arbiter() -> None:
    into = desk()
    one = sent(into, "A, X")
    ann = person("ann")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    WishedBye.objects.create(registration=one, round_number=2)
    decide_bye(registration_id=one.pk, round_number=2, grant=False, by=ann)
    request_bye(actor=Actor.command(), participant_id=Participant.objects.get().pk, round_number=2, kind="H")
    undo_move(registration_id=one.pk, by=ann)
    assert Bye.objects.filter(round_number=2).count() == 1


def test_undo_of_a_bye_leaves_what_another_organiser_decided_since() -> None:
    into = desk()
    one = sent(into, "A, X")
    ann, bob = person("ann"), person("bob")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    WishedBye.objects.create(registration=one, round_number=2)
    decide_bye(registration_id=one.pk, round_number=2, grant=False, by=ann)
    decide_bye(registration_id=one.pk, round_number=2, grant=True, by=bob)
    with refused("registration_not_undone"):
        undo_move(registration_id=one.pk, by=ann)
    assert Bye.objects.filter(round_number=2).count() == 1


def test_undo_of_a_change_leaves_what_an_arbiter_wrote_into_the_entry_since() -> None:
    into = desk()
    one = sent(into, "A, X", club="First")
    ann = person("ann")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    change_registration(registration_id=one.pk, values={"club": "Second"}, by=ann)
    Participant.objects.update(club="Third", team="Rooks")
    with refused("registration_not_undone"):
        undo_move(registration_id=one.pk, by=ann)
    Participant.objects.update(club="Second")
    undo_move(registration_id=one.pk, by=ann)
    assert Participant.objects.values_list("club", "team").get() == ("First", "Rooks")


def test_undo_of_data_of_a_list_leaves_a_rating_of_an_arbiter_and_what_a_newer_list_says() -> None:
    into = desk()
    ones = [sent(into, f"{name}, X", fide_id=number) for number, name in enumerate("AB", start=1001)]
    ann = person("ann")
    for one in ones:
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
        news(one, 1850)
    wanted = [(one.pk, fresh(one).revision) for one in ones]
    taken = take_listed(event_id=into.event_id, wanted=wanted, by=ann)
    assert taken.left == []
    Participant.objects.filter(player__name="A, X").update(rating=1900)
    news(ones[1], 1870)
    outcome = undo_many(event_id=into.event_id, keys=[one.pk for one in ones], by=ann)
    assert [one.name for one, _error in outcome.left] == ["A, X"]
    assert sorted(Participant.objects.values_list("player__name", "rating")) == [
        ("A, X", 1900),
        ("B, X", 1800),
    ]
    assert [fresh(one).rating for one in ones] == [1850, 1800]
    assert list(ListNews.objects.values_list("registration__name", "rating")) == [("B, X", 1870)]


def news(one: Registration, rating: int) -> None:
    listed = {
        "section": one.section,
        "fide_id": one.fide_id,
        "source": "standard",
        "label": "FIDE 2026-11 (file)",
    }
    ListNews.objects.create(registration=one, rating=rating, **listed)


def test_colour_comes_back_to_those_who_had_the_label_before_too() -> None:
    into = desk()
    ones = [sent(into, f"{name}, X") for name in "ABC"]
    ann = person("ann")
    label_many(event=into.event, keys=[ones[2].pk], name="VIP", colour="red", by=ORGANISER)
    label_many(event=into.event, keys=[one.pk for one in ones], name="VIP", colour="blue", by=ann)
    outcome = undo_many(event_id=into.event_id, keys=[one.pk for one in ones], by=ann)
    assert outcome.left == []
    assert list(Label.objects.values_list("colour", "registrations__name")) == [("red", "C, X")]


def test_a_section_with_registrations_is_not_hidden_by_undo() -> None:
    into = desk()
    hide(into)
    take_section_away(actor=Actor.command(), section_id=into.pk, away=False)
    sent(into)
    into.refresh_from_db()
    with refused("section_has_registrations", count=1):
        undo(actor=Actor.command(), section_id=into.pk, revision=into.revision)
    into.refresh_from_db()
    assert not into.taken_away


def test_webhooks_are_not_told_of_an_undo_that_was_refused() -> None:
    into = desk()
    one = sent(into, "A, X", fide_id=1001)
    ann = person("ann")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    change_registration(registration_id=one.pk, values={"fide_id": 2002}, by=ann)
    add_participant(actor=Actor.command(), section_id=into.pk, entry=entry_data("B, X", fide_id=1001))
    make_webhook(actor=Actor(UserFactory()), event=into.event, address="https://93.184.215.14/")
    revision = fresh(one).revision
    with refused("fide_id_taken"):
        undo_move(registration_id=one.pk, by=ann)
    assert (fresh(one).fide_id, fresh(one).revision) == (2002, revision)
    assert not WebhookMessage.objects.exists()
