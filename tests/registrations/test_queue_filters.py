"""Conditions of the queue, labels with colours, and what mails say about money that goes back."""

from __future__ import annotations

import pytest
from django.http import QueryDict

from registrations.actions.edits import add_note, label_many
from registrations.actions.mails import set_mail_text
from registrations.actions.money import charge
from registrations.actions.transitions import move_registration
from registrations.models import Label, Mail, Registration
from registrations.queries.queue import CHOSEN, FACTS, TYPED, QueueFilter, found_by, queue
from registrations.states import RegistrationState
from registrations.web.words.mails import TEXTS, compose
from registrations.web.words.queue import FACTS as WORDS_OF_FACTS
from registrations.web.words.queue import TYPED as WORDS_OF_TYPED
from registrations.web.words.queue import condition_choices
from tests.registrations.conftest import address, chosen, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tournaments.models import Section

pytestmark = pytest.mark.django_db


def found(of: Section, *conditions: str, join: str = "") -> str:
    """Return the first letters of those whom conditions find. A condition: what, after ! for "is not", then = typed."""
    asked = QueryDict(mutable=True)
    asked["pile"], asked["join"], asked["sort"] = "all", join, "name"
    for each in conditions:
        what, _equals, typed = each.removeprefix("!").partition("=")
        asked.appendlist("is", "no" if each.startswith("!") else "yes")
        asked.appendlist("what", what)
        asked.appendlist("typed", typed)
    wanted = QueueFilter.read(asked)
    shown = [row.one.name[0] for row in queue(of.event, wanted).rows]
    assert wanted == QueueFilter.read(QueryDict(wanted.address().removeprefix("?")))
    assert queue(of.event, wanted).piles["all"] == len(shown)
    assert [one.name[0] for one in found_by(of.event, wanted)] == shown
    return "".join(shown)


def test_conditions_on_every_field_are_and_or_and_not() -> None:
    into = desk(fee=1000)
    other = section(into.event)
    ann = sent(into, "A, X", title="GM", rating=2500, sex="w", club="SK Nord", birth_date="2010/05/06")
    bob = sent(into, "B, X", rating=1500, birth_date="1950", message="Hello", byes=(2,))
    cy = sent(other, "C, X", rating=None, federation="GER", answers=["vegetarian, ünd so"], birth_date="")
    dan = sent(into, "D, X", email="")
    move_registration(registration_id=ann.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    move_registration(registration_id=dan.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    label_many(event=into.event, keys=[ann.pk, cy.pk], name="VIP", by=ORGANISER)
    label_many(event=into.event, keys=[cy.pk], name="press", by=ORGANISER)
    add_note(event=into.event, registration_id=bob.pk, by=ORGANISER, text="late")
    vip, press = (Label.objects.get(name=name).pk for name in ("VIP", "press"))
    for conditions, expected in {
        (): "ABCD",
        ("state.accepted",): "A",
        ("!state.accepted",): "BCD",
        (f"label.{vip}",): "AC",
        (f"label.{vip}", f"!label.{press}"): "A",
        (f"section.{other.pk}",): "C",
        ("title.GM",): "A",
        ("!title.",): "A",
        ("sex.w",): "A",
        ("problem.unrated",): "C",
        ("fact.owed",): "AB",
        ("fact.message", "fact.bye", "fact.note"): "B",
        ("fact.no_mail",): "D",
        ("rating_from=1500", "rating_to=1999"): "BD",
        ("!rating_from=1500",): "C",
        ("born_from=2000",): "A",
        ("born_to=1950",): "B",
        ("!born_to=1950",): "ACD",
        ("federation=ger",): "C",
        ("club=nord",): "A",
        ("answer=ünd",): "C",
        ("since=2000-01-01",): "ABCD",
        ("until=2000-01-01",): "",
        ("rating_from=many", "state.gone", "label.x", "dance", "fact.owed"): "AB",
    }.items():
        assert (conditions, found(into, *conditions)) == (conditions, expected)
    assert found(into, "title.GM", f"label.{press}", "!fact.consent", join="any") == "AC"
    assert found(into, "title.GM", f"label.{press}") == ""


def test_a_page_offers_every_condition_and_keeps_it_for_files_and_decisions() -> None:
    into = desk()
    ann, _bob = sent(into, "A, X", rating=2100), sent(into, "B, X", rating=1500)
    assert (WORDS_OF_FACTS.keys(), WORDS_OF_TYPED.keys()) == (FACTS.keys(), TYPED.keys())
    label_many(event=into.event, keys=[ann.pk], name="VIP", by=ORGANISER)
    offered = [
        name
        for _title, rows in condition_choices([into], queue(into.event, QueueFilter()).labels)
        for name, _ in rows
    ]
    assert {name.partition(".")[0] for name in offered} == CHOSEN.keys() | TYPED.keys()
    asked = "?pile=check&is=no&what=rating_from&typed=2000&is=yes&what=&typed="
    client = staff(into)
    page = client.get(address(into, asked)).content.decode()
    assert ("B, X" in page, "A, X" in page) == (True, False)
    assert page.count('name="what"') == 3  # the condition, an empty one, and that of the decisions
    assert "A, X" not in client.get(address(into, f"file.csv{asked}")).content.decode()
    typed = {
        "pile": "check",
        "is": "no",
        "what": "rating_from",
        "typed": "2000",
        "all": "1",
        "do": "accept",
    }
    shown = client.post(address(into, "decide/"), typed)
    client.post(address(into, "decide/"), dict(shown.context["sent"]))
    assert list(Registration.objects.order_by("name").values_list("state", flat=True)) == [
        "pending",
        "accepted",
    ]


def test_a_label_has_a_colour_which_stays_until_another_is_chosen() -> None:
    into = desk()
    one = sent(into)
    client = staff(into)
    for colour, expected in (("", "grey"), ("blue", "blue"), ("", "blue"), ("dark", "blue"), ("red", "red")):
        typed = {"do": "label", "name": "VIP", "colour": colour, "chosen": chosen(one)}
        client.post(address(into, "decide/"), typed)
        assert Label.objects.get().colour == expected
    assert '<span class="pill label-red">VIP</span>' in client.get(address(into)).content.decode()


@pytest.mark.parametrize("paid", [0, 1000])
def test_mails_at_the_end_name_the_sum_to_be_repaid(paid: int) -> None:
    into = desk(fee=1000)
    one = sent(into, "A, X")
    if paid:
        charge(registration_id=one.pk, kind="payment", cents=paid, by=ORGANISER)
    move_registration(registration_id=one.pk, to=RegistrationState.REFUSED, by=ORGANISER, reason="Too late")
    body = compose(Mail.objects.get(kind="refused")).body
    assert body.split("\n\n")[2:-2] == ["Too late", *(["To be repaid: 10.00 EUR"] if paid else [])]
    set_mail_text(
        event=into.event, kind="refused", subject="No", body="Sorry.\nYou get {repay} back.\n\n{reason}"
    )
    assert compose(Mail.objects.get(kind="refused")).body.rsplit("\n\n", 2)[0] == (
        f"Sorry.\n{'You get 10.00 EUR back.' * bool(paid)}\n\nToo late".replace("\n\n\n", "\n\n")
    )
    set_mail_text(event=into.event, kind="refused", subject="No", body="Text of before, {reason}")
    assert compose(Mail.objects.get(kind="refused")).body.startswith("Text of before, Too late\n\n")
    assert {kind for kind, text in TEXTS.items() if "%(repay)s" in str(text.body)} == {
        "withdrawn",
        "refused",
        "expired",
    }
