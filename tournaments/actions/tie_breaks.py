"""The tie-breaks of a section."""

from __future__ import annotations

from collections.abc import Sequence

from pairing.engine.tiebreaks import MOST_TIE_BREAKS, POINTS, TieBreak, codes_of, read_codes
from tournaments.errors import DomainError
from tournaments.models import Integrity, Round, Section
from tournaments.text import one_line

from .ledger import Actor, act

OWN = "OTHER_"
"""Begins the code of a tie-break that FIDE does not have."""


def set_tie_breaks(
    *,
    actor: Actor,
    section_id: int,
    codes: Sequence[str],
    seen_revision: int | None = None,
    asked: bool = False,
    reason: str = "",
) -> Section:
    """Choose the tie-breaks after the points, in order. Without a pairing number at the end, players may stay tied.

    asked: the arbiter has confirmed that the list changes although round 1 is published; this needs a reason, and the
    report says it (VCL4THP.13 Q201, Q202).
    Raises Stale; DomainError: tie_breaks_unknown, tie_breaks_twice, tie_breaks_too_many, tie_breaks_to_confirm,
    reason_required.
    """
    with act(
        section_id=section_id, actor=actor, action="set_tie_breaks", seen_revision=seen_revision
    ) as entry:
        section = entry.section
        stood, wanted = section.tie_break_list, _checked(codes, section.tie_break_list)
        entry.unchanged = wanted == stood
        entry.before, entry.after = {"tie_breaks": codes_of(stood)}, {"tie_breaks": codes_of(wanted)}
        published = section.played_rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
        if published is not None and not entry.unchanged:
            if not asked:
                raise DomainError("tie_breaks_to_confirm", round=published.number)
            if not one_line(reason):
                raise DomainError("reason_required")
            entry.reason = one_line(reason)
            entry.round_number = published.number
            entry.integrity = Integrity.CONFIGURATION
        if not entry.unchanged:
            section.tie_breaks = [rule.text for rule in wanted] or [POINTS.text]
            section.save(update_fields=["tie_breaks"])
    return section


def _checked(codes: Sequence[str], stood: Sequence[TieBreak]) -> tuple[TieBreak, ...]:
    """Return the tie-breaks. Unknown codes are taken if they are marked as own ones, or stood in the list before."""
    rules = tuple(rule for rule in read_codes(codes) if rule.name != POINTS.name)
    if len(rules) > MOST_TIE_BREAKS:
        raise DomainError("tie_breaks_too_many", most=MOST_TIE_BREAKS)
    for at, rule in enumerate(rules):
        if not (rule.name or rule.text.upper().startswith(OWN) or rule in stood):
            raise DomainError("tie_breaks_unknown", tie_break=rule.text)
        if rule.text.upper() in {other.text.upper() for other in rules[:at]}:
            raise DomainError("tie_breaks_twice", tie_break=rule.text)
    return rules
