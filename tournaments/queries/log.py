"""The log of a section, newest first, and which actions were undone by which."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from typing import Any

from django.core.paginator import Paginator
from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from base.text import isolated
from tournaments.copy_format import CopyMark
from tournaments.declarations import ActionKind, Undo, names_with
from tournaments.declarations.entries import IMPORT_ENTRIES
from tournaments.declarations.rounds import UNPAIR_ROUND
from tournaments.models import ActionLog, Event, Section, User
from tournaments.models.log import COMMAND
from tournaments.models.sections import MAX_ROUNDS
from tournaments.models.spare import AFTER_TAKEOVER
from tournaments.player_fields import FIELDS, SeenBy

# Which actions were undone, and by which.

Undoer = tuple[int, int | None, int | None]
"""Revision, and what it undoes: one action, or everything after a revision. Neither: an action that stays."""

STAYING = names_with(Undo.STAYS, Undo.FOLLOWS)
"""Actions that going back does not undo. A person who was changed in another section stays changed."""


def undoers_of(section_id: int) -> QuerySet[ActionLog]:
    """Return the actions that undid others."""
    rows = ActionLog.objects.filter(section=section_id)
    return rows.filter(Q(undoes__isnull=False) | Q(back_to__isnull=False) | Q(action__in=STAYING))


def undone_in(section_id: int) -> dict[int, int]:
    """Map the revision of each undone action to the revision of the action that undid it. One query.

    An undo that was undone itself no longer counts: the actions that it undid count again.
    """
    return taken_back(undoers_of(section_id).values_list("revision", "undoes", "back_to"))


def turned_by(section_id: int, revision: int) -> tuple[set[int], set[int]]:
    """Return the actions that count again, and those that no longer count, if an undo is undone. One query.

    Actions that only undid others are left out.
    """
    known = list(undoers_of(section_id).values_list("revision", "undoes", "back_to"))
    now = set(taken_back(known))
    then = set(taken_back(row for row in known if row[0] != revision))
    undoing = {row[0] for row in known}
    return now - then - undoing, then - now - undoing


def taken_back(undoers: Iterable[Undoer]) -> dict[int, int]:
    """Return the same as `undone_in`, from rows in any order."""
    undone: dict[int, int] = {}
    staying = set()
    for revision, undoes, back_to in sorted(undoers, reverse=True):  # only a later action can undo
        if undoes is None and back_to is None:
            staying.add(revision)
        if revision in undone:
            continue
        if undoes is not None:
            undone.setdefault(undoes, revision)
        if back_to is not None:
            for earlier in range(back_to + 1, revision):
                undone.setdefault(earlier, revision)
    return {earlier: by for earlier, by in undone.items() if earlier not in staying}


def stands(revision: int, undone: Mapping[int, int]) -> bool:
    return revision not in undone


# The log of a section, newest first.

PAGE_SIZE = 50
SEARCH_LENGTH = 80
PERSONAL = frozenset(field.name for field in FIELDS if field.seen_by is SeenBy.ENTERING)
"""Values of players that only those see who may change entries."""
SHORTEST_VALUE = 3
"""Words of at least this length are also searched in the values before and after."""
NEVER_UNDONE = names_with(Undo.BEGINS, Undo.STAYS, Undo.FOLLOWS, Undo.NEVER)
MAY_BEGIN = names_with(Undo.MAY_BEGIN)


@dataclass(frozen=True, slots=True)
class LogRow:
    """One action. before, after: JSON values. integrity: "" or the kind of event for the report file.

    undoes: the revision that this action undid. back_to: the revision that it restored the section to. undone_by,
    undone_who, undone_origin: the revision that undid this action, and who did it from where. undoable: it is not
    undone, and the log holds the data to undo it. undone_row: the row of `undoes`. people: names of the entries that an
    import changed, by key.
    brought, seal: as in `ActionLog`.
    """

    log_id: int
    revision: int
    at: datetime
    who: str
    origin: str
    action: str
    round_number: int | None
    subject: str
    before: Any
    after: Any
    reason: str
    integrity: str
    integrity_label: str
    undoes: int | None = None
    back_to: int | None = None
    undone_by: int | None = None
    undone_who: str = ""
    undone_origin: str = ""
    undoable: bool = False
    undone_row: LogRow | None = None
    people: Mapping[int, str] = field(default_factory=dict)
    brought: Sequence[CopyMark] = ()
    seal: str = ""


@dataclass(frozen=True, slots=True)
class LogFilter:
    """A search. words: searched in who, origin, action, subject, reason, round and values. All else must be equal.

    named: for each word of the search, the actions with this word in their name in the language of the page.
    commands: the words of the search that occur in what the page shows for a command on the server.
    personal: whoever searches may see `PERSONAL`. Otherwise values in rows that have them are not searched: what is
    found would tell them.
    """

    words: str = ""
    who: str = ""
    action: str = ""
    round_number: int | None = None
    first_day: date | None = None
    last_day: date | None = None
    named: Mapping[str, Collection[str]] = field(default_factory=dict)
    commands: Collection[str] = ()
    personal: bool = True


@dataclass(frozen=True, slots=True)
class LogPage:
    """A page of rows. page: from 1; the nearest page that exists. total: the number of rows found."""

    rows: tuple[LogRow, ...]
    page: int
    pages: int
    total: int
    search: str

    @property
    def has_newer(self) -> bool:
        return self.page > 1

    @property
    def has_older(self) -> bool:
        return self.page < self.pages


def log_page(
    section: Section, page: int | str = 1, search: str = "", wanted: LogFilter | None = None
) -> LogPage:
    """Return a page of the log. At most four queries."""
    wanted = wanted or LogFilter(words=search)
    paginator = Paginator(_found(section, wanted), PAGE_SIZE)
    shown = paginator.get_page(page)
    rows = list(shown)
    return LogPage(
        rows=tuple(_log_rows(section, rows)) if rows else (),
        page=shown.number,
        pages=paginator.num_pages,
        total=paginator.count,
        search=clean_search(wanted.words),
    )


def first_after_takeover(section: Section, revisions: Collection[int]) -> set[int]:
    """Return those of these actions before which a spare has taken over, which raises the revision. One query; none if
    the section has too few actions for that.
    """
    former = {revision - 1 for revision in revisions if revision > AFTER_TAKEOVER}
    if not former:
        return set()
    there = section.log.order_by().filter(revision__in=former).values_list("revision", flat=True)
    return {revision + 1 for revision in former.difference(there)}


def log_rows(section: Section, wanted: LogFilter) -> Iterator[LogRow]:
    """Yield all rows found, newest first."""
    yield from _log_rows(section, _found(section, wanted))


def without_personal(row: LogRow) -> LogRow:
    """Return the row for somebody who may not change entries: without birth dates and notes, and never to be undone."""
    former = row.undone_row and without_personal(row.undone_row)
    before, after = bare_values(row.before), bare_values(row.after)
    return replace(row, before=before, after=after, undone_row=former, undoable=False)


def bare_values(values: Any) -> Any:
    """Return values of the log without birth dates and notes."""
    if isinstance(values, dict):
        return {name: bare_values(value) for name, value in values.items() if name not in PERSONAL}
    return [bare_values(value) for value in values] if isinstance(values, list) else values


def log_row(section: Section, revision: int) -> LogRow | None:
    return next(_log_rows(section, _kept(section).filter(revision=revision)), None)


def last_writer(rows: QuerySet[ActionLog], names: Collection[str]) -> tuple[str, datetime | None]:
    """Return who wrote one of these values last, and when; "" and None if the latest rows do not say."""
    latest = rows.order_by("-pk").values_list("who", "at", "after")[:PAGE_SIZE]
    return next(((who, at) for who, at, after in latest if not set(names).isdisjoint(after)), ("", None))


def can_still_undo(user: User, section_id: int, steps: Sequence[int]) -> bool:
    """Return whether this person has done nothing since these steps, and nobody has undone one of them. One query."""
    later = ActionLog.objects.filter(section=section_id, revision__gt=steps[-1])
    return not later.filter(Q(user=user) | Q(undoes__in=steps) | Q(back_to__lt=steps[-1])).exists()


def last_change(section: Section) -> datetime:
    """Return when the section last changed, or when it was made if it has no log. One query."""
    at = ActionLog.objects.filter(section=section).values_list("at", flat=True).first()
    return at or section.created_at


def last_change_in(event: Event) -> datetime | None:
    """Return when the event or one of its sections last changed, None without a log. One query."""
    return ActionLog.objects.filter(event=event).values_list("at", flat=True).first()


def round_taken_back(section: Section, number: int) -> LogRow | None:
    """Return the action that removed a paired round, or None if there is none. At most three queries."""
    rows = section.log.filter(round_number=number)
    if (
        number > MAX_ROUNDS
        or section.played_rounds.filter(number=number).exists()
        or not rows.filter(action__in=names_with(ActionKind.PAIRING)).exists()
    ):
        return None
    takers = section.log.filter(
        Q(action=UNPAIR_ROUND.name, round_number=number) | Q(action__in=names_with(Undo.UNDOES))
    )
    latest = takers.defer("changes").order_by("-pk").first()
    about = _taken_back_by(section, [latest] if latest else [])
    return _row(latest, undone_row=about.get(latest.undoes)) if latest else None


def log_rows_of(section: Section, revisions: Collection[int]) -> list[LogRow]:
    """Return the rows of some revisions, newest first."""
    return list(_log_rows(section, _kept(section).filter(revision__in=revisions)))


def log_choices(section: Section) -> tuple[list[str], list[str], list[int]]:
    """Return the people, actions and rounds in the log. Three queries."""
    rows = section.log.order_by()
    rounds = rows.filter(round_number__isnull=False).values_list("round_number", flat=True).distinct()
    return (
        sorted(rows.values_list("who", flat=True).distinct()),
        sorted(rows.values_list("action", flat=True).distinct()),
        sorted(number for number in rounds if number is not None),
    )


def last_log_rows(
    section: Section, count: int = 10, *, without: Collection[str] = (), only: Collection[str] = ()
) -> tuple[LogRow, ...]:
    """Return the newest rows. without: actions to leave out. only: those to show, none for all. Two queries, and one
    more if a row is an undo.
    """
    rows = _kept(section).exclude(action__in=without)
    return tuple(_log_rows(section, (rows.filter(action__in=only) if only else rows)[:count]))


def clean_search(search: str) -> str:
    """Return the search in a form that the database accepts."""
    return search.replace("\x00", "").strip()[:SEARCH_LENGTH]


def _kept(section: Section) -> QuerySet[ActionLog]:
    rows = section.log.defer("changes").annotate(kept=~Q(changes=[]))
    return rows.order_by("-pk")


def _found(section: Section, wanted: LogFilter) -> QuerySet[ActionLog]:
    rows = _kept(section)
    words = clean_search(wanted.words).split()
    if any(len(word) >= SHORTEST_VALUE for word in words):
        rows = rows.annotate(was=Cast("before", TextField()), now=Cast("after", TextField()))
    for word in words:
        rows = rows.filter(
            _matches(
                word, wanted.named.get(word, ()), command=word in wanted.commands, personal=wanted.personal
            )
        )
    exactly = {
        "who": wanted.who,
        "action": wanted.action,
        "round_number": wanted.round_number,
        "at__date__gte": wanted.first_day,
        "at__date__lte": wanted.last_day,
    }
    return rows.filter(**{name: value for name, value in exactly.items() if value not in (None, "")})


def _matches(word: str, actions: Collection[str], *, command: bool, personal: bool) -> Q:
    """Search for a word. command: the page has it in the words for a command, which it does not show as stored."""
    found = (
        (Q(who__icontains=word) & ~Q(who=COMMAND, origin=COMMAND))
        | (Q(origin=COMMAND) if command else Q(origin__icontains=word) & ~Q(origin=COMMAND))
        | Q(action__icontains=word)
        | Q(action__in=actions)
        | Q(subject__icontains=word)
        | Q(reason__icontains=word)
        | Q(integrity__icontains=word)
    )
    if len(word) >= SHORTEST_VALUE:
        values = Q(was__icontains=word) | Q(now__icontains=word)
        for name in () if personal else PERSONAL:
            values &= ~Q(was__contains=f'"{name}"') & ~Q(now__contains=f'"{name}"')
        return found | values
    return found | Q(round_number=int(word)) if word.isdecimal() and len(word) <= 2 else found


def _log_rows(section: Section, rows: Collection[ActionLog] | QuerySet[ActionLog]) -> Iterator[LogRow]:
    """Yield the rows, and say which were undone. Two queries in addition to that of the rows, three with an import."""
    undoers = {
        revision: (undoes, back_to, who, origin)
        for revision, undoes, back_to, who, origin in undoers_of(section.pk).values_list(
            "revision", "undoes", "back_to", "who", "origin"
        )
    }
    undone = taken_back((revision, *undoer[:2]) for revision, undoer in undoers.items())
    shown = list(rows)
    about = _taken_back_by(section, shown)
    people = _people(section, shown)
    for row in shown:
        by = undone.get(row.revision)
        who, origin = undoers[by][2:] if by is not None else ("", "")
        yield _row(
            row,
            undone_by=by,
            undone_who=who,
            undone_origin=origin,
            undoable=by is None and _undoable(row),
            undone_row=about.get(row.undoes),
            people=people,
        )


def _people(section: Section, rows: Collection[ActionLog]) -> dict[int, str]:
    """Return the names of the entries that imports in these rows changed. One query, none without an import."""
    sides = [side for row in rows if row.action == IMPORT_ENTRIES.name for side in (row.before, row.after)]
    changes = [each for side in sides for name in ("entries", "byes") for each in _list(side, name)]
    keys = {each[0] for each in changes if isinstance(each, list) and each and isinstance(each[0], int)}
    found = section.participants.filter(pk__in=keys).select_related("player") if keys else ()
    return {entry.pk: isolated(entry.player.name) for entry in found}


def _list(values: Any, name: str) -> list[Any]:
    """Return a list of the log; nothing if the log, perhaps that of a copy from elsewhere, has something else there."""
    found = values.get(name) if isinstance(values, dict) else None
    return found if isinstance(found, list) else []


def _taken_back_by(section: Section, rows: Collection[ActionLog]) -> dict[int | None, LogRow]:
    targets = {row.undoes for row in rows if row.undoes is not None}
    former = section.log.defer("changes").filter(revision__in=targets) if targets else ()
    return {row.revision: _row(row) for row in former}


def _undoable(row: ActionLog) -> bool:
    begins = row.revision == 1 and row.action in MAY_BEGIN
    return bool(vars(row)["kept"]) and not begins and row.action not in NEVER_UNDONE


def _row(row: ActionLog, **more: Any) -> LogRow:
    return LogRow(
        log_id=row.pk,
        revision=row.revision,
        at=row.at,
        who=row.who,
        origin=row.origin,
        action=row.action,
        round_number=row.round_number,
        subject=row.subject,
        before=row.before,
        after=row.after,
        reason=row.reason,
        integrity=row.integrity,
        integrity_label=str(row.get_integrity_display()) if row.integrity else "",
        undoes=row.undoes,
        back_to=row.back_to,
        brought=row.brought,
        seal=row.seal,
        **more,
    )
