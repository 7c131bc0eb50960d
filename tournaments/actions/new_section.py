"""Make a section with the settings of another one, of this or another event."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from evenboard_engine.tiebreaks import codes_of
from tournaments.declarations.sections import CREATE_SECTION
from tournaments.models import Event, Section

from .ledger import Actor, act_on_event
from .sections import EDITABLE, assign_settings, new_section

OTHERS = (
    *("tie_breaks", "unrated_left_out", "rating_method", "rating_federation", "equals_by", "rating_lists"),
    *("lists_compared", "minimum_rating", "period_starts", "period_counted", "prizes"),
)
"""Settings that have actions of their own."""
WITHIN_EVENT = ("schedule",)
"""Settings that say days: those of another event would be wrong."""
LOGGED = ("rating_method", "rating_federation", "equals_by", "minimum_rating", "period_starts")


def settings_of(source: Section, event: Event) -> dict[str, Any]:
    """Return what a new section of the event gets from another section, by column; options by themselves."""
    names = [*sorted(EDITABLE - {"name", "options"}), *OTHERS]
    names += WITHIN_EVENT if source.event_id == event.pk else ()
    return {**{name: getattr(source, name) for name in names}, "options": source.all_options}


def create_section_like(*, actor: Actor, event: Event, source: Section, name: str) -> Section:
    """Create a section with the settings of another one. Players, rounds and lots are not copied.

    The new section begins in FIDE mode, and its initial-colour is drawn again.
    Raises DomainError as `create_section` does.
    """
    with act_on_event(event_id=event.pk, actor=actor, action=CREATE_SECTION) as entry:
        section = new_section(entry.event, name)
        values = settings_of(source, entry.event)
        first = {key: value for key, value in values.items() if key in EDITABLE}
        _, entry.after = assign_settings(section, {**first, "name": name})
        for key in values.keys() - first.keys():
            setattr(section, key, deepcopy(values[key]))
        entry.after |= {key: values[key] for key in LOGGED if values[key]}
        if section.tie_breaks:
            entry.after["tie_breaks"] = codes_of(section.tie_break_list)
        entry.after["settings_of"] = source.name
        entry.subject = section.name
        section.save()
        entry.section = section
    return section
