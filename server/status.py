"""The page Status of site owners: what the checks of `/readyz` find, in words, and who waits in the lanes."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from time import time
from typing import Any

from django.db import DatabaseError
from django.http import HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from base.reader import READER, date_format
from server.health import Finding, findings
from server.metrics import now
from tournaments.queries.site import MB
from web.requests import PersonRequest
from web.views.privacy import clock_doubt
from web.views.staff.access import person_page
from web.views.staff.site import OWNERS

STARTED = time()


@dataclass(frozen=True, slots=True)
class StatusLine:
    """A check in words. state: "good", "warn" or "bad"."""

    name: str
    state: str
    sentence: str


def _database(facts: Mapping[str, Any]) -> str:
    return _("%(kind)s answers in %(n)s ms and has %(size)s MB.") % {
        "kind": {"sqlite": "SQLite", "postgresql": "PostgreSQL"}[facts["kind"]],
        "n": facts["milliseconds"],
        "size": facts["bytes"] // MB,
    }


def _disk(facts: Mapping[str, Any]) -> str:
    places = {"data": _("data"), "database": _("database"), "backups": _("copies")}
    each = (
        _("%(size)s MB free for %(what)s")
        % {
            "size": free,
            "what": READER.listed([places[name] for name in holds.split()], "comma"),
        }
        for holds, free in facts["free_mb"].items()
    )
    return READER.listed(list(each), "semicolon")


def _when(text: str | None) -> str:
    at = parse_datetime(text or "")
    return date_format(timezone.localtime(at), "j F Y, H:i") if at else _("never")


def _copies(facts: Mapping[str, Any]) -> str:
    failed = facts["proofs_failed"]
    sentences = [
        ngettext("%(n)s copy failed its test restore.", "%(n)s copies failed their test restore.", failed)
        % {"n": failed}
        if failed
        else _("No copy failed its test restore."),
        _("Last copy in another place: %(at)s.") % {"at": _when(facts["elsewhere_last"])}
        if facts["elsewhere"]
        else _("No copies are kept in another place."),
        *(
            [
                _(
                    "Several hosts store copies in directories of their own. Set BACKUP_DIR to one that all share."
                )
            ]
            if facts["directories"] > 1
            else []
        ),
    ]
    return " ".join(sentences)


def _translations(facts: Mapping[str, Any]) -> str:
    if missing := facts["missing"]:
        return _("Not compiled: %(languages)s.") % {"languages": ", ".join(missing)}
    return _("All languages are compiled.")


def _migrations(facts: Mapping[str, Any]) -> str:
    if missing := facts["missing"]:
        return _("Missing: %(names)s. Run manage.py migrate.") % {"names": ", ".join(missing)}
    return _("The tables are those of this program.")


def _mail(facts: Mapping[str, Any]) -> str:
    waiting = facts["waiting"]
    sentences = [
        _("A mail server is set up.")
        if facts["set_up"]
        else _("No mail server is set up: mails stand in the log of the server."),
        ngettext("%(n)s mail is due.", "%(n)s mails are due.", waiting) % {"n": waiting},
    ]
    if minutes := facts["oldest_seconds"] // 60:
        sentence = ngettext(
            "The oldest has been due for %(n)s minute.", "The oldest has been due for %(n)s minutes.", minutes
        )
        sentences.append(sentence % {"n": minutes})
    return " ".join(sentences)


def _work(facts: Mapping[str, Any]) -> str:
    hooks, notices = facts["webhooks"], facts["notices"]
    return " ".join(
        [
            ngettext("%(n)s message to a program is due.", "%(n)s messages to programs are due.", hooks)
            % {"n": hooks},
            ngettext("%(n)s notice on a phone is due.", "%(n)s notices on phones are due.", notices)
            % {"n": notices},
        ]
    )


def _integrity(facts: Mapping[str, Any]) -> str:
    if facts["fault"]:
        return str(facts["fault"])
    if not facts["checked_at"]:
        return _("Not checked yet since the start.")
    return _("All pages of the database were read on %(at)s.") % {"at": _when(facts["checked_at"])}


def _limits(facts: Mapping[str, Any]) -> str:
    if "silent_since" in facts:
        return _(
            "Valkey has not answered since %(at)s. Each process counts attempts by itself until Valkey answers."
        ) % {"at": _when(facts["silent_since"])}
    if facts["counted"] == "together":
        return _("All processes count attempts together, in Valkey.")
    return _("Each process counts attempts by itself. If several processes serve this site, set CACHE_URL.")


def _hosts(facts: Mapping[str, Any]) -> str:
    sentences = []
    for name, ones in facts["differ"].items():
        who = READER.listed(
            [_("process %(number)s on %(host)s") % {"number": number, "host": host} for host, number in ones]
        )
        if name == "clock":
            sentence = _(
                "The clocks of the hosts differ by more than 10 seconds: %(who)s. Let all hosts keep time by NTP."
            )
        elif name == "version":
            sentence = _(
                "Two versions have served this site for more than an hour: %(who)s. Finish the upgrade."
            )
        elif name == "SECRET_KEY":
            sentence = _(
                "SECRET_KEY is not the same everywhere: %(who)s. People are logged out and forms fail. Set the same"
                " SECRET_KEY on all hosts and start them again."
            )
        else:
            sentence = _(
                "%(name)s is not the same everywhere: %(who)s. Set the same %(name)s on all hosts and start them again."
            )
        sentences.append(sentence % {"name": name, "who": who})
    if sentences:
        return " ".join(sentences)
    number = max(1, facts["processes"])
    return ngettext(
        "%(n)s process serves this site.", "%(n)s processes serve this site with the same settings.", number
    ) % {"n": number}


WORDS: dict[str, tuple[Any, Callable[[Mapping[str, Any]], str]]] = {
    "database": (gettext_lazy("Database"), _database),
    "migrations": (gettext_lazy("Tables"), _migrations),
    "integrity": (gettext_lazy("Integrity of the database"), _integrity),
    "disk": (gettext_lazy("Disk"), _disk),
    "last_backup": (gettext_lazy("Last copy"), lambda facts: _when(facts["at"])),
    "copies": (gettext_lazy("Copies"), _copies),
    "mail": (gettext_lazy("Mail"), _mail),
    "work": (gettext_lazy("Messages and notices"), _work),
    "limits": (gettext_lazy("Limits of attempts"), _limits),
    "hosts": (gettext_lazy("Hosts"), _hosts),
    "translations": (gettext_lazy("Translations"), _translations),
    "clock": (gettext_lazy("Clock"), lambda _facts: clock_doubt() or _("The clock has not jumped.")),
}


LANES = {
    "arbiters": gettext_lazy("Arbiters"),
    "visitors": gettext_lazy("Visitors and registrations"),
    "players": gettext_lazy("Players who press results"),
    "making": gettext_lazy("Pages and files that take long"),
    "login": gettext_lazy("People who log in"),
    "files": gettext_lazy("Static files"),
    "health": gettext_lazy("Monitors"),
}


def _lanes() -> list[tuple[str, int, int]]:
    """Return the name of each lane, how many requests wait in it, and how many are being answered."""
    counts = {name: [0, 0] for name in LANES}
    for lane, _task, waiting, answered in now.lanes.lengths() if now.lanes else ():
        counts[lane][0] += waiting
        counts[lane][1] += answered
    return [(str(LANES[name]), waiting, answered) for name, (waiting, answered) in counts.items()]


def _line(name: str, found: Finding) -> StatusLine:
    title, words = WORDS[name]
    state = "bad" if not found.ok else "warn" if found.warning else "good"
    try:
        sentence = words(found.facts)
    except (KeyError, DatabaseError):  # a check that failed has no facts
        sentence = _("The check got no answer. The log of the server says why.")
    return StatusLine(str(title), state, sentence)


@person_page("GET", "HEAD", permission=OWNERS)
def status(request: PersonRequest) -> HttpResponse:
    """Show the state of the process that answers."""
    found = findings()
    context = {
        "lines": [_line(name, found[name]) for name in WORDS],
        "lanes": _lanes(),
        "started": timezone.localtime(datetime.fromtimestamp(STARTED, tz=timezone.get_default_timezone())),
        "host": socket.gethostname(),
        "process": os.getpid(),
    }
    return render(request, "staff/site_status.html", context)
