"""The pages where arbiters see who wins which prize, and announce the prizes."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.prizes import set_prizes
from tournaments.errors import DomainError
from tournaments.models import Section
from tournaments.queries.prizes import PrizeList, prize_list
from web.context import section_context, section_url
from web.forms.prizes import WorkingPlan, methods, work_from, work_on
from web.requests import PersonRequest
from web.words.prizes import money, plan_words, prize_blocks, receipt_lines
from web.words.refusals import explain
from web.words.standings import missing_sentence

from .access import SET_UP, actor_of, section_page


@section_page("GET", "HEAD")
def prizes(request: PersonRequest, section: Section) -> HttpResponse:
    """Show who wins what with the results of now."""
    listed = prize_list(section)
    context = {
        **section_context(request, section, "prizes"),
        "list": listed,
        "blocks": prize_blocks(listed),
        "about": plan_words(listed.plan),
        "missing": missing_sentence(listed.state),
        "fund": money(listed.plan.fund, listed.plan.currency),
        "left": money(listed.left, listed.plan.currency),
        "paid": money(listed.paid, listed.plan.currency),
        "receipts": receipt_lines(listed) if _takes_several(listed) else [],
    }
    return render(request, "staff/prizes.html", context)


def _takes_several(listed: PrizeList) -> bool:
    """Return whether some player wins more than one prize, so that the sums are not on the page yet."""
    return any(len(receipt.prizes) > 1 for receipt in listed.receipts)


@section_page("GET", "HEAD", "POST", permission=SET_UP)
def edit_prizes(request: PersonRequest, section: Section) -> HttpResponse:
    """Show the form. A POST changes the form on the page, or saves it (do=save)."""
    first_day, _last_day = section.period
    if request.method != "POST":
        return _form(request, section, work_on(section.prize_plan, first_day.year))
    work = work_from(request.POST, first_day.year)
    if request.POST.get("do") != "save":
        return _form(request, section, work)
    if not work.is_valid():
        return _form(
            request, section, work, problem=_("Nothing is saved yet: some values are wrong."), status=422
        )
    try:
        set_prizes(
            actor=actor_of(request),
            section_id=section.pk,
            plan=work.read(),
            seen=request.POST.get("seen", ""),
        )
    except DomainError as error:
        return _form(request, section, work, problem=explain(error), status=error.status)
    messages.info(request, _("The prizes are saved."), extra_tags="offered")
    return redirect(section_url("prizes", section))


def _form(
    request: PersonRequest, section: Section, work: WorkingPlan, *, problem: str = "", status: int = 200
) -> HttpResponse:
    section.refresh_from_db(fields=["prizes"])
    context = {
        **section_context(request, section, "prizes"),
        "work": work,
        "seen": section.prize_plan.digest,
        "methods": methods(),
        "problem": problem,
    }
    return render(request, "staff/prizes_edit.html", context, status=status)
