"""Very many forms are kept and marked, not lost; a form that waited too long keeps what was typed."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core import mail as outbox
from django.test import Client
from django.utils import timezone

from entering.actions.mails import send_mails
from entering.machine import State
from entering.models import Registration
from entering.web.forms import public
from entering.web.words.mails import compose
from tests.entering.conftest import address, chosen, names, staff
from tests.entering.factories import desk, sent
from tests.entering.test_form import TYPED, fill, stamp
from tournaments.models import Section

pytestmark = pytest.mark.django_db
FORM = "entering.web.public.form"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public, "QUICKEST", timedelta(seconds=-1))


def _mailed() -> int:
    outbox.outbox.clear()
    return send_mails(compose)


@pytest.mark.parametrize("most", ["MOST_AN_HOUR", "MOST_OF_EVENT"])
@pytest.mark.parametrize("confirm", [True, False])
def test_a_form_above_the_limit_waits_for_the_organiser_without_a_place_or_a_mail(
    monkeypatch: pytest.MonkeyPatch, most: str, confirm: bool
) -> None:
    monkeypatch.setattr(f"{FORM}.{most}", 1)
    into = desk(confirm=confirm, capacity=1, longest_list=5)
    fill(into)
    answer = fill(into, name="Many, Ada", email="many@example.org")
    assert answer.url.endswith("/-/register/sent/?held=1")
    assert "Your registration is kept" in Client().get(answer.url).content.decode()
    one = Registration.objects.get(name="Many, Ada")
    assert (one.state, one.takes_place, one.deadline) == (State.SUBMITTED, False, None)
    assert "many_forms" in one.problem_codes
    assert _mailed() == 1
    assert names(into, pile="unwritten") == ["M"]
    page = staff(into)
    shown = page.get(address(into, "?pile=unwritten")).content.decode()
    assert "one of very many forms" in shown
    form = {"do": "write", "pile": "unwritten", "chosen": chosen(one)}
    page.post(address(into, "decide/"), form)
    assert _mailed() == 1
    assert outbox.outbox[0].to == ["many@example.org"]
    one.refresh_from_db()
    assert one.deadline > timezone.now()


def test_the_limit_of_an_address_is_for_one_event(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{FORM}.MOST_AN_HOUR", 1)
    for into in (desk(), desk()):
        fill(into)
    assert not Registration.objects.filter(deadline=None, state=State.SUBMITTED).exists()


def test_far_too_many_requests_are_refused_and_keep_what_was_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{FORM}.MOST_POSTS", 0)
    answer = fill(desk())
    assert (answer.status_code, Registration.objects.count()) == (422, 0)
    assert 'value="Lovelace, Ada"' in answer.content.decode()


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
    monkeypatch.setattr("entering.actions.mails.AT_ONCE", 2)
    large, small = desk(), desk()
    for number in (1, 2, 3):
        sent(large, email=f"large{number}@example.org")
    sent(small, email="small@example.org")
    assert _mailed() == 2
    assert [message.to for message in outbox.outbox] == [["large1@example.org"], ["small@example.org"]]
