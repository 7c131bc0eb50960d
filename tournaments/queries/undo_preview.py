"""What an undo would change, for the page that asks before it undoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from tournaments.declarations import ActionKind, kind_of_action
from tournaments.declarations.entries import IMPORT_ENTRIES
from tournaments.declarations.presence import FORFEIT_AND_WITHDRAW
from tournaments.models import Round, Section

from .log import STAYING, LogRow, log_row, log_rows_of, turned_by, undone_in
from .undo import Dependent, UndoPlan, pairing_of, pairings_of, plan_since, plan_undo


@dataclass(frozen=True, slots=True)
class DependentAction:
    """A later action that depends on what would be undone.

    where, slug: of the other section that it belongs to, "" for this one. row: None for an action of the event itself,
    whose name is in `where`.
    """

    row: LogRow | None
    where: str
    slug: str
    reason: str


@dataclass(frozen=True, slots=True)
class Tally:
    """Actions that are undone or come back, newest first, with the number of each kind.

    rounds: the numbers of the rounds that disappear or come back. paired, published: how many of the actions paired or
    published one of them.
    """

    rows: tuple[LogRow, ...]
    rounds: tuple[int, ...]
    paired: int
    published: int
    results: int
    entries: int
    withdrawals: int
    byes: int
    others: int

    @property
    def actions(self) -> int:
        return len(self.rows)


@dataclass(frozen=True, slots=True)
class Loss(Tally):
    """What is lost if everything since an action is undone. outside: actions of other sections that depend on it."""

    outside: tuple[DependentAction, ...]


@dataclass(frozen=True, slots=True)
class UndoPreview:
    """An action that may be undone. resting: later actions that depend on it.

    back, gone: if the action is an undo itself, the actions that come back, and those that are undone again.
    """

    row: LogRow
    resting: tuple[DependentAction, ...]
    back: Tally
    gone: Tally


def undo_preview(section: Section, revision: int) -> UndoPreview:
    """Return what undoing one action would change. Raises NotFound, DomainError as `undo` does."""
    plan = plan_undo(section, revision)
    row = log_row(section, revision)
    assert row is not None, "planned a moment ago"
    back, gone = turned_by(section.pk, revision) if row.undoes or row.back_to is not None else ((), ())
    return UndoPreview(
        row=row,
        resting=_resting(section, (*plan.dependents, *plan.outside)),
        back=Tally(**_counted(section, back, _coming(plan))),
        gone=Tally(**_counted(section, gone, _going(section, plan))),
    )


def loss_since(section: Section, revision: int) -> Loss:
    """Return what is lost if an action and everything after it is undone. Raises as `undo_since` does."""
    return _loss(section, plan_since(section, revision - 1))


def loss_before_round(section: Section, number: int) -> Loss:
    """Return what is lost if the section goes back to before a round. Raises DomainError("restore_unknown")."""
    return loss_since(section, pairing_of(section, number))


def restorable_rounds(section: Section) -> list[int]:
    """Return the numbers of the rounds that the section can go back to before."""
    return sorted(pairings_of(section))


def _loss(section: Section, plan: UndoPlan) -> Loss:
    undone = undone_in(section.pk)
    standing = [row.revision for row in plan.rows if row.revision not in undone and row.action not in STAYING]
    return Loss(
        **_counted(section, standing, _going(section, plan)),
        outside=_resting(section, plan.outside),
    )


def _counted(section: Section, revisions: Collection[int], rounds: tuple[int, ...]) -> dict[str, Any]:
    """Return the fields of a tally of these actions, without those that are undos."""
    found = log_rows_of(section, revisions) if revisions else ()
    rows = tuple(row for row in found if row.undoes is None and row.back_to is None)
    kinds = Counter(kind_of_action(row.action) for row in rows)
    of_rounds = Counter(kind_of_action(row.action) for row in rows if row.round_number in rounds)
    both = sum(row.action == FORFEIT_AND_WITHDRAW.name for row in rows)  # a result and a withdrawal
    named = {
        "paired": of_rounds[ActionKind.PAIRING],
        "published": of_rounds[ActionKind.PUBLICATION],
        "results": kinds[ActionKind.RESULT] + kinds[ActionKind.CORRECTION] + both,
        "withdrawals": kinds[ActionKind.WITHDRAWAL],
        "byes": kinds[ActionKind.BYE],
    }
    return {
        "rows": rows,
        "rounds": rounds,
        **named,
        "entries": sum(_entered(row) for row in rows if kind_of_action(row.action) is ActionKind.ENTRY),
        "others": len(rows) + both - sum(named.values()) - kinds[ActionKind.ENTRY],
    }


def _going(section: Section, plan: UndoPlan) -> tuple[int, ...]:
    gone = {key for (model, key), row in plan.rewind.rows.items() if model == "round" and row.target is None}
    rounds = section.played_rounds.filter(pk__in=gone).order_by("number") if gone else Round.objects.none()
    return tuple(rounds.values_list("number", flat=True))


def _coming(plan: UndoPlan) -> tuple[int, ...]:
    return tuple(
        sorted(
            row.target["number"]
            for (model, _), row in plan.rewind.rows.items()
            if model == "round" and row.target is not None and row.expected is None
        )
    )


def _entered(row: LogRow) -> int:
    return len(row.after.get("added", ())) if row.action == IMPORT_ENTRIES.name else 1


def _resting(section: Section, found: tuple[Dependent, ...]) -> tuple[DependentAction, ...]:
    sections = Section.objects.in_bulk({one.section_id for one in found if one.section_id})
    rows = {
        row.log_id: row
        for other in sections.values()
        for row in log_rows_of(other, [one.revision for one in found if one.section_id == other.pk])
    }
    standings = []
    for one in found:
        other = sections.get(one.section_id)
        name, slug = (other.name, other.slug) if other is not None and other.pk != section.pk else ("", "")
        where = name if other else section.event.name
        standings.append(DependentAction(rows.get(one.log_id), where, slug, one.reason))
    return tuple(standings)
