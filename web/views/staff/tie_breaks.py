"""Pages where the arbiter chooses the tie-breaks of a section, and writes values that were computed elsewhere."""

from __future__ import annotations

from copy import copy
from dataclasses import replace

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.tie_breaks import list_as_seen, set_tie_breaks, set_tie_values
from tournaments.declarations.sections import SET_TIE_BREAKS
from tournaments.errors import DomainError, Stale
from tournaments.models import Round, Section
from tournaments.queries.field import load_field
from tournaments.queries.log import last_writer
from tournaments.queries.standings import standings_of
from web.context import section_context, section_url
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
from web.words.refusals import explain

from .access import (
    DIRECT,
    SET_UP,
    actor_of,
    answers_of,
    asked_again,
    section_page,
)
from .rounds import seen_number

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
    messages.info(request, _("The tie-breaks are saved."), extra_tags="offered")
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
    moved = sum(before.get(row.participant_id) != row.place for row in after.rows)
    published = section.played_rounds.exclude(state=Round.State.DRAFT).exists()
    context = {
        **section_context(request, section, "tie-breaks"),
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
        "shared": section.played_rounds.count() >= section.rounds and standings_of(field).shared,
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
            messages.info(request, _("The values are saved."), extra_tags="offered")
            return redirect(section_url("tie-breaks", section))
    section.refresh_from_db(fields=["revision"])
    field = load_field(section)
    rows = [
        (row, typed.get(row.participant_id, field.participants[row.participant_id].tie_values.get(code, "")))
        for row in standings_of(field).rows
    ]
    context = {
        **section_context(request, section, "tie-breaks"),
        "code": code,
        "rows": rows,
        "problem": problem,
    }
    return render(request, "staff/tie_breaks_values.html", context, status=status)
