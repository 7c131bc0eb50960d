"""What visitors see of a list that is published after each round: the newest edition, or what the list waits for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from tournaments.models import PublishedList, Round, Section
from tournaments.models.published_list import ARO

from .aro_list import AroList, AroRow, aro_list
from .field import load_field
from .list_content import People, Table, TableRow, content_of, read_aro, read_table
from .published import Played, editions, people_of, played


class Waiting(StrEnum):
    """What a list waits for. RESULTS: of its round, or the round itself. READING: a slip was read in two ways.

    ARBITER: an arbiter publishes it.
    """

    RESULTS = "results"
    READING = "reading"
    ARBITER = "arbiter"


@dataclass(frozen=True, slots=True)
class Shown:
    """A list as visitors see it.

    before_round: the round that the list is for. published: its edition; None if there is none to be seen. former: the
    edition before it. editions: of all rounds, oldest first, without their content. waits: what the list that comes
    next waits for, None if no list comes. withdrawn: the newest edition of this round, if it was withdrawn. outdated:
    results have changed since, and no arbiter has published a new edition yet. corrected: a later edition than the one
    shown. missed: the round was paired before any list was published, so the list is made from the current results.
    """

    before_round: int
    published: PublishedList | None
    former: PublishedList | None
    editions: tuple[PublishedList, ...]
    waits: Waiting | None
    awaited_round: int
    withdrawn: PublishedList | None = None
    outdated: bool = False
    corrected: PublishedList | None = None
    missed: bool = False

    @property
    def of_round(self) -> tuple[PublishedList, ...]:
        """Return the editions for the same round."""
        return tuple(found for found in self.editions if found.before_round == self.before_round)

    @property
    def address_round(self) -> int:
        """Return the round in the address of the list: that of ARO is named after the round that it is for."""
        aro = any(found.kind == ARO for found in self.editions)
        return self.before_round if aro else self.before_round - 1

    @property
    def mark(self) -> str:
        """Return a text that differs for each list, by which an open page notices another one."""
        edition = self.published.edition if self.published else 0
        return f"{self.before_round}.{edition}" if self.published or self.missed else ""


def shown_list(
    section: Section, kind: str, before_round: int | None = None, edition: int | None = None
) -> Shown:
    """Return what is to be seen of a list; by default of the newest one. Up to eight queries.

    edition: an earlier one; else the newest. Raises Round.DoesNotExist if the pairing system has no such list, for a
    later round, and for an edition that does not exist.
    """
    if kind not in section.lists:
        raise Round.DoesNotExist(f"{section.system} has no such list: {kind}")
    known = editions(section, kind)
    now = played(section)
    public = section.played_rounds.exclude(state=Round.State.DRAFT).count()
    number = _newest(known, now) if before_round is None else before_round
    of_round = [found for found in known if found.before_round == number]
    if before_round is not None and not of_round and not 1 <= number <= public + 1:
        raise Round.DoesNotExist(f"nothing is known before round {number}")
    last = of_round[-1] if of_round else None
    withdrawn = last if last is not None and last.withdrawn else None
    chosen = last if withdrawn is None else None
    if edition is not None:
        chosen = next((found for found in of_round if found.edition == edition), None)
        if chosen is None:
            raise Round.DoesNotExist(f"no edition {edition} of the list before round {number}")
    missed = last is None and _is_missed(section, now, number, public)
    awaited = number if chosen is None and not missed else _next(section, known, now)
    return Shown(
        before_round=number,
        published=chosen,
        former=next((found for found in of_round if chosen and found.edition == chosen.edition - 1), None),
        editions=known,
        waits=_waits(section, now, awaited),
        awaited_round=awaited,
        withdrawn=withdrawn,
        outdated=chosen is not None and chosen is last and _is_outdated(section, chosen, now),
        corrected=last if chosen is not None and chosen is not last else None,
        missed=missed,
    )


def _newest(known: tuple[PublishedList, ...], now: Played) -> int:
    """Return the round of the newest list; without any, of the last one that could have been published.

    The first list is that after round 1.
    """
    return known[-1].before_round if known else max(now.after_round, 1) + 1


def _next(section: Section, known: tuple[PublishedList, ...], now: Played) -> int:
    """Return the round of the list that comes next."""
    reached = max((found.before_round for found in known if not found.withdrawn), default=0)
    held = now.is_next(section) and (section.lists_by_hand or now.in_conflict)
    return now.after_round + 1 if held and reached <= now.after_round else now.after_round + 2


def _is_missed(section: Section, now: Played, number: int, public: int) -> bool:
    """Return whether a list without any edition will not be published any more, or would have been already."""
    if number - 1 == now.after_round and now.is_next(section):
        return not section.lists_by_hand and not now.in_conflict
    return number - 1 < now.after_round if section.fixed_rounds else number <= public


def _waits(section: Section, now: Played, number: int) -> Waiting | None:
    """Return what the list before a round waits for; None if no such list comes."""
    if number - 1 > section.rounds or (section.is_closed and number - 1 > now.after_round):
        return None
    if number - 1 <= now.after_round and now.in_conflict:
        return Waiting.READING
    return Waiting.ARBITER if section.lists_by_hand else Waiting.RESULTS


def _is_outdated(section: Section, chosen: PublishedList, now: Played) -> bool:
    """Return whether an arbiter has to publish a new edition."""
    if not section.lists_by_hand or chosen.after_round != now.after_round or not now.is_next(section):
        return False
    field = load_field(section, before_round=chosen.before_round)
    return bool(content_of(chosen.kind, field) != chosen.content)


@dataclass(frozen=True, slots=True)
class Due:
    """What an arbiter should know about a list. after_round: of the list that may be published now; 0 for none.

    by_hand: it has to be published, because no edition stands or something has changed since. last: its newest edition.
    editions: of all rounds, oldest first, without their content.
    """

    after_round: int
    by_hand: bool
    last: PublishedList | None
    editions: tuple[PublishedList, ...]


def list_due(section: Section) -> Due:
    """Return whether an arbiter has to publish the lists of a section now. Two queries, with more if it may be so."""
    kind = section.lists[0]
    known, now = editions(section, kind), played(section)
    last = next((found for found in reversed(known) if found.after_round == now.after_round), None)
    if not now.is_next(section):
        return Due(0, by_hand=False, last=None, editions=known)
    due = section.lists_by_hand and not now.in_conflict
    stands = last is not None and not last.withdrawn
    by_hand = due and not (stands and last is not None and not _is_outdated(section, last, now))
    return Due(now.after_round, by_hand=by_hand, last=last, editions=known)


def shown_aro(section: Section, shown: Shown) -> tuple[AroList | None, Mapping[int, AroRow], People]:
    """Return the list of ARO, the rows of the edition before by player, and the entries by key.

    None: there is nothing to be seen yet.
    """
    if shown.published is None:
        return (aro_list(section, shown.before_round) if shown.missed else None), {}, {}
    people = people_of(section)
    former = read_aro(shown.former, people).rows if shown.former else ()
    return read_aro(shown.published, people), {row.participant_id: row for row in former}, people


def shown_table(section: Section, shown: Shown) -> tuple[Table | None, Mapping[int, TableRow], People]:
    """Return published standings as `shown_aro` returns a list of ARO."""
    if shown.published is None:
        return None, {}, {}
    people = people_of(section)
    former = read_table(shown.former, people).rows if shown.former else ()
    return read_table(shown.published, people), {row.participant_id: row for row in former}, people


def public_aro(section: Section, before_round: int | None = None) -> tuple[AroList, PublishedList | None]:
    """Return the list of ARO that visitors see, and its edition. Raises Round.DoesNotExist if there is none."""
    shown = shown_list(section, ARO, before_round)
    listed, _former, _people = shown_aro(section, shown)
    if listed is None:
        raise Round.DoesNotExist("no list has been published yet")
    return listed, shown.published
