"""Automatic copies of a section, as files in var/backups: one whenever a round is published.

backups/EVENT/SECTION/20261017T140312Z-rev00042-round3-publish.json.gz. A file is never incomplete. The newest copies
(BACKUP_KEEP) and the newest of each round are kept for some days (BACKUP_DAYS), and the newest copy always.

Copies of whole events go to another place, such as a mounted share. The log of an event notes that an archive was
downloaded: it has birth dates and notes.
"""

from __future__ import annotations

import logging
import os
import re
import secrets
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import models, transaction
from django.utils import timezone
from django.utils.translation import gettext_noop as _

from tournaments.copy_format import state_in_head
from tournaments.declarations.events import TAKE_ARCHIVE
from tournaments.declarations.rounds import BACKUP_FAILED
from tournaments.declarations.sections import TAKE_LAST_STEP
from tournaments.errors import DomainError, Refusal
from tournaments.files.copy_writing import copy_content, event_file, event_state, file_of_section
from tournaments.models import Chore, Event, EventChange, Section
from tournaments.models.event_changes import MARKS
from tournaments.models.events import EventState
from tournaments.queries.copies import PLACE, SEEN

from .chores import sure_now
from .ledger import Actor, act, act_on_event

# Refusals
COPY_NOT_WRITTEN = Refusal(
    "copy_not_written",
    _("The section is copied first, but the copy could not be written (%(reason)s). Nothing was done."),
)


logger = logging.getLogger(__name__)
COPY_NAME = re.compile(r"(\d{8}T\d{6}Z)-rev(\d{1,10})-round(\d{1,3})-(publish|restore|asked)\.json\.gz")
copies_changed: set[int] = set()
"""The keys of sections of which this process has written a copy, so that it is proved soon."""
LEFT_BEHIND = 3_600  # seconds; an unfinished file of this age belongs to a program that was killed


@dataclass(frozen=True, slots=True)
class StoredCopy:
    """A copy on this machine. occasion: publish, restore (before it) or asked. round_number: 0 before round 1.

    changed_ns: when the file was written, in nanoseconds.
    """

    path: Path
    at: datetime
    revision: int
    round_number: int
    occasion: str
    size: int
    changed_ns: int = 0

    @property
    def name(self) -> str:
        return self.path.name


def backup_directory() -> Path:
    return Path(settings.BACKUP_DIR or Path(settings.VAR_DIR) / "backups")


def directory_of(section: Section) -> Path:
    """Return the directory for the copies of a section. Slugs are valid names of directories."""
    return backup_directory() / section.event.slug / section.slug


def stored_copies(section: Section) -> list[StoredCopy]:
    """Return the copies of a section, newest first; none if the directory cannot be read."""
    return copies_in(directory_of(section))


def copies_in(directory: Path) -> list[StoredCopy]:
    found = []
    try:
        for path in directory.iterdir():
            if match := COPY_NAME.fullmatch(path.name):
                at = datetime.strptime(match[1], "%Y%m%dT%H%M%SZ").replace(tzinfo=UTC)
                state = path.stat()
                size, changed = state.st_size, state.st_mtime_ns
                found.append(StoredCopy(path, at, int(match[2]), int(match[3]), match[4], size, changed))
    except (OSError, ValueError):
        return sorted(found, key=lambda copy: (copy.at, copy.revision), reverse=True)
    return sorted(found, key=lambda copy: (copy.at, copy.revision), reverse=True)


def stored_copy(section: Section, name: str) -> StoredCopy | None:
    """Return the copy with this name. The name is looked up in the list, so no other file can be requested."""
    return next((copy for copy in stored_copies(section) if copy.name == name), None)


def note_place(host: str) -> None:
    """Note in which directory this host stores copies, so that pages can say if hosts do not share one."""
    now, path = timezone.now(), backup_directory() / ".place"
    try:
        key = path.read_text("ascii") if path.exists() else secrets.token_hex(8)
        if not path.exists():
            write_whole(path, key.encode())
    except OSError as error:
        logger.warning("The directory of copies cannot be used: %s", error)
        return
    places = Chore.objects.filter(name__startswith=PLACE)
    places.update_or_create(name=f"{PLACE}{key[:16]}", defaults={"holder": host[:80], "done_at": now})
    places.filter(done_at__lt=now - SEEN).delete()


def take_copy(section: Section, occasion: str) -> Path:
    """Write a copy of the section as it is now, and delete the copies that are no longer kept.

    Raises DomainError("copy_not_written").
    """
    content = copy_content(section)
    number = max((row["number"] for row in content["rounds"]), default=0)
    data = file_of_section(content, compressed=True)
    revision = content["revision"]
    now = timezone.now().astimezone(UTC)
    directory = directory_of(section)
    try:
        path = write_whole(
            directory / f"{now:%Y%m%dT%H%M%SZ}-rev{revision:05}-round{number}-{occasion}.json.gz", data
        )
        for copy in to_let_go(copies_in(directory), now, sure=sure_now(now)):
            copy.path.unlink(missing_ok=True)
    except OSError as error:
        raise COPY_NOT_WRITTEN.error(reason=error.strerror or type(error).__name__) from error
    copies_changed.add(section.pk)
    return path


def take_copy_after_commit(section: Section, actor: Actor) -> None:
    """Write a copy after the current transaction is committed. A failure is only noted in the log."""
    transaction.on_commit(partial(_take_or_log, section.pk, actor), robust=True)


def to_let_go(
    copies: Sequence[StoredCopy],
    now: datetime,
    *,
    keep: int | None = None,
    days: int | None = None,
    sure: datetime | None = None,
) -> list[StoredCopy]:
    """Return the copies that are no longer kept. copies: of one section, newest first. sure: the time from which days
    count, if it is in doubt whether `now` is right.

    Copies that a wrong clock has dated later than now count as the oldest.
    """
    keep = settings.BACKUP_KEEP if keep is None else keep
    oldest = (sure or now) - timedelta(days=settings.BACKUP_DAYS if days is None else days)
    copies = sorted(copies, key=lambda copy: (copy.at <= now, copy.at, copy.revision), reverse=True)
    of_rounds: dict[int, StoredCopy] = {}
    for copy in copies:
        of_rounds.setdefault(copy.round_number, copy)
    kept = {*copies[:keep], *of_rounds.values()}
    return [copy for copy in copies[1:] if copy not in kept or copy.at < oldest]


def write_whole(path: Path, data: bytes, *, alone: bool = True) -> Path:
    """Write a file so that it is never incomplete, even after a power failure. Raises OSError.

    alone: remove unfinished files of before too. Who writes many files to one directory does so once (`sweep`).
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if alone:
        sweep(path.parent)
    partly = path.with_name(f".{path.name}.{secrets.token_hex(4)}.part")
    try:
        with partly.open("wb") as file:
            partly.chmod(0o600)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        partly.replace(path)
    finally:
        partly.unlink(missing_ok=True)
    if os.name == "posix":  # the new name must be on the disk too
        directory = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
    return path


def sweep(directory: Path) -> None:
    """Remove the unfinished files of a program that was killed while it wrote."""
    for partly in directory.glob(".*.part"):
        try:
            if time.time() - partly.stat().st_mtime > LEFT_BEHIND:
                partly.unlink()
        except FileNotFoundError:  # another process has removed it
            continue


def _take_or_log(section_id: int, actor: Actor) -> None:
    try:
        take_copy(Section.objects.select_related("event").get(pk=section_id), "publish")
    except DomainError as error:
        logger.error("no copy of section %d: %s", section_id, error)
        with act(section_id=section_id, actor=actor, action=BACKUP_FAILED, allow_closed=True) as entry:
            entry.reason = str(error.params["reason"])
            last = entry.section.played_rounds.order_by("-number").first()
            entry.round_number = last.number if last else None


# Copies of whole events in another place, such as a mounted share.

EVENT_COPIES_KEPT = 30
EVENT_COPY_NAME = re.compile(r"(.+)-(\d{8}T\d{12}Z)\.json\.gz")
HEAD_BYTES = 4_096  # bytes of a file that are enough to read its state


@dataclass(frozen=True, slots=True)
class Copied:
    """The newest copy of an event. written: False if the event has not changed since that copy."""

    path: Path
    written: bool


def copy_event(
    event: Event,
    directory: Path,
    keep: int = EVENT_COPIES_KEPT,
    *,
    state: str = "",
    there: Sequence[Path] | None = None,
) -> Copied:
    """Write a copy unless the event has not changed since its newest one, and delete old ones.

    state: of `event_states`. there: of `event_copies`. Who copies many events reads both once for all of them.
    Raises OSError, DatabaseError.
    """
    there = copies_of(directory, event) if there is None else there
    if there and _state_of(there[0]) == (state or event_state(event)):
        return Copied(there[0], written=False)
    now = timezone.now().astimezone(UTC)
    data = event_file(event, compressed=True)
    path = write_whole(directory / f"{event.slug}-{now:%Y%m%dT%H%M%S%fZ}.json.gz", data, alone=False)
    for old in there[keep - 1 :]:
        old.unlink(missing_ok=True)
    return Copied(path, written=True)


def _state_of(path: Path) -> str:
    with path.open("rb") as file:
        return state_in_head(file.read(HEAD_BYTES))


def copies_of(directory: Path, event: Event) -> list[Path]:
    """Return the copies of an event, newest first; last those that a wrong clock has dated later than now."""
    return event_copies(directory).get(event.own_slug, [])


def event_copies(directory: Path) -> dict[str, list[Path]]:
    """Return `copies_of` each event that has copies there, by its address."""
    now = f"{timezone.now().astimezone(UTC):%Y%m%dT%H%M%S%fZ}"
    found: dict[str, list[tuple[bool, str, Path]]] = {}
    if directory.is_dir():
        for path in directory.iterdir():
            if name := EVENT_COPY_NAME.fullmatch(path.name):
                found.setdefault(name[1], []).append((name[2] <= now, name[2], path))
    return {slug: [path for *_order, path in sorted(rows, reverse=True)] for slug, rows in found.items()}


# Copies of the whole site in the same place: an index with what is of no event, and a file for each state of an event.

BEGINS, INDEX, WHOLE = "evenboard-site-", ".index", ".sealed"
"""How the name of a copy of the site begins and ends. WHOLE: of version 1.0, which has all events in one file."""
EVENTS_OF_SITE = "evenboard-site-events"
"""The directory of the files of events, `KEY-STATE.sealed`. Several copies of the site name the same file."""
ERASED_SINCE = b"A player of this event was erased, or the event was deleted. So this file was emptied.\n"
"""What is then in the file of an event."""
MARK_ENDS = ".erased"
"""How the name of a mark ends: a player of an event was erased, perhaps while a copy was being written."""


def site_copies(directory: Path) -> list[Path]:
    """Return the copies of the whole site in a directory, newest first."""
    found = [path for path in directory.glob(f"{BEGINS}*") if path.suffix in (INDEX, WHOLE)]
    return sorted(found, key=lambda path: path.name, reverse=True)


def take_from_site_copies(directory: Path, event_key: int) -> None:
    """Take an event out of all copies of the site: a player was erased, or the event was deleted. Raises OSError."""
    for copy in site_copies(directory):
        if copy.suffix == WHOLE:
            copy.unlink(missing_ok=True)
    if directory.is_dir():
        folder = directory / EVENTS_OF_SITE
        folder.mkdir(mode=0o700, exist_ok=True)
        marks = [folder / f"{event_key}-{secrets.token_hex(4)}{MARK_ENDS}" for _ in range(2)]
        marks[0].touch()  # for a copy that is being written: it empties what it writes from now on
        empty_files(folder.glob(f"{event_key}-*{WHOLE}"))
        marks[1].touch()  # for the next copy: it writes again what was emptied


def empty_files(paths: Iterable[Path]) -> None:
    for path in paths:
        write_whole(path, ERASED_SINCE, alone=False)


MOST_MARKS = 20_000


def changes_of_events() -> dict[int, int]:
    """Return the sum of the marks of each event that has any, by key."""
    sums = EventChange.objects.values_list("event_key").annotate(models.Sum("mark")).order_by()
    return {key: int(marks) % MARKS for key, marks in sums}


def add_up_changes() -> None:
    """Put one mark, the sum, in the place of several of an event. The server does it every hour."""
    newest = EventChange.objects.aggregate(newest=models.Max("pk"))["newest"] or 0
    several = EventChange.objects.values("event_key").annotate(count=models.Count("pk")).filter(count__gt=1)
    due = EventChange.objects.filter(pk__lte=newest, event_key__in=several.values("event_key")).order_by("pk")
    while True:
        with transaction.atomic():
            rows = list(due.select_for_update().values_list("pk", "event_key", "mark")[:MOST_MARKS])
            sums: dict[int, int] = {}
            for _pk, key, mark in rows:
                sums[key] = (sums.get(key, 0) + mark) % MARKS
            there = set(Event.objects.filter(pk__in=sums).values_list("pk", flat=True))
            EventChange.objects.filter(pk__in=[pk for pk, *_rest in rows]).delete()
            EventChange.objects.bulk_create(
                EventChange(event_key=key, mark=mark) for key, mark in sums.items() if key in there
            )
        if len(rows) < MOST_MARKS:
            return


# Note in the log of an event that an archive was downloaded, because it has birth dates and notes; and in the log of a
# section that a step after its last round was taken.


def note_archive(*, actor: Actor, event_id: int, subject: str) -> None:
    """Log the download. No section changes, so revisions stay and open pages stay current.

    subject: the name of the section, or of the event for the archive of all sections.
    """
    with act_on_event(
        event_id=event_id, actor=actor, action=TAKE_ARCHIVE, at_rest=EventState.ARCHIVED
    ) as entry:
        entry.subject = subject


def note_last_step(*, actor: Actor, section_id: int, step: str, mark: str = "") -> None:
    """Log that a step after the last round was taken (`NOTED_STEPS`), also in a closed section. Nothing else changes.

    mark: of the places and prizes that the person saw (`queries.last_steps`).
    """
    with act(section_id=section_id, actor=actor, action=TAKE_LAST_STEP, allow_closed=True) as entry:
        entry.after = {"step": step, "mark": mark}
