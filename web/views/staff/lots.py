"""The drawing of lots: numbers drawn by the program, or typed as they were drawn at the board."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from base.text import one_line
from tournaments.actions.lots import draw_lots, set_lots
from tournaments.errors import DomainError
from tournaments.models import Section
from tournaments.models.round import rounds_paired
from tournaments.queries.entries import numbered_entries
from tournaments.queries.lots import last_draw
from tournaments.queries.numbers import lots_missing
from web.context import section_context, section_url
from web.forms.lots import LotsForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import actor_of, answers_of, section_page
from .rounds import seen_number

LONGEST_SEED = 40


@section_page("GET", "HEAD", "POST")
def lots(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the numbers and the seed of the last draw. A POST types numbers that were drawn at the board."""
    if not section.fixed_rounds:
        raise Http404
    group = numbered_entries(section)
    if request.method != "POST":
        return _page(request, section, LotsForm(None, group=group))
    form = LotsForm(request.POST, group=group)
    if not form.is_valid():
        return _page(request, section, form, status=422)
    try:
        set_lots(
            actor=actor_of(request),
            section_id=section.pk,
            order=form.order(),
            seen_revision=seen_number(request, "revision"),
            asked=answers_of(request),
        )
    except DomainError as error:
        if error.code != "lots_to_confirm":
            return _page(request, section, form, problem=explain(error), status=error.status)
        by_key = {entry.pk: entry for entry in group}
        numbers = [(by_key[key], number) for number, key in enumerate(form.order(), start=1)]
        return _page(request, section, form, numbers=numbers, answer=error.answer)
    messages.info(request, _("The players have the numbers that were drawn."))
    return redirect(section_url("lots", section))


@section_page("POST")
def draw(request: PersonRequest, section: Section) -> HttpResponse:
    """Draw all numbers. seed: what the arbiter typed; empty takes one by chance."""
    seed = one_line(request.POST.get("seed", ""))[:LONGEST_SEED]
    try:
        seed = draw_lots(actor=actor_of(request), section_id=section.pk, seed=seed)
    except DomainError as error:
        section.refresh_from_db()
        form = LotsForm(None, group=numbered_entries(section))
        return _page(request, section, form, problem=explain(error), status=error.status)
    messages.info(request, _("The numbers are drawn. The seed is %(seed)s.") % {"seed": seed})
    return redirect(section_url("lots", section))


def _page(
    request: PersonRequest,
    section: Section,
    form: LotsForm,
    *,
    numbers: object = None,
    answer: str = "",
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """numbers: (entry, number) to be confirmed, with this answer."""
    section.refresh_from_db(fields=["revision"])
    context = {
        **section_context(request, section, "entries"),
        "form": form,
        "numbers": numbers,
        "answer": answer,
        "problem": problem,
        "stand": rounds_paired(section) > 0,
        "missing": lots_missing(form.group),
        "draw": last_draw(section),
    }
    return render(request, "staff/lots.html", context, status=status)
