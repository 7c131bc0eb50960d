"""Hide a section that was made by mistake, and show it again. Sections are never deleted."""

from __future__ import annotations

from tournaments.beside import keeps_in_sight
from tournaments.models import Section
from tournaments.questions import Answer

from .entry_import import ask_about_all
from .ledger import Actor, act
from .sections import refuse_name_taken


def take_section_away(*, actor: Actor, section_id: int, away: bool = True, both: Answer = False) -> Section:
    """Hide a section from everybody except the people who work on the event, or show it again (away=False).

    Nothing in the section changes. both: as for `reopen_section`. Raises DomainError: section_has_registrations if
    people have registered for it, who would get no word; section_name_taken (by another section now); unless `both`,
    two_sections_to_confirm.
    """
    action = "take_section_away" if away else "bring_section_back"
    with act(section_id=section_id, actor=actor, action=action, allow_closed=True) as entry:
        section = entry.section
        entry.subject, entry.unchanged = section.name, section.taken_away == away
        if not away:
            refuse_name_taken(section)
        elif not entry.unchanged:
            for refuse in keeps_in_sight:
                refuse(section)
        entry.before, entry.after = {"taken_away": section.taken_away}, {"taken_away": away}
        section.taken_away = away
        section.save(update_fields=["taken_away"])
        if not (away or entry.unchanged):
            ask_about_all(entry, section, both=both)
    return section
