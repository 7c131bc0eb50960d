"""Pages that change, close, reopen and hide a section."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions import sections
from tournaments.actions.rounds import set_round_starts
from tournaments.actions.stored_copies import note_last_step
from tournaments.declarations.sections import (
    EDIT_SECTION,
    SET_ROUND_STARTS,
    SETTINGS,
    locked,
    stands_of,
)
from tournaments.errors import DomainError, Stale
from tournaments.models import Section
from tournaments.queries.entries import rating_limit
from tournaments.queries.last_steps import closing, mark_of_places
from tournaments.queries.log import last_log_rows
from tournaments.rights import Right
from web.context import section_context, section_url
from web.forms.errors import add_refusal
from web.forms.sections import GROUPS, OF_PAIRED_ROUNDS, WHOLE, ScheduleForm, SectionForm
from web.languages import in_language
from web.requests import PersonRequest
from web.words.last_steps import last_step_lines
from web.words.log import log_line_of
from web.words.next_step_checks import next_step_words
from web.words.refusals import explain
from web.words.standings import order_words
from web.words.systems import rules_line

from .access import (
    COPIES,
    DIRECT,
    SET_UP,
    actor_of,
    answers_of,
    ask_between_values,
    asked_again,
    asks_both,
    may_not,
    posted,
    reason_of,
    section_page,
)
from .waiting_on_devices import waiting_first

DATES = "rounds"
LAST_CHANGES = 5


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def settings(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the settings of a section as text, and change those of one group (?change=). Locked settings are fixed."""
    group = request.POST.get("group", "")
    group = group if group in GROUPS else ""
    form = SectionForm(posted(request), section=section, locked=_locked(section), group=group)
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
            return _settings(
                request,
                section,
                _asked(section, form, error, group),
                status=error.status,
                change=group or WHOLE,
            )
        except DomainError as error:
            if error.code in ("departure_to_confirm", "reason_required"):
                question = error
            else:
                add_refusal(form, error)
        else:
            return redirect(section_url("settings", section))
    status = 422 if form.errors or question else 200
    change = (group or WHOLE) if status == 422 else request.GET.get("change", "")
    if request.method != "POST" and change in GROUPS:
        form = SectionForm(section=section, locked=_locked(section), group=change)
    return _settings(request, section, form, status=status, question=question, change=change)


def _asked(section: Section, form: SectionForm, error: Stale, group: str) -> SectionForm:
    """Return the form that shows both values of each field that another person has changed too."""
    section.refresh_from_db()
    fresh = SectionForm(section=section, locked=_locked(section), group=group)
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
            messages.info(request, _("The dates of the rounds are saved."), extra_tags="offered")
            return redirect(section_url("settings", section))
    form = SectionForm(section=section, locked=_locked(section))
    return _settings(request, section, form, status=status, dates=dates, change=DATES)


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
    change: str = "",
) -> HttpResponse:
    """question: what is asked before settings change that players know, or that the reason is missing.

    change: the group whose fields are open, `WHOLE` for those of all groups, `DATES` for the days of the rounds.
    """
    section.refresh_from_db()
    dates = dates or ScheduleForm(section)
    can_change = not section.is_closed and not getattr(request, "only_looks", False)
    whole = SectionForm(section=section, locked=_locked(section))
    context = {
        **section_context(request, section, "settings"),
        "form": form,
        "of_paired_rounds": OF_PAIRED_ROUNDS,
        "groups": list(whole.groups(section, form, change)),
        "changes": [log_line_of(row) for row in last_log_rows(section, LAST_CHANGES, only=SETTINGS)],
        "change": change if can_change else "",
        "can_change": can_change,
        "starts": [(n, start) for n in range(1, section.rounds + 1) if (start := section.start_of(n))],
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
        "limit": rating_limit(section),
        "manages": request.user.has_perm("tournaments.manage_event", section),
    }
    answer = render(request, "staff/sections_settings.html", context, status=status)
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


# The end of a section: its last steps, what is checked, closing, and reopening.

STEP_PAGES: Mapping[str, tuple[str, Mapping[str, str]]] = {
    "ties": ("cockpit", {}),
    "prizes": ("prizes", {}),
    "norms": ("print", {"document": "certificates"}),
    "report": ("rating-report", {}),
    "paper": ("print", {"document": "final-report"}),
    "archive": ("archive", {}),
}
"""The page or the paper of each step of which only the log knows that it was taken."""


@section_page("POST")
def last_step(request: PersonRequest, section: Section, taken: str) -> HttpResponse:
    """Note that a step after the last round was taken, and open its page or its paper."""
    if taken not in STEP_PAGES:
        raise Http404
    if taken == "archive" and Right.COPIES not in request.rights:
        raise PermissionDenied(may_not(COPIES))
    mark = mark_of_places(section)
    note_last_step(actor=actor_of(request), section_id=section.pk, step=taken, mark=mark)
    name, where = STEP_PAGES[taken]
    address = section_url(name, section, **where)
    return redirect(
        in_language(address, "en") if taken == "norms" else address
    )  # FIDE reads the form in English


@section_page("GET", "POST", permission=DIRECT)
@waiting_first
def close_section(request: PersonRequest, section: Section) -> HttpResponse:
    """Show what is checked before the section is closed, and close it. Before its last round this needs a reason."""
    if request.method != "POST":
        return _closing_page(request, section)
    reason = reason_of(request)
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
            reason=reason_of(request),
            both=answers_of(request, section.pk),
        )
    except DomainError as error:
        return _closing_page(
            request,
            section,
            status=error.status,
            problem=explain(error),
            reason=reason_of(request),
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
        "steps": last_step_lines(state.last_steps, section, request.rights)[:-1] if state.last_steps else (),
        "blockers": [next_step_words(matter, section) for matter in state.blockers],
        "warnings": [next_step_words(matter, section) for matter in state.warnings],
        "answer": answers_of(request, section.pk).to(
            sections.closing_question(state.warnings, state.rounds_left)
        ),
        "problem": problem,
        "reason": reason,
        "asks_both": both,
    }
    answer = render(request, "staff/sections_closing.html", context, status=status)
    if problem:  # the address of a refused form of another page is no page
        answer["HX-Push-Url"] = section_url("close", section)
    return answer
