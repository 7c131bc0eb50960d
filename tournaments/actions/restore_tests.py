"""Prove that a copy can be restored: load it into an empty database in memory, and compare every row.

A copy that nobody has ever restored may be worth nothing. Each stored copy is proved once, in a process of low
priority (server/chores.py), so no arbiter waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any

from django.apps import apps
from django.db import IntegrityError, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler
from django.utils import timezone

from base.consistent_read import consistent_read
from evenboard_engine.trf import Report, TextRecord
from tournaments.copy_format import PARTS, PEOPLE, CopyOrigin, canonical, unpack
from tournaments.errors import DomainError
from tournaments.files.copy_reading import CopiedRole, EventCopy, SectionCopy, read_any
from tournaments.files.copy_writing import copy_content, event_content
from tournaments.files.report_writing import section_report
from tournaments.hash_chain import check_section
from tournaments.models import CopyProof, Event, EventRole, Section, User
from tournaments.models.events import EventState
from tournaments.models.journal import whole
from tournaments.queries.copies import hosts_apart

from .copies import event_details, load_copy, load_event_copy
from .events import create_event
from .ledger import Actor
from .stored_copies import StoredCopy, stored_copies

# An empty database in memory, for a test restore.

ALIAS = "default"
AT_ONCE = 500  # sections whose proofs one query reads
SCRATCH = {
    "ENGINE": "django.db.backends.sqlite3",
    "NAME": ":memory:",
    "OPTIONS": {"init_command": "PRAGMA foreign_keys=ON; PRAGMA synchronous=OFF"},
}


@contextmanager
def scratch_database() -> Iterator[None]:
    """Put an empty SQLite database in the place of the real one, for this thread. It is gone afterwards.

    It has the tables, constraints and triggers of the models as they are now, without the migrations, which would take
    seconds. SQLite serves for PostgreSQL too: a copy can be loaded on both, and this needs no right to make a database.
    """
    real = connections[ALIAS]
    scratch = ConnectionHandler({ALIAS: dict(SCRATCH)}).create_connection(ALIAS)
    connections[ALIAS] = scratch
    try:
        with scratch.schema_editor() as editor:
            for model in apps.get_models():
                if model._meta.managed and not model._meta.proxy:  # noqa: SLF001 - Django documents _meta as public
                    editor.create_model(model)
        with scratch.schema_editor() as editor:
            import_module("tournaments.migrations._triggers").install(apps, editor)
        yield
    finally:
        connections[ALIAS] = real
        BaseDatabaseWrapper.close(scratch)  # SQLite's own close keeps a database in memory


# Prove that a copy can be restored: load it into an empty database in memory, and compare every row.
#
# A copy that nobody has ever restored may be worth nothing. Each stored copy is proved once, in a process of
# low priority (server/chores.py), so no arbiter waits.

FAULTS = {
    "unreadable": "the file cannot be read; detail: why",
    "damaged": "the file is damaged or not complete",
    "changed": "somebody changed the file after this server made it",
    "not_restored": "the copy cannot be loaded; detail: the code of the error",
    "rows_differ": "rows of the restored section differ; detail: which part",
    "log_differs": "the log of the restored section does not match its seals",
    "section_differs": "the copy is not the section, which has not changed since; detail: which part",
    "report_differs": "the restored section has other pairings, points or ranks than the section",
}
"""Why a proof fails."""
_ANOTHER = frozenset({"taken_away"})
"""Settings of a section that loading changes by design."""


class _Fault(Exception):
    """A proof failed. Its code is one of FAULTS."""

    def __init__(self, code: str, detail: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail


@dataclass(frozen=True, slots=True)
class _Live:
    """The section itself, if it is still as it was when it was copied. content: as in a file. report: unnamed."""

    content: Mapping[str, Any]
    report: Report


def unproved(section: Section) -> list[StoredCopy]:
    """Return the stored copies of a section that were not proved as they are now, newest first."""
    known = {proof.name: proof.changed_ns for proof in section.copy_proofs.all()}
    return [copy for copy in stored_copies(section) if known.get(copy.name) != copy.changed_ns]


def all_unproved(sections: Iterable[int] = ()) -> Iterator[tuple[Section, StoredCopy]]:
    """Yield the stored copies that are not proved, of the sections with these keys or of all, newest first in each."""
    keys = sorted(sections or Section.objects.values_list("pk", flat=True), reverse=True)
    for start in range(0, len(keys), AT_ONCE):
        some = Section.objects.filter(pk__in=keys[start : start + AT_ONCE]).select_related("event")
        for section in some.prefetch_related("copy_proofs").order_by("-pk"):
            for copy in unproved(section):
                yield section, copy


def prove_copy(section: Section, copy: StoredCopy) -> CopyProof:
    """Restore a stored copy, compare it, and note the outcome. Outcomes of files that are gone are deleted."""
    fault, detail, with_section = "", "", False
    try:
        with_section = _prove(section, copy)
    except _Fault as failed:
        fault, detail = failed.code, failed.detail
    if not hosts_apart():  # the files of another host are not gone
        names = [one.name for one in stored_copies(section)]
        section.copy_proofs.exclude(name__in=names).delete()
    proof, _ = CopyProof.objects.update_or_create(
        section=section,
        name=copy.name,
        defaults={
            "changed_ns": copy.changed_ns,
            "at": timezone.now(),
            "fault": fault,
            "detail": detail[:300],
            "with_section": with_section,
        },
    )
    return proof


def prove_event_copy(path: Path) -> tuple[str, str]:
    """Restore the copy of an event and compare it with the file. Return the fault, "" if there is none, and more."""
    try:
        read, content = _read(path)
        if not isinstance(read, EventCopy):
            raise _Fault("damaged")
        with scratch_database():
            _compare_events(content, event_content(_restored_event(read, content)))
    except _Fault as failed:
        return failed.code, failed.detail
    return "", ""


def _read(path: Path) -> tuple[SectionCopy | EventCopy, Mapping[str, Any]]:
    """Return the copy in a file, and its content exactly as it is there. Raises _Fault."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise _Fault("unreadable", error.strerror or type(error).__name__) from error
    try:
        read, content = read_any(data), unpack(data)["content"]
    except DomainError as error:
        raise _Fault("damaged") from error
    if read.origin is CopyOrigin.CHANGED:
        raise _Fault("changed")
    return read, content


def _prove(section: Section, copy: StoredCopy) -> bool:
    """Return whether the copy could be compared with the section too. Raises _Fault."""
    read, content = _read(copy.path)
    if not isinstance(read, SectionCopy):
        raise _Fault("damaged")
    live = _live(section, content)
    with scratch_database():
        restored = _restored(read, content)
        _compare(content, copy_content(restored))
        if check_section(restored).fault is not None:
            raise _Fault("log_differs")
        if live is not None and _unnamed_report(restored) != live.report:
            raise _Fault("report_differs")
    return live is not None


def _live(section: Section, content: Mapping[str, Any]) -> _Live | None:
    """Return the section, if it is as it was when it was copied. Raises _Fault if only its rows are not."""
    with consistent_read():
        found = copy_content(section)
        if found["revision"] != content["revision"]:
            return None
        # the file of a round is kept after the action of the same revision, so a copy may lack the newest ones
        found["round_files"] = found["round_files"][: len(content.get("round_files", ()))]
        if part := _differing(_bare(content), _bare(found)):
            raise _Fault("section_differs", part)
        if whole(Event, found["event"]) != whole(Event, content["event"]):  # the event was changed since
            return None
        return _Live(found, _unnamed_report(Section.objects.select_related("event").get(pk=section.pk)))


def _unnamed_report(section: Section) -> Report:
    """Return the report without the name of the tournament (012).

    The name depends on whether the event has other sections, and they are not in the copy of one section.
    """
    records = section_report(section).records
    return Report(tuple(one for one in records if not (isinstance(one, TextRecord) and one.code == "012")))


def _restored(copy: SectionCopy, content: Mapping[str, Any]) -> Section:
    """Load the copy into the scratch database, with all logins that it names. Raises _Fault."""
    actor = Actor.command()
    try:
        event = create_event(actor=actor, state=EventState.DRAFT, **event_details(copy.event))
        people = _with_logins(_people(content))
        EventRole.objects.bulk_create(EventRole(event=event, user=user, role="arbiter") for user in people)
        return load_copy(actor=actor, event=event, copy=copy, name=copy.name, both=True)
    except DomainError as error:
        raise _Fault("not_restored", error.code) from error
    except IntegrityError as error:
        raise _Fault("not_restored", str(error)) from error


def _restored_event(copy: EventCopy, content: Mapping[str, Any]) -> Event:
    """Load the copy of an event into the scratch database, with all logins that it names. Raises _Fault."""
    named = {name for section in content["sections"] for name in _people(section)}
    named |= {row["user_id"] for row in content["log"] if row.get("user_id")}
    working = {held.username for held in copy.roles}
    others = tuple(CopiedRole(name, EventRole.Role.VIEWER) for name in sorted(named - working))
    try:
        _with_logins(named | working)
        copy = replace(copy, roles=(*copy.roles, *others))
        return load_event_copy(actor=Actor.command(), copy=copy, roles=True)
    except DomainError as error:
        raise _Fault("not_restored", error.code) from error
    except IntegrityError as error:
        raise _Fault("not_restored", str(error)) from error


def _with_logins(names: Iterable[str]) -> list[User]:
    return User.objects.bulk_create(User(username=name) for name in sorted(names))


def _people(content: Mapping[str, Any]) -> set[str]:
    rows = (row for part in (*PARTS, "log") for row in content.get(part, ()))
    return {row[name] for row in rows for name in PEOPLE if row.get(name)}


def _compare_events(content: Mapping[str, Any], restored: Mapping[str, Any]) -> None:
    """Raise _Fault if the restored event is not the one in the file.

    Of two sections with the same name, one gets a number when they are loaded.
    """
    if len(restored["sections"]) != len(content["sections"]):
        raise _Fault("rows_differ", "sections")
    for section, found in zip(content["sections"], restored["sections"], strict=True):
        settings = {**found["section"], "name": section["section"]["name"]}
        _compare(section, {**found, "section": settings})
    kept = len(content["log"])
    log = _without_last_mark(restored["log"][len(restored["log"]) - kept :])
    loaded = {"people": _in_order_of_sections(restored["people"]), "log": log}
    if part := _differing(
        {"people": _in_order_of_sections(content["people"]), "log": content["log"]}, loaded
    ):
        raise _Fault("rows_differ", part)


def _in_order_of_sections(people: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the numbers of people as loading gives them, which takes one section after the other."""
    numbers: dict[int, int] = {}
    return [[numbers.setdefault(one, len(numbers) + 1) for one in section] for section in people]


def _without_last_mark(log: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the rows as they were in the file, before loading marked them."""
    rows = ({**row, "brought": row["brought"][:-1]} for row in log)
    return [{name: value for name, value in row.items() if name != "brought" or value} for row in rows]


def _compare(content: Mapping[str, Any], restored: Mapping[str, Any]) -> None:
    """Raise _Fault if the restored section is not the one in the file."""
    found = {
        **restored,
        "revision": restored["revision"] - 1,
        "log": _without_last_mark(restored["log"][:-1]),
    }
    if part := _differing(_bare(content), _bare(found)):
        raise _Fault("rows_differ", part)


def _bare(content: Mapping[str, Any]) -> dict[str, Any]:
    """Return what must be equal: the settings, the rows and the log of the section."""
    settings = whole(Section, content["section"])
    section = {name: value for name, value in settings.items() if name not in _ANOTHER}
    parts = {part: content.get(part, []) for part in PARTS}  # an older file does not have all of them
    return {"section": section, "revision": content["revision"], **parts, "log": content["log"]}


def _differing(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """Return the name of the first part that differs, with the number of its rows; "" if all are equal."""
    for part, value in one.items():
        if canonical({part: value}) != canonical({part: other[part]}):
            counts = f": {len(value)}, {len(other[part])}" if isinstance(value, list) else ""
            return part + counts
    return ""
