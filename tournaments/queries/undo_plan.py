"""Plan an undo: which rows it would change, and which later actions do not let it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from django.db.models import Q

from tournaments.declarations import Kind, Undo, names_with
from tournaments.declarations.entries import ERASE_PLAYER
from tournaments.errors import DomainError, NotFound
from tournaments.models import ActionLog, Section

from .dependents import Dependent, dependents, paired_in
from .renumbered import renumbered
from .rewind import FOR_GOOD, Rewind, ranks
from .undone import undone_in

ELSEWHERE = names_with(Undo.FOLLOWS)


@dataclass(frozen=True, slots=True)
class Plan:
    """What an undo would change.

    rows: the actions to undo, oldest first, including those that are already undone. dependents: later actions that
    depend on them and are not in `rows`; if there are any, nothing is undone. outside: the same in other sections of
    the event or in the event itself. numbers_moved_on: something that is not undone has changed the ranking since, so
    the old pairing numbers would be wrong.
    """

    rows: tuple[ActionLog, ...]
    rewind: Rewind
    dependents: tuple[Dependent, ...]
    outside: tuple[Dependent, ...]
    numbers_moved_on: bool = False


def plan_undo(section: Section, revision: int) -> Plan:
    """Return what undoing one action would change. Raises NotFound, DomainError as `undo` does."""
    row = section.log.filter(revision=revision).first()
    if row is None:
        raise NotFound("not_found", kind="action", id=revision)
    undone = undone_in(section.pk)
    if revision in undone:
        raise DomainError("undone_already", revision=revision)
    _refuse_row(section, row)
    later = _standing(ActionLog.objects.filter(event=section.event_id, pk__gt=row.pk))
    closed = section.pk if section.is_closed else None
    here = (one for one in later if one.section_id == section.pk)
    return _plan(section, [row], [row], later, closed=closed, numbers_moved_on=any(map(_moves_numbers, here)))


def plan_since(section: Section, revision: int) -> Plan:
    """Return what restoring the section to `revision` would change. Raises DomainError as `undo_since` does."""
    rows = list(section.log.filter(revision__gt=revision).order_by("revision"))
    if not rows or revision < 0:
        raise NotFound("not_found", kind="action", id=revision + 1)
    _refuse_row(section, rows[0])
    elsewhere = ActionLog.objects.filter(event=section.event_id, pk__gt=rows[0].pk)
    others = elsewhere.filter(~Q(section=section.pk) | Q(section=None))
    # actions that followed a change in another section stay, because that change is not undone
    moved = any(row.action in ELSEWHERE for row in rows)
    return _plan(section, rows, _standing(rows), _standing(others), numbers_moved_on=moved)


def pairing_of(section: Section, number: int) -> int:
    """Return the revision of the action that paired an existing round. Raises DomainError("restore_unknown")."""
    if number not in (known := pairings_of(section)):
        raise DomainError("restore_unknown", round=number)
    return known[number]


def pairings_of(section: Section) -> dict[int, int]:
    """Return the revision of the action that paired each round, by number, for rounds that the log has. Two queries.

    An undo that brought a round back does not count: it may have removed another pairing of the same round.
    """
    number_of = dict(section.played_rounds.order_by("number").values_list("pk", "number"))
    return {
        number_of[key]: row.revision
        for row in section.log.filter(action__in=names_with(Kind.PAIRING))
        .order_by("pk")
        .only("changes", "revision")
        for model, key, before, _after in row.changes
        if model == "round" and before is None and key in number_of
    }


def _moves_numbers(row: ActionLog) -> bool:
    """Return whether this action, or the change in another section that it followed, may change numbers here."""
    return row.action in ELSEWHERE or ranks(row.changes)


def _plan(
    section: Section,
    rows: Sequence[ActionLog],
    standing: Sequence[ActionLog],
    later: Sequence[ActionLog],
    *,
    numbers_moved_on: bool,
    closed: int | None = None,
) -> Plan:
    """Make a plan. rows: the actions to undo. standing: those not undone already. closed: as for `dependents`."""
    rewind = Rewind.over(chain.from_iterable(row.changes for row in rows))
    resting = list(dependents(standing, later, closed=closed))
    known = {found.log_id for found in resting}
    moved = renumbered(rewind, section, itself=numbers_moved_on)
    resting += [found for found in paired_in(moved, later) if found.log_id not in known]
    outside = tuple(found for found in resting if found.section_id != section.pk)
    inside = tuple(found for found in resting if found.section_id == section.pk)
    return Plan(tuple(rows), rewind, inside, outside, numbers_moved_on)


def _refuse_row(section: Section, row: ActionLog) -> None:
    if any(model == "section" and before is None for model, _, before, _ in row.changes):
        raise DomainError("undo_beginning")
    if row.action in ELSEWHERE:
        raise DomainError("undo_elsewhere")
    if row.action == ERASE_PLAYER.name:
        raise DomainError("undo_erased")
    if not row.changes and not section.log.filter(revision__lt=row.revision).exclude(changes=[]).exists():
        raise DomainError("undo_not_kept")
    settings = [set(after or ()) for model, _, _, after in row.changes if model == "section"]
    if row.changes and len(settings) == len(row.changes) and set().union(*settings) <= FOR_GOOD:
        raise DomainError("undo_for_good")


def _standing(rows: Iterable[ActionLog]) -> list[ActionLog]:
    """Return the rows that were not undone, without those that only undid some of the others.

    rows: all rows of the sections and of the event since some moment.
    """
    sections: dict[int | None, list[ActionLog]] = defaultdict(list)
    for row in rows:
        sections[row.section_id].append(row)
    found: list[ActionLog] = []
    for section, since in sections.items():
        undone, first = undone_in(section) if section else {}, min(row.revision for row in since)
        found += [
            row
            for row in since
            if row.revision not in undone
            and not (row.undoes is not None and row.undoes >= first)
            and not (row.back_to is not None and row.back_to >= first - 1)
        ]
    return found
