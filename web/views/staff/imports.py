"""Imports: choose a file, preview it, confirm it. Here are report files; lists of entries are in import_list.py."""

from __future__ import annotations

from collections.abc import Sequence

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from evenboard_engine.trf import read_report
from tournaments.actions.entries import import_report
from tournaments.errors import DomainError
from tournaments.imports.identity import id_conflicts
from tournaments.models import Event, Section
from tournaments.questions import ask
from web import uploads
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.imports import OptionsForm, ReportForm, SectionNameForm, UploadForm, is_report
from web.report_facts import broken_rules, file_preview, warn_of_departures
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import ENTRIES, actor_of, answers_of, asks_both, event_page, posted, section_page
from .import_list import check_list, other_file, read_options, upload_page


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def upload(request: PersonRequest, section: Section) -> HttpResponse:
    """Choose a file, or paste rows. The next page reads them."""
    form = UploadForm(posted(request), request.FILES or None)
    if request.method == "POST" and form.is_valid():
        form.keep(request, _place(section))
        return redirect(section_url("import-check", section))
    return upload_page(request, section, form, status=422 if form.errors else 200)


def _place(section: Section) -> str:
    return f"section {section.pk}"


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def check(request: PersonRequest, section: Section) -> HttpResponse:
    """The preview of a file, and its confirmation. The confirmation reads the file again."""
    file = uploads.kept(request, _place(section))
    if file is None:
        if request.method == "POST":
            messages.warning(
                request, _("The file is no longer kept here. Nothing was imported; choose it again.")
            )
        return redirect(section_url("import", section))
    if is_report(file.data):
        return _check_report(request, section, file)
    return check_list(request, section, file)


def _check_report(request: PersonRequest, section: Section, file: uploads.Upload) -> HttpResponse:
    options = read_options(request)
    preview = file_preview(
        file.data,
        section.event,
        rounds=section.rounds,
        section=section,
        unrated=options.cleaned_data.get("unrated"),
    )
    if preview.problems:
        return upload_page(request, section, UploadForm(), status=422, problems=preview.problems)
    facts = preview.facts
    problem, both = other_file(request, file), ""
    status = 409 if problem else 422 if options.errors else 200
    asked = DomainError("report_to_confirm", seen=facts["seen"])
    answers = answers_of(request, section.pk, file.token, options.cleaned_data)
    if request.method == "POST" and status == 200:
        try:
            if facts["seen"]:
                ask(asked, answers)
            filled = import_report(
                actor=actor_of(request),
                section_id=section.pk,
                report=read_report(file.data),
                provisional_rating=options.cleaned_data.get("unrated"),
                source=file.name,
                both=answers,
            )
        except DomainError as error:
            problem = broken_rules(facts) if error is asked else explain(error)
            status, both = error.status, asks_both(error)
        else:
            uploads.forget(request)
            warn_of_departures(request, filled)
            return redirect(section_url("cockpit", section))
    elif section.participants.exists():
        problem = explain(DomainError("section_not_empty", participants=section.participants.count()))
    context = {
        **section_context(request, section, "entries"),
        **facts,
        "manages": request.user.has_perm("tournaments.manage_event", section.event),
        "conflicts": id_conflicts(section.event, facts["people"]),
        "file": file,
        "options": options,
        "problem": problem,
        "answer": answers.to(asked) if facts["seen"] else "",
        "asks_both": both,
    }
    return render(request, "staff/report_check.html", context, status=status)


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
            uploads.keep(request, place, file.name, file.read())
            return redirect(f"{request.path}?preview")
        return _report_upload(request, event, form)
    wanted = "preview" in request.GET or "upload" in request.POST
    kept = uploads.kept(request, place) if wanted else None
    if kept is None:
        return _report_upload(request, event, ReportForm(posted(request), request.FILES or None))
    return _name_section(request, event, kept)


def _report_upload(
    request: PersonRequest, event: Event, form: ReportForm, problems: Sequence[str] = ()
) -> HttpResponse:
    context = {"event": event, "form": form, "problems": problems}
    status = 422 if form.errors or problems else 200
    return render(request, "staff/report_upload.html", context, status=status)


def _name_section(request: PersonRequest, event: Event, file: uploads.Upload) -> HttpResponse:
    problem = other_file(request, file)
    sent = None if problem else posted(request)
    form, options = SectionNameForm(sent), OptionsForm(sent)
    rounds = form.cleaned_data["rounds"] if form.is_valid() else None
    unrated = options.cleaned_data["unrated"] if options.is_valid() else None
    preview = file_preview(file.data, event, rounds=rounds, unrated=unrated)
    if preview.problems:
        uploads.forget(request)
        return _report_upload(request, event, ReportForm(), preview.problems)
    facts = preview.facts
    form.initial = {"name": facts["report_name"][:80] or _("Section"), "rounds": facts["rounds"]}
    if not facts["rounds"]:
        form.require_rounds()
    status, both = 409 if problem else 200, ""
    asked = DomainError("report_to_confirm", seen=facts["seen"])
    answers = answers_of(request, event.pk, file.token, rounds, unrated)
    if form.is_valid() and options.is_valid():
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
                source=file.name,
                both=answers_of(request, event.pk, file.token, form.cleaned_data, unrated),
            )
        except DomainError as error:
            status, both = 422, asks_both(error)
            if error is asked:
                problem = broken_rules(facts)
            else:
                add_refusal(form, error)
        else:
            uploads.forget(request)
            warn_of_departures(request, section)
            return redirect(section_url("cockpit", section))
    context = {
        **facts,
        "manages": request.user.has_perm("tournaments.manage_event", event),
        "conflicts": id_conflicts(event, facts["people"]),
        "event": event,
        "form": form,
        "options": options,
        "file": file,
        "problem": problem,
        "answer": answers.to(asked) if facts["seen"] else "",
        "asks_both": both,
    }
    status = 422 if status == 200 and (form.errors or options.errors) else status
    return render(request, "staff/report_name.html", context, status=status)
