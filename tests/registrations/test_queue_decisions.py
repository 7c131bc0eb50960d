"""Decisions on the page of one registration and about a whole pile, and what a registration costs when it is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import LazySettings
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from registrations.actions.clock import clock_is_due, run_clock
from registrations.actions.edits import change_registration
from registrations.actions.event_lock import PLAYER
from registrations.actions.mails import remind, send_first, send_mails, set_mail_text
from registrations.actions.money import charge
from registrations.actions.transitions import move_registration
from registrations.actions.undo import is_mailed, undo_move
from registrations.models import Mail, Registration
from registrations.queries.mails import token_of
from registrations.states import RegistrationState
from registrations.web.words.mails import compose
from tests.registrations.conftest import address, names, staff
from tests.registrations.factories import ORGANISER, desk, sent
from tournaments.errors import DomainError
from tournaments.models import Event, Participant, Section

pytestmark = pytest.mark.django_db


def own(one: Registration) -> tuple[Client, str]:
    client, page = Client(), f"/{one.event.slug}/-/entry/"
    client.get(f"{page}{token_of(one)}/")
    return client, page


def test_page_of_a_registration_decides_and_marks_what_is_to_be_corrected() -> None:
    into = desk()
    one = sent(into, club="")
    client, page = staff(into), address(into, f"{one.pk}/")
    asked = {"do": "correct", "reason": "Which club?", "mark": ["club", "made-up"], "revision": one.revision}
    client.post(page, asked)
    player, mine = own(one)
    assert list(player.get(mine).context["form"].fields) == ["club"]
    assert client.post(page, asked).status_code == 409  # the page was older
    one.refresh_from_db()
    player.post(mine, {"do": "change", "revision": one.revision, "club": "SK"})
    shown = client.get(page)
    assert [name for name, may in shown.context["may"].items() if may] == [
        "accept", "correct", "refuse", "wait", "withdraw",
    ]  # fmt: skip
    client.post(page, {"do": "accept"})
    one.refresh_from_db()
    assert (one.state, one.participant.club) == (RegistrationState.ACCEPTED, "SK")
    client.post(page, {"do": "undo"})
    one.refresh_from_db()
    assert (one.state, Participant.objects.count()) == (RegistrationState.PENDING, 0)


def test_a_decision_about_a_whole_pile_is_shown_first_and_undone_at_once() -> None:
    into = desk()
    for name in "AB":
        sent(into, f"{name}, X")
    sent(into, "C, X", rating=None)
    client, decide = staff(into), address(into, "decide/")
    press = {"do": "accept", "pile": "check", "all": "3"}
    shown = client.post(decide, press)
    assert (shown.context["moved"], shown.context["stay"]) == (2, 1)
    assert "C, X needs a rating." in shown.content.decode()
    assert not Participant.objects.exists()
    assert set(Registration.objects.values_list("state", flat=True)) == {RegistrationState.PENDING}
    client.post(decide, dict(shown.context["sent"]))
    assert (Participant.objects.count(), into.log.count()) == (2, 1)
    client.post(decide, {"do": "undo", "pile": "check"})
    assert not Participant.objects.exists()
    assert names(into) == ["A", "B", "C"]


def test_who_has_paid_and_leaves_is_to_be_repaid_and_who_comes_back_owes_the_former_price() -> None:
    into = desk(fee=4500, titled_off=1500)
    one = sent(into, "A, X", title="IM")
    charge(registration_id=one.pk, kind="payment", cents=3000, by=ORGANISER)
    move_registration(registration_id=one.pk, to=RegistrationState.REFUSED, by=ORGANISER, reason="Too late")
    assert (fresh(one).balance, names(into, pile="repay")) == (-3000, ["A"])
    assert undo_move(registration_id=one.pk, by=ORGANISER).balance == 0
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    other = sent(into, "B, X")
    move_registration(registration_id=other.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert (fresh(other).balance, names(into, pile="repay")) == (0, ["A"])
    player, mine = own(one)
    assert "You have paid 30.00 EUR too much." in player.get(mine).content.decode()
    player, mine = own(other)
    page = player.get(mine).content.decode()
    assert ("To pay" in page, "too much" in page) == (False, False)
    move_registration(registration_id=one.pk, to=RegistrationState.PENDING, by=ORGANISER)
    move_registration(registration_id=other.pk, to=RegistrationState.PENDING, by=ORGANISER)
    assert (fresh(one).balance, fresh(other).balance) == (0, 4500)
    assert "To pay: 45.00" in player.get(mine).content.decode()


def test_who_waits_is_asked_for_money_only_where_it_gives_the_place() -> None:
    full = desk(capacity=1, fee=4500)
    sent(full)
    player, mine = own(sent(full))
    assert "To pay" not in player.get(mine).content.decode()
    full.registration.order = "paid"
    full.registration.save()
    assert "To pay: 45.00" in player.get(mine).content.decode()


def test_what_a_player_typed_is_kept_when_it_is_refused_and_saved_after_an_offer() -> None:
    full = desk(capacity=1)
    ann, bob = sent(full), sent(full, "B, X")
    player, mine = own(bob)
    form = {"do": "change", "revision": bob.revision, "name": "B, Xavier", "federation": "NED"}
    move_registration(registration_id=ann.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert fresh(bob).state == RegistrationState.OFFERED
    assert player.post(mine, form).status_code == 302
    assert fresh(bob).name == "B, Xavier"
    change_registration(registration_id=bob.pk, values={"club": "SK"}, by=ORGANISER)
    answer = player.post(mine, {**form, "name": "B, Xaver"})
    assert (answer.status_code, answer.context["form"]["name"].value()) == (409, "B, Xaver")
    move_registration(registration_id=bob.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert player.post(mine, {**form, "revision": fresh(bob).revision}).status_code == 422


def test_the_desk_opens_the_check_in_on_the_first_days_and_says_so() -> None:
    today = timezone.localdate()
    into = desk(acceptance="complete", event={"start": today + timedelta(days=2), "end": "2090-10-25"})
    one = sent(into)
    client, mark = staff(into), address(into, f"desk/{one.pk}/")
    client.post(mark, {"do": "here"})
    assert Section.objects.get().check_in_round is None  # somebody tried the desk
    Event.objects.update(start=today + timedelta(days=1))
    answer = client.post(mark, {"do": "here"}, follow=True).content.decode()
    assert f"The check-in of {into.name} for round 1 is open now." in answer
    assert Section.objects.get().check_in_round == 1
    assert "check-in of" not in client.post(mark, {"do": "away"}, follow=True).content.decode()


def test_days_and_evenings_are_those_of_the_event(monkeypatch: pytest.MonkeyPatch) -> None:
    there = ZoneInfo("Pacific/Auckland")
    full = desk(
        capacity=1,
        fee=1000,
        early_until="2090-05-01",
        early_off=200,
        event={"time_zone": there.key, "start": "2090-10-17", "end": "2090-10-25"},
    )
    form = f"/{full.event.slug}/-/register/"
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 5, 1, 11, tzinfo=UTC))
    assert "2.00 less until 1 May" in Client().get(form).content.decode()
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 5, 1, 23, tzinfo=UTC))
    assert "less until" not in Client().get(form).content.decode()
    ann, bob = sent(full), sent(full)
    assert ann.balance == 1000  # it is the 2nd of May there
    move_registration(registration_id=ann.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="Club?")
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 5, 20, 23, tzinfo=UTC))
    with timezone.override(UTC):
        run_clock()
    assert (fresh(ann).state, fresh(bob).state) == ("expired", "offered")
    assert fresh(bob).deadline.astimezone(there).hour == 20


@pytest.mark.parametrize(("address", "state"), [("", "offered"), ("bob@example.org", "expired")])
def test_an_offer_runs_out_only_for_somebody_who_can_be_told(
    monkeypatch: pytest.MonkeyPatch, address: str, state: str
) -> None:
    full = desk(capacity=1, event={"start": "2090-10-17", "end": "2090-10-25"})
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 5, 1, 11, tzinfo=UTC))
    ann, bob = sent(full), sent(full)
    Registration.objects.filter(pk=bob.pk).update(email=address)
    move_registration(registration_id=ann.pk, to=RegistrationState.REFUSED, by=ORGANISER, reason="No")
    assert fresh(bob).state == "offered"
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 6, 1, 11, tzinfo=UTC))
    run_clock()
    assert fresh(bob).state == state


@pytest.mark.parametrize("why", ["no server for mail", "hidden", "first mail of a file"])
def test_an_offer_that_no_mail_tells_about_has_no_end_until_the_mail_goes(
    monkeypatch: pytest.MonkeyPatch, settings: LazySettings, why: str
) -> None:
    full = desk(capacity=1, event={"start": "2090-10-17", "end": "2090-10-25"})
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 5, 1, 11, tzinfo=UTC))
    ann, bob = sent(full), sent(full)
    if why == "no server for mail":
        settings.MAIL_IS_SET_UP = False
    elif why == "hidden":
        Event.objects.update(state="draft")
    else:
        Mail.objects.all().delete()
    move_registration(registration_id=ann.pk, to=RegistrationState.REFUSED, by=ORGANISER, reason="No")
    if why == "hidden":  # the list stands still: the organiser offers
        move_registration(registration_id=bob.pk, to=RegistrationState.OFFERED, by=ORGANISER)
    monkeypatch.setattr(timezone, "now", lambda: datetime(2090, 6, 1, 11, tzinfo=UTC))
    run_clock()
    assert (fresh(bob).state, fresh(bob).deadline) == ("offered", None)
    assert Mail.objects.filter(registration=bob, kind="offered").exists() == (why != "first mail of a file")
    Event.objects.update(state="public")
    settings.MAIL_IS_SET_UP = True
    send_first(event=full.event, wanted=[(bob.pk, fresh(bob).revision)])
    outbox.outbox.clear()
    send_mails(compose)
    assert fresh(bob).deadline == datetime(2090, 6, 2, 20, tzinfo=UTC)
    assert "answer by 2 June, 20:00" in outbox.outbox[-1].subject


def test_a_correction_that_no_mail_asks_for_has_no_end(settings: LazySettings) -> None:
    settings.MAIL_IS_SET_UP = False
    one = sent(desk())
    move_registration(
        registration_id=one.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="Which club?"
    )
    assert fresh(one).deadline is None


def test_a_mail_knows_its_places_and_is_answered_by_the_organiser() -> None:
    into = desk(event={"contact": "Club, info@example.org (Jo)", "start": "2090-10-17", "end": "2090-10-25"})
    texts = {"event": into.event, "kind": "pending", "body": "{nmae}: {link}"}
    with pytest.raises(DomainError) as refusal:
        set_mail_text(subject="Hi {name}", **texts)
    assert (refusal.value.code, refusal.value.params["names"]) == ("mail_place_unknown", ["{nmae}"])
    sent(into)
    send_mails(compose)
    assert [letter.reply_to for letter in outbox.outbox] == [["info@example.org"]]


def test_who_must_act_is_reminded_once_and_an_undo_knows_the_mail() -> None:
    into = desk(confirm=True)
    one, now = sent(into), timezone.now()
    send_mails(compose)
    assert (remind(), clock_is_due()) == (0, False)  # a day is left
    Registration.objects.update(deadline=now + timedelta(hours=11))
    Mail.objects.update(sent_at=now - timedelta(hours=4))
    assert (clock_is_due(), remind()) == (True, 1)
    assert is_mailed(one.steps.get())  # also while the reminder waits
    send_mails(compose)
    Mail.objects.update(sent_at=now - timedelta(hours=4))
    assert (remind(), len(outbox.outbox)) == (0, 2)
    assert {letter.subject for letter in outbox.outbox} == {f"{into.event.name}: confirm your registration"}


def test_no_page_offers_a_bye_that_the_section_does_not_give() -> None:
    into = desk()
    Section.objects.update(half_bye_limit=1, last_bye_round=3)
    player, mine = own(sent(into))
    form = Client().get(f"/{into.event.slug}/-/register/").context["form"]
    assert [number for number, _label in form.fields["byes"].choices] == [1, 2, 3]
    assert [number for number, _bye in player.get(mine).context["rounds"]] == [1, 2, 3]
    player.post(mine, {"do": "bye", "round": 2})
    assert [number for number, _bye in player.get(mine).context["rounds"]] == [2]
    Section.objects.update(half_bye_limit=0)
    assert "byes" not in Client().get(f"/{into.event.slug}/-/register/").context["form"].fields


def fresh(one: Registration) -> Registration:
    return Registration.objects.get(pk=one.pk)
