"""Actions taken back: one of them, or all since a moment. What was taken back can be brought back the same way.

Each is an action of its own, with a row in the log: nothing is ever taken out of the log.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from django.db import IntegrityError, connection, transaction
from django.db.models import Q

from tournaments.errors import DomainError, NotFound
from tournaments.models import ActionLog, Participant, Round, Tournament
from tournaments.queries.undone import undone_in

from .backups import take_copy
from .dependents import Dependent, dependents
from .ledger import Actor, TournamentEntry, act
from .rewind import FOR_GOOD, ORDER, Rewind, ranks
from .roster import Roster, follow
from .text import one_line

ELSEWHERE = frozenset({"edit_player"})
"""Actions that only follow one in another section, and are taken back with it."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What taking something back comes to.

    rows: what goes, oldest first, with what was taken back already between them. dependents: actions that rest on
    it and would stay: nothing is done then. outside: the same, in other sections of the event or in the event itself,
    where this section cannot take them back. numbers_moved_on: something that stays was ranked since, so that pairing
    numbers of then are not right any more.
    """

    rows: tuple[ActionLog, ...]
    rewind: Rewind
    dependents: tuple[Dependent, ...]
    outside: tuple[Dependent, ...]
    numbers_moved_on: bool = False


def undo(*, actor: Actor, tournament_id: int, revision: int, reason: str = "") -> ActionLog:
    """Take one action back, if nothing later rests on it. Return the action that was taken back.

    Raises NotFound; DomainError: undone_already, undo_beginning, undo_elsewhere, undo_not_kept, undo_for_good,
    undo_depends, undo_differs, undo_clash.
    """
    with act(
        tournament_id=tournament_id, actor=actor, action="undo", allow_closed=True, with_event=True
    ) as entry:
        plan = plan_undo(entry.tournament, revision)
        _refuse_dependents(plan)
        (row,) = plan.rows
        entry.undoes = revision
        entry.subject, entry.round_number, entry.reason = row.subject, row.round_number, one_line(reason)
        entry.before, entry.after = row.after, {**_keys(row), **row.before}
        _take_back(entry, plan, actor)
    return row


def undo_since(
    *, actor: Actor, tournament_id: int, revision: int, seen_revision: int, reason: str = ""
) -> int:
    """Take an action back and everything that was done in the section after it. Return how many actions went.

    A copy of what goes is kept first. seen_revision: of the page that listed what goes.
    Raises Stale, DomainError("copy_not_written"), and what `undo` raises.
    """
    with act(
        tournament_id=tournament_id,
        actor=actor,
        action="undo_since",
        seen_revision=seen_revision,
        allow_closed=True,
        with_event=True,
    ) as entry:
        return _go_back(entry, revision - 1, actor, reason)


def restore_before_round(
    *, actor: Actor, tournament_id: int, number: int, seen_revision: int, reason: str
) -> int:
    """Bring the section back to what it was just before a round was paired. Return how many actions went.

    A copy of what goes is kept first.
    Raises Stale; DomainError: reason_required, restore_unknown, copy_not_written, and what `undo` raises.
    """
    if not one_line(reason):
        raise DomainError("reason_required")
    with act(
        tournament_id=tournament_id,
        actor=actor,
        action="restore_before_round",
        seen_revision=seen_revision,
        allow_closed=True,
        with_event=True,
    ) as entry:
        revision = pairing_of(entry.tournament, number)
        entry.round_number = number
        return _go_back(entry, revision - 1, actor, reason)


def plan_undo(tournament: Tournament, revision: int) -> Plan:
    """What taking one action back would do. Raises NotFound, DomainError as `undo` does."""
    row = tournament.log.filter(revision=revision).first()
    if row is None:
        raise NotFound("not_found", kind="action", id=revision)
    undone = undone_in(tournament.pk)
    if revision in undone:
        raise DomainError("undone_already", revision=revision)
    _refuse_row(tournament, row)
    later = _later(tournament, row, undone)
    resting = tuple(dependents(row.changes, later, closed=tournament.is_closed))
    return _plan(tournament, [row], resting, numbers_moved_on=any(ranks(one.changes) for one in later))


def plan_since(tournament: Tournament, revision: int) -> Plan:
    """What bringing the section back to `revision` would do. Raises DomainError as `undo_since` does."""
    rows = list(tournament.log.filter(revision__gt=revision).order_by("revision"))
    if not rows or revision < 0:
        raise NotFound("not_found", kind="action", id=revision + 1)
    _refuse_row(tournament, rows[0])
    elsewhere = ActionLog.objects.filter(event=tournament.event_id, pk__gt=rows[0].pk)
    others = elsewhere.filter(~Q(tournament=tournament.pk) | Q(tournament=None))
    changes = list(chain.from_iterable(row.changes for row in rows))
    return _plan(tournament, rows, tuple(dependents(changes, _standing(others))))


def pairing_of(tournament: Tournament, number: int) -> int:
    """The revision of the action that paired a round which stands. Raises DomainError("restore_unknown")."""
    round_id = Round.objects.filter(tournament=tournament, number=number).values_list("pk", flat=True).first()
    for row in tournament.log.filter(
        Q(round_number=number) | Q(undoes__isnull=False) | Q(back_to__isnull=False)
    ):
        made = any((model, key, before) == ("round", round_id, None) for model, key, before, _ in row.changes)
        if made and row.action not in {"import_report", "load_copy"}:
            return row.revision
    raise DomainError("restore_unknown", round=number)


def _plan(
    tournament: Tournament,
    rows: Sequence[ActionLog],
    resting: tuple[Dependent, ...],
    *,
    numbers_moved_on: bool = False,
) -> Plan:
    rewind = Rewind.over(chain.from_iterable(row.changes for row in rows))
    outside = tuple(found for found in resting if found.tournament_id != tournament.pk)
    inside = tuple(found for found in resting if found.tournament_id == tournament.pk)
    return Plan(tuple(rows), rewind, inside, outside, numbers_moved_on)


def _refuse_row(tournament: Tournament, row: ActionLog) -> None:
    if any(model == "tournament" and before is None for model, _, before, _ in row.changes):
        raise DomainError("undo_beginning")
    if row.action in ELSEWHERE:
        raise DomainError("undo_elsewhere")
    if not row.changes and not tournament.log.filter(revision__lt=row.revision).exclude(changes=[]).exists():
        raise DomainError("undo_not_kept")
    settings = [set(after or ()) for model, _, _, after in row.changes if model == "tournament"]
    if row.changes and len(settings) == len(row.changes) and set().union(*settings) <= FOR_GOOD:
        raise DomainError("undo_for_good")


def _later(tournament: Tournament, row: ActionLog, undone: dict[int, int]) -> list[ActionLog]:
    """The actions after it that stand, without those that only took back what came after it too."""
    rows = ActionLog.objects.filter(event=tournament.event_id, pk__gt=row.pk)
    here = [
        later
        for later in rows.filter(tournament=tournament.pk)
        if later.revision not in undone
        and not (later.undoes is not None and later.undoes > row.revision)
        and not (later.back_to is not None and later.back_to >= row.revision)
    ]
    return here + _standing(rows.filter(~Q(tournament=tournament.pk) | Q(tournament=None)))


def _standing(rows: Sequence[ActionLog]) -> list[ActionLog]:
    """Those of several sections that were not taken back."""
    undone = {section: undone_in(section) for section in {row.tournament_id for row in rows} if section}
    return [row for row in rows if row.revision not in undone.get(row.tournament_id, {})]


def _refuse_dependents(plan: Plan) -> None:
    if plan.dependents or plan.outside:
        revisions = [found.revision for found in plan.dependents]
        raise DomainError("undo_depends", revisions=revisions, elsewhere=len(plan.outside))


def _go_back(entry: TournamentEntry, revision: int, actor: Actor, reason: str) -> int:
    plan = plan_since(entry.tournament, revision)
    _refuse_dependents(plan)
    take_copy(entry.tournament, "restore")
    undone = undone_in(entry.tournament.pk)
    count = sum(1 for row in plan.rows if row.revision not in undone and row.undoes is None)
    entry.back_to, entry.reason = revision, one_line(reason)
    entry.before, entry.after = (
        {"revision": entry.tournament.revision},
        {"revision": revision, "actions": count},
    )
    if entry.round_number is None:
        entry.round_number = plan.rows[0].round_number
    entry.after["changed"] = sorted(plan.rewind.touches("participant"))
    _take_back(entry, plan, actor)
    return count


def _take_back(entry: TournamentEntry, plan: Plan, actor: Actor) -> None:
    tournament, rewind = entry.tournament, plan.rewind
    participants = list(tournament.participants.all())
    players = rewind.touches("player")
    ranked = ranks(chain.from_iterable(row.changes for row in plan.rows))
    anew = ranked and (plan.numbers_moved_on or not _in_a_row(rewind.numbers(participants)))
    if anew:
        rewind.without_numbers()
    try:
        with transaction.atomic():
            rewind.apply()
            connection.check_constraints([model._meta.db_table for model in ORDER])  # noqa: SLF001 - public
    except IntegrityError as error:
        raise DomainError("undo_clash") from error
    tournament.refresh_from_db()
    if anew:
        Roster.load(tournament).renumber(entry)
    changed = Participant.objects.filter(player__in=players).exclude(tournament=tournament)
    if changed.exists():
        follow(players, tournament, actor, entry)


def _in_a_row(numbers: Sequence[int | None]) -> bool:
    return {*numbers} == {*range(1, len(numbers) + 1)}


def _keys(row: ActionLog) -> dict[str, object]:
    return {name: row.after[name] for name in ("participant", "game", "changed") if name in row.after}
