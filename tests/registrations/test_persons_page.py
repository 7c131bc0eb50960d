"""The page of a person across events: nothing is joined without the person's consent, and it ends at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.core import mail as outbox
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from registrations.actions.event_lock import PLAYER
from registrations.actions.new_registrations import NewRegistration, register
from registrations.actions.transitions import move_registration
from registrations.models import EventRegistration, Mail, Registration
from registrations.queries.mails import guardian_token_of, token_of
from registrations.states import RegistrationState
from tests.factories import EventFactory, SectionFactory, entry_data
from tests.registrations.conftest import staff
from tests.registrations.factories import ORGANISER, desk, sent, values
from tests.web.staff.conftest import played
from tournaments.actions.entries import (
    add_participant,
    edit_participant,
    remove_participant,
    withdraw_participant,
)
from tournaments.actions.event_life import archive_event, delete_event
from tournaments.actions.events import edit_event
from tournaments.actions.ledger import Actor
from tournaments.actions.personal_data import erase_player
from tournaments.actions.persons_page import note_final_places
from tournaments.actions.sections import take_section_away
from tournaments.files.personal_data import person_values
from tournaments.models import EventRole, FinalPlace, JoinedEntry, Participant, Section
from tournaments.queries.persons_page import consent_link, persons_page
from tournaments.queries.player_card import player_card

pytestmark = pytest.mark.django_db
ACTOR = Actor.command()
ADA = {"fide_id": 1503014, "sex": "w", "birth_date": "1990/12/10", "federation": "ENG", "national_id": "77"}


def entered(into: Section | None = None, name: str = "Lovelace, Ada", **more: object) -> Participant:
    """Enter a player as an arbiter does, in a new public event if no section is given."""
    section = into or SectionFactory(event=EventFactory(state="public"))
    return add_participant(
        actor=ACTOR, section_id=section.pk, entry=entry_data(name, **{**ADA, **more}), proceed=True
    )


def given(entry: Participant) -> str:
    """Return the address of the link that an arbiter gives to the player."""
    player = Participant.objects.get(pk=entry.pk).player
    return f"/{player.event.slug}/-/joined/{consent_link(player)}/"


def agree(entry: Participant) -> str:
    """Open the link and agree. Return the token of the page."""
    assert Client().post(given(entry), {"do": "join", "is-person": "yes"}).status_code == 302
    return JoinedEntry.objects.get(player=entry.player_id).token


def shown(token: str) -> list[int]:
    """Return the entries on the page, which is 404 without any."""
    rows = [row.entry.pk for row in persons_page(token)]
    assert Client().get(f"/person/{token}/").status_code == (200 if rows else 404)
    return rows


def card(entry: Participant) -> str:
    entry = Participant.objects.select_related("section__event").get(pk=entry.pk)
    address = f"/{entry.section.event.slug}/{entry.section.slug}/players/{entry.tpn}/"
    return Client().get(address).content.decode()


def test_only_events_for_which_the_person_agreed_are_on_the_page() -> None:
    first, second, third = entered(), entered(), entered()
    links = Client().get(given(first))
    assert (links.status_code, links["X-Robots-Tag"], "no-store" in links["Cache-Control"]) == (
        *(200, "noindex"),
        True,
    )
    assert not JoinedEntry.objects.exists()  # looking agrees to nothing
    assert Client().post(given(first), {"do": "join"}).status_code == 422
    for guess in ("1503014", f"{first.player_id}-{'0' * 40}", consent_link(second.player)):
        address = f"/{first.section.event.slug}/-/joined/{guess}/"
        assert Client().post(address, {"do": "join", "is-person": "yes"}).status_code == 404
    assert not JoinedEntry.objects.exists()

    token = agree(first)
    assert shown(token) == [first.pk]
    assert f"/person/{token}/" in card(first)
    assert "/person/" not in card(second)
    assert agree(second) == token
    assert sorted(shown(token)) == [first.pk, second.pk]
    assert "/person/" in card(second)
    assert "/person/" not in card(third)

    page = Client().get(f"/person/{token}/")
    assert (page["X-Robots-Tag"], "no-store" in page["Cache-Control"]) == ("noindex", True)
    assert third.section.event.name not in page.content.decode()
    assert not re.search("1503014|1990", page.content.decode().replace(token, ""))
    assert token not in Client().get("/sitemap.xml").content.decode()
    for guess in ("", "A" * 43, "1503014"):
        assert Client().get(f"/person/{guess}/").status_code == 404
    kept = person_values(first.player)["page across events"]
    assert [row["page"] for row in kept] == [token]
    for _more in range(8):
        agree(entered())
    with CaptureQueriesContext(connection) as asked:
        assert len(persons_page(token)) == 10
    assert len(asked) == 3


def test_an_arbiter_makes_a_link_worthless_that_somebody_else_has() -> None:
    section = SectionFactory(event=EventFactory(state="public"))
    entry, other = entered(section), entered(section, "Byron, Anne", fide_id=1503015)
    former, of_other, token = given(entry), given(other), agree(entry)
    page = f"/{section.event.slug}/{section.slug}/entries/{entry.pk}/across/"
    client = staff(section)
    assert former in client.get(page).content.decode()
    for _again in range(2):
        old = given(entry)
        assert client.post(f"{page}new/").status_code == 302
        assert Client().get(old).status_code == Client().get(former).status_code == 404
        assert given(entry) in client.get(page).content.decode()
    assert Client().get(of_other).status_code == 200
    assert [row.action for row in section.log.all()[:2]] == ["renew_persons_link"] * 2
    assert section.log.first().subject.endswith("Lovelace, Ada")
    assert shown(token) == [entry.pk]  # what was agreed stays until the player takes it back
    Client().post(given(entry), {"do": "leave"})
    assert shown(token) == []
    EventRole.objects.update(role="viewer")
    assert client.post(f"{page}new/").status_code == 403


def test_a_person_withdraws_for_one_event_or_for_all_also_in_the_archive() -> None:
    first, second = entered(), entered()
    token = agree(first)
    agree(second)
    archive_event(actor=ACTOR, event=first.section.event)
    assert len(shown(token)) == 2  # an archived event is seen as before
    Client().post(given(first), {"do": "leave"})
    assert shown(token) == [second.pk]
    assert "/person/" not in card(first)
    assert Client().post(given(first), {"do": "join", "is-person": "yes"}).status_code == 422
    archive_event(actor=ACTOR, event=first.section.event, archived=False)
    agree(first)
    Client().post(given(second), {"do": "leave-all"})
    assert shown(token) == []
    assert not JoinedEntry.objects.exists()
    assert "/person/" not in card(first) + card(second)
    assert agree(second) != token


def initials(entry: Participant) -> None:
    changed(entry, by_initials=True)


def expelled(entry: Participant) -> None:
    withdraw_participant(actor=ACTOR, participant_id=entry.pk, expelled=True)


def hidden(entry: Participant) -> None:
    take_section_away(actor=ACTOR, section_id=entry.section_id)


def unlisted(entry: Participant) -> None:
    edit_event(actor=ACTOR, event=entry.section.event, state="unlisted")


def draft(entry: Participant) -> None:
    edit_event(actor=ACTOR, event=entry.section.event, state="draft")


def deleted(entry: Participant) -> None:
    delete_event(actor=ACTOR, event=entry.section.event, typed=entry.section.event.name)


def erased(entry: Participant) -> None:
    erase_player(actor=ACTOR, event=entry.section.event, player_id=entry.player_id, typed="Lovelace, Ada")
    assert not JoinedEntry.objects.filter(player=entry.player_id).exists()


def removed(entry: Participant) -> None:
    remove_participant(actor=ACTOR, participant_id=entry.pk)
    assert not JoinedEntry.objects.filter(player=entry.player_id).exists()


def another_number(entry: Participant) -> None:
    changed(entry, fide_id=1503015)


def another_name(entry: Participant) -> None:
    changed(entry, name="Byron, Ada")


def changed(entry: Participant, **more: object) -> None:
    data = entry_data(str(more.pop("name", "Lovelace, Ada")), **{**ADA, **more})
    edit_participant(actor=ACTOR, participant_id=entry.pk, entry=data)


@pytest.mark.parametrize(
    "hides",
    [initials, expelled, hidden, unlisted, draft, deleted, erased, removed, another_number, another_name],
)
def test_what_visitors_do_not_find_is_not_on_the_page(hides: Callable[[Participant], None]) -> None:
    there, stays = entered(), entered()
    token = agree(there)
    agree(stays)
    link = given(there)
    hides(there)
    assert shown(token) == [stays.pk]
    if hides not in (deleted, draft, hidden, removed):
        assert "/person/" not in card(there)
    if hides in (deleted, erased, removed, another_number, another_name):
        assert Client().get(link).status_code == 404
    else:
        Client().post(link, {"do": "leave"})
        assert not JoinedEntry.objects.filter(player=there.player_id).exists()


def test_a_player_without_a_number_reads_that_the_link_changes_with_it() -> None:
    entry = entered(fide_id=None, national_id="")
    link = given(entry)
    assert "enter it and to give you a new link." in " ".join(Client().get(link).content.decode().split())
    another_number(entry)
    assert given(entry) != link


def test_two_persons_with_one_number_are_not_joined_and_the_arbiter_sees_why() -> None:
    first = entered()
    token = agree(first)
    other = entered(name="Babbage, Charles", sex="m", birth_date="1971")
    assert agree(other) == ""
    assert shown(token) == [first.pk]
    arbiter = staff(other.section)
    about = f"/{other.section.event.slug}/{other.section.slug}/entries/{other.pk}/across/"
    reason = arbiter.get(about).content.decode()
    assert all(fact in reason for fact in ("surname", "sex", "year of birth", given(other)))
    assert not re.search("Lovelace|1990", reason)
    assert arbiter.post(about, {"do": "join", "is-person": "yes"}).status_code == 405
    changed(other, sex="w", birth_date="1990/12/10")  # the name is right now, and so the link is another one
    assert agree(other) == token
    assert sorted(shown(token)) == [first.pk, other.pk]
    abroad = [entered(fide_id=None, federation=code) for code in ("ENG", "NED", "NED")]
    assert len({token, *map(agree, abroad)}) == 3  # a national ID is one of its federation
    nobody = entered(fide_id=None, national_id="")
    assert Client().post(given(nobody), {"do": "join", "is-person": "yes"}).status_code == 422


def test_the_box_of_the_form_is_off_and_joins_once_the_player_is_accepted() -> None:
    into = desk(event={"start": "2090-10-17", "end": "2090-10-25", "state": "public"})
    empty = Client().get(f"/{into.event.slug}/-/register/").content.decode()
    [box] = re.findall(r'<input[^>]*name="joins"[^>]*>', empty)
    assert "checked" not in box
    assert not sent(into, **ADA).joins
    Registration.objects.all().delete()

    typed = values("Lovelace, Ada", **{name: ADA[name] for name in ("fide_id", "sex", "birth_date")})
    wanted = NewRegistration(into.pk, typed, form_key=uuid4(), joins=True)
    one = register(event=into.event, wanted=wanted, by=PLAYER)
    own, client = f"/{into.event.slug}/-/entry/", Client()
    client.get(f"{own}{token_of(one)}/")
    assert "once the registration is accepted" in client.get(own).content.decode()
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    row = JoinedEntry.objects.get()
    assert len(shown(row.token)) == 1
    other = entered()
    assert agree(other) == row.token
    assert f"/person/{row.token}/" in client.get(own).content.decode()
    client.post(own, {"do": "leave"})
    assert shown(row.token) == [other.pk]
    client.post(own, {"do": "join"})
    assert len(shown(row.token)) == 2
    client.post(own, {"do": "leave-all"})
    assert not JoinedEntry.objects.exists()
    assert not Registration.objects.filter(joins=True).exists()


def test_of_a_minor_only_the_link_to_the_guardian_joins(settings: object) -> None:
    settings.MAIL_IS_SET_UP = True  # type: ignore[attr-defined]
    start = (timezone.localdate() + timedelta(days=20)).isoformat()
    into = desk(event={"start": start, "end": start, "state": "public"})
    EventRegistration.objects.update(address="https://chess.example")
    young = f"{timezone.localdate().year - 10}/02/03"
    typed = values("Lovelace, Ada", fide_id=1503014, birth_date=young)
    typed |= {"guardian": "Byron, Anne", "guardian_email": "anne@example.org"}
    wanted = NewRegistration(into.pk, typed, form_key=uuid4(), joins=True)
    one = register(event=into.event, wanted=wanted, by=PLAYER)
    assert not one.joins
    call_command("work_registrations", verbosity=0)
    [to_guardian] = [each for each in outbox.outbox if "/joined/" in each.body]
    assert to_guardian.to == ["anne@example.org"]
    found = re.search(r"https://chess.example(\S+)", to_guardian.body)
    assert found
    link = found[1]
    assert link == f"/{into.event.slug}/-/joined/{guardian_token_of(one)}/"

    own, client = f"/{into.event.slug}/-/entry/", Client()
    client.get(f"{own}{token_of(one)}/")
    assert client.post(own, {"do": "join"}).status_code == 422
    client.post(own, {"do": "ask-guardian"})
    assert Mail.objects.filter(kind="guardian").count() == 1  # one on a day
    move_registration(registration_id=one.pk, to=RegistrationState.ACCEPTED, by=ORGANISER)
    entry = Participant.objects.get(registration=one)
    assert Client().post(given(entry), {"do": "join", "is-person": "yes"}).status_code == 422
    assert not JoinedEntry.objects.exists()
    Client().post(link, {"do": "join"})
    token = JoinedEntry.objects.get().token
    assert shown(token) == [entry.pk]
    client.post(own, {"do": "leave"})  # the player may withdraw alone
    assert shown(token) == []


def test_places_come_once_a_section_is_over_and_say_what_the_card_says() -> None:
    section = SectionFactory(
        rounds=3, event=EventFactory(state="public", start="2090-01-01", end="2090-01-03")
    )
    ada = entered(section)
    for number in range(7):
        entered(section, f"Player{number}, A", fide_id=None, national_id="", rating=1900 + number)
    token = agree(ada)
    for _round in range(2):
        played(section)
    [row] = persons_page(token)
    assert note_final_places(timezone.now()) == 0
    assert (row.final, row.points, [turn.round for turn, _who in row.turns]) == (None, 10, [1, 2])
    page = Client().get(f"/person/{token}/").content.decode()
    assert all(f"/{section.event.slug}/{section.slug}/round/{number}/pairings/" in page for number in (1, 2))

    section.event.start = section.event.end = timezone.localdate() - timedelta(days=3)
    section.event.save()
    assert [note_final_places(timezone.now()) for _time in range(2)] == [1, 0]
    made = player_card(Participant.objects.select_related("section__event").get(pk=ada.pk))
    [row] = persons_page(token)
    assert row.final
    assert (row.final.place, row.final.players, row.points, row.final.performance) == (
        *(made.place, made.players, made.points),
        made.performance,
    )
    changed(ada, club="Another club")  # the section has changed: no place that may be wrong
    [row] = persons_page(token)
    assert row.final is None
    assert note_final_places(timezone.now()) == 1
    Client().post(given(ada), {"do": "leave"})
    assert not FinalPlace.objects.exists()
