"""The prizes of a section."""

from __future__ import annotations

from evenboard_engine.words.prizes import money_text
from tournaments.errors import DomainError, Stale
from tournaments.models import PrizePlan, Section

from .ledger import Actor, act


def set_prizes(*, actor: Actor, section_id: int, plan: PrizePlan, seen: str | None = None) -> Section:
    """Announce the prizes of a section, or change them. A plan without categories removes them.

    seen: the digest of the plan that the form showed. Results that are entered meanwhile do not matter.
    Raises Stale; DomainError: prizes_twice, prizes_rise, prizes_not_in_units.
    """
    with act(section_id=section_id, actor=actor, action="set_prizes") as entry:
        section = entry.section
        former = section.prize_plan
        if seen is not None and seen != former.digest:
            raise Stale("stale", seen=seen, revision=section.revision)
        _refuse_unsound(plan)
        entry.unchanged = plan == former
        entry.before, entry.after = _in_short(former), _in_short(plan)
        if not entry.unchanged:
            section.prizes = plan.stored
            section.save(update_fields=["prizes"])
    return section


def _in_short(plan: PrizePlan) -> dict[str, object]:
    """Return what the log says about a plan. Its changes have the whole of it."""
    fund = f"{money_text(plan.fund)} {plan.currency}".strip()
    return {"categories": [category.name for category in plan.categories], "fund": fund}


def _refuse_unsound(plan: PrizePlan) -> None:
    names = [category.name.casefold() for category in plan.categories]
    for number, category in enumerate(plan.categories):
        if names.index(names[number]) != number:
            raise DomainError("prizes_twice", category=category.name)
        for first, next_one in zip(category.prizes, category.prizes[1:], strict=False):
            if next_one > first:
                raise DomainError("prizes_rise", category=category.name, prize=next_one, former_prize=first)
        for prize in category.prizes:
            if prize % plan.unit:
                raise DomainError("prizes_not_in_units", category=category.name, prize=prize, unit=plan.unit)
