"""Which lists of a section are published, and which one is due."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Count, F, Q

from tournaments.models import PublishedList, Section
from tournaments.models.published_list import ARO

from .list_content import People


@dataclass(frozen=True, slots=True)
class Played:
    """How far the rounds of a section are over.

    after_round: the last round up to which every round is published and every game has a result; 0 for none.
    latest: the last round that is paired, draft or not. in_conflict: a slip of these rounds was read in two ways.
    """

    after_round: int
    latest: int
    in_conflict: bool

    def is_next(self, section: Section) -> bool:
        """Return whether no later round is paired from these results yet. Rounds that are fixed need no results."""
        return self.after_round > 0 and (section.fixed_rounds or self.latest == self.after_round)


def played(section: Section) -> Played:
    """Return how far the rounds of a section are over. One query."""
    differ = Q(games__second_result__gt="") & ~Q(games__second_result=F("games__result"))
    rounds = section.played_rounds.order_by("number").annotate(
        open_games=Count("games", filter=Q(games__result="")), in_conflict=Count("games", filter=differ)
    )
    after = latest = 0
    conflict = False
    over = True
    for row in rounds:
        over = over and not row.is_draft and not row.open_games
        latest = row.number
        if over:
            after = row.number
            conflict = conflict or row.in_conflict > 0
    return Played(after, latest, conflict)


def newest_editions(section: Section, *, since: int = 0) -> dict[tuple[str, int], PublishedList]:
    """Return the newest edition of each list, by kind and round, without its content. since: the first round.

    One query.
    """
    lists = section.published_lists.filter(after_round__gte=since).defer("content").order_by("edition")
    return {(found.kind, found.after_round): found for found in lists}


def editions(section: Section, kind: str) -> tuple[PublishedList, ...]:
    """Return all lists of a kind without their content, oldest first. One query."""
    lists = section.published_lists.filter(kind=kind).defer("content").order_by("after_round", "edition")
    return tuple(lists)


def shows_table(section: Section) -> bool:
    """Return whether visitors see published standings: the newest edition is not withdrawn. One query at most."""
    tables = [kind for kind in section.lists if kind != ARO]
    if not tables:
        return False
    newest = section.published_lists.filter(kind=tables[0]).order_by("after_round", "edition")
    last = newest.defer("content").last()
    return last is not None and not last.withdrawn


def people_of(section: Section) -> People:
    """Return the entries of a section by key. One query."""
    return {entry.pk: entry for entry in section.participants.select_related("player")}
