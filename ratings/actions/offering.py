"""Take files of lists, say whether doubtful lists are used, and remove lists."""

from __future__ import annotations

import re
import secrets
import time
import unicodedata
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils import timezone

from ratings import storage
from ratings.errors import ListRefused, NotNow
from ratings.formats import ListFile
from ratings.formats.packed import MOST_PACKED
from ratings.models import FIDE, OF_EVENT, KnownOrigin, RatingList, new_table_name
from ratings.names import looks_of

State = RatingList.State
TOKEN = re.compile(r"[0-9a-f]{32}")
MOST_WAITING = 4 * MOST_PACKED
"""Bytes of all files that wait. Otherwise a person who may send lists could fill the disk, and no result is saved."""
MOST_OF_EVENT = 5
"""Lists of one event, whatever became of them."""
MOST_OF_EVENTS = 2 * 1024**3
"""Bytes on the disk of the lists of all events, from which no more are taken."""
LIFE = 24 * 60 * 60
"""Seconds that a file is kept that was sent in parts and never became a list."""


def incoming() -> Path:
    """Return the directory of files that wait for their import."""
    path = Path(settings.VAR_DIR) / "rating-lists-in"
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path


def new_file() -> str:
    """Return the name of a new file in `incoming`. Old files that belong to no list are deleted."""
    used = set(RatingList.objects.exclude(file="").values_list("file", flat=True))
    for path in incoming().iterdir():
        with suppress(OSError):
            if path.name not in used and time.time() - path.stat().st_mtime > LIFE:
                path.unlink()
    token = secrets.token_hex(16)
    (incoming() / token).touch(mode=0o600)
    return token


def path_of(token: str) -> Path:
    """Return the path of a file in `incoming`. Raises ListRefused("file_missing")."""
    path = incoming() / token
    if not TOKEN.fullmatch(token) or not path.is_file():
        raise ListRefused("file_missing")
    return path


def add_part(token: str, start: int, data: bytes, most: int | None = None) -> int:
    """Write a part of a file from byte `start` on, and return the size of the file afterwards.

    most: bytes of all files that wait, if fewer than usual. A part that was sent twice changes nothing.
    Raises ListRefused: file_missing, also if the file is a list by now; too_large, disk.
    """
    path = path_of(token)
    if RatingList.objects.filter(file=token).exists():
        raise ListRefused("file_missing")  # the import reads it, and goes on after a stop
    size = path.stat().st_size
    if start + len(data) > MOST_PACKED:
        raise ListRefused("too_large", megabytes=MOST_PACKED // 1024**2)
    if start > size:
        return size  # the sender goes on from there
    waiting = sum(each.stat().st_size for each in incoming().iterdir())
    if waiting - size + start + len(data) > (most or MOST_WAITING):
        raise ListRefused("disk", problem=f"{waiting // 1024**2} MB")
    with path.open("rb+") as file:
        file.seek(start)
        file.write(data)
        file.truncate()
    return start + len(data)


def new_file_of(chunks: Iterable[bytes], *, of_event: bool = False) -> str:
    """Return the name of a new file in `incoming` that was sent whole. Raises ListRefused as `add_part`.

    of_event: for the list of an event. Files for events leave room for those of the site.
    """
    most = MOST_WAITING // 4 if of_event else None
    token, size = new_file(), 0
    try:
        for chunk in chunks:
            size = add_part(token, size, chunk, most)
    except ListRefused:
        forget_file(token)
        raise
    return token


def forget_file(token: str) -> None:
    """Delete a file that was sent and is no list."""
    path_of(token).unlink(missing_ok=True)


def offer_list(
    *,
    file: str,
    file_name: str,
    series: str = FIDE,
    kind: str = "",
    period: str = "",
    reading: Mapping[str, Any] | None = None,
    origin: str = RatingList.Origin.UNKNOWN,
    address: str = "",
    sha256: str = "",
    event: int | None = None,
    given_by: str = "",
) -> RatingList:
    """Take a file as a list that waits for its import. What the file says about itself goes before `kind` and `period`.

    file: of `incoming`. event: the key of the event in which alone the list counts; the caller has locked it.
    Raises ListRefused if its beginning is no list, or if the name or one more list of the event is not possible.
    """
    if event is not None:
        _refuse_one_more(event)
    if event is not None or reading:
        refuse_name(series, event)
    opened = ListFile(path_of(file), name=file_name, reading=dict(reading or {}), kind=kind)
    opened.close()
    return RatingList.objects.create(
        series=series,
        kind=opened.facts.kind,
        period=opened.facts.period or period or timezone.localdate().strftime("%Y-%m"),
        origin=origin,
        address=address,
        file=file,
        file_name=file_name[:120],
        sha256=sha256,
        reading=dict(reading or {}),
        table=new_table_name(),
        event_id=event,
        given_by=given_by[:150],
    )


def refuse_name(series: str, event: int | None = None) -> None:
    """Raise ListRefused for a name that looks like that of FIDE or of another list.

    The site may give a file of a series that it fetches too: without a network, newer lists come as files. An event has
    no name of a list that is fetched.
    """
    looks = looks_of(series)
    if not looks:
        raise ListRefused("name_missing")
    if looks_of(FIDE) in looks:
        raise ListRefused("name_of_fide")
    if OF_EVENT.strip() in unicodedata.normalize("NFKC", series).casefold():
        raise ListRefused("name_taken", name=OF_EVENT.strip())
    taken = set(KnownOrigin.objects.values_list("series", flat=True))
    if event is None:
        taken |= set(RatingList.objects.filter(event=None).values_list("series", flat=True))
        taken.discard(series)
    if other := next((name for name in sorted(taken) if looks_of(name) == looks), ""):
        raise ListRefused("name_taken", name=other)


def _refuse_one_more(event: int) -> None:
    of_events = RatingList.objects.exclude(event=None)
    if of_events.filter(event=event).count() >= MOST_OF_EVENT:
        raise ListRefused("too_many_lists", limit=MOST_OF_EVENT)
    if (of_events.aggregate(bytes=Sum("bytes"))["bytes"] or 0) >= MOST_OF_EVENTS:
        raise ListRefused("no_room", megabytes=MOST_OF_EVENTS // 1024**2)


def use_list(list_id: int, event: int | None = None) -> RatingList:
    """Use a list in spite of what the checks found, or one that was replaced. Raises NotNow.

    event: the key of the event whose list it is; None for a list of the site.
    """
    usable = RatingList.objects.filter(event=event, state__in=[State.ASKING, State.REPLACED])
    with transaction.atomic():
        lock_with_others(list_id)
        listing = usable.filter(pk=list_id).first()
        if listing is None or not storage.is_here(listing):
            raise NotNow
        listing.agreed = True
        gone = put_in_force(listing)
    for table in gone:
        storage.delete(table)
    return listing


def lock_with_others(list_id: int) -> None:
    """Lock a list and the others of its series and kind, of the site or its event, in the order of all who lock them.

    So of two people or processes that put a list in force, the second one sees what the first one did.
    """
    same = RatingList.objects.filter(pk=list_id).values("event", "series", "kind").first()
    if same is not None:
        list(RatingList.objects.select_for_update().filter(**same).order_by("pk").values_list("pk"))


def put_in_force(listing: RatingList) -> list[str]:
    """Make a finished list the one of its month, in place of an earlier one. One transaction, one visible moment.

    The earlier one stays, replaced: a search that has begun still reads it, and somebody may want it back. It goes when
    the next list of this kind comes. Return the tables that nobody needs afterwards. Needs `lock_with_others`.
    """
    same = RatingList.objects.filter(event=listing.event_id, series=listing.series, kind=listing.kind)
    others = same.exclude(pk=listing.pk)
    replaced = others.filter(state=State.REPLACED)
    gone = list(replaced.values_list("table", flat=True))
    replaced.delete()
    others.filter(period=listing.period, state=State.READY).update(state=State.REPLACED)
    listing.state = State.READY
    listing.step, listing.progress, listing.ready_at = "", 1000, timezone.now()
    listing.save()
    return gone


def drop_list(list_id: int, event: int | None = None) -> RatingList:
    """Remove a list, or stop its import. Entries keep the name of the list. Raises NotNow if it is gone already.

    event: as `use_list`.
    """
    with transaction.atomic():
        listing = RatingList.objects.select_for_update().filter(pk=list_id, event=event).first()
        if listing is None:
            raise NotNow
        RatingList.objects.filter(pk=list_id).delete()
    discard_file(listing)
    if listing.state != State.LOADING:  # else the import sees it, and deletes what it has made
        storage.delete(listing.table)
    return listing


def discard_file(listing: RatingList) -> None:
    """Delete the file from which a list was imported."""
    if listing.file:
        (incoming() / listing.file).unlink(missing_ok=True)


def forget_waiting_files() -> None:
    """Delete what is stored of lists that are gone, such as after a stop."""
    for table in storage.tables() - set(RatingList.objects.values_list("table", flat=True)):
        storage.delete(table)
