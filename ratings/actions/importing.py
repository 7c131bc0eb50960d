"""Import a list: read it into a staging place, put it in order, check it, and put it in force in one moment.

A stop at any time loses at most one batch: what was read and how far the reading is are kept together. The search of
a list that an earlier version of the program imported is built again. Its file is not needed.
"""

from __future__ import annotations

import logging
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import Error, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from ratings import storage
from ratings.errors import ListRefused
from ratings.formats import ListFile
from ratings.models import FIDE, RatingList, new_table_name
from ratings.names import searched
from ratings.players import BadLine, ListedPlayer
from ratings.storage.layout import INDEX, Building, Built, Done

from .offering import discard_file, forget_waiting_files, lock_with_others, path_of, put_in_force

logger = logging.getLogger(__name__)
State = RatingList.State
BATCH = 10_000
SHOWN_EVERY = 0.5
"""Seconds between two notes of the progress, so that an import hardly writes to the main database."""
MOST_TRIES = 5
MOST_OF_EVENT = 200_000
"""Players of a list of one event. Every organiser may give one, and all use the same disk."""
MOST_BAD = 0.001
MOST_CHANGED = 0.1
KNOWN = 20
EARLY = timedelta(days=3)
"""How long before its month a list of FIDE may appear."""
STEPS = {"reading": (0, 600), "ordering": (600, 750), "indexing": (750, 980), "checking": (980, 1000)}
"""Where each step begins and ends, in thousandths."""


class _Removed(Exception):
    """Somebody removed the list while it was imported."""


class _Elsewhere(Exception):
    """Another process has taken up the import, such as that of a server that was started again after it was killed."""


def waiting_lists() -> list[RatingList]:
    """Return the lists to import whose file is on this machine: those that were begun first."""
    found = RatingList.objects.filter(state__in=[State.LOADING, State.WAITING]).order_by("state", "pk")
    return [listing for listing in sorted(found, key=_waits_longer) if _is_here(listing)]


def _waits_longer(listing: RatingList) -> bool:
    """Return whether the lists of the site go first."""
    return listing.event_id is not None


def _is_here(listing: RatingList) -> bool:
    try:
        path_of(listing.file)
    except ListRefused:
        return False
    return True


def import_waiting() -> int:
    """Import all lists that wait. Return how many were looked at."""
    forget_waiting_files()
    count = 0
    while found := waiting_lists():
        import_list(found[0].pk)
        count += 1
    return count


def import_list(list_id: int, on_progress: Callable[[RatingList], None] | None = None) -> RatingList | None:
    """Import a list, or go on with an import that was stopped. Return it, or None if it was removed meanwhile.

    Whoever takes it up last imports it: `tries` says which process that is. An earlier one that still runs leaves it.
    What is wrong with the file is noted in the list; it raises nothing. on_progress: called from time to time.
    """
    with transaction.atomic():
        waits = RatingList.objects.filter(pk=list_id, state__in=[State.WAITING, State.LOADING])
        listing = waits.select_for_update().first()
        if listing is None:
            return None
        listing.state, listing.tries = State.LOADING, listing.tries + 1
        listing.save(update_fields=["state", "tries"])
    if listing.tries > MOST_TRIES:
        return _refuse(listing, ListRefused("unexpected", problem=""))
    try:
        _import(listing, _Progress(listing, on_progress))
    except _Removed:
        storage.delete(listing.table)
        return None
    except _Elsewhere:
        return None
    except ListRefused as error:
        return _refuse(listing, error)
    except Exception as error:
        if not isinstance(error, (OSError, Error, *storage.errors())):
            raise
        logger.exception("a rating list was not imported")
        return _refuse(listing, ListRefused("disk", problem=str(error)[:200]))
    return listing


def _import(listing: RatingList, progress: _Progress) -> None:
    path = path_of(listing.file)
    listing.sha256 = listing.sha256 or fingerprint(path)
    building = storage.building(listing.table)
    try:
        done = building.done()
        if done.sha256 != listing.sha256:
            done = Done(sha256=listing.sha256)
            building.begin(done)
        is_cut = _read(listing, path, building, done, progress)
        if not done.rows:
            raise ListRefused("nobody")
        built = building.finish(progress.step)
    finally:
        building.close()
    _check(listing, done, built, progress, is_cut=is_cut)


def _read(listing: RatingList, path: Path, building: Building, done: Done, progress: _Progress) -> bool:
    """Read the file from where an earlier import stopped. Return whether it was cut off."""
    file = ListFile(path, name=listing.file_name, reading=listing.reading, kind=listing.kind)
    rows: list[tuple[Any, ...]] = []
    try:
        for number, item in file.players(skip=done.lines):
            if isinstance(item, BadLine):
                done.note(item)
            else:
                rows.append((number, *item.row(), searched(item.name, item.year)))
                done.rows += 1
            if len(rows) >= BATCH:
                done.lines = number
                building.add(rows, done)
                rows = []
                progress.read(done, file.fraction)
            done.lines = number
            if listing.event_id is not None and done.rows > MOST_OF_EVENT:
                raise ListRefused("too_many_players", limit=MOST_OF_EVENT)
        building.add(rows, done)
        progress.read(done, 1.0, at_once=True)
        return file.is_cut
    finally:
        file.close()


class _Progress:
    """Writes the progress into the list from time to time. Raises _Removed if there is no list any more, _Elsewhere."""

    def __init__(self, listing: RatingList, shown: Callable[[RatingList], None] | None) -> None:
        self._listing = listing
        self._shown = shown
        self._last = 0.0

    def read(self, done: Done, part: float, *, at_once: bool = False) -> None:
        listing = self._listing
        listing.rows, listing.bad, listing.warnings = done.rows, done.bad, done.warnings
        self.step("reading", part, at_once=at_once)

    def step(self, name: str, part: float, *, at_once: bool = False) -> None:
        begins, ends = STEPS[name]
        listing = self._listing
        new_step, listing.step = name != listing.step, name
        listing.progress = int(begins + (ends - begins) * part)
        if new_step or at_once or part >= 1.0 or time.monotonic() - self._last >= SHOWN_EVERY:
            self._last = time.monotonic()
            noted = ("step", "progress", "rows", "bad", "warnings", "sha256")
            values = {field: getattr(listing, field) for field in noted}
            if not _mine(listing).update(**values):
                raise _gone(listing)
        if self._shown is not None:
            self._shown(listing)


def _mine(listing: RatingList) -> QuerySet[RatingList]:
    """Return the list while it is there and this process imports it."""
    return RatingList.objects.filter(pk=listing.pk, state=State.LOADING, tries=listing.tries)


def _gone(listing: RatingList) -> _Removed | _Elsewhere:
    return _Elsewhere() if RatingList.objects.filter(pk=listing.pk).exists() else _Removed()


def _check(listing: RatingList, done: Done, built: Built, progress: _Progress, *, is_cut: bool) -> None:
    """Look at a finished list before anybody uses it. If there are doubts, somebody must agree."""
    progress.step("checking", 0.0, at_once=True)
    listing.rows, listing.repeated, listing.bytes = built.rows, built.repeated, built.bytes
    listing.by_index, listing.index = built.by_index, INDEX
    if _is_of_next_month(listing):
        listing.period = f"{timezone.localdate() + EARLY:%Y-%m}"
    listing.doubts = [*([{"code": "cut"}] if is_cut else ()), *_doubts(listing, done)]
    with transaction.atomic():
        lock_with_others(listing.pk)
        if not _mine(listing).exists():
            raise _gone(listing)
        gone = []
        if listing.doubts and not listing.agreed:
            listing.state = State.ASKING
            listing.save()
        else:
            gone = put_in_force(listing)
    for table in gone:
        storage.delete(table)
    discard_file(listing)


def _others(listing: RatingList) -> list[RatingList]:
    """Return the finished lists of the same series and kind, of the site or of the same event, whose players are here.

    The newest comes first.
    """
    ready = RatingList.objects.filter(event=listing.event_id, series=listing.series, kind=listing.kind)
    others = ready.filter(state=State.READY).exclude(pk=listing.pk).order_by("-period", "-pk")
    return [one for one in others if storage.is_here(one)]


def _is_of_next_month(listing: RatingList) -> bool:
    """Return whether a list that was fetched from FIDE in the last days of a month is that of the next one.

    FIDE's list with all ratings does not say its month, and may appear before the month begins. Then the best players
    have other ratings than in the list of this month. A list of this month that was made again has the same ones.
    """
    today = timezone.localdate()
    ends = f"{today + EARLY:%Y-%m}" != f"{today:%Y-%m}" == listing.period
    if not ends or listing.series != FIDE or listing.origin != RatingList.Origin.KNOWN:
        return False
    current = next((one for one in _others(listing) if one.period == listing.period), None)
    if current is None:
        return False
    known = storage.kept(current).known(KNOWN)
    before, now = (storage.kept(one).by_ids(known) for one in (current, listing))
    return any(now[key].standard != before[key].standard for key in now)


def _doubts(listing: RatingList, done: Done) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    if done.bad > MOST_BAD * (done.bad + done.rows):
        found.append({"code": "bad_lines", "bad": done.bad, "lines": done.bad + done.rows})
    last = next(iter(_others(listing)), None)
    if last is not None:
        if abs(listing.rows - last.rows) > MOST_CHANGED * last.rows:
            found.append({"code": "rows_changed", "before": last.rows, "now": listing.rows})
        known = storage.kept(last).known(KNOWN)
        missing = len(known) - len(storage.kept(listing).by_ids(known))
        if missing:
            found.append({"code": "known_missing", "missing": missing, "known": len(known)})
    return found


def _refuse(listing: RatingList, error: ListRefused) -> RatingList | None:
    problem = {"code": error.code, "params": error.params}
    left = _mine(listing).update(state=State.REFUSED, problem=problem, step="")
    if not left and isinstance(_gone(listing), _Elsewhere):
        return None
    storage.delete(listing.table)
    discard_file(listing)
    if not left:
        return None
    listing.refresh_from_db()
    return listing


def fingerprint(path: Path) -> str:
    """Return the SHA-256 of a file."""
    digest = sha256()
    with path.open("rb") as file:
        while piece := file.read(1024**2):
            digest.update(piece)
    return digest.hexdigest()


# Build the search of a list again that an earlier version of the program imported. Its file is not needed.

GRACE = 2.0
"""Seconds in which a search that has begun may still read the earlier place of the list."""


def outdated_lists() -> list[RatingList]:
    """Return the lists whose search is that of an earlier version. Those that could not be built are given up."""
    ready = RatingList.objects.filter(state=RatingList.State.READY, tries__lte=MOST_TRIES)
    return list(ready.exclude(index=INDEX).order_by("pk"))


def renew_outdated() -> int:
    """Build the search of outdated lists again. Return how many are up to date now.

    A stop loses only the list that is being built. Until it is complete, the former one is searched.
    """
    return sum(_renew(listing) for listing in outdated_lists())


def _renew(listing: RatingList) -> bool:
    RatingList.objects.filter(pk=listing.pk).update(tries=F("tries") + 1)
    table = new_table_name()
    try:
        built = _build(listing, table)
    except (OSError, Error, sqlite3.Error):
        logger.exception("the search of a rating list was not built again")
        storage.delete(table)
        return False
    same = RatingList.objects.filter(pk=listing.pk, state=RatingList.State.READY, table=listing.table)
    facts = {"by_index": built.by_index, "bytes": built.bytes, "index": INDEX, "tries": 0}
    swapped = same.update(table=table, **facts) > 0
    if swapped:
        time.sleep(GRACE)
    storage.delete(listing.table if swapped else table)
    return swapped


def _build(listing: RatingList, table: str) -> storage.Built:
    with closing(storage.building(table)) as building, closing(storage.kept(listing).everybody()) as players:
        done = Done()
        building.begin(done)
        while rows := [
            _row(place, player) for place, player in enumerate(islice(players, BATCH), done.rows + 1)
        ]:
            done.rows += len(rows)
            building.add(rows, done)
        return building.finish(lambda _step, _part: None)


def _row(place: int, player: ListedPlayer) -> tuple[object, ...]:
    return (place, *player.row(), searched(player.name, player.year))
