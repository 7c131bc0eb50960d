"""Take files of lists, say whether doubtful lists are used, and remove lists."""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from ratings import storage
from ratings.errors import ListRefused, NotNow
from ratings.formats import ListFile
from ratings.formats.packed import MOST_PACKED
from ratings.models import FIDE, RatingList, new_table_name

State = RatingList.State
TOKEN = re.compile(r"[0-9a-f]{32}")
MOST_WAITING = 4 * MOST_PACKED
"""Bytes of all files that wait. Otherwise a person who may send lists could fill the disk, and no result is saved."""
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


def add_part(token: str, start: int, data: bytes) -> int:
    """Write a part of a file from byte `start` on, and return the size of the file afterwards.

    A part that was sent twice changes nothing. Raises ListRefused: file_missing, also if the file is a list by now;
    too_large, disk.
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
    if waiting - size + start + len(data) > MOST_WAITING:
        raise ListRefused("disk", problem=f"{waiting // 1024**2} MB")
    with path.open("rb+") as file:
        file.seek(start)
        file.write(data)
        file.truncate()
    return start + len(data)


def new_file_of(chunks: Iterable[bytes]) -> str:
    """Return the name of a new file in `incoming` that was sent whole. Raises ListRefused as `add_part`."""
    token, size = new_file(), 0
    try:
        for chunk in chunks:
            size = add_part(token, size, chunk)
    except ListRefused:
        (incoming() / token).unlink(missing_ok=True)
        raise
    return token


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
) -> RatingList:
    """Take a file as a list that waits for its import. What the file says about itself goes before `kind` and `period`.

    file: of `incoming`. Raises ListRefused if its beginning is no list.
    """
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
    )


def use_list(list_id: int) -> RatingList:
    """Use a list in spite of what the checks found, or one that was replaced. Raises NotNow."""
    with transaction.atomic():
        lock_with_others(list_id)
        listing = RatingList.objects.filter(pk=list_id, state__in=[State.ASKING, State.REPLACED]).first()
        if listing is None or not storage.is_here(listing):
            raise NotNow
        listing.agreed = True
        gone = put_in_force(listing)
    for table in gone:
        storage.delete(table)
    return listing


def lock_with_others(list_id: int) -> None:
    """Lock a list and the others of its series and kind, in the order of all who lock them.

    So of two people or processes that put a list in force, the second one sees what the first one did.
    """
    same = RatingList.objects.filter(pk=list_id).values("series", "kind").first()
    if same is not None:
        list(RatingList.objects.select_for_update().filter(**same).order_by("pk").values_list("pk"))


def put_in_force(listing: RatingList) -> list[str]:
    """Make a finished list the one of its month, in place of an earlier one. One transaction, one visible moment.

    The earlier one stays, replaced: a search that has begun still reads it, and somebody may want it back. It goes when
    the next list of this kind comes. Return the tables that nobody needs afterwards. Needs `lock_with_others`.
    """
    others = RatingList.objects.filter(series=listing.series, kind=listing.kind).exclude(pk=listing.pk)
    replaced = others.filter(state=State.REPLACED)
    gone = list(replaced.values_list("table", flat=True))
    replaced.delete()
    others.filter(period=listing.period, state=State.READY).update(state=State.REPLACED)
    listing.state = State.READY
    listing.step, listing.progress, listing.ready_at = "", 1000, timezone.now()
    listing.save()
    return gone


def drop_list(list_id: int) -> RatingList:
    """Remove a list, or stop its import. Entries keep the name of the list. Raises NotNow if it is gone already."""
    with transaction.atomic():
        listing = RatingList.objects.select_for_update().filter(pk=list_id).first()
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


def sweep() -> None:
    """Delete what is stored of lists that are gone, such as after a stop."""
    for table in storage.tables() - set(RatingList.objects.values_list("table", flat=True)):
        storage.delete(table)
