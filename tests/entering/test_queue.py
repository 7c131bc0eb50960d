"""The organiser's queue and the desk: piles, filters, decisions, the file, and how many queries they cost."""

from __future__ import annotations

import logging
from uuid import uuid4

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from django.test.utils import CaptureQueriesContext

from config.console import WithoutSecrets
from entering.actions.changing import change, label_many
from entering.actions.desk import PLAYER
from entering.actions.moving import move
from entering.machine import State
from entering.models import Charge, Label, Mail, Registration
from entering.queries.links import token_of
from entering.queries.queue import QueueFilter, queue
from tests.entering.factories import ORGANISER, desk, section, sent
from tests.factories import EventRoleFactory
from tests.workbooks import same_rows
from tournaments.actions.presence import check_in, close_check_in, missing_players, open_check_in
from tournaments.models import EventRole, Participant, Section

pytestmark = pytest.mark.django_db


def staff(of: Section) -> Client:
    client = Client()
    client.force_login(EventRoleFactory(event=of.event).user)
    return client


def address(of: Section, page: str = "") -> str:
    return f"/{of.event.slug}/-/registration/{page}"


def chosen(*ones: Registration) -> list[str]:
    return [f"{one.pk}:{Registration.objects.get(pk=one.pk).revision}" for one in ones]


def names(of: Section, **asked: str) -> list[str]:
    return [row.one.name[0] for row in queue(of.event, QueueFilter.read(asked)).rows]


def test_each_pile_has_its_registrations() -> None:
    into = desk(fee=1000, capacity=5)
    ann, bob, cy, _dan, eve, _fay = (sent(into, f"{name}, X") for name in "ABCDEF")
    sent(section(into.event), "G, X", rating=None)
    move(registration_id=ann.pk, to=State.ACCEPTED, by=ORGANISER)
    change(registration_id=ann.pk, values={"name": "A, New"}, by=PLAYER)
    move(registration_id=bob.pk, to=State.CORRECTION, by=ORGANISER, reason="Club?")
    move(registration_id=cy.pk, to=State.WITHDRAWN, by=PLAYER)
    Charge.objects.filter(registration=cy).delete()
    Registration.objects.filter(pk=cy.pk).update(balance=-500)
    Mail.objects.filter(registration=eve).update(state="failed")
    piles = queue(into.event, QueueFilter()).piles
    assert piles == {
        "check": 3, "fine": 2, "changed": 1, "waiting": 1, "player": 1, "owed": 1, "repay": 1, "unwritten": 0,
        "mail": 1, "accepted": 1, "over": 1, "all": 7,
    }  # fmt: skip
    assert names(into, pile="check") == ["D", "E", "G"]
    assert names(into, pile="mail") == ["E"]
    assert names(into, pile="check", section=str(into.pk), sort="name") == ["D", "E"]


def test_search_and_labels_filter_in_the_database() -> None:
    into = desk()
    one, two = sent(into, "Müller, Jan", fide_id=4711), sent(into, "Kowalska, Ewa", email="ewa@example.org")
    for words in ("muller", "jan mul", "4711"):
        assert names(into, q=words) == ["M"]
    assert names(into, q="ewa@example") == ["K"]
    label_many(event=into.event, keys=[one.pk], name="VIP")
    label = Label.objects.get()
    assert (names(into, label=str(label.pk)), names(into, label=f"-{label.pk}")) == (["M"], ["K"])
    label_many(event=into.event, keys=[one.pk, two.pk], name="VIP", on=False)
    assert not Label.objects.exists()
    assert names(into, page="2") == []


def test_a_press_accepts_the_chosen_and_says_who_stays_and_why() -> None:
    into = desk()
    ann, bob = sent(into, "A, X"), sent(into, "B, X", rating=None)
    answer = staff(into).post(
        address(into, "decide/"), {"do": "accept", "chosen": chosen(ann, bob), "pile": "check"}, follow=True
    )
    page = answer.content.decode()
    assert "1 registration decided." in page
    assert "B, X stays: B, X needs a rating." in page
    assert [entry.player.name for entry in Participant.objects.select_related("player")] == ["A, X"]


def test_stale_row_is_not_decided() -> None:
    into = desk()
    one = sent(into)
    seen = chosen(one)
    change(registration_id=one.pk, values={"club": "SK"}, by=PLAYER)
    staff(into).post(address(into, "decide/"), {"do": "accept", "chosen": seen})
    assert Registration.objects.get().state == State.PENDING


def test_all_that_are_fine_are_accepted_in_one_press_if_the_count_is_as_shown() -> None:
    into, client = desk(), None
    for name in "ABC":
        sent(into, f"{name}, X")
    sent(into, "D, X", message="Please call me")
    client = staff(into)
    client.post(address(into, "decide/"), {"do": "accept", "pile": "fine", "all": "2"})
    assert not Participant.objects.exists()
    client.post(address(into, "decide/"), {"do": "accept", "pile": "fine", "all": "3"})
    assert (Participant.objects.count(), into.log.count()) == (3, 1)
    ones = Registration.objects.filter(state=State.ACCEPTED)
    client.post(address(into, "decide/"), {"do": "undo", "chosen": chosen(*ones)})
    assert not Participant.objects.exists()


@pytest.mark.parametrize(
    ("do", "more", "state"),
    [
        ("refuse", {"reason": "Too late"}, "refused"),
        ("refuse", {}, "pending"),
        ("correct", {"reason": "Club?"}, "correction"),
        ("wait", {}, "waiting"),
        ("withdraw", {}, "withdrawn"),
    ],
)
def test_other_decisions(do: str, more: dict[str, str], state: str) -> None:
    into = desk()
    one = sent(into)
    staff(into).post(address(into, "decide/"), {"do": do, "chosen": chosen(one), **more})
    assert Registration.objects.get().state == state


def test_posts_that_are_stale_or_made_up_are_refused() -> None:
    into = desk()
    one = sent(into, byes=(2,))
    client, huge = staff(into), "9" * 23
    for typed in ({"do": "accept", "chosen": f"{huge}:1"}, {"do": "undo", "chosen": f"{one.pk}:{huge}"}):
        assert client.post(address(into, "decide/"), typed).status_code == 302
    client.post(address(into, "decide/"), {"do": "move", "to": huge, "chosen": chosen(one)})
    page = address(into, f"{one.pk}/")
    one.byes.all().delete()  # the player plays after all
    for number in ("2", huge):
        answer = client.post(page, {"do": "grant", "round": number})
        assert (answer.status_code, "Nothing was done." in answer.content.decode()) == (409, True)
    one.refresh_from_db()
    assert (one.state, one.section_id) == (State.PENDING, into.pk)


def test_chosen_move_to_another_section() -> None:
    into = desk()
    other, one = section(into.event), sent(into)
    staff(into).post(address(into, "decide/"), {"do": "move", "to": other.pk, "chosen": chosen(one)})
    assert Registration.objects.get().section == other


def test_queue_costs_the_same_queries_for_many() -> None:
    into = desk()
    client = staff(into)

    def cost() -> int:
        with CaptureQueriesContext(
            connection,
        ) as made:
            assert client.get(address(into)).status_code == 200
        return len(
            [one for one in made if "session" not in one["sql"] and 'tournaments_user"' not in one["sql"]]
        )

    sent(into)
    few = cost()
    for number in range(12):
        label_many(event=into.event, keys=[sent(into, byes=(1,)).pk], name=f"label {number % 3}")
    assert (cost(), few <= 9) == (few, True)


def test_desk_and_check_in_say_the_same() -> None:
    into = desk(acceptance="complete")
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    client = staff(into)
    client.post(address(into, f"desk/{ann.pk}/"), {"do": "here"})
    into.refresh_from_db()
    assert into.check_in_round == 1
    assert [player.player.name for player in missing_players(into, 1)] == ["B, X"]
    check_in(
        actor=ORGANISER.actor,
        participant_id=Registration.objects.get(pk=bob.pk).participant_id,
        round_number=1,
    )
    assert client.get(address(into, "desk/")).context["counts"] == {"accepted": 2, "present": 2, "ready": 2}
    client.post(address(into, f"desk/{ann.pk}/"), {"do": "away"})
    assert [player.player.name for player in missing_players(into, 1)] == ["A, X"]
    assert [one.name for one in client.get(address(into, "desk/?show=missing")).context["rows"]] == ["A, X"]


def test_desk_does_not_open_a_check_in_that_the_arbiter_has_closed() -> None:
    into = desk(acceptance="complete")
    one = sent(into)
    open_check_in(actor=ORGANISER.actor, section_id=into.pk, after_round=0)
    close_check_in(actor=ORGANISER.actor, section_id=into.pk)
    client = staff(into)
    client.post(address(into, f"desk/{one.pk}/"), {"do": "here"})
    into.refresh_from_db()
    assert into.check_in_round is None
    assert client.get(address(into, "desk/")).context["counts"] == {"accepted": 1, "present": 1, "ready": 1}


def test_page_of_a_registration_saves_pays_notes_and_takes_changes() -> None:
    into = desk(fee=1000, acceptance="complete")
    one = sent(into, "Old, Name")
    client, page = staff(into), address(into, f"{one.pk}/")
    change(registration_id=one.pk, values={"name": "New, Name"}, by=PLAYER)
    assert "New, Name" in client.get(page).content.decode()
    client.post(page, {"do": "take"})
    client.post(page, {"do": "payment", "amount": "4,50"})
    client.post(page, {"do": "note", "text": "Comes late"})
    assert client.post(page, {"do": "payment", "amount": "-1"}).status_code == 422
    one = Registration.objects.get()
    assert (one.name, one.balance, one.notes.get().text) == ("New, Name", 550, "Comes late")
    form = {
        "do": "edit",
        "revision": one.revision,
        "name": "Newer, Name",
        "rating": "1900",
        "email": "n@example.org",
    }
    assert client.post(page, form).status_code == 302
    assert client.post(page, form).status_code == 409
    assert Participant.objects.get().rating == 1900
    former = token_of(one)
    client.post(page, {"do": "link"})
    assert token_of(Registration.objects.get()) != former


def test_desk_finds_by_letters_or_code_and_notes_presence_and_payment_at_once() -> None:
    into = desk(fee=1000, acceptance="complete")
    ann, bob = sent(into, "Abel, Ann"), sent(into, "Babel, Bob")
    client, page = staff(into), address(into, "desk/")
    assert "Abel, Ann" in client.get(f"{page}?q=abe").content.decode()
    scanned = client.get(f"{page}?q=https://x.example/{into.event.slug}/-/entry/{token_of(bob)}/")
    assert [one.name for one in scanned.context["rows"]] == ["Babel, Bob"]
    client.post(f"{page}{ann.pk}/", {"do": "both"})
    one = Registration.objects.get(pk=ann.pk)
    assert (one.present_at is not None, one.balance) == (True, 0)
    missing = client.get(f"{page}?show=missing")
    assert [one.name for one in missing.context["rows"]] == ["Babel, Bob"]
    assert missing.context["counts"] == {"accepted": 2, "present": 1, "ready": 1}
    client.post(f"{page}{ann.pk}/", {"do": "away"})
    assert Registration.objects.get(pk=ann.pk).present_at is None


def test_file_has_what_the_filter_finds_and_no_formula() -> None:
    into = desk()
    sent(into, "Lovelace, Ada", message="=1+1", byes=(2,))
    sent(into, "Other, One")
    text = staff(into).get(address(into, "file.csv?q=love")).content.decode("utf-8-sig")
    same_rows(staff(into), address(into, "file.csv?q=love"), address(into, "file.xlsx?q=love"))
    lines = text.split("\r\n")
    assert (len(lines), lines[1].split(";")[0], "'=1+1" in lines[1]) == (3, "Lovelace, Ada", True)


def test_event_without_registration_leads_to_its_settings() -> None:
    into = desk()
    into.event.registration.delete()
    assert staff(into).get(address(into)).url.endswith("/registration/settings/")


LIST = """Last name;First name;Sex;Title;Federation;FIDE ID;Rating;Birth date;Club;E-mail;Half-point bye in round
Menon;Vivek;M;;IND;81241687;1764;1989/01/08;;vivek@example.org;
D'Angelo;Chiara;W;;ITA;;1398;1999/09/19;SK;chiara@example.org;2
Twice;One;M;;ITA;81241687;1398;1999/09/19;;;
Wrong;Date;M;;ITA;;1398;31/31/1999;;;
"""


def test_rows_of_a_file_wait_to_be_checked_and_others_say_why() -> None:
    into = desk()
    file = SimpleUploadedFile("list.csv", LIST.encode())
    answer = staff(into).post(address(into, "upload/"), {"section": into.pk, "file": file, "consent": "on"})
    rows = Registration.objects.order_by("pk").values_list("name", "state", "email", "birth_date", "consent")
    assert list(rows) == [
        ("Menon, Vivek", "pending", "vivek@example.org", "1989/01/08", True),
        ("D'Angelo, Chiara", "pending", "chiara@example.org", "1999/09/19", True),
    ]
    assert list(Registration.objects.get(club="SK").byes.values_list("round_number", flat=True)) == [2]
    assert [number for number, _name, _reason in answer.context["refused"]] == [4, 5]


def upload(client: Client, into: Section, **more: str) -> HttpResponse:
    file = SimpleUploadedFile("list.csv", LIST.encode())
    return client.post(address(into, "upload/"), {"section": into.pk, "file": file, **more})


@pytest.mark.parametrize("key", [True, False], ids=["same form", "another form"])
def test_a_file_that_is_sent_twice_takes_nobody_twice(key: bool) -> None:
    into = desk(capacity=1)
    client = staff(into)
    typed = {"form_key": str(uuid4())} if key else {}
    page = upload(client, into, **typed).content.decode()
    assert "2 registrations are taken. 1 waits to be checked. 1 is on the waiting list" in page
    answer = upload(client, into, **typed)
    assert Registration.objects.count() == 2
    assert (
        "0 registrations are taken. 2 people of the file were registered already." in answer.content.decode()
    )


def test_the_same_form_takes_nobody_twice_whose_name_was_corrected_meanwhile() -> None:
    into = desk()
    client, key = staff(into), str(uuid4())
    upload(client, into, form_key=key)
    one = Registration.objects.get(club="SK")
    change(registration_id=one.pk, values={"name": "Angelo, Chiara"}, by=ORGANISER)
    upload(client, into, form_key=key)
    assert Registration.objects.count() == 2


def test_mails_of_a_file_wait_until_the_organiser_sends_them() -> None:
    into = desk()
    client = staff(into)
    upload(client, into)
    assert not Mail.objects.exists()
    ones = Registration.objects.order_by("pk")
    assert names(into, pile="unwritten") == ["M", "D"]
    client.post(address(into, "decide/"), {"do": "write", "pile": "unwritten", "chosen": chosen(ones[0])})
    assert list(Mail.objects.values_list("registration", "kind")) == [(ones[0].pk, "pending")]
    answer = client.post(address(into, "decide/"), {"do": "write", "pile": "all", "all": "2"}, follow=True)
    assert (Mail.objects.count(), names(into, pile="unwritten")) == (2, [])
    assert "1 mail is on its way." in answer.content.decode()


@pytest.mark.parametrize(
    "asked", [{"do": "dance"}, {"do": ""}, {"do": "move", "to": ""}, {"do": "label", "name": " "}]
)
def test_what_did_nothing_says_so(asked: dict[str, str]) -> None:
    into = desk()
    one = sent(into)
    client = staff(into)
    answer = client.post(address(into, "decide/"), {"chosen": chosen(one), **asked}, follow=True)
    [message] = answer.context["messages"]
    assert str(message).startswith("Nothing was done.")


def test_undo_without_a_choice_undoes_the_last_decision_of_this_person() -> None:
    into = desk()
    ann, bob = sent(into, "A, X"), sent(into, "B, X")
    client, other = staff(into), staff(into)
    client.post(address(into, "decide/"), {"do": "wait", "chosen": chosen(ann)})
    other.post(address(into, "decide/"), {"do": "wait", "chosen": chosen(bob)})
    client.post(address(into, "decide/"), {"do": "undo"})
    assert names(into, pile="check") == ["A"]
    answer = client.post(address(into, "decide/"), {"do": "undo"}, follow=True)
    assert str(list(answer.context["messages"])[-1]) == "Choose registrations first."


def test_organiser_erases_a_registration_without_an_entry() -> None:
    into = desk()
    one = sent(into, "Lovelace, Ada")
    owner = Client()
    owner.force_login(EventRoleFactory(event=into.event, role=EventRole.Role.OWNER).user)
    page = address(into, f"{one.pk}/erase/")
    assert staff(into).post(page, {"name": one.name}).status_code == 403
    owner.post(page, {"name": "Somebody"})
    assert Registration.objects.get().name == "Lovelace, Ada"
    owner.post(page, {"name": "Lovelace, Ada"})
    erased = Registration.objects.get()
    assert (erased.name, erased.email, erased.state) == ("Erased registration 1", "", "withdrawn")


def test_console_has_no_secret_of_a_personal_link() -> None:
    line = logging.LogRecord("django", 40, "", 0, "Failed: %s", ("/open/-/entry/12-abc/",), None)
    assert WithoutSecrets().filter(line)
    assert line.getMessage() == "Failed: /open/-/entry/.../"
