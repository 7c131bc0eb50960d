"""The desk: marks that come late, twice or from two devices; the list that a device keeps; who is missing."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registrations.actions.edits import change_registration
from registrations.actions.money import charge
from registrations.actions.transitions import move_registration
from registrations.models import Charge, HistoryLine, Registration
from registrations.queries.mails import token_of
from registrations.states import RegistrationState
from tests.factories import EventRoleFactory, ParticipantFactory
from tests.registrations.conftest import address, missing_names, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.workbooks import same_rows
from tournaments.actions.presence import check_in, close_check_in
from tournaments.models import Bye, EventRole, Section

pytestmark = pytest.mark.django_db
HOUR = str(60 * 60 * 1000)


def today() -> dict[str, object]:
    return {"start": timezone.localdate(), "end": "2090-10-25"}


def helper(of: Section) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=of.event, role=EventRole.Role.CHECK_IN).user)
    return client


def post(client: Client, one: Registration, **typed: str) -> Any:
    path = address(one.section, f"desk/{one.pk}/")
    return client.post(path, typed, headers={"Accept": "application/json"})


def test_a_mark_that_arrives_twice_is_written_once() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    one, client = sent(into), helper(into)
    typed = {"do": "both", "key": "k1", "owed": "2500", "paid": "2500", "ago": HOUR, "waited": "yes"}
    for _time in range(2):  # the first answer was lost on its way
        answer = post(client, one, **typed)
        assert (answer.status_code, answer.json()["person"][8:]) == (200, [0, into.pk, True])
    one.refresh_from_db()
    assert (one.charges.filter(kind="payment").count(), one.steps.filter(kind="present").count()) == (1, 1)
    assert (timezone.now() - one.present_at).total_seconds() > 3500


def test_a_payment_for_another_sum_than_is_owed_now_is_not_written_and_both_values_are_shown() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    one, client = sent(into, "Abel, Ann"), helper(into)
    charge(registration_id=one.pk, kind="payment", cents=2500, by=ORGANISER)
    answer = post(client, one, do="both", key="k1", owed="2500", paid="2500", ago=HOUR)
    one.refresh_from_db()
    assert (answer.status_code, one.balance, one.present_at is not None) == (409, 0, True)
    [(fact, sentence)] = answer.json()["differs"].items()
    assert fact == "paid"
    assert sentence.startswith(
        "You noted that Abel, Ann paid 25.00 EUR. Meanwhile somebody changed the account"
    )
    assert sentence.endswith("0.00 EUR is owed.")
    # the helper did take the money, and says so
    assert post(client, one, do="paid", key="k2", owed="0", paid="2500").status_code == 200
    one.refresh_from_db()
    assert one.balance == -2500


def test_the_later_of_two_marks_about_presence_counts() -> None:
    into = desk(acceptance="complete", event=today())
    one, late = sent(into), sent(into)
    client, other = helper(into), staff(into)
    post(other, one, do="here")  # opens the check-in
    post(other, one, do="away")
    answer = post(client, one, do="here", key="k1", ago=HOUR, waited="yes")
    assert (answer.status_code, list(answer.json()["differs"])) == (409, ["here"])
    assert "still not here" in answer.json()["differs"]["here"]
    assert post(client, one, do="here", key="k2").status_code == 200
    # the same where there is no check-in
    close_check_in(actor=ORGANISER.actor, section_id=into.pk)
    post(other, late, do="here")
    post(other, late, do="away")
    assert post(client, late, do="here", key="k3", ago=HOUR).status_code == 409
    late.refresh_from_db()
    assert late.present_at is None


def test_a_correction_overwrites_nothing_that_somebody_else_corrected() -> None:
    into = desk(acceptance="complete", event=today())
    one, client = sent(into, "Abel, Ann", club="Old"), helper(into)
    change_registration(registration_id=one.pk, values={"club": "Theirs"}, by=ORGANISER)
    shown = {"shown_name": "Abel, Ann", "shown_federation": "NED", "shown_fide_id": "", "shown_club": "Old"}
    typed = {"name": "Abel, Anne", "federation": "ger", "fide_id": "4711", "club": "Mine"}
    answer = post(client, one, do="correct", key="k1", **shown, **typed)
    one.refresh_from_db()
    assert (answer.status_code, list(answer.json()["differs"])) == (409, ["club"])
    assert "to “Theirs”" in answer.json()["differs"]["club"]
    assert (one.name, one.federation, one.fide_id, one.club) == ("Abel, Anne", "GER", 4711, "Theirs")
    assert one.participant is not None
    assert one.participant.player.name == "Abel, Anne"
    again = post(client, one, do="correct", **{**shown, **typed, "name": ""})
    assert (again.status_code, bool(again.json()["sentence"])) == (422, True)
    # neither rating nor title is corrected at the desk
    rating = one.rating
    post(client, one, do="correct", **shown, **typed, rating="2700", shown_rating=str(rating), title="GM")
    one.refresh_from_db()
    assert (one.rating, one.title) == (rating, "")


def test_the_person_who_noted_a_payment_by_mistake_undoes_it_once() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    one, client = sent(into), helper(into)
    post(client, one, do="both", key="k1", owed="2500")
    post(staff(into), one, do="repay", undoes="k1")  # of another person: nothing
    one.refresh_from_db()
    assert one.balance == 0
    for key in ("k2", "k3"):
        assert post(client, one, do="away", key=key, undoes="k1").status_code == 200
    one.refresh_from_db()
    assert (one.balance, one.present_at, one.paid_at) == (2500, None, None)
    assert list(one.charges.values_list("kind", "cents"))[1:] == [("payment", -2500), ("repayment", 2500)]


def test_marks_of_another_person_or_about_somebody_who_left_are_refused() -> None:
    into = desk(acceptance="complete", event=today())
    one, client = sent(into), helper(into)
    assert post(client, one, do="here", user="0").json() == {"code": "other_user"}
    move_registration(registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    answer = post(client, one, do="here")
    assert (answer.status_code, "changed its state" in answer.json()["sentence"]) == (422, True)
    one.refresh_from_db()
    assert one.present_at is None


def test_the_list_of_a_device_has_what_the_desk_shows_and_then_only_what_has_changed() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    ann = sent(into, "Abel, Ann", fide_id=4711, phone="0611", email="ann@example.org", club="SK")
    bob = sent(into, "Babel, Bob")
    client, path = helper(into), address(into, "desk/people/")
    answer = client.get(path)
    assert "no-store" in answer["Cache-Control"]
    first = answer.json()
    assert first["people"] == [
        [ann.pk, "Abel, Ann", "", "NED", 4711, 1800, into.name, {"club": "SK"}, 2500, into.pk],
        [bob.pk, "Babel, Bob", "", "NED", None, 1800, into.name, {"club": ""}, 2500, into.pk],
    ]
    assert not any(secret in answer.content.decode() for secret in ("0611", "ann@", "1990"))
    assert (first["whole"], first["counts"]["accepted"], first["user"]) == (True, 2, first["user"])
    assert client.get(f"{path}?seen={first['seen']}").status_code == 204
    QuerySet(HistoryLine).filter(registration=ann).update(at=timezone.now() - timezone.timedelta(hours=1))
    Registration.objects.update(created_at=timezone.now() - timezone.timedelta(hours=1))
    move_registration(registration_id=bob.pk, to=RegistrationState.WITHDRAWN, by=ORGANISER)
    check_in_open = post(client, ann, do="here").status_code
    assert check_in_open == 200
    news = client.get(f"{path}?seen={first['seen']}&at={first['at']}").json()
    assert (news["whole"], news["here"], news["gone"]) == (False, [ann.pk], [bob.pk])
    into.refresh_from_db()
    seen = client.get(f"{path}?seen={news['seen']}")
    assert seen.status_code == 204
    cy = sent(into, "Cabel, Cy")
    news = client.get(f"{path}?seen={news['seen']}").json()
    check_in(
        actor=ORGANISER.actor, participant_id=_entry(cy), round_number=1
    )  # the arbiter, on the page Check-in
    assert client.get(f"{path}?seen={news['seen']}").json()["here"] == [ann.pk, cy.pk]


def _entry(one: Registration) -> int:
    entry = Registration.objects.get(pk=one.pk).participant_id
    assert entry is not None
    return entry


def test_list_of_a_device_costs_the_same_queries_for_many() -> None:
    into = desk(acceptance="complete", event=today())
    client, path, costs = helper(into), address(into, "desk/people/"), []
    for _few in range(2):
        for _each in range(3):
            sent(into)
        with CaptureQueriesContext(connection) as made:
            client.get(path)
        costs.append(len(made))
    assert costs[0] == costs[1]


def test_who_is_not_ready_by_section_with_what_is_owed() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    ann, bob, cy, dan = (sent(into, name, phone="0611") for name in ("A, X", "B, X", "C, X", "D, X"))
    other = section(into.event, acceptance="complete")
    sent(other, "E, X")
    ParticipantFactory(
        section=into, player__name="Z, Walked In"
    )  # typed by the arbiter, without a registration
    client = staff(into)
    post(client, ann, do="both", owed="2500")
    check_in_page = client.get(f"/{into.event.slug}/{into.slug}/check-in/").content.decode()
    assert address(into, "missing/") in check_in_page
    post(client, bob, do="here")
    Bye.objects.create(participant_id=_entry(dan), round_number=1, kind="H")
    assert missing_names(client, into) == ["C, X", "Z, Walked In", "B, X", "E, X"]
    assert client.get(address(into, "desk/")).context["counts"] == {"accepted": 4, "present": 2, "ready": 1}
    page, file = client.get(address(into, "missing/")).content.decode(), address(into, "missing/file.csv")
    assert ("25.00" in page, "0611" in page, f"?q={cy.pk}" in page) == (True, True, True)
    assert client.get(file).content.decode("utf-8-sig").splitlines()[1].endswith(";25.00;0.00;EUR;0611;")
    same_rows(client, file, file.replace("csv", "xlsx"))
    assert b"0611" not in helper(into).get(address(into, "missing/")).content + helper(into).get(file).content


def test_sheet_and_check_in_list_have_what_is_owed_and_paid_with_totals_for_those_who_see_fees() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    free = section(into.event, acceptance="complete")
    ann, bob, _cy = (sent(into, name) for name in ("A, X", "B, X", "C, X"))
    sent(free, "D, X")
    charge(registration_id=ann.pk, kind="payment", cents=2500, by=ORGANISER)
    charge(registration_id=bob.pk, kind="payment", cents=1050, by=ORGANISER)
    charge(registration_id=bob.pk, kind="repayment", cents=50, by=ORGANISER)

    def cells(client: Client, path: str) -> list[list[str]]:
        table = client.get(path).text.split('<table class="doc tick-doc')[1].split("</table>")[0]
        rows = [re.findall(r"<t[dh].*?>(.*?)</t[dh]>", row, re.DOTALL) for row in table.split("<tr")[1:]]
        return [[" ".join(re.sub(r"<[^>]+>", "", cell).split()) for cell in row] for row in rows]

    listed = f"/{into.event.slug}/{into.slug}/print/check-in/"
    assert cells(staff(into), listed) == [
        ["Present", "Name", "Owed EUR", "Paid EUR"],
        ["", "A, X", "", "25.00"],
        ["", "B, X", "15.00", "10.00"],
        ["", "C, X", "25.00", ""],
        ["", "Total EUR", "40.00", "35.00"],
    ]
    table = staff(into).get(f"/{into.event.slug}/{into.slug}/csv/check-in/").text.splitlines()
    assert [row.split(";")[-3:] for row in table[:3]] == [
        ["Owed", "Paid", "Currency"],
        ["0", "25", "EUR"],
        ["15", "10", "EUR"],
    ]
    for client in (staff(into), helper(into)):
        head, *people, total = cells(client, address(into, "missing/"))
        assert [row[5:7] for row in (head, *people)] == [
            ["Owed EUR", "Paid EUR"],
            ["", "25.00"],
            ["15.00", "10.00"],
            ["25.00", ""],
        ]
        assert total[:5] == ["", "Total EUR", "", "40.00", "35.00"]
        page = " ".join(client.get(address(into, "missing/")).text.split())
        assert "All accepted players: 35.00 EUR paid, 40.00 EUR owed" in page
    of_section = Client()
    of_section.force_login(EventRoleFactory(event=into.event, section=into, role=EventRole.Role.ARBITER).user)
    assert cells(of_section, listed)[0] == ["Present", "Name", "Fed", "Rating"]
    assert "Owed" not in staff(free).get(f"/{free.event.slug}/{free.slug}/print/check-in/").text
    Charge.objects.all()._raw_delete("default")
    assert "Owed" not in staff(into).get(address(into, "missing/")).text


def test_fees_of_chosen_entries_are_paid_in_one_press_and_undone_in_one() -> None:
    into = desk(fee=2500, acceptance="complete", event=today())
    ann, bob, _cy = (sent(into, name) for name in ("A, X", "B, X", "C, X"))
    charge(registration_id=bob.pk, kind="payment", cents=1000, by=ORGANISER)
    client, entries = staff(into), f"/{into.event.slug}/{into.slug}/entries/"
    way = address(into, f"paid/{into.slug}/")
    assert f'formaction="{way}"' in client.get(entries).text
    chosen = {"player": [_entry(one) for one in (ann, bob)]}
    asked = client.post(way, chosen).text
    assert ("A, X&ensp;25.00 EUR" in asked, "B, X&ensp;15.00 EUR" in asked, "C, X" in asked) == (
        True,
        True,
        False,
    )
    assert "Fees paid&ensp;40.00 EUR" in asked

    def owed() -> list[int]:
        return list(Registration.objects.order_by("name").values_list("balance", flat=True))

    assert client.post(way, {**chosen, "total": "3999"}).status_code == 200  # it has changed since
    assert owed() == [2500, 1500, 2500]
    page = client.post(way, {**chosen, "total": "4000"}, follow=True).text
    assert (owed(), "Fees paid: 40.00 EUR" in page) == ([0, 0, 2500], True)
    assert "The chosen players owe nothing." in client.get(way, chosen, follow=True).text
    [undo] = re.findall(r'action="([^"]*[?]first=[^"]*)"', page)
    for _again in range(2):
        client.post(unescape(undo))
        assert owed() == [2500, 1500, 2500]
    assert helper(into).post(way, {**chosen, "total": "4000"}).status_code == 403


def test_code_that_a_phone_or_a_scanner_with_another_keyboard_reads_leads_to_the_player() -> None:
    into = desk(acceptance="complete", event=today())
    one, client = sent(into), helper(into)
    garbled = f"https>&&hall.example&x&ß&entry&{token_of(one).replace('-', 'ß')}&"
    rows = client.get(address(into, "desk/"), {"q": garbled}).context["rows"]
    assert [row.pk for row in rows] == [one.pk]
    link = f"/{into.event.slug}/-/entry/{token_of(one)}/"
    assert client.get(link).url == address(into, f"desk/?q={one.pk}")
    assert Client().get(link).url == f"/{into.event.slug}/-/entry/"
    into.event.start = timezone.localdate() + timezone.timedelta(days=2)
    into.event.save()
    assert client.get(link).url == f"/{into.event.slug}/-/entry/"
