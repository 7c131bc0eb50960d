"""Rating lists, with a row in the log for what people do: of the site for its lists, of the event for those that count
there alone. The lists themselves are in `ratings`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from typing import Any

from ratings.actions import fetching, offering
from ratings.errors import ListRefused, NotNow
from ratings.models import FIDE, KnownOrigin, RatingList
from tournaments.errors import DomainError, NotFound
from tournaments.models import Event

from .ledger import Actor, act_on_event
from .site import act_on_site, note

KEPT = timedelta(days=90)
"""How long a list of an event is kept after the event, and after it was given. It may have birth dates."""


@contextmanager
def refusals(list_id: int = 0) -> Iterator[None]:
    """Turn the errors of `ratings` into those of actions."""
    try:
        yield
    except ListRefused as error:
        raise DomainError("list_refused", reason=error.code, details=error.params) from error
    except NotNow as error:
        raise NotFound("not_found", kind="rating_list", id=list_id) from error


@contextmanager
def act_on_list(actor: Actor, action: str, event: Event | None) -> Iterator[Callable[[RatingList], None]]:
    """Run an action on a list of the event, or of the site. Yield the function that names the list for the log."""
    if event is None:
        with act_on_site():
            yield lambda listing: note(actor, action, subject=listing.label)
    else:
        with act_on_event(event_id=event.pk, actor=actor, action=action) as entry:
            yield lambda listing: setattr(entry, "subject", listing.label)


def take_list(
    *, actor: Actor, file: str, file_name: str, event: Event | None = None, **facts: Any
) -> RatingList:
    """Take a file that was sent as a list to import. The server imports it. facts: as `offer_list` takes them.

    event: in which alone the list counts; None for a list of the site. Raises DomainError("list_refused").
    """
    key = event.pk if event is not None else None
    with act_on_list(actor, "offer_rating_list", event) as name, refusals():
        listing = offering.offer_list(
            file=file, file_name=file_name, event=key, given_by=actor.name if key else "", **facts
        )
        name(listing)
    return listing


def accept_list(*, actor: Actor, list_id: int, event: Event | None = None) -> RatingList:
    """Use a list in spite of doubts, or one that was replaced. event: as `take_list`.

    Raises NotFound if it is neither any more, or not a list of this event.
    """
    with refusals(list_id):
        listing = offering.use_list(list_id, event.pk if event is not None else None)
    with act_on_list(actor, "use_rating_list", event) as name:
        name(listing)
    return listing


def remove_list(
    *, actor: Actor, list_id: int, event: Event | None = None, used_by: Collection[str] = ()
) -> RatingList:
    """Delete a list, or stop its import. event: as `take_list`. used_by: the names of the sections that use it.

    Raises DomainError("rating_list_in_use"), NotFound.
    """
    if used_by:
        raise DomainError("rating_list_in_use", names=sorted(used_by))
    with refusals(list_id):
        listing = offering.drop_list(list_id, event.pk if event is not None else None)
    with act_on_list(actor, "remove_rating_list", event) as name:
        name(listing)
    return listing


def forget_lists_of_events(now: datetime) -> None:
    """Delete the lists of events that have been over for a time. Entries keep their ratings."""
    for listing in RatingList.objects.filter(event__end__lt=(now - KEPT).date(), created_at__lt=now - KEPT):
        with suppress(NotNow):  # somebody has just deleted it
            offering.drop_list(listing.pk, listing.event_id)


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
    listing = RatingList.objects.filter(event=None, series=series).exclude(reading={}).order_by("pk").last()
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
