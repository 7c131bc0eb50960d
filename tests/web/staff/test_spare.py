"""The page Spare, what the spare gets and who else gets nothing, and a machine that another one has replaced."""

from __future__ import annotations

import json
import re
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core import signing
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pypdf import PdfReader

from base.cache import clear_caches
from pairing.rounds import pair_next_round
from server import paper_files, spare_state
from server.chores import SpareWatch
from server.chromium import find_chromium
from server.spare_state import StateReceiver
from tests.factories import EventRoleFactory, SectionFactory, UserFactory, section_of
from tests.registrations.factories import desk, sent
from tests.web.staff.conftest import LogIn
from tournaments.actions import spare as actions
from tournaments.actions.hall import set_hall_message
from tournaments.actions.ledger import Actor
from tournaments.actions.spare import Contact
from tournaments.actions.stored_copies import write_whole
from tournaments.models import SiteLog, SiteSettings, User, WritingTerm
from tournaments.models.spare import SALT, SPARE, UNSURE, Guard, MachineTerm, guard
from tournaments.queries.spare import held_rounds, newest_log_keys
from tournaments.spare_messages import (
    CHALLENGE,
    FILE,
    PATH,
    as_typed,
    changed_state,
    divided,
    joined,
    opened,
    sealed,
)

pytestmark = pytest.mark.django_db(transaction=True)
PAGE = "/site/spare/"


@pytest.fixture(autouse=True)
def usual_guard() -> Iterator[None]:
    actions.states.forget()
    actions.contact = Contact()
    guard.load()
    yield
    guard.clear()
    guard.known = True


@pytest.fixture
def owner(log_in: LogIn) -> Client:
    browser: Client = log_in(UserFactory(username="root", site_owner=True))
    browser.raise_request_exception = False
    return browser


@pytest.fixture
def key(owner: Client) -> str:
    return made_key(owner)


def made_key(owner: Client) -> str:
    html = owner.post(PAGE, {"make": "1"}).content.decode()
    found = re.search(r"<code>([A-Z2-7]{4}(?:-[A-Z2-7]+)+)</code>", html)
    assert found
    return as_typed(found[1])


def change(browser: Client) -> Any:
    """Change a setting of the site."""
    open_now = SiteSettings.objects.filter(open_registration=True).exists()
    return browser.post(
        "/site/", {"events_by": "everybody", **({} if open_now else {"open_registration": "on"})}
    )


class Machine:
    """The other machine, which asks as server/spare_state.py does."""

    def __init__(self, key: str) -> None:
        self.key, self.browser, self.challenge = key, Client(), ""

    def send(self, body: bytes, challenge: str) -> Any:
        return self.browser.post(PATH, body, "application/octet-stream", headers={CHALLENGE: challenge})

    def ask(self, **question: Any) -> tuple[dict[str, Any], bytes]:
        self.challenge = self.challenge or self.send(b"x", "").content.decode()
        challenge, self.challenge = self.challenge, ""
        answer = self.send(self.question(challenge, **question), challenge)
        assert answer.status_code == 200, answer.status_code
        head, data = divided(opened(self.key, f"answer {challenge}", answer.content))
        self.challenge = head["next"]
        return head, data

    def question(self, challenge: str, **question: Any) -> bytes:
        return sealed(self.key, f"question {challenge}", joined({"port": 9, **question}))


def term(number: int, holder: str = "a" * 8, line: str = "") -> str:
    return str(MachineTerm(number, holder, line))


def test_spare_gets_the_whole_database_and_then_only_what_changed(
    owner: Client, key: str, tmp_path: Path
) -> None:
    machine = Machine(key)
    if connection.vendor != "sqlite":
        assert machine.ask(holds="", term="")[0]["kind"] == "postgresql"
        return
    head, data = machine.ask(holds="", term="", port=8001)
    state = changed_state(b"", head, data)
    assert (head["keys"].keys(), WritingTerm.objects.get().peers) == (
        {"secret-key", "push-key"},
        ["http://127.0.0.1:8001"],
    )
    UserFactory(username="later")
    more, data = machine.ask(holds=head["version"], port=8001)
    assert len(more["pages"]) * more["page"] < len(state) / 2
    state = changed_state(state, more, data)
    again, nothing = machine.ask(holds=more["version"], port=8001)
    assert (again["version"], nothing) == (more["version"], b"")
    received = tmp_path / "received.sqlite3"
    received.write_bytes(state)
    with sqlite3.connect(f"{received.as_uri()}?immutable=1", uri=True) as copy:
        assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        names = {name for (name,) in copy.execute("SELECT username FROM tournaments_user")}
    assert names == {"root", "later"}


def test_nobody_gets_anything_without_the_key(owner: Client) -> None:
    stranger = Machine("A" * 26)
    challenge = stranger.send(b"x", "").content.decode()
    assert stranger.send(stranger.question(challenge, holds=""), challenge).status_code == 403, (
        "there is no key"
    )
    key = made_key(owner)
    challenge = stranger.send(b"x", "").content.decode()
    assert stranger.send(stranger.question(challenge, holds=""), challenge).status_code == 403
    assert stranger.send(b"x", challenge).status_code == 403
    right = Machine(key)
    question = right.question(challenge, holds="", term=term(9))
    assert right.send(question[:-1] + bytes([question[-1] ^ 1]), challenge).status_code == 403, "forged"
    assert right.send(question, "").status_code == 401
    assert right.send(b"x" * 5_000, challenge).status_code == 413, "oversized"
    assert right.browser.get(PATH)["Location"] == "/", "a browser"
    assert guard.refused == "", "a message that does not count stops nobody"
    accepted = right.question(challenge, holds="")
    assert right.send(accepted, challenge).status_code == 200
    assert right.send(accepted, challenge).status_code == 401, "replayed"
    owner.post(PAGE, {"end": "1"})
    challenge = right.send(b"x", "").content.decode()
    assert right.send(right.question(challenge, holds=""), challenge).status_code == 403
    newer = Machine(made_key(owner))
    fresh = newer.send(b"x", "").content.decode()
    assert right.send(right.question(fresh, holds=""), fresh).status_code == 403, "the former key"
    assert newer.ask(holds="")[0]["term"] == "0.."


def test_higher_term_stops_every_change_and_says_what_is_only_here(owner: Client, key: str) -> None:
    assert change(owner).status_code == 302
    Machine(key).ask(term=term(1), port=8001)
    answer = change(owner)
    assert (answer.status_code, answer["X-Failure"]) == (503, "taken_over")
    assert "Another machine has taken over" in answer.content.decode()
    assert SiteSettings.objects.get().open_registration, "the first change stands, the second was refused"
    assert owner.get("/").status_code == 200, "pages can be read"
    assert "This server accepts no changes" in owner.get("/").content.decode()
    page = owner.get(PAGE).content.decode()
    assert "Go on here all the same" in page
    assert "End the key" not in page, "a machine that does not write cannot"
    guard.clear()
    guard.load()
    assert change(owner).status_code == 503, "also after a start"
    login = Client()
    User.objects.all()  # reading needs nothing
    assert login.get("/login/").status_code == 200
    assert owner.post(PAGE, {"here": "1"}).status_code == 302
    assert (guard.refused, guard.term.number) == ("", 2), "above the term of the other machine"
    assert change(owner).status_code == 302
    assert SiteLog.objects.filter(action="go_on_here").count() == 1
    head, _data = Machine(key).ask(term=term(1))
    assert head["term"].startswith("2."), "so the other machine stops"


def test_every_log_says_what_is_only_here_also_when_a_third_machine_writes(owner: Client, key: str) -> None:
    """A spare has taken over from this machine, and the spare of that one from it, before this one came back."""
    section, open_section = SectionFactory(name="Women"), desk()
    both = newest_log_keys()
    second = MachineTerm().raised(1, "b" * 8, both)
    third = second.raised(2, "c" * 8, [each + 50 for each in both])
    set_hall_message(actor=Actor.command(), section_id=section.pk, message="Phones off.")
    change(owner)
    sent(open_section, "Ek, Anna")
    Machine(key).ask(term=str(third))
    page = owner.get(PAGE).content.decode()
    assert "3 actions since" in page
    assert all(
        each in page
        for each in ("Phones off.", "Women", "Ek, Anna", "The state is now", "No log has passwords")
    )
    rows = json.loads(owner.get(f"{PAGE}log/").content)
    assert [row["section"] for row in rows] == [str(section), "Site", str(open_section)]
    assert rows[0]["after"] == {"hall_message": "Phones off."}

    owner.post(PAGE, {"here": "1"})
    assert guard.term.number == 3
    assert third.common(guard.term) == both, "the other machine lists what came after the same row"
    back = third.raised(3, "d" * 8, [each + 90 for each in both])
    assert third.common(back) == [each + 90 for each in both], "its own spare took over from it"
    assert third.common(third) is None


@pytest.mark.one_database
def test_a_server_that_is_told_of_the_takeover_stops_and_sends_its_last_state(
    owner: Client, key: str, tmp_path: Path
) -> None:
    machine = Machine(key)
    head, data = machine.ask(holds="")
    state = changed_state(b"", head, data)
    change(owner)
    head, data = machine.ask(holds=head["version"], term=term(1))
    received = tmp_path / "received.sqlite3"
    received.write_bytes(changed_state(state, head, data))
    with sqlite3.connect(received) as copy:
        assert copy.execute("SELECT open_registration FROM tournaments_sitesettings").fetchone() == (1,)
    row = WritingTerm(heard="")
    guard.take(row)
    assert change(owner).status_code == 503, "also while another thread has just read the row of before"


def test_terms_with_one_number_stop_the_same_machine_on_both_sides(owner: Client, key: str) -> None:
    owner.post(PAGE, {"here": "1"})
    assert guard.term.number == 0, "nobody had asked for a decision"
    guard.refused = UNSURE
    owner.post(PAGE, {"here": "1"})
    assert guard.term.number == 1
    here = guard.term.holder
    Machine(key).ask(term=term(1, "0" * 8))
    assert (guard.refused, here > "0" * 8) == ("", True)
    Machine(key).ask(term=term(1, "f" * 8))
    assert guard.refused == "taken over"


def test_browser_brings_the_term_of_the_machine_that_took_over(owner: Client, key: str) -> None:
    owner.get(PAGE)
    own = owner.cookies["evenboard-term"].value
    assert own == guard.signed
    owner.cookies["evenboard-term"] = f"{term(7)}:forged"
    assert change(owner).status_code == 302, "somebody without our key stops nobody"
    owner.cookies["evenboard-term"] = signing.Signer(salt=SALT).sign(term(7))
    assert change(owner).status_code == 503
    assert owner.cookies["evenboard-term"].value != own, "the higher term stays in the browser"


def test_start_with_a_silent_spare_waits_for_a_decision(owner: Client, key: str) -> None:
    actions.begin_duty(8000)
    assert guard.refused == "", "no spare has ever received anything"
    Machine(key).ask(holds="", port=9)  # nothing listens on this port
    actions.begin_duty(8000)
    assert guard.refused == UNSURE
    answer = change(owner)
    assert (answer.status_code, answer["X-Failure"]) == (503, "spare_silent")
    page = owner.get(PAGE).content.decode()
    assert "Nobody took over: go on here" in page
    assert "Its address is" in page
    assert "End the key" not in page
    Machine(key).ask(holds="", port=9)
    assert guard.refused == UNSURE, "another machine, which has nothing yet, says nothing about the spare"
    machine = Machine(key)
    challenge = machine.send(b"x", "").content.decode()
    itself = machine.question(challenge, holds="1234", process=actions.OF_PROCESS)
    assert machine.send(itself, challenge).status_code == 409
    assert guard.refused == UNSURE, "a server with the address of its former first server does not ask itself"
    Machine(key).ask(holds="1234", port=9)
    assert guard.refused == "", "the spare has been heard, and has no higher term"
    assert change(owner).status_code == 302


def test_two_spares_tell_each_other_and_both_must_be_heard(owner: Client, key: str) -> None:
    for name, port in (("left", 9), ("right", 10)):
        Machine(key).ask(holds="", name=name, port=port)
    assert WritingTerm.objects.get().spares == {"left": "http://127.0.0.1:9", "right": "http://127.0.0.1:10"}
    actions.begin_duty(8000)
    Machine(key).ask(holds="1234", name="left", port=9)
    assert guard.refused == UNSURE, "the other spare may have taken over"
    Machine(key).ask(holds="1234", name="right", port=10)
    assert guard.refused == ""
    Machine(key).ask(holds="1234", name="right", port=11)
    assert WritingTerm.objects.get().spares["right"] == "http://127.0.0.1:11", "it has another address"

    guard.refused = SPARE  # this machine is one of the two, and the other one takes over
    assert Machine(key).ask(term=term(1))[0]["heard"] == term(1), "a first server that asks learns of it"
    assert actions.next_term(MachineTerm()).number == 2


def test_a_copied_directory_does_not_write_beside_its_original(owner: Client, key: str) -> None:
    guard.refused = SPARE
    actions.contact.process, actions.contact.answered = "original", time.monotonic()
    assert Machine(key).ask(process="copy")[0]["twin"] == "True"
    assert Machine(key).ask(process="original")[0]["twin"] == "False"
    assert Machine(key).ask(process="copy", term=term(1))[0]["twin"] == "False", "somebody has decided"


def test_the_command_decides_for_a_server_that_runs_and_for_its_next_start(owner: Client, key: str) -> None:
    Machine(key).ask(holds="", port=9)
    actions.begin_duty(8000)
    server = Guard()
    server.load()
    server.refused = guard.refused
    assert server.refused == UNSURE
    call_command("go_on_here", stdout=StringIO())
    server.load()
    assert server.refused == ""
    actions.begin_duty(8000)
    assert guard.refused == "", "somebody has decided"
    Machine(key).ask(holds="", port=9)
    actions.begin_duty(8000)
    assert guard.refused == UNSURE, "a spare has the state again"


def test_a_person_logs_in_and_decides_while_nothing_can_be_written(owner: Client, key: str) -> None:
    person = User.objects.get()
    person.set_password("correct horse battery")
    person.save()
    Machine(key).ask(term=term(3))
    clear_caches()
    browser = Client(raise_request_exception=False)
    assert (
        browser.post("/login/", {"username": "root", "password": "correct horse battery"}).status_code == 302
    )
    assert browser.get(PAGE).status_code == 200
    assert change(browser).status_code == 503
    assert browser.post(PAGE, {"here": "1"}).status_code == 302
    assert guard.refused == ""


def test_a_takeover_raises_the_term_and_the_revisions(owner: Client, key: str) -> None:
    section = SectionFactory()
    EventRoleFactory(event=section.event, user=User.objects.get(), role="organiser")
    guard.refused = SPARE
    new = actions.next_term(MachineTerm(4, "b" * 8))
    actions.take_over(term=new, state="2026-11-30T12:00:00+00:00", peer="http://first:8000")
    row = WritingTerm.objects.get()
    assert (row.number, row.holder, row.peers, row.spares) == (5, new.holder, ["http://first:8000"], {})
    assert SiteLog.objects.get(action="spare_takes_over").subject.startswith("2026-11-30")
    for message in ("Phones off.", "Lunch."):
        set_hall_message(actor=Actor.command(), section_id=section.pk, message=message)
    page = owner.get(f"/{section.event.slug}/{section.slug}/log/").content.decode()
    assert ("No. 1002:" in page, page.count("A spare computer took over before this action")) == (True, 1)


@pytest.mark.one_database
def test_a_folder_carries_the_state_and_the_terms_of_both_machines(
    owner: Client, key: str, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first machine may come back long after, when the folder could not be reached at the takeover."""
    share = tmp_path / "share"
    settings.BACKUP_TO, settings.VAR_DIR = str(share), tmp_path
    actions.write_state_file()
    receiver = StateReceiver(str(share), key, tmp_path / "spare", 8001)
    actions.ask_others(8000)
    assert WritingTerm.objects.get().spares == {}, "no spare has been there"
    receiver.try_to_receive()
    assert (receiver.error, receiver.age) == ("", None), "a folder never says that the first server answers"
    actions.ask_others(8000)
    assert WritingTerm.objects.get().spares == {str(share): str(share)}
    actions.begin_duty(8000)
    assert guard.refused == "", "the spare has left its term there"
    older = (share / FILE).read_bytes()
    monkeypatch.setattr(
        spare_state, "opened", lambda *_: pytest.fail("a file that has not changed is read again")
    )
    receiver.try_to_receive()
    assert receiver.error == ""
    monkeypatch.setattr(spare_state, "opened", opened)
    change(owner)
    early = time.time() - 3_600
    monkeypatch.setattr(actions.time, "time", lambda: early)  # somebody sets the clock
    actions.states.count = 0  # and starts the server again
    actions.write_state_file()
    monkeypatch.undo()
    receiver.try_to_receive()
    with sqlite3.connect(f"{receiver.path.as_uri()}?immutable=1", uri=True) as copy:
        assert copy.execute("SELECT open_registration FROM tournaments_sitesettings").fetchone() == (1,)
    newest = (share / FILE).read_bytes()
    assert b"SQLite format" not in newest
    (share / FILE).write_bytes(older)
    receiver.try_to_receive()
    assert receiver.error == "the state in the folder is older than this one"
    StateReceiver(str(share), "B" * 26, tmp_path / "stranger", 8001).try_to_receive()
    (share / FILE).unlink()
    receiver.try_to_receive(term(1))
    assert receiver.error == f"No such file or directory: {share / FILE}"
    actions.ask_others(8000)
    assert (guard.refused, change(owner).status_code) == ("taken over", 503)
    actions.write_state_file()
    assert not (share / FILE).exists(), "a machine that does not write leaves no state"

    owner.post(PAGE, {"here": "1"})
    settings.BACKUP_TO = ""
    WritingTerm.objects.update(peers=[str(share)])
    actions.ask_others(8000)
    left = actions.term_in_folder(share, key)
    assert left is not None
    assert left.number == 2, "a machine whose term is higher leaves it there"
    assert guard.refused == ""


@pytest.mark.one_database
def test_a_spare_killed_at_any_write_has_a_whole_state(
    owner: Client, key: str, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.BACKUP_TO, settings.VAR_DIR = str(tmp_path / "share"), tmp_path
    actions.write_state_file()
    StateReceiver(settings.BACKUP_TO, key, tmp_path / "spare", 8001).receive()
    moments, whole = 0, write_whole
    for moments in range(10):
        change(owner)
        actions.write_state_file()
        writes = iter(range(10))

        def killed(path: Path, data: bytes, moment: int = moments, writes: Iterator[int] = writes) -> Path:
            if next(writes) == moment:
                raise KeyboardInterrupt
            return whole(path, data)

        monkeypatch.setattr(spare_state, "write_whole", killed)
        running = StateReceiver(settings.BACKUP_TO, key, tmp_path / "spare", 8001)
        former = running.held
        with suppress(KeyboardInterrupt):
            running.receive()
        again = StateReceiver(settings.BACKUP_TO, key, tmp_path / "spare", 8001)
        with sqlite3.connect(f"{again.path.as_uri()}?immutable=1", uri=True) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if again.held.version != former.version:
            break
    assert moments == 4, "the state, two keys and the name of the state are written"

    def full(path: Path, _data: bytes) -> Path:
        raise OSError(28, "No space left on device", str(path))

    change(owner)
    actions.write_state_file()
    monkeypatch.setattr(spare_state, "write_whole", full)
    again.try_to_receive()
    assert again.error.startswith("No space left on device: "), "and it is tried again two seconds later"


def test_the_papers_of_a_round_are_a_page_and_a_pdf_that_need_no_server(
    tmp_path: Path, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    section = section_of(4, name="Open")
    pair_next_round(actor=Actor.command(), section_id=section.pk, after_round=0)
    [row] = held_rounds()
    page = paper_files.round_page(row, "http://192.168.1.20:8000")
    assert re.findall(r"<script|<link|<img|url\(", page) == []
    text = " ".join(re.sub(r"<style.*?</style>|<[^>]+>", " ", page, flags=re.DOTALL).split())
    places = [
        text.find(kind) for kind in ("Pairings by board", "Pairings by name", "White signs", "Standings by")
    ]
    assert -1 < places[0] < places[1] < places[2] < places[3]
    assert "http://192.168.1.20:8000" in page, (
        "the codes of the slips open the first server, or who has its address"
    )
    paper_files.write_paper(tmp_path / "open-1.html", page)
    if find_chromium():
        sheets = PdfReader(tmp_path / "open-1.pdf").pages
        assert len(sheets) == 4


@pytest.mark.one_database
def test_the_watch_costs_nothing_without_a_key(owner: Client) -> None:
    watch = SpareWatch(8000)
    watch.look()
    with CaptureQueriesContext(connection) as asked:
        watch.look()
    assert len(asked) == 0
    made_key(owner)
    with CaptureQueriesContext(connection) as asked:
        watch.look()
    assert len(asked) > 0
