"""What the server does by itself: one process at a time, when it is due, and with the outcome noted."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
from django.test import override_settings
from django.utils import timezone

from registrations.models import Mail
from server.chores import FORGETS, Chores, Registrations
from tests.actions.test_concurrency import at_once
from tests.factories import EventFactory, section_of
from tests.migrated import migrated_copy
from tests.registrations.factories import desk, sent
from tests.waiting import LONG, until
from tests.web.staff.conftest import paired
from tournaments.actions import chores
from tournaments.actions.stored_copies import copies_changed, stored_copies, take_copy
from tournaments.models import Chore, CopyProof, Section
from tournaments.queries.copies import copies_elsewhere, copies_state

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def places(tmp_path: Path) -> Iterator[Path]:
    """Copies elsewhere every 10 minutes, in a directory that does not exist yet."""
    there = tmp_path / "share"
    with override_settings(BACKUP_DIR=str(tmp_path / "backups"), BACKUP_TO=str(there), BACKUP_EVERY=10):
        yield there
    copies_changed.clear()


@pytest.mark.concurrency
@pytest.mark.django_db(transaction=True)
def test_one_of_several_servers_takes_the_work() -> None:
    chores.chore_named("x")
    taken: list[str] = []

    def take(name: str) -> None:
        if chores.take_chore("x", name, MINUTE):
            taken.append(name)

    assert at_once(*[lambda name=name: take(name) for name in "abcd"]) == ["done"] * 4
    (holder,) = taken
    assert Chore.objects.get(name="x").holder == holder
    assert chores.take_chore("x", holder, MINUTE), "its own lease is extended"
    Chore.objects.update(until=timezone.now() - MINUTE)
    assert chores.take_chore("x", "later", MINUTE), "a server that was killed holds nothing for ever"
    chores.finish_chore("x", holder, error="too late")
    assert Chore.objects.get(name="x").error == "", "the outcome of a lost lease does not count"


@pytest.mark.django_db
def test_copies_are_due_at_first_then_by_the_clock_and_when_asked() -> None:
    now = timezone.now()
    assert chores.copies_are_due()
    chores.take_chore(chores.COPIES, "a", MINUTE)
    chores.finish_chore(chores.COPIES, "a", place=copies_elsewhere().place)
    assert not chores.copies_are_due()
    assert not chores.copies_are_due(now + 9 * MINUTE)
    assert chores.copies_are_due(now + 11 * MINUTE)
    chores.ask_for_copies()
    assert chores.copies_are_due()
    began = timezone.now()
    chores.take_chore(chores.COPIES, "a", MINUTE)
    Chore.objects.update(asked_at=began + MINUTE)
    chores.finish_chore(chores.COPIES, "a", place=copies_elsewhere().place, began=began)
    assert chores.copies_are_due(), "somebody asked while the copies were made"
    Chore.objects.update(asked_at=None)
    with override_settings(BACKUP_TO="/another/place"):
        assert chores.copies_are_due()
    with override_settings(BACKUP_TO=""):
        assert not chores.copies_are_due()


@pytest.mark.django_db
def test_copies_are_asked_for_before_the_first_ones_and_in_a_place_with_a_long_name() -> None:
    chores.ask_for_copies()
    assert Chore.objects.get(name=chores.COPIES).asked_at is not None
    Chore.objects.all().delete()
    with override_settings(BACKUP_TO="/" + "x" * 400):
        chores.chore_named(chores.COPIES)
        chores.take_chore(chores.COPIES, "a", MINUTE)
        chores.finish_chore(chores.COPIES, "a", place="/" + "x" * 400)
        assert len(Chore.objects.get().place) == 300
        assert not chores.copies_are_due()


@pytest.mark.django_db
def test_failed_copies_are_tried_again_by_the_clock() -> None:
    chores.take_chore(chores.COPIES, "a", MINUTE)
    chores.finish_chore(chores.COPIES, "a", place=copies_elsewhere().place, error="no share")
    assert not chores.copies_are_due()
    assert chores.copies_are_due(timezone.now() + 11 * MINUTE)
    there = copies_elsewhere()
    assert (there.error, there.done_at, there.late) == ("no share", None, False)


@pytest.mark.django_db
def test_state_for_monitors() -> None:
    section = section_of(2)
    assert copies_state()[0]
    CopyProof.objects.create(section=section, name="x", changed_ns=1, at=timezone.now(), fault="damaged")
    well, facts = copies_state()
    assert (well, facts["proofs_failed"]) == (False, 1)
    CopyProof.objects.all().delete()
    chores.take_chore(chores.COPIES, "a", MINUTE)
    chores.finish_chore(chores.COPIES, "a")
    assert copies_state()[0]
    assert not copies_state(timezone.now() + 31 * MINUTE)[0]
    chores.take_chore(chores.COPIES, "a", MINUTE)
    chores.finish_chore(chores.COPIES, "a", error="no share")
    assert (copies_state()[0], copies_state()[1]["elsewhere_failed"]) == (False, True)
    with override_settings(BACKUP_TO=""):
        assert copies_state() == (True, {**copies_state()[1], "elsewhere": False})


class RecordingChores(Chores):
    """Records the commands instead of running them."""

    def __init__(self, *answers: str | None) -> None:
        super().__init__()
        self.answers = list(answers)
        self.run: list[tuple[str, ...]] = []

    def _run(self, _name: str, *command: str) -> str | None:
        self.run.append(command)
        return self.answers.pop(0) if self.answers else ""


@pytest.mark.django_db
def test_server_runs_the_commands_and_notes_the_outcome(places: Path) -> None:
    server = RecordingChores("open: no share")
    server.look()
    assert server.run == [("copy_tournaments", str(places), "--keep", "30", "--must-exist", "--prove")]
    assert (copies_elsewhere().error, copies_elsewhere().asked) == ("open: no share", False)
    server.look()
    assert len(server.run) == 1, "not before it is due again"
    section = section_of(2)
    take_copy(section, "asked")
    server.look()
    once = [("prove_copies", "--most", "20", "--sections", str(section.pk))]
    assert server.run[1:] == once, "not for ever if nothing is proved, and in no other section"
    assert Chore.objects.get(name=chores.PROOFS).error == ""


@pytest.mark.django_db
def test_work_that_was_stopped_is_given_back_without_an_outcome() -> None:
    RecordingChores(None).look()
    found = Chore.objects.get(name=chores.COPIES)
    assert (found.holder, found.until, found.done_at, found.error) == ("", None, None, "")


@pytest.mark.django_db
def test_work_that_another_server_does_is_left_alone() -> None:
    chores.take_chore(chores.COPIES, "another", MINUTE)
    server = RecordingChores()
    server.look()
    assert server.run == []


FILL_AND_SERVE = """
import sys, threading
import django
django.setup()
from tests.factories import section_of
from pairing.rounds import pair_next_round, publish_round
from tests.actions.test_notices import KEY, SECRET
from tournaments.actions.ledger import Actor
from tournaments.actions.notices import subscribe
from tournaments.push_messages import encoded, point_of
section = section_of(4, event__slug="open")
keys = {"point": encoded(point_of(KEY)), "secret": encoded(SECRET)}
subscribe(section=section, endpoint="https://fcm.googleapis.com/phone", language="de", network="", **keys)
desk = Actor.command()
draft = pair_next_round(actor=desk, section_id=section.pk, after_round=0)
publish_round(actor=desk, round_id=draft.pk, seen_version=draft.version)
from tests.rating_lists.made import field, offered, text
offered(text(*field(3)))
from server import chores
from server.chores import Chores, Notices, RatingLists
chores.PATIENCE = 300  # for a busy machine
# each finds its work at the first look; a later one is only for a database that was busy, and costs little
threads = [Chores(first=0, every=2), Notices(first=0, every=2), RatingLists(first=0, every=2)]
for thread in threads:
    thread.start()
sys.stdin.readline()
for thread in threads:
    thread.stop()
print(threading.active_count())
"""
FAKE_SERVICE = """
import http.client
class Line:
    def __init__(self, host, **options):
        self.host, self.status = host, 201
    def request(self, method, path, body, headers):
        with open(FILE, "a") as file:
            print(method, self.host + path, headers["Topic"], file=file)
    def getresponse(self):
        return self
    def read(self):
        return b""
    def close(self):
        pass
http.client.HTTPSConnection = Line
"""


@pytest.mark.slow
@pytest.mark.one_database  # the server has an SQLite database of its own
@pytest.mark.django_db
def test_server_copies_proves_sends_notices_and_imports_lists_by_itself_and_stops_cleanly(
    tmp_path: Path, root: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """A server of its own with its own database: copies elsewhere, proofs of stored copies, and the notice of a
    round at a push service, and a rating list.
    """
    got = tmp_path / "got"
    (tmp_path / "sitecustomize.py").write_text(FAKE_SERVICE.replace("FILE", repr(str(got))))
    environment = {
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "VAR_DIR": str(tmp_path / "var"),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'own.sqlite3'}",
        "BACKUP_DIR": str(tmp_path / "stored"),
        "BACKUP_TO": str(tmp_path / "there"),
        "PYTHONPATH": os.pathsep.join((str(tmp_path), str(root))),
    }

    (tmp_path / "there").mkdir()
    migrated_copy(tmp_path / "own.sqlite3", tmp_path_factory)
    with subprocess.Popen(
        [sys.executable, "-c", FILL_AND_SERVE],
        cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as server:  # fmt: skip
        try:
            with closing(sqlite3.connect(tmp_path / "own.sqlite3", timeout=LONG)) as database:

                def found(query: str) -> list[tuple[object, ...]]:
                    return database.execute(query).fetchall()

                done = (
                    "SELECT name, error FROM tournaments_chore "
                    "WHERE done_at IS NOT NULL AND until IS NULL ORDER BY name"
                )
                until(lambda: len(found(done)) == 4, "the end of four chores")
                chores_done = found(done)
                proofs = found("SELECT fault, with_section FROM tournaments_copyproof")
                lists = found("SELECT series, state, rows, problem FROM ratings_ratinglist")
            assert (proofs, chores_done) == (
                [("", 1)],
                [("copies", ""), ("notices", ""), ("proofs", ""), ("rating lists", "")],
            )
            assert lists == [("FIDE", "ready", 3, "{}")]
            assert got.read_text() == "POST fcm.googleapis.com/phone section-1\n"
            assert len(list((tmp_path / "there").glob("open-*"))) == 1
            out, err = server.communicate("stop\n", timeout=LONG)
            assert (out.strip(), err) == ("1", "")
        finally:
            server.kill()


@pytest.mark.parametrize("mails", [True, False])
def test_mails_stand_on_the_console_unless_they_are_sent(
    mails: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[bool] = []
    monkeypatch.setattr(Chores, "_run", lambda *_command, prints: asked.append(prints))
    with override_settings(MAIL_IS_SET_UP=mails):
        Registrations()._work_off()
    assert asked == [not mails]


@pytest.mark.django_db
def test_lists_that_a_date_lets_move_are_looked_at_once_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    monkeypatch.setattr(Chores, "_do", lambda _self, name, *_work: done.append(name))
    full = desk(capacity=1)
    server = Registrations()
    server.look()
    sent(full), sent(full)
    Mail.objects.all().delete()
    server.look()
    assert done == []
    server._forgot -= FORGETS
    server.look()
    server.look()
    assert done == ["registrations"]


@pytest.mark.django_db(transaction=True)
def test_command_that_fails_or_hangs_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    script = tmp_path / "manage.py"
    monkeypatch.setattr("server.chores.MANAGE", script)
    script.write_text("import sys; sys.stderr.write('open: no share\\nmore\\n'); sys.exit(1)")
    server = Chores()
    assert server._run("x", "copy") == "open: no share"
    script.write_text("raise OSError('no share')")
    assert server._run("x", "copy") == "OSError: no share"
    script.write_text("import sys; sys.exit('CommandError: the directory /x does not exist')")
    assert server._run("x", "copy") == "the directory /x does not exist"
    script.write_text("import sys; sys.stderr.write('open: no share\\n' * 50_000); sys.exit(1)")
    assert server._run("x", "copy") == "open: no share", "more than a pipe holds"
    script.write_text("print('done')")
    assert server._run("x", "copy") == ""
    assert capfd.readouterr().out == ""
    assert server._run("x", "copy", prints=True) == ""
    assert capfd.readouterr().out == "done\n"
    script.write_text("import time; time.sleep(3600)")
    monkeypatch.setattr("server.chores.LONGEST", 0.1)
    assert server._run("x", "copy") == "stopped after 0 seconds"
    monkeypatch.setattr("server.chores.LONGEST", 60)
    server._stop.set()
    assert server._run("x", "copy") is None  # after 60 seconds it would say so


@pytest.mark.django_db
def test_unchanged_event_is_recognised_by_the_head_of_its_newest_copy(places: Path) -> None:
    from tournaments.actions.stored_copies import copy_event

    event = EventFactory()
    section = section_of(4, event=event)
    first = copy_event(event, places)
    assert (first.written, copy_event(event, places)) == (True, type(first)(first.path, written=False))
    paired(section)
    assert copy_event(event, places).written
    assert stored_copies(Section.objects.get()) == []
