"""Which rating is the tournament rating (record 172), and what numbers equal players (C.04.2, 2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tournaments.declarations.locks import locked, stands_of
from tournaments.entry_data import by_method
from tournaments.errors import DomainError
from tournaments.imports.preview import entry_of
from tournaments.models import Participant, Section

from .fields import assign
from .ledger import Actor, SectionEntry, act
from .numbers import BATCH
from .overtaken import refuse_overtaken
from .roster import Roster

_FIELDS = ("rating", "rating_source", "rating_list")


def set_rating_method(
    *,
    actor: Actor,
    section_id: int,
    rating_method: str,
    rating_federation: str = "",
    equals_by: str = Section.EqualsBy.NAME.value,
    seen: Mapping[str, Any] | None = None,
) -> Section:
    """Set the method, and give all entries their ratings and numbers by it. An entry for which the method has no rating
    keeps its own. Numbers drawn by lot stay.

    seen: what the form showed, by field.
    Raises Stale("overtaken"); DomainError: settings_locked once round 1 is paired, invalid_values.
    """
    wanted = {
        "rating_method": rating_method,
        "rating_federation": rating_federation.upper(),
        "equals_by": equals_by,
    }
    with act(section_id=section_id, actor=actor, action="set_rating_method") as entry:
        section = entry.section
        stands = {name: getattr(section, name) for name in wanted}
        refuse_overtaken(stands, wanted, seen)
        _, after = assign(section, wanted)
        if fields := locked(section, after, stands_of(section)):
            raise DomainError("settings_locked", fields=fields)
        entry.before, entry.after = stands, dict(wanted)
        entry.unchanged = not after
        if after:
            section.save(update_fields=sorted(wanted))
            _rate_again(section, entry)
    return section


def _rate_again(section: Section, entry: SectionEntry) -> None:
    """Give the entries their ratings and numbers. The log has the ratings, for the report of each round."""
    roster = Roster.load(section)
    changed, was, now = [], [], []
    for participant in roster.participants:
        found = by_method(section, entry_of(participant))
        before, after = assign(participant, {name: getattr(found, name) for name in _FIELDS})
        if not after:
            continue
        changed.append(participant)
        if "rating" in after:
            participant.equal_order = participant.equal_order if section.fixed_rounds else None
            was.append([participant.pk, {"rating": before["rating"]}])
            now.append([participant.pk, {"rating": after["rating"]}])
    Participant.objects.bulk_update(changed, (*_FIELDS, "equal_order"), batch_size=BATCH)
    if now:
        entry.before["entries"], entry.after["entries"] = was, now
    if not section.fixed_rounds:
        roster.renumber(entry)
