"""Work beside serving on several hosts: one does it, and another one goes on when a host is killed at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from unittest import mock

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db.models.functions import Now
from django.utils import timezone

from registrations.models import Mail
from server import chores as server
from server.management.commands import send_webhooks as webhooks_command
from tests.actions.test_notices import KEY, SECRET
from tests.factories import EventRoleFactory, UserFactory, section_of
from tests.registrations.factories import desk, sent
from tests.waiting import LONG, until
from tests.web.staff.conftest import paired
from tournaments.actions import chores, programs
from tournaments.actions.ledger import Actor
from tournaments.actions.notices import subscribe
from tournaments.actions.stored_copies import copies_changed
from tournaments.models import Chore, EventRole, NoticeSubscription, Webhook, WebhookMessage
from tournaments.push_messages import Sender, encoded, point_of

DAY = timedelta(days=1)


class Killed(BaseException):
    """The process ends at this moment."""


WORK = {
    chores.COPIES: (server.Chores, "server.chores.chores.copies_are_due", "copy_tournaments"),
    chores.PROOFS: (server.Chores, "server.chores.all_unproved", "prove_copies"),
    chores.NOTICES: (server.Notices, "server.chores.notices_are_due", "send_notices"),
    chores.WEBHOOKS: (server.Webhooks, "server.chores.webhooks_are_due", "send_webhooks"),
    chores.REHEARSALS: (server.Rehearsals, "server.chores.rehearsals_run", "play_rehearsals"),
    chores.RATING_LISTS: (server.RatingLists, "server.chores.chores.lists_are_due", "import_rating_lists"),
    server.REGISTRATIONS: (server.Registrations, "server.chores.clock_is_due", "work_registrations"),
}


@pytest.mark.django_db
@pytest.mark.parametrize("name", WORK)
def test_one_host_works_and_another_goes_on_after_its_death(
    name: str, monkeypatch: pytest.MonkeyPatch, settings: object
) -> None:
    kind, due, command = WORK[name]
    settings.BACKUP_TO = ""  # type: ignore[attr-defined]
    monkeypatch.setattr(due, lambda *_: iter([1]))
    copies_changed.add(1)
    one, other = kind(), kind()
    ran: list[str] = []

    def run(self: server.Chores, _name: str, *words: str, **_options: object) -> str:
        ran.append(words[0])
        copies_changed.add(1)
        other.look()  # while the work is done
        return ""

    monkeypatch.setattr(kind, "_run", run)
    assert chores.take_chore(name, "killed", server.LEASE)
    for wrong in (-DAY, DAY):  # the clock of this host
        with mock.patch("django.utils.timezone.now", return_value=timezone.now() + wrong):
            one.look()
    assert ran == []
    Chore.objects.filter(name=name).update(until=Now() - timedelta(seconds=1))
    copies_changed.add(1)
    one.look()
    assert ran == [command]
    assert (Chore.objects.get(name=name).holder, Chore.objects.get(name=name).error) == ("", "")
    copies_changed.clear()


def webhook() -> None:
    event = section_of(4).event
    made, _secret = programs.make_webhook(
        actor=Actor(UserFactory()), event=event, address="https://example.org/"
    )
    programs.send_test(event=event, webhook_id=made.pk)


def notice() -> None:
    section = section_of(4)
    keys = {"point": encoded(point_of(KEY)), "secret": encoded(SECRET)}
    subscribe(section=section, endpoint="https://fcm.googleapis.com/a", language="", network="", **keys)
    paired(section)


def mail() -> None:
    sent(desk())


def later() -> None:
    """Let all waiting times pass."""
    now = timezone.now()
    WebhookMessage.objects.update(next_at=now)
    NoticeSubscription.objects.update(next_at=now)
    Mail.objects.update(not_before=now)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("make", "command", "place", "of"),
    [
        (
            webhook,
            "send_webhooks",
            (programs, "post"),
            lambda _address, _body, headers, *_: headers["webhook-id"],
        ),
        (notice, "send_notices", (Sender, "send"), lambda _sender, _text, _browser, topic: topic),
        (mail, "work_registrations", (EmailMessage, "send"), lambda message: (message.to, message.subject)),
    ],
    ids=["webhook", "notice", "mail"],
)
def test_what_is_sent_arrives_although_the_process_is_killed(
    make: Callable[[], None],
    command: str,
    place: tuple[object, str],
    of: Callable[..., object],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Killed before it arrives: once. Killed before the arrival is noted: twice, and the receiver can see that."""
    make()
    arrived: list[object] = []
    moments = [Killed("before"), Killed("after"), None]

    def send(*arguments: object, **_options: object) -> int:
        moment = moments.pop(0)
        if moment is None or str(moment) == "after":
            arrived.append(of(*arguments))
        if moment:
            raise moment
        return 201

    monkeypatch.setattr(*place, send)
    for _ in range(2):
        with pytest.raises(Killed):
            call_command(command, verbosity=0)
        later()
    call_command(command, verbosity=0)
    later()
    call_command(command, verbosity=0)
    assert (len(arrived), len(set(map(str, arrived))), moments) == (2, 1, [])


@pytest.mark.django_db
def test_two_processes_take_one_message_and_one_mail_to_organisers_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two processes at once, as when a lease ends while a computer sleeps."""
    webhook()
    arrived: list[str] = []

    def post(_address: str, _body: bytes, headers: dict[str, str], *_: object) -> int:
        arrived.append(headers["webhook-id"])
        return 200

    seen = list(programs.Sending({})._next())  # of a process that stops here, and goes on later
    monkeypatch.setattr(programs, "post", post)
    assert programs.send_webhooks() == 1
    late = programs.Sending({})
    for message in seen:
        late._begin(message)
    assert (len(arrived), late._requests) == (1, {})

    hook = Webhook.objects.get()
    EventRoleFactory(event=hook.event, role=EventRole.Role.OWNER, user=UserFactory(email="o@example.org"))
    programs.end_webhook_by_itself(hook.pk, Webhook.Ended.GONE)
    mails: list[object] = []
    monkeypatch.setattr(
        webhooks_command, "_mail", lambda *_: (mails.append(_), webhooks_command.tell_organisers())
    )
    with mock.patch.object(webhooks_command.settings, "MAIL_IS_SET_UP", True):
        webhooks_command.tell_organisers()
        webhooks_command.tell_organisers()
    assert len(mails) == 1


WORKS = """
import os, signal, sys
from pathlib import Path
import django
django.setup()
from tournaments.actions.chores import be_gentle
be_gentle()
Path(sys.argv[1]).write_text(str(os.getpid()))
signal.pause()
"""
SERVES = """
import sys
from pathlib import Path
import django
django.setup()
from server import chores
chores.MANAGE = Path(sys.argv[1])
chores.Chores()._run("", sys.argv[2])
"""


@pytest.mark.one_database
@pytest.mark.skipif(os.name == "nt", reason="kills as POSIX does")
def test_the_process_of_a_server_that_is_killed_ends(root: Path, tmp_path: Path) -> None:
    work, noted = tmp_path / "work.py", tmp_path / "process"
    work.write_text(WORKS)
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", SERVES, str(work), str(noted)]
    with subprocess.Popen(command, env=environment) as serving:
        until(lambda: noted.exists() and noted.read_text() != "")
        process = int(noted.read_text())
        os.kill(process, 0)
        serving.send_signal(signal.SIGKILL)
        serving.wait(LONG)

    def has_ended() -> bool:
        try:
            os.kill(process, 0)
        except ProcessLookupError:
            return True
        state = Path(f"/proc/{process}/stat")
        return state.exists() and state.read_text().split()[2] == "Z"

    until(has_ended)
