"""The log of a section: a page with a search, and files; and who may undo an action that it has.

Who has the right to do an action may undo it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import partial

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.declarations import entries, names_of, names_of_module, presence, results, sections, undo
from tournaments.files.log import log_csv, log_json
from tournaments.hash_chain import check_event, check_section, shown_digits
from tournaments.models import ActionLog, Section
from tournaments.models.events import OwnBoards
from tournaments.queries.log import (
    LogRow,
    first_after_takeover,
    log_choices,
    log_page,
    log_rows,
    without_personal,
)
from tournaments.queries.undo_preview import restorable_rounds
from tournaments.rights import Right
from web.context import section_context
from web.files import TABLES
from web.forms.log import LogForm
from web.requests import PersonRequest
from web.words.log import check_words, log_line_of
from web.words.log_sentences import sentence_of, title_of

from .access import asks_for_part, section_page

# Who may undo an action: a person who has the right to do it.

NEEDED: Mapping[str, Right] = {
    **dict.fromkeys(names_of_module(sections), Right.DIRECT),
    **dict.fromkeys(names_of((sections.TAKE_SECTION_AWAY, sections.BRING_SECTION_BACK)), Right.MANAGE),
    **dict.fromkeys(names_of((sections.SET_COUNTDOWN, sections.SET_HALL_MESSAGE)), Right.RUN),
    **dict.fromkeys(names_of_module(results), Right.RESULTS),
    **dict.fromkeys(names_of((results.CORRECT_RESULT, results.CORRECT_FOR_RATING)), Right.DIRECT),
    **dict.fromkeys(
        names_of(
            (
                *(
                    entries.ADD_PARTICIPANT,
                    entries.EDIT_PARTICIPANT,
                    entries.EDIT_PLAYER,
                    entries.REMOVE_PARTICIPANT,
                ),
                *(entries.MOVE_ENTRY_AWAY, entries.MOVE_ENTRY_HERE),
                *(entries.IMPORT_ENTRIES, entries.ORDER_EQUALS, entries.WITHDRAW_PARTICIPANT),
                *(entries.EXPEL_PARTICIPANT, entries.READMIT_PARTICIPANT),
            )
        ),
        Right.ENTRIES,
    ),
    **dict.fromkeys(names_of((presence.CHECK_IN, presence.TAKE_BACK_CHECK_IN)), Right.PRESENCE),
    **dict.fromkeys(names_of((undo.UNDO_SINCE, undo.RESTORE_BEFORE_ROUND)), Right.DIRECT),
}
"""By name of the action; to undo any other action takes the right to run the section."""


ADDS = names_of(
    (
        *(entries.ADD_PARTICIPANT, entries.IMPORT_ENTRIES, entries.REMOVE_PARTICIPANT),
        *(entries.REMOVE_PARTICIPANTS, entries.MOVE_ENTRY_AWAY, entries.MOVE_ENTRY_HERE),
        *(entries.MOVE_ENTRIES_AWAY, entries.MOVE_ENTRIES_HERE),
    )
)
"""Actions whose undo, or the undo of it, makes an entry."""


def rights_to_undo(rights: frozenset[Right], boards: OwnBoards) -> frozenset[Right]:
    """Return the rights that count for an undo. Who enters results of some boards alone corrects them where they were
    entered.
    """
    return rights if boards is None else rights - {Right.RESULTS}


def may_undo(held: frozenset[Right], row: LogRow) -> bool:
    """Return whether a person with these rights may undo this action. No query."""
    undone = [row.undone_row.action] if row.undone_row else []
    needed = {NEEDED.get(name, Right.RUN) for name in (row.action, *undone) if name != undo.UNDO.name}
    return (needed or {Right.RUN}) <= held


def undone_actions(section: Section, rows: QuerySet[ActionLog]) -> set[str]:
    """Return the names of all actions that an undo of these rows touches: of an undo, what it undid, in the end. One
    query, and one more for each step back.
    """
    columns = ("action", "undoes", "back_to", "revision")
    names, seen, step = set(), set[int](), list(rows.values_list(*columns))
    while step:
        names |= {name for name, *_places in step if name != undo.UNDO.name}
        seen |= {revision for *_places, revision in step}
        undone = {undoes for _name, undoes, _back, _revision in step if undoes is not None}
        for _name, _undoes, back_to, revision in step:
            undone |= set() if back_to is None else {*range(back_to + 1, revision)}
        step = (
            list(section.log.filter(revision__in=undone - seen).values_list(*columns))
            if undone - seen
            else []
        )
    return names


def refuse_undo_without_right(held: frozenset[Right], section: Section, rows: QuerySet[ActionLog]) -> None:
    """Raise PermissionDenied if the person could not do all these actions. The queries are those of
    `undone_actions`.
    """
    names = undone_actions(section, rows)
    needed = {NEEDED.get(name, Right.RUN) for name in names}
    if names & ADDS and Right.RUN not in held and section.played_rounds.exists():
        needed.add(Right.RUN)  # it could bring a player into a section whose round 1 is paired
    if not (needed or {Right.RUN}) <= held:
        raise PermissionDenied(
            _("Your role does not let you do this action, so it does not let you undo it.")
        )


# The log of a section: a page with a search, and files.

Writer = Callable[[Iterable[LogRow], Callable[[LogRow], str]], bytes]
FILES: dict[str, tuple[Writer, str]] = {
    **{kind: (partial(log_csv, write=write), content) for kind, (write, content) in TABLES.items()},
    "json": (log_json, "application/json"),
}


@section_page("GET", "HEAD")
def log(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the actions, newest first; the search is by words, person, action, round and day."""
    form = _form(request, section)
    page = log_page(section, request.GET.get("page", "1")[:9], wanted=form.wanted())
    query = request.GET.copy()
    query.pop("page", None)
    context = {
        **section_context(request, section, "log"),
        "form": form,
        "page": page,
        "query": query.urlencode(),
        "changes": [log_line_of(row) for row in _for(request, page.rows)],
        "after_takeover": first_after_takeover(section, [row.revision for row in page.rows]),
        "head": shown_digits(section.log_head),
    }
    if asks_for_part(request):
        return render(request, "staff/log.html#list", context)
    restorable = restorable_rounds(section) if Right.DIRECT in request.rights else ()
    return render(request, "staff/log.html", context | {"restorable": restorable})


@section_page("GET", "HEAD")
def log_file(request: PersonRequest, section: Section, kind: str) -> HttpResponse:
    """Send all rows that fit the search as a file."""
    if kind not in FILES:
        raise Http404
    write, content_type = FILES[kind]
    content = write(_for(request, log_rows(section, _form(request, section).wanted())), sentence_of)
    name = f"{section.event.slug}-{section.slug}-log.{kind}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(content, content_type=content_type, headers=headers)


@section_page("GET", "HEAD")
def log_check(request: PersonRequest, section: Section) -> HttpResponse:
    """Check the seals of the section's log and of the event's own log."""
    event = section.event
    checks = [
        check_words(check_section(section), _("Section %(name)s") % {"name": section.name}),
        check_words(check_event(event), _("The event itself: its details, people and roles")),
    ]
    context = section_context(request, section, "log") | {"checks": checks}
    return render(request, "staff/log_check.html", context)


def _for(request: PersonRequest, rows: Iterable[LogRow]) -> Iterable[LogRow]:
    """Return the rows as the person may see them, with the undo that the person may do."""
    rights = rights_to_undo(request.rights, request.boards)
    for row in rows:
        seen = row if Right.ENTRIES in request.rights else without_personal(row)
        yield seen if may_undo(rights, row) else replace(seen, undoable=False)


def _form(request: PersonRequest, section: Section) -> LogForm:
    people, actions, rounds = log_choices(section)
    titles = sorted(((action, title_of(action)) for action in actions), key=lambda named: named[1])
    personal = Right.ENTRIES in request.rights
    return LogForm(request.GET, people=people, actions=titles, rounds=rounds, personal=personal)
