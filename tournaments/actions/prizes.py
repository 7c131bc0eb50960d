"""The prizes of a section."""

from __future__ import annotations

from django.utils.translation import gettext_noop as _

from evenboard_engine.words.prizes import money_text
from tournaments.declarations.sections import SET_PRIZES
from tournaments.errors import STALE, Refusal
from tournaments.models import PrizePlan, Section

from .ledger import Actor, act

# Refusals
PRIZES_NOT_IN_UNITS = Refusal(
    "prizes_not_in_units",
    _(
        "%(category)s: the prize %(prize)s is not a multiple of %(unit)s, to which sums are rounded. Change one of "
        "them."
    ),
)
PRIZES_RISE = Refusal(
    "prizes_rise",
    _(
        "%(category)s: the prize %(prize)s comes after %(former_prize)s. A prize cannot be higher than the one before "
        "it."
    ),
)
PRIZES_TWICE = Refusal(
    "prizes_twice", _("Two categories of prizes have the name %(category)s. Change one of them.")
)


def set_prizes(*, actor: Actor, section_id: int, plan: PrizePlan, seen: str | None = None) -> Section:
    """Announce the prizes of a section, or change them. A plan without categories removes them.

    seen: the digest of the plan that the form showed. Results that are entered meanwhile do not matter.
    Raises Stale; DomainError: prizes_twice, prizes_rise, prizes_not_in_units.
    """
    with act(section_id=section_id, actor=actor, action=SET_PRIZES) as entry:
        section = entry.section
        former = section.prize_plan
        if seen is not None and seen != former.digest:
            raise STALE.error(seen=seen, revision=section.revision)
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
            raise PRIZES_TWICE.error(category=category.name)
        for first, next_one in zip(category.prizes, category.prizes[1:], strict=False):
            if next_one > first:
                raise PRIZES_RISE.error(category=category.name, prize=next_one, former_prize=first)
        for prize in category.prizes:
            if prize % plan.unit:
                raise PRIZES_NOT_IN_UNITS.error(category=category.name, prize=prize, unit=plan.unit)
