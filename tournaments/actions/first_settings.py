"""What a new section begins with besides the settings that `edit_section` changes, so that one action makes it all."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from base.text import one_line
from evenboard_engine import Colour
from tournaments.errors import DomainError
from tournaments.models import Integrity, RoundStart, Section

from .fields import assign
from .ledger import EventEntry
from .schedule import refuse_disorder
from .tie_breaks import checked_list

BY_LOT = "lot"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstSettings:
    """What a new section begins with.

    initial_colour: w or b as it was drawn elsewhere, BY_LOT to draw it now, "" to draw it later. tie_breaks: codes;
    None for those of the pairing system. rating_lists: codes; () for those of FIDE. starts: when rounds begin.
    fide_mode: False begins outside FIDE mode for good, which needs a reason.
    """

    initial_colour: str = ""
    tie_breaks: Sequence[str] | None = None
    rating_method: str = Section.RatingMethod.OTHER.value
    rating_federation: str = ""
    equals_by: str = Section.EqualsBy.NAME.value
    rating_lists: Sequence[str] = ()
    starts: Mapping[int, RoundStart] = field(default_factory=dict)
    fide_mode: bool = True
    reason: str = ""


def begin_with(entry: EventEntry, section: Section, first: FirstSettings) -> None:
    """Set and check everything; the log has what is not the default. The caller saves the section.

    Raises DomainError: tie_breaks_unknown, tie_breaks_barred, tie_breaks_twice, tie_breaks_too_many, invalid_values,
    rounds_out_of_order, round_out_of_range, reason_required.
    """
    colour, by_lot = first.initial_colour, first.initial_colour == BY_LOT
    if by_lot:
        colour = secrets.choice(list(Colour)).value
    values = {
        "initial_colour": "" if section.fixed_rounds else colour,
        "rating_method": first.rating_method,
        "rating_federation": first.rating_federation.upper(),
        "equals_by": first.equals_by,
    }
    _, found = assign(section, values)
    entry.after |= found
    if by_lot and "initial_colour" in found:
        entry.after["by_lot"] = True
    if first.tie_breaks is not None:
        rules = checked_list(first.tie_breaks, (), section.system)
        section.tie_breaks = [rule.code for rule in rules] or ["PTS"]
        entry.after["tie_breaks"] = ",".join(section.tie_breaks)
    if first.rating_lists:
        section.rating_lists = list(first.rating_lists)
        entry.after["rating_lists"] = list(first.rating_lists)
    if first.starts:
        _begin_rounds(entry, section, first.starts)
    if not first.fide_mode and section.of_fide:
        if not one_line(first.reason):
            raise DomainError("reason_required")
        section.fide_mode, section.fide_mode_left_in_round = False, 0
        entry.reason, entry.round_number = one_line(first.reason), 0
        entry.integrity = Integrity.FIDE_MODE
        entry.after["fide_mode"] = False


def _begin_rounds(entry: EventEntry, section: Section, starts: Mapping[int, RoundStart]) -> None:
    for number in starts:
        if not 1 <= number <= section.rounds:
            raise DomainError("round_out_of_range", round=number, rounds=section.rounds)
    refuse_disorder(sorted(starts.items()))
    section.schedule = [str(starts.get(number) or "") for number in range(1, section.rounds + 1)]
    entry.after["schedule"] = {str(number): str(start) for number, start in sorted(starts.items())}
