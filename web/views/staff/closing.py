"""The end of a section: what is checked, closing, and reopening."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import redirect, render

from tournaments.actions import sections
from tournaments.errors import DomainError
from tournaments.models import Section
from tournaments.queries.closing import closing
from web.context import section_context, section_url
from web.forms.log import ReasonForm
from web.matters import matter_words
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import DIRECT, actor_of, answers_of, asks_both, section_page
from .waiting_on_devices import waiting_first


@section_page("GET", "POST", permission=DIRECT)
@waiting_first
def close(request: PersonRequest, section: Section) -> HttpResponse:
    """Show what is checked before the section is closed, and close it. Before its last round this needs a reason."""
    if request.method != "POST":
        return _page(request, section)
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
        return _page(request, section, status=error.status, problem=explain(error), reason=reason)
    return redirect(section_url("cockpit", section))


@section_page("POST", permission=DIRECT)
def reopen(request: PersonRequest, section: Section) -> HttpResponse:
    try:
        sections.reopen_section(
            actor=actor_of(request),
            section_id=section.pk,
            reason=_reason(request),
            both=answers_of(request, section.pk),
        )
    except DomainError as error:
        return _page(
            request,
            section,
            status=error.status,
            problem=explain(error),
            reason=_reason(request),
            both=asks_both(error),
        )
    return redirect(section_url("cockpit", section))


def _page(
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
        "blockers": [matter_words(matter, section) for matter in state.blockers],
        "warnings": [matter_words(matter, section) for matter in state.warnings],
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
    form = ReasonForm(request.POST)
    return str(form.cleaned_data["reason"]) if form.is_valid() else ""
