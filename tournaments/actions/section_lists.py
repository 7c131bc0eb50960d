"""The rating lists of a section: which ones, in which order, and new ratings from them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from tournaments.entry_data import EntryData
from tournaments.errors import DomainError, Stale
from tournaments.imports.cells import HIGHEST_RATING, LOWEST_RATING
from tournaments.imports.rows import ImportRow
from tournaments.models import Section
from tournaments.queries.list_comparison import Difference, comparison
from tournaments.queries.rating_lists import MOST_LISTS, readable, source_of
from tournaments.questions import Answer

from .entry_import import import_entries
from .fields import assign
from .ledger import Actor, act
from .rating_periods import set_period_ratings
from .roster import summary


def set_rating_lists(
    *, actor: Actor, section_id: int, codes: Sequence[str], seen_revision: int | None = None
) -> Section:
    """Choose the rating lists of a section, the main one first (VCL4THP.13 Q124, Q126). No rating changes.

    Raises Stale; DomainError("rating_lists_wrong") for a list twice, none, too many, or a code that means nothing.
    """
    wanted = list(codes)
    with act(
        section_id=section_id, actor=actor, action="set_rating_lists", seen_revision=seen_revision
    ) as entry:
        right = all(map(readable, wanted)) and len(set(wanted)) == len(wanted)
        if not right or not 1 <= len(wanted) <= MOST_LISTS:
            raise DomainError("rating_lists_wrong", limit=MOST_LISTS)
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
    with act(section_id=section_id, actor=actor, action="set_list_use", seen_revision=seen_revision) as entry:
        if minimum_rating and not LOWEST_RATING <= minimum_rating <= HIGHEST_RATING:
            raise DomainError("minimum_rating_wrong", low=LOWEST_RATING, high=HIGHEST_RATING)
        entry.before, entry.after = assign(entry.section, wanted)
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
    compared = comparison(section)
    if seen_lists is not None and seen_lists != compared.lists:
        raise Stale("stale", seen=seen_revision, revision=section.revision)
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


def _with_rating(one: Difference) -> EntryData:
    values = summary(one.entry)
    kept = {name: values[name] for name in EntryData.__dataclass_fields__ if name in values}
    listing = one.source.listing
    new: dict[str, Any] = {
        "rating": one.rating,
        "official_rating": one.official,
        "national_rating": one.national,
    }
    if one.rating != one.entry.rating:
        new |= {"rating_source": source_of(one.source), "rating_list": listing.label if listing else ""}
    return EntryData(**{**kept, **new})
