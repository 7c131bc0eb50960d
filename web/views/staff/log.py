"""The log of a section: a page with a search, and files."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from django.http import Http404, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _

from tournaments.exports.log_files import log_csv, log_json
from tournaments.log_seal import check_event, check_section, shown
from tournaments.models import Section
from tournaments.queries.log import LogRow, log_choices, log_page, log_rows, without_personal
from tournaments.queries.undo_preview import restorable_rounds
from tournaments.rights import Right
from web.context import section_context
from web.downloads import TABLES
from web.forms.log import LogForm
from web.requests import PersonRequest
from web.words.log import change_of
from web.words.log_sentences import sentence_of, title_of
from web.words.seals import check_words

from .access import asks_for_part, section_page
from .undo_rights import may_undo, rights_to_undo

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
        "changes": [change_of(row) for row in _for(request, page.rows)],
        "head": shown(section.log_head),
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
