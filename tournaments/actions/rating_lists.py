"""Rating lists, with a row in the log for what people do: of the site for its lists, of the event for its own.

The lists themselves are in `ratings`. A section says which ones it uses, in which order, and takes new ratings from
them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from django.utils.translation import gettext_noop as _

from ratings.actions import fetching, offering
from ratings.errors import ListRefused, NotNow
from ratings.models import FIDE, KnownOrigin, RatingList
from tournaments.declarations import Action
from tournaments.declarations.events import OFFER_RATING_LIST, REMOVE_RATING_LIST, USE_RATING_LIST
from tournaments.declarations.sections import SET_LIST_USE, SET_RATING_LISTS
from tournaments.declarations.site import KEEP_RATING_LIST, STOP_RATING_LIST
from tournaments.entry_data import EntryData, ImportRow
from tournaments.errors import NOT_FOUND, STALE, Refusal
from tournaments.files.cell_values import HIGHEST_RATING, LOWEST_RATING
from tournaments.models import Event, Section
from tournaments.queries.rating_lists import MOST_LISTS, ListDifference, list_comparison, readable, source_of
from tournaments.questions import Answer

from .entry_lists import import_entries
from .ledger import Actor, act, act_on_event, assign_values, refuse_at_rest
from .ratings import set_period_ratings
from .roster import entry_data
from .site import act_on_site, note

# Refusals
RATING_LISTS_WRONG = Refusal(
    "rating_lists_wrong",
    _(
        "The lists stay as they were. A section has at least one list, none of them twice, and at most %(limit)s."
    ),
)
MINIMUM_RATING_WRONG = Refusal(
    "minimum_rating_wrong",
    _("The minimum rating stays as it was. Type a number from %(low)s to %(high)s, or nothing for none."),
)
# codes of ratings.errors and their parameters
LIST_REFUSED = Refusal("list_refused", params=("reason", "details"))
RATING_LIST_IN_USE = Refusal(
    "rating_list_in_use",
    _(
        "The list is not deleted, because these sections use it: %(names)s. Choose another list there, or close them."
    ),
)


# Rating lists, with a row in the log for what people do: of the site for its lists, of the event for those
# that count there alone. The lists themselves are in `ratings`.

EVENT_LISTS_KEPT = timedelta(days=90)
"""How long a list of an event is kept after the event, and after it was given. It may have birth dates."""


@contextmanager
def refusals(list_id: int = 0) -> Iterator[None]:
    """Turn the errors of `ratings` into those of actions."""
    try:
        yield
    except ListRefused as error:
        raise LIST_REFUSED.error(reason=error.code, details=error.params) from error
    except NotNow as error:
        raise NOT_FOUND.error(kind="rating_list", id=list_id) from error


@contextmanager
def act_on_list(actor: Actor, action: Action, event: Event | None) -> Iterator[Callable[[RatingList], None]]:
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
    with act_on_list(actor, OFFER_RATING_LIST, event) as name, refusals():
        listing = offering.offer_list(
            file=file, file_name=file_name, event=key, given_by=actor.name if key else "", **facts
        )
        name(listing)
    return listing


def accept_list(*, actor: Actor, list_id: int, event: Event | None = None) -> RatingList:
    """Use a list in spite of doubts, or one that was replaced. event: as `take_list`.

    Raises NotFound if it is neither any more, or not a list of this event.
    """
    if event is not None:
        refuse_at_rest(event)
    with refusals(list_id):
        listing = offering.use_list(list_id, event.pk if event is not None else None)
    with act_on_list(actor, USE_RATING_LIST, event) as name:
        name(listing)
    return listing


def remove_list(
    *, actor: Actor, list_id: int, event: Event | None = None, used_by: Collection[str] = ()
) -> RatingList:
    """Delete a list, or stop its import. event: as `take_list`. used_by: the names of the sections that use it.

    Raises DomainError("rating_list_in_use"), NotFound.
    """
    if used_by:
        raise RATING_LIST_IN_USE.error(names=sorted(used_by))
    if event is not None:
        refuse_at_rest(event)
    with refusals(list_id):
        listing = offering.drop_list(list_id, event.pk if event is not None else None)
    with act_on_list(actor, REMOVE_RATING_LIST, event) as name:
        name(listing)
    return listing


def forget_lists_of_events(now: datetime) -> None:
    """Delete the lists of events that have been over for a time. Entries keep their ratings."""
    for listing in RatingList.objects.filter(
        event__end__lt=(now - EVENT_LISTS_KEPT).date(), created_at__lt=now - EVENT_LISTS_KEPT
    ):
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
        note(actor, KEEP_RATING_LIST, subject=origin.series)
    return origin


def change_address(*, actor: Actor, origin_id: int, address: str) -> KnownOrigin:
    """Look for the lists of a federation at another address. Raises DomainError("list_refused"), NotFound."""
    with act_on_site(), refusals(origin_id):
        origin = fetching.change_address(origin_id, address)
        note(actor, KEEP_RATING_LIST, subject=origin.series)
    return origin


def keep_series(*, actor: Actor, series: str, address: str) -> KnownOrigin:
    """Let the program fetch the next lists of a series that came from a file, with the same columns.

    Raises DomainError("list_refused"); NotFound if there is no such list.
    """
    listing = RatingList.objects.filter(event=None, series=series).exclude(reading={}).order_by("pk").last()
    if listing is None:
        raise NOT_FOUND.error(kind="rating_list", id=0)
    return keep_list(actor=actor, address=address, series=series, reading=listing.reading)


def stop_keeping(*, actor: Actor, origin_id: int) -> None:
    """Do not fetch a list any more. Raises NotFound."""
    with act_on_site():
        origin = KnownOrigin.objects.filter(pk=origin_id).first()
        if origin is None:
            raise NOT_FOUND.error(kind="rating_list", id=origin_id)
        fetching.no_longer(origin_id)
        note(actor, STOP_RATING_LIST, subject=origin.series)


# The rating lists of a section: which ones, in which order, and new ratings from them.


def set_rating_lists(
    *, actor: Actor, section_id: int, codes: Sequence[str], seen_revision: int | None = None
) -> Section:
    """Choose the rating lists of a section, the main one first (VCL4THP.13 Q124, Q126). No rating changes.

    Raises Stale; DomainError("rating_lists_wrong") for a list twice, none, too many, or a code that means nothing.
    """
    wanted = list(codes)
    with act(
        section_id=section_id, actor=actor, action=SET_RATING_LISTS, seen_revision=seen_revision
    ) as entry:
        right = all(map(readable, wanted)) and len(set(wanted)) == len(wanted)
        if not right or not 1 <= len(wanted) <= MOST_LISTS:
            raise RATING_LISTS_WRONG.error(limit=MOST_LISTS)
        section = entry.section
        entry.unchanged = section.rating_lists == wanted
        entry.before, entry.after = {"rating_lists": section.rating_lists}, {"rating_lists": wanted}
        if not entry.unchanged:
            section.rating_lists = wanted
            section.save(update_fields=["rating_lists"])
    return section


def set_list_use(
    *,
    actor: Actor,
    section_id: int,
    lists_compared: bool,
    minimum_rating: int,
    seen_revision: int | None = None,
) -> Section:
    """Say whether new lists are compared by themselves (VCL4THP.13 Q138), and what an unrated player gets (Q130).

    minimum_rating: 0 for none. The entries that there are keep their ratings.
    Raises Stale; DomainError("minimum_rating_wrong").
    """
    wanted = {"lists_compared": lists_compared, "minimum_rating": minimum_rating}
    with act(section_id=section_id, actor=actor, action=SET_LIST_USE, seen_revision=seen_revision) as entry:
        if minimum_rating and not LOWEST_RATING <= minimum_rating <= HIGHEST_RATING:
            raise MINIMUM_RATING_WRONG.error(low=LOWEST_RATING, high=HIGHEST_RATING)
        entry.before, entry.after = assign_values(entry.section, wanted)
        entry.unchanged = not entry.after
        if entry.after:
            entry.section.save(update_fields=sorted(wanted))
        return entry.section


def take_new_ratings(
    *,
    actor: Actor,
    section: Section,
    chosen: Collection[int],
    seen_revision: int,
    seen_lists: str | None = None,
    asked: Answer = False,
) -> int:
    """Give the chosen entries the ratings of the lists in force, in one step (Q144). Others stay as they are.

    In a later rating period, they are the official ratings of this period, and no other rating changes.
    seen_lists: `Comparison.lists` of the page, because a new list may have come since.
    asked: as for `Roster.renumber`. Once round 4 is paired, no number moves (GHR 2.3).
    Return how many entries have new ratings. Raises Stale; DomainError as `import_entries` does.
    """
    compared = list_comparison(section)
    if seen_lists is not None and seen_lists != compared.lists:
        raise STALE.error(seen=seen_revision, revision=section.revision)
    found = [one for one in compared.differences if one.entry.pk in chosen]
    if compared.period > 1:
        ratings = {one.entry.pk: one.official for one in found}
        set_period_ratings(
            actor=actor,
            section_id=section.pk,
            period=compared.period,
            ratings=ratings,
            seen_revision=seen_revision,
        )
        return len(ratings)
    source = next((one.source.listing.label for one in found if one.source.listing is not None), "")
    outcome = import_entries(
        actor=actor,
        section_id=section.pk,
        rows=[ImportRow(entry=_with_rating(one), participant_id=one.entry.pk) for one in found],
        source=source,
        seen_revision=seen_revision,
        asked=asked,
    )
    return len(outcome.changed)


def _with_rating(one: ListDifference) -> EntryData:
    listing = one.source.listing
    new: dict[str, Any] = {
        "rating": one.rating,
        "official_rating": one.official,
        "national_rating": one.national,
    }
    if one.rating != one.entry.rating:
        new |= {"rating_source": source_of(one.source), "rating_list": listing.label if listing else ""}
    return replace(entry_data(one.entry), **new)
