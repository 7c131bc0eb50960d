"""When the rounds of a section begin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from tournaments.errors import DomainError
from tournaments.models import RoundStart, Section

from .ledger import Actor, act
from .overtaken import refuse_overtaken


def set_round_starts(
    *,
    actor: Actor,
    section_id: int,
    starts: Mapping[int, RoundStart | None],
    seen: Mapping[int, str] | None = None,
) -> Section:
    """Set when rounds begin; None: not known. Rounds that are not in `starts` do not change.

    seen: what the form showed, by round, "" for nothing.
    Raises Stale("overtaken") with rounds as names; DomainError: round_out_of_range; rounds_out_of_order
    if a round would begin before an earlier one.
    """
    with act(section_id=section_id, actor=actor, action="set_round_starts") as entry:
        section = entry.section
        for number in starts:
            if not 1 <= number <= section.rounds:
                raise DomainError("round_out_of_range", round=number, rounds=section.rounds)
        numbers = range(1, section.rounds + 1)
        former = {number: section.start_of(number) for number in numbers}
        _refuse_overtaken(former, starts, seen)
        wanted = {**former, **starts}
        known = [(number, start) for number in numbers if (start := wanted[number])]
        refuse_disorder(known)
        changed = [number for number in numbers if wanted[number] != former[number]]
        entry.before = {"schedule": {str(number): str(former[number] or "") for number in changed}}
        entry.after = {"schedule": {str(number): str(wanted[number] or "") for number in changed}}
        entry.unchanged = not changed
        if changed:
            section.schedule = [str(wanted[number] or "") for number in numbers]
            section.save(update_fields=["schedule"])
    return section


def refuse_disorder(known: Sequence[tuple[int, RoundStart]]) -> None:
    """Raise DomainError("rounds_out_of_order") if a round would begin before an earlier one. known: by number."""
    for (earlier, first), (later, second) in pairwise(known):
        if second.is_before(first):
            raise DomainError("rounds_out_of_order", earlier=earlier, later=later)


def _refuse_overtaken(
    former: Mapping[int, RoundStart | None],
    starts: Mapping[int, RoundStart | None],
    seen: Mapping[int, str] | None,
) -> None:
    """Raises Stale("overtaken")."""
    stands = {str(number): str(start or "") for number, start in former.items()}
    wanted = {str(number): str(start or "") for number, start in starts.items()}
    shown = {str(number): text for number, text in seen.items()} if seen is not None else None
    refuse_overtaken(stands, wanted, shown)
