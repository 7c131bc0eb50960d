"""Publish the lists of a section after a round: for arbiters who do not let them be published by themselves."""

from __future__ import annotations

from tournaments.errors import DomainError
from tournaments.models import PublishedList
from tournaments.queries.published import newest_editions, played

from .kept_lists import publish
from .ledger import Actor, act


def publish_lists(*, actor: Actor, section_id: int, after_round: int) -> tuple[PublishedList, ...]:
    """Publish the lists of the pairing system after a round, or a new edition of those that have changed since.

    after_round: the round that the page showed. An undo withdraws the lists.
    Raises NotFound; DomainError: list_not_due, list_in_conflict.
    """
    with act(section_id=section_id, actor=actor, action="publish_lists", allow_closed=True) as entry:
        section = entry.section
        now = played(section)
        if not section.lists or after_round != now.after_round or not now.is_next(section):
            raise DomainError("list_not_due", round=after_round)
        if now.in_conflict:
            raise DomainError("list_in_conflict", round=after_round)
        newest = newest_editions(section, since=after_round)
        made = [
            publish(
                section,
                kind,
                after_round,
                newest.get((kind, after_round)),
                revision=section.revision + 1,
                who=actor.name[:150],
            )
            for kind in section.lists
        ]
        found = tuple(one for one in made if one is not None)
        entry.unchanged = not found
        entry.round_number = after_round
        entry.after = {
            "lists": [one.kind for one in found],
            "edition": max((one.edition for one in found), default=0),
        }
    return found
