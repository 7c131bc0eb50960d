"""The pages of copies: list, download, check, load, and the permissions."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, override_settings
from django.utils import timezone

from pairing.rounds import pair_next_round
from tests.factories import EventRoleFactory, SectionFactory, UserFactory, section_of
from tests.web.staff.conftest import LogIn, address, paired
from tests.web.staff.conftest import played_and_logged as played
from tournaments.actions import chores
from tournaments.actions.ledger import Actor
from tournaments.actions.restore_tests import prove_copy
from tournaments.actions.stored_copies import note_place, stored_copies, take_copy
from tournaments.copy_format import EVENT, VERSION, canonical, checksum, pack, unpack
from tournaments.files.copy_reading import read_copy
from tournaments.files.copy_writing import copy_file, event_file
from tournaments.models import Chore, Event, EventRole, Player, Section, User
from tournaments.queries.copies import copies_state

CHECK = "/new/-/load/check/"


@pytest.fixture(autouse=True)
def directory(tmp_path: Path) -> Iterator[Path]:
    with override_settings(BACKUP_DIR=str(tmp_path / "backups")):
        yield tmp_path / "backups"


def send(page: Client, data: bytes, name: str = "copy.json.gz", into: str = "") -> str:
    """Upload a file and return the text of the next page."""
    file = SimpleUploadedFile(name, data)
    return page.post(f"/new/-/load/?into={into}", {"file": file}, follow=True).content.decode()


def token(html: str) -> str:
    return re.findall(r'name="upload" value="([0-9a-f]+)"', html)[0]


def without_tokens(html: str) -> str:
    return re.sub(r"[0-9a-zA-Z]{32,}", "", html)


def test_copy_is_downloaded_and_is_the_section(page: Client, section: Section) -> None:
    played(section)
    answer = page.get(address(section, "copies/now/"))
    assert answer["Content-Disposition"] == 'attachment; filename="rijswijk-a-rev00006.json.gz"'
    assert read_copy(answer.content).results == 4
    assert address(section, "copies/now/") in page.get(address(section, "documents/")).content.decode()


def test_copies_are_listed_and_downloaded(page: Client, owners_page: Client, section: Section) -> None:
    html = page.get(address(section, "copies/")).content.decode()
    assert "No copies yet." in html
    page.post(address(section, "copies/keep/"))
    (copy,) = stored_copies(section)
    html = page.get(address(section, "copies/")).content.decode()
    assert "by hand" in html
    assert "The section is copied." in html
    assert page.get(address(section, f"copies/{copy.name}/")).content == copy.path.read_bytes()
    assert (
        "Load this copy" in html,
        "Load this copy" in owners_page.get(address(section, "copies/")).text,
    ) == (False, True)
    for name in ("x", "..", "20261017T140314Z-rev00001-round0-publish.json.gz"):
        assert page.get(address(section, f"copies/{name}/")).status_code == 404
        assert owners_page.post(address(section, f"copies/{name}/load/")).status_code == 404


def test_stored_copy_is_loaded_as_a_new_section(owners_page: Client, section: Section) -> None:
    played(section)
    path = take_copy(section, "publish")
    answer = owners_page.post(address(section, f"copies/{path.name}/load/"), follow=True)
    html = answer.content.decode()
    assert "<caption>Section A</caption>" in html
    assert '<option value="rijswijk" selected>' in html
    done = owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk"}, follow=True)
    assert done.redirect_chain == [("/rijswijk/section-a-2/cockpit/", 302)]
    assert Section.objects.get(name="Section A (2)").played_rounds.count() == 1
    assert section.played_rounds.count() == 1


def test_fide_id_of_another_person_is_reported_before_the_copy_is_loaded(
    owners_page: Client, section: Section
) -> None:
    player = section.participants.get(tpn=2).player
    Player.objects.filter(pk=player.pk).update(fide_id=990010437)
    data = copy_file(section)
    Player.objects.filter(pk=player.pk).update(name="Ozoliņa, Dženifera")
    html = unescape(send(owners_page, data, into=section.event.slug))
    (conflicts,) = re.findall(r'<div class="note bad stack" id="conflicts".*?</div>', html, re.DOTALL)
    assert re.findall("<li>(.*?)</li>", conflicts) == [
        f"Player 2 of the copy, FIDE ID 990010437: {player.name} in the file, Ozoliņa, Dženifera in the event"
    ]
    assert 'id="conflicts"' not in send(owners_page, data, into="")


def test_person_who_loads_a_file_owns_the_new_event(
    owners_page: Client, owner: User, section: Section
) -> None:
    html = send(owners_page, copy_file(section))
    owners_page.post(CHECK, {"upload": token(html), "into": "-"})
    made = Event.objects.exclude(pk=section.event_id).get()
    assert (made.name, made.public, made.roles.get().user, made.roles.get().role) == (
        "Rijswijk Open",
        False,
        owner,
        "owner",
    )


def test_event_is_downloaded_and_loaded_with_invitations_by_choice(
    owners_page: Client, page: Client, section: Section, owner: User, arbiter: User
) -> None:
    assert page.get("/rijswijk/-/copy/").status_code == 403
    data = owners_page.get("/rijswijk/-/copy/").content
    html = send(owners_page, data)
    owners_page.post(CHECK, {"upload": token(html)})
    made = Event.objects.latest("pk")
    assert ([held.user for held in made.roles.all()], made.invitations.count()) == ([owner], 0)
    html = send(owners_page, data)
    owners_page.post(CHECK, {"upload": token(html), "invite": "on"})
    made = Event.objects.latest("pk")
    assert list(made.roles.values_list("user", "role")) == [(owner.pk, "owner")]
    assert list(made.invitations.values_list("username", "user", "role", "state")) == [
        ("ada", arbiter.pk, "chief", "open")
    ]


def test_page_of_a_copy_does_not_say_which_logins_exist(
    owners_page: Client, section: Section, arbiter: User
) -> None:
    data = owners_page.get("/rijswijk/-/copy/").content
    before = without_tokens(send(owners_page, data))
    arbiter.username = "elsewhere"
    arbiter.save()
    assert without_tokens(send(owners_page, data)) == before


def test_open_invitations_are_not_in_a_copy(owners_page: Client, event: Event, owner: User) -> None:
    UserFactory(username="nia")
    owners_page.post("/rijswijk/-/people/", {"username": "nia", "role": "arbiter"})
    content = unpack(owners_page.get("/rijswijk/-/copy/").content)["content"]
    assert content["roles"] == [["olga", "owner", 0, ""]]
    assert "invitations" not in content


def test_owner_without_the_right_to_make_events_loads_only_sections(
    owners_page: Client, section: Section, owner: User
) -> None:
    owner.makes_events = False
    owner.save()
    html = send(owners_page, copy_file(section))
    assert '<option value="-">' not in html
    assert owners_page.post(CHECK, {"upload": token(html), "into": "-"}).status_code == 422
    assert owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk"}).status_code == 302
    html = send(owners_page, event_file(section.event), "event.json")
    assert owners_page.post(CHECK, {"upload": token(html)}).status_code == 403
    assert Event.objects.count() == 1


def test_arbiter_cannot_load_into_an_event_of_others(page: Client, arbiter: User, section: Section) -> None:
    assert page.get("/new/-/load/").status_code == 403
    arbiter.makes_events = True
    arbiter.save()
    html = send(page, copy_file(section), into="rijswijk")
    assert 'value="rijswijk"' not in html
    answer = page.post(CHECK, {"upload": token(html), "into": "rijswijk"})
    assert answer.status_code == 422
    assert Section.objects.count() == 1


def test_strangers_see_no_copies(client: Client, section: Section, log_in: LogIn) -> None:
    path = take_copy(section, "asked")
    stranger = log_in(UserFactory())
    for rest in ("copies/", "copies/now/", f"copies/{path.name}/"):
        assert stranger.get(address(section, rest)).status_code == 403
        assert client.get(address(section, rest)).status_code == 302
    for rest in ("copies/keep/", f"copies/{path.name}/load/"):
        assert stranger.post(address(section, rest)).status_code == 403
    assert stranger.get("/rijswijk/-/copy/").status_code == 403
    assert client.get("/new/-/load/").status_code == 302
    assert client.post(CHECK).status_code == 403


def test_copy_of_another_section_cannot_be_downloaded(page: Client, section: Section) -> None:
    path = take_copy(section_of(2), "asked")
    assert page.get(address(section, f"copies/{path.name}/")).status_code == 404


REFUSED = {
    "no copy": (lambda _: b"012 Open\r\n", "not a copy"),
    "nothing": (lambda data: data[:0], "not a copy"),
    "cut": (lambda data: data[:-30], "damaged"),
    "newer": (
        lambda _: pack({}, "").replace(f'"version": {VERSION}'.encode(), b'"version": 99'),
        "newer Evenboard",
    ),
    "no event": (lambda data: pack(unpack(data)["content"], "", kind=EVENT), "damaged"),
    "a bomb": (lambda _: gzip.compress(b" " * 30_000_000), "larger than 20 MB"),
    "a bomb of lists": (lambda _: gzip.compress(b"[],[]," * 750_000), "damaged"),
    "too large": (lambda _: b"x" * 8_000_001, "larger than 8 MB"),
}


def test_file_that_is_not_a_valid_copy_is_refused_in_words(owners_page: Client, section: Section) -> None:
    for name in REFUSED:
        change, sentence = REFUSED[name]
        html = send(owners_page, change(copy_file(section, compressed=True)))
        assert sentence in html, name
        assert "Look at the file" in html, name
        assert Event.objects.count() == 1, name


def test_confirmation_is_for_the_file_that_was_shown(owners_page: Client, section: Section) -> None:
    first = send(owners_page, copy_file(section))
    send(owners_page, event_file(section.event), "other.json")
    answer = owners_page.post(CHECK, {"upload": token(first)})
    assert answer.status_code == 409
    assert "You have opened another file since then, other.json." in answer.content.decode()
    assert Event.objects.count() == 1


def test_taken_name_is_an_error_at_its_field(owners_page: Client, section: Section) -> None:
    SectionFactory(event=section.event, name="B")
    html = send(owners_page, copy_file(section))
    answer = owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk", "name": "B"})
    assert answer.status_code == 422
    assert "B" in answer.content.decode()
    assert Section.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_round_is_published_even_if_its_copy_fails(page: Client, section: Section, directory: Path) -> None:
    directory.write_text("a file where the directory should be")
    row = pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=0)
    html = page.post(
        address(section, "round/1/publish/"), {"version": row.version}, follow=True
    ).content.decode()
    assert "no copy of the section could be kept (Not a directory)" in html
    assert section.played_rounds.get().is_published
    assert page.post(address(section, "copies/keep/")).status_code == 422
    assert "No copies yet." in page.get(address(section, "copies/")).content.decode()


def test_loaded_section_offers_no_undo_of_its_beginning(owners_page: Client, section: Section) -> None:
    paired(section)
    html = send(owners_page, copy_file(section))
    done = owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk", "name": "B"}, follow=True)
    assert done.status_code == 200
    log = owners_page.get("/rijswijk/b/log/").content.decode()
    assert "Section loaded from the copy copy.json.gz" in log
    assert re.search(r"/rijswijk/b/log/\d+/undo/", log) is None


def test_event_role_of_another_event_gives_nothing(section: Section, log_in: LogIn) -> None:
    other = EventRoleFactory(role=EventRole.Role.OWNER)
    assert log_in(other.user).get(address(section, "copies/now/")).status_code == 403


def altered(data: bytes, city: str) -> bytes:
    """Return the copy as a person changes it who does not have the key of the server."""
    file = json.loads(data)
    file["content"]["event"]["city"] = city
    file["checksum"] = checksum(canonical(file["content"]))
    return json.dumps(file).encode()


def test_page_says_that_this_server_made_the_copy(owners_page: Client, section: Section) -> None:
    html = send(owners_page, copy_file(section))
    assert "<span>This server made it, and nobody has changed it since.</span>" in html
    assert 'name="changed"' not in html
    assert '<p class="note' not in html


def test_changed_copy_of_this_server_is_loaded_only_with_a_tick(
    owners_page: Client, section: Section
) -> None:
    paired(section)
    for data in (copy_file(section), event_file(section.event)):
        events, sections = Event.objects.count(), Section.objects.count()
        html = send(owners_page, altered(data, "Delft"))
        assert '<p class="note bad"><b>This copy was changed.</b>' in html
        form = {"upload": token(html), "into": "-"}
        answer = owners_page.post(CHECK, form)
        assert answer.status_code == 422
        assert "Choose another copy, or tick this box." in answer.content.decode()
        assert (Event.objects.count(), Section.objects.count()) == (events, sections)
        assert owners_page.post(CHECK, {**form, "changed": "on"}).status_code == 302
        assert Section.objects.count() > sections
    log = owners_page.get(address(Section.objects.latest("pk"), "log/")).content.decode()
    assert log.count('<span class="pill warn">from a changed copy of ') == 2


def test_copy_of_another_server_is_loaded_with_a_warning_and_a_mark_on_every_row(
    owners_page: Client, section: Section
) -> None:
    paired(section)
    with override_settings(SECRET_KEY="of another server"):
        data = copy_file(section)
    html = send(owners_page, data, "stick.json")
    assert '<p class="note warn"><b>Not a copy of this server.</b> Another server made it' in html
    owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk", "name": "B"})
    made = Section.objects.get(name="B")
    log = owners_page.get(address(made, "log/")).content.decode()
    assert log.count('<span class="pill warn">from another server, copy of ') == 2
    assert log.count("<dt>origin</dt>") == 2
    assert "Section loaded from the copy stick.json of another server" in log
    cockpit = owners_page.get(address(made, "cockpit/")).content.decode()
    assert cockpit.count("; from another server, copy of ") == 2


def test_rows_of_a_copy_of_this_server_say_so(owners_page: Client, section: Section) -> None:
    paired(section)
    html = send(owners_page, copy_file(section))
    owners_page.post(CHECK, {"upload": token(html), "into": "rijswijk", "name": "B"})
    log = owners_page.get(address(Section.objects.get(name="B"), "log/")).content.decode()
    assert log.count('<span class="pill">from this server, copy of ') == 2


def test_page_says_whether_a_copy_was_restored_on_trial(page: Client, section: Section) -> None:
    paired(section)
    take_copy(section, "asked")
    untested = "no test restore yet"
    assert untested in page.get(address(section, "copies/")).content.decode()
    prove_copy(section, stored_copies(section)[0])
    html = page.get(address(section, "copies/")).content.decode()
    assert (
        untested in html,
        len(re.findall(r"test restore \d+ \w+ [\d:]+: all data are the same", html)),
    ) == (
        False,
        1,
    )
    path = stored_copies(section)[0].path
    path.write_bytes(path.read_bytes()[:-100])
    assert untested in page.get(address(section, "copies/")).content.decode()
    prove_copy(section, stored_copies(section)[0])
    html = page.get(address(section, "copies/")).content.decode()
    assert "<b>Cannot be restored:</b> the file is damaged or not complete" in html
    cockpit = page.get(address(section, "cockpit/")).content.decode()
    assert "1 copy on this server cannot be restored. Make another copy." in cockpit


def test_page_says_whose_copies_it_shows_if_hosts_share_no_directory(
    page: Client, section: Section, tmp_path: Path
) -> None:
    paired(section)
    for host in ("one", "two"):
        with override_settings(BACKUP_DIR=str(tmp_path / host)):
            assert "Each of these hosts" not in page.get(address(section, "copies/")).content.decode()
            note_place(host)
            take_copy(section, "asked" if host == "one" else "restore")
            prove_copy(section, stored_copies(section)[0])
    html = page.get(address(section, "copies/")).content.decode()
    assert "Each of these hosts has its own: one and two." in html
    assert section.copy_proofs.count() == 2, "the copy of the other host is not gone"
    well, facts = copies_state()
    assert (well, facts["directories"]) == (False, 2)
    Chore.objects.filter(holder="two").update(done_at=timezone.now() - timedelta(hours=1))
    with override_settings(BACKUP_DIR=str(tmp_path / "one")):
        note_place("two")
    assert "Each of these hosts" not in page.get(address(section, "copies/")).content.decode()


def test_page_says_when_copies_were_made_in_another_place_and_takes_a_request(
    page: Client, section: Section
) -> None:
    assert "set BACKUP_TO" in page.get(address(section, "copies/")).content.decode()
    assert page.post(address(section, "copies/elsewhere/")).status_code == 302
    assert Chore.objects.count() == 0
    with override_settings(BACKUP_TO="/mnt/share", BACKUP_EVERY=10):
        html = page.get(address(section, "copies/")).content.decode()
        assert (
            "Every 10 minutes the server copies every event that has changed to <code>/mnt/share</code>."
            in html
        )
        assert "Nothing was copied there yet." in html
        answer = page.post(address(section, "copies/elsewhere/"), follow=True).content.decode()
        assert "The copies are made in the background." in answer
        assert "Copies are being made now." in answer
        assert chores.take_chore(chores.COPIES, "a server", timedelta(minutes=1))
        chores.finish_chore(
            chores.COPIES, "a server", place="/mnt/share", error="open: No space left on device"
        )
        html = page.get(address(section, "copies/")).content.decode()
        assert "open: No space left on device." in html
        assert "Copies are being made now." not in html
        cockpit = page.get(address(section, "cockpit/")).content.decode()
        assert (
            "The copies in another place (BACKUP_TO) are not up to date: open: No space left on device."
            in cockpit
        )
        chores.take_chore(chores.COPIES, "a server", timedelta(minutes=1))
        chores.finish_chore(chores.COPIES, "a server", place="/mnt/share")
        html = page.get(address(section, "copies/")).content.decode()
        assert ("No space left" in html, len(re.findall(r"Last copied \d+ \w+ [\d:]+\.", html))) == (False, 1)
        Chore.objects.update(done_at=timezone.now() - timedelta(minutes=31))
        assert "<b>The copies are too old.</b>" in page.get(address(section, "copies/")).content.decode()
        assert "not up to date: too old." in page.get(address(section, "cockpit/")).content.decode()
