"""Keep lists of type A up to date: ask the federation's server once a day, and fetch the list if it is another one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import datetime, timedelta
from http import HTTPStatus
from http.client import HTTPException, HTTPResponse
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from base.safe_http import ForbiddenAddressError, Networks, networks, opener, refuse_private
from ratings.errors import ListRefused, NotNow
from ratings.formats.packed import MOST_PACKED
from ratings.models import FIDE, KnownOrigin, RatingList

from .importing import fingerprint
from .offering import incoming, new_file, offer_list, path_of, refuse_name

EVERY = timedelta(hours=20)
"""Lists are never more than a day behind (VCL4THP.13 Q135)."""
AGAIN = timedelta(hours=1)
"""After a server did not answer."""
LONGEST_PROBLEM = 200
SECONDS = 30
SHARE = 240.0
"""Seconds that one server may take at a time, if it can go on later. Then the others have their turn."""
PIECE = 256 * 1024


class _Later(Exception):
    """The list is not here yet. What has arrived is kept."""


def keep_up_to_date(
    *, address: str = "", series: str = FIDE, reading: Mapping[str, Any] | None = None
) -> KnownOrigin:
    """Keep a list up to date, and look there now. address: "" for that of FIDE, which the operator sets.

    reading: of the columns of a list that is not FIDE's, whose address somebody typed: it must be one on the internet.

    Raises ListRefused("no_network") for another kind of address; as `refuse_name`.
    """
    address = address or settings.FIDE_LIST_URL
    if urlsplit(address).scheme not in ("http", "https"):
        raise ListRefused("no_network", problem=address[:100])
    if reading:
        refuse_name(series)
        _refuse_address(address, series)
    kind = RatingList.Kind.COMBINED if series == FIDE else RatingList.Kind.NATIONAL
    facts = {"series": series, "kind": kind, "asked": True, "reading": dict(reading or {})}
    origin, _new = KnownOrigin.objects.update_or_create(address=address, defaults=facts)
    return origin


def change_address(origin_id: int, address: str) -> KnownOrigin:
    """Look for the lists of a federation at another address from now on, and look there now.

    The address of FIDE's list is the operator's. Raises NotNow; ListRefused("no_network") as `keep_up_to_date`, also if
    another list comes from there.
    """
    with transaction.atomic():
        origin = KnownOrigin.objects.select_for_update().filter(pk=origin_id).first()
        if origin is None or not origin.reading:
            raise NotNow
        if urlsplit(address).scheme not in ("http", "https"):
            raise ListRefused("no_network", problem=address[:100])
        _refuse_address(address, origin.series)
        if KnownOrigin.objects.filter(address=address).exclude(pk=origin.pk).exists():
            raise ListRefused("address_taken", address=address[:100])
        if address != origin.address:
            origin.address, origin.etag, origin.part_etag, origin.problem = address, "", "", ""
            origin.checked_at = origin.tried_at = None
            part, origin.part = origin.part, ""
            if part:
                (incoming() / part).unlink(missing_ok=True)
        origin.asked = True
        origin.save()
    return origin


def _refuse_address(address: str, series: str) -> None:
    """Raise ListRefused for an address in a private network, or that of another list."""
    try:
        refuse_private(address, _networks())
    except ForbiddenAddressError as error:
        raise ListRefused("no_network", problem=address[:100]) from error
    if KnownOrigin.objects.filter(address=address).exclude(series=series).exists():
        raise ListRefused("address_taken", address=address[:100])


def _networks() -> Networks:
    return networks(settings.WEBHOOK_NETWORKS)


def no_longer(origin_id: int) -> None:
    """Do not keep the list of an address up to date. The lists that were fetched stay."""
    KnownOrigin.objects.filter(pk=origin_id).delete()


def look_now() -> int:
    """Look at all addresses as soon as possible. Return how many there are."""
    return KnownOrigin.objects.update(asked=True)


def origins_due(now: datetime | None = None) -> list[KnownOrigin]:
    """Return the addresses at which the program has to look."""
    now = now or timezone.now()
    old = Q(checked_at=None) | Q(checked_at__lt=now - EVERY)
    tried = Q(tried_at=None) | Q(tried_at__lt=now - AGAIN) | Q(tried_at=F("checked_at"))
    due = KnownOrigin.objects.filter(Q(asked=True) | (old & tried))
    return list(due.order_by(F("tried_at").asc(nulls_first=True), "pk"))


def fetch_due() -> list[RatingList]:
    """Fetch the lists that are out of date. Return the new ones, which wait for their import."""
    return [made for origin in origins_due() if (made := fetch(origin)) is not None]


def fetch(origin: KnownOrigin) -> RatingList | None:
    """Look at an address. Return a new list that waits for its import; None if it is known, or nobody answers."""
    begun = origin.address
    origin.tried_at, origin.asked = timezone.now(), False
    _follow_operator(origin)
    made = None
    try:
        made = _fetch(origin)
    except HTTPError as error:
        error.close()
        origin.problem = f"HTTP {error.code}"
    except _Later:
        origin.asked, origin.problem = True, ""
    except ListRefused as error:
        (incoming() / origin.part).unlink(missing_ok=True)  # nothing to go on with
        origin.part = origin.part_etag = ""
        origin.problem = json.dumps([error.code, error.params])[:LONGEST_PROBLEM]
    except (URLError, HTTPException, OSError, ValueError) as error:  # ValueError: no host has this name
        origin.problem = str(getattr(error, "reason", error))[:LONGEST_PROBLEM]
    else:
        origin.checked_at, origin.problem = origin.tried_at, ""
    fields = ("address", "tried_at", "asked", "problem", "checked_at", "etag", "part", "part_etag")
    # somebody may have typed another address meanwhile, and nothing is known about that one
    mine = KnownOrigin.objects.filter(pk=origin.pk, address__in=[begun, origin.address])
    mine.update(**{name: getattr(origin, name) for name in fields})
    return made


def _follow_operator(origin: KnownOrigin) -> None:
    """Let an origin of FIDE's list have the address that the operator has set since."""
    now = settings.FIDE_LIST_URL
    if not origin.reading and origin.address != now and not KnownOrigin.objects.filter(address=now).exists():
        origin.address, origin.etag, origin.part, origin.part_etag = now, "", "", ""


def _fetch(origin: KnownOrigin) -> RatingList | None:
    path = _part_of(origin)
    begun = path.stat().st_size
    headers = {"User-Agent": "Evenboard"}
    if begun:
        headers |= {"Range": f"bytes={begun}-", "If-Range": origin.part_etag}
    elif origin.etag:
        headers["If-None-Match" if origin.etag.endswith('"') else "If-Modified-Since"] = origin.etag
    try:
        request = Request(origin.address, headers=headers)  # noqa: S310 - `keep_up_to_date` takes web addresses only
        opened = opener(_networks()) if origin.reading else _OPENER
        answer: HTTPResponse = opened.open(request, timeout=SECONDS)
    except HTTPError as error:
        if error.code == HTTPStatus.NOT_MODIFIED:
            error.close()
            return None
        if error.code == HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
            origin.part = ""
        raise
    with answer:
        etag = answer.headers.get("ETag", "")[:200]
        origin.part_etag = etag if etag.startswith('"') else ""
        _note_begun(origin)
        ends = monotonic() + SHARE if origin.part_etag else None
        _save(answer, path, begun if answer.status == HTTPStatus.PARTIAL_CONTENT else 0, ends)
    digest = fingerprint(path)
    made = None
    if RatingList.objects.filter(event=None, series=origin.series, sha256=digest).exists():
        path.unlink()
    else:
        made = _offer(origin, digest)
    # only now: what is no list must not count as known when the server is asked again
    origin.etag = etag or answer.headers.get("Last-Modified", "")[:200]
    origin.part = origin.part_etag = ""
    return made


def _offer(origin: KnownOrigin, digest: str) -> RatingList:
    return offer_list(
        file=origin.part,
        file_name=origin.address.rpartition("/")[2],
        series=origin.series,
        kind=origin.kind,
        origin=RatingList.Origin.KNOWN,
        address=origin.address,
        sha256=digest,
        reading=origin.reading,
    )


def _note_begun(origin: KnownOrigin) -> None:
    """Note what is being fetched: the server ends the process after a quarter of an hour, even in the middle.

    The rest is then fetched at once, so that a list also arrives on a slow network; without an ETag, the whole list is
    asked for an hour later.
    """
    begun = {"part_etag": origin.part_etag, "tried_at": origin.tried_at, "asked": bool(origin.part_etag)}
    KnownOrigin.objects.filter(pk=origin.pk).update(**begun)


def _part_of(origin: KnownOrigin) -> Path:
    """Return the file for the list: the one that was begun, if the server can say that it is the same."""
    if origin.part and origin.part_etag:
        try:
            return path_of(origin.part)
        except ListRefused:
            pass
    origin.part = new_file()
    KnownOrigin.objects.filter(pk=origin.pk).update(part=origin.part)
    return incoming() / origin.part


def _save(answer: HTTPResponse, path: Path, begun: int, ends: float | None) -> None:
    """Write the answer behind the first `begun` bytes. Raises ListRefused("too_large"), _Later when `ends` is over."""
    expected = answer.headers.get("Content-Length")
    if expected is not None and begun + int(expected) > MOST_PACKED:
        raise ListRefused("too_large", megabytes=MOST_PACKED // 1024**2)
    with path.open("rb+") as file:
        file.truncate(begun)
        file.seek(begun)
        size = begun
        while piece := answer.read1(PIECE):  # what has arrived, so that a stop loses little
            size += len(piece)
            if size > MOST_PACKED:
                raise ListRefused("too_large", megabytes=MOST_PACKED // 1024**2)
            file.write(piece)
            if ends is not None and monotonic() > ends and size - begun != int(expected or 0):
                raise _Later
        if expected is not None and size - begun < int(expected):
            raise OSError("the answer ended too early")


class _OnlyWeb(HTTPRedirectHandler):
    """Follows no redirection to anything but the web."""

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        if urlsplit(newurl).scheme not in ("http", "https"):
            raise URLError("redirected to something that is no web address")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


_OPENER = build_opener(_OnlyWeb)
