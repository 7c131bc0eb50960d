"""Read a file of entries or a report file, or pasted text: choose it, preview and correct it, confirm it."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from functools import partial
from hashlib import sha256
from typing import Any
from urllib.parse import parse_qsl, urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from base.cache import Cache
from base.reader import READER
from base.text import lacks_comma
from evenboard_engine import system_named
from evenboard_engine.trf import read_report
from tournaments.actions.entries import import_report
from tournaments.actions.entry_lists import forget_layout, import_or_keep, layout_of, remember_layout
from tournaments.errors import REPORT_TO_CONFIRM, SECTION_NOT_EMPTY, DomainError
from tournaments.files.columns import OF_ENTRIES, ListColumn
from tournaments.files.entry_lists import (
    MAX_CELL,
    ListLayout,
    ListTable,
    OpenedList,
    corrected_list,
    opened_list,
    table_of,
)
from tournaments.files.entry_matching import Choices, id_conflicts
from tournaments.files.entry_preview import ImportPreview, entry_list_preview
from tournaments.files.list_refusals import FileRefused
from tournaments.files.spreadsheets import clean_cell
from tournaments.models import Event, Section
from tournaments.queries.rating_lists import ratings_of_new
from tournaments.questions import ask
from web import files
from web.context import section_context, section_url
from web.forms.entry_lists import (
    EntryColumnsForm,
    LayoutForm,
    OptionsForm,
    ReportForm,
    ReportSystemForm,
    SectionNameForm,
    UploadForm,
    is_report,
)
from web.forms.errors import add_refusal
from web.requests import PersonRequest
from web.words.entry_lists import (
    PREFIX,
    cell_name,
    changed_row,
    left_row,
    plain_row,
    refused_row,
    unread_columns,
)
from web.words.refusals import explain
from web.words.reports import broken_rules, file_preview, warn_of_departures

from .access import ENTRIES, actor_of, answers_of, asks_both, event_page, posted, section_page
from .entries import new_players_wait, waits_for_arbiter
from .rounds import seen_number

# The preview of a list of entries, from a file or pasted: corrections of its cells, and the confirmation.

SHOWN_ROWS = 300
COLUMNS = 7
"""Of the rows in the preview, without the club and the team, which not every pairing system asks for."""
NUMBERS = 10  # of rows, in a sentence
_opened: Cache[Hashable, OpenedList] = Cache(2)  # of at most 5,000 rows and 60 columns
_tables: Cache[Hashable, ListTable] = Cache(6)  # of at most 5,000 rows
CORRECTED_ROWS = 100
"""Refused rows whose cells can be corrected on the page; after these, the next ones."""
ASKED = frozenset({"byes_to_confirm", "numbers_to_confirm", "two_sections_to_confirm"})
"""Refusals that are questions: the page comes back with a button that says yes."""
LOOK_AGAIN = frozenset({"again", "use", "choose", "drop"})
"""Buttons that show the preview again."""


def upload_page(
    request: PersonRequest, section: Section, form: UploadForm, *, status: int, problems: Any = ()
) -> HttpResponse:
    """Show the page to choose a file or paste rows. problems: sentences about the file that was sent."""
    context = {
        **section_context(request, section, "entries"),
        "form": form,
        "problems": problems,
        "takes_teams": "team" in system_named(section.system).player_facts,
        "empty_section": not section.participants.exists(),
        "waits": new_players_wait(request, section),
    }
    return render(request, "staff/entry_lists.html", context, status=status)


def other_file(request: PersonRequest, file: files.Upload) -> str:
    """Say that the page which sent a confirmation showed another file or other corrections; "" if it did not."""
    if request.method != "POST" or request.POST.get("upload") == file.token:
        return ""
    return _(
        "%(name)s was chosen or corrected in another window since. Nothing was imported. This page shows what the "
        "import would do now."
    ) % {"name": file.name}


def read_options(request: PersonRequest, **chosen: str) -> OptionsForm:
    """Return the form with the options for reading the file. Options with an error are not in its cleaned data.

    chosen: options that the page has sent in another way.
    """
    sent = request.GET.dict()
    if request.method == "POST":  # a page without some of the fields still says how it had read the file
        sent = {**_read_before(request), **request.POST.dict()}
    form = OptionsForm({**sent, **chosen})
    form.is_valid()
    return form


def _read_before(request: PersonRequest) -> dict[str, str]:
    """Return the options with which the page that was sent had read the file."""
    return dict(parse_qsl(request.POST.get("read", "")))


def check_list(request: PersonRequest, section: Section, file: files.Upload) -> HttpResponse:
    """Show the preview. A POST confirms it, or has corrections: then the preview comes again with them."""
    options = read_options(request)
    before = OptionsForm(_read_before(request) if "read" in request.POST else options.data)
    try:
        shown_table = table_in(file, before.layout)
        shape = _shape(file, before)
        if request.method != "POST" and not request.GET and (known := _known(request, file, shape)):
            return redirect(f"{section_url('import-check', section)}?{urlencode(known)}")
        if "forget" in request.POST:
            forget_layout(request.user, shape)
            return redirect(section_url("import-check", section))
        columns = columns_form(request, shown_table)
        options = read_options(request, **columns_chosen(columns, options, before))
        table = shown_table if before.layout == options.layout else table_in(file, options.layout)
    except FileRefused as error:
        form = UploadForm(initial={"text": file.data.decode()}) if file.pasted else UploadForm()
        return upload_page(request, section, form, status=422, problems=[str(error)])
    options.offer(table)
    problem, question = other_file(request, file), None
    status = 409 if problem else 422 if options.errors or columns.errors else 200
    remembered = bool(options.kept) and options.kept == layout_of(request.user, shape)
    asked = {"columns": columns if columns.errors else columns_form(None, table), "remembered": remembered}
    if request.method == "POST" and not problem and not columns.errors:
        same_rows = (shown_table.sheet, shown_table.delimiter) == (table.sheet, table.delimiter)
        wanted = _corrections(request, shown_table, file) if same_rows else {}
        choices = _choices(request, file) if same_rows else Choices()
        differently = not same_rows or before.reading != options.reading
        if wanted != file.corrections or differently or request.POST.keys() & LOOK_AGAIN:
            return _show_again(request, section, file, options, wanted, choices)
    if table.problem is not None:
        return _columns_page(request, section, file, options, table, status, asked, problem=problem)
    table = corrected_list(table, _by_column(file.corrections))
    answers = Choices.load(file.choices)
    shown = _preview(section, table, options, answers)
    if request.method == "POST" and not options.errors and not columns.errors and not problem:
        try:
            _outcome, waiting = import_or_keep(
                actor=actor_of(request),
                section=section,
                rows=shown.rows,
                source=_("pasted rows") if file.pasted else file.name,
                seen_revision=seen_number(request, "revision"),
                proceed=answers_of(request),
                both=answers_of(request),
                asked=answers_of(request),
            )
        except DomainError as error:
            status = error.status
            if error.code in ASKED:
                question = error
            else:
                problem = explain(error)
            section.refresh_from_db()
            shown = _preview(section, table, options, answers)
        else:
            files.forget_upload(request)
            if options.kept:
                remember_layout(request.user, shape, options.kept)
            messages.info(request, _taken(shown, waiting))
            return redirect(section_url("entries", section))
    return _page(
        request, section, file, options, table, shown, status, asked, problem=problem, question=question
    )


def columns_form(
    request: PersonRequest | None, table: ListTable, offered: Collection[ListColumn] = OF_ENTRIES
) -> EntryColumnsForm:
    """Return the form that says what each column is, with what was sent if the page had it."""
    sent = (
        request.POST
        if request is not None and any(name.startswith("column-") for name in request.POST)
        else None
    )
    return EntryColumnsForm(sent, table=table, offered=offered)


def columns_chosen(columns: EntryColumnsForm, options: LayoutForm, before: LayoutForm) -> dict[str, str]:
    """Return the option with what was chosen for the columns; empty if nothing else was chosen than the page showed.

    Where the file is split into other columns, what they were is forgotten.
    """
    split = (options.layout.delimiter, options.layout.sheet) != (before.layout.delimiter, before.layout.sheet)
    if split:
        return {"columns": ""}
    asked = columns.table.problem is not None  # then what the page had guessed is agreed to
    if columns.is_bound and columns.is_valid() and (asked or columns.is_changed):
        return {"columns": columns.chosen}
    return {}


def _known(request: PersonRequest, file: files.Upload, shape: str) -> dict[str, str]:
    """Return what the person chose for lists of this shape, empty if the file cannot be read so."""
    known = layout_of(request.user, shape)
    try:
        table_in(file, OptionsForm(known).layout)
    except FileRefused:  # such as another character set this time
        return {}
    return known


def _shape(file: files.Upload, options: OptionsForm) -> str:
    """Return the shape of the file as the program reads it by itself, "" if it cannot."""
    try:
        return table_in(file, ListLayout(sheet=options.layout.sheet)).shape
    except FileRefused:
        return ""


def _columns_page(
    request: PersonRequest,
    section: Section,
    file: files.Upload,
    options: OptionsForm,
    table: ListTable,
    status: int,
    asked: dict[str, Any],
    *,
    problem: str,
) -> HttpResponse:
    """Ask what the columns are, before the rows can be read."""
    options.belong_to("take")
    context = {
        **section_context(request, section, "entries"),
        **asked,
        "file": file,
        "table": table,
        "options": options,
        "read_as": _read_as(table, file),
        "read": _address(options),
        "problem": problem,
    }
    return render(request, "staff/entry_lists_columns.html", context, status=status)


def _preview(section: Section, table: ListTable, options: OptionsForm, answers: Choices) -> ImportPreview:
    unrated = options.cleaned_data.get("unrated")
    return entry_list_preview(
        section, table, unrated, options.day_first, answers, partial(ratings_of_new, section)
    )


def table_in(
    file: files.Upload, layout: ListLayout, offered: frozenset[ListColumn] = OF_ENTRIES
) -> ListTable:
    """Return the list in a file. The file is read once for each encoding, delimiter and sheet. Raises FileRefused."""
    key = sha256(file.data).digest()

    def cells(sheet: str) -> OpenedList:
        way = ListLayout(encoding=layout.encoding, delimiter=layout.delimiter, sheet=sheet)
        return _opened.make((key, way), lambda: opened_list(file.data, way))

    def table() -> ListTable:
        found = cells("")
        if layout.sheet in found.sheets and layout.sheet != found.sheet:
            found = cells(layout.sheet)
        return table_of(found, file.name, layout, offered)

    return _tables.make((key, file.name, layout, offered, get_language()), table)


def _page(
    request: PersonRequest,
    section: Section,
    file: files.Upload,
    options: OptionsForm,
    table: ListTable,
    shown: ImportPreview,
    status: int,
    asked: dict[str, Any],
    *,
    problem: str,
    question: DomainError | None,
) -> HttpResponse:
    options.belong_to("take")
    facts = {"club", "team"} & set(system_named(section.system).player_facts)
    answers = Choices.load(file.choices)
    refused = [refused_row(row, table.header) for row in shown.refused[:SHOWN_ROWS]]
    context = {
        **section_context(request, section, "entries"),
        **asked,
        "file": file,
        "table": table,
        "read_as": _read_as(table, file),
        "unread": unread_columns(table),
        "options": options,
        "read": _address(options),
        "preview": shown,
        "noted": _numbers(shown.noted),
        "refused": refused[:CORRECTED_ROWS],
        "refused_later": refused[CORRECTED_ROWS:],
        "left": [left_row(row, table.header, answers) for row in shown.left[:SHOWN_ROWS]],
        "leave": len(shown.refused) + len(shown.left),
        "no_estimate": READER.listed(shown.no_estimate, longest=NUMBERS),
        "no_comma": _numbers(shown.no_comma),
        "orders": [(cell_name(one.number, ListColumn.NAME), one) for one in shown.orders[:SHOWN_ROWS]],
        "no_byes": _numbers(shown.no_byes),
        "with_games": _numbers(shown.with_games),
        "changed": [changed_row(row) for row in shown.changed[:SHOWN_ROWS]],
        "added": [plain_row(row) for row in shown.added[:SHOWN_ROWS]],
        "take": len(shown.changed) + len(shown.added),
        "waits": bool(shown.added) and new_players_wait(request, section),
        "corrected": sum(map(len, file.corrections.values())),
        "choices": sum(map(len, file.choices.values())),
        "entered": section.participants.count(),
        "facts": facts,
        "wide": COLUMNS + len(facts),
        "problem": problem,
        "question": explain(question) if question else "",
        "asked": question,
    }
    return render(request, "staff/entry_lists_check.html", context, status=status)


def _numbers(rows: Sequence[int]) -> str:
    """Return the numbers of rows, at most ten of them."""
    return READER.listed(rows, longest=NUMBERS)


def _read_as(table: ListTable, file: files.Upload) -> str:
    """Say how the list was read."""
    about = {"sheet": table.sheet, "encoding": table.encoding, "delimiter": table.delimiter}
    if table.sheet and table.encoding:
        return _("table %(sheet)s of a page, read as %(encoding)s") % about
    if table.sheet:
        return _("sheet “%(sheet)s”") % about
    if file.pasted:
        return _("separated by %(delimiter)s") % about
    return _("read as %(encoding)s, separated by %(delimiter)s") % about


def _corrections(
    request: PersonRequest, table: ListTable, file: files.Upload
) -> Mapping[str, Mapping[str, str]]:
    """Return the corrections of the file and those that were sent: typed cells, and a pressed suggestion."""
    if "drop" in request.POST:
        return {}
    sent = {name: text for name, text in request.POST.items() if name.startswith(f"{PREFIX}-")}
    name, _equals, suggestion = request.POST.get("use", "").partition("=")
    if name:
        sent[name] = suggestion
    out = {row: dict(cells) for row, cells in file.corrections.items()}
    for row in table.rows:
        for column in ListColumn:
            text = sent.get(cell_name(row.number, column))
            if text is None:
                continue
            cells = out.setdefault(str(row.number), {})
            cells[column.name] = clean_cell(str(text)[: MAX_CELL + 1])
            kept = column is ListColumn.NAME and lacks_comma(cells[column.name])
            if cells[column.name] == row.cells.get(column, "") and not kept:
                del cells[column.name]
    return {row: cells for row, cells in out.items() if cells}


def _choices(request: PersonRequest, file: files.Upload) -> Choices:
    """Return the choices of the file with the one that was pressed."""
    if "drop" in request.POST:
        return Choices()
    return Choices.load(file.choices).with_(request.POST.get("choose", ""))


def _by_column(corrections: Mapping[str, Mapping[str, str]]) -> dict[int, dict[ListColumn, str]]:
    return {
        int(row): {ListColumn[name]: text for name, text in cells.items()}
        for row, cells in corrections.items()
    }


def _show_again(
    request: PersonRequest,
    section: Section,
    file: files.Upload,
    options: OptionsForm,
    wanted: Mapping[str, Mapping[str, str]],
    choices: Choices,
) -> HttpResponse:
    """Keep the corrections, and show the preview with them. Rows are taken only as the page showed them."""
    unasked = not request.POST.keys() & LOOK_AGAIN
    if wanted != file.corrections:
        if unasked:
            messages.info(request, _("Your corrections are in the preview now. Nothing is imported yet."))
    elif unasked:
        messages.info(request, _("The preview shows the file as you now read it. Nothing is imported yet."))
    if wanted != file.corrections or choices != Choices.load(file.choices):
        lost = files.correct_upload(request, file, wanted, choices.data())
        if lost:
            messages.warning(request, _too_many(lost))
    query = _address(options)
    return redirect(f"{section_url('import-check', section)}{'?' if query else ''}{query}")


def _too_many(lost: int) -> str:
    """Say that some corrections were not kept, and what to do."""
    return ngettext(
        "This page keeps %(most)s corrected cells. %(lost)s more is not corrected. "
        "Import these rows first, or correct the file and choose it again.",
        "This page keeps %(most)s corrected cells. %(lost)s more are not corrected. "
        "Import these rows first, or correct the file and choose it again.",
        lost,
    ) % {"most": files.MOST_CORRECTIONS, "lost": lost}


def _address(options: OptionsForm) -> str:
    """Return the options as the query of an address."""
    return urlencode([(name, value) for name, value in options.chosen if value])


def _taken(shown: ImportPreview, waiting: int) -> str:
    taken, left = len(shown.rows) - waiting, len(shown.refused) + len(shown.left)
    sentences = []
    if taken or not waiting:
        sentences.append(
            ngettext("%(count)s row imported.", "%(count)s rows imported.", taken) % {"count": taken}
        )
    if left:
        sentences.append(
            ngettext("%(count)s row left out.", "%(count)s rows left out.", left) % {"count": left}
        )
    if waiting:
        sentences.append(waits_for_arbiter(waiting))
    return " ".join(sentences)


# Report files: choose a file, preview it, confirm it.


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def upload_file(request: PersonRequest, section: Section) -> HttpResponse:
    """Choose a file, or paste rows. The next page reads them."""
    form = UploadForm(posted(request), request.FILES or None)
    if request.method == "POST" and form.is_valid():
        form.keep(request, _place(section))
        return redirect(section_url("import-check", section))
    return upload_page(request, section, form, status=422 if form.errors else 200)


def _place(section: Section) -> str:
    return f"section {section.pk}"


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def check_file(request: PersonRequest, section: Section) -> HttpResponse:
    """The preview of a file, and its confirmation. The confirmation reads the file again."""
    file = files.kept_upload(request, _place(section))
    if file is None:
        if request.method == "POST":
            messages.warning(
                request, _("The file is no longer kept here. Nothing was imported; choose it again.")
            )
        return redirect(section_url("import", section))
    if is_report(file.data):
        return _check_report(request, section, file)
    return check_list(request, section, file)


def _check_report(request: PersonRequest, section: Section, file: files.Upload) -> HttpResponse:
    options, chosen = read_options(request), _system_chosen(request)
    preview = file_preview(
        file.data,
        section.event,
        rounds=section.rounds,
        section=section,
        unrated=options.cleaned_data.get("unrated"),
        system=chosen,
        checks=bool(chosen),
    )
    if preview.problems:
        return upload_page(request, section, UploadForm(), status=422, problems=preview.problems)
    facts = preview.facts
    problem, both = other_file(request, file), ""
    status = 409 if problem else 422 if options.errors else 200
    asked = REPORT_TO_CONFIRM.error(seen=facts["seen"])
    answers = answers_of(request, section.pk, file.token, options.cleaned_data, chosen)
    if request.method == "POST" and status == 200 and not facts["unchecked"]:
        try:
            if facts["seen"]:
                ask(asked, answers)
            filled = import_report(
                actor=actor_of(request),
                section_id=section.pk,
                report=read_report(file.data),
                provisional_rating=options.cleaned_data.get("unrated"),
                system=chosen,
                source=file.name,
                both=answers,
            )
        except DomainError as error:
            problem = broken_rules(facts) if error is asked else explain(error)
            status, both = error.status, asks_both(error)
        else:
            files.forget_upload(request)
            warn_of_departures(request, filled, facts["older"])
            return redirect(section_url("cockpit", section))
    elif section.participants.exists():
        problem = explain(SECTION_NOT_EMPTY.error(participants=section.participants.count()))
    context = {
        **section_context(request, section, "entries"),
        **facts,
        "manages": request.user.has_perm("tournaments.manage_event", section.event),
        "conflicts": id_conflicts(section.event, facts["people"]),
        "file": file,
        "options": options,
        "system_form": ReportSystemForm(initial={"system": facts["system_code"]}),
        "problem": problem,
        "answer": answers.to(asked) if facts["seen"] else "",
        "asks_both": both,
    }
    return render(request, "staff/report_check.html", context, status=status)


def _system_chosen(request: PersonRequest) -> str:
    """Return the pairing system that the arbiter has chosen for a file that names none; "" before that."""
    form = ReportSystemForm(request.POST if "system" in request.POST else request.GET)
    return form.cleaned_data["system"] if form.is_valid() else ""


@event_page("GET", "HEAD", "POST")
def new_section_from_report(request: PersonRequest, event: Event) -> HttpResponse:
    """Make a new section from a report file: choose the file; with ?preview see what it holds, and name the section.

    Without ?preview the page asks for a file, also if the session still keeps one.
    """
    place = f"event {event.pk}"
    if request.method == "POST" and "file" in request.FILES:
        form = ReportForm(request.POST, request.FILES)
        if form.is_valid():
            file = form.cleaned_data["file"]
            files.keep_upload(request, place, file.name, file.read())
            return redirect(f"{request.path}?preview")
        return _report_upload(request, event, form)
    wanted = "preview" in request.GET or "upload" in request.POST
    kept = files.kept_upload(request, place) if wanted else None
    if kept is None:
        return _report_upload(request, event, ReportForm(posted(request), request.FILES or None))
    return _name_section(request, event, kept)


def _report_upload(
    request: PersonRequest, event: Event, form: ReportForm, problems: Sequence[str] = ()
) -> HttpResponse:
    context = {"event": event, "form": form, "problems": problems}
    status = 422 if form.errors or problems else 200
    return render(request, "staff/report_upload.html", context, status=status)


def _name_section(request: PersonRequest, event: Event, file: files.Upload) -> HttpResponse:
    problem = other_file(request, file)
    sent = None if problem else posted(request)
    form, options = SectionNameForm(sent), OptionsForm(sent)
    rounds = form.cleaned_data["rounds"] if form.is_valid() else None
    unrated = options.cleaned_data["unrated"] if options.is_valid() else None
    chosen = _system_chosen(request)
    preview = file_preview(
        file.data, event, rounds=rounds, unrated=unrated, system=chosen, checks=bool(chosen)
    )
    if preview.problems:
        files.forget_upload(request)
        return _report_upload(request, event, ReportForm(), preview.problems)
    facts = preview.facts
    form.initial = {
        "name": facts["report_name"].removeprefix(f"{event.name}, ")[:80] or _("Section"),
        "rounds": facts["rounds"],
    }
    if not facts["rounds"]:
        form.require_rounds()
    status, both = 409 if problem else 200, ""
    asked = REPORT_TO_CONFIRM.error(seen=facts["seen"])
    answers = answers_of(request, event.pk, file.token, rounds, unrated, chosen)
    if form.is_valid() and options.is_valid() and not facts["unchecked"]:
        try:
            if facts["seen"]:
                ask(asked, answers)
            section = import_report(
                actor=actor_of(request),
                event=event,
                report=read_report(file.data),
                name=form.cleaned_data["name"],
                rounds=rounds,
                provisional_rating=unrated,
                system=chosen,
                source=file.name,
                both=answers_of(request, event.pk, file.token, form.cleaned_data, unrated, chosen),
            )
        except DomainError as error:
            status, both = 422, asks_both(error)
            if error is asked:
                problem = broken_rules(facts)
            else:
                add_refusal(form, error)
        else:
            files.forget_upload(request)
            warn_of_departures(request, section, facts["older"])
            return redirect(section_url("cockpit", section))
    context = {
        **facts,
        "manages": request.user.has_perm("tournaments.manage_event", event),
        "conflicts": id_conflicts(event, facts["people"]),
        "event": event,
        "form": form,
        "options": options,
        "system_form": ReportSystemForm(initial={"system": facts["system_code"]}),
        "file": file,
        "problem": problem,
        "answer": answers.to(asked) if facts["seen"] else "",
        "asks_both": both,
    }
    status = 422 if status == 200 and (form.errors or options.errors) else status
    return render(request, "staff/report_name.html", context, status=status)
