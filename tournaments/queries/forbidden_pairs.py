"""Who is kept apart in a round: pairs that were typed, and groups by rules of the section. What a new rule means."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from tournaments.models import ForbiddenPair, Game, Section
from tournaments.snapshot import KeptGroup, groups_apart

from .field import SectionField
from .row_cache import participants_of


def forbidden_in(field: SectionField, number: int) -> frozenset[tuple[int, int]]:
    """Return the pairs that are kept apart in a round, smaller key first. One query."""
    return pairs_apart(field, number, field.section.forbidden_pairs.order_by())


def pairs_apart(
    field: SectionField, number: int, typed: Iterable[ForbiddenPair]
) -> frozenset[tuple[int, int]]:
    """Return the same without a query. typed: the pairs of the section that were typed, for all rounds."""
    groups = (group.pairs for group in kept_groups(field, number))
    return frozenset(
        (row.first_id, row.second_id)
        for row in typed
        if row.first_round <= number and (row.last_round is None or number <= row.last_round)
    ).union(*groups)


def kept_groups(field: SectionField, number: int) -> tuple[KeptGroup, ...]:
    """Return the groups with which a round was paired; of a round to come, those of the rules and players of now."""
    paired = next((row for row in field.rounds if row.number == number), None)
    if paired is None:
        return tuple(groups_apart(field.section.apart_rules, field.participants.values(), number))
    known = field.participants.keys()
    return tuple(
        KeptGroup.read({**row, "players": [key for key in row["players"] if key in known]})
        for row in paired.kept_apart
    )


@dataclass(frozen=True, slots=True)
class RulePreview:
    """What a rule means for the players of now, in its first round.

    groups: how many there are. largest: the group that is more than half of the players, so that not all of them can be
    kept apart; None if there is none. players: in these groups. met: pairs that have met already.
    uncertain_from: the first round of the rule in which a player may have fewer possible opponents than half of the
    field, so that a round may not exist; None if there is none, or none because of this rule.
    """

    groups: int
    players: int
    pairs: int
    met: int
    largest: KeptGroup | None
    uncertain_from: int | None


def rule_preview(section: Section, rule: Mapping[str, Any]) -> RulePreview:
    """Return what a rule in the form of `Section.apart_rules` would mean. Three queries."""
    here = [entry for entry in participants_of(section) if entry.is_active]
    groups = groups_apart([rule], here, rule["first_round"])
    group_of = {key: group for group in groups for key in group.players}
    games = Game.objects.filter(round__section=section).values_list("white_id", "black_id")
    met = {frozenset(pair) for pair in games if group_of.get(pair[0]) is group_of.get(pair[1], games)}
    most = max((len(group.players) - 1 for group in groups), default=0)
    enough = len(here) // 2  # Dirac: everybody can be paired if each player has so many possible opponents
    rounds = range(rule["first_round"], (rule["last_round"] or section.rounds) + 1)
    uncertain = (number for number in rounds if len(here) - number - most < enough <= len(here) - number)
    return RulePreview(
        groups=len(groups),
        players=len(group_of),
        pairs=sum(len(group.players) * (len(group.players) - 1) // 2 for group in groups),
        met=len(met),
        largest=next((group for group in groups if 2 * len(group.players) > len(here) + 1), None),
        uncertain_from=next(uncertain, None),
    )
