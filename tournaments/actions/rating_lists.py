"""Rating lists of the site, with a row in its log for what people do. The lists themselves are in `ratings`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ratings.actions import fetching, offering
from ratings.errors import ListRefused, NotNow
from ratings.models import FIDE, KnownOrigin, RatingList
from tournaments.errors import DomainError, NotFound

from .ledger import Actor
from .site import act_on_site, note


@contextmanager
def refusals(list_id: int = 0) -> Iterator[None]:
    """Turn the errors of `ratings` into those of actions."""
    try:
        yield
    except ListRefused as error:
        raise DomainError("list_refused", reason=error.code, details=error.params) from error
    except NotNow as error:
        raise NotFound("not_found", kind="rating_list", id=list_id) from error


def take_list(*, actor: Actor, file: str, file_name: str, **facts: Any) -> RatingList:
    """Take a file that was sent as a list to import. The server imports it. facts: as `offer_list` takes them.

    Raises DomainError("list_refused").
    """
    with act_on_site(), refusals():
        listing = offering.offer_list(file=file, file_name=file_name, **facts)
        note(actor, "offer_rating_list", subject=listing.label)
    return listing


def accept_list(*, actor: Actor, list_id: int) -> RatingList:
    """Use a list in spite of doubts, or one that was replaced. Raises NotFound if it is neither any more."""
    with refusals(list_id):
        listing = offering.use_list(list_id)
    with act_on_site():
        note(actor, "use_rating_list", subject=listing.label)
    return listing


def remove_list(*, actor: Actor, list_id: int, used_by: Collection[str] = ()) -> RatingList:
    """Delete a list, or stop its import. used_by: the names of the sections that use it.

    Raises DomainError("rating_list_in_use"), NotFound.
    """
    if used_by:
        raise DomainError("rating_list_in_use", names=sorted(used_by))
    with refusals(list_id):
        listing = offering.drop_list(list_id)
    with act_on_site():
        note(actor, "remove_rating_list", subject=listing.label)
    return listing


def keep_list(
    *,
    actor: Actor,
    address: str = "",
    series: str = FIDE,
    reading: Mapping[str, Any] | None = None,
) -> KnownOrigin:
    """Let the program fetch a list, now and whenever it changes. reading: of the columns of a list that is not FIDE's.

    Raises DomainError("list_refused").
    """
    with act_on_site(), refusals():
        origin = fetching.keep_up_to_date(address=address, series=series, reading=reading)
        note(actor, "keep_rating_list", subject=origin.series)
    return origin


def change_address(*, actor: Actor, origin_id: int, address: str) -> KnownOrigin:
    """Look for the lists of a federation at another address. Raises DomainError("list_refused"), NotFound."""
    with act_on_site(), refusals(origin_id):
        origin = fetching.change_address(origin_id, address)
        note(actor, "keep_rating_list", subject=origin.series)
    return origin


def keep_series(*, actor: Actor, series: str, address: str) -> KnownOrigin:
    """Let the program fetch the next lists of a series that came from a file, with the same columns.

    Raises DomainError("list_refused"); NotFound if there is no such list.
    """
    listing = RatingList.objects.filter(series=series).exclude(reading={}).order_by("pk").last()
    if listing is None:
        raise NotFound("not_found", kind="rating_list", id=0)
    return keep_list(actor=actor, address=address, series=series, reading=listing.reading)


def stop_keeping(*, actor: Actor, origin_id: int) -> None:
    """Do not fetch a list any more. Raises NotFound."""
    with act_on_site():
        origin = KnownOrigin.objects.filter(pk=origin_id).first()
        if origin is None:
            raise NotFound("not_found", kind="rating_list", id=origin_id)
        fetching.no_longer(origin_id)
        note(actor, "stop_rating_list", subject=origin.series)
