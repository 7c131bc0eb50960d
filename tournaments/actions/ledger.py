"""Run an action: one transaction, one lock, one row in the log, and the revision goes up by one.

What all actions need stands before it: rows by key, values put into rows and checked with the model's validators, and
the refusal of a form if somebody else has changed the same value since it was opened.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import date, time
from functools import partial
from time import monotonic
from typing import Any, TypeVar

from django.core.exceptions import ValidationError
from django.db import OperationalError, models, transaction
from django.db.models import Manager, Model, QuerySet
from django.utils.translation import gettext_noop as _

from base.measures import SAVE_TIME, SAVES
from base.text import clean
from tournaments.declarations import Action
from tournaments.errors import INVALID_VALUES, NOT_FOUND, STALE, Busy, DomainError, Refusal, Stale
from tournaments.hash_chain import seal_rows
from tournaments.hooks import follows_results
from tournaments.models import ActionLog, Event, Integrity, Participant, Section, User
from tournaments.models.events import OwnBoards
from tournaments.models.journal import BATCH, Change, journal
from tournaments.models.log import COMMAND, PLAYER, REHEARSAL

from .due_lists import keep_lists
from .webhook_messages import queue_messages

# Refusals
BUSY = Refusal("busy", _("Another change is being saved. Do it again in a moment."), raises=Busy)
# `theirs`: {field: the value that somebody else has saved since, as in JSON}
OVERTAKEN = Refusal(
    "overtaken",
    _(
        "Somebody else changed the same fields while this page was open. Nothing is saved yet. Choose one "
        "of the two values."
    ),
    params=("theirs",),
    raises=Stale,
)
EVENT_ARCHIVED = Refusal(
    "event_archived",
    _(
        "%(event)s is archived, so nobody can change it. An organiser can bring it back from the archive: page of the "
        "event, Next year, archive or delete."
    ),
)
SECTION_CLOSED = Refusal(
    "section_closed", _("The section is closed. Reopen it in its settings to change anything.")
)


# Rows by key: the section of a row, which an action locks first, and then the row itself.

FoundRow = TypeVar("FoundRow", bound=Model)


def found_row(rows: QuerySet[FoundRow], kind: str, key: int) -> FoundRow:
    """Return the row with this key. Raises NotFound, which names the kind."""
    row = next(
        iter(rows.filter(pk=key)), None
    )  # `first` would order it, which costs Django more than the query
    if row is None:
        raise NOT_FOUND.error(kind=kind, id=key)
    return row


def section_found(rows: Manager[Any], kind: str, key: int, *, by: str = "section_id") -> int:
    """Return the key of a row's section, to lock it. by: where the row has this key. Raises NotFound."""
    section: int | None = rows.filter(pk=key).order_by("pk").values_list(by, flat=True).first()
    if section is None:
        raise NOT_FOUND.error(kind=kind, id=key)
    return section


def section_of(participant_id: int) -> int:
    """Return the key of the section of an entry. Raises NotFound."""
    return section_found(Participant.objects, "participant", participant_id)


def locked_participant(participant_id: int) -> Participant:
    """Read the entry again after its section is locked. Raises NotFound."""
    return found_row(Participant.objects.select_related("player", "section"), "participant", participant_id)


# Put values into rows: clean them, check them with the model's validators, and return what changed.


def assign_values(row: models.Model, values: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Set and check fields; return the old and the new values of those that changed, for JSON.

    Texts are cleaned first. Nothing is saved. Raises DomainError("invalid_values").
    """
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for name, value in values.items():
        new = clean(row._meta.get_field(name), value)  # noqa: SLF001 - Django documents _meta as public
        old = getattr(row, name)
        if new != old:
            before[name], after[name] = plain_value(old), plain_value(new)
            setattr(row, name, new)
    check_values(row, only=values)
    return before, after


def check_values(row: models.Model, *, only: Mapping[str, Any]) -> None:
    """Run the validators of some fields. Raises DomainError("invalid_values") with messages by field."""
    others = [field.name for field in row._meta.fields if field.name not in only]  # noqa: SLF001
    try:
        row.clean_fields(exclude=others)
    except ValidationError as error:
        raise INVALID_VALUES.error(problems=error.message_dict) from error


def plain_value(value: Any) -> Any:
    """Return the value in a form that JSON can hold."""
    return value.isoformat() if isinstance(value, date | time) else value


# Refuse a form if somebody else has changed the same value since it was opened.


def refuse_overtaken(
    stands: Mapping[str, Any], wanted: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> None:
    """Refuse to overwrite a value that was changed since the form was opened, unless both changes are the same.

    stands: the current values, by the names of `wanted`. wanted: the values to write. seen: what the form showed, as
    `plain_value` returns it; None without a form. Call this after the lock.
    Raises Stale("overtaken") with `theirs`: the current values that differ.
    """
    theirs = {
        name: plain_value(stands[name])
        for name, value in wanted.items()
        if seen is not None
        and name in seen
        and plain_value(stands[name]) not in (seen[name], plain_value(value))
    }
    if theirs:
        raise OVERTAKEN.error(theirs=theirs)


def merged_values(
    stands: Mapping[str, Any], wanted: Mapping[str, Any], seen: Mapping[str, Any] | None
) -> dict[str, Any]:
    """Return the values to write: those that the person changed in the form, and the current value of the others.

    Raises Stale("overtaken").
    """
    if seen is None:
        return dict(wanted)
    changed = {
        name: value
        for name, value in wanted.items()
        if plain_value(value) != seen.get(name, plain_value(stands[name]))
    }
    refuse_overtaken(stands, changed, seen)
    return {name: changed.get(name, stands[name]) for name in wanted}


def refuse_at_rest(event: Event, allowed: str = "") -> None:
    """Refuse to write in an archived or deleted event, except in the state `allowed`.

    Raises DomainError("event_archived"); NotFound for a deleted event.
    """
    if event.is_deleted and allowed != event.state:
        raise NOT_FOUND.error(kind="event", id=event.pk)
    if event.is_archived and allowed != event.state:
        raise EVENT_ARCHIVED.error(event=event.name)


@dataclass(frozen=True, slots=True)
class Actor:
    """The person who acts, and the origin: the address of a request, or COMMAND.

    boards: those whose results the person enters, None for all (`tournaments.rules.held_in`).
    """

    user: User | None
    origin: str = ""
    boards: OwnBoards = None

    @classmethod
    def command(cls) -> Actor:
        """Return the actor for commands that are run on the server."""
        return cls(user=None, origin=COMMAND)

    @classmethod
    def player(cls) -> Actor:
        """Return the actor for what a player does by the link of a board."""
        return cls(user=None, origin=PLAYER)

    @classmethod
    def rehearsal(cls) -> Actor:
        """Return the actor for what the clock of a rehearsal does."""
        return cls(user=None, origin=REHEARSAL)

    @property
    def name(self) -> str:
        return self.user.label if self.user else self.origin


@dataclass(slots=True)
class LogEntry:
    """The row of the log that an action fills in while it works.

    unchanged: set by an action that had nothing to change. Then nothing is logged, unless it wrote something.
    undoes, back_to: set by an undo, as in `ActionLog`.
    renamed: the declaration, if only the action itself finds out which one it is.
    brief: the log keeps only the section's own row in `changes`. Set if the action began a section, because such an
    action cannot be undone.
    """

    event_id: int
    before: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] = field(default_factory=dict)
    subject: str = ""
    reason: str = ""
    round_number: int | None = None
    integrity: Integrity = Integrity.NONE
    unchanged: bool = False
    undoes: int | None = None
    back_to: int | None = None
    renamed: Action | None = None
    brief: bool = False

    def row(self, actor: Actor, action: Action, **fields: Any) -> ActionLog:
        """Return the row of the log, not saved yet."""
        return ActionLog(
            event_id=self.event_id,
            user=actor.user,
            who=actor.name[:150],
            origin=actor.origin[:60],
            action=(self.renamed or action).name,
            round_number=self.round_number,
            subject=self.subject[:200],
            before=self.before,
            after=self.after,
            reason=self.reason[:300],
            integrity=self.integrity,
            undoes=self.undoes,
            back_to=self.back_to,
            **fields,
        )


@dataclass(slots=True, kw_only=True)
class SectionEntry(LogEntry):
    """`section` is locked. Change its fields, save them with `update_fields`, do not change `revision`."""

    section: Section


@dataclass(slots=True, kw_only=True)
class EventEntry(LogEntry):
    """`event` is locked. An action that makes a section sets `section`, and is the first row of its log."""

    event: Event
    section: Section | None = None


_steps: ContextVar[list[ActionLog] | None] = ContextVar("steps", default=None)


@contextmanager
def steps_taken() -> Iterator[list[ActionLog]]:
    """Collect the rows that actions inside the block write to the logs of sections, so that a page can offer Undo."""
    taken: list[ActionLog] = []
    token = _steps.set(taken)
    try:
        yield taken
    finally:
        _steps.reset(token)


@contextmanager
def act(
    *,
    section_id: int,
    actor: Actor,
    action: Action,
    seen_revision: int | None = None,
    allow_closed: bool = False,
    with_event: bool = False,
) -> Iterator[SectionEntry]:
    """Run an action on a section, completely or not at all.

    seen_revision: the revision that the form showed, if the action depends on the whole section.
    with_event: lock the event first. Needed by actions that change people, who belong to all sections of the event.
    Raises NotFound; Stale("stale"); DomainError: event_archived, section_closed unless allow_closed; Busy if another
    transaction keeps the section locked for too long.
    """
    began = monotonic()
    with transaction_or_busy():
        if with_event:
            Event.objects.select_for_update(of=("self",), no_key=True).filter(sections__pk=section_id).first()
        locked = Section.objects.select_for_update(of=("self",), no_key=True).select_related("event")
        section = found_row(locked, "section", section_id)
        entry = SectionEntry(event_id=section.event_id, section=section)
        with _refused_in(section), journal() as written:
            refuse_at_rest(section.event)
            if seen_revision is not None and seen_revision != section.revision:
                raise STALE.error(seen=seen_revision, revision=section.revision)
            if section.is_closed and not allow_closed:
                raise SECTION_CLOSED.error()
            yield entry
        if written.changes or not entry.unchanged:
            _log_step(entry, section, actor, action, written.changes)
            undoing = entry.undoes is not None or entry.back_to is not None
            keep_lists(section, written.changes, undoing=undoing)
            if section.ahead and not undoing and any(map(_is_result, written.changes)):
                for follow in follows_results:
                    transaction.on_commit(partial(follow, section.pk), robust=True)
    _count_save(entry, action, began)


def _count_save(entry: LogEntry, action: Action, began: float) -> None:
    if not entry.unchanged:
        SAVES.labels((entry.renamed or action).name).inc()
        SAVE_TIME.observe(monotonic() - began)


@contextmanager
def _refused_in(section: Section) -> Iterator[None]:
    """Note the pairing system in each refusal, for the words about it. A refusal of a later step keeps its own."""
    try:
        yield
    except DomainError as error:
        error.system = error.system or section.system
        raise


@contextmanager
def act_on_event(*, event_id: int, actor: Actor, action: Action, at_rest: str = "") -> Iterator[EventEntry]:
    """Run an action on an event (its details, its people, its sections), completely or not at all.

    at_rest: the state of `AT_REST` in which the action is possible too. Raises NotFound, Busy, and what
    `refuse_at_rest` raises.
    """
    began = monotonic()
    with transaction_or_busy():
        event = found_row(Event.objects.select_for_update(no_key=True), "event", event_id)
        refuse_at_rest(event, at_rest)
        entry = EventEntry(event_id=event.pk, event=event)
        with journal() as written:
            yield entry
        if entry.section is not None:
            _log_step(entry, entry.section, actor, action, written.changes)
        elif not entry.unchanged:
            write_log(event, [entry.row(actor, action, changes=written.changes)])
    _count_save(entry, action, began)


def _is_result(change: Change) -> bool:
    """Return whether a game that was there before has another result now."""
    model, _key, before, after = change
    return model == "game" and before is not None and after is not None and "result" in after


def _log_step(entry: LogEntry, section: Section, actor: Actor, action: Action, changes: list[Change]) -> None:
    raise_revision(section, people=any(change[0] == "player" for change in changes))
    if entry.brief:
        changes = [change for change in changes if change[0] == "section"]
    row = entry.row(actor, action, section=section, revision=section.revision, changes=changes)
    write_log(section, [row])
    queue_messages(section, row)
    if (steps := _steps.get()) is not None:
        steps.append(row)


def raise_revision(section: Section, *, people: bool) -> None:
    """Raise the revision of a section, which `write_log` saves. people: players of the event were changed.

    `people_revision` always grows: what is no action raises it alone (`tournaments.actions.persons_page`).
    """
    section.revision += 1
    if people:
        section.people_revision = max(section.revision, section.people_revision + 1)


def write_log(owner: Section | Event, rows: Sequence[ActionLog]) -> None:
    """Seal the rows and write them to the log of `owner`, which is locked. All rows of all logs are written here.

    rows: in the order of the log, of this section, or of this event without a section.
    """
    owner.log_head = seal_rows(rows, owner.log_head)
    counters = ["revision", "people_revision"] if isinstance(owner, Section) else []
    owner.save(update_fields=["log_head", *counters])
    if len(rows) == 1:
        rows[0].save()
    else:
        ActionLog.objects.bulk_create(rows, batch_size=BATCH)


@contextmanager
def transaction_or_busy() -> Iterator[None]:
    """Run a transaction; raise Busy if it cannot get its lock.

    On SQLite a second writer waits as long as the settings say. On PostgreSQL, one of two transactions that wait for
    each other is ended. In both cases nothing was written.
    """
    try:
        with transaction.atomic():
            yield
    except OperationalError as error:
        if _lost_the_race(error):
            raise BUSY.error() from error
        raise


def _lost_the_race(error: OperationalError) -> bool:
    cause = error.__cause__
    state = getattr(cause, "sqlstate", None)  # of psycopg
    if state is not None:
        return state in {"40001", "40P01", "55P03"}  # serialization failure, deadlock, lock not available
    return getattr(cause, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED"))
