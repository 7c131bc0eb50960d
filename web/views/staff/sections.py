"""Pages that change, close, reopen and hide a section, and choose its tie-breaks."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions import sections
from tournaments.actions.rounds import set_round_starts
from tournaments.actions.tie_breaks import list_as_seen, set_tie_breaks, set_tie_values
from tournaments.declarations.sections import (
    EDIT_SECTION,
    SET_ROUND_STARTS,
    SET_TIE_BREAKS,
    locked,
    stands_of,
)
from tournaments.errors import DomainError, Stale
from tournaments.models import Round, Section
from tournaments.queries.field import load_field
from tournaments.queries.log import last_writer
from tournaments.queries.sections import closing
from tournaments.queries.standings import standings_of
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.log import UndoReasonForm
from web.forms.sections import ScheduleForm, SectionForm
from web.forms.tie_breaks import (
    SeenList,
    WorkingList,
    choices,
    contested_list,
    glossary,
    list_from,
    list_of,
    presets,
    seen_from,
)
from web.requests import PersonRequest
from web.words.next_step_checks import next_step_words
from web.words.refusals import explain
from web.words.standings import order_words
from web.words.systems import rules_line

from .access import (
    DIRECT,
    SET_UP,
    actor_of,
    answers_of,
    ask_between_values,
    asked_again,
    asks_both,
    posted,
    section_page,
)
from .rounds import seen_number
from .waiting_on_devices import waiting_first

# Pages that change, close, reopen and hide a section.


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def settings(request: PersonRequest, section: Section) -> HttpResponse:
    """Show and change the settings of a section. Settings that round 1 has locked are shown as locked."""
    form = SectionForm(posted(request), section=section, locked=_locked(section))
    question = None
    if request.method == "POST" and form.is_valid():
        changes = form.settings(form.changes())
        try:
            sections.edit_section(
                actor=actor_of(request),
                section_id=section.pk,
                seen=form.shown,
                asked=answers_of(request, section.pk, changes),
                reason=request.POST.get("reason", ""),
                **changes,
            )
        except Stale as error:
            return _settings(request, section, _asked(section, form, error), status=error.status)
        except DomainError as error:
            if error.code in ("departure_to_confirm", "reason_required"):
                question = error
            else:
                add_refusal(form, error)
        else:
            return redirect(section_url("settings", section))
    status = 422 if form.errors or question else 200
    return _settings(request, section, form, status=status, question=question)


def _asked(section: Section, form: SectionForm, error: Stale) -> SectionForm:
    """Return the form that shows both values of each field that another person has changed too."""
    section.refresh_from_db()
    fresh = SectionForm(section=section, locked=_locked(section))
    return ask_between_values(form, error, fresh, section.log.filter(action=EDIT_SECTION.name))


@section_page("POST", permission=SET_UP)
def schedule(request: PersonRequest, section: Section) -> HttpResponse:
    """Save when the rounds begin."""
    dates, status = ScheduleForm(section, request.POST), 422
    if dates.is_valid():
        try:
            set_round_starts(
                actor=actor_of(request), section_id=section.pk, starts=dates.starts(), seen=dates.seen()
            )
        except Stale as error:
            section.refresh_from_db()
            rows = section.log.filter(action=SET_ROUND_STARTS.name)
            dates, status = (
                ask_between_values(dates, error, ScheduleForm(section), rows, "schedule"),
                error.status,
            )
        except DomainError as error:
            add_refusal(dates, error)
        else:
            messages.info(request, _("The dates of the rounds are saved."))
            return redirect(section_url("settings", section))
    form = SectionForm(section=section, locked=_locked(section))
    return _settings(request, section, form, status=status, dates=dates)


def _locked(section: Section) -> frozenset[str]:
    return frozenset(locked(section, sections.EDITABLE, stands_of(section)))


def _settings(
    request: PersonRequest,
    section: Section,
    form: SectionForm,
    *,
    status: int,
    problem: str = "",
    dates: ScheduleForm | None = None,
    question: DomainError | None = None,
    both: str = "",
) -> HttpResponse:
    """question: what is asked before settings change that players know, or that the reason is missing."""
    section.refresh_from_db()
    dates = dates or ScheduleForm(section)
    if section.is_closed:
        for shown in (*form.fields.values(), *dates.fields.values()):
            shown.disabled = True
    context = {
        **section_context(request, section, "settings"),
        "form": form,
        "rules": rules_line(section),
        "order": order_words(section),
        "dates": dates,
        "locked": bool(_locked(section)),
        "question": question,
        "sentence": explain(question) if question else "",
        **asked_again(request, question),
        "reason": request.POST.get("reason", "") if question else "",
        "problem": problem,
        "asks_both": both,
        "manages": request.user.has_perm("tournaments.manage_event", section),
    }
    answer = render(request, "staff/settings.html", context, status=status)
    if problem:  # the address of the refused request is no page, so it must not be in the browser's history
        answer["HX-Push-Url"] = section_url("settings", section)
    return answer


@section_page("POST", permission="tournaments.manage_event")
def take_away(request: PersonRequest, section: Section) -> HttpResponse:
    """Hide a section that was made by mistake. Only organisers may do this."""
    try:
        sections.take_section_away(actor=actor_of(request), section_id=section.pk)
    except DomainError as error:
        return _refused(request, section, error)
    sentence = _("%(name)s is hidden. Only arbiters see it, below the list of sections.")
    messages.info(request, sentence % {"name": section.name})
    return redirect("tournaments:event", event=section.event.slug)


@section_page("POST", permission="tournaments.manage_event")
def bring_back(request: PersonRequest, section: Section) -> HttpResponse:
    try:
        both = answers_of(request, section.pk)
        sections.take_section_away(actor=actor_of(request), section_id=section.pk, away=False, both=both)
    except DomainError as error:
        return _refused(request, section, error)
    return redirect(section_url("settings", section))


def _refused(request: PersonRequest, section: Section, error: DomainError) -> HttpResponse:
    form = SectionForm(section=section, locked=_locked(section))
    return _settings(
        request,
        section,
        form,
        status=error.status,
        problem=explain(error),
        both=asks_both(error),
    )


# The end of a section: what is checked, closing, and reopening.


@section_page("GET", "POST", permission=DIRECT)
@waiting_first
def close_section(request: PersonRequest, section: Section) -> HttpResponse:
    """Show what is checked before the section is closed, and close it. Before its last round this needs a reason."""
    if request.method != "POST":
        return _closing_page(request, section)
    reason = _reason(request)
    try:
        sections.close_section(
            actor=actor_of(request),
            section_id=section.pk,
            early=bool(reason),
            reason=reason,
            proceed=answers_of(request, section.pk),
        )
    except DomainError as error:
        return _closing_page(request, section, status=error.status, problem=explain(error), reason=reason)
    return redirect(section_url("cockpit", section))


@section_page("POST", permission=DIRECT)
def reopen_section(request: PersonRequest, section: Section) -> HttpResponse:
    try:
        sections.reopen_section(
            actor=actor_of(request),
            section_id=section.pk,
            reason=_reason(request),
            both=answers_of(request, section.pk),
        )
    except DomainError as error:
        return _closing_page(
            request,
            section,
            status=error.status,
            problem=explain(error),
            reason=_reason(request),
            both=asks_both(error),
        )
    return redirect(section_url("cockpit", section))


def _closing_page(
    request: PersonRequest,
    section: Section,
    *,
    status: int = 200,
    problem: str = "",
    reason: str = "",
    both: str = "",
) -> HttpResponse:
    section.refresh_from_db()
    state = closing(section)
    context = {
        **section_context(request, section, "cockpit"),
        "closing": state,
        "blockers": [next_step_words(matter, section) for matter in state.blockers],
        "warnings": [next_step_words(matter, section) for matter in state.warnings],
        "answer": answers_of(request, section.pk).to(
            sections.closing_question(state.warnings, state.rounds_left)
        ),
        "problem": problem,
        "reason": reason,
        "asks_both": both,
    }
    answer = render(request, "staff/closing.html", context, status=status)
    if problem:  # the address of a refused form of another page is no page
        answer["HX-Push-Url"] = section_url("close", section)
    return answer


def _reason(request: PersonRequest) -> str:
    form = UndoReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""


# The page where the arbiter chooses the tie-breaks of a section.

SHOWN_ROWS = 20


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def tie_breaks(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the list. A POST changes the list on the page, or saves it (do=save, then the answers to two questions)."""
    if request.method != "POST":
        stood, left_out = section.tie_break_list, section.unrated_left_out
        seen = SeenList(list_as_seen(stood, left_out))
        return _tie_breaks_page(request, section, replace(list_of(stood), left_out=left_out), seen)
    if request.POST.get("take") == "theirs":
        return redirect(section_url("tie-breaks", section))
    work, seen = list_from(request.POST, section), seen_from(request.POST)
    if not ({"answer"} & request.POST.keys() or request.POST.get("take") or request.POST.get("do") == "save"):
        return _tie_breaks_page(
            request, section, work, seen, problem=work.problem, status=422 if work.problem else 200
        )
    try:
        set_tie_breaks(
            actor=actor_of(request),
            section_id=section.pk,
            codes=[rule.text for rule in work.rules],
            seen=seen.shown,
            unrated_left_out=work.left_out,
            asked=answers_of(request, section.pk, work.codes, work.left_out, seen.shown),
            reason=request.POST.get("reason", ""),
        )
    except Stale as error:
        section.refresh_from_db()
        last = last_writer(section.log.filter(action=SET_TIE_BREAKS.name), tuple(seen.shown))
        return _tie_breaks_page(
            request, section, work, contested_list(section, work, *last), status=error.status
        )
    except DomainError as error:
        asks = error.code == "tie_breaks_to_confirm"
        question = error if asks or error.code == "reason_required" else None
        problem, status = ("", 200) if asks else (explain(error), error.status)
        return _tie_breaks_page(
            request, section, work, seen, question=question, problem=problem, status=status
        )
    messages.info(request, _("The tie-breaks are saved."))
    return redirect(section_url("tie-breaks", section))


def _tie_breaks_page(
    request: PersonRequest,
    section: Section,
    work: WorkingList,
    seen: SeenList,
    *,
    question: DomainError | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    field = load_field(section)
    before = standings_of(field).places
    other = copy(section)
    other.unrated_left_out = work.left_out
    after = standings_of(replace(field, section=other), work.rules)
    moved = sum(before[row.participant_id] != row.place for row in after.rows)
    published = section.played_rounds.exclude(state=Round.State.DRAFT).exists()
    context = {
        **section_context(request, section, "settings"),
        "work": work,
        "form": seen,
        "typed": request.POST.get("typed", "") if work.problem else "",
        "typed_codes": [rule.text for rule in section.tie_break_list if not rule.name],
        "changed": (work.rules, work.left_out) != (section.tie_break_list, section.unrated_left_out),
        "choices": choices(work.codes, section.system),
        "presets": presets(section.system),
        "glossary": glossary(),
        "table": after,
        "rows": after.rows[:SHOWN_ROWS],
        "moved": moved,
        "published": published,
        "question": question,
        "sentence": explain(question) if question and not problem else "",
        **asked_again(request, question),
        "problem": problem,
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "staff/tie_breaks.html", context, status=status)


@section_page("GET", "HEAD", "POST", permission=DIRECT)
def tie_values(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the values of a tie-break that was computed elsewhere (?code=). A POST writes them."""
    codes = [rule.text.upper() for rule in section.tie_break_list if not rule.name]
    asked = (request.POST if request.method == "POST" else request.GET).get("code", "").upper()
    code = asked if asked in codes else (codes or [""])[0]
    problem, status = "", 200
    typed: dict[int, str] = {}
    if request.method == "POST":
        typed = {
            int(name.removeprefix("value-")): str(value)
            for name, value in request.POST.items()
            if name.startswith("value-") and name.removeprefix("value-").isdecimal()
        }
        try:
            set_tie_values(
                actor=actor_of(request),
                section_id=section.pk,
                code=asked,
                values=typed,
                seen_revision=seen_number(request, "revision"),
            )
        except DomainError as error:
            problem, status = explain(error), error.status
        else:
            messages.info(request, _("The values are saved."))
            return redirect(section_url("tie-breaks", section))
    section.refresh_from_db(fields=["revision"])
    field = load_field(section)
    rows = [
        (row, typed.get(row.participant_id, field.participants[row.participant_id].tie_values.get(code, "")))
        for row in standings_of(field).rows
    ]
    context = {
        **section_context(request, section, "settings"),
        "code": code,
        "rows": rows,
        "problem": problem,
    }
    return render(request, "staff/tie_values.html", context, status=status)
