"""Once round 1 of a section is paired, only an arbiter enters players, by whatever way. An organiser's player waits."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from django.test import Client

from registrations.actions.event_lock import RegistrationActor
from registrations.actions.transitions import move_many, move_registration
from registrations.models import EventRegistration, Registration, SectionRegistration
from registrations.states import Hand, RegistrationState
from tests.api.v1.program import Program
from tests.factories import EventRoleFactory, ParticipantFactory, UserFactory, section_of
from tests.registrations.factories import sent
from tests.web.staff.conftest import address, paired
from tournaments.actions.entries import import_entries, remove_participant
from tournaments.actions.ledger import Actor
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import DomainError
from tournaments.models import EventRole, Participant, Section, User

pytestmark = [pytest.mark.django_db, pytest.mark.one_database]
NAME = "Late, Lia"


@pytest.fixture
def section() -> Section:
    """Six players, an organiser who is no arbiter, and a chief arbiter."""
    made = section_of(6, name="A", slug="a")
    EventRegistration.objects.create(event=made.event, confirm_by_mail=False)
    SectionRegistration.objects.create(section=made)
    return made


@pytest.fixture
def other(section: Section) -> Participant:
    """A player of another section, never paired."""
    there = section_of(2, event=section.event, name="B", slug="b")
    return ParticipantFactory(section=there, player__event=section.event, player__name=NAME, rating=1001)


def person(section: Section, role: EventRole.Role) -> User:
    user: User = EventRoleFactory(event=section.event, user=UserFactory(), role=role).user
    return user


def page_of(user: User) -> Client:
    page = Client()
    page.force_login(user)
    return page


def by_page(user: User, section: Section, _other: Participant) -> None:
    sent = {"name": NAME, "rating": "1001", "rating_source": "typed", "first_round": "2", "numbers": "yes"}
    page_of(user).post(address(section, "entries/add/"), sent)


def by_list(user: User, section: Section, _other: Participant) -> None:
    """The action of the page of imports, of whole files and of rows."""
    rows = [ImportRow(entry=EntryData(name=NAME, rating=1001))]
    with suppress(DomainError):
        import_entries(
            actor=Actor(user), section_id=section.pk, rows=rows, source="list.csv", asked=True, proceed=True
        )


def by_move(user: User, section: Section, other: Participant) -> None:
    sent = {"to": section.slug, "numbers": "yes", "both": "yes"}
    page_of(user).post(address(other.section, f"entries/{other.pk}/move/"), sent)


def by_program(user: User, section: Section, _other: Participant) -> None:
    body = {"name": NAME, "rating": 1001}
    Program(user, section.event).send("POST", f"sections/{section.pk}/entries/", body)


def by_programs_list(user: User, section: Section, _other: Participant) -> None:
    data = f"Name;Rating\n{NAME};1001\n".encode()
    path = f"sections/{section.pk}/import-list/"
    own = Program(user, section.event)
    revision = Section.objects.get(pk=section.pk).revision
    own.send("POST", f"{path}?revision={revision}&file_name=list.csv", data)


def by_sheet(user: User, section: Section, _other: Participant) -> None:
    paste(page_of(user), section)


def paste(page: Client, section: Section) -> None:
    """Paste a list into the page of imports, and take its preview."""
    page.post(address(section, "entries/import/"), {"text": f"Name;Rating\n{NAME};1001"})
    shown = page.get(address(section, "entries/import/check/"))
    revision = Section.objects.get(pk=section.pk).revision
    sent = {"upload": shown.context["file"].token, "revision": revision, "read": shown.context["read"]}
    answer = page.post(address(section, "entries/import/check/"), sent)
    while answer.context and answer.context["asked"] and "answer" not in sent:
        sent["answer"] = answer.context["asked"].answer
        answer = page.post(address(section, "entries/import/check/"), sent)


def by_programs_move(user: User, section: Section, other: Participant) -> None:
    body = {"section": section.pk}
    Program(user, section.event).send("POST", f"entries/{other.pk}/section/", body, seen="*")


def by_registration(user: User, section: Section, _other: Participant) -> None:
    one = sent(section, NAME, by=RegistrationActor(Hand.ORGANISER, user))
    with suppress(DomainError):
        move_registration(
            registration_id=one.pk,
            to=RegistrationState.ACCEPTED,
            by=RegistrationActor(Hand.ORGANISER, user, both=True),
        )


WAYS = (by_page, by_sheet, by_list, by_move, by_program, by_programs_list, by_programs_move, by_registration)


def is_there(section: Section) -> bool:
    return section.participants.filter(player__name=NAME).exists()


@pytest.mark.parametrize(
    "way", [pytest.param(one, marks=pytest.mark.both_databases if one is by_list else ()) for one in WAYS]
)
def test_organiser_enters_nobody_after_round_1(
    section: Section, other: Participant, way: Callable[..., Any]
) -> None:
    paired(section)
    way(person(section, EventRole.Role.ORGANISER), section, other)
    assert not is_there(section)


@pytest.mark.parametrize("registration", [True, False], ids=["registration", "no registration"])
@pytest.mark.parametrize("way", [by_page, by_program, by_programs_list, by_sheet])
def test_organisers_player_waits_until_an_arbiter_of_the_section_accepts(
    section: Section, other: Participant, way: Callable[..., Any], *, registration: bool
) -> None:
    if not registration:
        EventRegistration.objects.all().delete()
        SectionRegistration.objects.all().delete()
    else:  # no place is free, and complete registrations are accepted by themselves: an arbiter decides all the same
        SectionRegistration.objects.filter(section=section).update(capacity=0, acceptance="complete")
    paired(section)
    organiser = person(section, EventRole.Role.ORGANISER)
    way(organiser, section, other)
    way(organiser, section, other)  # pressed twice, one player
    one = Registration.objects.get(section=section, name=NAME)
    assert (one.state, one.takes_place, is_there(section)) == (RegistrationState.PENDING, True, False)
    arbiter = EventRoleFactory(
        event=section.event, section=section, user=UserFactory(), role=EventRole.Role.ARBITER
    ).user
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    for reader in (arbiter, organiser):
        cockpit = page_of(reader).get(address(section, "cockpit/")).content.decode()
        assert "1 player waits for the arbiter" in cockpit
        assert ("Accept or refuse" in cockpit) == (reader is arbiter)
        assert late in cockpit
        entries = page_of(reader).get(address(section, "entries/")).content.decode()
        assert "1 player waits for the arbiter" in entries
        assert ("Accept or refuse" in entries) == (reader is arbiter)
        assert late in entries
        page = page_of(reader).get(late).content.decode()
        assert NAME in page
        assert organiser.label in page
        assert ("Accept" in page) == (reader is arbiter)
    press = {"registration": one.pk, "revision": one.revision, "do": "accept"}
    assert page_of(organiser).post(late, press).status_code == 403
    assert page_of(arbiter).post(late, press).status_code == 302
    entry = section.participants.get(player__name=NAME)
    assert (entry.first_round, entry.player.by_initials) == (2, False)
    event_page = Client().get(f"/{section.event.slug}/").content.decode()
    assert ("/-/register/" in event_page) == registration  # visitors are offered no form that takes nobody


def test_what_only_an_entry_has_is_kept_until_the_arbiter_accepts(section: Section) -> None:
    paired(section)
    extra = {"note": "sits near the door", "national_id": "N77", "club": "Club", "national_rating": 1222}
    body = {"name": NAME, "rating": 1001, "first_round": 3, **extra}
    sent = Program(person(section, EventRole.Role.ORGANISER), section.event)
    made = sent.send("POST", f"sections/{section.pk}/entries/", body)
    assert (made.status_code, made.json()) == (202, {"waiting": 1})
    chief = person(section, EventRole.Role.CHIEF)
    move_registration(
        registration_id=Registration.objects.get().pk,
        to=RegistrationState.ACCEPTED,
        by=RegistrationActor(Hand.ORGANISER, chief),
    )
    entry = section.participants.get(player__name=NAME)
    found = (entry.note, entry.player.national_id, entry.club, entry.national_rating, entry.first_round)
    assert found == ("sits near the door", "N77", "Club", 1222, 3)


def test_rows_of_known_players_are_taken_while_new_ones_wait(section: Section) -> None:
    paired(section)
    known = section.participants.get(tpn=1)
    data = f"Name;Rating;Club\n{known.player.name};{known.rating};New Club\n{NAME};1001;\n".encode()
    own = Program(person(section, EventRole.Role.ORGANISER), section.event)
    revision = Section.objects.get(pk=section.pk).revision
    path = f"sections/{section.pk}/import-list/?revision={revision}&file_name=list.csv"
    taken = own.send("POST", path, data).json()
    assert (taken["added"], taken["changed"], taken["waiting"]) == ([], [known.pk], 1)
    known.refresh_from_db()
    assert known.club == "New Club"
    assert not is_there(section)


def test_arbiter_refuses_with_a_reason(section: Section) -> None:
    paired(section)
    by_page(person(section, EventRole.Role.ORGANISER), section, None)
    one = Registration.objects.get()
    page = page_of(person(section, EventRole.Role.ARBITER))
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    press = {"registration": one.pk, "revision": one.revision, "do": "refuse"}
    assert page.post(late, press).status_code == 422
    assert page.post(late, press | {"reason": "Round 2 has begun."}).status_code == 302
    one.refresh_from_db()
    assert one.state == RegistrationState.REFUSED
    assert page.post(late, press).status_code == 409


def test_before_round_1_an_arbiter_decides_about_no_registration_there(section: Section) -> None:
    one = sent(section, NAME, by=RegistrationActor(Hand.ORGANISER, person(section, EventRole.Role.ORGANISER)))
    page = page_of(person(section, EventRole.Role.ARBITER))
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    assert page.post(late, {"registration": one.pk, "do": "accept"}).status_code == 409
    assert NAME not in page.get(late).content.decode()


@pytest.mark.parametrize("way", WAYS)
def test_arbiter_enters_late_players_and_organiser_those_before(
    section: Section, other: Participant, way: Callable[..., Any]
) -> None:
    paired(section)
    way(person(section, EventRole.Role.CHIEF), section, other)
    assert is_there(section)


def test_undo_is_no_way_in(section: Section, other: Participant) -> None:
    """The organiser removed the player before round 1, and would bring the player back after it."""
    organiser = person(section, EventRole.Role.ORGANISER)
    entry = ParticipantFactory(section=section, player__event=section.event, player__name=NAME, rating=1001)
    remove_participant(actor=Actor(organiser), participant_id=entry.pk)
    revision = Section.objects.get(pk=section.pk).revision
    paired(section)
    body = {"revision": revision, "reason": "slip"}
    refused = Program(organiser, section.event).send("POST", f"sections/{section.pk}/undo/", body)
    assert (refused.status_code, is_there(section)) == (403, False)


def test_the_organisers_page_says_that_the_player_waits(section: Section) -> None:
    paired(section)
    page = page_of(person(section, EventRole.Role.ORGANISER))
    form = {"name": NAME, "rating": "1001", "rating_source": "typed", "first_round": "2", "answer": ""}
    shown = page.post(address(section, "entries/add/"), form, follow=True).content.decode()
    assert "1 new player waits for an arbiter" in shown


def test_a_list_whose_rows_all_wait_does_not_say_that_nothing_was_imported(section: Section) -> None:
    paired(section)
    page = page_of(person(section, EventRole.Role.ORGANISER))
    paste(page, section)
    shown = page.get(address(section, "entries/")).content.decode()
    assert "1 new player waits for an arbiter" in shown
    assert "0 rows imported" not in shown


@pytest.mark.parametrize("role", [EventRole.Role.ORGANISER, EventRole.Role.CHIEF])
@pytest.mark.parametrize("with_known", [False, True])
def test_preview_says_who_waits_for_the_arbiter(
    section: Section, role: EventRole.Role, *, with_known: bool
) -> None:
    paired(section)
    page, late = page_of(person(section, role)), role == EventRole.Role.ORGANISER
    known = section.participants.get(tpn=1)
    row = f"{known.player.name};{known.rating};New Club\n" if with_known else ""
    before = page.get(address(section, "entries/import/")).content.decode()
    assert ("new players wait until an arbiter accepts them" in before) == late
    page.post(
        address(section, "entries/import/"), {"text": f"Name;Rating;Club\n{NAME};1001;\nB, C;900;\n{row}"}
    )
    shown = " ".join(page.get(address(section, "entries/import/check/")).content.decode().split())
    assert ("<b>2 wait for the arbiter</b>" in shown) == late
    assert ("<b>2 added</b>" in shown) != late
    button = (
        "Change 1, send 2 new players to the arbiter" if with_known else "Send 2 new players to the arbiter"
    )
    assert (button in shown) == late
    undone = {(True, False): "&nbsp;", (True, True): "changes can be undone"}.get(
        (late, with_known), "can be undone"
    )
    assert f"<small>{undone}</small>" in shown.split("Done")[1]


def test_preview_of_a_program_says_how_many_would_wait(section: Section) -> None:
    path, data = f"sections/{section.pk}/import-list/preview/", f"Name;Rating\n{NAME};1001\n".encode()
    organiser, chief = (person(section, role) for role in (EventRole.Role.ORGANISER, EventRole.Role.CHIEF))

    def would_wait(user: User) -> int:
        own = Program(user, section.event)
        count: int = own.send("POST", f"{path}?file_name=list.csv", data).json()["waiting"]
        return count

    assert would_wait(organiser) == 0
    paired(section)
    assert (would_wait(organiser), would_wait(chief)) == (1, 0)


def test_state_for_a_program_asks_an_arbiter_alone_to_accept(section: Section) -> None:
    paired(section)
    organiser = person(section, EventRole.Role.ORGANISER)
    by_page(organiser, section, section.participants.get(tpn=1))
    for user in (organiser, person(section, EventRole.Role.ARBITER)):
        notices = Program(user, section.event).get(f"sections/{section.pk}/state/")["notices"]
        [sentence] = [one["sentence"] for one in notices if one["code"] == "late_registrations"]
        assert ("Accept or refuse" in sentence) == (user is not organiser)


def test_forms_say_before_that_the_player_waits(section: Section, other: Participant) -> None:
    paired(section)
    for role in (EventRole.Role.ORGANISER, EventRole.Role.CHIEF):
        page, late = page_of(person(section, role)), role == EventRole.Role.ORGANISER
        for form in ("entries/", "entries/add/"):
            shown = page.get(address(section, form)).content.decode()
            assert ("new players wait until an arbiter accepts them" in shown) == late
        shown = page.get(address(other.section, f"entries/{other.pk}/")).content.decode()
        assert ("A move there waits until an arbiter accepts it." in shown) == late


def test_preview_of_registrations_says_that_an_arbiter_decides(section: Section) -> None:
    page = page_of(person(section, EventRole.Role.ORGANISER))
    path = f"/{section.event.slug}/-/registration/upload/"

    def preview() -> str:
        form = {"section": section.pk, "text": f"Name;Rating\n{NAME};1001"}
        return page.post(path, form).content.decode()

    assert "an arbiter of the section accepts" not in preview()
    paired(section)
    assert "an arbiter of the section accepts or refuses these players" in preview()


def test_enter_in_the_reason_refuses_the_player(section: Section) -> None:
    """Enter presses the first button of a form."""
    paired(section)
    by_page(person(section, EventRole.Role.ORGANISER), section, section.participants.get(tpn=1))
    page = page_of(person(section, EventRole.Role.ARBITER))
    shown = page.get(f"/{section.event.slug}/-/registration/late/{section.slug}/").content.decode()
    form = next(each for each in shown.split("<form")[1:] if 'name="reason"' in each)
    buttons = re.findall(r'<button[^>]* name="do" value="(\w+)"', form.split("</form>")[0])
    assert buttons == ["refuse"]


def by_queue(user: User, section: Section, other: Participant) -> None:
    """Move the registration of an accepted player, in the queue."""
    SectionRegistration.objects.create(section=other.section)
    one = sent(other.section, NAME, by=RegistrationActor(Hand.ORGANISER, user))
    Registration.objects.filter(pk=one.pk).update(state=RegistrationState.ACCEPTED, participant=other)
    press = {"do": "move", "to": section.pk, "pile": "all", "chosen": f"{one.pk}:{one.revision}"}
    page_of(user).post(f"/{section.event.slug}/-/registration/decide/", press)


def by_programs_queue(user: User, section: Section, other: Participant) -> None:
    SectionRegistration.objects.create(section=other.section)
    one = sent(other.section, NAME, by=RegistrationActor(Hand.ORGANISER, user))
    Registration.objects.filter(pk=one.pk).update(state=RegistrationState.ACCEPTED, participant=other)
    path = f"registrations/{one.pk}/section/"
    answer = Program(user, section.event).send("POST", path, {"section": section.pk}, seen="*")
    assert (answer.status_code, answer.json()) == (202, {"waiting": 1})


MOVES = (by_move, by_programs_move, by_queue, by_programs_queue)


@pytest.mark.parametrize("way", MOVES)
def test_organisers_move_to_another_section_waits_until_an_arbiter_there_accepts(
    section: Section, other: Participant, way: Callable[..., Any]
) -> None:
    former = other.section
    paired(section)
    organiser = person(section, EventRole.Role.ORGANISER)
    way(organiser, section, other)
    assert not is_there(section)
    assert former.participants.filter(pk=other.pk).exists()  # until then, nothing changes
    arbiter = EventRoleFactory(
        event=section.event, section=section, user=UserFactory(), role=EventRole.Role.ARBITER
    ).user
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    for reader in (arbiter, organiser):
        assert "1 player waits" in page_of(reader).get(address(section, "cockpit/")).content.decode()
        page = page_of(reader).get(late).content.decode()
        assert NAME in page
        assert "would move here" in page
        assert organiser.label in page
        assert ("Accept" in page) == (reader is arbiter)
    press = {"entry": other.pk, "do": "accept"}
    assert page_of(organiser).post(late, press).status_code == 403
    done = page_of(arbiter).post(late, press, follow=True)
    assert f"{NAME} is moved from {former.name} to {section.name}." in words(done)
    assert (is_there(section), former.participants.filter(player__name=NAME).exists()) == (True, False)
    assert page_of(arbiter).post(late, press).status_code == 409
    for one in Registration.objects.all():
        assert (one.section, one.state) == (section, RegistrationState.ACCEPTED)


def test_arbiter_leaves_the_player_in_the_other_section(section: Section, other: Participant) -> None:
    paired(section)
    by_move(person(section, EventRole.Role.ORGANISER), section, other)
    page = page_of(person(section, EventRole.Role.ARBITER))
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    assert "Leave in B" in page.get(late).content.decode()
    done = page.post(late, {"entry": other.pk, "do": "refuse"}, follow=True)
    assert f"{NAME} stays in B." in words(done)
    other.refresh_from_db()
    assert other.section.name == "B"
    assert page.get(late).context["moves"] == []


@pytest.mark.parametrize("registered", [False, True])
def test_organiser_reads_which_arbiter_left_the_player(
    section: Section, other: Participant, *, registered: bool
) -> None:
    paired(section)
    organiser, arbiter = (
        person(section, role) for role in (EventRole.Role.ORGANISER, EventRole.Role.ARBITER)
    )
    (by_queue if registered else by_move)(organiser, section, other)
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    entry_page, page = address(other.section, f"entries/{other.pk}/"), page_of(organiser)
    assert "Waits for an arbiter there" in page.get(entry_page).content.decode()
    page_of(arbiter).post(late, {"entry": other.pk, "do": "refuse"})
    assert f"Left in B by {arbiter.label}" in words(page.get(late))
    assert f"Not accepted by {arbiter.label}" in words(page.get(entry_page))
    if registered:
        one = Registration.objects.get()
        history = words(page.get(f"/{section.event.slug}/-/registration/{one.pk}/"))
        assert "The move to A waits for an arbiter." in history
        assert f"{arbiter.label}: The move to A was not accepted." in history
    if registered:
        by_queue_again(organiser, section)
    else:
        by_move(organiser, section, other)
    assert "Waits for an arbiter there" in page.get(entry_page).content.decode()
    assert "Left in B by" not in words(page.get(late))


def by_queue_again(user: User, section: Section) -> None:
    one = Registration.objects.get()
    press = {"do": "move", "to": section.pk, "pile": "all", "chosen": f"{one.pk}:{one.revision}"}
    page_of(user).post(f"/{section.event.slug}/-/registration/decide/", press)


def words(answer: Any) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", answer.content.decode()).split())


def test_log_and_open_pages_say_that_players_wait_and_were_not_accepted(
    section: Section, other: Participant
) -> None:
    paired(section)
    organiser, arbiter = (
        person(section, role) for role in (EventRole.Role.ORGANISER, EventRole.Role.ARBITER)
    )
    cockpit, late = page_of(arbiter), f"/{section.event.slug}/-/registration/late/{section.slug}/"

    def news() -> int:
        seen = Section.objects.get(pk=section.pk).revision
        asks = {"HX-Request": "true"}
        assert cockpit.get(address(section, f"cockpit/?seen={seen}"), headers=asks).status_code == 204
        return seen

    seen = news()
    by_page(organiser, section, other)
    assert Section.objects.get(pk=section.pk).revision > seen
    by_programs_list(organiser, section, other)
    by_move(organiser, section, other)
    one = Registration.objects.get()
    page_of(arbiter).post(late, {"registration": one.pk, "do": "refuse", "reason": "Round 2 has begun."})
    page_of(arbiter).post(late, {"entry": other.pk, "do": "refuse"})
    log = words(page_of(organiser).get(address(section, "log/")))
    assert log.count("1 new player waits for an arbiter") == 3
    assert log.count("New player after round 1 not accepted") == 2
    refused = words(page_of(organiser).get(late))
    assert f"{NAME} Refused by {arbiter.label}" in refused
    assert "Round 2 has begun." in refused


@pytest.mark.parametrize("way", ["page", "queue", "program"])
def test_an_entry_that_an_organiser_makes_again_waits_for_the_arbiter(section: Section, way: str) -> None:
    organiser, arbiter = (
        person(section, role) for role in (EventRole.Role.ORGANISER, EventRole.Role.ARBITER)
    )
    one = sent(section, NAME, by=RegistrationActor(Hand.ORGANISER, organiser))
    move_registration(
        registration_id=one.pk, to=RegistrationState.ACCEPTED, by=RegistrationActor(Hand.ORGANISER, organiser)
    )
    entry = section.participants.get(player__name=NAME)
    remove_participant(actor=Actor(arbiter), participant_id=entry.pk)
    paired(section)
    one = Registration.objects.get()
    base, page = f"/{section.event.slug}/-/registration/", page_of(organiser)
    if way == "page":
        shown = page.post(
            f"{base}{one.pk}/", {"do": "enter", "revision": one.revision}, follow=True
        ).content.decode()
        assert "The registration waits for the arbiter" in shown
    elif way == "queue":
        press = {"do": "enter", "pile": "unlisted", "chosen": f"{one.pk}:{one.revision}"}
        shown = page.post(f"{base}decide/", press, follow=True).content.decode()
        assert "The registration waits for the arbiter" in shown
    else:
        body = {"again": "entry", "registrations": [{"id": one.pk, "revision": one.revision}]}
        answer = Program(organiser, section.event).send(
            "POST", f"events/{section.event_id}/registrations/decide/", body
        )
        assert answer.json()["results"][0]["code"] == "registration_started"
    late = f"{base}late/{section.slug}/"
    for reader in (organiser, arbiter):
        assert NAME in page_of(reader).get(late).content.decode()
        assert "1 player waits" in page_of(reader).get(address(section, "cockpit/")).content.decode()
    assert not is_there(section)
    assert page_of(arbiter).post(late, {"registration": one.pk, "do": "accept"}).status_code == 302
    assert is_there(section)
    assert Registration.objects.get().state == RegistrationState.ACCEPTED


def test_accepting_from_the_waiting_list_says_that_the_player_waits(section: Section) -> None:
    organiser = person(section, EventRole.Role.ORGANISER)
    one = sent(section, NAME, by=RegistrationActor(Hand.ORGANISER, organiser))
    Registration.objects.update(state=RegistrationState.WAITING, takes_place=False)
    paired(section)
    path = f"/{section.event.slug}/-/registration/{one.pk}/"
    shown = page_of(organiser).post(path, {"do": "accept"}, follow=True).content.decode()
    assert "The registration waits for the arbiter" in shown
    assert "1 registration accepted" not in shown


def test_a_player_of_the_waiting_list_whom_an_organiser_accepts_waits_for_the_arbiter(
    section: Section,
) -> None:
    organiser = person(section, EventRole.Role.ORGANISER)
    ones = [
        sent(section, f"Late{number}, L", by=RegistrationActor(Hand.ORGANISER, organiser))
        for number in (1, 2)
    ]
    Registration.objects.update(state=RegistrationState.WAITING, takes_place=False)
    paired(section)
    by = RegistrationActor(Hand.ORGANISER, organiser)
    assert (
        move_registration(registration_id=ones[0].pk, to=RegistrationState.ACCEPTED, by=by).state
        == RegistrationState.PENDING
    )
    outcome = move_many(
        event_id=section.event_id,
        wanted=[(ones[1].pk, ones[1].revision)],
        to=RegistrationState.ACCEPTED,
        by=by,
    )
    assert [error.code for _one, error in outcome.left] == ["registration_started"]
    assert set(Registration.objects.values_list("state", "takes_place")) == {
        (RegistrationState.PENDING, True)
    }


@pytest.mark.parametrize("program", [False, True])
@pytest.mark.parametrize("together", [False, True])
def test_byes_for_missed_rounds_are_kept_until_the_arbiter_accepts(
    section: Section, program: bool, together: bool
) -> None:
    Section.objects.filter(pk=section.pk).update(half_bye_limit=2)
    paired(section)
    organiser = person(section, EventRole.Role.ORGANISER)
    if program:
        body = {"name": NAME, "rating": 1001, "missed": "H"}
        Program(organiser, section.event).send("POST", f"sections/{section.pk}/entries/", body)
    else:
        form = {"name": NAME, "rating": "1001", "rating_source": "typed", "first_round": "2", "missed": "H"}
        page_of(organiser).post(address(section, "entries/add/"), form)
    chief = person(section, EventRole.Role.CHIEF)
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    assert "half-point byes for the rounds missed" in page_of(chief).get(late).content.decode()
    one, by = Registration.objects.get(), RegistrationActor(Hand.ORGANISER, chief)
    if together:
        move_many(
            event_id=section.event_id, wanted=[(one.pk, one.revision)], to=RegistrationState.ACCEPTED, by=by
        )
    else:
        move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=by)
    entry = section.participants.get(player__name=NAME)
    assert list(entry.byes.values_list("round_number", "kind")) == [(1, "H")]


def test_byes_of_a_list_for_missed_rounds_are_refused_with_the_row(section: Section) -> None:
    """As for the list of an arbiter: nothing is dropped without a word."""
    paired(section)
    data = f"Name;Rating;Byes\n{NAME};1001;1\n".encode()
    revision = Section.objects.get(pk=section.pk).revision
    path = f"sections/{section.pk}/import-list/?revision={revision}&file_name=a.csv"
    for role in (EventRole.Role.ORGANISER, EventRole.Role.CHIEF):
        answer = Program(person(section, role), section.event).send("POST", path, data)
        assert answer.json()["refused"] == [{"row": 2, "codes": ["bye_paired"]}]
    assert not Registration.objects.exists()


def test_any_arbiter_of_the_section_decides_by_the_api(section: Section, other: Participant) -> None:
    paired(section)
    organiser = person(section, EventRole.Role.ORGANISER)
    for way in (by_page, by_move):
        way(organiser, section, other)
    Registration.objects.update(name="New, Nina", fide_id=None)
    arbiter = EventRoleFactory(
        event=section.event, section=section, user=UserFactory(), role=EventRole.Role.ARBITER
    ).user
    path = f"sections/{section.pk}/late-players/"
    own, of_organiser = Program(arbiter, section.event), Program(organiser, section.event)
    rows = of_organiser.get(path)["results"]
    assert [(row["name"], row["by"], row["from_section"]) for row in rows] == [
        ("New, Nina", organiser.label, None),
        (NAME, organiser.label, other.section_id),
    ]
    accept = [{"registration": rows[0]["registration"], "accept": True}, {"entry": other.pk, "accept": True}]
    assert of_organiser.send("POST", path, accept[0]).status_code == 403
    assert own.send("POST", path, {"accept": True}).status_code == 422
    stale = own.send("POST", path, accept[0] | {"revision": 99})
    assert stale.status_code == 409
    for body in accept:
        assert own.send("POST", path, body).status_code == 200
    assert own.get(path)["results"] == []
    assert section.participants.filter(player__name__in=[NAME, "New, Nina"]).count() == 2
    assert own.send("POST", path, accept[1]).status_code == 404


def test_the_arbiter_is_asked_about_a_player_of_two_sections(section: Section, other: Participant) -> None:
    paired(section)
    by_page(person(section, EventRole.Role.ORGANISER), section, other)
    Registration.objects.update(birth_date="2001/02/03")
    other.player.birth_date = "2001/02/03"
    other.player.save()
    page, one = page_of(person(section, EventRole.Role.ARBITER)), Registration.objects.get()
    late = f"/{section.event.slug}/-/registration/late/{section.slug}/"
    press = {"registration": one.pk, "revision": one.revision, "do": "accept"}
    asked = page.post(late, press)
    assert "Accept all the same" in asked.content.decode()
    answer = asked.context["rows"][0][3][0].answer
    assert page.post(late, press | {"answer": answer}).status_code == 302
    assert is_there(section)


@pytest.mark.parametrize("page", ["cockpit/", "entries/"])
def test_an_open_page_shows_at_its_next_question_who_waits_for_an_arbiter(
    section: Section, page: str
) -> None:
    """An organiser accepts somebody of the waiting list in the queue, and the player then withdraws."""
    one = sent(section, NAME)
    move_registration(
        registration_id=one.pk, to=RegistrationState.WAITING, by=RegistrationActor(Hand.ORGANISER)
    )
    paired(section)
    organiser = RegistrationActor(Hand.ORGANISER, person(section, EventRole.Role.ORGANISER))
    browser = page_of(person(section, EventRole.Role.ARBITER))

    def ask(seen: str) -> tuple[int, str]:
        answer = browser.get(address(section, f"{page}?seen={seen}"), headers={"HX-Request": "true"})
        found = re.search(r'data-seen="([^"]*)"', answer.text)
        return answer.status_code, found[1] if found else ""

    seen = re.search(r'data-seen="([^"]*)"', browser.get(address(section, page)).text)[1]  # type: ignore[index]
    assert ask(seen) == (204, "")
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=organiser)
    assert not is_there(section)
    status, waits = ask(seen)
    assert (status, ask(waits)[0]) == (200, 204)
    assert "1 player waits" in browser.get(address(section, page)).text
    move_registration(
        registration_id=one.pk, to=RegistrationState.WITHDRAWN, by=RegistrationActor(Hand.PLAYER)
    )
    assert ask(waits)[0] == 200
