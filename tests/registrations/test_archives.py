"""The archive of an event has its registrations, and nothing that the program deletes some days after the event."""

from __future__ import annotations

import csv
import io
import zipfile
from hashlib import sha256

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from registrations.actions.erasing import erase_registration
from registrations.actions.event_lock import PLAYER
from registrations.models import Charge, Note, Registration
from registrations.queries.archives import registrations_archived
from registrations.states import RegistrationState
from tests.factories import EventFactory, EventRoleFactory
from tests.registrations.factories import desk, sent
from tournaments.files.archives import write_event_archive
from tournaments.models import Event, EventRole
from web.words.log_sentences import sentence_of

pytestmark = pytest.mark.django_db


def archive_of(event: Event, *, registrations: bool) -> dict[str, bytes]:
    out = io.BytesIO()
    write_event_archive(event, out, sentence_of, registrations=registrations)
    return files_in(out)


def files_in(out: io.BytesIO) -> dict[str, bytes]:
    with zipfile.ZipFile(out) as file:
        return {name: file.read(name) for name in file.namelist() if "/" not in name}


def rows(data: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(data.decode("utf-8-sig")), delimiter=";"))


@pytest.fixture
def event() -> Event:
    section = desk(fee=2500)
    one = sent(section, "=Ek, Ada", by=PLAYER, byes=(2,), phone="+31 6 5550101", message="my secret message")
    Charge.objects.create(registration=one, kind="payment", cents=-1000, note="secret note", who="olga")
    Note.objects.create(registration=one, text="secret of the organiser")
    sent(section, "Ob, Bea", email="bea@secret.example")
    unproved = sent(section, "Stranger, Some")
    Registration.objects.filter(pk=unproved.pk).update(state=RegistrationState.SUBMITTED)
    return section.event


def test_archive_has_registrations_with_byes_and_accounts(event: Event) -> None:
    found = archive_of(event, registrations=True)
    names = {"registrations.csv", "registrations.html", "fees.csv", "fees.html"}
    assert set(found) == {*names, "event.json", "README.txt", "SHA256SUMS.txt"}
    ada, bea = rows(found["registrations.csv"])
    assert (ada["Name"], ada["Byes asked for in rounds"], ada["Rating"]) == ("'=Ek, Ada", "2", "1800")
    assert (bea["Name"], bea["Byes asked for in rounds"], bea["Owed"]) == ("Ob, Bea", "", "25.00")
    fees = [(row["Name"], row["What"], row["Amount"]) for row in rows(found["fees.csv"])]
    assert fees == [
        ("'=Ek, Ada", "fee", "25.00"), ("'=Ek, Ada", "payment", "-10.00"), ("Ob, Bea", "fee", "25.00"),
    ]  # fmt: skip
    for page in ("registrations.html", "fees.html"):
        assert "<td>=Ek, Ada</td>" in found[page].decode()
    readme = found["README.txt"].decode()
    assert [name for name in [*names, "event.json"] if name not in readme] == []
    assert "no mail addresses" in readme
    sums = dict(line.split("  ")[::-1] for line in found.pop("SHA256SUMS.txt").decode().splitlines())
    everything = b"".join(found.values())  # without the sums: a hash may have any four digits by chance
    for secret in ("secret", "1990/02", "1990-02", "5550101", "Stranger", "example.org"):
        assert secret.encode() not in everything, secret
    assert sums == {name: sha256(content).hexdigest() for name, content in found.items()}


@pytest.mark.parametrize(
    ("role", "copies"), [(EventRole.Role.ORGANISER, {"event.json"}), (EventRole.Role.CHIEF, set())]
)
def test_chief_arbiter_of_the_event_saves_its_archive_from_the_page_without_the_copy_of_its_people(
    client: Client, event: Event, role: str, copies: set[str]
) -> None:
    client.force_login(EventRoleFactory(event=event, role=role).user)
    address = f"/{event.slug}/-/archive.zip"
    assert f'href="{address}"' in client.get(f"/{event.slug}/").content.decode()
    found = files_in(io.BytesIO(client.get(address).getvalue()))
    lists = {"registrations.csv", "registrations.html", "fees.csv", "fees.html"}
    assert set(found) == {*lists, *copies, "README.txt", "SHA256SUMS.txt"}
    assert ("event.json" in found["README.txt"].decode()) is bool(copies)
    assert b"example.org" not in b"".join(found.values())


def test_archive_without_the_right_or_without_registrations_says_nothing_of_them(event: Event) -> None:
    for other, sees in ((event, False), (EventFactory(), True)):
        found = archive_of(other, registrations=sees)
        assert set(found) == {"event.json", "README.txt", "SHA256SUMS.txt"}
        assert "registrations" not in found["README.txt"].decode()


def test_what_was_erased_is_in_no_later_archive(event: Event) -> None:
    ada = Registration.objects.get(name="=Ek, Ada")
    erase_registration(registration_id=ada.pk)
    everything = b"".join(archive_of(event, registrations=True).values())
    assert b"Ada" not in everything
    assert b"Erased registration 1" in everything


def test_archive_asks_few_queries(event: Event, django_assert_num_queries: DjangoAssertNumQueries) -> None:
    section = event.sections.get()
    for _more in range(3):
        sent(section)
    with django_assert_num_queries(3):
        assert len(registrations_archived(event)[1]) == 4
