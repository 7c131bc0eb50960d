"""What taking back would do, for the page that asks before it is done."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.actions.dependents import Dependent
from tournaments.actions.undo import Plan, pairing_of, plan_since, plan_undo
from tournaments.models import ActionLog, Tournament

from .log import LogRow, log_row, rows_of
from .undone import undone_in


@dataclass(frozen=True, slots=True)
class Standing:
    """A later action that rests on what would be taken back. row: None for one of another section."""

    row: LogRow | None
    where: str
    reason: str


@dataclass(frozen=True, slots=True)
class Loss:
    """What goes: standing actions, newest first, and their number of each kind."""

    revision: int
    rows: tuple[LogRow, ...]
    rounds: tuple[int, ...]
    results: int
    entries: int
    withdrawals: int
    byes: int
    others: int
    outside: tuple[Standing, ...]

    @property
    def actions(self) -> int:
        return len(self.rows)


RESULTS = frozenset({"record_result", "confirm_result", "mark_over", "correct_result"})
ENTRIES = frozenset({"add_participant", "import_entries"})
WITHDRAWALS = frozenset({"withdraw_participant", "expel_participant"})
BYES = frozenset({"request_bye"})


def undo_preview(tournament: Tournament, revision: int) -> tuple[LogRow, tuple[Standing, ...]]:
    """The action, and what rests on it. Raises NotFound, DomainError as `undo` does."""
    plan = plan_undo(tournament, revision)
    row = log_row(tournament, revision)
    assert row is not None, "planned a moment ago"
    return row, _resting(tournament, (*plan.dependents, *plan.outside))


def loss_since(tournament: Tournament, revision: int) -> Loss:
    """What goes if an action and everything after it is taken back. Raises as `undo_since` does."""
    return _loss(tournament, plan_since(tournament, revision - 1), revision)


def loss_before_round(tournament: Tournament, number: int) -> Loss:
    """What goes if the section goes back to before a round. Raises DomainError("restore_unknown")."""
    return loss_since(tournament, pairing_of(tournament, number))


def restorable_rounds(tournament: Tournament) -> list[int]:
    """Numbers of the rounds that the section can go back before."""
    paired = tournament.log.exclude(action__in=["import_report", "load_copy"]).filter(
        round_number__isnull=False, action__in=["pair_next_round", "start_by_hand"]
    )
    known = set(paired.values_list("round_number", flat=True))
    numbers = tournament.played_rounds.order_by("number").values_list("number", flat=True)
    return [number for number in numbers if number in known]


def _loss(tournament: Tournament, plan: Plan, revision: int) -> Loss:
    undone = undone_in(tournament.pk)
    standing = [row for row in plan.rows if row.revision not in undone]
    rows = tuple(rows_of(tournament, [row.revision for row in standing if row.undoes is None]))
    count = {
        kind: sum(1 for row in rows if row.action in kind) for kind in (RESULTS, ENTRIES, WITHDRAWALS, BYES)
    }
    return Loss(
        revision=revision,
        rows=rows,
        rounds=_rounds(tournament, plan),
        results=count[RESULTS],
        entries=sum(_entered(row) for row in rows if row.action in ENTRIES),
        withdrawals=count[WITHDRAWALS],
        byes=count[BYES],
        others=len(rows) - sum(count.values()),
        outside=_resting(tournament, plan.outside),
    )


def _rounds(tournament: Tournament, plan: Plan) -> tuple[int, ...]:
    gone = {key for (model, key), row in plan.rewind.rows.items() if model == "round" and row.target is None}
    return tuple(
        tournament.played_rounds.filter(pk__in=gone).order_by("number").values_list("number", flat=True)
    )


def _entered(row: LogRow) -> int:
    return len(row.after.get("added", ())) if row.action == "import_entries" else 1


def _resting(tournament: Tournament, found: tuple[Dependent, ...]) -> tuple[Standing, ...]:
    here = {row.revision: row for row in rows_of(tournament, [one.revision for one in found])}
    elsewhere = ActionLog.objects.filter(
        pk__in=[one.log_id for one in found if one.tournament_id != tournament.pk]
    )
    names = {
        row.pk: row.tournament.name if row.tournament else row.event.name
        for row in elsewhere.defer("changes").select_related("tournament", "event")
    }
    return tuple(
        Standing(
            here[one.revision] if one.tournament_id == tournament.pk else None,
            names.get(one.log_id, ""),
            one.reason,
        )
        for one in found
    )
