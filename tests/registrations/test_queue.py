"""The organiser's queue and the desk: piles, filters, decisions, the file, and how many queries they cost."""

from __future__ import annotations

import logging

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registrations.actions.edits import add_note, change_registration, label_many
from registrations.actions.event_lock import PLAYER
from registrations.actions.transitions import move_registration
from registrations.models import Charge, Label, Mail, Registration
from registrations.queries.mails import token_of
from registrations.queries.queue import QueueFilter, queue
from registrations.states import RegistrationState
from server.console import WithoutSecrets
from tests.factories import EventRoleFactory
from tests.registrations.conftest import address, chosen, missing_names, names, staff
from tests.registrations.factories import ORGANISER, desk, section, sent
from tests.workbooks import same_rows
from tournaments.actions.presence import check_in, close_check_in, missing_players, open_check_in
from tournaments.files.personal_data import person_values
from tournaments.models import EventRole, Participant

pytestmark = pytest.mark.django_db


def test_each_pile_has_its_registrations() -> None:
    into = desk(fee=1000, capacity=5)
    ann, bob, cy, _dan, eve, _fay = (sent(into, f"{name}, X") for name in "ABCDEF")
    sent(section(into.event), "G, X", rating=None)
    move_registration(registration_id=ann.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    change_registration(registration_id=ann.pk, values={"name": "A, New"}, by=PLAYER)
    move_registration(registration_id=bob.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="Club?")
    move_registration(registration_id=cy.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    QuerySet(Charge).filter(registration=cy).delete()
    Registration.objects.filter(pk=cy.pk).update(balance=-500)
    Mail.objects.filter(registration=eve).update(state="failed")
    piles = queue(into.event, QueueFilter()).piles
    assert piles == {
        "check": 3, "fine": 2, "changed": 1, "listed": 0, "unlisted": 0, "waiting": 1, "player": 1, "owed": 1,
        "repay": 1, "unwritten": 0, "mail": 1, "accepted": 1, "over": 1, "all": 7,
    }  # fmt: skip
    assert names(into, pile="check") == ["D", "E", "G"]
    assert names(into, pile="mail") == ["E"]
    assert names(into, pile="check", section=str(into.pk), sort="name") == ["D", "E"]


def test_an_answered_correction_is_on_top_with_what_was_asked_and_keeps_its_time() -> None:
    into = desk()
    _ann, bob, cy = (sent(into, f"{name}, X") for name in "ABC")
    time = Registration.objects.get(pk=cy.pk).queued_at
    for one in (bob, cy):
        move_registration(
            registration_id=one.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="Which club?"
        )
    change_registration(registration_id=cy.pk, values={"club": "SK"}, by=PLAYER)
    move_registration(
        registration_id=bob.pk, to=RegistrationState.PENDING, by=ORGANISER
    )  # nobody has answered
    for pile in ("check", "fine"):
        assert names(into, pile=pile) == ["C", "A", "B"]
    assert names(into, sort="name") == ["A", "B", "C"]
    page = staff(into).get(address(into)).content.decode()
    assert (page.count("Which club?"), ">answered<" in page) == (1, True)
    assert Registration.objects.get(pk=cy.pk).queued_at == time
    public = Client().get(f"/{into.event.slug}/entry/{token_of(cy)}/", follow=True).content.decode()
    assert "Which club?" not in public
    move_registration(
        registration_id=cy.pk, to=RegistrationState.CORRECTION, by=ORGANISER, reason="And the title?"
    )
    move_registration(registration_id=cy.pk, to=RegistrationState.PENDING, by=ORGANISER)
    assert names(into, pile="check") == ["A", "B", "C"]


def test_search_and_labels_filter_in_the_database() -> None:
    into = desk()
    one, two = sent(into, "Müller, Jan", fide_id=4711), sent(into, "Kowalska, Ewa", email="ewa@example.org")
    for words in ("muller", "jan mul", "4711"):
        assert names(into, q=words) == ["M"]
    assert names(into, q="ewa@example") == ["K"]
    label_many(event=into.event, keys=[one.pk], name="VIP", by=ORGANISER)
    label = Label.objects.get()
    assert (names(into, label=str(label.pk)), names(into, label=f"-{label.pk}")) == (["M"], ["K"])
    label_many(event=into.event, keys=[one.pk, two.pk], name="VIP", on=False, by=ORGANISER)
    assert not Label.objects.exists()
    assert names(into, page="2") == []


def test_a_press_accepts_the_chosen_and_says_who_stays_and_why() -> None:
    into = desk()
    ann, bob = sent(into, "A, X"), sent(into, "B, X", rating=None)
    answer = staff(into).post(
        address(into, "decide/"), {"do": "accept", "chosen": chosen(ann, bob), "pile": "check"}, follow=True
    )
    page = answer.content.decode()
    assert "1 registration accepted." in page
    assert "B, X stays: B, X needs a rating." in page
    assert [entry.player.name for entry in Participant.objects.select_related("player")] == ["A, X"]


def test_stale_row_is_not_decided() -> None:
    into = desk()
    one = sent(into)
    seen = chosen(one)
    change_registration(registration_id=one.pk, values={"club": "SK"}, by=PLAYER)
    staff(into).post(address(into, "decide/"), {"do": "accept", "chosen": seen})
    assert Registration.objects.get().state == RegistrationState.PENDING


def test_all_that_are_fine_are_accepted_in_one_press_if_the_count_is_as_shown() -> None:
    into, client = desk(), None
    for name in "ABC":
        sent(into, f"{name}, X")
    sent(into, "D, X", message="Please call me")
    client = staff(into)
    client.post(address(into, "decide/"), {"do": "accept", "pile": "fine", "all": "2"})
    assert not Participant.objects.exists()
    shown = client.post(address(into, "decide/"), {"do": "accept", "pile": "fine", "all": "3"})
    client.post(address(into, "decide/"), dict(shown.context["sent"]))
    assert (Participant.objects.count(), into.log.count()) == (3, 1)
    ones = Registration.objects.filter(state=RegistrationState.ACCEPTED)
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
    assert (one.state, one.section_id) == (RegistrationState.PENDING, into.pk)


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
        label_many(
            event=into.event, keys=[sent(into, byes=(1,)).pk], name=f"label {number % 3}", by=ORGANISER
        )
    assert (cost(), few <= 6) == (few, True)  # 8 with the session and the login


def test_desk_and_check_in_say_the_same() -> None:
    into = desk(acceptance="complete", event={"start": timezone.localdate(), "end": "2090-10-25"})
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
    assert missing_names(client, into) == ["A, X"]


def test_desk_does_not_open_a_check_in_that_the_arbiter_has_closed() -> None:
    into = desk(acceptance="complete", event={"start": timezone.localdate(), "end": "2090-10-25"})
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
    change_registration(registration_id=one.pk, values={"name": "New, Name"}, by=PLAYER)
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
    entry = Participant.objects.select_related("player").get()
    assert (entry.rating, entry.rating_source) == (1900, "typed")
    [kept] = person_values(entry.player)["registrations"]
    assert (kept["email"], kept["notes"][0][1]) == ("n@example.org", "Comes late")
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
    cy = sent(into, "Cabel, Cy", rating=None, fide_id=bob.pk + 1000)
    for code in (cy.pk, cy.fide_id):  # a number of this event goes before FIDE IDs
        page_of_cy = client.get(f"{page}?q={code}")
        assert [one.name for one in page_of_cy.context["rows"]] == (["Cabel, Cy"] if code == cy.pk else [])
    assert "number 99" not in client.get(f"{page}?q={'9' * 30}").content.decode()
    page_of_cy = client.get(f"{page}?q={cy.pk}").content.decode()
    assert ("to check" in page_of_cy, 'value="here"' in page_of_cy) == (True, False)
    move_registration(registration_id=cy.pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    client.post(f"{page}{ann.pk}/", {"do": "both"})
    one = Registration.objects.get(pk=ann.pk)
    assert (one.present_at is not None, one.balance) == (True, 0)
    assert missing_names(client, into) == ["Babel, Bob"]
    assert client.get(page).context["counts"] == {"accepted": 2, "present": 1, "ready": 1}
    client.post(f"{page}{ann.pk}/", {"do": "away"})
    assert Registration.objects.get(pk=ann.pk).present_at is None


def test_file_has_what_the_filter_finds_and_no_formula() -> None:
    into = desk()
    ada = sent(into, "Lovelace, Ada", message="=1+1", byes=(2,))
    add_note(event=into.event, registration_id=ada.pk, by=ORGANISER, text="Comes late")
    Registration.objects.update(paid_at=ada.created_at)
    sent(into, "Other, One")
    text = staff(into).get(address(into, "file.csv?q=love")).content.decode("utf-8-sig")
    same_rows(staff(into), address(into, "file.csv?q=love"), address(into, "file.xlsx?q=love"))
    lines = text.split("\r\n")
    assert (len(lines), lines[1].split(";")[0], "'=1+1" in lines[1]) == (3, "Lovelace, Ada", True)
    day = timezone.localdate(ada.created_at).isoformat()
    assert lines[1].split(";")[-3:] == ["Comes late", day, day]


def test_event_without_registration_leads_to_its_settings() -> None:
    into = desk()
    into.event.registration.delete()
    assert staff(into).get(address(into)).url.endswith("/registration/settings/")


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


def test_the_organiser_orders_the_waiting_list_by_hand() -> None:
    into = desk(capacity=1)
    ones = [sent(into, f"{name}, X") for name in "ABCDE"]
    client = staff(into)

    def put(number: str, *which: int) -> str:
        typed = {"do": "order", "number": number, "chosen": chosen(*(ones[each] for each in which))}
        return client.post(
            address(into, "decide/"), {**typed, "pile": "waiting"}, follow=True
        ).content.decode()

    assert "2 registrations put at number 1 of the waiting list." in put("1", 3, 4)
    assert names(into, pile="waiting") == ["D", "E", "B", "C"]
    sent(into, "F, X")
    put("3", 3)
    assert names(into, pile="waiting") == ["E", "B", "D", "C", "F"]
    assert "Choose people who wait for the same section." in put("1", 0)
    assert "Type the number in the waiting list." in put("x", 1)
    move_registration(registration_id=ones[0].pk, to=RegistrationState.WITHDRAWN, by=PLAYER)
    assert Registration.objects.get(state=RegistrationState.OFFERED).name == "E, X"
    put("0", 1)
    assert names(into, pile="waiting", sort="time")[-1] == "F"
    assert Registration.objects.filter(position__isnull=False, state=RegistrationState.WAITING).count() == 0


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


def test_enter_in_a_reason_accepts_nobody() -> None:
    """Enter presses the first button of a form, and no button if that one is disabled."""
    into = desk()
    one = sent(into, "A, X")
    client = staff(into)
    for page in (address(into), address(into, f"{one.pk}/")):
        html = client.get(page).content.decode()
        form = next(each for each in html.split("<form")[1:] if 'name="reason"' in each.split("</form>")[0])
        assert form.partition("<button")[2].startswith(" disabled hidden>")
