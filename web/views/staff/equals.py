"""The page where the arbiter changes the order of players with the same rating."""

from __future__ import annotations

from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from tournaments.actions.equals import order_equals
from tournaments.errors import DomainError
from tournaments.models import Participant, Section
from tournaments.models.round import rounds_paired
from tournaments.queries.entries import equal_entries
from tournaments.queries.numbers import FROZEN_BY_ROUND
from web.context import section_context, section_url
from web.forms.equals import EqualsForm
from web.requests import PersonRequest
from web.words.refusals import explain

from .access import ENTRIES, actor_of, answers_of, section_page
from .rounds import seen_number


@dataclass(frozen=True, slots=True)
class Question:
    """The question before the order is written. moves: (player, new number) for each number that would change."""

    answer: str
    sentence: str
    moves: list[tuple[Participant, int]]


@section_page("GET", "HEAD", "POST", permission=ENTRIES)
def equal_ratings(request: PersonRequest, section: Section) -> HttpResponse:
    """One form for each rating that several players have. Numbers drawn by lot have a page of their own."""
    if section.fixed_rounds:
        raise Http404
    groups = equal_entries(section)
    if request.method != "POST":
        return _page(request, section, [EqualsForm(None, group=group) for group in groups])
    group = next((group for group in groups if str(group[0].rating) == request.POST.get("rating")), None)
    if group is None:
        raise Http404
    form = EqualsForm(request.POST, group=group)
    forms = [form if one is group else EqualsForm(None, group=one) for one in groups]
    if not form.is_valid():
        return _page(request, section, forms, asked=form, status=422)
    try:
        order_equals(
            actor=actor_of(request),
            section_id=section.pk,
            order=form.order(),
            seen_revision=seen_number(request, "revision"),
            asked=answers_of(request),
        )
    except DomainError as error:
        if error.code != "equals_to_confirm":
            status = error.status
            return _page(request, section, forms, asked=form, problem=explain(error), status=status)
        numbers = dict(error.params["numbers"])
        moves = [(player, numbers[player.tpn]) for player in group if player.tpn in numbers]
        question = Question(error.answer, explain(error), sorted(moves, key=lambda move: move[1]))
        return _page(request, section, forms, asked=form, question=question)
    messages.info(request, _("The players rated %(rating)s have new numbers.") % {"rating": group[0].rating})
    return redirect(section_url("equal-ratings", section))


def _page(
    request: PersonRequest,
    section: Section,
    forms: list[EqualsForm],
    *,
    asked: EqualsForm | None = None,
    question: Question | None = None,
    problem: str = "",
    status: int = 200,
) -> HttpResponse:
    """asked: the form that was sent; the question or the problem is shown with it."""
    section.refresh_from_db(fields=["revision"])
    context = {
        **section_context(request, section, "entries"),
        "forms": forms,
        "asked": asked,
        "question": question,
        "problem": problem,
        "frozen": rounds_paired(section) >= FROZEN_BY_ROUND,
    }
    return render(request, "staff/equals.html", context, status=status)
